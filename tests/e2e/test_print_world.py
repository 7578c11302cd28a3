"""awl -p in a world that is not as it should be: no home, no directory, no disk, no
reader; and a whole piece of work from a prompt to an edited file."""

import glob
import json
import os
import resource
import signal
import subprocess
import unittest

from rig import AWL, PATIENCE, Modelled

WORK = """\
reply when result_of contains Bash
  text "The test passes now."
reply when result_of contains Edit
  tool Bash {"command": "sh test.sh", "description": "Run the test"}
reply when result_of contains Read
  expect tool_result contains "a - b"
  text "There it is."
  tool Edit {"file_path": "add.sh", "old_string": "a - b", "new_string": "a + b"}
reply when result_of contains Grep
  expect tool_result contains "add.sh"
  tool Read {"file_path": "add.sh"}
reply
  text "I look for it."
  tool Grep {"pattern": "a - b"}
  tool Glob {"pattern": "*.sh"}
"""


class Work(Modelled):
    def test_a_session_of_many_tools_mends_a_file(self):
        self.write("add.sh", "a=1 b=2; echo $((a - b))\n")
        self.write("test.sh", 'test "$(sh add.sh)" = 3 && echo passed\n')
        self.serve(WORK)
        ran = self.print("fix the test", "--allowedTools", "Edit", "Bash(sh test.sh)",
                         "--output-format", "stream-json", "--verbose")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(self.read("add.sh"), "a=1 b=2; echo $((a + b))\n")
        events = [json.loads(line) for line in ran.stdout.splitlines()]
        results = {block["tool_use_id"]: block for event in events if event["type"] == "user"
                   for block in event["message"]["content"]}
        calls = [block for event in events if event["type"] == "assistant"
                 for block in event["message"]["content"] if block["type"] == "tool_use"]
        self.assertEqual([call["name"] for call in calls], ["Grep", "Glob", "Read", "Edit", "Bash"])
        self.assertEqual({call["id"] for call in calls}, set(results))
        self.assertIn("passed", json.dumps(results[calls[-1]["id"]]))
        self.assertEqual((events[-1]["result"], events[-1]["num_turns"]),
                         ("The test passes now.", 6))


class Hook(Modelled):
    """awl called by git itself, which says by variables what it is about."""

    def git(self, *args, **env):
        ran = subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *args], cwd=self.cwd,
                             env=self.environment(**self.modelled(**env)), capture_output=True,
                             text=True, timeout=PATIENCE, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def test_a_command_sees_what_is_being_committed(self):
        self.serve('reply\n  tool Bash {"command": "git diff --cached --name-only"}\n'
                   'reply forever\n  text "Done"\n')
        self.git("init", "-q", "-b", "trunk")
        hook = self.path(".git/hooks/pre-commit")
        self.write(".git/hooks/pre-commit", f"#!/bin/sh\nexec {AWL} -p go --allowedTools Bash\n")
        os.chmod(hook, 0o755)
        for name in ("one", "two"):
            self.write(name, "x")
        self.git("add", "one", "two")
        self.git("commit", "-q", "-m", "m", "--only", "one")  # of an index that git made for it
        told = json.dumps(self.requests()[-1]["messages"][-1])
        self.assertIn('"one"', told)
        self.assertNotIn("two", told)

    def test_awl_itself_is_told_by_them_nothing_of_another_repository(self):
        self.serve('reply forever\n  text "Done"\n')
        other = os.path.join(self.root, "other")
        self.git("init", "-q", "-b", "trunk")
        self.git("init", "-q", "-b", "elsewhere", other)
        self.print("hi", GIT_DIR=other + "/.git", GIT_WORK_TREE=other)
        told = json.dumps(self.requests()[-1])
        self.assertIn("trunk", told)
        self.assertNotIn("elsewhere", told)


class World(Modelled):
    def run_awl(self, *args, **how):
        how.setdefault("env", self.environment(**self.modelled()))
        how.setdefault("cwd", self.cwd)
        return subprocess.run([AWL, "-p", *args], stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, **how)

    def test_without_a_home_it_answers_all_the_same(self):
        self.serve('reply\n  text "Hello."\n')
        env = self.environment(**self.modelled())
        del env["HOME"]
        ran = self.run_awl("hi", env=env)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"), ran.stderr)

    def test_a_home_that_is_not_there_is_not_made(self):
        self.serve('reply\n  text "Hello."\n')
        missing = os.path.join(self.root, "nobody")
        env = self.environment(**self.modelled(HOME=missing))
        ran = self.run_awl("hi", env=env)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"), ran.stderr)
        self.assertEqual(ran.stderr, f"awl: This session is not being saved: HOME does not exist: "
                                     f"{missing}.\n".encode())
        subprocess.run([AWL, "config", "set", "--user", "model", "opus"], env=env, cwd=self.cwd,
                       capture_output=True, timeout=PATIENCE)
        self.assertFalse(os.path.exists(missing))

    def test_a_home_that_cannot_be_written_to_is_a_warning(self):
        self.serve('reply\n  text "Hello."\n')
        env = self.environment(**self.modelled(HOME="/proc/1"))
        ran = self.run_awl("hi", env=env)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"))
        self.assertIn(b"not being saved", ran.stderr)

    def test_a_directory_that_is_gone_is_said(self):
        self.serve('reply\n  text "Hello."\n')
        gone = os.path.join(self.root, "gone")
        os.mkdir(gone)
        ran = self.run_awl("hi", cwd=gone, preexec_fn=lambda: os.rmdir(gone))
        self.assertEqual((ran.returncode, ran.stdout), (1, b""))
        self.assertIn(b"directory", ran.stderr)

    def test_a_transcript_that_cannot_grow_does_not_stop_the_answer(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # which Python ignores
            resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

        self.serve('reply forever\n  text "Hello."\n')
        ran = self.run_awl("hi", preexec_fn=small_files)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"), ran.stderr)
        self.assertIn(b"not being saved", ran.stderr)
        ran = self.run_awl("hi", "--output-format", "json", preexec_fn=small_files)
        result = json.loads(ran.stdout)
        self.assertEqual((ran.returncode, result["result"]), (0, "Hello."), ran.stderr)
        self.assertIn("File too large", result["awl_not_saved"])
        ran = self.run_awl("hi", "--output-format", "json")
        self.assertNotIn("awl_not_saved", json.loads(ran.stdout))

    def test_a_command_still_dies_of_the_signal_that_awl_ignores(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        self.serve('reply\n  tool Bash {"command": "yes > big; echo status $?"}\nreply\n  text "ok"\n')
        ran = self.run_awl("hi", "--allowedTools", "Bash", preexec_fn=small_files)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"ok\n"), ran.stderr)
        self.assertIn(f"status {128 + signal.SIGXFSZ}", json.dumps(self.requests()[-1]))

    def test_output_on_a_full_disk_is_a_failure_with_a_message(self):
        self.serve('reply forever\n  text "Hello."\n')
        for args in ([], ["--output-format", "json"],
                     ["--output-format", "stream-json", "--verbose"]):
            with open("/dev/full", "wb") as full:
                ran = subprocess.run([AWL, "-p", "hi", *args], stdin=subprocess.DEVNULL, stdout=full,
                                     stderr=subprocess.PIPE, cwd=self.cwd, timeout=PATIENCE,
                                     env=self.environment(**self.modelled()))
            self.assertEqual(ran.returncode, 1)
            self.assertIn(b"No space left", ran.stderr)

    def test_a_reader_that_leaves_ends_it_quietly(self):
        self.serve('reply forever\n  text "Hello."\n  stall 100ms\n  text "More."\n')
        for args in ([], ["--output-format", "stream-json", "--verbose"]):
            reading, writing = os.pipe()
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                ran = subprocess.run([AWL, "-p", "hi", *args], stdin=subprocess.DEVNULL, stdout=pipe,
                                     stderr=subprocess.PIPE, cwd=self.cwd, timeout=PATIENCE,
                                     env=self.environment(**self.modelled()))
            self.assertEqual(ran.stderr, b"")
            self.assertIn(ran.returncode, (0, 1))

    def test_a_reader_that_does_not_read_cannot_keep_it_from_ending(self):
        self.serve('reply\n  text "0123456789" times 100000\n  stall forever\n')
        process = self.start("-p", "hi", "--output-format", "stream-json", "--verbose",
                             "--include-partial-messages")
        os.read(process.stdout.fileno(), 1)
        while process.poll() is None:
            process.send_signal(signal.SIGTERM)
        self.assertIn(process.returncode, (143, -signal.SIGTERM))

    def test_descriptors_that_are_closed_do_not_become_files_of_ours(self):
        self.serve('reply forever\n  text "Hello."\n')
        run = f'exec "{AWL}" -p hi --output-format json '
        for closed, status in (("<&-", 0), ("</dev/null >&-", 1), ("</dev/null 2>&-", 0),
                               ("<&- >&- 2>&-", 1)):
            ran = subprocess.run(["sh", "-c", run + closed], cwd=self.cwd, capture_output=True,
                                 timeout=PATIENCE, env=self.environment(**self.modelled()))
            self.assertEqual(ran.returncode, status, closed)
        for path in glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl")):
            with open(path, encoding="utf-8") as file:
                self.assertNotIn("result", {json.loads(line)["type"] for line in file})

    def test_an_interrupt_in_json_still_writes_the_result(self):
        self.serve('reply\n  tool Bash {"command": "touch started; exec sleep 1000"}\n')
        process = self.start("-p", "hi", "--output-format", "json", "--allowedTools", "Bash")
        self.wait_for_file("started")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(output)["terminal_reason"], "aborted_tools")


if __name__ == "__main__":
    unittest.main()
