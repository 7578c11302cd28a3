"""awl sessions: what a user finds, reads, renames, exports and deletes."""

import json
import os
import time
import unittest

from rig import Modelled

ONE = "11111111-2222-4333-8444-555555555555"
TWO = "22222222-2222-4333-8444-555555555555"
DAY = 24 * 3600


class Sessions(Modelled):
    def setUp(self):
        super().setUp()
        self.serve('reply forever\n  text "All done."\n')
        self.print("fix the parser", "--session-id", ONE)
        self.print("write about zebras", "--session-id", TWO)

    def sessions(self, *args, status=0, stdin=b""):
        ran = self.awl("sessions", *args, stdin=stdin)
        self.assertEqual(ran.returncode, status, ran.stderr)
        self.stderr = ran.stderr.decode()
        return ran.stdout.decode()

    def found(self, *args):
        return [session["id"] for session in json.loads(self.sessions(*args, "--json"))]

    def transcript(self, session):
        projects = os.path.join(self.home, ".claude/projects")
        (project,) = os.listdir(projects)
        return os.path.join(projects, project, session + ".jsonl")

    def age(self, session, days):
        then = time.time() - days * DAY
        os.utime(self.transcript(session), (then, then))

    def test_sessions_are_listed_newest_first(self):
        self.age(ONE, 2)
        lines = self.sessions().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[0], r"^22222222  just now +write about zebras")
        self.assertRegex(lines[1], r"^11111111  2 d ago +fix the parser")
        self.assertEqual(self.found("list", "--limit", "1"), [TWO])

    def test_sessions_of_other_directories_are_listed_on_demand(self):
        self.cwd = self.home
        self.assertIn("--all-projects", self.sessions("list"))
        self.assertEqual(set(self.found("list", "--all-projects")), {ONE, TWO})

    def test_a_search_finds_prompts_and_replies(self):
        self.assertEqual(self.found("search", "zebra"), [TWO])
        self.assertEqual(set(self.found("search", "all", "done")), {ONE, TWO})
        self.assertIn("Nothing was found", self.sessions("search", "walrus"))
        self.print("--resume", ONE, "and a walrus")
        self.assertEqual(self.found("search", "walrus"), [ONE])
        self.assertEqual(self.stderr, "")

    def test_a_search_works_with_a_damaged_index_and_repairs_it(self):
        self.found("search", "zebra")
        index = os.path.join(self.home, ".claude/awl/sessions.db")
        with open(index, "wb") as file:
            file.write(b"nonsense" * 1000)
        self.assertEqual(self.found("list"), [TWO, ONE])
        self.assertEqual(self.found("search", "zebra"), [TWO])
        with open(index, "rb") as file:
            self.assertEqual(file.read(6), b"SQLite")

    def test_a_search_works_where_nothing_can_be_written(self):
        index = os.path.join(self.home, ".claude/awl/sessions.db")
        os.makedirs(index)
        self.assertEqual(self.found("search", "zebra"), [TWO])
        self.assertIn("reading the sessions themselves", self.stderr)

    def test_a_session_is_renamed_tagged_and_shown(self):
        self.sessions("rename", TWO[:8], "About zebras")
        self.sessions("tag", "about ZEBRAS", "animals")
        self.assertEqual(self.found("list", "--tag", "animals"), [TWO])
        shown = self.sessions("show", "about zebras")
        for part in ("# About zebras", "session " + TWO, "tag animals", "## User\n\nwrite about zebras", "All done."):
            self.assertIn(part, shown)
        self.sessions("tag", TWO)
        self.assertEqual(self.found("list", "--tag", "animals"), [])
        self.sessions("rename", TWO, status=1)
        self.sessions("show", "nobody", status=1)
        self.assertIn('no session "nobody"', self.stderr)

    def test_a_conversation_is_exported_as_its_file_is_called(self):
        for name, start in (("x.md", "\n## User"), ("x.html", "<!DOCTYPE html>"), ("x.json", '{"session_id"')):
            self.sessions("export", ONE, name)
            self.assertTrue(self.read(name).startswith(start), name)
        self.assertEqual(len(json.loads(self.read("x.json"))["messages"]), 2)
        self.sessions("export", ONE, "x.md", status=1)
        self.assertIn("exists", self.stderr)
        self.assertTrue(self.sessions("export", ONE, "--format", "html").startswith("<!DOCTYPE"))

    def test_old_sessions_are_deleted_after_a_dry_run(self):
        self.age(ONE, 40)
        self.assertIn("Would delete 1 session", self.sessions("purge", "--older-than", "30d", "--dry-run"))
        self.assertTrue(os.path.exists(self.transcript(ONE)))
        self.sessions("purge", "--older-than", "30d", status=1)
        self.assertIn("--dry-run", self.stderr)
        self.assertIn("Deleted 1 session", self.sessions("purge", "--older-than", "30d", "--yes"))
        self.assertEqual(self.found("list"), [TWO])
        for age in ("", "30", "-3d", "3y"):
            self.sessions("purge", f"--older-than={age}", status=1)

    def test_a_session_that_is_open_is_never_deleted(self):
        self.age(ONE, 40)
        os.makedirs(os.path.join(self.home, ".claude/awl/locks"), exist_ok=True)
        import fcntl
        with open(os.path.join(self.home, ".claude/awl/locks", ONE), "w") as lock:
            fcntl.lockf(lock, fcntl.LOCK_EX)
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("1 open one stays", self.sessions("purge", "--older-than", "30d", "--dry-run"))
            self.assertIn("1 open one stays", self.sessions("purge", "--older-than", "30d", "--yes"))
        self.assertTrue(os.path.exists(self.transcript(ONE)))

    def test_forks_stand_below_the_session_that_they_come_from(self):
        self.print("--resume", ONE, "--fork-session", "and now differently")
        lines = [line for line in self.sessions("list").splitlines() if "fix the parser" in line]
        self.assertEqual(len(lines), 2)
        self.assertIn("└", lines[1])
        self.assertNotIn("└", lines[0])


if __name__ == "__main__":
    unittest.main()
