"""Settings that change while a session runs: each key that is marked live, except the sandbox's."""

from live import Live


class LiveSettings(Live):
    ALLOWED = {"allow": ["Bash(printenv:*)", "Bash(yes:*)"]}

    def said(self, event):
        return event.get("content", "")

    def test_the_environment_of_commands_follows(self):
        show = {"command": "printenv GREETING"}
        self.open(show, show, permissions=self.ALLOWED, env={"GREETING": "hello"})
        self.assertEqual(self.ask(), (False, "hello"))
        self.assertIn("env (applies at once)",
                      self.said(self.change(permissions=self.ALLOWED, env={"GREETING": "good bye"})))
        self.assertEqual(self.ask(), (False, "good bye"))
        self.finish()

    def test_how_much_output_is_shown_follows(self):
        noise = {"command": "yes | head -c 20000"}
        self.open(noise, noise, permissions=self.ALLOWED)
        self.assertGreater(len(self.ask()[1]), 15000)
        self.change(permissions=self.ALLOWED, bashOutputMaxChars=4000)
        self.assertLess(len(self.ask()[1]), 6000)
        self.finish()

    def test_how_long_the_prompt_is_cached_follows(self):
        quiet = {"command": "printenv HOME"}
        self.open(quiet, quiet, permissions=self.ALLOWED)
        self.ask()
        self.assertIsNone(self.requests()[-1]["system"][-1]["cache_control"].get("ttl"))
        self.change(permissions=self.ALLOWED, promptCacheTtl="1h")
        self.ask()
        self.assertEqual(self.requests()[-1]["system"][-1]["cache_control"].get("ttl"), "1h")
        self.finish()

    def test_a_rule_that_denies_follows_and_so_does_taking_it_back(self):
        show = {"command": "printenv HOME"}
        self.open(show, show, show, permissions=self.ALLOWED)
        self.assertFalse(self.ask()[0])
        self.change(permissions={"deny": ["Bash(printenv:*)"]})
        self.assertIn("Bash(printenv:*)", self.ask()[1])
        self.change(permissions=self.ALLOWED)
        self.assertFalse(self.ask()[0])
        self.finish()

    def test_a_key_that_cannot_change_now_is_named_with_when_it_applies(self):
        self.open({"command": "printenv HOME"}, permissions=self.ALLOWED)
        self.ask()
        told = self.said(self.change(permissions=self.ALLOWED, language="French", advisorModel="x"))
        self.assertIn("language (applies to new sessions)", told)
        self.assertIn("advisorModel (has no effect yet)", told)
        self.finish()

    def test_a_file_that_cannot_be_used_leaves_everything_as_it_was(self):
        show = {"command": "printenv HOME"}
        self.open(show, show, permissions=self.ALLOWED)
        self.ask()
        self.assertIn("the previous ones stay in effect",
                      self.said(self.change(askUserQuestionTimeout="soon", env={"HOME": "/x"})))
        self.assertEqual(self.ask(), (False, self.home))
        self.finish()
