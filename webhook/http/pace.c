#include "webhook/http/pace.h"

#include "base/min.h"

#include <linux/tcp.h> /* the header of netinet lacks tcpi_bytes_acked */
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* 16 KB/s: API servers are faster. */
#define BYTES_PER_MS 16

/*
 * A client that sends more than PIECES pieces of fewer than PIECE_BYTES bytes each is not sending a handshake
 * or a request: it only keeps the connection from being silent. A TLS client sends two or three pieces before
 * its first request, and sends longer data in pieces of at least a thousand bytes.
 */
#define PIECES 4
#define PIECE_BYTES 256

struct traffic traffic_of(int socket, uint64_t read_ago)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof(info);
    int unread = 0;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
        return (struct traffic){.has_unread = true};
    return (struct traffic){
        .received = info.tcpi_bytes_received,
        .acknowledged = info.tcpi_bytes_acked,
        .pieces = info.tcpi_data_segs_in,
        .received_ago = info.tcpi_last_data_recv,
        .sent_ago = info.tcpi_last_data_sent,
        .read_ago = read_ago,
        .has_unread = ioctl(socket, FIONREAD, &unread) != 0 || unread > 0,
        .has_unsent = info.tcpi_unacked > 0 || info.tcpi_notsent_bytes > 0,
    };
}

struct pace pace_start(const struct traffic *traffic, uint64_t now)
{
    return (struct pace){
        .begin = now,
        .received = traffic->received,
        .acknowledged = traffic->acknowledged,
        .pieces = traffic->pieces,
    };
}

void pace_excuse(struct pace *pace, uint64_t lost, uint64_t now)
{
    pace->begin += min_u64(lost, now - pace->begin);
}

static bool is_late(uint64_t took_ms, uint64_t bytes, uint32_t patience_ms)
{
    return took_ms >= patience_ms + bytes / BYTES_PER_MS;
}

/* The amount of unread data does not matter: the client alone decides in which pieces it sends. */
static bool trickles(const struct pace *pace, const struct traffic *traffic)
{
    uint32_t pieces = traffic->pieces - pace->pieces;
    return pieces > PIECES && traffic->received - pace->received < (uint64_t)PIECE_BYTES * pieces;
}

bool pace_is_slow_to_send(
    const struct pace *pace, const struct traffic *traffic, uint64_t now, uint32_t patience_ms)
{
    uint64_t age = now - pace->begin;
    if (age >= patience_ms && trickles(pace, traffic))
        return true;
    if (traffic->has_unread)
        return false;
    /* Until the server has sent something, or read, the client may have been waiting for it. */
    uint64_t silence = min_u64(min_u64(traffic->received_ago, traffic->sent_ago), traffic->read_ago);
    uint64_t took = min_u64(age, traffic->sent_ago);
    took -= min_u64(took, traffic->received_ago);
    return silence >= patience_ms || is_late(took, traffic->received - pace->received, patience_ms);
}

/* Only the client's reading counts, not what it sends meanwhile: the loop may not have read that yet. */
bool pace_is_slow_to_read(
    const struct pace *pace, const struct traffic *traffic, uint64_t now, uint32_t patience_ms)
{
    uint64_t acknowledged = traffic->acknowledged - pace->acknowledged;
    return traffic->has_unsent &&
        (traffic->sent_ago >= patience_ms || is_late(now - pace->begin, acknowledged, patience_ms));
}
