"""awl --bg: sessions that outlive the terminal, below one supervisor."""

import json
import os
import signal
import socket
import subprocess
import threading
import time

from background_rig import Background
from rig import AWL, Terminal


class Sessions(Background):
    def test_a_session_works_on_its_own_and_is_listed(self):
        id = self.begin("say hello")
        job = self.wait_for_state(id, "idle")
        self.assertEqual((job["prompt"], job["cwd"], job["kind"], job["lastText"]),
                         ("say hello", self.cwd, "background", "Hello from the model."))
        line = self.ok("agents", "list")
        self.assertRegex(line, rf"^{id}  idle +just now +\$0\.\d\d +say hello  /")
        self.assertIn("Hello from the model.", self.ok("agents", "logs", id))

    def test_those_of_a_directory_are_listed_in_the_words_of_other_programs(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        self.assertEqual([job["id"] for job in json.loads(self.ok("agents", "--json", "--all", "--cwd", self.cwd))], [id])
        self.assertEqual(json.loads(self.ok("agents", "--json", "--cwd", self.home)), [])
        self.assertEqual(self.ok("agents", "list", "--cwd", self.home),
                         'There are no background sessions of this directory; awl --bg "..." starts one.\n')

    def test_it_has_the_flags_name_and_environment_of_the_command(self):
        id = self.begin("--name", "the fixer", "--permission-mode", "bypassPermissions", "touch it", IS_SANDBOX="1")
        self.wait_for_state(id, "idle")
        self.assertTrue(os.path.exists(self.path("made")))
        self.assertEqual(self.jobs()[id]["name"], "the fixer")

    def test_it_can_be_told_more_by_id_beginning_of_id_and_name(self):
        id = self.begin("--name", "fixer", "say hello")
        for who in (id, id[:6], "fixer"):
            self.ok("agents", "reply", who, "and", "more")
        self.wait_until(lambda: self.ok("agents", "logs", id).count("and more") == 3, "replies are lost")

    def test_a_prompt_is_not_needed(self):
        id = self.begin()
        self.wait_for_state(id, "idle")
        self.ok("agents", "reply", id, "say hello")
        self.wait_until(lambda: self.jobs()[id].get("lastText"), "no answer")
        self.assertEqual(self.jobs()[id]["prompt"], "say hello")

    def test_an_idle_session_ends_and_a_reply_starts_it_again(self):
        self.idle = "0"
        id = self.begin("say hello")
        job = self.wait_for_state(id, "done")
        self.assertNotIn("pid", job)
        self.wait_until(lambda: not self.supervisors(), "the supervisor outlives its last session")
        self.ok("agents", "reply", id, "once more")
        job = self.wait_for_state(id, "done")
        said = self.ok("agents", "logs", id)
        self.assertLess(said.index("say hello"), said.index("once more"))

    def test_a_finished_session_can_be_resumed_in_a_terminal(self):
        self.idle = "0"
        id = self.begin("say hello")
        self.wait_for_state(id, "done")
        ran = self.run_awl("-p", "--resume", id, "in front")
        self.assertEqual(ran.stdout, b"Hello from the model.\n", ran.stderr)
        self.assertIn("in front", self.ok("agents", "logs", id))

    def test_a_conversation_can_go_on_in_the_background(self):
        ran = self.run_awl("-p", "--output-format", "json", "first")
        session = json.loads(ran.stdout)["session_id"]
        id = self.begin("--resume", session, "second")
        job = self.wait_for_state(id, "idle")
        self.assertEqual(job["sessionId"], session)
        self.assertIn("first", self.ok("agents", "logs", id))

    def test_a_failed_turn_says_why_and_the_session_goes_on(self):
        id = self.begin("fail")
        self.assertIn("No such luck", self.wait_for_state(id, "failed")["error"])
        self.ok("agents", "reply", id, "say hello")
        self.wait_for_state(id, "idle")

    def test_a_session_that_cannot_start_is_not_listed(self):
        ran = self.awl("--bg", "hello")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"no model is configured", ran.stderr)
        self.assertEqual(self.jobs(), {})

    def test_flags_that_make_no_sense_are_refused(self):
        for flag in ("--print", "--output-format=json", "--demo"):
            ran = self.run_awl("--bg", flag, "hello")
            self.assertEqual(ran.returncode, 1)
            self.assertIn(b"cannot be used with --bg", ran.stderr)

    def test_stop_ends_a_command_and_keeps_the_session(self):
        id = self.begin("--permission-mode", "bypassPermissions", "wait", IS_SANDBOX="1")
        self.wait_for_state(id, "working")
        self.assertEqual(self.ok("agents", "stop", id), f"Stopped {id}.\n")
        self.assertNotIn("pid", self.wait_for_state(id, "stopped"))
        self.wait_until(lambda: not self.sessions(), "its process lives on")

    def test_rm_ends_and_forgets_but_keeps_the_conversation(self):
        id = self.begin("say hello")
        session = self.wait_for_state(id, "idle")["sessionId"]
        self.ok("agents", "rm", id)
        self.assertEqual(self.jobs(), {})
        self.wait_until(lambda: not self.sessions(), "its process lives on")
        self.assertEqual(self.run_awl("-p", "--resume", session, "hi").returncode, 0)

    def test_a_list_of_nothing_starts_nothing(self):
        self.assertIn("There are no background sessions", self.ok("agents", "list"))
        self.assertEqual(self.ok("agents", "list", "--json"), "[]\n")
        self.assertFalse(os.path.exists(self.directory()))

    def test_old_sessions_and_files_of_others_are_not_listed(self):
        os.makedirs(self.directory(), 0o700)
        now = int(time.time() * 1000)
        for id, age in (("old1", 31), ("new1", 29)):
            job = {"id": id, "state": "done", "cwd": "/", "updated": now - age * 86400000}
            self.write(os.path.join(self.directory(), id + ".json"), json.dumps(job))
        for name, text in (("bad1.json", "{"), ("bad2.json", "[]"), ("bad3.json", '{"id":"other"}'), ("x y.json", "{}")):
            self.write(os.path.join(self.directory(), name), text)
        self.assertEqual(list(self.jobs()), ["new1"])
        self.assertFalse(os.path.exists(os.path.join(self.directory(), "old1.json")))
        self.assertTrue(os.path.exists(os.path.join(self.directory(), "bad1.json")))

    def test_an_unknown_session_is_named(self):
        for words in (["stop", "nope"], ["rm", "nope"], ["logs", "nope"], ["reply", "nope", "x"]):
            ran = self.run_awl("agents", *words)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertIn(b"no", ran.stderr)


class Processes(Background):
    def test_killing_the_supervisor_ends_everything(self):
        id = self.begin("--permission-mode", "bypassPermissions", "wait", IS_SANDBOX="1")
        self.wait_for_state(id, "working")
        os.kill(self.supervisor(), signal.SIGKILL)
        self.wait_until(lambda: not self.sessions(), "the session outlives its supervisor")
        job = self.jobs()[id]  # by another supervisor, over the socket of the dead one
        self.assertEqual((job["state"], job["error"]), ("failed", "its supervisor was ended"))

    def test_killing_a_session_is_seen(self):
        id = self.begin("--permission-mode", "bypassPermissions", "wait", IS_SANDBOX="1")
        job = self.wait_for_state(id, "working")
        os.kill(job["pid"], signal.SIGKILL)
        self.assertEqual(self.wait_for_state(id, "failed")["error"], "its process was ended by signal 9")
        self.write("go", "")
        self.ok("agents", "reply", id, "say hello", IS_SANDBOX="1")
        self.wait_for_state(id, "idle")

    def test_the_supervisor_ends_with_the_last_session(self):
        first, second = self.begin("say hello"), self.begin("say hello")
        self.wait_for_state(first, "idle")
        self.ok("agents", "stop", first)
        self.wait_for_state(second, "idle")
        self.ok("agents", "rm", second)
        self.wait_until(lambda: not self.supervisors(), "the supervisor outlives its last session")
        self.assertFalse(os.path.exists(self.socket()))

    def test_a_terminated_supervisor_ends_its_sessions_in_order(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        os.kill(self.supervisor(), signal.SIGTERM)
        self.wait_until(lambda: not self.supervisors(), "it does not end")
        self.assertFalse(self.sessions())
        self.assertEqual(self.jobs()[id]["state"], "stopped")

    def test_sessions_survive_the_terminal(self):
        shell = Terminal(["/bin/sh", "-c", f"{AWL} --bg say hello; read line"], self.cwd,
                         self.environment(**self.env()), 24, 80)
        shell.wait_for("Started background session")
        id = shell.text().split("session ")[1].split(".")[0]
        shell.close()  # the terminal is gone
        self.assertEqual(self.wait_for_state(id, "idle")["lastText"], "Hello from the model.")

    def test_many_commands_at_once_make_one_supervisor(self):
        ran = []
        threads = [threading.Thread(target=lambda: ran.append(self.begin("say hello"))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(ran)), 6)
        self.supervisor()
        self.assertEqual(set(self.jobs()), set(ran))


class Socket(Background):
    """The socket, and what may be at the other end of it."""

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.connect(self.socket())
        self.addCleanup(client.close)
        return client

    def test_only_the_user_may_enter_the_directory(self):
        self.begin("say hello")
        self.assertEqual(os.stat(self.directory()).st_mode & 0o777, 0o700)
        self.assertEqual(os.stat(self.socket()).st_mode & 0o777, 0o600)

    def test_flags_are_kept_for_the_user_alone_until_the_session_is_removed_and_the_environment_never(self):
        id = self.begin("--settings", '{"env": {"IN_A_FLAG": "kept"}}', "say hello", IN_THE_ENVIRONMENT="secret-word")
        self.wait_for_state(id, "idle")
        path = os.path.join(self.directory(), id + ".json")
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("IN_A_FLAG", text)
        self.assertNotIn("secret-word", text)
        self.ok("agents", "rm", id)
        self.assertFalse(os.path.exists(path))

    def test_a_directory_that_others_may_enter_is_closed_to_them(self):
        os.makedirs(self.directory())
        os.chmod(self.directory(), 0o777)
        self.begin("say hello")
        self.assertEqual(os.stat(self.directory()).st_mode & 0o777, 0o700)

    def test_clients_that_say_nothing_or_garbage_disturb_nobody(self):
        id = self.begin("say hello")
        silent = self.connect()
        for text in (b"\0\xff\xfe\n", b"[1,2,3]\n", b'{"type":"nonsense"}\n', b"{" * 5000 + b"\n", b"GET / HTTP/1.1\r\n\r\n",
                     b'{"type":"hello","protocol":1}\n{"type":"send","id":"%s","text":"{]"}\n' % id.encode()):
            client = self.connect()
            client.sendall(text)
            client.close()
        client = self.connect()
        client.sendall(b"[]\n")
        self.assertIn(b"must be an object", client.recv(4096))
        self.assertEqual(client.recv(4096), b"")
        self.assertEqual(self.wait_for_state(id, "idle")["lastText"], "Hello from the model.")
        silent.close()

    def test_a_client_that_does_not_read_stops_nobody(self):
        id = self.begin("say hello")
        client = self.connect()
        client.sendall(b'{"type":"hello","protocol":1}\n{"type":"watch"}\n')
        for n in range(20):
            self.ok("agents", "reply", id, f"number {n}")
        self.wait_until(lambda: "number 19" in self.ok("agents", "logs", id), "the session stopped")

    def test_replies_to_a_client_that_does_not_read_have_a_limit(self):
        os.makedirs(self.directory(), 0o700)
        job = {"id": "big1", "state": "done", "cwd": "/", "updated": int(time.time() * 1000), "text": "x" * 1000000}
        self.write(os.path.join(self.directory(), "big1.json"), json.dumps(job))
        self.begin("say hello")
        client = self.connect()
        client.sendall(b'{"type":"hello","protocol":1}\n' + b'{"type":"list"}\n' * 200)
        self.jobs()  # answered later than all of those
        received = 0
        try:
            while chunk := client.recv(1 << 20):
                received += len(chunk)
                self.assertLess(received, 64 << 20)
        except ConnectionResetError:
            pass

    def test_a_session_is_removed_while_a_client_has_not_read_all_of_it(self):
        os.makedirs(self.directory(), 0o700)
        job = {"id": "big1", "state": "done", "cwd": "/", "updated": int(time.time() * 1000), "text": "x" * 1000000}
        self.write(os.path.join(self.directory(), "big1.json"), json.dumps(job))
        other, id = (self.begin("say hello") for _ in range(2))
        self.wait_for_state(id, "idle")
        supervisor = self.supervisor()
        client = self.connect()
        client.sendall(b'{"type":"hello","protocol":1}\n{"type":"list"}\n{"type":"attach","id":"%s"}\n' % id.encode())
        self.ok("agents", "rm", id)
        self.wait_until(lambda: len(self.sessions()) == 1, "its process lives on")
        client.close()
        self.assertEqual(set(self.jobs()), {"big1", other})
        self.assertEqual(self.supervisor(), supervisor)

    def test_a_socket_that_nobody_listens_at_is_replaced(self):
        os.makedirs(self.directory(), 0o700)
        stale = socket.socket(socket.AF_UNIX)
        stale.bind(self.socket())
        stale.close()
        self.wait_for_state(self.begin("say hello"), "idle")

    def test_a_supervisor_of_another_version_is_named(self):
        os.makedirs(self.directory(), 0o700)
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.socket())
        server.listen()

        def answer():
            client, _ = server.accept()
            client.recv(4096)
            client.sendall(b'{"type":"hello","protocol":99,"version":"9.9.9","pid":4711}\n')
            client.close()

        thread = threading.Thread(target=answer)
        thread.start()
        ran = self.run_awl("--bg", "hello")
        thread.join()
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stderr, rb"run by awl 9\.9\.9 \(process 4711\).*kill 4711")

    def test_a_client_of_another_version_is_told_ours(self):
        self.begin("say hello")
        client = self.connect()
        client.sendall(b'{"type":"hello","protocol":99}\n')
        hello = json.loads(client.makefile().readline())
        self.assertEqual((hello["type"], hello["protocol"], hello["pid"]), ("hello", 1, self.supervisor()))
        self.assertEqual(client.recv(10), b"")

    def test_a_long_path_does_not_matter(self):
        home = os.path.join(self.root, "h" * 120)
        os.makedirs(home)
        self.home = home
        self.wait_for_state(self.begin("say hello"), "idle")

    def test_an_idle_supervisor_does_not_wake_up(self):
        id = self.begin("say hello")
        self.wait_for_state(id, "idle")
        pid = self.supervisor()

        def switches():
            with open(f"/proc/{pid}/status", encoding="utf-8") as file:
                return [line for line in file if "ctxt_switches" in line]

        def has_settled():
            before = switches()
            subprocess.run(["sleep", "0.3"], check=True)
            return switches() == before

        self.wait_until(has_settled, "it wakes up again and again")
