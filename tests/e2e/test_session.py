"""Conversations that go on: by id, the newest one, forked, cut, or not kept at all."""

import glob
import json
import os
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
        self.assertNotIn(self.ask("gamma", "-c")["session_id"], (ID, OTHER))
        self.assertEqual(self.said(), ["gamma"])

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
