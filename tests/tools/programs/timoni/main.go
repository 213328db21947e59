// Timoni as far as the API server sees it: its library, with the owner and the options that it gives it
// (internal/runtime/resources.go of Timoni). It applies a folder of manifests where Timoni builds a module:
//
//	timoni NAMESPACE INSTANCE DIRECTORY
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

const fieldManager = "timoni"

// Whose fields become Timoni's own.
var taken = []ssa.FieldManager{
	{Name: "helm", OperationType: metav1.ManagedFieldsOperationUpdate, ExactMatch: true},
	{Name: "helm", OperationType: metav1.ManagedFieldsOperationApply, ExactMatch: true},
	{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
	{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
	{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: timoni NAMESPACE INSTANCE DIRECTORY")
		os.Exit(2)
	}
	if err := apply(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func apply(namespace, instance, directory string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	objects, err := manifests(directory, namespace)
	if err != nil {
		return err
	}
	kubernetes, err := newClient()
	if err != nil {
		return err
	}
	owner := ssa.Owner{Field: fieldManager, Group: "instance.timoni.sh"}
	manager := ssa.NewResourceManager(kubernetes, nil, owner)
	manager.SetOwnerLabels(objects, instance, namespace)
	if err := takeOwnership(ctx, kubernetes, objects); err != nil {
		return err
	}
	_, err = manager.ApplyAllStaged(ctx, objects, ssa.ApplyOptions{
		Cleanup: ssa.ApplyCleanupOptions{
			Annotations: []string{
				corev1.LastAppliedConfigAnnotation, "meta.helm.sh/release-name", "meta.helm.sh/release-namespace"},
			FieldManagers: taken,
		},
		WaitTimeout: time.Minute,
	})
	return err
}

func newClient() (client.Client, error) {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), nil).ClientConfig()
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 100, 300
	web, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, web)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	return client.New(config, client.Options{HTTPClient: web, Mapper: mapper, Scheme: scheme})
}

func manifests(directory, namespace string) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(directory, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, file := range files {
		reader, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		objects, err := utils.ReadObjects(reader)
		reader.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, objects...)
	}
	for _, object := range all {
		if !utils.IsClusterDefinition(object) {
			object.SetNamespace(namespace)
		}
	}
	return all, normalize.UnstructuredList(all)
}

// Before it applies, Timoni moves the fields of kubectl and Helm to itself.
func takeOwnership(ctx context.Context, kubernetes client.Client, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		existing := &unstructured.Unstructured{}
		existing.SetGroupVersionKind(object.GroupVersionKind())
		if err := kubernetes.Get(ctx, client.ObjectKeyFromObject(object), existing); client.IgnoreNotFound(err) != nil {
			return err
		} else if err != nil {
			continue
		}
		patch, err := ssa.PatchReplaceFieldsManagers(existing, taken, fieldManager)
		if err != nil {
			return err
		}
		if len(patch) == 0 {
			continue
		}
		text, err := json.Marshal(patch)
		if err != nil {
			return err
		}
		err = kubernetes.Patch(
			ctx, existing, client.RawPatch(types.JSONPatchType, text), client.FieldOwner(fieldManager))
		if err != nil {
			return err
		}
	}
	return nil
}
