"""awl -p against a scripted model over real HTTP, and from recordings."""

import contextlib
import json
import os
import signal
import subprocess
import time

from rig import AWL, PATIENCE, Modelled

SECRET = Modelled.SECRET


class Print(Modelled):
    def ask(self, url, *args, stdin=b"", **env):
        return self.awl("-p", *args, stdin=stdin,
                        env={"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": SECRET, **env})

    def test_the_answer_is_all_there_is_on_stdout(self):
        url = self.serve('reply\n  thinking "Hm."\n  text "Hello."\n')
        ran = self.ask(url, "hi")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"Hello.\n", b""))

    def test_words_and_standard_input_make_the_prompt(self):
        url = self.serve('reply\n  expect prompt contains "explain this\\nint x;"\n  text "ok"\n')
        ran = self.ask(url, "explain this", stdin=b"int x;")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"ok\n"), ran.stderr)

    def test_a_response_that_broke_off_is_paid_for_too(self):
        url = self.serve('reply\n  usage input=1000 output=50\n  text "Ha"\n  cut\n'
                         'reply\n  usage input=300 output=7\n  text "Hello."\n')
        ran = self.ask(url, "hi", "--model", "claude-opus-4-5", "--output-format", "json")
        result = json.loads(ran.stdout)
        self.assertEqual((result["result"], result["usage"]["input_tokens"]), ("Hello.", 1300), ran)
        self.assertGreater(result["total_cost_usd"], 1300 * 5e-6)

    def test_an_overload_is_waited_out_and_shown_only_to_a_terminal(self):
        url = self.serve('fail 529 overloaded_error "Overloaded"\nreply\n  text "Now."\n')
        ran = self.ask(url, "hi")
        self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"Now.\n", b""))

    def test_a_terminal_sees_the_retry(self):
        url = self.serve('fail 529 overloaded_error "Overloaded"\nreply\n  text "Now."\n')
        terminal = self.terminal("-p", "hi", env={"ANTHROPIC_BASE_URL": url,
                                                  "ANTHROPIC_API_KEY": SECRET})
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("retrying in", terminal.text())
        self.assertIn("Now.", terminal.text())

    def test_a_refusal_names_what_the_service_said_and_exits_1(self):
        url = self.serve('fail 401 authentication_error "invalid x-api-key"\n')
        ran = self.ask(url, "hi")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"invalid x-api-key", ran.stderr)
        self.assertNotIn(SECRET.encode(), ran.stderr)

    def test_a_refusal_says_what_to_do(self):
        too_long = "prompt is too long: 3 tokens > 2 maximum"
        for script, env, words in (
                ('fail 401 authentication_error "no"\n', {},
                 "no (authentication_error); the key comes from ANTHROPIC_API_KEY"),
                ('fail 401 authentication_error "no"\n', {"ANTHROPIC_AUTH_TOKEN": "t"}, "from ANTHROPIC_AUTH_TOKEN"),
                ('fail 404 not_found_error "model: x"\n', {"ANTHROPIC_MODEL": "claude-x"},
                 "the model is claude-x, and --model or /model chooses another"),
                (f'fail 400 invalid_request_error "{too_long}"\n', {},
                 f"{too_long} (invalid_request_error); /compact summarises the conversation, /clear starts a new one")):
            with self.subTest(words=words):
                ran = self.ask(self.serve(script), "hi", **env)
                self.assertEqual((ran.returncode, ran.stdout), (1, b""))
                self.assertIn(words, ran.stderr.decode())
        url = self.serve('fail 401 authentication_error "no"\n') + "/v1"
        ran = self.awl("-p", "hi", env={"OPENAI_BASE_URL": url, "OPENAI_MODEL": "m"})
        self.assertIn(b"no key was sent, because none is configured", ran.stderr)

    def test_nobody_listening_is_said_with_host_and_port(self):
        ran = self.ask("http://127.0.0.1:1", "hi", CLAUDE_CODE_MAX_RETRIES="0")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"http://127.0.0.1:1", ran.stderr)

    def test_openai_servers_answer_with_and_without_a_key(self):
        url = self.serve('reply repeat 3\n  text "Hi."\n') + "/v1"
        for env in ({}, {"OPENAI_API_KEY": "k"},
                    {"OPENAI_API_KEY": "k", "AWL_OPENAI_WIRE": "responses"}):
            ran = self.awl("-p", "hi", env={"OPENAI_BASE_URL": url, "OPENAI_MODEL": "m", **env})
            self.assertEqual((ran.returncode, ran.stdout, ran.stderr), (0, b"Hi.\n", b""))

    def test_a_recording_replays_offline_and_holds_no_secret(self):
        tape = os.path.join(self.root, "tape.jsonl")
        url = self.serve('fail 500 api_error "oops"\nreply\n  text "Recorded."\n')
        self.assertEqual(self.ask(url, "--record", tape, "hi").stdout, b"Recorded.\n")
        with open(tape, "rb") as file:
            self.assertNotIn(SECRET.encode(), file.read())
        self.assertEqual(os.stat(tape).st_mode & 0o777, 0o600)
        for speed in ("full", "recorded"):
            ran = self.awl("-p", "--replay", tape, "--replay-speed", speed, "hi")
            self.assertEqual((ran.returncode, ran.stdout), (0, b"Recorded.\n"), ran.stderr)

    def test_a_request_that_was_not_recorded_stops_the_replay_with_the_difference(self):
        tape = os.path.join(self.root, "tape.jsonl")
        url = self.serve('reply\n  text "Recorded."\n')
        self.ask(url, "--record", tape, "hi")
        ran = self.awl("-p", "--replay", tape, "ho")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b'recorded "hi", now "ho"', ran.stderr)
        self.assertRegex(ran.stderr, rb"(?m)^     --- recorded\n     \+\+\+ now\n     @@ ")
        self.assertRegex(ran.stderr, rb'(?m)^     -.*"hi"')
        self.assertRegex(ran.stderr, rb'(?m)^     \+.*"ho"')

    def test_a_file_that_is_no_recording_is_named(self):
        tape = os.path.join(self.root, "tape.jsonl")
        with open(tape, "w") as file:
            file.write("not json\n")
        ran = self.awl("-p", "--replay", tape, "hi")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(tape.encode(), ran.stderr)

    def test_without_a_model_it_fails_and_says_what_to_set(self):
        schema = '{"type":"object","properties":{"a":{"type":"string"}}}'
        for args in ([], ["--permission-mode", "acceptEdits"], ["--json-schema", schema],
                     ["--output-format", "json"], ["--output-format", "stream-json", "--verbose"]):
            with self.subTest(args=args):
                ran = self.awl("-p", "fix the lint", *args)
                self.assertEqual(ran.returncode, 1)
                self.assertIn(b"no model is configured; set ANTHROPIC_API_KEY", ran.stderr)
                self.assertEqual((os.listdir(self.cwd), os.listdir(self.home)), ([], []))
                if "--output-format" not in args:
                    self.assertEqual(ran.stdout, b"")
                    continue
                result = json.loads(ran.stdout)
                self.assertTrue(result["is_error"])
                self.assertIn("no model is configured", result["errors"][0])

    def test_a_host_without_a_model_is_told_too(self):
        ran = self.awl("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                       stdin=b'{"type":"user","message":{"role":"user","content":"hi"}}\n')
        self.assertEqual((ran.returncode, json.loads(ran.stdout)["is_error"]), (1, True))

    def test_the_demo_plays_in_a_pipe_when_it_is_asked_for(self):
        for env in ({}, {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": SECRET},
                    {"CLAUDE_CODE_USE_BEDROCK": "1", "AWS_REGION": "x"}):
            with self.subTest(env=env):
                temp = os.path.join(self.root, "temp")
                os.makedirs(temp, exist_ok=True)
                ran = self.awl("-p", "hi", "--demo", "--permission-mode", "acceptEdits",
                               env={"TMPDIR": temp, **env})
                self.assertEqual((ran.returncode, ran.stderr), (0, b""))
                self.assertIn(b"this text is a script that is part of awl", ran.stdout)
                self.assertEqual((os.listdir(self.cwd), os.listdir(self.home), os.listdir(temp)), ([], [], []))
        ran = self.awl("-p", "hi", "--demo")
        self.assertEqual(ran.stderr, b"awl: denied: Write awl-demo.txt: "
                                     b"Editing files needs your approval in default mode.\n")
        ran = self.awl("-p", "hi", "--demo", "--replay", "x")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"use either --demo or --replay", ran.stderr)

    def test_an_unknown_command_fails_without_the_model(self):
        url = self.serve('reply forever\n  text "The model answers."\n')
        for prompt in ("/zork", "/ide", "/permissions allow Bash"):
            ran = self.ask(url, prompt)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), prompt)
            self.assertIn(prompt.split()[0].encode(), ran.stderr)
        for prompt in ("/tmp is full", "/usr/bin/x fails", "// what does this comment mean", "/ is the root"):
            self.assertEqual(self.ask(url, prompt).stdout, b"The model answers.\n", prompt)

    def test_a_replay_needs_no_credentials_of_any_cloud(self):
        tape = os.path.join(self.root, "tape.jsonl")
        url = self.serve('reply\n  text "Recorded."\n')
        self.ask(url, "--record", tape, "hi")
        for env in ({"CLAUDE_CODE_USE_VERTEX": "1", "ANTHROPIC_VERTEX_PROJECT_ID": "p"},
                    {"CLAUDE_CODE_USE_BEDROCK": "1"}):
            ran = self.awl("-p", "--replay", tape, "hi", env=env)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(b"differs from recorded request 1", ran.stderr)

    def test_standard_input_that_cannot_be_read_is_said(self):
        folder = os.open(self.root, os.O_RDONLY)
        ran = subprocess.run([AWL, "-p", "hi"], stdin=folder, capture_output=True, timeout=PATIENCE,
                             env=self.environment())
        os.close(folder)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"cannot read standard input", ran.stderr)

    def test_no_prompt_is_an_error(self):
        ran = self.awl("-p")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"no prompt; use awl -p", ran.stderr)

    def test_interrupting_a_silent_stream_ends_at_once(self):
        url = self.serve("reply repeat 2\n  text \"Hel\"\n  stall forever\n")
        for signo in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen([AWL, "-p", "hi"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, cwd=self.cwd,
                                       env=self.environment(ANTHROPIC_BASE_URL=url,
                                                            ANTHROPIC_API_KEY=SECRET))
            self.wait_until_connected(process)
            process.send_signal(signo)
            output, _ = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, output), (128 + signo, b""))

    def open_files(self, pid):
        """What the process has open; a descriptor may be closed while we look."""
        names = set()
        for fd in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(FileNotFoundError):
                names.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
        return names

    def wait_until_connected(self, process):
        """Until the process has an established connection, which is after its
        signal handlers are in place."""
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            sockets = self.open_files(process.pid)
            with open("/proc/net/tcp") as table:
                rows = [line.split() for line in table]
            if any(row[3] == "01" and f"socket:[{row[9]}]" in sockets for row in rows):
                return
        self.fail("it never connected")

    def test_doctor_shows_the_choice_and_no_secret(self):
        ran = self.awl("doctor", "--offline", env={"ANTHROPIC_API_KEY": SECRET})
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn(b"credential: ANTHROPIC_API_KEY", ran.stdout)
        self.assertIn(b"answer: not tried\n", ran.stdout)
        self.assertNotIn(SECRET.encode(), ran.stdout)

    def doctor(self, script, **env):
        url = self.serve(script)
        ran = self.awl("doctor", env={"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": SECRET, **env})
        return ran.returncode, ran.stdout.decode()

    def test_doctor_tries_the_model_the_sandbox_and_the_programs(self):
        with open(os.path.join(self.cwd, "AGENTS.md"), "w", encoding="utf-8") as file:
            file.write("Be brief.\n")
        status, page = self.doctor("reply\n  text OK\n")
        self.assertEqual(status, 0, page)
        self.assertRegex(page, r"answer: claude-\S+ answered in \d+\.\d s \(\$0\.\d+\)\n")
        for line in ("git: starts\n", "rg: starts\n", "sandbox: a command runs in it\n",
                     "settings: no mistakes\n", "trust: nothing here needs trust\n", "/AGENTS.md ("):
            self.assertIn(line, page)
        self.assertTrue(page.endswith("\nNo problems found.\n"))
        request, = self.requests()
        self.assertNotIn("Be brief", json.dumps(request))
        self.assertEqual(os.listdir(os.path.join(self.home, ".claude/awl")), ["spent"])  # its request had a price

    def test_doctor_says_what_does_not_work_and_fails(self):
        status, page = self.doctor('fail 401 authentication_error "invalid x-api-key"\n')
        self.assertEqual(status, 1)
        self.assertIn("answer: none: ", page)
        self.assertIn("invalid x-api-key", page)
        self.assertTrue(page.endswith("\n1 problem: answer\n"))
        os.mkdir(os.path.join(self.home, ".claude"))
        path = os.path.join(self.home, ".claude/settings.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"modle": "x"}')
        ran = self.awl("doctor", env={"PATH": "/nowhere"})
        self.assertEqual(ran.returncode, 1)
        page = ran.stdout.decode()
        self.assertIn("answer: none: no model is configured; set ANTHROPIC_API_KEY", page)
        self.assertIn("rg: missing: searching is slower without ripgrep\n", page)
        self.assertIn(f"settings file: {path}\n", page)
        self.assertTrue(page.endswith("problems: answer, settings\n"), page)

    def test_doctor_finds_a_dead_endpoint_without_waiting(self):
        ran = self.awl("doctor", env={"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": SECRET})
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"answer: none: ", ran.stdout)
        self.assertIn(b"http://127.0.0.1:1", ran.stdout)

    def test_the_debug_file_tells_the_choice_and_no_secret(self):
        log = os.path.join(self.root, "log")
        url = self.serve('reply\n  text "Hi."\n')
        self.assertEqual(self.ask(url, "--debug-file", log, "hi").returncode, 0)
        with open(log) as file:
            text = file.read()
        self.assertIn("credential: ANTHROPIC_API_KEY", text)
        self.assertNotIn(SECRET, text)
