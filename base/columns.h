/*
 * columns.h: how many columns of a terminal a character takes.
 */
#ifndef APPLYGUARD_BASE_COLUMNS_H
#define APPLYGUARD_BASE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

/* 0 for a combining mark, 2 for a wide character, or 1. The character is printable. Needs no locale. */
size_t columns_of(int32_t character);

#endif
