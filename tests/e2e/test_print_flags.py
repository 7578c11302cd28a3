"""What the flags of awl -p do, seen from outside: in what the model is sent, in what
is done, and in how a wrong one is refused."""

import json
import os
import unittest

from rig import PATIENCE, Modelled

WRITES = """\
reply when tool_error
  text "Not allowed."
reply when result_of contains Write
  text "Done."
reply
  tool Write {"file_path": "out.txt", "content": "made\\n"}
"""


class Formats(Modelled):
    def test_json_is_one_result_object(self):
        self.serve('reply\n  text "Hello."\n')
        ran = self.print("hi", "--output-format", "json")
        result = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, ran.stderr), (0, b""))
        self.assertEqual((result["type"], result["subtype"], result["is_error"], result["result"]),
                         ("result", "success", False, "Hello."))
        self.assertEqual((result["num_turns"], result["terminal_reason"]), (1, "completed"))

    def test_an_error_of_the_service_is_a_result_in_json_and_exits_1(self):
        self.serve('fail 401 authentication_error "invalid x-api-key"\n')
        ran = self.print("hi", "--output-format=json")
        result = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, result["is_error"], result["api_error_status"]),
                         (1, True, 401))
        self.assertIn("invalid x-api-key", result["result"])

    def test_stream_json_is_a_line_an_event_and_needs_verbose(self):
        self.serve('reply\n  text "Hello."\n')
        ran = self.print("hi", "--output-format", "stream-json")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"needs --verbose", ran.stderr)
        ran = self.print("hi", "--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual([(e["type"], e.get("subtype")) for e in events],
                         [("system", "init"), ("assistant", None), ("result", "success")])
        self.assertEqual(len({e["session_id"] for e in events}), 1)
        self.assertEqual(len({e["uuid"] for e in events}), 3)

    def test_stream_json_means_print(self):
        self.serve('reply\n  text "Hello."\n')
        ran = self.awl("hi", "--output-format", "stream-json", "--verbose", env=self.modelled())
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(json.loads(ran.stdout.splitlines()[-1])["result"], "Hello.")

    def test_partial_messages_are_the_events_of_the_stream(self):
        self.serve('reply\n  text "Hello, world, hello."\n')
        ran = self.print("hi", "--output-format", "stream-json", "--verbose",
                         "--include-partial-messages")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        pieces = [e["event"]["delta"]["text"] for e in events if e["type"] == "stream_event"
                  and e["event"]["type"] == "content_block_delta"]
        self.assertEqual("".join(pieces), "Hello, world, hello.")

    def test_verbose_shows_the_calls_on_stderr(self):
        self.write("a.txt", "x\n")
        self.serve('reply when result_of contains Read\n  text "Read."\n'
                   'reply\n  tool Read {"file_path": "a.txt"}\n')
        ran = self.print("hi", "--verbose")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                         (0, b"Read.\n", b"Read a.txt\n"))

    def test_a_terminal_gets_no_control_characters_but_a_pipe_every_byte(self):
        self.serve('reply repeat 2\n  text "a\\x1b[2Jb"\n')
        self.assertEqual(self.print("hi").stdout, b"a\x1b[2Jb\n")
        terminal = self.terminal("-p", "hi", env=self.modelled())
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn(r"a\x1b[2Jb", terminal.text())

    def test_a_schema_makes_the_answer_an_object_that_fits(self):
        schema = json.dumps({"type": "object", "properties": {"n": {"type": "integer"}},
                             "required": ["n"]})
        self.serve('reply when tool_error\n  tool StructuredOutput {"n": 3}\n'
                   'reply\n  tool StructuredOutput {"n": "three"}\n')
        ran = self.print("count", "--json-schema", schema, "--output-format", "json")
        result = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, result["structured_output"]), (0, {"n": 3}))
        self.assertEqual(json.loads(result["result"]), {"n": 3})

    def test_a_schema_may_be_in_a_file(self):
        self.serve('reply\n  tool StructuredOutput {"n": 3}\n')
        self.write("s.json", '{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}')
        ran = self.print("count", "--json-schema", "@s.json")
        self.assertEqual((ran.returncode, json.loads(ran.stdout)), (0, {"n": 3}), ran.stderr)
        ran = self.print("count", "--json-schema", "@missing.json")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"--json-schema: missing.json", ran.stderr)

    def test_a_model_that_does_not_keep_to_the_schema_is_a_failure(self):
        self.serve('reply forever\n  tool StructuredOutput {"n": "three"}\n')
        schema = '{"type":"object","properties":{"n":{"type":"number"}}}'
        ran = self.print("count", "--json-schema", schema, "--output-format", "json")
        result = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, result["subtype"]), (1, "error_max_structured_output_retries"))

    def test_a_model_that_only_talks_is_reminded_once(self):
        self.serve('reply forever\n  text "Three."\n')
        ran = self.print("count", "--json-schema", '{"type":"object"}', "--output-format", "json")
        result = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, result["subtype"], result["result"]), (0, "success", "Three."))
        self.assertNotIn("structured_output", result)
        self.assertEqual(len(self.requests()), 2)

    def test_an_answer_that_was_cut_and_continued_is_printed_as_a_whole(self):
        self.serve('reply\n  text "Too long"\n  stop max_tokens\n'
                   'reply\n  text "One, "\n  stop max_tokens\n'
                   'reply\n  text "two."\n')
        ran = self.print("count")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"One, two.\n"), ran.stderr)

    def test_a_schema_that_is_none_is_refused(self):
        self.serve('reply\n  text "x"\n')
        for schema in ("{", '{"type": "nonsense"}'):
            ran = self.print("hi", "--json-schema", schema)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), schema)
            self.assertNotEqual(ran.stderr, b"")


class Prompt(Modelled):
    def test_the_system_prompt_is_replaced_and_appended_to(self):
        self.serve('reply forever\n  text "ok"\n')
        path = self.write("prompt.txt", "From a file.")
        cases = ((["--system-prompt", "Mine."], "Mine."),
                 (["--system-prompt-file", path], "From a file."),
                 (["--system-prompt=Mine.", "--append-system-prompt", "And this."], "Mine."),
                 (["--append-system-prompt-file", path], "From a file."))
        for args, words in cases:
            self.assertEqual(self.print("hi", *args).returncode, 0)
            self.assertIn(words, json.dumps(self.requests()[-1]["system"]))
        self.assertIn("And this.", json.dumps(self.requests()[2]["system"]))
        self.assertNotIn("Mine.", json.dumps(self.requests()[3]["system"]))

    def test_a_text_and_a_file_exclude_each_other_and_a_missing_file_is_named(self):
        self.serve('reply\n  text "ok"\n')
        path = self.write("prompt.txt", "x")
        for args, words in ((["--system-prompt", "x", "--system-prompt-file", path], b"not both"),
                            (["--append-system-prompt", "x", "--append-system-prompt-file", path],
                             b"not both"),
                            (["--system-prompt-file", "/nonexistent"], b"/nonexistent"),
                            (["--append-system-prompt-file", self.cwd], self.cwd.encode())):
            ran = self.print("hi", *args)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), args)
            self.assertIn(words, ran.stderr)

    def test_instruction_files_are_told_unless_bare(self):
        self.write("AGENTS.md", "Speak like a pirate.")
        self.serve('reply forever\n  text "ok"\n')
        self.print("hi")
        self.print("hi", "--bare")
        told, bare = (json.dumps(request) for request in self.requests())
        self.assertIn("Speak like a pirate.", told)
        self.assertNotIn("Speak like a pirate.", bare)

    def test_a_silent_standard_input_that_stays_open_is_not_waited_for(self):
        self.serve('reply\n  expect prompt not contains "never"\n  text "ok"\n')
        reading, writing = os.pipe()
        process = self.start("-p", "hi", stdin=reading)
        output, complaint = process.communicate(timeout=PATIENCE)
        os.close(reading)
        os.close(writing)
        self.assertEqual((process.returncode, output), (0, b"ok\n"))
        self.assertIn(b"standard input", complaint)


class Model(Modelled):
    def test_model_effort_and_thinking_reach_the_wire(self):
        self.serve('reply forever\n  text "ok"\n')
        for args in (["--model", "sonnet", "--effort", "low"],
                     ["--model=claude-haiku-4-5", "--max-thinking-tokens", "2000"],
                     ["--thinking", "disabled"]):
            self.assertEqual(self.print("hi", *args).returncode, 0)
        sonnet, haiku, silent = self.requests()
        self.assertIn("sonnet", sonnet["model"])
        self.assertIn("low", json.dumps(sonnet))
        self.assertEqual(haiku["model"], "claude-haiku-4-5")
        self.assertEqual(haiku["thinking"]["budget_tokens"], 2000)
        self.assertNotEqual(silent.get("thinking", {}).get("type"), "adaptive")

    def test_a_model_with_a_budget_thinks_by_default_within_max_thinking_tokens(self):
        self.serve('reply forever\n  text "ok"\n')
        for args, env, budget in (([], {}, 31999), ([], {"MAX_THINKING_TOKENS": "8000"}, 8000),
                                  (["--settings", '{"alwaysThinkingEnabled": false}'], {}, None),
                                  (["--settings", '{"alwaysThinkingEnabled": false}'],
                                   {"MAX_THINKING_TOKENS": "8000"}, 8000),
                                  (["--thinking", "disabled"], {"MAX_THINKING_TOKENS": "8000"}, None),
                                  ([], {"MAX_THINKING_TOKENS": "0"}, None)):
            with self.subTest(args=args, env=env):
                ran = self.print("hi", "--model", "claude-sonnet-4-5", *args, **env)
                self.assertEqual(ran.returncode, 0, ran.stderr)
                self.assertEqual(self.requests()[-1].get("thinking", {}).get("budget_tokens"), budget)

    def test_max_thinking_tokens_0_turns_thinking_off_on_every_model(self):
        self.serve('reply forever\n  text "ok"\n')
        for args, kind in (([], None), (["--thinking", "adaptive"], "adaptive")):
            ran = self.print("hi", "--model", "claude-opus-5-5", *args, MAX_THINKING_TOKENS="0")
            self.assertEqual((ran.returncode, ran.stderr), (0, b""))
            self.assertEqual(self.requests()[-1].get("thinking", {}).get("type"), kind)

    def test_a_limit_of_thinking_tokens_without_effect_is_reported(self):
        self.serve('reply forever\n  text "ok"\n')
        ran = self.print("hi", "--model", "claude-opus-5-5", "--max-thinking-tokens", "2000")
        self.assertIn(b"no effect on claude-opus-5-5", ran.stderr)
        ran = self.print("hi", "--model", "claude-haiku-4-5", "--max-thinking-tokens", "2000")
        self.assertNotIn(b"no effect", ran.stderr)

    def test_the_fallback_answers_after_three_overloads(self):
        self.serve('fail 529 overloaded_error "Overloaded" repeat 3\n'
                   'reply when model contains haiku\n  text "Instead."\n')
        ran = self.print("hi", "--fallback-model", "haiku")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Instead.\n"), ran.stderr)

    def test_tools_are_offered_as_asked(self):
        self.serve('reply forever\n  text "ok"\n')
        for args, names in ((["--tools", "Read", "Bash"], {"Read", "Bash"}),
                            (["--tools=Read,Glob"], {"Read", "Glob"}),
                            (["--tools", ""], set()),
                            (["--tools", "default", "--disallowedTools", "Bash"], None)):
            self.assertEqual(self.print("hi", *args).returncode, 0)
            offered = {tool["name"] for tool in self.requests()[-1].get("tools", [])}
            if names is None:
                self.assertTrue("Read" in offered and "Bash" not in offered)
            else:
                self.assertEqual(offered, names)


class Permissions(Modelled):
    def test_what_would_have_to_be_asked_is_denied_and_said(self):
        self.serve(WRITES)
        ran = self.print("write")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Not allowed.\n"))
        self.assertFalse(os.path.exists(self.path("out.txt")))
        rule = f"Edit(/{self.path('out.txt')})"
        self.assertEqual(ran.stderr.decode(),
                         f"awl: denied: Write out.txt; --allowedTools '{rule}' would allow it\n")
        self.serve(WRITES)
        self.assertEqual(self.print("write", "--allowedTools", rule).stdout, b"Done.\n")

    DENIALS = ('reply when tool_error\n  text "No."\n'
               'reply\n  tool Bash {"command": "make deploy"}\n  tool Bash {"command": "echo fine"}\n')

    def test_a_denial_names_the_call_and_the_narrowest_rule_in_every_format(self):
        for args in ([], ["--output-format", "json"], ["--permission-mode", "dontAsk"]):
            with self.subTest(args=args):
                self.serve(self.DENIALS)
                ran = self.print("go", *args)
                self.assertEqual((ran.returncode, ran.stderr.decode()), (
                    0, "awl: denied: Bash make deploy; --allowedTools 'Bash(make deploy)' would allow it\n"))
        self.serve(self.DENIALS)
        ran = self.print("go", "--output-format", "stream-json", "--verbose")
        self.assertEqual(ran.stderr, b"")
        denied, = [e for e in map(json.loads, ran.stdout.splitlines()) if e.get("subtype") == "permission_denied"]
        self.assertEqual((denied["awl_rules"], denied["awl_tool_input"]),
                         (["Bash(make deploy)"], {"command": "make deploy"}))

    def test_a_rule_named_for_a_call_does_not_allow_more_unless_it_has_to(self):
        for command, rule in (("npm test -- --grep x", "Bash(npm test -- --grep x)"),
                              ("git push origin main", "Bash(git push origin main)"),
                              ("python3 - <<X\nprint(1)\nX", "Bash")):
            with self.subTest(command=command):
                call = json.dumps({"command": command})
                self.serve(f'reply when tool_error\n  text "No."\nreply\n  tool Bash {call}\n')
                ran = self.print("go")
                self.assertIn(f"; --allowedTools '{rule}' would allow it\n", ran.stderr.decode())

    def test_no_rule_is_named_where_none_would_help(self):
        for args, script, call in ((["--permission-mode", "plan"], WRITES, b"Write out.txt"),
                                   (["--disallowedTools", "Bash(make:*)"], self.DENIALS, b"Bash make deploy")):
            with self.subTest(args=args):
                self.serve(script)
                ran = self.print("go", *args)
                self.assertEqual(ran.returncode, 0)
                self.assertTrue(ran.stderr.startswith(b"awl: denied: " + call + b": "), ran.stderr)
                self.assertNotIn(b"--allowedTools", ran.stderr)

    def test_denied_calls_are_a_status_of_their_own_when_asked_for(self):
        for args, status in (([], 3), (["--output-format", "json"], 3), (["--allowedTools", "Bash"], 0),
                             (["--output-format", "stream-json", "--verbose"], 3),
                             (["--max-turns", "1"], 1)):
            with self.subTest(args=args):
                self.serve(self.DENIALS)
                self.assertEqual(self.print("go", "--fail-on-denied", *args).returncode, status)

    def test_flags_that_allow_it(self):
        for args in (["--allowedTools", "Write"],
                     ["--allowed-tools", "Read", "Write"],
                     ["--allowedTools=Read,Write"],
                     ["--allowedTools", "Read", "--allowedTools", "Write"],
                     ["--permission-mode", "acceptEdits"],
                     ["--dangerously-skip-permissions"]):
            with self.subTest(args=args):
                self.serve(WRITES)
                ran = self.print("write", *args, IS_SANDBOX="1")
                self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"Done.\n", b""))
                self.assertEqual(self.read("out.txt"), "made\n")
                os.remove(self.path("out.txt"))

    def test_a_deny_rule_wins_and_is_named(self):
        self.write("secret.txt", "x")
        self.serve('reply when tool_error\n  text "No."\nreply\n  tool Read {"file_path": "secret.txt"}\n')
        ran = self.print("read", "--allowedTools", "Read", "--disallowedTools", "Read(secret.txt)")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"No.\n"))
        self.assertRegex(ran.stderr, rb"\Aawl: denied: Read secret.txt: .*Read\(secret.txt\).*\n\Z")

    def test_another_directory_is_worked_in_when_added(self):
        other = os.path.join(self.root, "other")
        os.mkdir(other)
        with open(os.path.join(other, "a.txt"), "w", encoding="utf-8") as file:
            file.write("found me\n")
        script = ('reply when tool_result contains "found me"\n  text "Seen."\n'
                  'reply when tool_error\n  text "Denied."\n'
                  f'reply\n  tool Read {{"file_path": "{other}/a.txt"}}\n')
        for args, answer in (([], b"Denied.\n"), (["--add-dir", other], b"Seen.\n"),
                             ([f"--add-dir={other}"], b"Seen.\n")):
            self.serve(script)
            self.assertEqual(self.print("read", *args).stdout, answer)

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_root_may_not_skip_permissions_outside_a_sandbox(self):
        self.serve(WRITES)
        for args in (["--dangerously-skip-permissions"],
                     ["--permission-mode", "bypassPermissions"]):
            ran = self.print("write", *args)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertIn(b"IS_SANDBOX", ran.stderr)


class Limits(Modelled):
    LOOP = 'reply forever\n  tool Glob {"pattern": "*"}\n  usage input=20000 output=100\n'

    def test_turns_budget_and_their_results(self):
        for args, subtype, reason in ((["--max-turns", "2"], "error_max_turns", "max_turns"),
                                      (["--max-budget-usd", "0.01"], "error_max_budget_usd",
                                       "budget_exhausted"),
                                      (["--max-tokens", "30000"], "error_max_budget_usd", "budget_exhausted")):
            self.serve(self.LOOP)
            ran = self.print("go", *args, "--output-format", "json")
            result = json.loads(ran.stdout)
            self.assertEqual((ran.returncode, result["subtype"], result["is_error"],
                              result["terminal_reason"]), (1, subtype, True, reason))

    def test_in_text_the_limit_is_said_on_stderr(self):
        self.serve(self.LOOP)
        ran = self.print("go", "--max-turns=1")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"maximum number of turns (1)", ran.stderr)

    def test_time_is_limited_too(self):
        self.serve('reply forever\n  text "x"\n  stall forever\n')
        ran = self.print("go", "--max-seconds", "1")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"maximum time (1 s)", ran.stderr)


class Refused(Modelled):
    def test_what_cannot_be_meant_is_said_and_nothing_is_asked(self):
        self.serve('reply forever\n  text "x"\n')
        for args, words in ((["--output-format", "xml"], b"'text', 'json' or 'stream-json'"),
                            (["--input-format", "xml"], b"'text' or 'stream-json'"),
                            (["--input-format", "stream-json"], b"--output-format stream-json"),
                            (["--include-partial-messages"], b"--output-format stream-json"),
                            (["--max-turns", "0"], b"--max-turns"),
                            (["--max-turns", "many"], b"--max-turns"),
                            (["--max-budget-usd", "-1"], b"--max-budget-usd"),
                            (["--max-budget-usd", "1x"], b"--max-budget-usd"),
                            (["--effort", "huge"], b"huge"),
                            (["--thinking", "hard"], b"hard"),
                            (["--permission-mode", "yolo"], b"yolo"),
                            (["--permission-prompt-tool", "stdio"], b"stream-json"),
                            (["--allowedTools", "Bash(("], b"Bash(("),
                            (["--tools", "Nonsense"], b"Nonsense"),
                            (["--add-dir", "/nonexistent"], b"/nonexistent"),
                            (["--session-id", "x"], b"UUID"),
                            (["--resume"], b"--continue"),
                            (["--resume-session-at", "x"], b"--resume"),
                            (["--managed-settings", "{"], b"--managed-settings:1:2"),
                            (["--project-config-root", "x"], b"x is not an absolute path"),
                            (["--project-config-root", "/nonexistent"], b"/nonexistent"),
                            (["--settings", "{"], b"--settings:1:2"),
                            (["--max-trun", "1"], b"did you mean '--max-turns'?")):
            with self.subTest(args=args):
                ran = self.print("hi", *args)
                self.assertEqual((ran.returncode, ran.stdout), (1, b""))
                self.assertIn(words, ran.stderr)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())

    def test_flags_of_other_programs_that_do_no_harm_are_taken_and_logged(self):
        self.serve('reply\n  text "ok"\n')
        log = os.path.join(self.root, "log")
        ran = self.print("hi", "--no-chrome", "--setting-sources=", "--betas=x",
                         "--include-hook-events",
                         "--debug-file", log)
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"ok\n", b""))
        with open(log, encoding="utf-8") as file:
            self.assertIn("--no-chrome has no effect", file.read())

    def test_agents_are_listed_from_json_or_a_file_and_mistakes_are_told(self):
        self.serve('reply forever\n  text "ok"\n')
        agents = json.dumps({"rev": {"description": "Reviews", "prompt": "Review."}})
        self.write("agents.json", agents)
        for given in (agents, "agents.json"):
            ran = self.print("hi", "--agents", given, "--output-format", "stream-json", "--verbose")
            init = [e for e in map(json.loads, ran.stdout.splitlines()) if e.get("subtype") == "init"][0]
            self.assertIn("rev", init["agents"])
        for given, words in (("{", b"agents"), ('{"rev": {}}', b"rev needs a"), ("none.json", b"--agents")):
            ran = self.print("hi", "--agents", given)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertIn(words, ran.stderr)

    def test_debug_goes_to_stderr(self):
        self.serve('reply\n  text "ok"\n')
        ran = self.print("hi", "--debug")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"ok\n"))
        self.assertIn(b"credential: ANTHROPIC_API_KEY", ran.stderr)

    def test_without_p_a_standard_input_that_is_no_terminal_is_refused(self):
        for args in ([], ["hello"], ["fix the bug"], ["--plain"]):
            ran = self.awl(*args)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), args)
            self.assertIn(b"awl -p", ran.stderr)


if __name__ == "__main__":
    unittest.main()
