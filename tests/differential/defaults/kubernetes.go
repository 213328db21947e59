package main

import (
	"encoding/json"
	"maps"
	"reflect"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/install"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
)

// kind is a kind in one of its versions.
type kind struct {
	what   schema.GroupVersionKind
	of     reflect.Type
	scheme *runtime.Scheme
	codec  runtime.Codec
}

// kinds finds those of the table that an API server of Kubernetes has.
func kinds(wanted []schema.GroupVersionKind) []kind {
	more := runtime.NewScheme()
	apiextensions.Install(more)
	apiregistration.Install(more)
	var all []kind
	for _, what := range wanted {
		for _, scheme := range []*runtime.Scheme{legacyscheme.Scheme, more} {
			made, err := scheme.New(what)
			if err != nil {
				continue
			}
			codec := serializer.NewCodecFactory(scheme).LegacyCodec(what.GroupVersion())
			all = append(all, kind{what, reflect.TypeOf(made).Elem(), scheme, codec})
		}
	}
	return all
}

func (k kind) named(members object) []byte {
	version, name := k.what.ToAPIVersionAndKind()
	members = maps.Clone(members)
	members["apiVersion"], members["kind"] = version, name
	return must(json.Marshal(members))
}

// stored is the object as the API server stores it.
func (k kind) stored(members object) (object, error) {
	into := object{}
	decoded, err := runtime.Decode(k.codec, k.named(members))
	if err != nil {
		return nil, err
	}
	encoded, err := runtime.Encode(k.codec, decoded)
	if err != nil {
		return nil, err
	}
	return into, json.Unmarshal(encoded, &into)
}
