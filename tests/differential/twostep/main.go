// twostep looks for requests that make the next one pass.
//
//	twostep [-seed N] [-keep FOLDER] -applyguard PROGRAM -policy FILE CASES
//
// A case is an object with a history, and two requests of a person: step one, which may write managedFields, and step two,
// which changes values. Kubernetes' own code of managedFields makes the object of each. If applyguard denies step two alone, it
// must also deny it after step one, unless it warned of step one or denied it. The exit status is 1 if a case breaks this; -keep
// writes its three reviews.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// So many cases are judged in one start of the program.
const batchSize = 200

// A case in the making: the reviews of step one, of step two alone, and of step two after step one.
type twoSteps struct {
	number int
	about  string
	texts  [3][]byte
}

func giveUp(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "twostep: "+format+"\n", values...)
	os.Exit(2)
}

func main() {
	seed := flag.Uint64("seed", 1, "which cases: the same for the same number")
	keep := flag.String("keep", "", "write the reviews of cases that break the rule to this folder")
	program := flag.String("applyguard", "", "the program that judges")
	policy := flag.String("policy", "", "the policy file")
	flag.Parse()
	cases, err := strconv.Atoi(flag.Arg(0))
	if err != nil || cases < 1 || *program == "" || *policy == "" {
		giveUp("usage: twostep [-seed N] [-keep FOLDER] -applyguard PROGRAM -policy FILE CASES")
	}
	start, result := time.Now(), tally{}
	for first := 0; first < cases; first += batchSize {
		var batch []*twoSteps
		for number := first; number < min(first+batchSize, cases); number++ {
			if made := newCase(*seed, number); made != nil {
				batch = append(batch, made)
			}
		}
		if err := result.judge(*program, *policy, *keep, batch); err != nil {
			giveUp("%v", err)
		}
	}
	fmt.Printf("two steps      %8d cases %6.1f s  step two denied alone in %d, step one silent in %d of these, broken %d\n",
		cases, time.Since(start).Seconds(), result.denied, result.silent, result.broken)
	if result.broken > 0 {
		os.Exit(1)
	}
	// Cases of which none can break the rule show nothing.
	if cases >= 1000 && (result.denied < cases/10 || result.silent < cases/100) {
		giveUp("too few cases put the rule to the test")
	}
}

// newCase is nil where the API server's code refuses a step, or step one has made step two's change.
func newCase(seed uint64, number int) *twoSteps {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	object := newHistory(r)
	one, two := newStepOne(r, object), newStepTwo(r)
	after, isStored := one.send(object, 1)
	alone, isSent := two.send(object, 2)
	if !isStored || !isSent {
		return nil
	}
	behind, isSent := two.send(after, 2)
	if !isSent || sameValues(behind, after) {
		return nil
	}
	return &twoSteps{
		number: number,
		about:  one.String() + "; then " + two.String(),
		texts:  [3][]byte{one.review(object, after), two.review(object, alone), two.review(after, behind)},
	}
}

func (c *twoSteps) write(folder string) ([]string, error) {
	var files []string
	for i, name := range []string{"one", "two-alone", "two-after-one"} {
		file := filepath.Join(folder, fmt.Sprintf("%06d-%s.json", c.number, name))
		if err := os.WriteFile(file, c.texts[i], 0o644); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
