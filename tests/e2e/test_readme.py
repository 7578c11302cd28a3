"""What README.md shows is what awl really prints. The screens in it are compared by test_tui_pictures."""

import os
import unittest

from rig import Sandbox

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def shown(command):
    """The lines that README.md shows after `command`."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        block = file.read().split(f"    $ {command}\n")[1].split("\n\n")[0]
    return [line.removeprefix("    ") for line in block.split("\n")]


class Readme(Sandbox):
    def test_the_explanation_of_a_decision_is_a_real_one(self):
        command = "awl why --allow 'Bash(npm test:*)' Bash 'npm test && git push'"
        ran = self.awl("why", "--allow", "Bash(npm test:*)", "Bash", "npm test && git push")
        self.assertEqual(ran.stdout.decode().splitlines(), shown(command))


if __name__ == "__main__":
    unittest.main()
