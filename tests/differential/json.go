package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"unicode/utf8"

	kubejson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

var lastApplied = &comparison{
	name:     "last-applied",
	about:    "what an annotation declares, by the decoder of kubectl apply",
	letter:   'J',
	generate: func(r *rand.Rand) [][]byte { return [][]byte{[]byte(annotation(r))} },
	prepare:  prepareLastApplied,
	compare: func(p *pair, answer []byte) reading {
		return reading{ours: string(answer), theirs: p.theirs.(string)}
	},
}

// prepareLastApplied reads the annotation as kubectl does: out of the JSON that the API server writes.
func prepareLastApplied(p *pair) bool {
	text, err := json.Marshal(map[string]string{"annotation": string(p.parts[0])})
	if err != nil {
		panic(err)
	}
	p.question = [][]byte{text}
	var received map[string]string
	if err := kubejson.Unmarshal(text, &received); err != nil {
		panic(err)
	}
	// k8s.io/apimachinery, strategicpatch.CreateThreeWayMergePatch and jsonmergepatch.CreateThreeWayJSONMergePatch
	var declared map[string]any
	if err := kubejson.Unmarshal([]byte(received["annotation"]), &declared); err != nil || declared == nil {
		p.theirs = "no object"
		return true
	}
	var meaning strings.Builder
	writeMeaning(&meaning, declared)
	p.theirs = meaning.String()
	return true
}

// writeMeaning writes a value as the driver does (values.c).
func writeMeaning(out *strings.Builder, v any) {
	switch v := v.(type) {
	case nil:
		out.WriteString("n")
	case bool:
		out.WriteString(map[bool]string{true: "t", false: "f"}[v])
	case string:
		fmt.Fprintf(out, "s%d:%s", len(v), v)
	case int64:
		fmt.Fprintf(out, "i%d;", v)
	case float64:
		if v >= -0x1p63 && v < 0x1p63 && v == math.Trunc(v) {
			fmt.Fprintf(out, "i%d;", int64(v))
		} else {
			fmt.Fprintf(out, "r%016x;", math.Float64bits(v))
		}
	case []any:
		out.WriteString("[")
		for _, item := range v {
			writeMeaning(out, item)
		}
		out.WriteString("]")
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		out.WriteString("{")
		for _, name := range names {
			fmt.Fprintf(out, "s%d:%s", len(name), name)
			writeMeaning(out, v[name])
		}
		out.WriteString("}")
	default:
		panic(fmt.Sprintf("%T is no JSON", v))
	}
}

var jsonEqual = &comparison{
	name:   "JSON equality",
	about:  "two values of objects: the same, by value.Equals of structured-merge-diff",
	letter: 'E',
	generate: func(r *rand.Rand) [][]byte {
		writer := jsonWriter{r: r}
		a := writer.value(pick(r, 0, 1, 2, 3, 4))
		b := respellJSON(r, a)
		return [][]byte{[]byte(a), []byte(b)}
	},
	accepted: []string{"large-integer"},
	prepare: func(p *pair) bool {
		var a, b any
		// Objects come from the API server, which writes no name twice.
		if kubejson.Unmarshal(p.parts[0], &a) != nil || kubejson.Unmarshal(p.parts[1], &b) != nil || !utf8.Valid(p.parts[0]) || !utf8.Valid(p.parts[1]) || isRepeating(p.parts[0]) || isRepeating(p.parts[1]) {
			return false
		}
		p.theirs = []any{a, b}
		return true
	},
	compare: compareJSON,
}

func compareJSON(p *pair, answer []byte) reading {
	values := p.theirs.([]any)
	read := reading{ours: string(answer), theirs: yesNo(value.Equals(value.NewValueInterface(values[0]), value.NewValueInterface(values[1])))}
	if read.ours == "no" && read.theirs == "yes" && hasLargeInteger(values[0], values[1]) {
		return reading{accepted: []string{"large-integer"}}
	}
	return read
}

// hasLargeInteger says whether at some place one value has a whole number beyond 2^53, and the other a fraction's type.
func hasLargeInteger(a, b any) bool {
	if list, isList := a.([]any); isList {
		other, _ := b.([]any)
		for i := range min(len(list), len(other)) {
			if hasLargeInteger(list[i], other[i]) {
				return true
			}
		}
	}
	if object, isObject := a.(map[string]any); isObject {
		other, _ := b.(map[string]any)
		for name := range object {
			if hasLargeInteger(object[name], other[name]) {
				return true
			}
		}
	}
	return isLargeBeside(a, b) || isLargeBeside(b, a)
}

func isLargeBeside(a, b any) bool {
	integer, isInteger := a.(int64)
	_, isFloat := b.(float64)
	return isInteger && isFloat && (integer > 1<<53 || integer < -1<<53)
}

// jsonWriter writes random JSON. What objects of the API server never hold is only written where isOdd.
type jsonWriter struct {
	r     *rand.Rand
	isOdd bool
}

var jsonNames = []string{"a", "b", "c", "name", "spec", "metadata", "annotations", "image", "ä", "", "a.b/c", "\\u0061", "\\u00e4", "A"}

var jsonNumbers = []string{
	"0", "-0", "1", "1.0", "10e-1", "-1", "0.1", "0.10", "1e2", "100", "1E+2", "80", "8080", "3.14", "1.5e300", "5e-324", "2e-324",
	"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0", "9223372036854775807", "9223372036854775808",
	"9223372036854775807.0", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "18446744073709552000",
	"123456789012345678901234567890", "1e18", "1e19", "1e20", "1e21", "1e22", "0.1e1", "-0.0", "0.30000000000000004", "1.7976931348623157e308",
	"4.9406564584124654e-324", "2.2250738585072011e-308", "1e-400",
}

var oddNumbers = []string{"1e400", "-1e400", "1.7976931348623159e308", "01", "-", "+1", "1.", ".5", "1e", "0x10", "NaN", "Infinity", "1e+", "-01", "1_000"}

var jsonStrings = []string{
	"", "a", "nginx:1", "x y", "\\n", "\\\"", "\\\\", "\\/", "/", "\\u0000", "\\u0041", "A", "ä", "\\u00e4", "\\u00E4", "😀", "\\ud83d\\ude00",
	"\\u2028", "\u2028", "<>&", "\\u003c", "\u007f", "\ufeff", "\ufffd", "\\ufffd", "\\b\\f\\r\\t",
}

var oddStrings = []string{
	"\\ud83d", "\\ude00", "\\ude00\\ud83d", "\\ud83d\\ud83d\\ude00", "\\ud83dx", "\\ud83d\\n", "\\udbff\\udfff", "\\ud800\\u0041", "\\uD83D\\uDE00", "\\\\ud83d",
	"\\u12", "\\x41", "\\a", "\\", "\n", "\t", "\x00", "\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc0\x80", "\\U0041", "\\u00zz", "'",
}

func (w jsonWriter) number() string {
	switch {
	case w.isOdd && once(w.r, 40):
		return pick(w.r, oddNumbers...)
	case once(w.r, 4):
		return pick(w.r, "", "-") + pick(w.r, "0", "1", "7", "1"+digits(w.r, 24)) + pick(w.r, "", "", "."+"0"+digits(w.r, 20), "e"+pick(w.r, "-", "+", "")+"1"+digits(w.r, 1))
	default:
		return pick(w.r, jsonNumbers...)
	}
}

func (w jsonWriter) text() string {
	text := pick(w.r, jsonStrings...)
	for w.isOdd && once(w.r, 12) {
		text += pick(w.r, oddStrings...)
	}
	for once(w.r, 3) {
		text += pick(w.r, jsonStrings...)
	}
	return `"` + text + `"`
}

func (w jsonWriter) space() string {
	if once(w.r, 20) {
		return pick(w.r, " ", "\n", "\t", "\r\n", "  ")
	}
	return ""
}

func (w jsonWriter) value(depth int) string {
	kind := w.r.IntN(8)
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return w.space() + pick(w.r, "null", "true", "false") + w.space()
	case 1, 2:
		return w.space() + w.number() + w.space()
	case 3:
		return w.space() + w.text() + w.space()
	case 4:
		return w.list(depth - 1)
	default:
		return w.object(depth - 1)
	}
}

func (w jsonWriter) list(depth int) string {
	var items []string
	for range w.r.IntN(4) {
		items = append(items, w.value(depth))
	}
	return w.space() + "[" + strings.Join(items, ",") + "]" + w.space()
}

func (w jsonWriter) object(depth int) string {
	var members []string
	for range w.r.IntN(5) {
		name := `"` + pick(w.r, jsonNames...) + `"`
		if w.isOdd && once(w.r, 20) {
			name = w.text()
		}
		members = append(members, w.space()+name+w.space()+":"+w.value(depth))
	}
	return w.space() + "{" + strings.Join(members, ",") + "}" + w.space()
}

// annotation is a text that somebody may have put into the annotation.
func annotation(r *rand.Rand) string {
	writer := jsonWriter{r: r, isOdd: true}
	text := ""
	switch {
	case once(r, 1000):
		depth := pick(r, 9999, 10000, 10000, 10001, 10001, 12000)
		return `{"a":` + strings.Repeat("[", depth-1) + pick(r, "1", "") + strings.Repeat("]", depth-1) + "}"
	case once(r, 4):
		text = pick(r, seeds.annotations...)
		text = strings.Replace(text, pick(r, `"name"`, `"image"`, `"spec"`, ":80"), pick(r, `"kind"`, `"spec"`, `"name" `, `:0.8e2`), 1+r.IntN(3))
	case once(r, 30):
		text = writer.value(3)
	default:
		text = writer.object(pick(r, 1, 2, 3, 4))
	}
	if once(r, 12) {
		text = mutateBytes(r, text, "{}[],:\"\\eE+-.0189 \n\x00\x7f\xffud8é/*")
	}
	return pick(r, "", "", "", "", "", "", "", "", " ", "\ufeff") + text + pick(r, "", "", "", "\n", "\n", "\n", " ", "\x00", "x", ",")
}

// respellJSON is the same value, or almost, in other words.
func respellJSON(r *rand.Rand, text string) string {
	var v any
	if kubejson.Unmarshal([]byte(text), &v) != nil || isRepeating([]byte(text)) {
		return text
	}
	switch r.IntN(6) {
	case 0:
		return jsonWriter{r: r}.value(2)
	case 1:
		other, _ := json.Marshal(v)
		return string(other)
	case 2, 3:
		return strings.Replace(text, pick(r, jsonNumbers...), pick(r, jsonNumbers...), 1)
	default:
		return shuffled(r, v)
	}
}

// shuffled writes the value with its members in some order; here and there a value becomes another.
func shuffled(r *rand.Rand, v any) string {
	if once(r, 25) {
		return jsonWriter{r: r}.value(0)
	}
	switch v := v.(type) {
	case map[string]any:
		var members []string
		for name := range v {
			members = append(members, name)
		}
		sort.Strings(members)
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		for i, name := range members {
			quoted, _ := json.Marshal(name)
			members[i] = string(quoted) + ":" + shuffled(r, v[name])
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		var items []string
		for _, item := range v {
			items = append(items, shuffled(r, item))
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		text, _ := json.Marshal(v)
		return string(text)
	}
}

// isRepeating says whether an object has two members of one name.
func isRepeating(text []byte) bool {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	var names []map[string]bool
	isName := false
	var kinds []json.Delim
	for {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		delimiter, isDelimiter := token.(json.Delim)
		switch {
		case isDelimiter && (delimiter == '{' || delimiter == '['):
			kinds, names = append(kinds, delimiter), append(names, map[string]bool{})
			isName = delimiter == '{'
			continue
		case isDelimiter:
			kinds, names = kinds[:len(kinds)-1], names[:len(names)-1]
		case isName:
			name := token.(string)
			if names[len(names)-1][name] {
				return true
			}
			names[len(names)-1][name] = true
			isName = false
			continue
		}
		isName = len(kinds) > 0 && kinds[len(kinds)-1] == '{'
	}
}

// scalar is what a key field of a list item, or an item of a set, may hold.
func (w jsonWriter) scalar() string {
	switch w.r.IntN(5) {
	case 0:
		return w.number()
	case 1:
		return pick(w.r, "true", "false")
	default:
		return w.text()
	}
}
