#include "apply/merge/schema.h"

#include "base/array_size.h"

const struct schema_type *schema_type_of(struct schema_ref ref)
{
    return &ref.schema->types[ref.type];
}

struct slice schema_name_of(const struct schema *schema, uint16_t name)
{
    return (struct slice){schema->text + schema->names[name].offset, schema->names[name].length};
}

const char *schema_scalars_text(unsigned scalars)
{
    static const char *const names[] = {
        [SCHEMA_STRING] = "string", [SCHEMA_NUMBER] = "number", [SCHEMA_BOOLEAN] = "boolean"};
    return scalars < ARRAY_SIZE(names) && names[scalars] ? names[scalars] : "string or number";
}

const char *schema_type_text(const struct schema_type *type)
{
    if (type->kinds == SCHEMA_SCALAR)
        return schema_scalars_text(type->scalars);
    return type->kinds == SCHEMA_LIST ? "list" : "map";
}

const struct schema_field *schema_field_of(struct schema_ref ref, struct slice name)
{
    const struct schema_type *type = schema_type_of(ref);
    size_t low = 0, high = type->field_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct schema_field *field = &ref.schema->fields[type->first_field + middle];
        int order = slice_compare(name, schema_name_of(ref.schema, field->name));
        if (order == 0)
            return field;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

struct schema_ref schema_of_field(struct schema_ref ref, const struct schema_field *field)
{
    return (struct schema_ref){ref.schema, field ? field->type : schema_type_of(ref)->member};
}

struct schema_ref schema_member(struct schema_ref ref, struct slice name)
{
    return schema_of_field(ref, schema_field_of(ref, name));
}

struct schema_ref schema_item(struct schema_ref ref)
{
    return (struct schema_ref){ref.schema, schema_type_of(ref)->item};
}
