"""A session whose settings ask for the sandbox: what its commands may do, and what is asked."""

import json
import os
import subprocess

from live import STREAM, Live
from rig import PATIENCE, Modelled


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

    def test_sandboxed_commands_need_no_question_and_stay_inside(self):
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

    def test_running_outside_is_a_question_and_may_be_denied(self):
        call = {"command": "touch made", "dangerouslyDisableSandbox": True}
        for allowed, made in ((True, False), (False, True)):
            with self.subTest(allowed=allowed):
                path = os.path.join(self.cwd, "made")
                if os.path.exists(path):
                    os.remove(path)
                self.run_commands(call, sandbox={"allowUnsandboxedCommands": allowed})
                self.assertEqual(os.path.exists(path), made)  # asked about, or held all the same

    def test_deny_rules_and_the_floor_apply_inside(self):
        (denied, floor) = self.run_commands({"command": "touch x"}, {"command": "rm -rf /"},
                                            flags=("--disallowedTools", "Bash(touch:*)"))
        self.assertIn("Bash(touch:*) denies", denied[1])
        self.assertIn("no rule can allow", floor[1])

    def test_there_is_no_network_without_permission(self):
        (direct,) = self.run_commands({"command": "exec 3<>/dev/tcp/127.0.0.1/1"})
        self.assertTrue(direct[0])


class Reloaded(Live):
    """A sandbox whose settings change while the session runs."""

    SANDBOX = {"enabled": True, "failIfUnavailable": True}

    def test_what_may_be_written_follows_the_settings(self):
        other = os.path.join(self.root, "other")
        os.mkdir(other)
        touch = {"command": f"echo x > {other}/f"}
        self.open(touch, touch, touch, sandbox=self.SANDBOX)
        self.assertIn("Read-only", self.ask()[1])
        self.change(sandbox={**self.SANDBOX, "filesystem": {"allowWrite": [other]}})
        self.assertEqual(self.ask()[0], False)
        self.change(sandbox={**self.SANDBOX}, permissions={"deny": ["Edit(x)"]})
        self.assertIn("Read-only", self.ask()[1])
        self.finish()

    def test_it_is_switched_on_and_off_while_the_session_runs(self):
        where = {"command": "ls /proc | grep -c '^[0-9]'; echo $TMPDIR > noted; cat noted"}
        allowed = {"allow": ["Bash"]}
        self.open(where, where, where, permissions=allowed)
        self.assertNotIn("awl-", self.ask()[1])
        self.change(permissions=allowed, sandbox=self.SANDBOX)
        self.assertIn("awl-", self.ask()[1])
        self.change(permissions=allowed, sandbox={"enabled": False})
        self.assertNotIn("awl-", self.ask()[1])
        self.finish()

    def test_one_that_cannot_be_made_leaves_the_one_before(self):
        out = os.path.join(self.root, "outside")
        touch = {"command": f"echo x > {out}"}
        self.open(touch, touch, sandbox={"enabled": True})
        self.assertIn("Read-only", self.ask()[1])
        loop = os.path.join(self.cwd, "loop")
        os.symlink("loop", loop)
        said = self.change(sandbox={"enabled": True, "filesystem": {"denyWrite": [loop]}})
        self.assertIn("the previous ones stay in effect", json.dumps(said))
        self.assertIn("Read-only", self.ask()[1])
        self.assertFalse(os.path.exists(out))
        self.finish()

    def test_a_command_that_runs_keeps_its_own(self):
        other = os.path.join(self.root, "other")
        os.mkdir(other)
        job = {"command": f"until [ -e go ]; do sleep 0.05; done; echo x > {other}/f || echo held "
                          "> verdict; touch over", "run_in_background": True}
        wait = {"command": "touch go; until [ -e over ]; do sleep 0.05; done; cat verdict"}
        self.open(job, wait, sandbox=self.SANDBOX)
        self.ask()
        self.change(sandbox={**self.SANDBOX, "filesystem": {"allowWrite": [other]}})
        self.assertEqual(self.ask(), (False, "held"))
        self.finish()

    def test_a_session_ends_with_a_job_in_its_sandbox_or_in_an_earlier_one(self):
        job = {"command": "sleep 1000", "run_in_background": True}
        for changes in (False, True):
            with self.subTest(changes=changes):
                self.open(job, sandbox=self.SANDBOX)
                self.ask()
                if changes:
                    self.change(sandbox={**self.SANDBOX, "filesystem": {"denyWrite": ["/usr"]}})
                self.finish()

    def test_rules_with_patterns_hold_commands(self):
        for name in ("key.pem", "deep/down/key.pem", "config/app.conf", "free"):
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            self.write(name, "secret")
        # Rules alone do not see what a program opens.
        self.write("open.py", "import sys\n"
                   "for how, name in (('r', 'key.pem'), ('r', 'deep/down/key.pem'),\n"
                   "                  ('a', 'config/app.conf'), ('r', 'free')):\n"
                   "    try: print(open(name, how).mode)\n"
                   "    except OSError as why: print(why.strerror)\n")
        self.open({"command": "python3 open.py"}, sandbox=self.SANDBOX,
                  permissions={"deny": ["Read(**/*.pem)", "Edit(config/**)"]})
        self.assertEqual(self.ask(), (False, "Permission denied\nPermission denied\n"
                                             "Read-only file system\nr"))
        self.finish()
