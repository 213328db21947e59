#include "policy/analysis/combinations_parts.h"

#include "base/text.h"

static struct slice protocol_of(yyjson_val *port)
{
    struct slice protocol = json_text(member(port, "protocol"));
    return protocol.length ? protocol : SLICE("TCP");
}

/* PROTOCOL/NUMBER; empty if the port has no such number. */
static struct slice key_of_number(yyjson_val *port, const char *name, struct arena *arena)
{
    yyjson_val *number = member(port, name);
    if (!yyjson_is_uint(number) || !yyjson_get_uint(number))
        return (struct slice){NULL, 0};
    struct text text = text_start(arena, 32);
    text_append(&text, protocol_of(port));
    text_append_string(&text, "/");
    text_append_number(&text, yyjson_get_uint(number));
    return text_slice(&text);
}

static struct slice key_of_port(yyjson_val *port, struct arena *arena)
{
    return key_of_number(port, "port", arena);
}

static struct slice key_of_node_port(yyjson_val *port, struct arena *arena)
{
    return key_of_number(port, "nodePort", arena);
}

static struct slice key_of_name(yyjson_val *port, struct arena *arena)
{
    (void)arena;
    return json_text(member(port, "name"));
}

void combinations_check_ports(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    const struct path list = field_of(place, "ports");
    yyjson_val *ports = member(spec, "ports");
    combinations_check_unique(
        of, ports, &list, key_of_name, ".name", "another port has this name; each needs its own");
    combinations_check_unique(
        of, ports, &list, key_of_port, ".port", "another port has this number and protocol; delete one");
    combinations_check_unique(
        of, ports, &list, key_of_node_port, ".nodePort",
        "another port has this number on nodes, and this protocol");
}
