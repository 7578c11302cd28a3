"""A file system that is really full: what awl keeps, and what the user is told."""

import json
import os
import shutil
import subprocess
import unittest

from rig import AWL, PATIENCE, Modelled

IN_NAMESPACE = ("unshare", "--map-root-user", "--mount", "--", "sh", "-ec")
# The files that were there are copied, and what is left of the space is filled.
SMALL = ('mkdir -p "$FULL"; cp -a "$FULL" "$ROOT/before"; mount -t tmpfs -o size=256k none "$FULL"; '
         'cp -a "$ROOT/before/." "$FULL/"; head -c 10M /dev/zero > "$FULL/filler" || :; '
         '"$@"; code=$?; rm "$FULL/filler"; mkdir "$ROOT/after"; cp -a "$FULL/." "$ROOT/after/"; exit $code')


def can_mount():
    return shutil.which("unshare") and not subprocess.run(
        [*IN_NAMESPACE, "mount -t tmpfs none /mnt"], capture_output=True, check=False).returncode


@unittest.skipUnless(can_mount(), "needs a mount namespace")
class FullDisk(Modelled):
    def run_full(self, full, *args, **env):
        """Runs awl while the directory has no space left; afterwards `after` in the root has its files."""
        for name in ("before", "after"):
            shutil.rmtree(os.path.join(self.root, name), ignore_errors=True)
        return subprocess.run([*IN_NAMESPACE, SMALL, "sh", AWL, *args], cwd=self.cwd, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, check=False,
                              env=self.environment(**self.modelled(FULL=full, ROOT=self.root, **env)))

    def after(self, name):
        with open(os.path.join(self.root, "after", name), encoding="utf-8") as file:
            return file.read()

    def call(self, name, arguments):
        self.serve(f'reply\n  tool {name} {json.dumps(arguments)}\nreply forever\n  text "Done."\n')

    def told(self):
        return json.dumps(self.requests()[-1]["messages"][-1])

    def test_an_answer_comes_and_says_that_it_is_not_saved(self):
        self.serve('reply forever\n  text "Hello."\n')
        ran = self.run_full(os.path.join(self.home, ".claude"), "-p", "hi")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"), ran.stderr)
        self.assertIn(b"not being saved", ran.stderr)
        self.assertIn(b"No space left on device", ran.stderr)

    def test_a_session_from_before_stays_whole_and_can_be_resumed(self):
        self.serve('reply forever\n  text "Hello."\n')
        claude = os.path.join(self.home, ".claude")
        first = json.loads(self.print("hi", "--output-format", "json").stdout)["session_id"]
        ran = self.run_full(claude, "-p", "again", "--resume", first)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"), ran.stderr)
        shutil.rmtree(claude)
        shutil.copytree(os.path.join(self.root, "after"), claude)
        ran = self.print("third", "--resume", first)
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"), ran.stderr)
        self.assertIn('"hi"', json.dumps(self.requests()[-1]["messages"]))

    def test_a_command_runs_with_a_warning_that_it_cannot_be_undone(self):
        self.write("a", "a\n")
        self.call("Bash", {"command": "mv a b"})
        ran = self.run_full(os.path.join(self.home, ".claude"), "-p", "go", "--allowedTools", "Bash")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Done.\n"), ran.stderr)
        self.assertIn(b"cannot be undone", ran.stderr)
        self.assertEqual(os.path.exists(self.path("b")), True)

    def test_a_file_that_cannot_be_written_keeps_its_content(self):
        os.mkdir(self.path("small"))
        self.write("small/a.txt", "old\n")
        for name, arguments in (("Edit", {"file_path": "small/a.txt", "old_string": "old", "new_string": "x" * 300000}),
                                ("Write", {"file_path": "small/new.txt", "content": "y" * 300000})):
            self.serve(f'reply\n  tool Read {{"file_path": "small/a.txt"}}\nreply\n  tool {name} {json.dumps(arguments)}\n'
                       'reply forever\n  text "Done."\n')
            ran = self.run_full(self.path("small"), "-p", "go", "--allowedTools", "Edit,Write")
            self.assertEqual((ran.returncode, ran.stdout), (0, b"Done.\n"), ran.stderr)
            self.assertIn("No space left on device", self.told())
            self.assertEqual(self.after("a.txt"), "old\n")
            self.assertEqual(sorted(os.listdir(os.path.join(self.root, "after"))), ["a.txt"])

    def test_sessions_are_found_without_an_index(self):
        self.serve('reply forever\n  text "Hello."\n')
        self.print("where is the needle?")
        ran = self.run_full(os.path.join(self.home, ".claude"), "sessions", "search", "needle")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn(b"needle", ran.stdout)
