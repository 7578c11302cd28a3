"""What is remembered: the memory of a project, the notes of a session, and what the user takes out of the window."""

import glob
import json
import os

from test_compact import ID, Conversations
from test_print_stream import Stream, user

TOPIC = "---\nname: style\ndescription: How to indent\ntype: feedback\n---\nTabs.\n"
NOTES = """reply when prompt contains "Bring the notes of this session up to date"
  text "<notes>\\n# Current state\\nThe parser is half done.\\n</notes>"
  usage input=100 output=20
"""


class Memory(Conversations):
    def memory(self):
        return os.path.join(self.home, ".claude/projects", self.cwd.replace("/", "-").replace("_", "-"), "memory")

    def test_the_model_writes_to_its_memory_without_a_question_and_the_next_session_is_shown_the_index(self):
        index, topic = os.path.join(self.memory(), "MEMORY.md"), os.path.join(self.memory(), "style.md")
        self.serve("reply\n  tool Write " + json.dumps({"file_path": topic, "content": TOPIC}) +
                   "\n  tool Write " + json.dumps({"file_path": index, "content": "- [Style](style.md): tabs\n"}) +
                   '\nreply forever\n  text "ok"\n')
        self.assertEqual(self.print("remember to use tabs").stdout, b"ok\n")
        self.assertIn(self.memory(), self.sent(0))
        with open(topic, encoding="utf-8") as file:
            self.assertEqual(file.read(), TOPIC)
        self.print("hi")
        self.assertIn("- [Style](style.md): tabs", self.sent())
        listed = self.print("/memory").stdout.decode()
        self.assertIn("style.md, feedback: How to indent", listed)

    def test_nothing_beside_the_memory_may_be_written(self):
        for path in ("../x.md", "../../../settings.json", "../memory2/x.md"):
            self.serve("reply\n  tool Write " + json.dumps({"file_path": os.path.join(self.memory(), path),
                                                            "content": "x"}) + '\nreply forever\n  text "ok"\n')
            self.print("go")
            self.assertIn("Permission to use Write was denied", self.sent())

    def test_a_link_out_of_the_memory_is_not_followed(self):
        os.makedirs(self.memory())
        os.symlink(os.path.join(self.home, ".claude"), os.path.join(self.memory(), "out"))
        self.serve("reply\n  tool Write " + json.dumps({"file_path": os.path.join(self.memory(), "out/settings.json"),
                                                        "content": "{}"}) + '\nreply forever\n  text "ok"\n')
        self.print("go")
        self.assertIn("denied", self.sent())
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/settings.json")))

    def test_it_can_be_switched_off(self):
        self.serve('reply forever\n  text "ok"\n')
        for args, env in ((["--settings", '{"autoMemoryEnabled": false}'], {}), (["--bare"], {}),
                          ([], {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1"}), (["--setting-sources", "project"], {})):
            self.print("hi", *args, **env)
            self.assertNotIn("MEMORY.md", self.sent(), (args, env))

    def test_a_line_is_added_to_an_instruction_file(self):
        self.write("AGENTS.md", "Use tabs.")
        self.serve('reply forever\n  text "ok"\n')
        self.assertIn(b"Memory updated in", self.print("/memory add project run the tests first").stdout)
        self.assertEqual(self.read("AGENTS.md"), "Use tabs.\n- run the tests first\n")
        self.assertIn(b"Memory updated in", self.print("/memory add user be brief").stdout)
        with open(os.path.join(self.home, ".claude/CLAUDE.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "- be brief\n")
        self.assertIn(b"/memory add project|local|user", self.print("/memory add nowhere x").stderr)


class Notes(Conversations):
    def settings(self):
        self.put(os.path.join(self.home, ".claude/settings.json"), {"awl": {"sessionNotes": True}})

    def notes(self):
        return glob.glob(os.path.join(self.home, ".claude/projects/*/*/session-memory/summary.md"))

    def test_they_are_written_beside_the_work_and_shorten_it_without_a_summary(self):
        self.settings()
        script = NOTES + """reply
  text "Done."
  usage input=60000 output=10
reply
  text "Done again."
  usage input=168000 output=10
reply forever
  text "ok"
"""
        long = "a b " * 50000
        seen = self.events("Fix the parser: " + long, "And the printer: " + long, "Now test", script=script)
        with open(self.notes()[0], encoding="utf-8") as file:
            self.assertEqual(file.read(), "# Current state\nThe parser is half done.\n")
        self.assertEqual(len(seen.of("system", "compact_boundary")), 1)
        for text in ("The parser is half done.", "And the printer", "Now test"):
            self.assertIn(text, self.sent())
        self.assertNotIn("Fix the parser", self.sent())
        asked = [json.dumps(request) for request in self.requests()]
        self.assertFalse([request for request in asked if "about to be replaced by a summary" in request])
        self.assertTrue([request for request in asked if "Bring the notes" in request])

    def test_the_next_session_sees_a_preview_and_nobody_pays_for_notes_by_default(self):
        self.settings()
        notes = f".claude/projects/{self.cwd.replace('/', '-').replace('_', '-')}/{ID}/session-memory/summary.md"
        self.host(NOTES + 'reply forever\n  text "ok"\n  usage input=20000 output=10\n', sessionId=ID,
                  model="claude-haiku-4-5",
                  steps=[{"say": "Fix the parser"}, {"exists": os.path.join(self.home, notes)}])
        self.serve('reply forever\n  text "ok"\n')
        self.print("hi")
        self.assertIn("<session-memory>", self.sent())
        self.assertIn("The parser is half done.", self.sent())
        os.remove(os.path.join(self.home, ".claude/settings.json"))
        self.print("hi")
        self.assertNotIn("<session-memory>", self.sent())


class Context(Conversations):
    SCRIPT = """reply
  tool Read {"file_path": "a.txt"}
reply forever
  text "ok"
  usage input=5000 output=10
"""

    def test_pieces_are_listed_dropped_and_restored(self):
        self.write("a.txt", "secret words\n" * 200)
        seen = self.events("read it", "/context messages", "/context drop 3", "go on", "/context restore 3", "and on",
                           script=self.SCRIPT)
        results = [result["result"] for result in seen.of("result")]
        self.assertRegex(results[1], r"3\.1 +user +result +\d+  Read: ")
        self.assertRegex(results[2], r"1 piece dropped\. The next request has about \d+(\.\d)?k? tokens\.")
        self.assertIn("[Dropped by the user: piece 1]", self.sent(-2))
        self.assertNotIn("secret words", self.sent(-2))
        self.assertIn("secret words", self.sent())

    def test_it_shows_the_bytes_and_says_what_is_wrong(self):
        seen = self.events("hi", "/context", "/context show 2", "/context drop 99", "/context drop x", "/context cache",
                           script='reply forever\n  text "ok"\n  usage input=5000 output=10\n')
        results = [result.get("result") or json.dumps(result) for result in seen.of("result")]
        self.assertIn("free", results[1])
        self.assertIn('{"role":"assistant","content":[{"type":"text","text":"ok"}]}', results[2])
        self.assertIn("nothing was dropped", results[3])
        self.assertIn("'x' is not a piece", results[4])
        self.assertIn("The cache has not missed unexpectedly", results[5])

    def test_a_part_of_the_conversation_is_summarised(self):
        script = """reply when prompt contains "about to be replaced"
  text "<summary>We began.</summary>"
reply forever
  text "ok"
"""
        self.events("alpha", "beta", "gamma", "/compact up to #2", "delta", script=script)
        for text in ("We began.", "beta", "gamma", "delta"):
            self.assertIn(text, self.sent())
        self.assertNotIn("alpha", self.sent())
        self.events("alpha", "beta", "gamma", "/compact from #3", "delta", script=script)
        for text in ("We began.", "alpha", "gamma", "delta"):
            self.assertIn(text, self.sent())
        self.assertNotIn("beta", self.sent())
        ran = self.events("alpha", "/compact from #30", script=script)
        self.assertIn("there is no such message", json.dumps(ran.of("result")))


    def test_the_boundary_names_what_was_kept(self):
        script = """reply when prompt contains "about to be replaced"
  text "<summary>We began.</summary>"
reply forever
  text "ok"
"""
        for command, kept in (("/compact up to #2", ["beta", "ok", "gamma", "ok"]), ("/compact from #3", ["alpha", "ok"])):
            self.events("alpha", "beta", "gamma", command, "delta", script=script, sessionId=ID)
            records = {record["uuid"]: record for record in self.records() if "uuid" in record}
            boundary, = [record for record in records.values() if record.get("subtype") == "compact_boundary"]
            segment = boundary["compactMetadata"]["preservedSegment"]
            at, texts = segment["tailUuid"], []
            while at != segment["anchorUuid"]:
                texts.append(json.dumps(records[at]["message"]["content"]))
                at = records[at]["parentUuid"]
            self.assertEqual(len(texts), len(kept))
            for text, expected in zip(reversed(texts), kept):
                self.assertIn(f'"{expected}"', text)
            listed = boundary["compactMetadata"]["preservedMessages"]
            self.assertEqual((listed["uuids"][0], listed["uuids"][-1]), (segment["headUuid"], segment["tailUuid"]))
            before = self.sent()
            self.assertEqual(self.print("epsilon", "--resume", ID, "--model", "claude-haiku-4-5").stdout, b"ok\n")
            for text in kept:
                self.assertGreaterEqual(self.sent().count(f'"{text}"'), before.count(f'"{text}"'))
            os.remove(glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))[0])


class Long(Stream):
    """Hundreds of turns in one session."""

    TURNS = 500
    WINDOW = 100000  # tokens
    SCRIPT = """reply forever when prompt contains "is about to be replaced by a summary"
  text "<summary>Much was done.</summary>"
  usage input=0 output=0
reply when prompt contains "turn 0 "
  tool TodoWrite {"todos":[{"content":"Ship the parser","status":"pending","activeForm":"Shipping"}]}
  usage input=0 output=0
reply forever
  text "ok"
  usage input=0 output=0
"""

    def test_500_turns_never_exceed_the_window_nor_lose_what_matters(self):
        self.write("CLAUDE.md", "Always write tests.\n")
        self.serve(self.SCRIPT)
        self.open("--model", "claude-haiku-4-5", "--autocompact", "100k", CLAUDE_AUTOCOMPACT_PCT_OVERRIDE="20")
        boundaries = 0
        for turn in range(self.TURNS):
            self.send(user(f"turn {turn} : " + "do this. " * 400))
            event = self.wait_for("result")
            self.assertEqual(event["subtype"], "success", event)
        compacted = False
        for request in self.requests():
            sent = json.dumps(request)
            self.assertLess(len(sent) // 4, self.WINDOW)
            self.assertIn("Always write tests.", sent)
            if "is about to be replaced by a summary" in sent:
                boundaries += 1
                continue
            compacted = compacted or boundaries > 0
            if compacted:
                self.assertIn("Much was done.", sent)
                self.assertIn("Ship the parser", sent)
        prompts = [f"turn {turn} : " for turn in range(self.TURNS)]
        answered = [json.dumps(request["messages"][-1]) for request in self.requests()]
        self.assertEqual([prompt for prompt in prompts if not any(prompt in sent for sent in answered)], [])
        self.assertGreater(boundaries, 20)
