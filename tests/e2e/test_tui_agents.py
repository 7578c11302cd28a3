"""Agents at the terminal: what one does now, whose question it is, and what it returned."""

import json
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


LONG = """
reply when model is "small" forever
  text "Counting the bugs"
reply when prompt contains "Look at it" and no tool_result
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done"}
reply when tool_result contains "background"
  text "Started."
reply when prompt contains "go" and no tool_result
  tool Agent {"description": "Review it", "prompt": "Look at it", "run_in_background": true}
reply forever
  text "Over."
"""


TALK = """
reply when model is "small" forever
  text "Working"
reply when prompt contains "name the file"
  text "It is main.c."
reply when tool_result contains "waited"
  text "Waited."
reply when prompt contains "Look at it" and no tool_result
  text "I look."
  tool Bash {"command": "while ! test -e go; do sleep 0.01; done; echo waited"}
reply when tool_result contains "background"
  text "Started."
reply when prompt contains "begin" and no tool_result
  tool Agent {"description": "Review it", "prompt": "Look at it", "run_in_background": true}
reply forever
  text "Over."
"""


class Agents(Screen):
    def watch(self):
        self.serve(TALK)
        terminal = self.open("--permission-mode", "bypassPermissions", cols=120, IS_SANDBOX="1",
                             ANTHROPIC_SMALL_FAST_MODEL="small")
        terminal.type("begin\r")
        terminal.wait_for("Started.")
        terminal.wait_for("1 in the background")
        terminal.type("\x1b[1;2B")
        terminal.wait_for("Review it (general-purpose)")
        terminal.type("\r")
        terminal.wait_for("to Review it (general-purpose)")
        return terminal

    def test_what_an_agent_says_can_be_read_while_it_works_and_what_is_typed_goes_to_it(self):
        terminal = self.watch()
        terminal.wait_for("I look.")
        self.assertNotIn("Started.", terminal.text())
        terminal.type("name the file\r")
        terminal.wait_for("Sent.")
        self.write("go", "")
        terminal.wait_for("It is main.c.")
        self.assertIn("❯ name the file", terminal.text())
        terminal.wait_for("completed")
        terminal.type("/help\r")
        terminal.wait_for("Commands belong to the conversation")
        terminal.type("\x1b")
        terminal.wait_for("Over.")
        self.assertNotIn("name the file", terminal.text())
        heard = [json.dumps(request["messages"][-1]) for request in self.requests()]
        self.assertEqual(sum("name the file" in message for message in heard), 1)
        self.leave(terminal)

    def test_an_agent_that_has_finished_continues_with_what_is_typed(self):
        terminal = self.watch()
        self.write("go", "")
        terminal.wait_for("Waited.")
        terminal.wait_for("completed")
        terminal.type("name the file\r")
        terminal.wait_for("It is main.c.")
        terminal.type("\x1b")
        terminal.wait_idle("Over.")
        self.leave(terminal)

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

    def test_one_that_works_in_the_background_for_long_says_what_it_does(self):
        self.serve(LONG)
        terminal = self.open("--permission-mode", "bypassPermissions", IS_SANDBOX="1", ANTHROPIC_SMALL_FAST_MODEL="small",
                             AWL_AGENT_SUMMARY_SECONDS="0")
        terminal.type("go\r")
        terminal.wait_for("Review it · Counting the bugs")
        terminal.type("/tasks\r")
        terminal.wait_for("All tasks")
        terminal.type("all\r")
        terminal.wait_for("general-purpose: Review it · Counting the bugs")
        asked = [json.dumps(request) for request in self.requests() if "Its steps since" in json.dumps(request)]
        self.assertEqual((len(asked), asked[0].count("test -e go")), (1, 1))
        self.write("go", "")
        self.wait_until_gone(terminal, "◦ Review it")
        self.leave(terminal)
