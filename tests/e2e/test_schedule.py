"""Prompts that are scheduled: real sessions with a job that is due."""

import glob
import json
import os
import re
import subprocess
import threading

from rig import PATIENCE, Modelled

STREAM = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
REPLIES = ('reply forever when prompt contains "water the plants"\n  text "Watered."\n'
           'reply forever\n  text "Hello."\n')


class Scheduled(Modelled):
    def durable(self, prompt):
        """A job of the project that was due long ago."""
        slug = re.sub("[^A-Za-z0-9]", "-", os.path.realpath(self.cwd))
        path = os.path.join(self.home, ".claude/awl/schedule", slug + ".json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"tasks": [{"id": "0123abcd", "cron": "", "prompt": prompt, "recurring": False,
                                  "createdAt": 1767225600000, "due": 1767225600000}]}, file)
        return path

    def open(self, **env):
        session = self.start(*STREAM, stdin=subprocess.PIPE, **env)
        watchdog = threading.Timer(PATIENCE, session.kill)
        watchdog.start()
        self.addCleanup(watchdog.cancel)
        return session

    def until(self, session, kind):
        events = []
        for line in session.stdout:
            events.append(json.loads(line))
            if events[-1]["type"] == kind:
                return events
        self.fail(f"the session has ended: {events}")

    def ask(self, session, text):
        session.stdin.write(json.dumps({"type": "user", "message": {"role": "user", "content": text}}).encode() + b"\n")
        session.stdin.flush()
        return self.until(session, "result")

    def finish(self, session):
        session.stdin.close()
        rest = session.stdout.read()
        self.assertEqual(session.wait(PATIENCE), 0)
        return rest

    def prompts(self):
        return [json.dumps(request["messages"][-1]) for request in self.requests()]

    def test_a_job_that_was_missed_starts_by_itself_and_is_gone(self):
        self.serve(REPLIES)
        path = self.durable("water the plants")
        session = self.open()
        result = self.until(session, "result")[-1]
        self.assertEqual(result["result"], "Watered.")
        self.finish(session)
        self.assertFalse(os.path.exists(path))
        self.assertEqual(len([p for p in self.prompts() if "water the plants" in p and "This was due at" in p]), 1)

    def test_only_one_of_two_sessions_starts_it(self):
        self.serve(REPLIES)
        self.durable("water the plants")
        first = self.open()
        self.until(first, "result")  # so it has the lock
        path = self.durable("feed the cat")
        second = self.open()
        self.ask(second, "hello")
        self.ask(second, "hello again")
        self.finish(second)
        self.assertTrue(os.path.exists(path))
        self.assertEqual(len([p for p in self.prompts() if "feed the cat" in p]), 0)
        self.finish(first)

    def test_stop_hooks_and_the_transcript_know_of_it(self):
        self.serve(REPLIES)
        self.durable("water the plants")
        seen = os.path.join(self.cwd, "seen")
        self.write_settings({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": f"cat >> {seen}"}]}]}})
        session = self.open()
        self.until(session, "result")
        self.finish(session)
        with open(seen, encoding="utf-8") as file:
            self.assertEqual(json.loads(file.read())["session_crons"], [])
        [transcript] = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(transcript, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        self.assertIn("water the plants", json.dumps([r for r in records if r.get("type") == "user"]))

    def test_a_single_answer_starts_nothing(self):
        self.serve(REPLIES)
        path = self.durable("water the plants")
        ran = self.print("hello")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello.\n"))
        self.assertTrue(os.path.exists(path))

    def test_what_a_job_names_is_no_command_that_only_the_user_may_run(self):
        self.serve(REPLIES)
        for name, head in (("mine", "disable-model-invocation: true\n"), ("ours", "")):
            path = os.path.join(self.home, ".claude/skills", name, "SKILL.md")
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"---\n{head}---\nThe text of {name}.\n")
        for name in ("mine", "ours"):
            self.durable("/" + name)
            session = self.open()
            self.until(session, "result")
            self.finish(session)
        sent = "".join(self.prompts())
        self.assertNotIn("The text of mine.", sent)
        self.assertIn("The text of ours.", sent)

    def test_the_number_of_jobs_has_a_limit(self):
        calls = "".join('  tool CronCreate {"cron":"0 5 * * *","prompt":"water the plants"}\n' for _ in range(51))
        self.serve('reply when prompt contains "hello"\n  tool ToolSearch {"query":"select:CronCreate"}\n'
                   f'reply when result_of contains ToolSearch\n{calls}reply forever\n  text "Done."\n')
        session = self.open()
        self.ask(session, "hello")
        self.finish(session)
        results = [block for block in self.requests()[-1]["messages"][-1]["content"] if block["type"] == "tool_result"]
        self.assertEqual(len([r for r in results if "Scheduled" in json.dumps(r)]), 50)
        self.assertIn("There are 50 scheduled prompts already", json.dumps(results[-1]))

    def write_settings(self, values):
        path = os.path.join(self.home, ".claude/settings.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(values, file)
