"""awl --mcp-cli: one look at MCP servers, or one call, from a shell."""

import json
import os
import socket

from rig import AWL, Modelled, Sandbox

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

    def test_a_name_is_one_line_whatever_the_server_says(self):
        server = ("import json, sys\nfor line in sys.stdin:\n  m = json.loads(line)\n  r = {'initialize': {'protocolVersion': "
                  "'2025-11-25', 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'x', 'version': '1'}}, 'tools/list': "
                  "{'tools': [{'name': 'a\\nb\\u001b[2J', 'inputSchema': {}}]}}.get(m['method'])\n  if 'id' in m:\n"
                  "    print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], **({'result': r} if r else "
                  "{'error': {'code': -32601, 'message': 'no'}})}), flush=True)\n")
        entry = {"mcpServers": {"odd": {"command": "/usr/bin/python3", "args": ["-c", server]}}}
        with open(os.path.join(self.home, ".claude.json"), "w", encoding="utf-8") as file:
            json.dump(entry, file)
        self.assertRegex(self.cli("tools"), r"\Aodd/a[^\n\x1b]+b[^\n\x1b]+\n\Z")

    def test_a_tool_is_described_and_called(self):
        self.assertIn("Description: Say it again.\nInput Schema:\n{", self.cli("info", "my server/echo"))
        result = json.loads(self.cli("call", "my_server/echo", '{"text":"hi"}'))
        self.assertEqual(result["content"][0]["text"], "echo: hi")
        result = json.loads(self.cli("call", "my server/echo", "-", stdin=b'{"text":"typed"}'))
        self.assertEqual(result["content"][0]["text"], "echo: typed")
        self.assertIn("it failed as always", self.cli("call", "my server/fail", "{}", fails=True))

    def test_servers_do_not_get_the_key_of_the_model(self):
        for more in ({}, {"AWL_KEEP_KEY_IN_CHILDREN": "1"}):
            ran = self.awl("--mcp-cli", "call", "my server/environment", "{}",
                           env={"ENABLE_EXPERIMENTAL_MCP_CLI": "1", "ANTHROPIC_API_KEY": "sk-own", **more})
            given = json.loads(ran.stdout)["structuredContent"]
            self.assertEqual(given["ANTHROPIC_API_KEY"], "sk-own" if more else None)

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

    def ask_session(self, is_listening):
        """Asks a session whose port is closed, or which never answers."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            state = os.path.join(self.home, ".claude/awl/mcp-cli/gone.json")
            os.makedirs(os.path.dirname(state), exist_ok=True)
            with open(state, "w", encoding="utf-8") as file:
                json.dump({"url": f"http://127.0.0.1:{listener.getsockname()[1]}", "key": "hunter2"}, file)
            os.chmod(state, 0o600)
            if not is_listening:
                listener.close()
            return self.awl("--mcp-cli", "servers", env={"ENABLE_EXPERIMENTAL_MCP_CLI": "1",
                                                         "CLAUDE_CODE_SESSION_ID": "gone"})

    def test_a_session_that_has_ended_or_hangs_is_reported(self):
        for is_listening, error in ((False, b"Error: Connection refused. Is the session still running?\n"),
                                    (True, b"Error: Request timeout\n")):
            ran = self.ask_session(is_listening)
            self.assertEqual((ran.returncode, ran.stdout + ran.stderr), (1, error))


class InSession(Modelled):
    """Inside a session it uses the session's own connections, under the session's rules."""

    def setUp(self):
        super().setUp()
        self.log = os.path.join(self.root, "mcp.log")
        self.config = json.dumps({"mcpServers": {"test": {"command": "/usr/bin/python3", "args": [SERVER],
                                                          "env": {"MCP_LOG": self.log}}}})

    def bash(self, *commands, **env):
        """Runs the commands in a session; returns what each printed."""
        self.serve("".join(f"reply\n  tool Bash {json.dumps({'command': command})}\n" for command in commands) +
                   'reply\n  text "Done."\n')
        ran = self.print("go", "--mcp-config", self.config, "--allowedTools", "Bash", "mcp__test__echo",
                         "--output-format", "stream-json", "--verbose", ENABLE_EXPERIMENTAL_MCP_CLI="1", **env)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        return [block["content"] for event in events if event["type"] == "user"
                for block in event["message"]["content"] if block["type"] == "tool_result"]

    def started(self):
        with open(self.log, encoding="utf-8") as file:
            return sum('"initialize"' in line for line in file)

    def test_it_uses_the_servers_of_the_session_and_its_rules(self):
        self.write("cli.py", f"import subprocess, sys\nsubprocess.run([{AWL!r}, '--mcp-cli', *sys.argv[1:]], check=False)\n")
        cli = "python3 cli.py"
        listed, said, denied, missing, files = self.bash(
            f"{cli} servers", f"{cli} call test/echo '{{\"text\":\"x\"}}'", f"{cli} call test/act '{{\"text\":\"x\"}}'",
            f"{cli} tools nobody", "ls -l ~/.claude/awl/mcp-cli")
        self.assertEqual(listed, "test - connected")
        self.assertIn("echo: x", said)
        self.assertIn("Error: no rule allows mcp__test__act, and nobody is asked here", denied)
        self.assertIn("Error: Server 'nobody' not found", missing)
        self.assertIn("-rw------- ", files)
        self.assertEqual(self.started(), 1)
        self.assertEqual(os.listdir(os.path.join(self.home, ".claude/awl/mcp-cli")), [])

    def test_a_wrong_key_is_refused(self):
        script = ("import glob, json, os, urllib.error, urllib.request\n"
                  "at = json.load(open(min(glob.glob(os.path.expanduser('~/.claude/awl/mcp-cli/*.json')))))\n"
                  "for key in ('x', at['key']):\n"
                  "  request = urllib.request.Request(at['url'] + '/mcp', b'{}', {'Authorization': 'Bearer ' + key})\n"
                  "  try:\n    urllib.request.urlopen(request)\n"
                  "  except urllib.error.HTTPError as error:\n    print(error.code, error.read().decode())\n")
        self.write("ask.py", script)
        said, = self.bash("python3 ask.py")
        self.assertEqual(said.splitlines(), ['401 {"error":"the key is missing or wrong","type":"AuthorizationError"}',
                                             '400 {"error":"unknown command","type":"ValidationError"}'])

    def test_without_an_endpoint_it_reads_what_the_session_wrote_and_connects_itself(self):
        self.write("cli.py", f"import subprocess, sys\nsubprocess.run([{AWL!r}, '--mcp-cli', *sys.argv[1:]], check=False)\n")
        cli = "python3 cli.py"
        listed, tools, described, found, missing, files = self.bash(
            f"{cli} servers", f"{cli} tools test", f"{cli} info test/echo", f"{cli} grep ^say", f"{cli} tools nobody",
            "ls -l ~/.claude/awl/mcp-cli", ENABLE_MCP_CLI_ENDPOINT="0")
        self.assertEqual(listed, "test - connected")
        self.assertIn("test/echo\n", tools)
        self.assertIn("Description: Say it again.\nInput Schema:\n{", described)
        self.assertEqual(found, "test/echo")
        self.assertIn("Error: Server 'nobody' not found", missing)
        self.assertRegex(files, r"-rw------- .* \S+\.state\.json$")
        self.assertEqual(self.started(), 1)
        cli = f"cd / && python3 {self.path('cli.py')}"
        said, resources = self.bash(f"{cli} call test/echo '{{\"text\":\"x\"}}'", f"{cli} resources test --json",
                                    ENABLE_MCP_CLI_ENDPOINT="off")
        self.assertIn("echo: x", said)
        self.assertEqual([resource["item"]["name"] for resource in json.loads(resources)], ["note", "bytes"])
        self.assertEqual(self.started(), 3)
        self.assertEqual(os.listdir(os.path.join(self.home, ".claude/awl/mcp-cli")), [])

    def test_a_state_file_that_is_missing_broken_or_not_private_is_an_error(self):
        path = os.path.join(self.home, ".claude/awl/mcp-cli/lost.state.json")
        os.makedirs(os.path.dirname(path))
        for text, mode, error in ((None, 0, f"Error: MCP state file not found: {path} (session lost). Is awl running"),
                                  ("{", 0o600, f"Error: cannot parse the MCP state file {path}: "),
                                  ("{}", 0o644, f"Error: {path} is not private"),
                                  ("[]", 0o600, "Error: Server 'test' not found")):
            if text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                os.chmod(path, mode)
            ran = self.awl("--mcp-cli", "call", "test/echo", "{}",
                           env={"ENABLE_EXPERIMENTAL_MCP_CLI": "1", "CLAUDE_CODE_SESSION_ID": "lost"})
            self.assertEqual(ran.returncode, 1)
            warning, said = ran.stderr.decode().splitlines()
            self.assertIn("mcp-cli/lost.json (session lost), so the state file is used", warning)
            self.assertIn(error, said)
