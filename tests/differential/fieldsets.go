package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// node is a FieldsV1 object as it is written: keys in some order, and maybe more than once.
type node struct {
	keys     []string
	children []*node
}

func (n *node) add(key string, child *node) {
	n.keys, n.children = append(n.keys, key), append(n.children, child)
}

func (n *node) remove(i int) {
	n.keys = append(append([]string(nil), n.keys[:i]...), n.keys[i+1:]...)
	n.children = append(append([]*node(nil), n.children[:i]...), n.children[i+1:]...)
}

func (n *node) copy() *node {
	other := &node{}
	for i, key := range n.keys {
		other.add(key, n.children[i].copy())
	}
	return other
}

// parseNode reads FieldsV1 as an API server writes it.
func parseNode(text string) *node {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.Token()
	return parseMembers(decoder)
}

func parseMembers(decoder *json.Decoder) *node {
	n := &node{}
	for decoder.More() {
		key, _ := decoder.Token()
		decoder.Token()
		n.add(key.(string), parseMembers(decoder))
	}
	decoder.Token()
	return n
}

func (n *node) write(r *rand.Rand, out *strings.Builder) {
	out.WriteString("{")
	for i, key := range n.keys {
		if i > 0 {
			out.WriteString(",")
		}
		quoted, _ := json.Marshal(key)
		out.Write(quoted)
		out.WriteString(":")
		// What is no object is read as an empty one, or refused.
		if len(n.children[i].keys) == 0 && once(r, 3000) {
			out.WriteString(pick(r, "null", "1", `"x"`, "[]", "true"))
			continue
		}
		n.children[i].write(r, out)
	}
	out.WriteString("}")
}

func (n *node) text(r *rand.Rand) []byte {
	var out strings.Builder
	n.write(r, &out)
	return []byte(out.String())
}

var fieldNames = []string{
	"spec", "metadata", "labels", "annotations", "name", "image", "replicas", "containers", "ports", "a", "b", "c", "args",
	"app.kubernetes.io/name", "kubectl.kubernetes.io/last-applied-configuration", "a.b/c", "größe", "日本", "", ".", "f:", "<x>&", "a\"b\\c", "x=y]",
	"a\u0001b", "\u202eevil", "\u2028", strings.Repeat("long", 70),
}

var keyValues = []string{
	`"a"`, `"b"`, `"nginx"`, `"TCP"`, `"UDP"`, `80`, `443`, `8080`, `-1`, `0`, `1.5`, `true`, `false`, `null`, `""`, `"ä"`, `"a\"b"`,
	`"\u003cx\u003e\u0026"`, `"\u2028"`, `"a,b]=c"`, `"x\ny"`, `"\\"`, `9007199254740991`, `0.1`, `1234567`, `1000000`, `"\u0001"`, `"😀"`, `-7`, `0.000001`, `123456789.5`,
}

var oddElements = []string{
	`k:{"a":1.0}`, `k:{ "a" : 1 }`, `k:{"a":1e0}`, `k:{"\u0061":1}`, `k:{"b":2,"a":1}`, `k:{"a":1}x`, `k:{}`, `k:null`, `k:[]`, `k:{"a":1,"a":2}`, `k:{"a":{"b":1}}`,
	`v:1.0`, `v:1`, `v:10e-1`, `v: 1`, `v:"\u0061"`, `v:"a"`, `v:{"a":1}`, `v:{"b":2,"a":1}`, `v:[1,2]`, `v:[1, 2]`, `v:1 2`, `v:-0`, `v:0`, `v:"\ud800"`, `v:9007199254740993`,
	`v:9007199254740992`, `k:{"a":9007199254740993}`, `v:1e400`, `i:0`, `i:1`, `i:01`, `i:+1`, `i:-1`, `i:abc`, `i:`, `i:99999999999999999999`, `f`, ``, `x`, `zz`, `k:`, `k:{`, `v:`,
	`x:y`, `q:{"a":1}`, `:`, `::`, "k:{\"a\":\"\x01\"}", `k:{"a":01}`, `v:true`, `v:nul`, `v:18446744073709551615`, `v:18446744073709551616`,
}

func element(r *rand.Rand) string {
	switch {
	case once(r, 60):
		return pick(r, oddElements...)
	case once(r, 6):
		return "v:" + pick(r, keyValues...)
	case once(r, 40):
		return "i:" + pick(r, "0", "1", "2", "17")
	case once(r, 4):
		return keyElement(r)
	case once(r, 6):
		return "f:" + pick(r, fieldNames...)
	default:
		return "f:" + pick(r, fieldNames[:13]...)
	}
}

func keyElement(r *rand.Rand) string {
	members := []string{`"` + pick(r, "name", "port", "containerPort", "ip", "key") + `":` + pick(r, keyValues...)}
	if once(r, 2) {
		members = append(members, `"`+pick(r, "protocol", "type", "zone")+`":`+pick(r, keyValues...))
	}
	if once(r, 20) {
		members[0], members[len(members)-1] = members[len(members)-1], members[0]
	}
	return "k:{" + strings.Join(members, pick(r, ",", ",", ",", ",", ",", ",", ", ")) + "}"
}

func randomNode(r *rand.Rand, depth, width int) *node {
	n := &node{}
	if depth == 0 {
		return n
	}
	for range r.IntN(width + 1) {
		key, child := element(r), randomNode(r, r.IntN(depth), width)
		if once(r, 4) {
			child = newMember(child)
		}
		if !n.has(key) || once(r, 50) {
			n.add(key, child)
		}
	}
	return n
}

// newMember adds that the node itself is owned, in front of its children.
func newMember(n *node) *node {
	member := &node{}
	member.add(".", &node{})
	member.keys, member.children = append(member.keys, n.keys...), append(member.children, n.children...)
	return member
}

func (n *node) has(key string) bool {
	for _, other := range n.keys {
		if other == key {
			return true
		}
	}
	return false
}

// somewhere is a node of the set, the root more seldom than others.
func (n *node) somewhere(r *rand.Rand) *node {
	for len(n.children) > 0 && !once(r, 4) {
		n = pick(r, n.children...)
	}
	return n
}

func (n *node) prune(r *rand.Rand, most int) {
	for len(n.keys) > most {
		n.remove(r.IntN(len(n.keys)))
	}
	for _, child := range n.children {
		child.prune(r, most)
	}
}

// change makes the set another one, or writes it in another way.
func (n *node) change(r *rand.Rand) {
	at := n.somewhere(r)
	switch r.IntN(9) {
	case 0, 1:
		if len(at.keys) > 0 {
			at.remove(r.IntN(len(at.keys)))
		}
	case 2, 3:
		if key := element(r); !at.has(key) {
			at.add(key, randomNode(r, r.IntN(3), 2))
		}
	case 4:
		r.Shuffle(len(at.keys), func(i, j int) {
			at.keys[i], at.keys[j] = at.keys[j], at.keys[i]
			at.children[i], at.children[j] = at.children[j], at.children[i]
		})
	case 5:
		if at.has(".") {
			at.remove(indexOf(at.keys, "."))
		} else if len(at.keys) > 0 {
			*at = *newMember(at)
		}
	case 6:
		at.keys, at.children = nil, nil
	case 7:
		if len(at.keys) > 0 {
			at.keys[r.IntN(len(at.keys))] = element(r)
		}
	case 8:
		for range pick(r, 1, 1, 1, 1, 1, 2, 2, 3, 20, 130) {
			if at.has("f:a") || once(r, 500) {
				break
			}
			child := &node{}
			at.add("f:a", child)
			at = child
		}
	}
}

func indexOf(keys []string, key string) int {
	for i, other := range keys {
		if other == key {
			return i
		}
	}
	return -1
}

func fieldSet(r *rand.Rand) *node {
	if once(r, 2) {
		return randomNode(r, pick(r, 1, 2, 3, 4), pick(r, 2, 3, 5))
	}
	n := parseNode(pick(r, seeds.fieldSets...))
	n.prune(r, pick(r, 3, 4, 6, 30))
	return n
}

func changed(r *rand.Rand, n *node) *node {
	other := n.copy()
	for range r.IntN(4) {
		other.change(r)
	}
	if once(r, 10) {
		return fieldSet(r)
	}
	return other
}

// set is what structured-merge-diff reads; nil: it refuses it.
func set(text []byte) *fieldpath.Set {
	read := &fieldpath.Set{}
	if read.FromJSON(strings.NewReader(string(text))) != nil {
		return nil
	}
	return read
}

// owns says whether the set has the path, or something below it.
func owns(s *fieldpath.Set, path fieldpath.Path) bool {
	for i, element := range path {
		if s.Members.Has(element) && i == len(path)-1 {
			return true
		}
		if s = s.WithPrefix(element); s.Empty() {
			return false
		}
	}
	return true
}
