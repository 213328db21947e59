// defaults writes apply/merge/defaults_builtin.def: the defaults of the fields of Kubernetes' own types.
//
//	go run . ../../../apply/merge/schema_builtin.def > ../../../apply/merge/defaults_builtin.def
//
// Each struct of each kind is decoded as the API server decodes it, once without members and once with each value of a
// member that others may depend on. The members that it has afterwards are its defaults. It is decoded with each member
// that is zero as well: the API server leaves those out that it does not have afterwards.
package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Fprintf(os.Stderr, "defaults: %v\n", err)
		os.Exit(1)
	}
	return v
}

// step leads from a struct to one of its members, and to the first item of a list or the only one of a map.
type step struct {
	name string
	of   reflect.Kind // of the member
}

// key is that of the items of maps.
const key = "applyguard"

type object = map[string]any

// place is a struct within an object of a kind.
type place struct {
	steps []step
	of    reflect.Type
}

// anything stands for each value of a member.
const anything = "*"

// rule is a default: of a member of a type, if another one has a value.
type rule struct{ owner, member, when, is string }

// given is a default's value as JSON, empty for none; or the member whose value it is.
type given struct {
	value string
	copy  string
}

// found counts the places of each kind that have a rule, by its value, and those that have a type.
type found struct {
	rules   map[rule]map[given]map[string]int
	reached map[string]map[string]int
	amounts map[memberOf]bool // whether each is a map of them
	omitted map[memberOf]bool // whether each is left out at each place if it is zero
}

// memberOf is a member of a type.
type memberOf struct{ owner, member string }

func (f found) add(r rule, g given, kind string) {
	if f.rules[r] == nil {
		f.rules[r] = map[given]map[string]int{}
	}
	if f.rules[r][g] == nil {
		f.rules[r][g] = map[string]int{}
	}
	f.rules[r][g][kind]++
}

// has says whether a rule of a type was found already.
func (f found) has(r rule, g given, kind string) bool { return f.rules[r][g][kind] > 0 }

// nameOf is a Go type's name in the OpenAPI document.
func nameOf(t reflect.Type) string {
	host, path, _ := strings.Cut(t.PkgPath(), "/")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(path, "/", ".") + "." + t.Name()
}

func plain(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// members are the fields of a struct by the names that they have in JSON.
func members(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && name == "" && (options == "inline" || plain(field.Type).Kind() == reflect.Struct) {
			maps.Copy(all, members(plain(field.Type)))
		} else if name != "" && name != "-" {
			all[name] = field.Type
		}
	}
	return all
}

// isStruct says whether a type has members that may have defaults: times, amounts and the like are written as scalars.
func isStruct(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	_, isWritten := reflect.PointerTo(t).MethodByName("UnmarshalJSON")
	return !isWritten
}

// places are the structs of a kind: each member of each type, where the type is first met.
func places(root reflect.Type) []place {
	all := []place{{nil, root}}
	seen := map[reflect.Type]bool{root: true}
	var again []place
	for i := 0; i < len(all); i++ {
		fields := members(all[i].of)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			below := plain(fields[name])
			form := below.Kind()
			if form == reflect.Slice || form == reflect.Map {
				below = plain(below.Elem())
			}
			if !isStruct(below) || len(all[i].steps) == 0 && name == "status" {
				continue
			}
			found := place{append(slices.Clone(all[i].steps), step{name, form}), below}
			if seen[below] {
				again = append(again, found)
			} else {
				seen[below] = true
				all = append(all, found)
			}
		}
	}
	return append(all, again...)
}

// within is an object with nothing but the members at a place.
func within(steps []step, inner object) object {
	for i := len(steps) - 1; i >= 0; i-- {
		var value any = inner
		switch steps[i].of {
		case reflect.Slice:
			value = []any{inner}
		case reflect.Map:
			value = object{key: inner}
		}
		inner = object{steps[i].name: value}
	}
	return inner
}

// at is what an object has at a place.
func at(steps []step, whole object) object {
	for _, each := range steps {
		value := whole[each.name]
		if list, is := value.([]any); is && len(list) > 0 {
			value = list[0]
		} else if items, is := value.(object); is && each.of == reflect.Map {
			value = items[key]
		}
		whole, _ = value.(object)
	}
	return whole
}

func (k kind) look(p place, inner object) (object, bool) {
	stored, err := k.stored(within(p.steps, inner))
	found := at(p.steps, stored)
	if len(p.steps) == 0 {
		// These are of the object itself, and no default.
		delete(found, "apiVersion")
		delete(found, "kind")
	}
	return found, err == nil && found != nil
}

// defaults are the members that appear, also those that Go never leaves out.
func defaults(found, inner object) object {
	all := object{}
	for name, value := range found {
		if _, isGiven := inner[name]; !isGiven && isStable(value) {
			all[name] = value
		}
	}
	return all
}

// sentinel is a value of a member that no default is.
func sentinel(t reflect.Type) any {
	switch t = plain(t); {
	case t.Name() == "ResourceList":
		return object{key: "7919"}
	case t.Kind() == reflect.Int32:
		return float64(7919)
	case t.Kind() == reflect.String:
		return "Applyguard:1"
	}
	return nil
}

// presence is some value of a member whose presence defaults may depend on.
func presence(t reflect.Type) any {
	if t.Kind() == reflect.Pointer && isStruct(plain(t)) {
		return object{}
	}
	if t.Kind() == reflect.Pointer {
		return sentinel(t)
	}
	if t.Kind() == reflect.Slice && isStruct(plain(t.Elem())) {
		return []any{object{}}
	}
	return nil
}

// isStable is false for what is different each time, and for what no object has.
func isStable(value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case string:
		_, err := time.Parse(time.RFC3339, value)
		return err != nil
	case object:
		for _, each := range value {
			if !isStable(each) {
				return false
			}
		}
	}
	return true
}

// asker finds the defaults of the struct at a place.
type asker struct {
	kind  kind
	place place
	into  found
}

func (a asker) add(member, when, is string, value any) {
	isRoot := len(a.place.steps) == 0
	if !(isRoot && (member == "metadata" || member == "status")) {
		text := string(must(json.Marshal(value)))
		a.into.add(rule{nameOf(a.place.of), member, when, is}, given{value: text}, a.kind.what.Kind)
	}
}

func (a asker) ask() {
	base, ok := a.kind.look(a.place, object{})
	if !ok {
		return
	}
	always := defaults(base, object{})
	for name, value := range always {
		a.add(name, "", "", value)
	}
	owner, fields := nameOf(a.place.of), members(a.place.of)
	a.askCopies(object{}, "", "", fields)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		for _, value := range valuesOf(owner, name) {
			inner := object{name: value}
			a.askWhen(inner, name, value, always)
			a.askCopies(inner, name, value, fields)
		}
		if value := presence(fields[name]); value != nil {
			a.askWhen(object{name: value}, name, anything, always)
		}
	}
}

// askWhen finds the defaults that depend on another member.
func (a asker) askWhen(inner object, when, is string, always object) {
	result, ok := a.kind.look(a.place, inner)
	if !ok {
		return
	}
	own := defaults(result, inner)
	for member := range always {
		if _, has := own[member]; !has && member != when {
			a.into.add(rule{nameOf(a.place.of), member, when, is}, given{}, a.kind.what.Kind)
		}
	}
	for member, value := range own {
		if !reflect.DeepEqual(value, always[member]) && !reflect.DeepEqual(value, inner[when]) {
			a.add(member, when, is, value)
		}
	}
}

// askCopies finds the members whose default is the value of another one.
func (a asker) askCopies(inner object, when, is string, fields map[string]reflect.Type) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		mark := sentinel(fields[name])
		if mark == nil || name == when {
			continue
		}
		marked := maps.Clone(inner)
		marked[name] = mark
		result, ok := a.kind.look(a.place, marked)
		if !ok {
			continue
		}
		for member, value := range defaults(result, marked) {
			general, own := rule{owner: nameOf(a.place.of), member: member}, given{copy: name}
			if reflect.DeepEqual(value, mark) && (when == "" || !a.into.has(general, own, a.kind.what.Kind)) {
				a.into.add(rule{general.owner, member, when, is}, own, a.kind.what.Kind)
			}
		}
	}
}

// zeros are the values of a member that Go leaves out, if it leaves out any.
func zeros(t reflect.Type) []any {
	switch t = plain(t); {
	case t == reflect.TypeFor[intstr.IntOrString]():
		return []any{float64(0), ""}
	case t.Kind() == reflect.Bool:
		return []any{false}
	case t.Kind() == reflect.String || t == reflect.TypeFor[[]byte]():
		return []any{""}
	case t.Kind() == reflect.Slice:
		return []any{[]any{}}
	case t.Kind() == reflect.Map:
		return []any{object{}}
	case reflect.Int <= t.Kind() && t.Kind() <= reflect.Float64:
		return []any{float64(0)}
	}
	return nil
}

// askZeros finds the members that are not stored as they are if they are zero.
func (a asker) askZeros() {
	for name, of := range members(a.place.of) {
		for _, zero := range zeros(of) {
			result, ok := a.kind.look(a.place, object{name: zero})
			if !ok {
				continue
			}
			value, has := result[name]
			isOmitted := !has || value != nil && !reflect.DeepEqual(value, zero)
			member := memberOf{nameOf(a.place.of), name}
			if before, isKnown := a.into.omitted[member]; isKnown {
				isOmitted = isOmitted && before
			}
			a.into.omitted[member] = isOmitted
		}
	}
}

func main() {
	table := readSchema(os.Args[1])
	all := found{map[rule]map[given]map[string]int{}, map[string]map[string]int{}, map[memberOf]bool{}, map[memberOf]bool{}}
	for _, each := range kinds(table.kinds) {
		for _, p := range places(each.of) {
			name := nameOf(p.of)
			if all.reached[name] == nil {
				all.reached[name] = map[string]int{}
			}
			all.reached[name][each.what.Kind]++
			for member, of := range members(p.of) {
				if is, isMap := isAmount(of); is {
					all.amounts[memberOf{name, member}] = isMap
				}
			}
			asker{each, p, all}.askZeros()
			if p.of.Name() != "ObjectMeta" {
				asker{each, p, all}.ask()
			}
		}
	}
	write(table, all)
}

// isAmount says whether a member is a quantity, or a map of them.
func isAmount(t reflect.Type) (isAmount, isMap bool) {
	t = plain(t)
	if t.Kind() == reflect.Map {
		t, isMap = plain(t.Elem()), true
	}
	return t == reflect.TypeFor[resource.Quantity](), isMap
}
