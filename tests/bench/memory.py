"""applyguard's memory: idle in each way of running it, and for bodies that are under way."""
import contextlib
import pathlib
import socket
import ssl
import threading
import time

import cluster
from server import Server, free_port

SETTLED_SECONDS = 0.3
PATIENCE_SECONDS = 10


def ways(folder, kubeconfig):
    """How applyguard gets its certificates and what else it does, as flags."""
    files = ["--tls-cert", folder / "cert", "--tls-key", folder / "key"]
    api = ["--kubeconfig", kubeconfig]
    itself = ["--certs-secret", "bench/bench", "--certs-service", "applyguard", "--certs-configuration", "applyguard"]
    return {"files": files, "lookup": [*files, "--lookup", *api], "self": [*itself, *api],
            "self-lookup": [*itself, "--lookup", *api]}


def has_settled(api, name):
    """With certificates of its own the last it does before it rests is to publish their authority."""
    if not name.startswith("self"):
        return True
    return "caBundle" in str(api.kept[cluster.CONFIGURATION])


def idle_mib(program, folder, loops):
    """Anonymous memory, with a metrics listener, in each way."""
    results = {}
    for name in ways(folder, ""):
        api = cluster.Cluster(folder)
        port = free_port()
        server = Server(name, [
            program, "serve", "--listen", f"127.0.0.1:{port}", "--metrics-listen", f"127.0.0.1:{free_port()}",
            "--threads", str(loops), "--drain-delay", "0", *ways(folder, api.kubeconfig())[name]], port)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not has_settled(api, name) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(SETTLED_SECONDS)
        results[name] = server.anonymous_mib() if has_settled(api, name) else float("inf")
        server.stop()
        api.stop()
    return results


def resident_mib_of(server):
    time.sleep(SETTLED_SECONDS)
    return server.resident_mib()


def finish(connection, rest):
    connection.sendall(rest)
    answer = connection.recv(65536)
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(f"applyguard answers {answer[:60]}")


def of_bodies(server, file, connections):
    """Resident beyond idle for each byte of bodies: while each has come half, and at most until all are answered."""
    body = pathlib.Path(file).read_bytes()
    head = (f"POST /validate HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    half, mib = len(body) // 2, connections * len(body) / (1 << 20)
    with contextlib.ExitStack() as stack:
        idle = resident_mib_of(server)
        opened = []
        for _ in range(connections):
            plain = socket.create_connection(("127.0.0.1", server.port))
            opened.append(stack.enter_context(ssl._create_unverified_context().wrap_socket(plain)))
            opened[-1].sendall(head + body[:half])
        halfway = (resident_mib_of(server) - idle) / (mib / 2)
        server.reset_peak()
        threads = [threading.Thread(target=finish, args=(connection, body[half:])) for connection in opened]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return {"halfway": halfway, "judged": (server.peak_mib() - idle) / mib}
