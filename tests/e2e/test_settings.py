"""Settings files as a session meets them."""

import glob
import json
import os
import time
import unittest

from rig import Modelled

HELPER_KEY = "sk-ant-printed-by-the-helper"
OWN = "0f0e0d0c-0b0a-4908-8706-050403020100"


class Settings(Modelled):
    def settings(self, text):
        folder = os.path.join(self.home, ".claude")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "settings.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text if isinstance(text, str) else json.dumps(text, indent=2))
        return path

    def ask(self, *args, **env):
        """Without a key in the environment."""
        return self.awl("-p", "hi", *args, env={"ANTHROPIC_BASE_URL": self.url, **env})

    def events(self, **env):
        ran = self.ask("--output-format", "stream-json", "--verbose", **env)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def test_the_key_helper_of_the_settings_is_asked(self):
        self.serve(f'reply forever when header x-api-key is {HELPER_KEY}\n  text "The key fits."\n'
                   'fail 401 authentication_error "No key" forever\n')
        self.settings({"apiKeyHelper": f"echo {HELPER_KEY}"})
        ran = self.ask()
        self.assertEqual((ran.returncode, ran.stdout), (0, b"The key fits.\n"))
        self.assertEqual(self.events()[0]["apiKeySource"], "apiKeyHelper")

    def test_the_key_helper_has_the_environment_of_the_settings(self):
        self.serve(f'reply forever when header x-api-key is {HELPER_KEY}\n  text "The key fits."\n'
                   'fail 401 authentication_error "No key" forever\n')
        self.settings({"apiKeyHelper": "echo $VAULT_KEY", "env": {"VAULT_KEY": HELPER_KEY}})
        self.assertEqual(self.ask(VAULT_KEY="of-the-shell").stdout, b"The key fits.\n")

    def test_a_key_in_the_environment_counts_before_the_helper(self):
        self.serve('reply forever when header x-api-key is from-environment\n  text "The other."\n'
                   'fail 401 authentication_error "No key" forever\n')
        helped = os.path.join(self.root, "helped")
        self.settings({"apiKeyHelper": f"touch {helped}; echo {HELPER_KEY}"})
        ran = self.ask(ANTHROPIC_API_KEY="from-environment")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"The other.\n"))
        self.assertFalse(os.path.exists(helped))

    def test_how_the_model_is_asked_follows_the_settings(self):
        self.serve('reply forever\n  text Hello\n')
        for settings, thinks, ttl in (({}, True, None), ({"model": "claude-haiku-4-5"}, True, None),
                                      ({"alwaysThinkingEnabled": False, "promptCacheTtl": "1h"},
                                       False, "1h")):
            with self.subTest(settings=settings):
                self.settings(settings)
                self.ask(ANTHROPIC_API_KEY="k")
                request = self.requests()[-1]
                self.assertEqual("thinking" in request, thinks)
                self.assertEqual(request["system"][-1]["cache_control"].get("ttl"), ttl)

    def test_how_much_a_command_shows_follows_the_settings(self):
        self.serve('reply\n  tool Bash {"command":"yes | head -c 20000"}\nreply forever\n  text Done\n')
        self.settings({"bashOutputMaxChars": 4000, "permissions": {"allow": ["Bash(yes)"]}})
        self.ask(ANTHROPIC_API_KEY="k")
        results = [block for message in self.requests()[-1]["messages"] for block in message["content"]
                   if block["type"] == "tool_result"]
        self.assertGreater(len(str(results[0]["content"])), 2000)
        self.assertLess(len(str(results[0]["content"])), 6000)

    def old_session(self, days):
        """A transcript in the folder of another project, last changed so many days ago."""
        folder = os.path.join(self.home, ".claude/projects/-elsewhere")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, f"{days:08d}-0b0a-4908-8706-050403020100.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write("{}\n")
        os.utime(path, (time.time() - days * 86400,) * 2)
        return path

    def tidy(self, gone):
        """Nobody waits for old sessions to be removed: some other time they are."""
        self.wait_until(lambda: self.ask(ANTHROPIC_API_KEY="k") and not os.path.exists(gone),
                        f"{gone} is not removed")

    def test_old_sessions_are_removed_after_the_days_of_the_settings(self):
        self.serve('reply forever\n  text Hello\n')
        for settings, kept, gone in (({}, 29, 31), ({"cleanupPeriodDays": 5}, 4, 6),
                                     ({"cleanupPeriodDays": 100}, 99, 101)):
            with self.subTest(settings=settings):
                self.settings(settings)
                kept, gone = self.old_session(kept), self.old_session(gone)
                self.tidy(gone)
                self.assertTrue(os.path.exists(kept))
                os.remove(kept)

    def own_session(self):
        """A session of this directory, the same."""
        self.ask("--session-id", OWN, ANTHROPIC_API_KEY="k")
        path, = glob.glob(os.path.join(self.home, f".claude/projects/*/{OWN}.jsonl"))
        os.utime(path, (time.time() - 100 * 86400,) * 2)
        return path

    def test_an_old_session_that_is_gone_on_with_is_kept(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.own_session()
        size = os.path.getsize(path)
        self.ask("--continue", ANTHROPIC_API_KEY="k")
        self.assertGreater(os.path.getsize(path), size)

    def test_an_old_session_is_kept_while_somebody_has_it_before_him(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.own_session()
        terminal = self.terminal("--plain", "--resume", OWN, env={"ANTHROPIC_BASE_URL": self.url,
                                                       "ANTHROPIC_API_KEY": "k"})
        terminal.wait_for("\n>")
        self.tidy(self.old_session(31))
        self.tidy(self.old_session(32))  # whoever was at it then is not any more
        self.assertTrue(os.path.exists(path))
        terminal.type("\x04")
        self.assertEqual(terminal.wait_end(), 0)
        self.tidy(path)

    def test_no_session_is_removed_when_nobody_knows_how_long_they_are_kept(self):
        self.serve('reply forever\n  text Hello\n')
        old = self.old_session(1000)
        os.mkdir(self.path(".claude"))
        for text in ('{"cleanupPeriodDays": 5', {"cleanupPeriodDays": 0}, {"model": 5}):
            self.settings(text)
            self.ask(ANTHROPIC_API_KEY="k")
        self.settings({"cleanupPeriodDays": 2000})
        self.ask("--no-session-persistence", ANTHROPIC_API_KEY="k")
        self.write(".claude/settings.json", '{"cleanupPeriodDays": 1}')
        self.awl("trust", "--yes")
        self.ask(ANTHROPIC_API_KEY="k")
        self.assertTrue(os.path.exists(old))

    def test_a_helper_of_the_project_is_not_run(self):
        self.serve('reply forever\n  text Hello\n')
        helped = os.path.join(self.root, "helped")
        os.mkdir(self.path(".claude"))
        for name in ("settings.json", "settings.local.json"):
            self.write(".claude/" + name, json.dumps({"apiKeyHelper": f"touch {helped}; echo k"}))
        ran = self.ask()
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello\n"))
        self.assertFalse(os.path.exists(helped))

    def test_the_model_of_the_settings_is_asked_unless_the_environment_names_one(self):
        self.serve('reply forever when model is claude-haiku-4-5\n  text Haiku\n'
                   'reply forever\n  text Another\n')
        self.settings({"model": "claude-haiku-4-5"})
        self.assertEqual(self.ask().stdout, b"Haiku\n")
        self.assertEqual(self.ask(ANTHROPIC_MODEL="claude-sonnet-4-5").stdout, b"Another\n")
        self.assertEqual(self.ask("--model", "claude-sonnet-4-5").stdout, b"Another\n")

    def test_a_short_name_stands_for_what_the_environment_says(self):
        self.serve('reply forever when model is my-own-opus\n  text Mine\n'
                   'reply forever\n  text Another\n')
        self.settings({"model": "opus"})
        self.assertEqual(self.ask(ANTHROPIC_DEFAULT_OPUS_MODEL="my-own-opus").stdout, b"Mine\n")
        self.assertEqual(self.ask(ANTHROPIC_DEFAULT_HAIKU_MODEL="my-own-opus").stdout, b"Another\n")

    def test_limits_and_prices_of_the_settings_hold(self):
        self.serve('reply forever\n  text Hello\n  usage input=1000000 output=1000000\n')
        self.settings({"model": "mine", "awl": {"models": {"mine": {
            "context": 300000, "maxOutput": 1234, "price": {"input": 1, "output": 2}}}},
            "modelPricing": {"multiplier": 2}})
        result = self.events()[-1]
        self.assertAlmostEqual(result["total_cost_usd"], 6.0)
        self.assertEqual(self.requests()[0]["max_tokens"], 1234)

    def test_a_broken_file_is_told_and_the_program_goes_on(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.settings('{\n  "model": "claude-haiku-4-5"\n  "x": 1\n}\n')
        events = self.events()
        told = [event["content"] for event in events if event.get("subtype") == "informational"]
        self.assertEqual(len(told), 1)
        self.assertIn(f"{path}:3:3: ", told[0])
        self.assertEqual(events[-1]["result"], "Hello")

    def test_a_wrong_setting_is_told_with_its_line(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.settings('{\n  "awl": {\n    "models": {"m": {"contxt": 5}}},\n'
                             '  "model": "claude-haiku-4-5"\n}\n')
        events = self.events()
        told = [event["content"] for event in events if event.get("subtype") == "informational"]
        self.assertEqual(told, [f'{path}:3: ignoring awl.models: model "m": unknown member "contxt"'])
        self.assertEqual(events[0]["model"], "claude-haiku-4-5")

    def test_a_value_of_a_wrong_type_leaves_nothing_of_its_file(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.settings('{\n  "model": "claude-haiku-4-5",\n  "fastMode": 1\n}\n')
        events = self.events()
        told = [event["content"] for event in events if event.get("subtype") == "informational"]
        self.assertEqual(told, [f"{path}:3:15: fastMode: expected true or false, found 1; "
                                "nothing in this file is used"])
        self.assertNotEqual(events[0]["model"], "claude-haiku-4-5")

    def test_settings_of_the_command_line_are_stronger_than_the_users(self):
        self.serve('reply forever when model is claude-haiku-4-5\n  text Haiku\n'
                   'reply forever\n  text Another\n')
        self.settings({"model": "claude-sonnet-4-5"})
        path = self.write("some.json", '{"model": "claude-haiku-4-5"} // this one')
        self.assertEqual(self.ask().stdout, b"Another\n")
        self.assertEqual(self.ask("--settings", path).stdout, b"Haiku\n")
        self.assertEqual(self.ask("--settings", '{"model": "claude-haiku-4-5"}').stdout, b"Haiku\n")
        for wrong in ("/nonexistent.json", '{"model": 3}', "{"):
            ran = self.ask("--settings", wrong)
            self.assertEqual((ran.returncode, ran.stdout), (1, b""))
            self.assertIn(b"--settings", ran.stderr)

    def test_many_patterns_of_the_sandbox_are_one_notice(self):
        self.serve("reply forever\n  text Hello\n")
        self.settings(json.dumps({"sandbox": {"enabled": True, "filesystem": {
            "allowWrite": [f"/x{i}/*.txt" for i in range(24)]}}}))
        told = [line for line in self.ask().stderr.decode().splitlines() if "pattern" in line]
        self.assertEqual(told, ["awl: the sandbox ignores patterns that allow access: /x0/*.txt, /x1/*.txt, "
                                "/x2/*.txt, /x3/*.txt, /x4/*.txt and 19 more"])

    def test_a_project_may_take_power_away_by_its_mode_and_give_some_once_trusted(self):
        self.serve('reply\n  tool Write {"file_path":"made","content":"x"}\nreply forever\n  text Done\n')
        os.mkdir(self.path(".claude"))
        for mode, trusted, kept in (("acceptEdits", False, "default"), ("acceptEdits", True, "acceptEdits"),
                                    ("plan", False, "plan"), ("dontAsk", False, "dontAsk"),
                                    ("bypassPermissions", True, "default")):
            with self.subTest(mode=mode, trusted=trusted):
                with open(self.path(".claude/settings.json"), "w", encoding="utf-8") as file:
                    json.dump({"permissions": {"defaultMode": mode}}, file)
                self.awl("trust", "--yes" if trusted else "--forget")
                ran = self.awl("why", "--json", "Write", "made")
                self.assertEqual(json.loads(ran.stdout)["mode"], kept)

    def test_sources_that_are_not_asked_for_are_not_read(self):
        self.serve('reply forever when model is claude-haiku-4-5\n  text Haiku\n'
                   'reply forever\n  text Another\n')
        self.settings({"model": "claude-haiku-4-5"})
        self.assertEqual(self.ask("--setting-sources", "user").stdout, b"Haiku\n")
        self.assertEqual(self.ask("--setting-sources", "project,local").stdout, b"Another\n")
        self.assertEqual(self.ask("--setting-sources=").stdout, b"Another\n")
        ran = self.ask("--setting-sources", "usr")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"did you mean 'user'?", ran.stderr)


if __name__ == "__main__":
    unittest.main()
