package main

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	kubejson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

var valueTypes = &comparison{
	name:     "value types",
	about:    "which values are not of their fields' types, by the validation of typed.ParseableType",
	letter:   'T',
	generate: newMistyped,
	prepare:  prepareMistyped,
	compare:  compareMistyped,
}

// newMistyped is an object of one of Kubernetes' own types with other values in some places.
func newMistyped(r *rand.Rand) [][]byte {
	kind := builtin[r.IntN(len(builtin))]
	of := kubernetes().Type(kind.name)
	object := misplace(r, newValue(r, of.Schema, of.TypeRef, 9), 12)
	made, isMap := object.(map[string]any)
	if !isMap {
		made = map[string]any{"spec": object}
	}
	made["apiVersion"], made["kind"] = kind.version, kind.kind
	text, err := json.Marshal(made)
	if err != nil {
		giveUp("%v", err)
	}
	return [][]byte{text, []byte(kind.name)}
}

// misplace puts something else in place of one in so many values.
func misplace(r *rand.Rand, v any, one int) any {
	if once(r, one) {
		return pick[any](r, nil, true, int64(1), 1.5, "a", "1", []any{}, []any{"a"}, []any{map[string]any{"name": "a"}}, map[string]any{}, map[string]any{"a": "b"})
	}
	switch v := v.(type) {
	case map[string]any:
		for name, member := range sortedMembers(v) {
			v[name] = misplace(r, member, one)
		}
	case []any:
		for i := range v {
			v[i] = misplace(r, v[i], one)
		}
	}
	return v
}

// names of what must be are ours.
var ourTypes = map[string]string{"string": "string", "numeric": "number", "boolean": "boolean", "any": "string or number", "list": "list", "map": "map"}

// prepareMistyped leaves out lists whose items have no keys: structured-merge-diff does not look into these.
func prepareMistyped(p *pair) bool {
	var object any
	of := kubernetes().Type(string(p.parts[1]))
	if !of.IsValid() || kubejson.Unmarshal(p.parts[0], &object) != nil {
		return false
	}
	_, err := of.FromUnstructured(object, typed.AllowDuplicates)
	var problems typed.ValidationErrors
	if err != nil && !errors.As(err, &problems) {
		return false
	}
	expected := []string{}
	for _, problem := range problems {
		if rest, isType := strings.CutPrefix(problem.ErrorMessage, "expected "); isType {
			word := strings.FieldsFunc(rest, func(c rune) bool { return c == ' ' || c == ',' })[0]
			expected = append(expected, ourTypes[word])
		} else if problem.ErrorMessage != "field not declared in schema" {
			return false
		}
	}
	slices.Sort(expected)
	p.theirs, p.question = strings.Join(expected, ", "), [][]byte{p.parts[0]}
	return true
}

func compareMistyped(p *pair, answer []byte) reading {
	ours := fieldsOf(answer)
	slices.Sort(ours)
	return reading{ours: strings.Join(ours, ", "), theirs: p.theirs.(string)}
}
