#!/usr/bin/env python3
"""The commands reach a cluster through the user's own kubectl, and say what is wrong with it.

    tests/cli/test_kubectl.py APPLYGUARD

`applyguard blame KIND/NAME` stands for all commands that read a live object by its name.
"""
import json
import os
import pathlib
import pty
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import stub_kubectl

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
PATH = "/api/v1/namespaces/shop/configmaps/c"
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "1"}, "metadata": {
    "name": "c", "namespace": "shop", "resourceVersion": "7", "managedFields": [
        {"manager": "kubectl", "operation": "Apply", "apiVersion": "v1", "time": "2026-11-20T00:00:00Z", "fieldsType": "FieldsV1",
         "fieldsV1": {"f:data": {"f:a": {}}}}]}}
FLAGS = ("--kubeconfig=k", "--context=c", "--cluster=cl", "--server=https://s", "--certificate-authority=ca", "--client-certificate=cc",
         "--client-key=ck", "--tls-server-name=t", "--request-timeout=5s", "--as=jane", "--as-uid=7", "--as-group=a", "--as-group=b")


class Kubectl(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_in(self, environment, *arguments, **options):
        done = subprocess.run([APPLYGUARD, *arguments], capture_output=True, timeout=60, **{"stdin": subprocess.DEVNULL, **options},
                              env={**{name: value for name, value in os.environ.items() if not name.startswith("KUBE")}, **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def served(self):
        return stub_kubectl.Served(self.folder, {PATH: CONFIG_MAP}, {"cm/c": PATH})

    def script(self, text, *arguments, **options):
        """What the command says where kubectl is this script for sh."""
        environment = stub_kubectl.script(self.folder, "#!/bin/sh\n" + text)
        return self.run_in(environment, *(arguments or ("blame", "cm/c")), **options)

    def refused(self, text, *arguments, **options):
        status, output, errors = self.script(text, *arguments, **options)
        self.assertEqual((status, output), (2, ""))
        return errors


class Answers(Kubectl):
    def test_it_is_asked_once_and_without_a_shell(self):
        cluster = self.served()
        name = "cm/$(touch x); 'c'"
        cluster.names[name] = PATH
        cluster.write()
        status, output, errors = self.run_in(cluster.environment, "blame", "-o", "json", name)
        self.assertEqual((status, errors, json.loads(output)["name"]), (0, "", "c"))
        self.assertEqual(cluster.asked(), [["get", "--output=json", "--show-managed-fields", "--", name]])

    def test_flags_of_the_connection_are_passed_on(self):
        cluster = self.served()
        for arguments, user in ((("blame", "cm/c"), True), (("migrate", "--to", "m", "cm/c"), True),
                                (("preview", "--applier", "kubectl-server", "cm/c"), False)):
            cluster.write()
            flags = [*FLAGS, "-n", "x", "--token=s3cr3t", "--insecure-skip-tls-verify", *(["--user=u"] if user else [])]
            status, _, errors = self.run_in(cluster.environment, *arguments, *flags)
            self.assertEqual(status, 0, errors)
            expected = sorted([*FLAGS, "--token=s3cr3t", "--insecure-skip-tls-verify=true", *(["--user=u"] if user else [])])
            words = cluster.asked()[0]
            self.assertEqual(sorted(words[:words.index("get")]), expected)
            self.assertEqual(words[words.index("get"):],
                             ["get", "--output=json", "--show-managed-fields", "--namespace", "x", "--", "cm/c"])

    def test_the_command_of_migrate_has_the_flags_but_no_token(self):
        _, output, _ = self.run_in(self.served().environment, "migrate", "--back", "-o", "command", "cm/c", "--user=a b",
                                   "--token=s3cr3t", "-s", "https://s")
        self.assertNotIn("s3cr3t", output)
        words = shlex.split(output)
        self.assertIn("--user=a b", words)
        self.assertIn("--server=https://s", words)

    def test_the_namespace_of_the_context_is_that_of_manifests(self):
        cluster = self.served()
        cluster.objects["/api/v1"] = {"resources": [{"name": "configmaps", "kind": "ConfigMap", "namespaced": True},
                                                    {"name": "configmaps/status", "kind": "ConfigMap", "namespaced": True}]}
        cluster.write()
        manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "2"}}
        status, output, errors = self.run_in(cluster.environment, "preview", "-o", "json", "-f", "-", input=json.dumps(manifest).encode(), stdin=None)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(json.loads(output)["changed"], [".data.a"])
        self.assertEqual([words[0] for words in cluster.asked()], ["get", "config", "get"])

    def test_what_it_says_beside_its_answer_is_passed_on(self):
        text = f"echo 'Warning: v1 ComponentStatus is deprecated' >&2; printf 'a\\033[31mb\\n' >&2\necho '{json.dumps(CONFIG_MAP)}'"
        status, output, errors = self.script(text)
        self.assertEqual((status, errors), (0, "Warning: v1 ComponentStatus is deprecated\na\\x1b[31mb\n"))
        self.assertIn("ConfigMap shop/c", output)

    def test_a_large_answer_is_read_whole(self):
        large = {**CONFIG_MAP, "data": {"a": "x" * 3_000_000}}
        (self.folder / "answer").write_text(json.dumps(large))
        status, output, errors = self.script(f"cat {self.folder}/answer", "blame", "-o", "json", "cm/c")
        self.assertEqual((status, errors, json.loads(output)["name"]), (0, "", "c"))

    def test_much_on_standard_error_blocks_nothing(self):
        status, output, errors = self.script(
            f"yes 'W1127 05:00:00.000000 1 a.go:1] noise' | head -n 20000 >&2; yes line | head -n 3000 >&2; echo '{json.dumps(CONFIG_MAP)}'")
        self.assertEqual(status, 0)
        self.assertGreaterEqual(errors.count("line"), 3000)

    def test_a_process_that_it_leaves_behind_is_not_waited_for(self):
        begin = time.monotonic()
        status, _, errors = self.script(f"sleep 60 > /dev/null & echo '{json.dumps(CONFIG_MAP)}'")
        self.assertEqual((status, errors), (0, ""))
        self.assertLess(time.monotonic() - begin, 50)

    def test_a_prompt_is_seen_and_answered_on_a_terminal(self):
        environment = stub_kubectl.script(
            self.folder, f"#!/bin/sh\nprintf 'Password: ' >&2; read word; test $word = right || exit 3\necho '{json.dumps(CONFIG_MAP)}'")
        main, other = pty.openpty()
        with subprocess.Popen([APPLYGUARD, "blame", "-o", "json", "cm/c"], stdin=other, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, **environment}) as process:
            self.assertIn(b"Password:", process.stderr.readline())
            os.write(main, b"right\n")
            self.assertEqual(json.loads(process.communicate(timeout=60)[0])["name"], "c")
        os.close(main)
        os.close(other)


class Failures(Kubectl):
    def test_it_is_missing(self):
        for arguments in (("blame", "cm/c"), ("migrate", "--to", "m", "cm/c"), ("preview", "cm/c"), ("explain", "-f", "-", "--live", "cm/c")):
            status, output, errors = self.run_in({"PATH": str(self.folder)}, *arguments)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("cm/c: error: kubectl is not in PATH, and clusters are read through it: install it, or name a file", errors)

    def test_it_is_too_old(self):
        for start in "Error", "error":
            errors = self.refused(f"printf '{start}: unknown flag: --show-managed-fields\\nSee kubectl get --help for usage.\\n' >&2; exit 1")
            self.assertEqual(errors.splitlines()[-1], "cm/c: error: kubectl: unknown flag: --show-managed-fields; install kubectl 1.21 or newer")

    def test_it_refuses(self):
        for message, advice in (
                ('Error from server (Forbidden): configmaps "c" is forbidden: User "jane" cannot get resource "configmaps"', ""),
                ('Error from server (NotFound): configmaps "c" not found', ""),
                ("error: You must be logged in to the server (Unauthorized)", ""),
                ("error: the server doesn't have a resource type \"cm\"", ""),
                ("Unable to connect to the server: dial tcp 127.0.0.1:1: connect: connection refused", ""),
                ("The connection to the server localhost:8080 was refused - did you specify the right host or port?",
                 "; is there a kubeconfig with this cluster? Name one with --kubeconfig")):
            with self.subTest(message):
                logged = "E1127 05:00:00.000000     1 memcache.go:265] \"Unhandled Error\""
                errors = self.refused(f"cat >&2 <<'END'\n{logged}\n{message}\nEND\nexit 1")
                self.assertEqual(errors, f"cm/c: error: kubectl: {message.removeprefix('error: ')}{advice}\n")

    def test_the_hints_of_a_plugin_are_passed_on(self):
        errors = self.refused("echo 'Unable to connect to the server: getting credentials: exec: executable x not found' >&2\n"
                              "echo >&2; echo 'It looks like you need a plugin' >&2; exit 1")
        self.assertEqual(errors, "It looks like you need a plugin\n"
                                 "cm/c: error: kubectl: Unable to connect to the server: getting credentials: exec: executable x not found\n")

    def test_it_says_nothing_or_is_no_program(self):
        self.assertEqual(self.refused("exit 3"), "cm/c: error: kubectl failed with exit status 3\n")
        self.assertEqual(self.refused("exit 0"), "cm/c: error: kubectl printed nothing\n")
        (self.folder / "kubectl").write_bytes(b"\x7fELF")
        status, output, errors = self.run_in({"PATH": str(self.folder)}, "blame", "cm/c")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("cm/c: error: kubectl", errors)

    def test_it_prints_no_object(self):
        self.assertIn("cm/c:", self.refused("echo '{'"))
        self.assertIn("cm/c:", self.refused("echo hello"))

    def test_it_is_killed(self):
        self.assertEqual(self.refused("kill -9 $$"), "cm/c: error: kubectl was ended by signal 9\n")

    def test_it_prints_without_end(self):
        self.assertEqual(self.refused("exec cat /dev/zero"), "cm/c: error: kubectl: it printed more than 64 MiB\n")

    def test_it_is_slow_and_says_why(self):
        """People see where to log in while kubectl still waits for them."""
        environment = stub_kubectl.script(self.folder, f"#!/bin/sh\necho 'visit https://login' >&2; read word < {self.folder}/pipe; exit 1")
        os.mkfifo(self.folder / "pipe")
        with subprocess.Popen([APPLYGUARD, "blame", "cm/c"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**os.environ, **environment}) as process:
            self.assertEqual(process.stderr.readline(), b"visit https://login\n")
            (self.folder / "pipe").write_text("x\n")
            self.assertEqual(process.communicate(timeout=60)[1], b"cm/c: error: kubectl failed with exit status 1\n")

    def test_a_caller_that_ignores_its_children(self):
        """SIGCHLD and SIGPIPE that a parent ignores are inherited: the exit status is seen, and kubectl gets SIGPIPE."""
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        self.assertIn("kubectl failed with exit status 7", self.refused("exit 7", preexec_fn=ignore))
        self.assertIn("printed more than 64 MiB", self.refused("cat /dev/zero; echo survived > x", preexec_fn=ignore))

    def test_closed_standard_files(self):
        status, _, _ = self.script("exit 3", preexec_fn=lambda: os.close(0), stdin=None)
        self.assertEqual(status, 2)

    def test_it_gets_none_of_our_files(self):
        manifest = self.folder / "m.json"
        manifest.write_text(json.dumps(CONFIG_MAP))
        self.script(f"ls -l /proc/self/fd > {self.folder}/files; exit 1", "preview", "-f", str(manifest))
        self.assertNotIn("m.json", (self.folder / "files").read_text())

    def test_the_reason_of_a_slow_failure(self):
        """The reason counts whenever kubectl prints it; what it prints before is passed on at once."""
        errors = self.refused("echo hint >&2; sleep 1.5; echo 'Error from server (NotFound): things \"c\" not found' >&2; sleep 1; exit 1")
        self.assertEqual(errors, 'hint\ncm/c: error: kubectl: Error from server (NotFound): things "c" not found\n')

    def test_what_is_no_name(self):
        for name in "web", "deploy/", "/web", "deploy/a/b", "deploy/a,svc/b":
            self.assertIn(f"{name}: error: this is not KIND/NAME", self.refused("exit 9", "blame", name))
        file = self.folder / "a"
        file.write_text("")
        self.assertEqual(self.refused("exit 9", "blame", str(file)), f"{file}: error: this is a file, not KIND/NAME; name it with -f\n")

    def test_a_pod_without_kubectl_needs_its_token(self):
        status, _, errors = self.run_in({"PATH": str(self.folder), "KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": "1"},
                                        "blame", "cm/c")
        self.assertEqual(status, 2)
        self.assertIn("the pod needs a service account token", errors)


if __name__ == "__main__":
    unittest.main()
