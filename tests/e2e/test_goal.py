"""A goal in print mode and from a host: the small model judges at the end of each turn."""

import json
import time

from test_agent_sdk import Hosted

JUDGED = r"""
reply
  text "I built it."
reply
  text "{\"ok\":false,\"reason\":\"The tests were not run.\"}"
reply
  tool Bash {"command": "echo $((6 + 6)) tests pass"}
reply
  text "All tests pass."
reply
  text "{\"ok\":true,\"reason\":\"12 tests pass.\"}"
"""


class Goals(Hosted):
    def judged(self):
        """What the judge has read."""
        return [json.loads(request["messages"][0]["content"][0]["text"]) for request in self.requests()
                if "You judge whether" in json.dumps(request.get("system", ""))]

    def test_a_script_gets_the_answer_when_it_is_met(self):
        self.serve(JUDGED)
        ran = self.print("/goal the tests pass", "--allowed-tools", "Bash")
        self.assertEqual((ran.returncode, ran.stdout.strip()), (0, b"All tests pass."))
        first, second = self.judged()
        self.assertEqual(first["goal"], "the tests pass")
        self.assertEqual(first["conversation"][-1], {"from": "agent", "text": "I built it."})
        self.assertIn("The tests were not run.", second["conversation"][-4]["text"])
        self.assertEqual(second["conversation"][-3]["call"], "Bash")
        self.assertEqual(second["conversation"][-2], {"from": "user", "result": "12 tests pass"})

    def test_a_host_sets_it_sees_it_and_removes_it(self):
        seen = self.host('reply\n  text "Built."\nreply\n  text "Hm."\n',
                         steps=[{"say": "/goal the tests pass"}, {"wait": "result"}, {"say": "/goal"},
                                {"wait": "result"}, {"say": "/goal clear"}, {"wait": "result"}])
        texts = [result["result"] for result in seen.of("result")]
        self.assertEqual(texts[0], "Built.")
        self.assertIn("Goal: the tests pass\n0 rounds", texts[1])
        self.assertEqual(texts[2], "Goal removed: the tests pass")

    def test_a_host_is_told_when_it_is_set_judged_met_and_removed(self):
        before = int(time.time() * 1000)
        seen = self.host(JUDGED, steps=[{"say": "/goal the tests pass"}, {"wait": "result"}],
                         allowedTools=["Bash"])
        values = [message["value"] for message in seen.of("active_goal")]
        self.assertEqual(len(values), 3)
        self.assertGreaterEqual(values[0].pop("set_at"), before)
        self.assertEqual(values[0], {"condition": "the tests pass", "iterations": 0, "tokens_at_start": 0})
        self.assertEqual((values[1]["iterations"], values[1]["last_reason"]), (1, "The tests were not run."))
        self.assertIsNone(values[2])
        seen = self.host('reply\n  text "Built."\nreply\n  text "Hm."\n',
                         steps=[{"say": "/goal a"}, {"wait": "result"}, {"say": "/goal clear"},
                                {"wait": "result"}, {"say": "/goal b"}, {"wait": "result"}, {"say": "/clear"},
                                {"wait": "conversation_reset"}])
        self.assertEqual([message["value"] and message["value"]["condition"]
                          for message in seen.of("active_goal")], ["a", None, "b", None])

    def test_it_is_not_set_by_an_argument_that_is_too_long(self):
        self.serve(JUDGED)
        ran = self.print("/goal " + "x" * 4001)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"a goal may have 4000 bytes at most", ran.stdout + ran.stderr)
