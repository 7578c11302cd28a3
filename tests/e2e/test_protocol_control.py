"""Control requests of a host: what each answers, idle and while a turn runs."""

import base64
import json
import os
import unittest

from test_print_stream import Stream, control, user

RUNS = 'reply\n  tool Bash {"command": "echo begun; while [ ! -e go ]; do sleep 0.01; done; echo over"}\n'


class Requests(Stream):
    number = 0

    def ask(self, subtype, **more):
        """Sends a request and returns its response; events on the way are in self.before."""
        self.number += 1
        self.send(control(subtype, self.number, **more))
        self.before = []
        while True:
            reply = self.wait_for("control_response", keep=self.before)["response"]
            if reply["request_id"] == f"r{self.number}":
                return reply

    def get(self, subtype, **more):
        reply = self.ask(subtype, **more)
        self.assertEqual(reply["subtype"], "success", reply)
        return reply.get("response")

    def refused(self, subtype, **more):
        reply = self.ask(subtype, **more)
        self.assertEqual(reply["subtype"], "error", reply)
        return reply["error"]


class McpCalls(Requests):
    def test_files_in_a_call_are_refused_rather_than_ignored(self):
        self.serve("")
        self.open()
        for files in ({"input_files": {"a": "/x"}}, {"output_files": ["b"]}):
            self.assertIn("not supported yet", self.refused("mcp_call", tool="mcp__a__b", **files))
        self.assertIn("no such MCP tool", self.refused("mcp_call", tool="mcp__a__b", input_files={}))
        self.assertEqual(self.close()[0], 0)


class Files(Requests):
    def setUp(self):
        super().setUp()
        self.serve('reply forever\n  text "ok"\n')

    def test_a_file_is_read_within_the_rules(self):
        self.write("a.txt", "hello\n")
        with open(self.path("b.bin"), "wb") as file:
            file.write(b"\xff\x00x")
        self.open("--disallowedTools", "Read(./secret)")
        self.write("secret", "no\n")
        real = os.path.realpath(self.path("a.txt"))
        self.assertEqual(self.get("read_file", path="a.txt"),
                         {"contents": "hello\n", "absPath": real, "lossy": False})
        self.assertEqual(self.get("read_file", path=real, max_bytes=2),
                         {"contents": "he", "absPath": real, "truncated": True, "lossy": False})
        self.assertTrue(self.get("read_file", path="b.bin")["lossy"])
        told = self.get("read_file", path="b.bin", encoding="base64")
        self.assertEqual((base64.b64decode(told["contents"]), told["encoding"]), (b"\xff\x00x", "base64"))
        self.assertIn("may not be read", self.refused("read_file", path="secret"))
        self.assertIn("may not be read", self.refused("read_file", path="/etc/passwd"))
        self.assertIn("nowhere", self.refused("read_file", path="nowhere"))
        self.refused("read_file", path=".")
        self.refused("read_file")

    def suggested(self, query):
        return [item["path"] for item in self.get("file_suggestions", query=query)["suggestions"]]

    def test_a_command_of_the_user_suggests_files(self):
        command = "cat > query.json; seq -f name-%g 20"
        self.open("--settings", json.dumps({"fileSuggestion": {"type": "command", "command": command}}))
        told = self.suggested("na")
        self.assertEqual(told, [f"name-{i}" for i in range(1, 16)])
        self.assertEqual(json.loads(self.read("query.json")), {"query": "na"})

    def test_files_are_suggested_the_best_first(self):
        for name in ("main.c", "main_test.c", "README", "domain.h"):
            self.write(name, "")
        os.mkdir(self.path("sub"))
        self.write("sub/main.py", "")
        self.write(".gitignore", "*.o\n")
        self.write("main.o", "")
        self.open()
        self.assertEqual(self.suggested("main"), ["main.c", "main_test.c", "sub/main.py", "domain.h"])
        self.assertEqual(self.get("file_suggestions", query="main")["cwd"], os.path.realpath(self.cwd))
        self.assertEqual(self.suggested("sub/m"), ["sub/main.py"])
        self.assertEqual(self.suggested("RDM"), ["README"])
        self.assertEqual(self.suggested("zzz"), [])
        self.assertIn("sub/", self.suggested(""))

    def test_a_root_must_be_below_a_working_directory(self):
        os.mkdir(self.path("sub"))
        self.write("file", "")
        self.open()
        self.assertEqual(self.get("register_repo_root", directory="sub"), {})
        self.assertIn("not below", self.refused("register_repo_root", directory="/etc"))
        self.assertIn("not below", self.refused("register_repo_root", directory="."))
        self.assertIn("not a directory", self.refused("register_repo_root", directory="file"))


class Seeded(Requests):
    EDITS = ('reply when tool_error\n  text "Refused."\nreply when result_of contains Edit\n'
             '  text "Edited."\n'
             'reply\n  tool Edit {"file_path": "a.txt", "old_string": "x", "new_string": "y"}\n')

    def edited(self, mtime_ms):
        self.write("a.txt", "x\n")
        self.serve(self.EDITS)
        self.open("--permission-mode", "acceptEdits")
        changed = os.stat(self.path("a.txt")).st_mtime_ns // 1000000
        self.assertIsNone(self.get("seed_read_state", path="a.txt", mtime=changed + mtime_ms))
        self.send(user("go"))
        result = self.wait_for("result")["result"]
        self.close()
        return result

    def test_a_file_that_the_host_vouches_for_may_be_edited(self):
        self.assertEqual(self.edited(0), "Edited.")

    def test_a_file_that_has_changed_since_may_not(self):
        self.assertEqual(self.edited(-60000), "Refused.")


class Sessions(Requests):
    ID = "11111111-2222-4333-8444-555555555555"

    def test_a_session_is_renamed_by_its_host(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open("--session-id", self.ID)
        self.send(user("hi"))
        self.wait_for("result")
        self.assertIsNone(self.get("rename_session", title="  A title ", session_id=self.ID))
        self.assertIn("empty", self.refused("rename_session", title=" "))
        self.assertIn("not 99", self.refused("rename_session", title="x", session_id="99"))
        self.assertEqual(self.close()[0], 0)
        status, _ = self.talk(user("more"), args=("--resume", "A title"))
        self.assertEqual(status, 0)

    def test_what_was_used_is_told(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        told = self.get("get_usage")
        self.assertEqual(told["session"]["model_usage"], {})
        self.send(user("hi"))
        result = self.wait_for("result")
        told = self.get("get_usage", skip_behaviors=True)
        self.assertEqual(told["session"]["total_cost_usd"], result["total_cost_usd"])
        self.assertEqual(told["session"]["model_usage"], result["modelUsage"])
        self.assertEqual((told["subscription_type"], told["rate_limits_available"],
                          told["rate_limits"], told["behaviors"]), (None, False, None, None))
        self.assertIn("Cost", self.get("get_session_cost")["text"])
        self.assertTrue(self.get("get_binary_version")["version"])
        labels = {item["label"] for item in self.get("get_status")["sections"][0]["rows"]}
        self.assertLessEqual({"Version", "Session ID", "Model"}, labels)
        self.assertEqual(self.get("reload_output_styles"),
                         {"available_output_styles": ["default", "Proactive", "Concise", "Explanatory", "Learning"]})
        self.assertIsNone(self.get("set_has_subscribers", has_subscribers=False))

    def test_models_the_plan_and_a_title_are_told(self):
        self.serve('reply when request contains "a parser for dates"\n  text "Parse dates"\n'
                   'reply\n  tool ExitPlanMode {"plan": "1. Look."}\nreply forever\n  text "ok"\n')
        self.open("--permission-mode", "plan", "--permission-prompt-tool", "stdio")
        models = self.get("list_models")["models"]
        self.assertEqual((models[0]["value"], "resolvedModel" in models[0]), ("default", True))
        self.assertEqual(self.get("get_plan"), {"exists": False})
        self.assertEqual(self.get("generate_session_title", description="a parser for dates"), {"title": "Parse dates"})
        self.send(user("go"))
        asked = self.wait_for("control_request")
        self.send({"type": "control_response", "response": {"subtype": "success", "request_id": asked["request_id"],
                                                            "response": {"behavior": "allow"}}})
        self.wait_for("result")
        plan = self.get("get_plan")
        self.assertEqual((plan["exists"], plan["plan"], plan["filePath"]),
                         (True, "1. Look.", asked["request"]["input"]["planFilePath"]))

    def test_a_host_writes_only_the_settings_it_may(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open("--model", "claude-opus-5-5")
        self.assertEqual(self.get("update_settings", source="userSettings",
                                  settings={"effortLevel": "high"}), {})
        with open(os.path.join(self.home, ".claude/settings.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file),
                             {"modelSettings": {"claude-opus-5-5": {"effortLevel": "high"}}})
        for source, settings in (("localSettings", {"permissions": {"allow": ["Bash"]}}),
                                 ("userSettings", {"outputStyle": "x"}), ("localSettings", {"outputStyle": "x"}),
                                 ("policySettings", {}), ("userSettings", []),
                                 ("userSettings", {"effortLevel": "huge"})):
            self.refused("update_settings", source=source, settings=settings)

    def test_the_host_ends_the_session(self):
        self.serve('reply\n  text "x"\n  stall forever\n')
        self.open("--include-partial-messages")
        self.send(user("go"))
        self.wait_for("stream_event")
        self.send(user("never"))
        self.assertIsNone(self.get("end_session"))
        rest = [json.loads(line) for line in self.process.stdout]
        self.assertEqual(len([e for e in rest if e["type"] == "result"]), 1)
        self.assertEqual(rest[-1].get("subtype"), "worker_shutting_down")
        self.assertEqual(self.process.wait(), 0)
        self.assertEqual(len(self.requests()), 1)

    def test_an_idle_session_is_ended_too(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        self.assertIsNone(self.get("end_session"))
        self.assertEqual(self.process.wait(), 0)


class Beside(Requests):
    def test_a_question_beside_the_conversation_leaves_no_trace(self):
        self.serve('reply when prompt contains "what did I say"\n  expect request contains "my name is Ada"\n'
                   '  text "Your name."\nreply forever\n  text "ok"\n')
        self.open()
        self.send(user("my name is Ada"))
        self.wait_for("result")
        told = self.get("side_question", question="what did I say")
        self.assertEqual(told, {"response": "Your name.", "synthetic": False})
        progress, = [e for e in self.before if e.get("subtype") == "control_request_progress"]
        self.assertEqual((progress["request_id"], progress["status"]), ("r1", "started"))
        self.assertIn("empty", self.refused("side_question", question=" "))
        self.send(user("go on"))
        self.wait_for("result")
        self.assertNotIn("what did I say", json.dumps(self.requests()[-1]))
        self.assertEqual(self.close()[0], 0)

    def test_a_question_beside_the_conversation_survives_an_overload(self):
        self.serve('fail 529 overloaded_error "Busy" retry-after=0\nreply forever\n  text "Ada."\n')
        self.open()
        self.assertEqual(self.get("side_question", question="who am I")["response"], "Ada.")
        started, retry = [e for e in self.before if e.get("subtype") == "control_request_progress"]
        self.assertEqual((started["status"], retry["status"], retry["request_id"]), ("started", "api_retry", "r1"))
        self.assertEqual((retry["attempt"], retry["max_retries"], retry["error_status"]), (1, 10, 529))
        self.assertEqual(self.close()[0], 0)

    def test_a_question_that_is_withdrawn_has_no_answer(self):
        self.serve('reply\n  text "x"\n  stall forever\n')
        self.open()
        self.send(control("side_question", 7, question="hm"))
        self.wait_for("system", "control_request_progress")
        self.send({"type": "control_cancel_request", "request_id": "r7"})
        self.get("get_settings")
        status, rest = self.close()
        self.assertEqual((status, [e for e in rest if e["type"] == "control_response"]), (0, []))


class Tasks(Requests):
    def test_a_running_command_is_moved_to_the_background_and_read_there(self):
        self.serve(RUNS + 'reply\n  text "Moved."\nreply forever\n  text "ok"\n')
        self.open("--allowedTools", "Bash")
        self.send(user("go"))
        call = self.wait_for("assistant")["message"]["content"][0]["id"]
        self.assertEqual(self.get("background_tasks", tool_use_id="nobody"), {"backgrounded": False})
        while self.get("background_tasks", tool_use_id=call) != {}:
            pass  # it has not begun to run yet
        result = next(e for e in self.events_until("result") if e["type"] == "user")
        task = result["tool_use_result"]["backgroundTaskId"]
        self.assertIn("moved it to the background", result["message"]["content"][0]["content"])
        while (told := self.get("get_task_output", task_id=task))["output"] == "":
            pass  # it has not been read yet
        self.assertEqual(told, {"output": "begun\n", "total_bytes": 6, "truncated": False})
        self.assertIn("no task", self.refused("get_task_output", task_id="bash_99"))
        self.assertEqual(self.get("stop_task", task_id=task), {})
        self.assertEqual(self.get("stop_task", task_id="bash_99"), {})
        self.assertEqual(self.close()[0], 0)

    def events_until(self, kind):
        events = list(self.before)
        if not [e for e in events if e["type"] == kind]:
            self.wait_for(kind, keep=events)
        return events


class Wrong(Requests):
    def test_what_has_no_meaning_here_is_refused_with_the_code_for_that(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        for subtype in ("set_color", "set_cwd",
                        "claim_session", "remote_control", "elicitation", "request_user_dialog",
                        "nonsense", ""):
            reply = self.ask(subtype)
            self.assertEqual((reply["subtype"], reply["error"], reply["error_code"]),
                             ("error", f"Unsupported control request subtype: {subtype}",
                              "unsupported_request"))

    def test_the_same_id_twice_is_two_requests(self):
        self.serve('reply forever\n  text "ok"\n')
        _, events = self.talk(control("get_binary_version", 1), control("get_binary_version", 1))
        self.assertEqual([e["response"]["request_id"] for e in events], ["r1", "r1"])

    def test_members_of_the_wrong_type_never_end_the_session(self):
        self.serve('reply forever\n  text "ok"\n')
        self.open()
        for subtype in ("read_file", "seed_read_state", "file_suggestions", "get_task_output",
                        "background_tasks", "rename_session", "update_settings", "side_question",
                        "cancel_async_message", "interrupt", "register_repo_root"):
            for value in (7, None, [], {}, True, "\x00", "x" * 5000):
                self.ask(subtype, path=value, query=value, task_id=value, tool_use_id=value, title=value,
                         source=value, settings=value, message_uuid=value, cancel_queued=value,
                         directory=value, mtime=value, max_bytes=value,
                         question="" if isinstance(value, str) else value)
        self.assertEqual(self.close()[0], 0)


if __name__ == "__main__":
    unittest.main()
