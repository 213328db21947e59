/*
 * replay_log.h: a log with a write of each sort, for tests.
 */
#ifndef APPLYGUARD_TESTS_UNIT_COMMANDS_REPLAY_REPLAY_LOG_H
#define APPLYGUARD_TESTS_UNIT_COMMANDS_REPLAY_REPLAY_LOG_H

#define REPLAY_OBJECT(version, manager, replicas)                                                            \
    "\"responseObject\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\"," \
    "\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"" version                                       \
    "\",\"managedFields\":[{\"manager\":\"" manager                                                          \
    "\",\"operation\":\"Update\",\"apiVersion\":\"apps/v1\",\"time\":\"2026-11-23T10:00:0" version           \
    "Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]},\"spec\":{"            \
    "\"replicas\":" replicas "}},"

#define REPLAY_SCALE(version, replicas)                                                                      \
    "\"responseObject\":{\"apiVersion\":\"autoscaling/v1\",\"kind\":\"Scale\",\"metadata\":{\"name\":"       \
    "\"web\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"" version                               \
    "\"},\"spec\":{\"replicas\":" replicas "}},"

#define REPLAY_EVENT(second, verb, manager, code, subresource, more)                                         \
    "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"RequestResponse\",\"auditID\":"      \
    "\"" second "\",\"stage\":\"ResponseComplete\",\"requestURI\":\"/?fieldManager=" manager                 \
    "\",\"verb\":\"" verb "\",\"user\":{\"username\":\"jane\"},\"objectRef\":{\"resource\":\"deployments\"," \
    "\"namespace\":\"n\",\"name\":\"web\",\"apiGroup\":\"apps\",\"apiVersion\":\"v1\"" subresource           \
    "},\"responseStatus\":{\"code\":" code "}," more                                                         \
    "\"requestReceivedTimestamp\":\"2026-11-23T10:00:0" second                                               \
    ".000000Z\",\"stageTimestamp\":\"2026-11-23T10:00:0" second                                              \
    ".500000Z\",\"annotations\":{\"mutation.webhook.admission.k8s.io/round_0_index_0\":"                     \
    "\"{\\\"webhook\\\":\\\"w\\\",\\\"mutated\\\":true}\"}}\n"

/* A create, a change by hand, a conflict, a scale, and a write behind what the log does not have. */
#define REPLAY_LOG                                                                                           \
    REPLAY_EVENT("1", "create", "helm", "201", "", REPLAY_OBJECT("1", "helm", "4"))                          \
    REPLAY_EVENT("2", "patch", "kubectl-edit", "200", "", REPLAY_OBJECT("2", "kubectl-edit", "2"))           \
    REPLAY_EVENT(                                                                                            \
        "3", "patch", "flux",                                                                                \
        "409,\"details\":{\"causes\":[{\"reason\":\"FieldManagerConflict\",\"message\":\"conflict with "     \
        "\\\"helm\\\"\",\"field\":\".spec.replicas\"}]}",                                                    \
        "", "")                                                                                              \
    REPLAY_EVENT("4", "patch", "kubectl", "200", ",\"subresource\":\"scale\"", REPLAY_SCALE("3", "5"))       \
    REPLAY_EVENT("5", "patch", "helm", "200", "", REPLAY_OBJECT("5", "helm", "3"))

#endif
