/*
 * heap.h: how the C library keeps freed memory.
 */
#ifndef APPLYGUARD_SYSTEM_HEAP_H
#define APPLYGUARD_SYSTEM_HEAP_H

/*
 * For a program that reads many files and then ends: it keeps the memory that it frees, for the next file.
 * Otherwise the kernel takes back the memory of each large file, and clears it page by page for the next one.
 */
void heap_keep_freed(void);

#endif
