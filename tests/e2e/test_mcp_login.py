"""Logging in to MCP servers inside a session: the tools appear without a restart."""

import json
import re
import unittest
import urllib.parse

from test_mcp_http import WithServer


class McpLogin(WithServer):
    def begin(self, script):
        server = self.start_server(wants_token=True)
        self.serve('reply\n  text "Hello."\n' + script)
        config = json.dumps({"mcpServers": {"test": {"type": "http", "url": f"{server.url}/mcp"}}})
        terminal = self.terminal("--plain", "--mcp-config", config, "--allowedTools", "mcp__test",
                                 env=self.modelled(BROWSER="true"), rows=60, cols=700)
        terminal.wait_for(">")
        terminal.type("hello\r")
        terminal.wait_for("Hello.")
        terminal.wait_for("MCP server test needs you to log in: /mcp login test")
        return server, terminal

    @staticmethod
    def log_in(terminal):
        """Pastes what a browser would have been sent to."""
        terminal.wait_for("To log in to MCP server test, open ")
        url = re.search(r"open (http\S+)", terminal.text()).group(1)
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(url).query))
        terminal.type("/mcp login test http://localhost:1/callback?code=x&state=wrong\r")
        terminal.wait_for("not the redirect")
        terminal.type(f"/mcp login test {query['redirect_uri']}?code=x&state={query['state']}\r")
        terminal.wait_for("Logged in to MCP server test.")
        terminal.wait_for("MCP server test is connected: 1 tool.")
        return url

    def test_the_command_logs_in_and_out_and_the_tools_appear(self):
        server, terminal = self.begin('reply\n  tool mcp__test__echo {}\nreply\n  text "Done."\n')
        terminal.type("/mcp login test\r")
        self.log_in(terminal)
        self.assertEqual(self.stored(server)["accessToken"], server.token)
        terminal.type("go\r")
        terminal.wait_for("Done.")
        self.assertIn("heard", json.dumps(self.requests()[-1]["messages"]))
        terminal.type("/mcp logout test\r")
        terminal.wait_for("Logged out of MCP server test.")
        self.assertEqual(server.revoked, [server.refresh_token, server.token])

    def test_the_model_begins_a_login_and_gets_the_address(self):
        _, terminal = self.begin('reply\n  tool mcp__test__authenticate {}\nreply\n  text "Please open it."\n'
                                 'reply\n  tool mcp__test__echo {}\nreply\n  text "Done."\n')
        terminal.type("go\r")
        terminal.wait_for("Please open it.")
        told = json.dumps(self.requests()[-1]["messages"])
        url = self.log_in(terminal)
        self.assertIn(json.dumps(url)[1:-1], told)
        terminal.type("go\r")
        terminal.wait_for("Done.")
        self.assertIn("heard", json.dumps(self.requests()[-1]["messages"]))

    def test_nobody_can_log_in_without_a_terminal(self):
        server = self.start_server(wants_token=True)
        self.serve('reply\n  text "x"\n')
        config = json.dumps({"mcpServers": {"test": {"type": "http", "url": f"{server.url}/mcp"}}})
        ran = self.print("/mcp login test", "--mcp-config", config)
        self.assertIn("use awl mcp login test", ran.stdout.decode() + ran.stderr.decode())


if __name__ == "__main__":
    unittest.main()
