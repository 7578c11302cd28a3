"""The terminal front end as a person sees it, in a real emulator."""

import json
import os
import re
import signal
import termios
import time
import unittest

from emulated import Emulated, Screen
from rig import AWL

ANSWER = r'''
reply forever when prompt contains write
  text "I'll write it."
  tool Write {"file_path": "hello.c", "content": "#include <stdio.h>\n\nint main(void)\n{\n\tputs(\"hi\");\n}\n"}
reply forever when tool_error contains declined
  text "As you like."
reply forever when result_of contains Write
  tool Edit {"file_path": "hello.c", "old_string": "puts(\"hi\");", "new_string": "puts(\"hello\");"}
reply forever when result_of contains Edit
  text "It is there."
reply forever when prompt contains run
  text "I'll count."
  tool Bash {"command": "seq 20; false"}
reply forever when result_of contains Bash
  text "It failed."
reply otherwise
  text <<END
    # Greetings

    This is **bold**, this is `code`, and these words are long enough to be wrapped at eighty columns.

    - one
    - two

    ```c
    int main(void) { return 0; }
    ```
    END
'''
DONE = " tokens in "


class Views(Screen):
    def setUp(self):
        super().setUp()
        self.serve(ANSWER)

    def test_the_welcome(self):
        terminal = self.open()
        self.assertScreen("welcome", terminal)
        self.leave(terminal)

    def test_an_answer(self):
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.assertScreen("answer", terminal.all())
        self.leave(terminal)
        self.assertIn("To resume this session: awl --resume ", terminal.text())

    def test_the_prompt_of_the_command_line(self):
        terminal = self.open("hello")
        terminal.wait_idle(DONE)
        self.assertIn("❯ hello", terminal.all())
        self.leave(terminal)

    def test_a_command_that_fails(self):
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("run\r")
        terminal.wait_idle(DONE)
        self.assertScreen("command", terminal.all())
        self.leave(terminal)

    def test_questions_and_diffs(self):
        terminal = self.open()
        terminal.type("write\r")
        terminal.wait_for("Write hello.c?")
        terminal.wait_for("esc for no")
        self.assertScreen("question-write", terminal)
        terminal.type("1")
        terminal.wait_for("Edit hello.c?")
        terminal.wait_for("esc for no")
        terminal.wait_for("6 + }")
        self.assertScreen("question-edit", terminal)
        terminal.type("\x1b[B\r")  # the second reply
        terminal.wait_idle(DONE)
        terminal.wait_for("edits are accepted")
        self.assertScreen("diff", terminal.all())
        self.leave(terminal)


class Commands(Screen):
    def test_the_answer_to_a_command_keeps_its_lines(self):
        self.serve(ANSWER)
        terminal = self.open(rows=60)
        terminal.type("/help\r")
        terminal.wait_for("/exit ")
        lines = terminal.all().splitlines()
        self.assertTrue(any(line.startswith("  /clear  ") for line in lines), lines)
        self.assertTrue(any(line.startswith("  /exit  ") for line in lines), lines)
        terminal.type("/zork\r")
        terminal.wait_for("there is no command /zork")
        self.leave(terminal)


class Work(Screen):
    def test_lookups_are_a_row_each_and_the_list_stays_visible(self):
        self.write("a.txt", "one\ntwo\n")
        self.serve("""\
reply when prompt contains go
  text "I'll look."
  tool TodoWrite {"todos": [{"content": "Look", "status": "in_progress", "activeForm": "Looking"}, {"content": "Wait", "status": "pending", "activeForm": "Waiting"}]}
reply when result_of contains TodoWrite
  tool Read {"file_path": "a.txt"}
  tool Grep {"pattern": "two", "path": "."}
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done; echo done"}
reply forever
  text "Done."
""")
        terminal = self.open("--allowedTools", "Bash", "--tools", "TodoWrite,Read,Grep,Bash")
        terminal.type("go\r")
        terminal.wait_for("● Bash while")
        terminal.wait_for("▸ Look")
        terminal.type("\x14")  # Ctrl-T
        self.wait_until_gone(terminal, "▸ Look")
        terminal.type("\x14")
        terminal.wait_for("▸ Look")
        terminal.wait_for("● Grep two in . · 2 lines")
        self.write("go", "")
        terminal.wait_idle(DONE)
        self.assertScreen("work", terminal.all())
        self.leave(terminal)


    def test_many_lookups_are_one_row(self):
        for name in "abcde":
            self.write(name, "one\n")
        self.serve("reply when prompt contains go\n" + "".join(f'  tool Read {{"file_path": "{name}"}}\n' for name in "abcde")
                   + 'reply forever\n  text "Done."\n')
        terminal = self.open()
        terminal.type("go\r")
        terminal.wait_idle(DONE)
        self.assertIn("\n\n● Read 5 files · ctrl+o to see all\n\nDone.", terminal.all())
        terminal.type("\x0f")  # Ctrl-O
        terminal.wait_for("● Read e")
        self.assertIn("● Read a", terminal.text())
        terminal.type("q")
        terminal.wait_for(self.PROMPT)
        self.leave(terminal)


class Shell(Screen):
    def test_the_users_own_command_runs_and_the_model_hears_of_it(self):
        self.serve(ANSWER)
        terminal = self.open()
        terminal.type("! echo one; echo two; false\r")
        terminal.wait_idle("Exit code 1")
        self.assertScreen("shell", terminal.all())
        self.assertEqual(self.requests(), [])
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        said = json.dumps(self.requests()[0]["messages"])
        self.assertIn("<bash-input>echo one; echo two; false</bash-input>", said)
        self.assertIn("Exit code 1\\none\\ntwo", said)
        self.leave(terminal)

    def test_esc_ends_it(self):
        self.serve(ANSWER)
        terminal = self.open()
        terminal.type("!echo begun; sleep 300\r")
        terminal.wait_for("  begun")
        terminal.type("\x1b")
        terminal.wait_idle("[interrupted]")
        self.leave(terminal)


class Sizes(Screen):
    def setUp(self):
        super().setUp()
        self.serve(ANSWER)

    def test_narrow_and_wide(self):
        for name, rows, cols in (("narrow", 10, 20), ("wide", 40, 120)):
            with self.subTest(name=name):
                terminal = self.open(rows=rows, cols=cols)
                terminal.type("hello\r")
                terminal.wait_idle("tokens in")
                self.assertScreen(f"answer-{name}", terminal.all())
                self.leave(terminal)

    WORDS = [f"word{i:04}" for i in range(1600)]

    def stream(self):
        """Paragraphs of forty words, two or three words at a time."""
        parts = [" ".join(self.WORDS[i:i + 40]) for i in range(0, len(self.WORDS), 40)]
        self.serve(f"pace 1ms\nreply\n  text {json.dumps(chr(10).join(part + chr(10) for part in parts))}\n")

    def check_scrollback(self, terminal):
        self.assertEqual(re.findall(r"word\d{4}", terminal.all()), self.WORDS)
        self.assertEqual(terminal.all().count("❯ go"), 1)
        self.assertEqual(terminal.all().count("esc to interrupt"), 0)
        self.assertEqual(terminal.all().count("shift+tab"), 1)
        self.assertNotIn(b"\x1b[2J", terminal.bytes)
        self.assertNotIn(b"\x1b[3J", terminal.bytes)

    def test_the_scrollback_is_the_conversation_after_resizes_while_it_streams(self):
        """Each word is there once and in order, and nothing of the rows at the bottom is left over, whatever the size was
        when the terminal read a frame, and whenever the program heard of it."""
        for reads in (0, 3):
            with self.subTest(reads=reads):
                self.stream()
                terminal = self.open(rows=30, cols=90)
                terminal.type("go\r")
                for last, rows, cols in (("word0300", 34, 60), ("word0600", 30, 100), ("word1000", 30, 80)):
                    while last not in terminal.all():
                        terminal._read(time.monotonic() + 60)
                    terminal.resize(rows, cols, reads)
                terminal.wait_idle("tokens in")
                terminal.wait_for(self.PROMPT)
                self.check_scrollback(terminal)
                self.leave(terminal)


class Resuming(Screen):
    def test_the_conversation_is_shown_again(self):
        self.serve(ANSWER)
        terminal = self.open("--permission-mode", "acceptEdits")
        terminal.type("write\r")
        terminal.wait_idle(DONE)
        before = terminal.all()
        self.leave(terminal)
        terminal = self.open("-c", rows=60)
        self.assertIn("Resumed, last used ", terminal.all())
        talk = terminal.all().partition("❯ write")[2].partition("  Resumed")[0]
        self.assertEqual(talk.split(), before.partition("❯ write")[2].partition("It is there.")[0].split()
                         + ["It", "is", "there."])
        self.leave(terminal)


class TypedAhead(Screen):
    def test_what_is_typed_before_it_starts_is_in_the_prompt_and_nowhere_else(self):
        self.serve(ANSWER)
        start = f"until test -e go; do sleep 0.01; done; exec '{AWL}'"
        terminal = Emulated(["sh", "-c", start], self.cwd, self.environment(**self.modelled()), 24, 80)
        self.addCleanup(terminal.close)
        terminal.type("early words")
        terminal.wait_for("early words")
        self.write("go", "")
        terminal.wait_for("❯ early words")
        self.assertTrue(terminal.all().startswith("awl "), terminal.all())
        terminal.type("\x15")
        self.leave(terminal)


class Transcript(Screen):
    def test_it_shows_everything_and_leaves_the_screen_as_it_was(self):
        self.serve(ANSWER)
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("run\r")
        terminal.wait_idle(DONE)
        before = terminal.all()
        self.assertNotIn("\n  12\n", before)
        terminal.type("\x0f")  # Ctrl-O
        terminal.wait_for("q to close")
        self.assertTrue(terminal.state["alternate"])
        terminal.type("g")
        terminal.wait_for("❯ run")
        self.assertIn("\n  12\n", terminal.text())
        self.assertScreen("transcript", terminal)
        terminal.type("/IT FAILED\r")
        terminal.wait_for("It failed.")
        terminal.type("q")
        terminal.wait_for(self.PROMPT)
        self.assertFalse(terminal.state["alternate"])
        self.assertEqual(terminal.all(), before)
        self.leave(terminal)

    def test_thoughts_are_complete_and_all_of_it_can_be_printed_or_opened_in_the_editor(self):
        editor = self.write("editor.sh", '#!/bin/sh\ncp "$1" "$0.seen"\n')
        os.chmod(editor, 0o755)
        self.serve('reply forever\n  thinking "Considering it. " times 30\n  text "An answer."\n')
        terminal = self.open(EDITOR=editor)
        terminal.type("think\r")
        terminal.wait_idle(DONE)
        self.assertNotIn("Considering", terminal.all())
        terminal.type("\x0f")
        terminal.wait_for("q to close")
        self.assertEqual(" ".join(terminal.text().split()).count("Considering it."), 30)
        terminal.type("v")
        terminal.wait_for(self.PROMPT)
        self.wait_for_file("editor.sh.seen")
        self.assertRegex(self.read("editor.sh.seen"), r"(?s)\A❯ think\n.*Considering it\..*\n\nAn answer\.\n")
        terminal.type("\x0f")
        terminal.wait_for("q to close")
        terminal.type("[")
        terminal.wait_for("An answer.\n\n─")
        self.assertEqual(" ".join(terminal.all().split()).count("Considering it."), 30)
        self.leave(terminal)

    def test_what_happens_meanwhile_is_there_afterwards(self):
        self.serve("""\
reply when prompt contains wait
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done"}
reply when prompt contains ask
  tool Write {"file_path": "x", "content": "x"}
reply forever
  text "Yes."
""")
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("wait\r")
        terminal.wait_for("● Bash while")
        terminal.type("\x0f")
        terminal.wait_for("q to close")
        self.write("go", "")
        self.wait_until(lambda: len(self.requests()) == 2, "no second request")
        terminal.type("q")
        terminal.wait_idle(DONE)
        self.assertEqual(terminal.all().count("Yes."), 1)
        terminal.type("ask\r")
        terminal.wait_for("esc for no")
        self.leave(terminal)


class Waiting(Screen):
    def test_a_retry_is_counted_down_and_leaves_no_trace(self):
        self.serve('fail 529 overloaded_error "Overloaded" retry-after=2\nreply\n  text "At last."\n')
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_for("; retrying in ")
        terminal.wait_idle("At last.")
        terminal.wait_for("tokens in")
        self.assertNotIn("retrying", terminal.all())
        self.leave(terminal)

    def test_prompts_wait_and_can_be_taken_back(self):
        self.serve("""\
reply
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done"}
reply forever
  text "Yes."
""")
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("first\r")
        terminal.wait_for("● Bash while")
        terminal.type("second\r")
        terminal.wait_for("❯ second")
        terminal.type("third\r")
        terminal.wait_for("❯ third")
        terminal.wait_for("up to take it back")
        terminal.type("\x1b[A")
        terminal.wait_for("❯ third", after="───")
        terminal.type("\x15")
        self.write("go", "")
        terminal.wait_idle("tokens in")
        self.assertNotIn("third", terminal.all())
        self.assertEqual(terminal.all().count("❯ second"), 1)
        self.assertIn("second", json.dumps(self.requests()[-1]["messages"]))
        self.leave(terminal)

    def test_commands_in_the_background_are_not_ended_by_mistake(self):
        self.serve("""\
reply
  tool Bash {"command": "sleep 300", "run_in_background": true, "description": "Sleep a while"}
reply forever
  text "It runs."
""")
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("go\r")
        terminal.wait_idle("tokens in")
        terminal.wait_for("1 in the background")
        terminal.type("\x04")
        terminal.wait_for("Press Ctrl-D again to leave.")
        self.leave(terminal)


class Away(Screen):
    """The user looks at another window."""

    def test_the_title_says_what_goes_on(self):
        self.serve(ANSWER)
        terminal = self.open()
        self.assertEqual(terminal.state["title"], "work · awl")
        terminal.type("write\r")
        terminal.wait_for("esc for no")
        self.assertEqual(terminal.state["title"], "? work · awl")
        terminal.type("\x1b")
        terminal.wait_idle(DONE)
        self.wait_until(lambda: terminal.ask()["title"] == "work · awl", "the title stays")
        self.leave(terminal)

    def test_a_bell_calls_the_user_back(self):
        self.serve(ANSWER)
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        self.assertEqual(terminal.state["bells"], 0)
        terminal.type("\x1b[O")  # the focus is lost
        terminal.type("write\r")
        terminal.wait_for("esc for no")
        self.assertEqual(terminal.state["bells"], 1)
        terminal.type("\x1b")
        terminal.wait_for("As you like.")
        terminal.wait_idle(DONE)
        self.assertEqual(terminal.state["bells"], 2)
        self.leave(terminal)


class Hostile(Screen):
    def test_nothing_that_is_shown_can_control_the_terminal(self):
        evil = "\x1b]2;evil\x07\x1b[2J\x1b[31mred\x1b[?1049h\r\x9b2J\u202etxt"
        self.write("evil.txt", evil + "\n")
        self.write("\x1b[2Jname", "x")
        self.serve(f"""\
reply when prompt contains go
  text {json.dumps(evil)}
  tool Bash {{"command": "cat evil.txt; ls -b; printf '%b' '\\\\033]2;evil\\\\007'"}}
reply forever
  text "Well."
""".replace("\\u001b", "\\x1b").replace("\\u0007", "\\x07").replace("\\u009b", "\\xc2\\x9b")
   .replace("\\u202e", "\\xe2\\x80\\xae"))
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("go\r")
        terminal.wait_idle(DONE)
        self.assertEqual(terminal.state["title"], "work · awl")
        self.assertFalse(terminal.state["alternate"])
        for sequence in (b"\x1b[2J", b"\x1b]2;evil", b"\xc2\x9b", b"\xe2\x80\xae", b"\x1b[?1049h"):
            self.assertFalse(sequence in terminal.bytes, sequence)
        self.leave(terminal)

    def test_without_colours(self):
        self.serve(ANSWER)
        terminal = self.open("--permission-mode", "acceptEdits", NO_COLOR="1")
        terminal.type("write\r")
        terminal.wait_idle(DONE)
        self.assertNotRegex(terminal.bytes, rb"\x1b\[[0-9;]*(3|4)[0-9](;[0-9;]*)?m")
        self.leave(terminal)


class Settings(Screen):
    def test_verbose_folds_nothing_and_reduced_motion_has_no_spinner(self):
        self.serve(ANSWER.replace("seq 20; false", "seq 20; while ! test -e go; do sleep 0.01; done"))
        terminal = self.open("--allowedTools", "Bash", "--settings", json.dumps(
            {"verbose": True, "prefersReducedMotion": True}), rows=60)
        terminal.type("run\r")
        terminal.wait_for("● Running")
        self.write("go", "")
        terminal.wait_idle(DONE)
        self.assertIn("\n  1\n  2\n", terminal.all())
        self.assertNotIn("more lines", terminal.all())
        self.leave(terminal)

    def test_colours_words_and_tips_of_the_users_own(self):
        os.makedirs(os.path.join(self.home, ".claude/themes"))
        with open(os.path.join(self.home, ".claude/themes/mine.json"), "w", encoding="ascii") as file:
            json.dump({"base": "dark", "overrides": {"claude": "ansi256(208)", "colour": "#fff"}}, file)
        self.serve('reply\n  stall 30s\n  text "Late."\n')
        terminal = self.open("--settings", json.dumps({
            "theme": "custom:mine", "spinnerVerbs": {"mode": "replace", "verbs": ["Pondering"]},
            "spinnerTipsOverride": {"excludeDefault": True, "tips": ["Drink water."]}}))
        self.assertIn(b"38;5;208m", terminal.bytes)
        self.assertIn('there is no colour "colour"', terminal.text())
        terminal.type("go\r")
        terminal.wait_for("Pondering")
        terminal.wait_for("Tip: Drink water.")
        terminal.type("\x1b")
        terminal.wait_for("Interrupted.")
        self.leave(terminal)

    def test_the_way_of_notifications_can_be_chosen(self):
        self.serve(ANSWER)
        for channel, bytes in (("kitty", b"\x1b]99;;awl: finished\x1b\\"), ("iterm2", b"\x1b]9;awl: finished"),
                               ("ghostty", b"\x1b]777;notify;awl;finished"), ("notifications_disabled", b"")):
            with self.subTest(channel=channel):
                terminal = self.open("--settings", json.dumps({"preferredNotifChannel": channel}))
                terminal.type("\x1b[O")
                terminal.type("hello\r")
                terminal.wait_idle(DONE)
                self.assertIn(bytes, terminal.bytes)
                self.assertEqual((terminal.state["bells"], terminal.bytes.count(b"finished")), (0, bool(bytes)))
                self.leave(terminal)


class Keys(Screen):
    def setUp(self):
        super().setUp()
        self.serve(ANSWER)

    def test_the_mode_is_cycled(self):
        terminal = self.open()
        for label in ("edits are accepted", "plan mode", "asks first"):
            terminal.type("\x1b[Z")
            terminal.wait_for(label)
        self.leave(terminal)

    def test_a_prompt_may_have_several_lines(self):
        terminal = self.open()
        terminal.type("one\\\rtwo\nthree")
        terminal.wait_for("  three")
        terminal.type("\r")
        terminal.wait_idle(DONE)
        self.assertEqual(self.requests()[-1]["messages"][-1]["content"][-1]["text"], "one\ntwo\nthree")
        self.leave(terminal)

    def test_a_long_paste_is_one_prompt(self):
        terminal = self.open()
        text = "\n".join(f"line {i}" for i in range(500))
        terminal.type(f"\x1b[200~{text}\x1b[201~")
        terminal.wait_for("[Pasted text #1 +500 lines]")
        terminal.type(" done\r")
        terminal.wait_idle(DONE)
        sent = self.requests()[-1]["messages"][-1]["content"][-1]["text"]
        self.assertEqual(sent, text + " done")
        self.leave(terminal)

    def test_history(self):
        terminal = self.open()
        terminal.type("hello\r")
        terminal.wait_idle(DONE)
        terminal.type("draft\x1b[A")
        terminal.wait_for("❯ hello", after=DONE)
        terminal.type("\x1b[B")
        terminal.wait_for("❯ draft", after=DONE)
        terminal.type("\x15")  # Ctrl-U
        self.leave(terminal)

    def test_esc_says_no(self):
        terminal = self.open()
        terminal.type("write\r")
        terminal.wait_for("esc for no")
        terminal.type(" ")  # a blank answers nothing
        terminal.type("\x1b")
        terminal.wait_for("As you like.")
        self.assertIn("declined", terminal.all())
        self.assertFalse(os.path.exists(self.path("hello.c")))
        self.leave(terminal)

    def test_no_with_a_message(self):
        terminal = self.open()
        terminal.type("write\r")
        terminal.wait_for("esc for no")
        terminal.type("3")
        terminal.wait_for("enter to send")
        terminal.type("call it x.c\r")
        terminal.wait_for("As you like.")
        self.assertIn("They said: call it x.c", str(self.requests()[-1]["messages"]))
        self.leave(terminal)


class Questions(Screen):
    def test_what_was_typed_before_answers_nothing_and_is_still_there(self):
        self.serve("""\
reply when prompt contains go
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done"}
reply when result_of contains Bash
  tool Write {"file_path": "x", "content": "x"}
reply forever
  text "Well."
""")
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("go\r")
        terminal.wait_for("● Bash while")
        terminal.type("1y")
        terminal.wait_for("❯ 1y")
        self.write("go", "")
        terminal.wait_for("Write x?")
        self.assertFalse(os.path.exists(self.path("x")))
        terminal.type("\x1b")  # while they write, this ends the turn; after a pause, it says no
        terminal.wait_idle(DONE)
        terminal.wait_for("❯ 1y")
        self.assertFalse(os.path.exists(self.path("x")))
        terminal.type("\x15")
        self.leave(terminal)

    def test_the_rule_that_is_kept_is_shown_in_full(self):
        name = "a-long-name-" * 8
        self.serve(f"""\
reply when prompt contains go
  tool Bash {{"command": "touch {name}"}}
reply forever
  text "Well."
""")
        terminal = self.open(rows=40, cols=60)
        terminal.type("go\r")
        terminal.wait_for("esc for no")
        shown = "".join(line.strip() for line in terminal.text().partition("❯ 1")[2].splitlines())
        self.assertIn(f"Bash(touch{name})", shown.replace(" ", ""))
        terminal.type("\x1b")
        terminal.wait_idle(DONE)
        self.leave(terminal)


class Leaving(Screen):
    def setUp(self):
        super().setUp()
        self.serve(ANSWER)

    def modes(self, terminal):
        return termios.tcgetattr(terminal.fd)[3] & (termios.ICANON | termios.ECHO)

    def check(self, terminal, status):
        self.assertEqual(terminal.wait_end(), status)
        self.assertFalse(terminal.state["paste"])
        self.assertTrue(terminal.bytes.endswith(b"\x1b[?25h\x1b[m"), terminal.bytes[-80:])
        self.assertIn(b"\x1b[23;2t", terminal.bytes)  # the title is as it was

    def test_every_way_out_restores_the_terminal(self):
        for how, status in (("\x04", 0), ("/exit\r", 0), ("quit\r", 0), ("\x03\x03", 130)):
            with self.subTest(how=how):
                terminal = self.open()
                self.assertEqual(self.modes(terminal), 0)
                terminal.type(how)
                self.check(terminal, status)

    def test_so_do_signals(self):
        for signo in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signo=signo):
                terminal = self.open()
                os.kill(terminal.pid, signo)
                self.check(terminal, 128 + signo)


    def test_a_crash_does(self):
        terminal = self.open()
        os.kill(terminal.pid, signal.SIGSEGV)
        self.assertEqual(terminal.wait_end(), -signal.SIGSEGV)
        self.assertFalse(terminal.state["paste"])

    def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it(self):
        """In a shell with job control."""
        shell = Emulated(["bash", "--norc", "--noprofile", "-i"], self.cwd,
                         self.environment(**self.modelled(), PS1="shell$ "), 24, 80)
        self.addCleanup(shell.close)
        shell.wait_for("shell$")
        shell.type(f"{AWL}\r")
        shell.wait_for(self.PROMPT)
        shell.type("a draft")
        shell.wait_for("❯ a draft")
        shell.type("\x1a")
        shell.wait_for("Stopped")
        self.assertFalse(shell.state["paste"] and "shift+tab" in shell.text())
        shell.type("fg\r")
        shell.wait_for("❯ a draft", after="fg")
        shell.wait_for(self.PROMPT, after="fg")
        shell.type("\x03")
        shell.wait_for("❯ What should", after="fg")
        shell.type("\x04")
        shell.wait_for("shell$", after="fg")
        shell.type("exit\r")
        self.assertEqual(shell.wait_end(), 0)


if __name__ == "__main__":
    unittest.main()
