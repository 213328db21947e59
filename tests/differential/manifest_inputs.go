package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"sigs.k8s.io/yaml"
)

// manifestInput is one input: documents as people, templates and tools write them, and as nobody should.
func manifestInput(r *rand.Rand) string {
	text := manifestDocuments(r)
	for once(r, 3) {
		text = mutateManifest(r, text)
	}
	switch r.IntN(40) {
	case 0:
		return strings.ReplaceAll(text, "\n", "\r\n")
	case 1:
		return "\xef\xbb\xbf" + text
	case 2:
		return "\xff\xfe" + wide(text, false)
	case 3:
		return "\xfe\xff" + wide(text, true)
	case 4:
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

func manifestDocuments(r *rand.Rand) string {
	switch r.IntN(12) {
	case 0:
		return manifestTexts[r.IntN(len(manifestTexts))]
	case 1, 2:
		text := strings.Builder{}
		for range 1 + r.IntN(3) {
			text.WriteString(manifestDocument(r))
			text.WriteString(pick(r, "---\n", "---\n", "--- # c\n", "---\n# Source: a.yaml\n", "...\n---\n", "\n---\n\n", "---\r\n", "--- \n", "...\n", " ---\n"))
		}
		return text.String()
	case 3:
		text := strings.Builder{}
		for range 1 + r.IntN(3) {
			encoded, _ := json.Marshal(anyObject(r))
			text.Write(encoded)
			text.WriteString(pick(r, "", "\n", " ", "\n---\n", "\n\n", ","))
		}
		return text.String()
	case 3 + 8:
		if once(r, 500) {
			return head + "...\n" + strings.Repeat("a\n", 1000) + "\x07\n"
		}
		return manifestDocument(r)
	case 4, 5, 6:
		return head + "x: " + manifestScalar(r) + "\n"
	}
	return manifestDocument(r)
}

// manifestDocument is a recorded object as sigs.k8s.io/yaml writes it, or an object written by no rule but YAML's.
func manifestDocument(r *rand.Rand) string {
	if len(seeds.annotations) > 0 && once(r, 3) {
		var object any
		if json.Unmarshal([]byte(pick(r, seeds.annotations...)), &object) == nil {
			if text, err := yaml.Marshal(object); err == nil && len(text) < 3000 {
				return string(text)
			}
		}
	}
	w := &manifestWriter{random: r}
	w.text.WriteString(head)
	for i := range 1 + r.IntN(3) {
		fmt.Fprintf(&w.text, "k%d:", i)
		w.value(1, 0)
	}
	return w.text.String()
}

func anyObject(r *rand.Rand) map[string]any {
	object := map[string]any{"apiVersion": "v1", "kind": pick(r, "A", "B", "List")}
	if once(r, 4) {
		object["metadata"] = map[string]any{"name": "a", pick(r, "labels", "annotations", "finalizers"): anyJSON(r, 2)}
	}
	if once(r, 6) {
		object["items"] = anyJSON(r, 2)
	}
	object["x"] = anyJSON(r, 3)
	return object
}

func anyJSON(r *rand.Rand, depth int) any {
	switch choice := r.IntN(10); {
	case choice < 3 && depth > 0:
		object := map[string]any{}
		for range r.IntN(4) {
			object[pick(r, "a", "b", "kind", "y", "1", "<&>", "é")] = anyJSON(r, depth-1)
		}
		return object
	case choice < 5 && depth > 0:
		list := []any{}
		for range r.IntN(4) {
			list = append(list, anyJSON(r, depth-1))
		}
		return list
	case choice < 8:
		return json.Number(pick(r, "0", "-0", "1", "1.0", "1e3", "0.1", "1e400", "-1E-7", "9223372036854775808", "12345678901234567890123", digitsOf(r)))
	}
	return pick[any](r, nil, true, false, "", "a", "\u2028<", "\x00\x1f\x7f", "1", "y")
}

func digitsOf(r *rand.Rand) string {
	text := strings.TrimLeft(digits(r, 20), "0") + "1"
	if once(r, 3) {
		text += "." + digits(r, 10) + "5"
	}
	return pick(r, "", "", "-") + text + pick(r, "", "", "", "e5", "E-12", "e+300", "e-320")
}

const manifestScalarBytes = "0123456789abcdefxyeEonO._+-:#'\"&*!|>%@`~?,[]{}<= \\/\n\tTZ"

func manifestScalar(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return digitsOf(r)
	case 1:
		return pick(r, "", "-", "+") + pick(r, "0", "0x", "0o", "0b", "0X", "0B", "00", "") + mutateBytes(r, digits(r, 6), "0123456789abcdefABCDEF_.+-e")
	case 2:
		return fmt.Sprintf("%04d-%d-%02d%s%02d:%d:%02d%s", r.IntN(3000), 1+r.IntN(13), 1+r.IntN(31), pick(r, "T", "t", " ", "  ", ""), r.IntN(25), r.IntN(61), r.IntN(61), pick(r, "", "Z", ".5", ".123Z", "+01:00", "-24:60", ",5Z", " Z"))
	case 3:
		return pick(r, "!!int ", "!!float ", "!!str ", "!!bool ", "!!null ", "!!binary ", "!!timestamp ", "!x ", "! ", "!!merge ", "&a ") + pick(r, manifestScalars...)
	case 4:
		return mutateBytes(r, pick(r, manifestScalars...), manifestScalarBytes)
	case 5:
		return "[" + pick(r, manifestScalars...) + pick(r, ", ", ",", " , ") + pick(r, manifestScalars...) + "]"
	case 6:
		return "{" + pick(r, manifestScalars...) + pick(r, ": ", ":", " : ", " :") + pick(r, manifestScalars...) + pick(r, "", ",", ", b: 1") + "}"
	}
	return pick(r, manifestScalars...)
}

// manifestWriter writes a value in any of YAML's styles.
type manifestWriter struct {
	random  *rand.Rand
	text    strings.Builder
	anchors int
}

func (w *manifestWriter) comment() {
	if once(w.random, 12) {
		w.text.WriteString(pick(w.random, " # c", "  # applyguard:waive a b", " #", "#x"))
	}
}

func (w *manifestWriter) properties() {
	if once(w.random, 10) {
		fmt.Fprintf(&w.text, " &a%d", w.anchors)
		w.anchors++
	}
	if once(w.random, 25) {
		w.text.WriteString(pick(w.random, " !!map", " !!seq", " !!str", " !x", " !!int", " !<tag:yaml.org,2002:str>", " !x[1]"))
	}
}

func (w *manifestWriter) key() string {
	return pick(w.random, "a", "b", "c", "name", "1", "y", "0777", "\"a\"", "'b'", "<<", "a b", "a.b/c", "1.5", "é", "? a\n", "")
}

// value writes what stands behind a colon or a dash, up to the end of its line.
func (w *manifestWriter) value(indent, depth int) {
	r := w.random
	if w.anchors > 0 && once(r, 8) {
		fmt.Fprintf(&w.text, " *a%d", r.IntN(w.anchors+1))
		w.comment()
		w.text.WriteByte('\n')
		return
	}
	w.properties()
	blank := strings.Repeat(" ", 2*indent)
	switch choice := r.IntN(10); {
	case choice < 3 && depth < 4:
		w.comment()
		w.text.WriteByte('\n')
		for range 1 + r.IntN(3) {
			w.text.WriteString(blank + w.key() + pick(r, ":", ":", ":", ":", " :"))
			w.value(indent+1, depth+1)
		}
	case choice < 5 && depth < 4:
		w.text.WriteByte('\n')
		if once(r, 2) && indent > 0 {
			blank = blank[2:]
		}
		for range 1 + r.IntN(3) {
			w.text.WriteString(blank + "-")
			w.value(indent+pick(r, 0, 1, 1), depth+1)
		}
	case choice < 6:
		w.text.WriteByte(' ')
		w.flow(depth)
		w.comment()
		w.text.WriteByte('\n')
	case choice < 7:
		w.text.WriteString(pick(r, " |", " >", " |-", " >+", " |2", " >1-", " | # c") + "\n")
		for range r.IntN(4) {
			w.text.WriteString(pick(r, blank, blank, blank, blank+"  ", "") + pick(r, "a", "b c", "# d", "", "\t", "- e", "f: g", "…") + "\n")
		}
	case choice < 8:
		w.text.WriteString(" " + pick(r, "'a\n"+blank+"b'", "\"a\\\n"+blank+"b\\u00e9\"", "a\n"+blank+"b\n\n"+blank+"c", "\"\\x41\\/\"", "'it''s'", "\"\n"+blank+"a\n\n"+blank+" b\""))
		w.comment()
		w.text.WriteByte('\n')
	default:
		w.text.WriteString(" " + pick(r, manifestScalars...))
		w.comment()
		w.text.WriteByte('\n')
	}
}

func (w *manifestWriter) flow(depth int) {
	r := w.random
	opening, closing := "[", "]"
	isMap := once(r, 2)
	if isMap {
		opening, closing = "{", "}"
	}
	w.text.WriteString(opening)
	for i := range r.IntN(4) {
		if i > 0 {
			w.text.WriteString(pick(r, ",", ", ", ",\n    ", " , "))
		}
		if isMap {
			w.text.WriteString(w.key() + pick(r, ": ", ": ", ":", " : "))
		}
		if depth < 3 && once(r, 3) {
			w.flow(depth + 1)
		} else {
			w.text.WriteString(pick(r, "a", "1", "y", "\"b\"", "'c'", "d e", "", "0777", "*a0", "http://a/b?c", "a:b", "- 1", "?", "a:", "fd00::", "a::b", "\"a:\"", "#c\n    ", "\"a\":1", "a:1"))
		}
	}
	w.text.WriteString(pick(r, "", "", "", ",", " ") + closing)
}

// mutateManifest changes a line, or some bytes.
func mutateManifest(r *rand.Rand, text string) string {
	if once(r, 2) || text == "" {
		return mutateBytes(r, text, manifestScalarBytes+"\n\n\n   \u00e9\u2028\x00\xff\r")
	}
	lines := strings.SplitAfter(text, "\n")
	i, j := r.IntN(len(lines)), r.IntN(len(lines))
	switch r.IntN(6) {
	case 0:
		lines[i] = ""
	case 1:
		lines[i] += lines[j]
	case 2:
		lines[i], lines[j] = lines[j], lines[i]
	case 3:
		lines[i] = pick(r, " ", "  ", "\t", "- ", "? ", "# ", "%") + lines[i]
	case 4:
		lines[i] = strings.TrimPrefix(lines[i], " ")
	default:
		lines[i] = strings.TrimSuffix(lines[i], "\n") + pick(r, " ", ":", " # c", ",", "\t", " \n") + "\n"
	}
	return strings.Join(lines, "")
}
