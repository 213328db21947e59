/* h2o_api.h: H2O's headers. Only files of this component may include it or use H2O's names. */
#ifndef APPLYGUARD_WEBHOOK_HTTP_H2O_API_H
#define APPLYGUARD_WEBHOOK_HTTP_H2O_API_H

/* libh2o-evloop was built for epoll; its headers need this definition. */
#define H2O_USE_EPOLL 1
#include <h2o.h>
#include <h2o/http1.h>

#endif
