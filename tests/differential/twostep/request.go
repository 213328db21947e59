package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apimachinery/pkg/util/managedfields/managedfieldstest"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

type object = map[string]any

var deployments = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}

// What the API server puts before each write of the resource, and of its subresource status.
var managers = map[string]*managedfields.FieldManager{"": newFieldManager()}

func newFieldManager() *managedfields.FieldManager {
	return managedfieldstest.NewFakeFieldManager(applyconfigurations.NewTypeConverter(scheme.Scheme), deployments)
}

// request is one write. Patches change the object that they find, and then managedFields.
type request struct {
	manager string // options.fieldManager; empty: the API server takes the User-Agent
	user    string
	applies object // a server-side apply, by force, of this configuration
	patches []patch
}

type patch struct {
	about  string
	change func(object)
}

const userAgent = "curl"

func (w *request) String() string {
	if w.applies != nil {
		text, _ := json.Marshal(w.applies)
		return fmt.Sprintf("%s applies %s", w.manager, text)
	}
	var abouts []string
	for _, patch := range w.patches {
		abouts = append(abouts, patch.about)
	}
	return fmt.Sprintf("%q: %s", w.manager, strings.Join(abouts, ", "))
}

func (w *request) send(live object, step int) (stored object, isStored bool) {
	defer func() {
		if recover() != nil {
			stored, isStored = nil, false
		}
	}()
	before, after := &unstructured.Unstructured{Object: copyOf(live)}, &unstructured.Unstructured{Object: copyOf(live)}
	start := time.Now().Add(-time.Second)
	if w.applies != nil {
		made, err := managers[""].Apply(before, &unstructured.Unstructured{Object: copyOf(w.applies)}, w.manager, true)
		if err != nil {
			return nil, false
		}
		return later(made.(*unstructured.Unstructured).Object, start, step), true
	}
	for _, patch := range w.patches {
		patch.change(after.Object)
	}
	after.Object = copyOf(after.Object)
	name := w.manager
	if name == "" {
		name = userAgent
	}
	made := managers[""].UpdateNoErrors(before, after, name)
	return later(made.(*unstructured.Unstructured).Object, start, step), true
}

// later puts a day of its own for the time of now: real steps are not of one second.
func later(of object, start time.Time, step int) object {
	result := copyOf(of)
	for _, entry := range entriesOf(result) {
		text, _ := entry["time"].(string)
		if written, err := time.Parse(time.RFC3339, text); err == nil && !written.Before(start.Truncate(time.Second)) {
			entry["time"] = timeOf(step)
		}
	}
	return result
}

func timeOf(step int) string { return fmt.Sprintf("2026-03-%02dT12:00:00Z", 10+step) }

func (w *request) review(before, after object) []byte {
	options := object{"kind": "UpdateOptions", "apiVersion": "meta.k8s.io/v1"}
	if w.manager != "" {
		options["fieldManager"] = w.manager
	}
	text, err := json.Marshal(object{"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": object{
		"uid": "0", "kind": object{"group": "apps", "version": "v1", "kind": "Deployment"},
		"resource": object{"group": "apps", "version": "v1", "resource": "deployments"},
		"name":     "web", "namespace": "shop", "operation": "UPDATE",
		"userInfo": object{"username": w.user, "groups": []any{"system:authenticated"}},
		"object":   after, "oldObject": before, "dryRun": false, "options": options,
	}})
	if err != nil {
		panic(err)
	}
	return text
}

func copyOf[T any](value T) T {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	var copied T
	if err := json.Unmarshal(text, &copied); err != nil {
		panic(err)
	}
	return copied
}

// entriesOf are the managedFields, to be changed in place.
func entriesOf(of object) []object {
	var entries []object
	list, _ := of["metadata"].(object)["managedFields"].([]any)
	for _, entry := range list {
		entries = append(entries, entry.(object))
	}
	return entries
}

func setEntries(of object, entries []object) {
	list := []any{}
	for _, entry := range entries {
		list = append(list, entry)
	}
	of["metadata"].(object)["managedFields"] = list
}

func sameValues(a, b object) bool {
	one, other := copyOf(a), copyOf(b)
	delete(one["metadata"].(object), "managedFields")
	delete(other["metadata"].(object), "managedFields")
	return reflect.DeepEqual(one, other)
}
