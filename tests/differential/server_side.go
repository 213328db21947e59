package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"differential/schema/types"
	kubejson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/schema"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

var serverSide = &comparison{
	name:    "server-side",
	about:   "a server-side apply onto an object with a history, its type from OpenAPI, by merge.Updater",
	letter:  'S',
	several: func(r *rand.Rand) []*pair { return newApplies(r, newHistory(r)) },
	prepare: prepareThing,
	compare: compareApply,
}

var serverSideBuiltin = &comparison{
	name:    "built-in types",
	about:   "the same for Kubernetes' own types, by the schema of client-go",
	letter:  'S',
	several: newBuiltinApplies,
	prepare: prepareBuiltin,
	compare: compareApply,
}

// thingOpenAPI is the type of histories.go in the terms of a CustomResourceDefinition.
var thingOpenAPI = func() []byte {
	text, err := json.Marshal(openAPI(thing.Schema, thing.TypeRef, 2))
	if err != nil {
		panic(err)
	}
	return text
}()

// openAPI leaves out what is more than so many templates deep: a CustomResourceDefinition does not refer to itself.
func openAPI(s *schema.Schema, ref schema.TypeRef, depth int) map[string]any {
	atom, _ := s.Resolve(ref)
	switch {
	case atom.Map != nil && atom.Map.ElementType != (schema.TypeRef{}):
		of := map[string]any{"type": "object", "additionalProperties": openAPI(s, atom.Map.ElementType, depth)}
		if atom.Map.ElementRelationship == schema.Atomic {
			of["x-kubernetes-map-type"] = "atomic"
		}
		return of
	case atom.Map != nil:
		properties := map[string]any{}
		for _, field := range atom.Map.Fields {
			if field.Name != "template" {
				properties[field.Name] = openAPI(s, field.Type, depth)
			} else if depth > 0 {
				properties[field.Name] = openAPI(s, field.Type, depth-1)
			}
		}
		return map[string]any{"type": "object", "properties": properties}
	case atom.List != nil:
		of := map[string]any{"type": "array", "items": openAPI(s, atom.List.ElementType, depth)}
		switch {
		case atom.List.ElementRelationship == schema.Atomic:
			of["x-kubernetes-list-type"] = "atomic"
		case len(atom.List.Keys) > 0:
			of["x-kubernetes-list-type"], of["x-kubernetes-list-map-keys"] = "map", atom.List.Keys
		default:
			of["x-kubernetes-list-type"] = "set"
		}
		return of
	}
	kind := map[schema.Scalar]string{schema.Numeric: "number", schema.Boolean: "boolean", schema.String: "string"}
	return map[string]any{"type": kind[*atom.Scalar]}
}

func newApplies(r *rand.Rand, histories []*pair) []*pair {
	var pairs []*pair
	for _, p := range histories {
		if apply := (&pair{parts: p.parts}); prepareThing(apply) {
			pairs = append(pairs, apply)
		}
	}
	return pairs
}

func prepareThing(p *pair) bool {
	var history []write
	if kubejson.Unmarshal(p.parts[0], &history) != nil || len(history) < 1 {
		return false
	}
	told, err := tell(history)
	return err == nil && told.last.Applies && p.askApply(told, thingOpenAPI)
}

// applied is what Kubernetes makes of an apply.
type applied struct {
	told   *story
	owners []string
}

func (p *pair) askApply(told *story, openAPI []byte) bool {
	answer := &applied{told: told}
	for owner := range told.before.owners {
		answer.owners = append(answer.owners, owner)
	}
	slices.Sort(answer.owners)
	applier := slices.Index(answer.owners, told.last.owner())
	if applier < 0 {
		applier = len(answer.owners)
	}
	live, err := json.Marshal(told.before.object.AsValue().Unstructured())
	if err != nil || applier > 9 {
		return false
	}
	configuration, err := json.Marshal(told.last.Object)
	p.theirs, p.question = answer, [][]byte{openAPI, live, configuration, {byte('0' + applier)}}
	for _, owner := range answer.owners {
		fields, problem := told.before.owners[owner].Set().ToJSON()
		err = errors.Join(err, problem)
		p.question = append(p.question, fields)
	}
	return err == nil
}

func compareApply(p *pair, answer []byte) reading {
	theirs := p.theirs.(*applied)
	fields := fieldsOf(answer)
	if len(fields) != 2+2*len(theirs.owners) {
		return reading{ours: strings.Join(fields, " "), theirs: "an object and sets"}
	}
	read := reading{ours: canonical(fields[0]), theirs: canonicalOf(theirs.told.after.object.AsValue().Unstructured())}
	add := func(what string, ours string, set *fieldpath.Set) {
		read.ours += fmt.Sprintf("\n    %s: %s", what, lineOf(readSet(ours).Difference(named)))
		read.theirs += fmt.Sprintf("\n    %s: %s", what, lineOf(set.Difference(named)))
	}
	add("fields", fields[1], setOf(theirs.told.after.owners, theirs.told.last.owner()))
	for i, owner := range theirs.owners {
		taken := theirs.told.taken[owner]
		if taken == nil {
			taken = &fieldpath.Set{}
		}
		add("conflicts of "+owner, fields[2+2*i], taken)
		add("left to "+owner, fields[3+2*i], setOf(theirs.told.after.owners, owner))
	}
	return read
}

func readSet(text string) *fieldpath.Set {
	if read := set([]byte(text)); read != nil {
		return read
	}
	return fieldpath.NewSet(fieldpath.MakePathOrDie("no set"))
}

func setOf(owners fieldpath.ManagedFields, owner string) *fieldpath.Set {
	if set, has := owners[owner]; has {
		return set.Set()
	}
	return &fieldpath.Set{}
}

func lineOf(set *fieldpath.Set) string {
	return strings.ReplaceAll(set.String(), "\n", " ")
}

func canonical(text string) string {
	var v any
	if err := kubejson.Unmarshal([]byte(text), &v); err != nil {
		return err.Error()
	}
	return canonicalOf(v)
}

func canonicalOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// builtin are Kubernetes' own types that objects are made of here, by apiVersion and kind.
var builtin = []struct{ version, kind, name string }{
	{"apps/v1", "Deployment", "io.k8s.api.apps.v1.Deployment"},
	{"apps/v1", "StatefulSet", "io.k8s.api.apps.v1.StatefulSet"},
	{"apps/v1", "DaemonSet", "io.k8s.api.apps.v1.DaemonSet"},
	{"batch/v1", "CronJob", "io.k8s.api.batch.v1.CronJob"},
	{"batch/v1", "Job", "io.k8s.api.batch.v1.Job"},
	{"v1", "Pod", "io.k8s.api.core.v1.Pod"},
	{"v1", "Service", "io.k8s.api.core.v1.Service"},
	{"v1", "ConfigMap", "io.k8s.api.core.v1.ConfigMap"},
	{"v1", "Secret", "io.k8s.api.core.v1.Secret"},
	{"v1", "Node", "io.k8s.api.core.v1.Node"},
	{"v1", "PersistentVolume", "io.k8s.api.core.v1.PersistentVolume"},
	{"v1", "ServiceAccount", "io.k8s.api.core.v1.ServiceAccount"},
	{"networking.k8s.io/v1", "Ingress", "io.k8s.api.networking.v1.Ingress"},
	{"networking.k8s.io/v1", "NetworkPolicy", "io.k8s.api.networking.v1.NetworkPolicy"},
	{"rbac.authorization.k8s.io/v1", "ClusterRole", "io.k8s.api.rbac.v1.ClusterRole"},
	{"rbac.authorization.k8s.io/v1", "RoleBinding", "io.k8s.api.rbac.v1.RoleBinding"},
	{"autoscaling/v2", "HorizontalPodAutoscaler", "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler"},
	{"policy/v1", "PodDisruptionBudget", "io.k8s.api.policy.v1.PodDisruptionBudget"},
	{"storage.k8s.io/v1", "StorageClass", "io.k8s.api.storage.v1.StorageClass"},
	{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration"},
	{"resource.k8s.io/v1", "ResourceSlice", "io.k8s.api.resource.v1.ResourceSlice"},
}

var kubernetes = func() func() *typed.Parser {
	var parser *typed.Parser
	return func() *typed.Parser {
		if parser == nil {
			var err error
			if parser, err = types.Read(); err != nil {
				giveUp("%v", err)
			}
		}
		return parser
	}
}()

// newBuiltinApplies is a history of an object of one of Kubernetes' own types; each apply in it is a pair.
func newBuiltinApplies(r *rand.Rand) []*pair {
	kind := builtin[r.IntN(len(builtin))]
	of := kubernetes().Type(kind.name)
	object, err := of.FromUnstructured(map[string]any{})
	if err != nil {
		giveUp("%s: %v", kind.name, err)
	}
	s := &state{object, fieldpath.ManagedFields{}, map[string]int{}}
	var pairs []*pair
	var history []write
	for range 6 {
		made := map[string]any{"apiVersion": kind.version, "kind": kind.kind}
		for name, member := range sortedMembers(newValue(r, of.Schema, of.TypeRef, 9).(map[string]any)) {
			if name != "apiVersion" && name != "kind" {
				made[name] = member
			}
		}
		w := write{pick(r, appliers[:2]...), true, made}
		if once(r, 3) {
			w = write{pick(r, updaters[:2]...), false, s.unstructured()}
			edit(r, w.Object, made)
			w.Object["apiVersion"], w.Object["kind"] = kind.version, kind.kind
		}
		next, told, err := applyBuiltin(of, s, w)
		if err != nil {
			continue
		}
		history = append(history, w)
		text, _ := json.Marshal(history)
		if p := (&pair{parts: [][]byte{[]byte(kind.name), text}}); w.Applies && p.askApply(told, nil) {
			pairs = append(pairs, p)
		}
		s = next
	}
	return pairs
}

// isOf says whether an object names the type that it is to have.
func isOf(object map[string]any, name string) bool {
	for _, kind := range builtin {
		if kind.name == name {
			return object["apiVersion"] == kind.version && object["kind"] == kind.kind
		}
	}
	return false
}

// prepareBuiltin tells a history again.
func prepareBuiltin(p *pair) bool {
	var history []write
	of := kubernetes().Type(string(p.parts[0]))
	if !of.IsValid() || kubejson.Unmarshal(p.parts[1], &history) != nil || len(history) == 0 {
		return false
	}
	object, err := of.FromUnstructured(map[string]any{})
	s, told := &state{object, fieldpath.ManagedFields{}, map[string]int{}}, (*story)(nil)
	for _, w := range history {
		if !isOf(w.Object, string(p.parts[0])) {
			return false
		}
		if err == nil {
			s, told, err = applyBuiltin(of, s, w)
		}
	}
	return err == nil && told.last.Applies && p.askApply(told, nil)
}

// named are fields that the API server leaves out of all sets.
var named = fieldpath.NewSet(fieldpath.MakePathOrDie("apiVersion"), fieldpath.MakePathOrDie("kind"), fieldpath.MakePathOrDie("metadata"),
	fieldpath.MakePathOrDie("metadata", "name"), fieldpath.MakePathOrDie("metadata", "namespace"),
	fieldpath.MakePathOrDie("metadata", "creationTimestamp"), fieldpath.MakePathOrDie("metadata", "selfLink"),
	fieldpath.MakePathOrDie("metadata", "uid"), fieldpath.MakePathOrDie("metadata", "clusterName"),
	fieldpath.MakePathOrDie("metadata", "generation"), fieldpath.MakePathOrDie("metadata", "managedFields"),
	fieldpath.MakePathOrDie("metadata", "resourceVersion"))

func strip(owners fieldpath.ManagedFields, owner string) {
	if set, has := owners[owner]; has {
		owners[owner] = fieldpath.NewVersionedSet(set.Set().Difference(named), set.APIVersion(), set.Applied())
	}
}

// allowed is the API server's: only what is applied must not have items that are the same one.
func allowed(w write) []typed.ValidationOptions {
	if w.Applies {
		return nil
	}
	return []typed.ValidationOptions{typed.AllowDuplicates}
}

func applyBuiltin(of typed.ParseableType, s *state, w write) (*state, *story, error) {
	object, err := of.FromUnstructured(w.Object, allowed(w)...)
	if err != nil {
		return nil, nil, err
	}
	next := &state{times: map[string]int{}}
	told := &story{before: s, after: next, last: w, taken: map[string]*fieldpath.Set{}}
	if !w.Applies {
		next.object, next.owners, err = updater.Update(s.object, object, version, s.owners.Copy(), w.owner())
		strip(next.owners, w.owner())
		return next, told, err
	}
	_, _, err = updater.Apply(s.object, object, version, s.owners.Copy(), w.owner(), false)
	var refused merge.Conflicts
	if err != nil && !errors.As(err, &refused) {
		return nil, nil, err
	}
	for _, conflict := range refused {
		if told.taken[conflict.Manager] == nil {
			told.taken[conflict.Manager] = &fieldpath.Set{}
		}
		told.taken[conflict.Manager].Insert(conflict.Path)
	}
	next.object, next.owners, err = updater.Apply(s.object, object, version, s.owners.Copy(), w.owner(), true)
	strip(next.owners, w.owner())
	return next, told, err
}

// newValue is some value of a type, of few possible ones, so that writes meet.
func newValue(r *rand.Rand, s *schema.Schema, ref schema.TypeRef, depth int) any {
	atom, _ := s.Resolve(ref)
	switch {
	case atom.Map != nil:
		return newMap(r, s, atom.Map, depth)
	case atom.List != nil:
		items := []any{}
		for range pick(r, 0, 1, 1, 2, 3) {
			if depth > 0 {
				items = append(items, newItem(r, s, atom.List, depth-1))
			}
		}
		return items
	case *atom.Scalar == schema.Numeric:
		return int64(pick(r, 0, 1, 80, 443))
	case *atom.Scalar == schema.Boolean:
		return once(r, 2)
	case *atom.Scalar == schema.String:
		return pick(r, "", "a", "b", "TCP", "UDP")
	}
	return pick[any](r, int64(1), "1", "500m", "a")
}

// newItem has most of its keys.
func newItem(r *rand.Rand, s *schema.Schema, list *schema.List, depth int) any {
	item := newValue(r, s, list.ElementType, depth)
	atom, _ := s.Resolve(list.ElementType)
	if members, isMap := item.(map[string]any); isMap {
		for _, key := range list.Keys {
			if field, has := atom.Map.FindField(key); has && !once(r, 8) {
				members[key] = newValue(r, s, field.Type, 0)
			}
		}
	}
	return item
}

func newMap(r *rand.Rand, s *schema.Schema, of *schema.Map, depth int) any {
	members := map[string]any{}
	if depth == 0 {
		return members
	}
	for _, field := range of.Fields {
		// The metadata and the way to the containers are there more often than what else there is.
		isMain := slices.Contains([]string{"metadata", "spec", "template", "containers", "ports", "labels", "data", "rules"}, field.Name)
		if (isMain && !once(r, 3)) || once(r, 8) {
			members[field.Name] = newValue(r, s, field.Type, depth-1)
			if once(r, 40) {
				members[field.Name] = nil
			}
		}
	}
	if of.ElementType != (schema.TypeRef{}) {
		for range r.IntN(3) {
			members[pick(r, "a", "b", "x/y.z")] = newValue(r, s, of.ElementType, depth-1)
		}
	}
	return members
}
