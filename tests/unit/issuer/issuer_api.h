/*
 * issuer_api.h: as much of an API server as an issuer asks for, in memory: one Secret, which is stored by
 * compare and swap, and ValidatingWebhookConfigurations, to which a caBundle is applied.
 *
 * It holds every request against what a real one takes, and answers as a real one does.
 */
#ifndef APPLYGUARD_TESTS_ISSUER_API_H
#define APPLYGUARD_TESTS_ISSUER_API_H

#include "certs/key.h"
#include "kube/client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include <cmocka.h>

#define API_CONFIGURATIONS 2
#define API_SECRETS "/api/v1/namespaces/prod/secrets"
#define API_SECRET API_SECRETS "/guard-authority"
#define API_HOOKS "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/"

static const char *const api_configuration_names[API_CONFIGURATIONS] = {"guard", "guard-late"};

/* A status other than 0 is what such a call is answered with; 200 is an answer without a body. */
struct api_failures {
    bool unreachable;
    long secret_read;
    long secret_write;
    long configuration_read;
    long configuration_write;
};

/* The calls that were made, and their effects. */
struct api_counts {
    unsigned secret_writes, conflicts, applies;
};

struct api {
    int64_t milliseconds;   /* its clock, since 1970 */
    yyjson_mut_doc *secret; /* NULL: there is none */
    yyjson_mut_doc *configurations[API_CONFIGURATIONS];
    unsigned revision;
    struct api_failures failures;
    struct api_counts counts;
};

static inline yyjson_mut_val *api_at(yyjson_mut_doc *object, const char *pointer)
{
    return yyjson_mut_doc_ptr_get(object, pointer);
}

static inline const char *api_text(yyjson_mut_doc *object, const char *pointer)
{
    return yyjson_mut_get_str(api_at(object, pointer));
}

/* NULL takes the member away. */
static inline void api_set_text(yyjson_mut_doc *object, const char *pointer, const char *text)
{
    yyjson_mut_doc_ptr_remove(object, pointer);
    if (text)
        assert_true(yyjson_mut_doc_ptr_set(object, pointer, yyjson_mut_strcpy(object, text)));
}

static inline void api_set_number(
    yyjson_mut_doc *object, const char *pointer, const char *form, unsigned number)
{
    char text[64];
    snprintf(text, sizeof(text), form, number);
    api_set_text(object, pointer, text);
}

static inline yyjson_mut_doc *api_parse(struct slice json)
{
    yyjson_doc *read = yyjson_read(json.bytes, json.length, 0);
    assert_non_null(read);
    yyjson_mut_doc *object = yyjson_doc_mut_copy(read, NULL);
    yyjson_doc_free(read);
    return object;
}

static inline void api_change(struct api *api, yyjson_mut_doc *object)
{
    api_set_number(object, "/metadata/resourceVersion", "%u", ++api->revision);
}

/*
 * Changes that people make, with kubectl
 */

static inline void api_delete_secret(struct api *api)
{
    yyjson_mut_doc_free(api->secret);
    api->secret = NULL;
}

/* As a POST does it: it has an identity and a version from now on. */
static inline void api_put_secret(struct api *api, const char *json)
{
    api_delete_secret(api);
    api->secret = api_parse(slice_of(json));
    api_set_number(api->secret, "/metadata/uid", "5ec2e7%u", api->revision);
    api_change(api, api->secret);
}

static inline void api_create_configuration(struct api *api, size_t index, const char *json)
{
    yyjson_mut_doc_free(api->configurations[index]);
    api->configurations[index] = api_parse(slice_of(json));
    api_set_text(api->configurations[index], "/metadata/name", api_configuration_names[index]);
    api_set_number(api->configurations[index], "/metadata/uid", "c0f19%u", api->revision);
    api_change(api, api->configurations[index]);
}

static inline void api_delete_configuration(struct api *api, size_t index)
{
    yyjson_mut_doc_free(api->configurations[index]);
    api->configurations[index] = NULL;
}

static inline void api_release(struct api *api)
{
    api_delete_secret(api);
    for (size_t i = 0; i < API_CONFIGURATIONS; i++)
        api_delete_configuration(api, i);
}

/*
 * Answers
 */

static inline void api_answer_text(struct kube_response *response, long status, char *text, size_t length)
{
    assert_non_null(text);
    response->status = status;
    response->body = secret_allocate(length);
    memcpy(response->body.bytes, text, length);
    free(text);
}

static inline void api_answer(struct kube_response *response, long status, yyjson_mut_doc *object)
{
    size_t length;
    char *text = yyjson_mut_write(object, 0, &length);
    api_answer_text(response, status, text, length);
}

static inline const char *api_reason(long status)
{
    return status == 403 ? "Forbidden"
        : status == 404  ? "NotFound"
        : status == 409  ? "Conflict"
        : status == 422  ? "Invalid"
                         : "InternalError";
}

static inline void api_refuse(struct kube_response *response, long status, const char *message)
{
    yyjson_mut_doc *object = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(object);
    yyjson_mut_doc_set_root(object, root);
    yyjson_mut_obj_add_str(object, root, "kind", "Status");
    yyjson_mut_obj_add_str(object, root, "apiVersion", "v1");
    yyjson_mut_obj_add_str(object, root, "status", "Failure");
    yyjson_mut_obj_add_str(object, root, "message", message);
    yyjson_mut_obj_add_str(object, root, "reason", api_reason(status));
    yyjson_mut_obj_add_int(object, root, "code", status);
    api_answer(response, status, object);
    yyjson_mut_doc_free(object);
}

/*
 * The Secret
 */

static inline void api_expect_storable(yyjson_mut_doc *object)
{
    assert_string_equal(api_text(object, "/apiVersion"), "v1");
    assert_string_equal(api_text(object, "/kind"), "Secret");
    assert_string_equal(api_text(object, "/metadata/name"), "guard-authority");
    assert_string_equal(api_text(object, "/metadata/namespace"), "prod");
    assert_non_null(api_text(object, "/data/tls.crt"));
    assert_non_null(api_text(object, "/data/tls.key"));
    assert_null(api_at(object, "/metadata/managedFields"));
}

static inline void api_post_secret(struct api *api, yyjson_mut_doc *object, struct kube_response *response)
{
    assert_null(api_at(object, "/metadata/resourceVersion"));
    if (api->secret) {
        api->counts.conflicts++;
        yyjson_mut_doc_free(object);
        api_refuse(response, 409, "secrets \"guard-authority\" already exists");
        return;
    }
    api->counts.secret_writes++;
    api->secret = object;
    api_set_number(object, "/metadata/uid", "5ec2e7%u", api->revision);
    api_change(api, object);
    api_answer(response, 201, object);
}

static inline void api_replace_secret(struct api *api, yyjson_mut_doc *object, struct kube_response *response)
{
    const char *version = api_text(object, "/metadata/resourceVersion");
    assert_non_null(version);
    bool is_latest = api->secret && strcmp(version, api_text(api->secret, "/metadata/resourceVersion")) == 0;
    if (!is_latest) {
        yyjson_mut_doc_free(object);
        api->counts.conflicts += api->secret != NULL;
        api_refuse(
            response, api->secret ? 409 : 404,
            api->secret ? "the object has been modified" : "secrets \"guard-authority\" not found");
        return;
    }
    assert_string_equal(api_text(object, "/metadata/uid"), api_text(api->secret, "/metadata/uid"));
    assert_string_equal(api_text(object, "/type"), api_text(api->secret, "/type"));
    api->counts.secret_writes++;
    api_delete_secret(api);
    api->secret = object;
    api_change(api, object);
    api_answer(response, 200, object);
}

static inline void api_call_secret(
    struct api *api, const struct kube_request *request, struct kube_response *response)
{
    bool is_read = strcmp(request->method, "GET") == 0, is_new = strcmp(request->method, "POST") == 0;
    long failure = is_read ? api->failures.secret_read : api->failures.secret_write;
    if (failure == 200) {
        response->status = 200;
        return;
    }
    if (failure) {
        api_refuse(response, failure, "secrets \"guard-authority\" is refused");
        return;
    }
    if (is_read) {
        assert_string_equal(request->path, API_SECRET);
        if (api->secret)
            api_answer(response, 200, api->secret);
        else
            api_refuse(response, 404, "secrets \"guard-authority\" not found");
        return;
    }
    assert_true(!request->content_type || strcmp(request->content_type, "application/json") == 0);
    yyjson_mut_doc *object = api_parse(request->body);
    api_expect_storable(object);
    if (is_new) {
        assert_string_equal(request->path, API_SECRETS "?fieldManager=applyguard");
        api_post_secret(api, object, response);
        return;
    }
    assert_string_equal(request->method, "PUT");
    assert_string_equal(request->path, API_SECRET "?fieldManager=applyguard");
    api_replace_secret(api, object, response);
}

/*
 * Configurations
 */

static inline void api_expect_members(yyjson_mut_val *object, size_t count, const char *const *names)
{
    assert_int_equal(yyjson_mut_obj_size(object), count);
    for (size_t i = 0; i < count; i++)
        assert_non_null(yyjson_mut_obj_get(object, names[i]));
}

/* An applied field is owned: the caBundle and what identifies it, nothing else. */
static inline void api_expect_apply_of_bundle(yyjson_mut_doc *object)
{
    yyjson_mut_val *root = yyjson_mut_doc_get_root(object), *webhook;
    size_t i, count;
    api_expect_members(root, 4, (const char *const[]){"apiVersion", "kind", "metadata", "webhooks"});
    api_expect_members(api_at(object, "/metadata"), 2, (const char *const[]){"name", "uid"});
    yyjson_mut_arr_foreach(api_at(object, "/webhooks"), i, count, webhook)
    {
        api_expect_members(webhook, 2, (const char *const[]){"name", "clientConfig"});
        yyjson_mut_val *client = yyjson_mut_obj_get(webhook, "clientConfig");
        api_expect_members(client, 1, (const char *const[]){"caBundle"});
    }
    assert_true(count > 0);
}

static inline yyjson_mut_val *api_webhook(yyjson_mut_doc *configuration, const char *name)
{
    yyjson_mut_val *webhook;
    size_t i, count;
    yyjson_mut_arr_foreach(api_at(configuration, "/webhooks"), i, count, webhook)
    {
        if (strcmp(yyjson_mut_get_str(yyjson_mut_obj_get(webhook, "name")), name) == 0)
            return webhook;
    }
    fail_msg("no webhook %s", name);
    return NULL;
}

static inline void api_merge(yyjson_mut_doc *configuration, yyjson_mut_doc *applied)
{
    yyjson_mut_val *webhook;
    size_t i, count;
    yyjson_mut_arr_foreach(api_at(applied, "/webhooks"), i, count, webhook)
    {
        const char *name = yyjson_mut_get_str(yyjson_mut_obj_get(webhook, "name"));
        yyjson_mut_val *mine = yyjson_mut_obj_get(api_webhook(configuration, name), "clientConfig");
        yyjson_mut_val *bundle = yyjson_mut_obj_get(yyjson_mut_obj_get(webhook, "clientConfig"), "caBundle");
        yyjson_mut_obj_remove_key(mine, "caBundle");
        yyjson_mut_obj_add_strcpy(configuration, mine, "caBundle", yyjson_mut_get_str(bundle));
    }
}

static inline void api_apply(
    struct api *api, yyjson_mut_doc **stored, struct slice body, struct kube_response *response)
{
    yyjson_mut_doc *applied = api_parse(body);
    api_expect_apply_of_bundle(applied);
    const char *uid = api_text(applied, "/metadata/uid");
    assert_non_null(uid);
    if (!*stored || strcmp(uid, api_text(*stored, "/metadata/uid")) != 0) {
        api_refuse(response, 409, "uid mismatch");
    } else {
        assert_string_equal(api_text(applied, "/metadata/name"), api_text(*stored, "/metadata/name"));
        assert_string_equal(api_text(applied, "/apiVersion"), api_text(*stored, "/apiVersion"));
        assert_string_equal(api_text(applied, "/kind"), api_text(*stored, "/kind"));
        api->counts.applies++;
        api_merge(*stored, applied);
        api_change(api, *stored);
        api_answer(response, 200, *stored);
    }
    yyjson_mut_doc_free(applied);
}

static inline size_t api_configuration_of(const char *path)
{
    const char *name = path + strlen(API_HOOKS);
    for (size_t i = 0; i < API_CONFIGURATIONS; i++)
        if (strcspn(name, "?") == strlen(api_configuration_names[i]) &&
            strncmp(name, api_configuration_names[i], strcspn(name, "?")) == 0)
            return i;
    fail_msg("nobody should ask for %s", path);
    return 0;
}

static inline void api_call_configuration(
    struct api *api, const struct kube_request *request, struct kube_response *response)
{
    bool is_read = strcmp(request->method, "GET") == 0;
    long failure = is_read ? api->failures.configuration_read : api->failures.configuration_write;
    yyjson_mut_doc **stored = &api->configurations[api_configuration_of(request->path)];
    if (failure) {
        api_refuse(response, failure, "the configuration is refused");
    } else if (!is_read) {
        assert_string_equal(request->method, "PATCH");
        assert_string_equal(request->content_type, "application/apply-patch+yaml");
        assert_string_equal(strchr(request->path, '?'), "?fieldManager=applyguard&force=true");
        api_apply(api, stored, request->body, response);
    } else if (*stored) {
        api_answer(response, 200, *stored);
    } else {
        api_refuse(response, 404, "the configuration was not found");
    }
}

/* In kube_call's place. */
static inline int api_call(
    struct api *api, const struct kube_request *request, struct kube_response *response, struct error *error)
{
    assert_true(request->timeout_ms > 0);
    *response = (struct kube_response){0};
    if (api->failures.unreachable)
        return error_set(error, "cannot reach the API server");
    response->date = api->milliseconds / 1000;
    if (strncmp(request->path, API_HOOKS, strlen(API_HOOKS)) == 0)
        api_call_configuration(api, request, response);
    else
        api_call_secret(api, request, response);
    return 0;
}

#endif
