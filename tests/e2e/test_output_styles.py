"""Output styles: which there are, and what the model is sent."""

import json
import os
import re

from live import Live
from test_agent_sdk import DONE, call
from test_commands import Written

PIRATE = "---\nname: Pirate\ndescription: Talks like one\n---\nSay arr in every answer.\n"


class Styled(Written):
    def system(self, at=-1):
        return "".join(block["text"] for block in self.requests()[at]["system"])

    def styled(self, style, **files):
        """The system prompt of a session in which a setting names this style."""
        for path, text in files.items():
            self.command(f"output-styles/{path}.md", text)
        self.serve(DONE)
        ran = self.print("go", "--settings", json.dumps({"outputStyle": style}))
        self.assertEqual(ran.returncode, 0, ran)
        return self.system(), ran

    def test_a_style_of_the_project_replaces_the_instructions_about_coding(self):
        system, _ = self.styled("pirate", p=PIRATE)
        self.assertIn("# Output style: Pirate\n\nSay arr in every answer.", system)
        self.assertNotIn("# Work", system)
        self.assertNotIn("a coding agent", system)
        self.assertIn("# Care", system)

    def test_a_style_may_keep_them(self):
        system, _ = self.styled("Pirate", p=PIRATE.replace("---\nSay", "keep-coding-instructions: true\n---\nSay"))
        self.assertIn("Say arr", system)
        self.assertIn("# Work", system)
        self.assertNotIn("# Tone", system)

    def test_a_style_that_comes_with_awl_keeps_them_and_the_default_changes_nothing(self):
        explaining, _ = self.styled("explanatory")
        self.assertIn("# Work", explaining)
        self.assertIn("**Insight**", explaining)
        usual, _ = self.styled("default")
        self.assertNotIn("# Output style", usual)
        self.assertIn("# Tone", usual)

    def test_an_unknown_style_is_named_and_the_default_is_used(self):
        system, ran = self.styled("nosuch")
        self.assertNotIn("# Output style", system)
        self.assertIn(b'The setting outputStyle names "nosuch", which is not an output style: '
                      b"default, Proactive, Concise, Explanatory, Learning.", ran.stderr)

    def test_a_host_learns_of_them_and_of_the_one_in_use(self):
        self.command("output-styles/p.md", PIRATE, home=True)
        self.command("settings.json", '{"outputStyle": "Pirate"}', home=True)
        seen = self.host(DONE, settingSources=["user"], steps=[
            call("initializationResult"), call("reloadOutputStyles"), {"say": "go"}, {"wait": "result"}])
        told = seen.calls[0]["value"]
        everything = ["default", "Proactive", "Concise", "Explanatory", "Learning", "Pirate"]
        self.assertEqual((told["output_style"], told["available_output_styles"]), ("Pirate", everything))
        self.assertEqual(seen.calls[1]["value"], {"available_output_styles": everything})
        self.assertEqual(seen.of("system", "init")[0]["output_style"], "Pirate")

    def test_the_command_lists_them_and_chooses_one_for_the_session(self):
        self.command("output-styles/p.md", PIRATE)
        preset = {"type": "preset", "preset": "claude_code"}
        seen = self.host(DONE, settingSources=["project"], systemPrompt=preset, steps=[
            {"say": "/output-style"}, {"wait": "result"}, {"say": "/output-style arr"}, {"wait": "result"},
            {"say": "/output-style PIRATE"}, {"wait": "result"}, {"say": "go"}, {"wait": "result"}])
        texts = [result.get("result") or "".join(result.get("errors", [])) for result in seen.of("result")]
        self.assertIn("* default (built in)", texts[0])
        self.assertIn("\n  Pirate (project): Talks like one", texts[0])
        self.assertIn('there is no output style "arr"', texts[1])
        self.assertEqual(texts[2], "Output style: Pirate.")
        self.assertIn("Say arr", self.system())
        self.assertFalse(os.path.exists(os.path.join(self.cwd, ".claude/settings.local.json")))

    def test_at_a_terminal_the_choice_is_stored_for_the_project(self):
        self.serve('reply forever\n  text "Done."\n')
        terminal = self.terminal("--plain", env=self.modelled())
        terminal.wait_for("\n>")
        terminal.type("/output-style Learning\n")
        terminal.wait_for("It is stored in .claude/settings.local.json.")
        terminal.type("go\n")
        terminal.wait_for("Done.")
        terminal.type("/exit\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("TODO(human)", self.system())
        with open(os.path.join(self.cwd, ".claude/settings.local.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"outputStyle": "Learning"})


class LiveStyle(Live):
    # changes live: outputStyle
    def test_a_change_of_the_setting_counts_with_the_next_request(self):
        show = {"command": "printenv HOME"}
        self.open(show, show)
        self.ask()
        told = self.change(outputStyle="Concise")
        self.assertIn("outputStyle (applies at once)", json.dumps(told))
        self.ask()
        self.finish()
        systems = ["".join(b["text"] for b in request["system"]) for request in self.requests()]
        self.assertEqual([bool(re.search("# Output style: Concise", text)) for text in systems],
                         [False, False, True, True])
