"""The sessions that README.md shows are what awl really prints."""

import os
import re
import unittest

from rig import Modelled

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SCRIPT = """\
reply
  text "I'll run the tests first."
  tool Bash {"command": "python3 -m unittest -q", "description": "Run the tests"}
  usage input=4200 output=60
reply
  text "mean() divides by one too many."
  tool Read {"file_path": "stats.py"}
  usage input=220 output=50 cache_read=4200
reply
  tool Edit {"file_path": "stats.py", "old_string": "/ (len(values) + 1)", "new_string": "/ len(values)"}
  usage input=260 output=70 cache_read=4400
reply
  tool Bash {"command": "python3 -m unittest -q", "description": "Run the tests"}
  usage input=180 output=40 cache_read=4660
reply
  text "Fixed: mean() divided by len(values) + 1. All tests pass now."
  usage input=160 output=40 cache_read=4840
"""
STATS = """\
def mean(values):
    return sum(values) / (len(values) + 1)
"""
TEST = """\
import unittest
from stats import mean

class Mean(unittest.TestCase):
    def test_of_three(self):
        self.assertEqual(mean([1, 2, 3]), 2)
"""


def shown(command):
    """The lines that README.md shows after `command`."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        block = file.read().split(f"    $ {command}\n")[1].split("\n\n")[0]
    return [line.removeprefix("    ") for line in block.split("\n")]


class Readme(Modelled):
    def test_the_session_is_a_real_one(self):
        self.serve(SCRIPT)
        self.write("stats.py", STATS)
        self.write("test_stats.py", TEST)
        terminal = self.terminal("--plain", "--model", "claude-sonnet-4-5", rows=100, cols=150, env=self.modelled())
        expected = shown("awl")
        for i, line in enumerate(expected):
            if re.match("[>?] ", line):
                before = "\n".join(expected[max(i - 4, 0):i]).replace("/home/me/stats", self.cwd)
                terminal.wait_for(f"{before}\n{line[0]}")
                terminal.type(line[2:] + "\n")
        terminal.wait_for(" s]\n>")
        seen = terminal.text().replace(self.cwd, "/home/me/stats").split("\n")[:-1]
        seconds = r"[\d.]+ s\]"
        self.assertEqual([re.sub(seconds, "1.0 s]", line) for line in seen],
                         [re.sub(seconds, "1.0 s]", line) for line in expected])

    def test_so_is_the_explanation_of_a_decision(self):
        command = "awl why --allow 'Bash(npm test:*)' Bash 'npm test && git push'"
        ran = self.awl("why", "--allow", "Bash(npm test:*)", "Bash", "npm test && git push")
        self.assertEqual(ran.stdout.decode().splitlines(), shown(command))


if __name__ == "__main__":
    unittest.main()
