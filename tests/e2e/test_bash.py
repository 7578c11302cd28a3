"""The shell tools in real sessions: the user's own shell and variables, and commands that
are watched."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import unittest

from rig import AWL, Modelled, PATIENCE

RC = """\
case $- in *i*) ;; *) return ;; esac
echo "welcome home"
echo read >>~/reads
alias greet='echo greetings from'
shout() { echo "$@" | tr a-z A-Z; }
"""


class Bash(Modelled):
    def run_all(self, *commands, **env):
        """Has the model run the commands, and returns what it was told of each."""
        script = "".join("reply\n  tool Bash " + json.dumps({"command": command}) + "\n"
                         for command in commands)
        self.serve(script + 'reply\n  text "Done."\n')
        ran = self.print("go", "--allowedTools", "Bash", "--output-format", "json", **env)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.session = json.loads(ran.stdout)["session_id"]
        return self.results()

    def results(self):
        found = []
        for message in self.requests()[-1]["messages"]:
            for block in message["content"]:
                if block["type"] == "tool_result":
                    text = block["content"]
                    found.append(text if isinstance(text, str) else text[0]["text"])
        return found

    def at_home(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class OwnShell(Bash):
    def test_commands_know_the_users_aliases_and_functions(self):
        self.at_home(".bashrc", RC)
        told = self.run_all("greet me", "shout it; cd /", "greet $PWD; wc -l <~/reads")
        self.assertEqual(told, ["greetings from me", "IT", "greetings from /\n1"])

    def test_none_are_known_when_the_user_does_not_want_that(self):
        self.at_home(".bashrc", RC)
        told = self.run_all("type greet; ls -a ~", AWL_NO_SHELL_SNAPSHOT="1")
        self.assertIn("greet: not found", told[0])
        self.assertNotIn("reads", told[0])

    def test_a_start_up_file_of_the_project_is_never_read(self):
        rc = self.write("bashrc", "touch ~/pwned\nalias greet='touch ~/pwned'\n")
        os.symlink(rc, os.path.join(self.home, ".bashrc"))
        self.run_all("true; greet")
        self.assertFalse(os.path.exists(os.path.join(self.home, "pwned")))

    def test_nothing_of_it_is_left_on_disk(self):
        self.at_home(".bashrc", RC)
        temp = os.path.join(self.root, "temp")
        os.mkdir(temp)
        self.run_all("greet me", "cd /tmp", TMPDIR=temp)
        self.assertEqual(os.listdir(temp), [])


class Secrets(Bash):
    # awl, the guard's two processes and the process that watches the command
    LOOK = ("mkdir looked; watch=$PPID; guard=$(cut -d' ' -f4 /proc/$watch/stat); "
            "first=$(cut -d' ' -f4 /proc/$guard/stat); "
            "for p in $CLAUDE_PID $first $guard $watch; do "
            "  tr '\\0' '\\n' </proc/$p/environ; grep -h Name /proc/$p/status; done; env; ulimit -c")

    def check(self, told, can_read):
        self.assertEqual(re.findall(r"Name:\t(\S+)", told), ["awl"] + 3 * ["awl-guard"])
        self.assertNotIn(self.SECRET, told)
        self.assertEqual(told.count("Permission denied"), 0 if can_read else 4)
        self.assertTrue(told.endswith("\n0"), told)  # no core is dumped

    def test_the_key_is_in_no_environment_that_a_command_can_read(self):
        self.check(self.run_all(self.LOOK)[0], os.getuid() == 0)

    @unittest.skipIf(os.getuid() != 0, "only root can become another user")
    def test_an_ordinary_user_cannot_look_into_awl(self):
        os.chmod(self.root, 0o755)
        for name in (self.home, self.cwd):
            os.chown(name, 65534, 65534)
        awl = shutil.copy(AWL, os.path.join(self.root, "awl"))
        self.serve("reply\n  tool Bash " + json.dumps({"command": self.LOOK}) +
                   '\nreply\n  text "Done."\n')
        ran = subprocess.run([awl, "-p", "go", "--allowedTools", "Bash"], stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=PATIENCE, cwd=self.cwd, user=65534,
                             group=65534, extra_groups=[], env=self.environment(**self.modelled()))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.check(self.results()[0], False)

    def test_a_crash_leaves_no_core(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_CORE, (soft, hard))
        self.serve('reply\n  stall forever\n  text "Done."\n')
        process = self.start("-p", "go")
        self.wait_until(lambda: os.path.getsize(self.request_log), "no request came")
        process.send_signal(signal.SIGABRT)
        self.assertEqual(process.wait(PATIENCE), -signal.SIGABRT)
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            name = file.read().split("%")[0].strip()
        if not name.startswith(("|", "/")):
            self.assertEqual([found for found in os.listdir(self.cwd) if found.startswith(name)], [])


class Variables(Bash):
    def test_commands_know_whose_they_are(self):
        told = self.run_all("printenv CLAUDECODE CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SESSION_ID "
                            "CLAUDE_PROJECT_DIR AI_AGENT; printenv OTEL_TOKEN", OTEL_TOKEN="secret")
        self.assertIn("\n".join(["1", "1", self.session, os.path.realpath(self.cwd), "awl"]), told[0])
        self.assertNotIn("secret", told[0])

    def test_a_prefix_sees_every_command(self):
        log = os.path.join(self.root, "audit log")
        logger = self.at_home("logger", f'#!/bin/bash\nprintf "%s\\0" "$1" >>"{log}"\nexec bash -c "$1"\n')
        os.chmod(logger, 0o755)
        told = self.run_all("mkdir sub; cd sub", "echo \"it's in ${PWD##*/}\"",
                            CLAUDE_CODE_SHELL_PREFIX=logger)
        self.assertEqual(told[1], "it's in sub")
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read().count("\0"), 2)

    def test_a_file_is_read_before_each_command(self):
        file = self.at_home("env", "export GREETING=hello\n")
        self.assertEqual(self.run_all("echo $GREETING; cd /", "echo $GREETING", CLAUDE_ENV_FILE=file),
                         ["hello", "hello"])

    def test_timeouts_and_lengths_are_the_users(self):
        told = self.run_all("seq 1 3000", "exec sleep 1000", BASH_MAX_OUTPUT_LENGTH="3000",
                            BASH_DEFAULT_TIMEOUT_MS="200")
        self.assertLess(len(told[0]), 3000)
        self.assertIn("It was still running after 200 ms.", told[1])

    def test_each_command_may_start_where_the_session_did(self):
        told = self.run_all("cd /", "pwd", CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR="1")
        self.assertEqual(told[1], os.path.realpath(self.cwd))


class Watched(Bash):
    def test_what_a_watched_command_prints_is_told_to_the_model(self):
        self.serve("\n".join([
            "reply",
            '  tool ToolSearch {"query": "select:Monitor,Sleep"}',
            "reply when result_of contains ToolSearch",
            "  tool Monitor " + json.dumps({"command": "echo ready; sleep 0.1; exit 3",
                                            "description": "the server", "timeout_ms": 60000}),
            'reply forever when request not contains "ended with exit code 3"',
            '  tool Sleep {"seconds": 60}',
            "reply forever",
            '  text "It is over."', ""]))
        ran = self.print("go", "--allowedTools", "Bash")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"It is over.\n"), ran.stderr)
        last = json.dumps(self.requests()[-1])
        self.assertIn("monitor_1 (the server) has printed:\\n> ready", last)
        self.assertIn("monitor_1 has ended with exit code 3.", last)

    def test_a_rule_against_a_command_holds_for_watching_it(self):
        self.serve('reply\n  tool Monitor {"command": "curl x", "description": "d"}\n'
                   'reply forever\n  text "Done."\n')
        ran = self.print("go", "--tools", "Monitor", "--allowedTools", "Bash", "--disallowedTools",
                         "Bash(curl:*)")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertNotIn("runs in the background", self.results()[0])


if __name__ == "__main__":
    unittest.main()
