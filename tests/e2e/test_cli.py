"""The command line as a newcomer meets it."""

import json
import os
import re
import subprocess
import unittest

from rig import AWL, Modelled, Sandbox


class CommandLine(Sandbox):
    def test_version_is_one_line_on_stdout(self):
        for flag in ("--version", "-v", "-V"):
            ran = self.awl(flag)
            self.assertEqual((ran.returncode, ran.stderr), (0, b""))
            self.assertRegex(ran.stdout, rb"\Aawl \d+\.\d+\.\d+\n\Z")

    def test_help_goes_to_stdout_and_succeeds(self):
        for args in (["--help"], ["-h"], ["help"]):
            ran = self.awl(*args)
            self.assertEqual((ran.returncode, ran.stderr), (0, b""))
            self.assertIn(b"Usage: awl", ran.stdout)

    def test_an_unknown_flag_is_named_with_the_nearest_match_and_exits_1(self):
        ran = self.awl("--verison")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"unknown option '--verison'; did you mean '--version'?", ran.stderr)

    def test_an_unknown_command_is_named_with_the_nearest_match_and_exits_1(self):
        ran = self.awl("completoin")
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"unknown command 'completoin'; did you mean 'completion'?", ran.stderr)

    def test_a_command_of_other_agents_is_not_a_prompt(self):
        for words in ("kill 7", "kill --help", "update", "upgrade", "login", "logout",
                      "resume", "ssh host", "cc://x", "auth status",
                      "setup-token", "install stable", "auto-mode config", "daemon status"):
            with self.subTest(words=words):
                ran = self.awl(*words.split())
                self.assertEqual((ran.returncode, ran.stdout), (1, b""))
                self.assertIn(f"awl has no '{words.split()[0]}' yet".encode(), ran.stderr)
                self.assertNotIn(b"standard input", ran.stderr)

    def test_control_characters_of_an_argument_do_not_reach_the_terminal(self):
        ran = self.awl("--\x1b[2Jboo")
        self.assertEqual(ran.returncode, 1)
        self.assertNotIn(b"\x1b", ran.stderr)

    def test_a_full_disk_is_reported(self):
        with open("/dev/full", "wb") as full:
            ran = subprocess.run([AWL, "--help"], stdout=full, stderr=subprocess.PIPE,
                                 env=self.environment())
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"No space left", ran.stderr)

    def test_a_reader_that_leaves_early_is_no_error(self):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as pipe:
            ran = subprocess.run([AWL, "--help"], stdout=pipe, stderr=subprocess.PIPE,
                                 env=self.environment())
        self.assertEqual((ran.returncode, ran.stderr), (0, b""))

    def test_nothing_is_written_to_home(self):
        self.awl("--version")
        self.awl("--help")
        self.assertEqual(os.listdir(self.home), [])

    def test_the_debug_file_is_private_and_holds_lines(self):
        path = os.path.join(self.root, "log")
        self.assertEqual(self.awl("--debug-file", path, "help").returncode, 0)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path) as log:
            self.assertRegex(log.read(), r"\A\d{4}-\d\d-\d\dT[\d:.]+Z info cli - awl .*\n\Z")

    def test_a_debug_file_that_cannot_be_opened_is_said(self):
        ran = self.awl("--debug-file", "/nonexistent/log", "help")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"/nonexistent/log", ran.stderr)

    def test_help_on_a_terminal_is_readable(self):
        terminal = self.terminal("--help", rows=300)
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("Usage: awl [options] [command | prompt]", terminal.text())
        self.assertIn("  -v, --version", terminal.text())


class Reference(Modelled):
    """Every flag of the agent that awl stands in for is known."""

    WITHOUT_VALUE = """ax-screen-reader bare bg brief continue disable-slash-commands
        exclude-dynamic-system-prompt-sections fork-session forward-subagent-text ide include-hook-events init init-only
        maintenance no-chrome no-session-persistence safe-mode strict-mcp-config tmux verbose""".split()
    WITH_VALUE = """advisor agent agents append-subagent-system-prompt append-subagent-system-prompt-file autocompact
        betas channels mcp-config plugin-dir plugin-dir-no-mcp plugin-url
        remote-control-session-name-prefix system-prompt-snapshot teammate-mode thinking-display worktree""".split()
    REFUSED = """chrome cloud dangerously-load-development-channels desktop
        environment exec file from-pr mcp-cli rc ref remote remote-control restricted ripgrep teleport""".split()

    def test_flags_are_accepted_or_refused_with_a_reason(self):
        for name in self.WITHOUT_VALUE + self.WITH_VALUE:
            words = [f"--{name}"] + (["x"] if name in self.WITH_VALUE else [])
            ran = self.awl("--help", *words)
            self.assertEqual((ran.returncode, ran.stderr), (0, b""), name)
            self.assertIn(f"--{name}".encode(), ran.stdout)
        for flag in [f"--{name}" for name in self.REFUSED]:
            ran = self.awl("-p", "hi", flag)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""), flag)
            self.assertRegex(ran.stderr.decode(), f"option '{flag}' is not supported: \\w")

    def test_the_start_can_be_measured(self):
        self.serve("reply\n  text Hi\n")
        ran = self.print("hi", CLAUDE_CODE_PROFILE_STARTUP="1")
        self.assertEqual(ran.stdout, b"Hi\n")
        marks = re.findall(r"startup: +[\d.]+ ms +\+[\d.]+ ms  (.*?) +[\d.]+ MB\n", ran.stderr.decode())
        self.assertEqual(marks, ["main", "flags read", "engine open", "session open", "first output"])
        self.assertEqual(len(marks), ran.stderr.count(b"\n"))
        terminal = self.terminal(env=self.modelled(CLAUDE_CODE_EXIT_AFTER_FIRST_RENDER="1"))
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn("claude-", terminal.text())

    def test_the_system_prompt_is_printed_as_it_is_sent(self):
        self.serve("reply repeat 2\n  text Hi\n")
        for flags in ([], ["--append-system-prompt", "Be brief.", "--tools", "Read"]):
            printed = self.awl("--dump-system-prompt", *flags, env=self.modelled())
            self.assertEqual((printed.returncode, printed.stderr), (0, b""))
            self.print("hi", *flags)
            sent = "".join(block["text"] for block in self.requests()[-1]["system"])
            self.assertEqual(printed.stdout.decode(), sent + "\n")

    def test_bare_offers_few_tools_and_safe_mode_reads_no_files(self):
        self.serve("reply forever\n  text Hi\n")
        with open(self.path("CLAUDE.md"), "w", encoding="utf-8") as file:
            file.write("of-the-project\n")
        os.mkdir(os.path.join(self.home, ".claude"))
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            file.write('{"language": "dutch"}')
        three = {"Bash", "Read", "Edit"}
        for flags, env, tools in ((["--bare"], {}, three), ([], {"CLAUDE_CODE_SIMPLE": "1"}, three),
                                  ([], {"CLAUDE_CODE_SIMPLE": "0"}, None), (["--safe-mode"], {}, None),
                                  (["--bare", "--tools", "Grep"], {}, {"Grep"}),
                                  ([], {"CLAUDE_CODE_SAFE_MODE": "1"}, None)):
            with self.subTest(flags=flags, env=env):
                self.assertEqual(self.print("hi", *flags, **env).returncode, 0)
                request = self.requests()[-1]
                offered = {tool["name"] for tool in request["tools"]}
                self.assertEqual(offered == three, tools == three)
                self.assertTrue(tools is None or offered == tools)
                is_plain = bool(flags or env.get("CLAUDE_CODE_SAFE_MODE") or tools)
                self.assertEqual("of-the-project" in json.dumps(request), not is_plain)
                is_safe = "--safe-mode" in flags or "CLAUDE_CODE_SAFE_MODE" in env
                self.assertEqual("dutch" in json.dumps(request["system"]), not is_safe)


class Derived(Sandbox):
    """What is made from the flag table has to be accepted by its reader."""

    def test_bash_completes_commands_and_flags(self):
        for typed, expected in (("com", "completion"), ("--vers", "--version")):
            self.assertEqual(self.complete(typed), [expected])

    def complete(self, *words):
        """What bash offers for the last of these words after `awl`."""
        script = self.awl("completion", "bash").stdout.decode()
        ask = f'COMP_WORDS=(awl "$@"); COMP_CWORD={len(words)}; _awl; echo "${{COMPREPLY[@]}}"'
        ran = subprocess.run(["bash", "-c", script + ask, "awl", *words], capture_output=True,
                             text=True, cwd=self.cwd,
                             env=self.environment(PATH=os.path.dirname(AWL) + ":/usr/bin:/bin"))
        self.assertEqual(ran.stderr, "")
        return ran.stdout.split()

    SESSION = "11111111-1111-4111-8111-111111111111"
    COMPLETED = (
        (["--permission-mode", "p"], ["plan"]),
        (["--output-format", "s"], ["stream-json"]),
        (["-p", "--input-format", ""], ["text", "stream-json"]),
        (["help", "com"], ["completion"]),
        (["completion", "z"], ["zsh"]),
        (["config", "un"], ["unset"]),
        (["config", "get", "permissions.def"], ["permissions.defaultMode"]),
        (["hooks", "t"], ["test"]),
        (["hooks", "test", "PreTool"], ["PreToolUse"]),
        (["config", "--scope", "l"], ["local"]),
        (["why", "--mode", "pl"], ["plan"]),
        (["sandbox", "--allow-host", ""], []),
        (["--resume", ""], [SESSION]),
        (["-r", "1111"], [SESSION]))

    def keep_session(self):
        project = os.path.join(self.home, ".claude/projects", re.sub("[^A-Za-z0-9]", "-", self.cwd))
        os.makedirs(project)
        with open(os.path.join(project, self.SESSION + ".jsonl"), "w", encoding="utf-8") as file:
            file.write(json.dumps({"type": "user", "uuid": self.SESSION, "sessionId": self.SESSION, "cwd": self.cwd,
                                   "message": {"role": "user", "content": "hi"}}) + "\n")

    def test_bash_completes_values_actions_keys_and_sessions(self):
        self.keep_session()
        for words, expected in (*self.COMPLETED,
                                (["--output-format", "=", "s"], ["stream-json"]),
                                (["--output-format", "="], ["text", "json", "stream-json"]),
                                (["--settings", ""], [])):  # a file
            with self.subTest(words=words):
                self.assertEqual(sorted(self.complete(*words)), sorted(expected))

    WITH_AWL = {"PATH": os.path.dirname(AWL) + ":/usr/bin:/bin", "TERM": "xterm"}

    def test_fish_completes_the_same(self):
        self.keep_session()
        script = self.awl("completion", "fish").stdout.decode()
        for words, expected in (*self.COMPLETED, (["doctor", "--o"], ["--offline"]), (["doctor", "--mod"], [])):
            with self.subTest(words=words):
                ran = subprocess.run(["fish", "--no-config", "-c", script + 'complete -C "$argv"',
                                      " ".join(["awl", *words])], capture_output=True, text=True, cwd=self.cwd,
                                     env=self.environment(**self.WITH_AWL), check=False)
                self.assertEqual(ran.stderr, "")
                # fish 4 also offers what contains the letters
                self.assertEqual(sorted(line.split("\t")[0] for line in ran.stdout.splitlines()
                                        if line.startswith(words[-1])), sorted(expected))

    def test_zsh_completes_the_same_whether_the_script_is_found_or_sourced(self):
        self.keep_session()
        script = os.path.join(self.cwd, "_awl")
        with open(script, "wb") as file:
            file.write(self.awl("completion", "zsh").stdout)
        start = "PS1='READY> '; autoload -U compinit; {}compinit -D; {}clear\n"
        for setup in (start.format(f"fpath=({self.cwd} $fpath); ", ""), start.format("", f"source {script}; ")):
            terminal = self.terminal("-f", "-i", program="zsh", env=self.WITH_AWL, cols=200)
            terminal.type(setup)
            terminal.wait_for("READY> ")
            for words, expected in (*self.COMPLETED, (["doctor", "--off"], ["--offline"])):
                if len(expected) != 1:
                    continue
                typed = " ".join(["awl", *words])
                done = " ".join(["awl", *words[:-1], *expected])
                with self.subTest(words=words):
                    terminal.type(typed + "\t")
                    terminal.wait_for("READY> " + done)
                    self.assertNotIn("_arguments:", terminal.text())
                    terminal.type("\x15")  # removes the line

    def test_the_manual_is_valid_roff(self):
        page = self.awl("man").stdout
        self.assertTrue(page.startswith(b".TH AWL 1"))
        for line in page.splitlines():
            self.assertTrue(re.match(rb"\.(TH|SH|SS|TP|PP)\b|[^.']", line), line)


if __name__ == "__main__":
    unittest.main()
