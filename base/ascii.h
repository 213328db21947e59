/*
 * ascii.h: what kind of character a byte is, and its lower case, in any locale.
 */
#ifndef APPLYGUARD_BASE_ASCII_H
#define APPLYGUARD_BASE_ASCII_H

#include <stdbool.h>

static inline bool ascii_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static inline bool ascii_is_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

static inline bool ascii_is_letter(char byte)
{
    return ascii_is_lower((char)(byte | 0x20));
}

static inline bool ascii_is_alphanumeric(char byte)
{
    return ascii_is_letter(byte) || ascii_is_digit(byte);
}

/* As names of Kubernetes have them. */
static inline bool ascii_is_lower_alphanumeric(char byte)
{
    return ascii_is_lower(byte) || ascii_is_digit(byte);
}

/* Lower case for A to Z; other bytes unchanged. */
static inline char ascii_to_lower(char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte;
}

/* A space, a tab or a line break. */
static inline bool ascii_is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* The value of a hexadecimal digit; 16: it is none. */
static inline unsigned ascii_hex_value(char byte)
{
    char lower = (char)(byte | 0x20);
    if (ascii_is_digit(byte))
        return (unsigned)(byte - '0');
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10 : 16;
}

#endif
