#include "policy/analysis/annotation_limits.h"

const struct setting annotation_limit_settings[2] = {
    {"warnBytes", SETTING_BYTES, offsetof(struct annotation_limits, warn_bytes),
     "from here on it warns; at least 1"},
    {"denyBytes", SETTING_BYTES, offsetof(struct annotation_limits, deny_bytes),
     "from here on it denies, where the action is deny"},
};

const struct annotation_limits annotation_limit_defaults = {
    .warn_bytes = ANNOTATIONS_BYTES_LIMIT / 2,
    .deny_bytes = ANNOTATIONS_BYTES_LIMIT / 10 * 9 + 3, /* 235,929: 90 % */
};

const char *annotation_limits_check(const void *settings, bool is_on)
{
    const struct annotation_limits *limits = settings;
    if (is_on && !limits->warn_bytes)
        return "warnBytes is 0, so it would warn about every object; to turn the rule off, set action: "
               "\"off\"";
    return limits->warn_bytes > limits->deny_bytes ? "warnBytes is above denyBytes" : NULL;
}
