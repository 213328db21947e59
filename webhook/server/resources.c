#include "webhook/server/resources.h"

#include "webhook/api/events.h"
#include "webhook/api/lookups.h"
#include "webhook/server/cgroup.h"
#include "webhook/server/cores.h"
#include "webhook/server/memory_limit.h"
#include "webhook/telemetry/label_sets.h"
#include "webhook/tls/tls.h"

#include <sys/resource.h>

/* How many connections the limit of open files allows, after raising it as far as possible. */
static size_t files_configure(size_t connections, size_t loops)
{
    struct rlimit limit;
    size_t others = SPARE_FILES + FILES_OF_A_LOOP * (loops + 1) + METRICS_MAX_CONNECTIONS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return connections;
    if (limit.rlim_cur < connections + others) {
        limit.rlim_cur = limit.rlim_max < connections + others ? limit.rlim_max : connections + others;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur >= connections + others)
        return connections;
    return limit.rlim_cur > others ? (size_t)limit.rlim_cur - others : 0;
}

static size_t choose_threads(const struct settings *settings, size_t memory_limit)
{
    if (settings->threads)
        return settings->threads;
    size_t cores = cores_usable();
    size_t allowed = memory_limit ? budget_loops(memory_limit, settings->max_body_bytes) : cores;
    return allowed < cores ? allowed : cores;
}

/*
 * The most threads, up to needs.loops, that leave room for the largest review; 1 if even one thread leaves
 * too little.
 */
static size_t threads_with_room(struct budget_needs needs)
{
    struct budget budget;
    while (needs.loops > 1 && budget_plan(&budget, &needs, NULL) != 0)
        needs.loops--;
    return needs.loops;
}

/* The memory of the counters by kind and namespace, which is freed only at the end. */
static size_t bytes_of_label_sets(const struct settings *settings)
{
    bool is_wanted = settings->metrics_labels.kind || settings->metrics_labels.namespace;
    return is_wanted ? (size_t)settings->metrics_labels_max * LABEL_SET_BYTES_MAX : 0;
}

/*
 * If a container is too small to keep to its limit, the server runs without one; a limit from a flag that
 * cannot be kept is an error.
 */
static int plan_memory(
    const struct settings *settings, struct resources *resources, struct budget *budget,
    struct budget_needs *needs, struct error *error)
{
    if (settings->memory_limit)
        return budget_plan(budget, needs, error);
    if (budget_plan(budget, needs, &resources->too_small) == 0)
        return 0;
    needs->limit = 0;
    return budget_plan(budget, needs, error);
}

int resources_plan(
    const struct settings *settings, struct resources *resources, struct budget *budget, struct error *error)
{
    size_t limit = settings->memory_limit;
    bool is_known = limit || memory_limit_of_container(CGROUP_ROOT, &limit);
    size_t threads = choose_threads(settings, limit);
    struct budget_needs needs = {
        .limit = limit,
        .loops = threads,
        .connections = files_configure(settings->max_connections, threads),
        .certificates_bytes = tls_certificates_bytes(&settings->tls),
        .max_body_bytes = settings->max_body_bytes,
        .other_bytes = bytes_of_label_sets(settings) + (settings->looks_up ? LOOKUPS_BYTES_MAX : 0) +
            (settings->records_events ? EVENTS_BYTES_MAX : 0),
    };
    if (!settings->threads)
        needs.loops = threads_with_room(needs);
    *resources = (struct resources){
        .threads = needs.loops,
        .is_limit_unknown = !is_known && cgroup_is_mounted(CGROUP_ROOT),
    };
    if (plan_memory(settings, resources, budget, &needs, error) != 0)
        return -1;
    resources->connections = needs.connections;
    if (resources->connections >= resources->threads)
        return 0;
    return error_set(
        error,
        "%u connections (--max-connections) and the limits of open files and memory leave less than one for "
        "each of %zu threads; raise one of them (ulimit -n, --memory-limit) or lower --threads",
        settings->max_connections, resources->threads);
}
