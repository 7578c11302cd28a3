"""Plugins in a session: what one has is used as if the user had written it. Also those that are broken."""

import json
import os

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
        self.assertEqual(init["plugins"], [{"name": "demo", "path": os.path.realpath(top),
                                            "source": "demo@inline", "version": "1.0.0"}])
        self.assertIn("plugin:demo:desk", [s["name"] for s in init["mcp_servers"]])

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
