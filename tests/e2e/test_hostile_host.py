"""A host that misbehaves: whatever it sends and whenever it leaves, the session ends in order, keeps what it
has told of, and leaves no process behind."""

import glob
import json
import os
import shutil
import signal
import subprocess

from rig import PATIENCE, running
from test_print_stream import SDK, Stream, control, user

ID = "11111111-2222-4333-8444-555555555555"


class Hostile(Stream):
    def setUp(self):
        super().setUp()
        self.marker = f"{os.getpid():07d}27182"  # a sleep that nobody else has
        self.told = []

    def start_session(self, script, *flags):
        self.serve(script.replace("MARKER", self.marker))
        self.open("--session-id", ID, "--include-partial-messages", "--permission-prompt-tool", "stdio", *flags,
                  CLAUDE_CODE_MAX_RETRIES="3")

    def read_until(self, wanted):
        """Reads events up to one that is wanted, if there is one."""
        for line in self.process.stdout:
            event = json.loads(line)
            self.told.append(event)
            if wanted(event):
                return event
        return None

    def read_rest(self):
        self.read_until(lambda event: False)
        return self.process.wait(PATIENCE)

    def records(self):
        paths = glob.glob(os.path.join(self.home, ".claude/projects/*", ID + ".jsonl"))
        if not paths:
            return []
        with open(paths[0], encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def assert_kept(self):
        """Every message that was told of is in the transcript, which is a chain."""
        records = self.records()
        uuids = {record.get("uuid") for record in records}
        for event in self.told:
            if event["type"] in ("assistant", "user") and not event.get("isReplay"):
                self.assertIn(event["uuid"], uuids, event)
        for record in records:
            if record.get("parentUuid"):
                self.assertIn(record["parentUuid"], uuids)

    def forget(self):
        """Make room for the next session with the same id."""
        shutil.rmtree(os.path.join(self.home, ".claude"), ignore_errors=True)
        for name in os.listdir(self.cwd):
            os.remove(self.path(name))

    def assert_nothing_runs(self):
        self.wait_until(lambda: not running("sleep\x001000." + self.marker), "a child has survived")


def is_kind(kind, subtype=None):
    return lambda event: event["type"] == kind and (subtype is None or event.get("subtype") == subtype)


ASKS = 'pace 1ms\nreply\n  text "I ask."\n  tool Bash {"command": "touch asked"}\nreply forever\n  text "Done."\n'
RUNS = ('reply\n  tool Bash {"command": "echo $$ > pid; exec sleep 1000.MARKER"}\n'
        'reply forever\n  text "Done."\n')
BACKGROUND = ('reply\n  tool Bash {"command": "exec sleep 1000.MARKER", "run_in_background": true}\n'
              'reply forever\n  text "Done."\n')
STALLS = 'reply\n  text "x"\n  stall forever\nreply forever\n  text "Done."\n'
RETRIES = 'fail 529 overloaded_error "Overloaded" retry-after=1000\nreply forever\n  text "Done."\n'

# Where a session can be: the model, whether tools run unasked, and the event that shows that it is there.
STATES = {
    "starting": (ASKS, (), None),
    "ready": (ASKS, (), is_kind("control_response")),
    "in a turn": (ASKS, (), is_kind("system", "init")),
    "streaming": (STALLS, (), is_kind("stream_event")),
    "after a message": (ASKS, (), is_kind("assistant")),
    "asking": (ASKS, (), is_kind("control_request")),
    "running a tool": (RUNS, ("--allowedTools", "Bash"), is_kind("assistant")),
    "with a background command": (BACKGROUND, ("--allowedTools", "Bash"), is_kind("result")),
    "waiting to retry": (RETRIES, (), is_kind("system", "api_retry")),
    "between turns": ('reply forever\n  text "Done."\n', (), is_kind("result")),
}


class Ends(Hostile):
    """SIGTERM and the end of input, in each state."""

    def reach(self, name):
        script, flags, shows = STATES[name]
        self.told = []
        self.start_session(script, *flags)
        for message in (control("initialize"), user("go")):
            self.send(message)
        if shows and not self.read_until(shows):
            self.fail(f"{name}: {self.process.stderr.read()}")
        if name == "running a tool":
            self.wait_for_line("pid")

    def test_sigterm_in_each_state(self):
        for name in STATES:
            with self.subTest(name):
                self.reach(name)
                self.process.send_signal(signal.SIGTERM)
                status = self.read_rest()
                # Before it listens to signals it dies of this one.
                self.assertIn(status, (143, -signal.SIGTERM) if name == "starting" else (143,))
                self.assert_kept()
                self.assert_nothing_runs()
                self.end(self.process)
                self.forget()

    def test_the_end_of_input_in_each_state(self):
        for name in STATES:
            if name in ("streaming", "running a tool", "waiting to retry"):
                continue  # it waits for the turn, which waits for ever: see below
            with self.subTest(name):
                self.reach(name)
                self.process.stdin.close()
                self.assertEqual(self.read_rest(), 0)
                self.assertEqual(self.told[-1]["type"], "result", self.told[-1])
                self.assertEqual(self.told[-1]["result"], "Done.")
                self.assert_kept()
                self.assert_nothing_runs()
                self.end(self.process)
                self.forget()

    def test_a_turn_that_hangs_after_the_end_of_input_is_ended_by_the_signal(self):
        for name in ("streaming", "running a tool", "waiting to retry"):
            with self.subTest(name):
                self.reach(name)
                self.process.stdin.close()
                self.process.send_signal(signal.SIGTERM)
                self.assertEqual(self.read_rest(), 143)
                self.assertEqual(self.told[-1]["subtype"], "error_during_execution")
                self.assert_kept()
                self.assert_nothing_runs()
                self.end(self.process)
                self.forget()

    def test_a_reader_that_goes_away_ends_it(self):
        for name in ("ready", "streaming", "asking", "running a tool", "between turns"):
            with self.subTest(name):
                self.reach(name)
                self.process.stdout.close()
                self.send(control("get_settings", 2))
                self.process.stdin.close()
                self.process.wait(PATIENCE)
                self.assert_kept()
                self.assert_nothing_runs()
                self.end(self.process)
                self.forget()


class InHooks(Hostile):
    """SIGTERM and the end of input while a hook runs: one of the settings, or one of the host that never answers."""

    EVENTS = ("SessionStart", "UserPromptSubmit", "MessageDisplay", "PreToolUse", "PermissionRequest", "PostToolUse",
              "PostToolBatch", "Stop")
    HANGS = "echo $$ > hook; exec sleep 1000.MARKER"
    WAITS = "echo $$ > hook; while ! test -e go; do sleep 0.01; done"

    def begin(self, event, command):
        """Sends a prompt and waits until the hook of the event runs."""
        hook = {"type": "command", "command": command.replace("MARKER", self.marker)}
        allowed = () if event == "PermissionRequest" else ("--allowedTools", "Bash")
        self.told = []
        self.start_session(ASKS, *allowed, "--settings", json.dumps({"hooks": {event: [{"hooks": [hook]}]}}))
        for message in (control("initialize"), user("go")):
            self.send(message)
        self.wait_for_line("hook")

    def begin_callback(self, event):
        """The same for a hook of the host; the request stays open."""
        self.told = []
        self.start_session(ASKS, "--allowedTools", "Bash")
        self.send(control("initialize", hooks={event: [{"hookCallbackIds": ["h"]}]}))
        self.send(user("go"))
        asked = self.read_until(lambda e: e["type"] == "control_request" and e["request"]["subtype"] == "hook_callback")
        self.assertEqual(asked["request"]["callback_id"], "h")

    def check_end(self, *statuses):
        self.assertIn(self.read_rest(), statuses)
        self.assert_kept()
        self.assert_nothing_runs()
        self.end(self.process)
        self.forget()

    def test_sigterm_while_a_hook_runs(self):
        for event in self.EVENTS:
            with self.subTest(event):
                self.begin(event, self.HANGS)
                self.process.send_signal(signal.SIGTERM)
                self.check_end(143)

    def test_the_end_of_input_while_a_hook_runs(self):
        for event in self.EVENTS:
            with self.subTest(event):
                self.begin(event, self.WAITS)
                self.process.stdin.close()
                self.write("go", "")
                self.check_end(0)
                self.assertEqual([e["result"] for e in self.told if e["type"] == "result"], ["Done."])

    CALLBACKS = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop")

    def test_sigterm_while_the_host_owes_an_answer(self):
        for event in self.CALLBACKS:
            with self.subTest(event):
                self.begin_callback(event)
                self.process.send_signal(signal.SIGTERM)
                self.check_end(143)

    def test_the_end_of_input_while_the_host_owes_an_answer(self):
        for event in self.CALLBACKS:
            with self.subTest(event):
                self.begin_callback(event)
                self.process.stdin.close()
                self.check_end(0, 1)
                self.assertEqual(len([e for e in self.told if e["type"] == "result"]), 1)


class Late(Hostile):
    """The process is killed while it asks, and the answer comes to the next one."""

    def ask_and_die(self):
        self.told = []
        self.start_session(ASKS)
        for message in (control("initialize"), user("go")):
            self.send(message)
        asked = self.read_until(is_kind("control_request"))
        self.process.kill()
        self.read_rest()
        self.end(self.process)
        return asked["request"]["tool_use_id"]

    def answer_again(self, call, times=2, **answer):
        self.told = []
        self.open("--resume", ID, "--permission-prompt-tool", "stdio")
        self.send(control("initialize"))
        self.read_until(is_kind("control_response"))
        for _ in range(times):
            self.send({"type": "control_response", "response": {"subtype": "success", "request_id": "old",
                                                                "response": {"toolUseID": call, **answer}}})
        if call.startswith("toolu"):
            self.read_until(is_kind("result"))
        self.process.stdin.close()
        self.assertEqual(self.read_rest(), 0)
        self.assert_kept()
        return [e.get("result") for e in self.told if e["type"] == "result"]

    def test_a_yes_runs_the_call_once(self):
        call = self.ask_and_die()
        self.assertEqual(self.answer_again(call, behavior="allow"), ["Done."])
        self.assertTrue(os.path.exists(self.path("asked")))
        self.assertIn(f"The call that was deferred is over ({call}). This is its result", str(self.requests()[-1]))
        self.assertEqual(str(self.requests()[-1]).count("This is its result"), 1)

    def test_a_yes_may_change_the_call(self):
        call = self.ask_and_die()
        self.assertEqual(self.answer_again(call, behavior="allow", updatedInput={"command": "touch other"}), ["Done."])
        self.assertEqual(os.listdir(self.cwd), ["other"])

    def test_a_no_is_told(self):
        call = self.ask_and_die()
        self.assertEqual(self.answer_again(call, behavior="deny", message="Not now."), ["Done."])
        self.assertEqual(os.listdir(self.cwd), [])
        self.assertIn("it was not run. Not now.", str(self.requests()[-1]))

    def test_an_answer_to_another_call_is_ignored(self):
        self.ask_and_die()
        self.assertEqual(self.answer_again("another", behavior="allow"), [])
        self.assertEqual(os.listdir(self.cwd), [])


class Lines(Hostile):
    """What a line can be."""

    FATAL = (b"{", b"[]", b"null", b"7", b'"user"', b"nonsense", b'{"type":"user"', b'{"type":7}', b'{"type":"user"}',
             b'{"type":"user","message":7}', b'{"type":"user","message":{}}',
             b'{"type":"user","message":{"role":"assistant","content":"x"}}',
             b'{"type":"user","message":{"role":"user","content":7}}',
             b"[" * 100000, b'{"a":' * 100000, b"\xff\xfe", b'{"type":"keep_alive"}{"type":"keep_alive"}',
             b'{"type":"control_request"}', b'{"type":"control_request","request_id":"1","request":{}}',
             b'{"type":"control_request","request_id":"1","request":{"subtype":7}}',
             b'{"type":"user","message":{"role":"user","content":"\xff"}}', b"\0", b'{"type":"keep_alive",}')
    HARMLESS = (b'{"type":"keep_alive"}', b'{"type":"control_response","response":{"subtype":"success"}}',
                b'{"type":"control_response","response":{"subtype":"success","request_id":"nobody","response":{}}}',
                b'{"type":"control_cancel_request","request_id":"nobody"}', b'{"type":"no such type","x":[[[]]]}',
                b'{"type":"update_environment_variables","variables":{"A":"b"}}', b"   ", b"\t",
                b'{"type":"keep_alive","type":"keep_alive"}', b'{"type":"keep_alive","n":1e999}')

    def talk_bytes(self, *lines):
        ran = self.awl(*SDK, stdin=b"".join(line + b"\n" for line in lines), env=self.modelled())
        return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr

    def test_a_line_that_cannot_be_read_ends_it_with_words(self):
        self.serve('reply forever\n  text "Done."\n')
        for line in self.FATAL:
            with self.subTest(line[:60]):
                status, _, stderr = self.talk_bytes(json.dumps(control("initialize")).encode(), line)
                self.assertEqual((status, stderr.count(b"\n")), (1, 1), stderr)
                self.assertTrue(stderr.startswith(b"awl: standard input, line 2: "), stderr)

    def test_a_line_that_means_nothing_is_passed_over(self):
        self.serve('reply forever\n  text "Done."\n')
        status, events, stderr = self.talk_bytes(*self.HARMLESS, json.dumps(user("hi")).encode())
        self.assertEqual((status, stderr), (0, b""))
        self.assertEqual(events[-1]["result"], "Done.")

    def test_a_line_is_cut_anywhere_and_the_process_ends(self):
        self.serve('reply forever\n  text "Done."\n')
        line = json.dumps(user("hi")).encode()
        for size in range(0, len(line) + 1, 7):
            ran = self.awl(*SDK, stdin=line[:size], env=self.modelled())
            self.assertEqual(ran.returncode, 0 if size in (0, len(line)) else 1, line[:size])

    def test_a_line_without_an_end_is_not_collected_for_ever(self):
        self.serve('reply forever\n  text "Done."\n')
        process = self.start(*SDK, stdin=subprocess.PIPE)
        chunk = b"x" * (1 << 20)
        sent = 0
        try:
            while sent < 512:
                process.stdin.write(chunk)
                sent += 1
        except BrokenPipeError:
            pass
        try:
            process.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(process.wait(PATIENCE), 1)
        self.assertLess(sent, 512)


class Requests(Hostile):
    def test_unknown_requests_each_get_their_error(self):
        self.serve('reply forever\n  text "Done."\n')
        requests = [control(f"no_such_{n}", n) for n in range(1000)]
        status, events = self.talk(*requests, user("hi"))
        answers = [e["response"] for e in events if e["type"] == "control_response"]
        self.assertEqual([a["request_id"] for a in answers], [f"r{n}" for n in range(1000)])
        self.assertEqual({a["error_code"] for a in answers}, {"unsupported_request"})
        self.assertEqual(answers[7]["error"], "Unsupported control request subtype: no_such_7")
        self.assertEqual((status, events[-1]["result"]), (0, "Done."))

    def test_requests_without_sense_do_not_end_the_session(self):
        self.serve('reply forever\n  text "Done."\n')
        odd = [control("set_permission_mode", 3), control("set_permission_mode", 4, mode=["plan"]),
               control("set_model", 5, model={"a": 1}), control("apply_flag_settings", 6, settings="x"),
               control("interrupt", 7, cancel_queued="maybe"), control("stop_task", 8)]
        for request in odd:
            with self.subTest(request):
                status, events = self.talk(request, user("hi"))
                answers = [e["response"] for e in events if e["type"] == "control_response"]
                self.assertEqual([a["request_id"] for a in answers], [request["request_id"]])
                self.assertEqual((status, events[-1]["result"]), (0, "Done."))

    def test_an_id_that_is_used_twice_is_answered_twice(self):
        self.serve('reply forever\n  text "Done."\n')
        status, events = self.talk(control("initialize"), control("initialize"), control("get_settings"), user("hi"))
        answers = [e for e in events if e["type"] == "control_response"]
        self.assertEqual((status, len(answers)), (0, 3))

    def test_a_question_that_is_answered_twice_is_answered_once(self):
        self.start_session(ASKS)
        self.send(user("go"))
        ask = self.read_until(is_kind("control_request"))
        for behavior in ("deny", "allow", "deny"):
            self.send({"type": "control_response", "response": {
                "subtype": "success", "request_id": ask["request_id"], "response": {"behavior": behavior, "message": "No."}}})
        self.process.stdin.close()
        self.assertEqual(self.read_rest(), 0)
        self.assertEqual(len(self.told[-1]["permission_denials"]), 1)
        self.assertFalse(os.path.exists(self.path("asked")))

    def test_ten_thousand_messages_wait_and_none_is_lost(self):
        count = 10000
        self.start_session(STALLS)
        self.send(user("first"))
        self.read_until(is_kind("stream_event"))
        self.process.stdin.write(b"".join(json.dumps(user(f"prompt {n}.")).encode() + b"\n" for n in range(count)))
        self.send(control("interrupt"))
        self.read_until(is_kind("result"))
        self.process.stdin.close()
        self.assertEqual(self.read_rest(), 0)
        self.assertEqual(self.told[-1]["result"], "Done.")
        heard = json.dumps([request["messages"] for request in self.requests()[1:]])
        self.assertEqual([n for n in range(count) if f"prompt {n}." not in heard], [])
        kept = json.dumps(self.records())
        self.assertEqual([n for n in range(count) if f"prompt {n}." not in kept], [])
