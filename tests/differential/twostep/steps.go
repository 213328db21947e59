package main

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
)

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// The managers of the history, which step one does not write as: names are free, and no managedFields show who uses one.
var (
	appliers = []string{"kustomize-controller", "argocd-controller", "helm-controller", "kubectl", "team-a"}
	updaters = []string{"helm", "kubectl-client-side-apply", "argocd-controller", "kapp", "HashiCorp"}
	others   = []string{"kubectl-edit", "kubectl-label", "kube-controller-manager", "some-operator"}
	people   = []string{"", "", "foo", "kubectl-patch", "kubectl-edit", "kubectl-last-applied", "mallory", "unknown"}
)

func manifest(r *rand.Rand) object {
	container := object{"name": "app", "image": "app:1"}
	if r.IntN(2) == 0 {
		container["resources"] = object{"limits": object{"memory": "1Gi"}}
	}
	metadata := object{"name": "web", "namespace": "shop", "labels": object{"app": "web"}}
	if r.IntN(3) == 0 {
		metadata["annotations"] = object{"team": "a"}
	}
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": object{
		"replicas": 2, "selector": object{"matchLabels": object{"app": "web"}}, "strategy": object{"type": "Recreate"},
		"template": object{"metadata": object{"labels": object{"app": "web"}}, "spec": object{"containers": []any{container}}},
	}}
}

// newHistory is an object that a tool applied, and others wrote to.
func newHistory(r *rand.Rand) object {
	declared := copyOf(manifest(r))
	live := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{
		"name": "web", "namespace": "shop", "uid": "u", "resourceVersion": "1"}}
	first := &request{manager: pick(r, appliers...), applies: declared}
	if r.IntN(2) == 0 {
		first = &request{manager: pick(r, updaters...), patches: []patch{{"installs", func(of object) { fill(of, declared, r) }}}}
		// An object that is created has no uid yet, without which the API server tracks it.
		delete(live["metadata"].(object), "uid")
	}
	live, isStored := first.send(live, -8)
	if !isStored {
		panic("the history does not begin")
	}
	live["metadata"].(object)["uid"] = "u"
	for step := range r.IntN(3) {
		next := &request{manager: pick(r, others...), patches: []patch{anyChange(r)}}
		if r.IntN(4) == 0 {
			next = &request{manager: pick(r, appliers...), applies: declared}
		}
		if after, isStored := next.send(live, step-6); isStored {
			live = after
		}
	}
	return live
}

func fill(of, declared object, r *rand.Rand) {
	for name, member := range copyOf(declared) {
		if name != "metadata" {
			of[name] = member
			continue
		}
		for name, member := range member.(object) {
			of["metadata"].(object)[name] = member
		}
	}
	if r.IntN(2) == 0 {
		text, _ := json.Marshal(declared)
		annotations, _ := of["metadata"].(object)["annotations"].(object)
		if annotations == nil {
			annotations = object{}
		}
		annotations["kubectl.kubernetes.io/last-applied-configuration"] = string(text) + "\n"
		of["metadata"].(object)["annotations"] = annotations
	}
}

func container(of object) object {
	template := of["spec"].(object)["template"].(object)
	return template["spec"].(object)["containers"].([]any)[0].(object)
}

func members(of object, name string) object {
	held, _ := of["metadata"].(object)[name].(object)
	if held == nil {
		held = object{}
		of["metadata"].(object)[name] = held
	}
	return held
}

// What people change: the values of fields.
var changes = []patch{
	{"image", func(of object) { container(of)["image"] = "evil:1" }},
	{"replicas", func(of object) { of["spec"].(object)["replicas"] = 9 }},
	{"label app", func(of object) { members(of, "labels")["app"] = "evil" }},
	{"no label app", func(of object) { delete(members(of, "labels"), "app") }},
	{"no limits", func(of object) { delete(container(of), "resources") }},
	{"no strategy", func(of object) { delete(of["spec"].(object), "strategy") }},
	{"memory", func(of object) { container(of)["resources"] = object{"limits": object{"memory": "9Gi"}} }},
	{"strategy", func(of object) { of["spec"].(object)["strategy"] = object{"type": "RollingUpdate"} }},
	{"annotation team", func(of object) { members(of, "annotations")["team"] = "evil" }},
}

// What they add, which takes nothing.
var additions = []patch{
	{"annotation note", func(of object) { members(of, "annotations")["note"] = "1" }},
	{"label tier", func(of object) { members(of, "labels")["tier"] = "1" }},
	{"env", func(of object) { container(of)["env"] = []any{object{"name": "A", "value": "1"}} }},
	{"nothing", func(object) {}},
}

func anyChange(r *rand.Rand) patch {
	if r.IntN(2) == 0 {
		return pick(r, additions...)
	}
	return pick(r, changes...)
}

func newStepTwo(r *rand.Rand) *request {
	two := &request{manager: pick(r, people...), user: "alice", patches: []patch{pick(r, changes...)}}
	if r.IntN(4) == 0 {
		two.patches = append(two.patches, pick(r, changes...))
	}
	if r.IntN(6) == 0 {
		two.patches = append(two.patches, pick(r, additions...))
	}
	return two
}

func newStepOne(r *rand.Rand, live object) *request {
	one := &request{manager: pick(r, people...), user: "alice"}
	if r.IntN(8) == 0 {
		one.manager, one.applies = pick(r, "mallory", "kubectl-last-applied", "foo"), part(r)
		return one
	}
	if r.IntN(2) == 0 {
		one.patches = append(one.patches, anyChange(r))
	}
	for range r.IntN(4) {
		one.patches = append(one.patches, surgery(r, live, one.manager))
	}
	return one
}

// part is a configuration of a few fields, with the values that they have or others.
func part(r *rand.Rand) object {
	whole := copyOf(manifest(r))
	applied := object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "web", "namespace": "shop"}}
	for name, member := range whole["spec"].(object) {
		if name != "template" && r.IntN(2) == 0 {
			applied["spec"] = object{name: member}
		}
	}
	if r.IntN(3) == 0 {
		applied["metadata"].(object)["annotations"] = object{"kubectl.kubernetes.io/last-applied-configuration": "{}"}
	}
	if r.IntN(2) == 0 {
		applied["metadata"].(object)["labels"] = object{pick(r, "app", "tier"): pick(r, "web", "evil")}
	}
	return applied
}

// surgery is one change of managedFields as a client may send it.
func surgery(r *rand.Rand, live object, writer string) patch {
	at, from, kind := r.IntN(8), r.IntN(8), r.IntN(13)
	name := pick(r, writer, writer, userAgent, "mallory", "kubectl-last-applied", "before-first-apply", "ancient-changes",
		"kubectl", "kustomize-controller", "helm", "foo", "velero-server", "clusterctl")
	if name == "" {
		name = userAgent
	}
	operation := pick(r, "Apply", "Update")
	step, version := r.IntN(12)-8, pick(r, "apps/v1beta1", "apps/v1beta2", "v1", "example.com/v1")
	subresource := pick(r, "", "status", "scale")
	isHalf := r.IntN(2) == 0
	moved := func(fields any) (any, any) { return split(fields, isHalf, at) }
	about := []string{"copy", "rename", "move to", "remove", "no managedFields", "time of", "version of", "subresource of", "deep path in",
		"odd keys in", "copy into", "strip", "same twice"}[kind] + " " + operation + " " + name
	return patch{about, func(of object) {
		entries := entriesOf(of)
		if len(entries) == 0 {
			return
		}
		victim := entries[from%len(entries)]
		switch kind {
		case 0, 2, 10, 11:
			moves, stays := moved(victim["fieldsV1"])
			if kind == 2 || kind == 11 {
				victim["fieldsV1"] = stays
			}
			if kind != 11 {
				entries = addTo(entries, name, operation, moves, timeOf(step), kind == 10)
			}
		case 1:
			victim["manager"], victim["operation"] = name, operation
		case 3:
			entries = append(entries[:from%len(entries)], entries[from%len(entries)+1:]...)
		case 4:
			of["metadata"].(object)["managedFields"] = []any{object{}}
			return
		case 5:
			victim["time"] = timeOf(step)
		case 6:
			victim["apiVersion"] = version
		case 7:
			victim["subresource"] = subresource
		case 8:
			deepest := object{}
			for range 130 {
				deepest = object{"f:a": deepest}
			}
			victim["fieldsV1"].(object)["f:a"] = deepest
		case 9:
			victim["fieldsV1"].(object)["k:{\"a\":"] = object{}
			victim["fieldsV1"].(object)["x:1"] = object{}
		case 12:
			entries = append(entries, copyOf(victim))
		}
		setEntries(of, entries)
	}}
}

// split parts a set in what moves and what stays.
func split(fields any, isHalf bool, at int) (any, any) {
	moves, stays := copyOf(fields.(object)), object{}
	if !isHalf {
		return moves, object{"f:spec": object{"f:none": object{}}}
	}
	spec, isMap := moves["f:spec"].(object)
	if !isMap {
		return moves, stays
	}
	held := object{}
	for i, name := range sortedNames(spec) {
		if (i+at)%3 == 0 {
			held[name] = spec[name]
			delete(spec, name)
		}
	}
	stays["f:spec"] = held
	return moves, stays
}

func sortedNames(of object) []string { return slices.Sorted(maps.Keys(of)) }

// addTo adds fields to the entry of that name, or to a new one.
func addTo(entries []object, name, operation string, fields any, time string, isMerged bool) []object {
	for _, entry := range entries {
		if isMerged && entry["manager"] == name {
			entry["fieldsV1"] = union(entry["fieldsV1"], fields)
			return entries
		}
	}
	return append(entries, object{"manager": name, "operation": operation, "apiVersion": "apps/v1", "time": time,
		"fieldsType": "FieldsV1", "fieldsV1": fields})
}

func union(a, b any) any {
	one, other := copyOf(a.(object)), b.(object)
	for name, member := range other {
		if held, isMap := one[name].(object); isMap {
			one[name] = union(held, member)
		} else {
			one[name] = member
		}
	}
	return one
}
