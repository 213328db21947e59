"""What /metrics serves and the chart's alerts, as Prometheus' own tools read them.

promtool comes from a Debian package: see the script beside this.
"""

import functools
import pathlib
import re
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "server"))

import harness
import wire


@functools.cache
def promtool():
    return subprocess.run([HERE / "promtool"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def scraped(accept):
    """/metrics of a server that has judged every recorded review."""
    with harness.Server("--metrics-labels", "kind,namespace") as server:
        with server.connect() as connection:
            for story in harness.stories():
                connection.review(harness.review(story))
        with server.connect_plain() as connection:
            request = wire.request("GET", "/metrics", headers=(("Accept", accept),))
            return connection.exchange(request, "GET").body


class Promtool(unittest.TestCase):
    def test_names_and_help_are_as_prometheus_wants_them(self):
        """Protects whoever searches by the usual rules of naming: promtool's linter has nothing to say."""
        done = harness.run(promtool(), "check", "metrics", input=scraped("text/plain"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))

    def test_open_metrics_is_parsed_to_the_last_sample(self):
        """Protects scrapes: Prometheus' strict parser takes every sample. It wants times, which a scrape has not."""
        text = scraped("application/openmetrics-text").decode()
        timed, count = re.subn(r"^([^#\n].*)$", r"\1 1700000000", text, flags=re.MULTILINE)
        directory = harness.temporary_directory()
        (directory / "metrics").write_text(timed)
        done = harness.run(
            promtool(), "tsdb", "create-blocks-from", "openmetrics", directory / "metrics", directory / "blocks")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        heading, kept = done.stdout.decode().splitlines()
        column = re.split(r"\s{2,}", heading.strip()).index("NUM SAMPLES")
        self.assertEqual(re.split(r"\s{2,}", kept.strip())[column], str(count))


if __name__ == "__main__":
    harness.main()
