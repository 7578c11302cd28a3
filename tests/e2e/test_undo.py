"""Undo for everything: files before each prompt come back byte for byte, with modes and links."""

import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess

from rig import AWL, Modelled

FLAGS = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
         "--allowedTools", "Bash,Write,Edit")


def script(*calls):
    """One prompt for each call: the call, and an answer."""
    return "".join(f"reply\n  tool {name} {json.dumps(arguments)}\nreply\n  text \"Done.\"\n"
                   for name, arguments in calls)


def bash(command):
    return "Bash", {"command": command}


class Talk:
    """A session that is spoken to line by line."""

    def __init__(self, test, *args, **env):
        self.process = subprocess.Popen([AWL, *FLAGS, *args], cwd=test.cwd, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env=test.environment(**test.modelled(**env)))
        self.id = None
        self.seen = lambda event: None
        test.addCleanup(self.end)

    def read(self, kind):
        while True:
            line = self.process.stdout.readline()
            assert line, "the session ended"
            event = json.loads(line)
            self.id = event.get("session_id", self.id)
            self.seen(event)
            if event["type"] == kind:
                return event

    def send(self, frame):
        self.process.stdin.write(json.dumps(frame).encode() + b"\n")
        self.process.stdin.flush()

    def say(self, text, uuid=None):
        frame = {"type": "user", "message": {"role": "user", "content": text}, "parent_tool_use_id": None}
        self.send({**frame, "uuid": uuid} if uuid else frame)
        return self.read("result")

    def rewind(self, uuid, dry_run=False):
        self.send({"type": "control_request", "request_id": "r",
                   "request": {"subtype": "rewind_files", "user_message_id": uuid, "dry_run": dry_run}})
        return self.read("control_response")["response"]

    def settle(self):
        """Wait until awl has looked at the files after the last turn, which it does after the result."""
        self.rewind(some_uuid(0), dry_run=True)

    def end(self):
        if self.process.stdin.closed:
            return
        self.process.stdin.close()
        self.process.stdout.read()
        self.process.stdout.close()
        self.process.wait()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def tree(top):
    """Everything below a directory but .git, by path."""
    found = {}
    for folder, folders, files in os.walk(top):
        if ".git" in folders:
            folders.remove(".git")
        for name in folders + files:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            if stat.S_ISLNK(info.st_mode):
                what = os.readlink(path)
            elif stat.S_ISREG(info.st_mode):
                with open(path, "rb") as file:
                    what = (stat.S_IMODE(info.st_mode), file.read())
            else:
                what = (stat.S_IMODE(info.st_mode), None)
            found[os.path.relpath(path, top)] = what
    return found


def some_uuid(n):
    return f"00000000-0000-4000-8000-{n:012d}"


class Undo(Modelled):
    def talk(self, *calls, args=(), **env):
        if calls:
            self.serve(script(*calls))
        return Talk(self, *args, **env)

    def test_what_tools_and_commands_changed_is_undone_and_redone(self):
        self.write("a.txt", "one\n")
        os.makedirs(self.path("d/e"))
        before = tree(self.cwd)
        talk = self.talk(("Write", {"file_path": "new/b.txt", "content": "b\n"}), bash("rm a.txt; rmdir d/e; ln -s x link"))
        talk.say("first")
        middle = tree(self.cwd)
        talk.say("second")
        after = tree(self.cwd)
        said = talk.say("/undo")
        self.assertEqual(tree(self.cwd), middle, said)
        self.assertIn('Undid what "second" changed', said["result"])
        self.assertIn("bring back a.txt", said["result"])
        talk.say("/undo")
        self.assertEqual(tree(self.cwd), before)
        self.assertIn("There is nothing to undo", json.dumps(talk.say("/undo")))
        talk.say("/redo")
        self.assertEqual(tree(self.cwd), middle)
        talk.say("/redo")
        self.assertEqual(tree(self.cwd), after)
        self.assertIn("There is nothing to redo", json.dumps(talk.say("/redo")))

    def test_commits_made_since_are_named_because_they_stay(self):
        commit = ("git add -A && git -c user.name=n -c user.email=n@example.com commit -qm "
                  "'Write a file' && git rev-parse --short=7 HEAD")
        subprocess.run(["git", "init", "-q"], cwd=self.cwd, check=True)
        talk = self.talk(bash(f"echo a > a; {commit}"))
        talk.say("first")
        said = talk.say("/undo")["result"]
        short = subprocess.run(["git", "rev-parse", "--short=7", "HEAD"], cwd=self.cwd, check=True, text=True,
                               stdout=subprocess.PIPE).stdout.strip()
        self.assertIn(f"1 commit made since stays:\n  {short} Write a file", said)
        self.assertFalse(os.path.exists(self.path("a")))
        talk.end()

    def test_a_command_that_only_reads_leaves_no_history(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("cat a.txt"))
        talk.say("look")
        talk.end()
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/awl/undo")))

    def test_hosts_rewind_to_any_prompt_and_ask_first_what_would_change(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("echo two >> a.txt"), bash("echo three >> a.txt; echo x > made"))
        talk.say("first", some_uuid(1))
        talk.say("second", some_uuid(2))
        planned = talk.rewind(some_uuid(1), dry_run=True)["response"]
        self.assertEqual(planned, {"canRewind": True, "insertions": 0, "deletions": 3,
                                   "filesChanged": [self.path("a.txt"), self.path("made")]})
        self.assertEqual(self.read("a.txt"), "one\ntwo\nthree\n")
        self.assertEqual(talk.rewind(some_uuid(2))["response"]["filesChanged"], planned["filesChanged"])
        self.assertEqual((self.read("a.txt"), os.path.exists(self.path("made"))), ("one\ntwo\n", False))
        self.assertTrue(talk.rewind(some_uuid(1))["response"]["canRewind"])
        self.assertEqual(self.read("a.txt"), "one\n")
        unknown = talk.rewind(some_uuid(9), dry_run=True)["response"]
        self.assertEqual((unknown["canRewind"], "No file checkpoint" in unknown["error"]), (False, True))
        self.assertEqual(talk.rewind(some_uuid(9))["subtype"], "error")

    def test_prompts_for_which_nothing_was_saved_are_there_after_a_resume(self):
        self.serve('reply forever when prompt contains "[gamma]"\n'
                   f'  tool Write {json.dumps({"file_path": self.path("f"), "content": "x"})}\n'
                   'reply forever otherwise\n  text "Done."\n')
        talk = Talk(self)
        talk.say("alpha")
        talk.kill()
        talk = Talk(self, "--resume", talk.id)
        talk.say("beta")
        talk.end()
        talk = Talk(self, "--resume", talk.id)
        for prompt in ("[gamma]", "delta"):
            talk.say(prompt)
        talk.kill()
        talk = Talk(self, "--resume", talk.id)
        listed = talk.say("/rewind")["result"]
        self.assertEqual(listed.splitlines()[:4], ["  1. delta", "  2. [gamma] (1 file changed)", "  3. beta",
                                                   "  4. alpha"])
        talk.say("/rewind 3")
        self.assertFalse(os.path.exists(self.path("f")))
        talk.say("epsilon")
        self.assertNotIn("[gamma]", json.dumps(self.requests()[-1]["messages"]))

    def test_the_history_survives_the_process(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("echo two > a.txt; chmod 600 a.txt"))
        talk.say("change")
        talk.kill()
        talk = self.talk(args=("--resume", talk.id))
        self.assertIn("restore a.txt", json.dumps(talk.say("/undo")))
        self.assertEqual((self.read("a.txt"), stat.S_IMODE(os.stat(self.path("a.txt")).st_mode)), ("one\n", 0o644))

    def test_what_another_program_changed_is_not_overwritten_unasked(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("echo two > a.txt"), bash("true > b.txt"))
        talk.say("change")
        talk.say("more")
        talk.settle()
        self.write("a.txt", "mine\n")
        self.assertIn("Another program has changed 1 of the files", json.dumps(talk.say("/rewind 2 files")))
        self.assertEqual(self.read("a.txt"), "mine\n")
        talk.say("/rewind 2 files force")
        self.assertEqual(self.read("a.txt"), "one\n")
        talk.say("/redo")
        self.assertEqual(self.read("a.txt"), "mine\n")

    def test_what_was_not_kept_is_named(self):
        self.write("big.bin", "x" * 3_000_000)
        talk = self.talk(bash("rm big.bin"), args=("--settings", '{"undoMaxFileMegabytes": 2}'))
        talk.say("remove")
        said = talk.say("/undo")["result"]
        self.assertIn("keep big.bin (it was not kept: the file is too big)", said)
        self.assertIn("1 could not be restored", said)

    def test_directories_with_many_ignored_files_are_left_out(self):
        self.write(".gitignore", "build/\n")
        os.makedirs(self.path("build"))
        for i in range(30):
            self.write(f"build/{i}", "x")
        talk = self.talk(bash("rm -r build; rm .gitignore"), args=("--settings", '{"undoMaxIgnoredFiles": 20}'))
        talk.say("remove")
        said = talk.say("/undo")["result"]
        self.assertIn("keep build", said)
        self.assertIn("the directory has more than 20 ignored files", said)
        self.assertEqual(self.read(".gitignore"), "build/\n")

    def test_a_torn_history_is_read_up_to_the_tear(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("echo two > a.txt"), bash("echo three > a.txt"))
        talk.say("first")
        talk.end()
        [folder] = [os.path.join(self.home, ".claude/awl/undo", name)
                    for name in os.listdir(os.path.join(self.home, ".claude/awl/undo"))]
        log = os.path.join(folder, talk.id + ".log")
        with open(log, "a", encoding="utf-8") as file:
            file.write("B 1 1 " + self.cwd + "\n- " + self.path("a.txt") + "\n")
        talk = Talk(self, "--resume", talk.id)
        talk.say("second")
        talk.say("/undo")
        self.assertEqual(self.read("a.txt"), "two\n")
        talk.say("/undo")
        self.assertEqual(self.read("a.txt"), "one\n")

    def test_a_damaged_copy_is_reported_and_never_restored(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("echo two > a.txt"))
        talk.say("change")
        for folder, _, files in os.walk(os.path.join(self.home, ".claude/awl/undo")):
            for name in files:
                if not name.endswith(".log"):
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write("rubbish")
        said = talk.say("/undo")["result"]
        self.assertIn("the saved content is damaged", said)
        self.assertEqual(self.read("a.txt"), "two\n")

    def test_a_file_that_may_not_grow_costs_the_undo_but_not_the_work(self):
        self.write("a.txt", "one\n")
        self.write("much.bin", os.urandom(150_000).hex())
        talk = self.talk(bash("echo two > a.txt"), bash("rm much.bin; echo three > a.txt"))
        seen = []
        talk.seen = seen.append
        resource.prlimit(talk.process.pid, resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
        talk.say("change")
        self.assertEqual(self.read("a.txt"), "two\n")
        self.assertIn("What this turn changes cannot be undone", json.dumps(seen))
        resource.prlimit(talk.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        before = tree(self.cwd)
        talk.say("again")
        talk.say("/undo")
        self.assertEqual(tree(self.cwd), before)

    def test_a_kill_during_a_snapshot_loses_nothing(self):
        for i in range(3000):
            self.write(f"f{i}", f"{i}\n" * 1000)
        calls = [f"reply\n  tool Bash {json.dumps(bash(command)[1])}\n" for command in ("rm f1", "rm f3; echo four > f4")]
        self.serve("".join(calls) + 'reply\n  text "Done."\n' * 2)
        talk = Talk(self)
        talk.send({"type": "user", "message": {"role": "user", "content": "change"}, "parent_tool_use_id": None})
        talk.read("assistant")
        history = os.path.join(self.home, ".claude/awl/undo")
        while not any(name.endswith(".pack") for _, _, files in os.walk(history) for name in files):
            self.assertIsNone(talk.process.poll())
        talk.kill()
        present = tree(self.cwd)
        talk = Talk(self, "--resume", talk.id)
        talk.say("go on", some_uuid(7))
        self.assertTrue(talk.rewind(some_uuid(7))["response"]["canRewind"])
        self.assertTrue(tree(self.cwd) == present, "the tree differs")

    def test_the_conversation_goes_back_too_and_stays_there_after_a_resume(self):
        talk = self.talk(bash("echo 1 > one"), bash("echo 2 > two"), bash("echo 3 > three"))
        talk.say("make one")
        talk.say("make two")
        listed = talk.say("/rewind")["result"]
        self.assertIn("1. make two (1 file changed)", listed)
        self.assertIn("2. make one (1 file changed)", listed)
        talk.say("/rewind 1")
        self.assertEqual((os.path.exists(self.path("one")), os.path.exists(self.path("two"))), (True, False))
        talk.end()
        talk = Talk(self, "--resume", talk.id)
        talk.say("make three")
        sent = json.dumps(self.requests()[-1]["messages"])
        self.assertEqual(("make one" in sent, "make two" in sent, "make three" in sent), (True, False, True), sent)

    def test_going_back_crosses_a_compaction(self):
        self.write("a.txt", "one\n")
        before = tree(self.cwd)
        self.serve(script(bash("echo two > a.txt")) + 'reply\n  text "<summary>Changed a.txt.</summary>"\n' +
                   script(bash("echo three > a.txt")) + 'reply\n  text "Hello."\n')
        talk = Talk(self)
        talk.say("first")
        talk.say("/compact")
        talk.say("second")
        self.assertEqual(self.read("a.txt"), "three\n")
        self.assertIn("Changed a.txt", json.dumps(self.requests()[-1]["messages"]))
        self.assertIn("2. first (1 file changed)", talk.say("/rewind")["result"])
        said = talk.say("/rewind 2")
        self.assertEqual(tree(self.cwd), before, said)
        talk.say("fresh start")
        sent = json.dumps(self.requests()[-1]["messages"])
        self.assertEqual(("second" in sent, "Changed a.txt" in sent, "fresh start" in sent), (False, False, True), sent)

    def test_the_difference_of_a_turn_and_of_the_session_needs_no_git(self):
        self.write("a.txt", "one\n")
        talk = self.talk(bash("echo two >> a.txt"), bash("echo three >> a.txt"))
        talk.say("first")
        talk.say("second")
        self.assertIn("\n+three\n", talk.say("/diff turn")["result"])
        self.assertNotIn("+two", talk.say("/diff turn")["result"])
        self.assertIn("+two\n+three\n", talk.say("/diff session")["result"])


NAMES = ["a", "b", "c.txt", "d/e", "d/f g", "d/h/i", "ü", "-x"]


def random_command(rng):
    one, two = rng.choice(NAMES), rng.choice(NAMES)
    return rng.choice([
        f"mkdir -p $(dirname './{one}'); echo {rng.random()} > './{one}'",
        f"echo more >> './{one}'", f"rm -rf './{one}'", f"mv './{one}' './{two}'", f"cp -a './{one}' './{two}'",
        f"sed -i s/0/1/ './{one}'", f"chmod {rng.choice(['600', '755', '444', '640'])} './{one}'",
        f"ln -sfn './{two}' './{one}'", f"ln -f './{one}' './{two}'", f"touch './{one}'",
        "mkdir -p d/empty/deep", "rm -rf d", "chmod 750 d", "rm -rf ./*",
        "git init -q . ; git add -A ; git -c user.name=a -c user.email=b@c commit -qm x",
        "git stash -q -u", "git stash pop -q", "git checkout -q -f HEAD", "git clean -qfdx", "printf 'c.txt\\n' > .gitignore",
    ]) + " 2>/dev/null; true"


class Property(Modelled):
    def check(self, seed):
        rng = random.Random(seed)
        shutil.rmtree(self.cwd)
        os.makedirs(self.path("d/h"))
        for name in rng.sample(NAMES, 5):
            if not name.startswith("-"):
                self.write(name, f"{name} {rng.random()}\n")
        steps = 8
        calls = [bash(random_command(rng)) if rng.random() < 0.8 else
                 ("Write", {"file_path": self.path(f"w{rng.randrange(3)}"), "content": f"{rng.random()}\n"})
                 for _ in range(steps)]
        self.serve(script(*calls))
        talk, states = Talk(self), []
        for i in range(steps):
            states.append(tree(self.cwd))
            talk.say(f"step {i}", some_uuid(i + 1))
            if rng.random() < 0.2:
                to = rng.randrange(i + 1)
                talk.rewind(some_uuid(to + 1))
                self.assertEqual(tree(self.cwd), states[to], (seed, i, to, calls))
        last = tree(self.cwd)
        for to in rng.sample(range(steps), 3):
            said = talk.rewind(some_uuid(to + 1))
            self.assertEqual(tree(self.cwd), states[to], (seed, to, calls, said))
            talk.say("/redo")
            self.assertEqual(tree(self.cwd), last, (seed, to, calls))
        talk.end()

    def test_random_sequences_end_in_identical_trees(self):
        for seed in range(int(os.environ.get("AWL_UNDO_SEEDS", "12"))):
            with self.subTest(seed=seed):
                self.check(seed)
