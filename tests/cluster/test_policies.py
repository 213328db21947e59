"""Rules that are off in both profiles, under policies that ask for them."""

import guarded
from stage import STRATEGY, stories, web

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"


class ExplicitFields(guarded.Guarded):
    """A policy that wants fields declared: what is left to defaults is refused, and names the field."""

    policies = {"declared": HEAD + """\
rules:
  explicit-fields: {action: deny, fields: {Deployment.apps: [.spec.minReadySeconds]}}
"""}

    @stories("declared", "declared-warn", "declared-audit")
    def test_a_field_is_not_declared(self, stage):
        stage.when("apply", web())
        stage.then(STRATEGY, "explicit-fields deny")

    @stories("declared")
    def test_the_field_is_declared(self, stage):
        stage.when("apply --server-side", web(minReadySeconds=3))
        stage.then(STRATEGY)


if __name__ == "__main__":
    guarded.main()
