/*
 * number.h: numbers as Go's strconv and encoding/json read and write them.
 */
#ifndef APPLYGUARD_MANIFEST_NUMBER_H
#define APPLYGUARD_MANIFEST_NUMBER_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The longest text of number_format. */
#define NUMBER_TEXT_MAX 32

/*
 * Parses at least one digit of `base` (2 to 16). Returns false for other text, or a number of more than 64
 * bits.
 */
bool number_parse_digits(struct slice digits, unsigned base, uint64_t *number);

/* strconv.ParseInt with base 10. */
bool number_parse_integer(struct slice text, int64_t *number);

/*
 * strconv.ParseFloat of text that matches [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?. Returns false
 * for other text, a number out of range, or if memory runs out.
 */
bool number_parse_real(struct slice text, struct arena *arena, double *number);

/* As encoding/json writes a float64, which must be finite. Returns the length; 0 if memory runs out. */
size_t number_format(double number, struct arena *arena, char text[NUMBER_TEXT_MAX]);

/* Appends the number in this form. */
void number_append(struct text *text, double number);

/* strconv.FormatFloat(number, 'g', -1, 32): the form in which sigs.k8s.io/yaml turns a number into a key. */
size_t number_format_key(double number, char text[NUMBER_TEXT_MAX]);

#endif
