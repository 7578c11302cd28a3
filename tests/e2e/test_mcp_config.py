"""awl mcp: how servers are listed, added and removed, and what becomes of the files."""

import json
import os
import subprocess

from rig import Sandbox

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")

SECRET = "hunter2hunter2"


class McpConfig(Sandbox):
    def put(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text))

    def get(self, name):
        with open(os.path.join(self.root, name), encoding="utf-8") as file:
            return file.read()

    def mcp(self, *args, fails=False, **env):
        ran = self.awl("mcp", *args, env=env)
        self.assertEqual(ran.returncode, 1 if fails else 0, (args, ran.stdout, ran.stderr))
        return (ran.stderr if fails else ran.stdout).decode()

    def own(self):
        return json.loads(self.get("home/.claude.json"))["projects"][os.path.realpath(self.cwd)]["mcpServers"]

    def test_without_servers_the_list_says_how_to_add_one(self):
        self.assertIn("No MCP servers configured. Use `awl mcp add`", self.mcp("list"))
        self.assertEqual(self.mcp(), self.mcp("list"))

    def test_a_program_is_added_to_the_local_scope(self):
        said = self.mcp("add", "files", "-e", "A=1", "--env", "B=x=y", "--", "no-npx", "-y", "files", "--root", "/tmp")
        self.assertIn("Added stdio MCP server files with command: no-npx -y files --root /tmp to local config", said)
        self.assertIn(f"File modified: {self.root}/home/.claude.json [project: {os.path.realpath(self.cwd)}]", said)
        self.assertEqual(self.own()["files"], {"type": "stdio", "command": "no-npx", "args": ["-y", "files", "--root", "/tmp"],
                                               "env": {"A": "1", "B": "x=y"}})
        self.assertIn("files: no-npx -y files --root /tmp - ", self.mcp("list"))
        self.assertEqual(os.stat(os.path.join(self.root, "home/.claude.json")).st_mode & 0o777, 0o600)

    def test_an_address_needs_no_transport(self):
        self.mcp("add", "docs", "http://127.0.0.1:1/mcp", "-H", "X-Key: a b", "--client-id", "me", "--callback-port", "8123")
        self.assertEqual(self.own()["docs"], {
            "type": "http", "url": "http://127.0.0.1:1/mcp", "headers": {"X-Key": "a b"},
            "oauth": {"clientId": "me", "callbackPort": 8123}})
        self.mcp("add", "-t", "sse", "old", "http://127.0.0.1:1/sse")
        self.assertEqual(self.own()["old"], {"type": "sse", "url": "http://127.0.0.1:1/sse"})
        self.assertIn("old: http://127.0.0.1:1/sse (SSE) - ", self.mcp("list"))

    def test_the_list_says_which_servers_can_be_reached(self):
        self.mcp("add", "good", "--", "/usr/bin/python3", SERVER)
        self.mcp("add", "ends", "--", "sh", "-c", "echo broken token=" + SECRET + " >&2; exit 3")
        self.mcp("add", "missing", "no-such-program")
        self.mcp("add", "closed", "http://127.0.0.1:1/mcp")
        self.put("work/.mcp.json", {"mcpServers": {"never": {"command": "touch", "args": ["started"]}}})
        shown = self.mcp("list")
        self.assertIn("Checking MCP server health...\n\n", shown)
        self.assertIn(f"good: /usr/bin/python3 {SERVER} - ✔ Connected\n", shown)
        self.assertRegex(shown, r"ends: sh .* - ✘ Failed to connect — .*exit code 3 \(it said: broken token=\[secret\]\)")
        self.assertRegex(shown, r"missing: no-such-program - ✘ Failed to connect — .*not found in PATH")
        self.assertRegex(shown, r"closed: http://127.0.0.1:1/mcp \(HTTP\) - ✘ Failed to connect — .*refused")
        self.assertIn("never: touch started - ⏸ Pending approval", shown)
        self.assertFalse(os.path.exists(os.path.join(self.cwd, "started")))
        self.assertNotIn(SECRET, shown)
        self.assertIn("  Status: ✔ Connected\n  Type: stdio\n", self.mcp("get", "good"))

    def test_only_who_is_logged_in_can_log_out(self):
        self.mcp("add", "program", "run")
        self.assertIn("is a program, and needs no login", self.mcp("logout", "program", fails=True))
        self.assertIn("no MCP server found with name: x", self.mcp("logout", "x", fails=True))

    def test_the_secret_of_a_client_is_stored_apart(self):
        self.mcp("add", "docs", "http://127.0.0.1:1/mcp", "--client-id", "me", "--client-secret", MCP_CLIENT_SECRET=SECRET)
        self.assertNotIn(SECRET, self.get("home/.claude.json"))
        path = os.path.join(self.root, "home/.claude/.credentials.json")
        self.assertIn(SECRET, self.get("home/.claude/.credentials.json"))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        self.assertIn("MCP_CLIENT_SECRET", self.mcp("add", "more", "http://127.0.0.1:1/mcp", "--client-secret", fails=True))

    def test_values_may_follow_one_option_as_in_other_agents(self):
        self.mcp("add", "-e", "A=1", "B=2", "x", "--", "run")
        self.assertEqual(self.own()["x"]["env"], {"A": "1", "B": "2"})

    def test_the_scopes_are_three_files_or_places(self):
        for scope in ("local", "project", "user"):
            self.mcp("add", "-s", scope, "s", "run", scope)
        config = json.loads(self.get("home/.claude.json"))
        self.assertEqual(config["mcpServers"]["s"]["args"], ["user"])
        self.assertEqual(self.own()["s"]["args"], ["local"])
        self.assertEqual(json.loads(self.get("work/.mcp.json"))["mcpServers"]["s"]["args"], ["project"])
        shown = self.mcp("get", "s")
        self.assertIn("Local config (private to you in this project)", shown)
        self.assertIn("Project config (shared via .mcp.json)", shown)
        self.assertIn("\"s\" of scope local is used instead", shown)
        self.assertIn("exists in several scopes; choose one with -s local or -s project or -s user",
                      self.mcp("remove", "s", fails=True))
        for scope in ("local", "project", "user"):
            self.assertIn(f"Removed MCP server s from {scope} config", self.mcp("remove", "s", "-s", scope))
        self.assertIn("no MCP server found", self.mcp("remove", "s", fails=True))

    def test_local_servers_belong_to_the_repository_around(self):
        subprocess.run(["git", "init", "-q", self.cwd], check=True, env=self.environment())
        top = os.path.realpath(self.cwd)
        self.cwd = os.path.join(self.cwd, "below")
        os.mkdir(self.cwd)
        self.mcp("add", "s", "run")
        self.assertEqual(list(json.loads(self.get("home/.claude.json"))["projects"]), [top])
        self.assertIn("s: run - ", self.mcp("list"))
        self.mcp("remove", "s")

    def test_every_other_byte_of_the_file_stays(self):
        before = '{\n  "numStartups": 1e2,\n  "tips": {"a":1,   "b": [ ]},\n  "mcpServers": {\n    "x": {"command":"x", "z":1}\n  },\n  "last": "\\u00e4"\n}'
        self.put("home/.claude.json", before)
        self.mcp("add", "-s", "user", "y", "run")
        after = self.get("home/.claude.json")
        added = ',\n    "y": {\n      "type": "stdio",\n      "command": "run",\n      "args": [],\n      "env": {}\n    }'
        self.assertEqual(after, before.replace('"z":1}', '"z":1}' + added))
        self.mcp("remove", "y", "-s", "user")
        self.assertEqual(self.get("home/.claude.json"), before)

    def test_a_moved_configuration_directory_has_its_own_file(self):
        moved = os.path.join(self.root, "moved")
        os.mkdir(moved)
        self.mcp("add", "-s", "user", "y", "run", CLAUDE_CONFIG_DIR=moved)
        self.assertIn("y", json.loads(self.get("moved/.claude.json"))["mcpServers"])
        self.assertFalse(os.path.exists(os.path.join(self.root, "home/.claude.json")))

    def test_json_is_checked_before_it_is_stored(self):
        self.mcp("add-json", "w", '{"type":"ws","url":"wss://example.com/","headers":{"A":"b"}}')
        self.assertEqual(self.own()["w"], {"type": "ws", "url": "wss://example.com/", "headers": {"A": "b"}})
        for entry, error in (('{"type":"ws"}', '"url" is missing'), ("{", "the entry is not JSON: line 1"),
                             ("[]", "must be an object")):
            self.assertIn(error, self.mcp("add-json", "bad", entry, fails=True))
        self.assertIn("exists in scope local already", self.mcp("add-json", "w", '{"command":"x"}', fails=True))
        self.assertIn("add-json docs", self.mcp("add-json", "w", fails=True))

    def test_mistakes_are_explained(self):
        for args, error in ((("add", "x"), "name a server and its command"),
                            (("add", "a b", "run"), "letters, digits, - and _"),
                            (("add", "-t", "ws", "x", "wss://x"), "add-json"),
                            (("add", "-t", "http", "x", "run"), "needs an address"),
                            (("add", "x", "https://x.test", "y"), "unexpected argument 'y'"),
                            (("add", "x", "https://x.test", "-e", "A=b"), "use --header"),
                            (("add", "x", "run", "-H", "A: b"), "use --env"),
                            (("add", "x", "run", "-e", "A"), "--env takes NAME=value, not 'A'"),
                            (("add", "x", "https://x.test", "-H", "A"), "--header takes 'Name: value'"),
                            (("add", "x", "https://x.test", "--callback-port", "0"), "1 to 65535"),
                            (("add", "-s", "global", "x", "run"), "'local', 'project' or 'user', not 'global'"),
                            (("get",), "awl mcp get <name>"), (("get", "x"), "no MCP server found with name: x"),
                            (("frobnicate",), "no action 'frobnicate'"), (("add", "x", "npx", "-y"), "-- goes before")):
            with self.subTest(args):
                self.assertIn(error, self.mcp(*args, fails=True))
        self.assertFalse(os.path.exists(os.path.join(self.root, "home/.claude.json")))

    def test_secrets_are_not_shown(self):
        self.mcp("add", "a", "-e", "K=" + SECRET, "--", "run", "--api-key", SECRET, "--password=" + SECRET)
        self.mcp("add", "b", f"http://me:{SECRET}@127.0.0.1:1/?api_key={SECRET}", "-H", "Authorization: Bearer " + SECRET)
        self.put("work/.mcp.json", {"mcpServers": {"c": {"command": ["x", SECRET]}, "d": {"url": "x:" + SECRET}}})
        shown = ""
        for args in (("list",), ("get", "a"), ("get", "b")):
            ran = self.awl("mcp", *args)
            shown += ran.stdout.decode() + ran.stderr.decode()
        self.assertNotIn(SECRET, shown)
        self.assertIn("K=[REDACTED]", shown)
        self.assertIn("Authorization: [REDACTED]", shown)
        self.assertIn('.mcp.json: MCP server "c": "command" must be a string', shown)
        self.assertNotIn(SECRET, self.mcp("add", "e", "--", "run", "--token", SECRET))

    def test_a_project_waits_for_approval_until_it_is_trusted(self):
        self.put("work/.mcp.json", {"mcpServers": {"p": {"command": "run"}}})
        self.assertIn("p: run - ⏸ Pending approval", self.mcp("list"))
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        self.assertNotIn("Pending", self.mcp("list"))
        self.mcp("add", "-s", "project", "q", "run", "2")
        self.assertNotIn("Pending", self.mcp("list"))
        self.put("work/.mcp.json", {"mcpServers": {"p": {"command": "rm"}}})
        self.assertIn("p: rm - ⏸ Pending approval", self.mcp("list"))

    def test_adding_to_a_project_that_is_not_trusted_does_not_trust_it(self):
        self.put("work/.mcp.json", {"mcpServers": {"p": {"command": "run"}}})
        self.mcp("add", "-s", "project", "q", "run")
        self.assertEqual(self.mcp("list").count("Pending approval"), 2)

    def test_choices_are_reset(self):
        here = os.path.realpath(self.cwd)
        self.put("work/.mcp.json", {"mcpServers": {"p": {"command": "run"}, "q": {"command": "run"}}})
        self.put("work/.claude/settings.local.json", {"disabledMcpjsonServers": ["p"], "model": "opus"})
        self.put("home/.claude.json", {"projects": {here: {"disabledMcpjsonServers": ["q"], "x": 1}}})
        self.assertEqual(self.mcp("list").count("disabledMcpjsonServers rejects it"), 2)
        self.assertIn("have been reset", self.mcp("reset-project-choices"))
        self.assertEqual(json.loads(self.get("work/.claude/settings.local.json")), {"model": "opus"})
        self.assertEqual(json.loads(self.get("home/.claude.json")), {"projects": {here: {"x": 1}}})
        self.assertNotIn("rejects", self.mcp("list"))

    def test_servers_that_settings_forbid_are_neither_listed_as_usable_nor_added(self):
        self.put("home/.claude/settings.json", {"deniedMcpServers": [{"serverName": "x"}]})
        self.put("home/.claude.json", {"mcpServers": {"x": {"command": "run"}}})
        self.assertIn("✘ Not allowed (deniedMcpServers forbids it", self.mcp("list"))
        self.assertIn("deniedMcpServers forbids it", self.mcp("add", "x", "run", fails=True))

    def test_the_servers_of_claude_desktop_are_taken_over(self):
        self.assertIn("no configuration of Claude Desktop", self.mcp("add-from-claude-desktop", fails=True))
        self.put("home/.config/Claude/claude_desktop_config.json",
                 {"globalShortcut": "", "mcpServers": {"a": {"command": "npx", "args": ["a"]}, "b": {"command": "b"}}})
        self.assertIn("Added MCP server b to user config", self.mcp("add-from-claude-desktop", "-s", "user"))
        self.assertEqual(json.loads(self.get("home/.claude.json"))["mcpServers"],
                         {"a": {"command": "npx", "args": ["a"]}, "b": {"command": "b"}})
        self.assertIn("exists in scope user already", self.mcp("add-from-claude-desktop", "-s", "user", fails=True))

    def test_a_broken_file_is_reported_and_never_overwritten(self):
        self.put("home/.claude.json", '{"mcpServers": {')
        self.assertIn(".claude.json: line 1", self.mcp("add", "x", "run", fails=True))
        self.assertEqual(self.get("home/.claude.json"), '{"mcpServers": {')
        self.put("work/.mcp.json", "{} // mine")
        ran = self.awl("mcp", "list")
        self.assertIn(b".mcp.json: line 1", ran.stderr)
        self.assertIn(b"No MCP servers", ran.stdout)

    def test_the_doctor_tries_servers_unless_it_is_offline(self):
        self.mcp("add", "good", "--", "/usr/bin/python3", SERVER)
        self.mcp("add", "missing", "--", "no-such-program", "--token", SECRET)
        self.put("work/.mcp.json", {"mcpServers": {"never": {"command": "touch", "args": ["started"]}}})
        ran = self.awl("doctor", env={"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1"})
        page = ran.stdout.decode()
        self.assertIn("MCP server: good: connected\n", page)
        self.assertIn("MCP server: missing: cannot start no-such-program: not found in PATH\n", page)
        self.assertIn("MCP server: never: not started: it needs your approval", page)
        self.assertRegex(page.splitlines()[-1], "problems?: .*MCP server")
        self.assertNotIn(SECRET, page)
        self.assertFalse(os.path.exists(os.path.join(self.cwd, "started")))
        page = self.awl("doctor", "--offline", env={"ANTHROPIC_API_KEY": "k"}).stdout.decode()
        self.assertIn("MCP server: good: not tried\n", page)
