"""Conversations that go on: by id, the newest one, forked, cut, or not kept at all."""

import glob
import json
import os
import re
import subprocess
import unittest

from rig import Modelled

ID = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"


class Session(Modelled):
    def ask(self, *args):
        ran = self.print(*args, "--output-format", "json")
        self.stderr = ran.stderr
        self.status = ran.returncode
        return json.loads(ran.stdout)

    def transcripts(self):
        return sorted(glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl")))

    def said(self):
        """What the user has said in the last request, first to last."""
        text = json.dumps(self.requests()[-1]["messages"])
        return [word for word in ("alpha", "beta", "gamma") if word in text]

    def records(self, path):
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def setUp(self):
        super().setUp()
        self.serve('reply forever\n  text "ok"\n')

    def put_interrupted(self, *last):
        """A session that ended in the middle of a turn."""
        project = os.path.join(self.home, ".claude/projects", re.sub("[^A-Za-z0-9]", "-", os.path.realpath(self.cwd)))
        os.makedirs(project)
        parent = None
        with open(os.path.join(project, ID + ".jsonl"), "w", encoding="utf-8") as file:
            for n, (role, content) in enumerate((("user", "alpha"), *last)):
                uuid = f"{n:08x}-2222-4333-8444-555555555555"
                file.write(json.dumps({"parentUuid": parent, "isSidechain": False, "sessionId": ID, "type": role, "uuid": uuid,
                                       "cwd": self.cwd, "timestamp": "2026-11-15T09:08:10.730Z",
                                       "message": {"id": "m", "role": role, "content": content}}) + "\n")
                parent = uuid

    CALL = [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/x"}}]
    RESULT = [{"type": "tool_result", "tool_use_id": "t1", "content": "beta"}]
    CONTINUE = "Continue from where you left off."

    def test_the_model_continues_a_turn_that_was_interrupted(self):
        self.put_interrupted(("assistant", self.CALL), ("user", self.RESULT))
        self.ask("gamma", "--resume", ID)
        self.assertIn(self.CONTINUE, json.dumps(self.requests()[-1]["messages"]))
        self.assertEqual(self.said(), ["alpha", "beta", "gamma"])
        self.ask("once more", "--resume", ID)
        self.assertEqual(json.dumps(self.requests()[-1]["messages"]).count(self.CONTINUE), 1)

    def test_an_interrupted_turn_is_continued_at_once_if_the_host_wants_that(self):
        self.put_interrupted()
        process = self.start("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                             "--resume", ID, stdin=subprocess.PIPE, CLAUDE_CODE_RESUME_INTERRUPTED_TURN="1")
        lines = iter(process.stdout.readline, b"")
        result = next(json.loads(line) for line in lines if b'"type":"result"' in line)
        self.assertEqual(result["result"], "ok")
        self.assertEqual(self.said(), ["alpha"])
        self.assertNotIn(self.CONTINUE, json.dumps(self.requests()[-1]["messages"]))

    def test_tool_results_without_an_answer_are_continued_at_once_if_the_host_wants_that(self):
        self.put_interrupted(("assistant", self.CALL), ("user", self.RESULT))
        process = self.start("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                             "--resume", ID, stdin=subprocess.PIPE, CLAUDE_CODE_RESUME_INTERRUPTED_TURN="1")
        lines = iter(process.stdout.readline, b"")
        self.assertEqual(next(json.loads(line) for line in lines if b'"type":"result"' in line)["result"], "ok")
        self.assertEqual(json.dumps(self.requests()[-1]["messages"]).count(self.CONTINUE), 1)

    def test_a_session_has_the_id_it_was_given_and_goes_on_by_it(self):
        self.assertEqual(self.ask("alpha", "--session-id", ID)["session_id"], ID)
        self.assertEqual([os.path.basename(path) for path in self.transcripts()], [ID + ".jsonl"])
        again = self.ask("beta", "--resume", ID)
        self.assertEqual((again["session_id"], self.said()), (ID, ["alpha", "beta"]))
        self.assertEqual(len(self.transcripts()), 1)
        self.assertEqual(self.ask("gamma", f"-r{ID}")["session_id"], ID)
        self.assertEqual(self.said(), ["alpha", "beta", "gamma"])

    def test_a_session_goes_on_by_the_name_it_was_given(self):
        named = self.ask("alpha", "--name", "The long one")["session_id"]
        self.ask("other")
        again = self.ask("beta", "--resume", "the long one")
        self.assertEqual((again["session_id"], self.said()), (named, ["alpha", "beta"]))

    def test_costs_go_on_with_the_session(self):
        first = self.ask("alpha", "--session-id", ID)["total_cost_usd"]
        second = self.ask("beta", "--resume", ID)["total_cost_usd"]
        self.assertGreater(second, first)

    def test_continue_takes_the_newest_of_this_directory(self):
        self.ask("alpha", "--session-id", ID)
        self.ask("beta", "--session-id", OTHER)
        self.assertEqual(self.ask("gamma", "--continue")["session_id"], OTHER)
        self.assertEqual(self.said(), ["beta", "gamma"])
        os.mkdir(self.path("elsewhere"))
        self.cwd = self.path("elsewhere")
        sent = len(self.requests())
        result = self.ask("gamma", "-c")
        self.assertEqual((self.status, result["errors"]), (1, ["No conversation found to continue"]))
        ran = self.print("gamma", "-c")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr),
                         (1, b"", b"awl: No conversation found to continue\n"))
        terminal = self.terminal("--plain", "-c", env=self.modelled())
        self.assertEqual(terminal.wait_end(), 1)
        self.assertIn("No conversation found to continue", terminal.text())
        self.assertEqual(len(self.requests()), sent)

    def test_to_continue_and_to_resume_contradict_each_other(self):
        self.ask("alpha", "--session-id", ID)
        ran = self.print("hi", "--continue", "--resume", ID)
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"use either --continue or --resume, not both", ran.stderr)

    def clear(self, *prompts, args=()):
        """The results of prompts to one session, which has /clear among them."""
        process = self.start("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                             "--model", "claude-haiku-4-5", *args, stdin=subprocess.PIPE)
        results = []
        for prompt in prompts:
            message = {"type": "user", "message": {"role": "user", "content": prompt}}
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            lines = iter(lambda: json.loads(process.stdout.readline()), None)
            results.append(next(line for line in lines if line["type"] == "result"))
        return results

    def test_clear_starts_anew_and_the_old_conversation_stays(self):
        first, cleared, second = self.clear("alpha", "/clear", "beta")
        self.assertEqual(self.said(), ["beta"])
        self.assertNotEqual(first["session_id"], second["session_id"])
        self.assertIn(f"awl --resume {first['session_id']}", cleared["result"])
        self.ask("gamma", "--resume", first["session_id"])
        self.assertEqual(self.said(), ["alpha", "gamma"])

    def test_what_is_spent_stays_spent_after_clear(self):
        self.serve('reply forever\n  text "ok"\n  usage input=100000 output=1\n')  # $0.10
        results = self.clear("alpha", "/clear", "beta", "gamma", args=("--max-budget-usd", "0.15"))
        self.assertEqual(results[-1]["subtype"], "error_max_budget_usd")
        self.assertEqual(len(self.requests()), 2)

    def test_a_file_that_was_read_before_clear_has_to_be_read_again(self):
        path = self.write("a.txt", "one\n")
        self.serve(f'reply when prompt contains alpha\n  tool Read {{"file_path": "{path}"}}\n'
                   'reply when prompt contains beta\n'
                   f'  tool Edit {{"file_path": "{path}", "old_string": "one", "new_string": "two"}}\n'
                   'reply forever\n  text "ok"\n')
        self.clear("alpha", "/clear", "beta", args=("--permission-mode", "acceptEdits"))
        self.assertEqual(self.read("a.txt"), "one\n")
        self.assertIn("read", json.dumps(self.requests()[-1]["messages"][-1]))

    def test_a_fork_leaves_the_old_one_as_it_was(self):
        self.ask("alpha", "--session-id", ID)
        old = self.transcripts()[0]
        before = self.records(old)
        fork = self.ask("beta", "--resume", ID, "--fork-session")
        self.assertNotEqual(fork["session_id"], ID)
        self.assertEqual(self.said(), ["alpha", "beta"])
        self.assertEqual(self.records(old), before)
        self.assertEqual(len(self.transcripts()), 2)
        self.assertEqual(self.ask("gamma", "--resume", ID, "--fork-session", "--session-id",
                                  OTHER)["session_id"], OTHER)

    def open_elsewhere(self):
        """Another awl that has the session open until the returned process is ended."""
        other = self.start("-p", "--input-format", "stream-json", "--output-format", "stream-json",
                           "--verbose", "--resume", ID, stdin=subprocess.PIPE)
        self.talk(other, "beta")
        return other

    def talk(self, process, text):
        line = {"type": "user", "message": {"role": "user", "content": text}}
        process.stdin.write(json.dumps(line).encode() + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            event = json.loads(line)
            if event["type"] == "result":
                return event
        self.fail("it ended without a result")

    def test_a_session_that_is_open_elsewhere_is_forked_and_that_is_said(self):
        self.ask("alpha", "--session-id", ID)
        other = self.open_elsewhere()
        for args in (["--resume", ID], ["--continue"]):
            fork = self.ask("gamma", *args)
            self.assertNotEqual(fork["session_id"], ID)
            self.assertEqual((fork["awl_forked_from"], self.status), (ID, 0))
            self.assertEqual(self.said(), ["alpha", "beta", "gamma"])
            self.assertIn(f"{ID} is open in another process".encode(), self.stderr)
            self.assertIn(fork["session_id"].encode(), self.stderr)
            os.unlink(self.transcripts()[[ID in path for path in self.transcripts()].index(False)])
        self.talk(other, "delta")
        self.end(other)
        again = self.ask("gamma", "--resume", ID)
        self.assertEqual((again["session_id"], self.said()), (ID, ["alpha", "beta", "gamma"]))
        self.assertNotIn("awl_forked_from", again)

    def test_a_person_learns_of_the_copy_before_the_first_prompt(self):
        self.ask("alpha", "--session-id", ID)
        self.open_elsewhere()
        terminal = self.terminal("--plain", "--continue", env=self.modelled(), cols=200)
        terminal.wait_for("is open in another process, so this is a copy of it")
        terminal.wait_for("\n>")

    def test_two_that_talk_at_once_lose_nothing(self):
        """Both continue the same session, again and again; one of them in a copy."""
        self.ask("alpha", "--session-id", ID)
        said = {}
        for i in range(10):
            both = [self.start("-p", f"word-{i}-{k}", "--resume", ID, "--output-format", "json")
                    for k in range(2)]
            for k, process in enumerate(both):
                out, err = process.communicate(timeout=120)
                self.assertEqual(process.returncode, 0, err)
                said.setdefault(json.loads(out)["session_id"], []).append(f"word-{i}-{k}")
        self.assertEqual(sum(map(len, said.values())), 20)
        for session, words in said.items():
            self.ask("gamma", "--resume", session)
            sent = json.dumps(self.requests()[-1]["messages"])
            self.assertEqual([word for word in words if f'"{word}"' not in sent], [])

    def test_a_session_goes_on_from_an_earlier_record(self):
        self.ask("alpha", "--session-id", ID)
        self.ask("beta", "--resume", ID)
        answers = [r["uuid"] for r in self.records(self.transcripts()[0]) if r["type"] == "assistant"]
        self.ask("gamma", "--resume", ID, "--resume-session-at", answers[0])
        self.assertEqual(self.said(), ["alpha", "gamma"])

    def test_nothing_is_kept_when_asked_for(self):
        self.ask("alpha", "--no-session-persistence")
        self.assertEqual(self.transcripts(), [])

    def test_an_id_that_is_in_use_is_refused(self):
        self.ask("alpha", "--session-id", ID)
        for args in (["--session-id", ID], ["--session-id", OTHER, "--resume", ID]):
            ran = self.print("beta", *args)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertNotEqual(ran.stderr, b"")
        os.mkdir(self.path("elsewhere"))
        self.cwd = self.path("elsewhere")
        ran = self.print("beta", "--session-id", ID)
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"is already in use; use --resume", ran.stderr)

    def test_an_unknown_session_is_a_result_in_json_and_a_complaint_in_text(self):
        for form in (["json"], ["stream-json", "--verbose"]):
            ran = self.print("hi", "--resume", OTHER, "--output-format", *form)
            result = json.loads(ran.stdout)
            self.assertEqual((ran.returncode, result["subtype"], result["is_error"],
                              result["num_turns"], result["duration_ms"], result["total_cost_usd"]),
                             (1, "error_during_execution", True, 0, 0, 0))
            self.assertIn(OTHER, result["errors"][0])
            self.assertEqual(result["session_id"], OTHER)
        ran = self.print("hi", "--resume", OTHER)
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(OTHER.encode(), ran.stderr)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())

    def test_another_mistake_beside_resume_is_no_result(self):
        ran = self.print("hi", "--resume", OTHER, "--output-format", "json", "--effort", "huge")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"huge", ran.stderr)

    def test_records_tell_who_used_awl(self):
        self.print("alpha", "--session-id", ID)
        self.print("alpha", "--session-id", OTHER, CLAUDE_CODE_ENTRYPOINT="sdk-ts")
        entrypoints = [{r["entrypoint"] for r in self.records(path) if "entrypoint" in r}
                       for path in self.transcripts()]
        self.assertEqual(entrypoints, [{"sdk-cli"}, {"sdk-ts"}])


if __name__ == "__main__":
    unittest.main()
