/*
 * replay CORPUS [SEEDS...]: runs a fuzz target over every file below these folders, without libFuzzer.
 *
 * Each file goes in as it is, and then damaged: cut off, and with one byte replaced, at places that are the
 * same in every run. Seeds are damaged as often as there is something to see; of a corpus, which grows, each
 * file the less often the more there are. What is read lies in a block of its very size, so that reading past
 * it is seen.
 */
#include "fuzz.h"

#include <ftw.h>
#include <string.h>

/* Damage to larger files takes long and shows nothing that smaller ones do not. */
#define DAMAGED_BYTES_MAX ((size_t)16 * 1024)
#define DAMAGES_OF_EACH_KIND 100u

/* Of all files of a corpus together. Fuzzing starts from them too, and changes them with more skill. */
#define CORPUS_DAMAGES_MAX 1500u

#define OPEN_FOLDERS_MAX 16

/* nftw hands nothing to its callbacks, so these are the program's. */
static size_t replayed;
static size_t counted;
static size_t damages_of_each_kind = DAMAGES_OF_EACH_KIND;

static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    promise(copy != NULL, "there is memory");
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* A step of Knuth's generator (MMIX): good enough to spread places and bytes. */
static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void run_damaged(uint8_t *bytes, size_t size)
{
    static const uint8_t likely[] = "\0\"\\{}[]:,0-~\x80\xff";
    uint64_t state = size;
    for (size_t i = 0; i < damages_of_each_kind; i++) {
        run(bytes, next_random(&state) % size);
        uint8_t *place = &bytes[next_random(&state) % size];
        uint8_t kept = *place;
        *place = likely[next_random(&state) % (sizeof(likely) - 1)];
        run(bytes, size);
        *place = kept;
    }
}

static int replay(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)walk;
    if (type != FTW_F)
        return 0;
    size_t size = (size_t)status->st_size;
    uint8_t *bytes = malloc(size + 1);
    FILE *file = fopen(path, "re");
    if (!bytes || !file || fread(bytes, 1, size, file) != size) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        return 1;
    }
    fclose(file);
    run(bytes, size);
    if (size > 0 && size <= DAMAGED_BYTES_MAX)
        run_damaged(bytes, size);
    free(bytes);
    replayed++;
    return 0;
}

static int count(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)path, (void)status, (void)walk;
    counted += type == FTW_F;
    return 0;
}

static int replay_corpus(const char *folder)
{
    if (nftw(folder, count, OPEN_FOLDERS_MAX, FTW_PHYS) != 0)
        return 1;
    size_t share = counted ? CORPUS_DAMAGES_MAX / counted : 0;
    damages_of_each_kind = share < DAMAGES_OF_EACH_KIND ? share + 1 : DAMAGES_OF_EACH_KIND;
    int status = nftw(folder, replay, OPEN_FOLDERS_MAX, FTW_PHYS);
    damages_of_each_kind = DAMAGES_OF_EACH_KIND;
    return status;
}

int main(int argc, char **argv)
{
    if (argc > 1 && replay_corpus(argv[1]) != 0)
        return 1;
    for (int i = 2; i < argc; i++) {
        if (nftw(argv[i], replay, OPEN_FOLDERS_MAX, FTW_PHYS) != 0)
            return 1;
    }
    printf("replayed %zu files\n", replayed);
    return replayed > 0 ? 0 : 1;
}
