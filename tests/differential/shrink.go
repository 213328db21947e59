package main

// Attempts to make one case smaller: enough for a screenful, and an end for cases that are slow to judge.
const attemptsMax = 4000

// shrink returns the parts with everything left out without which they still differ.
func shrink(parts [][]byte, differs func([][]byte) bool) [][]byte {
	attempts := 0
	try := func(index int, shorter []byte) bool {
		if attempts++; attempts > attemptsMax {
			return false
		}
		changed := append([][]byte(nil), parts...)
		changed[index] = shorter
		if !differs(changed) {
			return false
		}
		parts = changed
		return true
	}
	for isSmaller := true; isSmaller && attempts <= attemptsMax; {
		isSmaller = false
		for index := range parts {
			isSmaller = shrinkJSON(parts[index], func(shorter []byte) bool { return try(index, shorter) }) || isSmaller
			isSmaller = shrinkBytes(parts[index], func(shorter []byte) bool { return try(index, shorter) }) || isSmaller
		}
	}
	return parts
}

func without(text []byte, from, to int) []byte {
	return append(append(make([]byte, 0, len(text)), text[:from]...), text[to:]...)
}

// shrinkBytes leaves out ever smaller pieces.
func shrinkBytes(text []byte, try func([]byte) bool) bool {
	isSmaller := false
	for size := len(text); size > 0; size /= 2 {
		for from := 0; from+size <= len(text); {
			if shorter := without(text, from, from+size); try(shorter) {
				text, isSmaller = shorter, true
			} else {
				from += size
			}
		}
	}
	return isSmaller
}

// shrinkJSON leaves out members and items, the largest first.
func shrinkJSON(text []byte, try func([]byte) bool) bool {
	isSmaller := false
	for from := 0; from < len(text); from++ {
		if text[from] != '{' && text[from] != '[' && text[from] != ',' {
			continue
		}
		// With the comma before it, or the one behind it.
		to := endOfItem(text, from+1)
		start := from
		if text[from] != ',' {
			start++
			if to < len(text) && text[to] == ',' {
				to++
			}
		}
		if shorter := without(text, start, to); to > start && try(shorter) {
			text, isSmaller = shorter, true
			from--
		}
	}
	return isSmaller
}

// endOfItem is where the comma or bracket stands that ends what begins at from.
func endOfItem(text []byte, from int) int {
	depth, isQuoted := 0, false
	for i := from; i < len(text); i++ {
		switch {
		case isQuoted && text[i] == '\\':
			i++
		case text[i] == '"':
			isQuoted = !isQuoted
		case isQuoted:
		case text[i] == '{' || text[i] == '[':
			depth++
		case (text[i] == '}' || text[i] == ']' || text[i] == ',') && depth == 0:
			return i
		case text[i] == '}' || text[i] == ']':
			depth--
		}
	}
	return len(text)
}
