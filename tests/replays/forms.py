"""forms.py: an audit log in every form in which people get it, as commands/replay and docs/replay.md name them."""

import gzip
import json
import shutil
import subprocess

MARK = "[Truncated...]"


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def lines(events):
    return "".join(compact(event) + "\n" for event in events)


def event_lists(events):
    """Of the webhook backend: three events a line, which have no kind of their own."""
    items = [{key: value for key, value in event.items() if key not in ("kind", "apiVersion")} for event in events]
    return "".join(compact({"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "metadata": {}, "items": items[i:i + 3]}) + "\n"
                   for i in range(0, len(items), 3))


def milliseconds(event):
    import datetime
    time = datetime.datetime.fromisoformat(event["stageTimestamp"].replace("Z", "+00:00"))
    return int(time.timestamp() * 1000)


def cloudwatch_events(events, cut=None):
    for number, event in enumerate(events):
        text = compact(event)
        yield {"id": str(number), "timestamp": milliseconds(event), "message": text if cut is None else text[:cut] + MARK}


def cloudwatch_subscription(events, cut=None):
    found = list(cloudwatch_events(events, cut))
    return "".join(compact({"messageType": "DATA_MESSAGE", "owner": "1", "logGroup": "g", "logStream": "kube-apiserver-audit-1",
                            "subscriptionFilters": ["audit"], "logEvents": found[i:i + 4]}) + "\n" for i in range(0, len(found), 4))


def cloudwatch_filter(events):
    found = [{"logStreamName": "kube-apiserver-audit-1", "timestamp": each["timestamp"], "message": each["message"],
              "ingestionTime": each["timestamp"], "eventId": each["id"]} for each in cloudwatch_events(events)]
    return json.dumps({"events": found, "searchedLogStreams": []}, indent=4) + "\n"


def azure_record(event, cut=None):
    return {"category": "kube-audit", "time": event["stageTimestamp"].replace("Z", "0Z"), "resourceId": "/SUBSCRIPTIONS/0",
            "properties": {"log": (compact(event) + "\n")[:cut], "stream": "stdout", "pod": "kube-apiserver-0"}}


def azure_event_hub(events):
    klog = {"category": "kube-apiserver", "time": "2026-01-01T00:00:00Z", "properties": {"log": "I0101 1 wrap.go:47] PUT {\n"}}
    records = [each for event in events for each in (azure_record(event), klog)]
    return "".join(compact({"records": records[i:i + 5]}) + "\n" for i in range(0, len(records), 5))


def azure_storage(events, cut=None):
    return lines(azure_record(event, cut) for event in events)


def google_entry(event):
    """What Cloud Logging has of an event; JSON patches have no body."""
    reference, status = event["objectRef"], event.get("responseStatus", {})
    group = reference.get("apiGroup", "core")
    namespace = ["namespaces", reference["namespace"]] if "namespace" in reference else []
    name = "/".join([group, reference["apiVersion"], *namespace, reference["resource"],
                     reference.get("name", ""), *([reference["subresource"]] if "subresource" in reference else [])])
    codes = {409: 10, 403: 7, 404: 5}
    payload = {"@type": "type.googleapis.com/google.cloud.audit.AuditLog",
               "authenticationInfo": {"principalEmail": event["user"]["username"]},
               "methodName": f"io.k8s.{group}.v1.{reference['resource']}.{event['verb']}",
               "requestMetadata": {"callerSuppliedUserAgent": event["userAgent"]}, "resourceName": name,
               "serviceName": "k8s.io", "status": {"code": 0 if status["code"] < 300 else codes.get(status["code"], 13)}}
    if isinstance(event.get("requestObject"), dict):
        payload["request"] = {"@type": "k8s.io/Patch", **event["requestObject"]}
    if "responseObject" in event:
        payload["response"] = {"@type": f"core.k8s.io/v1.{event['responseObject']['kind']}", **event["responseObject"]}
    labels = dict(event.get("annotations", {}))
    if "dryRun=All" in event["requestURI"]:
        labels["command.gke.io/dryRun"] = "true"
    return {"insertId": event["auditID"], "labels": labels, "protoPayload": payload,
            "receiveTimestamp": event["stageTimestamp"].replace("Z", "482Z"), "timestamp": event["requestReceivedTimestamp"]}


def google_sink(events):
    return lines(google_entry(event) for event in events)


def google_read(events):
    """As gcloud prints them: the newest first."""
    return json.dumps([google_entry(event) for event in reversed(events)], indent=2) + "\n"


def without_owners(events):
    """omitManagedFields: true; a patch stays as it is."""
    def strip(value):
        if not isinstance(value, dict) or "metadata" not in value:
            return value
        metadata = {key: each for key, each in value["metadata"].items() if key != "managedFields"}
        return {**value, "metadata": metadata}
    return [{**event, "responseObject": strip(event["responseObject"])} if "responseObject" in event else event for event in events]


def at_metadata(events):
    return [{**{key: value for key, value in event.items() if key not in ("requestObject", "responseObject")}, "level": "Metadata"}
            for event in events]


def truncated(events):
    """What --audit-log-truncate-enabled leaves of large events."""
    return [{**{key: value for key, value in event.items() if key not in ("requestObject", "responseObject")},
             "annotations": {**event.get("annotations", {}), "audit.k8s.io/truncated": "true"}} for event in events]


def packed(text):
    return gzip.compress(text.encode())


def packed_with_zstd(text):
    """None where the program is missing."""
    if not shutil.which("zstd"):
        return None
    return subprocess.run(["zstd", "-q", "-c"], input=text.encode(), capture_output=True, check=True).stdout
