// schema writes apply/merge/schema_builtin.def: how the fields of Kubernetes' own types merge.
//
//	go run ./schema > ../../apply/merge/schema_builtin.def
//
// The schema for server-side applies is that of schema/types. What client-side applies go by are the struct tags
// of the types in Go.
package main

import (
	"differential/schema/types"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
)

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintf(os.Stderr, "schema: %v\n", err)
		os.Exit(1)
	}
	return v
}

// nameOf is a Go type's name in the OpenAPI document.
func nameOf(t reflect.Type) string {
	host, path, _ := strings.Cut(t.PkgPath(), "/")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

// patch is what the tags of a field say.
type patch struct{ strategy, key string }

// collect finds the tags of all types that the Go type is made of.
func collect(t reflect.Type, into map[string]map[string]patch) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || into[nameOf(t)] != nil {
		return
	}
	fields := map[string]patch{}
	into[nameOf(t)] = fields
	collectFields(t, fields, into)
}

func collectFields(t reflect.Type, fields map[string]patch, into map[string]map[string]patch) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" && (strings.Contains(options, "inline") || field.Type.Kind() == reflect.Struct) {
			inlined := field.Type
			if inlined.Kind() == reflect.Pointer {
				inlined = inlined.Elem()
			}
			collectFields(inlined, fields, into)
			continue
		}
		if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
			fields[name] = patch{strategy, field.Tag.Get("patchMergeKey")}
		}
		collect(field.Type, into)
	}
}

// table is what is written.
type table struct {
	schema  *schema.Schema
	patches map[string]map[string]patch
	names   map[string]int
	order   []string
	keys    []string
	lists   map[string]int // where the keys of a list begin
	fields  []string
	types   []string
	known   map[string]int // types by what they are
}

func (t *table) name(text string) int {
	if at, has := t.names[text]; has {
		return at
	}
	t.names[text] = len(t.order)
	t.order = append(t.order, text)
	return t.names[text]
}

func (t *table) keysAt(keys []string) int {
	keys = slices.Sorted(slices.Values(keys))
	text := strings.Join(keys, ",")
	if at, has := t.lists[text]; has || len(keys) == 0 {
		return at
	}
	t.lists[text] = len(t.keys)
	for _, key := range keys {
		t.keys = append(t.keys, fmt.Sprintf("KEY(%d)", t.name(key)))
	}
	return t.lists[text]
}

const deduced = "__untyped_deduced_"

func (t *table) ref(ref schema.TypeRef) int {
	if ref.NamedType != nil {
		def, has := t.schema.FindNamedType(*ref.NamedType)
		if !has {
			return 0
		}
		if ref.ElementRelationship != nil {
			// A field may say that what its type has as one value merges, or the other way round.
			atom, _ := t.schema.Resolve(ref)
			return t.atom(*ref.NamedType, atom)
		}
		return t.atom(*ref.NamedType, def.Atom)
	}
	return t.atom("", ref.Inlined)
}

func scalarsOf(scalar schema.Scalar) int {
	switch scalar {
	case schema.String:
		return 1
	case schema.Numeric:
		return 2
	case schema.Boolean:
		return 4
	}
	return 7
}

// atom is the number of a type, which is written when it is first met.
func (t *table) atom(name string, atom schema.Atom) int {
	id := name
	if id == "" {
		// The parts are embedded, and their fields of one name would be left out.
		id = string(must(json.Marshal([]any{atom.Scalar, atom.List, atom.Map})))
	}
	if def, is := t.schema.FindNamedType(name); is && !def.Atom.Equals(&atom) {
		id += " " + string(must(json.Marshal([]any{atom.Scalar, atom.List, atom.Map})))
	}
	if at, has := t.known[id]; has {
		return at
	}
	at := len(t.types)
	t.known[id] = at
	t.types = append(t.types, "")
	kinds, scalars, atomic, item, keys, count, isOpen, member, first, fields := 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
	if atom.Scalar != nil {
		kinds |= 1
		scalars = scalarsOf(*atom.Scalar)
	}
	if list := atom.List; list != nil {
		kinds |= 2
		if list.ElementRelationship == schema.Atomic {
			atomic |= 2
		}
		item, keys, count = t.ref(list.ElementType), t.keysAt(list.Keys), len(list.Keys)
	}
	if m := atom.Map; m != nil {
		kinds |= 4
		if m.ElementRelationship == schema.Atomic {
			atomic |= 4
		}
		if m.ElementType != (schema.TypeRef{}) {
			isOpen, member = 1, t.ref(m.ElementType)
		}
		first, fields = t.writeFields(name, m.Fields), len(m.Fields)
	}
	t.types[at] = fmt.Sprintf("TYPE(%d, %d, %d, %d, %d, %d, %d, %d, %d, %d)", kinds, scalars, atomic, count, isOpen, keys, item, member, first, fields)
	if name != "" {
		t.types[at] += " /* " + name + " */"
	}
	return at
}

func (t *table) writeFields(owner string, fields []schema.StructField) int {
	fields = slices.Clone(fields)
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	var lines []string
	for _, field := range fields {
		preset, key, strategy := 0, 0, 0
		if _, isMap := field.Default.(map[any]any); field.Default != nil && !isMap {
			if text, err := json.Marshal(field.Default); err == nil && text[0] != '{' && text[0] != '[' {
				preset = t.name(string(text))
			}
		}
		tags := t.patches[owner][field.Name]
		for _, word := range strings.Split(tags.strategy, ",") {
			switch word {
			case "merge":
				strategy |= 1
			case "retainKeys":
				strategy |= 2
			case "replace":
				strategy |= 4
			}
		}
		if tags.key != "" {
			key = t.name(tags.key)
		}
		lines = append(lines, fmt.Sprintf("FIELD(%d, %d, %d, %d, %d)", t.name(field.Name), t.ref(field.Type), preset, key, strategy))
	}
	first := len(t.fields)
	t.fields = append(t.fields, lines...)
	return first
}

func main() {
	version := must(types.Ask("{{.Version}}"))
	t := &table{schema: &must(types.Read()).Schema, patches: map[string]map[string]patch{}, names: map[string]int{}, lists: map[string]int{}, known: map[string]int{}}
	t.name("")
	kinds := must(types.Scheme()).AllKnownTypes()
	for _, kind := range kinds {
		collect(kind, t.patches)
	}
	if def, has := t.schema.FindNamedType(deduced); !has || t.atom(deduced, def.Atom) != 0 {
		fmt.Fprintln(os.Stderr, "schema: there is no "+deduced)
		os.Exit(1)
	}
	var lines []string
	for kind, of := range kinds {
		if def, has := t.schema.FindNamedType(nameOf(of)); has && def.Map != nil {
			metadata, _ := def.Map.FindField("metadata")
			isObject := metadata.Type.NamedType != nil && *metadata.Type.NamedType == nameOf(reflect.TypeFor[metav1.ObjectMeta]())
			if isObject && kind.Version != "__internal" {
				lines = append(lines, kind.GroupVersion().String()+" "+kind.Kind+" "+nameOf(of))
			}
		}
	}
	slices.Sort(lines)
	for i, line := range lines {
		parts := strings.Split(line, " ")
		def, _ := t.schema.FindNamedType(parts[2])
		lines[i] = fmt.Sprintf("KIND(%d, %d, %d)", t.name(parts[0]), t.name(parts[1]), t.atom(parts[2], def.Atom))
	}
	write(version, t, lines)
}

func write(version string, t *table, kinds []string) {
	fmt.Printf("/* Written by tests/differential/schema from %s %s and what belongs to it. Do not edit. */\n", types.Module, version)
	fmt.Println("#ifdef NAME")
	for i, name := range t.order {
		fmt.Printf("NAME(%d, %s)\n", i, strconv.Quote(name))
	}
	for _, part := range []struct {
		macro string
		lines []string
	}{{"KEY", t.keys}, {"FIELD", t.fields}, {"TYPE", t.types}, {"KIND", kinds}} {
		fmt.Printf("#endif\n#ifdef %s\n%s\n", part.macro, strings.Join(part.lines, "\n"))
	}
	fmt.Println("#endif")
	for limit, count := range maps.All(map[string]int{"names": len(t.order), "fields": len(t.fields), "types": len(t.types)}) {
		if count > 65535 {
			fmt.Fprintf(os.Stderr, "schema: %d %s do not fit into 16 bits\n", count, limit)
			os.Exit(1)
		}
	}
}
