"""What the settings add to, and take from, what the model is sent and offered."""

import json
import os
import unittest

from rig import Modelled


class ModelInput(Modelled):
    def setUp(self):
        super().setUp()
        self.serve("reply forever\n  text Hello\n")

    def put(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def request(self, *args, settings=None, **env):
        """What the model is sent for a prompt."""
        ran = self.print("hi", "--settings", json.dumps(settings or {}), *args, **env)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello\n"), ran.stderr)
        return self.requests()[-1]

    def user_text(self, *args, **kwargs):
        """All messages of the user, as one text."""
        return "\n".join(block["text"] for message in self.request(*args, **kwargs)["messages"]
                         for block in message["content"])

    def test_instruction_files_are_chosen_by_the_settings(self):
        self.put("home/.claude/CLAUDE.md", "the-users-own")
        self.put("work/AGENTS.md", "of-agents")
        self.put("work/CLAUDE.md", "of-claude @docs/imported.md")
        self.put("work/docs/imported.md", "imported-one")
        words = ["the-users-own", "of-agents", "of-claude", "imported-one"]
        for settings, expected in (
                ({}, words),
                ({"claudeMdExcludes": ["~/.claude/CLAUDE.md"]}, words[1:]),
                ({"claudeMdExcludes": ["docs/", f"{self.cwd}/AGENTS.md"]}, [words[0], words[2]]),
                ({"claudeMdExcludes": ["**"]}, []),
                ({"instructionFiles": "claude-md"}, [words[0], *words[2:]]),
                ({"instructionFiles": "claude-md-or-agents-md"}, [words[0], *words[2:]]),
                ({"instructionFiles": "managed-only"}, []),
                ({"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}}, [])):
            with self.subTest(settings=settings):
                text = self.user_text(settings=settings)
                self.assertEqual([word for word in words if word in text], expected)

    def test_setting_sources_choose_whose_instructions_are_read(self):
        self.put("home/.claude/CLAUDE.md", "the-users-own")
        self.put("work/CLAUDE.md", "of-project")
        self.put("work/CLAUDE.local.md", "of-local")
        words = ["the-users-own", "of-project", "of-local"]
        for sources, expected in ("user,project,local", words), ("user", words[:1]), \
                ("project", words[1:2]), ("local", words[2:]), ("", []):
            with self.subTest(sources=sources):
                text = self.user_text(f"--setting-sources={sources}")
                self.assertEqual([word for word in words if word in text], expected)

    def test_further_directories_have_their_say_when_asked_to(self):
        further = os.path.dirname(self.put("further/CLAUDE.md", "from-further-away"))
        self.assertNotIn("from-further-away", self.user_text("--add-dir", further))
        self.assertIn("from-further-away", self.user_text(
            "--add-dir", further, CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD="1"))

    def test_what_a_stranger_excludes_is_read_nevertheless(self):
        self.put("home/.claude/CLAUDE.md", "the-users-own")
        self.put("work/.claude/settings.json", '{"claudeMdExcludes": ["**"]}')
        self.assertIn("the-users-own", self.user_text())
        self.assertNotIn("the-users-own", self.user_text("--trust-project"))

    def system(self, *args, **kwargs):
        return "\n".join(block["text"] for block in self.request(*args, **kwargs)["system"])

    def test_the_language_of_the_settings_is_asked_for(self):
        self.assertNotIn("# Language", self.system())
        self.assertIn(": dutch. ", self.system(settings={"language": "dutch\n"}))
        self.assertEqual(self.system("--system-prompt", "Mine.", settings={"language": "dutch"}), "Mine.")

    def test_how_to_commit_is_told_as_the_settings_have_it(self):
        trailer, guide = "Co-Authored-By: ", "# Commits and pull requests"
        for args, settings, env, has_guide, has_trailer in (
                ((), {}, {}, True, True),
                ((), {"attribution": False}, {}, True, False),
                ((), {"includeCoAuthoredBy": False}, {}, True, False),
                ((), {"includeGitInstructions": False}, {}, False, False),
                ((), {}, {"CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS": "1"}, False, False),
                (("--tools", "Read"), {}, {}, False, False)):
            with self.subTest(args=args, settings=settings, env=env):
                system = self.system("--model", "claude-haiku-4-5", *args, settings=settings, **env)
                self.assertEqual((guide in system, trailer in system), (has_guide, has_trailer))
        self.assertIn("By: me", self.system(settings={"attribution": {"commit": "By: me"}}))

    def test_without_tasks_their_tools_are_not_offered(self):
        for args in ((), ("--tools", "Read,TodoWrite,TaskCreate,TaskGet,TaskUpdate,TaskList,TaskStop")):
            names = [[tool["name"] for tool in self.request(*args, settings=settings)["tools"]]
                     for settings in ({}, {"todoFeatureEnabled": False})]
            gone = set(names[0]) - set(names[1])
            self.assertEqual(gone, {"TodoWrite"} if not args else
                             {"TodoWrite", "TaskCreate", "TaskGet", "TaskUpdate", "TaskList"})
            self.assertEqual([name for name in names[0] if name not in gone], names[1])

    def test_announcements_are_for_people(self):
        settings = json.dumps({"companyAnnouncements": ["Mind the step.", "Tea at four."]})
        ran = self.print("hi", "--settings", settings, "--verbose")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello\n"))
        self.assertNotIn(b"Tea", ran.stderr)
        terminal = self.terminal("--plain", "--settings", settings, env=self.modelled())
        terminal.wait_for("(Mind the step.)\n(Tea at four.)\n")
        terminal.wait_for("Model: ")
        terminal.type("hi\n")
        terminal.wait_for("Hello")
        self.assertEqual(terminal.text().count("Tea at four."), 1)


if __name__ == "__main__":
    unittest.main()
