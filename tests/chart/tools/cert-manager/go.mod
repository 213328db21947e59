// Nothing is built from this: the tests take cert-manager's CRDs from the module, and go.sum says that they are these.
module applyguard.io/tests/cert-manager

go 1.26.8

require github.com/cert-manager/cert-manager v1.21.2
