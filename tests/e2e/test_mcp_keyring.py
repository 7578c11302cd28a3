"""Tokens of MCP servers in the keyring of the desktop, with a program that plays secret-tool."""

import json
import os
import unittest
import urllib.parse

from test_mcp_http import WithServer

# Keeps the secrets in $KEYRING, and what it was called with in $KEYRING/calls.
SECRET_TOOL = """#!/bin/sh
echo "$*" >>"$KEYRING/calls"
if [ -e "$KEYRING/hang" ]; then exec sleep 600; fi
if [ -e "$KEYRING/fail" ]; then echo "no bus" >&2; exit 1; fi
case $1 in
store) cat >"$KEYRING/secret" ;;
lookup) cat "$KEYRING/secret" ;;
clear) rm -f "$KEYRING/secret" ;;
esac
"""
NOTICE = "The keyring cannot be used"


class McpKeyring(WithServer):
    def setUp(self):
        super().setUp()
        self.keyring = os.path.join(self.root, "keyring")
        os.makedirs(self.keyring)
        tool = self.write("secret-tool", SECRET_TOOL)
        os.chmod(tool, 0o755)
        self.desktop = {"PATH": f"{os.path.dirname(tool)}:/usr/local/bin:/usr/bin:/bin", "KEYRING": self.keyring,
                        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        self.server = self.start_server(wants_token=True)
        self.assertEqual(self.awl("mcp", "add", "-s", "user", "-t", "http", "test", f"{self.server.url}/mcp").returncode,
                         0)

    def kept(self, name="secret"):
        path = os.path.join(self.keyring, name)
        if not os.path.exists(path):
            return ""
        with open(path, encoding="utf-8") as file:
            return file.read()

    def mark(self, name, is_on=True):
        path = os.path.join(self.keyring, name)
        if is_on:
            with open(path, "w", encoding="utf-8"):
                pass
        else:
            os.unlink(path)

    def log_in(self, **env):
        """Logs in as a person would, and returns the text of the terminal."""
        terminal = self.terminal("mcp", "login", "--no-browser", "test", cols=400,
                                 env={**self.desktop, **env})
        terminal.wait_for("press Enter")
        shown = next(line for line in terminal.text().splitlines() if line.startswith("http"))
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(shown).query))
        terminal.type(f"{query['redirect_uri']}?code=x&state={query['state']}\r")
        terminal.wait_for("Logged in to MCP server test.")
        self.assertEqual(terminal.wait_end(), 0)
        return terminal.text()

    def status(self):
        """The state of the server in a session, and everything that the session printed."""
        self.serve('reply forever\n  text "Fine."\n')
        ran = self.print("go", "--output-format", "stream-json", "--verbose", **self.desktop)
        out = ran.stdout.decode()
        return json.loads(out.splitlines()[0])["mcp_servers"][0]["status"], out + ran.stderr.decode()

    def file(self):
        with open(os.path.join(self.home, ".claude/.credentials.json"), encoding="utf-8") as file:
            return file.read()

    def edit_entry(self, **members):
        path = os.path.join(self.home, ".claude/.credentials.json")
        everything = json.loads(self.file())
        everything["mcpOAuth"][self.key(self.server)].update(members)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(everything, file)

    def test_tokens_are_stored_used_refreshed_and_cleared_there(self):
        self.assertNotIn(NOTICE, self.log_in())
        self.assertEqual(json.loads(self.kept())["accessToken"], self.server.token)
        self.assertNotIn("secret-", self.file())
        self.assertEqual(self.status()[0], "connected")
        self.edit_entry(expiresAt=1)
        self.assertEqual(self.status()[0], "connected")
        self.assertEqual(self.server.refreshes, 1)
        self.assertEqual(json.loads(self.kept())["refreshToken"], self.server.refresh_token)
        self.assertNotIn("secret-", self.file())
        self.assertNotIn("secret-", self.kept("calls"))
        ran = self.awl("mcp", "logout", "test", env=self.desktop)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.server.revoked, [self.server.refresh_token, self.server.token])
        self.assertEqual(self.kept(), "")
        self.assertEqual(self.stored(self.server), {})

    def test_a_keyring_that_fails_or_hangs_is_replaced_by_the_file_with_one_notice(self):
        for trouble in ("fail", "hang"):
            self.mark(trouble)
            self.assertEqual(self.log_in().count(NOTICE), 1, trouble)
            self.assertEqual(self.stored(self.server)["accessToken"], self.server.token)
            self.assertEqual(self.status()[0], "connected")
            self.mark(trouble, False)

    def test_a_session_goes_on_when_tokens_cannot_be_looked_up(self):
        self.log_in()
        self.mark("hang")
        status, text = self.status()
        self.assertNotEqual(status, "connected")
        self.assertIn("Fine.", text)
        self.mark("hang", False)
        self.mark("fail")
        status, text = self.status()
        self.assertEqual(status, "needs-auth")
        self.assertEqual(text.count(NOTICE), 1)
        self.mark("fail", False)
        self.assertEqual(self.status()[0], "connected")

    def test_the_file_can_be_chosen_and_is_used_without_a_desktop(self):
        self.log_in(AWL_MCP_TOKENS="file")
        self.assertEqual(self.kept("calls"), "")
        self.assertEqual(self.stored(self.server)["accessToken"], self.server.token)
        del self.desktop["DBUS_SESSION_BUS_ADDRESS"]
        self.log_in()
        self.assertEqual(self.kept("calls"), "")


if __name__ == "__main__":
    unittest.main()
