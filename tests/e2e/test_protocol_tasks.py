"""Commands in the background and the copy of the transcript, as a host sees them."""

import glob
import json
import os
import unittest

from test_print_stream import Stream, control, user

ID = "11111111-2222-4333-8444-555555555555"


def subtypes(events):
    return [e.get("subtype") or e["type"] for e in events]


class Tasks(Stream):
    WAITS = ('reply\n  tool Bash {"command": "while [ ! -e go ]; do sleep 0.01; done; echo over", '
             '"run_in_background": true, "description": "Wait for go"}\n'
             'reply\n  text "Started."\n')

    def begin(self, script):
        self.serve(self.WAITS + script)
        self.open("--allowedTools", "Bash")
        self.send(user("go"))
        events = []
        self.assertEqual(self.wait_for("result", keep=events)["result"], "Started.")
        return events

    def test_a_command_in_the_background_is_announced_and_its_end_is_a_turn(self):
        events = self.begin('reply\n  expect request contains "has ended with exit code 0"\n'
                            '  text "It is over."\n')
        listed, = [e for e in events if e.get("subtype") == "background_tasks_changed"]
        started, = [e for e in events if e.get("subtype") == "task_started"]
        call, = [e["message"]["content"][0]["id"] for e in events if e["type"] == "assistant"
                 and e["message"]["content"][0]["type"] == "tool_use"]
        self.assertEqual(listed["tasks"], [{"task_id": started["task_id"], "task_type": "local_bash",
                                            "description": "Wait for go"}])
        self.assertEqual((started["tool_use_id"], started["description"]), (call, "Wait for go"))
        self.assertLess(subtypes(events).index("background_tasks_changed"),
                        subtypes(events).index("task_started"))
        self.assertNotIn("origin", events[-1])
        self.write("go", "")
        after = []
        result = self.wait_for("result", keep=after)
        self.assertEqual((result["result"], result["origin"]),
                         ("It is over.", {"kind": "task-notification"}))
        order = [s for s in subtypes(after) if "task" in s or s in ("init", "success")]
        self.assertEqual(order, ["task_updated", "task_notification", "background_tasks_changed",
                                 "init", "success"])
        updated, ended, listed = [e for e in after if "task" in (e.get("subtype") or "")]
        self.assertEqual(updated["patch"]["status"], "completed")
        self.assertEqual((ended["status"], ended["tool_use_id"]), ("completed", call))
        self.assertTrue(os.path.exists(ended["output_file"]))
        self.assertEqual(listed["tasks"], [])
        self.assertEqual(self.close()[0], 0)

    def test_the_user_can_write_to_an_agent(self):
        self.serve('reply when prompt contains "Look" and no tool_result\n  text "Looked."\n'
                   'reply when prompt contains "go"\n'
                   '  tool Agent {"description": "Look", "prompt": "Look", "name": "looker"}\n'
                   'reply when prompt contains "which file"\n  text "It is main.c."\n'
                   'reply forever\n  text "Over."\n')
        self.open()
        self.send(user("go"))
        events = []
        self.wait_for("result", keep=events)
        started, = [e for e in events if e.get("subtype") == "task_started"]
        self.send(control("message_task", 1, task_id=started["task_id"], message="which file"))
        self.assertEqual(self.wait_for("control_response")["response"]["subtype"], "success")
        ended = self.wait_for("system", "task_notification")
        self.assertEqual((ended["task_id"], ended["summary"]), (started["task_id"], "It is main.c."))
        for task, message in (("nobody", "hi"), ("looker", " "), ("looker", "x" * 20_000_000)):
            self.send(control("message_task", 2, task_id=task, message=message))
            self.assertEqual(self.wait_for("control_response")["response"]["subtype"], "error")
        self.assertEqual(self.close()[0], 0)

    def test_the_end_of_input_waits_for_a_command_that_ends(self):
        self.begin('reply\n  text "It is over."\n')
        self.process.stdin.close()
        self.write("go", "")
        rest = [json.loads(line) for line in self.process.stdout]
        self.assertEqual([e["result"] for e in rest if e["type"] == "result"], ["It is over."])
        self.assertEqual(self.process.wait(), 0)

    def test_a_command_that_does_not_end_is_ended_with_the_session(self):
        self.begin('reply forever\n  text "never"\n')
        status, rest = self.close()
        self.assertEqual((status, [e for e in rest if e["type"] == "result"]), (0, []))

    def test_a_task_that_the_host_stops_was_killed_and_causes_no_turn(self):
        events = self.begin('reply forever\n  text "never"\n')
        task, = [e["task_id"] for e in events if e.get("subtype") == "task_started"]
        self.send(control("stop_task", task_id=task))
        told = []
        reply = self.wait_for("control_response", keep=told)
        self.assertEqual(reply["response"]["response"], {})
        updated, ended, listed = told[:-1]
        self.assertEqual(subtypes(told[:-1]), ["task_updated", "task_notification", "background_tasks_changed"])
        self.assertEqual((updated["patch"]["status"], ended["status"]), ("killed", "stopped"))
        self.assertEqual(listed["tasks"], [])
        self.assertEqual([e for e in self.close()[1] if e["type"] == "result"], [])

    def test_an_agent_that_the_host_stops_is_over_when_the_request_is_answered(self):
        self.serve('reply when prompt contains "Look"\n  text "x"\n  stall forever\n'
                   'reply when prompt contains "go"\n'
                   '  tool Agent {"description": "Look", "prompt": "Look", "run_in_background": true}\n'
                   'reply forever\n  text "Over."\n')
        self.open()
        self.send(user("go"))
        told = []
        self.wait_for("result", keep=told)
        started, = [e for e in told if e.get("subtype") == "task_started"]
        told.clear()
        self.send(control("stop_task", task_id=started["task_id"]))
        self.assertEqual(self.wait_for("control_response", keep=told)["response"]["subtype"], "success")
        self.assertEqual([e["status"] for e in told if e.get("subtype") == "task_notification"], ["stopped"])
        self.assertEqual(self.close()[0], 0)

    def test_a_second_initialize_lists_the_tasks_again(self):
        self.serve('reply forever\n  text "ok"\n')
        _, events = self.talk(control("initialize", 1), control("initialize", 2))
        self.assertEqual(subtypes(events),
                         ["control_response", "control_response", "background_tasks_changed"])


class Mirror(Stream):
    def transcript(self, session=ID):
        path, = glob.glob(os.path.join(self.home, ".claude/projects/*", session + ".jsonl"))
        with open(path, encoding="utf-8") as file:
            return path, [json.loads(line) for line in file]

    def mirrored(self, events):
        frames = [e for e in events if e["type"] == "transcript_mirror"]
        self.assertEqual(len({f["filePath"] for f in frames}), 1)
        return frames[0]["filePath"], [entry for f in frames for entry in f["entries"]]

    def test_every_line_of_the_transcript_is_sent_before_the_result(self):
        self.serve('reply\n  tool Bash {"command": "echo hi"}\nreply forever\n  text "ok"\n')
        status, events = self.talk(user("one"), args=["--session-mirror", "--session-id", ID])
        self.assertEqual(status, 0)
        self.assertEqual(self.mirrored(events), self.transcript())
        last = max(i for i, e in enumerate(events) if e["type"] == "transcript_mirror")
        self.assertEqual([e["type"] for e in events[last + 1:]], ["result"])

    def test_nothing_is_sent_unless_asked_for_or_saved(self):
        self.serve('reply forever\n  text "ok"\n')
        for args in ([], ["--session-mirror", "--no-session-persistence"]):
            _, events = self.talk(user("one"), args=args)
            self.assertEqual([e for e in events if e["type"] == "transcript_mirror"], [])

    def test_a_forked_session_is_sent_from_its_beginning(self):
        self.serve('reply forever\n  text "ok"\n')
        self.talk(user("one"), args=["--session-id", ID])
        _, events = self.talk(user("two"), args=["--resume", ID, "--fork-session", "--session-mirror"])
        path, entries = self.mirrored(events)
        self.assertEqual((path, entries), self.transcript(events[-1]["session_id"]))

    def test_an_interrupted_turn_is_sent_too(self):
        self.serve('reply\n  text "x"\n  stall forever\n')
        self.open("--session-mirror", "--session-id", ID, "--include-partial-messages")
        self.send(user("one"))
        events = []
        self.wait_for("stream_event", keep=events)
        self.send(control("interrupt"))
        self.wait_for("result", keep=events)
        events += self.close()[1]
        self.assertEqual(self.mirrored(events), self.transcript())


if __name__ == "__main__":
    unittest.main()
