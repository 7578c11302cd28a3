"""Executables in <config>/awl/tools as tools of the model."""

import json
import os
import unittest

from rig import Modelled

SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}


class UserTools(Modelled):
    def put_tool(self, name, script, **more):
        folder = os.path.join(self.home, ".claude", "awl", "tools")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write("#!/bin/sh\n" + script)
        os.chmod(path, 0o755)
        with open(path + ".json", "w", encoding="utf-8") as out:
            json.dump({"description": f"Does {name}.", "input_schema": SCHEMA, **more}, out)

    def run_print(self, *args):
        ran = self.print("go", *args, "--output-format", "stream-json", "--verbose")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def test_a_tool_that_is_allowed_is_called_with_its_input(self):
        self.put_tool("shout", "tr a-z A-Z\n")
        self.serve('reply when result_of contains shout\n  expect tool_result contains "HELLO"\n'
                   '  text "Loud."\nreply\n  tool shout {"word": "hello"}\n')
        events = self.run_print("--allowedTools", "shout")
        self.assertEqual(events[-1]["result"], "Loud.")
        self.assertIn("shout", events[0]["tools"])

    def test_it_asks_unless_it_only_reads(self):
        self.put_tool("look", "cat\n", read_only=True)
        self.put_tool("act", "touch acted\n")
        self.serve('reply when result_of contains act\n  text "Done."\n'
                   'reply\n  tool look {"word": "x"}\n  tool act {"word": "x"}\n')
        events = self.run_print()
        self.assertEqual([denied["tool_name"] for denied in events[-1]["permission_denials"]], ["act"])
        self.assertFalse(os.path.exists(self.path("acted")))

    def test_a_tool_may_wait_until_it_is_looked_for(self):
        self.put_tool("rare", "cat\n", read_only=True, deferred=True)
        self.serve('reply when tool_error\n  expect tool_result contains "select:rare"\n'
                   '  tool ToolSearch {"query": "select:rare"}\n'
                   'reply when result_of contains ToolSearch\n  tool rare {"word": "x"}\n'
                   'reply when result_of contains rare\n  text "Used."\n'
                   'reply\n  tool rare {"word": "early"}\nreply\n  text "Still."\n')
        events = self.run_print()
        self.assertEqual(events[-1]["result"], "Used.")
        offered = [[tool["name"] for tool in request["tools"]] for request in self.requests()]
        self.assertNotIn("rare", offered[0])
        self.assertEqual(offered[-1], offered[0] + ["rare"])
        again = self.print("go on", "--continue")
        self.assertEqual(again.returncode, 0, again.stderr)
        offered = [[tool["name"] for tool in request["tools"]] for request in self.requests()]
        self.assertEqual(offered[-1][-1], "rare")

    def test_what_is_no_tool_is_said(self):
        self.put_tool("broken", "cat\n", timeout_ms=-1)
        self.serve('reply\n  text "Hello."\n')
        told = [event.get("content", "") for event in self.run_print()]
        self.assertTrue(any("broken.json" in text and "timeout_ms" in text for text in told), told)


if __name__ == "__main__":
    unittest.main()
