package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
)

const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration"

// What the recorded reviews hold, and generators start from.
var seeds struct {
	fieldSets   []string
	annotations []string
}

// Larger ones cost time, and have nothing that the others have not.
const seedBytesMax = 6000

type recordedObject struct {
	Metadata struct {
		Annotations   map[string]string
		ManagedFields []struct{ FieldsV1 json.RawMessage }
	}
}

func readSeeds(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*/review.json"))
	if err != nil {
		return err
	}
	fieldSets, annotations := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		var review struct {
			Request struct{ Object, OldObject recordedObject }
		}
		text, err := os.ReadFile(file)
		// A review whose parts are of other types is recorded, too.
		if err != nil || json.Unmarshal(text, &review) != nil {
			continue
		}
		for _, object := range []recordedObject{review.Request.Object, review.Request.OldObject} {
			annotations[object.Metadata.Annotations[lastAppliedAnnotation]] = true
			for _, entry := range object.Metadata.ManagedFields {
				fieldSets[string(entry.FieldsV1)] = true
			}
		}
	}
	seeds.fieldSets, seeds.annotations = sorted(fieldSets), sorted(annotations)
	if len(seeds.fieldSets) < 20 || len(seeds.annotations) < 10 {
		return fmt.Errorf("%s: there are no recorded reviews", folder)
	}
	return nil
}

func sorted(texts map[string]bool) []string {
	var list []string
	for text := range texts {
		if text != "" && len(text) <= seedBytesMax {
			list = append(list, text)
		}
	}
	sort.Strings(list)
	return list
}

func pick[T any](r *rand.Rand, items ...T) T {
	return items[r.IntN(len(items))]
}

// once in so many times.
func once(r *rand.Rand, times int) bool {
	return r.IntN(times) == 0
}

// sortedMembers goes through a map in the order of its names, so that the same seed gives the same.
func sortedMembers[T any](members map[string]T) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if !yield(name, members[name]) {
				return
			}
		}
	}
}
