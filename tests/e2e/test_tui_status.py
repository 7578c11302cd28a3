"""The user's own status line, in a real emulator."""

import json
import os
import subprocess

from emulated import Screen

DONE = " tokens in "
ANSWER = r'''
reply forever when prompt contains write
  tool Write {"file_path": "two.txt", "content": "one\ntwo\n"}
reply otherwise
  text "Hello."
'''


class StatusLine(Screen):
    def setUp(self):
        super().setUp()
        self.serve(ANSWER)
        self.seen = os.path.join(self.root, "seen.jsonl")

    def configure(self, command, where=None, **more):
        path = os.path.join(where or self.home, ".claude", "settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"statusLine": {"type": "command", "command": command, **more.pop("line", {})}, **more}, file)

    def told(self):
        """What the command was told, each time that it ran."""
        if not os.path.exists(self.seen):
            return []
        with open(self.seen, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def recorded(self):
        return f"tee -a {self.seen} >/dev/null; "

    def test_it_is_told_about_the_session(self):
        self.configure(self.recorded() + "echo status line $(wc -l < " + self.seen + ")")
        terminal = self.open("--permission-mode", "acceptEdits", "--model", "claude-sonnet-4-5")
        terminal.wait_for("status line 1")
        first = self.told()[0]
        self.assertIsNone(first["context_window"]["used_percentage"])
        terminal.type("write\r")
        terminal.wait_idle(DONE)
        self.wait_until(lambda: self.told()[-1]["cost"]["total_lines_added"] == 2, "two lines were written")
        last = self.told()[-1]
        self.assertEqual(last["session_id"], first["session_id"])
        self.assertEqual(last["cwd"], self.cwd)
        self.assertEqual(last["workspace"]["current_dir"], self.cwd)
        self.assertEqual(last["workspace"]["project_dir"], self.cwd)
        self.assertEqual(last["model"]["id"], "claude-sonnet-4-5")
        self.assertIn("Sonnet", last["model"]["display_name"])
        self.assertEqual(last["output_style"], {"name": "default"})
        self.assertTrue(os.path.exists(last["transcript_path"]))
        window = last["context_window"]
        self.assertGreater(window["context_window_size"], 0)
        self.assertGreater(window["current_usage"]["output_tokens"], 0)
        self.assertEqual(window["used_percentage"] + window["remaining_percentage"], 100)
        self.assertFalse(last["exceeds_200k_tokens"])
        self.assertNotIn("vim", last)
        self.assertNotIn("agent", last)
        self.leave(terminal)

    def test_it_is_told_which_agent_leads(self):
        os.makedirs(self.path(".claude/agents"))
        self.write(".claude/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews.\n---\nReview.\n")
        self.configure(self.recorded() + "echo the line")
        terminal = self.open("--agent", "reviewer", "--trust-project")
        terminal.wait_for("the line")
        self.assertEqual(self.told()[0]["agent"], {"name": "reviewer"})
        self.leave(terminal)

    def test_it_is_told_about_the_repository_and_a_change_of_the_setting_counts_at_once(self):
        for args in (["init", "-q"], ["remote", "add", "origin", "https://user:secret@github.com/acme/tools.git"]):
            subprocess.run(["git", *args], cwd=self.cwd, env=self.environment(), check=True)
        self.configure(self.recorded() + "echo the first")
        terminal = self.open()
        terminal.wait_for("the first")
        self.assertEqual(self.told()[0]["workspace"]["repo"], {"host": "github.com", "owner": "acme", "name": "tools"})
        self.assertNotIn("secret", json.dumps(self.told()[0]))
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.configure("echo the second")
        terminal.wait_for("the second")
        self.assertNotIn("the first", terminal.text())
        self.leave(terminal)

    def test_it_shows_colours_links_and_several_lines_and_nothing_else(self):
        self.configure(r"printf '\033[31mred\033[0m \033]8;;https://e.com/\033\\link\033]8;;\033\\\n"
                       r"second \033[2J\033]0;stolen\007row %sx%s\n' $COLUMNS $LINES", line={"padding": 3})
        terminal = self.open()
        terminal.wait_for("second row 80x24")
        rows = terminal.text().splitlines()
        self.assertIn("     red link", rows)
        self.assertIn("     second row 80x24", rows)
        self.assertIn(b"https://e.com/", terminal.bytes)
        self.assertNotIn(b"\x1b[2J", terminal.bytes)
        self.assertNotIn(b"stolen", terminal.bytes)
        self.assertScreen("status-line", terminal)
        self.leave(terminal)

    def test_it_follows_the_modes(self):
        self.configure(self.recorded() + "tail -n1 " + self.seen + " | grep -o '\"permission_mode\":\"[a-zA-Z]*\"\\|\"vim\":.*}' | tr '\\n' ' '",
                       editorMode="vim", line={"hideVimModeIndicator": True})
        terminal = self.open()
        terminal.wait_for('"permission_mode":"default" "vim":{"mode":"INSERT"}')
        terminal.type("\x1b[Z")
        terminal.wait_for('"permission_mode":"acceptEdits"')
        terminal.type("\x1b")
        terminal.wait_for('"vim":{"mode":"NORMAL"}')
        self.assertNotIn("NORMAL ·", terminal.text())
        self.leave(terminal)

    def test_a_newer_run_ends_the_older(self):
        """The first run would never end."""
        self.configure(f"if mkdir {self.root}/first; then exec sleep 1000; fi; echo newer")
        terminal = self.open()
        self.wait_until(lambda: os.path.exists(f"{self.root}/first"), "the command runs")
        terminal.type("\x1b[Z")
        terminal.wait_for("newer")
        self.leave(terminal)

    def test_one_that_fails_shows_nothing(self):
        self.configure(self.recorded() + "echo broken; exit 3")
        terminal = self.open()
        self.wait_until(self.told, "the command ran")
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.wait_until(lambda: len(self.told()) > 1, "the command ran again")
        self.assertNotIn("broken", terminal.text())
        self.leave(terminal)

    def test_it_runs_at_an_interval_only_if_one_is_set(self):
        self.configure(self.recorded() + "echo runs: $(wc -l < " + self.seen + ")", line={"refreshInterval": 1})
        terminal = self.open()
        terminal.wait_for("runs: 3")
        self.leave(terminal)

    def test_a_project_that_is_not_trusted_has_none(self):
        self.configure(self.recorded() + "echo mine", where=self.cwd)
        self.PROMPT = "Continue without them"
        terminal = self.open()
        terminal.type("2")
        terminal.wait_for("not trusted yet")
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.leave(terminal)
        self.assertEqual(self.told(), [])

    def test_it_does_not_run_while_hooks_are_disabled(self):
        self.configure(self.recorded() + "echo mine", disableAllHooks=True)
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.leave(terminal)
        self.assertEqual(self.told(), [])


class FastMode(Screen):
    def settings(self):
        with open(os.path.join(self.home, ".claude", "settings.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_it_is_turned_on_with_a_sign_and_kept_for_new_sessions(self):
        self.serve(ANSWER)
        terminal = self.open()
        self.assertNotIn("↯", terminal.text())
        terminal.type("/fast on\r")
        terminal.wait_for("↯ asks first")
        terminal.wait_for("Fast mode is on. Claude Opus 5.5 costs $8 in and $40 out")
        self.assertEqual(self.settings(), {"fastMode": True})
        self.leave(terminal)
        terminal = self.open()
        terminal.wait_for("↯ asks first")
        terminal.type("\x1bo")
        terminal.wait_for("Fast mode is off.")
        self.wait_until_gone(terminal, "↯ asks")
        self.assertEqual(self.settings(), {})
        self.leave(terminal)

    def test_a_limit_is_told_and_ends_it_for_a_while(self):
        self.serve('fail 429 rate_limit_error "Slow down" retry-after=60\n' + ANSWER)
        terminal = self.open("--settings", '{"fastMode": true}')
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.assertIn("fast mode has reached its limit", terminal.text())
        terminal.type("/fast\r")
        terminal.wait_for("standard speed for 10 min")
        self.leave(terminal)

    def test_a_model_without_it_is_named(self):
        self.serve(ANSWER)
        terminal = self.open("--model", "claude-sonnet-4-5")
        terminal.type("/fast on\r")
        terminal.wait_for("claude-sonnet-4-5 has no fast mode; /model opus")
        self.leave(terminal)


class Hooks(Screen):
    def hook(self, event, **more):
        """A hook that waits until the test opens the gate."""
        gate = os.path.join(self.root, "gate-" + event)
        os.mkfifo(gate)
        path = os.path.join(self.home, ".claude", "settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"hooks": {event: [{"hooks": [{"type": "command", "command": f"cat {gate}", **more}]}]}}, file)
        return gate

    def open_gate(self, gate):
        with open(gate, "w", encoding="utf-8"):
            pass

    def test_the_sign_of_life_names_a_hook_that_holds_the_turn(self):
        self.serve(ANSWER)
        gate = self.hook("PreToolUse")
        terminal = self.open("--permission-mode", "acceptEdits")
        terminal.type("write\r")
        terminal.wait_for("Running hook PreToolUse:Write")
        self.assertIn("esc to interrupt", terminal.text())
        self.open_gate(gate)
        terminal.wait_idle(DONE)
        self.wait_until_gone(terminal, "Running hook")
        self.leave(terminal)

    def test_a_hook_of_the_start_is_shown_in_its_own_words(self):
        self.serve(ANSWER)
        gate = self.hook("SessionStart", statusMessage="Fetching \x1b[31mthe news")
        terminal = self.open()
        terminal.wait_for("Fetching \\x1b[31mthe news")
        self.assertNotIn("esc to interrupt", terminal.text())
        self.open_gate(gate)
        self.wait_until_gone(terminal, "Fetching")
        self.leave(terminal)
