package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"sort"
	"strings"
	"sync"
)

const (
	batchSize = 500
	// As many disagreements of one comparison are shown; the rest are mostly the same ones again.
	shownMax = 5
	// From this many pairs on each class that is accepted comes up.
	unusedFrom = 20000
)

// pair is one case: what was generated, what the driver is asked, and what Kubernetes' code makes of it.
type pair struct {
	parts    [][]byte
	question [][]byte
	theirs   any
}

// reading is what both sides make of a pair. The same texts: they agree.
type reading struct {
	ours, theirs string
	// The classes of disagreements (accepted.go) that were left out of both texts.
	accepted []string
}

// comparison is one thing that both applyguard and Kubernetes read.
type comparison struct {
	name     string
	about    string
	letter   byte     // of the driver's question
	accepted []string // the classes that may come up
	generate func(*rand.Rand) [][]byte
	several  func(*rand.Rand) []*pair // in its place, where pairs are made of others
	// prepare asks Kubernetes. False: the parts are no case, and others are taken.
	prepare func(p *pair) bool
	compare func(p *pair, answer []byte) reading
}

type result struct {
	accepted      map[string]int
	disagreements []string
	isBad         bool
}

func (c *comparison) random(seed uint64, batch int) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(c.name))
	return rand.New(rand.NewPCG(seed, hash.Sum64()+uint64(batch)))
}

func (c *comparison) pairOf(parts [][]byte) (*pair, bool) {
	p := &pair{parts: parts, question: parts}
	return p, c.prepare(p)
}

func (c *comparison) batch(seed uint64, number, size int) []*pair {
	random := c.random(seed, number)
	pairs := make([]*pair, 0, size)
	for len(pairs) < size {
		if c.several != nil {
			pairs = append(pairs, c.several(random)...)
		} else if p, isCase := c.pairOf(c.generate(random)); isCase {
			pairs = append(pairs, p)
		}
	}
	return pairs[:size]
}

// judge asks the driver about pairs, and returns those that are read in two ways.
func (c *comparison) judge(d *driver, pairs []*pair, note func(class string)) ([]*pair, error) {
	questions := make([][][]byte, len(pairs))
	for i, p := range pairs {
		questions[i] = p.question
	}
	answers, err := d.ask(c.letter, questions)
	if err != nil && len(answers) < len(pairs) {
		return nil, fmt.Errorf("%w, asked about %s", err, show(pairs[len(answers)].parts))
	}
	var differing []*pair
	for i, p := range pairs {
		read := c.compare(p, answers[i])
		for _, class := range read.accepted {
			note(class)
		}
		if read.ours != read.theirs {
			differing = append(differing, p)
		}
	}
	return differing, err
}

// differs is judge for one pair, while it is made smaller.
func (c *comparison) differs(d *driver, parts [][]byte) bool {
	p, isCase := c.pairOf(parts)
	if !isCase {
		return false
	}
	differing, err := c.judge(d, []*pair{p}, func(string) {})
	return err == nil && len(differing) > 0
}

func (c *comparison) describe(d *driver, parts [][]byte) string {
	p, _ := c.pairOf(parts)
	answers, err := d.ask(c.letter, [][][]byte{p.question})
	if err != nil {
		return err.Error()
	}
	read := c.compare(p, answers[0])
	return fmt.Sprintf("%s: read in two ways\n%s\n  applyguard: %s\n  Kubernetes: %s", c.name, show(parts), read.ours, read.theirs)
}

func show(parts [][]byte) string {
	var lines []string
	for i, part := range parts {
		lines = append(lines, fmt.Sprintf("  part %d:     %q", i, part))
	}
	return strings.Join(lines, "\n")
}

// found is a disagreement and where it came up, by which they are put in order.
type found struct {
	batch int
	pair  *pair
}

func (c *comparison) run(program string, seed uint64, count int) (*result, error) {
	result := &result{accepted: map[string]int{}}
	var differing []found
	var lock sync.Mutex
	note := func(class string) {
		lock.Lock()
		result.accepted[class]++
		lock.Unlock()
	}
	batches := make(chan int)
	problems := make(chan error, runtime.NumCPU())
	for range runtime.NumCPU() {
		go func() {
			problems <- c.work(program, batches, seed, count, note, func(batch int, p *pair) {
				lock.Lock()
				differing = append(differing, found{batch, p})
				lock.Unlock()
			})
		}()
	}
	for batch := 0; batch*batchSize < count; batch++ {
		batches <- batch
	}
	close(batches)
	var problem error
	for range runtime.NumCPU() {
		if err := <-problems; err != nil {
			problem = err
		}
	}
	if problem != nil {
		return nil, problem
	}
	sort.SliceStable(differing, func(i, j int) bool { return differing[i].batch < differing[j].batch })
	return result, c.explain(program, differing, result)
}

// work takes batches to one driver of its own. After a problem it only takes them.
func (c *comparison) work(program string, batches <-chan int, seed uint64, count int, note func(string), tell func(int, *pair)) error {
	d, err := startDriver(program)
	for batch := range batches {
		if err != nil {
			continue
		}
		var differing []*pair
		differing, err = c.judge(d, c.batch(seed, batch, min(batchSize, count-batch*batchSize)), note)
		for _, p := range differing {
			tell(batch, p)
		}
	}
	if err != nil {
		return err
	}
	return d.stop()
}

// explain makes the first disagreements small, and says in which two ways they are read.
func (c *comparison) explain(program string, differing []found, result *result) error {
	if len(differing) == 0 {
		return nil
	}
	result.isBad = true
	d, err := startDriver(program)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, one := range differing {
		if len(seen) == shownMax {
			break
		}
		small := shrink(one.pair.parts, func(parts [][]byte) bool { return c.differs(d, parts) })
		text := c.describe(d, small)
		if !seen[text] {
			seen[text] = true
			result.disagreements = append(result.disagreements, text)
		}
	}
	result.disagreements = append(result.disagreements, fmt.Sprintf("%s: %d disagreements", c.name, len(differing)))
	return d.stop()
}
