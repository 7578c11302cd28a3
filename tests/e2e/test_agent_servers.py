"""The MCP servers of an agent's definition: they begin and end with it."""

import json
import os
import sys

from test_agents import Delegating, agent
from test_mcp_cli import SERVER

DEFINITION = """---
name: worker
description: Works
tools: Read
%smcpServers:
%s---
You work.
"""


class Servers(Delegating):
    def setUp(self):
        super().setUp()
        self.log = os.path.join(self.root, "mcp.log")
        self.server = {"command": sys.executable, "args": [SERVER], "env": {"MCP_LOG": "${LOG_OF_SERVER}"}}
        self.own = f"  - mine: {json.dumps(self.server)}\n"

    def model(self, name, *calls):
        """The leader starts agents, each of which makes one call of a tool."""
        self.serve("reply when prompt contains go\n" + "".join(calls or [agent("worker", "JOB one")]) +
                   f'reply when prompt contains "JOB one"\n  tool {name} {json.dumps({"text": "hi"})}\n'
                   'reply forever when result_of contains mcp__\n  text "I have it."\n'
                   'reply forever when result_of contains Agent\n  text "All is fine."\n'
                   'reply otherwise\n  text "Hello."\n')

    def run_it(self, *args, prompt="go"):
        self.model("mcp__mine__echo")
        return self.events(prompt, "--allowedTools", "mcp__mine", "mcp__shared", *args, LOG_OF_SERVER=self.log)

    def told(self):
        return "\n".join(json.dumps(request["messages"][-1]) for request in self.requests())

    def started(self):
        if not os.path.exists(self.log):
            return 0
        with open(self.log, encoding="utf-8") as file:
            return sum('"initialize"' in line for line in file)

    def test_an_agent_has_a_server_of_its_own(self):
        self.define("worker", DEFINITION % ("", self.own), home=True)
        events = self.run_it()
        self.assertIn("echo: hi", self.told())
        work = self.of_agents("JOB one")[0]
        self.assertIn("mcp__mine__echo", [tool["name"] for tool in work["tools"]])
        self.assertIn("Say please.", json.dumps(work["messages"]))
        for request in (self.requests()[0], self.requests()[-1]):
            self.assertNotIn("mcp__mine", json.dumps(request["tools"]) + json.dumps(request["messages"][0]))
            self.assertNotIn("Say please.", json.dumps(request["messages"]))
        self.assertEqual(events[-1]["result"], "All is fine.")
        self.assertEqual(self.started(), 1)

    def test_a_server_of_the_session_is_named_and_needs_no_other_permission(self):
        config = json.dumps({"mcpServers": {"shared": {**self.server, "env": {"MCP_LOG": self.log}}}})
        self.define("worker", DEFINITION % ("", "  - shared\n  - nobody\n"), home=True)
        self.model("mcp__shared__echo")
        events = self.events("go", "--mcp-config", config, "--allowedTools", "mcp__shared")
        self.assertIn("echo: hi", self.told())
        self.assertEqual(self.started(), 1)
        self.assertIn('agent worker: there is no MCP server \\"nobody\\"', json.dumps(events))

    def test_agents_that_work_at_the_same_time_share_it_and_refused_tools_stay_away(self):
        self.define("worker", DEFINITION % ("disallowedTools: mcp__mine__act\n", self.own), home=True)
        self.model("mcp__mine__echo", agent("worker", "JOB one"), agent("worker", "JOB two"))
        self.events("go", "--allowedTools", "mcp__mine", LOG_OF_SERVER=self.log)
        for word in ("one", "two"):
            names = [tool["name"] for tool in self.of_agents("JOB " + word)[0]["tools"]]
            self.assertIn("mcp__mine__echo", names)
            self.assertNotIn("mcp__mine__act", names)

    def test_an_untrusted_project_strict_flags_and_the_policy_start_nothing(self):
        self.define("worker", DEFINITION % ("", self.own))
        for args, why in (((), "you have not trusted the project"),
                          (("--strict-mcp-config",), "--strict-mcp-config excludes its MCP servers")):
            self.assertIn(why, json.dumps(self.run_it(*args)))
        self.define("worker", DEFINITION % ("", self.own), home=True)
        os.unlink(self.path(".claude/agents/worker.md"))
        events = self.run_it("--managed-settings", json.dumps({"deniedMcpServers": [{"serverName": "mine"}]}))
        self.assertIn("deniedMcpServers forbids it", json.dumps(events))
        self.assertEqual(self.started(), 0)

    def test_a_server_that_fails_is_reported_and_the_agent_works_without_it(self):
        self.define("worker", DEFINITION % ("", "  - mine: {command: /no/such/program}\n"), home=True)
        events = self.run_it()
        self.assertIn("MCP server mine is not connected", json.dumps(events))
        self.assertEqual(events[-1]["result"], "All is fine.")

    def test_those_of_the_agent_that_leads_belong_to_the_session(self):
        self.define("worker", DEFINITION % ("", self.own), home=True)
        self.serve('reply\n  tool mcp__mine__echo {"text": "hi"}\nreply\n  text "I have it."\n')
        events = self.events("go", "--agent", "worker", "--allowedTools", "mcp__mine", LOG_OF_SERVER=self.log)
        self.assertIn("echo: hi", self.told())
        self.assertEqual(events[0]["mcp_servers"], [{"name": "mine", "status": "connected", "source": "agent"}])
