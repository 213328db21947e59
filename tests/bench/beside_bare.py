"""applyguard compared with the bare server, in figures that wrk does not show: late answers, handshakes, and several loops.

Both take turns, and the median of the rounds' ratios counts: what disturbs the machine disturbs both.
"""
import statistics
import subprocess
import sys

THREADS = 16
# Shorter than the machine's disturbances, and enough of them to measure a hundredth.
TURN_MILLISECONDS, TURNS = 15, 50


def client(program, *arguments):
    """The numbers that client.c or turns.c prints."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"bench: {done.stderr.strip()}")
    return [int(number) for number in done.stdout.split()]


def latencies(program, server, file, rate, seconds):
    _, p50, p99, p999 = client(program, "requests", server.port, THREADS, seconds, file, int(rate))
    return {"p50_us": p50, "p99_us": p99, "p999_us": p999}


def handshakes_per_cpu_second(program, server, seconds):
    before = server.cpu_seconds()
    [done] = client(program, "handshakes", server.port, THREADS, seconds)
    return done / (server.cpu_seconds() - before)


def in_turns(measure, servers, rounds):
    """The result of each server in each round."""
    taken = [[measure(server) for server in servers] for _ in range(rounds)]
    return list(zip(*taken))


def median_ratio(ours, others):
    return statistics.median(our / other for our, other in zip(ours, others))


def per_core(program, core, ours, bare, file, connections):
    """Reviews of a core, divided by the bare server's, where `core` is for the client."""
    addresses = [number for server in (ours, bare) for number in (server.port, server.process.pid)]
    arguments = (connections, TURNS, TURN_MILLISECONDS, file, *addresses)
    our_time, bare_time = client("taskset", "-c", core, program, *arguments)
    return bare_time / our_time


def mean_of_starts(measure_start, starts):
    """The mean over servers that are restarted each time, and its standard error."""
    ratios = [measure_start() for _ in range(starts)]
    return {"mean": statistics.mean(ratios), "standard_error": statistics.stdev(ratios) / starts ** 0.5, "starts": ratios}


def compare_latencies(program, servers, file, rate, seconds, rounds):
    ours, bare = in_turns(
        lambda server: latencies(program, server, file, rate, seconds), (servers["applyguard"], servers["bare"]), rounds)
    median = {key: [statistics.median(taken[key] for taken in side) for side in (ours, bare)] for key in ours[0]}
    return {
        "rate": rate, "applyguard": {key: value[0] for key, value in median.items()},
        "bare": {key: value[1] for key, value in median.items()},
        "p999_to_bare": median_ratio([r["p999_us"] for r in ours], [r["p999_us"] for r in bare])}


def compare_handshakes(program, servers, seconds, rounds):
    ours, bare = in_turns(
        lambda server: handshakes_per_cpu_second(program, server, seconds), (servers["applyguard"], servers["bare"]), rounds)
    return {"applyguard": statistics.median(ours), "bare": statistics.median(bare),
            "handshakes_per_cpu_to_bare": median_ratio(ours, bare)}


def cpu_of_review(program, server, file, rate, seconds):
    before = server.cpu_seconds()
    done, *_ = client(program, "requests", server.port, THREADS, seconds, file, int(rate))
    return (server.cpu_seconds() - before) / done


def compare_loops(program, one, two, file, rate, seconds, rounds):
    """The processor time of a review with two loops, as a multiple of that with one that has half of the reviews."""
    rates = {one: rate / 2, two: rate}
    with_one, with_two = in_turns(
        lambda server: cpu_of_review(program, server, file, rates[server], seconds), (one, two), rounds)
    return median_ratio(with_two, with_one)
