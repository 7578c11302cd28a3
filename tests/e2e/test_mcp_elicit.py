"""What an MCP server asks of the user: forms and pages, on the screen, in lines and where nobody can answer."""

import json
import os
import sys

from emulated import Screen
from rig import Modelled

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_asks.py")


class Asking(Modelled):
    def config(self, **env):
        self.log = os.path.join(self.root, "mcp.log")
        if os.path.exists(self.log):
            os.unlink(self.log)
        return json.dumps({"mcpServers": {"desk": {
            "command": sys.executable, "args": [SERVER], "env": {"MCP_LOG": self.log, **env}}}})

    def script(self, *tools):
        """The model calls one tool after the other, then ends."""
        self.serve("".join(f'reply\n  tool mcp__desk__{name} {json.dumps(arguments)}\n' for name, arguments in tools)
                   + 'reply forever\n  text "Done."\n')

    def args(self, **env):
        return "--mcp-config", self.config(**env), "--allowedTools", "mcp__desk"

    def received(self, method):
        with open(self.log, encoding="utf-8") as file:
            return [m.get("params") for m in map(json.loads, file) if m.get("method") == method]

    def told(self):
        """The text of the newest tool result that the model has got."""
        for block in self.requests()[-1]["messages"][-1]["content"]:
            if block["type"] == "tool_result":
                content = block["content"]
                return content if isinstance(content, str) else content[0]["text"]
        return None

    def wait_connected(self):
        """A terminal does not wait for servers: the last lists that it asks for are answered at once."""
        self.wait_until(lambda: os.path.exists(self.log) and self.received("resources/templates/list"), "the lists")

    def browser(self):
        """A browser that writes down what it is to open."""
        self.write("browser", '#!/bin/sh\nprintf "%s\\n" "$1" > "$OPENED"\n')
        os.chmod(self.path("browser"), 0o755)
        return {"BROWSER": self.path("browser"), "OPENED": self.path("opened")}


class Print(Asking):
    def ask(self, name, **env):
        self.script((name, {}))
        ran = self.print("go", *self.args(**env))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran

    def test_a_form_is_left_with_a_notice(self):
        for era in ("old", "new"):
            ran = self.ask("form", MCP_ERA=era)
            self.assertEqual(json.loads(self.told()), {"action": "cancel"})
            self.assertIn('MCP server desk asked "Who are you?"', ran.stderr.decode())

    def test_no_page_is_opened(self):
        opened = self.browser()
        self.script(("page", {}))
        ran = self.print("go", *self.args(), **opened)
        self.assertEqual(json.loads(self.told()), {"action": "cancel"})
        self.assertIn("https://login.example.com/start?next=%2Fhome", ran.stderr.decode())
        self.assertFalse(os.path.exists(opened["OPENED"]))

    def test_a_call_that_needs_a_page_first_fails_where_nobody_can_visit_it(self):
        ran = self.ask("signed")
        self.assertIn("Sign in first.", self.told())
        self.assertEqual(len(self.received("tools/call")), 1)
        self.assertIn("https://login.example.com/start?next=%2Fhome", ran.stderr.decode())

    def test_hooks_and_hosts_can_agree_to_a_page_and_learn_that_it_is_done(self):
        os.makedirs(os.path.join(self.home, ".claude"))
        answer = json.dumps({"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "accept"}})
        self.write(os.path.join(self.home, ".claude/settings.json"), json.dumps({"hooks": {"Elicitation": [
            {"hooks": [{"type": "command", "command": f"echo '{answer}'"}]}]}}))
        self.script(("signed", {"pages": [{"elicitationId": "e-1"}, {"elicitationId": "e-2"}]}))
        ran = self.print("go", "--output-format", "stream-json", "--verbose", *self.args())
        self.assertEqual(self.told(), "signed in")
        done = [e for e in map(json.loads, ran.stdout.splitlines()) if e.get("subtype") == "elicitation_complete"]
        self.assertEqual([(e["mcp_server_name"], e["elicitation_id"]) for e in done],
                         [("desk", "e-1"), ("desk", "e-2")])


class Lines(Asking):
    def open(self, prompt="go", **env):
        terminal = self.terminal("--plain", *self.args(), env=self.modelled(**env), rows=60)
        terminal.wait_for("\n>")
        self.wait_connected()
        terminal.type(prompt + "\n")
        return terminal

    def answer(self, terminal, *lines):
        for question, line in lines:
            terminal.wait_for("\n?", after=question)
            terminal.type(line + "\n")

    def test_a_form_is_filled_in_field_by_field(self):
        self.script(("form", {}))
        terminal = self.open()
        self.answer(terminal, ("Name (required): As on the badge. - text from 2 to 9 characters", "Ada"),
                    ("E-mail - an e-mail address", "ada"), ("It must be an e-mail address", "ada@example.com"),
                    ("Size (required) - a whole number from 1 to 9", "12"), ("It must be a whole number from 1", "4"),
                    ("(An empty line means: yes)", ""), ("2. Blue", "1"), ("3. Friday", "1, fri"))
        terminal.wait_for("Done.")
        self.assertEqual(json.loads(self.told()), {"action": "accept", "content": {
            "name": "Ada", "mail": "ada@example.com", "size": 4, "news": True, "colour": "#f00",
            "days": ["Monday", "Friday"]}})

    def test_decline_and_cancel_are_apart(self):
        for word in ("decline", "cancel"):
            self.script(("form", {}))
            terminal = self.open()
            self.answer(terminal, ("Name (required)", "/" + word))
            terminal.wait_for("Done.")
            self.assertEqual(json.loads(self.told()), {"action": word})

    def test_a_page_is_opened_only_on_consent(self):
        for reply, action, is_opened in (("2", "decline", False), ("3", "cancel", False), ("1", "accept", True)):
            self.script(("page", {}))
            env = self.browser()
            terminal = self.open(**env)
            terminal.wait_for("https://login.example.com/start?next=%2Fhome")
            self.answer(terminal, ("at login.example.com", reply))
            terminal.wait_for("Done.")
            self.assertEqual(json.loads(self.told()), {"action": action})
            if is_opened:
                self.wait_for_line("opened")
            self.assertEqual(os.path.exists(env["OPENED"]), is_opened)


class Fields(Asking, Screen):
    def ask(self, name="form", arguments=None, wanted="Who are you?", env=None, **size):
        self.script((name, arguments or {}))
        terminal = self.open(*self.args(**(env or {})), **size)
        self.wait_connected()
        terminal.type("go\r")
        terminal.wait_for(wanted)
        terminal.wait_for("❯ " if name == "form" else "Decline")
        return terminal

    def test_a_form_is_filled_in(self):
        terminal = self.ask()
        self.assertScreen("fields", terminal)
        terminal.type("A\r")
        terminal.wait_for("It must be text from 2 to 9 characters.")
        self.assertScreen("fields-complaint", terminal)
        terminal.type("da\rada@example.com\r4\r")
        terminal.wait_for("(•) yes")
        terminal.type("\x1b[B\r")
        terminal.wait_for("(•) Blue")
        terminal.type("\x1b[A\r")
        terminal.wait_for("[ ] Monday")
        terminal.type(" \x1b[B\x1b[B ")
        terminal.wait_for("[x] Friday")
        self.assertScreen("fields-filled", terminal)
        terminal.type("\r")
        terminal.wait_for("❯ Send")
        terminal.type("\r")
        terminal.wait_idle("Done.")
        self.assertEqual(json.loads(self.told()), {"action": "accept", "content": {
            "name": "Ada", "mail": "ada@example.com", "size": 4, "news": False, "colour": "#f00",
            "days": ["Monday", "Friday"]}})
        self.leave(terminal)

    def test_what_is_missing_is_named_before_anything_is_sent(self):
        terminal = self.ask(env={"MCP_ERA": "new"})
        terminal.type("\x1b[A\x1b[A")
        terminal.wait_for("❯ Send")
        terminal.type("\r")
        terminal.wait_for("This field needs a value.")
        terminal.type("\x1b[200~Grace\x1b[201~\t\t7\x1b[A\x1b[A\x1b[A\x1b[A")
        terminal.wait_for("❯ Send")
        terminal.type("\r")
        terminal.wait_idle("Done.")
        self.assertEqual(json.loads(self.told())["content"], {"name": "Grace", "size": 7, "news": True, "colour": "#00f"})
        self.leave(terminal)

    def test_decline_and_cancel_are_apart(self):
        terminal = self.ask()
        terminal.type("\x1b[A")
        terminal.wait_for("❯ Decline")
        terminal.type("\r")
        terminal.wait_idle("Done.")
        self.assertEqual(json.loads(self.told()), {"action": "decline"})
        self.leave(terminal)
        terminal = self.ask()
        terminal.type("\x1b")
        terminal.wait_idle("Done.")
        self.assertEqual(json.loads(self.told()), {"action": "cancel"})
        self.leave(terminal)

    def test_a_small_terminal_shows_the_field_that_is_filled_in(self):
        terminal = self.ask(rows=12, cols=40)
        terminal.type("Ada\r\r")
        terminal.wait_for("❯ Size *:")
        self.assertScreen("fields-tiny", terminal)
        terminal.type("\x1b")
        terminal.wait_idle("Done.")
        self.leave(terminal)

    def test_a_page_is_opened_only_on_consent(self):
        env = self.browser()
        self.script(("page", {}), ("page", {}))
        terminal = self.open(*self.args(), **env)
        self.wait_connected()
        terminal.type("go\r")
        terminal.wait_for("Open it in the browser")
        self.assertScreen("page", terminal)
        terminal.type("\x1b[B\r")
        self.wait_until(lambda: self.received("tools/call")[1:], "the second call")
        self.assertFalse(os.path.exists(env["OPENED"]))
        terminal.wait_for("decline")
        terminal.wait_for("❯ Open it")
        terminal.type("\r")
        terminal.wait_idle("Done.")
        self.wait_for_line("opened")
        self.assertEqual(self.read("opened").strip(), "https://login.example.com/start?next=%2Fhome")
        self.assertEqual(json.loads(self.told()), {"action": "accept"})
        self.leave(terminal)

    def open_page(self):
        """A session whose call needs a page, which the user has agreed to open."""
        env = self.browser()
        os.mkfifo(self.path("fifo"))
        self.script(("signed", {"fifo": self.path("fifo")}))
        terminal = self.open(*self.args(), **env)
        self.wait_connected()
        terminal.type("go\r")
        terminal.wait_for("Open it in the browser")
        terminal.type("\r")
        return terminal

    def test_a_call_waits_until_the_page_that_it_needs_is_done(self):
        terminal = self.open_page()
        self.wait_for_line("opened")
        terminal.wait_for("waiting until you have finished on the page")
        self.assertEqual(len(self.received("tools/call")), 1)
        with open(self.path("fifo"), "w", encoding="utf-8"):
            terminal.wait_idle("Done.")
        self.assertEqual(self.told(), "signed in")
        self.leave(terminal)

    def test_a_call_that_waits_for_a_page_can_be_interrupted(self):
        terminal = self.open_page()
        terminal.wait_for("waiting until you have finished on the page")
        terminal.type("\x1b")
        terminal.wait_idle("interrupted")
        with open(self.path("fifo"), "w", encoding="utf-8"):
            self.leave(terminal)

    def test_a_page_that_no_browser_should_get_is_not_opened(self):
        terminal = self.ask("page", {"url": "file:///etc/passwd"}, "wants you to open a page", env=None)
        terminal.type("\r")
        terminal.wait_for("awl opens only http and https addresses.")
        terminal.type("\x1b")
        terminal.wait_idle("Done.")
        self.assertEqual(json.loads(self.told()), {"action": "cancel"})
        self.leave(terminal)
