"""Lists to choose from, and the commands that the screen carries out itself."""

import base64
import json
import os
import re
import sys

from emulated import Screen

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")
DONE = " tokens in "
REPLY = """
reply forever when prompt contains second
  text "Answer two."
reply otherwise
  text "Answer one."
"""


class Lists(Screen):
    def setUp(self):
        super().setUp()
        self.serve(REPLY)

    def settings(self):
        with open(os.path.join(self.home, ".claude/settings.json"), encoding="utf-8") as file:
            return json.load(file)

    def converse(self, prompt, *args):
        terminal = self.open(*args)
        terminal.type(prompt + "\r")
        terminal.wait_idle(DONE)
        return terminal


class Sessions(Lists):
    def test_resume_without_a_session_offers_a_list(self):
        self.leave(self.converse("first prompt"))
        self.leave(self.converse("second prompt"))
        terminal = self.open_list("--resume")
        terminal.wait_for("1 of 2")
        self.assertIn("second prompt", terminal.text())
        terminal.type("fir")
        terminal.wait_for("1 of 1")
        terminal.type("\r")
        terminal.wait_for("Answer one.")
        terminal.wait_for("Resumed")
        self.leave(terminal)

    def open_list(self, *args):
        prompt, self.PROMPT = self.PROMPT, "enter to choose"
        try:
            return self.open(*args)
        finally:
            self.PROMPT = prompt

    def test_what_was_said_is_found_and_shown(self):
        self.leave(self.converse("first prompt"))
        self.leave(self.converse("second prompt"))
        terminal = self.open_list("--resume")
        terminal.wait_for("1 of 2")
        terminal.type("answer two")
        terminal.wait_for("1 of 1")
        terminal.wait_for("     Answer two.")
        self.assertNotIn("first prompt", terminal.text())
        terminal.type("\x1b")
        terminal.wait_for("1 of 2")
        terminal.type("\x1b[B ")
        terminal.wait_for("q to close")
        terminal.wait_for("Answer one.")
        terminal.type("q")
        terminal.wait_for("2 of 2")
        terminal.type("\x1b")
        self.assertEqual(terminal.wait_end(), 0)

    def test_a_session_is_renamed_in_the_list(self):
        self.leave(self.converse("first prompt"))
        terminal = self.open_list("--resume")
        terminal.wait_for("1 of 1")
        terminal.type("\x12")
        terminal.wait_for("New title")
        terminal.type("My titlf\x7fe\r")
        terminal.wait_for("❯ My title")
        terminal.type("\x1b")
        self.assertEqual(terminal.wait_end(), 0)

    def test_a_session_of_another_directory_is_handed_over(self):
        self.leave(self.converse("first prompt"))
        there = self.cwd
        self.cwd = os.path.join(self.root, "else where")
        os.mkdir(self.cwd)
        terminal = self.open_list("--resume")
        terminal.wait_for("There are no other sessions here.")
        terminal.type("\x01")
        terminal.wait_for("1 of 1")
        terminal.wait_for("all projects")
        terminal.type("\r")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("This session is of another directory.", terminal.text())
        self.assertIn("awl --resume", terminal.text())
        self.assertIn(os.path.basename(there), terminal.text().replace("\n", ""))

    def test_forks_are_folded_below_their_session(self):
        self.leave(self.converse("first prompt"))
        self.print("-c", "--fork-session", "and now another way")
        terminal = self.open_list("--resume")
        terminal.wait_for("first prompt (+1)")
        terminal.wait_for("1 of 1")
        terminal.type("\x1b[C")
        terminal.wait_for("└ first prompt")
        terminal.type("\x1b[D")
        terminal.wait_for("1 of 1")
        terminal.type("\x1b")
        self.assertEqual(terminal.wait_end(), 0)

    def test_escape_leaves_the_list_of_the_command_line(self):
        self.leave(self.converse("first prompt"))
        terminal = self.open_list("--resume")
        terminal.type("\x1b")
        self.assertEqual(terminal.wait_end(), 0)

    def test_another_session_can_be_resumed_from_within(self):
        self.leave(self.converse("first prompt"))
        terminal = self.converse("second prompt")
        terminal.type("/resume\r")
        terminal.wait_for("Resume a session")
        terminal.wait_for("1 of 1")
        self.assertNotIn("second prompt", terminal.text().partition("Resume a session")[2])
        terminal.type("\r")
        terminal.wait_for("Resumed")
        terminal.type("go on\r")
        terminal.wait_for("❯ go on")
        self.wait_until(lambda: "go on" in json.dumps(self.requests()[-1]), "the prompt was not sent")
        self.assertIn("first prompt", json.dumps(self.requests()[-1]))
        self.assertNotIn("second prompt", json.dumps(self.requests()[-1]))
        terminal.wait_idle("Answer one.")
        self.leave(terminal)


    def test_a_branch_leaves_the_original_as_it_is(self):
        terminal = self.converse("first prompt")
        terminal.type("/branch try it\r")
        terminal.wait_for("This is a copy of session")
        original = re.search(r"a copy of session ([0-9a-f-]{36})", terminal.all())[1]
        terminal.type("second prompt\r")
        terminal.wait_idle("Answer two.")
        self.assertIn("first prompt", json.dumps(self.requests()[-1]))
        terminal.type(f"/resume {original}\r")
        terminal.wait_for_count("Resumed, last used", 2)
        terminal.type("go on\r")
        terminal.wait_for("❯ go on")
        self.wait_until(lambda: "go on" in json.dumps(self.requests()[-1]), "the prompt was not sent")
        self.assertNotIn("second prompt", json.dumps(self.requests()[-1]))
        terminal.wait_idle(DONE)
        self.leave(terminal)
        listed = self.awl("sessions", "list").stdout.decode()
        self.assertIn("try it", listed)
        self.assertIn("first prompt", listed)

    def test_there_is_nothing_to_copy_before_the_first_prompt(self):
        terminal = self.open()
        terminal.type("/branch\r")
        terminal.wait_for("Nothing has been said yet.")
        self.leave(terminal)


class Commands(Lists):
    def test_the_model_is_chosen_from_a_list(self):
        terminal = self.open()
        terminal.type("/model\r")
        terminal.wait_for("enter to choose")
        terminal.type("haiku")
        terminal.wait_for("Model  haiku")
        terminal.type("\r")
        terminal.wait_for("Model: ")
        self.assertIn("haiku", terminal.text())
        self.leave(terminal)

    def test_the_theme_is_kept(self):
        terminal = self.open()
        terminal.type("/theme\r")
        terminal.wait_for("enter to choose")
        self.assertScreen("list-theme", terminal)
        terminal.type("light")
        terminal.wait_for("1 of 2")
        terminal.type("\r")
        terminal.wait_for("Theme: light.")
        self.leave(terminal)
        self.assertEqual(self.settings()["theme"], "light")

    def test_vim_is_switched_on_and_kept(self):
        terminal = self.open()
        terminal.type("/vim\r")
        terminal.wait_for("Vim's keys are on.")
        terminal.type("\x1b")
        terminal.wait_for("NORMAL")
        terminal.type("i")
        self.leave(terminal)
        self.assertEqual(self.settings()["editorMode"], "vim")

    def test_an_answer_is_copied_through_the_terminal(self):
        terminal = self.converse("second prompt")
        terminal.type("/copy\r")
        terminal.wait_for("Copied 11 characters through the terminal")
        self.assertIn(b"\x1b]52;c;" + base64.b64encode(b"Answer two.") + b"\x07", terminal.bytes)
        terminal.type("/copy 2\r")
        terminal.wait_for("There is no such answer yet.")
        self.leave(terminal)

    def test_key_bindings_are_edited_and_apply_at_once(self):
        script = os.path.join(self.cwd, "edit.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("""#!/bin/sh
echo '{"bindings":[{"context":"Chat","bindings":{"ctrl+y":"chat:stash"}}]}' > "$1"
""")
        os.chmod(script, 0o755)
        terminal = self.open(EDITOR=script, VISUAL="")
        terminal.type("/keybindings\r")
        self.wait_until(lambda: "ctrl+y" in self.bindings(), "the file was not written")
        terminal.wait_for("What should be done?")
        terminal.type("draft\x19")
        terminal.wait_for("Put aside")
        self.leave(terminal)

    def bindings(self):
        path = os.path.join(self.home, ".claude/keybindings.json")
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()


class Context(Lists):
    def test_the_window_is_a_bar_with_its_parts(self):
        terminal = self.open()
        terminal.type("/context\r")
        terminal.wait_for("see also drop, restore, show, cache")
        for part in ("System prompt", "Tools", "Instruction files", "Messages", "Free space"):
            terminal.wait_for(part)
        terminal.wait_for("A summary replaces the conversation at 967k tokens.")
        self.assertIn("claude-opus-5-5 · ", terminal.text())
        self.assertIn("███░", terminal.text())
        self.leave(terminal)

    def test_a_narrow_screen_shows_the_counts(self):
        terminal = self.open(rows=24, cols=24)
        terminal.type("/context\r")
        terminal.wait_for("■ System pr")
        self.assertRegex(terminal.text(), r"■ Tools +[0-9.]+k")
        self.leave(terminal)


class Plugins(Lists):
    def setUp(self):
        super().setUp()
        for name, text in {
                "market/.claude-plugin/marketplace.json": json.dumps({
                    "name": "tools", "owner": {"name": "T"},
                    "plugins": [{"name": "demo", "source": "./demo", "description": "Greets", "version": "1.0.0"}]}),
                "market/demo/commands/hello.md": "Greet.\n"}.items():
            path = os.path.join(self.root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.assertEqual(self.awl("plugin", "marketplace", "add", os.path.join(self.root, "market")).returncode, 0)

    def test_a_plugin_is_shown_installed_disabled_and_uninstalled(self):
        terminal = self.open(rows=40)
        terminal.type("/plugin\r")
        terminal.wait_for("available · 1.0.0 · Greets")
        terminal.type("\r")
        terminal.wait_for("shows what it would run, and asks")
        terminal.type("\r")
        terminal.wait_for("command hello.md")
        terminal.wait_for("Do you trust it?")
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/plugins/installed_plugins.json")))
        terminal.type("\r")
        terminal.wait_idle("Installed demo@tools")
        terminal.type("/plugin\r")
        terminal.wait_for("enabled · 1.0.0 · user")
        terminal.type("\r")
        terminal.wait_for("keep it, but do not load it")
        terminal.type("disable\r")
        terminal.wait_idle("Disabled demo@tools.")
        self.assertEqual(self.settings()["enabledPlugins"], {"demo@tools": False})
        terminal.type("/plugin\r")
        terminal.wait_for("disabled · 1.0.0 · user")
        terminal.type("\r")
        terminal.wait_for("with the files that it keeps")
        terminal.type("uninstall\r")
        terminal.wait_idle("Uninstalled demo@tools.")
        self.leave(terminal)

    def test_what_is_shown_is_not_installed_without_consent(self):
        terminal = self.open(rows=40)
        terminal.type("/plugin\r")
        terminal.wait_for("available · 1.0.0 · Greets")
        terminal.type("\r")
        terminal.wait_for("shows what it would run, and asks")
        terminal.type("\r")
        terminal.wait_for("Do you trust it?")
        terminal.type("\x1b")
        self.wait_until_gone(terminal, "Do you trust it?")
        terminal.type("/plugin\r")
        terminal.wait_for("Plugins")
        terminal.type("market\r")
        terminal.wait_for("Add a marketplace")
        terminal.type("add a\r")
        terminal.wait_for("/plugin marketplace add")
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/plugins/installed_plugins.json")))


class McpServers(Lists):
    def begin(self):
        servers = {"demo": {"command": sys.executable, "args": [SERVER]}, "broken": {"command": "/nonexistent/server"}}
        return self.open("--mcp-config", json.dumps({"mcpServers": servers}))

    def test_servers_are_looked_at_and_changed_from_a_list(self):
        terminal = self.begin()
        terminal.type("/mcp\r")
        terminal.wait_for("❯ demo")
        terminal.wait_for("connected · 9 tools")
        terminal.wait_for("failed")
        terminal.type("\r")
        terminal.wait_for("❯ Tools")
        self.assertNotIn("Enable", terminal.text())
        terminal.type("\r")
        terminal.wait_for("mcp__demo__echo: Say it again.")
        terminal.type("/mcp\r")
        terminal.wait_for("❯ demo")
        terminal.type("dis\x7f\x7f\x7f\r")
        terminal.wait_for("❯ Tools")
        terminal.type("dis\r")
        terminal.wait_for("demo is disabled in this session.")
        terminal.type("/mcp\r")
        terminal.wait_for("disabled · ")
        terminal.type("\r")
        terminal.wait_for("❯ Log")
        terminal.type("enable\r")
        terminal.wait_for("demo is being connected.")
        self.leave(terminal)

    def test_without_servers_awl_says_how_to_add_one(self):
        terminal = self.open()
        terminal.type("/mcp\r")
        terminal.wait_for("There are no MCP servers. Add one in a shell: awl mcp add")
        self.assertEqual(terminal.all().count("❯ /mcp\n"), 1)
        self.leave(terminal)


class Help(Lists):
    def test_help_lists_what_only_the_screen_can_do(self):
        terminal = self.open(rows=60)
        terminal.type("/help\r")
        for name in ("/copy [N]", "/exit", "/keybindings", "/resume [session]", "/theme [name]", "/vim"):
            terminal.wait_for(name)
        self.leave(terminal)
