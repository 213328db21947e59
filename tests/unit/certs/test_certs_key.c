/* Keys come back from their text, and leave no trace in memory. */
#include "base/array_size.h"
#include "certs/memory.h"
#include "tests/unit/certs/certs_fixture.h"

#include <errno.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <string.h>
#include <unistd.h>

/* PKCS#8 text, which openssl(1) reads and which reads back as the same key. */
static void a_key_survives_its_text(enum key_kind kind, const char *expected)
{
    struct error error = {0};
    struct secret pem;
    char output[4096];
    EVP_PKEY *key = key_generate(kind, &error);
    assert_non_null(key);
    assert_int_equal(key_print(key, &pem, &error), 0);
    assert_memory_equal(pem.bytes, "-----BEGIN PRIVATE KEY-----\n", 28);
    EVP_PKEY *again = key_parse((struct slice){pem.bytes, pem.length}, &error);
    assert_non_null(again);
    assert_int_equal(EVP_PKEY_eq(key, again), 1);
    FILE *file = fopen("tls.key", "w");
    assert_int_equal(fwrite(pem.bytes, 1, pem.length, file), pem.length);
    fclose(file);
    assert_int_equal(run_command("openssl pkey -in tls.key -check -noout -text", output, sizeof(output)), 0);
    assert_non_null(strstr(output, "Key is valid"));
    assert_non_null(strstr(output, expected));
    secret_free(&pem);
    assert_null(pem.bytes);
    EVP_PKEY_free(key);
    EVP_PKEY_free(again);
}

static void elliptic_curve_keys(void **state)
{
    (void)state;
    a_key_survives_its_text(KEY_EC_P256, "NIST CURVE: P-256");
}

static void rsa_keys(void **state)
{
    (void)state;
    a_key_survives_its_text(KEY_RSA_2048, "2048 bit");
}

/* Text that is not a key, and a key with a passphrase, are refused with advice.
 */
static void what_is_no_key(void **state)
{
    (void)state;
    char encrypted[4096];
    assert_int_equal(
        run_command(
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:secret "
            "2>/dev/null",
            encrypted, sizeof(encrypted)),
        0);
    assert_non_null(strstr(encrypted, "ENCRYPTED"));
    const char *const texts[] = {
        "", "x", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n", encrypted};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        struct error error = {0};
        assert_null(key_parse(slice_of(texts[i]), &error));
        assert_non_null(strstr(error.message, "passphrase"));
        assert_int_equal(ERR_peek_error(), 0);
    }
}

/*
 * Where in this process' writable memory the bytes are that `mask` hides in `needle`: an array that held them
 * openly would find itself.
 */
static size_t find_in_memory(const unsigned char *needle, size_t length, unsigned char mask)
{
    size_t found = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof(line), maps)) {
        unsigned long begin, end;
        char mode[8];
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, mode) != 3 || mode[0] != 'r' || mode[1] != 'w' ||
            strstr(line, "[v"))
            continue;
        const unsigned char *bytes = (const unsigned char *)begin; // NOLINT: all of memory is the subject
        for (size_t at = 0; at + length <= end - begin; at++) {
            size_t same = 0;
            while (same < length && bytes[at + same] == (unsigned char)(needle[same] ^ mask))
                same++;
            found += same == length;
        }
    }
    fclose(maps);
    return found;
}

static bool memory_can_be_searched(void)
{
#if defined(__SANITIZE_ADDRESS__)
    return false; /* its allocator quarantines, and its shadow is terabytes */
#else
    /* valgrind reports reads outside of blocks; what it preloads shows that it is there. */
    const char *preloaded = getenv("LD_PRELOAD");
    return !preloaded || !strstr(preloaded, "vgpreload");
#endif
}

#define MASK 0x5a
#define PIECE 24

/*
 * Makes a key, writes it down, reads it back and frees all that. `scalar` and `piece` get, masked, the
 * private number and a part of the text's base64.
 */
static void use_a_key(unsigned char scalar[PIECE], unsigned char piece[PIECE])
{
    struct error error = {0};
    struct secret pem;
    unsigned char number[32];
    BIGNUM *private_number = NULL;
    EVP_PKEY *key = key_generate(KEY_EC_P256, &error);
    assert_int_equal(key_print(key, &pem, &error), 0);
    EVP_PKEY *again = key_parse((struct slice){pem.bytes, pem.length}, &error);
    assert_int_equal(EVP_PKEY_get_bn_param(again, OSSL_PKEY_PARAM_PRIV_KEY, &private_number), 1);
    BN_bn2binpad(private_number, number, sizeof(number));
    for (size_t i = 0; i < PIECE; i++) {
        scalar[i] = number[i] ^ MASK;
        piece[i] = (unsigned char)pem.bytes[28 + 70 + i] ^ MASK;
    }
    OPENSSL_cleanse(number, sizeof(number));
    BN_clear_free(private_number);
    secret_free(&pem);
    EVP_PKEY_free(key);
    EVP_PKEY_free(again);
}

/* After a key was used and freed, neither its number nor its text is anywhere in memory. */
static void no_trace_is_left(void **state)
{
    (void)state;
    if (!memory_can_be_searched())
        skip();
    static unsigned char scalar[PIECE], piece[PIECE], known[PIECE];
    for (size_t i = 0; i < PIECE; i++)
        known[i] = (unsigned char)(i * 7 + 1);
    volatile unsigned char *planted = malloc(PIECE);
    for (size_t i = 0; i < PIECE; i++)
        planted[i] = known[i] ^ MASK;
    assert_true(find_in_memory(known, PIECE, MASK) >= 1);
    free((void *)(uintptr_t)planted);
    use_a_key(scalar, piece);
    assert_int_equal(find_in_memory(scalar, PIECE, MASK), 0);
    assert_int_equal(find_in_memory(piece, PIECE, MASK), 0);
}

/* A block that grows keeps its bytes, at any size. */
static void large_blocks_grow(void **state)
{
    (void)state;
    for (size_t size = 16; size < (1 << 20); size *= 8) {
        unsigned char *block = OPENSSL_malloc(size);
        for (size_t i = 0; i < size; i++)
            block[i] = (unsigned char)(i * 31);
        block = OPENSSL_realloc(block, 2 * size);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], (unsigned char)(i * 31));
        OPENSSL_free(block);
    }
    void *none = OPENSSL_realloc(NULL, 16);
    assert_non_null(none);
    assert_null(OPENSSL_realloc(none, 0));
}

/* A file is read whole, also one that is longer than the first piece of memory, or it is refused. */
static void files_are_read_whole(void **state)
{
    (void)state;
    static char bytes[70000];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 31 / 7);
    for (size_t size = 0; size <= sizeof(bytes); size += 3500) {
        FILE *file = tmpfile();
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        fflush(file);
        struct secret content;
        assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
        assert_int_equal(secret_read(fileno(file), size, &content), 0);
        assert_int_equal(content.length, size);
        if (size)
            assert_memory_equal(content.bytes, bytes, size);
        secret_free(&content);
        assert_int_equal(lseek(fileno(file), 0, SEEK_SET), 0);
        assert_int_equal(secret_read(fileno(file), size ? size - 1 : 0, &content), size ? EFBIG : 0);
        secret_free(&content);
        fclose(file);
    }
}

int main(void)
{
    if (!memory_protect())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elliptic_curve_keys, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(rsa_keys, enter_directory, leave_directory),
        cmocka_unit_test(what_is_no_key),
        cmocka_unit_test(large_blocks_grow),
        cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(no_trace_is_left),
    };
    return cmocka_run_group_tests_name("certs key", tests, NULL, NULL);
}
