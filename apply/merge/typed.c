#include "apply/merge/typed.h"

unsigned typed_form(struct schema_ref type, const struct value *value)
{
    static const unsigned forms[] = {
        [VALUE_NULL] = 0,
        [VALUE_SCALAR] = SCHEMA_SCALAR,
        [VALUE_LIST] = SCHEMA_LIST,
        [VALUE_MAP] = SCHEMA_MAP};
    unsigned allowed = schema_type_of(type)->kinds;
    unsigned form = value ? forms[value->kind] & allowed : 0;
    if (form)
        return form;
    return allowed & SCHEMA_MAP ? SCHEMA_MAP : allowed & SCHEMA_SCALAR ? SCHEMA_SCALAR : SCHEMA_LIST;
}
