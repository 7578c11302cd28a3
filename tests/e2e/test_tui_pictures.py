"""The screens of the documentation. AWL_PICTURES=write draws them anew: they are kept in docs/screens."""

import json
import os

from emulated import Emulated, Screen
from rig import AWL

SCRIPT = r'''
reply when prompt contains parse
  text "I'll look at it first."
  tool Read {"file_path": "port.c"}
reply when result_of contains Read
  text "`parse_port()` returns whatever `strtol()` finds. I'll add the missing check."
  tool Edit {"file_path": "port.c", "old_string": "\treturn (int)value;", "new_string": "\tif (value < 1 || value > 65535)\n\t\treturn -1;\n\treturn (int)value;"}
reply when result_of contains Edit
  text "Now the tests."
  tool Bash {"command": "make test"}
reply when result_of contains Bash
  text <<END
    The port is checked now, and all tests pass:

    | case | before | now |
    |---|---|---|
    | `80` | 80 | 80 |
    | `70000` | 70000 | **-1** |
    | `abc` | 0 | **-1** |

    1. `parse_port()` refuses what is **not a port**.
    2. The caller already treated -1 as an error, so nothing else changes.

    ```c
    if (value < 1 || value > 65535)
            return -1; /* not a port */
    ```
    END
reply when prompt contains plan
  tool ExitPlanMode {"plan": "# Check ports\n\n1. Add a range check to `parse_port()`\n2. Test 0, 1, 65535, 65536 and letters\n3. Run the tests"}
reply when prompt contains ask
  tool AskUserQuestion {"questions": [{"question": "Which range should parse_port() accept?", "header": "Range", "options": [{"label": "1 to 65535", "description": "All ports but 0, which asks the system to choose one"}, {"label": "0 to 65535", "description": "Whatever fits into 16 bits"}, {"label": "1024 to 65535", "description": "Only those that need no privileges"}]}, {"question": "What should happen to other numbers?", "header": "Errors", "multiSelect": true, "options": [{"label": "Return -1", "description": "As for letters"}, {"label": "Log it", "description": "With the text that was given"}]}]}
reply forever
  text "Fine."
'''
PORT = """#include <stdlib.h>

int parse_port(const char *text)
{
	long value = strtol(text, NULL, 10);

	return (int)value;
}
"""


class Pictures(Screen):
    def setUp(self):
        super().setUp()
        self.serve(SCRIPT)
        self.cwd = os.path.join(self.home, "ports")
        os.mkdir(self.cwd)
        self.write("port.c", PORT)
        self.write("port.h", "int parse_port(const char *text);\n")
        self.write("test_port.c", "")
        self.write("Makefile", "test:\n\t@printf 'ok 1 - ports\\nok 2 - letters\\n2 passed, 0 failed\\n'\n")

    def use_theme(self, name):
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump({"theme": name}, file)

    def begin(self, theme="dark", rows=40, cols=90):
        self.use_theme(theme)
        terminal = self.open(rows=rows, cols=cols, COLORTERM="truecolor")
        terminal.wait_for("~/ports")
        return terminal

    def test_welcome(self):
        terminal = self.begin()
        self.picture("welcome", terminal)
        self.leave(terminal)

    def test_menu_of_files(self):
        terminal = self.begin()
        terminal.type("look at @po")
        terminal.wait_for("❯ port.c")
        self.picture("prompt", terminal)
        terminal.type("\x15")
        self.leave(terminal)

    def work(self, theme, rows, cols, suffix):
        terminal = self.begin(theme, rows, cols)
        terminal.type("parse_port accepts 70000\r")
        terminal.wait_for("Edit port.c?")
        terminal.wait_for("❯ 1  Yes")
        self.picture("question" + suffix, terminal, theme == "light")
        terminal.type("1")
        terminal.wait_for("Run this command?")
        terminal.wait_for("❯ 1  Yes")
        terminal.type("1")
        terminal.wait_idle("tokens in")
        self.picture("session" + suffix, terminal, theme == "light")
        self.leave(terminal)

    def test_a_session(self):
        self.work("dark", 50, 90, "")

    def test_a_session_on_a_light_background(self):
        self.work("light", 50, 90, "-light")

    def test_a_session_on_a_wide_screen(self):
        self.work("dark", 50, 130, "-wide")

    def test_a_session_on_a_narrow_screen(self):
        self.work("dark", 60, 44, "-narrow")

    def test_a_plan(self):
        terminal = self.begin()
        terminal.type("\x1b[Z\x1b[Z")
        terminal.wait_for("plan mode")
        terminal.type("plan it\r")
        terminal.wait_for("Check ports")
        terminal.wait_for("esc for no")
        self.picture("plan", terminal)
        terminal.type("\x1b")
        terminal.wait_idle("Fine.")
        self.leave(terminal)

    def test_a_form(self):
        terminal = self.begin()
        terminal.type("ask me\r")
        terminal.wait_for("Which range")
        terminal.wait_for("❯ 1")
        self.picture("form", terminal)
        terminal.type("1")
        terminal.wait_for("What should happen")
        terminal.type("\x03")
        terminal.wait_for("Interrupted")
        self.leave(terminal)

    def begin_early(self, theme, text, **env):
        self.use_theme(theme)
        terminal = Emulated([AWL], self.cwd, self.environment(COLORTERM="truecolor", **env), 30, 90)
        self.addCleanup(terminal.close)
        terminal.wait_for(text)
        return terminal

    def test_trust(self):
        os.mkdir(os.path.join(self.cwd, ".claude"))
        self.write(".claude/settings.json", json.dumps(
            {"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}]},
             "permissions": {"allow": ["Bash(make:*)"]}}, indent=2))
        terminal = self.begin_early("dark", "3  Exit", **self.modelled())
        self.picture("trust", terminal)
        terminal.type("3")
        self.assertEqual(terminal.wait_end(), 0)

    def test_the_context(self):
        self.write("CLAUDE.md", "Use tabs.\n" * 2000)
        terminal = self.begin()
        terminal.type("hello\r")
        terminal.wait_idle("tokens in")
        terminal.type("/context\r")
        terminal.wait_for("see also drop, restore, show, cache")
        self.picture("context", terminal)
        self.leave(terminal)

    def test_the_first_run(self):
        terminal = self.begin_early("dark", "2  Exit")
        self.picture("first-run", terminal)
        terminal.type("2")
        self.assertEqual(terminal.wait_end(), 0)
