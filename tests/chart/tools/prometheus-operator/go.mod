// Nothing is built from this: the tests take the Prometheus Operator's CRDs from the module, and go.sum says that they are
// these.
module applyguard.io/tests/prometheus-operator

go 1.26.8

require github.com/prometheus-operator/prometheus-operator v0.85.0
