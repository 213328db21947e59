//go:build programs

// Package gatekeeper names the program to compare with, so that go.mod pins it.
package gatekeeper

import _ "github.com/open-policy-agent/gatekeeper/v3"
