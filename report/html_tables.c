#include "report/html_tables.h"

#include "report/html.h"

const char html_tables_script[] =
    "'use strict';\n"
    "function valueOf(row, column) {\n"
    "  const text = row.cells[column].textContent.trim();\n"
    "  return /^[0-9]+$/.test(text) ? Number(text) : text;\n"
    "}\n"
    "function sort(table, column, header) {\n"
    "  const up = header.getAttribute('aria-sort') === 'descending';\n"
    "  for (const each of table.tHead.rows[0].cells) each.removeAttribute('aria-sort');\n"
    "  header.setAttribute('aria-sort', up ? 'ascending' : 'descending');\n"
    "  const rows = Array.from(table.tBodies[0].rows);\n"
    "  rows.sort((a, b) => {\n"
    "    const x = valueOf(a, column), y = valueOf(b, column);\n"
    "    const order = typeof x === typeof y ? (x < y ? -1 : x > y ? 1 : 0) : typeof x === "
    "'number' ? -1 : "
    "1;\n"
    "    return up ? order : -order;\n"
    "  });\n"
    "  table.tBodies[0].append(...rows);\n"
    "}\n"
    "for (const table of document.querySelectorAll('table.sortable')) {\n"
    "  Array.from(table.tHead.rows[0].cells).forEach((header, column) => {\n"
    "    const button = document.createElement('button');\n"
    "    button.type = 'button';\n"
    "    button.textContent = header.textContent;\n"
    "    button.addEventListener('click', () => sort(table, column, header));\n"
    "    header.replaceChildren(button);\n"
    "  });\n"
    "}\n"
    "const filter = document.getElementById('filter'), shown = document.getElementById('shown');\n"
    "if (filter) {\n"
    "  filter.parentElement.hidden = false;\n"
    "  filter.addEventListener('input', () => {\n"
    "    const words = filter.value.toLowerCase().split(/\\s+/);\n"
    "    let count = 0;\n"
    "    for (const row of document.querySelector('table.filtered').tBodies[0].rows) {\n"
    "      const text = row.textContent.toLowerCase();\n"
    "      row.hidden = !words.every(word => text.includes(word));\n"
    "      count += row.hidden ? 0 : 1;\n"
    "    }\n"
    "    shown.textContent = count + ' shown';\n"
    "  });\n"
    "}\n";

void html_append_table_head(struct text *text, const char *const *columns, size_t count, size_t first_number)
{
    text_append_string(text, "<thead><tr>");
    for (size_t i = 0; i < count; i++)
        text_append_all(
            text, i < first_number ? "<th scope=\"col\">" : "<th scope=\"col\" class=\"number\">", columns[i],
            "</th>");
    text_append_string(text, "</tr></thead>\n<tbody>\n");
}

void html_append_table_end(struct text *text, uint64_t shown, uint64_t count)
{
    text_append_string(text, "</tbody>\n</table>\n");
    if (count <= shown)
        return;
    text_append_all(text, "<p class=\"soft\">and ", count - shown, " more: see -o json</p>\n");
}

void html_append_row_head(struct text *text, struct slice name)
{
    text_append_all(text, "<tr><th scope=\"row\">", as_html(name), "</th>");
}

void html_append_cell(struct text *text, struct slice content)
{
    text_append_all(text, "<td>", as_html(content), "</td>");
}

void html_append_number_cell(struct text *text, uint64_t number)
{
    text_append_all(text, "<td class=\"number\">", number, "</td>");
}
