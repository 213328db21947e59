// Argo CD's application controller as far as the API server sees it: its engine, with the options and the names that the
// controller gives it (controller/sync.go of Argo CD 3.5), driven by lines on standard input. It reads manifests from a folder where the controller
// asks its repository server.
//
// A line is a sync in JSON; the answer is one line, empty or the error:
//
//	{"app": "web", "directory": "/tmp/web", "namespace": "default", "serverSide": true, "replace": false}
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/engine"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2/textlogger"
)

const (
	// By default Argo CD 3 knows its objects by this annotation.
	trackingAnnotation = "argocd.argoproj.io/tracking-id"
	// cdcommon.ArgoCDSSAManager
	fieldManager = "argocd-controller"
)

type order struct {
	App        string
	Directory  string
	Namespace  string
	ServerSide bool
	Replace    bool
}

func main() {
	log := textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(os.Stderr)))
	controller, err := newController(log)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		message := ""
		if err := controller.obey(lines.Bytes()); err != nil {
			message = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(message)
	}
}

type controller struct {
	engine engine.GitOpsEngine
	log    logr.Logger
}

func newController(log logr.Logger) (*controller, error) {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), &clientcmd.ConfigOverrides{CurrentContext: "argocd"}).ClientConfig()
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 50, 100
	clusterCache := cache.NewClusterCache(config, cache.SetLogr(log),
		cache.SetPopulateResourceInfoHandler(func(object *unstructured.Unstructured, _ bool) (any, bool) {
			id := object.GetAnnotations()[trackingAnnotation]
			return id, id != ""
		}))
	gitOps := engine.NewEngine(config, clusterCache, engine.WithLogr(log))
	if _, err := gitOps.Run(); err != nil {
		return nil, err
	}
	return &controller{gitOps, log}, nil
}

func (c *controller) obey(line []byte) error {
	var o order
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	targets, err := manifests(o)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	foreground := metav1.DeletePropagationForeground
	results, err := c.engine.Sync(ctx, targets, func(r *cache.Resource) bool { return isTracked(o, r) }, "1", o.Namespace,
		sync.WithLogr(c.log),
		sync.WithOperationSettings(false, true, false, false),
		sync.WithManifestValidation(true),
		sync.WithPrunePropagationPolicy(&foreground),
		sync.WithReplace(o.Replace),
		sync.WithServerSideApply(o.ServerSide),
		sync.WithServerSideApplyManager(fieldManager),
		sync.WithClientSideApplyMigration(true, common.DefaultClientSideApplyMigrationManager),
	)
	if err != nil {
		return err
	}
	for _, result := range results {
		if result.Status == common.ResultCodeSyncFailed {
			return fmt.Errorf("%s: %s", result.ResourceKey.String(), result.Message)
		}
	}
	return nil
}

func manifests(o order) ([]*unstructured.Unstructured, error) {
	files, err := filepath.Glob(filepath.Join(o.Directory, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		objects, err := kube.SplitYAML(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, object := range objects {
			track(o, object)
			all = append(all, object)
		}
	}
	return all, nil
}

func track(o order, object *unstructured.Unstructured) {
	key := kube.GetResourceKey(object)
	annotations := object.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[trackingAnnotation] = fmt.Sprintf("%s:%s/%s:%s/%s", o.App, key.Group, key.Kind, o.Namespace, key.Name)
	object.SetAnnotations(annotations)
}

// Others copy the annotation, kube-controller-manager to a ControllerRevision: it must name the object that carries it.
func isTracked(o order, r *cache.Resource) bool {
	key := r.ResourceKey()
	id, _ := r.Info.(string)
	return id == fmt.Sprintf("%s:%s/%s:%s/%s", o.App, key.Group, key.Kind, o.Namespace, key.Name)
}
