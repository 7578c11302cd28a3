"""A session whose settings ask for the sandbox: what its commands may do, and what is asked."""

import json
import os

from rig import Modelled


class Sandboxed(Modelled):
    def run_commands(self, *commands, sandbox=None, flags=()):
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump({"sandbox": {"enabled": True, "failIfUnavailable": True, **(sandbox or {})}},
                      file)
        script = "".join(f"reply\n  tool Bash {json.dumps(c)}\n" for c in commands)
        url = self.serve(script + 'reply forever\n  text "Done."\n')
        ran = self.awl("-p", "go", "--output-format", "stream-json", "--verbose", *flags,
                       env={"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": self.SECRET})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        results = [block for e in events if e["type"] == "user"
                   for block in e["message"]["content"] if block.get("type") == "tool_result"]
        return [(bool(r.get("is_error")), str(r["content"])) for r in results]

    def test_what_it_holds_needs_no_question_and_stays_inside(self):
        outside = os.path.join(self.root, "outside")
        (inner, outer, config) = self.run_commands(
            {"command": "echo made > inside && cat inside"},
            {"command": f"echo made > {outside}"},
            {"command": "mkdir -p .claude; echo '{}' > .claude/settings.json"})
        self.assertEqual(inner, (False, "made"))
        self.assertTrue(outer[0])
        self.assertTrue(config[0])
        self.assertFalse(os.path.exists(outside))
        self.assertFalse(os.path.exists(os.path.join(self.cwd, ".claude/settings.json")))

    def test_to_be_let_out_is_a_question_and_may_be_forbidden(self):
        call = {"command": "touch made", "dangerouslyDisableSandbox": True}
        for allowed, made in ((True, False), (False, True)):
            with self.subTest(allowed=allowed):
                path = os.path.join(self.cwd, "made")
                if os.path.exists(path):
                    os.remove(path)
                self.run_commands(call, sandbox={"allowUnsandboxedCommands": allowed})
                self.assertEqual(os.path.exists(path), made)  # asked about, or held all the same

    def test_a_rule_that_denies_and_the_floor_hold_inside(self):
        (denied, floor) = self.run_commands({"command": "touch x"}, {"command": "rm -rf /"},
                                            flags=("--disallowedTools", "Bash(touch:*)"))
        self.assertIn("Bash(touch:*) denies", denied[1])
        self.assertIn("no rule permits", floor[1])

    def test_there_is_no_network_but_by_leave(self):
        (direct,) = self.run_commands({"command": "exec 3<>/dev/tcp/127.0.0.1/1"})
        self.assertTrue(direct[0])
