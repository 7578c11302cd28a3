"""awl mcp serve: awl's own tools for MCP clients, with permission as in any session."""

import json
import os
import subprocess

from rig import AWL, PATIENCE, Sandbox


class Client:
    """Speaks JSON-RPC to a server over pipes; answers may come in any order."""

    def __init__(self, test, *args):
        self.process = subprocess.Popen([AWL, "mcp", "serve", *args], cwd=test.cwd, env=test.environment(),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        test.addCleanup(self.close)
        self.answers, self.count = {}, 0

    def send(self, method, params=None, **more):
        message = {"jsonrpc": "2.0", "method": method, **({"params": params} if params is not None else {}), **more}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def start(self, method, params=None):
        self.count += 1
        self.send(method, params, id=self.count)
        return self.count

    def wait(self, number):
        while number not in self.answers:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read()
            answer = json.loads(line)
            self.answers[answer["id"]] = answer
        return self.answers[number]

    def ask(self, method, params=None):
        return self.wait(self.start(method, params))

    def call(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]

    def text(self, name, **arguments):
        return self.call(name, **arguments)["content"][0]["text"]

    def close(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


class McpServe(Sandbox):
    def write(self, name, text):
        with open(os.path.join(self.cwd, name), "w", encoding="utf-8") as file:
            file.write(text)
        return os.path.join(self.cwd, name)

    def test_a_client_initializes_lists_and_calls(self):
        path = self.write("a.txt", "hello\n")
        client = Client(self)
        about = client.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                          "clientInfo": {"name": "t", "version": "1"}})["result"]
        self.assertEqual((about["protocolVersion"], about["capabilities"], about["serverInfo"]["name"]),
                         ("2025-06-18", {"tools": {}}, "awl"))
        client.send("notifications/initialized")
        self.assertEqual(client.ask("ping")["result"], {})
        tools = {tool["name"]: tool for tool in client.ask("tools/list")["result"]["tools"]}
        self.assertLessEqual({"Bash", "Edit", "Glob", "Grep", "Read", "Write"}, set(tools))
        self.assertEqual(tools["Read"]["inputSchema"]["required"], ["file_path"])
        self.assertTrue(tools["Read"]["annotations"]["readOnlyHint"])
        self.assertFalse(tools["Write"]["annotations"]["readOnlyHint"])
        read = client.call("Read", file_path=path)
        self.assertFalse(read["isError"])
        self.assertEqual(json.loads(read["content"][0]["text"])["file"]["content"], "hello")
        self.assertEqual(json.loads(client.text("Bash", command="echo 1; echo 2 >&2"))["interrupted"], False)
        self.assertEqual(client.close(), 0)

    def test_permission_is_in_force(self):
        client = Client(self)
        denied = client.call("Write", file_path=os.path.join(self.cwd, "x"), content="x")
        self.assertTrue(denied["isError"])
        self.assertIn("nobody can be asked", denied["content"][0]["text"])
        self.assertTrue(client.call("Bash", command="touch y")["isError"])
        self.assertEqual(os.listdir(self.cwd), [])
        client = Client(self, "--permission-mode", "acceptEdits", "--disallowedTools", "Bash(ls:*)")
        self.assertFalse(client.call("Write", file_path=os.path.join(self.cwd, "x"), content="x")["isError"])
        self.assertTrue(client.call("Bash", command="ls")["isError"])
        self.assertEqual(os.listdir(self.cwd), ["x"])

    def test_an_edit_needs_a_read_before(self):
        path = self.write("a.txt", "one\n")
        client = Client(self, "--allowedTools", "Edit")
        self.assertTrue(client.call("Edit", file_path=path, old_string="one", new_string="two")["isError"])
        client.call("Read", file_path=path)
        self.assertFalse(client.call("Edit", file_path=path, old_string="one", new_string="two")["isError"])
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "two\n")

    def test_the_tools_can_be_chosen(self):
        client = Client(self, "--tools", "Read,Glob")
        self.assertEqual([tool["name"] for tool in client.ask("tools/list")["result"]["tools"]], ["Glob", "Read"])
        self.assertEqual(client.ask("tools/call", {"name": "Bash", "arguments": {"command": "ls"}})["error"]["code"], -32603)

    def test_what_is_not_understood_is_an_error(self):
        client = Client(self)
        self.assertEqual(client.ask("server/discover")["error"]["code"], -32601)
        self.assertEqual(client.ask("tools/call", {})["error"]["code"], -32602)
        self.assertIn("`file_path` is missing", client.text("Read"))
        for line, code in ((b"{", -32700), (b"[]", -32600), (b"{\"id\":1}", -32600)):
            client.process.stdin.write(line + b"\n")
            client.process.stdin.flush()
            self.assertEqual(client.wait(None)["error"]["code"], code)
            del client.answers[None]

    def test_calls_that_change_something_run_one_after_the_other_and_reads_beside_each_other(self):
        client = Client(self, "--allowedTools", "Bash")
        fifo = os.path.join(self.cwd, "fifo")
        os.mkfifo(fifo)
        first = client.start("tools/call", {"name": "Bash", "arguments": {"command": "cat fifo > got; echo 1 >> order"}})
        second = client.start("tools/call", {"name": "Bash", "arguments": {"command": "echo 2 >> order"}})
        with open(fifo, "w", encoding="utf-8") as file:
            file.write("x")
        client.wait(second)
        client.wait(first)
        with open(os.path.join(self.cwd, "order"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "1\n2\n")

    def test_a_cancelled_call_ends_and_the_next_one_runs(self):
        client = Client(self, "--allowedTools", "Bash")
        number = client.start("tools/call", {"name": "Bash", "arguments": {"command": "touch started; while :; do :; done"}})
        self.wait_until(lambda: os.path.exists(os.path.join(self.cwd, "started")), "it did not start")
        client.send("notifications/cancelled", {"requestId": number, "reason": "enough"})
        self.assertIn("next", client.text("Bash", command="echo next"))
        self.assertNotIn(number, client.answers)

    def test_awl_is_a_client_of_awl(self):
        added = self.awl("mcp", "add", "self", "--", AWL, "mcp", "serve")
        self.assertEqual(added.returncode, 0, added.stderr)
        self.assertIn("✔ Connected", self.awl("mcp", "list").stdout.decode())
