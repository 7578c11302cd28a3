"""Sessions and agents in git worktrees: --worktree, EnterWorktree, ExitWorktree, isolation."""

import glob
import json
import os
import re
import subprocess

from test_agents import Delegating

ALLOW = ("--permission-mode", "acceptEdits", "--allowedTools", "Bash(*)")


def call(tool, /, **given):
    return f"  tool {tool} " + json.dumps(given) + "\n"


def steps(*replies):
    """A model that makes these calls, one response after another, and then says that it is done."""
    return "".join("reply\n" + reply for reply in replies) + 'reply forever otherwise\n  text "Done."\n'


LOAD = call("ToolSearch", query="select:EnterWorktree,ExitWorktree")


class Worktrees(Delegating):
    def setUp(self):
        super().setUp()
        self.git("init", "-q", "-b", "main")
        self.write("a.txt", "one\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")

    def git(self, *args, cwd=None):
        env = self.environment(GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
                               GIT_COMMITTER_EMAIL="a@b")
        return subprocess.run(["git", *args], cwd=cwd or self.cwd, env=env, check=True, capture_output=True,
                              text=True).stdout

    def tree(self, name):
        return os.path.join(os.path.realpath(self.cwd), ".claude/worktrees", name)

    def trees(self):
        """The worktrees besides the first."""
        return [line.split()[0] for line in self.git("worktree", "list").splitlines()[1:]]

    def results(self, events):
        return [block for event in events if event["type"] == "user" and not event.get("parent_tool_use_id")
                for block in event["message"]["content"] if block["type"] == "tool_result"]

    def run_steps(self, *replies, args=()):
        self.serve(steps(*replies))
        return self.results(self.events("go", *ALLOW, *args))


class Session(Worktrees):
    def test_a_session_works_in_its_worktree_and_its_changes_stay_there(self):
        [ran] = self.run_steps(call("Bash", command="pwd; git branch --show-current; echo two > b.txt"),
                               args=("-w", "feature/x"))
        self.assertEqual(ran["content"].split(), [self.tree("feature+x"), "worktree-feature+x"])
        self.assertEqual(self.trees(), [self.tree("feature+x")])
        self.assertEqual(self.git("status", "--short"), "")
        self.assertTrue(os.path.exists(os.path.join(self.tree("feature+x"), "b.txt")))
        self.assertIn(self.tree("feature+x"), json.dumps(self.requests()[0]["messages"]))

    def test_a_worktree_in_which_nothing_was_done_is_removed(self):
        [ran] = self.run_steps(call("Bash", command="pwd"), args=("--worktree", "x"))
        self.assertEqual(ran["content"], self.tree("x"))
        self.assertEqual((self.trees(), self.git("branch").split()), ([], ["*", "main"]))

    def test_work_that_stays_is_named_at_the_end(self):
        self.serve(steps(call("Bash", command="touch new")))
        ran = self.print("go", *ALLOW, "-w", "x")
        self.assertEqual(ran.stdout, b"Done.\n")
        told = ran.stderr.decode()
        self.assertRegex(told, re.escape(f"Your work stays in {self.tree('x')}, on branch worktree-x; to continue "
                                               "it: awl --resume ") + "[0-9a-f-]{36}; to begin another session there: "
                         "awl -w x\n")
        session = re.search("--resume ([^ ;]+)", told)[1]
        self.serve(steps(call("Bash", command="pwd")))
        ran = self.print("go", *ALLOW, "--resume", session, "--output-format", "json")
        self.assertIn(f"Your work stays in {self.tree('x')}", ran.stderr.decode())
        self.assertEqual(json.loads(ran.stdout)["session_id"], session)
        self.git("clean", "-qf", cwd=self.tree("x"))
        self.serve(steps(call("Bash", command="pwd")))
        self.assertEqual(self.print("go", *ALLOW, "--resume", session).stderr, b"")
        self.assertEqual(self.trees(), [])

    def test_a_terminal_without_redrawing_names_it_too(self):
        self.serve(steps(call("Bash", command="touch new")))
        terminal = self.terminal("--plain", "go", *ALLOW, "-w", "x", env=self.modelled(), rows=60, cols=300)
        terminal.wait_for("Done.")
        terminal.type("/exit\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertIn(f"Your work stays in {self.tree('x')}", terminal.text())

    def test_a_name_is_made_up(self):
        self.run_steps(call("Bash", command="touch new"), args=("-w",))
        self.assertRegex(os.path.basename(self.trees()[0]), r"^[a-z]+(-[a-z]+)+$")

    def test_the_first_checkout_is_outside(self):
        path = os.path.join(os.path.realpath(self.cwd), "c.txt")
        [ran] = self.run_steps(call("Write", file_path=path, content="x"), args=("-w", "x"))
        self.assertTrue(ran["is_error"])
        self.assertIn("outside the working directory " + self.tree("x"), ran["content"])
        self.assertFalse(os.path.exists(path))

    def test_a_resumed_session_returns_to_its_worktree(self):
        self.run_steps(call("Bash", command="touch new"), args=("-w", "x"))
        [ran] = self.run_steps(call("Bash", command="pwd"), args=("-c",))
        self.assertEqual(ran["content"], self.tree("x"))
        self.git("worktree", "remove", "--force", self.tree("x"))
        self.serve(steps(call("Bash", command="pwd")))
        events = self.events("go", "-c", *ALLOW)
        self.assertEqual(self.results(events)[0]["content"], os.path.realpath(self.cwd))
        self.assertIn("no longer exists", json.dumps(events))

    def forge(self, **record):
        """Adds a record of a worktree to the newest transcript, as one that came from elsewhere may have it."""
        [path] = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        line = {"type": "worktree-state", "worktreeSession": record,
                "sessionId": os.path.basename(path)[:-len(".jsonl")]}
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def test_a_forged_record_removes_and_opens_nothing(self):
        mine, elsewhere = os.path.join(self.home, "mine"), os.path.join(self.home, "elsewhere")
        other = os.path.join(self.home, "other")
        os.makedirs(elsewhere)
        self.git("worktree", "add", "-q", "-b", "mine", mine)
        self.git("-C", mine, "commit", "-q", "--allow-empty", "-m", "work")
        self.git("clone", "-q", self.cwd, elsewhere)
        self.git("-C", elsewhere, "worktree", "add", "-q", "-b", "other", other)
        here = os.path.realpath(self.cwd)
        self.run_steps(call("Bash", command="pwd"))
        for path, branch, repository, where in ((mine, "mine", here, mine), (other, "other", elsewhere, here),
                                                (self.home, "", "", here), (elsewhere, "", elsewhere, here)):
            self.forge(worktreePath=path, worktreeName=os.path.basename(path), worktreeBranch=branch,
                       originalHeadCommit="HEAD", repository=repository, originalCwd=here, isMade=True,
                       hasBranch=bool(branch))
            self.serve(steps(call("Bash", command="pwd")))
            self.assertEqual(self.results(self.events("go", "-c", *ALLOW))[0]["content"], where)
            self.assertTrue(os.path.exists(os.path.join(path)), path)
        self.assertIn("mine", self.git("branch"))
        self.assertIn("other", self.git("-C", elsewhere, "branch"))

    def test_without_a_repository_no_prompt_is_sent(self):
        self.serve(steps())
        os.rename(self.path(".git"), self.path("git"))
        ran = self.print("go", "-w", "x")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"is not in a git repository", ran.stdout + ran.stderr)
        self.assertEqual(self.requests(), [])

    def test_hostile_names_are_refused(self):
        self.serve(steps())
        for name in ("../x", ".git", "a b", "x.lock"):
            ran = self.print("go", "--worktree=" + name)
            self.assertEqual(ran.returncode, 1, name)
            self.assertIn(b"a worktree's name has", ran.stderr)
        self.assertFalse(os.path.exists(self.path(".claude")))

    def test_a_repository_runs_nothing_and_is_followed_nowhere(self):
        marks = {name: os.path.join(self.home, name) for name in ("hook", "filter", "monitor", "fresh")}
        hook = self.path(".git/hooks/post-checkout")
        with open(hook, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ntouch {marks['hook']}\n")
        os.chmod(hook, 0o755)
        with open(self.path(".gitattributes"), "w", encoding="utf-8") as file:
            file.write("* filter=evil\n")
        self.git("add", ".gitattributes")
        self.git("commit", "-qm", "attributes")
        self.git("config", "filter.evil.smudge", f"touch {marks['filter']}; cat")
        self.git("config", "filter.evil.clean", f"touch {marks['filter']}; cat")
        self.git("config", "core.fsmonitor", f"touch {marks['monitor']}")
        os.makedirs(self.path(".claude/worktrees"))
        os.symlink(marks["fresh"], self.path(".claude/worktrees/.gitignore"))
        self.serve(steps(call("Bash", command="pwd")))
        self.print("go", "-w", "x", *ALLOW)
        os.remove(self.path(".claude/worktrees/.gitignore"))
        self.serve(steps(call("Bash", command="pwd")))
        self.assertEqual(self.results(self.events("go", "-w", "x", *ALLOW))[0]["content"], self.tree("x"))
        self.assertEqual([name for name, path in marks.items() if os.path.exists(path)], [])

    def test_hooks_replace_git(self):
        os.mkdir(self.path("made"))
        log = self.path("log")
        hooks = {"WorktreeCreate": f"cat >> {log}; echo making; echo {self.path('made')}",
                 "WorktreeRemove": f"cat >> {log}"}
        settings = {"hooks": {event: [{"hooks": [{"type": "command", "command": command}]}]
                              for event, command in hooks.items()}}
        self.settings(settings)
        ran = self.run_steps(LOAD, call("EnterWorktree", name="x"), call("Bash", command="pwd"),
                             call("ExitWorktree", action="remove"),
                             call("ExitWorktree", action="remove", discard_changes=True),
                             args=("--allowedTools", "ExitWorktree"))
        self.assertEqual(ran[2]["content"], os.path.realpath(self.path("made")))
        self.assertIn("awl cannot tell what would be lost", ran[3]["content"])
        self.assertIn("has been removed", ran[4]["content"])
        with open(log, encoding="utf-8") as file:
            seen = file.read()
        self.assertIn('"name":"x"', seen)
        self.assertIn('"worktree_path":"' + os.path.realpath(self.path("made")), seen)
        self.assertEqual(self.trees(), [])

    def settings(self, values):
        path = os.path.join(self.home, ".claude/settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(values, file)


class Tools(Worktrees):
    def test_the_model_enters_and_leaves(self):
        ran = self.run_steps(LOAD, call("EnterWorktree", name="x"), call("Bash", command="pwd; touch new"),
                             call("ExitWorktree", action="remove"), call("ExitWorktree", action="keep"),
                             call("Bash", command="pwd"))
        self.assertEqual(ran[2]["content"], self.tree("x"))
        self.assertIn("was not removed: the worktree has 1 changed file and 0 new commits", ran[3]["content"])
        self.assertIn("was kept. Its branch is worktree-x", ran[4]["content"])
        self.assertEqual(ran[5]["content"], os.path.realpath(self.cwd))
        self.assertEqual(self.trees(), [self.tree("x")])

    def test_to_discard_work_is_a_question(self):
        enter = (LOAD, call("EnterWorktree", name="x"), call("Bash", command="touch new"))
        remove = call("ExitWorktree", action="remove", discard_changes=True)
        denied = self.run_steps(*enter, remove)[3]
        self.assertTrue(denied["is_error"])
        self.assertEqual(self.trees(), [self.tree("x")])
        self.git("worktree", "remove", "--force", self.tree("x"))
        allowed = self.run_steps(*enter, remove, args=("--allowedTools", "ExitWorktree"))[3]
        self.assertIn("has been removed", allowed["content"])
        self.assertEqual(self.trees(), [])

    def test_two_sessions_do_not_share_a_worktree(self):
        self.serve(steps(call("Bash", command="touch new; mkfifo gate; cat gate"), call("Bash", command="pwd")))
        first = self.start("-p", "go", "-w", "x", *ALLOW)
        fifo = os.path.join(self.tree("x"), "gate")
        while not os.path.exists(fifo):
            self.assertIsNone(first.poll())
        second = self.print("go", "-w", "x", *ALLOW)
        with open(fifo, "w", encoding="utf-8"):
            pass
        self.assertEqual(second.returncode, 1)
        self.assertIn(b"another session works in the worktree", second.stdout + second.stderr)
        self.assertEqual(first.wait(), 0)


class Isolation(Worktrees):
    def test_an_agent_changes_only_its_own_checkout(self):
        outside = os.path.join(os.path.realpath(self.cwd), "out.txt")
        self.define("worker", "---\nname: worker\ndescription: Works\nisolation: worktree\n---\nYou work.\n")
        self.serve("reply when prompt contains go\n" +
                   call("Agent", description="d", prompt="JOB one", subagent_type="worker") +
                   'reply when prompt contains "JOB one"\n' + call("Bash", command="pwd; echo hi > in.txt") +
                   call("Write", file_path=outside, content="x") +
                   'reply forever otherwise\n  text "Done."\n')
        events = self.events("go", *ALLOW)
        [path] = self.trees()
        self.assertEqual(self.git("status", "--short", "-uall", cwd=path), "?? in.txt\n")
        self.assertEqual(self.git("status", "--short", "--", ":!.claude"), "")
        self.assertIn("changes files only there", json.dumps(events))
        [result] = self.results(events)
        self.assertIn(path, json.dumps(result["content"]))
        self.assertIn(path, json.dumps(self.of_agents("JOB one")[0]["messages"]))

    def test_one_that_changed_nothing_leaves_nothing(self):
        self.serve("reply when prompt contains go\n" +
                   call("Agent", description="d", prompt="JOB one", isolation="worktree") +
                   'reply when prompt contains "JOB one"\n' + call("Bash", command="pwd") +
                   'reply forever otherwise\n  text "Done."\n')
        self.events("go", *ALLOW)
        self.assertEqual((self.trees(), self.git("branch").split()), ([], ["*", "main"]))

    def test_without_a_repository_it_does_not_begin(self):
        os.rename(self.path(".git"), self.path("git"))
        self.serve("reply when prompt contains go\n" +
                   call("Agent", description="d", prompt="JOB one", isolation="worktree") +
                   'reply forever otherwise\n  text "Done."\n')
        [result] = self.results(self.events("go", *ALLOW))
        self.assertTrue(result["is_error"])
        self.assertIn("worktree could not be created", json.dumps(result["content"]))
        self.assertEqual(self.of_agents("JOB one"), [])


class Batch(Worktrees):
    def test_each_unit_gets_an_agent_and_a_branch(self):
        unit = [call("Agent", description=f"unit {n}", prompt=f"JOB {n}", isolation="worktree", run_in_background=True)
                for n in ("one", "two")]
        self.serve('reply when prompt contains "rename f to g"\n' + "".join(unit) + "".join(
            f'reply when prompt contains "JOB {n}"\n' +
            call("Bash", command=f"echo {n} > unit.txt; git add -A; git commit -qm {n}")
            for n in ("one", "two")) + 'reply forever otherwise\n  text "PR: none"\n')
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@b")
        self.events("/batch rename f to g", *ALLOW)
        sent = json.dumps(self.requests()[0]["messages"])
        self.assertIn("The change: rename f to g", sent)
        self.assertIn("PR: <url>", sent)
        branches = [line.split()[-1] for line in self.git("branch", "--list", "worktree-*").splitlines()]
        self.assertEqual(sorted(self.git("show", branch + ":unit.txt") for branch in branches), ["one\n", "two\n"])
        self.assertFalse(os.path.exists(self.path("unit.txt")))
