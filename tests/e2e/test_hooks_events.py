"""Hooks of the events around commands, tasks, models and the display; what a plan asks for in mode auto."""

import json
import os

from test_hooks import RUN, Hooks
from test_print_stream import control, user


class Expansion(Hooks):
    def command(self, name, text):
        path = self.path(f".claude/commands/{name}.md")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_hooks_are_told_of_a_file_that_is_new_or_was_changed(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(ConfigChange=("skills", self.says({})))
        self.open()
        for text in (None, "# New\n", "# Newer\n", None):
            if text:
                self.command("fresh", text)
            self.send(user("hi"))
            self.wait_for("result")
        self.wait_until(lambda: os.path.exists(self.path("hook.json")) and len(self.told()) >= 2, "told nothing")
        self.assertEqual(self.close()[0], 0)
        path = self.path(".claude/commands/fresh.md")
        self.assertEqual([(told["source"], told["file_path"]) for told in self.told()], [("skills", path)] * 2)

    def test_hooks_are_told_who_wrote_a_prompt(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit=self.says({}))
        self.go()
        self.assertEqual(self.told()[0]["source"], "sdk")

    def test_a_command_is_shown_to_hooks_before_it_becomes_a_prompt(self):
        self.serve("reply forever\n  text Hello\n")
        self.command("git/review", "Review $1 now.")
        self.hook(UserPromptExpansion=("git:review", self.says(self.specific(
            "UserPromptExpansion", additionalContext="mind the gap"))),
            UserPromptSubmit=self.says({}, "submit.json"))
        self.go(prompt="/git:review a.c deep")
        [told] = self.told()
        self.assertEqual(
            {key: told[key] for key in ("expansion_type", "command_name", "command_args", "command_source", "prompt")},
            {"expansion_type": "slash_command", "command_name": "git:review", "command_args": "a.c deep",
             "command_source": "project", "prompt": "/git:review a.c deep"})
        self.assertEqual([t["prompt"] for t in self.told("submit.json")], ["/git:review a.c deep"])
        self.assertIn("Review a.c now.", self.sent())
        self.assertIn("mind the gap", self.sent())
        self.go(prompt="/context")
        self.assertEqual(len(self.told()), 1)

    def test_a_blocked_command_reaches_no_model(self):
        for answer, shows in ((self.says({"decision": "block", "reason": "not today"}), True),
                              ("echo not today >&2; exit 2", True),
                              (self.says({"decision": "block", "reason": "not today", **self.specific(
                                  "UserPromptExpansion", suppressOriginalPrompt=True)}), False)):
            with self.subTest(answer):
                self.serve("reply forever\n  text Hello\n")
                self.command("review", "Review !`touch ran.txt`")
                self.hook(UserPromptExpansion=answer)
                result = self.go("--allowedTools", "Bash", "--trust-project", prompt="/review a.c")
                self.assertEqual((result["subtype"], result["is_error"], result["num_turns"]), ("success", False, 0))
                self.assertEqual((self.requests(), self.has_run()), ([], False))
                [notice] = [e for e in self.of("system", "informational") if e.get("prevent_continuation")]
                self.assertIn("A UserPromptExpansion hook blocked this prompt: not today", notice["content"])
                self.assertEqual("/review a.c" in notice["content"], shows)


class Tasks(Hooks):
    def test_hooks_see_tasks_that_are_added_and_completed(self):
        self.serve('reply\n  tool TaskCreate {"subject":"Plan","description":"Think first"}\n'
                   'reply\n  tool TaskUpdate {"taskId":"1","status":"in_progress"}\n'
                   'reply\n  tool TaskUpdate {"taskId":"1","status":"completed","description":"Done well"}\n'
                   'reply forever\n  text Done\n')
        self.hook(TaskCreated=self.says({}), TaskCompleted=self.says({}))
        self.go("--tools", "TaskCreate,TaskUpdate,TaskList")
        self.assertEqual(
            [(t["hook_event_name"], t["task_id"], t["task_subject"], t["task_description"]) for t in self.told()],
            [("TaskCreated", "1", "Plan", "Think first"), ("TaskCompleted", "1", "Plan", "Done well")])

    def test_a_hook_refuses_a_task(self):
        self.serve('reply\n  tool TaskCreate {"subject":"Plan","description":"Think first"}\n'
                   'reply\n  tool TaskList {}\nreply forever\n  text Done\n')
        self.hook(TaskCreated="echo no more >&2; exit 2")
        self.go("--tools", "TaskCreate,TaskUpdate,TaskList")
        refused, listed = self.results()
        self.assertIn("no more", refused)
        self.assertNotIn("Plan", listed)


class Models(Hooks):
    MODELS = ("--model", "claude-opus-4-5")

    def switch(self, name="claude-sonnet-4-5"):
        self.open(*self.MODELS)
        self.send(user("one"))
        self.wait_for("result")
        self.send(control("set_model", model=name))
        reply = self.wait_for("control_response")["response"]
        self.send(user("two"))
        self.wait_for("result")
        self.assertEqual(self.close()[0], 0)
        return reply

    def test_hooks_see_a_switch_of_the_host_and_add_to_the_next_request(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(PreModelSwitch=("claude-sonnet.*", self.says({})),
                  PostModelSwitch=("claude-sonnet.*", self.says(self.specific(
                      "PostModelSwitch", additionalContext="be brief"), "post.json")))
        self.assertEqual(self.switch()["subtype"], "success")
        for name in ("hook.json", "post.json"):
            [told] = self.told(name)
            self.assertEqual(
                [told[key] for key in ("from_model", "to_model", "requested_model", "source", "prompt_cache_warm",
                                       "cache_ttl", "pricing")],
                ["claude-opus-4-5", "claude-sonnet-4-5", "claude-sonnet-4-5", "sdk", True, "5m", "catalog"])
            self.assertGreater(told["context_tokens"], 0)
            self.assertGreater(told["estimated_cache_write_usd"], 0)
        self.assertEqual([r["model"] for r in self.requests()], ["claude-opus-4-5", "claude-sonnet-4-5"])
        self.assertIn("be brief", self.sent())

    def test_a_hook_refuses_a_switch_of_the_host(self):
        for answer in (self.specific("PreModelSwitch", permissionDecision="deny", permissionDecisionReason="too dear"),
                       self.specific("PreModelSwitch", permissionDecision="ask", permissionDecisionReason="too dear"),
                       {"decision": "block", "reason": "too dear"}):
            with self.subTest(answer):
                self.serve("reply forever\n  text Hello\n")
                self.hook(PreModelSwitch=self.says(answer), PostModelSwitch="touch switched")
                reply = self.switch()
                self.assertEqual(reply["subtype"], "error")
                self.assertIn("too dear", reply["error"])
                self.assertEqual({r["model"] for r in self.requests()}, {"claude-opus-4-5"})
                self.assertFalse(os.path.exists(self.path("switched")))

    def test_the_same_model_is_no_switch(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(PreModelSwitch="exit 2", PostModelSwitch="touch switched")
        self.assertEqual(self.switch("claude-opus-4-5")["subtype"], "success")
        self.assertFalse(os.path.exists(self.path("switched")))

    def test_hooks_see_the_command_and_refuse_it(self):
        for refuses in (False, True):
            with self.subTest(refuses):
                self.serve("reply forever\n  text Hello\n")
                self.hook(PreModelSwitch=self.says({"decision": "block", "reason": "too dear"} if refuses else {}))
                self.open(*self.MODELS)
                self.send(user("/model claude-sonnet-4-5"))
                result = self.wait_for("result")
                self.send(user("two"))
                self.wait_for("result")
                self.assertEqual(self.close()[0], 0)
                self.assertEqual((result["local_command"], result["is_error"]), ("model", refuses))
                self.assertEqual("too dear" in json.dumps(result), refuses)
                self.assertEqual(self.told()[-1]["source"], "command")
                self.assertEqual(self.requests()[-1]["model"],
                                 "claude-opus-4-5" if refuses else "claude-sonnet-4-5")


class Questions(Hooks):
    """PermissionRequest hooks answer before the host is asked."""

    def ask(self, *args):
        self.open("--permission-prompt-tool", "stdio", *args)
        self.send(user("go"))
        return self.wait_for("control_request")

    def answer(self, question, **answer):
        self.send({"type": "control_response", "response": {
            "subtype": "success", "request_id": question["request_id"], "response": answer}})

    def test_the_host_is_not_asked_when_a_hook_answers(self):
        for behavior in ("allow", "deny"):
            with self.subTest(behavior):
                self.serve(RUN)
                self.hook(PermissionRequest=self.says(
                    self.specific("PermissionRequest", decision={"behavior": behavior})))
                self.open("--permission-prompt-tool", "stdio")
                self.send(user("go"))
                self.wait_for("result")
                self.assertEqual(self.close()[0], 0)
                self.assertEqual(self.has_run(), behavior == "allow")
                if self.has_run():
                    os.remove(self.path("ran.txt"))

    def test_a_hook_without_an_opinion_leaves_it_to_the_user(self):
        self.serve(RUN)
        self.hook(PermissionRequest=f"echo > {self.path('ended')}")
        question = self.ask()
        self.wait_for_file("ended")
        self.answer(question, behavior="deny", message="rather not")
        self.wait_for("result")
        self.assertEqual(self.close()[0], 0)
        self.assertFalse(self.has_run())
        self.assertIn("rather not", self.sent())


class Interrupts(Hooks):
    def test_an_interrupted_tool_is_a_failure_that_hooks_can_tell_apart(self):
        self.serve(f'reply\n  tool Bash {{"command":"echo > began; sleep 1{os.getpid()}"}}\n'
                   'reply forever\n  text Done\n')
        self.hook(PostToolUseFailure=self.says(self.specific("PostToolUseFailure", additionalContext="half done")))
        self.open("--allowedTools", "Bash")
        self.send(user("go"))
        self.wait_for_file("began")
        self.send(control("interrupt"))
        self.assertEqual(self.wait_for("result")["terminal_reason"], "aborted_tools")
        self.wait_for_file("hook.json")
        self.wait_until(lambda: self.told(), "the hook is not told")
        self.send(user("and now?"))
        self.wait_for("result")
        self.close()
        [told] = self.told()
        self.assertEqual((told["tool_name"], told["is_interrupt"]), ("Bash", True))
        self.assertIn("interrupted", told["error"])


class Deferred(Hooks):
    def test_a_deferred_call_runs_after_a_resume(self):
        self.serve(RUN)
        self.hook(PreToolUse=f"if [ -e {self.path('yes')} ]; then "
                  + self.says(self.specific("PreToolUse", permissionDecision="allow"))
                  + "; else " + self.says(self.specific("PreToolUse", permissionDecision="defer")) + "; fi")
        first = self.go()
        self.assertEqual(first["terminal_reason"], "tool_deferred")
        again = self.go("--resume", first["session_id"], prompt="ready?")
        self.assertEqual((again["terminal_reason"], again["deferred_tool_use"]),
                         ("tool_deferred", first["deferred_tool_use"]))
        self.assertEqual(len(self.requests()), 1)
        self.write("yes", "")
        last = self.go("--resume", first["session_id"], prompt="go on")
        self.assertEqual((last["terminal_reason"], last["result"], self.has_run()), ("completed", "Done", True))
        [block] = [b for e in self.of("user") for b in e["message"]["content"] if b["type"] == "tool_result"]
        self.assertEqual(block["tool_use_id"], first["deferred_tool_use"]["id"])
        self.assertIn("The call that was deferred is over (", self.sent())
        self.assertIn("go on", self.sent())
        self.assertEqual(len({t["tool_use_id"] for t in self.told()}), 1)
        self.go("--resume", first["session_id"], prompt="thanks")
        self.assertEqual(len(self.told()), 3)

    def test_at_a_terminal_there_is_nothing_to_defer_to(self):
        self.serve(RUN)
        self.hook(PreToolUse=self.says(self.specific("PreToolUse", permissionDecision="defer")))
        terminal = self.terminal("--plain", "--allowedTools", "Bash", env=self.modelled())
        terminal.type("go\r")
        terminal.wait_for("has no effect at a terminal")
        terminal.wait_for("Done")
        self.assertTrue(self.has_run())


class Messages(Hooks):
    def test_hooks_see_the_texts_of_the_model(self):
        self.serve('reply\n  text "Let me see.\\nNow."\n  tool Bash {"command":"echo ran > ran.txt"}\n'
                   'reply forever\n  text Done\n')
        self.hook(MessageDisplay=self.says({}))
        self.go("--allowedTools", "Bash")
        told = sorted(self.told(), key=lambda t: t["delta"])
        self.assertEqual([(t["delta"], t["index"], t["final"]) for t in told],
                         [("Done", 0, True), ("Let me see.\nNow.", 0, True)])
        shown = {e["uuid"] for e in self.of("assistant")}
        self.assertTrue(all(t["message_id"] in shown and t["turn_id"] for t in told))
        self.go(prompt="/context")
        self.assertEqual(len(self.told()), 2)


    TELLS = 'reply forever\n  text "The key is k-123."\n'

    def test_a_person_reads_what_the_hooks_make_of_a_text(self):
        self.serve(self.TELLS)
        self.hook(MessageDisplay=self.says(self.specific("MessageDisplay", displayContent="The key is ***.")))
        terminal = self.terminal("--plain", env=self.modelled())
        terminal.type("go\r")
        terminal.wait_for("The key is ***.")
        terminal.wait_for("tokens in")
        terminal.type("again\r")
        terminal.wait_for("tokens in", after="again")
        self.assertNotIn("k-123", terminal.text())
        self.assertIn("The key is k-123.", self.sent())
        terminal.type("/exit\r")
        terminal.wait_end()

    def test_a_text_is_shown_when_its_hooks_fail_or_change_nothing(self):
        self.serve(self.TELLS)
        for command in (self.says({}), "exit 3", "echo '{'"):
            self.hook(MessageDisplay=command)
            terminal = self.terminal("--plain", env=self.modelled())
            terminal.type("go\r")
            terminal.wait_for("The key is k-123.")
            terminal.wait_for("tokens in")
            terminal.type("/exit\r")
            terminal.wait_end()


class Slow(Hooks):
    def test_a_person_sees_which_hook_took_long(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit="sleep 0.6")
        terminal = self.terminal("--plain", env=self.modelled())
        terminal.type("go\r")
        terminal.wait_for("The hook UserPromptSubmit took ")
        terminal.wait_for("Hello")
        terminal.type("/exit\r")
        terminal.wait_end()
        self.go()
        self.assertNotIn("The hook UserPromptSubmit took", json.dumps(self.events))


class Terminals(Hooks):
    def test_a_hook_sets_the_title_of_the_terminal_and_no_more(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit=self.says({"terminalSequence": "\x1b]2;From a hook\x07\x1b[2J"}))
        self.go()
        self.assertNotIn("From a hook", json.dumps(self.events))
        terminal = self.terminal("--plain", env=self.modelled())
        terminal.type("go\r")
        terminal.wait_for("Hello")
        self.assertEqual(terminal.screen.title, "From a hook")


class Commands(Hooks):
    def test_bare_skips_the_hooks_of_files_but_not_those_that_were_given(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(UserPromptSubmit="touch found")
        given = json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "touch given"}]}]}})
        self.go("--bare", "--settings", given)
        self.assertEqual((os.path.exists(self.path("found")), os.path.exists(self.path("given"))), (False, True))

    def test_the_shell_prefix_stands_before_commands(self):
        self.serve("reply forever\n  text Hello\n")
        self.write("prefix", '#!/bin/sh\necho "$@" > prefixed\nexec sh -c "$1"\n')
        os.chmod(self.path("prefix"), 0o755)
        self.hook(("UserPromptSubmit", {"type": "command", "command": "touch", "args": ["plain"]}),
                  UserPromptSubmit="touch found; echo so be it")
        self.go(CLAUDE_CODE_SHELL_PREFIX=self.path("prefix"))
        with open(self.path("prefixed"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "touch found; echo so be it\n")
        self.assertIn("so be it", self.sent())
        self.assertTrue(os.path.exists(self.path("plain")))

    def test_a_prefix_that_cannot_be_used_fails_the_hook(self):
        self.serve(RUN)
        self.hook(PreToolUse="touch found")
        self.go("--allowedTools", "Bash", CLAUDE_CODE_SHELL_PREFIX="./prefix")
        self.assertFalse(self.has_run() or os.path.exists(self.path("found")))
        self.assertIn("CLAUDE_CODE_SHELL_PREFIX", self.results()[0])

    def test_a_hook_that_wakes_the_model_has_words_of_its_own(self):
        self.serve("reply forever\n  text Hello\n")
        self.hook(("Stop", {"type": "command", "command": f"[ -e {self.path('woken')} ] && exit 0; "
                            f"touch {self.path('woken')}; echo 2 tests fail >&2; exit 2", "asyncRewake": True,
                            "rewakeMessage": "A check in the background reports:", "rewakeSummary": "The check failed"}))
        self.open()
        self.send(user("go"))
        events = []
        self.wait_for("result", keep=events)
        self.wait_for("result", keep=events)
        self.assertEqual(self.close()[0], 0)
        self.assertIn("A check in the background reports:\\n2 tests fail", self.sent())
        self.assertTrue(any("The check failed" in e.get("content", "") for e in events if e["type"] == "system"))


class Plans(Hooks):
    def test_in_mode_auto_the_model_that_decides_knows_what_was_accepted_with_the_plan(self):
        plan = {"plan": "1. Test it.", "allowedPrompts": [{"tool": "Bash", "prompt": "run the tests"}]}
        self.serve(f"reply\n  tool ExitPlanMode {json.dumps(plan)}\nreply\n  tool Bash "
                   '{"command":"sh run.sh"}\nreply\n  text ALLOW\nreply forever\n  text Done\n')
        self.write("run.sh", "echo ran > ran.txt\n")
        self.open("--permission-prompt-tool", "stdio", "--permission-mode", "plan")
        self.send(user("test it"))
        question = self.wait_for("control_request")
        rules = [s for s in question["request"]["permission_suggestions"] if s["type"] == "addRules"]
        self.send({"type": "control_response", "response": {
            "subtype": "success", "request_id": question["request_id"], "response": {
                "behavior": "allow", "updatedInput": question["request"]["input"], "updatedPermissions": [
                    {"type": "setMode", "mode": "auto", "destination": "session"}, *rules]}}})
        self.wait_for("result")
        self.assertEqual(self.close()[0], 0)
        self.assertTrue(self.has_run())
        asked = json.dumps([r["messages"] for r in self.requests() if "watch over" in json.dumps(r["system"])])
        self.assertIn('accepted_with_the_plan', asked)
        self.assertIn('run the tests', asked)
