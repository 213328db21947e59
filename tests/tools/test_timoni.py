#!/usr/bin/env python3
"""Timoni's library with its options: it takes over what kubectl and Helm own, and undoes what kubectl adds."""

import bench
import installers
import people
from application import application


class Timoni(bench.Bench):
    tool = "timoni"

    def test_1_normal_life(self):
        name = self.namespace("shop")

        def apply(phase, objects):
            with self.phase(phase):
                installers.timoni(self, name, objects)
        apply("install", application())
        for _ in range(3):
            apply("resync", application())
        apply("upgrade", application(2))
        for what, act in {"kubectl edit": people.edit, **people.ADDITIONS}.items():
            with self.fight(what):
                act(self, name)
            apply(f"heal after {what}", application(2))

    def test_2_adoption(self):
        for former, install in people.FORMER.items():
            name = self.namespace(f"from-{former}")
            with self.phase(f"installed by {former}"):
                install(self, name, application())
            for phase, version in (("adopt", 1), ("resync", 1), ("upgrade", 2)):
                with self.phase(f"{phase} what {former} installed"):
                    installers.timoni(self, name, application(version))


if __name__ == "__main__":
    bench.main()
