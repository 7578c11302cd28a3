"""Agents at the terminal: what one does now, whose question it is, and what it returned."""

import os

from emulated import Screen

SCRIPT = """
reply
  tool Agent {"description": "Review it", "prompt": "Look at it", "subagent_type": "reviewer"}
reply
  tool Bash {"command": "touch seen; while ! test -e go; do sleep 0.01; done"}
reply
  text "No bugs."
reply
  text "It is fine."
"""


class Agents(Screen):
    def test_a_call_shows_what_its_agent_does_and_what_came_of_it(self):
        os.makedirs(self.path(".claude/agents"))
        self.write(".claude/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews\n---\nYou review.\n")
        self.serve(SCRIPT)
        terminal = self.open()
        terminal.type("go\r")
        terminal.wait_for("Asked by the agent reviewer")
        terminal.type("1")
        terminal.wait_for("Bash: touch seen")
        self.write("go", "")
        terminal.wait_for("It is fine.")
        terminal.wait_idle(" tokens in ")
        screen = terminal.all()
        self.assertIn("Agent Review it · 1 tool use · ", screen)
        self.assertEqual((screen.count("No bugs."), screen.count("agentId"), screen.count("usage")), (1, 0, 0))
        self.leave(terminal)
