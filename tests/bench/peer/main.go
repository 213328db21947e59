// peer does a part of applyguard's work as one writes it in Go: net/http, encoding/json, Kubernetes' own types and
// structured-merge-diff's field sets. It is what the benchmark compares with.
//
//	peer ADDRESS CERTIFICATE KEY
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

const (
	lastApplied     = "kubectl.kubernetes.io/last-applied-configuration"
	bodyLimit       = 16 << 20
	annotationsWarn = 128 << 10
	warningsLimit   = 16
)

type identity struct{ manager, operation, apiVersion, subresource string }

type judge struct{ warnings []string }

func (j *judge) warn(format string, arguments ...any) {
	if len(j.warnings) < warningsLimit {
		j.warnings = append(j.warnings, fmt.Sprintf(format, arguments...))
	}
}

func fieldSets(object *unstructured.Unstructured) (map[identity]*fieldpath.Set, error) {
	sets := map[identity]*fieldpath.Set{}
	for _, entry := range object.GetManagedFields() {
		set := &fieldpath.Set{}
		if entry.FieldsV1 != nil {
			if err := set.FromJSON(bytes.NewReader(entry.FieldsV1.Raw)); err != nil {
				return nil, err
			}
		}
		sets[identity{entry.Manager, string(entry.Operation), entry.APIVersion, entry.Subresource}] = set
	}
	return sets, nil
}

func (j *judge) annotations(object *unstructured.Unstructured) {
	size := 0
	for key, value := range object.GetAnnotations() {
		size += len(key) + len(value)
	}
	if size > annotationsWarn {
		j.warn("annotations are %d bytes", size)
	}
	text := object.GetAnnotations()[lastApplied]
	if text == "" {
		return
	}
	var applied map[string]any
	if err := json.Unmarshal([]byte(text), &applied); err != nil {
		j.warn("last-applied is not JSON")
		return
	}
	for _, field := range []string{"selector", "strategy"} {
		if _, declared, _ := unstructured.NestedMap(applied, "spec", field); !declared {
			j.warn("%s is not declared", field)
		}
	}
}

func (j *judge) ownership(old, object *unstructured.Unstructured) {
	before, err := fieldSets(old)
	if err != nil {
		return
	}
	after, err := fieldSets(object)
	if err != nil {
		return
	}
	for owner, set := range before {
		left := after[owner]
		if left == nil {
			left = &fieldpath.Set{}
		}
		set.Difference(left).Iterate(func(path fieldpath.Path) { j.warn("%s lost %s", owner.manager, path) })
	}
}

func decode(raw []byte) (*unstructured.Unstructured, error) {
	if raw == nil {
		return nil, nil
	}
	object := &unstructured.Unstructured{}
	return object, json.Unmarshal(raw, &object.Object)
}

func review(body []byte) (*admissionv1.AdmissionReview, error) {
	var review admissionv1.AdmissionReview
	if err := json.Unmarshal(body, &review); err != nil {
		return nil, err
	}
	object, err := decode(review.Request.Object.Raw)
	if err != nil {
		return nil, err
	}
	old, err := decode(review.Request.OldObject.Raw)
	if err != nil {
		return nil, err
	}
	var j judge
	if object != nil {
		j.annotations(object)
		if old != nil {
			j.ownership(old, object)
		}
	}
	return &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Response: &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: true, Warnings: j.warnings},
	}, nil
}

func handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, bodyLimit))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := review(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

func main() {
	http.HandleFunc("/validate", handle)
	server := &http.Server{
		Addr:      os.Args[1],
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}},
	}
	log.Fatal(server.ListenAndServeTLS(os.Args[2], os.Args[3]))
}
