"""How long a server takes from its start until it says that it is ready."""
import socket
import statistics
import subprocess
import time

READY = b"GET /readyz HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n"
PAUSE_SECONDS = 0.0005
PATIENCE_SECONDS = 30


def is_ready(port):
    with socket.socket() as client:
        try:
            client.connect(("127.0.0.1", port))
            client.sendall(READY)
            return client.recv(4096).startswith(b"HTTP/1.1 200 ")
        except OSError:
            return False


def milliseconds_to_ready(command, plain_port):
    """From exec to the first 200 of /readyz on the plain listener; the program is stopped again."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not is_ready(plain_port):
            if process.poll() is not None or time.monotonic() - begin > PATIENCE_SECONDS:
                raise RuntimeError(f"{command[0]} does not become ready")
            time.sleep(PAUSE_SECONDS)
        return 1000 * (time.monotonic() - begin)
    finally:
        process.terminate()
        process.wait()


def median_milliseconds(command_and_port, times):
    """`command_and_port` gives a new command, and the port where it will say that it is ready."""
    return statistics.median(milliseconds_to_ready(*command_and_port()) for _ in range(times))
