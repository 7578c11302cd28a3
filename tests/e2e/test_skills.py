"""Skills that the model loads with the Skill tool."""

import json
import os

from test_agent_sdk import DONE, NO, YES, one_by_one
from test_commands import Written

COMMIT = """---
description: Write a commit
when_to_use: the user wants to commit
---
Commit $ARGUMENTS in the style of this project.
"""


def load(name, **more):
    return one_by_one(("Skill", {"skill": name, **more}))


class Skills(Written):
    def listed(self, at=0):
        return [text for text in self.sent(at) if "can be loaded with the Skill tool" in text]

    def test_the_model_learns_of_them_and_gets_the_text_of_one_it_loads(self):
        self.command("skills/commit/SKILL.md", COMMIT)
        self.command("commands/deploy.md", "Deploy it.\n", home=True)
        seen = self.host(load("commit", args="all files"), steps=[{"say": "commit"}, {"wait": "result"}])
        [listed] = self.listed()
        self.assertIn("- commit: Write a commit - the user wants to commit\n", listed)
        self.assertIn("- deploy: Deploy it.\n", listed)
        self.assertEqual(self.sent()[-1], f"Base directory for this skill: {self.path('.claude/skills/commit')}\n\n"
                                          "Commit all files in the style of this project.\n")
        [result] = [m for m in seen.of("user") if m.get("tool_use_result")]
        self.assertEqual(result["tool_use_result"],
                         {"success": True, "commandName": "commit", "status": "inline"})
        self.assertEqual(result["message"]["content"][0]["content"], "Launching skill: commit")
        self.assertIn("Skill", seen.of("system", "init")[0]["tools"])

    def test_the_list_is_sent_once_and_later_only_what_is_new(self):
        self.command("skills/commit/SKILL.md", COMMIT)
        write = ["Write", {"file_path": self.path(".claude/skills/fresh/SKILL.md"), "content": "# A new one\n"}]
        self.host(one_by_one(write), [YES],
                  steps=[{"say": "hi"}, {"wait": "result"}, {"say": "more"}, {"wait": "result"}])
        first, second = self.listed(-1)
        self.assertIn("- commit:", first)
        self.assertEqual(second, "More skills can be loaded with the Skill tool:\n\n- fresh: A new one\n")

    def test_without_skills_of_the_user_there_is_no_list_and_ours_can_be_loaded(self):
        self.serve(load("stuck", args="make"))
        self.assertEqual(self.print("why does it hang?").returncode, 0)
        self.assertEqual(self.listed(), [])
        self.assertIn("What hangs: make", self.sent()[-1])

    def test_a_resumed_conversation_is_not_sent_the_list_again(self):
        self.command("skills/commit/SKILL.md", COMMIT)
        self.serve(DONE)
        self.print("hello")
        self.print("again", "-c")
        self.assertEqual(len(self.listed(-1)), 1)

    def test_skills_for_one_side_only_are_hidden_from_the_other(self):
        self.command("skills/mine/SKILL.md", "---\ndisable-model-invocation: true\n---\nOnly for the user.\n")
        self.command("skills/inner/SKILL.md", "---\nuser-invocable: false\n---\nOnly for the model.\n")
        self.serve(load("mine") + load("inner"))
        self.print("go")
        [listed] = self.listed()
        self.assertNotIn("mine", listed)
        self.assertIn("- inner: Only for the model.", listed)
        self.assertIn('There is no skill \\"mine\\" that you can load', json.dumps(self.requests()[1]))
        ran = self.print("/skills")
        self.assertIn(b"only for you", [line for line in ran.stdout.splitlines() if line.startswith(b"/mine")][0])
        self.assertIn(b"only for the model", [line for line in ran.stdout.splitlines() if line.startswith(b"/inner")][0])

    def test_settings_switch_them_off_or_shorten_them(self):
        for name in ("a", "b", "c", "d"):
            self.command(f"skills/{name}/SKILL.md", f"About {name}.\n", home=True)
        self.command("settings.json", json.dumps({"skillOverrides": {
            "a": "off", "b": "user-invocable-only", "c": "name-only"}}), home=True)
        self.serve(DONE)
        self.print("hi")
        self.assertEqual(self.listed()[0].split("\n\n")[1], "- c\n- d: About d.\n")
        self.assertEqual(self.print("/a").returncode, 1)
        self.assertEqual(self.print("/b").returncode, 0)
        self.assertEqual(self.print("hi", "--disable-slash-commands").returncode, 0)
        self.assertEqual(self.listed(-1), [])
        self.assertNotIn("Skill", [tool["name"] for tool in self.requests()[-1]["tools"]])

    def test_a_skill_that_allows_calls_is_asked_about_and_allows_them_for_the_turn(self):
        self.command("skills/make/SKILL.md", "---\nallowed-tools: Bash(touch:*)\n---\n!`touch one`", home=True)
        script = one_by_one(("Skill", {"skill": "make"}), ("Bash", {"command": "touch two"}))
        seen = self.host(load("make"), [NO], steps=[{"say": "go"}, {"wait": "result"}])
        self.assertEqual([question["name"] for question in seen.asks], ["Skill"])
        self.assertFalse(os.path.exists(self.path("one")))
        seen = self.host(script, [YES], steps=[{"say": "go"}, {"wait": "result"}])
        self.assertEqual([question["name"] for question in seen.asks], ["Skill"])
        self.assertTrue(os.path.exists(self.path("one")) and os.path.exists(self.path("two")))

    def test_a_rule_allows_or_denies_a_skill_by_its_name(self):
        self.command("skills/make/SKILL.md", "---\nallowed-tools: Bash(touch:*)\n---\nMake it.", home=True)
        self.serve(load("make"))
        self.print("go", "--allowedTools", "Skill(make)")
        self.assertEqual(self.sent()[-1].splitlines()[-1], "Make it.")
        self.serve(load("make"))
        self.print("go", "--disallowedTools", "Skill(make)")
        self.assertNotEqual(self.sent()[-1].splitlines()[-1], "Make it.")
        self.assertIn("The rule Skill(make) denies this", json.dumps(self.requests()[-1]["messages"]))

    def test_a_command_in_its_text_that_is_not_allowed_is_an_error_for_the_model(self):
        self.command("skills/bad/SKILL.md", "!`touch made`", home=True)
        self.serve(load("bad"))
        self.assertEqual(self.print("go").returncode, 0)
        self.assertIn("The skill bad cannot be loaded: `touch made` is not allowed without a question",
                      json.dumps(self.requests()[-1]))
        self.assertFalse(os.path.exists(self.path("made")))

    def test_it_may_choose_effort_and_forbid_tools_until_the_end_of_the_turn(self):
        self.command("skills/hard/SKILL.md", "---\neffort: high\ndisallowed-tools: Bash\n---\nThink.", home=True)
        script = one_by_one(("Skill", {"skill": "hard"}), ("Bash", {"command": "true"}))
        self.host(script, steps=[{"say": "go"}, {"wait": "result"}, {"say": "more"}, {"wait": "result"}], effort="low")
        efforts = [request["output_config"]["effort"] for request in self.requests()]
        self.assertEqual(efforts, ["low", "high", "high", "low"])
        self.assertIn("The rule Bash of", json.dumps(self.requests()[2]["messages"]))
