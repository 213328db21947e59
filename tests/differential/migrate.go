package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

var migrations = &comparison{
	name:     "migrations",
	about:    "the patch of managedFields from client-side to server-side apply",
	letter:   'G',
	generate: newMigration,
	prepare:  prepareMigration,
	compare:  compareMigration,
}

var annotationSet = fieldpath.NewSet(fieldpath.MakePathOrDie("metadata", "annotations", lastAppliedAnnotation))

const kubectlClientSide = "kubectl-client-side-apply"

// newMigration is an object with the entries of a few managers, the one that gets fields, and those that lose theirs: none
// for those of kubectl.
func newMigration(r *rand.Rand) [][]byte {
	managers := []string{kubectlClientSide, "kubectl-edit", "kubectl", "mine", "before-first-apply"}
	object := metav1.PartialObjectMetadata{}
	object.APIVersion, object.Kind = "apps/v1", "Deployment"
	object.Name, object.ResourceVersion = "web", "42"
	for range 1 + r.IntN(6) {
		fields, _ := someFields(r).ToJSON()
		object.ManagedFields = append(object.ManagedFields, metav1.ManagedFieldsEntry{
			Manager:     pick(r, managers...),
			Operation:   pick(r, metav1.ManagedFieldsOperationUpdate, metav1.ManagedFieldsOperationUpdate, metav1.ManagedFieldsOperationApply),
			APIVersion:  pick(r, "apps/v1", "apps/v1", "apps/v1", "apps/v1beta1", "v1"),
			FieldsType:  "FieldsV1",
			FieldsV1:    &metav1.FieldsV1{Raw: fields},
			Subresource: pick(r, "", "", "", "", "status", "scale"),
		})
		if once(r, 2) {
			object.ManagedFields[len(object.ManagedFields)-1].Time = &metav1.Time{Time: time.Unix(1800000000+int64(r.IntN(9)), 0).UTC()}
		}
	}
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	parts := [][]byte{text, []byte(pick(r, managers...))}
	for range r.IntN(4) {
		parts = append(parts, []byte(pick(r, managers...)))
	}
	return parts
}

// someFields is a part of one or two recorded sets.
func someFields(r *rand.Rand) *fieldpath.Set {
	some := fieldpath.NewSet()
	for range r.IntN(3) {
		if recorded := set([]byte(pick(r, seeds.fieldSets...))); recorded != nil {
			recorded.Iterate(func(path fieldpath.Path) {
				if once(r, 2) {
					some.Insert(path.Copy())
				}
			})
		}
	}
	if once(r, 4) {
		some = some.Union(annotationSet)
	}
	return some
}

// isTooDeep is whether applyguard refuses the set for its levels (JSON_DEPTH_MAX).
func isTooDeep(raw []byte) bool {
	depth, deepest := 0, 0
	for _, each := range raw {
		switch each {
		case '{':
			depth++
		case '}':
			depth--
		}
		deepest = max(deepest, depth)
	}
	return deepest > 128
}

// prepareMigration asks client-go in each order that its map of managers may give it: what it makes of them depends on that.
func prepareMigration(p *pair) bool {
	var object metav1.PartialObjectMetadata
	if len(p.parts) < 2 || json.Unmarshal(p.parts[0], &object) != nil || object.ResourceVersion != "42" || object.Kind == "" ||
		object.APIVersion == "" || len(object.ManagedFields) == 0 {
		return false
	}
	for _, entry := range object.ManagedFields {
		if entry.FieldsV1 == nil || set(entry.FieldsV1.Raw) == nil || isTooDeep(entry.FieldsV1.Raw) || entry.FieldsType != "FieldsV1" || entry.APIVersion == "" ||
			(entry.Operation != metav1.ManagedFieldsOperationApply && entry.Operation != metav1.ManagedFieldsOperationUpdate) {
			return false
		}
	}
	names := sets.New[string]()
	for _, name := range p.parts[2:] {
		names.Insert(string(name))
	}
	if len(p.parts) == 2 {
		names.Insert(kubectlClientSide)
		for _, owner := range csaupgrade.FindFieldsOwners(object.ManagedFields, metav1.ManagedFieldsOperationUpdate, annotationSet) {
			names.Insert(owner.Manager)
		}
	}
	to := string(p.parts[1])
	var theirs []string
	for _, order := range orders(sets.List(names)) {
		after := object.DeepCopy()
		for _, name := range order {
			if csaupgrade.UpgradeManagedFields(after, sets.New(name), to) != nil {
				return false
			}
		}
		theirs = append(theirs, entriesText(after.ManagedFields))
	}
	patch, err := csaupgrade.UpgradeManagedFieldsPatch(&object, names, to)
	if err != nil || !slices.Contains(theirs, patchText(patch, object.ManagedFields)) {
		giveUp("client-go takes managers in another way than one after another")
	}
	p.theirs = theirs
	return true
}

func orders(names []string) [][]string {
	if len(names) == 0 {
		return [][]string{nil}
	}
	var all [][]string
	for i, name := range names {
		for _, rest := range orders(slices.Delete(slices.Clone(names), i, i+1)) {
			all = append(all, append([]string{name}, rest...))
		}
	}
	return all
}

// entriesText is the entries in one form; that of sets is canonical.
func entriesText(entries []metav1.ManagedFieldsEntry) string {
	text := ""
	for _, entry := range entries {
		fields := "unreadable"
		if read := set(entry.FieldsV1.Raw); read != nil {
			fields = lineOf(read)
		}
		entry.FieldsV1 = nil
		rest, _ := json.Marshal(entry)
		text += fmt.Sprintf("\n    %s %s", rest, fields)
	}
	return text
}

// patchText is what the patch makes of the entries, or what is wrong with it.
func patchText(patch []byte, before []metav1.ManagedFieldsEntry) string {
	var operations []struct {
		Op, Path string
		Value    json.RawMessage
	}
	if patch == nil {
		return entriesText(before)
	}
	if err := json.Unmarshal(patch, &operations); err != nil {
		return string(patch)
	}
	if len(operations) == 0 {
		return entriesText(before)
	}
	var after []metav1.ManagedFieldsEntry
	if len(operations) != 2 || operations[0].Op != "replace" || operations[0].Path != "/metadata/managedFields" ||
		operations[1].Op != "replace" || operations[1].Path != "/metadata/resourceVersion" || string(operations[1].Value) != `"42"` ||
		json.Unmarshal(operations[0].Value, &after) != nil {
		return string(patch)
	}
	if text := entriesText(after); text != entriesText(before) {
		return text
	}
	return "a patch that changes nothing"
}

func compareMigration(p *pair, answer []byte) reading {
	var object metav1.PartialObjectMetadata
	theirs := p.theirs.([]string)
	if err := json.Unmarshal(p.parts[0], &object); err != nil {
		return reading{ours: err.Error()}
	}
	ours := patchText(answer, object.ManagedFields)
	if slices.Contains(theirs, ours) {
		return reading{ours: ours, theirs: ours}
	}
	return reading{ours: ours, theirs: theirs[0]}
}
