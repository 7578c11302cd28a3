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

    def test_awl_why_decides_as_the_session_does(self):
        calls = [{"command": "touch x"}, {"command": "touch y"},
                 {"command": "touch z", "dangerouslyDisableSandbox": True}]
        ask = ("--settings", json.dumps({"permissions": {"ask": ["Bash(touch y)"]}}))
        results = self.run_commands(*calls, flags=ask)
        self.assertEqual([failed for failed, _ in results], [False, True, True])
        for call, decision, reason in zip(calls, ("allow", "ask", "ask"),
                                          ("It runs in the sandbox.", "Bash(touch y)", "No rule allows")):
            why = json.loads(self.awl("why", *ask, "--json", "Bash", json.dumps(call)).stdout)
            self.assertEqual(why["decision"], decision, why)
            self.assertIn(reason, why["reason"])

    def test_what_a_command_leaves_behind_is_reported(self):
        self.write("make.sh", "mkdir lib && echo 'gitdir: ../evil' > lib/.git; echo x > .envrc")
        self.run_commands({"command": "sh ./make.sh"}, {"command": "true"})
        self.assertFalse(os.path.exists(os.path.join(self.cwd, ".envrc")))
        said = json.dumps(self.requests()[-1]["messages"])
        self.assertIn(os.path.join(self.cwd, "lib/.git. Git"), said)
        self.assertNotIn(".envrc,", said)

    def test_there_is_no_network_without_permission(self):
        (direct,) = self.run_commands({"command": "exec 3<>/dev/tcp/127.0.0.1/1"})
        self.assertTrue(direct[0])


class Hosts(Modelled):
    """Commands want to reach hosts that no list names. The names lead nowhere, so an allowed
    connection fails later than a refused one."""

    def run_in_terminal(self, *hosts):
        """Asks for all hosts at once; the command prints what the proxy said about each."""
        self.put_settings({"sandbox": {"enabled": True, "failIfUnavailable": True}})
        self.write("ask.py", """\
import os, socket, sys, threading, urllib.parse
proxy = urllib.parse.urlparse(os.environ["HTTP_PROXY"])
def ask(host):
    with socket.create_connection((proxy.hostname, proxy.port)) as s:
        s.sendall(f"CONNECT {host} HTTP/1.1\\r\\n\\r\\n".encode())
        said = s.makefile().read()
        refused = "denied" in said
        open("said-" + host.replace(":", "-"), "w").write("refused" if refused else "allowed")
threads = [threading.Thread(target=ask, args=[host]) for host in sys.argv[1:]]
[t.start() for t in threads]
[t.join() for t in threads]
""")
        call = json.dumps({"command": f"python3 ask.py {' '.join(hosts)}"})
        self.serve(f'reply\n  tool Bash {call}\nreply forever\n  text "Done."\n')
        terminal = self.terminal("--plain", "go", env=self.modelled(), rows=60, cols=120)
        return terminal

    def put_settings(self, settings):
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump(settings, file)

    def said(self, host):
        return self.read("said-" + host.replace(":", "-"))

    def test_an_answer_that_is_kept_is_for_everything_that_waits_for_the_host(self):
        for answer, outcome, key in (("2", "allowed", "allow"), ("4", "refused", "deny")):
            with self.subTest(answer=answer):
                hosts = [f"{outcome}.invalid:443", f"{outcome}.invalid:80"]
                terminal = self.run_in_terminal(*hosts)
                terminal.wait_for(f"Let a sandboxed command reach {outcome}.invalid, port ")
                terminal.wait_for(f"4 No, and don't ask again: WebFetch(domain:{outcome}.invalid) "
                                  "(in .claude/settings.local.json)\n?")
                terminal.type(answer + "\n")
                terminal.wait_for("Done.")
                self.assertEqual([self.said(host) for host in hosts], [outcome, outcome])
                self.assertEqual(terminal.text().count("Let a sandboxed command"), 1)
                rules = json.loads(self.read(".claude/settings.local.json"))["permissions"]
                self.assertIn(f"WebFetch(domain:{outcome}.invalid)", rules[key])
                terminal.type("\x04")
                self.assertEqual(terminal.wait_end(), 0)

    def test_an_answer_that_is_not_kept_is_for_one_port(self):
        hosts = ["once.invalid:443", "once.invalid:80"]
        terminal = self.run_in_terminal(*hosts)
        terminal.wait_for("settings.local.json)\n?")
        terminal.type("3\n")
        terminal.wait_for("settings.local.json)\n?", after="\n? 3")
        terminal.type("3\n")
        terminal.wait_for("Done.")
        self.assertEqual([self.said(host) for host in hosts], ["refused", "refused"])
        self.assertFalse(os.path.exists(self.path(".claude/settings.local.json")))


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
