/*
 * html_tables.h: the script of pages with tables.
 *
 * It sorts tables of the class sortable by a column, and shows only the rows of the table of the class
 * filtered that have the words in the field with the ID filter; the number of them is in the element with
 * the ID shown.
 */
#ifndef APPLYGUARD_REPORT_HTML_TABLES_H
#define APPLYGUARD_REPORT_HTML_TABLES_H

extern const char html_tables_script[];

#endif
