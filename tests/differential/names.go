package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/kubectl/pkg/cmd/apply"
)

var labelKeys = &comparison{
	name:     "label keys",
	about:    "labelKey of a policy file: a label's key, by validation.IsQualifiedName",
	letter:   'P',
	generate: func(r *rand.Rand) [][]byte { return [][]byte{[]byte(labelKey(r))} },
	prepare: func(p *pair) bool {
		key := string(p.parts[0])
		if key == "" {
			return false
		}
		p.theirs = yesNo(len(validation.IsQualifiedName(key)) == 0)
		quoted, _ := json.Marshal(key)
		p.question = [][]byte{[]byte("apiVersion: applyguard.io/v1\nkind: Policy\nrules:\n  dedicated-selector: {action: warn, labelKey: " + string(quoted) + "}\n")}
		return true
	},
	compare: func(p *pair, answer []byte) reading {
		return reading{ours: string(answer), theirs: p.theirs.(string)}
	},
}

const nameBytes = "abcxyzABCXYZ0189-_./"

func repeated(r *rand.Rand, most int) string {
	text := strings.Builder{}
	for range r.IntN(most + 1) {
		text.WriteByte(pick(r, []byte(nameBytes[:len(nameBytes)-1])...))
	}
	return text.String()
}

func labelKey(r *rand.Rand) string {
	name := pick(r, "controller-selector", "app.kubernetes.io", "x", "a_b", repeated(r, 12), strings.Repeat("a", 60+r.IntN(6)))
	key := pick(r, "", "example.com/", "a/", "app.kubernetes.io/", strings.ToLower(repeated(r, 12))+"/",
		strings.Repeat("a.", 120+r.IntN(10))+"a/", strings.Repeat("a", 250+r.IntN(6))+"/", strings.Repeat("b", 64)+".c/") + name
	if once(r, 2) {
		key = mutateBytes(r, key, nameBytes+" \n\x00\x7fé\xff:%\"")
	}
	return key
}

var applySets = &comparison{
	name:   "ApplySets",
	about:  "the ID of a parent's ApplySet, by kubectl",
	letter: 'A',
	generate: func(r *rand.Rand) [][]byte {
		return [][]byte{[]byte(part(r)), []byte(part(r)), []byte(pick(r, "Secret", "ConfigMap", "WorkSet", part(r))), []byte(pick(r, "", "example.com", part(r)))}
	},
	prepare: func(p *pair) bool {
		kind := schema.GroupVersionKind{Kind: string(p.parts[2]), Group: string(p.parts[3])}
		parent := &apply.ApplySetParentRef{Name: string(p.parts[0]), Namespace: string(p.parts[1]), RESTMapping: &meta.RESTMapping{GroupVersionKind: kind}}
		p.theirs = apply.NewApplySet(parent, apply.ApplySetTooling{}, nil, nil).ID()
		return true
	},
	compare: func(p *pair, answer []byte) reading {
		return reading{ours: string(answer), theirs: p.theirs.(string)}
	},
}

// Names come with dots, too, and hold the same hash as others then.
func part(r *rand.Rand) string {
	return pick(r, "", "my-set", "a.b", "kube-system", repeated(r, 63), repeated(r, 253), strings.Repeat("n", r.IntN(400)), "größe")
}

var applySetIDs = &comparison{
	name:     "ApplySet IDs",
	about:    "a member's label: the ID of any ApplySet, by the form that kubectl gives it",
	letter:   'V',
	generate: func(r *rand.Rand) [][]byte { return [][]byte{[]byte(applySetID(r))} },
	prepare: func(p *pair) bool {
		hash, hasPrefix := strings.CutPrefix(string(p.parts[0]), "applyset-")
		hash, hasSuffix := strings.CutSuffix(hash, "-v1")
		decoded, err := base64.RawURLEncoding.Strict().DecodeString(hash)
		// The decoder skips line breaks.
		p.theirs = yesNo(hasPrefix && hasSuffix && err == nil && len(decoded) == sha256.Size && !strings.ContainsAny(hash, "\r\n"))
		return true
	},
	compare: func(p *pair, answer []byte) reading {
		return reading{ours: string(answer), theirs: p.theirs.(string)}
	},
}

func applySetID(r *rand.Rand) string {
	bytes := make([]byte, pick(r, 32, 32, 32, 31, 33))
	for i := range bytes {
		bytes[i] = byte(r.Uint32())
	}
	encoding := pick(r, base64.RawURLEncoding, base64.RawURLEncoding, base64.RawURLEncoding, base64.RawStdEncoding, base64.URLEncoding)
	id := "applyset-" + encoding.EncodeToString(bytes) + "-v1"
	if once(r, 2) {
		id = mutateBytes(r, id, "applyset-v1AZ09_+/=\n\x00é")
	}
	return id
}
