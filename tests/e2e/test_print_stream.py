"""stream-json both ways, as the Agent SDK drives the program."""

import glob
import json
import os
import signal
import subprocess
import unittest

from rig import PATIENCE, Modelled

SDK = ["--output-format", "stream-json", "--verbose", "--input-format", "stream-json"]


def user(text, **more):
    return {"type": "user", "session_id": "", "parent_tool_use_id": None,
            "message": {"role": "user", "content": [{"type": "text", "text": text}]}, **more}


def control(subtype, number=1, **more):
    return {"type": "control_request", "request_id": f"r{number}",
            "request": {"subtype": subtype, **more}}


class Stream(Modelled):
    def talk(self, *messages, args=(), **env):
        """Sends all messages at once, then EOF; returns the process's status and events."""
        stdin = b"".join(json.dumps(m).encode() + b"\n" for m in messages)
        ran = self.awl(*SDK, *args, stdin=stdin, env=self.modelled(**env))
        self.stderr = ran.stderr
        return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()]

    def open(self, *args, **env):
        """Starts it with both ends open."""
        self.process = self.start(*SDK, *args, stdin=subprocess.PIPE, **env)

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def wait_for(self, kind, subtype=None, keep=None):
        """Reads events up to one of this kind; those before it are appended to `keep`."""
        for line in self.process.stdout:
            event = json.loads(line)
            if keep is not None:
                keep.append(event)
            if event["type"] == kind and (subtype is None or event.get("subtype") == subtype):
                return event
        self.fail(f"ended without {kind}: {self.process.stderr.read()}")

    def close(self):
        """EOF; returns the status and what else was written."""
        self.process.stdin.close()
        rest = [json.loads(line) for line in self.process.stdout]
        return self.process.wait(PATIENCE), rest


class Conversation(Stream):
    def test_a_message_and_eof_at_once_is_still_answered(self):
        self.serve('reply\n  expect prompt contains "hi there"\n  text "Hello."\n')
        status, events = self.talk(control("initialize"), user("hi there"))
        self.assertEqual(status, 0)
        self.assertEqual([e["type"] for e in events],
                         ["control_response", "system", "assistant", "result"])
        self.assertEqual(events[0]["response"]["subtype"], "success")
        self.assertEqual(events[0]["response"]["request_id"], "r1")
        self.assertEqual(events[-1]["result"], "Hello.")

    def test_no_message_no_turn_and_success(self):
        self.serve('reply\n  text "x"\n')
        self.assertEqual(self.talk(), (0, []))
        self.assertEqual(self.talk(control("initialize"))[0], 0)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())

    def test_one_turn_after_the_other_in_one_conversation(self):
        self.serve('reply\n  text "One."\nreply\n  expect request contains "One."\n  text "Two."\n')
        self.open()
        for text, answer in (("first", "One."), ("second", "Two.")):
            self.send(user(text))
            self.assertEqual(self.wait_for("system", "init")["permissionMode"], "default")
            self.assertEqual(self.wait_for("result")["result"], answer)
        self.assertEqual(self.close(), (0, []))

    def test_messages_that_wait_become_one_turn(self):
        self.serve('reply\n  text "x"\n  stall forever\n'
                   'reply\n  expect request contains "second"\n  expect request contains "third"\n'
                   '  text "Both."\n')
        self.open("--include-partial-messages")
        self.send(user("first"))
        self.wait_for("stream_event")
        for message in (user("second"), user("third"), control("interrupt")):
            self.send(message)
        self.assertEqual(self.wait_for("result")["terminal_reason"], "aborted_streaming")
        self.assertEqual(self.wait_for("result")["result"], "Both.")
        self.assertEqual((self.close()[0], len(self.requests())), (0, 2))

    def test_messages_that_come_in_a_turn_are_told_with_its_next_request(self):
        self.serve('reply\n  tool Bash {"command": "while [ ! -e go ]; do sleep 0.01; done"}\n'
                   'reply\n  expect request contains "second"\n  text "Heard."\n')
        self.open("--allowedTools", "Bash")
        self.send(user("first"))
        self.wait_for("assistant")
        self.send(user("second"))
        self.send(control("set_model", model="opus"))
        self.wait_for("control_response")
        self.write("go", "")
        self.assertEqual(self.wait_for("result")["result"], "Heard.")
        self.assertEqual(self.close()[0], 0)

    def test_blocks_strings_and_a_file_as_standard_input_are_taken(self):
        self.serve('reply forever\n  text "ok"\n')
        path = os.path.join(self.root, "in.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps({"type": "user", "message": {"role": "user", "content": "s"}}))
        with open(path, "rb") as file:
            process = self.start(*SDK, stdin=file)
            output, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(json.loads(output.splitlines()[-1])["result"], "ok")

    def test_unknown_types_and_empty_lines_are_passed_over(self):
        self.serve('reply\n  text "ok"\n')
        stdin = b'\n{"type":"keep_alive"}\n  \n{"type":"from_the_future","x":1}\n'
        ran = self.awl(*SDK, stdin=stdin + json.dumps(user("hi")).encode(), env=self.modelled())
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_malformed_line_is_fatal(self):
        self.serve('reply forever\n  text "x"\n  stall forever\n')
        for line in (b"{", b"hello", b"[]", b'{"type":"user"}',
                     b'{"type":"user","message":{"role":"assistant","content":"x"}}'):
            ran = self.awl(*SDK, stdin=json.dumps(user("hi")).encode() + b"\n" + line + b"\n",
                           env=self.modelled())
            self.assertEqual(ran.returncode, 1, line)
            self.assertIn(b"awl: standard input, line 2: ", ran.stderr)
            self.assertNotIn(b"line 1", ran.stderr)

    def test_what_was_answered_before_a_malformed_line_arrives(self):
        self.serve('reply forever\n  text "x"\n')
        for line in (b"{", b"[]", b"null", b'"\xff\xfe"', b'{"type":"user"}'):
            requests = [control("initialize"), control("get_settings")]
            stdin = b"".join(json.dumps(r).encode() + b"\n" for r in requests) + line + b"\n"
            ran = self.awl(*SDK, stdin=stdin + json.dumps(control("get_status")).encode(), env=self.modelled())
            self.assertEqual(ran.returncode, 1, line)
            self.assertIn(b"awl: standard input, line 3: ", ran.stderr)
            self.assertEqual([json.loads(out)["response"]["subtype"] for out in ran.stdout.splitlines()],
                             ["success", "success"], line)

    def test_prompts_are_replayed_when_asked_for(self):
        self.serve('reply\n  text "ok"\n')
        uuid = "99999999-9999-4999-8999-999999999999"
        _, events = self.talk(user("again", uuid=uuid), args=["--replay-user-messages"])
        events = [e for e in events if e["type"] != "command_lifecycle"]
        self.assertEqual([e["type"] for e in events], ["system", "user", "assistant", "result"])
        self.assertEqual((events[1]["isReplay"], events[1]["uuid"]), (True, uuid))
        self.assertEqual(events[1]["message"]["content"][0]["text"], "again")

    def test_session_states_are_told_to_who_reads_them(self):
        self.serve('reply forever\n  text "ok"\n')
        _, events = self.talk(user("hi"))
        self.assertNotIn("session_state_changed", [e.get("subtype") for e in events])
        _, events = self.talk(user("hi"), CLAUDE_CODE_SDK_READS_SESSION_STATE="1")
        states = [(e["state"], e["sdk_host_only"]) for e in events
                  if e.get("subtype") == "session_state_changed"]
        self.assertEqual((states[0], states[-1]), (("running", True), ("idle", True)))
        self.assertEqual(events[-1]["subtype"], "session_state_changed")

    def test_the_status_is_that_of_the_last_result(self):
        self.serve('fail 400 invalid_request_error "bad thing"\nreply\n  text "ok"\n')
        self.open()
        self.send(user("one"))
        self.assertTrue(self.wait_for("result")["is_error"])
        self.send(user("two"))
        self.assertFalse(self.wait_for("result")["is_error"])
        self.assertEqual(self.close()[0], 0)
        self.serve('fail 400 invalid_request_error "bad thing"\n')
        self.assertEqual(self.talk(user("one"))[0], 1)


class Asked(Stream):
    ASKS = """\
reply when tool_error
  text "Refused."
reply when result_of contains Write
  text "Written."
reply
  tool Write {"file_path": "out.txt", "content": "asked\\n"}
"""

    def answer(self, ask, **response):
        self.send({"type": "control_response",
                   "response": {"subtype": "success", "request_id": ask["request_id"],
                                "response": response}})

    def test_a_question_is_asked_and_its_answer_obeyed(self):
        for allow, words in ((True, "Written."), (False, "Refused.")):
            self.serve(self.ASKS)
            self.open("--permission-prompt-tool", "stdio")
            self.send(user("go"))
            ask = self.wait_for("control_request")
            self.assertEqual(ask["request"]["subtype"], "can_use_tool")
            self.assertEqual(ask["request"]["tool_name"], "Write")
            if allow:
                self.answer(ask, behavior="allow", updatedInput=ask["request"]["input"])
            else:
                self.answer(ask, behavior="deny", message="Not today.")
            result = self.wait_for("result")
            self.assertEqual(result["result"], words)
            self.assertEqual(len(result["permission_denials"]), 0 if allow else 1)
            self.assertEqual(os.path.exists(self.path("out.txt")), allow)
            self.assertEqual(self.close()[0], 0)
            if allow:
                os.remove(self.path("out.txt"))

    def test_the_host_is_asked_on_behalf_of_an_agent(self):
        self.serve('reply when result_of contains Agent\n  text "All done."\n'
                   'reply when prompt contains go\n  tool Agent {"description": "d", "prompt": "p"}\n' + self.ASKS)
        self.open("--permission-prompts=host")
        self.send(user("go"))
        ask = self.wait_for("control_request")
        self.assertEqual(ask["request"]["tool_name"], "Write")
        self.answer(ask, behavior="deny", message="Not today.")
        self.assertEqual(self.wait_for("result")["result"], "All done.")
        self.assertEqual(self.close()[0], 0)

    def test_the_host_may_change_the_input(self):
        self.serve(self.ASKS)
        self.open("--permission-prompts=host")
        self.send(user("go"))
        ask = self.wait_for("control_request")
        self.answer(ask, behavior="allow",
                    updatedInput={"file_path": "out.txt", "content": "changed\n"})
        self.wait_for("result")
        self.assertEqual(self.read("out.txt"), "changed\n")

    def test_eof_while_a_question_is_open_denies_it_and_the_turn_goes_on(self):
        self.serve(self.ASKS)
        self.open("--permission-prompt-tool=stdio")
        self.send(user("go"))
        self.wait_for("control_request")
        status, rest = self.close()
        self.assertEqual((status, rest[-1]["result"]), (0, "Refused."))

    def test_a_question_after_eof_is_denied_too(self):
        self.serve(self.ASKS)
        status, events = self.talk(user("go"), args=["--permission-prompt-tool", "stdio"])
        self.assertEqual((status, events[-1]["result"]), (0, "Refused."))

    def test_requests_are_answered_while_a_turn_runs(self):
        self.serve('reply\n  text "x"\n  stall forever\n')
        self.open("--include-partial-messages")
        self.send(user("go"))
        self.wait_for("stream_event")
        self.send(control("set_permission_mode", 1, mode="acceptEdits"))
        self.assertEqual(self.wait_for("control_response")["response"]["subtype"], "success")
        self.send(control("frobnicate", 2))
        error = self.wait_for("control_response")["response"]
        self.assertEqual((error["subtype"], error["request_id"]), ("error", "r2"))
        self.assertIn("frobnicate", error["error"])
        self.send(control("interrupt", 3))
        result = self.wait_for("result")
        self.assertEqual((result["subtype"], result["terminal_reason"]),
                         ("error_during_execution", "aborted_streaming"))

    def test_the_model_can_be_changed_between_turns(self):
        self.serve('reply forever\n  text "ok"\n')
        status, _ = self.talk(control("set_model", model="haiku"), user("hi"))
        self.assertEqual(status, 0)
        self.assertIn("haiku", self.requests()[0]["model"])

    def test_permissions_are_not_bypassed_unless_it_was_started_so(self):
        self.serve('reply forever\n  text "ok"\n')
        _, lines = self.talk(control("set_permission_mode", mode="bypassPermissions"), user("hi"))
        answer = [line for line in lines if line["type"] == "control_response"][0]["response"]
        self.assertEqual(answer["subtype"], "error")
        init = [line for line in lines if line.get("subtype") == "init"][0]
        self.assertEqual(init["permissionMode"], "default")

    def test_a_message_that_comes_twice_is_one(self):
        self.serve('reply forever\n  text "ok"\n')
        message = {**user("hi"), "uuid": "00000000-0000-4000-8000-000000000001"}
        _, lines = self.talk(message, message)
        self.assertEqual(len([line for line in lines if line["type"] == "result"]), 1)


class Signals(Stream):
    def test_an_interrupt_ends_the_turn_with_its_result_and_status_0(self):
        self.serve('reply\n  text "x"\n  stall forever\n')
        self.open("--include-partial-messages")
        self.send(user("go"))
        self.wait_for("stream_event")
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.wait_for("result")["subtype"], "error_during_execution")
        self.assertEqual(self.process.wait(PATIENCE), 0)

    def test_an_interrupt_between_turns_is_130(self):
        self.serve('reply\n  text "ok"\n')
        self.open()
        self.send(user("one"))
        self.assertEqual(self.wait_for("result")["subtype"], "success")
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(PATIENCE), 130)

    def test_sigterm_is_143_in_a_turn_and_when_idle(self):
        self.serve('reply\n  text "ok"\nreply forever\n  text "x"\n  stall forever\n')
        self.open("--include-partial-messages")
        self.send(user("one"))
        self.wait_for("result")
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(PATIENCE), 143)
        self.open("--include-partial-messages")
        self.send(user("two"))
        self.wait_for("stream_event")
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.wait_for("result")["errors"], ["Interrupted"])  # by no user
        self.assertEqual(self.process.wait(PATIENCE), 143)

    def test_a_running_command_is_ended_with_the_turn(self):
        self.serve('reply\n  tool Bash {"command": "echo $$ > pid; exec sleep 1000"}\n')
        self.open("--allowedTools", "Bash")
        self.send(user("go"))
        self.wait_for("assistant")
        pid = int(self.wait_for_line("pid"))
        self.process.send_signal(signal.SIGINT)
        result = self.wait_for("result")
        self.assertEqual(result["terminal_reason"], "aborted_tools")
        self.assertEqual(self.process.wait(PATIENCE), 0)
        self.assertFalse(os.path.exists(f"/proc/{pid}"))



class Control(Stream):
    """What a host asks for beside prompts, and what it gets."""

    ONE = 'reply\n  tool Bash {"command": "touch a"}\nreply forever\n  text Done\n'

    def request(self, subtype, **more):
        self.send(control(subtype, **more))
        return self.wait_for("control_response")["response"]

    def test_a_mode_is_told_back_and_a_refusal_has_a_code(self):
        self.serve(self.ONE)
        self.open()
        self.assertEqual(self.request("set_permission_mode", mode="plan")["response"],
                         {"mode": "plan"})
        self.assertEqual(self.wait_for("system", "status")["permissionMode"], "plan")
        for mode, code in (("bypassPermissions", "bypass_not_launched"), ("x", "invalid_mode")):
            refused = self.request("set_permission_mode", mode=mode)
            self.assertEqual((refused["subtype"], refused["error_code"]), ("error", code))
        self.assertEqual(self.request("fly")["error_code"], "unsupported_request")
        self.assertEqual(self.close()[0], 0)

    def test_settings_are_told_with_who_says_what(self):
        self.serve(self.ONE)
        os.makedirs(os.path.join(self.home, ".claude"))
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump({"model": "haiku", "permissions": {"deny": ["Bash(rm:*)"]}}, file)
        self.open("--settings", '{"permissions": {"allow": ["Bash(make:*)"]}}')
        told = self.request("get_settings")["response"]
        self.assertEqual(told["effective"]["permissions"],
                         {"allow": ["Bash(make:*)"], "deny": ["Bash(rm:*)"]})
        self.assertEqual([s["source"] for s in told["sources"]], ["userSettings", "flagSettings"])
        self.assertIn("haiku", told["applied"]["model"])
        rules = self.request("list_permission_rules")["response"]["state"]["rules"]
        self.assertEqual(rules, [
            {"behavior": "deny", "source": "userSettings", "rule": "Bash(rm:*)",
             "editability": "persistent"},
            {"behavior": "allow", "source": "flagSettings", "rule": "Bash(make:*)",
             "editability": "readonly"}])
        self.assertEqual(self.close()[0], 0)

    def test_a_model_that_is_chosen_is_told_before_it_is_asked(self):
        self.serve('reply\n  text "x"\n  stall forever\n')
        self.open("--model", "haiku", "--include-partial-messages", "--effort", "low")
        self.assertEqual(self.request("get_settings")["response"]["applied"],
                         {"model": "claude-haiku-5-5", "effort": "low"})
        self.send(user("go"))
        self.wait_for("stream_event")  # the request is under way
        self.assertEqual(self.request("set_model", model="sonnet")["response"],
                         {"model": "claude-sonnet-5-5"})
        self.assertEqual(self.request("get_settings")["response"]["applied"]["model"],
                         "claude-sonnet-5-5")
        self.request("interrupt")
        self.wait_for("result")
        self.assertEqual(self.requests()[0]["model"], "claude-haiku-5-5")
        self.close()

    def test_settings_of_the_host_change_at_once_or_not_at_all(self):
        self.serve(self.ONE)
        path = self.write("s.json", '{"permissions": {"allow": ["Read(/x)"]}, "model": "haiku"} // ok')
        self.open("--settings", path)
        self.assertIn("error", self.request("apply_flag_settings", settings=[]))
        self.assertIn("permissions.deny", self.request(
            "apply_flag_settings", settings={"permissions": {"deny": 7}})["error"])
        self.assertEqual(self.request("apply_flag_settings", settings={
            "permissions": {"allow": ["Bash(touch:*)"]}, "model": None})["subtype"], "success")
        told = self.request("get_settings")["response"]
        self.assertEqual(told["effective"], {"permissions": {"allow": ["Bash(touch:*)"]}})
        self.send(user("go"))
        self.assertEqual(self.wait_for("result")["permission_denials"], [])
        self.assertTrue(os.path.exists(self.path("a")))
        self.assertEqual(self.close()[0], 0)

    def test_a_setting_that_holds_no_more_is_told_of_when_it_is_changed(self):
        self.serve('reply forever\n  text Done\n')
        self.open()
        self.send(user("go"))
        self.wait_for("result")
        self.assertEqual(self.request("apply_flag_settings", settings={
            "deniedModels": ["opus"], "model": "opus"})["subtype"], "success")
        status, rest = self.close()
        self.assertEqual(status, 0)
        self.assertTrue([e for e in rest if "is not allowed" in e.get("content", "")], rest)

    def test_what_the_host_appends_to_the_prompt_leaves_the_settings_in_it(self):
        self.serve('reply forever\n  text Done\n')
        self.talk(control("initialize", appendSystemPrompt="Be kind."), user("go"),
                  args=("--settings", '{"language": "dutch"}'))
        system = "".join(part["text"] for part in self.requests()[0]["system"])
        self.assertIn(": dutch. ", system)
        self.assertTrue(system.endswith("Be kind."))

    def test_no_and_stop_is_for_all_that_was_called_at_once(self):
        self.serve('reply\n  tool Bash {"command": "touch a"}\n  tool Bash {"command": "touch b"}\n'
                   'reply forever\n  text Done\n')
        self.open("--permission-prompt-tool", "stdio")
        self.send(user("go"))
        question = self.wait_for("control_request")
        self.send({"type": "control_response", "response": {
            "subtype": "success", "request_id": question["request_id"],
            "response": {"behavior": "deny", "message": "Stop.", "interrupt": True}}})
        status, rest = self.close()
        self.assertEqual([e for e in rest if e["type"] == "control_request"], [])
        results = [e["message"]["content"][0].get("content") for e in rest if e["type"] == "user"]
        self.assertEqual(results, ["Stop.", "The user interrupted this call. It was not run.", None])
        self.assertEqual((status, rest[-1]["terminal_reason"]), (1, "aborted_tools"))
        self.assertEqual(len(self.requests()), 1)

    def test_an_answer_that_is_none_is_a_no_that_says_so(self):
        for answer, words in (({}, '"behavior" is missing'), ({"behavior": "maybe"}, "not maybe."),
                              ("yes", "not string."), (None, "not null.")):
            self.serve(self.ONE)
            self.open("--permission-prompt-tool", "stdio")
            self.send(user("go"))
            question = self.wait_for("control_request")
            self.send({"type": "control_response", "response": {
                "subtype": "success", "request_id": question["request_id"], "response": answer}})
            told = self.wait_for("user")["message"]["content"][0]["content"]
            self.assertRegex(told, "the permission handler failed. The answer.*" + words)
            self.assertEqual(self.close()[0], 0)
        self.assertFalse(os.path.exists(self.path("a")))

    def test_what_was_not_decided_is_not_said_to_be(self):
        self.serve('reply\n  tool Nonsense {}\nreply forever\n  text Done\n')
        _, events = self.talk(user("go"))
        result, = [e for e in events if e["type"] == "user"]
        self.assertNotIn("tool_result_meta", result)

    def test_a_policy_of_who_starts_it_takes_away_and_gives_nothing(self):
        self.serve(self.ONE)
        _, events = self.talk(user("go"), args=[
            "--allowedTools", "Bash(touch:*)", "--managed-settings",
            '{"permissions": {"deny": ["Bash(touch a)"], "allow": ["Bash(rm:*)"]}}'])
        denied, = [e for e in events if e.get("subtype") == "permission_denied"]
        self.assertIn("(--managed-settings:1) denies this", denied["decision_reason"])
        self.assertEqual([e for e in events if e.get("subtype") == "informational"], [])

if __name__ == "__main__":
    unittest.main()


class Kept(Stream):
    """What was taken is in the file of the session, whatever happens then."""

    ID = "11111111-2222-4333-8444-555555555555"

    def transcript(self):
        path, = glob.glob(os.path.join(self.home, ".claude/projects/*", self.ID + ".jsonl"))
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def take(self, text):
        """Sends a prompt; when this returns it has been taken."""
        self.send(user(text))
        self.send(control("get_settings"))
        self.wait_for("control_response")

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def told(self):
        _, events = self.talk(user("once more"), args=("--resume", self.ID))
        return [e["content"] for e in events if e.get("subtype") == "informational"]

    def test_a_prompt_is_kept_as_soon_as_it_is_taken(self):
        self.serve('reply\n  stall forever\n')
        self.open("--session-id", self.ID)
        self.take("the first thing")
        kept = [r for r in self.transcript() if r["type"] == "queue-operation"]
        self.assertEqual([(r["operation"], r["content"]) for r in kept], [("enqueue", "the first thing")])
        self.kill()

    def test_a_prompt_that_waited_in_vain_is_told_of_once(self):
        self.serve('reply\n  text "x"\n  stall forever\nreply forever\n  text "ok"\n')
        self.open("--session-id", self.ID, "--include-partial-messages")
        self.send(user("the first thing"))
        self.wait_for("stream_event")  # its turn has begun
        self.take("the second\nthing")
        self.kill()
        waiting = [line for line in self.told() if "still queued" in line]
        self.assertEqual([line.split(": ", 1)[1] for line in waiting], ["the second thing"])
        self.assertEqual([line for line in self.told() if "still queued" in line], [])

    def test_the_record_of_a_prompt_has_the_name_it_waited_under(self):
        self.serve('reply forever\n  text "ok"\n')
        self.talk(user("one"), user("two"), args=("--session-id", self.ID))
        records = self.transcript()
        names = [r["messageUuid"] for r in records if r["type"] == "queue-operation"]
        said = {r["uuid"] for r in records if r["type"] == "user" and not r.get("isMeta")}
        self.assertEqual((len(names), set(names)), (2, said))
        self.assertEqual([r["type"] for r in records][:1], ["queue-operation"])
