package main

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
)

// YAML has no negative zero that kubectl would read as one.
var readsAsNegativeZero = regexp.MustCompile(`[:,\[]-0[,\]}]`)

var writtenYAML = &comparison{
	name:     "written YAML",
	about:    "an object as blame prints it: kubectl reads it as it reads the object's JSON",
	letter:   'Y',
	generate: func(r *rand.Rand) [][]byte { return [][]byte{[]byte(yamlValue(r, 4))} },
	prepare:  prepareWritten,
	compare: func(p *pair, answer []byte) reading {
		ours := kubectlReads(answer)
		return reading{ours: describeReading(ours.objects, ours.failed) + ours.problem, theirs: p.theirs.(string)}
	},
}

const (
	writtenStart = `{"apiVersion":"v1","kind":"C","metadata":{"name":"c"`
	writtenOwner = `,"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:a":{}}}}]`
)

func prepareWritten(p *pair) bool {
	value := string(p.parts[0])
	theirs := kubectlReads([]byte(writtenStart + `},"data":` + value + `}`))
	if theirs.failed || len(theirs.objects) != 1 || !json.Valid(p.parts[0]) || readsAsNegativeZero.MatchString(theirs.objects[0]) {
		return false
	}
	p.theirs = theirs.objects[0]
	p.question = [][]byte{[]byte(writtenStart + writtenOwner + `},"data":` + value + `}`)}
	return true
}

// What YAML gives a meaning, and what readers take for something else than a text.
var yamlWords = []string{
	"", " ", "y", "N", "no", "On", "oFF", "true", "False", "null", "~", "Null", ".nan", ".INF", "-.inf", "0777", "0o17", "0x1F",
	"0b1", "1_0", "1e3", "1E+3", ".5", "5.", "+1", "-0", "22:30", "1:2:3.4", "2001-01-01", "2001-01-01T00:00:00Z", "1.2.3", "-", "--",
	"---", "...", "<<", "=", "!", "!!str a", "&a", "*a", "%a", "@a", "`a", "? a", ": a", "a: b", "a:b", "a :b", "a #b", "a#b", "#a", "| a",
	"> a", "'a'", "\"a\"", "[a]", "{a}", "a, b", "a]", "{", "}", "$(A)", "a\\nb", "\\", "\t", "a\tb", "\ta", "a\t", "\r", "a\r\nb", "\x00",
	"\x01", "\x1b[31m", "\x7f", "\u0085", "\u00a0", "\u2028", "\u2029", "\u202e", "\ufeff", "\ufffe", "\U0001f600", "日本語", "é",
	"a\n", "a\n\n", "a\nb", "\na", "\n", "\n\n", " a\n", "a\n b\n", "a\n  \n", "a \nb\n", "a\n# b\n", "a\n---\nb\n", "a\n\tb\n", "- a", "-a",
	strings.Repeat("long ", 300), strings.Repeat("k", 1100),
}

const yamlBytes = " \n\n:#-?,[]{}&*!|>'\"%@`~=<.0123456789abefnotuxyTZ_\\\t\r"

func yamlText(r *rand.Rand) string {
	if once(r, 2) {
		return pick(r, yamlWords...)
	}
	text := strings.Builder{}
	for range r.IntN(10) {
		text.WriteByte(yamlBytes[r.IntN(len(yamlBytes))])
	}
	return text.String() + pick(r, "", "", pick(r, yamlWords...))
}

func yamlScalar(r *rand.Rand) string {
	if once(r, 4) {
		return pick(r, append([]string{"true", "false", "null", "{}", "[]", "0", "-1", "1.5", "1e21", "1e-7", "9223372036854775807"}, jsonNumbers...)...)
	}
	text, _ := json.Marshal(yamlText(r))
	return string(text)
}

func yamlValue(r *rand.Rand, depth int) string {
	if depth == 0 || once(r, 3) {
		return yamlScalar(r)
	}
	items := make([]string, r.IntN(4))
	isMap := once(r, 2)
	for i := range items {
		items[i] = yamlValue(r, depth-1)
		if isMap {
			key, _ := json.Marshal(yamlText(r))
			items[i] = string(key) + ":" + items[i]
		}
	}
	if isMap {
		return "{" + strings.Join(items, ",") + "}"
	}
	return "[" + strings.Join(items, ",") + "]"
}
