"""awl blame: which prompt of which session wrote each line of a file."""

import json
import os
import subprocess

from rig import Modelled
from test_undo import Talk, bash, script


class Blame(Modelled):
    def talk(self, *calls, **env):
        self.serve(script(*calls))
        return Talk(self, **env)

    def blame(self, name, *args):
        ran = self.awl("blame", "--json", name, *args)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        found = json.loads(ran.stdout)
        titles = [prompt["title"] for prompt in found["prompts"]]
        return [(line["text"], titles[line["prompt"]] if "prompt" in line else None) for line in found["lines"]]

    def test_lines_of_tools_commands_and_others_are_told_apart(self):
        self.write("a.txt", "old\n")
        talk = self.talk(("Write", {"file_path": self.path("b.txt"), "content": "one\ntwo\n"}),
                         bash("sed -i s/two/TWO/ b.txt; echo new >> a.txt"),
                         bash("mv b.txt c.txt"))
        talk.say("write b")
        talk.say("shout")
        talk.settle()
        self.assertEqual(self.blame("a.txt"), [("old", None), ("new", "shout")])
        self.assertEqual(self.blame("b.txt"), [("one", "write b"), ("TWO", "shout")])
        with open(self.path("b.txt"), "a", encoding="utf-8") as file:
            file.write("by hand\n")
        self.assertEqual(self.blame("b.txt"), [("one", "write b"), ("TWO", "shout"), ("by hand", None)])
        talk.say("rename it")
        talk.settle()
        self.assertEqual(self.blame("c.txt"), [("one", "write b"), ("TWO", "shout"), ("by hand", None)])
        self.assertEqual(self.blame("c.txt", "-L", "2"), [("TWO", "shout")])

    def test_people_read_session_age_prompt_and_line(self):
        talk = self.talk(bash("printf 'one\\n\\033[31mred\\n' > a.txt"))
        talk.say("make it \u4f60\u597d")
        talk.end()
        self.write("b.txt", "x\n")
        ran = self.awl("blame", "a.txt")
        lines = ran.stdout.decode().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], "^" + talk.id[:8] + r"  .* (ago|now)  +make it \u4f60\u597d +1  one$")
        self.assertNotIn("\033", lines[1])
        ran = self.awl("blame", "b.txt")
        self.assertRegex(ran.stdout.decode(), r"^--------  +1  x\n$")
        self.assertIn(b"no line of b.txt is known to come from a session", ran.stderr)

    def test_an_undo_gives_lines_back_to_their_prompt(self):
        talk = self.talk(bash("echo one > a.txt"), bash("echo two > a.txt"))
        talk.say("first")
        talk.say("second")
        talk.say("/undo")
        talk.settle()
        self.assertEqual(self.blame("a.txt"), [("one", "first")])
        talk.say("/redo")
        talk.settle()
        self.assertEqual(self.blame("a.txt"), [("two", "second")])

    def test_git_going_elsewhere_and_back_changes_nothing(self):
        subprocess.run("git init -q . && git config user.email a@b && git config user.name a && echo old > a.txt "
                       "&& git add . && git commit -qm old", shell=True, cwd=self.cwd, check=True)
        talk = self.talk(bash("echo new >> a.txt"), bash("git stash -q"), bash("git stash pop -q"))
        talk.say("add a line")
        talk.say("put it away")
        talk.settle()
        self.assertEqual(self.blame("a.txt"), [("old", None)])
        talk.say("and back")
        talk.settle()
        self.assertEqual(self.blame("a.txt"), [("old", None), ("new", "add a line")])

    def test_what_is_not_a_file_is_refused(self):
        for words, said in (((), b"which file?"), (("missing",), b"missing"), (("-L", "0", "missing"), b"--lines must be"),
                            (("-L", "5,2", "missing"), b"--lines must be"), ((".",), b"directory")):
            ran = self.awl("blame", *words)
            self.assertEqual(ran.returncode, 1, words)
            self.assertIn(said, ran.stderr)

    def test_a_damaged_history_makes_lines_unknown(self):
        talk = self.talk(bash("printf 'one\\n' > a.txt"), bash("printf 'two\\n' >> a.txt"))
        talk.say("first")
        talk.say("second")
        talk.end()
        for folder, _, files in os.walk(os.path.join(self.home, ".claude/awl/undo")):
            for name in files:
                if name.endswith(".pack"):
                    os.truncate(os.path.join(folder, name), 0)
        self.assertEqual([text for text, _ in self.blame("a.txt")], ["one", "two"])
