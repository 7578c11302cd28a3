"""MCP servers behind a WebSocket, plain and with TLS."""

import hashlib
import json
import os
import ssl
import subprocess
import unittest
import urllib.parse

from mcp_ws_server import WsServer
from rig import Modelled
from test_mcp_http import WithServer


class McpWs(Modelled):
    def start(self, scheme="ws", **how):
        server = WsServer(**how)
        self.addCleanup(server.stop)
        self.config = json.dumps({"mcpServers": {"test": {
            "type": "ws", "url": f"{scheme}://localhost:{server.port}/mcp?x=1", "headers": {"X-Key": "secret"}}}})
        return server

    def call(self, *calls, **env):
        """Lets the model call `act` with each text in turn; returns the events and the results."""
        rules = ['reply\n  tool mcp__test__act ' + json.dumps({"text": calls[0]}) + '\n']
        for text in calls[1:]:
            rules.append(f'reply\n  tool mcp__test__act {json.dumps({"text": text})}\n')
        self.serve("".join(rules) + 'reply\n  text "Done."\n')
        ran = self.print("go", "--mcp-config", self.config, "--allowedTools", "mcp__test", "--output-format",
                         "stream-json", "--verbose", **env)
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        return events, [block for event in events if event["type"] == "user"
                        for block in event["message"]["content"] if block["type"] == "tool_result"]

    def test_a_tool_is_called_over_a_websocket_that_is_closed_properly(self):
        server = self.start()
        events, results = self.call("hi")
        self.assertEqual(results[0]["content"], "act: hi")
        self.assertEqual(events[-1]["result"], "Done.")
        line, headers = server.heads[0]
        self.assertEqual(line, "GET /mcp?x=1 HTTP/1.1")
        self.assertEqual((headers["x-key"], headers["sec-websocket-protocol"], headers["host"]),
                         ("secret", "mcp", f"localhost:{server.port}"))
        self.assertEqual(server.closes, [1000])

    def test_pieces_of_messages_are_joined_and_pings_answered(self):
        server = self.start(splits=True)
        _, results = self.call("hi", "long")
        self.assertEqual(results[0]["content"], "act: hi")
        self.assertIn("yyyy", results[1]["content"])
        self.assertIn(b"are you there", server.pongs)

    def test_a_server_that_is_silent_during_a_call_is_asked_whether_it_lives(self):
        server = self.start()
        _, results = self.call("slow")  # takes the thirty seconds after which awl asks
        self.assertEqual((results[0]["content"], server.pings, len(server.heads)), ("act: slow", 1, 1))

    def test_a_broken_connection_is_made_again(self):
        server = self.start()
        _, results = self.call("break", "again")
        self.assertEqual([result["content"] for result in results], ["Connection closed", "act: again"])
        self.assertEqual(len(server.heads), 2)

    def test_a_server_that_closes_is_connected_again(self):
        server = self.start()
        _, results = self.call("close", "again")
        self.assertEqual([result["content"] for result in results], ["Connection closed", "act: again"])
        self.assertEqual(len(server.heads), 2)

    def test_invalid_frames_and_messages_that_are_too_big_end_the_connection_and_nothing_else(self):
        for text in ("nonsense", "huge"):
            server = self.start()
            events, results = self.call(text, "again")
            self.assertEqual([result["content"] for result in results], ["Connection closed", "act: again"], text)
            self.assertEqual(events[-1]["result"], "Done.")
            self.assertEqual((len(server.heads), server.closes[-1]), (2, 1000))

    def test_a_refusal_and_a_false_proof_are_failures(self):
        for how, words in (({"status": 403}, "status 403"), ({"accept": "x"}, "does not speak WebSocket")):
            self.start(**how)
            self.serve('reply\n  text "Done."\n')
            ran = self.print("/mcp", "--mcp-config", self.config)
            self.assertIn("test: failed", ran.stdout.decode())
            self.assertIn(words, ran.stdout.decode())

    def test_tls_is_verified(self):
        self.serve('reply\n  text "x"\n')
        cert, key = self.path("cert.pem"), self.path("key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert,
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                       check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        self.start("wss", tls=context)
        ran = self.print("/mcp", "--mcp-config", self.config, NODE_EXTRA_CA_CERTS=cert)
        self.assertIn("test: connected (ws, dynamic), 9 tools", ran.stdout.decode())
        ran = self.print("/mcp", "--mcp-config", self.config)
        self.assertIn("test: failed", ran.stdout.decode())
        self.assertIn("certificate", ran.stdout.decode())


class McpWsLogin(WithServer):
    """A server behind a WebSocket that wants a token in the handshake."""

    def setUp(self):
        super().setUp()
        self.authorizes = self.start_server(wants_token=True)
        self.server = WsServer()
        self.addCleanup(self.server.stop)
        self.server.bearer = lambda: self.authorizes.token
        self.address = f"ws://127.0.0.1:{self.server.port}/mcp"
        self.server.published["/.well-known/oauth-protected-resource/mcp"] = {
            "resource": self.address, "authorization_servers": [self.authorizes.url]}
        self.assertEqual(self.awl("mcp", "add-json", "-s", "user", "test",
                                  json.dumps({"type": "ws", "url": self.address})).returncode, 0)

    def entry(self):
        text = json.dumps({"type": "ws", "url": self.address, "headers": {}}, separators=(",", ":"))
        return "test|" + hashlib.sha256(text.encode()).hexdigest()[:16]

    def tokens(self):
        with open(os.path.join(self.home, ".claude/.credentials.json"), encoding="utf-8") as file:
            return json.load(file)["mcpOAuth"].get(self.entry(), {})

    def log_in(self):
        terminal = self.terminal("mcp", "login", "--no-browser", "test", cols=500)
        terminal.wait_for("press Enter")
        shown = next(line for line in terminal.text().splitlines() if line.startswith("http"))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(shown).query))
        terminal.type(f"{query['redirect_uri']}?code=x&state={query['state']}\r")
        terminal.wait_for("Logged in to MCP server test.")
        self.assertEqual(terminal.wait_end(), 0)
        return query

    def act(self):
        self.serve('reply\n  tool mcp__test__act {"text": "hi"}\nreply\n  text "Done."\n')
        ran = self.print("go", "--allowedTools", "mcp__test", "--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        return [block["content"] for event in events if event["type"] == "user"
                for block in event["message"]["content"] if block["type"] == "tool_result"]

    def test_a_refused_handshake_means_that_somebody_has_to_log_in_and_the_token_opens_it(self):
        self.assertIn("! Needs authentication", self.awl("mcp", "list").stdout.decode())
        query = self.log_in()
        self.assertEqual((query["scope"], query["resource"]), ("speak", self.address))
        self.assertIn("\u2714 Connected", self.awl("mcp", "list").stdout.decode())
        self.assertEqual(self.act(), ["act: hi"])
        self.assertEqual(self.awl("mcp", "logout", "test").returncode, 0)
        self.assertEqual(self.authorizes.revoked, [self.authorizes.refresh_token, self.authorizes.token])

    def test_a_token_that_is_refused_is_refreshed_before_the_next_handshake(self):
        self.log_in()
        self.authorizes.token = "at-secret-other"
        self.assertEqual(self.act(), ["act: hi"])
        self.assertEqual((self.authorizes.refreshes, self.tokens()["accessToken"]), (1, self.authorizes.token))

    def test_a_server_that_claims_to_be_another_resource_gets_no_login(self):
        self.server.published["/.well-known/oauth-protected-resource/mcp"]["resource"] = "wss://other.example/mcp"
        terminal = self.terminal("mcp", "login", "--no-browser", "test", cols=500)
        terminal.wait_for("about another resource")
        self.assertEqual(terminal.wait_end(), 1)
        self.assertNotIn("/register", [path for _, path, _ in self.authorizes.seen])


if __name__ == "__main__":
    unittest.main()
