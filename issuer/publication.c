#include "issuer/publication.h"

#include "base/json_each.h"
#include "certs/bundle.h"
#include "certs/certificate.h"
#include "certs/secret_base64.h"
#include "kube/cleansing.h"

#include <yyjson.h>

static yyjson_doc *parse(struct slice json)
{
    return yyjson_read_opts((char *)(uintptr_t)json.bytes, json.length, 0, &cleansing_allocator, NULL);
}

static bool has_bundle(yyjson_val *webhook, struct slice bundle)
{
    yyjson_val *present = yyjson_obj_get(yyjson_obj_get(webhook, "clientConfig"), "caBundle");
    return yyjson_is_str(present) && yyjson_equals_strn(present, bundle.bytes, bundle.length);
}

enum publication publication_check(struct slice json, struct slice bundle)
{
    yyjson_doc *document = parse(json);
    yyjson_val *webhooks = yyjson_obj_get(yyjson_doc_get_root(document), "webhooks");
    enum publication result = yyjson_arr_size(webhooks) ? PUBLICATION_DONE : PUBLICATION_WRONG;
    json_each_item(webhook, webhooks)
        if (!has_bundle(webhook, bundle))
            result = PUBLICATION_DUE;
    yyjson_doc_free(document);
    return result;
}

/* The authorities that the webhook's callers trust; NULL if that is nothing. */
static STACK_OF(X509) * bundle_of(yyjson_val *webhook)
{
    yyjson_val *present = yyjson_obj_get(yyjson_obj_get(webhook, "clientConfig"), "caBundle");
    struct slice text = {yyjson_get_str(present), yyjson_get_len(present)};
    struct secret pem = {0};
    if (!yyjson_is_str(present) || !secret_base64_decode(text, &pem))
        return NULL;
    STACK_OF(X509) *trusted = bundle_parse(secret_slice(&pem), NULL);
    secret_free(&pem);
    return trusted;
}

static bool holds(yyjson_val *webhook, const X509 *authority)
{
    STACK_OF(X509) *trusted = bundle_of(webhook);
    bool is_held = false;
    for (int i = 0; trusted && !is_held && i < sk_X509_num(trusted); i++)
        is_held = X509_cmp(sk_X509_value(trusted, i), authority) == 0;
    bundle_free(trusted);
    return is_held;
}

bool publication_trusts(struct slice json, const X509 *authority)
{
    yyjson_doc *document = parse(json);
    yyjson_val *webhooks = yyjson_obj_get(yyjson_doc_get_root(document), "webhooks");
    bool all_hold = yyjson_arr_size(webhooks) > 0;
    json_each_item(webhook, webhooks)
        all_hold = all_hold && holds(webhook, authority);
    yyjson_doc_free(document);
    return all_hold;
}

X509 *publication_newest(struct slice json, int64_t now)
{
    yyjson_doc *document = parse(json);
    yyjson_val *webhooks = yyjson_obj_get(yyjson_doc_get_root(document), "webhooks");
    STACK_OF(X509) *trusted = bundle_of(yyjson_arr_get_first(webhooks));
    X509 *newest = NULL;
    int64_t newest_start = INT64_MIN;
    for (int i = 0; trusted && i < sk_X509_num(trusted); i++) {
        struct validity validity;
        X509 *each = sk_X509_value(trusted, i);
        if (!validity_of(each, &validity) || !validity_covers(validity, now) ||
            validity.not_before < newest_start)
            continue;
        newest = each;
        newest_start = validity.not_before;
    }
    if (newest)
        X509_up_ref(newest);
    bundle_free(trusted);
    yyjson_doc_free(document);
    return newest;
}

/* A copy of the member; nothing if it is absent. These return false if memory runs out: what lacks a part
 * would take from the webhooks what it does not name. */
static bool copy_member(yyjson_mut_doc *to, yyjson_mut_val *object, yyjson_val *from, const char *name)
{
    yyjson_val *value = yyjson_obj_get(from, name);
    return !value || yyjson_mut_obj_add_val(to, object, name, yyjson_val_mut_copy(to, value));
}

static bool write_webhooks(yyjson_mut_doc *apply, yyjson_mut_val *list, yyjson_val *from, struct slice bundle)
{
    json_each_item(webhook, from) {
        yyjson_mut_val *copy = yyjson_mut_arr_add_obj(apply, list);
        if (!copy_member(apply, copy, webhook, "name"))
            return false;
        yyjson_mut_val *client = yyjson_mut_obj_add_obj(apply, copy, "clientConfig");
        if (!yyjson_mut_obj_add_strn(apply, client, "caBundle", bundle.bytes, bundle.length))
            return false;
    }
    return true;
}

static bool build(yyjson_mut_doc *apply, yyjson_val *configuration, struct slice bundle)
{
    yyjson_mut_val *root = yyjson_mut_obj(apply);
    yyjson_mut_doc_set_root(apply, root);
    yyjson_val *named = yyjson_obj_get(configuration, "metadata");
    bool done = copy_member(apply, root, configuration, "apiVersion") &&
        copy_member(apply, root, configuration, "kind");
    yyjson_mut_val *metadata = yyjson_mut_obj_add_obj(apply, root, "metadata");
    done = done && copy_member(apply, metadata, named, "name") && copy_member(apply, metadata, named, "uid");
    yyjson_mut_val *webhooks = yyjson_mut_obj_add_arr(apply, root, "webhooks");
    return done && webhooks &&
        write_webhooks(apply, webhooks, yyjson_obj_get(configuration, "webhooks"), bundle);
}

int publication_write(struct slice json, struct slice bundle, struct secret *apply, struct error *error)
{
    size_t length = 0;
    yyjson_doc *document = parse(json);
    yyjson_mut_doc *built = document ? yyjson_mut_doc_new(&cleansing_allocator) : NULL;
    bool is_whole = built && build(built, yyjson_doc_get_root(document), bundle);
    char *text = is_whole ? yyjson_mut_write_opts(built, 0, &cleansing_allocator, &length, NULL) : NULL;
    *apply = text ? secret_copy(&(struct secret){text, length}) : (struct secret){0};
    cleansing_allocator.free(NULL, text);
    yyjson_mut_doc_free(built);
    yyjson_doc_free(document);
    return apply->bytes ? 0 : error_set_out_of_memory(error);
}
