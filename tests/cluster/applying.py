"""applying.py: a stream of applies of several clients, none of which may fail."""

import contextlib
import secrets
import threading

from api import Api

# Between two applies of a client: there is always one under way, and the machine has time for what is tested.
PAUSE_SECONDS = 0.1


class Stream:
    """Clients that apply again and again, each time another Deployment; what became of it."""

    def __init__(self, plane, apply, clients=4):
        self.plane, self.apply = plane, apply
        self.stop = threading.Event()
        self.applied, self.failures = [], []
        self.threads = [threading.Thread(target=self._run, args=(number,)) for number in range(clients)]

    def _run(self, number):
        with contextlib.closing(Api(self.plane)) as api:
            while not self.stop.wait(PAUSE_SECONDS):
                token = secrets.token_hex(4)
                answer = self.apply(f"web-{number}-{token}", token, api)
                # Each creates a Deployment without a strategy, which is warned of.
                (self.applied if answer.ok and answer.warnings else self.failures).append(answer.body)

    def __enter__(self):
        for each in self.threads:
            each.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for each in self.threads:
            each.join()
