"""A session whose settings ask for the sandbox: what its commands may do, and what is asked."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from live import STREAM, Live
from rig import AWL, PATIENCE, Modelled

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")

# Runs its arguments where the system call seccomp(2) does not exist.
WITHOUT_SECCOMP = """
import ctypes, os, struct, sys
number = {"x86_64": 317, "aarch64": 277}[os.uname().machine]
code = b"".join(struct.pack("HBBI", *step) for step in (
    (0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x50026), (0x06, 0, 0, 0x7fff0000)))
memory = ctypes.create_string_buffer(code)
program = struct.pack("HxxxxxxP", 4, ctypes.addressof(memory))
prctl = ctypes.CDLL(None, use_errno=True).prctl
sys.exit(1) if prctl(38, 1, 0, 0, 0) or prctl(22, 2, program, 0, 0) else os.execvp(sys.argv[1], sys.argv[1:])
"""


class Answering(BaseHTTPRequestHandler):
    def do_GET(self):  # pylint: disable=invalid-name
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"reached")

    def log_message(self, *_):
        pass


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

    # changes live: sandbox.filesystem.allowWrite
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

    # changes live: sandbox.enabled
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


class ReloadedKeys(Live):
    """Each key of the sandbox that is changed while the session runs."""

    RULES = {"allow": ["Bash"]}

    def setUp(self):
        super().setUp()
        self.needs_sandbox()
        self.other = os.path.join(self.root, "other")
        os.mkdir(self.other)
        self.write("../other/f", "secret")

    def on(self, rules=None, **more):
        """Settings whose sandbox is on, with these keys."""
        return {"permissions": rules or {}, "sandbox": {"enabled": True, "failIfUnavailable": True, **more}}

    # changes live: sandbox.filesystem.denyRead, sandbox.filesystem.allowRead, sandbox.filesystem.denyWrite
    # changes live: sandbox.filesystem.disabled, sandbox.credentials.files, sandbox.credentials.envVars
    def test_paths_and_variables_follow(self):
        read = {"command": "cat ../other/f; echo done"}
        write, outside = {"command": "echo made > made && cat made"}, {"command": "echo made > ../other/f && echo done"}
        show = {"command": "echo [$LANG]"}
        hidden = {"denyRead": [self.other]}
        self.follow((read, self.on(), False, "secret"),
                    (read, self.on(filesystem=hidden), False, "No such file"),
                    (read, self.on(filesystem={**hidden, "allowRead": [os.path.join(self.other, "f")]}), False, "secret"),
                    (read, self.on(credentials={"files": [{"path": self.other, "mode": "deny"}]}), False, "No such file"),
                    (write, self.on(), False, "made"),
                    (write, self.on(filesystem={"denyWrite": [os.path.join(self.cwd, "made")]}), True, "Read-only"),
                    (outside, self.on(), True, "Read-only"),
                    (outside, self.on(filesystem={"disabled": True}), False, "done"),
                    (show, self.on(), False, "[C.UTF-8]"),
                    (show, self.on(credentials={"envVars": [{"name": "LANG", "mode": "deny"}]}), False, "[]"))

    # changes live: sandbox.allowUnsandboxedCommands, sandbox.autoAllowBashIfSandboxed, sandbox.excludedCommands
    def test_which_commands_run_in_it_follows(self):
        call, out = {"command": "touch made; echo $TMPDIR"}, {"command": "echo [$TMPDIR]", "dangerouslyDisableSandbox": True}
        excluded = {"command": "python3 -c 'import os; print([os.environ.get(\"TMPDIR\")])'"}
        self.follow((call, self.on(), False, "awl-"),
                    (call, self.on(autoAllowBashIfSandboxed=False), True, "denied"),
                    (out, self.on(self.RULES), False, "[]"),
                    (out, self.on(self.RULES, allowUnsandboxedCommands=False), False, "awl-"),
                    (excluded, self.on(self.RULES), False, "awl-"),
                    (excluded, self.on(self.RULES, excludedCommands=["python3:*"]), False, "[None]"))

    # changes live: sandbox.ripgrep.command, sandbox.ripgrep.args
    def test_the_rg_of_searches_follows(self):
        rg = os.path.join(self.root, "my-rg")
        with open(rg, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "$1" >> calls\n')
        os.chmod(rg, 0o755)
        search = ("Grep", {"pattern": "x"})
        self.open(search, search, search, **self.on())
        self.ask()
        self.change(**self.on(ripgrep={"command": rg}))
        self.ask()
        self.change(**self.on(ripgrep={"command": rg, "args": ["--mine"]}))
        self.ask()
        calls = self.read("calls").splitlines()
        self.assertNotIn("--mine", calls[0])
        self.assertEqual(calls[-1], "--mine")
        self.finish()

    # changes live: sandbox.hooks
    def test_whether_hooks_run_in_it_follows(self):
        call = {"command": "true"}
        hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": f"echo x >> {self.other}/log || true"}]}]}
        self.open(call, call, call, hooks=hooks, **self.on())
        for boxed, lines in ((None, 1), (True, 1), (False, 2)):
            if boxed is not None:
                self.change(hooks=hooks, **self.on(hooks=boxed))
            self.ask()
            self.assertEqual(len(self.read("../other/log").splitlines()), lines)
        self.finish()

    # changes live: sandbox.mcpServers
    def test_whether_servers_that_start_run_in_it_follows(self):
        script = f"echo x >> {self.other}/log; exec {sys.executable} {SERVER}"
        servers = {"mcpServers": {"test": {"command": "sh", "args": ["-c", script]}}}
        self.settings(**self.on())
        self.serve("reply forever\n  text Done\n")
        self.begin("--mcp-config", json.dumps(servers))
        for boxed, lines in ((None, 1), (True, 1), (False, 2)):
            if boxed is None:
                self.turn()
            else:
                self.change(**self.on(mcpServers=boxed))
                self.send(type="control_request", request_id="r",
                          request={"subtype": "mcp_reconnect", "serverName": "test"})
                self.hear(lambda e: e["type"] == "control_response")
            self.assertEqual(len(self.read("../other/log").splitlines()), lines)
        self.finish()


class ReloadedNetwork(Live):
    """The network of the sandbox, whose settings change while the session runs."""

    on = ReloadedKeys.on
    FLAGS = ("--permission-prompt-tool", "stdio")
    ASK = """\
import os, socket, sys
with socket.create_connection(("127.0.0.1", 3128)) as s:
    s.sendall(eval(sys.argv[1]))
    print(s.makefile("rb").read(300))
"""

    def setUp(self):
        super().setUp()
        self.needs_sandbox()
        self.write("ask.py", self.ASK)
        server = HTTPServer(("127.0.0.1", 0), Answering)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.port = server.server_address[1]

    def get(self, host):
        sent = f"GET http://{host}/ HTTP/1.0\r\nHost: {host}\r\n\r\n".encode()
        return {"command": f'python3 ask.py "{sent!r}"'}

    # changes live: sandbox.network.allowedDomains, sandbox.network.deniedDomains, sandbox.network.strictAllowlist
    # changes live: sandbox.ignoreViolations
    def test_hosts_follow(self):
        here = f"127.0.0.1:{self.port}"
        steps = (({}, 1, False, True), ({"allowedDomains": [here]}, 0, True, False),
                 ({"allowedDomains": [here], "deniedDomains": [here]}, 0, False, True),
                 ({"strictAllowlist": True}, 0, False, True))
        self.open(*[self.get(here)] * 5, **self.on())
        for network, questions, reached, noted in steps:
            with self.subTest(network=network):
                if network:
                    self.change(**self.on(network=network))
                asked = self.asked()
                self.assertEqual([one["tool_name"] for one in asked], ["SandboxNetworkAccess"] * questions)
                self.assertEqual("reached" in json.dumps(self.requests()[-1]["messages"][-1]), reached)
                self.assertEqual("refused a connection" in json.dumps(self.seen), noted)
        self.change(**self.on(network={"strictAllowlist": True}, ignoreViolations={"*": ["127.0.0.1"]}))
        self.asked()
        self.assertNotIn("refused a connection", json.dumps(self.seen))
        self.finish()

    # changes live: sandbox.network.httpProxyPort, sandbox.network.socksProxyPort
    def test_a_proxy_of_the_users_own_follows(self):
        self.FLAGS = ()
        socks = {"command": 'python3 ask.py "b\'\\5\\1\\0GET / HTTP/1.0\\r\\n\\r\\n\'"'}
        self.follow((self.get("any.example"), self.on(), False, "403"),
                    (self.get("any.example"), self.on(network={"httpProxyPort": self.port}), False, "reached"),
                    (socks, self.on(), False, "b'"),
                    (socks, self.on(network={"socksProxyPort": self.port}), False, "Unsupported method"))

    # changes live: sandbox.network.allowAllUnixSockets
    def test_unix_sockets_follow(self):
        self.FLAGS = ()
        call = {"command": "python3 -c 'import socket; socket.socket(socket.AF_UNIX); print(\"made\")'"}
        self.follow((call, self.on(), True, "not permitted"),
                    (call, self.on(network={"allowAllUnixSockets": True}), False, "made"))


class ReloadedMachine(Live):
    """What depends on the machine."""

    on = ReloadedKeys.on
    TOUCH = {"command": "touch made"}

    def without_proc(self, *under):
        """The words of a program that runs another where a part of /proc is covered, as containers do: no other /proc can
        be mounted inside, and only Landlock is left."""
        words = [*under, "unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
                 'mount -t tmpfs none /proc/sys && exec unshare --user --map-root-user --mount "$0" "$@"']
        if subprocess.run([*words, AWL, "sandbox", "--", "true"], check=False, capture_output=True).returncode:
            self.skipTest("no mount namespace can be made here, or there is no Landlock")
        return words

    # changes live: sandbox.failIfUnavailable
    def test_whether_a_sandbox_is_obligatory_follows(self):
        """Without seccomp there is none."""
        deny = [sys.executable, "-c", WITHOUT_SECCOMP]
        if subprocess.run([*deny, "true"], check=False).returncode:
            self.skipTest("the test cannot deny itself seccomp here")
        self.open_under(deny, self.TOUCH, permissions={"allow": ["Bash"]})
        self.ask()
        self.assertIn("the previous ones stay in effect", json.dumps(self.change(**self.on())))
        self.settings(**self.on(failIfUnavailable=False))
        self.hear(lambda e: "commands run without a sandbox" in json.dumps(e))
        self.finish()

    # changes live: sandbox.enableWeakerNestedSandbox
    def test_whether_a_weaker_one_will_do_follows(self):
        under = self.without_proc()
        make = {"command": "touch /dev/shm/made && ls /dev/shm"}  # which only a sandbox with mounts has of its own
        self.open_under(under, make, make, **self.on({"allow": ["Bash"]}))
        self.assertIn("Permission denied", self.ask()[1])
        self.change(**self.on({"allow": ["Bash"]}, enableWeakerNestedSandbox=True))
        self.assertEqual(self.ask(), (False, "made"))
        self.finish()

    # changes live: sandbox.filesystem.allowManagedReadPathsOnly, sandbox.network.allowManagedDomainsOnly
    def test_lists_that_only_the_policy_may_make_follow(self):
        os.mkdir(os.path.join(self.root, "other"))
        secret = os.path.join(self.root, "other/f")
        self.write("../other/f", "secret")
        read = {"command": "cat ../other/f || true"}
        reach = {"command": "python3 ask.py \"b'CONNECT reached.invalid:80 HTTP/1.1\\r\\n\\r\\n'\""}
        self.write("ask.py", ReloadedNetwork.ASK)
        self.open_under(self.under_policy({}), read, read, reach, reach, **self.on(
            filesystem={"denyRead": [os.path.dirname(secret)], "allowRead": [secret]},
            network={"allowedDomains": ["reached.invalid"]}))
        self.assertIn("secret", self.ask()[1])
        self.change_policy(sandbox={"filesystem": {"allowManagedReadPathsOnly": True}})
        self.assertNotIn("secret", self.ask()[1])
        self.assertIn("cannot find reached.invalid", self.ask()[1])
        self.change_policy(sandbox={"network": {"allowManagedDomainsOnly": True}})
        self.assertIn("403 Forbidden", self.ask()[1])
        self.finish()

    # changes live: sandbox.bwrapPath
    def test_the_path_of_bwrap_follows(self):
        own = os.path.join(self.root, "own-bwrap")
        with open(own, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho run by it\n")
        os.chmod(own, 0o755)
        self.open_under(self.without_proc(*self.under_policy({})), self.TOUCH, self.TOUCH, **self.on({"allow": ["Bash"]}))
        self.assertNotIn("run by it", self.ask()[1])
        self.change_policy(sandbox={"bwrapPath": own})
        self.assertIn("run by it", self.ask()[1])
        self.finish()
