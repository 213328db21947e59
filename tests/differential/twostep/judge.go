package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

type tally struct {
	denied int // cases in which step two alone is denied
	silent int // of these, those in which nothing shows of step one
	broken int
}

type judged struct {
	Allowed  bool
	Findings []struct {
		Rule, Action, Message string
		Taker                 *struct{ Manager string }
	}
}

// mayBeItsOwn says whether a field was removed without a name that its owner may have dropped itself, as Terraform and kapp do.
// That is recorded alone, and whoever sets the field afterwards takes it from nobody.
func (j *judged) mayBeItsOwn() bool {
	for _, finding := range j.Findings {
		if finding.Rule == "ownership-conflict" && finding.Taker == nil {
			return true
		}
	}
	return false
}

// isTold says whether the person reads anything.
func (j *judged) isTold() bool {
	for _, finding := range j.Findings {
		if finding.Action == "warn" || finding.Action == "deny" {
			return true
		}
	}
	return false
}

func (t *tally) judge(program, policy, keep string, batch []*twoSteps) error {
	folder, err := os.MkdirTemp("", "twostep")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var files []string
	for _, c := range batch {
		written, err := c.write(folder)
		if err != nil {
			return err
		}
		files = append(files, written...)
	}
	verdicts, err := review(program, policy, files)
	if err != nil {
		return err
	}
	for i, c := range batch {
		if err := t.count(c, verdicts[3*i], verdicts[3*i+1], verdicts[3*i+2], keep); err != nil {
			return err
		}
	}
	return nil
}

func (t *tally) count(c *twoSteps, one, alone, behind judged, keep string) error {
	if alone.Allowed {
		return nil
	}
	t.denied++
	if one.isTold() || one.mayBeItsOwn() {
		return nil
	}
	t.silent++
	if !behind.Allowed {
		return nil
	}
	t.broken++
	fmt.Printf("case %d: %s\n", c.number, c.about)
	for _, finding := range alone.Findings {
		fmt.Printf("    alone %s: %s\n", finding.Action, finding.Message)
	}
	for _, finding := range behind.Findings {
		fmt.Printf("    after step one %s: %s\n", finding.Action, finding.Message)
	}
	if keep == "" {
		return nil
	}
	_, err := c.write(keep)
	return err
}

func review(program, policy string, files []string) ([]judged, error) {
	command := exec.Command(program, append([]string{"review", "--policy", policy, "-o", "json"}, files...)...)
	command.Stderr = os.Stderr
	output, err := command.Output()
	// 1: something is denied.
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, err
	}
	var verdicts []judged
	decoder := json.NewDecoder(bytes.NewReader(output))
	for decoder.More() {
		var verdict judged
		if err := decoder.Decode(&verdict); err != nil {
			return nil, err
		}
		verdicts = append(verdicts, verdict)
	}
	if len(verdicts) != len(files) {
		return nil, fmt.Errorf("%d verdicts of %d reviews", len(verdicts), len(files))
	}
	return verdicts, nil
}
