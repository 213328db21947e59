package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"

	kubejson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

var conflicts = &comparison{
	name:     "conflicts",
	about:    "a history of writes and one more: what that takes of whom, by merge.Updater",
	letter:   'X',
	accepted: []string{"same-manager", "empty-container", "bare-container"},
	several:  newHistory,
	prepare:  prepareConflicts,
	compare:  compareConflicts,
}

// The version of all that is written here.
const version = fieldpath.APIVersion("example.com/v1")

// A type with all that list types and maps can be.
var thing = func() typed.ParseableType {
	parser, err := typed.NewParser(`types:
- name: thing
  map:
    fields:
    - {name: metadata, type: {namedType: metadata}}
    - {name: spec, type: {namedType: spec}}
- name: metadata
  map:
    fields:
    - {name: labels, type: {namedType: texts}}
    - {name: annotations, type: {namedType: texts}}
    - {name: finalizers, type: {namedType: set}}
- name: texts
  map: {elementType: {scalar: string}}
- name: set
  list: {elementType: {scalar: string}, elementRelationship: associative}
- name: numbers
  list: {elementType: {scalar: numeric}, elementRelationship: associative}
- name: atoms
  list: {elementType: {scalar: string}, elementRelationship: atomic}
- name: whole
  map: {elementType: {scalar: string}, elementRelationship: atomic}
- name: ports
  list: {elementType: {namedType: port}, elementRelationship: associative, keys: [port, protocol]}
- name: port
  map:
    fields:
    - {name: port, type: {scalar: numeric}}
    - {name: protocol, type: {scalar: string}}
    - {name: name, type: {scalar: string}}
- name: items
  list: {elementType: {namedType: item}, elementRelationship: associative, keys: [name]}
- name: item
  map:
    fields:
    - {name: name, type: {scalar: string}}
    - {name: image, type: {scalar: string}}
    - {name: paused, type: {scalar: boolean}}
    - {name: weight, type: {scalar: numeric}}
    - {name: args, type: {namedType: atoms}}
    - {name: ports, type: {namedType: ports}}
    - {name: env, type: {namedType: texts}}
- name: spec
  map:
    fields:
    - {name: replicas, type: {scalar: numeric}}
    - {name: text, type: {scalar: string}}
    - {name: paused, type: {scalar: boolean}}
    - {name: items, type: {namedType: items}}
    - {name: ports, type: {namedType: ports}}
    - {name: args, type: {namedType: atoms}}
    - {name: selector, type: {namedType: whole}}
    - {name: set, type: {namedType: set}}
    - {name: numbers, type: {namedType: numbers}}
    - {name: template, type: {namedType: thing}}
`)
	if err != nil {
		panic(err)
	}
	return parser.Type("thing")
}()

// identity converts between versions, of which there is one.
type identity struct{}

func (identity) Convert(object *typed.TypedValue, _ fieldpath.APIVersion) (*typed.TypedValue, error) {
	return object, nil
}

func (identity) IsMissingVersionError(error) bool { return false }

var updater = (&merge.UpdaterBuilder{Converter: identity{}, ReturnInputOnNoop: true}).BuildUpdater()

// write is one request: an applied configuration, or an object as it is to be.
type write struct {
	Manager string         `json:"manager"`
	Applies bool           `json:"applies"`
	Object  map[string]any `json:"object"`
}

func (w write) owner() string {
	if w.Applies {
		return w.Manager + " Apply"
	}
	return w.Manager + " Update"
}

// state is an object, and who owns what of it since when.
type state struct {
	object *typed.TypedValue
	owners fieldpath.ManagedFields
	times  map[string]int
}

func emptyState() (*state, error) {
	object, err := thing.FromUnstructured(map[string]any{})
	return &state{object, fieldpath.ManagedFields{}, map[string]int{}}, err
}

// after is the state after a write, forced where it is an apply.
func (s *state) after(w write, time int) (*state, error) {
	object, err := thing.FromUnstructured(w.Object)
	if err != nil {
		return nil, err
	}
	next := &state{times: map[string]int{}}
	if w.Applies {
		next.object, next.owners, err = updater.Apply(s.object, object, version, s.owners.Copy(), w.owner(), true)
	} else {
		next.object, next.owners, err = updater.Update(s.object, object, version, s.owners.Copy(), w.owner())
	}
	for owner := range next.owners {
		next.times[owner] = s.times[owner]
	}
	next.times[w.owner()] = time
	return next, err
}

// unstructured is a copy of the object.
func (s *state) unstructured() map[string]any {
	object, _ := copyJSON(s.object.AsValue().Unstructured()).(map[string]any)
	if object == nil {
		// All of it was pruned.
		object = map[string]any{}
	}
	return object
}

// json is the object as the API server has it in a review.
func (s *state) json() map[string]any {
	object := s.unstructured()
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	object["apiVersion"], object["kind"], object["metadata"] = string(version), "Thing", metadata
	metadata["name"], metadata["namespace"], metadata["uid"] = "x", "default", "1"
	metadata["managedFields"] = s.managedFields()
	return object
}

func (s *state) managedFields() []any {
	var entries []any
	for owner, set := range s.owners {
		fields, err := set.Set().ToJSON()
		if err != nil {
			panic(err)
		}
		name, operation, _ := strings.Cut(owner, " ")
		entries = append(entries, map[string]any{
			"manager": name, "operation": operation, "apiVersion": string(version), "fieldsType": "FieldsV1",
			"fieldsV1": json.RawMessage(fields), "time": fmt.Sprintf("2026-01-01T00:00:%02dZ", s.times[owner]),
		})
	}
	sort.Slice(entries, func(i, j int) bool { return stored(entries[i]) < stored(entries[j]) })
	return entries
}

// stored is by what the API server orders entries.
func stored(entry any) string {
	fields := entry.(map[string]any)
	return fmt.Sprint(fields["operation"], fields["time"], fields["manager"])
}

func copyJSON(v any) any {
	switch v := v.(type) {
	case map[string]any:
		other := make(map[string]any, len(v))
		for name, member := range v {
			other[name] = copyJSON(member)
		}
		return other
	case []any:
		other := make([]any, len(v))
		for i, item := range v {
			other[i] = copyJSON(item)
		}
		return other
	}
	return v
}

// story is a history that came to an end, as Kubernetes sees it.
type story struct {
	before, after *state
	last          write
	change        *typed.Comparison
	taken         map[string]*fieldpath.Set // by owner, without force
}

func prepareConflicts(p *pair) bool {
	var history []write
	if kubejson.Unmarshal(p.parts[0], &history) != nil || len(history) < 2 {
		return false
	}
	told, err := tell(history)
	return err == nil && p.ask(told)
}

// ask makes the review of the last write.
func (p *pair) ask(told *story) bool {
	p.theirs = told
	review, err := json.Marshal(map[string]any{
		"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
		"request": map[string]any{
			"uid": "1", "operation": "UPDATE", "name": "x", "namespace": "default",
			"kind":     map[string]any{"group": "example.com", "version": "v1", "kind": "Thing"},
			"resource": map[string]any{"group": "example.com", "version": "v1", "resource": "things"},
			"userInfo": map[string]any{"username": "somebody"},
			"options":  map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "UpdateOptions", "fieldManager": told.last.Manager},
			"object":   told.after.json(), "oldObject": told.before.json(),
		},
	})
	p.question = [][]byte{review}
	return err == nil
}

func tell(history []write) (*story, error) {
	s, err := emptyState()
	for i := 0; err == nil && i < len(history)-1; i++ {
		s, err = s.after(history[i], i)
	}
	if err != nil {
		return nil, err
	}
	last := history[len(history)-1]
	next, err := s.after(last, len(history)-1)
	if err != nil {
		return nil, err
	}
	return tellOne(s, next, last)
}

func tellOne(before, after *state, last write) (*story, error) {
	for owner, set := range before.owners {
		// The API server leaves the metadata itself out of all sets: it is always there (stripmeta.go).
		if set.Set().Leaves().Has(fieldpath.MakePathOrDie("metadata")) || strings.HasPrefix(owner, " ") {
			return nil, errors.New("no such entry is stored")
		}
	}
	change, err := before.object.Compare(after.object)
	if err != nil {
		return nil, err
	}
	told := &story{before, after, last, change, map[string]*fieldpath.Set{}}
	return told, told.findTaken()
}

// findTaken asks for the conflicts of the last write: an apply without force tells them, and an update would have the same.
func (t *story) findTaken() error {
	for owner, set := range t.before.owners {
		changed := set.Set().Intersection(t.change.Modified.Union(t.change.Added))
		if owner != t.last.owner() && !changed.Empty() {
			t.taken[owner] = changed
		}
	}
	if !t.last.Applies {
		return nil
	}
	object, err := thing.FromUnstructured(t.last.Object)
	if err != nil {
		return err
	}
	_, _, err = updater.Apply(t.before.object, object, version, t.before.owners.Copy(), t.last.owner(), false)
	var refused merge.Conflicts
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	t.taken = map[string]*fieldpath.Set{}
	for _, conflict := range refused {
		if t.taken[conflict.Manager] == nil {
			t.taken[conflict.Manager] = &fieldpath.Set{}
		}
		t.taken[conflict.Manager].Insert(conflict.Path)
	}
	return nil
}

// compareConflicts holds the leaves that each manager loses against each other. Owning that a map or list is there is no
// matter of conflicts to applyguard, as long as something in it is owned.
func compareConflicts(p *pair, answer []byte) reading {
	told := p.theirs.(*story)
	fields := fieldsOf(answer)
	if fields[0] != "ok" || fields[1] != told.last.Manager {
		return reading{ours: strings.Join(fields, " "), theirs: "ok " + told.last.Manager}
	}
	ours := map[string]bool{}
	for fields = fields[2:]; len(fields) > 0; fields = fields[4:] {
		ours[fmt.Sprintf("%s %s loses %s: %s", fields[0], fields[1], fields[2], fields[3])] = true
	}
	read := reading{}
	theirs := map[string]bool{}
	for owner, set := range told.before.owners {
		if owner == told.last.owner() {
			continue
		}
		removed := set.Set().Intersection(told.change.Removed)
		for path := range set.Set().Leaves().All() {
			how := "taken"
			if removed.Has(path) {
				how = "removed"
			} else if taken := told.taken[owner]; taken == nil || !taken.Has(path) {
				continue
			}
			line := fmt.Sprintf("%s loses %s: %s", owner, path, how)
			if class := told.whySilent(owner, path); class != "" && !ours[line] {
				read.accepted = append(read.accepted, class)
				continue
			}
			theirs[line] = true
		}
	}
	read.ours, read.theirs = lines(ours), lines(theirs)
	return read
}

func lines(set map[string]bool) string {
	var list []string
	for line := range set {
		list = append(list, line)
	}
	sort.Strings(list)
	return strings.Join(list, "; ")
}

// whySilent is the class by which applyguard says nothing of a loss.
func (t *story) whySilent(owner string, path fieldpath.Path) string {
	name, _, _ := strings.Cut(owner, " ")
	if name == t.last.Manager {
		return "same-manager"
	}
	after := valueAt(t.after.object.AsValue(), path)
	isFilled := after != nil && (after.IsMap() || after.IsList())
	if isEmptyOrAbsent(t.before.object, path) && (isFilled || isEmptyOrAbsent(t.after.object, path)) {
		return "empty-container"
	}
	for _, set := range t.before.owners {
		if !below(set.Set(), path).Empty() {
			return "bare-container"
		}
	}
	return ""
}

func isEmptyOrAbsent(object *typed.TypedValue, path fieldpath.Path) bool {
	v := valueAt(object.AsValue(), path)
	// What an apply prunes all of is null to merge.Updater.
	return v == nil || v.IsNull() || (v.IsMap() && v.AsMap().Length() == 0) || (v.IsList() && v.AsList().Length() == 0)
}

// valueAt follows names and the keys of items; nil: it leads nowhere.
func valueAt(v value.Value, path fieldpath.Path) value.Value {
	for _, element := range path {
		switch {
		case v == nil:
			return nil
		case element.FieldName != nil && v.IsMap():
			v, _ = v.AsMap().Get(*element.FieldName)
		case element.FieldName == nil && v.IsList():
			v = itemAt(v.AsList(), element)
		default:
			return nil
		}
	}
	return v
}

func itemAt(list value.List, element fieldpath.PathElement) value.Value {
	for i := range list.Length() {
		item := list.At(i)
		if element.Value != nil && value.Equals(item, *element.Value) {
			return item
		}
		if element.Key != nil && item.IsMap() && hasKey(item.AsMap(), *element.Key) {
			return item
		}
	}
	return nil
}

func hasKey(item value.Map, key value.FieldList) bool {
	for _, field := range key {
		member, has := item.Get(field.Name)
		if !has || !value.Equals(member, field.Value) {
			return false
		}
	}
	return true
}
