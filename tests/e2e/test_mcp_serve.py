"""awl mcp serve: awl's own tools for MCP clients, with permission as in any session."""

import http.client
import json
import os
import signal
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
        self.assertEqual(client.ask("tools/call", {"name": "Bash", "arguments": {"command": "ls"}})["error"]["code"], -32602)

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


class McpServeHttp(Sandbox):
    def listen(self, *args):
        self.process = subprocess.Popen([AWL, "mcp", "serve", "--port", "0", *args], cwd=self.cwd, env=self.environment(),
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(self.end)
        first, second = (self.process.stdout.readline().decode() for _ in range(2))
        self.port = int(first.rsplit(":", 1)[1].split("/")[0])
        with open(second.strip().rsplit(" ", 1)[1], encoding="utf-8") as file:
            self.token = file.read().strip()
        return first, second

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return status

    def post(self, message, method="POST", path="/mcp", token=True, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        if token:
            headers["Authorization"] = "Bearer " + (self.token if token is True else token)
        connection.request(method, path, json.dumps(message), headers)
        response = connection.getresponse()
        self.headers = dict(response.getheaders())
        body = response.read()
        connection.close()
        return response.status, json.loads(body) if body else None

    def ask(self, method, number=1, **params):
        return self.post({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def test_a_client_calls_tools_over_http(self):
        said = self.listen()
        self.assertRegex(said[0], r"^listening on http://127\.0\.0\.1:\d+/mcp\n$")
        path = os.path.join(self.home, ".claude/awl/mcp-token")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(self.ask("initialize", protocolVersion="2025-11-25")[1]["result"]["protocolVersion"], "2025-11-25")
        self.assertEqual(len(self.headers["Mcp-Session-Id"]), 32)
        self.assertEqual(self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}), (202, None))
        self.assertIn("Read", [tool["name"] for tool in self.ask("tools/list")[1]["result"]["tools"]])
        status, answer = self.ask("tools/call", name="Bash", arguments={"command": "echo hi"})
        self.assertEqual((status, json.loads(answer["result"]["content"][0]["text"])["stdout"]), (200, "hi"))
        self.assertEqual(self.end(), 0)

    def test_a_version_that_is_not_supported_is_refused(self):
        self.listen()
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        for version in ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"):
            self.assertEqual(self.post(ping, **{"MCP-Protocol-Version": version})[0], 200, version)
        for version in ("1999-01-01", "2026-07-28", "x" * 1000):
            status, answer = self.post(ping, **{"MCP-Protocol-Version": version})
            self.assertEqual((status, answer["error"]["code"]), (400, -32600), version)

    def test_only_who_has_the_token_is_served_and_no_page_of_another_site(self):
        self.listen()
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        self.assertEqual(self.post(ping), (200, {"jsonrpc": "2.0", "id": 1, "result": {}}))
        self.assertEqual(self.post(ping, token=False), (401, None))
        self.assertEqual(self.headers["WWW-Authenticate"], "Bearer")
        for token in (self.token[:-1], self.token + "0", "x" * len(self.token)):
            self.assertEqual(self.post(ping, token=token), (401, None))
        self.assertEqual(self.post(ping, Origin="https://evil.example"), (403, None))
        self.assertEqual(self.post(ping, Host="evil.example"), (403, None))
        self.assertEqual(self.post(ping, Origin=f"http://localhost:{self.port}")[0], 200)
        self.assertEqual(self.post(ping, method="GET"), (405, None))
        self.assertEqual(self.post(ping, path="/other"), (404, None))

    def test_a_token_that_others_can_read_is_refused(self):
        path = os.path.join(self.root, "token")
        with open(path, "w", encoding="utf-8") as file:
            file.write("0123456789abcdef0123456789abcdef\n")
        os.chmod(path, 0o644)
        ran = self.awl("mcp", "serve", "--port", "0", "--token-file", path)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"others can read it", ran.stderr)
        os.chmod(path, 0o600)
        self.listen("--token-file", path)
        self.assertEqual(self.ask("ping")[0], 200)
        ran = self.awl("mcp", "serve", "--port", "0", "--token-file", path + "x")
        self.assertEqual(ran.returncode, 1)

    def test_a_client_cancels_only_its_own_calls_and_one_that_leaves_cancels_them_too(self):
        self.listen("--allowedTools", "Bash")
        call = {"jsonrpc": "2.0", "id": 7, "method": "tools/call",
                "params": {"name": "Bash", "arguments": {"command": "touch started; while :; do :; done"}}}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/mcp", json.dumps(call), {"Authorization": "Bearer " + self.token, "Mcp-Session-Id": "a"})
        self.wait_until(lambda: os.path.exists(os.path.join(self.cwd, "started")), "it did not start")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}
        self.assertEqual(self.post(cancel, **{"Mcp-Session-Id": "b"})[0], 202)
        self.assertEqual(self.post(cancel, **{"Mcp-Session-Id": "a"})[0], 202)
        self.assertEqual((connection.getresponse().status, os.listdir(self.cwd)), (202, ["started"]))
        connection.close()
        os.remove(os.path.join(self.cwd, "started"))
        connection.request("POST", "/mcp", json.dumps(call), {"Authorization": "Bearer " + self.token})
        self.wait_until(lambda: os.path.exists(os.path.join(self.cwd, "started")), "it did not start again")
        connection.close()  # the next call can only run because this one ends
        status, answer = self.ask("tools/call", name="Bash", arguments={"command": "echo next"})
        self.assertEqual((status, json.loads(answer["result"]["content"][0]["text"])["stdout"]), (200, "next"))

    def test_awl_is_a_client_of_awl_over_http(self):
        self.listen()
        self.awl("mcp", "add", "self", f"http://127.0.0.1:{self.port}/mcp", "-H", "Authorization: Bearer " + self.token)
        self.assertIn("✔ Connected", self.awl("mcp", "list").stdout.decode())
