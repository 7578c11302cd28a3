"""What a host may send on standard input, and what becomes of it."""

import json
import os
import unittest

from test_print_stream import Stream, control, user

ONE = "00000000-0000-4000-8000-000000000001"
TWO = "00000000-0000-4000-8000-000000000002"
THREE = "00000000-0000-4000-8000-000000000003"


def of(events, kind):
    return [e for e in events if e["type"] == kind]


class Answers(Stream):
    ASKS = """\
reply when tool_error
  text "Refused."
reply when result_of contains Write
  text "Written."
reply
  tool Write {"file_path": "out.txt", "content": "asked\\n"}
"""

    def answered(self, make):
        """Asks, sends what `make` makes of the id, and returns the last text."""
        if os.path.exists(self.path("out.txt")):
            os.remove(self.path("out.txt"))
        self.serve(self.ASKS)
        self.open("--permission-prompt-tool", "stdio")
        self.send(user("go"))
        ask = self.wait_for("control_request")
        for line in make(ask["request_id"]):
            self.send(line)
        result = self.wait_for("result")["result"]
        self.assertEqual(self.close()[0], 0)
        return result

    def test_the_older_forms_of_an_answer_are_obeyed(self):
        self.assertEqual(self.answered(lambda i: [
            {"type": "control_response", "request_id": i, "response": {"subtype": "allow"}}]), "Written.")
        self.assertEqual(self.answered(lambda i: [
            {"type": "control_response", "request_id": i,
             "response": {"subtype": "deny", "message": "no"}}]), "Refused.")
        self.assertEqual(self.answered(lambda i: [
            {"type": "control_response", "response": {
                "subtype": "success", "request_id": i, "response": {"subtype": "allow"}}}]), "Written.")

    def test_an_empty_input_leaves_the_call_as_it_was(self):
        self.assertEqual(self.answered(lambda i: [
            {"type": "control_response", "response": {
                "subtype": "success", "request_id": i,
                "response": {"behavior": "allow", "updatedInput": {}, "updatedPermissions": []}}}]),
            "Written.")
        self.assertEqual(self.read("out.txt"), "asked\n")

    def test_an_answer_to_nothing_does_not_end_the_session(self):
        self.assertEqual(self.answered(lambda i: [
            {"type": "control_response"},
            {"type": "control_response", "response": None},
            {"type": "control_response", "response": {"subtype": "success"}},
            {"type": "control_response", "response": {"subtype": "success", "request_id": "who",
                                                      "response": {"behavior": "allow"}}},
            {"type": "control_cancel_request", "request_id": "who"},
            {"type": "control_cancel_request"},
            {"type": "control_response", "response": {"subtype": "success", "request_id": i,
                                                      "response": {"behavior": "allow"}}},
            {"type": "control_response", "response": {"subtype": "success", "request_id": i,
                                                      "response": {"behavior": "deny"}}}]),
            "Written.")


class Prompts(Stream):
    STALLS = 'reply\n  text "x"\n  stall forever\n'

    def test_later_waits_behind_the_others_and_for_the_end_of_the_turn(self):
        self.serve('reply\n  tool Bash {"command": "while [ ! -e go ]; do sleep 0.01; done"}\n'
                   'reply\n  expect request contains "second"\n  text "Two."\n'
                   'reply\n  expect prompt contains "the third"\n  text "Last."\n')
        self.open("--allowedTools", "Bash")
        self.send(user("first"))
        self.wait_for("assistant")
        self.send(user("the third", priority="later"))
        self.send(user("second"))
        self.send(control("get_settings"))
        self.wait_for("control_response")
        self.write("go", "")
        self.assertEqual(self.wait_for("result")["result"], "Two.")
        self.assertEqual(self.wait_for("result")["result"], "Last.")
        self.assertEqual(self.close()[0], 0)
        self.assertNotIn("the third", json.dumps(self.requests()[1]["messages"]))

    def test_now_ends_the_turn_without_a_mark_and_runs(self):
        self.serve(self.STALLS + 'reply\n  expect request contains "urgent"\n  text "Now."\n')
        self.open("--include-partial-messages")
        self.send(user("first"))
        self.wait_for("stream_event")
        self.send(user("urgent", priority="now"))
        result = self.wait_for("result")
        self.assertEqual((result["subtype"], result["terminal_reason"]),
                         ("error_during_execution", "aborted_streaming"))
        self.assertEqual(self.wait_for("result")["result"], "Now.")
        self.assertNotIn("interrupted by user", json.dumps(self.requests()[1]))
        self.assertEqual(self.close()[0], 0)

    def test_a_slash_that_the_host_composed_is_text(self):
        self.serve('reply\n  expect prompt contains "/help me"\n  text "Read."\n')
        _, events = self.talk(user("/help me", client_composed=True))
        self.assertEqual(events[-1]["result"], "Read.")
        self.assertNotIn("local_command", events[-1])

    def test_a_prompt_without_a_question_joins_the_next_one(self):
        self.serve('reply\n  expect request contains "by the way"\n  expect prompt contains "go"\n'
                   '  text "Both."\n')
        self.open()
        self.send(user("by the way", shouldQuery=False))
        first = self.wait_for("result")
        self.assertEqual((first["subtype"], first["num_turns"], first["result"]), ("success", 0, ""))
        self.send(user("go"))
        self.assertEqual(self.wait_for("result")["result"], "Both.")
        self.assertEqual((self.close()[0], len(self.requests())), (0, 1))

    def test_a_named_prompt_is_followed_to_its_end_and_named_in_the_reply(self):
        self.serve('reply\n  text "ok"\n')
        _, events = self.talk(user("hi", uuid=ONE), user("there", uuid=TWO),
                              args=["--include-partial-messages"])
        states = [(e["command_uuid"], e["state"]) for e in of(events, "command_lifecycle")]
        self.assertEqual([state for uuid, state in states if uuid == ONE],
                         ["queued", "started", "completed"])
        self.assertEqual([state for uuid, state in states if uuid == TWO],
                         ["queued", "started", "completed"])
        named = [e for e in events if "user_message_uuids" in e]
        self.assertEqual(sorted({e["type"] for e in named}), ["assistant", "result", "stream_event"])
        self.assertEqual(of(named, "result")[-1]["user_message_uuid"], TWO)
        self.assertEqual(of(named, "result")[-1]["user_message_uuids"], [ONE, TWO])
        self.assertEqual(len(of(named, "assistant")), 1)

    def test_a_prompt_without_a_name_is_not_followed(self):
        self.serve('reply\n  text "ok"\n')
        _, events = self.talk(user("hi", uuid="no uuid"))
        self.assertEqual(of(events, "command_lifecycle"), [])
        self.assertFalse([e for e in events if "user_message_uuid" in e])

    def test_results_count_themselves_and_what_waits(self):
        self.serve(self.STALLS + 'reply forever\n  text "ok"\n')
        self.open("--include-partial-messages")
        self.send(user("one"))
        self.wait_for("stream_event")
        self.send(user("two"))
        self.send(control("interrupt"))
        first, second = self.wait_for("result"), self.wait_for("result")
        self.assertEqual((first["result_index"], first["queued_turn_count"]), (0, 1))
        self.assertEqual((second["result_index"], second["queued_turn_count"]), (1, 0))

    def test_an_interrupt_says_what_still_waits(self):
        self.serve(self.STALLS + 'reply forever\n  text "ok"\n')
        self.open("--include-partial-messages")
        self.send(control("interrupt", 0))
        self.assertEqual(self.wait_for("control_response")["response"]["response"],
                         {"still_queued": []})
        self.send(user("one", uuid=ONE))
        self.wait_for("stream_event")
        self.send(user("two", uuid=TWO))
        self.send(user("nameless"))
        self.send(control("interrupt"))
        self.assertEqual(self.wait_for("control_response")["response"]["response"],
                         {"still_queued": [TWO]})
        self.assertEqual(self.wait_for("result")["terminal_reason"], "aborted_streaming")
        self.assertEqual(self.wait_for("result")["user_message_uuids"], [TWO])
        self.assertEqual(self.close()[0], 0)

    def test_an_interrupt_may_drop_what_waits(self):
        self.serve(self.STALLS + 'reply forever\n  text "ok"\n')
        self.open("--include-partial-messages")
        self.send(user("one", uuid=ONE))
        self.wait_for("stream_event")
        for message in (user("two", uuid=TWO), user("three", uuid=THREE), user("nameless")):
            self.send(message)
        self.send(control("interrupt", cancel_queued=True))
        events = []
        reply = self.wait_for("control_response", keep=events)
        self.assertEqual(reply["response"]["response"],
                         {"still_queued": [], "cancelled": [TWO, THREE]})
        self.assertEqual([e["command_uuid"] for e in events if e.get("state") == "cancelled"],
                         [THREE, TWO])
        self.assertEqual(self.wait_for("result")["terminal_reason"], "aborted_streaming")
        self.assertEqual([e for e in self.close()[1] if e["type"] == "result"], [])
        self.assertEqual(len(self.requests()), 1)

    def test_one_waiting_prompt_can_be_withdrawn(self):
        self.serve(self.STALLS + 'reply forever\n  text "ok"\n')
        self.open("--include-partial-messages", "--session-id", THREE)
        self.send(user("one", uuid=ONE))
        self.wait_for("stream_event")
        self.send(user("two", uuid=TWO))
        for uuid, cancelled in ((TWO, True), (TWO, False), (ONE, False), ("", False)):
            self.send(control("cancel_async_message", message_uuid=uuid))
            self.assertEqual(self.wait_for("control_response")["response"]["response"],
                             {"cancelled": cancelled})
        self.process.kill()
        self.process.communicate()
        _, events = self.talk(user("again"), args=("--resume", THREE))
        self.assertNotIn("still queued", json.dumps(events))

    def test_ten_thousand_prompts_that_wait_are_one_turn(self):
        self.serve(self.STALLS + 'reply\n  expect request contains "number 9999"\n  text "All."\n')
        self.open("--include-partial-messages")
        self.send(user("first"))
        self.wait_for("stream_event")
        lines = b"".join(json.dumps(user(f"number {i}")).encode() + b"\n" for i in range(10000))
        self.process.stdin.write(lines)
        self.send(control("interrupt"))
        self.assertEqual(self.wait_for("result")["queued_turn_count"], 10000)
        self.assertEqual(self.wait_for("result")["result"], "All.")
        self.assertEqual(self.close()[0], 0)

    def test_the_end_of_input_in_each_state_ends_in_order(self):
        for more in ([], [user("two")], [control("interrupt")], [control("get_settings")]):
            self.serve('reply forever\n  text "ok"\n')
            status, events = self.talk(user("one"), *more)
            self.assertEqual(status, 1 if of(events, "result")[-1]["is_error"] else 0)
            self.assertEqual(events[-1]["type"], "result")

    def test_variables_and_keep_alives_are_taken_and_change_nothing(self):
        self.serve('reply\n  tool Bash {"command": "echo [$WHO]"}\n'
                   'reply\n  expect request contains "[]"\n  text "ok"\n')
        status, _ = self.talk({"type": "update_environment_variables", "variables": {"WHO": "me"}},
                              {"type": "keep_alive"}, user("hi"), args=["--allowedTools", "Bash"])
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
