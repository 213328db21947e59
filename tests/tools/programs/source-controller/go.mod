// Nothing is built from this: the bench takes the custom resources of Flux's sources from the module, and go.sum says that
// they are these.
module applyguard.io/tests/tools/source-controller

go 1.26.8

require github.com/fluxcd/source-controller v1.9.6
