"""The command line as a newcomer meets it."""

import os
import re
import subprocess
import unittest

from rig import AWL, Sandbox


class CommandLine(Sandbox):
    def test_version_is_one_line_on_stdout(self):
        ran = self.awl("--version")
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
        for words in ("mcp list", "mcp --help", "mcp add -s user x y", "update", "upgrade", "login", "logout",
                      "resume", "sessions", "ssh host", "cc://x", "plugin install x", "agents", "auth status",
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


class Derived(Sandbox):
    """What is made from the flag table has to be accepted by its reader."""

    def test_bash_completes_commands_and_flags(self):
        script = self.awl("completion", "bash").stdout.decode()
        ask = 'COMP_WORDS=(awl {0}); COMP_CWORD=1; _awl; echo "${{COMPREPLY[@]}}"'
        for typed, expected in (("com", "completion"), ("--vers", "--version")):
            ran = subprocess.run(["bash", "-c", script + ask.format(typed)], capture_output=True,
                                 text=True, env=self.environment())
            self.assertEqual(ran.stdout.split(), [expected])

    def test_the_manual_is_valid_roff(self):
        page = self.awl("man").stdout
        self.assertTrue(page.startswith(b".TH AWL 1"))
        for line in page.splitlines():
            self.assertTrue(re.match(rb"\.(TH|SH|SS|TP|PP)\b|[^.']", line), line)


if __name__ == "__main__":
    unittest.main()
