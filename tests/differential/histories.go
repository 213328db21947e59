package main

import (
	"encoding/json"
	"math/rand/v2"
)

var appliers = []string{"apply-a", "apply-b", "apply-c"}
var updaters = []string{"update-a", "update-b", "update-c"}

// newHistory is up to seven writes of several managers, each on what the ones before left: a pair for each but the first.
func newHistory(r *rand.Rand) []*pair {
	var history []write
	var pairs []*pair
	s, err := emptyState()
	if err != nil {
		panic(err)
	}
	for i := range 7 {
		w := newWrite(r, s)
		next, err := s.after(w, i)
		if err != nil {
			continue
		}
		history = append(history, w)
		told, err := tellOne(s, next, w)
		s = next
		if err != nil || len(history) < 2 {
			continue
		}
		text, err := json.Marshal(history)
		p := &pair{parts: [][]byte{text}}
		if err == nil && p.ask(told) {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

func newWrite(r *rand.Rand, s *state) write {
	if once(r, 2) {
		return write{pick(r, append(appliers, "both")...), true, newThing(r, 1)}
	}
	object := s.unstructured()
	for range 1 + r.IntN(4) {
		edit(r, object, newThing(r, 1))
	}
	return write{pick(r, append(updaters, "both")...), false, object}
}

// edit takes a part of another object over, or leaves one out.
func edit(r *rand.Rand, object, other map[string]any) {
	for name, member := range sortedMembers(other) {
		if !once(r, 3) {
			continue
		}
		mine, isMap := object[name].(map[string]any)
		theirs, areMaps := member.(map[string]any)
		switch {
		case once(r, 4):
			delete(object, name)
		case isMap && areMaps:
			edit(r, mine, theirs)
		case isItemList(object[name]) && isItemList(member):
			object[name] = editItems(r, object[name].([]any), member.([]any))
		default:
			object[name] = member
		}
	}
}

func isItemList(v any) bool {
	list, isList := v.([]any)
	if !isList || len(list) == 0 {
		return false
	}
	_, isItem := list[0].(map[string]any)
	return isItem
}

func editItems(r *rand.Rand, items, others []any) []any {
	for _, other := range others {
		at := -1
		for i, item := range items {
			if sameKey(item.(map[string]any), other.(map[string]any)) {
				at = i
			}
		}
		switch {
		case at < 0:
			items = append(items, other)
		case once(r, 3):
			// Not nil when nothing is left: as JSON that were null.
			items = append(append([]any{}, items[:at]...), items[at+1:]...)
		default:
			edit(r, items[at].(map[string]any), withoutKey(other.(map[string]any)))
		}
	}
	return items
}

var keyNames = map[string]bool{"port": true, "protocol": true}

func sameKey(a, b map[string]any) bool {
	if _, isPort := a["port"]; isPort {
		return a["port"] == b["port"] && a["protocol"] == b["protocol"]
	}
	return a["name"] == b["name"]
}

func withoutKey(item map[string]any) map[string]any {
	rest := map[string]any{}
	_, isPort := item["port"]
	for name, member := range item {
		if (isPort && !keyNames[name]) || (!isPort && name != "name") {
			rest[name] = member
		}
	}
	return rest
}

// some has each member with a chance of one in two.
func some(r *rand.Rand, members map[string]func() any) map[string]any {
	object := map[string]any{}
	for name, member := range sortedMembers(members) {
		if once(r, 2) {
			object[name] = member()
		}
	}
	return object
}

func newThing(r *rand.Rand, depth int) map[string]any {
	return some(r, map[string]func() any{
		"metadata": func() any {
			return some(r, map[string]func() any{
				"labels":      func() any { return texts(r) },
				"annotations": func() any { return texts(r) },
				"finalizers":  func() any { return distinct(r, "a", "b", "c") },
			})
		},
		"spec": func() any { return newSpec(r, depth) },
	})
}

func newSpec(r *rand.Rand, depth int) map[string]any {
	return some(r, map[string]func() any{
		"replicas": func() any { return pick[any](r, int64(0), int64(1), int64(2), 1.5) },
		"text":     func() any { return pick[any](r, "", "x", "y") },
		"paused":   func() any { return once(r, 2) },
		"items":    func() any { return newItems(r) },
		"ports":    func() any { return newPorts(r) },
		"args":     func() any { return distinct(r, "x", "y") },
		"selector": func() any { return texts(r) },
		"set":      func() any { return distinct(r, "a", "b", "<c>") },
		"numbers":  func() any { return distinct[any](r, int64(1), int64(2), 2.5) },
		"template": func() any {
			if depth == 0 {
				return map[string]any{}
			}
			return newThing(r, depth-1)
		},
	})
}

func newItems(r *rand.Rand) []any {
	items := []any{}
	for _, name := range distinct(r, "a", "b", "c&d") {
		item := some(r, map[string]func() any{
			"image":  func() any { return pick[any](r, "x:1", "x:2") },
			"paused": func() any { return once(r, 2) },
			"weight": func() any { return pick[any](r, int64(0), int64(1), 0.5) },
			"args":   func() any { return distinct(r, "x", "y") },
			"ports":  func() any { return newPorts(r) },
			"env":    func() any { return texts(r) },
		})
		item["name"] = name
		items = append(items, item)
	}
	return items
}

func newPorts(r *rand.Rand) []any {
	ports := []any{}
	for _, port := range distinct[any](r, int64(80), int64(443)) {
		for _, protocol := range distinct(r, "TCP", "UDP") {
			object := some(r, map[string]func() any{"name": func() any { return pick[any](r, "web", "dns") }})
			object["port"], object["protocol"] = port, protocol
			ports = append(ports, object)
		}
	}
	return ports
}

func texts(r *rand.Rand) map[string]any {
	text := func() any { return pick[any](r, "", "1", "2") }
	return some(r, map[string]func() any{"a": text, "b": text, "c": text})
}

// distinct is some of the values, each at most once, in some order.
func distinct[T any](r *rand.Rand, values ...T) []any {
	list := []any{}
	for _, i := range r.Perm(len(values)) {
		if once(r, 2) {
			list = append(list, values[i])
		}
	}
	return list
}
