/*
 * scan_objects.h: objects of a cluster that has a few faults.
 */
#ifndef APPLYGUARD_TESTS_UNIT_SCAN_OBJECTS_H
#define APPLYGUARD_TESTS_UNIT_SCAN_OBJECTS_H

#include "base/json.h"
#include "commands/scan/scan.h"

#define SCAN_OBJECTS 8

#define ENTRY(manager, operation, fields)                                                                    \
    "{\"manager\":\"" manager "\",\"operation\":\"" operation                                                \
    "\",\"apiVersion\":\"apps/v1\",\"time\":\"2026-01-10T08:00:00Z\",\"fieldsType\":\"FieldsV1\","           \
    "\"fieldsV1\":" fields "}"

#define IMAGE_FIELDS                                                                                         \
    "{\"f:spec\":{\"f:template\":{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"a\\\"}\":{"

static const char *const scan_objects[SCAN_OBJECTS] = {
    "{\"apiVersion\":\"autoscaling/v2\",\"kind\":\"HorizontalPodAutoscaler\",\"metadata\":{\"name\":\"h\","
    "\"namespace\":\"shop\"},\"spec\":{\"scaleTargetRef\":{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"name\":"
    "\"web\"}}}",
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"namespace\":\"shop\","
    "\"managedFields\":[" ENTRY(
        "helm", "Apply",
        "{\"f:spec\":{\"f:replicas\":{},\"f:selector\":{},\"f:template\":{\"f:spec\":{\"f:containers\":{\"k:{"
        "\\\"name\\\":\\\"a\\\"}\":{\".\":{},\"f:name\":{}}}}}}}") "," ENTRY("kubectl-edit", "Update", IMAGE_FIELDS "\".\":{},\"f:image\":{}}}}}}}") "]},"
                                                                                                                                                     "\"spec\":{\"replicas\":2,\"selector\":{},\"template\":{\"spec\":{\"containers\":[{\"name\":\"a\",\"image\":"
                                                                                                                                                     "\"b\"}]}}}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\",\"namespace\":\"shop\","
    "\"annotations\":{"
    "\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"data\\\":{\\\"a\\\":\\\"Yg==\\\"}}\"}}}",
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"old\",\"namespace\":\"shop\","
    "\"managedFields\":[" ENTRY(
        "kubectl-client-side-apply", "Update",
        "{\"f:spec\":{\"f:replicas\":{}}}") "]},\"spec\":{\"replicas\":2}}",
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"left\",\"namespace\":\"shop\"},\"spec\":{"
    "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}}}}}",
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"right\",\"namespace\":\"shop\"},\"spec\":{"
    "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":{\"a\":\"b\"}}}}}",
    /* A release of Helm, and an object of it that kubectl edit changed. */
    "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"type\":\"helm.sh/release.v1\",\"metadata\":{\"name"
    "\":\"r\",\"namespace\":\"shop\",\"labels\":{\"owner\":\"helm\",\"status\":\"deployed\",\"name\":"
    "\"web\",\"version\":\"1\"}},\"data\":{\"release\":\"SDRzSUFBQUFBQUFDQTZ0V3lrM015MHhMTFM1UnNsSlFT"
    "aXpJREVzdEtzN016N05TS0RPTXljdk96RXV4VW5ET3owdkxUUGROTElqSnkwMHRTVXhKTEVtMFVxak9TOHhOdFZKSXJvM0pn"
    "d29BY1FXUXAxUUxBRVpNMUc5VUFBQUE=\"}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\",\"namespace\":\"shop"
    "\",\"annotations\":{\"meta.helm.sh/release-name\":\"web\",\"meta.helm.sh/release-namespace\":\"s"
    "hop\"},\"managedFields\":[{\"manager\":\"helm\",\"operation\":\"Apply\",\"apiVersion\":\"v1\",\""
    "fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:data\":{\"f:b\":{}}}},{\"manager\":\"kubectl-edit\","
    "\"operation\":\"Update\",\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:dat"
    "a\":{\"f:a\":{}}}}]},\"data\":{\"a\":\"y\",\"b\":\"z\"}}",
};

/* The object as JSON has it. */
static inline struct scan_object scan_object_of(yyjson_val *value)
{
    return (struct scan_object){
        .api_version = json_text(json_member(value, SLICE("apiVersion"))),
        .kind = json_text(json_member(value, SLICE("kind"))),
        .namespace = json_text(json_metadata(value, SLICE("namespace"))),
        .name = json_text(json_metadata(value, SLICE("name"))),
        .value = value,
    };
}

#endif
