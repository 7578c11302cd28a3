"""awl --mcp-cli: one look at MCP servers, or one call, from a shell."""

import json
import os

from rig import Sandbox

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")


class McpCli(Sandbox):
    def setUp(self):
        super().setUp()
        with open(os.path.join(self.home, ".claude.json"), "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"my server": {"command": "/usr/bin/python3", "args": [SERVER]},
                                      "dead": {"command": "sh", "args": ["-c", "echo token=hunter2hunter2 >&2; exit 1"]}}}, file)
        with open(os.path.join(self.cwd, ".mcp.json"), "w", encoding="utf-8") as file:
            json.dump({"mcpServers": {"waits": {"command": "touch", "args": ["started"]}}}, file)

    def cli(self, *args, stdin=b"", fails=False):
        ran = self.awl("--mcp-cli", *args, stdin=stdin, env={"ENABLE_EXPERIMENTAL_MCP_CLI": "1"})
        self.assertEqual(ran.returncode, 1 if fails else 0, (args, ran.stdout, ran.stderr))
        self.assertFalse(os.path.exists(os.path.join(self.cwd, "started")))
        return ran.stderr.decode() if fails and ran.stderr else ran.stdout.decode()

    def test_it_has_to_be_enabled(self):
        ran = self.awl("--mcp-cli", "servers")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"ENABLE_EXPERIMENTAL_MCP_CLI=1", ran.stderr)
        self.assertIn("call <server>/<tool> <json>", self.cli("--help"))

    def test_servers_tools_and_resources_are_listed(self):
        servers = self.cli("servers")
        self.assertIn("my server - connected\n", servers)
        self.assertIn("dead - failed (", servers)
        self.assertNotIn("hunter2", servers)
        self.assertNotIn("waits", servers)
        self.assertIn("my server/echo\n", self.cli("tools"))
        self.assertIn("my server/echo\n", self.cli("tools", "my_server"))
        self.assertEqual(self.cli("tools", "nobody", fails=True), "Error: Server 'nobody' not found\n")
        self.assertEqual(self.cli("grep", "^say"), "my server/echo\n")
        self.assertIn("Error: Invalid regex pattern", self.cli("grep", "(", fails=True))
        listed = json.loads(self.cli("tools", "my server", "--json"))
        self.assertEqual((listed[0]["server"], listed[0]["item"]["name"]), ("my server", "echo"))
        self.cli("resources", "my server")

    def test_a_tool_is_described_and_called(self):
        self.assertIn("Description: Say it again.\nInput Schema:\n{", self.cli("info", "my server/echo"))
        result = json.loads(self.cli("call", "my_server/echo", '{"text":"hi"}'))
        self.assertEqual(result["content"][0]["text"], "echo: hi")
        result = json.loads(self.cli("call", "my server/echo", "-", stdin=b'{"text":"typed"}'))
        self.assertEqual(result["content"][0]["text"], "echo: typed")
        self.assertIn("it failed as always", self.cli("call", "my server/fail", "{}", fails=True))

    def test_mistakes_are_explained(self):
        for args, error in ((("call", "echo", "{}"), "Invalid tool identifier 'echo'. Expected format: <server>/<tool>"),
                            (("info", "a/b/c"), "Invalid tool identifier 'a/b/c'. Expected format: <server>/<tool>"),
                            (("call", "my server/echo", "["), "Invalid JSON arguments: line 1"),
                            (("call", "my server/echo", "[]"), "Invalid JSON arguments: they must be an object"),
                            (("call", "my server/x", "{}"), "Tool 'x' not found on server 'my server'"),
                            (("call", "dead/x", "{}"), "Failed to connect to server 'dead': "),
                            (("call", "waits/x", "{}"), "Server 'waits' not found"),
                            (("call", "x"), "Usage: awl --mcp-cli call"), (("read", "x"), "Name the resource"),
                            (("frobnicate",), "unknown command 'frobnicate'")):
            with self.subTest(args):
                said = self.cli(*args, fails=True)
                self.assertIn("Error: " + error, said)
                self.assertNotIn("hunter2", said)
