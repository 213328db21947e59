// differential feeds generated pairs to applyguard's code and to Kubernetes' own, and compares what they make of them.
//
//	differential [-seed N] [-only NAME] [-record FOLDER] -driver PROGRAM PAIRS
//
// The driver is the program that answers for applyguard. Each comparison takes PAIRS pairs, the same ones for the same
// seed. The exit status is 1 if one of them is read in two ways, other than accepted.go accepts. With -record, those that are
// read in one way are written to the folder, a file for each comparison.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

func comparisons() []*comparison {
	return []*comparison{

		difference, overlap, contains, containsItem, conflicts,
		lastApplied, jsonEqual, quantities, labelKeys, applySets, applySetIDs,
		manifestCases, manifests, writtenYAML,
		serverSide, serverSideBuiltin, valueTypes, clientSide, clientSideCustom,
		migrations,
		patterns, formats, customValues,
	}
}

func giveUp(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "differential: "+format+"\n", values...)
	os.Exit(2)
}

func main() {
	seed := flag.Uint64("seed", 1, "which pairs: the same for the same number")
	only := flag.String("only", "", "the comparisons whose names begin so")
	driver := flag.String("driver", "", "the program that answers for applyguard")
	folder := flag.String("record", "", "write the pairs and their answers to this folder")
	flag.Parse()
	pairs, err := strconv.Atoi(flag.Arg(0))
	if err != nil || pairs < 1 || *driver == "" {
		giveUp("usage: differential [-seed N] [-only NAME] [-record FOLDER] -driver PROGRAM PAIRS")
	}
	if err := readSeeds("../reviews"); err != nil {
		giveUp("%v", err)
	}
	if err := checkReadme("README.md"); err != nil {
		giveUp("%v", err)
	}
	isGood := true
	for _, comparison := range comparisons() {
		if !strings.HasPrefix(comparison.name, *only) {
			continue
		}
		if *folder == "" {
			isGood = report(comparison, *driver, *seed, pairs) && isGood
		} else if err := comparison.record(*driver, *folder, *seed, pairs); err != nil {
			giveUp("%s: %v", comparison.name, err)
		}
	}
	if !isGood {
		os.Exit(1)
	}
}

// report runs one comparison and prints what came of it.
func report(c *comparison, driver string, seed uint64, pairs int) bool {
	start := time.Now()
	result, err := c.run(driver, seed, pairs)
	if err != nil {
		giveUp("%s: %v", c.name, err)
	}
	fmt.Printf("%-14s %8d pairs %6.1f s  %s\n", c.name, pairs, time.Since(start).Seconds(), c.about)
	for _, class := range c.accepted {
		fmt.Printf("%32s %8d accepted\n", class, result.accepted[class])
		if pairs >= unusedFrom && result.accepted[class] == 0 {
			fmt.Printf("no pair needs the class %q of accepted.go: remove it\n", class)
			result.isBad = true
		}
	}
	for class, count := range result.accepted {
		if !slices.Contains(c.accepted, class) || classes[class] == "" {
			fmt.Printf("%32s %8d not in the table of accepted.go\n", class, count)
			result.isBad = true
		}
	}
	for _, disagreement := range result.disagreements {
		fmt.Println(disagreement)
	}
	return !result.isBad
}
