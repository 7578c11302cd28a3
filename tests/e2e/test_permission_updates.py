"""What a host answers beside yes: rules, directories and the mode, for now or for good."""

import json
import os
import subprocess

from rig import AWL, Modelled

STREAM = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
          "--permission-prompt-tool", "stdio")


class Updates(Modelled):
    def setUp(self):
        super().setUp()
        self.user = os.path.join(self.home, ".claude/settings.json")
        self.local = self.path(".claude/settings.local.json")

    def put(self, path, value):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)

    def get(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def run_calls(self, calls, updates, *flags, first_to=None):
        """The calls are made one by one; the first question is answered with the updates,
        every other with no. Returns the names of what was asked about, and what was told.
        With `first_to` that question, which nobody asked, is answered so instead."""
        script = "".join(f"reply\n  tool {tool} {json.dumps(given)}\n" for tool, given in calls)
        self.serve(script + "reply forever\n  text Done\n")
        process = self.start(*STREAM, *flags, stdin=subprocess.PIPE)

        def send(message):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

        send({"type": "user", "session_id": "", "parent_tool_use_id": None,
              "message": {"role": "user", "content": "go"}})
        asked, told = [], []
        for line in process.stdout:
            event = json.loads(line)
            if event.get("subtype") == "informational":
                told.append(event["content"])
            if event["type"] == "result":
                break
            if event["type"] != "control_request":
                continue
            given = event["request"]["input"]
            answer = ({"behavior": "deny", "message": "no"} if asked else
                      {"behavior": "allow", "updatedInput": given, "updatedPermissions": updates})
            ids = [event["request_id"]]
            if first_to and not asked:
                ids.insert(0, first_to)
            asked.append(given.get("command") or given.get("file_path"))
            for request_id in ids:
                send({"type": "control_response", "response": {
                    "subtype": "success", "request_id": request_id, "response": answer}})
                answer = {"behavior": "deny", "message": "no"}
        process.stdin.close()
        process.wait()
        return asked, "\n".join(told)

    @staticmethod
    def rules(kind, behavior, destination, *rules):
        return {"type": kind, "behavior": behavior, "destination": destination,
                "rules": [{"toolName": tool, "ruleContent": content} for tool, content in rules]}

    TOUCH = [("Bash", {"command": "touch a"}), ("Bash", {"command": "touch b"})]

    def test_a_rule_is_kept_and_holds_in_the_next_session_too(self):
        update = [self.rules("addRules", "allow", "localSettings", ("Bash", "touch:*"))]
        self.assertEqual(self.run_calls(self.TOUCH, update), (["touch a"], ""))
        self.assertEqual(self.get(self.local), {"permissions": {"allow": ["Bash(touch:*)"]}})
        self.assertEqual(self.run_calls(self.TOUCH, update), ([], ""))

    def test_a_rule_lasts_in_a_project_that_is_not_trusted(self):
        self.put(self.path(".claude/settings.json"), {"permissions": {"allow": ["Bash(rm:*)"]}})
        update = [self.rules("addRules", "allow", "localSettings", ("Bash", "touch:*"))]
        self.assertEqual(self.run_calls(self.TOUCH, update)[0], ["touch a"])
        self.assertEqual(self.run_calls(self.TOUCH, update)[0], [])
        self.assertEqual(self.run_calls([("Bash", {"command": "rm a"})], [])[0], ["rm a"])
        why = json.loads(self.awl("why", "--json", "Bash", "touch c").stdout)
        self.assertEqual(why["decision"], "allow")
        self.assertIn(".claude/settings.local.json", json.dumps(why))
        self.put(self.local, {"permissions": {"allow": ["Bash(touch:*)", "Bash(rm:*)"]}})
        self.assertEqual(self.run_calls([("Bash", {"command": "rm a"})], [])[0], ["rm a"])

    def test_a_session_and_other_writers_lose_nothing_of_each_other(self):
        mine = [("Bash", f"touch m{i}") for i in range(20)]
        others = [f"Bash(other {i})" for i in range(20)]
        running = [subprocess.Popen([AWL, "config", "allow", rule], cwd=self.cwd, env=self.environment(),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                   for rule in others]
        running.append(subprocess.Popen([AWL, "config", "set", "--scope", "local", "model", "opus"],
                                        cwd=self.cwd, env=self.environment(), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL))
        update = [self.rules("addRules", "allow", "localSettings", rule) for rule in mine]
        self.assertEqual(self.run_calls(self.TOUCH, update)[0], ["touch a", "touch b"])
        self.assertEqual([process.wait() for process in running], [0] * len(running))
        kept = self.get(self.local)
        self.assertEqual(kept["model"], "opus")
        self.assertEqual(sorted(kept["permissions"]["allow"]),
                         sorted(others + [f"{tool}({content})" for tool, content in mine]))

    def test_an_answer_to_no_question_changes_nothing(self):
        update = [self.rules("addRules", "allow", "localSettings", ("Bash", "touch:*"))]
        self.assertEqual(self.run_calls(self.TOUCH, update, first_to="nobody-asked")[0],
                         ["touch a", "touch b"])
        self.assertFalse(os.path.exists(self.local))

    def test_what_cannot_be_kept_does_not_hold_and_that_is_told(self):
        os.makedirs(os.path.dirname(self.user))
        with open(self.user, "w", encoding="utf-8") as file:
            file.write("{ broken")
        update = [self.rules("addRules", "allow", "userSettings", ("Bash", "touch:*"))]
        asked, told = self.run_calls(self.TOUCH, update)
        self.assertEqual(asked, ["touch a", "touch b"])
        self.assertIn("A change of permissions was not made", told)
        with open(self.user, encoding="utf-8") as file:
            self.assertEqual(file.read(), "{ broken")

    def test_a_rule_that_cannot_be_written_does_not_hold(self):
        os.mkdir(os.path.join(self.root, "elsewhere"))
        os.symlink(os.path.join(self.root, "elsewhere"), self.path(".claude"))
        update = [self.rules("addRules", "allow", "localSettings", ("Bash", "touch:*"))]
        asked, told = self.run_calls(self.TOUCH, update)
        self.assertEqual(asked, ["touch a", "touch b"])
        self.assertIn("a symbolic link that leaves the project", told)

    def test_where_only_the_policy_allows_an_answer_adds_no_rule(self):
        policy = json.dumps({"allowManagedPermissionRulesOnly": True})
        for destination in ("session", "localSettings", "userSettings"):
            with self.subTest(destination):
                update = [self.rules("addRules", "allow", destination, ("Bash", "touch:*"))]
                asked, told = self.run_calls(self.TOUCH, update, "--managed-settings", policy)
                self.assertEqual(asked, ["touch a", "touch b"])
                self.assertIn("only rules in managed settings can allow anything here", told)
        self.assertFalse(os.path.exists(self.local))

    def test_rules_are_not_taken_away_for_new_ones_that_are_malformed(self):
        self.put(self.user, {"permissions": {"deny": ["Bash(touch b)"]}})
        update = [self.rules("replaceRules", "deny", "userSettings", ("", "x"))]
        asked, told = self.run_calls(self.TOUCH, update, "--allowedTools", "Bash(touch b)")
        self.assertEqual(asked, ["touch a"])
        self.assertFalse(os.path.exists(self.path("b")))
        self.assertIn("A change of permissions was not made", told)
        self.assertEqual(self.get(self.user), {"permissions": {"deny": ["Bash(touch b)"]}})

    def test_rules_are_replaced_in_the_file_however_they_were_written(self):
        self.put(self.user, {"permissions": {"deny": [" Bash(touch b) ", "Bash(touch c)"]}})
        update = [self.rules("replaceRules", "deny", "userSettings", ("Bash", "touch d"))]
        self.run_calls(self.TOUCH, update)
        self.assertEqual(self.get(self.user), {"permissions": {"deny": ["Bash(touch d)"]}})

    def test_a_rule_of_the_user_begins_where_his_file_is(self):
        self.write("secret", "x")
        calls = [("Bash", {"command": "touch a"}), ("Read", {"file_path": self.path("secret")})]
        update = [self.rules("addRules", "ask", "userSettings", ("Read", "/secret"))]
        self.assertEqual(self.run_calls(calls, update)[0], ["touch a"])
        update[0]["destination"] = "session"
        self.assertEqual(self.run_calls(calls, update)[0], ["touch a", self.path("secret")])

    def test_a_directory_is_removed_by_the_name_it_was_added_under(self):
        other = os.path.join(self.root, "other")
        os.mkdir(other)
        os.symlink(other, os.path.join(self.root, "link"))
        with open(os.path.join(other, "x"), "w", encoding="utf-8") as file:
            file.write("x")
        calls = [("Bash", {"command": "touch a"}), ("Read", {"file_path": other + "/x"})]
        add = {"type": "addDirectories", "destination": "session", "directories": ["../link"]}
        self.assertEqual(self.run_calls(calls, [add])[0], ["touch a"])
        remove = {**add, "type": "removeDirectories"}
        self.assertEqual(self.run_calls(calls, [add, remove])[0], ["touch a", other + "/x"])

    def test_the_mode_is_kept_in_the_users_file_alone(self):
        calls = [("Bash", {"command": "touch a"}),
                 ("Write", {"file_path": self.path("w"), "content": "x"})]
        mode = {"type": "setMode", "mode": "acceptEdits", "destination": "localSettings"}
        self.assertEqual(self.run_calls(calls, [mode]), (["touch a"], ""))
        self.assertFalse(os.path.exists(self.local))
        os.remove(self.path("w"))
        self.assertEqual(self.run_calls(calls, [{**mode, "destination": "userSettings"}])[0],
                         ["touch a"])
        self.assertEqual(self.get(self.user), {"permissions": {"defaultMode": "acceptEdits"}})

    def test_a_change_of_ours_does_not_take_away_trust(self):
        self.put(self.path(".claude/settings.json"), {"permissions": {"allow": ["Bash(mkdir:*)"]}})
        update = [self.rules("addRules", "allow", "localSettings", ("Bash", "touch:*"))]
        calls = self.TOUCH + [("Bash", {"command": "mkdir m"})]
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        self.assertEqual(self.run_calls(calls, update), (["touch a"], ""))
        os.rmdir(self.path("m"))
        self.assertEqual(self.run_calls(calls, update), ([], ""))
