/* In a fuzz target every block of an arena is one of the system's own, so that sanitizers see its ends. */
#include "tests/torture/block_arena.h"
