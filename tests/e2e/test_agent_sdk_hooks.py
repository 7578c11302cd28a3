"""Hooks that are functions of a host, through the real Agent SDK (script/bootstrap fetches it)."""

import json
import os
import subprocess

from rig import AWL
from test_agent_sdk import DONE, HERE, SDK, Hosted as Base, one_by_one

RUN = one_by_one(("Bash", {"command": "echo ran > ran.txt"}))


def specific(event, **more):
    return {"hookSpecificOutput": {"hookEventName": event, **more}}


class Hosted(Base):
    def hooked(self, script=RUN, interrupt_at=None, settings=None, **hooks):
        """Runs a prompt with these hooks: event=answer, event=[answers] or event={group}."""
        self.serve(script)
        groups = {}
        for event, value in hooks.items():
            group = value if isinstance(value, dict) and "answers" in value else {
                "answers": value if isinstance(value, list) else [value]}
            groups[event] = [group]
        scenario = {"prompt": "go", "hooks": groups, "interruptAt": interrupt_at, "options": {
            "cwd": self.cwd, "env": self.environment(**self.modelled()),
            "pathToClaudeCodeExecutable": AWL, **(settings or {})}}
        ran = subprocess.run(["node", os.path.join(HERE, "agent_sdk_hooks.mjs"), SDK],
                             input=json.dumps(scenario), capture_output=True, text=True,
                             timeout=120, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        seen = json.loads(ran.stdout)
        self.hooks, self.messages, self.error = seen["hooks"], seen["messages"], seen["error"]

    def of(self, kind, subtype=None):
        return [m for m in self.messages if m["type"] == kind and subtype in (None, m.get("subtype"))]

    def results(self):
        return [block["content"] for m in self.of("user") for block in m["message"]["content"]
                if block["type"] == "tool_result"]

    def has_run(self):
        return os.path.exists(self.path("ran.txt"))

    def events(self):
        return [h["event"] for h in self.hooks]


class Callbacks(Hosted):
    def test_a_callback_is_told_about_the_call_and_denies_it(self):
        self.hooked(PreToolUse={"matcher": "Bash", "answers": [specific(
            "PreToolUse", permissionDecision="deny", permissionDecisionReason="hook says no")]})
        self.assertFalse(self.has_run())
        self.assertEqual(self.results(), ["hook says no"])
        self.assertEqual(len(self.of("result")[-1]["permission_denials"]), 1)
        [hook] = self.hooks
        self.assertEqual(hook["input"]["tool_input"], {"command": "echo ran > ran.txt"})
        self.assertEqual(hook["toolUseID"], hook["input"]["tool_use_id"])
        self.assertEqual(hook["input"]["session_id"], self.of("result")[-1]["session_id"])

    def test_a_matcher_selects(self):
        self.hooked(PreToolUse={"matcher": "Write|Edit", "answers": [{}]}, settings={"allowedTools": ["Bash"]})
        self.assertEqual(self.hooks, [])
        self.assertTrue(self.has_run())

    def test_a_callback_allows_and_changes_the_input(self):
        self.hooked(PreToolUse=specific("PreToolUse", permissionDecision="allow",
                                        updatedInput={"command": "echo other > ran.txt"}))
        self.assertEqual(self.read("ran.txt"), "other\n")

    def test_defer_ends_the_turn(self):
        self.hooked(PreToolUse=specific("PreToolUse", permissionDecision="defer"))
        self.assertEqual(self.of("result")[-1]["deferred_tool_use"]["name"], "Bash")

    def test_the_other_events_of_a_turn(self):
        self.hooked(UserPromptSubmit=specific("UserPromptSubmit", additionalContext="be brief"),
                    PostToolUse=specific("PostToolUse", additionalContext="well done"),
                    PostToolBatch={}, Stop=[{"decision": "block", "reason": "and the tests?"}, {}],
                    settings={"allowedTools": ["Bash"]})
        self.assertEqual(self.events(), ["UserPromptSubmit", "PostToolUse", "PostToolBatch", "Stop", "Stop"])
        sent = json.dumps(self.requests()[-1]["messages"])
        for text in ("be brief", "well done", "Stop hook feedback:", "and the tests?"):
            self.assertIn(text, sent)
        self.assertEqual([h["input"]["stop_hook_active"] for h in self.hooks[-2:]], [False, True])
        self.assertTrue(all(h["toolUseID"] for h in self.hooks))

    def test_a_callback_answers_a_question_first(self):
        self.hooked(PermissionRequest=specific("PermissionRequest", decision={"behavior": "allow"}))
        self.assertTrue(self.has_run())

    def test_a_failed_call_has_an_event_of_its_own(self):
        self.hooked(one_by_one(("Bash", {"command": "exit 3"})), PostToolUse={}, PostToolUseFailure={},
                    settings={"allowedTools": ["Bash"]})
        self.assertEqual(self.events(), ["PostToolUseFailure"])

    def test_a_blocked_prompt(self):
        self.hooked(UserPromptSubmit={"decision": "block", "reason": "not today"})
        result = self.of("result")[-1]
        self.assertEqual((result["subtype"], result["num_turns"], self.requests()), ("success", 0, []))
        [notice] = [m for m in self.of("system", "informational") if m.get("prevent_continuation")]
        self.assertIn("not today", notice["content"])
        self.assertIsNone(self.error)

    def test_continue_false_and_messages(self):
        self.hooked(PostToolUse={"continue": False, "stopReason": "halt", "systemMessage": "look"},
                    settings={"allowedTools": ["Bash"]})
        self.assertEqual(self.of("result")[-1]["terminal_reason"], "hook_stopped")
        self.assertIn("PostToolUse:Bash says: look", [m["content"] for m in self.of("system", "informational")])


class Failures(Hosted):
    def test_a_callback_that_throws_is_reported_and_ignored(self):
        self.hooked(PreToolUse={"fails": "broken"}, settings={"allowedTools": ["Bash"]})
        self.assertTrue(self.has_run())
        [notice] = [m for m in self.of("system", "informational") if m.get("tag") == "hook_callback_failed"]
        self.assertEqual(notice["level"], "warning")
        self.assertIn("broken", notice["content"])

    def test_a_callback_that_throws_blocks_if_it_says_so(self):
        self.hooked(PreToolUse={"answers": [{"fails": "broken"}], "onFailure": "block"},
                    settings={"allowedTools": ["Bash"]})
        self.assertIsNone(self.error)
        self.assertFalse(self.has_run())

    def test_a_callback_that_takes_too_long_is_withdrawn_and_blocks(self):
        self.hooked(PreToolUse={"answers": [{"waits": True}], "timeout": 1}, settings={"allowedTools": ["Bash"]})
        self.assertTrue(self.hooks[0]["aborted"])
        self.assertFalse(self.has_run())

    def test_an_async_answer_does_not_wait(self):
        self.hooked(PreToolUse={"async": True}, settings={"allowedTools": ["Bash"]})
        self.assertTrue(self.has_run())

    def test_an_interrupt_withdraws_a_callback(self):
        self.hooked(PreToolUse={"answers": [{"waits": True}]}, interrupt_at="PreToolUse",
                    settings={"allowedTools": ["Bash"]})
        self.assertTrue(self.hooks[0]["aborted"])
        self.assertEqual(self.of("result")[-1]["terminal_reason"], "aborted_tools")
        self.assertFalse(self.has_run())


class Start(Hosted):
    def test_the_host_learns_that_failures_can_block(self):
        self.hooked(DONE, Stop={"answers": [{}], "onFailure": "block"})
        self.assertIsNone(self.error)
        self.assertEqual(self.events(), ["Stop"])

    def test_command_hooks_are_reported_with_include_hook_events(self):
        self.put(os.path.join(self.home, ".claude/settings.json"), {"hooks": {"Stop": [{"hooks": [
            {"type": "command", "command": "echo out; echo err >&2"}]}]}})
        self.hooked(DONE, Stop={}, settings={"includeHookEvents": True})
        started, response = self.of("system", "hook_started"), self.of("system", "hook_response")
        self.assertEqual([m["hook_name"] for m in started], ["Stop"])
        self.assertEqual([(m["hook_event"], m["stdout"].strip(), m["stderr"].strip(), m["exit_code"], m["outcome"])
                          for m in response], [("Stop", "out", "err", 0, "success")])
        self.assertEqual(started[0]["hook_id"], response[0]["hook_id"])


del Base
