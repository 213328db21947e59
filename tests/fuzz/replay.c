/*
 * replay CORPUS [SEEDS...]: runs a fuzz target with every input of CORPUS (corpus.h), and with every file
 * below the folders SEEDS, without libFuzzer.
 *
 * Each input is run as it is, and then damaged: cut off, and with one byte replaced, at places that are the
 * same in every run. A seed is damaged a fixed number of times; inputs of the corpus, which grows, are
 * damaged less often the more there are. An input lies in a block of its exact size, so that the sanitizers
 * see a read past its end.
 */
#include "fuzz.h"

#include "tests/fuzz/corpus.h"

#include <ftw.h>
#include <string.h>

/* Damage to larger files takes long and shows nothing that smaller ones do not. */
#define DAMAGED_BYTES_MAX ((size_t)16 * 1024)
#define DAMAGES_OF_EACH_KIND 40u

/* The damages to all inputs of a corpus together. Fuzzing starts from the same inputs and changes them
 * better. */
#define CORPUS_DAMAGES_MAX 1500u

#define OPEN_FOLDERS_MAX 16

/* nftw() hands no data to its callback, so these are the program's. */
static size_t replayed;
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

static void replay(uint8_t *bytes, size_t size)
{
    run(bytes, size);
    if (size > 0 && size <= DAMAGED_BYTES_MAX)
        run_damaged(bytes, size);
    replayed++;
}

static int replay_seed(const char *path, const struct stat *status, int type, struct FTW *walk)
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
    replay(bytes, size);
    free(bytes);
    return 0;
}

static void count_input(void *count, const char *name, const uint8_t *bytes, size_t size)
{
    (void)name, (void)bytes, (void)size;
    ++*(size_t *)count;
}

static void replay_input(void *data, const char *name, const uint8_t *bytes, size_t size)
{
    (void)data, (void)name;
    uint8_t *copy = malloc(size + 1);
    promise(copy != NULL, "there is memory");
    memcpy(copy, bytes, size);
    replay(copy, size);
    free(copy);
}

static bool replay_corpus(const char *corpus)
{
    size_t count = 0;
    if (!corpus_for_each(corpus, count_input, &count))
        return false;
    size_t share = count ? CORPUS_DAMAGES_MAX / count : 0;
    damages_of_each_kind = share < DAMAGES_OF_EACH_KIND ? share + 1 : DAMAGES_OF_EACH_KIND;
    bool is_replayed = corpus_for_each(corpus, replay_input, NULL);
    damages_of_each_kind = DAMAGES_OF_EACH_KIND;
    return is_replayed;
}

int main(int argc, char **argv)
{
    if (argc > 1 && !replay_corpus(argv[1]))
        return 1;
    for (int i = 2; i < argc; i++) {
        if (nftw(argv[i], replay_seed, OPEN_FOLDERS_MAX, FTW_PHYS) != 0)
            return 1;
    }
    printf("replayed %zu inputs\n", replayed);
    return replayed > 0 ? 0 : 1;
}
