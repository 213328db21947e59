/*
 * field_manager.h: flags that name a field manager.
 */
#ifndef APPLYGUARD_CLI_FIELD_MANAGER_H
#define APPLYGUARD_CLI_FIELD_MANAGER_H

/* Setters of flags: refuse names that the API server does not accept as field managers. */
const char *field_manager_flag(const char *value, void *field);  /* const char * */
const char *field_managers_flag(const char *value, void *field); /* struct names */

#endif
