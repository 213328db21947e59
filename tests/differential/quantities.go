package main

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

var quantities = &comparison{
	name:     "quantities",
	about:    "two quantities: one amount, by resource.Quantity",
	letter:   'Q',
	generate: generateQuantities,
	accepted: []string{"no-digits", "long-quantity"},
	prepare: func(p *pair) bool {
		if largeExponent.Match(p.parts[0]) || largeExponent.Match(p.parts[1]) {
			return false
		}
		a, aErr := resource.ParseQuantity(string(p.parts[0]))
		b, bErr := resource.ParseQuantity(string(p.parts[1]))
		p.theirs = yesNo(aErr == nil && bErr == nil && a.Cmp(b) == 0)
		return true
	},
	compare: func(p *pair, answer []byte) reading {
		if !digit.Match(p.parts[0]) || !digit.Match(p.parts[1]) {
			return reading{ours: string(answer), theirs: "no", accepted: []string{"no-digits"}}
		}
		read := reading{ours: string(answer), theirs: p.theirs.(string)}
		if read.ours == "no" && read.theirs == "yes" && max(len(p.parts[0]), len(p.parts[1])) > longestQuantity {
			return reading{accepted: []string{"long-quantity"}}
		}
		return read
	},
}

// QUANTITY_BYTES_MAX of base/quantity.c
const longestQuantity = 64

// Kubernetes' code takes time and memory in proportion to such an exponent.
var largeExponent = regexp.MustCompile(`[eE][-+]?0*[1-9][0-9]{3}`)

// A digit of the amount.
var digit = regexp.MustCompile(`^[-+]?\.?[0-9]`)

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

var suffixes = []string{"", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}

func digits(r *rand.Rand, most int) string {
	text := strings.Builder{}
	for range r.IntN(most + 1) {
		text.WriteByte(pick(r, []byte("0000123456789")...))
	}
	return text.String()
}

func quantity(r *rand.Rand) string {
	number := pick(r, "1", "2", "5", "10", "100", "128", "250", "500", "512", "1000", "1024", "1500", "2048", digits(r, 20), digits(r, 5))
	if once(r, 3) {
		number += "." + pick(r, "5", "25", "50", "0", "001", digits(r, 12), "")
	}
	suffix := pick(r, suffixes...)
	if once(r, 6) {
		suffix = pick(r, "e", "E") + pick(r, "", "+", "-") + pick(r, "0", "1", "3", "03", "6", "9", "12", "18", "19", "30", digits(r, 2))
	}
	return pick(r, "", "", "", "", "", "-", "+") + number + suffix
}

// The same amount, or almost, in another form.
func respell(r *rand.Rand, text string) string {
	parsed, err := resource.ParseQuantity(text)
	if err != nil {
		return quantity(r)
	}
	switch r.IntN(7) {
	case 0:
		return parsed.String()
	case 1:
		parsed.Format = pick(r, resource.DecimalSI, resource.BinarySI, resource.DecimalExponent)
		return resource.NewQuantity(parsed.Value(), parsed.Format).String()
	case 2:
		return fmt.Sprintf("%dm", parsed.MilliValue())
	case 3:
		return fmt.Sprintf("%d", parsed.Value())
	case 4:
		parsed.Add(resource.MustParse(pick(r, "1n", "1u", "1m", "1", "-1n", "1Ki")))
		return parsed.String()
	case 5:
		return strings.Replace(text, pick(r, "5", "0", "1"), pick(r, "5", "0", "1", ".", "00"), 1)
	default:
		return parsed.AsDec().String()
	}
}

func generateQuantities(r *rand.Rand) [][]byte {
	a := quantity(r)
	b := respell(r, a)
	if once(r, 4) {
		b = quantity(r)
	}
	if once(r, 200) {
		a = strings.Repeat("0", 60+r.IntN(10)) + a
	}
	if once(r, 10) {
		b = mutateBytes(r, b, "+-.0159eEinumkKMGTP x")
	}
	return [][]byte{[]byte(a), []byte(b)}
}

// mutateBytes leaves out, doubles or puts in a few bytes.
func mutateBytes(r *rand.Rand, text, alphabet string) string {
	for range 1 + r.IntN(3) {
		at := r.IntN(len(text) + 1)
		switch {
		case at < len(text) && once(r, 3):
			text = text[:at] + text[at+1:]
		case at < len(text) && once(r, 3):
			text = text[:at] + text[at:at+1] + text[at:]
		default:
			text = text[:at] + string(pick(r, []byte(alphabet)...)) + text[at:]
		}
	}
	return text
}
