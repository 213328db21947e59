#include "tests/fuzz/mutate_pem.h"

#include "base/array_size.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <stdbool.h>
#include <string.h>

#define BLOCKS_MAX 16
#define DER_BYTES_MAX ((size_t)8192)

struct block {
    char *name;
    char *header;
    unsigned char *der;
    long length;
};

struct blocks {
    struct block items[BLOCKS_MAX];
    size_t count;
};

static void read_blocks(struct blocks *blocks, const uint8_t *data, size_t size)
{
    BIO *bio = BIO_new_mem_buf(data, (int)size);
    struct block block;
    while (bio && blocks->count < BLOCKS_MAX &&
           PEM_read_bio(bio, &block.name, &block.header, &block.der, &block.length) == 1)
        blocks->items[blocks->count++] = block;
    BIO_free(bio);
    ERR_clear_error();
}

static void free_blocks(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->count; i++) {
        OPENSSL_free(blocks->items[i].name);
        OPENSSL_free(blocks->items[i].header);
        OPENSSL_free(blocks->items[i].der);
    }
}

static void mutate_der(struct block *block)
{
    uint8_t bytes[DER_BYTES_MAX];
    size_t length = (size_t)block->length;
    if (length > sizeof(bytes) / 2)
        return;
    memcpy(bytes, block->der, length);
    length = LLVMFuzzerMutate(bytes, length, length + 64);
    unsigned char *der = length ? OPENSSL_memdup(bytes, length) : NULL;
    if (!der)
        return;
    OPENSSL_free(block->der);
    block->der = der;
    block->length = (long)length;
}

static void rename_block(struct block *block, unsigned seed)
{
    static const char *const names[] = {"CERTIFICATE",        "TRUSTED CERTIFICATE", "X509 CERTIFICATE",
                                        "PRIVATE KEY",        "EC PRIVATE KEY",      "RSA PRIVATE KEY",
                                        "EC PARAMETERS",      "PUBLIC KEY",          "ENCRYPTED PRIVATE KEY",
                                        "CERTIFICATE REQUEST"};
    char *name = OPENSSL_strdup(names[seed % ARRAY_SIZE(names)]);
    if (!name)
        return;
    OPENSSL_free(block->name);
    block->name = name;
}

static bool write_block(BIO *bio, const struct block *block)
{
    return PEM_write_bio(bio, block->name, block->header, block->der, block->length) > 0;
}

/* `left_out`: none where it is the count; The same holds for `repeated`. Returns the size, 0 if it does not
 * fit. */
static size_t write_blocks(
    const struct blocks *blocks, size_t left_out, size_t repeated, uint8_t *data, size_t max_size)
{
    BIO *bio = BIO_new(BIO_s_mem());
    bool done = bio != NULL;
    for (size_t i = 0; done && i < blocks->count; i++) {
        if (i != left_out)
            done = write_block(bio, &blocks->items[i]);
        if (done && i == repeated)
            done = write_block(bio, &blocks->items[i]);
    }
    char *text = NULL;
    long length = done ? BIO_get_mem_data(bio, &text) : 0;
    bool fits = length > 0 && (size_t)length <= max_size;
    if (fits)
        memcpy(data, text, (size_t)length);
    BIO_free(bio);
    ERR_clear_error();
    return fits ? (size_t)length : 0;
}

static size_t mutate_blocks(struct blocks *blocks, unsigned seed, uint8_t *data, size_t max_size)
{
    size_t chosen = seed / 16 % blocks->count, none = blocks->count;
    switch (seed % 16) {
    case 0:
        return write_blocks(blocks, chosen, none, data, max_size);
    case 1:
        return write_blocks(blocks, none, chosen, data, max_size);
    case 2: {
        struct block first = blocks->items[0];
        blocks->items[0] = blocks->items[chosen];
        blocks->items[chosen] = first;
        break;
    }
    case 3:
        rename_block(&blocks->items[chosen], seed / 256);
        break;
    default:
        mutate_der(&blocks->items[chosen]);
    }
    return write_blocks(blocks, none, none, data, max_size);
}

size_t mutate_pem(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct blocks blocks = {.count = 0};
    size_t mutated = 0;
    if (seed % 8)
        read_blocks(&blocks, data, size);
    if (blocks.count)
        mutated = mutate_blocks(&blocks, seed / 8, data, max_size);
    free_blocks(&blocks);
    return mutated ? mutated : LLVMFuzzerMutate(data, size, max_size);
}
