"""Records of the session file that are no messages, and what user records say about themselves."""

import glob
import json
import os

from test_compact import ID, Conversations

READS = """reply
  tool Read {"file_path": "a.txt"}
reply forever
  text "ok"
"""


class Records(Conversations):
    def system(self, subtype):
        return [record for record in self.records() if record.get("subtype") == subtype]

    def test_each_turn_says_how_long_it_took_and_what_it_consisted_of(self):
        self.write("a.txt", "x\n")
        hook = {"type": "command", "command": "true"}
        self.put(os.path.join(self.home, ".claude/settings.json"),
                 {"hooks": {"PreToolUse": [{"hooks": [hook]}], "UserPromptSubmit": [{"hooks": [hook]}]}})
        seen = self.events("read it", "and now?", "/usage", script=READS, sessionId=ID)
        durations, metrics = self.system("turn_duration"), self.system("api_metrics")
        self.assertEqual([len(durations), len(metrics)], [2, 2])
        self.assertLess(durations[0]["messageCount"], durations[1]["messageCount"])
        self.assertGreaterEqual(durations[0]["durationMs"], metrics[0]["toolDurationMs"])
        self.assertEqual([(m["toolCount"], m["hookCount"], m["classifierCount"]) for m in metrics],
                         [(1, 2, 0), (0, 1, 0)])
        self.assertIn("Tools ran 1 time, for 0.0 s. Hooks ran 3 times, for ", seen.of("result")[2]["result"])
        self.assertIn("\nThe last turn: Hooks ran 1 time, for ", seen.of("result")[2]["result"])

    def test_the_counts_survive_a_resume_and_programs_are_told_them(self):
        self.write("a.txt", "x\n")
        self.events("read it", script=READS, sessionId=ID)
        resumed = self.host('reply forever\n  text "ok"\n', model="claude-haiku-4-5", resume=ID, steps=[
            {"call": "usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET"}])
        session = resumed.calls[0]["value"]["session"]
        self.assertEqual(session["awl_work"]["toolCount"], 1)
        self.assertEqual(session["awl_last_turn"]["toolCount"], 1)

    def test_a_result_names_the_record_of_its_call(self):
        self.write("a.txt", "x\n")
        self.events("read it", script=READS)
        records = self.records()
        call, = [r for r in records if r["type"] == "assistant" and r["message"]["content"][0]["type"] == "tool_use"]
        result, = [r for r in records if "toolUseResult" in r]
        self.assertEqual(result["sourceToolAssistantUUID"], call["uuid"])

    def test_a_saved_memory_is_recorded(self):
        place = os.path.join(self.home, ".claude/projects", self.cwd.replace("/", "-").replace("_", "-"), "memory")
        path = os.path.join(place, "MEMORY.md")
        script = f'reply\n  tool Write {json.dumps({"file_path": path, "content": "tabs"})}\n' \
                 'reply forever\n  text "ok"\n'
        self.events("remember tabs", "/memory add project spaces", script=script)
        saved = self.system("memory_saved")
        self.assertEqual(saved[0]["writtenPaths"], [path])
        self.assertEqual(saved[1]["writtenPaths"], [os.path.join(self.cwd, "CLAUDE.md")])
