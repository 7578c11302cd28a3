"""`awl sandbox`: escapes that are really tried. Each is tried without the sandbox first, where
it has to work, and then with it, by every engine that this machine has, as root and as an
ordinary user."""

import ctypes
import http.server
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

from rig import AWL, PATIENCE, Sandbox, running

PROBE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sandbox_probe.py")
NOBODY = 65534
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable


def can(engine):
    with tempfile.TemporaryDirectory(prefix="awl-e2e-") as nowhere:
        ran = subprocess.run([AWL, "sandbox", "--engine", engine, "--", "true"],
                             capture_output=True, timeout=PATIENCE, cwd=nowhere)
    return ran.returncode == 0


ENGINES = [e for e in ("bwrap", "namespaces") if can(e)]
USERS = [0, NOBODY] if os.getuid() == 0 else [os.getuid()]


class SandboxCase(Sandbox):
    """Files are readable by everybody, because tests also run as another user."""

    def setUp(self):
        super().setUp()
        os.chmod(self.root, 0o755)
        self.out = os.path.join(self.root, "out")
        os.mkdir(self.out)
        self.program = os.path.join(self.root, "awl")
        shutil.copy(AWL, self.program)
        self.probe = os.path.join(self.root, "probe.py")
        shutil.copy(PROBE, self.probe)
        self.user = os.getuid()

    def become(self, user):
        """From now on programs are run by this user, who owns what the test has."""
        self.user = user
        if os.getuid() == 0:
            for path in (self.home, self.cwd, self.out):
                for where, dirs, files in os.walk(path):
                    for name in [""] + dirs + files:
                        os.lchown(os.path.join(where, name), user, user)

    def call(self, argv, stdin=None, cwd=None, pass_fds=()):
        as_user = {"user": self.user, "group": self.user, "extra_groups": []} \
            if os.getuid() == 0 else {}
        return subprocess.run(argv, stdin=subprocess.DEVNULL if stdin is None else stdin,
                              capture_output=True, timeout=PATIENCE * 3, cwd=cwd or self.cwd,
                              env=self.environment(), pass_fds=pass_fds, **as_user)

    def cage(self, engine, *options):
        return [self.program, "sandbox", "--engine", engine, *options, "--"]

    def fresh(self):
        """The directories as they were at first."""
        for path in (self.cwd, self.out, self.home):
            shutil.rmtree(path)
            os.mkdir(path)

    def each(self, users=None):
        """Every user and engine, each with a fresh world."""
        if not ENGINES:
            self.skipTest("no engine works here")
        for user in USERS if users is None else users:
            for engine in ENGINES:
                self.fresh()
                yield engine, user

    def outside(self, name, text="secret"):
        path = os.path.join(self.out, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def inside(self, name, text=""):
        path = os.path.join(self.cwd, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def attempt(self, *words, wrap=(), stdin=None):
        return self.call([*wrap, PYTHON, self.probe, *map(str, words)], stdin=stdin)

    def check(self, engine, *words, options=(), stdin=None, again=lambda: None):
        """It works outside and not inside; `again` puts the world in order in between."""
        free = self.attempt(*words, stdin=stdin)
        self.assertEqual(free.returncode, 0, (self.user, words, "must work outside", free.stderr))
        again()
        held = self.attempt(*words, wrap=self.cage(engine, *options), stdin=stdin)
        self.assertEqual(held.returncode, 1, (engine, self.user, words, held.stdout, held.stderr))
        self.assertNotIn(b"awl:", held.stderr)
        self.assertNotIn(b"bwrap:", held.stderr)
        return held


class Files(SandboxCase):
    def test_nothing_outside_can_be_written(self):
        for engine, user in self.each():
            for way in ("write", "write_by_link", "write_by_hard_link", "write_by_race", "by_proc",
                        "by_proc_cwd"):
                self.fresh()
                path = self.outside("file", "as it was")
                self.become(user)

                def again():
                    self.fresh()
                    self.outside("file", "as it was")
                    self.become(user)
                self.check(engine, way, path, again=again)
                with open(path) as file:
                    self.assertEqual(file.read(), "as it was")

    def test_nothing_outside_can_be_made(self):
        for engine, user in self.each():
            path = os.path.join(self.out, "new")
            self.become(user)
            self.check(engine, "write", path, again=lambda: os.unlink(path))
            self.assertFalse(os.path.exists(path))

    def test_named_pipes_outside_cannot_be_written_to(self):
        for engine, user in self.each():
            path = os.path.join(self.out, "pipe")
            os.mkfifo(path)
            self.become(user)
            reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            self.check(engine, "write_pipe", path)
            os.close(reader)

    def test_what_is_hidden_cannot_be_read(self):
        for engine, user in self.each():
            secret = self.outside("secret")
            deep = self.outside("dir-secret")
            os.mkdir(os.path.join(self.out, "dir"))
            os.rename(deep, os.path.join(self.out, "dir", "deep"))
            deep = os.path.join(self.out, "dir", "deep")
            os.symlink(secret, os.path.join(self.cwd, "way"))
            self.become(user)
            hide = ["--deny-read", secret, "--deny-read", os.path.dirname(deep)]
            for way, path in (("read", secret), ("read", deep), ("read", "way"),
                              ("list_dir", os.path.dirname(deep))):
                self.check(engine, way, path, options=hide)

    def test_what_is_hidden_cannot_be_moved_to_where_it_is_not(self):
        for engine, user in self.each():
            def again():
                self.fresh()
                self.inside("secrets/key", "secret")
                os.symlink(self.outside("x"), os.path.join(self.cwd, "way"))
                self.become(user)
            again()
            hide = ["--deny-read", os.path.join(self.cwd, "secrets/key")]
            self.check(engine, "move_away", "secrets/key", options=hide, again=again)
            if engine != "bwrap": # cannot hold a link, and is not chosen then
                self.check(engine, "remove", "way", again=again,
                           options=["--deny-read", os.path.join(self.cwd, "way")])

    def test_what_may_be_written_cannot_be_turned_elsewhere(self):
        """By a command, for the one after it."""
        for engine, user in self.each():
            self.outside("file", "as it was")
            os.mkdir(os.path.join(self.cwd, "src"))
            self.become(user)
            allow = ["--write", os.path.join(self.cwd, "src"), "--deny-read", self.out,
                     "--allow-read", os.path.join(self.cwd, "src")]
            turned = self.attempt("link_elsewhere", "src", self.out,
                                  wrap=self.cage(engine, *allow))
            self.assertEqual(turned.returncode, 0, turned.stderr)
            for way in ("write", "read"):
                held = self.attempt(way, "src/file", wrap=self.cage(engine, *allow))
                self.assertEqual(held.returncode, 1, (engine, user, way))
            with open(os.path.join(self.out, "file")) as file:
                self.assertEqual(file.read(), "as it was")

    def test_modes_and_attributes_outside_stay(self):
        for engine, user in self.each():
            path = self.outside("file")
            self.become(user)
            for way in ("change_mode", "change_times", "change_attribute"):
                self.check(engine, way, path)

    def test_descriptors_are_no_way_out(self):
        for engine, user in self.each():
            self.outside("file", "as it was")
            self.become(user)
            place = os.open(self.out, os.O_RDONLY | os.O_DIRECTORY)
            os.set_inheritable(place, True)
            try:
                found = self.call([*self.cage(engine), PYTHON, self.probe, "inherited"],
                                  pass_fds=(place,))
                self.assertEqual(found.returncode, 1, found.stderr)
                held = self.call([*self.cage(engine), "sh", "-c",
                                  "echo escaped >/proc/self/fd/0/file"], stdin=place)
                self.assertNotEqual(held.returncode, 0)
            finally:
                os.close(place)
            with open(os.path.join(self.out, "file")) as file:
                self.assertEqual(file.read(), "as it was")

    def test_shared_memory_is_its_own(self):
        for engine, user in self.each():
            self.become(user)
            name = f"awl-test-{os.getpid()}"
            ran = self.attempt("share_memory", name, wrap=self.cage(engine))
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertFalse(os.path.exists("/dev/shm/" + name))

    def test_nothing_can_be_made_in_a_hidden_directory(self):
        for engine, user in self.each():
            self.inside("hidden/file", "secret")
            self.become(user)
            new = os.path.join(self.cwd, "hidden/new")
            self.check(engine, "write", "hidden/new", options=["--deny-read", os.path.join(self.cwd, "hidden")],
                       again=lambda: os.unlink(new))
            ran = self.call([*self.cage(engine, "--deny-read", os.path.join(self.cwd, "hidden")),
                             "sh", "-c", "chmod 700 hidden && echo x >hidden/new"])
            self.assertNotEqual(ran.returncode, 0, (engine, user, ran))
            self.assertFalse(os.path.exists(new))

    def test_the_longer_path_decides_about_reading(self):
        for engine, user in self.each():
            os.makedirs(os.path.join(self.out, "a/b"))
            for name in ("a/no", "a/b/yes"):
                self.outside(name)
            self.become(user)
            options = ["--deny-read", os.path.join(self.out, "a"),
                       "--allow-read", os.path.join(self.out, "a/b")]
            self.check(engine, "read", os.path.join(self.out, "a/no"), options=options)
            seen = self.attempt("read", os.path.join(self.out, "a/b/yes"),
                                wrap=self.cage(engine, *options))
            self.assertEqual(seen.returncode, 0, seen.stderr)

    def test_a_directory_that_is_hidden_around_the_project_leaves_that(self):
        for engine, user in self.each():
            self.outside("x")
            self.become(user)
            options = ["--deny-read", self.root, "--allow-read", self.probe,
                       "--allow-read", self.program]
            self.check(engine, "read", os.path.join(self.out, "x"), options=options)
            ran = self.call([*self.cage(engine, *options), "sh", "-c", "echo hi >f && cat f"])
            self.assertEqual((ran.returncode, ran.stdout), (0, b"hi\n"), ran.stderr)

    def test_machine_wide_files_stay(self):
        for engine, _ in self.each(users=[u for u in USERS if u == 0]):
            self.become(0)
            self.check(engine, "kernel_setting")
            device = os.path.join(self.out, "zero")
            os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 5))
            self.check(engine, "read_device", device)
            if os.listdir("/sys/class/block"):
                self.check(engine, "raw_disk")

    def test_mounts_cannot_be_changed(self):
        for engine, user in self.each():
            place = os.path.join(self.cwd, "place")
            os.mkdir(place)
            path = self.outside("file")
            self.become(user)
            if user == 0:
                self.check(engine, "mount", place)
                self.check(engine, "open_by_handle", path)
            held = self.attempt("unmount", ".claude", wrap=self.cage(engine))
            self.assertEqual(held.returncode, 1, held.stderr)
            self.assertIn(b"Operation not permitted", held.stderr)
            self.check(engine, "new_namespace")


class Protected(SandboxCase):
    """Files that something outside any sandbox runs or trusts later."""

    NAMES = (".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/x",
             ".mcp.json", ".git/hooks/pre-commit", ".git/config", ".vscode/tasks.json")

    def test_what_is_missing_cannot_be_made(self):
        for engine, user in self.each():
            for name in self.NAMES:
                self.fresh()
                self.become(user)

                def again():
                    self.fresh()
                    self.become(user)
                self.check(engine, "make", name, again=again)
                self.assertEqual(os.listdir(self.cwd), [], "nothing is left behind")

    def test_what_is_there_cannot_be_changed_removed_or_moved_away(self):
        for engine, user in self.each():
            for name in self.NAMES:
                for way in ("write", "remove"):
                    self.fresh()
                    self.inside(name, "mine")
                    self.become(user)

                    def again():
                        self.fresh()
                        self.inside(name, "mine")
                        self.become(user)
                    self.check(engine, way, name, again=again)
                    self.assertEqual(self.read(name), "mine")

    def read(self, name):
        with open(os.path.join(self.cwd, name)) as file:
            return file.read()

    def test_other_names_and_modes_do_not_help(self):
        for engine, user in self.each():
            def again():
                self.fresh()
                self.inside(".claude/settings.json", "mine")
                self.become(user)
            again()
            for way in ("write_by_hard_link", "change_mode", "change_times"):
                self.check(engine, way, ".claude/settings.json", again=again)
            self.assertEqual(self.read(".claude/settings.json"), "mine")

    def test_git_is_not_sent_elsewhere_for_what_it_runs(self):
        """By files that are usually not there, and by one that stands for the directory."""
        for engine, user in self.each():
            for name in (".git/commondir", ".git/config.worktree", ".git/hooks/post-checkout"):
                def again():
                    self.fresh()
                    self.inside(".git/HEAD", "ref: refs/heads/main")
                    self.become(user)
                again()
                self.check(engine, "make", name, again=again)
                self.assertEqual(os.listdir(os.path.join(self.cwd, ".git")), ["HEAD"])

            def again_file():
                self.fresh()
                self.inside(".git", "gitdir: elsewhere")
                self.become(user)
            again_file()
            self.check(engine, "replace_file", ".git", again=again_file)
            self.check(engine, "write", ".git", again=again_file)
            self.assertEqual(self.read(".git"), "gitdir: elsewhere")

    def test_a_project_does_not_become_a_repository_by_itself(self):
        """Git takes a directory for one that looks like the inside of one, and runs what its
        configuration names."""
        mark = os.path.join(self.out, "ran")
        for engine, user in self.each():
            self.become(user)
            self.call([*self.cage(engine), "sh", "-c",
                       "mkdir objects refs; echo ref: refs/heads/x >HEAD; printf '[core]\nbare=false\n"
                       f"worktree={self.cwd}\nfsmonitor=\"touch {mark}; false\"\n' >config"])
            self.assertEqual(sorted(os.listdir(self.cwd)), ["HEAD", "config", "objects"])
            self.call(["git", "status"])
            self.assertFalse(os.path.exists(mark))

    def test_repositories_and_settings_further_down(self):
        for engine, user in self.each():
            files = (".git/HEAD", ".git/modules/lib/HEAD", ".git/modules/lib/config",
                     ".git/worktrees/w/commondir", "sub/.git/config", "a/b/.git",
                     "sub/.claude/settings.json", "a/.vscode/tasks.json")

            def again():
                self.fresh()
                for name in files:
                    self.inside(name, "mine")
                self.become(user)
            again()
            for way, name in (("write", ".git/modules/lib/config"),
                              ("make", ".git/modules/lib/hooks/post-checkout"),
                              ("make", ".git/modules/lib/commondir"),
                              ("write", ".git/worktrees/w/commondir"),
                              ("write", "sub/.git/config"), ("make", "sub/.git/hooks/x"),
                              ("replace_file", "a/b/.git"),
                              ("write", "sub/.claude/settings.json"),
                              ("remove", "a/.vscode/tasks.json")):
                self.check(engine, way, name, again=again)

    def test_a_linked_work_tree_can_be_committed_in(self):
        git = "git -c user.name=n -c user.email=e@example.org "
        for engine, user in self.each():
            main = os.path.join(self.out, "main")
            tree = os.path.join(self.cwd, "tree")
            subprocess.run(f"git init -q {main} && cd {main} && {git} commit -q --allow-empty -m x "
                           f"&& git worktree add -q {tree}", shell=True, check=True)
            self.become(user)
            ran = self.call([*self.cage(engine), "sh", "-c",
                             f"echo x >f && git add f && {git} commit -q -m y"], cwd=tree)
            self.assertEqual(ran.returncode, 0, (engine, user, ran.stderr))
            for name in ("config", "hooks/post-checkout", "commondir", "config.worktree",
                         "worktrees/tree/commondir", "worktrees/tree/gitdir"):
                held = self.call([*self.cage(engine), PYTHON, self.probe, "make",
                                  os.path.join(main, ".git", name)], cwd=tree)
                self.assertEqual(held.returncode, 1, (engine, user, name))

    def test_a_file_that_claims_to_be_a_work_tree_opens_nothing(self):
        for engine, user in self.each():
            place = os.path.join(self.out, "worktrees/x")
            os.makedirs(place)
            for name, text in (("commondir", "../.."), ("gitdir", "/somewhere/else/.git")):
                with open(os.path.join(place, name), "w") as file:
                    file.write(text)
            self.inside(".git", "gitdir: " + place)
            self.become(user)
            self.check(engine, "write", os.path.join(self.out, "file"),
                       again=lambda: os.unlink(os.path.join(self.out, "file")))

    def test_directories_on_the_way_cannot_be_replaced(self):
        for engine, user in self.each():
            for way, made, name in (("replace_dir", ".claude/settings.json", ".claude"),
                                    ("replace_parent", ".git/config", ".git/config"),
                                    ("replace_parent", ".git/hooks/y", ".git/hooks/x"),
                                    ("replace_parent", "deep/er/file", "deep/er/file"),
                                    ("replace_dir", "deep/er/file", "deep")):
                def again():
                    self.fresh()
                    self.inside(made, "mine")
                    self.become(user)
                again()
                self.check(engine, way, name, options=["--deny-write", "deep/er/file"],
                           again=again)
                self.assertEqual(self.read(made), "mine")

    def test_a_link_on_the_way_cannot_be_replaced(self):
        """bubblewrap cannot protect a link; by default awl chooses an engine that can."""
        for _, user in self.each():
            for engine in ("namespaces", "auto"):
                def again():
                    self.fresh()
                    self.inside("shared/settings.json", "mine")
                    os.symlink("shared", os.path.join(self.cwd, ".claude"))
                    self.become(user)
                again()
                self.check(engine, "replace_link", ".claude", again=again)
                self.check(engine, "write", "shared/settings.json", again=again)
                self.assertEqual(os.readlink(os.path.join(self.cwd, ".claude")), "shared")

    def left_outside(self, engine):
        """What is there. Bubblewrap makes the place that something is mounted on, an empty file,
        and goes by names, which may have been turned elsewhere just then."""
        return [name for name in os.listdir(self.out)
                if not (engine == "bwrap" and name == "x" and
                        os.path.getsize(os.path.join(self.out, name)) == 0)]

    def test_links_that_are_swapped_while_it_is_made_lead_nowhere(self):
        """Somebody who runs already turns a directory into a link and back."""
        for engine, user in self.each():
            os.mkdir(os.path.join(self.cwd, "deep"))
            self.outside("deny", "as it was")
            self.become(user)
            swapper = subprocess.Popen(
                [PYTHON, "-c", "import ctypes, os\n"
                 "libc = ctypes.CDLL(None)\n"
                 "os.symlink('../out', 'link')\n"
                 "while libc.renameat2(-100, b'deep', -100, b'link', 2) == 0: pass\n"],
                cwd=self.cwd)
            try:
                for _ in range(25):
                    self.call([*self.cage(engine, "--deny-write", os.path.join(self.cwd, "deep/x"),
                                          "--deny-write", os.path.join(self.cwd, "deep/deny"),
                                          "--write", os.path.join(self.cwd, "deep")),
                               "sh", "-c", f"echo escaped >>{self.out}/deny; echo escaped >{self.out}/new; "
                               "echo escaped >deep/new"])
                    self.assertEqual(self.left_outside(engine), ["deny"])
                self.assertIsNone(swapper.poll())
            finally:
                swapper.kill()
                swapper.wait()
            with open(os.path.join(self.out, "deny")) as file:
                self.assertEqual(file.read(), "as it was")

    @unittest.skipUnless("bwrap" in ENGINES, "there is no bubblewrap")
    def test_what_is_replaced_before_bubblewrap_comes_to_it_is_not_mounted(self):
        """bubblewrap mounts by name, and another command can replace what has the name. Its newer
        versions refuse a symbolic link themselves; only awl notices another directory."""
        bwrap = os.path.join(self.root, "bwrap")
        with open(bwrap, "w") as file:
            file.write("#!/bin/sh\ncase $* in *sandbox-inside*) (cd %s && mv sub aside && $REPLACE);; esac\n"
                       "exec %s \"$@\"\n" % (self.cwd, shutil.which("bwrap")))
        os.chmod(bwrap, 0o755)
        for user in USERS:
            for replace in ("ln -s ../out sub", "ln -s other sub", "cp -r other sub"):
                self.fresh()
                for name in ("sub/.vscode/x", "other/.vscode/x"):
                    self.inside(name, "mine")
                os.mkdir(os.path.join(self.out, ".vscode"))
                self.outside("key")
                self.become(user)
                ran = self.call(["env", "REPLACE=" + replace, *self.cage("bwrap", "--bwrap", bwrap, "--deny-read", self.out),
                                 "sh", "-c", f"echo ran; cat sub/key {self.out}/key; echo escaped >sub/new"])
                self.assertRegex(ran.stderr, b"was replaced meanwhile|^bwrap: Can't mount on symlink")
                self.assertEqual(ran.stdout, b"")
                self.assertEqual(sorted(os.listdir(self.out)), [".vscode", "key"])

    def test_start_up_files_of_a_home_that_is_worked_in(self):
        for engine, user in self.each():
            self.become(user)
            for name in (".bashrc", ".profile", ".ssh/authorized_keys", ".claude/settings.json",
                         ".config/git/config"):
                held = self.call([*self.cage(engine), PYTHON, self.probe, "make",
                                  os.path.join(self.home, name)], cwd=self.home)
                self.assertEqual(held.returncode, 1, (name, held.stderr))
                self.assertEqual(os.listdir(self.home), [])

    def test_what_is_named_may_be_written(self):
        for engine, user in self.each():
            self.become(user)
            ran = self.call([*self.cage(engine, "--write", ".git"), "git", "init", "-q", "."])
            self.assertEqual(ran.returncode, 0, ran.stderr)
            ran = self.attempt("write", ".git/config", wrap=self.cage(
                engine, "--write", ".git/config"))
            self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_the_rest_of_a_repository_can_be_worked_with(self):
        for engine, user in self.each():
            git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org"]
            subprocess.run(["git", "init", "-q", "."], cwd=self.cwd, check=True)
            self.inside("file", "text")
            self.become(user)
            ran = self.call([*self.cage(engine), "sh", "-c", " ".join(git) +
                             " add --all && " + " ".join(git) + " commit -q -m x && git log --format= --name-only"])
            self.assertEqual((ran.returncode, ran.stdout), (0, b"file\n"), ran.stderr)
            ran = self.call([*self.cage(engine), "git", "config", "core.fsmonitor", "./x"])
            self.assertNotEqual(ran.returncode, 0)

    def test_what_holds_a_place_in_a_part_of_a_repository_is_not_added(self):
        for engine, user in self.each():
            subprocess.run(["git", "init", "-q", "."], cwd=self.cwd, check=True)
            self.inside("part/file", "text")
            self.become(user)
            ran = self.call([*self.cage(engine, "--write", self.cwd), "sh", "-c",
                             "git add --all && git diff --cached --name-only; ls; cat refs"],
                            cwd=os.path.join(self.cwd, "part"))
            self.assertEqual(ran.stdout, b"part/file\nfile\nrefs\n", ran.stderr)
            self.assertIn(b"refs: Permission denied", ran.stderr)

    def test_sandboxes_at_the_same_time_share_what_is_missing(self):
        """The one that ends first must not take the place away from the other."""
        for engine, user in self.each():
            self.become(user)
            as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
            long = subprocess.Popen([*self.cage(engine), "sh", "-c",
                                     f"echo on; read x; {PYTHON} {self.probe} make .claude/x || "
                                     f"{PYTHON} {self.probe} make refs/x"],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, cwd=self.cwd,
                                    env=self.environment(), **as_user)
            self.assertEqual(long.stdout.readline(), b"on\n")
            self.assertEqual(self.call([*self.cage(engine), "true"]).returncode, 0)
            said, _ = long.communicate(b"\n", timeout=PATIENCE)
            self.assertEqual((long.returncode, said), (1, b""))
            self.assertEqual(os.listdir(self.cwd), [])

    def test_sandboxes_that_begin_and_end_together_leave_nothing_behind(self):
        for engine, user in self.each():
            self.become(user)
            as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
            for _ in range(5):
                all_of_them = [subprocess.Popen([*self.cage(engine), "true"], cwd=self.cwd,
                                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                                env=self.environment(), **as_user)
                               for _ in range(4)]
                for one in all_of_them:
                    _, said = one.communicate(timeout=PATIENCE)
                    self.assertEqual((one.returncode, said), (0, b""), engine)
                self.assertEqual(os.listdir(self.cwd), [])

    def test_what_a_killed_one_left_is_removed_by_the_next(self):
        for engine, user in self.each():
            for name in (".git", ".claude"):
                os.mkdir(os.path.join(self.cwd, name))
                os.chmod(os.path.join(self.cwd, name), 0o1755)
            os.chmod(self.inside(".mcp.json", "{}\n"), 0o1444)
            os.chmod(self.inside("env.sh"), 0o1444)
            os.mkfifo(os.path.join(self.cwd, "refs"))
            os.chmod(os.path.join(self.cwd, "refs"), 0o1444)
            self.become(user)
            ran = self.call([*self.cage(engine, "--deny-write", "env.sh"), "true"])
            self.assertEqual((ran.returncode, ran.stderr), (0, b""))
            self.assertEqual(os.listdir(self.cwd), [])


class Processes(SandboxCase):
    def start(self, user):
        as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
        sleeper = subprocess.Popen(["sleep", "1000"], env={"SECRET": "secret"}, **as_user)
        self.addCleanup(sleeper.wait)
        self.addCleanup(sleeper.kill)
        return sleeper.pid

    def test_others_cannot_be_touched(self):
        for engine, user in self.each():
            self.become(user)
            pid = self.start(user)
            for way in ("trace", "signal", "environment_of", "program_of", "memory_of"):
                self.check(engine, way, pid)
            if user == 0:
                self.check(engine, "by_proc_of", pid, self.outside("file"))

    def test_what_they_share_is_not_shared(self):
        libc = ctypes.CDLL(None)
        for engine, user in self.each():
            self.become(user)
            key = 0x40000000 + os.getpid() % 0x10000 * 8 + len(engine) % 8
            made = libc.msgget(key, 0o1000 | 0o666)
            self.assertGreaterEqual(made, 0)
            self.addCleanup(libc.msgctl, made, 0, None)
            self.check(engine, "queue", key)

    def test_its_own_first_process_cannot_be_used(self):
        for engine, user in self.each():
            self.become(user)
            path = self.outside("file", "as it was")
            os.chown(path, user, user)
            for words in (("trace", 1), ("by_proc_of", 1, path), ("environment_of", 1),
                          ("memory_of", 1)):
                if engine == "bwrap" and words[0] == "environment_of":
                    continue # its first process has the environment of the command
                held = self.attempt(*words, wrap=self.cage(engine))
                self.assertEqual(held.returncode, 1, (words, held.stderr))
            with open(path) as file:
                self.assertEqual(file.read(), "as it was")

    def test_a_command_has_no_capabilities(self):
        for engine, user in self.each():
            self.become(user)
            ran = self.call([*self.cage(engine), "grep", "^Cap[IPEA]", "/proc/self/status"])
            self.assertEqual(re.findall(rb"[0-9a-f]{16}", ran.stdout), 4 * [16 * b"0"], (engine, user, ran))

    def test_no_power_is_gained(self):
        for engine, user in self.each():
            self.become(user)
            self.check(engine, "keys")
            self.check(engine, "ring")
            if user == 0:
                self.check(engine, "set_user")
            elif os.getuid() == 0:
                program = os.path.join(self.root, "id")
                shutil.copy("/usr/bin/id", program)
                os.chmod(program, 0o4755)
                self.check(engine, "run_set_uid", program)

    @unittest.skipUnless(os.uname().machine == "x86_64", "the numbers of the system calls")
    def test_no_set_id_program_can_be_left_behind(self):
        ways = ["chmod", "fchmod", "fchmodat", "open", "openat", "openat_tmpfile", "openat2", "creat",
                "mknod", "mknodat"]
        if tuple(map(int, os.uname().release.split(".")[:2])) >= (6, 6):
            ways.append("fchmodat2")
        made = os.path.join(self.cwd, "made")
        for engine, user in self.each():
            self.become(user)
            for way in ways:
                for mode in ("4755", "2755", "6711"):
                    self.check(engine, "set_id", way, mode,
                               again=lambda: os.path.exists(made) and os.unlink(made))
                    if os.path.exists(made):
                        self.assertEqual(os.stat(made).st_mode & 0o6000, 0)
                        os.unlink(made)

    def test_files_are_made_and_changed_as_usual(self):
        for engine, user in self.each():
            self.become(user)
            ran = self.call([*self.cage(engine), "sh", "-c", "umask 0; : >f; mkdir -m 1777 d; chmod 1640 f; "
                             "chmod +x f; cat f; stat -c %a f d"])
            self.assertEqual(ran.stdout, b"1751\n1777\n", ran.stderr)

    @unittest.skipUnless(os.getuid() == 0, "a terminal can be typed into only by root")
    def test_a_terminal_cannot_be_typed_into(self):
        for engine, _ in self.each(users=[0]):
            self.become(0)
            ours, theirs = os.openpty()
            try:
                for way in ("type_in", "type_in_masked"):
                    self.check(engine, way, stdin=theirs)
            finally:
                os.close(ours)
                os.close(theirs)

    def test_their_number_is_limited(self):
        for _, user in self.each():
            self.become(user)
            self.check("auto", "multiply", 600, options=["--max-processes", "50" if user else "299"])
            ran = self.call([*self.cage("auto", "--max-processes", "50"), "true"])
            self.assertEqual((ran.returncode, b"fewer than 299" in ran.stderr), (0 if user else 125, not user))

    def test_a_fork_bomb_is_limited_and_ends(self):
        for engine, user in self.each():
            if engine == "bwrap" and user == 0:
                continue # the kernel does not count root's there; left to choose, awl takes another
            self.become(user)
            as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
            awl = subprocess.Popen([*self.cage(engine, "--max-processes", "300"), "sh", "-c",
                                    f"{PYTHON} {self.probe} storm & echo on; wait"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.cwd,
                                   env=self.environment(), **as_user)
            self.assertEqual(awl.stdout.readline(), b"on\n")
            self.assertEqual(self.call(["true"]).returncode, 0)
            awl.terminate()
            self.assertEqual(awl.stdout.read(), b"", "their end closes the pipe")
            awl.wait(PATIENCE)
            awl.stdout.close()

    def test_open_files_and_memory_are_limited(self):
        script = ("import os, sys\n"
                  "for _ in range(200): os.open('/dev/null', os.O_RDONLY)\n")
        for engine, user in self.each():
            self.become(user)
            for option, code in (("50", 1), ("1000", 0)):
                ran = self.call([*self.cage(engine, "--max-files", option), PYTHON, "-c", script])
                self.assertEqual(ran.returncode, code, ran.stderr)
            ran = self.call([*self.cage(engine, "--max-memory", str(1 << 30)), PYTHON, "-c",
                             "bytearray(1 << 31)"])
            self.assertIn(b"MemoryError", ran.stderr)

    def test_none_outlives_the_command(self):
        for engine, user in self.each():
            self.become(user)
            mark = f"9{os.getpid()}{user}{len(engine)}.25"
            ran = self.call([*self.cage(engine), "sh", "-c",
                             f"sleep {mark} & setsid sleep {mark} & "
                             f"(setsid sh -c 'trap \"\" TERM HUP; sleep {mark} & sleep {mark}' &) ; exit 3"])
            self.assertEqual(ran.returncode, 3, ran.stderr)
            self.assertEqual(running(mark), [])

    def test_the_end_of_awl_is_theirs(self):
        for engine, user in self.each():
            self.become(user)
            mark = f"8{os.getpid()}{user}{len(engine)}.25"
            as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
            awl = subprocess.Popen([*self.cage(engine), "sh", "-c", f"echo on; sleep {mark}"],
                                   stdout=subprocess.PIPE, cwd=self.cwd, env=self.environment(),
                                   **as_user)
            self.assertEqual(awl.stdout.readline(), b"on\n")
            awl.kill()
            awl.wait()
            self.assertEqual(awl.stdout.read(), b"", "their end closes the pipe")
            awl.stdout.close()

    def test_a_command_has_time_to_clean_up_when_it_is_ended(self):
        for engine, user in self.each():
            self.become(user)
            as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
            awl = subprocess.Popen([*self.cage(engine), "sh", "-c",
                                    "trap 'echo bye; exit 5' TERM; echo on; "
                                    "while :; do sleep 0.01; done"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=self.cwd, env=self.environment(),
                                   **as_user)
            self.assertEqual(awl.stdout.readline(), b"on\n")
            awl.terminate()
            self.assertEqual(awl.stdout.read(), b"bye\n")
            awl.wait(PATIENCE)
            awl.stdout.close()


class Network(SandboxCase):
    def listen(self, family, address, kind=socket.SOCK_STREAM):
        server = socket.socket(family, kind)
        self.addCleanup(server.close)
        server.bind(address)
        if kind == socket.SOCK_STREAM:
            server.listen()
        return server

    def answer(self, server):
        def run():
            while True:
                try:
                    _, sender = server.recvfrom(100)
                except OSError:
                    return
                server.sendto(b"answer", sender)
        threading.Thread(target=run, daemon=True).start()

    def test_nothing_outside_can_be_reached(self):
        tcp = self.listen(socket.AF_INET, ("127.0.0.1", 0))
        udp = self.listen(socket.AF_INET, ("127.0.0.1", 0), socket.SOCK_DGRAM)
        self.answer(udp)
        name = f"awl-test-{os.getpid()}"
        self.listen(socket.AF_UNIX, "\0" + name)
        for engine, user in self.each():
            path = os.path.join(self.root, f"socket-{engine}-{user}")
            self.listen(socket.AF_UNIX, path)
            os.chmod(path, 0o777)
            self.become(user)
            self.check(engine, "connect_tcp", tcp.getsockname()[1])
            self.check(engine, "send_udp", udp.getsockname()[1])
            self.check(engine, "connect_abstract", name)
            self.check(engine, "connect_unix", path)
            self.check(engine, "connect_abstract", name, options=["--unix-sockets"])
            allowed = self.attempt("connect_unix", path, wrap=self.cage(engine, "--unix-sockets"))
            self.assertEqual(allowed.returncode, 0, allowed.stderr)
            if user == 0:
                self.check(engine, "sniff")

    def test_pairs_of_sockets_stay_pairs(self):
        for engine, user in self.each():
            path = os.path.join(self.root, f"datagrams-{engine}-{user}")
            self.listen(socket.AF_UNIX, path, socket.SOCK_DGRAM)
            os.chmod(path, 0o777)
            self.become(user)
            for way in ("send_by_pair", "connect_by_pair", "send_by_raw_pair"):
                self.check(engine, way, path)
            ran = self.call([*self.cage(engine), PYTHON, "-c",
                             "import socket\na, b = socket.socketpair()\n"
                             "a.send(b'ok')\nprint(b.recv(2).decode())\n"
                             "try: socket.socketpair(socket.AF_INET)\n"
                             "except PermissionError: print('of no other family')"])
            self.assertEqual(ran.stdout, b"ok\nof no other family\n", ran.stderr)

    def test_its_own_loopback_works(self):
        script = ("import socket\n"
                  "s = socket.create_server(('127.0.0.1', 0))\n"
                  "socket.create_connection(s.getsockname())\n"
                  "print('ok')\n")
        for engine, user in self.each():
            self.become(user)
            ran = self.call([*self.cage(engine), PYTHON, "-c", script])
            self.assertEqual((ran.returncode, ran.stdout), (0, b"ok\n"), ran.stderr)


class Proxied(SandboxCase):
    def serve(self):
        """An HTTP server on this machine that says what it was asked."""
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = f"{self.path} for {self.headers['Host']}".encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address[1]

    def ask(self, engine, script, *options):
        """Runs Python in the sandbox: `say(bytes)` gives what the proxy answers."""
        head = ("import socket, os\n"
                "def say(*pieces):\n"
                "    s = socket.create_connection(('127.0.0.1', 3128))\n"
                "    for piece in pieces: s.sendall(piece)\n"
                "    s.shutdown(1)\n"
                "    heard = b''\n"
                "    while True:\n"
                "        more = s.recv(65536)\n"
                "        if not more: return heard\n"
                "        heard += more\n")
        ran = self.call([*self.cage(engine, *options), PYTHON, "-c", head + script])
        self.assertEqual(ran.returncode, 0, (engine, self.user, ran.stderr))
        return ran.stdout.decode()


class Proxy(Proxied):
    """The one way out: by host, through real programs."""

    def test_programs_find_the_proxy_by_themselves(self):
        port = self.serve()
        script = ("import urllib.request\n"
                  "for host in HOSTS:\n"
                  f"    print(urllib.request.urlopen(f'http://{{host}}:{port}/x').read().decode())\n"
                  "print(os.environ['NO_PROXY'], os.environ['no_proxy'])\n")
        for engine, user in self.each():
            self.become(user)
            for hosts, direct in ((["127.0.0.1"], "localhost,::1"), (["localhost"], "127.0.0.1,::1"),
                                  (["LocalHost", "127.0.0.1"], "::1")):
                allowed = [word for host in hosts for word in ("--allow-host", f"{host}:{port}")]
                said = self.ask(engine, f"HOSTS = {hosts}\n{script}", *allowed)
                self.assertEqual(said, "".join(f"/x for {h}:{port}\n" for h in hosts) +
                                 f"{direct} {direct}\n")

    def test_programs_find_their_own_servers_without_the_proxy(self):
        script = ("import http.server, threading, urllib.request\n"
                  "server = http.server.HTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\n"
                  "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
                  "print(urllib.request.urlopen(f'http://HOST:{server.server_port}/').status)\n")
        for engine, user in self.each():
            self.become(user)
            self.assertEqual(self.ask(engine, script.replace("HOST", "127.0.0.1"), "--allow-host", "a.example"),
                             "200\n")
            self.assertEqual(self.ask(engine, script.replace("HOST", "localhost"), "--allow-host", "127.0.0.1:1"),
                             "200\n")

    def test_only_what_is_named_is_reached(self):
        port = self.serve()
        for engine, user in self.each():
            self.become(user)
            for host, allowed in ((f"127.0.0.1:{port}", True), (f"127.0.0.1:{port + 1}", False),
                                  (f"localhost:{port}", False), (f"127.1:{port}", False),
                                  (f"2130706433:{port}", False), (f"0x7f000001:{port}", False),
                                  (f"[::ffff:127.0.0.1]:{port}", False),
                                  (f"127.0.0.1.:{port}", False), (f"0.0.0.0:{port}", False),
                                  (f"127.0.0.1%00:{port}", False)):
                said = self.ask(engine, f"print(say(b'CONNECT {host} HTTP/1.1\\r\\n\\r\\n', "
                                f"b'GET / HTTP/1.0\\r\\n\\r\\n'))",
                                "--allow-host", f"127.0.0.1:{port}")
                self.assertEqual("200 OK" in said, allowed, (host, said))

    def test_socks_gets_no_more_than_http(self):
        port = self.serve()
        wrong = (port + 1 if port < 65535 else port - 1)

        def request(kind, address, to, command=1):
            return bytes([5, command, 0, kind]) + address + to.to_bytes(2, "big")
        local = socket.inet_aton("127.0.0.1")
        cases = ((request(1, local, port), 0), (request(1, local, wrong), 2),
                 (request(1, socket.inet_aton("0.0.0.0"), port), 2),
                 (request(1, local, 25), 2), (request(1, local, 53), 2),
                 (request(4, socket.inet_pton(socket.AF_INET6, "::ffff:127.0.0.1"), port), 2),
                 (request(4, socket.inet_pton(socket.AF_INET6, "::1"), port), 2),
                 (request(3, b"\x09localhost", port), 2),
                 (request(3, b"\x0a127.0.0.1.", port), 2),
                 (request(3, "\x0fm\u00fcnchen.example".encode(), port), 2),
                 (request(1, local, port, command=2), 7),  # to listen
                 (request(1, local, port, command=3), 7))  # UDP
        for engine, user in self.each():
            self.become(user)
            for asked, answer in cases:
                said = self.ask(engine, f"print(say(b'\\5\\1\\0', {asked!r})[3])", "--allow-host",
                                f"127.0.0.1:{port}")
                self.assertEqual(said, f"{answer}\n", asked)

    def test_a_nul_in_a_name_is_no_way_around(self):
        for engine, user in self.each():
            self.become(user)
            script = ("name = b'evil.example\\0.docs.example'\n"
                      "print(say(b'\\5\\1\\0', b'\\5\\1\\0\\3' + bytes([len(name)]) + name + b'\\0\\120'))\n"
                      "print(say(b'CONNECT ' + name + b':80 HTTP/1.1\\r\\n\\r\\n'))\n")
            said = self.ask(engine, script, "--allow-host", "*.docs.example")
            self.assertIn(r"\x05\x00\x05\x02", said)
            self.assertIn("403 Forbidden", said)

    def test_there_is_no_other_way(self):
        port = self.serve()
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        self.addCleanup(udp.close)
        for engine, user in self.each():
            self.become(user)
            allow = ["--allow-host", f"127.0.0.1:{port}"]
            self.check(engine, "connect_tcp", port, options=allow)
            held = self.attempt("send_udp", udp.getsockname()[1], wrap=self.cage(engine, *allow))
            self.assertEqual(held.returncode, 1)
            said = self.ask(engine, "import socket\ntry:\n    print(socket.getaddrinfo('example.org', 80))\n"
                            "except OSError as why: print('no name service')", *allow)
            self.assertEqual(said, "no name service\n")

    def test_without_a_filter_the_network_is_as_it_is(self):
        port = self.serve()
        for engine, user in self.each():
            self.become(user)
            ran = self.attempt("connect_tcp", port, wrap=self.cage(engine, "--full-network"))
            self.assertEqual(ran.returncode, 0, ran.stderr)


class Settings(Proxied):
    """What a session here would have, without any flag."""

    def settings(self, **values):
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w") as file:
            json.dump(values, file)

    def test_settings_and_rules_are_enforced(self):
        for engine, user in self.each():
            for name in ("deep/key.pem", "Makefile", "config/app/x"):
                self.inside(name, "secret")
            secret, netrc = self.outside("private"), self.outside("netrc")
            extra = os.path.join(self.out, "extra")
            os.mkdir(extra)
            self.settings(permissions={"deny": ["Read(**/*.pem)", "Edit(./Makefile)", "Edit(conf*/**)"],
                                       "allow": [f"Edit(/{extra}/**)"]},
                          env={"CLAUDE_ENV_FILE": os.path.join(self.cwd, "env.sh")},
                          sandbox={"filesystem": {"denyRead": [secret]},
                                   "credentials": {"files": [{"path": netrc, "mode": "mask"}],
                                                   "envVars": [{"name": "LANG", "mode": "deny"}]}})
            self.become(user)
            for way, path in (("read", "deep/key.pem"), ("read", secret), ("read", netrc),
                              ("write", "Makefile"), ("write", "config/app/x")):
                self.check(engine, way, path)
            self.check(engine, "make", "env.sh", again=lambda: os.unlink(os.path.join(self.cwd, "env.sh")))
            ran = self.call([*self.cage(engine), "sh", "-c", f"echo ${{LANG-unset}} >{extra}/f && cat {extra}/f"])
            self.assertEqual((ran.returncode, ran.stdout), (0, b"unset\n"), ran.stderr)

    def test_keys_of_models_are_not_handed_over(self):
        names = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY",
                 "ANTHROPIC_FOUNDRY_API_KEY", "ANTHROPIC_FOUNDRY_AUTH_TOKEN", "AWS_BEARER_TOKEN_BEDROCK")
        plain = self.environment()
        for engine, user in self.each():
            self.become(user)
            for keep, found in ({}, 0), ({"AWL_KEEP_KEY_IN_CHILDREN": "1"}, len(names)):
                self.environment = lambda: {**plain, **dict.fromkeys(names, "s3cret"), **keep}
                ran = self.call([*self.cage(engine), "sh", "-c", "env; cat /proc/*/environ 2>/dev/null"])
                self.assertEqual(ran.returncode and ran.stdout == b"", False, ran.stderr)
                self.assertEqual(ran.stdout.split(b"\0")[0].count(b"=s3cret\n"), found, engine)
                self.assertEqual(b"s3cret" in ran.stdout, bool(found), engine)

    def test_open_files_are_open(self):
        for engine, user in self.each():
            path = self.outside("file")
            self.settings(sandbox={"filesystem": {"disabled": True, "denyRead": [path]}})
            self.become(user)
            self.assertEqual(self.attempt("write", path, wrap=self.cage(engine)).returncode, 0)

    def test_hosts_of_the_settings_are_reached_and_nobody_is_asked(self):
        port = self.serve()
        for engine, user in self.each():
            self.settings(sandbox={"network": {"allowedDomains": [f"127.0.0.1:{port}"]}})
            self.become(user)
            for host, allowed in ((f"127.0.0.1:{port}", True), ("example.org:80", False)):
                said = self.ask(engine, f"print(say(b'GET http://{host}/x HTTP/1.1\\r\\n\\r\\n'))")
                self.assertEqual("200 OK" in said, allowed, said)

    def test_a_proxy_of_the_users_own_decides_for_itself(self):
        port = self.serve()
        for engine, user in self.each():
            self.settings(sandbox={"network": {"httpProxyPort": port}})
            self.become(user)
            said = self.ask(engine, "print(say(b'GET http://any.example/x HTTP/1.0\\r\\n"
                                    "Host: any.example\\r\\n\\r\\n'))")
            self.assertIn("http://any.example/x for any.example", said)

    def test_the_report_describes_the_sandbox_of_this_directory(self):
        self.settings(permissions={"deny": ["Edit(*.lock)"]})
        for words in ((), ("--report",)):
            ran = self.call([self.program, "sandbox", *words])
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertIn(b"sandbox on Linux", ran.stdout)
            self.assertIn(f"commands in {os.path.realpath(self.cwd)} are sandboxed by: ".encode(), ran.stdout)
            self.assertIn(b"note: the sandbox enforces this pattern for existing files", ran.stdout)
            self.assertIn(f"deny write {os.path.realpath(self.cwd)}/.mcp.json\n".encode(), ran.stdout)
            self.assertRegex(ran.stdout, rb"write \S+ \(TMPDIR, removed at the end\)")
            self.assertIn(b"at most 4096 processes\n", ran.stdout)


class Command(SandboxCase):
    def test_exit_codes_and_signals_come_through(self):
        for engine, user in self.each():
            self.become(user)
            for script, code in (("exit 0", 0), ("exit 42", 42), ("kill -9 $$", 137)):
                self.assertEqual(self.call([*self.cage(engine), "sh", "-c", script]).returncode, code)

    def test_a_program_that_is_not_there_is_said(self):
        for engine, user in self.each():
            self.become(user)
            self.inside("plain", "#!/bin/sh\n")
            for name, code in (("no-such-program", 127), ("./no-such-program", 127), ("./plain", 126)):
                ran = self.call([*self.cage(engine), name])
                self.assertEqual(ran.returncode, code, (engine, name, ran.stderr))
                self.assertIn(name.encode() + b": ", ran.stderr)

    def test_temporary_files_have_a_place_that_is_gone_afterwards(self):
        for engine, user in self.each():
            self.become(user)
            ran = self.call([*self.cage(engine), "sh", "-c", "mktemp && echo $TMPDIR"])
            self.assertEqual(ran.returncode, 0, ran.stderr)
            self.assertFalse(os.path.exists(ran.stdout.split()[-1]))

    def test_the_report_lists_what_is_enforced_and_what_is_not(self):
        strong = self.call([self.program, "sandbox", "--report"])
        self.assertEqual(strong.returncode, 0)
        self.assertIn(b" are sandboxed by: ", strong.stdout)
        weak = self.call([self.program, "sandbox", "--report", "--engine", "landlock"])
        self.assertIn(b"not enforced: protected files inside", weak.stdout)

    def test_an_engine_that_is_not_there_is_refused(self):
        ran = self.call([self.program, "sandbox", "--engine", "bwrap", "--bwrap", "/nowhere", "--",
                         "true"])
        self.assertEqual(ran.returncode, 125)
        self.assertIn(b"bubblewrap is not installed", ran.stderr)

    def test_inside_another_sandbox_landlock_is_left(self):
        for engine, user in self.each():
            self.become(user)
            path = os.path.join(self.cwd, "f")
            ran = self.call([*self.cage(engine), self.program, "sandbox", "--", "sh", "-c",
                             f"echo in >f; echo out >{self.root}/x"])
            self.assertIn(b"in", open(path, "rb").read(), ran.stderr)
            self.assertFalse(os.path.exists(self.root + "/x"))


class Landlock(SandboxCase):
    """The weaker engine enforces what it claims to enforce."""

    @unittest.skipUnless(can("landlock"), "the kernel has no Landlock")
    def test_what_is_hidden_in_the_project_is_hidden(self):
        for user in USERS:
            self.fresh()
            self.inside("private/key", "secret")
            self.inside("private/deep/key", "secret")
            self.inside("plain", "secret")
            self.become(user)
            for path in ("private/key", "private/deep/key", "./sub/../private/key"):
                os.makedirs(os.path.join(self.cwd, "sub"), exist_ok=True)
                self.check("landlock", "read", path, options=["--deny-read", "private"])
            plain = self.attempt("read", "plain", wrap=self.cage("landlock", "--deny-read", "private"))
            self.assertEqual(plain.returncode, 0, plain.stderr)

    @unittest.skipUnless(can("landlock"), "the kernel has no Landlock")
    def test_what_the_user_shares_with_others_is_out_of_reach(self):
        libc = ctypes.CDLL(None)
        name = f"awl-test-{os.getpid()}"
        for user in USERS:
            self.fresh()
            self.become(user)
            self.check("landlock", "share_memory", name,
                       again=lambda: os.unlink("/dev/shm/" + name))
            path = os.path.join(self.root, f"datagrams-{user}")
            server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            server.bind(path)
            os.chmod(path, 0o777)
            self.check("landlock", "send_by_pair", path)
            server.close()
            ours, theirs = os.openpty()
            os.chown(os.ttyname(theirs), user, -1)
            self.check("landlock", "open_terminal", os.ttyname(theirs))
            os.close(ours)
            os.close(theirs)
            key = 0x50000000 + os.getpid()
            made = libc.msgget(key, 0o1000 | 0o666)
            self.check("landlock", "queue", key)
            self.check("landlock", "take_queue", made)
            libc.msgctl(made, 0, None)
            made = libc.semget(key, 1, 0o1000 | 0o666)
            self.check("landlock", "take_semaphore", made)
            libc.semctl(made, 0, 0)
            as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
            sleeper = subprocess.Popen(["sleep", "1000"], env={"SECRET": "x"}, **as_user)
            self.addCleanup(sleeper.wait)
            self.addCleanup(sleeper.kill)
            for way in ("limit_of", "trace", "environment_of", "memory_of", "signal", "slow_down"):
                self.check("landlock", way, sleeper.pid)

    @unittest.skipUnless(can("landlock") and os.getuid() == 0, "only root has powers")
    def test_root_has_no_powers_left(self):
        self.become(0)
        self.check("landlock", "change_network", options=["--full-network"])
        self.check("landlock", "set_user")
        self.check("landlock", "kernel_setting")
        if self.attempt("disk").returncode == 0:
            self.check("landlock", "disk")

    @unittest.skipUnless(can("landlock"), "the kernel has no Landlock")
    def test_files_and_network_are_restricted(self):
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)
        for user in USERS:
            self.fresh()
            path, secret = self.outside("file", "as it was"), self.outside("secret")
            self.become(user)
            self.check("landlock", "connect_tcp", server.getsockname()[1])
            self.check("landlock", "read", secret, options=["--deny-read", secret])
            for way in ("write", "by_proc"):
                self.check("landlock", way, path)
            inside = self.call([*self.cage("landlock"), "sh", "-c",
                                "mkdir d && echo hi >d/f && mv d/f g && cat g >/dev/null"])
            self.assertEqual(inside.returncode, 0, inside.stderr)


if __name__ == "__main__":
    unittest.main()
