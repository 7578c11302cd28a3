"""Settings that change while a session runs: each key that is marked live, except those of the sandbox and of the terminal.

A line "changes live: KEY, ..." above a test names what it changes; script/lint wants one for each key that is marked LIVE."""

import json
import os
import threading
from http.server import HTTPServer

from live import Live
from rig import PATIENCE
from test_hooks_engine import Server


TOUCH = {"command": "touch made"}


class LiveSettings(Live):
    ALLOWED = {"allow": ["Bash(printenv:*)", "Bash(yes:*)"]}
    SHOW = {"command": "printenv HOME"}

    def said(self, event):
        return event.get("content", "")

    # changes live: env
    def test_the_environment_of_commands_follows(self):
        show = {"command": "printenv GREETING"}
        self.open(show, show, permissions=self.ALLOWED, env={"GREETING": "hello"})
        self.assertEqual(self.ask(), (False, "hello"))
        self.assertIn("env (applies at once)",
                      self.said(self.change(permissions=self.ALLOWED, env={"GREETING": "good bye"})))
        self.assertEqual(self.ask(), (False, "good bye"))
        self.finish()

    # changes live: bashOutputMaxChars
    def test_how_much_output_is_shown_follows(self):
        noise = {"command": "yes | head -c 20000"}
        self.open(noise, noise, permissions=self.ALLOWED)
        self.assertGreater(len(self.ask()[1]), 15000)
        self.change(permissions=self.ALLOWED, bashOutputMaxChars=4000)
        self.assertLess(len(self.ask()[1]), 6000)
        self.finish()

    # changes live: promptCacheTtl
    def test_how_long_the_prompt_is_cached_follows(self):
        self.open(self.SHOW, self.SHOW, permissions=self.ALLOWED)
        self.ask()
        self.assertIsNone(self.requests()[-1]["system"][-1]["cache_control"].get("ttl"))
        self.change(permissions=self.ALLOWED, promptCacheTtl="1h")
        self.ask()
        self.assertEqual(self.requests()[-1]["system"][-1]["cache_control"].get("ttl"), "1h")
        self.finish()

    # changes live: autoCompactEnabled, autoCompactWindow
    def test_when_a_conversation_is_summarised_follows(self):
        full = "reply\n  text Done\n  usage input=120000 output=10\n"
        self.settings()
        self.serve(full * 3 + 'reply\n  text "<summary>All is well.</summary>"\nreply forever\n  text Done\n')
        self.begin("--model", "claude-haiku-4-5")
        summarised = []
        for values in ({}, {"autoCompactWindow": 100000, "autoCompactEnabled": False}, {"autoCompactWindow": 100000}):
            if values:
                self.turn()  # which the window of the model has space for
                self.change(**values)
            summarised.append("compact_boundary" in [event.get("subtype") for event in self.turn()])
        self.assertEqual(summarised, [False, False, True])
        self.finish()

    def test_a_key_that_cannot_change_now_is_named_with_when_it_applies(self):
        self.open(self.SHOW, permissions=self.ALLOWED)
        self.ask()
        told = self.said(self.change(permissions=self.ALLOWED, language="French", advisorModel="x"))
        self.assertIn("language (applies to new sessions)", told)
        self.assertIn("advisorModel (has no effect yet)", told)
        self.finish()

    def test_a_file_that_cannot_be_used_leaves_everything_as_it_was(self):
        self.open(self.SHOW, self.SHOW, permissions=self.ALLOWED)
        self.ask()
        self.assertIn("the previous ones stay in effect",
                      self.said(self.change(askUserQuestionTimeout="soon", env={"HOME": "/x"})))
        self.assertEqual(self.ask(), (False, self.home))
        self.finish()


class Permissions(Live):
    def setUp(self):
        super().setUp()
        self.other = os.path.join(self.root, "other")
        os.mkdir(self.other)
        self.write("../other/f", "hello")

    # changes live: permissions.allow, permissions.ask, permissions.deny
    def test_rules_follow(self):
        allow = {"allow": ["Bash(touch:*)"]}
        self.follow((TOUCH, {}, True, "touch"),
                    (TOUCH, {"permissions": allow}, False, ""),
                    (TOUCH, {"permissions": {**allow, "ask": ["Bash(touch m*)"]}}, True, "Bash(touch m*)"),
                    (TOUCH, {"permissions": {**allow, "deny": ["Bash(touch:*)"]}}, True, "denies this"),
                    (TOUCH, {"permissions": allow}, False, ""))

    # changes live: permissions.additionalDirectories, permissions.workingDirectoriesAsGiven
    def test_working_directories_follow(self):
        link = os.path.join(self.root, "link")
        os.symlink(self.cwd, link)
        read = ("Read", {"file_path": os.path.join(self.other, "f")})
        write = ("Write", {"file_path": os.path.join(link, "g"), "content": "x"})
        rules = {"allow": [f"Edit(/{self.cwd}/**)"]}
        self.follow((read, {}, True, "denied"),
                    (read, {"permissions": {"additionalDirectories": [self.other]}}, False, "hello"),
                    (write, {"permissions": rules}, True, "denied"),
                    (write, {"permissions": {**rules, "workingDirectoriesAsGiven": [link]}}, False, "g"))

    # changes live: permissions.blockReadsOutsideWorkingDirectories, permissions.blockReadsExemptPaths
    def test_what_is_blocked_outside_follows(self):
        read = ("Read", {"file_path": "/usr/include/stdio.h"})
        blocks = {"blockReadsOutsideWorkingDirectories": True}
        self.follow((read, {}, False, "stdio"),
                    (read, {"permissions": blocks}, True, "outside the working directory"),
                    (read, {"permissions": {**blocks, "blockReadsExemptPaths": ["/usr/include"]}}, False, "stdio"))

    # changes live: disableAutoMode, permissions.disableAutoMode, permissions.disableBypassPermissionsMode
    def test_a_mode_that_is_disabled_ends(self):
        self.settings()
        self.serve("")
        for mode, values in (("auto", {"disableAutoMode": "disable"}),
                             ("auto", {"permissions": {"disableAutoMode": "disable"}}),
                             ("bypassPermissions", {"permissions": {"disableBypassPermissionsMode": "disable"}})):
            with self.subTest(mode=mode):
                self.settings()
                self.serve("reply forever\n  text Done\n")
                self.begin("--permission-mode", mode, IS_SANDBOX="1")
                self.turn()
                self.settings(**values)
                ended = self.hear(lambda e: e.get("subtype") == "status" and e.get("permissionMode"))
                self.assertEqual(ended["permissionMode"], "default")
                self.finish()

    # changes live: permissions.denyInsteadOfPrompting, permissions.blockWritesOutsideWorkingDirectories
    def test_what_the_user_is_asked_follows(self):
        self.FLAGS = ("--permission-prompt-tool", "stdio")
        write = ("Write", {"file_path": os.path.join(self.other, "g"), "content": "x"})
        for values, asks in (({"denyInsteadOfPrompting": True}, [0, 0]),
                             ({"blockWritesOutsideWorkingDirectories": True}, [1, 0])):
            with self.subTest(values=values):
                self.open(TOUCH, write, TOUCH, write)
                self.assertEqual([len(self.asked()) for _ in range(2)], [1, 1])
                self.change(permissions=values)
                self.assertEqual([len(self.asked()) for _ in range(2)], asks)
                self.finish()


class AutoMode(Live):
    # changes live: autoMode.allow, autoMode.soft_deny, autoMode.hard_deny, autoMode.environment
    # changes live: autoMode.classifyAllShell
    def test_what_the_model_that_decides_is_sent_follows(self):
        keys = ("allow", "soft_deny", "hard_deny", "environment")
        rules = {"permissions": {"allow": ["Bash(printenv:*)"]}}
        run = 'reply\n  tool Bash {"command":"python3 run.py"}\n'
        self.write("run.py", "print(1)\n")
        self.settings(**rules)
        self.serve(run + "reply\n  text ALLOW\nreply\n  text Done\n" +
                   run + "reply\n  text ALLOW\nreply\n  text Done\n" +
                   'reply\n  tool Bash {"command":"printenv HOME"}\nreply\n  text Done\n' +
                   'reply\n  tool Bash {"command":"printenv HOME"}\nreply\n  text ALLOW\nreply\n  text Done\n')
        self.begin("--permission-mode", "auto")
        for values in ({}, {key: [f"rule of {key}"] for key in keys}):
            if values:
                self.change(autoMode=values, **rules)
            self.assertFalse(self.ask()[0])
            sent = json.dumps(self.requests()[-2])
            for key in keys:
                self.assertEqual(f"rule of {key}" in sent, bool(values), key)
        self.ask()
        self.assertEqual(len(self.requests()), 8)
        self.change(autoMode={"classifyAllShell": True}, **rules)
        self.ask()
        self.assertEqual(len(self.requests()), 11)
        self.finish()


class Models(Live):
    def models(self, *steps, flags=()):
        """One session; each step is the settings, and the model that is asked under them."""
        self.settings(**steps[0][0])
        self.serve("reply forever\n  text Done\n")
        self.begin(*flags)
        for at, (values, model) in enumerate(steps):
            if at:
                self.change(**values)
            self.turn()
            self.assertEqual(self.requests()[-1]["model"], model, values)

    # changes live: modelOverrides, availableModels, availableModelsMatch, deniedModels
    def test_which_model_is_asked_follows(self):
        self.models(({}, "claude-opus-5-5"),
                    ({"modelOverrides": {"claude-opus-5-5": "house/large"}}, "house/large"),
                    ({"availableModels": ["claude-opus-5", "haiku-4-5"]}, "claude-opus-5-5"),
                    ({"availableModels": ["claude-opus-5", "haiku-4-5"], "availableModelsMatch": "exact"},
                     "claude-opus-5"),
                    ({"deniedModels": ["opus"]}, "claude-sonnet-5-5"), flags=("--model", "claude-opus-5-5"))
        self.finish()

    # changes live: enforceAvailableModels
    def test_whether_the_default_model_must_be_on_the_list_follows(self):
        self.models(({"availableModels": ["haiku-4-5"]}, "claude-opus-5-5"),
                    ({"availableModels": ["haiku-4-5"], "enforceAvailableModels": True}, "claude-haiku-4-5"))
        self.finish()

    # changes live: maxEffortLevel
    def test_the_limit_of_the_effort_follows(self):
        self.models(({}, "claude-opus-5-5"), ({"maxEffortLevel": "low"}, "claude-opus-5-5"), flags=("--effort", "high"))
        self.assertEqual([request["output_config"]["effort"] for request in self.requests()], ["high", "low"])
        self.finish()


class HookSettings(Live):
    RULES = {"permissions": {"allow": ["Bash(touch:*)"]}}
    GUARD = {"PreToolUse": [{"hooks": [{"type": "command", "command": "echo by hook >&2; exit 2"}]}]}

    # changes live: hooks, disableAllHooks
    def test_hooks_follow(self):
        with_hooks = {"hooks": self.GUARD, **self.RULES}
        self.follow((TOUCH, self.RULES, False, ""),
                    (TOUCH, with_hooks, True, "by hook"),
                    (TOUCH, {"disableAllHooks": True, **with_hooks}, False, ""),
                    (TOUCH, with_hooks, True, "by hook"))

    # changes live: allowedHttpHookUrls, httpHookAllowedEnvVars
    def test_what_http_hooks_may_do_follows(self):
        server = HTTPServer(("127.0.0.1", 0), Server)
        server.seen, server.reply = [], (200, b"{}")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        hook = {"type": "http", "url": f"http://127.0.0.1:{server.server_address[1]}/hook",
                "headers": {"X-Home": "$HOME"}, "allowedEnvVars": ["HOME"]}
        values = {"hooks": {"PreToolUse": [{"hooks": [hook]}]}, **self.RULES}
        self.follow((TOUCH, values, False, ""),
                    (TOUCH, {"httpHookAllowedEnvVars": ["LANG"], **values}, False, ""),
                    (TOUCH, {"allowedHttpHookUrls": ["https://h.example/*"], **values}, True, "allowedHttpHookUrls"))
        self.assertEqual([headers["X-Home"] for headers, _ in server.seen], [self.home, ""])


class Policy(Live):
    """What only the policy of the machine sets."""

    # changes live: allowManagedHooksOnly, allowManagedPermissionRulesOnly
    def test_the_policy_takes_hooks_and_rules_away_and_gives_them_back(self):
        self.open_under(self.under_policy({}), *[TOUCH] * 4, hooks=HookSettings.GUARD, **HookSettings.RULES)
        self.assertIn("by hook", self.ask()[1])
        self.change_policy(allowManagedHooksOnly=True)
        self.assertFalse(self.ask()[0])
        self.change_policy(allowManagedHooksOnly=True, allowManagedPermissionRulesOnly=True)
        self.assertTrue(self.ask()[0])
        self.change_policy(allowManagedHooksOnly=True)
        self.assertFalse(self.ask()[0])
        self.finish()

    # changes live: allowedProviders
    def test_a_provider_that_is_not_allowed_any_more_is_not_asked(self):
        self.open_under(self.under_policy({}), TOUCH, **HookSettings.RULES)
        self.ask()
        before = len(self.requests())
        self.change_policy(allowedProviders=["bedrock"])
        self.assertIn("allowedProviders", json.dumps(self.turn()))
        self.assertEqual(len(self.requests()), before)
        self.session.stdin.close()
        self.session.wait(PATIENCE)
