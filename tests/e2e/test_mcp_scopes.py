"""Scopes that a server asks for later, and identities that are exchanged for tokens, outside the conformance suite."""

import base64
import json
import os
import time
import unittest
import urllib.parse

from test_mcp_http import Handler, Server, WithServer

EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"


def identity():
    """A token of the identity provider that is good for an hour. Nobody checks its signature."""
    claims = json.dumps({"exp": int(time.time()) + 3600}).encode()
    return "e30." + base64.urlsafe_b64encode(claims).decode().rstrip("=") + ".x"


class StrictHandler(Handler):
    """Wants the scope `write` for calls of tools; is an identity provider too."""

    def mcp(self, message):
        server = self.server
        if message["method"] == "tools/call" and "write" not in server.granted:
            self.reply(403, WWW_Authenticate='Bearer error="insufficient_scope", scope="write"')
        else:
            super().mcp(message)


class StrictServer(Server):
    def __init__(self):
        super().__init__(wants_token=True)
        self.RequestHandlerClass = StrictHandler
        self.granted, self.forms = ["read"], []

    def grant(self, form):
        self.forms.append(form)
        if form["grant_type"] == EXCHANGE:
            return 200, {"access_token": "jag-secret", "issued_token_type": ID_JAG, "token_type": "N_A"}
        return super().grant(form)


class McpScopes(WithServer):
    def setUp(self):
        super().setUp()
        self.server = StrictServer()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.entry = {"type": "http", "url": f"{self.server.url}/mcp"}

    def test_a_login_asks_for_what_a_call_needed_and_for_what_was_granted(self):
        self.put_token(self.server, scope="read")
        text, _ = self.call(self.entry)
        self.assertIn("awl mcp login test", json.dumps(text))
        self.assertEqual(self.stored(self.server)["stepUpScope"], "write")
        terminal = self.terminal("mcp", "login", "--no-browser", "test", cols=500)
        terminal.wait_for("press Enter")
        shown = next(line for line in terminal.text().splitlines() if line.startswith("http"))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(shown).query))
        self.assertEqual(set(query["scope"].split()), {"read", "write"})
        terminal.type(f"{query['redirect_uri']}?code=x&state={query['state']}\r")
        terminal.wait_for("Logged in to MCP server test.")
        self.assertEqual(terminal.wait_end(), 0)
        self.server.granted = query["scope"].split()
        self.assertNotIn("stepUpScope", self.stored(self.server))
        self.assertEqual(self.call(self.entry)[0], "heard")

    def identify(self, issuer):
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump({"xaaIdp": {"issuer": issuer, "clientId": "idp-client"}}, file)
        with open(os.path.join(self.home, ".claude/.credentials.json"), "w", encoding="utf-8") as file:
            json.dump({"mcpXaaIdp": {issuer: {"idToken": identity()}}}, file)
        self.server.token, self.server.granted = "at-secret-none", ["write"]

    def test_an_identity_is_exchanged_for_a_token_without_a_question(self):
        provider = StrictServer()
        self.addCleanup(provider.server_close)
        self.addCleanup(provider.shutdown)
        self.identify(provider.url)
        text, _ = self.call({**self.entry, "oauth": {"clientId": "c1", "xaa": True}})
        self.assertEqual(text, "heard")
        self.assertEqual([form["grant_type"] for form in provider.forms], [EXCHANGE])
        self.assertEqual(provider.forms[0]["audience"], self.server.url)
        self.assertEqual(provider.forms[0]["client_id"], "idp-client")
        self.assertEqual([form.get("assertion") for form in self.server.forms], ["jag-secret"])
        self.assertNotIn("subject_token", self.server.forms[0])  # the identity goes to its provider only

    def test_without_a_client_no_identity_leaves(self):
        self.identify(self.server.url)
        self.serve('reply forever\n  text "Fine."\n')
        ran = self.print("go", "--mcp-config", json.dumps({"mcpServers": {"test": {**self.entry, "oauth": {"xaa": True}}}}))
        self.assertEqual(ran.returncode, 0)
        self.assertEqual(self.server.forms, [])


if __name__ == "__main__":
    unittest.main()
