"""The engine for hooks: `awl hooks`, HTTP and prompt hooks, and hooks that misbehave."""

import http.server
import json
import os
import re
import sys
import threading

from rig import running
from test_hooks import RUN, Hooks

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Listed(Hooks):
    """awl hooks list and awl hooks test."""

    def hooks(self, *args, status=0, env=None):
        ran = self.awl("hooks", *args, env=env)
        self.stderr = ran.stderr.decode()
        self.assertEqual(ran.returncode, status, self.stderr)
        return ran.stdout.decode()

    def test_no_hooks(self):
        self.assertEqual(self.hooks("list"), "There are no hooks.\n")
        self.assertEqual(self.hooks("test", "Stop"), "Stop\nDecision: none\n")

    def test_the_hooks_of_all_files_are_listed_with_their_place(self):
        self.hook(("Stop", {"type": "prompt", "prompt": "Done?", "onFailure": "block"}),
                  PreToolUse=("Bash", "guard.sh"))
        shown = self.hooks("list", "--settings",
                           '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bell","async":true}]}]}}')
        place = os.path.join(self.home, ".claude/settings.json")
        self.assertEqual(shown,
                         "PreToolUse, before a tool call\n"
                         "  Bash: command guard.sh\n"
                         f"    {place}:1; at most 600 s\n"
                         "Stop, when the model has finished its answer\n"
                         "  *: prompt Done?\n"
                         f"    {place}:1; at most 30 s; blocks if it fails\n"
                         "  *: command bell\n"
                         "    --settings:1; at most 600 s; in the background\n")

    def test_a_project_that_is_not_trusted_has_no_hooks(self):
        os.mkdir(self.path(".claude"))
        self.write(".claude/settings.json",
                   '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"touch ran.txt"}]}]}}')
        self.assertEqual(self.hooks("list"), "There are no hooks.\n")
        self.assertIn("not trusted yet, so awl ignores its hooks; 'awl trust' shows them.", self.stderr)
        self.hooks("test", "Stop")
        self.assertFalse(self.has_run())

    def of_checkout(self, *args, status=0):
        """Like hooks(), for a session here with the settings of a checkout that is trusted."""
        return self.hooks(*args, "--project-config-root", os.path.join(self.root, "checkout"), status=status)

    def test_a_session_with_the_settings_of_another_checkout_is_explained(self):
        checkout = os.path.join(self.root, "checkout")
        here, self.cwd = self.cwd, checkout
        os.makedirs(self.path(".claude"))
        where = {"type": "command", "command": 'pwd; echo "$CLAUDE_PROJECT_DIR" >&2; exit 2'}
        self.write(".claude/settings.json", json.dumps({"permissions": {"deny": ["Bash(touch b)", "Read(/secret)"]},
                                                        "hooks": {"Stop": [{"hooks": [where]}]}}))
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        self.cwd = here
        self.assertEqual(self.hooks("list"), "There are no hooks.\n")
        self.assertIn(f"{checkout}/.claude/settings.json", self.of_checkout("list"))
        shown = self.of_checkout("test", "Stop", status=3)
        self.assertIn(f"    stdout: {here}\n    stderr: {checkout}\n", shown)
        for tool, about, status in (("Bash", "touch b", 3), ("Read", "secret", 3), ("Read", f"{checkout}/secret", 3)):
            ran = self.awl("why", "--project-config-root", checkout, tool, about)
            self.assertEqual(ran.returncode, status, (tool, about, ran))
        for root, why in (("checkout", "is not an absolute path"), ("/nonexistent", "No such file")):
            self.hooks("list", "--project-config-root", root, status=1)
            self.assertIn(why, self.stderr)

    def test_a_script_that_is_another_one_here_leaves_a_checkout_without_trust(self):
        here, self.cwd = self.cwd, os.path.join(self.root, "checkout")
        os.makedirs(self.path(".claude"))
        self.write("check.sh", "echo theirs")
        self.hook(Stop="sh ./check.sh")
        os.rename(os.path.join(self.home, ".claude/settings.json"), self.path(".claude/settings.json"))
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        self.cwd = here
        self.assertIn("sh ./check.sh", self.of_checkout("list"))
        self.write("check.sh", "echo ours")
        self.assertEqual(self.of_checkout("list"), "There are no hooks.\n")
        self.assertIn(f"run ./check.sh, which is another file in {here}", self.stderr)

    def test_an_unknown_event_is_an_error_that_names_the_nearest(self):
        self.hooks("test", "PreTolUse", status=1)
        self.assertEqual(self.stderr, "awl: PreTolUse is not a hook event; did you mean PreToolUse?\n")
        self.hooks("test", "Bogus", status=1)
        self.assertEqual(self.stderr, "awl: Bogus is not a hook event; docs/hooks.md lists them\n")

    def test_hooks_of_an_event_are_tried_on_a_sample(self):
        self.hook(PreToolUse=("Bash", "cat > told.json; echo no >&2; exit 2"))
        shown = self.hooks("test", "PreToolUse", status=3)
        self.assertRegex(shown, r"^PreToolUse:Bash\n"
                                r"  command cat > told.json; echo no >&2; exit 2\n"
                                r"    .*settings\.json:1: blocked with exit code 2 after \d+ ms\n"
                                r"    stderr: no\n"
                                r"Decision: block: no\n$")
        [told] = self.told("told.json")
        self.assertEqual(told["tool_input"], {"command": "ls"})
        self.assertEqual(told["cwd"], os.path.realpath(self.cwd))

    def test_the_sample_can_be_replaced(self):
        self.hook(PreToolUse=("Edit", "cat > told.json; echo '{\"hookSpecificOutput\":"
                                      "{\"permissionDecision\":\"ask\",\"additionalContext\":\"c\"}}'"))
        self.assertEqual(self.hooks("test", "PreToolUse"), "PreToolUse:Bash\nDecision: none\n")
        shown = self.hooks("test", "PreToolUse", '{"tool_name":"Edit","tool_input":{"file_path":"/x"}}',
                           status=2)
        self.assertTrue(shown.endswith("Decision: ask\nFor the model: c\n"), shown)
        self.assertEqual(self.told("told.json")[0]["tool_input"], {"file_path": "/x"})

    def test_a_condition_is_a_permission_rule(self):
        self.hook(("PreToolUse", {"type": "command", "command": "exit 2", "if": "Bash(git push *)"}))
        self.hooks("test", "PreToolUse")
        for command, status in (("git push -f", 3), ("git pull", 0), ("true && git push x", 3)):
            with self.subTest(command):
                self.hooks("test", "PreToolUse", json.dumps({"tool_input": {"command": command}}),
                           status=status)

    def test_a_model_an_agent_and_a_server_are_asked_as_in_a_session(self):
        server = {"command": sys.executable, "args": [os.path.join(ROOT, "tests/e2e/mcp_asks.py")],
                  "env": {"MCP_LOG": self.path("mcp.log")}}
        with open(os.path.join(self.home, ".claude.json"), "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"desk": server}}, file)
        self.hook(("PreToolUse", {"type": "prompt", "prompt": "Is this a list? $ARGUMENTS"}))
        self.serve('reply forever\n  text "{\\"ok\\": false, \\"reason\\": \\"it lists\\"}"\n')
        shown = self.hooks("test", "PreToolUse", status=3, env=self.modelled())
        self.assertIn("Decision: block: it lists\n", shown)
        self.assertIn("Is this a list", json.dumps(self.requests()[-1]["messages"]))
        self.hook(("PostToolUse", {"type": "agent", "prompt": "Is it tested?"}), SessionStart="touch made.txt")
        self.serve('reply\n  tool Bash {"command": "touch made.txt"}\n'
                   'reply forever\n  tool StructuredOutput {"ok": false, "reason": "no test"}\n')
        self.assertIn("The turn ends: no test\n", self.hooks("test", "PostToolUse", env=self.modelled()))
        self.assertFalse(os.path.exists(self.path("made.txt")))
        self.hook(("Stop", {"type": "mcp_tool", "server": "desk", "tool": "check",
                            "input": {"command": "${hook_event_name}"}}))
        self.assertIn("Decision: block: not Stop\n", self.hooks("test", "Stop", status=3))

    def test_what_is_missing_for_them_is_named(self):
        self.hook(("Stop", {"type": "prompt", "prompt": "Done?"}),
                  ("PreCompact", {"type": "mcp_tool", "server": "none", "tool": "x"}))
        self.assertIn("no model is configured", self.hooks("test", "Stop"))
        self.assertIn('there is no MCP server "none"', self.hooks("test", "PreCompact"))

    def test_mistakes_are_named(self):
        for args, part in ((("test", "preToolUse"), "preToolUse is not a hook event"),
                           (("test",), "awl hooks test PreToolUse"),
                           (("frobnicate",), "awl hooks list"),
                           (("test", "Stop", "x"), "must be a JSON object"),
                           (("test", "Stop", '{"tool_name":"Bash"}'), 'has no member "tool_name"'),
                           (("test", "Stop", '{"stop_hook_active":"no"}'), "has the wrong type")):
            with self.subTest(args):
                self.hooks(*args, status=1)
                self.assertIn(part, self.stderr)

    def test_every_event_of_the_documentation_can_be_tried(self):
        with open(os.path.join(ROOT, "docs/hooks.md"), encoding="utf-8") as file:
            page = file.read()
        events = re.findall(r"^\| `(\w+)` \|", page.split("## Events")[1].split("## Handlers")[0], re.M)
        told = re.findall(r"^\| `(\w+)` \| (.*) \|$",
                          page.split("## What a hook receives")[1].split("## What a hook answers")[0], re.M)
        self.assertEqual(events, [event for event, _ in told])
        self.assertEqual(len(events), 33)
        for event, members in told:
            with self.subTest(event):
                self.hook(**{event: "cat > told.json"})
                self.hooks("test", event)
                common = {"session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name",
                          "agent_id", "agent_type"}
                given = set(self.told("told.json")[0]) - common
                listed = set(re.findall(r"`(\w+)`(\??)", members))
                self.assertLessEqual(given, {name for name, _ in listed})
                self.assertLessEqual({name for name, optional in listed if not optional}, given)


class Variables(Hooks):
    """CLAUDE_ENV_FILE, and the sandbox for hooks."""

    PRINT = 'reply\n  tool Bash {"command":"echo [$COLOUR] > seen.txt"}\nreply forever\n  text Done\n'

    def test_a_hook_at_the_start_sets_variables_for_commands(self):
        self.hook(SessionStart="echo 'export COLOUR=blue' >> $CLAUDE_ENV_FILE",
                  PreToolUse="echo [$CLAUDE_ENV_FILE] > file.txt")
        self.serve(self.PRINT)
        self.go("--allowedTools", "Bash")
        self.assertEqual(self.read("seen.txt"), "[blue]\n")
        self.assertEqual(self.read("file.txt"), "[]\n")

    def test_the_users_own_file_counts_as_well(self):
        self.hook(SessionStart="echo 'export COLOUR=$COLOUR+blue' >> $CLAUDE_ENV_FILE")
        own = self.write("own.sh", "COLOUR=red\n")
        self.serve(self.PRINT)
        self.print("go", "--allowedTools", "Bash", CLAUDE_ENV_FILE=own)
        self.assertEqual(self.read("seen.txt"), "[red+blue]\n")
        self.assertEqual(self.read("own.sh"), "COLOUR=red\n")

    def test_sandboxed_hooks_write_the_project_and_only_those_of_the_start_the_file(self):
        outside = os.path.join(self.home, "outside.txt")
        self.hook(SessionStart=f"echo 'export COLOUR=blue' >> $CLAUDE_ENV_FILE; echo x > {outside}; "
                               "echo $CLAUDE_ENV_FILE > name.txt",
                  PreToolUse="echo 'export COLOUR=black' >> $(cat name.txt) || echo refused > refused.txt")
        self.serve(self.PRINT)
        self.go("--allowedTools", "Bash", "--settings", '{"sandbox":{"enabled":true,"hooks":true}}')
        self.assertEqual(self.read("seen.txt"), "[blue]\n")
        self.assertEqual(self.read("refused.txt"), "refused\n")
        self.assertFalse(os.path.exists(outside))


class Server(http.server.BaseHTTPRequestHandler):
    """Answers every request with `reply`, and notes it."""

    def do_POST(self):  # pylint: disable=invalid-name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((dict(self.headers), json.loads(body)))
        status, reply = self.server.reply
        self.send_response(status)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_):
        pass


class Remote(Hooks):
    """HTTP and prompt hooks."""

    def listen(self, status, reply):
        server = http.server.HTTPServer(("127.0.0.1", 0), Server)
        server.seen, server.reply = [], (status, json.dumps(reply).encode() if reply is not None else b"")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def guard(self, server, **more):
        url = f"http://127.0.0.1:{server.server_address[1]}/hook"
        self.hook(("PreToolUse", {"type": "http", "url": url, **more}))

    def test_a_server_denies_a_call_and_sees_only_the_allowed_variables(self):
        server = self.listen(200, self.specific("PreToolUse", permissionDecision="deny",
                                                permissionDecisionReason="by server"))
        self.guard(server, headers={"X-Token": "a $TOKEN ${OTHER} $", "X-Plain": "p"},
                   allowedEnvVars=["TOKEN"])
        self.serve(RUN)
        ran = self.print("go", "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash",
                         TOKEN="secret\r\nX-Evil: 1", OTHER="hidden")
        self.events = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertFalse(self.has_run())
        self.assertEqual(self.results(), ["by server"])
        [(headers, told)] = server.seen
        self.assertEqual(told["tool_input"]["command"], "echo ran > ran.txt")
        self.assertEqual(headers["X-Token"], "a secret  X-Evil: 1  $")
        self.assertEqual(headers["X-Plain"], "p")
        self.assertEqual(headers["Content-Type"], "application/json")
        self.assertNotIn("X-Evil", headers)

    def test_an_empty_answer_says_nothing(self):
        self.guard(self.listen(204, None))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())

    def test_a_guard_whose_server_fails_blocks(self):
        server = self.listen(500, {})
        self.guard(server)
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("the server answered with status 500", self.results()[0])

    def test_a_url_that_is_not_allowed_is_not_called(self):
        server = self.listen(200, {})
        self.guard(server)
        self.serve(RUN)
        self.go("--allowedTools", "Bash", "--settings", '{"allowedHttpHookUrls":["https://h.example/*"]}')
        self.assertFalse(self.has_run())
        self.assertEqual(server.seen, [])
        self.assertIn("allowedHttpHookUrls", self.results()[0])

    def test_a_model_judges_a_call(self):
        self.hook(("PreToolUse", {"type": "prompt", "prompt": "Is this safe? $ARGUMENTS"}))
        self.serve('reply\n  tool Bash {"command":"echo ran > ran.txt"}\n'
                   'reply\n  text "{\\"ok\\": false, \\"reason\\": \\"too risky\\"}"\n'
                   'reply forever\n  text Done\n')
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertEqual(self.results(), ["too risky"])
        asked = json.dumps(self.requests()[1]["messages"])
        self.assertIn("Is this safe? {", asked)
        self.assertIn("echo ran > ran.txt", asked)


class Hostile(Hooks):
    """Hooks that misbehave break neither the session nor the machine."""

    def test_a_hundred_megabytes_of_output_are_dropped(self):
        self.hook(PostToolUse="yes 'some output of a hook' | head -c 104857600; exit 0",
                  PreToolUse="head -c 104857600 /dev/zero >&2; exit 0")
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertEqual(self.status, 0)
        self.assertTrue(self.has_run())

    def test_a_guard_with_too_much_json_blocks(self):
        self.hook(PreToolUse="printf '{\"systemMessage\":\"'; head -c 20000000 /dev/zero | tr '\\0' x; "
                             "printf '\"}'")
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("exceeds 8 MiB", self.results()[0])

    def test_closed_pipes_are_harmless(self):
        self.hook(PreToolUse="exec <&- >&- 2>&-; exit 0")
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())

    def test_a_guard_that_hangs_is_ended_with_all_it_started(self):
        self.hook(("PreToolUse", {"type": "command", "timeout": 0.2,
                                  "command": "sleep 7654321 & trap '' TERM; sleep 7654321; sleep 7654321"}))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("it exceeded its time limit of 0.2 s", self.results()[0])
        self.wait_until(lambda: not running("7654321"), "the hook left a process")

    def test_a_guard_that_is_killed_blocks(self):
        self.hook(PreToolUse="kill -KILL $$")
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("it was killed by signal 9", self.results()[0])

    def test_broken_json_of_a_guard_blocks_and_of_others_is_shown(self):
        self.hook(PreToolUse="echo '{\"decision\": \"block\", \"reason\": \"a \"quoted\" word\"}'")
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("its output cannot be read", self.results()[0])
        self.hook(PostToolUse="echo '{oops'")
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())
        [notice] = self.of("system", "informational")
        self.assertIn("its output cannot be read", notice["content"])

    def test_an_optional_guard_that_cannot_run_lets_the_call_pass(self):
        self.hook(("PreToolUse", {"type": "command", "command": "/nonexistent/guard",
                                  "onFailure": "continue"}))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())

    def test_an_obligatory_hook_blocks_at_any_failure(self):
        self.hook(("PreToolUse", {"type": "command", "command": "exit 1", "onFailure": "block"}))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())

    def test_ten_guards_race_and_the_strictest_wins(self):
        says = json.dumps(self.specific("PreToolUse", permissionDecision="allow"))
        handlers = [("PreToolUse", {"type": "command", "command": f"echo '{says}'; : {i}"})
                    for i in range(9)]
        handlers.insert(4, ("PreToolUse", {"type": "command", "command": "echo the fifth >&2; exit 2"}))
        self.hook(*handlers)
        self.serve(RUN)
        self.go()
        self.assertFalse(self.has_run())
        self.assertEqual(self.results(), ["the fifth"])

    def test_guards_see_each_other_at_work(self):
        """Each of two guards waits for the other: they run side by side."""
        os.mkfifo(self.path("pipe"))
        self.hook(("PreToolUse", {"type": "command", "command": "echo x > pipe"}),
                  ("PreToolUse", {"type": "command", "command": "cat pipe > /dev/null"}))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())

    def test_identical_handlers_run_once(self):
        self.hook(("PreToolUse", {"type": "command", "command": "echo once >> count"}),
                  ("PreToolUse", {"type": "command", "command": "echo once >> count"}),
                  PreToolUse=("Bash", "echo once >> count"))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertEqual(self.read("count"), "once\n")

    def test_a_hook_in_the_background_is_not_waited_for_and_ends_with_the_session(self):
        self.hook(("PreToolUse", {"type": "command", "command": "sleep 7654322", "async": True}))
        self.serve(RUN)
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())
        self.wait_until(lambda: not running("7654322"), "the hook outlives its session")

    def test_malformed_guards_block_the_tools_of_their_matcher(self):
        for entry, blocked in (({"matcher": "Bash", "hooks": [{"type": "command"}]}, True),
                               ({"matcher": "Edit", "hooks": [{"type": "command"}]}, False),
                               ({"matcher": "Bash", "hooks": {"type": "command"}}, True),
                               ({"matcher": "Edit", "hooks": {"type": "command"}}, False),
                               ({"matcher": ["Edit"], "hooks": []}, True),
                               ({"matcher": "[", "hooks": [{"type": "command", "command": "true"}]}, True),
                               ("guard.sh", True)):
            for event in ("PreToolUse", "PermissionRequest"):
                with self.subTest(entry=entry, event=event):
                    self.hook()
                    with open(os.path.join(self.home, ".claude/settings.json"), "w",
                              encoding="utf-8") as file:
                        json.dump({"hooks": {event: [entry]}}, file)
                    self.serve(RUN)
                    self.go("--allowedTools", "Bash")
                    self.assertEqual(self.has_run(), not blocked, self.results())
                    if not blocked:
                        os.remove(self.path("ran.txt"))

    def test_guards_that_are_not_a_list_block_what_they_can_be_about(self):
        for guards, blocked in (("guard.sh", True), ({"matcher": "Bash"}, True), ({"matcher": "Edit"}, False)):
            with self.subTest(guards):
                self.hook()
                with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
                    json.dump({"hooks": {"PreToolUse": guards}}, file)
                self.serve(RUN)
                self.go("--allowedTools", "Bash")
                self.assertEqual(self.has_run(), not blocked)

    def test_a_session_lists_its_hooks(self):
        self.hook(Stop="true")
        self.serve(RUN)
        ran = self.print("/hooks")
        self.assertIn(b"Stop, when the model has finished its answer\n  *: command true\n", ran.stdout)
        self.assertEqual(self.requests(), [])

    def judge(self, *steps, then=RUN):
        """A model whose agent for the hook makes these calls, and that wants to run a command otherwise."""
        when = ['prompt contains "CONDITION"'] + [f"result_of contains {name}" for name, _ in steps]
        return "".join(f"reply when {when[at]}\n  tool {name} {json.dumps(given)}\n"
                       for at, (name, given) in enumerate(steps)) + then

    def test_an_agent_judges_a_call_after_looking_at_files(self):
        with open(self.path("law.txt"), "w", encoding="utf-8") as file:
            file.write("Nothing may run.\n")
        for ok in (True, False):
            with self.subTest(ok):
                if self.has_run():
                    os.unlink(self.path("ran.txt"))
                self.hook(("PreToolUse", {"type": "agent", "prompt": "CONDITION: the law allows $ARGUMENTS"}))
                self.serve(self.judge(("Read", {"file_path": self.path("law.txt")}),
                                      ("StructuredOutput", {"ok": ok, "reason": "the law"})))
                self.go("--allowedTools", "Bash")
                judging = [r for r in self.requests() if "You verify a condition" in json.dumps(r["system"])]
                self.assertIn("Nothing may run.", json.dumps(judging[-1]["messages"]))
                self.assertIn("haiku", judging[-1]["model"])
                self.assertEqual({tool["name"] for tool in judging[-1]["tools"]},
                                 {"Read", "Grep", "Glob", "Bash", "StructuredOutput"})
                self.assertEqual(self.has_run(), ok)

    def test_an_agent_of_a_hook_reads_the_transcript_and_is_asked_nothing(self):
        self.hook(("Stop", {"type": "agent", "prompt": "CONDITION", "timeout": 20}))
        session = "11111111-2222-4333-8444-555555555555"
        transcript = os.path.join(self.home, ".claude/projects", re.sub("[^A-Za-z0-9]", "-", self.cwd), session + ".jsonl")
        self.serve(self.judge(("Bash", {"command": "touch judged"}), ("Read", {"file_path": transcript}),
                              ("StructuredOutput", {"ok": True}), then="reply forever\n  text Done\n"))
        self.go("--session-id", session)
        self.assertFalse(os.path.exists(self.path("judged")))
        judging = [r for r in self.requests() if "You verify a condition" in json.dumps(r["system"])]
        self.assertIn("The transcript of the session", json.dumps(judging[0]["messages"]))
        results = [block for message in judging[-1]["messages"][1:] for block in message["content"]
                   if block["type"] == "tool_result"]
        self.assertEqual([block.get("is_error", False) for block in results[:2]], [True, False])
