"""Money: what a session, a day and a project may cost, and how many tokens a prompt is worth."""

import glob
import json
import os
import subprocess

from emulated import Screen
from rig import AWL, Modelled

LOOP = 'reply forever\n  tool Glob {"pattern": "*"}\n  usage input=20000 output=100\n'
CHEAP = 'reply forever\n  text "ok"\n  usage input=1000 output=1000\n'
MODEL = ("--model", "claude-haiku-4-5")


class Budgets(Modelled):
    def result(self, *args, **env):
        return json.loads(self.print("go", *MODEL, *args, "--output-format", "json", **env).stdout)

    def settings(self, **budget):
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            json.dump({"awl": {"budget": budget}}, file)

    def assert_spent(self, result, what):
        self.assertEqual((result["subtype"], result["terminal_reason"]), ("error_max_budget_usd", "budget_exhausted"))
        self.assertIn(what, json.dumps(result))

    def test_a_session_ends_at_the_limit_of_the_settings(self):
        self.serve(LOOP)
        self.settings(session=0.05)
        self.assert_spent(self.result(), "Reached maximum budget ($0.05)")
        self.assertEqual(len(self.requests()), 3)

    def test_a_day_counts_all_sessions_in_whatever_directory(self):
        self.serve(CHEAP)
        self.assertEqual(self.result()["subtype"], "success")
        self.cwd = os.path.join(self.root, "elsewhere")
        os.mkdir(self.cwd)
        for _ in range(2):
            self.assert_spent(self.result("--day-budget-usd", "0.01"), "Reached maximum budget of the day ($0.01)")
        self.assertEqual(len(self.requests()), 2)
        self.assertEqual(self.result("--project-budget-usd", "0.02")["subtype"], "success")

    def test_a_project_counts_its_own_sessions(self):
        self.serve(CHEAP)
        self.settings(project=0.01)
        self.assertEqual(self.result()["subtype"], "success")
        for _ in range(2):
            self.assert_spent(self.result(), "Reached maximum budget of the project ($0.01)")
        self.assertEqual(len(self.requests()), 2)

    def test_processes_that_spend_at_the_same_time_lose_nothing(self):
        self.serve(CHEAP)
        env = self.environment(**self.modelled())
        running = [subprocess.Popen([AWL, "-p", "go", *MODEL], cwd=self.cwd, env=env, stdout=subprocess.DEVNULL)
                   for _ in range(6)]
        self.assertEqual([process.wait() for process in running], [0] * 6)
        for path in glob.glob(os.path.join(self.home, ".claude/awl/spent/*")):
            with open(path, encoding="ascii") as file:
                self.assertEqual(file.read(), "6000000\n" * 6)
        self.assertIn("Today, all sessions: $0.04", self.print("/usage").stdout.decode())

    def test_a_prompt_may_say_how_many_tokens_it_is_worth(self):
        self.serve('reply forever\n  text "ok"\n  usage input=10 output=3000\n')
        for prompt, args, requests in (("go +10k", (), 3), ("use 10k tokens for this", (), 3), ("go", (), 1),
                                       ("go", ("--token-budget", "6k"), 2)):
            before = len(self.requests())
            self.assertEqual(self.print(prompt, *MODEL, *args).stdout, b"ok\n", prompt)
            self.assertEqual(len(self.requests()) - before, requests, prompt)
        self.assertIn(b"--token-budget must be", self.print("go", "--token-budget", "lots").stderr)


class AtTheTerminal(Screen):
    def start(self):
        self.serve('reply forever\n  text "Done."\n  usage input=10 output=100000\n')
        terminal = self.open("--max-budget-usd", "2")
        terminal.type("first\r")
        terminal.wait_idle("Done.")
        terminal.type("second\r")
        return terminal

    def test_the_user_is_asked_and_may_go_on(self):
        terminal = self.start()
        terminal.wait_for("This session has cost $2.00, and its budget is $2.00. Continue?")
        terminal.wait_for("Allow another $2.00")
        terminal.type("\r")
        terminal.wait_for(self.PROMPT)
        self.wait_until(lambda: len(self.requests()) == 2, "no second request")
        self.leave(terminal)

    def test_the_user_may_stop(self):
        terminal = self.start()
        terminal.wait_for("Continue?")
        terminal.type("\x1b[B\r")
        terminal.wait_for("Reached maximum budget ($2)")
        self.assertEqual(len(self.requests()), 1)
        self.leave(terminal)
