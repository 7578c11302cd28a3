"""What is configured for Claude Code and awl ignores: said in one notice, and never a hole."""

import json
import os

from rig import Modelled

RUN = 'reply\n  tool Bash {"command":"echo ran > ran.txt"}\nreply forever\n  text Done\n'


class Unsupported(Modelled):
    def put(self, name, value):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))

    @staticmethod
    def hooks(event, *matchers, **more):
        return {"hooks": {event: [{"matcher": matcher, "hooks": [
            {"type": "command", "command": "exit 2", **more}]} for matcher in matchers]}}

    def run_command(self, *flags):
        """Whether the command of the model has run, and what was said about it."""
        self.serve(RUN)
        ran = self.print("go", "--allowedTools", "Bash", *flags)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        made = os.path.exists(self.path("ran.txt"))
        if made:
            os.remove(self.path("ran.txt"))
        return made, ran.stderr.decode()

    def test_an_agent_that_guards_and_answers_nonsense_lets_nothing_pass(self):
        self.put("home/.claude/settings.json", {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
            {"type": "agent", "prompt": "Is this fine?"}]}]}})
        made, told = self.run_command()
        self.assertFalse(made)
        self.assertIn("It is blocked, because the hook may have forbidden it", told)

    def test_disabled_hooks_are_not_run(self):
        self.put("home/.claude/settings.json", {**self.hooks("PreToolUse", "Bash"), "disableAllHooks": True})
        self.assertTrue(self.run_command()[0])
        self.put("home/.claude/settings.json", self.hooks("PreToolUse", "*"))
        self.assertFalse(self.run_command()[0])
        self.assertTrue(self.run_command("--settings", '{"disableAllHooks": true}')[0])

    def test_the_hooks_of_a_project_count_once_it_is_trusted(self):
        self.put("work/.claude/settings.json", self.hooks("PreToolUse", "Bash"))
        self.assertTrue(self.run_command()[0])
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        self.assertFalse(self.run_command()[0])

    def test_a_project_cannot_switch_off_the_guards_of_the_user(self):
        self.put("home/.claude/settings.json", self.hooks("PreToolUse", "Bash"))
        self.put("work/.claude/settings.json", {"disableAllHooks": True})
        self.assertFalse(self.run_command()[0])

    def test_an_enabled_plugin_that_is_missing_is_named_once(self):
        self.serve("reply forever\n  text Hello\n")
        self.put("home/.claude/settings.json", {"enabledPlugins": {
            "fmt@tools": True, "off@tools": False}})
        self.put("home/.claude/commands/deploy.md", "Deploy it")
        self.put("work/.claude/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews\n---\nReview it\n")
        told = self.print("hi").stderr.decode().splitlines()
        self.assertEqual(told, [
            "awl: Plugin fmt@tools is not loaded: it is enabled but not installed; "
            "'awl plugin install fmt@tools' installs it"])
        self.assertEqual(self.print("hi", "--setting-sources", "").stderr, b"")
