"""The tool LSP, with clangd and with servers that misbehave."""

import json
import os
import shutil
import sys
import unittest

from test_worktrees import Delegating, call, steps

SOURCE = """int add(int a, int b)
{
\treturn a + b;
}

int main(void)
{
\treturn add(1, 2);
}
"""


class Lsp(Delegating):
    def ask(self, *calls):
        self.serve(steps(call("ToolSearch", query="select:LSP"), *calls))
        events = self.events("go", "--permission-mode", "acceptEdits", "--allowedTools", "Bash(*)")
        return [block for event in events if event["type"] == "user" for block in event["message"]["content"]
                if block["type"] == "tool_result"][1:]

    def lsp(self, operation, path="a.c", line=1, character=1, **more):
        return call("LSP", operation=operation, filePath=path, line=line, character=character, **more)


@unittest.skipUnless(shutil.which("clangd"), "needs clangd")
class Clangd(Lsp):
    def setUp(self):
        super().setUp()
        self.write("a.c", SOURCE)

    def test_it_answers_about_a_symbol(self):
        places = {"goToDefinition": (8, 9, "a.c:1:5"), "findReferences": (1, 5, "a.c:1:5\na.c:8:9"),
                  "hover": (8, 9, "int add(int a, int b)"), "incomingCalls": (1, 5, "function main  a.c:6:5"),
                  "outgoingCalls": (6, 5, None), "prepareCallHierarchy": (1, 5, "function add  a.c:1:5")}
        results = self.ask(*[self.lsp(name, line=place[0], character=place[1]) for name, place in places.items()],
                           self.lsp("documentSymbol"))
        for (name, place), result in zip(places.items(), results):
            if place[2]:
                self.assertIn(place[2], result["content"], name)
        self.assertEqual(results[-1]["content"].split("\n"), ["function add  1:5", "function main  6:5"])

    def test_diagnostics_are_those_of_the_file_as_it_is_now(self):
        results = self.ask(self.lsp("diagnostics"),
                           call("Bash", command="sed -i 's/a + b/nope/' a.c"), self.lsp("diagnostics"))
        self.assertEqual(results[0]["content"], "Nothing was found.")
        self.assertIn("a.c:3:9: error: ", results[2]["content"])

    def test_new_problems_after_an_edit_reach_the_model_with_the_next_request(self):
        self.serve(steps(call("Read", file_path="a.c"),
                         call("Edit", file_path="a.c", old_string="a + b", new_string="a + b + nope"),
                         call("Write", file_path="b.c", content="int b(void) { return 1 }\n"),
                         call("Bash", command="true"),
                         call("Edit", file_path="a.c", old_string="add(1, 2)", new_string="add(3, 4)"),
                         call("Edit", file_path="a.c", old_string="a + b + nope", new_string="a + b")))
        self.events("go", "--permission-mode", "acceptEdits", "--allowedTools", "Bash(*)")
        said = [json.dumps(request["messages"][-1]) for request in self.requests()]
        self.assertIn("reports new problems after these edits:\\na.c:3:17: error: ", said[2])
        self.assertIn("b.c:1:24: error: ", said[3])
        for later in said[4:]:
            self.assertNotIn("new problems", later)

    def test_bare_mode_checks_no_edits(self):
        self.serve(steps(call("Write", file_path="b.c", content="int b(void) { return 1 }\n")))
        self.events("go", "--bare", "--permission-mode", "acceptEdits")
        self.assertNotIn("new problems", json.dumps(self.requests()))

    def test_no_server_of_the_repository_is_started(self):
        os.mkdir(self.path("bin"))
        self.write("bin/gopls", f"#!/bin/sh\ntouch {self.path('pwned')}\n")
        os.chmod(self.path("bin/gopls"), 0o755)
        self.write("a.go", "package a\n")
        self.serve(steps(call("ToolSearch", query="select:LSP"), self.lsp("hover", "a.go")))
        self.events("go", PATH=self.path("bin") + ":/usr/bin:/bin")
        self.assertIn("There is no language server for .go files", json.dumps(self.requests()[-1]["messages"]))
        self.assertFalse(os.path.exists(self.path("pwned")))

    def test_one_that_runs_programs_of_the_project_needs_trust_or_the_sandbox(self):
        bin = os.path.join(self.root, "bin")
        os.mkdir(bin)
        with open(os.path.join(bin, "gopls"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ntouch {self.path('ran')}\n")
        os.chmod(os.path.join(bin, "gopls"), 0o755)
        self.write("a.go", "package a\n")
        self.serve(steps(call("ToolSearch", query="select:LSP"), self.lsp("hover", "a.go")))
        self.events("go", PATH=bin + ":/usr/bin:/bin")
        self.assertIn("gopls may run programs of the project", json.dumps(self.requests()[-1]["messages"]))
        self.assertFalse(os.path.exists(self.path("ran")))


class Hostile(Lsp):
    def misbehave(self, how, *calls, **settings):
        self.write("a.zz", "text\n")
        path = os.path.join(self.home, ".claude/settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        server = {"command": sys.executable, "args": [os.path.join(os.path.dirname(__file__), "lsp_server.py"), how],
                  "extensionToLanguage": {".zz": "zz"}, **settings}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"lspServers": {"zz": server}}, file)
        return [result["content"] for result in self.ask(*(calls or [self.lsp("hover", "a.zz")]))]

    def edit(self, how, *contents, **settings):
        """What the model reads after each edit of a file."""
        calls = [call("Write", file_path="b.zz", content=text) for text in contents]
        before = len(self.requests()) if hasattr(self, "request_log") else 0
        self.misbehave(how, *calls, **settings)
        return ["new problems" in json.dumps(request["messages"][-1]) and request["messages"][-1]["content"][-1]["text"]
                for request in self.requests()[before + 2:]]

    def test_an_edit_is_checked_by_the_server_of_the_settings_unless_that_says_no(self):
        [first, again] = self.edit("checks", "bad\n", "bad\nbad\n")
        self.assertIn("b.zz:1:1: error: bad", first)
        self.assertIn("b.zz:2:1: error: bad", again)
        self.assertNotIn("b.zz:1:1", again)
        self.assertNotIn("hint", first)

    def test_checks_after_edits_can_be_switched_off(self):
        self.assertEqual(self.edit("checks", "bad\n", diagnostics=False), [False])

    def test_servers_that_fail_do_not_hold_up_edits(self):
        for how in ("exit", "garbage", "nonsense"):
            self.assertEqual(self.edit(how, "one\n", "two\n", "three\n", "four\n"), [False] * 4, how)

    def test_a_server_of_the_settings_is_asked(self):
        self.assertEqual(self.misbehave("well"), ["fine"])

    def test_one_that_cannot_be_understood_is_an_error(self):
        for how, words in (("exit", "exit code 3"), ("garbage", "Content-Length"), ("huge", "too long"),
                           ("dies", "exit code 1")):
            self.assertIn(words, self.misbehave(how)[0], how)

    def test_answers_that_make_no_sense_are_not_shown(self):
        self.misbehave("nonsense")
        [text] = self.misbehave("well", self.lsp("goToDefinition", "a.zz"))
        self.assertLess(len(text), 30000)
        self.assertIn("(more are not shown)", text)

    def test_a_long_answer_is_cut(self):
        self.assertLess(len(self.misbehave("long")[0]), 40000)

    def test_it_gets_its_own_settings(self):
        self.assertEqual(self.misbehave("asks", settings={"a": {"b": 5}}), ['[5, {"a": {"b": 5}}]'])

    def test_one_that_always_ends_is_not_started_for_ever(self):
        asked = [self.lsp("hover", "a.zz", line=n) for n in range(1, 6)]
        for text in self.misbehave("exit", *asked):
            self.assertIn("cannot be asked", text)
