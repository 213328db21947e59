/*
 * drain_stage.h: the stages of a server from serving to its exit.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_DRAIN_STAGE_H
#define APPLYGUARD_WEBHOOK_HTTP_DRAIN_STAGE_H

/* In this order; a later stage includes what the earlier ones do. */
enum stage {
    STAGE_SERVING,   /* before the signal */
    STAGE_LAME_DUCK, /* not ready, but serving as before */
    STAGE_CLOSING,   /* no new connections; every answer says Connection: close */
    STAGE_CUT_IDLE,  /* closes connections without a request */
    STAGE_LATE, /* answers new requests with 503, so that the client retries elsewhere while it has time */
    STAGE_STOP, /* closes everything */
};

#endif
