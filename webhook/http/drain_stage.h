/*
 * drain_stage.h: how far a server is on its way from serving to its exit.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_DRAIN_STAGE_H
#define APPLYGUARD_WEBHOOK_HTTP_DRAIN_STAGE_H

/* In this order; a later stage includes what the earlier ones do. */
enum stage {
    STAGE_SERVING,   /* before the signal */
    STAGE_LAME_DUCK, /* not ready any more, but serving as before */
    STAGE_CLOSING,   /* no new connections; every answer says Connection: close */
    STAGE_CUT_IDLE,  /* connections without a request are cut */
    STAGE_LATE,      /* new requests are answered 503, so that the client tries elsewhere while it has time */
    STAGE_STOP,      /* everything is cut */
};

#endif
