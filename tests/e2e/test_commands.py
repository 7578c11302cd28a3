"""Slash commands and skills that users write: in print mode, and through the Agent SDK."""

import json
import os
import subprocess

from test_agent_sdk import DONE, Hosted, call

REVIEW = """---
description: Review a file
argument-hint: [file] [depth]
---
Review $1 for "$ARGUMENTS".
"""


class Written(Hosted):
    def command(self, path, text, home=False):
        path = os.path.join(self.home if home else self.cwd, ".claude", path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def sent(self, at=-1):
        """The texts of the user in a request."""
        return [block["text"] for message in self.requests()[at]["messages"] if message["role"] == "user"
                for block in message["content"] if block["type"] == "text"]


class Commands(Written):
    def test_images_come_with_the_prompt_of_a_command(self):
        self.command("commands/look.md", "Look closely at $1.\n")
        image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
        for content in ([{"type": "text", "text": "/look here"}, image], [image, {"type": "text", "text": "/look here"}]):
            self.host(DONE, steps=[{"say": content}, {"wait": "result"}])
            sent = [block for message in self.requests()[-1]["messages"] for block in message["content"]]
            self.assertEqual([block["source"] for block in sent if block["type"] == "image"], [image["source"]])
            self.assertIn("Look closely at here.", "".join(self.sent()))

    def test_a_host_sees_them_listed_and_runs_them_by_name(self):
        self.command("commands/git/review.md", REVIEW)
        self.command("skills/pdf/SKILL.md", "# Read PDF files\nRun ${CLAUDE_SKILL_DIR}/go.\n", home=True)
        self.command("skills/inner/SKILL.md", "---\nuser-invocable: false\n---\nx", home=True)
        seen = self.host(DONE, steps=[call("supportedCommands"), {"say": "/git:review a.c deep"}, {"wait": "result"}],
                         allowedTools=["Read"])
        listed = {command["name"]: command for command in seen.calls[0]["value"]}
        self.assertEqual(listed["git:review"], {
            "name": "git:review", "description": "Review a file (project)", "argumentHint": "[file] [depth]"})
        self.assertEqual(listed["pdf"]["description"], "Read PDF files (user)")
        self.assertEqual(listed["clear"]["aliases"], ["new", "reset"])
        self.assertTrue(listed["clear"]["builtin"])
        self.assertNotIn("inner", listed)
        init = seen.of("system", "init")[0]
        self.assertEqual((init["skills"], "git:review" in init["slash_commands"]), (["pdf"], True))
        self.assertEqual(self.sent()[-2:], [
            "<command-message>git:review</command-message>\n<command-name>/git:review</command-name>\n"
            "<command-args>a.c deep</command-args>", 'Review a.c for "a.c deep".\n'])
        self.assertEqual((seen.result()["result"], seen.result()["num_turns"]), ("Done", 1))

    def test_unknown_names_of_a_host_are_for_the_model_and_local_commands_are_not(self):
        seen = self.host(DONE, steps=[{"say": "/nosuch thing"}, {"wait": "result"}, {"say": "/context"},
                                      {"wait": "result"}, {"say": "/ide"}, {"wait": "result"},
                                      {"say": "/theme dark"}, {"wait": "result"}])
        self.assertEqual(len(self.requests()), 1)
        self.assertEqual(self.sent()[-1], "/nosuch thing")
        local, absent, screen = seen.of("result")[1:]
        self.assertEqual((local["local_command"], local["num_turns"], local["is_error"]), ("context", 0, False))
        self.assertEqual(seen.of("assistant")[-1]["message"]["model"], "<synthetic>")
        self.assertEqual((absent["is_error"], absent["num_turns"]), (True, 0))
        self.assertIn("/ide is not supported yet", json.dumps(absent))
        self.assertIn("/theme works only on the full screen at a terminal", json.dumps(screen))

    def test_a_command_is_recorded_as_a_prompt_and_its_text(self):
        self.command("commands/review.md", REVIEW)
        self.serve(DONE)
        ran = self.print("/review a.c", "--output-format", "json")
        self.assertEqual(json.loads(ran.stdout)["result"], "Done")
        [folder] = os.listdir(os.path.join(self.home, ".claude/projects"))
        [name] = [name for name in os.listdir(os.path.join(self.home, ".claude/projects", folder))
                  if name.endswith(".jsonl")]
        with open(os.path.join(self.home, ".claude/projects", folder, name), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        said = [record for record in records if record["type"] == "user"]
        prompt, text = said[-2:]
        self.assertIn("<command-name>/review</command-name>", json.dumps(prompt["message"]))
        self.assertNotIn("isMeta", prompt)
        self.assertTrue(text["isMeta"])
        self.assertIn("Review a.c", json.dumps(text["message"]))

    def test_commands_in_the_text_run_if_the_rules_allow_them(self):
        self.write("a.txt", "Hello")
        self.command("commands/show.md", "It says: !`cat a.txt`", home=True)
        self.command("commands/make.md", "---\nallowed-tools: Bash(touch:*)\n---\n!`touch made`", home=True)
        self.command("commands/break.md", "!`touch broken`", home=True)
        self.serve(DONE)
        self.assertEqual(self.print("/show").returncode, 0)
        self.assertEqual(self.sent()[-1], "It says: Hello")
        self.assertEqual(self.print("/make").returncode, 0)
        self.assertTrue(os.path.exists(self.path("made")))
        ran = self.print("/break")
        self.assertEqual((ran.returncode, os.path.exists(self.path("broken"))), (1, False))
        self.assertIn(b"/break: `touch broken` is not allowed without a question", ran.stderr + ran.stdout)

    def test_what_came_with_a_project_waits_for_trust(self):
        self.command("settings.json", '{"permissions": {"allow": ["Bash(touch:*)"]}}')
        self.command("commands/make.md", "---\nallowed-tools: Bash(touch:*)\n---\n!`touch made`")
        self.serve(DONE)
        ran = self.print("/make")
        self.assertEqual((ran.returncode, os.path.exists(self.path("made"))), (1, False))
        self.assertIn(b"this project is not trusted", ran.stderr + ran.stdout)
        self.assertEqual(self.print("/make", "--trust-project").returncode, 0)
        self.assertTrue(os.path.exists(self.path("made")))

    def test_directories_above_count_up_to_the_top_of_the_repository(self):
        for name, text in (("top", "From the top."), ("both", "From the top."), ("pkg/both", "From the package.")):
            folder = os.path.join("pkg/.claude/commands" if "/" in name else ".claude/commands")
            os.makedirs(self.path(folder), exist_ok=True)
            self.write(f"{folder}/{os.path.basename(name)}.md", text)
        self.serve(DONE)
        self.cwd = self.path("pkg")
        self.assertIn(b"there is no command /top", self.print("/top").stderr)
        subprocess.run(["git", "init", "-q", os.path.dirname(self.cwd)], check=True, env=self.environment())
        self.print("/top")
        self.assertEqual(self.sent()[-1], "From the top.")
        self.print("/both")
        self.assertEqual(self.sent()[-1], "From the package.")

    def test_the_text_can_name_the_effort(self):
        self.command("commands/hard.md", "Think: ${CLAUDE_EFFORT}", home=True)
        self.serve(DONE)
        self.print("/hard", "--effort", "low")
        self.assertEqual(self.sent()[-1], "Think: low")
        self.command("commands/harder.md", "---\neffort: high\n---\nThink: ${CLAUDE_EFFORT}", home=True)
        self.print("/harder", "--effort", "low")
        self.assertEqual(self.sent()[-1], "Think: high")

    def test_they_can_be_switched_off(self):
        self.command("commands/review.md", REVIEW)
        self.serve(DONE)
        ran = self.print("/review a.c", "--disable-slash-commands")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"there is no command /review", ran.stderr + ran.stdout)
        self.command("commands/deploy.md", REVIEW)
        ran = self.print("/deploy a.c", "--setting-sources", "user")
        self.assertIn(b"there is no command /deploy", ran.stderr + ran.stdout)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())

    def test_what_is_wrong_with_files_is_listed_by_skills_and_the_doctor(self):
        self.command("commands/odd.md", "---\ndescription: x\neffort: enormous\n---\nDo it.\n")
        self.command("commands/help.md", "Mine.\n")
        self.command("agents/lost.md", "---\nname: lost\n---\nFind.\n")
        self.command("output-styles/bare.md", "---\nname: bare\n---\n")
        self.serve(DONE)
        odd = 'odd.md:3: "effort" must be one of: low medium high xhigh max, so it is ignored'
        taken = "help.md: this command is skipped: /help is a command of awl"
        shown = self.print("/skills").stdout.decode()
        self.assertIn(odd, shown)
        self.assertIn(taken, shown)
        self.assertNotIn("Mine.", shown)
        found = self.print("/doctor").stderr.decode()
        for note in (odd, taken, 'lost.md:1: this agent is skipped: it has no "description" in its front matter',
                     "bare.md: this output style is skipped: it has no text"):
            self.assertIn(note, found)
        self.assertEqual(self.print("/odd").stdout.strip(), b"Done")

    def test_broken_front_matter_gets_a_notice_and_the_text_is_used(self):
        self.command("commands/odd.md", "---\ndescription: x\n  - what\n: is this\n---\nDo it.\n")
        self.serve(DONE)
        ran = self.print("/odd")
        self.assertEqual(ran.returncode, 0)
        self.assertIn(b"odd.md:4: its front matter is ignored", ran.stderr)
        self.assertIn("Do it.", self.sent()[-1])
