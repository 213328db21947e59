#!/usr/bin/env python3
"""`applyguard explain -f` of what applyguard itself warned of or denied, and of the texts of Terraform, Pulumi and Ansible.

    tests/cli/test_explain_own.py APPLYGUARD
"""
import json
import subprocess
import sys
import tempfile
import unittest

APPLYGUARD = sys.argv.pop(1) if len(sys.argv) > 1 else sys.exit(__doc__)
MESSAGE = "Deployment shop/web: kubectl edit changes replicas, but Flux undoes this at its next reconcile; change it in Git"
LINE = MESSAGE + " [ownership-conflict]"
SECOND = "Deployment shop/web: .spec.strategy.type is not declared, so an edit by hand stays; set it [explicit-strategy]"
DENIED = 'admission webhook "enforce.applyguard.io" denied the request: '
BOX = """╷
│ \x1b[1mError: \x1b[0mThere was a field manager conflict when trying to apply the manifest for "shop/pool"
│ 
│ The API returned the following conflict: "Apply failed with 2 conflicts:
│ conflicts with \\"before-first-apply\\" using example.org/v1:\\n-
│ .metadata.labels.one\\n-
│ .metadata.labels.two"
╵
"""
TERRAFORM_KUBECTL = 'Error: shop/accounts failed to run apply: Apply failed with 1 conflict: conflict with "eks" using v1: .data.roles\n'
PULUMI = ('* the Kubernetes API server reported that "shop/accounts" failed to become live: Server-Side Apply field conflict '
          'detected: Apply failed with 1 conflict: conflict with "eks" using v1: .data.roles\n')


def explain(text, *arguments):
    done = subprocess.run([APPLYGUARD, "explain", *arguments, "-f", "-"], input=text, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def explained(text):
    status, output, errors = explain(text, "-o", "json")
    assert status == 0, errors
    return [json.loads(line) for line in output.splitlines()]


class Own(unittest.TestCase):
    def test_mail_may_wrap_them(self):
        for margin in ("", "> ", "    "):
            one, two = explained("".join(f"{margin}{line}\n" for line in (
                f"Warning: applyguard: {LINE}".replace("but Flux ", f"but Flux\n{margin}"), f"Warning: applyguard: {SECOND}".replace("so an ", f"so an\n{margin}"))))
            self.assertEqual((one["rule"], one["next"], two["rule"]), ("ownership-conflict", "Flux undoes this at its next reconcile", "explicit-strategy"))

    def test_warnings_are_found_in_the_words_of_each_client(self):
        for text in (f"Warning: applyguard: {LINE}\ndeployment.apps/web edited\n",
                     f'W0311 09:30:12.401233   17 warnings.go:70] applyguard: {LINE}\n',
                     f'{{"level":"info","msg":"Warning: applyguard: {LINE}"}}\n'):
            with self.subTest(text=text):
                one, = explained(text)
                self.assertEqual((one["rule"], one["refused"], one["object"]["name"]), ("ownership-conflict", False, "web"))
                self.assertEqual(one["what"], "kubectl edit changes replicas")
                self.assertEqual(one["next"], "Flux undoes this at its next reconcile")
                self.assertEqual(one["advice"], "change it in Git")

    def test_denials_have_a_line_for_each_finding(self):
        for text in (f'error: deployments.apps "web" could not be patched: {DENIED}{LINE}\n{SECOND}\n',
                     f'Error: UPGRADE FAILED: {DENIED}{LINE}\n{SECOND}\n',
                     f'{{"error":"{DENIED}{LINE}\\n{SECOND}"}}'.replace('"enforce.applyguard.io"', '\\"enforce.applyguard.io\\"')):
            with self.subTest(text=text):
                self.assertEqual([(one["rule"], one["refused"]) for one in explained(text)],
                                 [("ownership-conflict", True), ("explicit-strategy", True)])

    def test_denials_are_found_where_tools_wrap_and_quote_them(self):
        kapp = f'kapp: Error: Applying update deployment/web (apps/v1) namespace: shop:\n  API server says: {DENIED.strip()}\n      {LINE} (reason: Forbidden)\n'
        flux = f"    message: |\n      Deployment/shop/web dry-run failed (Forbidden): {DENIED}{LINE}\n      {SECOND}\n    reason: Failed\n"
        ansible = {"msg": "Failed to patch object: %r" % json.dumps({"message": DENIED + LINE}).encode()}
        for text, rules in ((kapp, ["ownership-conflict"]), (flux, ["ownership-conflict", "explicit-strategy"]),
                            (f"fatal: [localhost]: FAILED! => {json.dumps(ansible)}\n", ["ownership-conflict"])):
            with self.subTest(text=text):
                found = explained(text)
                self.assertEqual([one["rule"] for one in found], rules)
                self.assertEqual({(one["refused"], one["object"]["kind"], one["object"]["name"]) for one in found}, {(True, "Deployment", "web")})

    def test_quotes_in_logs_lose_their_escapes(self):
        line = 'StatefulSet shop/db: kubectl set changes db\'s env[name="A"], but the next kubectl apply undoes this; change the manifest [ownership-conflict]'
        for text in (json.dumps({"msg": f"Warning: applyguard: {line}"}), json.dumps({"msg": json.dumps({"message": DENIED + line})})):
            with self.subTest(text=text):
                one, = explained(text + "\n")
                self.assertEqual(one["what"], 'kubectl set changes db\'s env[name="A"]')

    def test_another_webhooks_denial_is_not_ours(self):
        status, output, errors = explain(f'admission webhook "validate.kyverno.svc" denied the request: {LINE}\n')
        self.assertEqual((status, output), (2, ""))
        self.assertIn("no warning of applyguard and no conflict in it", errors)

    def test_several_are_explained_once_each(self):
        text = f"Warning: applyguard: {LINE}\nWarning: applyguard: {SECOND}\nWarning: applyguard: {LINE}\n"
        self.assertEqual(len(explained(text)), 2)

    def test_resolutions_are_commands_for_the_object(self):
        status, output, _ = explain(f"Warning: applyguard: {LINE}\n")
        self.assertEqual(status, 0)
        self.assertIn("applyguard blame deployment web -n shop\n", output)
        self.assertIn("kubectl annotate deployment web -n shop applyguard.io/waive=ownership-conflict", output)
        self.assertIn("applyguard explain ownership-conflict\n", output)

    def test_who_wrote_what_and_who_holds_it(self):
        for message, who, holder, then in (
                ("Flux overwrites replicas, which an autoscaler controls; remove replicas", "Flux", "an autoscaler", "an autoscaler sets its own value again"),
                ("k9s changes replicas, which kubectl apply --server-side manages: the next apply fails or undoes this; change the manifest", "k9s",
                 "kubectl apply --server-side", "the next apply fails or undoes this"),
                ("Helm changes web's image, but the next helm upgrade undoes this; change the chart", "Helm", "", "the next helm upgrade undoes this")):
            with self.subTest(message):
                one, = explained(f"Warning: applyguard: Deployment shop/web: {message} [ownership-conflict]\n")
                self.assertEqual((one["who"], one["holder"], one["next"]), (who, holder, then))

    def ways(self, message, before="Warning: applyguard: ", rule="ownership-conflict", subject="Deployment shop/web"):
        one, = explained(f"{before}{subject}: {message} [{rule}]\n")
        return {way["way"]: way["command"] for way in one["ways"]}

    def test_the_four_resolutions_are_those_of_the_writer(self):
        by_hand = self.ways(MESSAGE.partition(": ")[2])
        self.assertEqual(by_hand["drop"], "kubectl edit deployment web -n shop  # set replicas back")
        self.assertEqual(by_hand["force"], "flux suspend kustomization NAME -n NAMESPACE  # the change stays until: "
                                           "flux resume kustomization NAME -n NAMESPACE")
        self.assertEqual(by_hand["match"], "kubectl get deployment web -n shop -o yaml  # then set replicas in Git to what this shows, and apply again")
        helm = self.ways("Helm overwrites label team and 1 more field, which team-b also sets; keep each in one manifest", DENIED)
        self.assertEqual(helm["drop"], "helm upgrade --install RELEASE CHART  # first remove label team and 1 more field from the chart")
        self.assertIn("the policy refused it", helm["force"])
        orphaned = self.ways("annotation note (kubectl annotate) is in no manifest; add it to Git", rule="orphaned-fields")
        self.assertEqual(orphaned["drop"], "kubectl edit deployment web -n shop  # remove annotation note")
        self.assertNotIn("drop", self.ways("the manifest has no .spec.selector; set it", rule="explicit-selector"))

    def test_fields_are_handed_over_where_another_owner_has_them(self):
        shared = "team-b sets {}, which team-a also sets; keep each in one manifest"
        for fields, path in ((".data.a", ".data.a"), ("label team", ".metadata.labels.team"), ("replicas", ".spec.replicas"),
                             ('.spec.ports[port=80,protocol="TCP"].name', "'.spec.ports[port=80,protocol=\"TCP\"].name'"),
                             ("annotation example.com/x.y", ".metadata.annotations.example.com/x.y"),
                             ("nginx's image", "FIELD"), (".data.a and 3 more fields", "FIELD"), (".data.…", "FIELD")):
            with self.subTest(fields):
                way = self.ways(shared.format(fields), rule="multiple-appliers")["hand-over"]
                self.assertEqual(way.partition("  # ")[0], f"applyguard migrate --fields {path} --to MANAGER deployment web -n shop -o command")
        overwrites = "team-b overwrites label team, which team-a also sets; keep it in one manifest"
        self.assertIn("hand-over", self.ways(overwrites, DENIED))
        self.assertNotIn("hand-over", self.ways(overwrites))
        mixed = "Flux cannot delete .data.a, because {} (client-side) still owns it; hand it over"
        for holder, former in (("kubectl apply", ""), ("Helm", "--from FORMER ")):
            self.assertTrue(self.ways(mixed.format(holder), rule="mixed-apply")["hand-over"].startswith(f"applyguard migrate {former}--to MANAGER deployment"))

    def test_what_is_by_hand_leaves_nothing_to_hand_over(self):
        changes = "kubectl edit changes label team, which team-a manages: the next apply fails or undoes this; change the manifest"
        for before in ("Warning: applyguard: ", DENIED):
            self.assertNotIn("hand-over", self.ways(changes, before))

    def test_a_refused_change_by_hand_is_not_in_the_object(self):
        changes = "kubectl edit {} label team, but the next helm upgrade undoes this; change the chart or its values"
        self.assertEqual(self.ways(changes.format("changes"), DENIED)["match"],
                         "helm upgrade --install RELEASE CHART  # first set label team in the chart to the value that you want")
        self.assertEqual(self.ways(changes.format("changes"), DENIED)["drop"], "kubectl edit deployment web -n shop  # without changing label team")
        self.assertEqual(self.ways(changes.format("removes"), DENIED)["drop"], "kubectl edit deployment web -n shop  # without removing label team")

    def test_the_preview_is_of_the_next_apply(self):
        """Without a manifest only of what kubectl has applied client-side: of others the object does not hold it."""
        by_hand, by_tool = "kubectl edit changes label team, {}", "{} overwrites label team, which team-b also sets; keep it in one manifest"
        for message, command in (
                (by_hand.format("but the next kubectl apply undoes this; change the manifest"), "applyguard preview deployment web -n shop"),
                (by_hand.format("which team-a manages: the next apply fails or undoes this; change the manifest"), "applyguard preview -f MANIFEST -n shop"),
                (by_hand.format("but Flux undoes this at its next reconcile; change it in Git"), "applyguard preview --applier flux -f MANIFEST -n shop"),
                (by_tool.format("Argo CD"), "applyguard preview --applier argocd -f MANIFEST -n shop"),
                (by_tool.format("kubectl apply"), "applyguard preview -f MANIFEST -n shop"),
                (by_tool.format("kubectl apply --server-side"), "applyguard preview --server-side -f MANIFEST -n shop"),
                (by_tool.format("Helm"), "helm template RELEASE CHART --no-hooks | applyguard preview --applier helm -f - -n shop")):
            with self.subTest(message):
                self.assertEqual(self.ways(message)["preview"], command)

    def test_replicas_of_an_autoscaler_are_left_to_it(self):
        """Protects the pods: replicas that a client-side apply removes scale to 1."""
        for writer, way in (
                ("kubectl apply", "kubectl apply edit-last-applied deployment/web -n shop  # delete only replicas, then leave replicas out of MANIFEST"),
                ("Flux", "applyguard blame deployment web -n shop  # leave replicas out of Git only once this shows that the autoscaler owns them"),
                ("kubectl apply --server-side", "applyguard blame deployment web -n shop  # leave replicas out of MANIFEST only once this shows that the autoscaler owns them")):
            for before in ("Warning: applyguard: ", DENIED):
                with self.subTest(writer, before=before):
                    ways = self.ways(f"{writer} overwrites replicas, which an autoscaler controls; remove replicas", before)
                    self.assertEqual(ways["hand-over"], way)
                    self.assertFalse({"drop", "force", "match"} & set(ways))
        dropped = self.ways("without replicas, it scales from 6 to 1; put them back, remove them with kubectl apply edit-last-applied, "
                            "then from the manifest", rule="dropped-replicas")
        self.assertTrue(dropped["hand-over"].startswith("kubectl apply edit-last-applied deployment/web -n shop  # once replicas are back"))
        self.assertNotIn("drop", self.ways("kubectl apply overwrites replicas, which kubectl scale wrote"))

    def test_required_fields_are_not_dropped(self):
        for writer in ("kubectl apply", "kubectl apply --server-side", "Helm", "Flux"):
            with self.subTest(writer):
                self.assertNotIn("drop", self.ways(f"{writer} overwrites nginx's image and 1 more field, which team-b also sets; keep each in one manifest"))
        claim = self.ways("kubectl apply overwrites .spec.resources.requests.storage, which kube-controller-manager wrote",
                          subject="PersistentVolumeClaim shop/data-db-0")
        self.assertEqual(claim["match"], "kubectl get persistentvolumeclaim data-db-0 -n shop -o jsonpath='{.spec.resources.requests.storage}'  "
                         "# then set .spec.resources.requests.storage in MANIFEST to what this shows: a volume never shrinks")
        self.assertFalse({"drop", "force", "hand-over"} & set(claim))

    def test_force_is_for_writers_that_apply_server_side(self):
        for writer, forces in (("kubectl apply --server-side", True), ("Helm", True), ("kubectl apply", False), ("Argo CD", False), ("Timoni", False),
                               ("Flux Operator", False), ("Flux", False), ("Flux's Helm controller", False), ("ci", False)):
            with self.subTest(writer):
                ways = self.ways(f"{writer} overwrites label team, which team-b also sets; keep it in one manifest")
                self.assertEqual("force" in ways, forces)
        for writer in ("kubectl label", "kubectl edit"):
            self.assertNotIn("force", self.ways(f"{writer} changes label team, but the next kubectl apply undoes this; change the manifest"))

    def test_a_removed_field_is_put_back(self):
        ways = self.ways('kubectl apply removes .spec.tags[="observed"], which gadget-operator wrote; use kubectl apply --server-side, which keeps it',
                         subject="Gadget shop/tagged")
        self.assertNotIn("drop", ways)
        self.assertEqual(ways["match"], 'kubectl get gadget tagged -n shop -o yaml  # then put .spec.tags[="observed"] back into MANIFEST, and apply again')
        by_hand = self.ways("kubectl patch removes container side, but Flux undoes this at its next reconcile; change it in Git")
        self.assertEqual(by_hand["match"], "flux reconcile kustomization NAME -n NAMESPACE --with-source  # first remove container side from Git")
        self.assertEqual(by_hand["drop"], "kubectl edit deployment web -n shop  # put container side back")

    def test_words_around_the_fields_are_no_fields(self):
        still = self.ways("kubectl edit still owns nginx's resources, too, so changing it conflicts; hand it over: "
                          "applyguard migrate deployment.apps/web -n shop --from kubectl-edit --to kubectl -o command", rule="orphaned-fields")
        self.assertFalse({"drop", "force", "match", "hand-over"} & set(still))
        self.assertTrue(still["command"].startswith("applyguard migrate deployment.apps/web"))
        for verb in ("overwrites or removes", "sets back or removes", "sets back"):
            self.assertIn("# then set label team in Git", self.ways(f"Flux {verb} label team, which kubectl edit changed")["match"])
        by_hand = self.ways("kubectl set set minReadySeconds by hand, and no apply removes it; add it to Git, or delete it (kubectl edit)", rule="orphaned-fields")
        self.assertEqual(by_hand["drop"], "kubectl edit deployment web -n shop  # remove minReadySeconds")

    def test_an_owner_is_no_event(self):
        for message, holder, then in (
                ("kubectl apply overwrites label team, which kubectl edit wrote", "kubectl edit", "the value of kubectl edit is gone, and nothing sets it back"),
                ("Flux overwrites label team, which foo wrote; find out who uses that name", "foo", "foo may set its own value again"),
                ("Helm overwrites label team, which Flux also sets; keep it in one manifest", "Flux", "each run of Flux sets this"),
                ("Flux drops label team, but kubectl apply (client-side) still owns it; hand it over: x", "kubectl apply (client-side)",
                 "no apply removes this, while kubectl apply (client-side) owns it"),
                (".spec.ports[port=53] is repeated, which is fine, but client-side apply may change the wrong one; use --server-side", "",
                 "client-side apply may change the wrong one")):
            with self.subTest(message):
                one, = explained(f"Warning: applyguard: Deployment shop/web: {message} [ownership-conflict]\n")
                self.assertEqual((one["holder"], one["next"]), (holder, then))

    def test_who_holds_the_fields_is_in_brackets(self):
        for message, holder in (("label team (kubectl label) is in no manifest; add it", "kubectl label"),
                                ("web's image (owned by kubectl apply) changes, but not by kubectl annotate: a webhook did it", "kubectl apply"),
                                ("managedFields take up 67 % of the object (40244 bytes); let fewer tools set the same fields", "")):
            with self.subTest(message):
                one, = explained(f"Warning: applyguard: Deployment shop/web: {message} [orphaned-fields]\n")
                self.assertEqual(one["holder"], holder)

    def test_fields_that_cannot_be_deleted_are_kept(self):
        cannot = "Helm cannot delete label app and 4 more fields, because kubectl apply (client-side) still owns them; hand them over"
        self.assertFalse({"drop", "force", "match"} & set(self.ways(cannot, rule="mixed-apply")))
        drops = "Helm drops label app, but kubectl apply (client-side) still owns it; hand it over"
        self.assertEqual(self.ways(drops, rule="mixed-apply")["drop"], "kubectl edit deployment web -n shop  # remove label app")

    def test_what_an_operator_makes_is_changed_in_its_own_object(self):
        message = "kubectl set changes web's image, which widget-operator manages and may set again; change Widget w instead"
        one, = explained(f"Warning: applyguard: Deployment shop/web: {message} [ownership-conflict]\n")
        self.assertEqual((one["what"], one["holder"], one["advice"]), ("kubectl set changes web's image", "widget-operator", "change Widget w instead"))

    def test_a_waiver_keeps_the_others_and_ends(self):
        output = explain(f"Warning: applyguard: {LINE}\n")[1]
        self.assertIn("kubectl get deployment web -n shop -o jsonpath='{.metadata.annotations.applyguard\\.io/waive}'", output)
        self.assertIn("OTHER,ownership-conflict --overwrite", output)
        self.assertIn("kubectl annotate deployment web -n shop applyguard.io/waive-  #", output)
        waiver = explain("Warning: applyguard: Deployment shop/web: applyguard.io/waive waives explicit-strategy [waiver]\n")[1]
        self.assertNotIn("kubectl annotate", waiver)

    def test_a_denial_with_our_name_is_a_denial(self):
        for separator in ("\n", "\napplyguard: "):
            text = f'Error from server: {DENIED}applyguard: {LINE}{separator}{SECOND}\n'
            self.assertEqual([(one["rule"], one["refused"]) for one in explained(text)], [("ownership-conflict", True), ("explicit-strategy", True)])

    def test_text_without_a_message(self):
        for text in ("", "garbage\n", "Warning: applyguard: Deployment shop/web: x; y [no-such-rule]\n"):
            status, output, errors = explain(text)
            self.assertEqual((status, output), (2, ""))
            self.assertIn("no warning of applyguard and no conflict in it; paste the whole line, with its [rule]", errors)

    def test_an_applyguard_that_does_not_answer(self):
        text = ('Error from server (InternalError): Internal error occurred: failed calling webhook "enforce.applyguard.io": failed to call webhook: '
                'Post "https://applyguard.applyguard.svc:443/validate?timeout=5s": context deadline exceeded\n')
        one, = explained(text)
        self.assertEqual((one["webhook"], one["refused"]), ("enforce.applyguard.io", True))
        self.assertIn("too slow", one["cause"])
        self.assertIn("refused: nothing was written", explain(text)[1])
        self.assertEqual(explained(json.dumps({"message": text}))[0]["webhook"], "enforce.applyguard.io")
        self.assertEqual(explain(text.replace("enforce.applyguard.io", "validate.kyverno.svc"))[0], 2)

    def test_another_object_is_not_this_one(self):
        live = json.dumps({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "shop", "managedFields": [{"manager": "a", "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:replicas": {}}}}]}})
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            for text, said in ((live, ""), (live.replace('"web"', '"api"'), "no object of --live is the one of this message")):
                file.seek(0)
                file.truncate()
                file.write(text)
                file.flush()
                status, _, errors = explain(f"Warning: applyguard: {LINE}\n", "--live", file.name)
                self.assertEqual(status, 0)
                self.assertIn(said, errors)
                self.assertEqual(bool(said), bool(errors))

    def test_a_cut_name_is_no_name_for_a_command(self):
        output = explain("Warning: applyguard: " + LINE.replace("shop/web", "shop/a-long-…-name") + "\n")[1]
        self.assertIn("applyguard blame KIND NAME\n", output)

    def test_nothing_of_it_reaches_the_terminal_raw(self):
        output = explain("Warning: applyguard: " + LINE.replace("replicas", "repl\x1b[2Jicas") + "\n")[1]
        self.assertNotIn("\x1b", output)


class Others(unittest.TestCase):
    def ways(self, text):
        report, = explained(text)
        return report, {way["way"]: way["command"] for way in report["conflicts"][0]["ways"]}

    def test_fields_of_an_unknown_writer(self):
        output = explain(BOX)[1]
        self.assertIn("held by     before-first-apply, Update (its writer is unknown)", output)
        self.assertIn("The value is overwritten; its writer is unknown, and may set it back.", output)
        self.assertNotIn("nothing sets it back", output)

    def test_terraforms_box(self):
        report, ways = self.ways(BOX)
        self.assertEqual([conflict["path"] for conflict in report["conflicts"]], [".metadata.labels.one", ".metadata.labels.two"])
        self.assertEqual(ways["force"], "terraform apply  # first set force_conflicts = true in the block field_manager of the resource")

    def test_terraforms_kubectl_provider(self):
        self.assertEqual(self.ways(TERRAFORM_KUBECTL)[1]["force"], "terraform apply  # first set force_conflicts = true in the resource")

    def test_pulumi(self):
        self.assertEqual(self.ways(PULUMI)[1]["force"],
                         'pulumi up  # first set the annotation pulumi.com/patchForce: "true" on the resource')

    def test_lines_that_a_terminal_broke(self):
        """At any width, and with or without the spaces at the ends of lines; and nothing else is joined."""
        conflict = (
            'error: Apply failed with 3 conflicts: conflicts with "kubectl-client-side-apply" using apps/v1:\n- .spec.replicas\n'
            '- .spec.template.spec.containers[name="nginx"].image\n'
            'conflicts with "kube-controller-manager" with subresource "scale" using apps/v1 at 2026-11-28T01:00:00Z:\n- .spec.replicas\n'
            'Please review the fields above--they currently have other managers. Here\nare the ways you can resolve this warning:\n')
        one = ('error: Apply failed with 1 conflict: conflict with "kubectl-edit" using apps/v1: '
               '.spec.template.spec.containers[name="nginx"].resources.limits.memory\n'
               'Please review the fields above--they currently have other managers. Here\n')
        alone = one.partition("\n")[0] + "\ndeployment.apps/web serverside-applied\n"
        ours = "Warning: applyguard: " + LINE + "\n" + "Warning: applyguard: " + LINE.replace("web", "api") + "\n"
        for text in (conflict, one, alone, ours):
            for columns in range(40, 130, 7):
                wrapped = "\n".join("\n".join(line[at:at + columns] for at in range(0, len(line), columns)) for line in text.split("\n"))
                trimmed = "\n".join(line.rstrip(" ") for line in wrapped.split("\n"))
                copies = [wrapped, wrapped.replace("\n", "\r\n")]
                # If each of these lines ended in a space, nothing shows how wide the terminal was.
                copies += [trimmed] if max(map(len, trimmed.split("\n"))) == max(map(len, wrapped.split("\n"))) else []
                for copied in copies:
                    self.assertEqual(explained(copied), explained(text), copied)

    def test_an_object_that_changed_meanwhile(self):
        """The API server's other 409 is about no field."""
        status, output, errors = explain(
            'Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "web": the object has been modified; '
            "please apply your changes to the latest version and try again")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("no field conflicts: the object changed after the tool had read it", errors)

    def test_ansible(self):
        """As ansible-core 2.19 prints it, in one line and as YAML, and as older versions do, with Python's bytes."""
        status = ('{"kind":"Status","message":"Apply failed with 1 conflict: conflict with \\"platform\\": .spec.replicas","code":409}')
        for text in (
                "[ERROR]: Task failed: Module failed: Failed to apply object: " + status + "\n\nOrigin: /srv/play.yml:5:7\n",
                "fatal: [localhost]: FAILED! => " + json.dumps({"changed": False, "msg": "Failed to apply object: " + status}),
                "fatal: [localhost]: FAILED! =>\n    changed: false\n    msg: |-\n        Failed to apply object: " + status,
                "fatal: [localhost]: FAILED! => " + json.dumps({"msg": "Failed to apply object: " + repr(status.encode()), "status": 409})):
            with self.subTest(text):
                report, ways = self.ways(text)
                self.assertEqual([conflict["path"] for conflict in report["conflicts"]], [".spec.replicas"])
                self.assertEqual(ways["drop"], "ansible-playbook PLAYBOOK  # first remove .spec.replicas from the definition of the task")
                self.assertEqual(ways["force"], "ansible-playbook PLAYBOOK  # first set force_conflicts: true in server_side_apply of the task")

    def test_what_pulumi_prints_in_other_cases_and_versions(self):
        conflict = 'Apply failed with 1 conflict: conflict with "eks" using v1: .data.roles\n'
        for text, name in (
                ("error: resource shop/accounts was not successfully created by the Kubernetes API server : SSA field conflict detected. see "
                 "https://example.io for troubleshooting help\n    : ", "shop/accounts"),
                ("error: resource accounts was not successfully updated by the Kubernetes API server : Server-Side Apply field conflict "
                 "detected. see https://example.io for troubleshooting help\n    : ", "accounts"),
                ('error: resource "urn:pulumi:a::b::kubernetes:core/v1:ConfigMap::x" was not successfully created by the Kubernetes API server: '
                 'Server-Side Apply field conflict detected.\n    The resource managed by field manager "pulumi-kubernetes-1" had an apply '
                 'conflict: ', None),
                ('* the Kubernetes API server reported that "shop/accounts" failed to fully initialize or become live: use '
                 '`pulumi.com/patchForce` to override the conflict: ', "shop/accounts"),
                ('error: Preview failed: The resource managed by field manager "pulumi-kubernetes-1" had an apply conflict: ', None)):
            with self.subTest(text):
                self.assertIn("patchForce", self.ways(text + conflict)[1]["force"])
                self.assertIn(f"object {name}:" if name else "An object that the text does not name:", explain(text + conflict)[1])


if __name__ == "__main__":
    unittest.main()
