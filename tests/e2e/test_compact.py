"""Conversations that become too long: a summary replaces them, and nothing important is lost."""

import glob
import json
import os

from test_agent_sdk import Hosted

ID = "11111111-2222-4333-8444-555555555555"
FULL = """reply
  text "Done."
  usage input=168000 output=10
reply
  text "<analysis>hidden</analysis><summary>The build was fixed.</summary>"
reply forever
  text "ok"
"""


class Conversations(Hosted):
    def events(self, *prompts, script=FULL, env=None, **options):
        """What the Agent SDK sees of a session with these prompts, one after the other."""
        steps = [step for prompt in prompts for step in ({"say": prompt}, {"wait": "result"})]
        options.setdefault("model", "claude-haiku-4-5")
        return self.host(script, steps=steps, env=env, **options)

    def sent(self, request=-1):
        return json.dumps(self.requests()[request]["messages"])

    def records(self):
        path, = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


class Compact(Conversations):
    def test_one_process_summarises_by_itself_and_the_next_one_continues_from_that(self):
        self.write("CLAUDE.md", "Always write tests.\n")
        seen = self.events("Fix the build of alpha", "Now test beta", sessionId=ID).messages
        kinds = [event.get("subtype") or event["type"] for event in seen]
        at = kinds.index("compact_boundary")
        self.assertEqual(seen[at]["compact_metadata"]["trigger"], "auto")
        self.assertGreaterEqual(seen[at]["compact_metadata"]["pre_tokens"], 168000)
        self.assertLess(seen[at]["compact_metadata"]["post_tokens"], 20000)
        self.assertEqual((seen[at + 1]["type"], seen[at + 1]["isSynthetic"]), ("user", True))
        states = [(event["status"], event.get("compact_result")) for event in seen if event.get("subtype") == "status"]
        self.assertEqual([state for state in states if state[0] == "compacting" or state[1]],
                         [("compacting", None), (None, "success")])
        summary, answer = self.sent(1), self.sent(2)
        self.assertIn("Fix the build of alpha", summary)
        for text in ("The build was fixed.", "Now test beta", "Always write tests."):
            self.assertIn(text, answer)
        for text in ("Fix the build of alpha", "hidden"):
            self.assertNotIn(text, answer)
        self.assertEqual(len(self.requests()), 3)
        self.assertEqual(self.print("gamma", "--resume", ID).stdout, b"ok\n")
        for text in ("The build was fixed.", "Now test beta", "gamma"):
            self.assertIn(text, self.sent())
        self.assertNotIn("Fix the build of alpha", self.sent())

    def test_the_transcript_keeps_everything(self):
        self.events("Fix the build of alpha", "Now test beta")
        records = self.records()
        boundary, = [record for record in records if record.get("subtype") == "compact_boundary"]
        self.assertIsNone(boundary["parentUuid"])
        self.assertEqual(boundary["compactMetadata"]["trigger"], "auto")
        before = records[:records.index(boundary)]
        self.assertIn(boundary["logicalParentUuid"], [record.get("uuid") for record in before])
        self.assertIn("Fix the build of alpha", json.dumps(before))
        summary, = [record for record in records if record.get("isCompactSummary")]
        self.assertIn("The build was fixed.", json.dumps(summary))

    def test_the_request_for_the_summary_begins_like_the_one_before(self):
        self.events("Fix the build of alpha", "Now test beta")
        first, second = self.requests()[:2]
        self.assertEqual(first["tools"], second["tools"])
        self.assertEqual(first["messages"][0]["content"][-1]["text"], second["messages"][0]["content"][-1]["text"])

    def test_files_and_skills_of_earlier_processes_are_carried_over_each_time(self):
        self.write("a.txt", "alpha alpha\n")
        self.write("gone.txt", "old\n")
        os.makedirs(os.path.join(self.cwd, ".claude/skills/ship"))
        self.write(".claude/skills/ship/SKILL.md", "---\nname: ship\ndescription: Ships\n---\nTag before you ship.\n")
        options = ["--model", "claude-haiku-4-5", "--permission-mode", "acceptEdits", "--trust-project"]
        self.serve("""reply
  tool Read {"file_path": "a.txt"}
  tool Read {"file_path": "gone.txt"}
  tool Write {"file_path": "b.txt", "content": "beta beta"}
  tool Read {"file_path": "/etc/none"}
reply when prompt contains "about to be replaced"
  text "<summary>We began.</summary>"
reply forever
  text "ok"
""")
        self.print("read them", "--session-id", ID, *options)
        self.print("/ship", "--resume", ID, *options)
        os.remove(os.path.join(self.cwd, "gone.txt"))
        for _ in range(3):
            self.assertIn(b"summarised", self.print("/compact", "--resume", ID, *options).stdout)
            self.print("go on", "--resume", ID, *options)
            sent = self.sent()
            self.assertNotIn("read them", sent)
            for text in ("/a.txt\\n", "/b.txt (changed)", "/gone.txt\\n", "alpha alpha", "beta beta",
                         "Tag before you ship.", "These skills were used"):
                self.assertEqual(sent.count(text), 1, (text, sent))
            self.assertNotIn("/etc/none", sent)

    def test_it_can_be_switched_off(self):
        for off in ({"DISABLE_AUTO_COMPACT": "1"}, {"DISABLE_COMPACT": "1"}):
            seen = self.events("alpha", "beta", env=off)
            self.assertFalse(seen.of("system", "compact_boundary"))
            self.assertIn("/compact summarises it", json.dumps(seen.of("system", "informational")))

    def test_the_command_takes_what_to_keep_and_says_what_it_did(self):
        seen = self.events("Fix the build of alpha", "/compact the names of the tests", "gamma",
                           script=FULL.replace("168000", "500"))
        self.assertIn("Keep this above all: the names of the tests", self.sent(1))
        results = seen.of("result")
        self.assertIn("The conversation was summarised: ", results[1]["result"])
        self.assertEqual(results[1]["local_command"], "compact")
        boundary, = seen.of("system", "compact_boundary")
        self.assertEqual(boundary["compact_metadata"]["trigger"], "manual")
        self.assertIn("The build was fixed.", self.sent())

    def test_the_flag_makes_the_window_smaller(self):
        seen = self.events("alpha", "beta", script=FULL.replace("168000", "90000"), extraArgs={"autocompact": "100k"})
        self.assertTrue(seen.of("system", "compact_boundary"))
        for wrong in ("50k", "2M", "x", "-100000", ""):
            ran = self.print("hi", "--autocompact", wrong)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), wrong)
            self.assertIn(b"--autocompact must be auto, or from 100k to 1M tokens", ran.stderr)

    def test_a_hook_may_object(self):
        hook = {"type": "command", "command": "echo keep the port numbers >&2; exit 2"}
        self.put(os.path.join(self.home, ".claude/settings.json"),
                 {"hooks": {"PreCompact": [{"matcher": "manual", "hooks": [hook]}]}})
        seen = self.events("alpha", "/compact", script=FULL.replace("168000", "500"))
        results = seen.of("result")
        self.assertTrue(results[1]["is_error"])
        self.assertIn("a PreCompact hook objects: keep the port numbers", json.dumps(results[1]))
        self.assertEqual(len(self.requests()), 1)
