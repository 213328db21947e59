/*
 * h2o_api.h: H2O's headers. Only files of this room include it, or use a name of H2O's.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_H2O_API_H
#define APPLYGUARD_WEBHOOK_HTTP_H2O_API_H

/* libh2o-evloop was built for epoll; its headers want to be told. */
#define H2O_USE_EPOLL 1
#include <h2o.h>
#include <h2o/http1.h>

#endif
