package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"

	kubejson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

var difference = &comparison{
	name:     "difference",
	about:    "two FieldsV1: what the first owns and the second does not, by fieldpath.Set",
	letter:   'D',
	accepted: unreadClasses,
	generate: func(r *rand.Rand) [][]byte {
		before := fieldSet(r)
		return [][]byte{before.text(r), changed(r, before).text(r)}
	},
	prepare: prepareSets,
	compare: compareDifference,
}

var overlap = &comparison{
	name:     "overlap",
	about:    "FieldsV1 beside others: which of these own what it owns, by fieldpath.Set",
	letter:   'O',
	accepted: unreadClasses,
	generate: func(r *rand.Rand) [][]byte {
		first := fieldSet(r)
		parts := [][]byte{first.text(r)}
		for range 1 + r.IntN(3) {
			parts = append(parts, changed(r, first).text(r))
		}
		return parts
	},
	prepare: prepareSets,
	compare: compareOverlap,
}

// Sets that one side or the other does not read to the end.
var unreadClasses = []string{"refused-set", "repeated-element", "too-deep", "element-not-as-written", "structured-value", "large-key", "number-in-path"}

func prepareSets(p *pair) bool {
	sets := make([]*fieldpath.Set, len(p.parts))
	for i, part := range p.parts {
		// A review is JSON.
		if !json.Valid(part) {
			return false
		}
		sets[i] = set(part)
	}
	p.theirs = sets
	return true
}

// walked is what the driver says of a walk over a set: its result, and the paths that it came by, with what is said of each.
type walked struct {
	result  string
	paths   []fieldpath.Path
	printed []string
	notes   []string
}

func readWalk(answer []byte, hasNotes bool) (walked, error) {
	fields := fieldsOf(answer)
	walk := walked{result: fields[len(fields)-1]}
	for fields = fields[:len(fields)-1]; len(fields) > 0; {
		count, _ := strconv.Atoi(fields[1])
		var path fieldpath.Path
		for _, text := range fields[2 : 2+count] {
			element, err := fieldpath.DeserializePathElement(text)
			if err != nil {
				return walk, fmt.Errorf("%q: %w", text, err)
			}
			path = append(path, element)
		}
		walk.paths, walk.printed = append(walk.paths, path), append(walk.printed, fields[0])
		fields = fields[2+count:]
		if hasNotes {
			walk.notes = append(walk.notes, fields[0])
			fields = fields[1:]
		}
	}
	return walk, nil
}

// whyUnread is the class of what keeps one side from reading the sets to the end; empty: nothing does.
func whyUnread(parts [][]byte, sets []*fieldpath.Set) string {
	for i, s := range sets {
		if s == nil {
			return "refused-set"
		}
		tree, isTree := readTree(parts[i])
		if !isTree {
			return "refused-set"
		}
		if class := tree.whyUnread(1); class != "" {
			return class
		}
	}
	return ""
}

// readTree reads FieldsV1 as it is written. False: a value in it is no object.
func readTree(text []byte) (*node, bool) {
	defer func() { _ = recover() }()
	if strings.ContainsAny(withoutStrings(text), "[0123456789tn") {
		return nil, false
	}
	return parseNode(string(text)), true
}

// withoutStrings is JSON with nothing between its quotes.
func withoutStrings(text []byte) string {
	var out strings.Builder
	isQuoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case isQuoted && text[i] == '\\':
			i++
		case text[i] == '"':
			isQuoted = !isQuoted
		case !isQuoted:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

// levelsMax is JSON_DEPTH_MAX of base/json.h.
const levelsMax = 128

func (n *node) whyUnread(depth int) string {
	elements := fieldpath.PathElementSet{}
	known := 0
	for i, key := range n.keys {
		if key == "." {
			if indexOf(n.keys, ".") != i {
				return "repeated-element"
			}
			continue
		}
		element, err := fieldpath.DeserializePathElement(key)
		if err != nil {
			continue
		}
		if class := whyOddElement(key, element); class != "" {
			return class
		}
		elements.Insert(element)
		if known++; elements.Size() != known {
			return "repeated-element"
		}
		if depth > levelsMax {
			return "too-deep"
		}
		if class := n.children[i].whyUnread(depth + 1); class != "" {
			return class
		}
	}
	return ""
}

// whyOddElement is the class of an element that no API server writes.
func whyOddElement(key string, element fieldpath.PathElement) string {
	if element.Key != nil {
		for i, field := range *element.Key {
			if i > 0 && field.Name == (*element.Key)[i-1].Name {
				return "element-not-as-written"
			}
		}
	}
	for _, v := range valuesOf(element) {
		if v.IsMap() || v.IsList() {
			return "structured-value"
		}
		if v.IsFloat() && math.Abs(v.AsFloat()) > 1<<53 {
			return "large-key"
		}
	}
	return whyNotJSON(key)
}

// whyNotJSON finds what structured-merge-diff reads in a key although it is not JSON.
func whyNotJSON(key string) string {
	switch key[0] {
	case 'i':
		if number, err := strconv.Atoi(key[2:]); err != nil || strconv.Itoa(number) != key[2:] {
			return "element-not-as-written"
		}
	case 'k', 'v':
		if !isStrictJSON(key[2:]) || (key[0] == 'k' && key[2] != '{') {
			return "element-not-as-written"
		}
	}
	return ""
}

func compareDifference(p *pair, answer []byte) reading {
	sets := p.theirs.([]*fieldpath.Set)
	if class := whyUnread(p.parts, sets); class != "" {
		return reading{accepted: []string{class}}
	}
	walk, err := readWalk(answer, false)
	if err != nil {
		return reading{ours: err.Error(), theirs: "path elements"}
	}
	lost := &fieldpath.Set{}
	for path := range sets[0].Leaves().All() {
		if !owns(sets[1], path) {
			lost.Insert(path.Copy())
		}
	}
	return compareWalks(walk, lost)
}

// compareWalks compares the paths that were walked, and how they are printed, with those of a set.
func compareWalks(walk walked, theirs *fieldpath.Set) reading {
	if walk.result != "ok" {
		return reading{ours: walk.result, theirs: "ok"}
	}
	if ours := fieldpath.NewSet(walk.paths...); !ours.Equals(theirs) {
		return reading{ours: listed(ours), theirs: listed(theirs)}
	}
	for i, path := range walk.paths {
		printed, isComparable := printedPath(path)
		if !isComparable || printed == walk.printed[i] {
			continue
		}
		if hasExponent(path) {
			return reading{accepted: []string{"number-in-path"}}
		}
		return reading{ours: walk.printed[i], theirs: printed}
	}
	return reading{}
}

// hasExponent says whether a key or value of the path has a number that Go prints as 1.234567e+06.
func hasExponent(path fieldpath.Path) bool {
	for _, element := range path {
		for _, v := range valuesOf(element) {
			if v.IsFloat() && math.Abs(v.AsFloat()) >= 1e6 {
				return true
			}
		}
	}
	return false
}

func valuesOf(element fieldpath.PathElement) []value.Value {
	var values []value.Value
	if element.Value != nil {
		values = append(values, *element.Value)
	}
	if element.Key != nil {
		for _, field := range *element.Key {
			values = append(values, field.Value)
		}
	}
	return values
}

func listed(s *fieldpath.Set) string {
	var lines []string
	for path := range s.All() {
		lines = append(lines, strconv.Quote(path.String()))
	}
	sort.Strings(lines)
	return "{" + strings.Join(lines, ", ") + "}"
}

// printedPath is the path as 409 answers have it, where applyguard prints it as it is: what is long is cut short, what is
// not printable is escaped.
func printedPath(path fieldpath.Path) (string, bool) {
	printed := path.String()
	if len(printed) > 256 {
		return "", false
	}
	for _, letter := range printed {
		if !unicode.IsPrint(letter) {
			return "", false
		}
	}
	return printed, true
}

func compareOverlap(p *pair, answer []byte) reading {
	sets := p.theirs.([]*fieldpath.Set)
	if class := whyUnread(p.parts, sets); class != "" {
		return reading{accepted: []string{class}}
	}
	walk, err := readWalk(answer, true)
	if err != nil {
		return reading{ours: err.Error(), theirs: "path elements"}
	}
	nodes := &fieldpath.Set{}
	for path := range sets[0].All() {
		for length := 1; length <= len(path); length++ {
			nodes.Insert(path[:length].Copy())
		}
	}
	read := compareWalks(walk, nodes)
	for i := 0; read.ours == read.theirs && i < len(walk.paths); i++ {
		owners := ""
		for _, other := range sets[1:] {
			owners += yesNo(owns(other, walk.paths[i]))[:1]
		}
		if owners != walk.notes[i] {
			read = reading{ours: walk.printed[i] + " " + walk.notes[i], theirs: walk.paths[i].String() + " " + owners}
		}
	}
	return read
}

var contains = &comparison{
	name:     "contains",
	about:    "FieldsV1 and a path: whether it owns the field, or something below it, by fieldpath.Set",
	letter:   'C',
	generate: generateContains,
	prepare:  prepareContains,
	compare: func(p *pair, answer []byte) reading {
		return reading{ours: strings.Join(fieldsOf(answer), ", below "), theirs: p.theirs.(string)}
	},
}

// The first part is the set, the second a set of which the first path is taken.
func generateContains(r *rand.Rand) [][]byte {
	n := fieldSet(r)
	other := &node{}
	at, from := other, n
	if once(r, 3) {
		from = changed(r, n)
	}
	for len(from.keys) > 0 && !once(r, 6) {
		i := r.IntN(len(from.keys))
		if from.keys[i] == "." {
			break
		}
		child := &node{}
		at.add(from.keys[i], child)
		at, from = child, from.children[i]
	}
	for once(r, 4) {
		child := &node{}
		at.add(element(r), child)
		at = child
	}
	return [][]byte{n.text(r), other.text(r)}
}

// prepareContains has both written as an API server does: single fields are looked for as they are spelled.
func prepareContains(p *pair) bool {
	owned, asked := set(p.parts[0]), set(p.parts[1])
	if owned == nil || asked == nil || asked.Size() == 0 {
		return false
	}
	var path fieldpath.Path
	for first := range asked.All() {
		path = first.Copy()
		break
	}
	text, err := owned.ToJSON()
	if err != nil || len(path) > 31 {
		return false
	}
	p.question = [][]byte{text}
	for _, element := range path {
		written, err := fieldpath.SerializePathElement(element)
		if err != nil || whyOddElement(written, element) != "" {
			return false
		}
		p.question = append(p.question, []byte(written))
	}
	isOwned, isBelow := owns(owned, path), !below(owned, path).Empty()
	for length := 1; length < len(path); length++ {
		isOwned = isOwned || (owned.Has(path[:length]) && below(owned, path[:length]).Empty())
	}
	p.theirs = yesNo(isOwned) + ", below " + yesNo(isBelow)
	return true
}

// below is what the set has strictly below the path.
func below(s *fieldpath.Set, path fieldpath.Path) *fieldpath.Set {
	for _, element := range path {
		s = s.WithPrefix(element)
	}
	return s
}

var containsItem = &comparison{
	name:     "items",
	about:    "FieldsV1 and an item of an object's list: whether it owns the item, by fieldpath.Set",
	letter:   'I',
	generate: generateItem,
	prepare:  prepareItem,
	accepted: []string{"fraction-key"},
	compare: func(p *pair, answer []byte) reading {
		read := reading{ours: fieldsOf(answer)[0], theirs: p.theirs.(string)}
		if read.ours == "no" && read.theirs == "yes" && (fraction.Match(p.question[2]) || negativeZero.Match(p.parts[0])) {
			return reading{accepted: []string{"fraction-key"}}
		}
		return read
	},
}

// A number with a fraction or an exponent, or one that is no int64, outside of strings or in them.
var fraction = regexp.MustCompile(`[0-9][.e][-+0-9]|[0-9]{16}|-0`)
var negativeZero = regexp.MustCompile(`-0`)

// The parts: the items that the set owns, as a list; the item; the names of the key fields, or none for a set.
func generateItem(r *rand.Rand) [][]byte {
	writer := jsonWriter{r: r}
	names := []string{"name", "port", "protocol"}[:r.IntN(4)]
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	item := func() string {
		if len(names) == 0 {
			return writer.scalar()
		}
		members := []string{`"other":1`}
		for _, name := range names {
			if !once(r, 8) {
				members = append(members, `"`+name+`":`+writer.scalar())
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	items := []string{item(), item(), item()}
	asked := items[0]
	if once(r, 3) {
		asked = item()
	}
	parts := [][]byte{[]byte("[" + strings.Join(items, ",") + "]"), []byte(asked)}
	for _, name := range names {
		parts = append(parts, []byte(name))
	}
	return parts
}

// itemElement is the path element of an item of an object; false: it has none of the key fields.
func itemElement(item any, names [][]byte) (fieldpath.PathElement, bool) {
	if len(names) == 0 {
		_, isMap := item.(map[string]any)
		_, isList := item.([]any)
		return fieldpath.ValueElement(value.NewValueInterface(item)), !isMap && !isList
	}
	object, isObject := item.(map[string]any)
	fields := value.FieldList{}
	for _, name := range names {
		if member, has := object[string(name)]; has {
			fields = append(fields, value.Field{Name: string(name), Value: value.NewValueInterface(member)})
		}
	}
	fields.Sort()
	return fieldpath.PathElement{Key: &fields}, isObject && len(fields) > 0
}

func prepareItem(p *pair) bool {
	var items []any
	var asked any
	if kubejson.Unmarshal(p.parts[0], &items) != nil || kubejson.Unmarshal(p.parts[1], &asked) != nil {
		return false
	}
	owned := &fieldpath.Set{}
	list := fieldpath.FieldNameElement("items")
	for _, item := range items {
		if element, isItem := itemElement(item, p.parts[2:]); isItem {
			owned.Insert(fieldpath.Path{list, element})
		}
	}
	element, isItem := itemElement(asked, p.parts[2:])
	text, err := owned.ToJSON()
	if err != nil || !isItem {
		return false
	}
	// The item as the API server writes it in the object.
	written, err := json.Marshal(asked)
	if err != nil {
		return false
	}
	p.question = append([][]byte{text, []byte("items"), written}, p.parts[2:]...)
	p.theirs = yesNo(owns(owned, fieldpath.Path{list, element}))
	return true
}

var loneSurrogate = regexp.MustCompile(`(?i)\\ud[89a-f]`)

func isStrictJSON(text string) bool {
	return json.Valid([]byte(text)) && !loneSurrogate.MatchString(text)
}
