"""Which models may be asked, as the settings and the policy of the machine have it."""

import glob
import json
import os
import subprocess
import unittest

from rig import AWL, PATIENCE, Modelled

SDK = ("-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose")


class Models(Modelled):
    def settings(self, **values):
        folder = os.path.join(self.home, ".claude")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "settings.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(values, file)
        return path

    def asked(self):
        """The models of all requests so far."""
        if not os.path.exists(self.request_log):
            return []
        return [request["model"] for request in self.requests()]

    def events(self, *args, **env):
        ran = self.print("hi", "--output-format", "stream-json", "--verbose", *args, **env)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def notes(self, *args, **env):
        return [event["content"] for event in self.events(*args, **env)
                if event.get("subtype") == "informational"]

    def run_under(self, policy, *args):
        return subprocess.run([*self.under_policy(policy), AWL, *args], check=False, cwd=self.cwd,
                              env=self.environment(**self.modelled()), capture_output=True, timeout=PATIENCE)

    def test_a_model_that_is_named_and_not_permitted_is_refused(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.settings(availableModels=["sonnet"], deniedModels=["claude-sonnet-5-5"])
        for model, key in (("opus", "availableModels"), ("Claude-Sonnet-5.5[1m]", "deniedModels"),
                           ("anthropic/claude-sonnet-5.5", "deniedModels")):
            with self.subTest(model=model):
                ran = self.print("hi", "--model", model)
                self.assertEqual((ran.returncode, ran.stdout), (1, b""))
                self.assertIn(f"{path}:1".encode(), ran.stderr)
                self.assertIn(key.encode(), ran.stderr)
        self.assertEqual(self.asked(), [])
        self.assertEqual(self.print("hi", "--model", "claude-sonnet-4-5").returncode, 0)
        self.assertEqual(self.asked(), ["claude-sonnet-4-5"])

    def test_a_model_of_the_environment_that_is_not_permitted_is_replaced_and_told(self):
        self.serve('reply forever\n  text Hello\n')
        path = self.settings(deniedModels=["opus"])
        told = self.notes(ANTHROPIC_MODEL="claude-opus-4-1")
        self.assertEqual(told, ['model claude-opus-4-1 is not allowed: deniedModels contains "opus" '
                                f'({path}:1); using claude-sonnet-5-5 instead.'])
        self.assertEqual(self.asked(), ["claude-sonnet-5-5"])

    def test_a_host_that_sets_a_model_is_refused_and_nothing_changes(self):
        self.serve('reply forever\n  text Hello\n')
        self.settings(availableModels=["sonnet", "opus"])
        lines = [{"type": "control_request", "request_id": model,
                  "request": {"subtype": "set_model", "model": model}} for model in ("sonnet", "haiku")]
        lines.append({"type": "user", "message": {"role": "user", "content": "hi"}})
        ran = self.awl(*SDK, stdin="\n".join(map(json.dumps, lines)).encode(), env=self.modelled())
        answers = [event["response"] for event in map(json.loads, ran.stdout.splitlines())
                   if event["type"] == "control_response"]
        self.assertEqual([answer["subtype"] for answer in answers], ["success", "error"])
        self.assertEqual(answers[0]["response"], {"model": "claude-sonnet-5-5"})
        self.assertIn("availableModels", answers[1]["error"])
        self.assertEqual(self.asked(), ["claude-sonnet-5-5"])

    def test_the_policys_list_stands_alone_and_can_hold_for_the_default(self):
        self.serve('reply forever\n  text Hello\n')
        self.settings(availableModels=["opus"], enforceAvailableModels=False)
        policy = {"availableModels": ["haiku-4-5", "sonnet"], "enforceAvailableModels": True}
        ran = self.run_under(policy, "-p", "hi", "--model", "opus")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"/etc/claude-code/managed-settings.json:1", ran.stderr)
        ran = self.run_under(policy, "-p", "hi")
        self.assertEqual((ran.returncode, ran.stdout), (0, b"Hello\n"), ran.stderr)
        self.assertEqual(self.asked(), ["claude-haiku-4-5"])
        ran = self.run_under(policy, "doctor")
        self.assertIn(b"model in use: claude-haiku-4-5,", ran.stdout)
        self.assertIn(b"models: haiku-4-5, sonnet (availableModels, "
                      b"/etc/claude-code/managed-settings.json:1)\n", ran.stdout)

    def test_only_providers_of_the_policys_list_are_asked(self):
        self.serve('reply forever\n  text Hello\n')
        for policy, status in (({"allowedProviders": ["anthropic"]}, 1),
                               ({"allowedProviders": ["customEndpoint"]}, 1),
                               ({"allowedProviders": ["customEndpoint"],
                                 "env": {"ANTHROPIC_BASE_URL": self.url}}, 0)):
            with self.subTest(policy=policy):
                ran = self.run_under(policy, "-p", "hi")
                self.assertEqual(ran.returncode, status, ran.stderr)
                self.assertEqual(b"allowedProviders" in ran.stderr, status == 1)
        self.assertEqual(len(self.asked()), 1)

    def test_fallbacks_are_tried_in_their_order(self):
        self.serve('fail 529 overloaded_error "Busy" retry-after=0 forever when model is claude-opus-5-5\n'
                   'fail 529 overloaded_error "Busy" retry-after=0 forever when model is claude-sonnet-5-5\n'
                   'reply forever\n  text Hello\n')
        self.settings(fallbackModel=["claude-fable-5", "sonnet", "haiku"], deniedModels=["fable"])
        events = self.events()
        self.assertEqual([event["fallback_model"] for event in events
                          if event.get("subtype") == "model_fallback"],
                         ["claude-sonnet-5-5", "claude-haiku-5-5"])
        self.assertEqual(events[-1]["result"], "Hello")
        self.assertEqual(self.asked(), ["claude-opus-5-5"] * 3 + ["claude-sonnet-5-5"] * 3 +
                         ["claude-haiku-5-5"])

    def test_the_providers_own_id_is_sent_and_ours_is_shown(self):
        self.serve('reply forever\n  text Hello\n  usage input=1000000 output=1\n')
        self.settings(modelOverrides={"claude-opus-5-5": "arn:house/large"})
        events = self.events()
        self.assertEqual(self.asked(), ["arn:house/large"])
        self.assertEqual(list(events[-1]["modelUsage"]), ["claude-opus-5-5"])
        self.assertAlmostEqual(events[-1]["total_cost_usd"], 4.00002)
        said = [event["message"]["model"] for event in events if event["type"] == "assistant"]
        self.assertEqual(said, ["claude-opus-5-5"])
        transcript, = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(transcript, encoding="utf-8") as file:
            self.assertNotIn("arn:house/large", file.read())

    def test_effort_stays_within_its_limit(self):
        self.serve('reply forever\n  text Hello\n')
        for settings, args, env, effort in (
                ({}, (), {}, None),
                ({"effortLevel": "low"}, (), {}, "low"),
                ({"effortLevel": "low"}, ("--effort", "high"), {}, "high"),
                ({}, ("--effort", "high"), {"CLAUDE_CODE_EFFORT_LEVEL": "max"}, "max"),
                ({"maxEffortLevel": "medium"}, (), {"CLAUDE_CODE_EFFORT_LEVEL": "max"}, "medium"),
                ({"maxEffortLevel": "medium"}, ("--effort", "xhigh"), {}, "medium"),
                ({"maxEffortLevel": "low"}, (), {}, "low"),
                ({"effortLevel": "high", "modelSettings": {"opus": {"effortLevel": "medium"}}}, (), {},
                 "medium")):
            with self.subTest(settings=settings, args=args, env=env):
                self.settings(**settings)
                self.assertEqual(self.print("hi", *args, **env).returncode, 0)
                self.assertEqual(self.requests()[-1].get("output_config", {}).get("effort"), effort)
        self.settings(modelSettings={"opus": {"maxEffortLevel": "some"}})
        ran = self.print("hi")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"modelSettings.opus.maxEffortLevel", ran.stderr)
        ran = self.print("hi", CLAUDE_CODE_EFFORT_LEVEL="lots")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"CLAUDE_CODE_EFFORT_LEVEL", ran.stderr)


if __name__ == "__main__":
    unittest.main()
