#!/usr/bin/env python3
"""kubectl apply, and its ApplySets, which prune."""

import bench
import installers
import people
from application import application, write

WAYS = {
    "client-side": (),
    "server-side": ("--server-side",),
    "applyset client-side": ("--prune", "--applyset=shop"),
    "applyset server-side": ("--prune", "--applyset=shop", "--server-side"),
}


class Kubectl(bench.Bench):
    tool = "kubectl"

    def test_1_normal_life(self):
        for way, flags in WAYS.items():
            name = self.namespace(way.replace(" ", "-"))

            def apply(phase, objects, *more, name=name, way=way, flags=flags):
                with self.phase(f"{way}: {phase}"):
                    installers.kubectl(self, name, objects, *flags, *more)
            apply("install", application())
            for _ in range(3):
                apply("apply the same", application())
            apply("upgrade", application(2))
            with self.fight(f"{way}: kubectl edit"):
                people.edit(self, name)
            apply("heal after kubectl edit", application(2), *(("--force-conflicts",) if "server-side" in way else ()))
            for what, act in people.ADDITIONS.items():
                with self.phase(f"{way}: {what}"):
                    act(self, name)
                apply(f"apply after {what}", application(2))
            apply("prune", application(2, without=("ConfigMap/leftover", "Service/web")))
            if "applyset" in way:
                self.assertIsNone(self.get("service/web", name))

    def test_2_from_client_side_to_server_side(self):
        name = self.namespace("moving")
        with self.phase("client-side: install, to be moved"):
            installers.kubectl(self, name, application())
        for phase, version in (("to server-side", 1), ("the same after the move", 1), ("upgrade after the move", 2)):
            with self.phase(phase):
                # `volumeClaimTemplates` is atomic, and no manifest has the defaults in it.
                installers.kubectl(self, name, application(version), "--server-side", "--force-conflicts")

    def test_3_from_one_applyset_to_another(self):
        name = self.namespace("two-sets")
        with self.phase("applyset: one"):
            installers.kubectl(self, name, application(), "--prune", "--applyset=one")
        with self.fight("applyset: another takes a member"):
            config = [each for each in application() if each["metadata"]["name"] == "settings"]
            for each in config:
                each["metadata"]["labels"] = {"applyset.kubernetes.io/part-of": "applyset-" + "A" * 43 + "-v1"}
            folder = write(config, self.plane.directory / "repositories" / "another")
            self.kubectl("apply", "--server-side", "--force-conflicts", "--field-manager=another",
                         "--filename", folder, namespace=name, user="alice")


if __name__ == "__main__":
    bench.main()
