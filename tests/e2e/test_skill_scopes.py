"""Skills that run in an agent of their own, that wait for certain files, and that bring hooks."""

import json
import os

from test_agent_sdk import DONE, one_by_one
from test_agents import Delegating

SCOUT = """---
description: Look around
context: fork
agent: scout
model: haiku
---
JOB one: look at $ARGUMENTS.
"""
AGENT = "---\nname: scout\ndescription: Scouts\ntools: Read\n---\nYou are a scout.\n"
FORKED = ('reply forever when prompt contains "JOB one"\n  text "The map is drawn."\n'
          'reply forever when result_of contains Skill\n  text "I have read it."\n'
          'reply when prompt contains go\n  tool Skill {"skill": "scout", "args": "the hills"}\n'
          'reply otherwise\n  text "Hello."\n')


class Forked(Delegating):
    def write(self, path, text):
        path = self.path(path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def listed(self, at=-1):
        return "".join(text for text in self.sent(at) if "can be loaded with the Skill tool" in text)

    def test_the_model_gets_the_answer_of_the_agent_and_not_the_text(self):
        self.define("scout", AGENT)
        self.command("skills/scout/SKILL.md", SCOUT)
        self.serve(FORKED)
        seen = self.events("go")
        [request] = self.of_agents("the hills")
        self.assertIn("You are a scout.", json.dumps(request["system"]))
        self.assertEqual([tool["name"] for tool in request["tools"]], ["Read"])
        [result] = [event["tool_use_result"] for event in seen if event.get("tool_use_result")]
        self.assertEqual((result["status"], result["commandName"], result["result"], result["success"]),
                         ("forked", "scout", "The map is drawn.", True))
        self.assertRegex(result["agentId"], "^a[0-9a-f]{16}$")
        self.assertNotIn("JOB", json.dumps(self.requests()[-1]))
        self.assertEqual(seen[-1]["result"], "I have read it.")

    def test_typed_by_the_user_its_answer_is_the_answer(self):
        self.define("scout", AGENT)
        self.command("skills/scout/SKILL.md", SCOUT)
        self.serve(FORKED)
        ran = self.print("/scout the woods")
        self.assertEqual(ran.stdout, b"The map is drawn.\n")
        self.assertEqual(len(self.requests()), 1)
        self.print("more", "-c")
        self.assertIn("The user ran the skill scout", json.dumps(self.requests()[-1]))
        self.assertIn("The map is drawn.", json.dumps(self.requests()[-1]))
        self.assertNotIn("JOB", json.dumps(self.requests()[-1]))

    def test_an_agent_that_does_not_exist_is_named(self):
        self.command("skills/scout/SKILL.md", SCOUT)
        self.serve(FORKED)
        ran = self.print("/scout x")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b'there is no agent "scout" to run it', ran.stdout + ran.stderr)

    def test_one_for_certain_files_is_listed_when_such_a_file_is_read(self):
        self.command("skills/styles/SKILL.md", "---\ndescription: Our styles\npaths: ['src/**/*.css', '*.less']\n---\nBe neat.\n")
        self.write("src/a/b.css", "b {}\n")
        self.write("src/a/b.js", "b()\n")
        self.serve(one_by_one(("Read", {"file_path": self.path("src/a/b.js")}),
                              ("Read", {"file_path": self.path("src/a/b.css")})))
        self.print("hi")
        self.assertEqual([("styles" in self.listed(at)) for at in (0, 1, 2)], [False, False, True])

    def test_a_folder_below_is_found_when_a_file_beside_it_is_read(self):
        self.command("skills/top/SKILL.md", "At the top.\n")
        self.write("web/ui/.claude/skills/paint/SKILL.md", "---\ndescription: Paint it\n---\nPaint.\n")
        self.write("web/ui/node_modules/x/.claude/skills/bad/SKILL.md", "Of a package.\n")
        self.write("web/ui/a.txt", "a\n")
        self.write("web/ui/node_modules/x/a.txt", "a\n")
        self.serve(one_by_one(("Read", {"file_path": self.path("web/ui/node_modules/x/a.txt")}),
                              ("Read", {"file_path": self.path("web/ui/a.txt")}), ("Skill", {"skill": "paint"})))
        self.print("hi")
        self.assertIn("- top:", self.listed(0))
        self.assertNotIn("paint", self.listed(1))
        self.assertIn("More skills can be loaded with the Skill tool:\n\n- paint: Paint it\n", self.listed(2))
        self.assertIn("Paint.\n", self.sent()[-1])
        self.assertNotIn("bad", self.listed(-1))

    def hook(self, event, command, matcher="", **more):
        return {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": command, **more}]}]}

    def test_its_hooks_work_from_its_first_use(self):
        hooks = self.hook("PostToolUse", "echo ran >> ran.txt", "Read", once=True)
        self.command("skills/watch/SKILL.md", f"---\nhooks: {json.dumps(hooks)}\n---\nWatch.\n", home=True)
        self.write("a.txt", "a\n")
        read = ("Read", {"file_path": self.path("a.txt")})
        self.serve(one_by_one(read, ("Skill", {"skill": "watch"}), read, read))
        self.print("hi")
        with open(self.path("ran.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "ran\n")

    def test_a_guard_that_cannot_be_read_keeps_it_from_loading(self):
        self.command("skills/watch/SKILL.md", "---\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n"
                                              "        - type: command\n---\nWatch.\n", home=True)
        self.serve(DONE)
        ran = self.print("/watch")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b'hooks.PreToolUse: a hook of type command needs "command"', ran.stdout + ran.stderr)

    def test_hooks_of_an_agent_see_only_its_calls_and_its_end(self):
        stop = "cat > stop.json"
        text = AGENT.replace("tools: Read", "hooks: " + json.dumps({**self.hook("Stop", stop), **self.hook(
            "PreToolUse", "echo no >&2; exit 2", "Bash")}))
        self.command("agents/scout.md", text, home=True)
        self.serve('reply forever when result_of contains Agent\n  tool Bash {"command": "echo one"}\n'
                   'reply forever when prompt contains "JOB one" and result_of contains Bash\n  text "One."\n'
                   'reply forever when result_of contains Bash\n  text "Done."\n'
                   'reply forever when prompt contains "JOB one"\n  tool Bash {"command": "echo two"}\n'
                   'reply otherwise\n  tool Agent {"description": "d", "prompt": "JOB one", "subagent_type": "scout"}\n')
        seen = self.events("go", "--allowedTools", "Bash")
        with open(self.path("stop.json"), encoding="utf-8") as file:
            told = json.load(file)
        self.assertEqual((told["hook_event_name"], told["agent_type"]), ("SubagentStop", "scout"))
        results = [block for event in seen if event["type"] == "user" for block in event["message"]["content"]
                   if block.get("type") == "tool_result"]
        texts = json.dumps(results)
        self.assertIn("no", texts)
        self.assertNotIn("two", texts)
        self.assertIn("one", texts)

    def test_hooks_list_and_why_say_when_they_apply(self):
        hooks = "hooks: " + json.dumps(self.hook("PreToolUse", "echo seen", "Bash"))
        self.command("agents/scout.md", AGENT.replace("tools: Read", hooks), home=True)
        self.command("skills/watch/SKILL.md", f"---\n{hooks}\n---\nWatch.\n", home=True)
        self.command("skills/fork/SKILL.md", f"---\ncontext: fork\n{hooks}\n---\nLook.\n")
        listed = self.awl("hooks", "list")
        shown = listed.stdout.decode()
        self.assertIn("While the agent scout works:\n  PreToolUse", shown)
        self.assertIn("From the first use of /watch on:\n  PreToolUse", shown)
        self.assertNotIn("/fork", shown)
        self.assertIn(b"skills/fork/SKILL.md came with the project, which you have not trusted", listed.stderr)
        told = self.awl("why", "Bash", "ls").stderr.decode()
        self.assertIn("While the agent scout works, a PreToolUse hook (", told)
        self.assertIn("From the first use of /watch on, a PreToolUse hook (", told)
        self.assertNotIn("PreToolUse", self.awl("why", "Read", "a").stderr.decode())
