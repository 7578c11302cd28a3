"""Permissions and settings through the real Agent SDK (script/bootstrap fetches it)."""

import glob
import json
import os
import subprocess
import unittest

from rig import AWL, Modelled

HERE = os.path.dirname(os.path.abspath(__file__))
SDK = os.environ.get("AWL_AGENT_SDK", os.path.join(HERE, "../../.deps/agent-sdk"))

DONE = "reply forever\n  text Done\n"
YES = {"behavior": "allow"}
NO = {"behavior": "deny", "message": "No way."}
TOUCH = [("Bash", {"command": "touch a"}), ("Bash", {"command": "touch b"})]


def one_by_one(*calls):
    return "".join(f"reply\n  tool {tool} {json.dumps(given)}\n" for tool, given in calls) + DONE


def at_once(*calls):
    return ("reply\n" + "".join(f"  tool {tool} {json.dumps(given)}\n" for tool, given in calls)
            + DONE)


def call(name, *args):
    return {"call": name, "args": list(args)}


class Seen:
    """What the host has seen."""

    def __init__(self, seen):
        self.asks, self.calls = seen["asks"], seen["calls"]
        self.messages, self.stderr, self.error = seen["messages"], seen["stderr"], seen["error"]

    def of(self, kind, subtype=None):
        return [m for m in self.messages
                if m["type"] == kind and subtype in (None, m.get("subtype"))]

    def result(self):
        return self.of("result")[-1]

    def denied(self):
        return [denial["tool_input"] for denial in self.result()["permission_denials"]]

    def told(self):
        """What the model was told of its calls."""
        return [block["content"] for m in self.of("user") for block in m["message"]["content"]
                if block["type"] == "tool_result"]

    def asked(self):
        return [ask["input"].get("command") or ask["input"].get("file_path") for ask in self.asks]


@unittest.skipUnless(os.path.exists(os.path.join(SDK, "sdk.mjs")), "the Agent SDK is not there")
class Hosted(Modelled):
    def host(self, script=None, answers=None, steps=None, env=None, **options):
        self.serve(script or one_by_one(*TOUCH))
        scenario = {"prompt": "go", "options": {
            "cwd": self.cwd, "env": self.environment(**self.modelled(**(env or {}))),
            "pathToClaudeCodeExecutable": AWL, **options}}
        if answers:
            scenario["answers"] = answers
        if steps:
            scenario["steps"] = steps
        ran = subprocess.run(["node", os.path.join(HERE, "agent_sdk.mjs"), SDK],
                             input=json.dumps(scenario), capture_output=True, text=True,
                             timeout=120, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return Seen(json.loads(ran.stdout))

    def put(self, path, value):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)

    def files(self):
        return sorted(name for name in os.listdir(self.cwd) if not name.startswith("."))


class Questions(Hosted):
    def test_a_question_says_all_that_is_needed_to_answer_it(self):
        ask, = self.host(one_by_one(TOUCH[0]), [YES]).asks
        self.assertEqual((ask["name"], ask["input"]), TOUCH[0])
        self.assertEqual(ask["toolUseID"], "toolu_script_0001_1")
        self.assertEqual(ask["decisionReasonType"], "mode")
        self.assertEqual(ask["suggestions"], [{
            "type": "addRules", "behavior": "allow", "destination": "localSettings",
            "rules": [{"toolName": "Bash", "ruleContent": "touch a"}]}])

    def test_a_path_outside_is_named(self):
        outside = os.path.join(self.root, "f")
        ask, = self.host(one_by_one(("Read", {"file_path": outside})), [NO]).asks
        self.assertEqual((ask["blockedPath"], ask["decisionReasonType"]), (outside, "workingDir"))

    def test_yes_runs_it_and_another_input_runs_in_its_place(self):
        seen = self.host(answers=[YES, {**YES, "updatedInput": {"command": "touch c"}}])
        self.assertEqual((self.files(), seen.denied()), (["a", "c"], []))

    def test_no_is_told_word_for_word(self):
        seen = self.host(answers=[NO, YES])
        self.assertEqual(seen.told()[0], "No way.")
        self.assertEqual((self.files(), seen.denied()), (["b"], [{"command": "touch a"}]))
        self.assertEqual(seen.result()["subtype"], "success")

    def test_no_and_stop_stops_all_of_it(self):
        calls = [*TOUCH, ("Write", {"file_path": "c", "content": "x"})]
        seen = self.host(at_once(*calls), [{**NO, "interrupt": True}, YES])
        self.assertEqual((seen.asked(), self.files()), (["touch a"], []))
        self.assertEqual(seen.result()["terminal_reason"], "aborted_tools")
        self.assertEqual(seen.denied(), [{"command": "touch a"}])
        self.assertEqual(len(self.requests()), 1)

    def test_a_host_that_fails_is_no_yes(self):
        seen = self.host(answers=[{"fails": "boom"}])
        self.assertEqual(self.files(), [])
        self.assertIn("the permission handler failed", seen.told()[0])
        self.assertIn("boom", seen.told()[0])

    def test_what_is_no_answer_is_no_and_the_session_goes_on(self):
        for nonsense, words in [(7, "behavior"), ("yes", "behavior"), ([], "behavior"), ({}, "behavior"),
                                ({"behavior": "maybe"}, "must be allow or deny, not maybe"),
                                ({"behavior": True}, "must be a string"),
                                ({**YES, "updatedInput": "touch c"}, '"updatedInput" must be an object')]:
            with self.subTest(nonsense=nonsense):
                log = os.path.join(self.root, "log")
                seen = self.host(answers=[{"nonsense": nonsense}, YES], debugFile=log)
                self.assertEqual((self.files(), seen.denied()), (["b"], [{"command": "touch a"}]))
                self.assertIn("the permission handler failed", seen.told()[0])
                self.assertIn(words, seen.told()[0])
                self.assertEqual((seen.result()["subtype"], seen.error), ("success", None))
                with open(log, encoding="utf-8") as file:
                    self.assertIn(words, file.read())
                os.remove(log)
                os.remove(self.path("b"))

    def test_a_change_that_is_none_is_told_and_the_yes_counts(self):
        seen = self.host(one_by_one(TOUCH[0]), [{**YES, "updatedPermissions": "all"}])
        self.assertEqual(self.files(), ["a"])
        self.assertIn("not a list", seen.of("system", "informational")[0]["content"])

    def test_who_answers_nothing_at_all_can_still_interrupt(self):
        # With null the SDK sends no answer: it is for hosts that have sent their own.
        seen = self.host(one_by_one(TOUCH[0]), [{"nonsense": None}], steps=[
            {"say": "go"}, {"wait": "ask"}, call("interrupt"), {"wait": "result"},
            {"say": "more"}, {"wait": "result"}])
        self.assertEqual([r["subtype"] for r in seen.of("result")],
                         ["error_during_execution", "success"])
        self.assertEqual(self.files(), [])

    def test_an_input_that_the_tool_cannot_take_is_not_run(self):
        seen = self.host(answers=[{**YES, "updatedInput": {"command": 7}}])
        self.assertEqual(self.files(), [])
        self.assertIn("must be a string", seen.told()[0])

    def test_calls_of_one_answer_are_each_asked_about(self):
        seen = self.host(at_once(*TOUCH), [NO, YES])
        self.assertEqual((seen.asked(), self.files()), (["touch a", "touch b"], ["b"]))

    def test_an_interrupt_withdraws_the_question(self):
        seen = self.host(one_by_one(TOUCH[0]), [{**YES, "waits": True}], steps=[
            {"say": "go"}, {"wait": "ask"}, call("interrupt"), {"wait": "result"},
            {"say": "more"}, {"wait": "result"}])
        self.assertTrue(seen.asks[0]["aborted"])
        self.assertEqual([r["subtype"] for r in seen.of("result")][0], "error_during_execution")
        self.assertEqual((self.files(), seen.of("result")[0]["permission_denials"]), ([], []))
        cancelled = [m for m in seen.of("user") if "interrupted" in json.dumps(m)][0]
        self.assertNotIn("tool_result_meta", cancelled)

    def test_a_host_that_goes_away_leaves_nothing_running(self):
        self.host(answers=[{**YES, "waits": True}], steps=[
            {"say": "go"}, {"wait": "ask"}, call("close")])
        self.assertEqual(self.files(), [])

    def test_without_anybody_to_ask_it_is_denied_and_told(self):
        seen = self.host(one_by_one(TOUCH[0]))
        told, = seen.of("system", "permission_denied")
        self.assertEqual(told["tool_use_id"], "toolu_script_0001_1")
        self.assertEqual(told["message"], seen.told()[0])
        self.assertEqual(told["decision_reason"], "No rule allows touch a.")
        self.assertEqual(seen.denied(), [{"command": "touch a"}])


class Lasting(Hosted):
    """What is said beside yes."""

    def rules(self, destination):
        return [{"type": "addRules", "behavior": "allow", "destination": destination,
                 "rules": [{"toolName": "Bash", "ruleContent": "touch:*"}]}]

    def test_a_rule_holds_from_now_on_and_is_written_where_it_belongs(self):
        for destination, path in [("session", None), ("cliArg", None),
                                  ("localSettings", self.path(".claude/settings.local.json")),
                                  ("projectSettings", self.path(".claude/settings.json")),
                                  ("userSettings", os.path.join(self.home, ".claude/settings.json"))]:
            with self.subTest(destination=destination):
                seen = self.host(answers=[{**YES, "updatedPermissions": self.rules(destination)}, NO])
                self.assertEqual(seen.asked(), ["touch a"])
                written = [name for name in (".claude/settings.json", ".claude/settings.local.json",
                                             "../home/.claude/settings.json")
                           if os.path.exists(self.path(name))]
                self.assertEqual([os.path.normpath(self.path(name)) for name in written],
                                 [path] if path else [])
                if path:
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual(json.load(file),
                                         {"permissions": {"allow": ["Bash(touch:*)"]}})
                    os.remove(path)

    def test_what_was_suggested_can_be_sent_back(self):
        again = one_by_one(TOUCH[0], TOUCH[0])
        self.assertEqual(self.host(again, [{**YES, "suggested": True}, NO]).asked(), ["touch a"])
        self.assertEqual(self.host(again, [NO]).asked(), [])
        self.assertEqual(self.host(answers=[NO]).asked(), ["touch b"])

    def test_a_destination_that_is_none_is_told(self):
        seen = self.host(answers=[{**YES, "updatedPermissions": self.rules("moon")}, NO])
        self.assertEqual(seen.asked(), ["touch a", "touch b"])
        self.assertIn("moon", seen.of("system", "informational")[0]["content"])


class Modes(Hosted):
    CALLS = [("Write", {"file_path": "w", "content": "x"}), ("Bash", {"command": "make x"})]

    def test_each_asks_what_it_should(self):
        for mode, asked, files in [("default", [self.path("w"), "make x"], ["w"]), ("acceptEdits", ["make x"], ["w"]),
                                   ("plan", [self.path("w"), "make x"], ["w"]), ("dontAsk", [], []),
                                   ("bypassPermissions", [], ["w"])]:
            with self.subTest(mode=mode):
                seen = self.host(one_by_one(*self.CALLS), [YES], permissionMode=mode,
                                 env={"IS_SANDBOX": "1"})
                self.assertEqual((seen.asked(), self.files()), (asked, files))
                self.assertEqual(seen.of("system", "init")[0]["permissionMode"], mode)
                if files:
                    os.remove(self.path("w"))

    def test_it_changes_while_a_session_runs(self):
        seen = self.host(DONE, steps=[{"say": "hi"}, {"wait": "result"}] + [
            call("setPermissionMode", mode)
            for mode in ("acceptEdits", "plan", "dontAsk", "auto", "default", "bypassPermissions", "x")
        ] + [{"say": "more"}, {"wait": "result"}])
        self.assertEqual([m["permissionMode"] for m in seen.of("system", "status")],
                         ["acceptEdits", "plan", "dontAsk", "auto", "default"])
        self.assertEqual([c.get("code") for c in seen.calls[-2:]],
                         ["bypass_not_launched", "invalid_mode"])

    def test_lists_of_tools_are_rules(self):
        seen = self.host(answers=[YES], allowedTools=["Bash(touch a)"],
                         disallowedTools=["Bash(touch b)", "Write"])
        self.assertEqual((seen.asked(), self.files()), ([], ["a"]))
        self.assertEqual(seen.denied(), [{"command": "touch b"}])
        self.assertNotIn("Write", seen.of("system", "init")[0]["tools"])

    def test_directories_beside_the_first_are_worked_in(self):
        other = os.path.join(self.root, "other")
        self.put(os.path.join(other, "f"), "x")
        seen = self.host(one_by_one(("Read", {"file_path": other + "/f"})), [NO],
                         additionalDirectories=[other])
        self.assertEqual(seen.asks, [])
        self.assertEqual(seen.of("system", "init")[0]["additional_directories"], [other])

    def test_nobody_is_asked_when_the_host_says_so(self):
        seen = self.host(permissionPrompts="none")
        self.assertEqual((len(seen.denied()), seen.error), (2, None))


class Plans(Hosted):
    """Mode plan, for a host that can be asked and for one that cannot."""

    PLAN = ("ExitPlanMode", {"plan": "1. Write w."})
    WRITE = ("Write", {"file_path": "w", "content": "x"})

    def plan(self, script, answers=None, **more):
        return self.host(script, answers, permissionMode="plan", **more)

    def modes(self, seen):
        return [m["permissionMode"] for m in seen.of("system", "status")]

    def test_what_changes_something_is_asked_about_and_no_rule_allows_a_write(self):
        calls = [("Read", {"file_path": "r"}), ("Bash", {"command": "ls"}), self.WRITE,
                 ("Bash", {"command": "make x"}), ("Bash", {"command": "touch a"})]
        self.write("r", "x")
        seen = self.plan(one_by_one(*calls), [NO], allowedTools=["Write", "Bash(touch:*)"])
        self.assertEqual(seen.asked(), [self.path("w"), "make x", "touch a"])
        self.assertEqual({ask["decisionReasonType"] for ask in seen.asks}, {"mode"})
        self.assertEqual((self.files(), len(seen.denied())), (["r"], 3))

    def test_without_anybody_to_ask_it_changes_nothing(self):
        seen = self.plan(one_by_one(self.WRITE, TOUCH[0]), allowedTools=["Write", "Bash(touch:*)"])
        self.assertEqual((self.files(), len(seen.denied())), ([], 2))
        self.assertIn("nobody can be asked", seen.told()[0])
        self.assertIn("In plan mode", seen.told()[0])
        self.assertNotIn("ExitPlanMode", seen.of("system", "init")[0]["tools"])
        self.assertIn("then answer with your plan", json.dumps(self.requests()[0]["messages"]))

    def test_yes_to_the_plan_ends_the_mode(self):
        seen = self.plan(one_by_one(self.PLAN, self.WRITE), [YES, NO])
        self.assertEqual([ask["name"] for ask in seen.asks], ["ExitPlanMode", "Write"])
        shown = seen.asks[0]["input"]
        self.assertEqual(shown["plan"], "1. Write w.")
        self.assertRegex(shown["planFilePath"], r"/\.claude/plans/[a-z]+-[a-z]+-[a-z]+\.md$")
        with open(shown["planFilePath"], encoding="utf-8") as file:
            self.assertEqual(file.read(), "1. Write w.")
        self.assertTrue(seen.asks[0]["requiresUserInteraction"])
        self.assertIn("carry it out now", seen.told()[0])
        self.assertEqual(self.modes(seen), ["default"])
        told = json.dumps(self.requests()[-1]["messages"])
        self.assertEqual((told.count("Plan mode is on"), told.count("Plan mode is off")), (1, 0))

    def test_no_to_the_plan_leaves_the_mode(self):
        seen = self.plan(one_by_one(self.PLAN, self.WRITE), [NO])
        self.assertEqual((seen.told()[0], self.modes(seen), self.files()), ("No way.", [], []))

    def test_the_mode_that_is_chosen_with_the_yes_is_the_one(self):
        mode = [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
        changed = {**YES, "updatedPermissions": mode, "updatedInput": {"plan": "1. Write w, gently."}}
        seen = self.plan(one_by_one(self.PLAN, self.WRITE), [changed, NO])
        self.assertEqual((self.modes(seen), self.files()), (["acceptEdits"], ["w"]))
        self.assertIn("1. Write w, gently.", seen.told()[0])

    def test_the_question_offers_the_modes_and_what_the_plan_needs_commands_for(self):
        plan = ("ExitPlanMode", {"plan": "1. Write w.", "allowedPrompts": [{"tool": "Bash", "prompt": "run it"}]})
        seen = self.plan(one_by_one(plan, self.WRITE), [{**YES, "suggested": True}, NO])
        self.assertEqual(seen.asks[0]["suggestions"], [
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            {"type": "setMode", "mode": "default", "destination": "session"},
            {"type": "addRules", "rules": [{"toolName": "Bash", "ruleContent": "prompt: run it"}],
             "behavior": "allow", "destination": "session"}])
        self.assertEqual(self.modes(seen), ["acceptEdits", "default"])

    def test_a_plan_can_be_carried_out_in_a_new_conversation(self):
        stop = {"behavior": "deny", "message": "Later.", "interrupt": True}
        seen = self.plan(one_by_one(self.PLAN, self.WRITE), [stop], steps=[
            {"say": "plan it"}, {"wait": "result"}, call("setPermissionMode", "acceptEdits"), {"say": "/clear"},
            {"wait": "result"}, {"say": "Implement the following plan:\n\n1. Write w."}, {"wait": "result"}])
        ids = [m["session_id"] for m in seen.of("result")]
        self.assertNotEqual(ids[0], ids[2])
        self.assertEqual(self.files(), ["w"])
        told = json.dumps(self.requests()[-1]["messages"])
        self.assertIn("Implement the following plan", told)
        self.assertNotIn("plan it", told)
        record = glob.glob(os.path.join(self.home, f".claude/projects/*/{ids[2]}.jsonl"))[0]
        with open(record, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        begun = [r for r in records if "planContent" in r]
        self.assertEqual([r["planContent"] for r in begun], ["1. Write w."])
        with open(os.path.join(self.home, f".claude/plans/{begun[0]['slug']}.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "1. Write w.")

    def test_without_a_plan_only_the_mode_that_asks_is_offered(self):
        seen = self.plan(one_by_one(("ExitPlanMode", {}), self.WRITE), [{**YES, "suggested": True}, NO])
        self.assertEqual(seen.asks[0]["suggestions"], [
            {"type": "setMode", "mode": "default", "destination": "session"}])
        self.assertEqual(self.modes(seen), ["default"])

    def test_the_hosts_own_way_to_plan_replaces_ours(self):
        self.plan(DONE, [NO], planModeInstructions="Draw a diagram first.")
        told = json.dumps(self.requests()[0]["messages"])
        self.assertIn("Draw a diagram first.", told)
        self.assertNotIn("How to work", told)

    def test_a_resumed_session_continues_with_its_plan(self):
        seen = self.plan(one_by_one(self.PLAN), [YES])
        path = seen.asks[0]["input"]["planFilePath"]
        session = seen.result()["session_id"]
        os.remove(path)
        again = self.plan(one_by_one(("ExitPlanMode", {})), [NO], resume=session)
        self.assertEqual(again.asks[0]["input"], {"plan": "1. Write w.", "planFilePath": path})
        copy = self.plan(one_by_one(("ExitPlanMode", {})), [NO], resume=session, forkSession=True)
        self.assertNotEqual(copy.asks[0]["input"]["planFilePath"], path)
        self.assertEqual(copy.asks[0]["input"]["plan"], "1. Write w.")

    def test_there_is_no_plan_to_present_in_another_mode(self):
        seen = self.host(one_by_one(self.PLAN), [YES])
        self.assertEqual(seen.asks, [])
        self.assertIn("not in plan mode", seen.told()[0])

    def test_a_host_that_leaves_the_mode_has_the_model_told(self):
        self.plan(DONE, [NO], steps=[{"say": "hi"}, {"wait": "result"}, call("setPermissionMode", "default"),
                                     {"say": "more"}, {"wait": "result"}])
        self.assertIn("Plan mode is off", json.dumps(self.requests()[-1]["messages"][-1]))


class Settings(Hosted):
    def test_sources_are_those_that_were_named(self):
        self.put(os.path.join(self.home, ".claude/settings.json"),
                 {"permissions": {"allow": ["Bash(touch a)"]}})
        self.put(self.path(".claude/settings.json"), {"permissions": {"deny": ["Bash(touch b)"]}})
        self.put(self.path(".claude/settings.local.json"), {"permissions": {"ask": ["Bash(touch a)"]}})
        for sources, asked, denied in [([], ["touch a", "touch b"], 2), (["user"], ["touch b"], 1),
                                       (["user", "project"], [], 1),
                                       (["user", "project", "local"], ["touch a"], 2)]:
            with self.subTest(sources=sources):
                seen = self.host(answers=[NO], settingSources=sources)
                self.assertEqual((seen.asked(), len(seen.denied())), (asked, denied))
                if os.path.exists(self.path("a")):
                    os.remove(self.path("a"))

    def test_the_hosts_own_are_an_object_or_a_file(self):
        allow = {"permissions": {"allow": ["Bash(touch:*)"]}}
        self.assertEqual(self.host(answers=[NO], settings=allow).asks, [])
        self.put(os.path.join(self.root, "s.json"), {"permissions": {"deny": ["Bash(touch:*)"]}})
        seen = self.host(answers=[YES], settings=os.path.join(self.root, "s.json"))
        self.assertEqual((seen.asks, len(seen.denied())), ([], 2))

    def test_those_that_make_no_sense_end_it_with_words(self):
        for settings, words in [("/nonexistent.json", "No such file"),
                                ({"permissions": {"allow": 7}}, "permissions.allow: expected")]:
            self.assertIn(words, self.host(settings=settings).error)

    def test_a_policy_of_the_host_takes_away_and_gives_nothing(self):
        seen = self.host(answers=[NO], allowedTools=["Bash(touch b)"],
                         managedSettings={"permissions": {"deny": ["Bash(touch b)"],
                                                          "allow": ["Bash(touch a)"],
                                                          "disableBypassPermissionsMode": "disable"}})
        self.assertEqual((seen.asked(), len(seen.denied())), (["touch a"], 2))
        self.assertEqual([m["content"] for m in seen.of("system", "informational")], [])

    def test_a_sandbox_is_one(self):
        seen = self.host(one_by_one(("Bash", {"command": f"touch {self.home}/x"})), [NO],
                         sandbox={"enabled": True})
        self.assertEqual((seen.asks, os.path.exists(os.path.join(self.home, "x"))), ([], False))

    def test_they_change_while_a_session_runs(self):
        allow = {"permissions": {"allow": ["Bash(touch a)"]}}
        deny = {"permissions": {"deny": ["Bash(touch:*)"]}}
        seen = self.host(one_by_one(*TOUCH), [NO], settings={"model": "haiku"}, steps=[
            call("applyFlagSettings", allow), call("applyFlagSettings", {"permissions": {"allow": 7}}),
            {"say": "go"}, {"wait": "result"}, call("applyFlagSettings", deny)])
        self.assertEqual((seen.asked(), self.files()), (["touch b"], ["a"]))
        self.assertEqual([c.get("value", c.get("error")) for c in seen.calls][0], None)
        self.assertIn("permissions.allow: expected", seen.calls[1]["error"])
        self.assertIn("error", seen.calls[1])
        self.assertNotIn("error", seen.calls[2])

    def test_what_they_took_the_place_of_is_gone(self):
        seen = self.host(one_by_one(*TOUCH), [NO],
                         settings={"permissions": {"allow": ["Bash(touch:*)"]}}, steps=[
                             call("applyFlagSettings", {"permissions": None}),
                             {"say": "go"}, {"wait": "result"}])
        self.assertEqual((seen.asked(), self.files()), (["touch a", "touch b"], []))


class Methods(Hosted):
    ANSWERED = [("initializationResult",), ("supportedCommands",), ("supportedModels",),
                ("supportedAgents",), ("accountInfo",), ("reinitialize",), ("setModel", "sonnet"),
                ("setModel",), ("setMaxThinkingTokens", 2000), ("setMaxThinkingTokens", None),
                ("setPermissionMode", "plan"), ("applyFlagSettings", {}), ("interrupt",),
                ("readFile", "none"), ("getContextUsage",), ("stopTask", "x"),
                ("usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET",),
                ("reloadOutputStyles",), ("reloadSkills",), ("seedReadState", "a", 1), ("backgroundTasks",),
                ("mcpServerStatus",), ("setMcpServers", {}),
                ("updateSettings", "localSettings", {"outputStyle": "default"}),
                ("setMcpPermissionModeOverride", "x", "auto"),
                ("reloadPlugins",)]
    # There is no server of this name.
    FAILING = [("rewindFiles", "x"), ("reconnectMcpServer", "x"), ("toggleMcpServer", "x", True), ("readMcpResource", "x", "ui://x")]

    def test_each_is_answered_or_refused_and_none_hangs(self):
        steps = [call(*method) for method in self.ANSWERED + self.FAILING]
        for script, first in [(DONE, {"wait": "result"}), (one_by_one(TOUCH[0]), {"wait": "ask"})]:
            seen = self.host(script, [{**NO, "waits": True}], steps=[
                {"say": "hi"}, first, *[s for s in steps if s["call"] != "interrupt"],
                call("interrupt"), {"say": "more"}, {"wait": "result"}])
            self.assertEqual([c["name"] for c in seen.calls if c.get("hangs")], [])
            answered = {c["name"] for c in seen.calls if "value" in c}
            self.assertEqual(answered, {method[0] for method in self.ANSWERED})
            failing = {method[0] for method in self.FAILING}
            self.assertEqual({c["name"] for c in seen.calls if "error" in c}, failing)

    def value(self, name, **options):
        answer, = self.host(DONE, steps=[call(name)], **options).calls
        return answer["value"]

    def test_models_are_those_that_may_be_asked(self):
        models = self.value("supportedModels")
        self.assertEqual((models[0]["value"], models[0]["resolvedModel"]), ("default", "claude-opus-5-5"))
        self.assertEqual(models[1]["displayName"], "Claude Opus 5.5")
        self.assertLessEqual({"opus", "sonnet", "haiku", "claude-sonnet-4-5"}, {m["value"] for m in models})
        settings = {"availableModels": ["sonnet-5-5", "haiku-5-5"], "deniedModels": ["haiku"], "model": "sonnet"}
        models = self.value("supportedModels", settings=settings)
        self.assertEqual([m["value"] for m in models], ["default", "sonnet"])
        for model in models:
            seen = self.host(DONE, settings=settings, model=model["value"])
            self.assertEqual(self.requests()[-1]["model"], "claude-sonnet-5-5")
            self.assertIsNone(seen.error)

    def test_the_account_says_where_the_key_is_from(self):
        self.assertEqual(self.value("accountInfo"), {
            "tokenSource": "none", "apiKeySource": "ANTHROPIC_API_KEY", "apiProvider": "firstParty"})

    def test_commands_that_are_told_of_are_there(self):
        names = [command["name"] for command in self.value("supportedCommands")]
        self.assertIn("context", names)
        self.assertNotIn("theme", names)  # only a screen can do that
        texts = ["batch", "debug", "init", "keybindings-help", "loop", "pr-comments", "remember", "review", "schedule",
                 "security-review", "simplify", "skillify", "stuck",
                 "update-config", "verify"]  # for the model
        seen = self.host(DONE, steps=[step for name in names
                                      for step in ({"say": "/" + name}, {"wait": "result"})])
        self.assertEqual([r["num_turns"] for r in seen.of("result")], [int(name in texts) for name in names])

    def test_the_context_is_what_the_service_counted(self):
        self.write("CLAUDE.md", "Be brief, and nothing else.\n")
        seen = self.host("reply forever\n  text Done\n  usage input=7000 output=30\n", steps=[
            {"say": "hi"}, {"wait": "result"}, call("getContextUsage")],
            systemPrompt={"type": "preset", "preset": "claude_code"}, model="sonnet")
        told = seen.calls[0]["value"]
        self.assertEqual((told["model"], told["totalTokens"], told["maxTokens"]),
                         ("claude-sonnet-5-5", 7030, 1000000))
        tokens = {c["id"]: c["tokens"] for c in told["categories"] if c["kind"] != "deferred"}
        self.assertEqual(sum(tokens.values()), 1000000)
        self.assertEqual(tokens["free_space"] + tokens["autocompact_buffer"], 1000000 - 7030)
        self.assertTrue(all(tokens.values()), tokens)
        self.assertEqual([f["path"] for f in told["memoryFiles"]], [self.path("CLAUDE.md")])

    def test_a_task_is_stopped_and_the_model_hears_of_it(self):
        job = ("Bash", {"command": "touch begun; sleep 1000", "run_in_background": True})
        seen = self.host(one_by_one(job), [YES], steps=[
            {"say": "go"}, {"wait": "result"}, call("stopTask", "bash_1"), call("stopTask", "bash_1"),
            {"say": "more"}, {"wait": "result"}])
        self.assertEqual([c.get("error") for c in seen.calls], [None, None])
        self.assertIn("The user stopped background command bash_1.", json.dumps(self.requests()[-1]["messages"]))
        self.assertEqual((len(seen.of("result")), seen.error), (2, None))

    def test_options_that_would_mean_something_else_end_it_with_words(self):
        for options, words in [({"agent": "r"}, "there is no agent 'r'"),
                               ({"projectConfigRoot": "here"}, "not an absolute path"),
                               ({"resume": "x", "resumeDropsTurn": "y"}, "--resume-drops-turn needs --resume-session-at")]:
            with self.subTest(options=options):
                self.assertIn(words, self.host(DONE, **options).error)

    def test_options_of_what_is_not_there_do_not_end_the_session(self):
        for options in ({"mcpServers": {"x": {"command": "true"}}}, {"strictMcpConfig": True},
                        {"agents": {"r": {"description": "d", "prompt": "p"}}}, {"hooks": {}},
                        {"plugins": [{"type": "local", "path": self.cwd}]}, {"skills": "all"},
                        {"includeHookEvents": True}, {"betas": ["context-1m-2025-08-07"]},
                        {"promptSuggestions": True},
                        {"toolAliases": {"A": "B"}}, {"title": "T"}, {"forwardSubagentText": True}):
            with self.subTest(options=options):
                seen = self.host(DONE, **options)
                self.assertEqual((seen.result()["result"], seen.error), ("Done", None))


class Prompts(Hosted):
    """What the model is told first."""

    FLAGS = {"system-prompt": "Of the line.", "append-system-prompt": "More of the line."}

    def system(self, **options):
        self.host(DONE, **options)
        return "".join(part["text"] for part in self.requests()[-1]["system"])

    def test_what_a_host_appends_comes_after_what_was_there(self):
        preset = {"type": "preset", "preset": "claude_code", "append": "Of the host."}
        self.assertEqual(self.system(systemPrompt=preset, extraArgs=self.FLAGS),
                         "Of the line.\n\nMore of the line.\n\nOf the host.")
        self.assertRegex(self.system(systemPrompt=preset), r"(?s)^.{500,}\n\nOf the host\.$")

    def test_a_prompt_of_the_host_takes_the_place_of_the_lines(self):
        self.assertEqual(self.system(systemPrompt="Of the host.", extraArgs=self.FLAGS),
                         "Of the host.\n\nMore of the line.")
