"""Keys of the terminal front end: bindings, vim, the search of earlier prompts, the user's own editor."""

import json
import os

from emulated import Screen

DONE = " tokens in "
REPLY = """
reply otherwise
  text "Yes."
"""


class Keys(Screen):
    def setUp(self):
        super().setUp()
        self.serve(REPLY)

    def configure(self, name, value):
        path = os.path.join(self.home, ".claude", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)

    def last_prompt(self):
        return self.requests()[-1]["messages"][-1]["content"][-1]["text"]

    def say(self, terminal, text):
        terminal.type(text + "\r")
        terminal.wait_for("❯ " + text.splitlines()[0])
        terminal.wait_idle(DONE)


class Prompt(Keys):
    def test_a_prompt_put_aside_comes_back_after_the_next(self):
        terminal = self.open()
        terminal.type("later\x13")
        terminal.wait_for("Put aside")
        terminal.type("first\r")
        terminal.wait_idle(DONE)
        terminal.wait_for("❯ later", after=DONE)
        terminal.type("\x15")
        self.leave(terminal)
        self.assertEqual(self.last_prompt(), "first")

    def test_a_question_mark_on_an_empty_prompt_shows_the_keys(self):
        self.configure("keybindings.json", {"bindings": [{"context": "Chat", "bindings": {
            "ctrl+s": None, "ctrl+x ctrl+s": "chat:stash"}}]})
        terminal = self.open()
        terminal.type("?")
        terminal.wait_for("ctrl+d       leave")
        self.assertScreen("keys", terminal)
        terminal.type("a?")
        terminal.wait_for("❯ a?")
        self.assertNotIn("leave", terminal.text())
        terminal.type("\x15")
        self.leave(terminal)

    def test_a_long_menu_counts_its_entries(self):
        terminal = self.open()
        terminal.type("/")
        terminal.wait_for("  1 of ")
        terminal.type("\x1b[A")  # up from the first one leads to the last
        terminal.wait_for("❯ /vim")
        terminal.type("\x15")
        self.leave(terminal)

    def test_two_escapes_clear_the_prompt_and_keep_it_in_the_history(self):
        terminal = self.open()
        terminal.type("a draft\x1b")
        terminal.wait_for("Press Escape again")
        terminal.type("\x1b")
        terminal.wait_for("What should be done?")
        terminal.type("\x1b[A")
        terminal.wait_for("❯ a draft")
        terminal.type("\x15")
        self.leave(terminal)

    def test_earlier_prompts_are_found(self):
        terminal = self.open()
        self.say(terminal, "apples and pears")
        self.say(terminal, "plums")
        terminal.type("draft\x12")
        terminal.wait_for("search earlier prompts:")
        terminal.type("PEA")
        terminal.wait_for("❯ apples and pears", after="❯ plums")
        terminal.type("x")
        terminal.wait_for("(none)")
        terminal.type("\x03")
        terminal.wait_for("❯ draft")
        terminal.type("\x12p\x12\x12")
        terminal.wait_for("❯ apples and pears", after="❯ plums")
        terminal.type("\r")
        self.wait_until(lambda: len(self.requests()) == 3, "the prompt was not sent")
        self.assertEqual(self.last_prompt(), "apples and pears")
        terminal.wait_idle(DONE)
        self.leave(terminal)


class Bindings(Keys):
    def test_keys_of_the_user(self):
        self.configure("keybindings.json", {"bindings": [{"context": "Chat", "bindings": {
            "ctrl+k ctrl+m": "chat:stash", "ctrl+x ctrl+s": "chat:stash", "ctrl+s": None, "ctrl+c": None}}]})
        terminal = self.open(cols=120)
        terminal.wait_for("ctrl+c cannot be bound: it always interrupts")
        terminal.type("one\x13two")  # Ctrl-S means nothing any more
        terminal.wait_for("❯ onetwo")
        terminal.type("\x18")
        terminal.wait_for("ctrl+x ...")
        terminal.type("\x13")
        terminal.wait_for("Put aside")
        self.leave(terminal)

    def test_a_changed_file_counts_at_once(self):
        self.configure("keybindings.json", {})
        terminal = self.open(cols=120)
        self.configure("keybindings.json", {"bindings": [{"context": "Chat", "bindings": {"ctrl+x s": "chat:stash"}}]})
        terminal.wait_for("Key bindings changed (applies at once).")
        terminal.type("aside\x18s")
        terminal.wait_for("Put aside")
        self.configure("keybindings.json", {"bindings": [{"context": "Chat", "bindings": {"ctrl+m": "chat:stash"}}]})
        terminal.wait_for("ctrl+m cannot be bound: terminals send it for Enter")
        os.remove(os.path.join(self.home, ".claude/keybindings.json"))
        terminal.wait_for_count("Key bindings changed (applies at once).", 3)
        terminal.type("one\x18")
        terminal.wait_for("ctrl+x ...")
        terminal.type("s")
        terminal.wait_for("❯ ones")
        terminal.type("\x15")
        self.leave(terminal)

    def test_vim_shows_its_mode(self):
        self.configure("settings.json", {"editorMode": "vim", "vimInsertModeRemaps": {"jj": "<Esc>"}})
        terminal = self.open()
        terminal.type("one twojj")
        terminal.wait_for("NORMAL ·")
        terminal.type("2d")
        terminal.wait_for("NORMAL 2d ·")
        terminal.type("bV")
        terminal.wait_for("VISUAL LINE ·")
        terminal.type("d")
        terminal.wait_for("What should be done?")
        self.leave(terminal)

    # changes live: editorMode
    def test_a_changed_setting_switches_vim(self):
        terminal = self.open()
        terminal.type("first\r")
        terminal.wait_idle(DONE)
        self.configure("settings.json", {"editorMode": "vim"})
        terminal.wait_for("editorMode (applies at once)")
        terminal.type("\x1b")
        terminal.wait_for("NORMAL")
        self.configure("settings.json", {"editorMode": "normal"})
        self.wait_until_gone(terminal, "NORMAL")
        self.leave(terminal)

    def test_vim_edits_what_is_sent(self):
        self.configure("settings.json", {"editorMode": "vim"})
        terminal = self.open()
        terminal.type("fix teh bug\x1b")
        terminal.wait_for("NORMAL")
        terminal.type("0wciwthe")
        terminal.wait_for("❯ fix the bug")
        terminal.type("\r")
        terminal.wait_idle(DONE)
        self.assertEqual(self.last_prompt(), "fix the bug")
        self.leave(terminal)


class Editor(Keys):
    def edit(self, body, text):
        script = os.path.join(self.cwd, "edit.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + body)
        os.chmod(script, 0o755)
        terminal = self.open(EDITOR=f"{script} --wait", VISUAL="")
        terminal.type(text + "\x07")
        return terminal

    def test_the_users_own_editor(self):
        terminal = self.edit('cat "$2" >> seen; printf "written\\nelsewhere\\n" > "$2"\n', "draft")
        terminal.wait_for("❯ written")
        terminal.wait_for("  elsewhere")
        with open(os.path.join(self.cwd, "seen"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "draft\n")
        terminal.type("\r")
        terminal.wait_idle(DONE)
        self.assertEqual(self.last_prompt(), "written\nelsewhere")
        self.leave(terminal)

    def test_an_editor_that_fails_changes_nothing(self):
        terminal = self.edit("exit 3\n", "draft")
        terminal.wait_for("The editor ended with status 3")
        self.assertIn("❯ draft", terminal.text())
        terminal.type("\x15")
        self.leave(terminal)

    def test_an_editor_that_does_not_exist(self):
        terminal = self.open(EDITOR="/nowhere/editor", VISUAL="")
        terminal.type("draft\x07")
        terminal.wait_for("cannot start /nowhere/editor")
        terminal.type("\x15")
        self.leave(terminal)


class Menu(Keys):
    def test_commands_are_completed_and_run(self):
        terminal = self.open()
        terminal.type("/")
        terminal.wait_for("  /clear                Start a new conversation")
        terminal.type("tds")
        terminal.wait_for("❯ /todos                Show the to-do list")
        terminal.type("\r")
        terminal.wait_for("❯ /todos\n")
        terminal.wait_for("The to-do list is empty.")
        self.leave(terminal)
        self.assertEqual(self.requests(), [])

    def test_a_command_that_takes_arguments_is_completed_first(self):
        terminal = self.open()
        terminal.type("/mode\r")
        terminal.wait_for("shift+tab")
        terminal.type("opus\r")
        terminal.wait_for("Model: ")
        self.leave(terminal)

    def test_commands_of_the_project_are_in_the_menu(self):
        os.makedirs(os.path.join(self.cwd, ".claude/commands"))
        with open(os.path.join(self.cwd, ".claude/commands/ship.md"), "w", encoding="utf-8") as file:
            file.write("---\ndescription: Ship it\n---\nShip it now.\n")
        terminal = self.open()
        terminal.type("/shi")
        terminal.wait_for("Ship it")
        terminal.type("\x1b")
        terminal.wait_for("shift+tab")
        terminal.type("\x15")
        self.leave(terminal)

    def test_files_are_completed(self):
        os.makedirs(os.path.join(self.cwd, "source/deep"))
        for name in ("source/deep/main.c", "source/make.c", "other.txt"):
            with open(os.path.join(self.cwd, name), "w", encoding="utf-8"):
                pass
        terminal = self.open()
        terminal.type("look at @ma")
        terminal.wait_for("  source/")
        terminal.type("k")
        terminal.wait_for("❯ source/make.c")
        terminal.type("\t")
        terminal.wait_for("look at @source/make.c")
        terminal.type("and @othe")
        terminal.wait_for("❯ other.txt")
        terminal.type("\r")
        terminal.wait_for("@source/make.c and @other.txt")
        terminal.type("\x15")
        self.leave(terminal)

    def test_a_file_with_blanks_is_completed_in_quotes_and_sent(self):
        os.mkdir(os.path.join(self.cwd, "my notes"))
        with open(os.path.join(self.cwd, "my notes/to do.txt"), "w", encoding="utf-8") as file:
            file.write("water the plants\n")
        terminal = self.open()
        terminal.type("do @my")
        terminal.wait_for("❯ my notes/")
        terminal.type("\t")
        terminal.wait_for('@"my notes/')
        terminal.wait_for("❯ my notes/to do.txt")
        terminal.type("\t")
        terminal.wait_for('do @"my notes/to do.txt"')
        terminal.type("\r")
        terminal.wait_for("Sent with the prompt: my notes/to do.txt")
        terminal.wait_idle(DONE)
        sent = self.requests()[-1]["messages"][-1]["content"][-1]["text"]
        self.assertIn("to do.txt:\n\nwater the plants", sent)
        self.leave(terminal)

    def test_enter_sends_a_prompt_whose_file_is_typed_whole(self):
        with open(os.path.join(self.cwd, "other.txt"), "w", encoding="utf-8"):
            pass
        terminal = self.open()
        terminal.type("see @other.txt")
        terminal.wait_for("❯ other.txt")
        terminal.type("\r")
        terminal.wait_idle(DONE)
        self.leave(terminal)

    def test_agents_are_completed(self):
        terminal = self.open()
        terminal.type("ask @expl")
        terminal.wait_for("❯ agent-Explore")
        terminal.type("\t")
        terminal.wait_for("ask @agent-Explore")
        terminal.type("\x15")
        self.leave(terminal)

    def test_the_menu_can_be_dismissed(self):
        terminal = self.open()
        terminal.type("/co")
        terminal.wait_for("❯ /co")
        terminal.wait_for("/context")
        terminal.type("\x1b")
        terminal.wait_for("shift+tab")
        terminal.type("s")
        terminal.wait_for("❯ /cos")
        terminal.type("\x15")
        self.leave(terminal)
