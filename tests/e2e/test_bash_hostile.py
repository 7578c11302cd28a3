"""Commands that mean harm or run wild: each costs a bounded amount of time, memory and
disk, and nothing of any of them is there when the session is over."""

import contextlib
import glob
import json
import os
import re
import subprocess
import threading
import unittest
import uuid

from rig import PATIENCE, Modelled

STREAM = ["-p", "--output-format", "stream-json", "--verbose", "--input-format", "stream-json"]
MIB = 1 << 20

# A storm of processes, each leaf of which says that it is there; 127 and 128 of them, no more.
TREE = ("cat >tree <<'END'\n"
        "if [ $1 = 0 ]; then echo >>leaves; trap '' TERM HUP; exec sleep 1000; fi\n"
        "{apart} bash tree $(($1-1)) & {apart} bash tree $(($1-1)) & wait\n"
        "END\n"
        "{apart} bash tree 7 & until [ -e leaves ] && [ $(wc -l <leaves) = 128 ]; do sleep 0.05; done")

# Somebody who is never where he was just seen: each process starts the next one, in a session
# of its own, and ends. It stops after a while, should nobody stop it.
RUNNER = ("perl -MPOSIX -e '$SIG{TERM} = $SIG{HUP} = \"IGNORE\"; $end = time + 60; "
          "while (time < $end) { fork and POSIX::_exit(0); POSIX::setsid() }'")

DAEMON = ("perl -MPOSIX -e 'fork and POSIX::_exit(0); POSIX::setsid(); fork and POSIX::_exit(0); "
          "chdir \"/\"; POSIX::close($_) for 0..63; $SIG{TERM} = $SIG{HUP} = \"IGNORE\"; sleep 1000'")


def marked(marker):
    """The processes that have the marker in their environment; awl hides its own, but has the
    marker in its command line."""
    found = set()
    for path in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                if marker.encode() in file.read():
                    found.add(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def most_memory(pid):
    """The most that the process has had in memory so far, in bytes."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1)) << 10


@unittest.skipUnless(os.path.exists("/usr/bin/perl"), "needs perl")
class Hostile(Modelled):
    def setUp(self):
        super().setUp()
        self.marker = f"hostile-{uuid.uuid4()}"

    def begin(self, command, **more):
        """A session in which the model runs the command, which is let run."""
        self.serve("reply\n  tool Bash " + json.dumps({"command": command, **more}) +
                   '\nreply forever\n  text "I see."\n')
        self.process = self.start(*STREAM, "--permission-prompt-tool", "stdio", "-n", self.marker,
                                  stdin=subprocess.PIPE,
                                  AWL_TEST_MARKER=self.marker, ASAN_OPTIONS="quarantine_size_mb=1")
        watchdog = threading.Timer(3 * PATIENCE, self.process.kill)
        watchdog.start()
        self.addCleanup(watchdog.cancel)
        self.say("go")

    def say(self, text):
        self.send({"type": "user", "session_id": "", "parent_tool_use_id": None,
                   "message": {"role": "user", "content": text}})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def permit(self, ask):
        """The user lets the command run, whatever it is."""
        yes = {"behavior": "allow", "updatedInput": ask["request"]["input"]}
        self.send({"type": "control_response", "response": {
            "subtype": "success", "request_id": ask["request_id"], "response": yes}})

    def event(self, wanted):
        """Reads up to such an event; questions on the way are answered."""
        for line in self.process.stdout:
            event = json.loads(line)
            if wanted(event):
                return event
            if event["type"] == "control_request":
                self.permit(event)
        self.fail(f"it ended early: {self.process.stderr.read()}")

    def let_begin(self):
        self.permit(self.event(lambda e: e["type"] == "control_request"))

    def result(self):
        """What the model was told of the command."""
        event = self.event(lambda e: "tool_use_result" in e)
        block = event["message"]["content"][0]
        self.event(lambda e: e["type"] == "result")
        return block["content"], block.get("is_error", False)

    def leave(self):
        """Ends the session, and waits until nothing of it is left."""
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.assert_nothing_left()

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE)
        self.assert_nothing_left()

    def assert_nothing_left(self):
        self.wait_until(lambda: not marked(self.marker), "a process has survived the session")

    def others(self):
        """How many run in the session besides awl and its guard."""
        return sum(name_of(pid) not in ("awl", "awl-guard", "") for pid in marked(self.marker))

    def disk(self):
        """Bytes in files that the session has made; one may go while we look."""
        found = 0
        for top in (self.home, self.cwd):
            for folder, _, names in os.walk(top):
                for name in names:
                    with contextlib.suppress(FileNotFoundError):
                        found += os.path.getsize(os.path.join(folder, name))
        return found

    def test_200_mb_of_output_take_little_memory_and_a_bounded_file(self):
        self.begin("touch it")
        self.result()
        usual = most_memory(self.process.pid)
        self.leave()
        for command in ("yes 'a line like any other' | head -c 200000000",
                        "head -c 200000000 /dev/zero | tr '\\0' x",
                        "head -c 200000000 /dev/urandom"):
            with self.subTest(command=command):
                before = self.disk()
                self.begin(command)
                text, is_error = self.result()
                self.assertFalse(is_error, text[:200])
                self.assertLess(len(text), 30000)
                self.assertIn("The start of the output is in ", text)
                self.assertLess(most_memory(self.process.pid) - usual, 16 * MIB)
                self.assertLess(self.disk() - before, 66 * MIB)
                self.leave()

    def test_endless_output_is_cut_off(self):
        self.begin("yes")
        text, is_error = self.result()
        self.assertTrue(is_error)
        self.assertIn("Killed because it printed more than 256 MiB.", text)
        self.assertLess(self.disk(), 66 * MIB)
        self.leave()

    def test_endless_output_in_the_background_is_cut_off(self):
        self.begin("yes", run_in_background=True)
        self.result()
        self.event(lambda e: "has ended" in json.dumps(e))
        self.assertLess(self.disk(), 66 * MIB)
        self.leave()

    def test_a_command_that_ignores_term_does_not_outlive_the_session(self):
        for how in ({"run_in_background": True}, {"timeout": 100}):
            with self.subTest(**how):
                self.begin("trap '' TERM HUP INT; touch up; while :; do sleep 1000; done", **how)
                text, _ = self.result()
                self.assertIn("in the background as bash_1", text)
                self.leave()

    def test_an_interrupt_ends_a_command_that_ignores_term(self):
        self.begin("trap '' TERM HUP INT; touch up; while :; do sleep 1000; done")
        self.let_begin()
        self.wait_for_file("up")
        self.send({"type": "control_request", "request_id": "r", "request": {"subtype": "interrupt"}})
        self.event(lambda e: e["type"] == "result")
        self.assertEqual(self.others(), 0)
        self.leave()

    def test_a_daemon_does_not_outlive_the_session(self):
        for command in (DAEMON, "setsid sleep 1000 & disown; sleep 0.1", f"({DAEMON} &) & kill -9 $$",
                        f"{DAEMON}; exec 1>&- 2>&-; exit 0"):
            with self.subTest(command=command):
                self.begin(command)
                self.result()
                self.leave()

    def test_a_daemon_is_gone_however_the_session_ends(self):
        for signo in (9, 15, 2, 1):
            with self.subTest(signo=signo):
                self.begin(f"{DAEMON}; touch up; exec sleep 1000")
                self.let_begin()
                self.wait_for_file("up")
                os.remove(self.path("up"))
                self.wait_until(lambda: self.others() > 1, "there is no daemon")
                self.process.send_signal(signo)
                self.process.wait(PATIENCE)
                self.assert_nothing_left()

    def test_killing_the_guard_saves_nobody(self):
        guard = "$(cut -d' ' -f4 /proc/$PPID/stat)"  # the parent of a command only watches it
        self.begin(f"{DAEMON}; {DAEMON}; sleep 0.1; kill -9 {guard}; sleep 1000")
        self.event(lambda e: e["type"] == "result")
        self.wait_until(lambda: not self.others(), "a daemon has outlived the guard")
        self.leave()

    def test_killing_its_parent_ends_a_command(self):
        self.begin(f"{DAEMON}; kill -9 $PPID; sleep 1000")
        text, is_error = self.result()
        self.assertTrue(is_error, text)
        self.assertIn("SIGKILL", text)
        self.leave()

    def test_a_storm_of_forks_ends_with_its_command(self):
        self.begin(TREE.replace("{apart}", ""))
        text, is_error = self.result()
        self.assertFalse(is_error, text)
        self.assertEqual(self.others(), 0)
        self.leave()

    def test_a_storm_in_sessions_of_their_own_ends_with_ours(self):
        for end in (self.leave, self.kill):
            with self.subTest(end=end):
                self.begin(TREE.replace("{apart}", "setsid"))
                text, is_error = self.result()
                self.assertFalse(is_error, text)
                self.wait_until(lambda: self.others() >= 254, "there is no storm")
                end()
                os.remove(self.path("leaves"))

    def test_one_who_runs_away_by_forking_is_caught(self):
        for runners in (1, 20):
            with self.subTest(runners=runners):
                self.begin(f"for i in $(seq {runners}); do {RUNNER} & done; sleep 0.2")
                self.result()
                self.wait_until(lambda: self.others() > 0, "nobody runs")
                self.leave()

    def test_there_is_nothing_to_read(self):
        self.begin("cat; read x; echo \"read gave $?\"; cat </dev/tty")
        text, _ = self.result()
        self.assertIn("read gave 1", text)
        self.assertIn("/dev/tty", text)
        self.leave()

    def test_closing_the_output_is_no_end(self):
        self.begin("exec 1>&- 2>&-; touch up; exit 3")
        text, is_error = self.result()
        self.assertTrue(is_error)
        self.assertIn("Exit code 3", text)
        self.leave()
        self.begin("exec 1>&- 2>&-; exec sleep 1000", timeout=100)
        text, _ = self.result()
        self.assertIn("in the background as bash_1", text)
        self.leave()


if __name__ == "__main__":
    unittest.main()
