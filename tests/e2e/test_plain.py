"""The plain front end on a real terminal, as a person meets it."""

import http.server
import json
import os
import re
import signal
import socket
import threading
import unittest

from rig import AWL, PATIENCE, Modelled

ASKS = """\
reply forever when tool_error
  text "As you like."
reply forever when result_of contains Write
  text "It is there."
reply otherwise
  text "I would write it."
  tool Write {"file_path": "out.txt", "content": "one\\ntwo\\n"}
"""
QUESTION = "3 No, with a message\n?"


class Plain(Modelled):
    def open(self, *args, rows=60, **how):
        terminal = self.terminal("--plain", *args, env=self.modelled(), rows=rows, **how)
        terminal.wait_for("\n>")
        return terminal

    def leave(self, terminal, status=0):
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), status)


class Newcomer(Modelled):
    """Without a key, offline."""

    def test_what_to_set_and_the_tour(self):
        self.needs_sandbox()
        terminal = self.terminal("--plain", "fix it", rows=200)
        terminal.wait_for("export ANTHROPIC_API_KEY=...")
        terminal.wait_for("2 Exit\n?")
        terminal.type("no\n")
        terminal.wait_for("Please type one of the numbers above.")
        terminal.type("1\n")
        terminal.wait_for("> Show me the tour of awl.")
        terminal.wait_for("Edit add.sh?")
        terminal.wait_for(QUESTION)
        terminal.type("1\n")
        terminal.wait_for("Run this command?")
        terminal.wait_for("\n?", after="Run this command?")
        terminal.type("1\n")
        terminal.wait_for("(demo, no charge)")
        self.assertIn("That was the tour", terminal.text())
        terminal.wait_for("\n>", after="(demo, no charge)")
        terminal.type("/exit\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertEqual(os.listdir(self.cwd), [])

    def test_a_newcomer_may_leave(self):
        for answer in ("2\n", "\x04"):
            terminal = self.terminal("--plain", rows=60)
            terminal.wait_for("2 Exit\n?")
            terminal.type(answer)
            self.assertEqual(terminal.wait_end(), 0)
        self.assertEqual((os.listdir(self.cwd), os.listdir(self.home)), ([], []))

    def test_the_whole_loop_is_seen(self):
        terminal = self.terminal("--plain", "--demo", "hello", rows=100)
        terminal.wait_for("A built-in demo will answer")
        terminal.wait_for("> hello")
        directory = re.search(r"Directory: (\S+) \(for this demo only\)", terminal.text())[1]
        terminal.wait_for("Write awl-demo.txt?")
        terminal.wait_for(QUESTION)
        terminal.type("1\n")
        terminal.wait_for("Edit awl-demo.txt?")
        terminal.wait_for("     1 - Hello.")
        terminal.wait_for("     1 + Hello, and welcome.")
        terminal.type("1\n")
        terminal.wait_for("Bash wc -l awl-demo.txt")
        terminal.wait_for("(demo, no charge)")
        self.assertNotIn("Run this", terminal.text())  # it only reads
        with open(os.path.join(directory, "awl-demo.txt"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("Hello, and welcome.\n"))
        terminal.wait_for("\n>", after="(demo, no charge)")
        terminal.type("again\n")  # nothing is left to change
        terminal.wait_for("(demo, no charge)", after="> again")
        self.assertNotIn("?\n", terminal.text().split("> again")[1])
        terminal.type("/exit\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertFalse(os.path.exists(directory))
        self.assertEqual((os.listdir(self.cwd), os.listdir(self.home)), ([], []))

    def test_the_demo_does_not_continue_a_conversation(self):
        for args in (["-c"], ["--resume", "x"]):
            terminal = self.terminal(*args)
            self.assertEqual(terminal.wait_end(), 1)
            self.assertIn("no model is configured; set ANTHROPIC_API_KEY", terminal.text())


class Words(Plain):
    def test_no_word_is_broken_at_the_end_of_a_line(self):
        words = [f"word{i:03}" for i in range(200)]
        self.serve("pace 1ms\nreply\n  text " + json.dumps(" ".join(words)) + "\n")
        terminal = self.terminal("--plain", rows=80, cols=45, env=self.modelled())
        terminal.wait_for("\n>")
        terminal.type("go\r")
        terminal.wait_for("tokens in")
        lines = [line for line in terminal.text().split("\n") if line.startswith("word")]
        self.assertEqual(" ".join(lines).split(), words)
        self.assertTrue(all(len(line) <= 45 for line in lines))
        self.leave(terminal)


class Plan(Plain):
    SCRIPT = ('reply\n  tool ExitPlanMode {"plan": "1. Make it.\\n2. \\u001b[2J"}\n'
              'reply\n  tool Bash {"command": "touch made"}\n'
              'reply forever when tool_error\n  text "As you like."\n'
              'reply forever\n  text "It is there."\n')

    CLEARS = ("--settings", '{"showClearContextOnPlanAccept": true}')

    def plan(self, answer, *args, last="3 No, keep planning\n?"):
        """A person reads the plan and answers; then the model begins, and is let."""
        self.serve(self.SCRIPT)
        terminal = self.open("--permission-mode", "plan", "--allowedTools", "Bash(touch:*)",
                             "ExitPlanMode", *args)
        terminal.type("make it\n")
        terminal.wait_for("Carry out this plan?\n  1. Make it.\n  2. \\x1b[2J")
        terminal.wait_for(last)
        terminal.type(answer + "\n")
        return terminal

    def test_a_plan_that_is_agreed_with_is_carried_out(self):
        terminal = self.plan("1")
        terminal.wait_for("It is there.")
        self.assertTrue(os.path.exists(self.path("made")))
        self.assertNotIn("Run this", terminal.text())
        self.leave(terminal)

    def test_a_plan_can_begin_a_new_conversation(self):
        terminal = self.plan("1", *self.CLEARS, last="4 No, keep planning\n?")
        self.assertIn("1 Yes, clear context and auto-accept edits\n2 Yes, auto-accept edits\n", terminal.text())
        terminal.wait_for("New conversation.")
        terminal.wait_for("It is there.")
        told = str(self.requests()[-1]["messages"])
        self.assertIn("Implement the following plan:\\n\\n1. Make it.", told)
        self.assertNotIn("make it", told)
        self.assertTrue(os.path.exists(self.path("made")))
        self.leave(terminal)

    def test_a_message_says_what_the_plan_lacks(self):
        terminal = self.plan("3")
        terminal.wait_for("message:")
        terminal.type("Test it, too.\n")
        terminal.wait_for("In plan mode")  # it is still on
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.assertIn("Test it, too.", str(self.requests()[1]["messages"]))
        self.leave(terminal)

    def test_plan_mode_can_be_left_without_a_plan(self):
        self.serve('reply\n  tool ExitPlanMode {}\nreply\n  tool Write {"file_path": "w", "content": "x"}\n'
                   'reply forever\n  text "Well then."\n')
        terminal = self.open("--permission-mode", "plan")
        terminal.type("make it\n")
        terminal.wait_for("Leave plan mode? There is no plan.\n1 Yes\n2 No\n?")
        terminal.type("1\n")
        terminal.wait_for("Write w?")  # the mode is now the one that asks
        terminal.type("y\n")
        terminal.wait_for("Well then.")
        self.leave(terminal)

    def test_without_agreement_the_mode_stays(self):
        terminal = self.plan("n")
        terminal.wait_for("Run this command?")
        terminal.wait_for("In plan mode")
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.assertFalse(os.path.exists(self.path("made")))
        self.leave(terminal)


class Trust(Plain):
    def ask(self):
        self.serve('reply forever\n  text "Hello."\n')
        os.makedirs(self.path(".claude"), exist_ok=True)
        self.write(".claude/settings.json", json.dumps({"permissions": {"allow": ["Bash(make:*)"]}}))
        terminal = self.terminal("--plain", env=self.modelled(), rows=60)
        terminal.wait_for("4 Show the files\n?")
        return terminal

    def test_a_project_is_asked_about_in_lines(self):
        terminal = self.ask()
        self.assertIn("permissions.allow", terminal.text())
        terminal.type("4\n")
        terminal.wait_for("| {")
        terminal.type("yes\n")
        terminal.wait_for("Please type one of the numbers above.")
        terminal.type("1\n")
        terminal.wait_for("\n>")
        self.leave(terminal)
        self.leave(self.open())

    def test_nobody_has_to_trust_it(self):
        terminal = self.ask()
        terminal.type("3\n")
        self.assertEqual(terminal.wait_end(), 0)
        terminal = self.ask()
        terminal.type("2\n")
        terminal.wait_for("\n>")
        self.leave(terminal)


class Typing(Plain):
    """Keys on a terminal that gives them one by one."""

    def setUp(self):
        super().setUp()
        self.serve('reply forever\n  text "Yes."\n')

    def prompts(self):
        return [message["content"] if isinstance(message["content"], str) else message["content"][-1]["text"]
                for message in self.requests()[-1]["messages"] if message["role"] == "user"]

    def test_a_line_may_have_any_length(self):
        terminal = self.open()
        text = "BEGIN" + "x" * 6000 + "END"
        for at in range(0, len(text), 1000):
            terminal.type(text[at:at + 1000])
        terminal.type("\r")
        terminal.wait_for("Yes.")
        self.assertIn(text, self.prompts()[-1])
        self.leave(terminal)

    def test_a_paste_is_one_prompt(self):
        terminal = self.open()
        lines = "\n".join(f"line {i}" for i in range(500))
        terminal.type("see \x1b[200~" + lines + "\n/exit\n\x1b[201~")
        terminal.wait_for("> see [Pasted text #1 +501 lines]")
        terminal.type("\r")
        terminal.wait_for("Yes.")
        self.assertIn("line 0\nline 1\n", self.prompts()[-1])
        self.assertEqual(len(self.requests()), 1)
        self.leave(terminal)

    def test_arrow_keys_edit_and_find_earlier_prompts(self):
        terminal = self.open()
        terminal.type("helo\x1b[Dl")
        terminal.wait_for("> hello")
        terminal.type("\x1b[H_\x05!\x7f?\r")
        terminal.wait_for("Yes.")
        self.assertIn("_hello?", self.prompts()[-1])
        terminal.wait_for("\n>", after="tokens in")
        terminal.type("\x1b[A")
        terminal.wait_for("> _hello?", after="tokens in")
        terminal.type("\x15")
        self.leave(terminal)

    def test_ctrl_d_does_nothing_to_half_a_line_and_ctrl_c_drops_it(self):
        terminal = self.open()
        terminal.type("half a line\x04")
        terminal.wait_for("> half a line")
        terminal.type("\x03")
        terminal.wait_for("> half a line\n>")
        self.leave(terminal)

    def test_a_draft_waits_while_a_question_is_answered(self):
        self.serve('reply when result_of contains Write\n  text "It is there."\n'
                   'reply when result_of contains Bash\n  tool Write {"file_path": "out.txt", "content": "x"}\n'
                   'reply\n  tool Bash {"command": "while [ ! -e go ]; do sleep 0.01; done"}\n')
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("write it\r")
        terminal.wait_for("Bash while")
        terminal.type("and 1 more")
        self.write("go", "")
        terminal.wait_for(QUESTION)
        terminal.type("1\r")
        terminal.wait_for("It is there.")
        terminal.wait_for("> and 1 more")
        terminal.type("\x15")
        self.leave(terminal)

    def test_the_terminal_is_as_before_afterwards(self):
        terminal = self.terminal("-c", f"{AWL} --plain; stty -a; echo done", program="/bin/sh", env=self.modelled())
        terminal.wait_for("\n>")
        terminal.type("\x04")
        terminal.wait_for("\ndone")
        self.assertIn(" icanon ", terminal.text())
        self.assertRegex(terminal.text(), r"\becho\b")
        self.assertTrue(terminal.bytes.count(b"\x1b[?2004l"))


class Talk(Plain):
    def test_an_answer_is_shown_with_what_it_took(self):
        self.serve('reply\n  expect prompt contains "hi there"\n  text "Hello you."\n'
                   '  usage input=100 output=20 cache_read=300\n')
        terminal = self.open("--model", "claude-haiku-4-5")
        self.assertIn("Model: claude-haiku-4-5", terminal.text())
        terminal.type("hi there\n")
        terminal.wait_for("[400 tokens in (75% cached), 20 out, $")
        self.assertEqual(terminal.text().count("Hello you."), 1)
        self.leave(terminal)
        self.assertIn("To resume this session: awl --resume ", terminal.text())

    def test_nothing_is_ever_redrawn(self):
        self.serve('reply\n  text "A \\x1b[31mred\\x1b[0m word."\n')
        terminal = self.terminal("--plain", env=self.modelled(TERM="dumb"))
        terminal.wait_for("\n>")
        terminal.type("hi\n")
        terminal.wait_for(r"A \x1b[31mred\x1b[0m word.")
        self.leave(terminal)
        self.assertNotIn(b"\x1b", terminal.bytes)

    def test_the_first_prompt_may_stand_on_the_command_line(self):
        self.serve('reply\n  expect prompt contains "say hello"\n  text "Hello."\n')
        terminal = self.open("say", "hello")
        terminal.wait_for("Hello.")
        self.leave(terminal)

    def test_a_line_that_ends_with_a_backslash_goes_on(self):
        self.serve('reply\n  expect prompt contains "one\\ntwo"\n  text "Both."\n')
        terminal = self.open()
        terminal.type("one\\\n")
        terminal.type("two")
        terminal.wait_for("> one\n  two")
        terminal.type("\n")
        terminal.wait_for("Both.")

    def test_what_came_of_calls_is_shown(self):
        self.serve('reply when result_of contains Write\n  text "Done."\n'
                   'reply when result_of contains Bash\n  tool Write {"file_path": "a.txt", "content": "new\\n"}\n'
                   'reply\n  tool Bash {"command": "seq 1 3; touch x"}\n')
        terminal = self.open("--allowedTools", "Bash,Write", "--", "go")
        terminal.wait_for("Bash seq 1 3; touch x\n  1\n  2\n  3\nWrite a.txt\n     1 + new\n")
        terminal.wait_for("Done.")
        self.leave(terminal)

    def test_a_dumb_terminal_gives_its_own_lines(self):
        self.serve('reply\n  expect prompt contains "one\\ntwo"\n  text "Both."\n')
        terminal = self.terminal("--plain", env=self.modelled(TERM="dumb"))
        terminal.wait_for("\n>")
        terminal.type("one\\\n")
        terminal.wait_for("\n.")
        terminal.type("two\n")
        terminal.wait_for("Both.")
        self.assertNotIn(b"\x1b", terminal.bytes)

    def test_what_is_typed_while_a_turn_runs_is_answered_next(self):
        self.serve('reply\n  text "First."\n  stall 300ms\n  text " Really."\n'
                   'reply\n  expect request contains "and then"\n  text "Second."\n')
        terminal = self.open()
        terminal.type("go\n")
        terminal.wait_for("First.")
        terminal.type("and then\n")
        terminal.wait_for("Second.")
        self.leave(terminal)

    def test_calls_and_their_failures_are_a_line_each(self):
        self.write("a.txt", "x\n")
        self.serve('reply when result_of contains Read\n  text "Enough."\n'
                   f'reply\n  tool Read {{"file_path": "{self.path("a.txt")}"}}\n'
                   '  tool Read {"file_path": "missing.txt"}\n')
        terminal = self.open()
        terminal.type("go\n")
        terminal.wait_for("Enough.")
        lines = terminal.text().splitlines()
        self.assertIn("Read a.txt", lines)
        self.assertIn("Read missing.txt", lines)
        self.assertEqual(len([line for line in lines if line.startswith("  failed: ")]), 1)

    def test_slash_commands_are_answered_without_the_model(self):
        self.serve('reply\n  text "never"\n')
        terminal = self.open()
        terminal.type("/help\n")
        terminal.wait_for("/context")
        terminal.wait_for("/exit")
        terminal.type("/usage\n")
        terminal.wait_for("Cost: ")
        terminal.type("/quit\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())

    def test_what_looks_like_a_command_does_not_reach_the_model(self):
        os.makedirs(self.path(".claude/commands"))
        self.write(".claude/commands/deploy.md", "Deploy $1.\n")
        self.serve('reply\n  text "The model answers."\n')
        terminal = self.open(rows=100, cols=200)
        for typed, answer in (
                ("/zork", "there is no command /zork; /help lists the commands."),
                ("/", "there is no command /; /help lists"),
                ("/HELPP me", "there is no command /HELPP; did you mean /help? /help lists"),
                ("/compact", "there is nothing to summarise yet."),
                ("/resume x", "/resume works only on the full screen at a terminal; run 'awl --resume ID' in a shell."),
                ("/vim", "/vim works only on the full screen at a terminal."),
                ("/deplyo prod", "there is no command /deplyo; did you mean /deploy? /help lists"),
                ("/permissions allow Bash(make:*)", "run in a shell: awl config allow 'Bash(make:*)'."),
                ("/permissions bogus", "/permissions only shows the rules; 'awl config' in a shell"),
                ("/model xyzzy", "Model: xyzzy. awl does not know this model"),
                ("/model xyzzy", "Models that awl knows here: default, opus, sonnet, haiku"),
                ("/model", "Models that awl knows here: default, opus, sonnet, haiku")):
            terminal.type(typed + "\n")
            terminal.wait_for(answer)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())
        terminal.type("/etc/passwd has no end\n")  # a path, like /tmp, which exists
        terminal.wait_for("The model answers.")
        terminal.type("exit\n")
        self.assertEqual(terminal.wait_end(), 0)

    def test_the_words_exit_and_quit_alone_leave(self):
        self.serve('reply forever\n  text "never"\n')
        for word in ("exit", "quit", " exit ", "/exit"):
            terminal = self.open()
            terminal.type(word + "\n")
            self.assertEqual(terminal.wait_end(), 0)
        self.assertFalse(os.path.exists(self.request_log) and self.requests())

    def test_the_context_is_counted_in_tokens(self):
        self.serve('reply\n  text "Hi."\n  usage input=1000 output=24\n')
        terminal = self.open()
        terminal.type("/context\n")
        terminal.wait_for("tokens (")
        self.assertRegex(terminal.text(), r"about [\d.]+k of 1M tokens")
        terminal.type("go\n")
        terminal.wait_for("tokens in")  # the turn is over: before that the number is an estimate
        terminal.type("/context\n")
        terminal.wait_for("1k of 1M tokens")
        for row in (r"system prompt +\d+", r"tools +\d+", r"instructions +0", r"messages +\d+"):
            self.assertRegex(terminal.text(), row)

    def test_an_error_is_shown_once_and_the_next_prompt_works(self):
        self.serve('fail 400 invalid_request_error "bad thing"\nreply\n  text "Better."\n')
        terminal = self.open()
        terminal.type("one\n")
        terminal.wait_for("bad thing")
        terminal.type("two\n")
        terminal.wait_for("Better.")
        self.assertEqual(terminal.text().count("bad thing"), 1)

    def test_a_turn_shows_its_own_cost_after_a_resume_and_after_clear(self):
        self.serve('reply forever\n  text "Hi."\n  usage input=100000 output=1000\n')
        terminal = self.open("--model", "claude-haiku-4-5", "one")
        terminal.wait_for(" s]")
        cost = re.search(r"\[.*\$([\d.]+), ", terminal.text())[1]
        self.leave(terminal)
        terminal = self.open("--model", "claude-haiku-4-5", "--continue")
        for prompt in ("two", "/clear", "three"):
            terminal.type(prompt + "\n")
            terminal.wait_for("New conversation." if prompt == "/clear" else " s]", after=prompt)
        self.assertEqual(re.findall(r"\$([\d.]+), ", terminal.text()), [cost, cost])
        self.leave(terminal)

    def test_a_session_goes_on(self):
        self.serve('reply\n  text "Noted."\nreply\n  expect request contains "Noted."\n  text "Yes."\n')
        terminal = self.open("remember this")
        terminal.wait_for("Noted.")
        self.leave(terminal)
        terminal = self.open("--continue")
        terminal.type("do you\n")
        terminal.wait_for("Yes.")
        self.leave(terminal)

    def test_a_dumb_terminal_will_do(self):
        self.serve('reply\n  text "Hello."\n')
        terminal = self.terminal(env=self.modelled(TERM="dumb"))
        terminal.wait_for("\n>")
        terminal.type("hi\n")
        terminal.wait_for("Hello.")
        self.leave(terminal)

    def test_flags_that_need_p_are_refused(self):
        self.serve('reply\n  text "x"\n')
        for args in (["--output-format", "json"], ["--json-schema", "{}"]):
            terminal = self.terminal(*args, env=self.modelled())
            self.assertEqual(terminal.wait_end(), 1)
            self.assertIn("needs -p", terminal.text())


class HeldServer(http.server.ThreadingHTTPServer):
    """A model whose first response, a call of Write, is held back until `go` is set."""

    def __init__(self, *args):
        super().__init__(*args)
        self.asked, self.go, self.sent = threading.Event(), threading.Event(), threading.Event()


class HeldHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        is_first = not self.server.asked.is_set()
        self.server.asked.set()
        self.server.go.wait(PATIENCE)
        block = {"type": "tool_use", "id": "t1", "name": "Write", "input": {}} if is_first else \
            {"type": "text", "text": "Done."}
        events = [{"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [],
                                                        "model": "m", "usage": {"input_tokens": 1}}},
                  {"type": "content_block_start", "index": 0, "content_block": block},
                  {"type": "content_block_stop", "index": 0},
                  {"type": "message_delta", "delta": {"stop_reason": "tool_use" if is_first else "end_turn"},
                   "usage": {"output_tokens": 1}},
                  {"type": "message_stop"}]
        if is_first:
            call = json.dumps({"file_path": "out.txt", "content": "x"})
            events.insert(2, {"type": "content_block_delta", "index": 0,
                              "delta": {"type": "input_json_delta", "partial_json": call}})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode())
        self.wfile.flush()
        self.close_connection = True
        if is_first:
            self.connection.shutdown(socket.SHUT_WR)
        self.server.sent.set()


class Questions(Plain):
    def ask(self):
        self.serve(ASKS)
        terminal = self.open()
        terminal.type("write it\n")
        terminal.wait_for("Write out.txt?")
        terminal.wait_for(QUESTION)
        terminal.wait_for("  + two")
        return terminal

    def test_yes(self):
        terminal = self.ask()
        terminal.type("1\n")
        terminal.wait_for("It is there.")
        self.assertEqual(self.read("out.txt"), "one\ntwo\n")
        self.leave(terminal)

    def test_no(self):
        terminal = self.ask()
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.assertFalse(os.path.exists(self.path("out.txt")))
        self.assertNotIn("failed:", terminal.text())
        self.leave(terminal)

    def test_no_and_why(self):
        terminal = self.ask()
        terminal.type("3\n")
        terminal.wait_for("message:")
        terminal.type("use another name\n")
        terminal.wait_for("As you like.")
        self.assertIn("use another name", str(self.requests()[-1]))

    def test_no_with_an_empty_message(self):
        terminal = self.ask()
        terminal.type("3\n")
        terminal.wait_for("message:")
        terminal.type("\n")
        terminal.wait_for("As you like.")
        self.assertIn("The user declined this call", str(self.requests()[-1]))

    def test_more_answers_than_questions_are_not_prompts(self):
        self.serve('reply\n  tool Bash {"command": "touch a; while [ ! -e go ]; do sleep 0.01; done"}\n'
                   'reply\n  text "Done."\nreply\n  text "An answer."\n')
        terminal = self.open(cols=120)
        terminal.type("go\n")
        terminal.wait_for(QUESTION)
        terminal.type("1\n1\n 2\nyes\n")
        terminal.wait_for('(No question is open, so "yes" is ignored.)')
        self.write("go", "")
        terminal.wait_for("Done.")
        self.assertEqual(len(self.requests()), 2)
        self.assertNotIn('"yes"', str(self.requests()[-1]["messages"]))
        terminal.wait_for("\n>", after="Done.")
        terminal.type("1\n")  # now it is one
        terminal.wait_for("An answer.")
        self.leave(terminal)

    def test_a_long_file_is_shown_by_its_ends_and_whole_when_asked_for(self):
        content = "".join(f"line {n}\n" for n in range(100))
        call = json.dumps({"file_path": "out.txt", "content": content + "the end\n"})
        self.serve(f'reply when tool_error\n  text "As you like."\nreply\n  tool Write {call}\n')
        terminal = self.open(rows=250)
        terminal.type("go\n")
        terminal.wait_for("5 Show all of it\n?")
        shown = terminal.text()
        for line in ("  + line 0\n", "bytes not shown here)\n", "  + line 99\n  + the end\n"):
            self.assertIn(line, shown)
        self.assertNotIn("line 50", shown)
        terminal.type("5\n")
        terminal.wait_for("  + line 50\n")
        terminal.wait_for(QUESTION)
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.leave(terminal)

    def test_an_edit_is_shown_as_a_diff_with_line_numbers(self):
        self.write("a.txt", "".join(f"line {n}\n" for n in range(1, 21)))
        self.serve('reply when tool_error\n  text "As you like."\n'
                   'reply when result_of contains Read\n'
                   '  tool Edit {"file_path": "a.txt", "old_string": "line 10", "new_string": "ten\\nand more"}\n'
                   f'reply\n  tool Read {{"file_path": "{self.path("a.txt")}"}}\n')
        terminal = self.open()
        terminal.type("go\n")
        terminal.wait_for("Edit a.txt?\n     7   line 7\n     8   line 8\n     9   line 9\n"
                          "    10 - line 10\n    10 + ten\n    11 + and more\n    12   line 11\n")
        terminal.wait_for(QUESTION)
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.leave(terminal)

    def test_always_is_kept_for_this_command_and_no_other(self):
        self.serve('reply\n  tool Bash {"command": "touch a"}\nreply\n  tool Bash {"command": "touch a"}\n'
                   'reply\n  tool Bash {"command": "touch b"}\nreply forever\n  text "Done."\n')
        terminal = self.open()
        terminal.type("go\n")
        terminal.wait_for("2 Yes, and don't ask again: Bash(touch a) (in .claude/settings.local.json)")
        terminal.wait_for(QUESTION)
        terminal.type("2\n")
        terminal.wait_for("2 Yes, and don't ask again: Bash(touch b)")
        terminal.wait_for(QUESTION)
        terminal.type("1\n")
        terminal.wait_for("Done.")
        self.assertTrue(os.path.exists(self.path("b")))
        self.assertIn('"allow": ["Bash(touch a)"]', re.sub(r"\s+", " ", self.read(".claude/settings.local.json"))
                      .replace("[ ", "[").replace(" ]", "]"))
        terminal.type("/permissions\n")
        terminal.wait_for("Permission mode: default.")
        terminal.wait_for("allow Bash(touch a)")
        self.leave(terminal)

    def test_all_of_a_command_is_shown_with_what_a_screen_would_hide(self):
        lines = "\n".join(f"echo {n}" for n in range(60))
        command = json.dumps({"command": f"{lines}\nprintf '\x1b[2J\u202e' > x"})
        self.serve(f"reply\n  tool Bash {command}\nreply forever\n  text \"As you like.\"\n")
        terminal = self.open(rows=120)
        terminal.type("go\n")
        terminal.wait_for("printf '\\x1b[2J\\u{202e}' > x")
        terminal.wait_for(QUESTION)
        for n in range(60):
            self.assertIn(f"\n  echo {n}\n", terminal.text())
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.leave(terminal)

    def test_nothing_buries_a_question_and_no_refusal_is_shown_as_a_failure(self):
        self.serve('reply\n  tool Write {"file_path": "a1", "content": "x"}\n'
                   '  tool Write {"file_path": "a2", "content": "x"}\n'
                   'reply forever\n  text "As you like."\n')
        terminal = self.open()
        terminal.type("go\n")
        terminal.wait_for("Write a1?")
        terminal.wait_for(QUESTION)
        self.assertTrue(terminal.text().rstrip().endswith("3 No, with a message\n?"))
        self.assertNotIn("Write a2", terminal.text())
        terminal.type("n\n")
        terminal.wait_for("Write a2?")
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.assertIn("\nWrite a2\n", terminal.text())
        self.assertNotIn("failed:", terminal.text())
        self.leave(terminal)

    def test_anything_else_is_asked_again(self):
        terminal = self.ask()
        terminal.type("sure\n")
        terminal.wait_for("Please type one of the numbers")
        self.assertFalse(os.path.exists(self.path("out.txt")))
        terminal.type("n\n")
        terminal.wait_for("As you like.")

    def test_what_was_typed_before_the_question_is_no_answer_to_it(self):
        self.serve('reply when tool_error\n  text "As you like."\n'
                   'reply when result_of contains Bash\n'
                   '  tool Write {"file_path": "out.txt", "content": "x"}\n'
                   'reply when result_of contains Write\n  text "Too bad."\n'
                   'reply\n  tool Bash {"command": "while [ ! -e go ]; do sleep 0.01; done"}\n')
        terminal = self.open("--allowedTools", "Bash")
        terminal.type("write it\n")
        terminal.wait_for("Bash while")
        terminal.type("1\n")
        terminal.wait_for("\n> 1")
        self.write("go", "")
        terminal.wait_for(QUESTION)
        terminal.type("n\n")
        terminal.wait_for("As you like.")
        self.assertFalse(os.path.exists(self.path("out.txt")))

    def test_what_was_typed_while_the_question_was_on_its_way_is_no_answer_to_it(self):
        """awl is stopped while the response and then the line arrive, so it sees both at once."""
        server = HeldServer(("127.0.0.1", 0), HeldHandler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        terminal = self.terminal("--plain", "--model", "claude-haiku-4-5", rows=60, env={
            "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_address[1]}", "ANTHROPIC_API_KEY": self.SECRET})
        terminal.wait_for("\n>")
        terminal.type("write it\n")
        self.assertTrue(server.asked.wait(PATIENCE))
        os.kill(terminal.pid, signal.SIGSTOP)
        os.waitpid(terminal.pid, os.WUNTRACED)
        server.go.set()
        self.assertTrue(server.sent.wait(PATIENCE))
        terminal.type("1\n")
        os.kill(terminal.pid, signal.SIGCONT)
        terminal.wait_for(QUESTION)
        terminal.type("\x04")
        terminal.wait_end()
        self.assertFalse(os.path.exists(self.path("out.txt")))

    def test_ctrl_d_declines_and_leaves_when_the_turn_is_over(self):
        terminal = self.ask()
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("As you like.", terminal.text())
        self.assertFalse(os.path.exists(self.path("out.txt")))

    def test_ctrl_c_withdraws_the_question_and_ends_the_turn(self):
        terminal = self.ask()
        terminal.type("\x03")
        terminal.wait_for("Interrupted")
        terminal.type("1\n")
        terminal.wait_for(QUESTION)
        self.assertFalse(os.path.exists(self.path("out.txt")))


class Choices(Plain):
    """The model has questions of its own."""

    def ask(self):
        self.serve('''\
reply when tool_error
  text "Never mind."
reply when result_of contains AskUserQuestion
  text "Thank you."
reply otherwise
  tool AskUserQuestion {"questions": [{"question": "Which colour?", "header": "Colour", \
"options": [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}], "multiSelect": false}, \
{"question": "Which rooms?", "header": "Rooms", \
"options": [{"label": "Hall", "description": ""}, {"label": "Attic", "description": ""}], "multiSelect": true}]}
''')
        terminal = self.open()
        terminal.type("paint\n")
        terminal.wait_for("(1 of 2) Which colour?\n  1) Red - warm\n  2) Blue - cold\n")
        terminal.wait_for("0 to decline")
        return terminal

    def test_answers_are_numbers_or_words(self):
        terminal = self.ask()
        terminal.type("7\n")
        terminal.wait_for("There is no option with that number.")
        terminal.type("a dark green\n")
        terminal.wait_for("Which rooms?")
        terminal.type("1, 2\n")
        terminal.wait_for("Thank you.")
        told = str(self.requests()[-1])
        self.assertIn("a dark green", told)
        self.assertIn("Hall, Attic", told)
        self.leave(terminal)

    def test_nobody_has_to_answer(self):
        terminal = self.ask()
        terminal.type("0\n")
        terminal.wait_for("Never mind.")
        self.assertIn("did not answer", str(self.requests()[-1]))
        self.assertNotIn("failed:", terminal.text())
        self.leave(terminal)


class Leaving(Plain):
    def test_ctrl_c_ends_a_silent_turn_and_the_next_one_works(self):
        self.serve('reply\n  text "Hm."\n  stall forever\nreply\n  text "Now."\n')
        terminal = self.open()
        terminal.type("one\n")
        terminal.wait_for("Hm.")
        terminal.type("\x03")
        terminal.wait_for("Interrupted")
        terminal.type("two\n")
        terminal.wait_for("Now.")
        self.leave(terminal)

    def test_ctrl_c_at_the_prompt_says_how_to_leave_and_twice_leaves(self):
        self.serve('reply\n  text "x"\n')
        terminal = self.open()
        terminal.type("\x03")
        terminal.wait_for("Press Ctrl-C again or Ctrl-D to leave.")
        terminal.type("\x03")
        self.assertEqual(terminal.wait_end(), 130)

    def test_ctrl_c_ends_a_command_that_runs(self):
        self.serve('reply\n  tool Bash {"command": "echo $$ > pid; exec sleep 1000"}\n')
        terminal = self.open("--allowedTools", "Bash", "--", "go on")
        pid = int(self.wait_for_line("pid"))
        terminal.type("\x03")
        terminal.wait_for("Interrupted")
        self.assertFalse(os.path.exists(f"/proc/{pid}"))
        self.leave(terminal)

    def test_a_terminal_that_goes_away_takes_it_along(self):
        self.serve('reply\n  text "Hm."\n  stall forever\n')
        terminal = self.open()
        terminal.type("one\n")
        terminal.wait_for("Hm.")
        os.close(terminal.fd)
        terminal.fd = os.open("/dev/null", os.O_RDONLY)
        self.assertIn(os.waitstatus_to_exitcode(os.waitpid(terminal.pid, 0)[1]), (129, 1))
        terminal.status = 0


if __name__ == "__main__":
    unittest.main()
