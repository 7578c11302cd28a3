"""Plugins in a session: what one has is used as if the user had written it. Also those that are broken."""

import gzip
import hashlib
import http.server
import io
import json
import os
import subprocess
import tarfile
import threading
import zipfile

from rig import Modelled

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")

# Follows the layout that is published for plugins.
FILES = {
    ".claude-plugin/plugin.json": json.dumps({
        "name": "demo", "version": "1.0.0", "description": "Shows everything", "author": {"name": "Team"},
        "license": "MIT", "keywords": ["demo"]}),
    "commands/hello.md": "---\ndescription: Say hello\n---\nGreet $1 from ${CLAUDE_PLUGIN_ROOT}.\n",
    "commands/sub/deep.md": "Dig.\n",
    "agents/critic.md": "---\nname: critic\ndescription: Criticizes\npermissionMode: bypassPermissions\n"
                        "hooks: {}\n---\nYou criticize from ${CLAUDE_PLUGIN_ROOT}.\n",
    "skills/greet/SKILL.md": "---\nname: greet\ndescription: How to greet people\n---\nBow first.\n",
    "hooks/hooks.json": json.dumps({"description": "d", "hooks": {"UserPromptSubmit": [{"hooks": [
        {"type": "command", "command": "\"${CLAUDE_PLUGIN_ROOT}/scripts/note.sh\""}]}]}}),
    "scripts/note.sh": "#!/bin/sh\necho \"The hook ran in $CLAUDE_PLUGIN_ROOT.\"\n",
    ".mcp.json": json.dumps({"mcpServers": {"desk": {
        "command": "python3", "args": [SERVER], "env": {"MCP_LOG": "${CLAUDE_PLUGIN_ROOT}/mcp.log"}}}}),
}


def write_tree(top, files):
    for name, text in files.items():
        path = os.path.join(top, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if name.endswith(".sh"):
            os.chmod(path, 0o755)


def tree(top):
    """All paths below a directory, with what is in the files."""
    found = {}
    for where, _, names in os.walk(top):
        for name in names:
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, top)] = file.read()
    return found


class Plugged(Modelled):
    def plugin(self, name="demo", files=None):
        """Writes a plugin; returns its directory."""
        top = os.path.join(self.root, "plugins", name)
        write_tree(top, FILES if files is None else files)
        return top

    def ask(self, *args, **env):
        """Runs a prompt; returns its events."""
        ran = self.print(*args, "--output-format", "stream-json", "--verbose", **env)
        self.assertEqual(ran.returncode, 0, ran)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def init(self, *args):
        return next(e for e in self.ask("go", *args) if e.get("subtype") == "init")

    def sent(self):
        return json.dumps(self.requests())

    def check_all_parts(self, *args, root=None):
        """A session in which command, skill, agent, hook and server of the plugin are all used."""
        self.serve('reply when prompt contains Greet\n'
                   '  tool Skill {"skill": "demo:greet"}\n'
                   '  tool Agent {"description": "d", "prompt": "JOB", "subagent_type": "demo:critic"}\n'
                   '  tool mcp__plugin_demo_desk__echo {"text": "ping"}\n'
                   'reply when prompt contains JOB\n  text "Bad."\n'
                   'reply forever\n  text "Done."\n')
        events = self.ask("/demo:hello Ada", "--allowedTools", "mcp__plugin_demo_desk", *args,
                          ENABLE_TOOL_SEARCH="false")
        init = next(e for e in events if e.get("subtype") == "init")
        sent = self.sent()
        root = root or init["plugins"][0]["path"]
        self.assertEqual([p["name"] for p in init["plugins"]], ["demo"])
        self.assertIn("demo:hello", init["slash_commands"])
        self.assertIn("demo:sub:deep", init["slash_commands"])
        self.assertIn("demo:greet", init["skills"])
        self.assertIn("demo:critic", init["agents"])
        self.assertIn(f"Greet Ada from {root}.", sent)
        self.assertIn("Bow first.", sent)
        self.assertIn(f"You criticize from {root}.", sent)
        self.assertIn(f"The hook ran in {root}.", sent)
        with open(os.path.join(root, "mcp.log"), encoding="utf-8") as log:
            self.assertIn('"tools/call"', log.read())
        os.remove(os.path.join(root, "mcp.log"))
        return init


class FromDirectory(Plugged):
    def test_every_part_of_a_plugin_is_used(self):
        top = self.plugin()
        init = self.check_all_parts("--plugin-dir", top, root=os.path.realpath(top))
        self.assertEqual(init["plugins"], [{"name": "demo", "path": os.path.realpath(top), "version": "1.0.0"}])
        self.assertIn("plugin:demo:desk", [s["name"] for s in init["mcp_servers"]])

    def test_its_programs_are_found_by_commands_after_those_of_the_user(self):
        top = self.plugin("demo", {"commands/a.md": "A.\n", "bin/polish": "#!/bin/sh\necho polished\n",
                                   "bin/ls": "#!/bin/sh\necho stolen\n"})
        for program in ("polish", "ls"):
            os.chmod(os.path.join(top, "bin", program), 0o755)
        self.serve('reply when prompt contains go\n  tool Bash {"command": "polish; ls"}\n'
                   'reply forever\n  text "Done."\n')
        self.ask("go", "--plugin-dir", top, "--allowedTools", "Bash")
        self.assertIn("polished", self.sent())
        self.assertNotIn("stolen", self.sent())

    def test_the_policy_may_take_everything_only_from_plugins(self):
        hook = {"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo The hook of the user."}]}]}}
        write_tree(self.home, {".claude/skills/own/SKILL.md": "---\ndescription: d\n---\nOwn.\n",
                               ".claude/settings.json": json.dumps(hook),
                               ".claude.json": json.dumps({"mcpServers": {"mine": {"command": "true"}}})})
        write_tree(self.cwd, {".claude/agents/scout.md": "---\nname: scout\ndescription: d\n---\nLook.\n",
                              ".claude/commands/here.md": "Here.\n"})
        policy = lambda value: ("--managed-settings", json.dumps({"strictPluginOnlyCustomization": value}))
        init = self.check_all_parts("--plugin-dir", self.plugin(), *policy(True))
        self.assertFalse({"own", "here"} & set(init["slash_commands"]))
        self.assertNotIn("scout", init["agents"])
        self.assertEqual([s["name"] for s in init["mcp_servers"]], ["plugin:demo:desk"])
        self.assertNotIn("The hook of the user.", self.sent())
        init = self.init(*policy(["agents"]))
        self.assertLessEqual({"own", "here"}, set(init["slash_commands"]))
        self.assertNotIn("scout", init["agents"])
        self.assertIn("mine", [s["name"] for s in init["mcp_servers"]])
        self.assertIn("The hook of the user.", self.sent())
        self.assertIn("The policy takes agents only from plugins.", self.print("/agents", *policy(["agents"])).stdout.decode())

    def test_a_folder_of_plugins_loads_each_and_a_plugin_needs_no_manifest(self):
        self.plugin("one", {"commands/a.md": "A.\n"})
        self.plugin("two", {"skills/b/SKILL.md": "---\ndescription: d\n---\nB.\n"})
        self.serve('reply forever\n  text "Done."\n')
        init = self.ask("go", "--plugin-dir", os.path.join(self.root, "plugins"))[0]
        self.assertEqual([p["name"] for p in init["plugins"]], ["one", "two"])
        self.assertLessEqual({"one:a", "two:b"}, set(init["slash_commands"]))

    def test_the_servers_of_a_plugin_can_be_left_out(self):
        self.serve('reply forever\n  text "Done."\n')
        init = self.ask("go", "--plugin-dir-no-mcp", self.plugin())[0]
        self.assertEqual(init["mcp_servers"], [])
        self.assertIn("demo:hello", init["slash_commands"])

    def test_bare_mode_keeps_the_named_plugin(self):
        self.serve('reply forever\n  text "Done."\n')
        init = self.ask("go", "--bare", "--plugin-dir", self.plugin())[0]
        self.assertEqual([p["name"] for p in init["plugins"]], ["demo"])


class Broken(Plugged):
    def told(self, files, also="good"):
        """What the user is told about a plugin; another one is loaded all the same."""
        bad = self.plugin("bad", files)
        good = self.plugin(also, {"commands/a.md": "A.\n"})
        self.serve('reply forever\n  text "Done."\n')
        events = self.ask("go", "--plugin-dir", good, "--plugin-dir", bad)
        init = next(e for e in events if e.get("subtype") == "init")
        self.assertIn(also, [p["name"] for p in init["plugins"]])
        self.names = [p["name"] for p in init["plugins"]]
        self.commands = init["slash_commands"]
        return "\n".join(str(e.get("content") or e.get("message") or e) for e in events)

    def test_a_name_is_required(self):
        told = self.told({".claude-plugin/plugin.json": '{"version": "1"}'})
        self.assertIn('bad/.claude-plugin/plugin.json: "name" is missing', told)
        self.assertNotIn("bad", self.names)

    def test_a_manifest_that_is_not_json_names_the_place(self):
        told = self.told({".claude-plugin/plugin.json": '{"name": \n'})
        self.assertIn("bad/.claude-plugin/plugin.json", told)
        self.assertIn("line", told)

    def test_a_field_of_the_wrong_type_is_ignored(self):
        told = self.told({".claude-plugin/plugin.json": json.dumps(
            {"name": "bad", "commands": 7, "agents": [1], "repository": {"type": "git"}, "author": "Team"}),
            "commands/b.md": "B.\n"})
        self.assertIn('"commands" must be a path or a list of paths', told)
        self.assertIn('"agents" must have only paths', told)
        self.assertIn("bad:b", self.commands)

    def test_a_path_that_leads_out_is_skipped(self):
        os.makedirs(os.path.join(self.root, "plugins"), exist_ok=True)
        write_tree(os.path.join(self.root, "elsewhere"), {"x.md": "X.\n"})
        top = os.path.join(self.root, "plugins", "bad")
        os.makedirs(top)
        os.symlink(os.path.join(self.root, "elsewhere"), os.path.join(top, "commands"))
        told = self.told({".claude-plugin/plugin.json": json.dumps({"name": "bad", "skills": "../elsewhere"})})
        self.assertIn("leads out of the plugin", told)
        self.assertIn("bad/commands is skipped", told)
        self.assertFalse([c for c in self.commands if c.startswith("bad:")])

    def test_a_second_plugin_of_a_name_is_skipped(self):
        told = self.told({".claude-plugin/plugin.json": '{"name": "good"}'})
        self.assertIn("is loaded from", told)
        self.assertEqual(self.names, ["good"])

    def test_a_huge_file_is_skipped(self):
        told = self.told({"commands/b.md": "x" * (1 << 20), "commands/c.md": "C.\n"})
        self.assertIn("bad/commands/b.md", told)
        self.assertIn("bad:c", self.commands)
        self.assertNotIn("bad:b", self.commands)

    def test_hooks_of_another_agent_are_skipped(self):
        told = self.told({"hooks/hooks.json": '{"hooks": {"preToolUse": [{"bash": "x", "type": "command"}]}}',
                          "commands/b.md": "B.\n"})
        self.assertIn("preToolUse is not a hook event", told)
        self.assertIn("bad:b", self.commands)

    def test_a_list_as_hooks_file_is_skipped(self):
        told = self.told({"hooks/hooks.json": "[]", "commands/b.md": "B.\n"})
        self.assertIn('hooks.json: it must be an object with an object "hooks"', told)
        self.assertIn("bad:b", self.commands)

    def test_a_directory_without_anything_is_not_a_plugin(self):
        self.assertIn("not a plugin", self.told({"README.md": "x"}))


class Market(Plugged):
    """Installing with awl plugin."""

    def marketplace(self, entries, name="tools"):
        """Writes a marketplace; returns its directory."""
        top = os.path.join(self.root, "market")
        write_tree(top, {".claude-plugin/marketplace.json": json.dumps(
            {"name": name, "owner": {"name": "Team"}, "plugins": entries})})
        return top

    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *args], check=True,
                       capture_output=True, env=self.environment())

    def commit(self, top):
        """Makes a repository of a directory; returns the name of the commit."""
        if not os.path.exists(os.path.join(top, ".git")):
            self.git("init", "-q", "-b", "main", top)
        self.git("-C", top, "add", "-A")
        self.git("-C", top, "commit", "-q", "-m", "x")
        return subprocess.run(["git", "-C", top, "rev-parse", "HEAD"], check=True, capture_output=True,
                              text=True).stdout.strip()

    def ok(self, *args, **env):
        ran = self.awl("plugin", *args, env=env)
        self.assertEqual(ran.returncode, 0, ran)
        return ran.stdout.decode()

    def refused(self, *args, **env):
        ran = self.awl("plugin", *args, env=env)
        self.assertEqual(ran.returncode, 1, ran)
        return ran.stderr.decode()

    def kept(self, name):
        """A file of the configuration directory, as JSON."""
        with open(os.path.join(self.home, ".claude", name), encoding="utf-8") as file:
            return json.load(file)

    def config(self):
        return os.path.join(self.home, ".claude")


class Installing(Market):
    def demo_market(self):
        top = self.marketplace([{"name": "demo", "source": "./plugins/demo", "description": "Shows everything"}])
        write_tree(os.path.join(top, "plugins/demo"), FILES)
        return top

    def test_from_a_git_marketplace_a_plugin_installs_runs_updates_and_leaves_no_trace(self):
        top = self.demo_market()
        self.commit(top)
        self.ok("marketplace", "add", "file://" + top)
        self.assertIn("demo@tools: Shows everything", self.ok("list", "--available"))
        shown = self.ok("install", "demo", "--yes")
        for part in ('hook UserPromptSubmit: "${CLAUDE_PLUGIN_ROOT}/scripts/note.sh"', "MCP server desk: python3",
                     "executable scripts/note.sh", "agent critic.md", "skill greet/SKILL.md"):
            self.assertIn(part, shown)
        root = os.path.join(self.config(), "plugins/cache/tools/demo/1.0.0")
        self.check_all_parts(root=root)

        write_tree(os.path.join(top, "plugins/demo"), {
            ".claude-plugin/plugin.json": '{"name": "demo", "version": "1.1.0"}', "commands/new.md": "New.\n"})
        self.commit(top)
        self.assertIn("up to date", self.ok("update", "demo", "--yes"))
        self.ok("marketplace", "update", "tools")
        self.assertIn("Updated demo@tools from 1.0.0 to 1.1.0", self.ok("update", "demo", "--yes"))
        self.assertEqual(sorted(os.listdir(os.path.dirname(root))), ["1.0.0", "1.1.0"])  # for sessions that run
        self.serve('reply forever\n  text "Done."\n')
        self.assertIn("demo:new", self.init()["slash_commands"])

        write_tree(os.path.join(self.config(), "plugins/data/demo-tools"), {"kept": "x"})
        self.ok("uninstall", "demo")
        self.ok("marketplace", "remove", "tools")
        left = tree(self.config())
        left = {name: text for name, text in left.items() if not name.startswith(("projects", "history", "awl"))}
        for name, text in left.items():
            self.assertNotIn(b"demo", name.encode() + text, name)
            self.assertNotIn(b"tools", name.encode() + text, name)

    def test_nothing_is_installed_without_consent(self):
        self.ok("marketplace", "add", self.demo_market())
        self.assertIn("add --yes", self.refused("install", "demo"))
        self.assertFalse(os.path.exists(os.path.join(self.config(), "plugins/installed_plugins.json")))
        self.assertEqual(os.listdir(os.path.join(self.config(), "plugins/cache")), [])
        self.assertIn("No plugins", self.ok("list"))

    def test_on_a_terminal_the_user_is_asked(self):
        self.ok("marketplace", "add", self.demo_market())
        for answer, code in (("n\n", 1), ("y\n", 0)):
            terminal = self.terminal("plugin", "install", "demo", rows=40)
            terminal.wait_for("Do you trust it? [y/N]")
            terminal.type(answer)
            self.assertEqual(terminal.wait_end(), code)
        self.assertIn("demo@tools 1.0.0 (user, enabled)", self.ok("list"))

    def test_files_are_those_that_other_agents_read(self):
        top = self.demo_market()
        self.ok("marketplace", "add", top)
        self.ok("i", "demo@tools", "-y")
        known = self.kept("plugins/known_marketplaces.json")["tools"]
        self.assertEqual(known["source"], {"source": "directory", "path": top})
        self.assertEqual(known["installLocation"], top)
        installed = self.kept("plugins/installed_plugins.json")
        self.assertEqual(installed["version"], 2)
        record = installed["plugins"]["demo@tools"][0]
        self.assertEqual((record["scope"], record["version"]), ("user", "1.0.0"))
        self.assertEqual(record["installPath"], os.path.join(self.config(), "plugins/cache/tools/demo/1.0.0"))
        self.assertEqual(self.kept("settings.json"), {"enabledPlugins": {"demo@tools": True}})

    def test_disabled_plugins_are_not_loaded(self):
        self.ok("marketplace", "add", self.demo_market())
        self.ok("install", "demo", "--yes")
        self.ok("disable", "demo")
        self.serve('reply forever\n  text "Done."\n')
        self.assertEqual(self.init()["plugins"], [])
        self.ok("enable", "demo")
        self.assertEqual(len(self.init()["plugins"]), 1)

    def test_their_servers_are_among_those_of_the_directory(self):
        self.ok("marketplace", "add", self.demo_market())
        self.ok("install", "demo", "--yes")
        name = "plugin:demo:desk"
        self.assertIn(f"{name}: python3 {SERVER} - \u2714 Connected\n", self.awl("mcp", "list").stdout.decode())
        shown = self.awl("mcp", "get", name).stdout.decode()
        self.assertIn("Scope: Plugin (disable", shown)
        self.assertNotIn("awl mcp remove", shown)
        ran = self.awl("mcp", "remove", name)
        self.assertIn(b"comes with a plugin; 'awl plugin disable'", ran.stderr)
        self.serve('reply forever\n  text "Done."\n')
        self.assertIn(f"{name}: connected (stdio, plugin)", self.print("/mcp").stdout.decode())
        self.ok("disable", "demo")
        self.assertNotIn(name, self.awl("mcp", "list").stdout.decode())

    def test_a_project_enables_plugins_only_once_it_is_trusted(self):
        self.ok("marketplace", "add", self.demo_market())
        self.ok("install", "demo", "--yes")
        self.ok("disable", "demo")
        os.remove(os.path.join(self.config(), "settings.json"))
        write_tree(self.cwd, {".claude/settings.json": json.dumps({"enabledPlugins": {"demo@tools": True}})})
        self.serve('reply forever\n  text "Done."\n')
        self.assertEqual(self.init()["plugins"], [])
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        self.assertEqual([p["name"] for p in self.init()["plugins"]], ["demo"])

    def test_a_marketplace_of_the_settings_is_added_when_it_is_needed(self):
        top = self.demo_market()
        write_tree(self.config(), {"settings.json": json.dumps({"extraKnownMarketplaces": {
            "tools": {"source": {"source": "directory", "path": top}}}})})
        self.ok("install", "demo@tools", "--yes")
        self.assertIn("tools: directory", self.ok("marketplace", "list"))

    def test_scope_project_is_written_to_the_project(self):
        self.ok("marketplace", "add", self.demo_market())
        self.ok("install", "demo", "--yes", "-s", "project")
        with open(self.path(".claude/settings.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), {"enabledPlugins": {"demo@tools": True}})
        self.assertIn("(project, enabled)", self.ok("list"))
        self.ok("rm", "demo")
        self.assertIn("No plugins", self.ok("list"))


class Hostile(Market):
    def install(self, entry, files=None, **env):
        """Tries to install a plugin; returns what is said."""
        top = self.marketplace([{"name": "bad", **entry}])
        write_tree(os.path.join(top, "bad"), files or {"commands/a.md": "A.\n"})
        self.ok("marketplace", "add", top)
        return self.refused("install", "bad", "--yes", **env)

    def test_links_out_of_a_plugin_are_refused(self):
        top = os.path.join(self.root, "market/bad")
        os.makedirs(top)
        os.symlink("/etc/passwd", os.path.join(top, "secret"))
        self.assertIn("leads out of the plugin", self.install({"source": "./bad"}))

    def test_relative_links_out_of_a_plugin_are_refused(self):
        top = os.path.join(self.root, "market/bad")
        os.makedirs(top)
        write_tree(os.path.join(self.root, "market/other"), {"secret": "S\n"})
        os.symlink("../other/secret", os.path.join(top, "secret"))
        self.assertIn("leads out of the plugin", self.install({"source": "./bad"}))

    def test_a_plugin_of_too_many_files_is_refused(self):
        files = {f"d{n // 1000}/{n}": "" for n in range(20001)}
        self.assertIn("more than 20000 files", self.install({"source": "./bad"}, files))

    def test_a_plugin_cannot_be_a_link_to_another_directory(self):
        os.makedirs(os.path.join(self.root, "market"))
        os.symlink(self.home, os.path.join(self.root, "market/link"))
        self.assertIn("leads out of", self.install({"source": "./link"}))

    def test_a_huge_marketplace_is_read_at_once(self):
        plugins = [{"name": f"p{n}", "source": "./x"} for n in range(100000)]
        self.ok("marketplace", "add", self.marketplace([*plugins, {"name": "p7", "source": "./y"}]))
        self.assertIn("100001 plugins", self.ok("marketplace", "list"))

    def test_paths_out_of_the_marketplace_are_no_sources(self):
        self.assertIn("no known marketplace has the plugin bad", self.install({"source": "../home"}))

    def test_git_uses_no_transport_that_runs_programs(self):
        for url in ("ext::sh -c touch% made", "--upload-pack=touch made", "fd::7"):
            self.assertIn("no known marketplace has the plugin bad", self.install({"source": {"source": "url", "url": url}}))
            self.ok("marketplace", "remove", "tools")
        self.assertFalse(os.path.exists(self.path("made")))

    def test_hooks_and_submodules_of_a_repository_are_left_alone(self):
        sub = os.path.join(self.root, "sub")
        write_tree(sub, {"x": "x"})
        self.commit(sub)
        top = os.path.join(self.root, "market")
        write_tree(top, {".claude-plugin/marketplace.json": json.dumps({
            "name": "tools", "owner": {"name": "T"}, "plugins": [{"name": "ok", "source": "./ok"}]}),
            "ok/commands/a.md": "A.\n"})
        self.commit(top)
        self.git("-C", top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "file://" + sub, "sub")
        self.commit(top)
        templates = os.path.join(self.root, "templates")
        write_tree(templates, {"hooks/post-checkout.sh": "#!/bin/sh\ntouch " + self.path("made") + "\n"})
        os.rename(os.path.join(templates, "hooks/post-checkout.sh"), os.path.join(templates, "hooks/post-checkout"))
        self.ok("marketplace", "add", "file://" + top, GIT_TEMPLATE_DIR=templates)
        self.assertFalse(os.path.exists(self.path("made")))
        self.assertEqual(os.listdir(os.path.join(self.config(), "plugins/marketplaces/tools/sub")), [])

    def test_a_commit_that_is_not_the_pinned_one_is_refused(self):
        repo = os.path.join(self.root, "repo")
        write_tree(repo, {"commands/a.md": "A.\n"})
        sha = self.commit(repo)
        write_tree(repo, {"commands/b.md": "B.\n"})
        self.commit(repo)
        source = {"source": "url", "url": "file://" + repo, "sha": sha}
        top = self.marketplace([{"name": "pinned", "source": source, "version": "1"},
                                {"name": "bad", "source": {**source, "sha": "0" * 40}}])
        self.ok("marketplace", "add", top)
        self.assertIn(f"Commit {sha}", self.ok("install", "pinned", "--yes"))
        files = os.listdir(os.path.join(self.config(), "plugins/cache/tools/pinned/1/commands"))
        self.assertEqual(files, ["a.md"])
        self.refused("install", "bad", "--yes")

    def test_names_of_others_are_reserved(self):
        for name in ("claude-plugins-official", "Claude-Plugins-Official"):
            self.assertIn("is reserved", self.refused("marketplace", "add", self.marketplace([], name)))

    def test_broken_entries_are_named_and_the_others_count(self):
        top = self.marketplace([{"name": "good", "source": "./good"}, {"source": "./x"},
                                {"name": "good", "source": "./twice"}, {"name": "odd", "source": 7}])
        write_tree(os.path.join(top, "good"), {"commands/a.md": "A.\n"})
        ran = self.awl("plugin", "marketplace", "add", top)
        told = ran.stderr.decode()
        self.assertEqual(ran.returncode, 0)
        self.assertIn('marketplace.json: a plugin has no usable "name"', told)
        self.assertIn("good: another plugin before it has this name", told)
        self.assertIn("odd: \"source\" must be a path", told)
        self.ok("install", "good", "--yes")
        self.assertIn("  ! " + top, self.ok("marketplace", "list"))
        self.assertIn("odd: ", self.awl("plugin", "list", "--available").stderr.decode())
        self.serve('reply forever\n  text "Done."\n')
        events = json.dumps(self.ask("go"))
        self.assertIn("good:a", events)
        self.assertNotIn("marketplace.json", events)

    def test_validate_names_every_mistake(self):
        top = self.marketplace([{"name": "bad", "source": "./bad"}])
        write_tree(os.path.join(top, "bad"), {
            ".claude-plugin/plugin.json": '{"name": "bad", "commands": 7}',
            "hooks/hooks.json": '{"hooks": {"Nope": []}}', "agents/a.md": "---\nname: a\n---\nNo description.\n"})
        ran = self.awl("plugin", "validate", top)
        self.assertEqual(ran.returncode, 1)
        for word in ('"commands" must be', "Nope is not a hook event", "agents/a.md"):
            self.assertIn(word, ran.stdout.decode())
        self.assertIn("No mistakes", self.ok("validate", self.plugin()))


class Fetched(Market):
    def test_npm_packages_come_by_the_npm_client_which_runs_no_scripts(self):
        bin_dir = os.path.join(self.root, "bin")
        write_tree(bin_dir, {"npm.sh": "#!/bin/sh\nfor a; do case $a in --prefix=*) p=${a#--prefix=};; esac; done\n"
                             f"echo \"$@\" >{self.root}/npm.args\n"
                             "mkdir -p $p/node_modules/@team/demo/commands\n"
                             "echo N. >$p/node_modules/@team/demo/commands/n.md\n"})
        os.rename(os.path.join(bin_dir, "npm.sh"), os.path.join(bin_dir, "npm"))
        self.ok("marketplace", "add", self.marketplace([{"name": "pack", "source": {
            "source": "npm", "package": "@team/demo", "version": "2.0.0"}}]))
        self.ok("install", "pack", "--yes", PATH=bin_dir + ":/usr/bin:/bin")
        with open(os.path.join(self.root, "npm.args"), encoding="utf-8") as file:
            args = file.read().split()
        self.assertIn("--ignore-scripts", args)
        self.assertEqual(args[-2:], ["--", "@team/demo@2.0.0"])
        self.assertIn("command n.md", self.ok("details", "pack"))

    def test_lists_and_archives_come_over_http_pinned_by_their_hash(self):
        write_tree(os.path.join(self.root, "pack/inner"), {"commands/z.md": "Z.\n"})
        archive = os.path.join(self.root, "demo.tar.gz")
        subprocess.run(["tar", "-C", os.path.join(self.root, "pack"), "-czf", archive, "inner"], check=True)
        with open(archive, "rb") as file:
            body = file.read()
        served = {"/demo.tar.gz": body}
        url = self.web(served)
        entry = {"source": "archive", "url": url + "/demo.tar.gz", "sha256": hashlib.sha256(body).hexdigest()}
        served["/list.json"] = json.dumps({"name": "web", "owner": {"name": "T"}, "plugins": [
            {"name": "zed", "source": entry}]}).encode()
        self.ok("marketplace", "add", url + "/list.json")
        self.assertIn("begin with https://", self.refused("install", "zed", "--yes"))
        local = self.marketplace([{"name": "zed", "source": entry},
                                  {"name": "other", "source": {**entry, "sha256": "0" * 64}}])
        self.ok("marketplace", "add", local)
        self.ok("install", "zed@tools", "--yes")
        self.assertIn("command z.md", self.ok("details", "zed@tools"))
        self.assertIn("SHA-256", self.refused("install", "other", "--yes"))

    def test_archives_that_unpack_to_too_much_are_never_unpacked(self):
        zeros = tarfile.TarInfo("zeros")
        zeros.size = 513 << 20
        many = io.BytesIO()
        with zipfile.ZipFile(many, "w") as file:
            for n in range(20001):
                file.writestr(f"d{n}/", "")
        served = {"/big": gzip.compress(zeros.tobuf()) + gzip.compress(bytes(1 << 20), 1) * 513 +
                  gzip.compress(bytes(1024)), "/many": many.getvalue()}
        url = self.web(served)
        self.ok("marketplace", "add", self.marketplace([
            {"name": path[1:], "source": {"source": "archive", "url": url + path,
                                          "sha256": hashlib.sha256(body).hexdigest()}}
            for path, body in served.items()]))
        self.assertIn("measure its contents: tar: ", self.refused("install", "big", "--yes"))
        self.assertIn("count its entries: unzip: more than 20000 lines", self.refused("install", "many", "--yes"))

    def test_a_folder_of_a_repository_is_a_plugin(self):
        repo = os.path.join(self.root, "repo")
        write_tree(repo, {"a/b/commands/s.md": "S.\n", "other": "x"})
        sha = self.commit(repo)
        self.ok("marketplace", "add", self.marketplace([{"name": "part", "source": {
            "source": "git-subdir", "url": "file://" + repo, "path": "a/b"}}]))
        self.ok("install", "part", "--yes")
        self.assertEqual(sorted(tree(os.path.join(self.config(), "plugins/cache/tools/part", sha[:12]))),
                         ["commands/s.md"])

    def zipped(self, files):
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return content.getvalue()

    def test_archives_are_loaded_for_one_session_without_an_installation(self):
        url = self.web({"/demo.zip": self.zipped({"demo-1/.claude-plugin/plugin.json": '{"name": "far"}',
                                                  "demo-1/commands/a.md": "A.\n"})})
        with open(self.path("near.zip"), "wb") as file:
            file.write(self.zipped({"commands/b.md": "B.\n", ".claude-plugin/plugin.json": '{"name": "near"}'}))
        self.serve('reply forever\n  text "Done."\n')
        for _ in range(2):
            init = self.init("--plugin-url", url + "/demo.zip", "--plugin-dir", "near.zip")
            self.assertEqual([p["name"] for p in init["plugins"]], ["far", "near"])
            self.assertIn("far:a", init["slash_commands"])
        self.assertIn("No plugins", self.ok("list"))
        unpacked = os.path.join(self.config(), "plugins/unpacked")
        self.assertEqual(len(os.listdir(unpacked)), 2)
        for name in os.listdir(unpacked):
            os.utime(os.path.join(unpacked, name), (1, 1))
        self.init("--plugin-dir", "near.zip")
        self.assertEqual(len(os.listdir(unpacked)), 1)

    def test_hostile_archives_are_refused_before_the_session_begins(self):
        url = self.web({"/text": b"not an archive", "/up.zip": self.zipped({"../../up.md": "x", "commands/a.md": "A"}),
                        "/empty.zip": self.zipped({"README": "x"})})
        link = io.BytesIO()
        with zipfile.ZipFile(link, "w") as archive:
            entry = zipfile.ZipInfo("commands/a.md")
            entry.external_attr = 0o120777 << 16
            archive.writestr(entry, "/etc/passwd")
        with open(self.path("link.zip"), "wb") as file:
            file.write(link.getvalue())
        self.serve('reply forever\n  text "Done."\n')
        for args, why in ((("--plugin-url", url + "/text"), "archive"), (("--plugin-url", url + "/none"), "404"),
                          (("--plugin-url", "ftp://x/y.zip"), "not an address"),
                          (("--plugin-dir", "link.zip"), "leads out of the plugin")):
            ran = self.print("go", *args)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), ran)
            self.assertIn(why, ran.stderr.decode())
        self.print("go", "--plugin-url", url + "/up.zip")
        for where, _, names in os.walk(self.root):
            self.assertFalse("up.md" in names and "unpacked" not in where, where)
        self.assertIn("not a plugin", self.print("go", "--plugin-url", url + "/empty.zip").stderr.decode())

    def web(self, served):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = served.get(self.path)
                self.send_response(200 if body else 404)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *args):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}"


OPTIONS = {
    "endpoint": {"type": "string", "title": "Endpoint", "description": "Where it is", "required": True},
    "token": {"type": "string", "title": "Token", "description": "For the service", "sensitive": True},
    "limit": {"type": "number", "title": "Limit", "min": 1, "max": 9, "default": 5},
    "deep": {"type": "boolean", "title": "Deep"},
    "hosts": {"type": "string", "title": "Hosts", "multiple": True},
}
CONFIGURED = {
    **FILES,
    ".claude-plugin/plugin.json": json.dumps({"name": "demo", "version": "1.0.0", "userConfig": OPTIONS}),
    "commands/hello.md": "Ask ${user_config.endpoint} about ${user_config.token}, at most ${user_config.limit}.\n",
    "agents/critic.md": "---\nname: critic\ndescription: d\n---\nMind ${user_config.endpoint}.\n",
    "hooks/hooks.json": json.dumps({"hooks": {"UserPromptSubmit": [{"hooks": [
        {"type": "command", "command": "echo shell \"${user_config.endpoint}\" $CLAUDE_PLUGIN_OPTION_TOKEN"},
        {"type": "command", "command": "echo", "args": ["words ${user_config.endpoint}"]}]}]}}),
    ".mcp.json": json.dumps({"mcpServers": {"desk": {"command": "sh", "args": [
        "-c", "echo $0 $CLAUDE_PLUGIN_OPTION_TOKEN >${CLAUDE_PLUGIN_ROOT}/mcp.log", "${user_config.token}"]}}}),
}


class Configured(Market):
    VALUE = "$(touch made) `touch made`; a \"b\" 'c'"

    def setUp(self):
        super().setUp()
        top = self.marketplace([{"name": "demo", "source": "./demo"}])
        write_tree(os.path.join(top, "demo"), CONFIGURED)
        self.ok("marketplace", "add", top)

    def test_values_reach_every_part_and_secrets_only_programs(self):
        self.ok("install", "demo", "--yes", "--config", "endpoint=" + self.VALUE, "--config", "token=hush-hush")
        self.serve('reply\n  tool Agent {"description": "d", "prompt": "JOB", "subagent_type": "demo:critic"}\n'
                   'reply forever\n  text "Done."\n')
        self.ask("/demo:hello")
        asked = next(r for r in self.requests() if "Ask " in json.dumps(r["messages"]))
        texts = "\n".join(block["text"] for message in asked["messages"] for block in message["content"]
                          if block["type"] == "text")
        self.assertIn(f"Ask {self.VALUE} about ${{user_config.token}}, at most 5.", texts)
        self.assertIn(f"shell {self.VALUE} hush-hush", texts)
        self.assertIn(f"words {self.VALUE}", texts)
        self.assertIn(json.dumps(f"Mind {self.VALUE}.")[1:-1], json.dumps(self.requests()))
        with open(os.path.join(self.config(), "plugins/cache/tools/demo/1.0.0/mcp.log"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "hush-hush hush-hush\n")
        self.assertFalse(os.path.exists(self.path("made")))

    def test_secrets_are_stored_apart_and_all_is_removed_with_the_plugin(self):
        self.ok("install", "demo", "--yes", "--config", "endpoint=e", "--config", "token=hush-hush")
        settings = self.kept("settings.json")
        self.assertEqual(settings["pluginConfigs"], {"demo@tools": {"options": {"endpoint": "e"}}})
        self.assertEqual(self.kept(".credentials.json")["pluginSecrets"], {"demo@tools": {"token": "hush-hush"}})
        self.assertEqual(os.stat(os.path.join(self.config(), ".credentials.json")).st_mode & 0o777, 0o600)
        self.assertNotIn("hush-hush", self.ok("configure", "demo"))
        self.ok("uninstall", "demo")
        self.assertNotIn("demo@tools", json.dumps(self.kept("settings.json")))
        self.assertFalse(os.path.exists(os.path.join(self.config(), ".credentials.json")))

    def test_the_last_secret_leaves_only_what_others_keep_there(self):
        path = os.path.join(self.config(), ".credentials.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{\n  "mcpOAuth": {"a": 1}\n}\n')
        self.ok("install", "demo", "--yes", "--config", "endpoint=e", "--config", "token=hush-hush")
        self.ok("configure", "demo", "--config", "token=")
        self.assertEqual(self.kept(".credentials.json"), {"mcpOAuth": {"a": 1}})
        self.ok("uninstall", "demo")
        self.assertEqual(self.kept(".credentials.json"), {"mcpOAuth": {"a": 1}})

    def test_values_have_the_types_that_the_plugin_wants(self):
        self.assertIn("has no value for endpoint", self.awl("plugin", "install", "demo", "--yes").stderr.decode())
        for value, why in (("limit=x", "must be a number"), ("limit=10", "from 1 to 9"), ("deep=7", "true or false"),
                           ("other=1", "it has endpoint, token"), ("limit", "KEY=VALUE")):
            self.assertIn(why, self.refused("configure", "demo", "--config", value))
        self.ok("configure", "demo", "--config", "limit=7", "--config", "deep=yes", "--config", "hosts=a, b")
        self.assertEqual(self.kept("settings.json")["pluginConfigs"]["demo@tools"]["options"],
                         {"limit": 7, "deep": True, "hosts": ["a", "b"]})
        ran = self.awl("plugin", "configure", "demo", "--values-stdin", stdin=b'{"endpoint": "in", "limit": 3}')
        self.assertIn("endpoint (string, required): in\n", ran.stdout.decode())
        self.ok("configure", "demo", "--config", "limit=")
        self.assertIn("limit (number): 5\n", self.ok("configure", "demo"))

    def test_on_a_terminal_the_values_are_asked_for_and_secrets_not_shown(self):
        terminal = self.terminal("plugin", "install", "demo", "--yes", rows=60)
        terminal.wait_for("Endpoint (string)")
        terminal.type("here\n")
        terminal.wait_for("Token (string, optional)")
        terminal.type("hush-hush\n")
        terminal.wait_for("Deep (boolean, optional)")
        terminal.type("maybe\n")
        terminal.wait_for("must be true or false")
        terminal.type("no\n")
        terminal.wait_for("Hosts (string, separated by commas, optional)")
        terminal.type("\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertNotIn("hush", terminal.text())
        self.assertEqual(self.kept(".credentials.json")["pluginSecrets"]["demo@tools"], {"token": "hush-hush"})
        self.assertEqual(self.kept("settings.json")["pluginConfigs"]["demo@tools"]["options"],
                         {"endpoint": "here", "deep": False})

    def test_a_session_says_which_values_are_missing(self):
        self.ok("install", "demo", "--yes")
        self.serve('reply forever\n  text "Done."\n')
        self.assertIn("needs a value for endpoint", json.dumps(self.ask("go")))


class Others(Market):
    """Parts of plugins that other commands and the model see."""

    def install(self, files):
        top = self.marketplace([{"name": "demo", "source": "./demo"}])
        write_tree(os.path.join(top, "demo"), files)
        self.ok("marketplace", "add", top)
        return self.ok("install", "demo", "--yes")

    def test_hooks_list_hooks_test_and_why_see_the_hooks_of_plugins(self):
        self.install({"hooks/hooks.json": json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
            {"type": "command", "command": "echo no >&2; exit 2"}]}]}})})
        self.assertIn("echo no", self.awl("hooks", "list").stdout.decode())
        ran = self.awl("hooks", "test", "PreToolUse", stdin=b'{"tool_name": "Bash", "tool_input": {"command": "ls"}}')
        self.assertIn("blocked", ran.stdout.decode())
        self.assertIn("hooks/hooks.json) is asked first", self.awl("why", "Bash", "ls").stderr.decode())

    def test_a_language_server_of_a_plugin_checks_edits(self):
        server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lsp_server.py")
        shown = self.install({
            ".claude-plugin/plugin.json": json.dumps({"name": "demo", "userConfig": {
                "how": {"type": "string", "default": "checks"}}}),
            ".lsp.json": json.dumps({"zz": {"command": "python3", "args": [
                "${CLAUDE_PLUGIN_ROOT}/server.py", "${user_config.how}"], "extensionToLanguage": {".zz": "zz"}}}),
            "server.py": open(server, encoding="utf-8").read()})
        self.assertIn("language server zz: python3 ${CLAUDE_PLUGIN_ROOT}/server.py", shown)
        self.serve('reply\n  tool Write {"file_path": "a.zz", "content": "bad"}\nreply forever\n  text "Done."\n')
        self.ask("go", "--permission-mode", "acceptEdits")
        self.assertIn("a.zz:1:1: error: bad", self.sent())

    def test_the_settings_of_a_plugin_choose_the_agent_of_the_conversation(self):
        shown = self.install({"settings.json": '{"agent": "critic", "hooks": {"Stop": []}}',
                              "agents/critic.md": "---\nname: critic\ndescription: d\n---\nYou criticize.\n"})
        self.assertIn("the agent demo:critic leads your sessions", shown)
        self.serve('reply forever\n  text "Done."\n')
        self.ask("go")
        self.assertIn("You criticize.", json.dumps(self.requests()[-1]["system"]))
        self.ask("go", "--settings", '{"agent": "Plan"}')
        self.assertNotIn("You criticize.", json.dumps(self.requests()[-1]["system"]))


class Needing(Market):
    """Plugins that need other plugins."""

    def offer(self, name="tools", more=None, **plugins):
        """Adds a marketplace of plugins with these manifests."""
        top = os.path.join(self.root, name)
        write_tree(top, {".claude-plugin/marketplace.json": json.dumps({
            "name": name, "owner": {"name": "T"}, **(more or {}),
            "plugins": [{"name": plugin, "source": f"./{plugin}"} for plugin in plugins]})})
        for plugin, manifest in plugins.items():
            write_tree(os.path.join(top, plugin), {
                ".claude-plugin/plugin.json": json.dumps({"name": plugin, "version": "1.0.0", **manifest}),
                f"commands/{plugin}.md": f"Do {plugin}.\n"})
        return top

    def loaded(self):
        self.serve('reply forever\n  text "Done."\n')
        return sorted(p["name"] for p in self.init()["plugins"])

    def test_what_a_plugin_needs_is_shown_installed_enabled_and_pruned_with_it(self):
        self.ok("marketplace", "add", self.offer(
            top={"dependencies": ["middle"]}, middle={"dependencies": [{"name": "low", "version": "^1.0"}]}, low={}))
        shown = self.ok("install", "top", "--yes")
        for part in ("top@tools needs other plugins:", "Install middle@tools, version 1.0.0", "command low.md"):
            self.assertIn(part, shown)
        self.assertEqual(self.loaded(), ["low", "middle", "top"])
        self.assertIn("middle@tools needs low@tools; first run 'awl plugin disable middle@tools'", self.refused("disable", "low"))
        self.assertIn("top@tools needs middle@tools", self.refused("uninstall", "middle"))
        self.ok("disable", "--all")
        self.assertEqual(self.loaded(), [])
        self.ok("enable", "top")
        self.assertEqual(self.loaded(), ["low", "middle", "top"])
        self.assertIn("nothing to prune", self.ok("prune"))
        self.assertIn("middle@tools", self.ok("uninstall", "top", "--prune"))
        self.assertIn("No plugins", self.ok("list"))
        self.assertFalse(os.path.exists(os.path.join(self.config(), "plugins/cache/tools")))

    def test_what_the_user_installed_is_never_pruned(self):
        self.ok("marketplace", "add", self.offer(top={"dependencies": ["low"]}, low={}))
        self.ok("install", "low", "--yes")
        self.ok("disable", "low")
        self.assertIn("Enable low@tools, which is installed", self.ok("install", "top", "--yes"))
        self.assertEqual(self.loaded(), ["low", "top"])
        self.ok("uninstall", "top", "--prune")
        self.assertEqual(self.loaded(), ["low"])

    def test_a_session_says_what_is_missing_and_loads_the_others(self):
        self.ok("marketplace", "add", self.offer(
            a={"dependencies": ["b"]}, b={"dependencies": ["a"]}, c={"dependencies": ["d"]}, d={}))
        self.ok("install", "a", "--yes")
        self.assertEqual(self.loaded(), ["a", "b"])
        self.ok("install", "c", "--yes")
        settings = self.kept("settings.json")
        settings["enabledPlugins"]["d@tools"] = False
        write_tree(self.config(), {"settings.json": json.dumps(settings)})
        events = self.ask("go")
        self.assertIn("c@tools is not loaded: it needs the plugin d, which is not loaded", json.dumps(events))
        self.assertIn("it needs the plugin d", self.ok("list"))
        self.assertEqual(self.loaded(), ["a", "b"])

    def test_nothing_is_installed_when_something_cannot_be(self):
        self.ok("marketplace", "add", self.offer(
            top={"dependencies": ["gone"]}, strict={"dependencies": [{"name": "low", "version": "~2.1"}]}, low={},
            odd={"dependencies": [{"name": "low", "version": "newest"}, 7]}))
        self.assertIn("top@tools needs gone@tools: the marketplace tools has no plugin gone",
                      self.refused("install", "top", "--yes"))
        self.assertIn("needs low ~2.1, but its version is 1.0.0", self.refused("install", "strict", "--yes"))
        self.assertIn("No plugins", self.ok("list"))
        self.assertEqual(os.listdir(os.path.join(self.config(), "plugins/cache")), [])
        self.assertIn('"newest" is not a range of versions', self.ok("install", "odd", "--yes"))

    def test_other_marketplaces_have_to_be_allowed(self):
        self.ok("marketplace", "add", self.offer(
            top={"dependencies": [{"name": "far", "marketplace": "other"}]}))
        self.ok("marketplace", "add", self.offer(name="other", far={}))
        self.assertIn("allowCrossMarketplaceDependenciesOn", self.refused("install", "top", "--yes"))
        self.offer(more={"allowCrossMarketplaceDependenciesOn": ["other"]},
                   top={"dependencies": [{"name": "far", "marketplace": "other"}]})
        self.ok("install", "top", "--yes")
        self.assertEqual(self.loaded(), ["far", "top"])

    def test_of_a_repository_the_newest_tag_that_fits_is_taken_and_updates_stay_in_range(self):
        for version in ("2.1.0", "2.1.4", "2.2.0", "3.0.0"):
            top = self.offer(vault={"version": version}, kit={"dependencies": [{"name": "vault", "version": "~2.1.0"}]})
            self.commit(top)
            self.git("-C", top, "tag", f"vault--v{version}")
        self.ok("marketplace", "add", "file://" + top)
        self.assertIn("Tag vault--v2.1.4", self.ok("install", "kit", "--yes"))
        self.assertIn("vault@tools 2.1.4", self.ok("list"))
        self.assertEqual(self.loaded(), ["kit", "vault"])
        self.assertIn("up to date (2.1.4)", self.ok("update", "vault", "--yes"))
        self.git("-C", top, "tag", "-d", "vault--v2.1.0", "vault--v2.1.4")
        self.assertIn("none of its tagged versions is in the required range", self.refused("update", "vault", "--yes"))
        self.ok("disable", "kit")
        self.assertIn("from 2.1.4 to 3.0.0", self.ok("update", "vault", "--yes"))
        self.ok("enable", "kit")
        self.assertIn("it needs the plugin vault ~2.1.0, but version 3.0.0 is installed", self.ok("list"))
        self.assertEqual(self.loaded(), ["vault"])

    def test_replaced_versions_stay_for_two_weeks(self):
        top = self.offer(low={})
        self.ok("marketplace", "add", top)
        self.ok("install", "low", "--yes")
        old = os.path.join(self.config(), "plugins/cache/tools/low/1.0.0")
        for version in ("1.1.0", "1.2.0"):
            self.offer(low={"version": version})
            self.ok("update", "low", "--yes")
            self.assertTrue(os.path.exists(old))
        os.utime(os.path.join(old, ".orphaned_at"), (1, 1))
        self.ok("prune")
        self.assertEqual(sorted(os.listdir(os.path.dirname(old))), ["1.1.0", "1.2.0"])

    def test_what_no_plugin_uses_any_more_is_removed_and_its_data_only_when_asked_to(self):
        self.ok("marketplace", "add", self.offer(low={}))
        self.ok("install", "low", "--yes")
        top = os.path.join(self.config(), "plugins")
        for path in ("cache/gone/old/1.0.0/x", "cache/gone/new/1.0.0/x", "cache/awl-killed/x", "marketplaces/awl-killed/x",
                     "cache/awl-working/x", "data/old-gone/notes", "data/mine-inline/notes"):
            os.makedirs(os.path.dirname(os.path.join(top, path)))
            open(os.path.join(top, path), "w", encoding="utf-8").close()
        self.assertIn("left data: old-gone. 'awl plugin prune --data'", self.ok("prune"))
        for path in ("cache/gone/old/1.0.0/.orphaned_at", "cache/awl-killed", "marketplaces/awl-killed"):
            os.utime(os.path.join(top, path), (1, 1))
        self.ok("prune")
        self.assertEqual(sorted(os.listdir(os.path.join(top, "cache"))), ["awl-working", "gone", "tools"])
        self.assertEqual(os.listdir(os.path.join(top, "cache/gone")), ["new"])
        self.assertEqual(os.listdir(os.path.join(top, "cache/tools/low")), ["1.0.0"])
        self.assertEqual(os.listdir(os.path.join(top, "marketplaces")), [])
        self.assertIn("Removed the data of plugins that are not installed: old-gone.", self.ok("prune", "--data"))
        self.assertEqual(sorted(os.listdir(os.path.join(top, "data"))), ["low-tools", "mine-inline"])
        self.assertIn("nothing to prune", self.ok("prune"))


class Styled(Market):
    STYLE = "---\nname: {0}\ndescription: d\n{1}---\nSpeak like a {0}.\n"

    def test_a_style_of_a_plugin_can_be_forced_and_lie_elsewhere(self):
        top = self.plugin("demo", {
            ".claude-plugin/plugin.json": '{"name": "demo", "outputStyles": ["./styles", "./one.md"]}',
            "styles/a.md": self.STYLE.format("bard", "force-for-plugin: true\n"),
            "one.md": self.STYLE.format("clerk", ""), "output-styles/b.md": self.STYLE.format("ghost", "")})
        self.serve('reply forever\n  text "Done."\n')
        self.assertEqual(self.init("--plugin-dir", top, "--settings", '{"outputStyle": "clerk"}')["output_style"], "bard")
        self.assertIn("Speak like a bard.", json.dumps(self.requests()[-1]["system"]))
        listed = json.dumps(self.ask("/output-style", "--plugin-dir", top))
        self.assertIn("clerk (plugin)", listed)
        self.assertNotIn("ghost", listed)

    def test_a_plugin_may_want_to_start_disabled(self):
        top = self.marketplace([{"name": "demo", "source": "./demo", "defaultEnabled": False}])
        write_tree(os.path.join(top, "demo"), {"output-styles/b.md": self.STYLE.format("ghost", "")})
        self.ok("marketplace", "add", top)
        ran = self.awl("plugin", "install", "demo", "--yes")
        self.assertIn("output style b.md", ran.stdout.decode())
        self.assertIn("is disabled by default", ran.stderr.decode())
        self.assertIn("demo@tools (user, disabled)", self.ok("list").replace(" unknown", ""))


class InSession(Market):
    def test_dry_runs_show_what_would_run_and_change_nothing(self):
        top = self.marketplace([{"name": "demo", "source": "./demo", "version": "1.0.0"}])
        write_tree(os.path.join(top, "demo"), {"commands/hello.md": "Greet.\n"})
        self.ok("marketplace", "add", top)
        self.assertIn("command hello.md", self.ok("install", "demo", "--dry-run"))
        self.assertIn("No plugins", self.ok("list"))
        self.ok("install", "demo", "--yes")
        ran = self.awl("plugin", "update", "demo", "--dry-run")
        self.assertEqual((ran.returncode, ran.stdout), (1, b"demo@tools is up to date (1.0.0).\n"))

    def test_plugin_and_reload_plugins_are_commands(self):
        top = self.marketplace([{"name": "demo", "source": "./demo"}])
        write_tree(os.path.join(top, "demo"), {"commands/hello.md": "Greet.\n",
                                               "output-styles/pirate.md": "---\nname: Pirate\n---\nArr.\n"})
        self.serve('reply forever\n  text "Done."\n')
        self.assertIn("Added the marketplace tools", self.print(f"/plugin marketplace add {top}").stdout.decode())
        refused = self.print("/plugin install demo")
        self.assertIn("command hello.md", (refused.stdout + refused.stderr).decode())
        self.assertIn("add --yes", (refused.stdout + refused.stderr).decode())
        self.assertIn("Installed demo@tools", self.print("/plugin install demo --yes").stdout.decode())
        self.assertIn("demo@tools", self.print("/plugin").stdout.decode())
        self.assertIn("1 plugin is loaded: demo@tools", self.print("/reload-plugins").stdout.decode())
        self.ask("go", "--settings", '{"outputStyle": "Pirate"}')
        self.assertIn("Arr.", json.dumps(self.requests()[-1]["system"]))

    def test_a_running_session_follows_an_installation(self):
        top = self.marketplace([{"name": "demo", "source": "./demo"}])
        write_tree(os.path.join(top, "demo"), {name: text for name, text in FILES.items() if "hooks" not in name})
        self.ok("marketplace", "add", top)
        self.serve('reply forever\n  text "Done."\n')
        process = self.start("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                             stdin=subprocess.PIPE)

        def say(text):
            process.stdin.write(json.dumps({"type": "user", "message": {
                "role": "user", "content": text}}).encode() + b"\n")
            process.stdin.flush()
            events = []
            while not events or events[-1]["type"] != "result":
                events.append(json.loads(process.stdout.readline()))
            return next((e for e in events if e.get("subtype") == "init"), None)

        self.assertEqual(say("go")["plugins"], [])
        say("/plugin install demo --yes")
        after = say("go")
        self.assertIn("demo:hello", after["slash_commands"])
        self.assertIn("plugin:demo:desk", [s["name"] for s in after["mcp_servers"]])
        say("/plugin uninstall demo")
        gone = say("go")
        self.assertNotIn("demo:hello", gone["slash_commands"])
        self.assertEqual(gone["mcp_servers"], [])

    def test_what_is_not_a_marketplace_is_refused(self):
        self.assertIn("is not a marketplace", self.refused("marketplace", "add", "no such thing"))
