/*
 * mutate_json: changes JSON as a tree, where changing its bytes would mostly make it no JSON.
 *
 * Linked to the libFuzzer programs whose input is JSON. One mutation in eight is libFuzzer's own, of bytes.
 * In a base64 text, the decoded bytes are changed: PEM as mutate_pem.h has it.
 */
#include "base/array_size.h"
#include "tests/fuzz/mutate_pem.h"

#include <openssl/evp.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#define SLOTS_MAX 8192
#define CHANGES_MAX 4
#define STRING_BYTES_MAX 512

/* Certificates and keys, and what becomes of them. */
#define BASE64_BYTES_MAX ((size_t)8192)

/* libFuzzer's own name and type. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* A place in the tree where a value stands. */
struct slot {
    yyjson_mut_val *parent;
    yyjson_mut_val *key; /* NULL: an item of a list */
    yyjson_mut_val *value;
};

struct tree {
    yyjson_mut_doc *document;
    uint64_t random;
    struct slot slots[SLOTS_MAX];
    size_t count;
};

/* A step of Knuth's generator (MMIX). */
static size_t random_below(struct tree *tree, size_t bound)
{
    tree->random = tree->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(tree->random >> 33) % bound;
}

static void collect(struct tree *tree, yyjson_mut_val *parent, unsigned depth)
{
    yyjson_mut_val *key = NULL, *value;
    size_t index, count;
    if (depth == 0 || tree->count == SLOTS_MAX)
        return;
    if (yyjson_mut_is_arr(parent)) {
        yyjson_mut_arr_foreach(parent, index, count, value)
        {
            if (tree->count < SLOTS_MAX)
                tree->slots[tree->count++] = (struct slot){parent, NULL, value};
            collect(tree, value, depth - 1);
        }
        return;
    }
    yyjson_mut_obj_foreach(parent, index, count, key, value)
    {
        if (tree->count < SLOTS_MAX)
            tree->slots[tree->count++] = (struct slot){parent, key, value};
        collect(tree, value, depth - 1);
    }
}

static struct slot *any_slot(struct tree *tree)
{
    return &tree->slots[random_below(tree, tree->count)];
}

/* The value stays where it is in its container, and becomes another. */
static void become(yyjson_mut_val *value, const yyjson_mut_val *other)
{
    if (!other)
        return;
    value->tag = other->tag;
    value->uni = other->uni;
}

static yyjson_mut_val *copy_of(struct tree *tree, yyjson_mut_val *value)
{
    return yyjson_mut_val_mut_copy(tree->document, value);
}

static void drop(struct tree *tree, struct slot *slot)
{
    (void)tree;
    if (!slot->key) {
        yyjson_mut_arr_iter items = yyjson_mut_arr_iter_with(slot->parent);
        while (yyjson_mut_arr_iter_has_next(&items)) {
            if (yyjson_mut_arr_iter_next(&items) == slot->value)
                yyjson_mut_arr_iter_remove(&items);
        }
        return;
    }
    yyjson_mut_obj_iter members = yyjson_mut_obj_iter_with(slot->parent);
    while (yyjson_mut_obj_iter_has_next(&members)) {
        if (yyjson_mut_obj_iter_next(&members) == slot->key)
            yyjson_mut_obj_iter_remove(&members);
    }
}

static yyjson_mut_val *sample(struct tree *tree)
{
    yyjson_mut_doc *document = tree->document;
    switch (random_below(tree, 9)) {
    case 0:
        return yyjson_mut_null(document);
    case 1:
        return yyjson_mut_bool(document, random_below(tree, 2));
    case 2:
        return yyjson_mut_int(document, (int64_t)random_below(tree, 100) - 50);
    case 3:
        return yyjson_mut_real(document, 1e300);
    case 4:
        return yyjson_mut_arr(document);
    case 5:
        return yyjson_mut_obj(document);
    case 6:
        return yyjson_mut_uint(document, UINT64_MAX);
    default:
        return yyjson_mut_str(document, "");
    }
}

static void retype(struct tree *tree, struct slot *slot)
{
    become(slot->value, sample(tree));
}

static void duplicate(struct tree *tree, struct slot *slot)
{
    if (slot->key)
        yyjson_mut_obj_add(slot->parent, copy_of(tree, slot->key), copy_of(tree, slot->value));
    else
        yyjson_mut_arr_append(slot->parent, copy_of(tree, slot->value));
}

static void swap(struct tree *tree, struct slot *slot)
{
    struct slot *other = any_slot(tree);
    yyjson_mut_val *first = copy_of(tree, slot->value), *second = copy_of(tree, other->value);
    become(slot->value, second);
    become(other->value, first);
}

static bool same_key(const struct slot *a, const struct slot *b)
{
    return a->key && b->key &&
        yyjson_mut_equals_strn(a->key, yyjson_mut_get_str(b->key), yyjson_mut_get_len(b->key));
}

/* Takes the value of another place of the same name: of another manager, of the other object. */
static void take_namesake(struct tree *tree, struct slot *slot)
{
    for (size_t tries = 0; tries < 200; tries++) {
        struct slot *other = any_slot(tree);
        if (other != slot && same_key(slot, other)) {
            become(slot->value, copy_of(tree, other->value));
            return;
        }
    }
}

/* An entry of managedFields, a container, a field of FieldsV1: any other value goes to another container.
 */
static void move(struct tree *tree, struct slot *slot)
{
    struct slot *other = any_slot(tree);
    yyjson_mut_val *value = copy_of(tree, slot->value);
    yyjson_mut_val *key = slot->key ? copy_of(tree, slot->key) : NULL;
    if (random_below(tree, 2))
        drop(tree, slot);
    if (yyjson_mut_is_arr(other->value))
        yyjson_mut_arr_append(other->value, value);
    else if (key && yyjson_mut_is_obj(other->value))
        yyjson_mut_obj_add(other->value, key, value);
}

/* The last item of a list becomes the first, or the last member the first. */
static void rotate(struct tree *tree, struct slot *slot)
{
    if (yyjson_mut_is_arr(slot->value) && yyjson_mut_arr_size(slot->value) > 1)
        yyjson_mut_arr_rotate(slot->value, 1 + random_below(tree, yyjson_mut_arr_size(slot->value) - 1));
    else if (yyjson_mut_is_obj(slot->value) && yyjson_mut_obj_size(slot->value) > 1)
        yyjson_mut_obj_rotate(slot->value, 1 + random_below(tree, yyjson_mut_obj_size(slot->value) - 1));
}

static yyjson_mut_val *mutated_string(struct tree *tree, yyjson_mut_val *string)
{
    uint8_t bytes[STRING_BYTES_MAX];
    size_t length = yyjson_mut_get_len(string);
    if (length > sizeof(bytes) / 2)
        return NULL;
    if (length)
        memcpy(bytes, yyjson_mut_get_str(string), length);
    length = LLVMFuzzerMutate(bytes, length, sizeof(bytes));
    return yyjson_mut_strncpy(tree->document, (const char *)bytes, length);
}

/* NULL: it is no base64 of some length. */
static yyjson_mut_val *mutated_base64(struct tree *tree, yyjson_mut_val *string)
{
    uint8_t bytes[BASE64_BYTES_MAX];
    char text[BASE64_BYTES_MAX / 3 * 4 + 8];
    size_t length = yyjson_mut_get_len(string);
    if (length < 64 || length % 4 != 0 || length / 4 * 3 > sizeof(bytes))
        return NULL;
    int decoded = EVP_DecodeBlock(bytes, (const uint8_t *)yyjson_mut_get_str(string), (int)length);
    if (decoded < 0)
        return NULL;
    size_t mutated =
        mutate_pem(bytes, (size_t)decoded, sizeof(bytes), (unsigned)random_below(tree, 1u << 30));
    int encoded = EVP_EncodeBlock((uint8_t *)text, bytes, (int)mutated);
    return yyjson_mut_strncpy(tree->document, text, (size_t)encoded);
}

static yyjson_mut_val *known_string(struct tree *tree)
{
    static const char *const words[] = {
        "Apply",
        "Update",
        "CREATE",
        "UPDATE",
        "DELETE",
        "status",
        "scale",
        "kubectl",
        "kubectl-edit",
        "kubectl-client-side-apply",
        "kubectl-last-applied",
        "helm",
        "ci-x",
        "before-first-apply",
        "FieldsV1",
        "apps/v1",
        "apps/v1beta1",
        "v1",
        "2026-01-01T00:00:09Z",
        "Secret",
        "Deployment",
        "StatefulSet",
        "extensions",
        "explicit-strategy,ownership-conflict",
        "\xe2\x80\xae",
        "\n",
        "\x1b[31m",
        "null",
        "[]",
        "{}",
        "{\"spec\":{\"replicas\":1}}",
        "Status",
        "2026-01-01T00:00:09.5+01:00",
        "client.authentication.k8s.io/v1beta1"};
    return yyjson_mut_str(tree->document, words[random_below(tree, ARRAY_SIZE(words))]);
}

static void respell(struct tree *tree, struct slot *slot)
{
    yyjson_mut_val *base64 = NULL;
    if (!yyjson_mut_is_str(slot->value))
        become(slot->value, known_string(tree));
    else if (random_below(tree, 8) && (base64 = mutated_base64(tree, slot->value)))
        become(slot->value, base64);
    else
        become(slot->value, random_below(tree, 2) ? known_string(tree) : mutated_string(tree, slot->value));
}

/* Keys of FieldsV1 are a language of their own. */
static void rename_key(struct tree *tree, struct slot *slot)
{
    static const char *const keys[] = {
        ".",
        "f:",
        "f:spec",
        "f:metadata",
        "f:name",
        "k:{}",
        "k:{\"name\":\"nginx\"}",
        "k:{\"name\":1}",
        "k:{\"containerPort\":80,\"protocol\":\"TCP\"}",
        "k:[]",
        "k:",
        "v:\"a\"",
        "v:1",
        "v:1.0",
        "v:null",
        "v:{",
        "i:0",
        "i:9999999999",
        "x:y",
        "f",
        "",
        "metadata",
        "spec",
        "annotations",
        "applyguard.io/waive",
        "kubectl.kubernetes.io/last-applied-configuration"};
    if (!slot->key)
        return;
    struct slot *other = any_slot(tree);
    switch (random_below(tree, 3)) {
    case 0:
        become(slot->key, yyjson_mut_str(tree->document, keys[random_below(tree, ARRAY_SIZE(keys))]));
        break;
    case 1:
        become(slot->key, other->key);
        break;
    default:
        become(slot->key, mutated_string(tree, slot->key));
    }
}

static void change(struct tree *tree)
{
    static void (*const changes[])(struct tree * tree, struct slot * slot) = {
        drop, retype, duplicate, swap,    take_namesake, take_namesake,
        move, rotate, respell,   respell, rename_key,    rename_key};
    tree->count = 0;
    collect(tree, yyjson_mut_doc_get_root(tree->document), 64);
    if (tree->count)
        changes[random_below(tree, ARRAY_SIZE(changes))](tree, any_slot(tree));
}

/* Whether it fits; then it has replaced the bytes in `data`. */
static bool write_into(struct tree *tree, uint8_t *data, size_t max_size, size_t *size)
{
    size_t length = 0;
    char *json = yyjson_mut_write(tree->document, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &length);
    bool fits = json && length <= max_size;
    if (fits) {
        memcpy(data, json, length);
        *size = length;
    }
    free(json);
    return fits;
}

static bool mutate_tree(struct tree *tree, uint8_t *data, size_t *size, size_t max_size)
{
    yyjson_doc *document = yyjson_read((const char *)data, *size, YYJSON_READ_NOFLAG);
    tree->document = document ? yyjson_doc_mut_copy(document, NULL) : NULL;
    yyjson_doc_free(document);
    if (!tree->document)
        return false;
    for (size_t left = 1 + random_below(tree, CHANGES_MAX); left; left--)
        change(tree);
    bool written = write_into(tree, data, max_size, size);
    yyjson_mut_doc_free(tree->document);
    return written;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct tree *tree = malloc(sizeof(*tree));
    bool mutated = false;
    if (tree) {
        *tree = (struct tree){.random = seed};
        mutated = random_below(tree, 8) && mutate_tree(tree, data, &size, max_size);
    }
    free(tree);
    return mutated ? size : LLVMFuzzerMutate(data, size, max_size);
}
