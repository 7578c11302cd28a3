"""MCP servers behind a WebSocket, plain and with TLS."""

import json
import ssl
import subprocess
import unittest

from mcp_ws_server import WsServer
from rig import Modelled


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


if __name__ == "__main__":
    unittest.main()
