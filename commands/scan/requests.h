/*
 * requests.h: requests for the pages of lists, no more in a second than the scan may send. Private to
 * commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_REQUESTS_H
#define APPLYGUARD_COMMANDS_SCAN_REQUESTS_H

#include "base/arena.h"
#include "kubectl/discovery.h"

#include <pthread.h>
#include <stdint.h>

/* Objects of a page, unless they are large. */
#define SCAN_PAGE 500

/* Objects of the first page of a kind whose objects may be large: Helm keeps a release of up to 1 MiB in
 * each. */
#define SCAN_PAGE_OF_LARGE 50

/* The bytes of a later page: it has as many objects as fit, if they are as large as the ones before. */
#define SCAN_PAGE_BYTES ((size_t)8 * 1024 * 1024)

/* The requests of all workers. */
struct scan_requests {
    pthread_mutex_t mutex;
    uint64_t pause; /* microseconds between the starts of two requests */
    uint64_t next;  /* the earliest time of the next one, in microseconds */
};

void scan_requests_start(struct scan_requests *requests, unsigned rate);

struct scan_list {
    const struct discovered_kind *kind;
    struct slice namespace; /* empty: the objects of all namespaces, or of none */
    size_t page_size;       /* objects of the next page */
};

struct scan_list scan_list_start(const struct discovered_kind *kind, struct slice namespace);

/* One page of a list. */
struct scan_page {
    struct file_content content; /* of the answer; NULL bytes: no answer */
    enum cluster_found found;
    enum cluster_refusal refusal;
    struct error error;
};

/*
 * Requests the page behind the token; empty: the first. kubectl and the client of a pod follow Retry-After by
 * themselves; where they give up, waits longer. Free the content with scan_page_free.
 */
void scan_request(
    struct scan_requests *requests, struct cluster *cluster, const struct scan_list *list, struct slice token,
    struct arena *arena, struct scan_page *page);

/* Sizes the next page of the list by this one. */
void scan_list_fit(struct scan_list *list, const struct scan_page *page, size_t objects);

void scan_page_free(struct scan_page *page);

/* The list of the page as JSON, which points into the page. NULL: it is not JSON, or memory runs out. */
yyjson_val *scan_page_read(struct scan_page *page, struct arena *arena);

#endif
