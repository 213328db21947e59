// Nothing is built from this: a test applies the manifests in these modules, and go.sum pins what they are.
module applyguard.io/tests/tools/manifests

go 1.26.8

require (
	github.com/argoproj/argo-cd/v3 v3.5.7
	github.com/cert-manager/cert-manager v1.21.2
	github.com/fluxcd/flux2/v2 v2.9.5
	github.com/kedacore/keda/v2 v2.21.0
	github.com/open-policy-agent/gatekeeper/v3 v3.23.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
	k8s.io/ingress-nginx v0.0.0-20240708192948-52c50467d67d
)
