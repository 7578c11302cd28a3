"""Hooks of the settings in real sessions: every event that awl fires, what a hook is told, and what
each answer does."""

import glob
import json
import os
import re
import signal
import subprocess

from rig import PATIENCE, running
from test_print_stream import SDK, Stream, control, user

RUN = 'reply\n  tool Bash {"command":"echo ran > ran.txt"}\nreply forever\n  text Done\n'
READ = 'reply\n  tool Read {"file_path":"a.txt"}\nreply forever\n  text Done\n'


class Hooks(Stream):
    def hook(self, *handlers, **events):
        """Installs hooks: event=command, or event=(matcher, command)."""
        settings = {"hooks": {}}
        for event, value in events.items():
            matcher, command = value if isinstance(value, tuple) else (None, value)
            group = {"hooks": [{"type": "command", "command": command}]}
            if matcher is not None:
                group["matcher"] = matcher
            settings["hooks"].setdefault(event, []).append(group)
        for event, handler in handlers:
            settings["hooks"].setdefault(event, []).append({"hooks": [handler]})
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump(settings, file)

    def says(self, answer, name="hook.json"):
        """A command that notes its input in NAME and prints this answer."""
        return f"cat >> {self.path(name)}; echo >> {self.path(name)}; echo '{json.dumps(answer)}'"

    @staticmethod
    def specific(event, **more):
        return {"hookSpecificOutput": {"hookEventName": event, **more}}

    def told(self, name="hook.json"):
        """What the hooks that note their input were told, in order."""
        with open(self.path(name), encoding="utf-8") as file:
            return [json.loads(line) for line in file.read().splitlines() if line]

    def go(self, *args, prompt="go", **env):
        """Runs one prompt; returns its events."""
        ran = self.print(prompt, "--output-format", "stream-json", "--verbose", *args, **env)
        self.stderr = ran.stderr.decode()
        self.status = ran.returncode
        self.events = [json.loads(line) for line in ran.stdout.splitlines()]
        return self.events[-1]

    def of(self, kind, subtype=None):
        return [e for e in self.events
                if e["type"] == kind and (subtype is None or e.get("subtype") == subtype)]

    def results(self):
        """The texts of all tool results."""
        return [block["content"] for e in self.of("user") for block in e["message"]["content"]
                if block["type"] == "tool_result"]

    def sent(self):
        """All that the model was sent in the last request, as text."""
        return json.dumps(self.requests()[-1]["messages"], ensure_ascii=False)

    def has_run(self):
        return os.path.exists(self.path("ran.txt"))


class Calls(Hooks):
    def test_a_guard_is_told_about_the_call_and_denies_it(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", self.says(self.specific(
            "PreToolUse", permissionDecision="deny", permissionDecisionReason="not here"))))
        result = self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertEqual(self.results(), ["not here"])
        self.assertEqual([d["tool_name"] for d in result["permission_denials"]], ["Bash"])
        [denied] = self.of("system", "permission_denied")
        self.assertEqual((denied["decision_reason_type"], denied["decision_reason"]), ("hook", "not here"))
        [told] = self.told()
        self.assertEqual(told["hook_event_name"], "PreToolUse")
        self.assertEqual(told["tool_name"], "Bash")
        self.assertEqual(told["tool_input"], {"command": "echo ran > ran.txt"})
        self.assertEqual(told["permission_mode"], "default")
        self.assertEqual(told["session_id"], result["session_id"])
        self.assertEqual(told["cwd"], os.path.realpath(self.cwd))
        self.assertTrue(told["transcript_path"].endswith(result["session_id"] + ".jsonl"))
        self.assertTrue(told["tool_use_id"] and told["prompt_id"])

    def test_exit_code_two_denies_with_what_it_says_on_stderr(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", "echo no way >&2; exit 2"))
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertEqual(self.results(), ["no way"])

    def test_a_long_text_goes_to_a_file(self):
        self.serve(READ)
        self.write("a.txt", "A")
        self.hook(UserPromptSubmit="head -c 20000 /dev/zero | tr '\\0' x; echo end")
        self.go()
        [text] = [b["text"] for m in self.requests()[0]["messages"] for b in m["content"]
                  if b["type"] == "text" and "xxx" in b["text"]]
        self.assertLess(len(text), 10000)
        [path] = glob.glob(os.path.join(self.home, ".claude/projects/*/*/tool-results/hook-*.txt"))
        self.assertIn(path, text)
        with open(path, encoding="utf-8") as file:
            self.assertTrue(file.read().endswith("end"))

    def test_another_exit_code_is_shown_and_lets_the_call_run(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", "echo oops >&2; exit 1"))
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())
        self.assertTrue(any("oops" in e["content"] for e in self.of("system", "informational")))

    def test_a_guard_that_cannot_run_blocks(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", "/no/such/program"))
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())

    def test_allow_answers_the_question_of_the_mode_but_no_rule(self):
        allow = self.says(self.specific("PreToolUse", permissionDecision="allow"))
        for flags, runs in (((), True), (("--disallowedTools", "Bash(echo:*)"), False),
                            (("--settings", '{"permissions": {"ask": ["Bash(echo:*)"]}}'), False)):
            with self.subTest(flags):
                self.serve(RUN)
                self.hook(PreToolUse=("Bash", allow))
                self.go(*flags)
                self.assertEqual(self.has_run(), runs)
                if runs:
                    os.remove(self.path("ran.txt"))

    def test_ask_overrides_a_rule_that_allows(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", self.says(self.specific(
            "PreToolUse", permissionDecision="ask", permissionDecisionReason="think again"))))
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("think again", self.results()[0])

    def test_defer_ends_the_turn_with_the_call(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", self.says(self.specific("PreToolUse", permissionDecision="defer"))))
        result = self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertEqual(result["terminal_reason"], "tool_deferred")
        self.assertEqual(result["stop_reason"], "tool_deferred")
        self.assertEqual(result["deferred_tool_use"]["name"], "Bash")
        self.assertEqual(result["deferred_tool_use"]["input"], {"command": "echo ran > ran.txt"})
        self.assertEqual(len(self.requests()), 1)

    def test_an_updated_input_is_what_runs_and_is_checked_again(self):
        for command, runs in (("echo better > ran.txt", True), ("rm -rf /", False)):
            with self.subTest(command):
                self.serve(RUN)
                self.hook(PreToolUse=("Bash", self.says(self.specific(
                    "PreToolUse", updatedInput={"command": command}))))
                self.go("--allowedTools", "Bash(echo:*),Edit")
                self.assertEqual(self.has_run(), runs)
                if runs:
                    self.assertEqual(self.read("ran.txt"), "better\n")
                    os.remove(self.path("ran.txt"))

    def test_an_updated_input_of_the_wrong_shape_fails_the_call(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", self.says(self.specific(
            "PreToolUse", permissionDecision="allow", updatedInput={"command": 5}))))
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("does not accept", self.results()[0])

    def test_file_names_are_absolute_for_hooks(self):
        self.serve(READ)
        self.write("a.txt", "A")
        self.hook(PreToolUse=("Read", self.says({})))
        self.go()
        self.assertEqual(self.told()[0]["tool_input"], {"file_path": os.path.realpath(self.path("a.txt"))})

    def test_context_of_a_hook_reaches_the_model(self):
        self.serve(READ)
        self.write("a.txt", "A")
        self.hook(PreToolUse=self.says(self.specific("PreToolUse", additionalContext="before it")),
                  PostToolUse=self.says(self.specific("PostToolUse", additionalContext="after it")),
                  PostToolBatch=self.says(self.specific("PostToolBatch", additionalContext="after all")))
        result = self.go()
        for text in ("before it", "after it", "after all"):
            self.assertIn(text, self.sent())
        self.assertEqual(result["num_turns"], 2)
        self.assertEqual(len(self.of("user")), 1)

    def test_after_a_call_a_hook_sees_its_response_and_may_replace_it(self):
        self.serve(READ)
        self.write("a.txt", "pine cones")
        self.hook(PostToolUse=("Read", self.says(self.specific("PostToolUse", updatedToolOutput="hidden"))))
        self.go()
        [told] = self.told()
        self.assertEqual(told["tool_response"]["file"]["content"], "pine cones")
        self.assertGreaterEqual(told["duration_ms"], 0)
        self.assertEqual(self.results(), ["hidden"])
        self.assertNotIn("pine cones", self.sent())

    def test_a_block_after_a_call_tells_the_model_why(self):
        self.serve(READ)
        self.write("a.txt", "A")
        self.hook(PostToolUse=("Read", self.says({"decision": "block", "reason": "run the linter"})))
        self.go()
        self.assertIn("run the linter", self.sent())

    def test_a_failed_call_has_an_event_of_its_own(self):
        self.serve('reply\n  tool Bash {"command":"echo bad; exit 3"}\nreply forever\n  text Done\n')
        self.hook(PostToolUse=self.says({}, "fine.json"),
                  PostToolUseFailure=self.says(self.specific("PostToolUseFailure",
                                                             additionalContext="try make")))
        self.go("--allowedTools", "Bash")
        self.assertFalse(os.path.exists(self.path("fine.json")))
        [told] = self.told()
        self.assertIn("bad", told["error"])
        self.assertFalse(told["is_interrupt"])
        self.assertIn("try make", self.sent())

    def test_a_hook_sees_all_calls_of_a_response_and_may_end_the_turn(self):
        self.serve('reply\n  tool Read {"file_path":"a.txt"}\n  tool Read {"file_path":"b.txt"}\n'
                   'reply forever\n  text Done\n')
        self.write("a.txt", "A")
        self.hook(PostToolBatch=self.says({"decision": "block", "reason": "enough"}))
        result = self.go()
        [told] = self.told()
        self.assertEqual([c["tool_input"]["file_path"][-5:] for c in told["tool_calls"]], ["a.txt", "b.txt"])
        self.assertEqual(told["tool_calls"][0]["tool_response"]["file"]["content"], "A")
        self.assertEqual((result["terminal_reason"], result["is_error"]), ("hook_stopped", False))
        self.assertEqual(len(self.requests()), 1)

    def test_continue_false_ends_the_turn_after_the_call(self):
        self.serve(READ)
        self.write("a.txt", "A")
        self.hook(PostToolUse=self.says({"continue": False, "stopReason": "look at this first"}))
        result = self.go()
        self.assertEqual((result["terminal_reason"], result["result"]), ("hook_stopped", ""))
        self.assertTrue(any("look at this first" in e["content"] for e in self.of("system", "informational")))

    def test_a_condition_narrows_a_hook_to_some_commands(self):
        self.serve(RUN)
        for condition, seen in (("Bash(git *)", False), ("Bash(echo *)", True)):
            with self.subTest(condition):
                self.hook(("PreToolUse", {"type": "command", "if": condition, "command": self.says({})}))
                self.serve(RUN)
                self.go("--allowedTools", "Bash")
                self.assertEqual(os.path.exists(self.path("hook.json")), seen)


class Listing(Hooks):
    def test_a_host_can_list_hooks(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(("Stop", {"type": "command", "command": "true", "timeout": 5, "statusMessage": "checking"}),
                  PreToolUse=("Bash", "exit 0"))
        _, events = self.talk(control("initialize"), control("get_hooks_listing", 2), user("go"))
        [reply] = [e["response"]["response"] for e in events
                   if e["type"] == "control_response" and e["response"]["request_id"] == "r2"]
        self.assertEqual({(e["name"], e["hookCount"], e["supportsMatcher"]) for e in reply["events"]},
                         {("PreToolUse", 1, True), ("Stop", 1, False)})
        rows = {row["event"]: row for row in reply["hooks"]}
        self.assertEqual((rows["PreToolUse"]["matcher"], rows["PreToolUse"]["commandText"],
                          rows["PreToolUse"]["source"]), ("Bash", "exit 0", "userSettings"))
        self.assertEqual((rows["Stop"]["displayText"], rows["Stop"]["timeout"]), ("checking", 5))
        self.assertEqual(len(reply["eventCatalog"]), 33)
        self.assertFalse(reply["policy"]["allDisabled"])


class Host(Hooks):
    """Callbacks of a host that speaks the protocol itself."""

    HOOKS = {"PreToolUse": [{"matcher": "Bash", "hookCallbackIds": ["hook_0"]}]}

    def test_a_host_that_registers_its_hooks_again_is_not_waited_for(self):
        self.serve(RUN)
        self.open("--allowedTools", "Bash")
        self.send(control("initialize", 1, hooks=self.HOOKS))
        self.assertTrue(self.wait_for("control_response")["response"]["response"]["hooks_applied"])
        self.send(user("go"))
        request = self.wait_for("control_request")
        self.assertEqual(request["request"]["subtype"], "hook_callback")
        self.send(control("initialize", 2, hooks=self.HOOKS))
        self.assertEqual(self.wait_for("control_cancel_request")["request_id"], request["request_id"])
        self.assertEqual(len(self.wait_for("result")["permission_denials"]), 1)
        self.assertFalse(self.has_run())
        self.assertEqual(self.close()[0], 0)

    def test_a_call_that_nobody_is_left_to_check_does_not_run(self):
        self.serve(RUN)
        _, events = self.talk(control("initialize", 1, hooks={**self.HOOKS, "Stop": [{"hookCallbackIds": ["hook_1"]}]}),
                              user("go"), args=("--allowedTools", "Bash"))
        [result] = [e for e in events if e["type"] == "result"]
        self.assertEqual((result["subtype"], len(result["permission_denials"])), ("success", 1))
        self.assertFalse(self.has_run())

    def test_a_question_says_that_a_hook_wants_it(self):
        self.serve(RUN)
        self.hook(PreToolUse=("Bash", self.says(self.specific(
            "PreToolUse", permissionDecision="ask", permissionDecisionReason="think again"))))
        self.open("--permission-prompt-tool", "stdio", "--allowedTools", "Bash")
        self.send(user("go"))
        request = self.wait_for("control_request")["request"]
        self.assertEqual((request["decision_reason_type"], request["decision_reason"]), ("hook", "think again"))
        self.close()
        self.assertFalse(self.has_run())


class Judges(Hooks):
    """Hooks of type prompt: a model decides."""

    def judge(self, event, **more):
        self.hook((event, {"type": "prompt", "prompt": "Is this fine?", **more}))

    @staticmethod
    def script(answer, rest=RUN):
        return f"reply forever when system contains condition\n  text {json.dumps(json.dumps(answer))}\n" + rest

    def judged(self):
        return [r for r in self.requests() if "condition" in json.dumps(r.get("system"))]

    def test_a_model_denies_a_call(self):
        self.serve(self.script({"ok": False, "reason": "it writes a file"}))
        self.judge("PreToolUse")
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("it writes a file", self.results()[0])
        [request] = self.judged()
        self.assertIn("haiku", request["model"])
        self.assertIn("Is this fine?", json.dumps(request["messages"]))
        self.assertIn("echo ran", json.dumps(request["messages"]))

    def test_a_model_agrees(self):
        self.serve(self.script({"ok": True}))
        self.judge("PreToolUse", model="sonnet")
        result = self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())
        self.assertIn("sonnet", self.judged()[0]["model"])
        self.assertEqual(len(result["modelUsage"]), 2)

    def test_a_model_sends_the_turn_on(self):
        self.serve("reply when system contains condition\n"
                   f"  text {json.dumps(json.dumps({'ok': False, 'reason': 'no tests'}))}\n" +
                   self.script({"ok": True}, "reply forever\n  text Hello\n"))
        self.judge("Stop")
        self.assertEqual(self.go()["num_turns"], 2)
        self.assertIn("no tests", self.sent() + json.dumps(self.of("user")))

    def test_nonsense_from_the_model_blocks_a_guard_and_nothing_else(self):
        self.serve(self.script("maybe"))
        self.judge("PreToolUse")
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.serve(self.script("maybe", "reply forever\n  text Hello\n"))
        self.judge("Stop")
        self.assertEqual(self.go()["result"], "Hello")

    def test_a_model_judges_the_first_prompt(self):
        self.serve(self.script({"ok": False, "reason": "too vague"}, "reply forever\n  text Hello\n"))
        self.judge("UserPromptSubmit")
        self.assertEqual(self.go()["num_turns"], 0)
        self.assertTrue(any("too vague" in e["content"] for e in self.of("system", "informational")))


class Many(Hooks):
    def test_ten_hooks_of_one_event_run_side_by_side(self):
        """Each waits until all have begun."""
        self.serve("reply forever\n  text Hello\n")
        all_began = f"until [ $(ls {self.cwd} | grep -c began) = 10 ]; do sleep 0.01; done"
        self.hook(*(("UserPromptSubmit", {"type": "command", "command":
                    f"touch {self.path(f'began{n}')}; {all_began}; echo context number {n}."}) for n in range(10)))
        self.go()
        sent = self.sent()
        at = [sent.index(f"context number {n}.") for n in range(10)]
        self.assertEqual(at, sorted(at))

    def test_the_strictest_of_several_wins(self):
        self.serve(RUN)
        self.hook(*(("PreToolUse", {"type": "command", "command": self.says(self.specific(
            "PreToolUse", permissionDecision=decision, permissionDecisionReason=decision))})
                    for decision in ("allow", "deny", "ask")))
        self.go("--allowedTools", "Bash")
        self.assertFalse(self.has_run())
        self.assertIn("deny", self.results()[0])

    def test_a_hook_that_prints_without_end_harms_nobody(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(Stop="yes | head -c 100000000")
        self.assertEqual(self.go()["result"], "Hello")

    def test_a_hook_that_does_not_read_its_input(self):
        self.serve(RUN)
        self.hook(PreToolUse="exec 0<&-; exit 0")
        self.go("--allowedTools", "Bash")
        self.assertTrue(self.has_run())


class Explained(Hooks):
    def test_why_names_the_hooks_that_are_asked_first(self):
        self.hook(PreToolUse=("Bash", "exit 2"), PostToolUse=("Bash", "exit 0"))
        ran = self.awl("why", "Bash", "ls")
        file = os.path.join(self.home, ".claude/settings.json")
        self.assertIn(f"a PreToolUse hook ({file}:1) is asked first and may decide otherwise".encode(), ran.stderr)
        self.assertNotIn(b"hook", self.awl("why", "Read", "a.txt").stderr)


class SetUp(Hooks):
    def test_setup_runs_before_the_session_starts(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(Setup=self.says(self.specific("Setup", additionalContext="deps are installed")),
                  SessionStart=self.says({}))
        self.go()
        self.assertEqual([t["hook_event_name"] for t in self.told()], ["SessionStart"])
        for flag, trigger in (("--init", "init"), ("--maintenance", "maintenance")):
            os.remove(self.path("hook.json"))
            self.go(flag)
            self.assertEqual([(t["hook_event_name"], t.get("trigger")) for t in self.told()],
                             [("Setup", trigger), ("SessionStart", None)])
            self.assertIn("deps are installed", self.sent())
            self.assertEqual([e["subtype"] for e in self.events if e.get("hook_event") == "Setup"],
                             ["hook_started", "hook_response"])

    def test_init_only_runs_the_hooks_and_nothing_else(self):
        self.hook(Setup=self.says({}), SessionStart=self.says({}), SessionEnd=self.says({}))
        ran = self.awl("--init-only")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"", b""))
        self.assertEqual([t["hook_event_name"] for t in self.told()], ["Setup", "SessionStart", "SessionEnd"])
        self.assertEqual(self.told()[0]["cwd"], os.path.realpath(self.cwd))


class Questions(Hooks):
    def test_a_hook_answers_before_anybody_is_asked(self):
        for decision, runs in (({"behavior": "allow"}, True), ({"behavior": "deny", "message": "no"}, False)):
            with self.subTest(decision):
                self.serve(RUN)
                self.hook(PermissionRequest=self.says(self.specific("PermissionRequest", decision=decision)))
                self.go()
                self.assertEqual(self.has_run(), runs)
                if runs:
                    os.remove(self.path("ran.txt"))
                else:
                    self.assertEqual(self.results(), ["no"])
        told = self.told()[0]
        self.assertEqual(told["tool_input"], {"command": "echo ran > ran.txt"})
        self.assertIsInstance(told["permission_suggestions"], list)

    def test_a_hook_may_change_input_and_permissions(self):
        self.serve('reply\n  tool Bash {"command":"echo ran > ran.txt"}\n'
                   'reply\n  tool Bash {"command":"echo again > again.txt"}\nreply forever\n  text Done\n')
        self.hook(PermissionRequest=self.says(self.specific("PermissionRequest", decision={
            "behavior": "allow", "updatedInput": {"command": "echo other > ran.txt"},
            "updatedPermissions": [{"type": "addRules", "behavior": "allow", "destination": "session",
                                    "rules": [{"toolName": "Bash"}, {"toolName": "Edit"}]}]})))
        self.go()
        self.assertEqual(self.read("ran.txt"), "other\n")
        self.assertEqual(self.read("again.txt"), "again\n")
        self.assertEqual(len(self.told()), 1)

    def test_a_deny_may_interrupt(self):
        self.serve(RUN)
        self.hook(PermissionRequest=self.says(self.specific("PermissionRequest", decision={
            "behavior": "deny", "message": "stop", "interrupt": True})))
        result = self.go()
        self.assertEqual(result["terminal_reason"], "aborted_tools")
        self.assertEqual(len(self.requests()), 1)

    def test_a_question_notifies(self):
        self.serve(RUN)
        self.hook(Notification=self.says({}))
        self.open("--permission-prompt-tool", "stdio")
        self.send(user("go"))
        question = self.wait_for("control_request")
        self.wait_until(lambda: os.path.exists(self.path("hook.json")) and self.told(), "no notification")
        [told] = self.told()
        self.assertEqual(told["notification_type"], "permission_prompt")
        self.assertIn("Bash", told["message"])
        self.send({"type": "control_response", "response": {
            "subtype": "success", "request_id": question["request_id"],
            "response": {"behavior": "allow", "updatedInput": question["request"]["input"]}}})
        self.wait_for("result")
        self.assertEqual(self.close()[0], 0)


class Prompts(Hooks):
    def test_a_prompt_is_shown_to_hooks_and_gets_their_context(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit=self.says(self.specific("UserPromptSubmit", additionalContext="be brief",
                                                           sessionTitle="A title")))
        self.go(prompt="hi there")
        self.assertEqual(self.told()[0]["prompt"], "hi there")
        self.assertIn("be brief", self.sent())
        [path] = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(path, encoding="utf-8") as file:
            self.assertIn('"customTitle":"A title"', file.read())

    def test_plain_text_on_stdout_is_context(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit="echo today is Friday")
        self.go()
        self.assertIn("today is Friday", self.sent())

    def test_a_blocked_prompt_reaches_no_model(self):
        for answer in (self.says({"decision": "block", "reason": "no secrets"}), "echo no secrets >&2; exit 2",
                       self.says({"continue": False, "stopReason": "no secrets"})):
            with self.subTest(answer):
                self.serve("reply forever\n  text Hello\n")
                self.hook(UserPromptSubmit=answer)
                result = self.go(prompt="my password is x")
                self.assertEqual((result["subtype"], result["is_error"], result["num_turns"]),
                                 ("success", False, 0))
                self.assertEqual(self.requests(), [])
                [notice] = [e for e in self.of("system", "informational")
                            if e.get("prevent_continuation") and "blocked" in e["content"]]
                self.assertIn("no secrets", notice["content"])
                self.assertIn("my password is x", notice["content"])

    def test_a_blocked_prompt_is_said_on_standard_error(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit="echo no secrets >&2; exit 2")
        ran = self.print("go")
        self.assertEqual((ran.returncode, ran.stdout), (0, b""))
        self.assertIn(b"no secrets", ran.stderr)


class Stops(Hooks):
    def test_feedback_continues_the_turn(self):
        self.serve("reply forever\n  text Hello\n")
        active = f"cat >> {self.path('hook.json')}; echo >> {self.path('hook.json')}; " \
                 f"grep -q '\"stop_hook_active\":true' {self.path('hook.json')} && exit 0; " \
                 "echo run the tests >&2; exit 2"
        self.hook(Stop=active)
        result = self.go()
        self.assertEqual([t["stop_hook_active"] for t in self.told()], [False, True])
        self.assertEqual(self.told()[0]["last_assistant_message"], "Hello")
        self.assertEqual((result["num_turns"], result["result"]), (2, "Hello"))
        [feedback] = self.of("user")
        self.assertTrue(feedback["isSynthetic"])
        self.assertIn("Stop hook feedback:\\nrun the tests", json.dumps(feedback))

    def test_the_transcript_says_which_hooks_ran(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(("Stop", {"type": "command", "command": "exit 1"}), Stop="true")
        self.go()
        [path] = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        [summary] = [r for r in records if r.get("subtype") == "stop_hook_summary"]
        self.assertEqual((summary["type"], summary["hookCount"], summary["hasOutput"],
                          summary["preventedContinuation"]), ("system", 2, False, False))
        self.assertEqual(sorted(i["command"] for i in summary["hookInfos"]), ["exit 1", "true"])
        self.assertEqual(len(summary["hookErrors"]), 1)
        self.assertIn(summary["parentUuid"], [r.get("uuid") for r in records])
        self.go("--continue")
        self.assertIn("Hello", self.sent())

    def test_endless_feedback_ends(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(Stop=self.says({"decision": "block", "reason": "go on"}))
        result = self.go()
        self.assertEqual((result["subtype"], len(self.requests())), ("success", 9))

    def test_continue_false_ends_the_turn(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(Stop=self.says({"continue": False, "decision": "block", "reason": "go on"}))
        self.assertEqual(self.go()["terminal_reason"], "stop_hook_prevented")

    def test_a_failure_of_the_service_has_an_event_of_its_own(self):
        self.serve('fail 400 invalid_request_error "bad"\n')
        self.hook(Stop=self.says({}, "stop.json"), StopFailure=self.says({}))
        self.assertTrue(self.go()["is_error"])
        self.assertFalse(os.path.exists(self.path("stop.json")))
        self.assertEqual(self.told()[0]["error"], "invalid_request")

    def test_a_message_for_the_user_is_shown(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(Stop=self.says({"systemMessage": "remember the milk"}))
        self.go()
        self.assertIn("Stop says: remember the milk",
                      [e["content"] for e in self.of("system", "informational")])
        self.assertIn(b"Stop says: remember the milk", self.print("go").stderr)


class Sessions(Hooks):
    def test_start_and_end(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(SessionStart=self.says(self.specific("SessionStart", additionalContext="the build is red",
                                                       sessionTitle="Mending")),
                  SessionEnd=self.says({}, "end.json"))
        result = self.go()
        [told] = self.told()
        self.assertEqual((told["source"], told["session_id"]), ("startup", result["session_id"]))
        self.assertIn("the build is red", self.sent())
        [told] = self.told("end.json")
        self.assertEqual((told["reason"], told["session_id"]), ("other", result["session_id"]))
        self.assertEqual([e["subtype"] for e in self.events if e.get("hook_event") == "SessionStart"],
                         ["hook_started", "hook_response"])

    def test_a_user_can_type_while_the_hooks_of_the_start_run(self):
        self.serve("reply forever\n  text Hello\n")
        go = self.path("go")
        self.hook(SessionStart=f"until [ -e {go} ]; do sleep 0.02; done; echo the build is red",
                  Stop=self.says({"systemMessage": "remember the milk"}))
        terminal = self.terminal("--plain", env=self.modelled())
        terminal.wait_for("\n>")
        terminal.type("hi\r")
        self.write("go", "")
        terminal.wait_for("Hello")
        terminal.wait_for("(Stop says: remember the milk)")
        self.assertIn("the build is red", self.sent())

    def test_a_resumed_session_says_so(self):
        self.serve("reply forever\n  text Hello\n")
        self.go()
        self.hook(SessionStart=self.says({}))
        self.go("--continue")
        self.assertEqual(self.told()[0]["source"], "resume")
        self.go("--continue", "--fork-session")
        self.assertEqual(self.told()[1]["source"], "fork")

    def test_a_resumed_session_says_what_sending_it_again_costs(self):
        self.serve("reply forever\n  usage input=300 cache_read=20000 cache_write=700 output=1\n  text Hello\n")
        self.hook(SessionStart=self.says({}))
        self.go("--model", "claude-opus-4-5")
        self.go("--continue", "--model", "claude-opus-4-5")
        [path] = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file: # the last response is from long ago
            file.write(re.sub(r'"timestamp":"[^"]*"', '"timestamp":"2020-01-01T00:00:00.000Z"', text))
        self.go("--continue", "--fork-session", "--model", "claude-opus-4-5")
        keys = ("context_tokens", "prompt_cache_likely_expired", "estimated_cache_write_usd")
        started, resumed, forked = self.told()
        self.assertEqual([key for key in (*keys, "seconds_since_last_response") if key in started], [])
        self.assertEqual([resumed[key] for key in keys], [21001, False, 21001 * 6.25 / 1e6])
        self.assertEqual([forked[key] for key in keys], [21001, True, 21001 * 6.25 / 1e6])
        self.assertIn(resumed["seconds_since_last_response"], range(1, 300))
        self.assertGreater(forked["seconds_since_last_response"], 86400)

    def test_a_first_message_comes_before_the_prompt(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(SessionStart=self.says(self.specific("SessionStart", initialUserMessage="read the plan")))
        self.go(prompt="then do it")
        sent = self.sent()
        self.assertLess(sent.index("read the plan"), sent.index("then do it"))

    def test_the_end_has_a_short_deadline(self):
        self.serve("reply forever\n  text Hello\n")
        marker = f"sleep 1{os.getpid()}"
        self.hook(SessionEnd=marker)
        self.go()
        self.assertEqual(self.status, 0)
        self.wait_until(lambda: not running(marker), "the hook still runs")

    def test_sigterm_ends_the_hooks_of_the_turn_and_runs_those_of_the_end(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(Stop=f"echo > {self.path('began')}; sleep 1{os.getpid()}", SessionEnd=self.says({}))
        process = self.start("-p", "go")
        self.wait_for_file("began")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), 143)
        self.assertEqual(self.told()[0]["reason"], "other")
        self.wait_until(lambda: not running(f"sleep 1{os.getpid()}"), "the hook still runs")

    def test_an_interrupt_ends_a_hook(self):
        self.serve(RUN)
        self.hook(PreToolUse=f"echo > {self.path('began')}; sleep 1{os.getpid()}")
        self.open()
        self.send(user("go"))
        self.wait_for_file("began")
        self.send(control("interrupt"))
        self.assertEqual(self.wait_for("result")["terminal_reason"], "aborted_tools")
        self.assertEqual(self.close()[0], 1)
        self.wait_until(lambda: not running(f"sleep 1{os.getpid()}"), "the hook still runs")

    def test_a_changed_conversation_ends_and_starts(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(SessionStart=("clear", self.says({})), SessionEnd=("clear", self.says({}, "end.json")))
        status, events = self.talk(user("one"), user("/clear"), user("two"))
        self.assertEqual(status, 0)
        [start], [end] = self.told(), self.told("end.json")
        self.assertEqual((start["source"], end["reason"]), ("clear", "clear"))
        self.assertNotEqual(start["session_id"], end["session_id"])

    def test_a_hook_that_edits_the_settings_counts_from_the_next_call(self):
        self.serve('reply\n  tool Bash {"command":"echo one > one.txt"}\n'
                   'reply forever\n  text Done\n')
        settings = os.path.join(self.home, ".claude/settings.json")
        self.hook(PreToolUse=("Bash", f"echo '{{}}' > {settings}"))
        self.open("--allowedTools", "Bash")
        self.send(user("go"))
        self.assertEqual(self.wait_for("result")["subtype"], "success")
        self.assertTrue(os.path.exists(self.path("one.txt")))
        self.assertEqual(self.close()[0], 0)


class Around(Hooks):
    """What changes around a session."""

    def wait_for_told(self, n=1, name="hook.json"):
        self.wait_until(lambda: os.path.exists(self.path(name)) and len(self.told(name)) >= n, "no hook")
        return self.told(name)

    def change(self, **hooks):
        """Changes the user's settings while a session runs, and waits until it has answered a prompt."""
        self.hook(**hooks)
        with open(os.path.join(self.home, ".claude/settings.json"), "r+", encoding="utf-8") as file:
            settings = json.load(file)
            settings["permissions"] = {"deny": ["Bash"]}
            file.seek(0)
            json.dump(settings, file)

    def test_a_change_of_settings_can_be_seen_and_refused(self):
        for answer, runs in (({}, False), ({"decision": "block", "reason": "not now"}, True)):
            with self.subTest(answer):
                self.serve("reply\n  text Hello\n" + RUN)
                hooks = {"ConfigChange": self.says(answer)}
                self.hook(**hooks)
                self.open("--allowedTools", "Bash")
                self.send(user("hi"))
                self.wait_for("result")
                self.change(**hooks)
                [told] = self.wait_for_told()
                self.assertEqual(told["source"], "user_settings")
                self.assertEqual(told["file_path"], os.path.join(self.home, ".claude/settings.json"))
                self.wait_for("system", "informational")
                self.send(user("go"))
                self.wait_for("result")
                self.assertEqual(self.close()[0], 0)
                self.assertEqual(self.has_run(), runs)
                os.remove(self.path("hook.json"))

    def test_instruction_files_are_reported(self):
        self.serve('reply\n  tool Read {"file_path":"sub/a.txt"}\nreply forever\n  text Done\n')
        self.write("CLAUDE.md", "Be kind. See @more.md\n")
        self.write("more.md", "More.\n")
        os.mkdir(self.path("sub"))
        self.write("sub/CLAUDE.md", "Be quick.\n")
        self.write("sub/a.txt", "A")
        note = self.path("hook.json")
        self.hook(InstructionsLoaded=f"flock {note}.lock sh -c 'cat >> {note}; echo >> {note}'")
        self.open()
        self.send(user("go"))
        self.wait_for("result")
        told = {os.path.relpath(t["file_path"], os.path.realpath(self.cwd)): t for t in self.wait_for_told(3)}
        self.assertEqual({name: t["load_reason"] for name, t in told.items()},
                         {"CLAUDE.md": "session_start", "more.md": "include", "sub/CLAUDE.md": "nested_traversal"})
        self.assertEqual(told["CLAUDE.md"]["memory_type"], "Project")
        self.assertTrue(told["more.md"]["parent_file_path"].endswith("/CLAUDE.md"))
        self.assertEqual(self.close()[0], 0)

    def test_another_directory_is_reported(self):
        self.serve('reply\n  tool Bash {"command":"mkdir d && cd d"}\nreply forever\n  text Done\n')
        self.hook(CwdChanged=self.says({}))
        self.open("--allowedTools", "Bash")
        self.send(user("go"))
        self.wait_for("result")
        [told] = self.wait_for_told()
        cwd = os.path.realpath(self.cwd)
        self.assertEqual((told["old_cwd"], told["new_cwd"]), (cwd, cwd + "/d"))
        self.assertEqual(self.close()[0], 0)

    def test_an_added_directory_is_reported(self):
        self.serve("reply forever\n  text Done\n")
        os.mkdir(self.path("sub"))
        self.hook(DirectoryAdded=("register_repo_root", self.says({})))
        self.open()
        self.send(control("register_repo_root", directory="sub"))
        self.wait_for("control_response")
        [told] = self.wait_for_told()
        self.assertEqual((told["directory"], told["source"]),
                         (os.path.realpath(self.path("sub")), "register_repo_root"))
        self.assertEqual(self.close()[0], 0)

    def replace(self, name, text):
        """Writes a file so that nobody sees it half written."""
        os.replace(self.write("new", text), self.path(name))

    def test_files_that_a_hook_names_are_watched(self):
        self.serve("reply forever\n  text Done\n")
        other = os.path.realpath(self.write("other.txt", "1"))
        self.hook(SessionStart=self.says(self.specific("SessionStart", watchPaths=[other]), "start.json"),
                  FileChanged=(".envrc|other.txt", self.says({})))
        self.open()
        self.send(user("go"))
        self.wait_for("result")
        for n, (do, name, event) in enumerate((
                (lambda: self.replace(".envrc", "x"), ".envrc", "add"),
                (lambda: self.replace(".envrc", "longer"), ".envrc", "change"),
                (lambda: os.remove(self.path(".envrc")), ".envrc", "unlink"),
                (lambda: self.replace("other.txt", "longer"), "other.txt", "change"))):
            do()
            told = self.wait_for_told(n + 1)[n]
            self.assertEqual((os.path.basename(told["file_path"]), told["event"]), (name, event))
        self.assertEqual(self.close()[0], 0)

    def test_hooks_leave_variables_for_commands(self):
        self.serve('reply\n  tool Bash {"command":"echo $GREETING $OWN > said.txt"}\nreply forever\n  text Done\n')
        own = self.write("own.sh", "export OWN=mine\n")
        self.hook(SessionStart="echo export GREETING=hello >> $CLAUDE_ENV_FILE")
        ran = self.print("go", "--allowedTools", "Bash,Edit", CLAUDE_ENV_FILE=own)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.read("said.txt"), "hello mine\n")
        self.assertEqual(self.read("own.sh"), "export OWN=mine\n")
        self.assertEqual(os.listdir(os.path.join(self.home, ".claude/session-env")), [])
