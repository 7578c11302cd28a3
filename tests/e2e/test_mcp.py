"""MCP servers over stdio, started by awl, called by a scripted model."""

import json
import os
import sys
import unittest

from rig import Modelled

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mcp_server.py")


class Mcp(Modelled):
    def config(self, **env):
        """A configuration with one server, as JSON."""
        self.log = os.path.join(self.root, "mcp.log")
        return json.dumps({"mcpServers": {"test": {
            "command": sys.executable, "args": [SERVER], "env": {"MCP_LOG": self.log, "GIVEN": "yes", **env}}}})

    def put(self, path, value):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
            json.dump(value, file)

    def run_print(self, *args, **env):
        ran = self.print("go", *args, "--output-format", "stream-json", "--verbose", **env)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def received(self):
        with open(self.log, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def call_tool(self, name, arguments, *args, **env):
        """Lets the model call one tool and returns all events and the text of the result."""
        self.serve(f'reply when result_of contains {name}\n  text "Done."\n'
                   f'reply\n  tool {name} {json.dumps(arguments)}\n')
        events = self.run_print("--mcp-config", self.config(), *args, **env)
        for event in events:
            if event["type"] != "user":
                continue
            for block in event["message"]["content"]:
                if block["type"] == "tool_result":
                    return events, block
        self.fail(events)

    def test_a_tool_of_a_server_is_called(self):
        events, result = self.call_tool("mcp__test__act", {"text": "hi"}, "--allowedTools", "mcp__test")
        self.assertEqual(result["content"], "act: hi")
        self.assertEqual(events[-1]["result"], "Done.")
        self.assertEqual(events[0]["mcp_servers"],
                         [{"name": "test", "status": "connected", "source": "dynamic"}])
        self.assertIn("mcp__test__echo", events[0]["tools"])
        methods = [message["method"] for message in self.received()]
        self.assertEqual(methods, ["server/discover", "initialize", "notifications/initialized", "tools/list",
                                   "prompts/list", "resources/list", "resources/templates/list", "tools/call"])
        call = self.received()[-1]["params"]
        self.assertEqual((call["name"], call["arguments"]), ("act", {"text": "hi"}))
        self.assertIn("claudecode/toolUseId", call["_meta"])

    def test_a_call_needs_permission_whatever_the_server_says_about_it(self):
        events, _ = self.call_tool("mcp__test__echo", {"text": "hi"})
        self.assertEqual([denied["tool_name"] for denied in events[-1]["permission_denials"]], ["mcp__test__echo"])
        self.assertNotIn("tools/call", [message["method"] for message in self.received()])

    def test_a_denied_tool_is_not_even_offered(self):
        events, result = self.call_tool("mcp__test__act", {"text": "hi"}, "--disallowedTools", "mcp__test__act")
        self.assertNotIn("mcp__test__act", events[0]["tools"])
        self.assertIn("mcp__test__echo", events[0]["tools"])
        self.assertIn("No such tool", result["content"])

    def test_an_error_of_the_tool_is_an_error_of_the_call(self):
        _, result = self.call_tool("mcp__test__fail", {}, "--allowedTools", "mcp__test__*")
        self.assertEqual((result["content"], result["is_error"]), ("it failed as always", True))

    def test_a_server_gets_its_variables_and_not_the_key_of_the_model(self):
        _, result = self.call_tool("mcp__test__environment", {}, "--allowedTools", "mcp__test")
        cwd = os.path.realpath(self.cwd)
        self.assertEqual(json.loads(result["content"]),
                         {"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": cwd, "GIVEN": "yes", "ANTHROPIC_API_KEY": None,
                          "cwd": cwd})

    def test_a_sandboxed_server_works_and_stays_inside(self):
        outside = os.path.join(self.home, "outside")
        config = json.loads(self.config())
        entry = config["mcpServers"]["test"]
        entry["env"] = {}
        entry["args"] = ["-c", f"echo x > {outside}; echo x > inside; exec {sys.executable} {SERVER}"]
        entry["command"] = "sh"
        self.config = lambda: json.dumps(config)
        for is_sandboxed in (True, False):
            sandbox = {"sandbox": {"enabled": True, "failIfUnavailable": True, "mcpServers": is_sandboxed}}
            _, result = self.call_tool("mcp__test__echo", {"text": "hi"}, "--allowedTools", "mcp__test",
                                       "--settings", json.dumps(sandbox))
            self.assertEqual(result["content"], "echo: hi")
            self.assertTrue(os.path.exists(self.path("inside")))
            self.assertEqual(os.path.exists(outside), not is_sandboxed)

    def test_pictures_and_resources_reach_the_model(self):
        _, result = self.call_tool("mcp__test__picture", {}, "--allowedTools", "mcp__test")
        text, image = result["content"]
        self.assertEqual(image["source"]["media_type"], "image/png")
        self.assertRegex(text["text"], r"^\[Image, image/png, \d+ bytes, saved to .*/tool-results/mcp-.*\.png\]\n"
                                       r"\[Resource link: more\] test://more\n"
                                       r"\[Resource from test at test://note\] a note$")

    def test_hosts_and_hooks_get_the_content_of_a_result(self):
        hook = {"matcher": "mcp__test__.*", "hooks": [{"type": "command", "command": "cat > seen"}]}
        settings = ("--allowedTools", "mcp__test", "--settings", json.dumps({"hooks": {"PostToolUse": [hook]}}))
        expected = {"mcp__test__act": [{"type": "text", "text": "act: hi"}],
                    "mcp__test__environment": {"content": [], "structuredContent": {
                        "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": os.path.realpath(self.cwd), "GIVEN": "yes",
                        "ANTHROPIC_API_KEY": None, "cwd": os.path.realpath(self.cwd)}}}
        for tool, data in expected.items():
            events, _ = self.call_tool(tool, {"text": "hi"}, *settings)
            self.assertEqual([e["tool_use_result"] for e in events if e["type"] == "user"], [data])
            self.assertEqual(json.loads(self.read("seen"))["tool_response"], data)

    def test_resources_are_listed_and_read(self):
        self.serve('reply when result_of contains ReadMcpResourceTool\n  text "Done."\n'
                   'reply when result_of contains ListMcpResourcesTool\n'
                   '  tool ReadMcpResourceTool {"server": "test", "uri": "test://note"}\n'
                   '  tool ReadMcpResourceTool {"server": "test", "uri": "test://bytes"}\n'
                   '  tool ReadMcpResourceTool {"server": "nobody", "uri": "x"}\n'
                   'reply\n  tool ListMcpResourcesTool {}\n')
        events = self.run_print("--mcp-config", self.config(), ENABLE_TOOL_SEARCH="false")
        results = [block["content"] for event in events if event["type"] == "user"
                   for block in event["message"]["content"] if block["type"] == "tool_result"]
        self.assertEqual([(found["server"], found["uri"]) for found in json.loads(results[0])],
                         [("test", "test://note"), ("test", "test://bytes")])
        self.assertIn("[Resource from test at test://note] All is well.", results)
        self.assertTrue(any(".bin]" in text and "4 bytes" in text for text in results), results)
        self.assertTrue(any("There is no MCP server \"nobody\"" in text for text in results), results)
        data = [event["tool_use_result"] for event in events if event["type"] == "user"]
        self.assertEqual([found["uri"] for found in data[0]], ["test://note", "test://bytes"])
        read = [found for made in data if "contents" in made for found in made["contents"]]
        self.assertIn({"uri": "test://note", "text": "All is well."}, read)
        [saved] = [found["blobSavedTo"] for found in read if "blobSavedTo" in found]
        self.assertEqual(os.path.getsize(saved), 4)

    def test_a_prompt_of_a_server_is_a_slash_command(self):
        self.serve('reply\n  text "Hello, Bob."\n')
        ran = self.print("/mcp__test__greet Bob very warmly", "--mcp-config", self.config(),
                         "--output-format", "stream-json", "--verbose")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        self.assertEqual(events[-1]["result"], "Hello, Bob.")
        init = [event for event in events if event.get("subtype") == "init"][0]
        self.assertEqual([name for name in init["slash_commands"] if name.startswith("mcp__")],
                         ["mcp__test__greet", "mcp__test__look"])
        sent = json.dumps(self.requests()[0]["messages"])
        self.assertIn("<command-name>/mcp__test__greet</command-name>", sent)
        self.assertIn("Greet Bob very warmly.", sent)

    LOOK = [
        "Look at this.", ", saved to ", "[Resource from test at test://note] All is well.",
        "[Resource link: more] test://more", '"media_type": "image/png"',
    ]

    def test_a_prompt_of_a_server_may_have_images_and_resources(self):
        self.serve('reply\n  text "I see."\n')
        self.print("/mcp__test__look", "--mcp-config", self.config())
        sent = json.dumps(self.requests()[0]["messages"])
        for part in self.LOOK:
            self.assertIn(part, sent)

    def test_the_model_gets_the_images_of_a_prompt_that_it_loads(self):
        self.serve('reply when result_of contains Skill\n  text "Done."\n'
                   'reply\n  tool Skill {"skill": "mcp__test__look"}\n')
        self.run_print("--mcp-config", self.config())
        sent = json.dumps(self.requests()[-1]["messages"])
        for part in self.LOOK:
            self.assertIn(part, sent)

    def test_the_model_loads_a_prompt_of_a_server_as_a_skill(self):
        self.serve('reply when result_of contains Skill\n  text "Done."\n'
                   'reply\n  tool Skill {"skill": "mcp__test__greet", "args": "Bob very warmly"}\n')
        self.run_print("--mcp-config", self.config())
        self.assertIn("- mcp__test__greet:", json.dumps(self.requests()[0]["messages"]))
        self.assertIn("Greet Bob very warmly.", json.dumps(self.requests()[-1]["messages"]))

    def test_the_command_mcp_lists_servers(self):
        self.serve('reply\n  text "x"\n')
        ran = self.print("/mcp", "--mcp-config", self.config())
        self.assertEqual(ran.stdout, b"test: connected (stdio, dynamic), 9 tools, 2 resources, 2 prompts\n")
        ran = self.print("/mcp log test", "--mcp-config", self.config())
        self.assertEqual(ran.stdout, b"test server at work\n")

    def test_a_tool_of_a_server_answers_questions_about_permission(self):
        self.serve('reply when result_of contains Bash\n  text "Done."\n'
                   'reply\n  tool Bash {"command": "touch fine"}\n  tool Bash {"command": "touch bad"}\n')
        events = self.run_print("--mcp-config", self.config(), "--permission-prompt-tool", "mcp__test__permit")
        self.assertTrue(os.path.exists(self.path("fine")))
        self.assertFalse(os.path.exists(self.path("bad")))
        results = [block["content"] for event in events if event["type"] == "user"
                   for block in event["message"]["content"] if block["type"] == "tool_result"]
        self.assertTrue(any("not Bash" in text for text in results), results)
        asked = [message["params"]["arguments"] for message in self.received() if message["method"] == "tools/call"]
        self.assertEqual([question["tool_name"] for question in asked], ["Bash", "Bash"])

    def test_a_permission_tool_that_is_not_there_is_a_no(self):
        self.serve('reply when result_of contains Bash\n  text "Done."\n'
                   'reply\n  tool Bash {"command": "touch fine"}\n')
        self.run_print("--mcp-config", self.config(), "--permission-prompt-tool", "mcp__test__nothing")
        self.assertFalse(os.path.exists(self.path("fine")))

    def test_a_question_to_the_user_is_cancelled_when_nobody_can_answer(self):
        _, result = self.call_tool("mcp__test__ask", {}, "--allowedTools", "mcp__test")
        self.assertEqual(json.loads(result["content"]), {"action": "cancel"})

    def test_a_hook_answers_the_question_and_defaults_are_filled_in(self):
        answer = {"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "accept",
                                         "content": {"colour": "red"}}}
        settings = {"hooks": {"Elicitation": [{"matcher": "test", "hooks": [
            {"type": "command", "command": f"echo '{json.dumps(answer)}'"}]}]}}
        _, result = self.call_tool("mcp__test__ask", {}, "--allowedTools", "mcp__test",
                                   "--settings", json.dumps(settings))
        self.assertEqual(json.loads(result["content"]),
                         {"action": "accept", "content": {"colour": "red", "size": 3}})

    def test_hooks_learn_whose_tool_it_is_and_may_replace_what_it_says(self):
        answer = {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedMCPToolOutput": "something else"}}
        settings = {"hooks": {
            "PreToolUse": [{"matcher": "mcp__test__.*", "hooks": [{"type": "command", "command": "cat > seen"}]}],
            "PostToolUse": [{"matcher": "mcp__test__act", "hooks": [
                {"type": "command", "command": f"echo '{json.dumps(answer)}'"}]}]}}
        _, result = self.call_tool("mcp__test__act", {"text": "hi"}, "--allowedTools", "mcp__test",
                                   "--settings", json.dumps(settings))
        self.assertEqual(json.loads(self.read("seen"))["mcp_server"], {"name": "test", "source": "dynamic"})
        self.assertEqual(result["content"], "something else")

    def test_tools_that_change_during_a_call_are_offered_anew_or_withdrawn(self):
        self.serve('reply when result_of contains mcp__test__change\n  tool mcp__test__fresh {}\n'
                   'reply when result_of contains mcp__test__fresh\n  tool mcp__test__act {"text": "x"}\n'
                   'reply when tool_error\n  text "Done."\n'
                   'reply\n  tool mcp__test__change {}\n')
        events = self.run_print("--mcp-config", self.config(), "--allowedTools", "mcp__test")
        results = [block["content"] for event in events if event["type"] == "user"
                   for block in event["message"]["content"] if block["type"] == "tool_result"]
        self.assertEqual(results[:2], ["changed", "fresh indeed"])
        self.assertIn("No such tool", results[2])
        told = [event.get("content", "") for event in events]
        self.assertTrue(any("MCP server test has changed its tool act" in text for text in told), told)

    def test_a_server_that_is_killed_in_a_call_is_started_again(self):
        self.serve('reply when result_of contains mcp__test__echo\n  text "Done."\n'
                   'reply when result_of contains mcp__test__die\n  tool mcp__test__echo {"text": "alive"}\n'
                   'reply\n  tool mcp__test__die {}\n')
        events = self.run_print("--mcp-config", self.config(), "--allowedTools", "mcp__test")
        results = [block["content"] for event in events if event["type"] == "user"
                   for block in event["message"]["content"] if block["type"] == "tool_result"]
        self.assertEqual(results, ["Connection closed", "echo: alive"])
        self.assertEqual(events[-1]["result"], "Done.")

    def test_tools_are_loaded_as_long_as_there_is_room(self):
        for share, is_loaded in (("auto:50", True), ("auto:0", False)):
            self.call_tool("mcp__test__echo", {"text": "x"}, "--allowedTools", "mcp__test", ENABLE_TOOL_SEARCH=share)
            names = [tool["name"] for tool in self.requests()[-2]["tools"]]
            self.assertEqual("mcp__test__echo" in names, is_loaded)

    def test_schemas_are_sent_at_once_if_the_user_wants_that(self):
        self.call_tool("mcp__test__echo", {"text": "x"}, "--allowedTools", "mcp__test", ENABLE_TOOL_SEARCH="false")
        tools = {tool["name"]: tool for tool in self.requests()[0]["tools"]}
        self.assertEqual(tools["mcp__test__echo"]["input_schema"]["required"], ["text"])
        self.assertEqual(tools["mcp__test__echo"]["description"], "Say it again.")

    def test_schemas_are_sent_when_they_are_needed(self):
        self.call_tool("mcp__test__echo", {"text": "x"}, "--allowedTools", "mcp__test")
        tools = {tool["name"]: tool for tool in self.requests()[0]["tools"]}
        self.assertNotIn("mcp__test__echo", tools)
        self.assertIn("mcp__test__echo", tools["ToolSearch"]["description"])

    def test_a_server_that_cannot_be_started_does_not_stop_the_session(self):
        self.serve('reply\n  text "Fine."\n')
        broken = json.dumps({"mcpServers": {"gone": {"command": "/no/such/program"},
                                            "dies": {"command": "/bin/sh", "args": ["-c", "echo sorry >&2; exit 3"]}}})
        events = self.run_print("--mcp-config", broken)
        self.assertEqual([server["status"] for server in events[0]["mcp_servers"]], ["failed", "failed"])
        self.assertEqual(events[-1]["result"], "Fine.")

    def test_a_long_result_goes_to_a_file_beyond_so_many_tokens(self):
        text = "long words " * 9000  # 99,000 bytes, and the usual 25,000 tokens are 100,000
        allowed = ("--allowedTools", "mcp__test")
        _, result = self.call_tool("mcp__test__act", {"text": text}, *allowed)
        self.assertEqual(result["content"], f"act: {text}")
        _, result = self.call_tool("mcp__test__act", {"text": text + text[:2000]}, *allowed)
        self.assertIn("[The result has 101005 bytes; these are the first. All of it is in ", result["content"])
        _, result = self.call_tool("mcp__test__act", {"text": text}, *allowed, MAX_MCP_OUTPUT_TOKENS="1000")
        self.assertIn("[The result has 99005 bytes", result["content"])

    def test_only_so_many_servers_connect_at_a_time(self):
        started = os.path.join(self.root, "started")
        script = f"echo x >> {started}; exec sleep 1000"
        self.put("home/.claude.json", {"mcpServers": {f"s{i}": {"command": "sh", "args": ["-c", script]} for i in range(5)}})
        for size, n in ((None, 3), ("1", 1), ("4", 4)):
            self.serve(f'reply\n  tool Bash {{"command": "until [ $(cat {started} | wc -l) -ge {n} ]; do :; done; '
                       f'wc -l < {started}"}}\nreply\n  text "Done."\n')
            more = {"MCP_SERVER_CONNECTION_BATCH_SIZE": size} if size else {}
            events = self.run_print("--allowedTools", "Bash", MCP_CONNECT_TIMEOUT_MS="1", **more)
            said = [block["content"] for event in events if event["type"] == "user"
                    for block in event["message"]["content"]]
            self.assertEqual(said, [str(n)])
            os.remove(started)

    def test_a_tool_that_services_would_refuse_costs_no_other(self):
        script = ("import json, sys\nfor line in sys.stdin:\n  m = json.loads(line)\n  if 'id' not in m:\n    continue\n"
                  "  r = {'initialize': {'protocolVersion': '2025-11-25', 'capabilities': {'tools': {}}, 'serverInfo': "
                  "{'name': 'x', 'version': '1'}}, 'tools/list': {'tools': [{'name': n, 'inputSchema': s} for n, s in "
                  "(('list', {'type': 'array'}), ('dollar', {'type': 'object', 'properties': {'$x': {}}}), ('either', "
                  "{'type': 'object', 'oneOf': [{'properties': {'a': {}}}, {'properties': {'b': {}}}]}))]}}.get(m['method'])\n"
                  "  print(json.dumps({'jsonrpc': '2.0', 'id': m['id'], **({'result': r} if r else "
                  "{'error': {'code': -32601, 'message': 'no'}})}), flush=True)\n")
        self.write("server.py", script)
        self.serve('reply\n  text "Fine."\n')
        config = json.dumps({"mcpServers": {"odd": {"command": sys.executable, "args": [self.path("server.py")]}}})
        events = self.run_print("--mcp-config", config, ENABLE_TOOL_SEARCH="false")
        tools = {tool["name"]: tool for tool in self.requests()[0]["tools"] if tool["name"].startswith("mcp__")}
        self.assertEqual(list(tools), ["mcp__odd__either"])
        self.assertEqual(tools["mcp__odd__either"]["input_schema"],
                         {"type": "object", "properties": {"a": {}, "b": {}}, "required": []})
        notices = [event["content"] for event in events if event.get("subtype") == "informational"]
        self.assertEqual(len([text for text in notices if "A tool of MCP server odd is skipped" in text]), 2)

    def test_a_version_that_nobody_knows_is_refused(self):
        self.serve('reply\n  text "Fine."\n')
        events = self.run_print("--mcp-config", self.config(MCP_VERSION="1999-01-01"))
        self.assertEqual(events[0]["mcp_servers"][0]["status"], "failed")

    def test_servers_of_the_user_and_of_a_trusted_project_are_used(self):
        entry = json.loads(self.config())["mcpServers"]["test"]
        self.put("home/.claude.json", {"mcpServers": {"mine": entry}, "projects": {
            os.path.realpath(self.cwd): {"mcpServers": {"here": entry}}, "/other": {"mcpServers": {"not-here": entry}}}})
        self.put("work/.mcp.json", {"mcpServers": {"shared": entry}})
        self.serve('reply forever\n  text "Fine."\n')
        listed = {server["name"]: server["status"] for server in self.run_print()[0]["mcp_servers"]}
        self.assertEqual(listed, {"here": "connected", "mine": "connected"})
        self.assertEqual(self.awl("trust", "--yes").returncode, 0)
        listed = {server["name"]: server["source"] for server in self.run_print()[0]["mcp_servers"]}
        self.assertEqual(listed, {"here": "local", "shared": "project", "mine": "user"})
        listed = self.run_print("--strict-mcp-config", "--mcp-config", self.config())[0]["mcp_servers"]
        self.assertEqual([server["name"] for server in listed], ["test"])

    def test_instructions_of_servers_reach_the_model_once(self):
        self.serve('reply when result_of contains mcp__test__act\n  text "Done."\n'
                   'reply\n  tool mcp__test__act {"text": "x"}\nreply\n  text "Again."\n')
        self.run_print("--mcp-config", self.config(), "--allowedTools", "mcp__test")
        self.assertEqual(self.print("go on", "--continue", "--mcp-config", self.config()).returncode, 0)
        sent = json.dumps(self.requests()[-1]["messages"])
        self.assertEqual(sent.count("# MCP Server Instructions"), 1)
        self.assertIn("## test\\nSay please.", sent)

    def test_the_user_is_told_which_server_failed_and_why(self):
        self.serve('reply\n  text "Fine."\n')
        self.put("home/.claude.json", {"mcpServers": {"dies": {
            "command": "/bin/sh", "args": ["-c", "echo sorry >&2; exit 3"]}}})
        ran = self.print("go")
        self.assertEqual(ran.stdout, b"Fine.\n")
        self.assertIn(b"MCP server dies is not connected: the server ended with exit code 3 (it said: sorry)",
                      ran.stderr)

    def test_a_missing_configuration_is_an_error(self):
        self.serve('reply\n  text "Fine."\n')
        ran = self.print("go", "--mcp-config", "/no/such/file.json")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"/no/such/file.json", ran.stderr)

    def test_a_list_of_names_that_is_cut_hides_no_tool(self):
        last = "mcp__test__number_999_of_a_long_list_of_tools"
        for query in ("bell999x", f"select:{last}", "+bell999x ring"):
            with self.subTest(query):
                self.serve('reply when result_of contains ToolSearch\n  text "Done."\n'
                           f'reply\n  tool ToolSearch {json.dumps({"query": query})}\n')
                self.run_print("--mcp-config", self.config(MCP_MANY="1000"))
                first, second = self.requests()[-2:]
                named = next(tool for tool in first["tools"] if tool["name"] == "ToolSearch")["description"]
                self.assertRegex(named, r"and \d+ more, which a search by words finds$")
                self.assertNotIn(last, named)
                self.assertLess(len(named), 20000)
                self.assertIn(last, [tool["name"] for tool in second["tools"]])


if __name__ == "__main__":
    unittest.main()
