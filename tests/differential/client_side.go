package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/runtime/schema"
	kubejson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/client-go/kubernetes/scheme"
)

var clientSide = &comparison{
	name:     "client-side",
	about:    "a client-side apply of Kubernetes' own types, by strategicpatch",
	letter:   'B',
	accepted: []string{"repeated-primitive"},
	generate: func(r *rand.Rand) [][]byte { return newClientSide(r, "") },
	prepare:  prepareClientSide,
	compare:  compareClientSide,
}

var clientSideCustom = &comparison{
	name:     "custom kinds",
	about:    "the same of custom kinds, by jsonmergepatch",
	letter:   'B',
	generate: func(r *rand.Rand) [][]byte { return newClientSide(r, "custom") },
	prepare:  prepareClientSide,
	compare:  compareClientSide,
}

// newClientSide is what was last applied (in one of five cases nothing), a manifest and the live object, made of each other.
func newClientSide(r *rand.Rand, custom string) [][]byte {
	kind := builtin[r.IntN(len(builtin))]
	of := kubernetes().Type(kind.name)
	fresh := func() map[string]any {
		return newValue(r, of.Schema, of.TypeRef, 9).(map[string]any)
	}
	base := fresh()
	last, manifest, live := changedObject(r, base), changedObject(r, base), changedObject(r, base)
	if once(r, 6) {
		live = fresh()
	}
	if !once(r, 4) {
		addMissing(live, fresh())
	}
	if once(r, 3) {
		direct(r, manifest)
	}
	parts := [][]byte{[]byte(custom), nil, nil, nil}
	for i, object := range []map[string]any{last, manifest, live} {
		object["apiVersion"], object["kind"] = kind.version, kind.kind
		parts[i+1], _ = json.Marshal(object)
	}
	if once(r, 5) {
		parts[1] = nil
	}
	return parts
}

// changedObject is a copy of a map in which a few things are other ones.
func changedObject(r *rand.Rand, of map[string]any) map[string]any {
	made := map[string]any{}
	for name, member := range sortedMembers(of) {
		if once(r, 10) {
			continue
		}
		made[name] = changedValue(r, member)
	}
	return made
}

func changedValue(r *rand.Rand, value any) any {
	switch of := value.(type) {
	case map[string]any:
		if once(r, 60) {
			return pick[any](r, nil, map[string]any{})
		}
		return changedObject(r, of)
	case []any:
		items := []any{}
		for _, item := range of {
			if !once(r, 6) {
				items = append(items, changedValue(r, item))
			}
			if once(r, 20) {
				items = append(items, changedValue(r, item))
			}
		}
		if once(r, 4) {
			r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
		}
		return items
	case string:
		if once(r, 10) {
			return pick[any](r, "a", "b", "c", "", nil)
		}
	case int64:
		if once(r, 10) {
			return pick[any](r, int64(1), int64(80), int64(8080), "a")
		}
	}
	return value
}

// addMissing adds what a map does not have.
func addMissing(into, from map[string]any) {
	for name, member := range sortedMembers(from) {
		mine, isMap := into[name].(map[string]any)
		theirs, areMaps := member.(map[string]any)
		if _, has := into[name]; !has {
			into[name] = member
		} else if isMap && areMaps {
			addMissing(mine, theirs)
		}
	}
}

// direct puts a directive of a strategic merge patch somewhere into a manifest.
func direct(r *rand.Rand, in map[string]any) {
	for _, member := range sortedMembers(in) {
		switch of := member.(type) {
		case map[string]any:
			if !once(r, 3) {
				direct(r, of)
				return
			}
		case []any:
			for _, item := range of {
				if m, isMap := item.(map[string]any); isMap && once(r, 2) {
					direct(r, m)
					return
				}
			}
		}
	}
	names := []any{}
	for name, member := range sortedMembers(in) {
		names = append(names, name)
		if list, isList := member.([]any); isList && once(r, 2) {
			if len(list) == 0 {
				continue
			}
			directive := "$setElementOrder/"
			if _, isText := list[0].(string); isText && once(r, 2) {
				directive = "$deleteFromPrimitiveList/"
			}
			if named := changedValue(r, list).([]any); len(named) > 0 {
				in[directive+name] = named
				delete(in, name)
			}
			return
		}
	}
	if once(r, 3) {
		in["$retainKeys"] = names
	} else {
		in["$patch"] = pick[any](r, "replace", "delete", "merge", "other", int64(1))
	}
}

type applyResult struct {
	object, patch string
}

func prepareClientSide(p *pair) bool {
	objects := make([]map[string]any, 4)
	for i := 1; i < 4; i++ {
		if i == 1 && len(p.parts[i]) == 0 {
			continue
		}
		if kubejson.Unmarshal(p.parts[i], &objects[i]) != nil || objects[i] == nil {
			return false
		}
	}
	isKnown := slices.ContainsFunc(builtin, func(kind struct{ version, kind, name string }) bool {
		return isOf(objects[2], kind.name)
	})
	if !isKnown {
		return false
	}
	var theirs applyResult
	if len(p.parts[0]) > 0 {
		theirs = applyCustom(p.parts[1], p.parts[2], p.parts[3])
	} else {
		theirs = applyTyped(objects[2], p.parts[1], p.parts[2], p.parts[3])
		// In which order Kubernetes' code looks at directives is left to chance: where that decides, it is no case.
		for range 12 {
			if strings.Contains(string(p.parts[2]), `"$`) && applyTyped(objects[2], p.parts[1], p.parts[2], p.parts[3]) != theirs {
				return false
			}
		}
	}
	p.theirs, p.question = theirs, p.parts
	return true
}

func applyCustom(last, manifest, live []byte) applyResult {
	patch, err := jsonmergepatch.CreateThreeWayJSONMergePatch(last, manifest, live)
	if err != nil {
		return applyResult{object: "refused"}
	}
	object, err := jsonpatch.MergePatch(live, patch)
	if err != nil {
		return applyResult{object: "refused"}
	}
	return applyResult{canonical(string(object)), changes(patch)}
}

func changes(patch []byte) string {
	if string(patch) == "{}" {
		return "unchanged"
	}
	return "patched"
}

// applyTyped takes for refused, too, what Kubernetes' code panics of: keys of items that are maps, and null items.
func applyTyped(of map[string]any, last, manifest, live []byte) (theirs applyResult) {
	defer func() {
		if recover() != nil {
			theirs = applyResult{object: "refused"}
		}
	}()
	object, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(of["apiVersion"].(string), of["kind"].(string)))
	if err != nil {
		giveUp("%v", err)
	}
	meta, err := strategicpatch.NewPatchMetaFromStruct(object)
	if err != nil {
		giveUp("%v", err)
	}
	patch, err := strategicpatch.CreateThreeWayMergePatch(last, manifest, live, meta, true)
	if err != nil {
		return applyResult{object: "refused"}
	}
	text, err := strategicpatch.StrategicMergePatch(live, patch, object)
	if err != nil {
		return applyResult{object: "refused"}
	}
	var made any
	if err := kubejson.Unmarshal(text, &made); err != nil {
		giveUp("%v", err)
	}
	return applyResult{canonicalOf(withoutDirectives(made)), changes(patch)}
}

// withoutDirectives leaves out of a merged object what the API server drops as it decodes it: no type has such fields.
func withoutDirectives(value any) any {
	switch of := value.(type) {
	case map[string]any:
		for name, member := range of {
			if name == "$patch" || name == "$retainKeys" ||
				strings.HasPrefix(name, "$setElementOrder") || strings.HasPrefix(name, "$deleteFromPrimitiveList") {
				delete(of, name)
			} else {
				of[name] = withoutDirectives(member)
			}
		}
	case []any:
		for i, item := range of {
			of[i] = withoutDirectives(item)
		}
	}
	return value
}

func compareClientSide(p *pair, answer []byte) reading {
	theirs := p.theirs.(applyResult)
	fields := fieldsOf(answer)
	if fields[0] == "refused" {
		read := reading{ours: "refused", theirs: theirs.object}
		if theirs.object != "refused" {
			read.ours = fmt.Sprintf("refused: %s", fields[1])
		}
		return read
	}
	if len(fields) != 2 {
		return reading{ours: strings.Join(fields, " "), theirs: theirs.object}
	}
	read := reading{ours: fields[0] + " " + canonical(fields[1]), theirs: theirs.patch + " " + theirs.object}
	if read.ours != read.theirs && hasRepeatedText(p.parts[3]) &&
		fields[0] == theirs.patch && unordered(fields[1]) == unordered(theirs.object) {
		return reading{accepted: []string{"repeated-primitive"}}
	}
	return read
}

func hasRepeatedText(text []byte) bool {
	var object any
	return kubejson.Unmarshal(text, &object) == nil && repeatsText(object)
}

func repeatsText(value any) bool {
	switch of := value.(type) {
	case map[string]any:
		for _, member := range of {
			if repeatsText(member) {
				return true
			}
		}
	case []any:
		seen := map[string]bool{}
		for _, item := range of {
			text, isText := item.(string)
			if isText && seen[text] || repeatsText(item) {
				return true
			}
			seen[text] = isText
		}
	}
	return false
}

// unordered has the lists of texts of an object sorted.
func unordered(text string) string {
	var object any
	if kubejson.Unmarshal([]byte(text), &object) != nil {
		return text
	}
	return canonicalOf(sortTexts(object))
}

func sortTexts(value any) any {
	switch of := value.(type) {
	case map[string]any:
		for name, member := range of {
			of[name] = sortTexts(member)
		}
	case []any:
		for i, item := range of {
			of[i] = sortTexts(item)
		}
		slices.SortStableFunc(of, func(a, b any) int {
			one, _ := a.(string)
			other, _ := b.(string)
			return strings.Compare(one, other)
		})
	}
	return value
}
