"""Images in prompts, and lines for the instruction files."""

import base64
import os
import struct
import zlib

from emulated import Screen

SCRIPT = 'reply forever\n  text "Seen."\n'


def png():
    """One red pixel."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b""))


class Attach(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def images(self):
        content = self.requests()[-1]["messages"][-1]["content"]
        return [block["source"]["data"] for block in content if block["type"] == "image"]

    def picture_file(self, name):
        path = os.path.join(self.cwd, name)
        with open(path, "wb") as file:
            file.write(png())
        return path

    def test_a_dropped_file_is_a_chip_and_goes_with_the_prompt(self):
        path = self.picture_file("red dot.png")
        terminal = self.open()
        quoted = path.replace(" ", "\\ ")
        terminal.type(f"what is \x1b[200~{quoted} \x1b[201~")
        terminal.wait_for("what is [Image #1]")
        terminal.type("\x1b[200~'" + path + "'\x1b[201~?\r")
        terminal.wait_idle("Seen.")
        self.assertEqual(self.images(), [base64.b64encode(png()).decode()] * 2)
        self.assertIn("❯ what is [Image #1] [Image #2] ?", terminal.text())
        terminal.type("and without?\r")
        terminal.wait_for("❯ and without?")
        terminal.wait_idle("Seen.")
        self.leave(terminal)

    def test_other_paths_are_text(self):
        self.write("notes.png", "not an image")
        terminal = self.open()
        terminal.type(f"\x1b[200~{self.cwd}/notes.png\x1b[201~")
        terminal.wait_for("notes.png")
        terminal.type("\x15")
        self.leave(terminal)

    def test_ctrl_v_takes_an_image_from_the_clipboard(self):
        tools = os.path.join(self.root, "bin")
        os.mkdir(tools)
        with open(os.path.join(tools, "xclip"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ncat {self.picture_file('dot.png')}\n")
        os.chmod(os.path.join(tools, "xclip"), 0o755)
        terminal = self.open(DISPLAY=":9", PATH=tools + ":" + os.environ["PATH"])
        terminal.type("\x16")
        terminal.wait_for("[Image #1]")
        terminal.type("\r")
        terminal.wait_idle("Seen.")
        self.assertEqual(len(self.images()), 1)
        self.leave(terminal)

    def test_without_a_desktop_ctrl_v_says_so(self):
        terminal = self.open()
        terminal.type("\x16")
        terminal.wait_for("There is no desktop's clipboard here")
        self.leave(terminal)


class Memory(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)

    def test_a_line_is_remembered_where_the_user_wants(self):
        self.write("CLAUDE.md", "# Rules\n- be kind")
        terminal = self.open()
        terminal.type("# use tabs\r")
        terminal.wait_for("Where should this be remembered?")
        self.assertScreen("memory", terminal)
        terminal.type("\r")
        terminal.wait_for("Remembered in")
        self.assertEqual(self.read("CLAUDE.md"), "# Rules\n- be kind\n- use tabs\n")
        terminal.type("# mine alone\r")
        terminal.wait_for("Where should this be remembered?")
        terminal.type("\x1b[B\x1b[B\r")
        terminal.wait_for("/.claude/CLAUDE.md.")
        with open(os.path.join(self.home, ".claude/CLAUDE.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "- mine alone\n")
        self.leave(terminal)

    def test_escape_gives_the_line_back_and_headings_in_a_paste_are_a_prompt(self):
        terminal = self.open()
        terminal.type("# use tabs\r")
        terminal.wait_for("Where should this be remembered?")
        terminal.type("\x1b")
        terminal.wait_for("❯ # use tabs")
        terminal.type("\x15")
        terminal.type("\x1b[200~# A heading\nand a text\x1b[201~\r")
        terminal.wait_idle("Seen.")
        self.assertIn("# A heading", str(self.requests()[-1]["messages"]))
        self.leave(terminal)

    def test_memory_opens_a_file_in_the_editor(self):
        editor = os.path.join(self.root, "editor")
        with open(editor, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho edited > \"$1\"\n")
        os.chmod(editor, 0o755)
        terminal = self.open(EDITOR=editor)
        terminal.type("/memory\r")
        terminal.wait_for("Which instruction file")
        terminal.type("\r")
        terminal.wait_for("take effect with the next prompt")
        self.assertEqual(self.read("CLAUDE.md"), "edited\n")
        self.leave(terminal)
