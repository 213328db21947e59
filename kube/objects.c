#include "kube/objects.h"

#include "base/json.h"
#include "kube/client_state.h"
#include "kube/printable.h"

/* Of all tries of one question. */
#define ASK_MS 15000

/* The newest form first; an API server that knows none of the others answers in the last. */
#define DISCOVERY_TYPES                                                                                      \
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"                                  \
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

struct discovery {
    struct kube_client *client;
    struct kind_search search;
    struct error *error;
};

/* NULL with the error set. */
static yyjson_val *read_list(struct discovery *discovery, const char *path, struct slice body)
{
    yyjson_doc *document = json_read(body, 0, discovery->search.arena, NULL);
    if (document)
        return yyjson_doc_get_root(document);
    if (arena_has_failed(discovery->search.arena))
        error_set(discovery->error, "out of memory");
    else
        error_set(discovery->error, "the API server's list of kinds (%s) is no JSON", path);
    return NULL;
}

/* The answer as JSON in the arena. NULL with the error set. */
static yyjson_val *ask(struct discovery *discovery, const char *path)
{
    struct kube_response response = {0};
    const struct kube_request request = {
        .method = "GET", .path = path, .accept = DISCOVERY_TYPES, .timeout_ms = ASK_MS};
    if (kube_call(discovery->client, &request, &response, discovery->error) != 0)
        return NULL;
    yyjson_val *list = NULL;
    if (response.status == 200)
        list = read_list(discovery, path, secret_slice(&response.body));
    else
        kube_refused(&response, discovery->error);
    kube_response_release(&response);
    return list;
}

/* A version is asked for only where the older form of discovery is all there is. */
static int search_version(struct discovery *discovery, struct slice group, struct slice version)
{
    struct kind_search *search = &discovery->search;
    if (!version.length || !kind_search_wants(search, group, version))
        return 0;
    struct slice path = kube_version_path(group, version, search->arena);
    yyjson_val *answer = path.bytes ? ask(discovery, path.bytes) : NULL;
    if (!answer)
        return -1;
    kind_search_version(search, group, version, answer);
    return 0;
}

/* A group whose own server is down leaves the others as they are. */
static void search_group(struct discovery *discovery, yyjson_val *group)
{
    struct slice name = json_text(json_member(group, SLICE("name")));
    yyjson_arr_iter versions;
    yyjson_arr_iter_init(json_member(group, SLICE("versions")), &versions);
    for (yyjson_val *each;
         discovery->search.match < KIND_MATCH_NAME && (each = yyjson_arr_iter_next(&versions));)
        if (search_version(discovery, name, json_text(json_member(each, SLICE("version")))) != 0)
            discovery->search.is_short = true;
}

/* Of the core group the older form has versions only, as texts. */
static int search_core(struct discovery *discovery, yyjson_val *list)
{
    yyjson_arr_iter versions;
    yyjson_arr_iter_init(list, &versions);
    for (yyjson_val *version; (version = yyjson_arr_iter_next(&versions));)
        if (search_version(discovery, (struct slice){"", 0}, json_text(version)) != 0)
            return -1;
    return 0;
}

static int search_all(struct discovery *discovery, const char *path)
{
    yyjson_val *answer = ask(discovery, path);
    yyjson_arr_iter groups;
    if (!answer)
        return -1;
    if (kind_search_groups(&discovery->search, answer))
        return 0;
    yyjson_arr_iter_init(json_member(answer, SLICE("groups")), &groups);
    for (yyjson_val *group; (group = yyjson_arr_iter_next(&groups));)
        search_group(discovery, group);
    return search_core(discovery, json_member(answer, SLICE("versions")));
}

/* A kind that was found, by the name that was asked for. */
struct kube_known_kind {
    const struct kube_known_kind *next;
    struct slice name;
    struct kube_kind kind;
};

static const struct kube_known_kind *find_known(const struct kube_client *client, struct slice name)
{
    const struct kube_known_kind *known = client->kinds;
    while (known && !slice_equal(known->name, name))
        known = known->next;
    return known;
}

/* Without memory it is asked for again. */
static void remember(struct kube_client *client, struct slice name, const struct kube_kind *kind)
{
    struct arena *arena = client->kept ? client->kept : (client->kept = arena_create());
    struct kube_known_kind *known = arena ? arena_allocate_array(arena, 1, sizeof(*known)) : NULL;
    if (!known)
        return;
    *known = (struct kube_known_kind){
        .next = client->kinds,
        .name = arena_copy(arena, name),
        .kind =
            {.group = arena_copy(arena, kind->group),
             .version = arena_copy(arena, kind->version),
             .plural = arena_copy(arena, kind->plural),
             .kind = arena_copy(arena, kind->kind),
             .is_namespaced = kind->is_namespaced},
    };
    if (!arena_has_failed(arena))
        client->kinds = known;
}

static int ask_for_kind(
    struct kube_client *client, struct slice name, struct arena *arena, struct kube_kind *kind,
    struct error *error)
{
    struct discovery discovery = {client, kind_search_for(name, arena), error};
    if (search_all(&discovery, "/api") != 0 ||
        (discovery.search.match < KIND_MATCH_NAME && search_all(&discovery, "/apis") != 0))
        return -1;
    if (arena_has_failed(arena))
        return error_set(error, "out of memory");
    *kind = discovery.search.found;
    if (discovery.search.match != KIND_MATCH_NONE)
        return 0;
    struct kube_printable printable = kube_printable(name);
    error_set(
        error, "the API server has no kind \"%s\"%s", printable.text,
        discovery.search.is_short ? "; some of its groups do not answer now" : "");
    return discovery.search.is_short ? -1 : 1;
}

int kube_find_kind(
    struct kube_client *client, struct slice name, struct arena *arena, struct kube_kind *kind,
    struct error *error)
{
    const struct kube_known_kind *known = find_known(client, name);
    if (known) {
        *kind = known->kind;
        return 0;
    }
    int result = ask_for_kind(client, name, arena, kind, error);
    if (result == 0)
        remember(client, name, kind);
    return result;
}

/* Would be another path. */
static bool is_no_name(struct slice name)
{
    return !name.length || slice_equal(name, SLICE(".")) || slice_equal(name, SLICE(".."));
}

int kube_read_object(
    struct kube_client *client, const struct kube_kind *kind, const char *namespace, struct slice name,
    struct kube_response *response, struct error *error)
{
    struct arena *arena = arena_create();
    struct slice path = {NULL, 0};
    int result = -1;
    *response = (struct kube_response){0};
    if (arena)
        path = kube_object_path(kind, namespace, name, arena);
    if (!path.bytes)
        error_set(error, "out of memory");
    else if (is_no_name(name) || (kind->is_namespaced && is_no_name(slice_of(namespace))))
        error_set(error, "this is no name of an object");
    else
        result = kube_call(
            client, &(struct kube_request){.method = "GET", .path = path.bytes, .timeout_ms = ASK_MS},
            response, error);
    arena_destroy(arena);
    if (result != 0 || (response->status == 200 && response->body.length))
        return result;
    if (response->status == 200)
        error_set(error, KUBE_EMPTY_ANSWER);
    else
        kube_refused(response, error);
    kube_response_release(response);
    return -1;
}
