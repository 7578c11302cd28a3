"""What a host sets when a session begins, and what it and the model's server see of it."""

import json
import os
import unittest

from test_print_stream import Stream, control, user

ID = "11111111-2222-4333-8444-555555555555"


class Begin(Stream):
    def test_the_user_agent_names_the_host(self):
        self.serve('reply forever\n  text "ok"\n')
        self.talk(user("hi"), CLAUDE_CODE_ENTRYPOINT="sdk-ts", CLAUDE_AGENT_SDK_VERSION="0.3.325",
                  CLAUDE_AGENT_SDK_CLIENT_APP="my-app/2.0")
        with open(self.request_log, encoding="utf-8") as file:
            log = file.read()
        self.assertRegex(log, r"awl/[0-9.]+ \(external, sdk-ts, agent-sdk/0.3.325, "
                              r"client-app/my-app/2.0\)")

    def test_a_host_cannot_write_headers_through_its_name(self):
        self.serve('reply forever\n  text "ok"\n')
        self.talk(user("hi"), CLAUDE_CODE_ENTRYPOINT="sdk-ts", CLAUDE_AGENT_SDK_CLIENT_APP="a\r\nX-Bad: 1")
        with open(self.request_log, encoding="utf-8") as file:
            self.assertNotIn("X-Bad", file.read())

    def test_betas_are_requested(self):
        self.serve('reply forever\n  text "ok"\n')
        self.talk(user("hi"), args=["--betas=context-1m-2025-08-07"])
        with open(self.request_log, encoding="utf-8") as file:
            self.assertIn("context-1m-2025-08-07", file.read())

    def test_a_title_is_given_at_the_beginning(self):
        self.serve('reply forever\n  text "ok"\n')
        self.talk(control("initialize", title="My work"), user("hi"), args=["--session-id", ID])
        status, events = self.talk(user("more"), args=["--resume", "My work"])
        self.assertEqual((status, events[-1]["session_id"]), (0, ID))

    def test_the_answer_to_initialize_says_who_answers(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        self.send(control("initialize"))
        reply = self.wait_for("control_response")["response"]
        told = reply["response"]
        self.assertEqual((told["pid"], told["session_state"]), (self.process.pid, "idle"))
        self.assertEqual(told["current_permission_mode"], "default")
        self.assertLessEqual({"commands", "agents", "models", "account", "output_style",
                              "available_output_styles", "claude_code_version", "capabilities"}, set(told))

    SCHEMA = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}

    def test_the_schema_of_the_answer_comes_with_initialize(self):
        self.serve('reply forever\n  tool StructuredOutput {"n": 7}\n')
        _, events = self.talk(control("initialize", jsonSchema=self.SCHEMA), user("hi"))
        self.assertEqual(events[-1]["structured_output"], {"n": 7})
        tool, = [t for t in self.requests()[-1]["tools"] if t["name"] == "StructuredOutput"]
        self.assertEqual(tool["input_schema"], self.SCHEMA)

    def test_a_schema_that_is_none_is_refused_and_nothing_changes(self):
        self.serve('reply forever\n  text "ok"\n')
        _, events = self.talk(control("initialize", jsonSchema={"type": "string"}, title="T"), user("hi"))
        reply = [e for e in events if e["type"] == "control_response"][0]["response"]
        self.assertEqual(reply["subtype"], "error")
        self.assertIn("the JSON schema of the answer", reply["error"])
        self.assertEqual(events[-1]["result"], "ok")

    def test_agents_without_a_prompt_are_not_listed(self):
        self.serve('reply forever\n  text "ok"\n')
        agents = {"good": {"description": "d", "prompt": "p"}, "bad": {"description": "d"}, "worse": 7}
        _, events = self.talk(control("initialize", agents=agents), user("hi"))
        [init] = [e for e in events if e.get("subtype") == "init"]
        self.assertEqual([name for name in ("good", "bad", "worse") if name in init["agents"]], ["good"])

    def test_a_model_that_is_changed_between_turns_is_shown(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        self.send(control("set_model", model="haiku"))
        self.assertEqual(self.wait_for("control_response")["response"]["response"],
                         {"model": "claude-haiku-5-5"})
        shown = self.wait_for("user")
        self.assertTrue(shown["isReplay"])
        self.assertIn("Set model to claude-haiku-5-5", json.dumps(shown["message"]))
        self.assertEqual(self.close()[0], 0)

    def test_modes_are_refused_in_the_words_that_hosts_know(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        for mode, code, words in (("bypassPermissions", "bypass_not_launched",
                                   "Cannot set permission mode to bypassPermissions"),
                                  ("nonsense", "invalid_mode", "nonsense"), (None, "invalid_mode", "")):
            self.send(control("set_permission_mode", mode=mode))
            reply = self.wait_for("control_response")["response"]
            self.assertEqual((reply["subtype"], reply["error_code"]), ("error", code))
            self.assertIn(words, reply["error"])


    def test_a_new_conversation_is_announced_with_its_id(self):
        self.serve('reply forever\n  text "ok"\n')
        uuid = "99999999-9999-4999-8999-999999999999"
        _, events = self.talk(user("hi"), user("/clear", uuid=uuid))
        reset, = [e for e in events if e["type"] == "conversation_reset"]
        self.assertEqual((reset["trigger"], reset["user_message_uuid"]), ("clear", uuid))
        answer = [e["message"] for e in events if e["type"] == "assistant"][-1]
        self.assertEqual((answer["model"], answer["stop_reason"]), ("<synthetic>", "end_turn"))
        self.assertEqual(reset["new_conversation_id"], events[-1]["session_id"])
        self.assertNotEqual(reset["new_conversation_id"], events[0]["session_id"])


class Cut(Stream):
    def test_a_stream_that_is_interrupted_is_ended_for_the_host(self):
        self.serve('reply\n  thinking "hm"\n  text "partly"\n  stall forever\n')
        self.open("--include-partial-messages")
        self.send(user("go"))
        events = []
        while "partly" not in json.dumps(events[-1:]):
            self.wait_for("stream_event", keep=events)
        self.send(control("interrupt"))
        self.wait_for("result", keep=events)
        stream = [e["event"] for e in events if e["type"] == "stream_event"]
        starts = [e["index"] for e in stream if e["type"] == "content_block_start"]
        stops = [e["index"] for e in stream if e["type"] == "content_block_stop"]
        self.assertEqual(starts, stops)
        self.assertEqual([e["type"] for e in stream[-2:]], ["message_delta", "message_stop"])
        self.assertIsNone(stream[-2]["delta"]["stop_reason"])


class Questions(Stream):
    def test_questions_of_calls_beside_each_other_are_open_together(self):
        self.serve('reply\n  tool Read {"file_path": "/etc/hostname"}\n'
                   '  tool Read {"file_path": "/etc/passwd"}\nreply forever\n  text "ok"\n')
        self.open("--permission-prompt-tool=stdio")
        self.send(user("go"))
        first, second = self.wait_for("control_request"), self.wait_for("control_request")
        for ask, behavior in ((second, "deny"), (first, "allow")):
            self.send({"type": "control_response", "response": {
                "subtype": "success", "request_id": ask["request_id"],
                "response": {"behavior": behavior, "message": "No way"}}})
        result = self.wait_for("result")
        self.assertEqual([d["tool_use_id"] for d in result["permission_denials"]],
                         [second["request"]["tool_use_id"]])
        self.assertEqual(self.close()[0], 0)

    def test_a_question_describes_the_call(self):
        self.serve('reply\n  tool Bash {"command": "touch x"}\nreply forever\n  text "ok"\n')
        self.open("--permission-prompt-tool=stdio")
        self.send(user("go"))
        request = self.wait_for("control_request")["request"]
        self.assertEqual((request["display_name"], request["description"]), ("Bash", "touch x"))
        self.assertEqual(request["permission_suggestions"][0]["type"], "addRules")
        self.close()

    def test_an_interrupt_withdraws_all_questions(self):
        self.serve('reply\n  tool Read {"file_path": "/etc/hostname"}\n'
                   '  tool Read {"file_path": "/etc/passwd"}\nreply forever\n  text "ok"\n')
        self.open("--permission-prompt-tool=stdio")
        self.send(user("go"))
        asked = {self.wait_for("control_request")["request_id"] for _ in range(2)}
        self.send(control("interrupt"))
        events = []
        self.wait_for("result", keep=events)
        self.assertEqual({e["request_id"] for e in events if e["type"] == "control_cancel_request"}, asked)

    def test_prompts_none_denies_without_asking(self):
        self.serve('reply\n  tool Bash {"command": "touch x"}\nreply forever\n  text "ok"\n')
        _, events = self.talk(user("go"), args=["--permission-prompt-tool=stdio", "--permission-prompts=none"])
        self.assertEqual([e for e in events if e["type"] == "control_request"], [])
        self.assertEqual(len(events[-1]["permission_denials"]), 1)
        self.assertFalse(os.path.exists(self.path("x")))


if __name__ == "__main__":
    unittest.main()
