/*
 * field_manager.h: flags that name a field manager.
 */
#ifndef APPLYGUARD_CLI_FIELD_MANAGER_H
#define APPLYGUARD_CLI_FIELD_MANAGER_H

/* As a flag's setters: refuse what the API server takes for no field manager. */
const char *field_manager_flag(const char *value, void *field);  /* const char * */
const char *field_managers_flag(const char *value, void *field); /* struct names */

#endif
