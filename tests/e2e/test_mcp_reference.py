"""The reference servers of MCP, used for real: server-everything over every transport, and server-filesystem."""

import json
import os
import re
import subprocess
import unittest

from rig import Modelled

HERE = os.path.dirname(os.path.abspath(__file__))
SERVERS = os.path.abspath(os.path.join(HERE, "../../.deps/mcp-conformance/node_modules/@modelcontextprotocol"))
EVERYTHING = os.path.join(SERVERS, "server-everything/dist/index.js")
FILES = os.path.join(SERVERS, "server-filesystem/dist/index.js")


@unittest.skipUnless(os.path.exists(EVERYTHING), "the reference servers are not there")
class Reference(Modelled):
    def call(self, entry, tool, arguments):
        """Lets the model call a tool of the server; its result."""
        self.serve(f'reply when result_of contains mcp__ref__{tool}\n  text "Done."\n'
                   f'reply\n  tool mcp__ref__{tool} {json.dumps(arguments)}\n')
        ran = self.print("go", "--mcp-config", json.dumps({"mcpServers": {"ref": entry}}), "--allowedTools", "mcp__ref",
                         "--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual(events[0]["mcp_servers"][0]["status"], "connected", ran.stdout)
        for event in events:
            if event["type"] == "user":
                return event["message"]["content"][0]
        self.fail(ran.stdout)

    def listen(self, transport):
        """Starts server-everything on a free port; returns the port."""
        port = subprocess.run(
            ["node", "-e", "const s=require('net').createServer().listen(0,()=>{console.log(s.address().port);s.close()})"],
            capture_output=True, text=True, check=True).stdout.strip()
        process = subprocess.Popen(["node", EVERYTHING, transport], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=self.environment(PORT=port))
        self.addCleanup(self.end, process)
        for line in process.stdout:
            if re.search(rf"\b{port}\b", line):
                return port
        self.fail("the server does not listen")

    def check(self, entry):
        result = self.call(entry, "echo", {"message": "hello there"})
        self.assertIn("hello there", json.dumps(result["content"]))
        self.assertNotIn("is_error", {key for key, value in result.items() if value is True})

    def test_everything_over_stdio(self):
        self.check({"command": "node", "args": [EVERYTHING, "stdio"]})

    def test_everything_over_streamable_http(self):
        self.check({"type": "http", "url": f"http://127.0.0.1:{self.listen('streamableHttp')}/mcp"})

    def test_everything_over_sse(self):
        self.check({"type": "sse", "url": f"http://127.0.0.1:{self.listen('sse')}/sse"})

    def test_filesystem_reads_a_file(self):
        self.write("note.txt", "what is in it")
        result = self.call({"command": "node", "args": [FILES, self.cwd]}, "read_text_file",
                           {"path": self.path("note.txt")})
        self.assertIn("what is in it", json.dumps(result["content"]))
