package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// row is a line of the table.
type row struct {
	of                                      int
	member, when, is, kind, value, isCopied string
	order                                   int
}

// kindsOf are the kinds in which each place of the type has the rule; one empty name for all kinds that have the type.
func kindsOf(counts, reached map[string]int) []string {
	var kinds []string
	for kind, count := range counts {
		if count == reached[kind] {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == len(reached) {
		return []string{""}
	}
	return kinds
}

// orderOf puts what depends on something before what does not.
func orderOf(r rule, g given, kind string) int {
	order := 0
	for _, isGeneral := range []bool{r.when == "", g.copy == "", kind == ""} {
		order *= 2
		if isGeneral {
			order++
		}
	}
	return order
}

// rows are those of a rule, one for each type of its name.
func rows(table builtin, all found, r rule) []row {
	var lines []row
	for g, counts := range all.rules[r] {
		for _, kind := range kindsOf(counts, all.reached[r.owner]) {
			line := row{member: r.member, when: r.when, is: r.is, kind: kind, value: g.value, isCopied: "0", order: orderOf(r, g, kind)}
			if g.copy != "" {
				line.value, line.isCopied = g.copy, "1"
			}
			for _, line.of = range table.types[r.owner] {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func write(table builtin, all found) {
	var lines []row
	for r := range all.rules {
		lines = append(lines, rows(table, all, r)...)
	}
	slices.SortFunc(lines, func(a, b row) int {
		return cmp.Or(
			cmp.Compare(a.of, b.of), cmp.Compare(a.member, b.member), cmp.Compare(a.order, b.order), cmp.Compare(a.when, b.when),
			cmp.Compare(a.is, b.is), cmp.Compare(a.kind, b.kind), cmp.Compare(a.value, b.value))
	})
	numbers, texts := map[string]int{"": 0}, []string{""}
	number := func(text string) int {
		if _, has := numbers[text]; !has {
			numbers[text] = len(texts)
			texts = append(texts, text)
		}
		return numbers[text]
	}
	fmt.Println("/* Written by tests/differential/defaults from k8s.io/kubernetes " + version + ". Do not edit. */")
	fmt.Println("#ifdef DEFAULT")
	for _, each := range lines {
		fmt.Printf("DEFAULT(%d, %d, %d, %d, %d, %d, %s)\n", each.of, number(each.member), number(each.when), number(each.is),
			number(each.kind), number(each.value), each.isCopied)
	}
	fmt.Println("#endif\n#ifdef QUANTITY")
	var amounts []string
	for each, isMap := range all.amounts {
		for _, of := range table.types[each.owner] {
			amounts = append(amounts, fmt.Sprintf("%5d %s %t", of, each.member, isMap))
		}
	}
	slices.Sort(amounts)
	for _, each := range amounts {
		parts := strings.Fields(each)
		fmt.Printf("QUANTITY(%s, %d, %d)\n", parts[0], number(parts[1]), strings.Count(parts[2], "true"))
	}
	fmt.Println("#endif\n#ifdef OMITTED")
	var omitted []string
	for each, is := range all.omitted {
		for _, of := range table.types[each.owner] {
			if is {
				omitted = append(omitted, fmt.Sprintf("%5d %s", of, each.member))
			}
		}
	}
	slices.Sort(omitted)
	for _, each := range omitted {
		parts := strings.Fields(each)
		fmt.Printf("OMITTED(%s, %d)\n", parts[0], number(parts[1]))
	}
	fmt.Println("#endif\n#ifdef TEXT")
	for i, text := range texts {
		fmt.Printf("TEXT(%d, %s)\n", i, strconv.Quote(text))
	}
	fmt.Println("#endif")
}
