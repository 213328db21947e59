"""The memory of a server that has started and gets no requests."""

import unittest

import harness
from test_scales import ApiServer

ANONYMOUS_KIB_MAX = 3 * 1024


class IdleMemory(unittest.TestCase):
    def setUp(self):
        if harness.Program.is_sanitized:
            self.skipTest("sanitizers take more than the program")

    def check(self, *flags):
        with harness.Server("--threads", "2", *flags) as server:
            self.assertLess(server.anonymous_bytes() // 1024, ANONYMOUS_KIB_MAX)
            body = harness.review("edit-ssa")
            harness.assert_verdict(self, server.review(body), body, allowed=True)

    def test_with_certificates_from_files(self):
        """Protects small nodes, where each pod of a cluster has its share of memory that is its own."""
        self.check()

    def test_with_a_client_of_the_api_server(self):
        """Protects the same where libcurl is in use, and not only loaded."""
        api = ApiServer()
        self.addCleanup(api.stop)
        self.check("--lookup", "--kubeconfig", api.kubeconfig())


if __name__ == "__main__":
    harness.main()
