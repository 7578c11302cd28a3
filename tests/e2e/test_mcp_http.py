"""MCP servers on the network: streamable HTTP, HTTP with SSE, headers, and tokens, against a small server of ours."""

import hashlib
import http.server
import json
import os
import queue
import subprocess
import threading
import urllib.parse

from rig import AWL, Modelled, PATIENCE


class Server(http.server.ThreadingHTTPServer):
    """An MCP server with one tool, and its own authorization server."""

    daemon_threads = True

    def __init__(self, wants_token=False, is_old=False):
        super().__init__(("127.0.0.1", 0), Handler)
        self.wants_token, self.is_old = wants_token, is_old
        self.seen = []  # (method, path, headers)
        self.token, self.refresh_token, self.refreshes = "at-secret-0", "rt-secret-0", 0
        self.revoked = []
        self.faults = []  # (status, media type, body) of the responses to the first calls
        self.early_faults = []  # the same, of the responses to the first attempts to initialize
        self.on_listed = None  # called when the tools were listed
        self.lock = threading.Lock()
        self.streams = {}
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def answer(self, message):
        """The response to a message; None for a notification."""
        if "id" not in message:
            return None
        results = {
            "initialize": {"protocolVersion": "2024-11-05" if self.is_old else "2025-11-25", "capabilities": {"tools": {}},
                           "serverInfo": {"name": "test", "version": "1"}},
            "tools/list": {"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]},
            "tools/call": {"content": [{"type": "text", "text": "heard"}]},
        }
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] in results:
            reply["result"] = results[message["method"]]
        else:
            reply["error"] = {"code": -32601, "message": "no such method"}
        return reply

    def grant(self, form):
        """A token, for a code or a refresh token that is used once."""
        with self.lock:
            if form["grant_type"] == "refresh_token":
                if form["refresh_token"] != self.refresh_token:
                    return 400, {"error": "invalid_grant"}
                self.refreshes += 1
            self.token = f"at-secret-{self.refreshes + 1}"
            self.refresh_token = f"rt-secret-{self.refreshes + 1}"
            return 200, {"access_token": self.token, "refresh_token": self.refresh_token, "expires_in": 3600,
                         "token_type": "Bearer"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, value=None, **headers):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        if value is not None:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def fail(self, message, status, media_type, body):
        """A response that is none. ID in the body is that of the request."""
        data = body.replace("ID", json.dumps(message["id"])).encode()
        self.send_response(status)
        if media_type:
            self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def note(self):
        self.server.seen.append((self.command, self.path, dict(self.headers)))

    def do_GET(self):
        self.note()
        base = self.server.url
        if self.path == "/.well-known/oauth-protected-resource/mcp" and self.server.wants_token:
            self.reply(200, {"resource": f"{base}/mcp", "authorization_servers": [base]})
        elif self.path == "/.well-known/oauth-authorization-server" and self.server.wants_token:
            self.reply(200, {"issuer": base, "authorization_endpoint": f"{base}/authorize",
                             "token_endpoint": f"{base}/token", "registration_endpoint": f"{base}/register",
                             "revocation_endpoint": f"{base}/revoke",
                             "token_endpoint_auth_methods_supported": ["none"]})
        elif self.path == "/mcp" and self.server.is_old:
            self.stream()
        else:
            self.reply(405)

    def stream(self):
        """The event stream of 2024-11-05."""
        messages = queue.Queue()
        self.server.streams["s"] = messages
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(b"event: endpoint\ndata: /post?s=s\n\n")
        self.close_connection = True
        try:
            while True:
                self.wfile.write(f"data: {json.dumps(messages.get())}\n\n".encode())
        except OSError:
            pass

    def do_DELETE(self):
        self.note()
        self.reply(200)

    def do_POST(self):
        self.note()
        body, path = self.body(), urllib.parse.urlparse(self.path).path
        if path == "/mcp":
            self.mcp(json.loads(body))
        elif path == "/post":
            self.reply(202)
            answer = self.server.answer(json.loads(body))
            if answer:
                self.server.streams["s"].put(answer)
        elif path == "/register":
            self.reply(201, {"client_id": "c1"})
        elif path == "/revoke":
            self.server.revoked.append(urllib.parse.parse_qs(body.decode())["token"][0])
            self.reply(200)
        else:
            self.reply(*self.server.grant(dict(urllib.parse.parse_qsl(body.decode()))))

    def mcp(self, message):
        if self.server.is_old:
            self.reply(405)
        elif self.server.wants_token and self.headers.get("Authorization") != f"Bearer {self.server.token}":
            self.reply(401, WWW_Authenticate="Bearer")
        elif message["method"] == "server/discover":
            self.reply(400)
        elif message["method"] == "initialize" and self.server.early_faults:
            self.fail(message, *self.server.early_faults.pop(0))
        elif message["method"] == "tools/call" and self.server.faults:
            self.fail(message, *self.server.faults.pop(0))
        else:
            answer = self.server.answer(message)
            self.reply(200 if answer else 202, answer, **({"Mcp_Session_Id": "s-1"} if message["method"] == "initialize"
                                                          else {}))
            if message["method"] == "tools/list" and self.server.on_listed:
                self.server.on_listed()


class WithServer(Modelled):
    def start_server(self, **how):
        server = Server(**how)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def call(self, entry, *args, **env):
        """Lets the model call the tool of one server; the text of the result and all events."""
        self.serve('reply when result_of contains mcp__test__echo\n  text "Done."\n'
                   'reply forever\n  tool mcp__test__echo {}\n')
        ran = self.print("go", "--mcp-config", json.dumps({"mcpServers": {"test": entry}}), "--allowedTools", "mcp__test",
                         "--output-format", "stream-json", "--verbose", "--max-turns", "3", *args, **env)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        for event in events:
            if event["type"] == "user":
                return event["message"]["content"][0]["content"], events
        self.fail(ran.stderr)

    def put_token(self, server, **more):
        """Stores a token for the server that `awl mcp add` has added."""
        self.assertEqual(self.awl("mcp", "add", "-s", "user", "-t", "http", "test", f"{server.url}/mcp").returncode, 0)
        key = self.key(server)
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/.credentials.json"), "w", encoding="utf-8") as file:
            json.dump({"other": 1, "mcpOAuth": {key: {
                "accessToken": server.token, "refreshToken": server.refresh_token, "clientId": "c1",
                "issuer": server.url, "resource": f"{server.url}/mcp", **more}}}, file)
        return key

    @staticmethod
    def key(server):
        text = json.dumps({"type": "http", "url": f"{server.url}/mcp", "headers": {}}, separators=(",", ":"))
        return "test|" + hashlib.sha256(text.encode()).hexdigest()[:16]

    def stored(self, server):
        with open(os.path.join(self.home, ".claude/.credentials.json"), encoding="utf-8") as file:
            return json.load(file)["mcpOAuth"].get(self.key(server), {})


class McpHttp(WithServer):
    def test_a_tool_is_called_over_streamable_http_with_all_headers(self):
        server = self.start_server()
        helper = self.write("helper", "#!/bin/sh\necho \"{\\\"X-Printed\\\":\\\"$CLAUDE_CODE_MCP_SERVER_NAME\\\"}\"\n")
        os.chmod(helper, 0o755)
        text, events = self.call({"type": "http", "url": f"{server.url}/mcp", "headers": {"X-Own": "1"},
                                  "headersHelper": helper})
        self.assertEqual(text, "heard")
        self.assertEqual(events[0]["mcp_servers"][0]["status"], "connected")
        for method, path, headers in server.seen:
            self.assertEqual((path, headers["X-Own"], headers["X-Printed"]), ("/mcp", "1", "test"), method)
        last = server.seen[-1]
        self.assertEqual((last[0], last[2]["Mcp-Session-Id"], last[2]["MCP-Protocol-Version"]),
                         ("DELETE", "s-1", "2025-11-25"))

    def test_an_old_server_is_reached_by_both_names(self):
        for transport in ("sse", "http"):
            server = self.start_server(is_old=True)
            text, _ = self.call({"type": transport, "url": f"{server.url}/mcp"})
            self.assertEqual(text, "heard", transport)

    def calls_after(self, *faults):
        """The text of a call whose first responses are these, and the number of sessions."""
        server = self.start_server()
        server.faults = list(faults)
        text, _ = self.call({"type": "http", "url": f"{server.url}/mcp"})
        return text, sum("Mcp-Session-Id" not in headers for method, _, headers in server.seen if method == "POST") - 1

    def test_a_session_that_has_expired_begins_again_and_the_call_is_repeated(self):
        error = '{"jsonrpc": "2.0", "id": null, "error": {"code": %d, "message": "%s"}}'
        for status, body in ((404, ""), (404, error % (-32001, "Session not found")),
                             (400, error % (-32000, "Bad Request: No valid session ID provided")),
                             (400, error % (-32001, "gone"))):
            self.assertEqual(self.calls_after((status, "application/json", body)), ("heard", 2), body)

    def test_a_session_that_expires_again_at_once_fails_the_call(self):
        expired = (404, "text/plain", "")
        self.assertEqual(self.calls_after(expired, expired)[0], "the session with test has expired")

    def test_a_response_without_the_answer_fails_the_call_at_once(self):
        stranger = '{"jsonrpc": "2.0", "id": 4711, "result": {"content": []}}'
        for status, body in ((202, ""), (200, ""), (204, ""), (200, stranger), (200, f"[{stranger}]")):
            self.assertEqual(self.calls_after((status, "application/json", body)),
                             ("test did not answer the request in its response", 1), body)
        error = '{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "unexpected token"}}'
        self.assertEqual(self.calls_after((200, "application/json", error)), ("unexpected token", 1))

    def test_json_needs_no_media_type(self):
        answer = '{"jsonrpc": "2.0", "id": ID, "result": {"content": [{"type": "text", "text": "bare"}]}}'
        self.assertEqual(self.calls_after((200, None, answer)), ("bare", 1))

    def test_an_error_says_what_the_server_said(self):
        page = (502, "text/html", "<html><body>Bad Gateway</body></html>")
        self.assertEqual(self.calls_after(page)[0], "test answered with status 502")
        self.assertEqual(self.calls_after((503, "text/plain", "the database is down\nat line 7"))[0],
                         "test answered with status 503: the database is down")
        self.assertEqual(self.calls_after((429, "application/json", '{"error": "slow down"}'))[0],
                         'test answered with status 429: {"error": "slow down"}')

    def test_a_stream_that_is_cut_and_not_resumed_fails_the_call(self):
        cut = (200, "text/event-stream", "id: 1\nretry: 1\ndata:\n\n")
        self.assertEqual(self.calls_after(cut)[0],
                         "test cut the stream before it had answered, and cannot resume it (status 405)")

    def test_a_server_that_is_busy_at_first_is_connected_later(self):
        busy = '{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Too many requests"}}'
        for fault in ((429, "application/json", busy), (503, "text/plain", "starting")):
            server = self.start_server()
            server.early_faults = [fault]
            listed = os.path.join(self.root, f"listed-{fault[0]}")
            server.on_listed = lambda path=listed: open(path, "w", encoding="utf-8").close()
            self.serve('reply when result_of contains mcp__test__echo\n  text "Done."\n'
                       'reply when result_of contains Bash\n  tool mcp__test__echo {}\n'
                       'reply\n  tool Bash %s\n' % json.dumps({"command": f"until test -e {listed}; do sleep 0.1; done"}))
            ran = self.print("go", "--mcp-config",
                             json.dumps({"mcpServers": {"test": {"type": "http", "url": f"{server.url}/mcp"}}}),
                             "--allowedTools", "mcp__test,Bash", "--output-format", "stream-json", "--verbose")
            events = [json.loads(line) for line in ran.stdout.splitlines()]
            self.assertEqual(events[0]["mcp_servers"][0]["status"], "failed", fault)
            texts = [event["message"]["content"][0]["content"] for event in events if event["type"] == "user"]
            self.assertEqual(texts[-1], "heard", fault)

    def test_two_processes_refresh_a_token_once(self):
        server = self.start_server(wants_token=True)
        self.put_token(server, expiresAt=1)
        server.token = "at-secret-none"  # what is stored is worth nothing
        self.serve('reply forever\n  text "Fine."\n')
        both = [subprocess.Popen([AWL, "-p", "go", "--output-format", "stream-json", "--verbose"], cwd=self.cwd,
                                 env=self.environment(**self.modelled()), stdout=subprocess.PIPE, text=True,
                                 stdin=subprocess.DEVNULL) for _ in range(2)]
        for process in both:
            first = json.loads(process.communicate(timeout=PATIENCE)[0].splitlines()[0])
            self.assertEqual(first["mcp_servers"][0]["status"], "connected")
        self.assertEqual(server.refreshes, 1)
        self.assertEqual(self.stored(server)["refreshToken"], server.refresh_token)

    def test_no_token_appears_in_the_log(self):
        server = self.start_server(wants_token=True)
        self.put_token(server, expiresAt=1)
        self.serve('reply forever\n  text "Fine."\n')
        log = os.path.join(self.root, "debug.log")
        self.assertEqual(self.print("go", "--debug-file", log).returncode, 0)
        with open(log, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("authorization", text)
        self.assertNotIn("secret-", text)

    def test_a_login_without_a_browser_takes_the_pasted_address_and_a_logout_revokes(self):
        server = self.start_server(wants_token=True)
        self.assertEqual(self.awl("mcp", "add", "-s", "user", "-t", "http", "test", f"{server.url}/mcp").returncode, 0)
        self.assertIn(b"stdin is not a terminal", self.awl("mcp", "login", "test").stderr)
        terminal = self.terminal("mcp", "login", "--no-browser", "test", cols=400)
        terminal.wait_for("press Enter")
        shown = next(line for line in terminal.text().splitlines() if line.startswith("http"))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(shown).query))
        self.assertEqual(query["resource"], f"{server.url}/mcp")
        terminal.type("http://localhost:1/callback?code=x&state=wrong\r")
        terminal.wait_for("not the redirect")
        terminal.type(f"{query['redirect_uri']}?code=x&state={query['state']}\r")
        terminal.wait_for("Logged in to MCP server test.")
        self.assertEqual(terminal.wait_end(), 0)
        path = os.path.join(self.home, ".claude/.credentials.json")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertEqual(self.stored(server)["accessToken"], server.token)
        ran = self.awl("mcp", "logout", "test")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(server.revoked, [server.refresh_token, server.token])
        self.assertEqual(self.stored(server), {})
