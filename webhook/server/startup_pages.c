#include "webhook/server/startup_pages.h"

#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Relocated code is no copy of its file, and would be lost. */
static bool is_relocated(const struct dl_phdr_info *object)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
                return true;
    }
    return false;
}

/* Only what nobody may write is as it is in the file. */
static int release(struct dl_phdr_info *object, size_t size, void *data)
{
    (void)size, (void)data;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; !is_relocated(object) && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
            continue;
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) / page * page;
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void startup_pages_release(void)
{
    dl_iterate_phdr(release, NULL);
}
