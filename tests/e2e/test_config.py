"""awl config: showing, checking and changing settings."""

import json
import os
import subprocess
import unittest

from rig import AWL, Sandbox

ROOT = os.path.join(os.path.dirname(__file__), "../..")


class Config(Sandbox):
    def config(self, *args, **env):
        """A change that succeeds says in one line what which file has now; that is left out here."""
        ran = self.awl("config", *args, env=env)
        out = ran.stdout.decode()
        if ran.returncode == 0 and args[0] in ("set", "unset", "add", "remove", "allow", "ask", "deny"):
            self.assertRegex(out, r"\A/.*\.json: .+\n\Z")
            out = ""
        return ran.returncode, out, ran.stderr.decode()

    def test_a_change_says_what_it_did(self):
        for args, told in ((("set", "model", "opus"), "model = opus"),
                           (("add", "permissions.deny", "Read(x)"), "permissions.deny contains Read(x)"),
                           (("remove", "permissions.deny", "Read(x)"), "permissions.deny does not contain Read(x)"),
                           (("unset", "model"), "model is not set")):
            ran = self.awl("config", *args)
            self.assertEqual((ran.stdout.decode(), ran.stderr), (f"{self.file()}: {told}\n", b""))
        self.assertEqual(self.awl("config", "allow", "Read(x)").stdout.decode(),
                         f"{self.file('local')}: permissions.allow contains Read(x)\n")
        self.assertEqual(self.awl("config", "set", "diffTool", "auto").stdout.decode(),
                         f"{self.home}/.claude.json: diffTool = auto\n")
        self.assertEqual(self.awl("config", "check").stdout, b"The settings files have no mistakes.\n")

    def test_a_misspelt_tool_is_not_written(self):
        for action in ("allow", "ask", "deny"):
            self.assertEqual(self.config(action, "Bsh(rm:*)"),
                             (1, "", "awl: there is no tool named Bsh; did you mean Bash?\n"))
        self.assertFalse(os.path.exists(self.file("local")))
        for rule in ("Bash(rm:*)", "Read", "mcp__files__get", "Agent(x)", "Skill(x)", "mcp__*", "MultiEdit",
                     "NotebookRead", "BashOutput", "KillShell", "Task", "mytool"):
            self.assertEqual(self.config("deny", rule), (0, "", ""), rule)

    def test_a_list_is_listed_element_by_element_with_the_file_of_each(self):
        self.write('{"permissions": {"allow": ["Bash(a)"]}}')
        self.config("allow", "Bash(b)")
        self.assertEqual(self.config("list")[1].splitlines(), [
            f'permissions.allow[0] = "Bash(b)"  # {self.file("local")}:4; applies at once',
            f'permissions.allow[1] = "Bash(a)"  # {self.file()}:1; applies at once'])

    def test_check_names_the_mistakes_of_a_project_that_is_not_trusted(self):
        self.write('{"permissions": {"allow": ["Bash(ls", 5, "Bash(make)"]}, "modle": 1}', "project")
        status, out, _ = self.config("check")
        self.assertEqual(status, 1)
        for told in ('the rule "Bash(ls" is not valid', "found 5 in it", "did you mean model?"):
            self.assertEqual(out.count(told), 1, out)
        self.assertNotIn("make", self.config("list")[1])

    def test_check_names_hooks_that_do_not_do_what_they_seem_to(self):
        self.write(json.dumps({"hooks": {
            "PreToolUse": [{"matcher": "Bash(git *)", "hooks": [{"type": "command", "command": "a", "timeout": 60000}]}],
            "Stop": [{"hooks": [{"type": "command", "command": "b", "if": "Bash(x)"}]}]}}))
        status, out, _ = self.config("check")
        self.assertEqual(status, 0)
        for text in ("put a rule such", "a timeout is given in seconds", "this hook never runs"):
            self.assertIn(text, out)

    def test_check_names_every_mistake_and_nothing_else_is_one(self):
        for text, code, told in (
                ('{"permissions": {"allow": ["Bash(ls"]}}', 1, "settings.json:1: the rule"),
                ('{"permissions": {"deny": ["Bsh(ls)"]}}', 1, "settings.json:1: there is no tool named Bsh"),
                ('{"permissions": {"deny": ["Bash(nc :* x)"]}}', 1, "never matches"),
                ('{"permissions": {"allow": ["Bash(done)"]}}', 0, "never matches"),
                ('{"modle": "x"}', 1, "did you mean model?"),
                ('{"hooks": {"preEdit": []}}', 1, "hooks.preEdit: is not a hook event"),
                ('{"permissions": {"allow": [7]}}', 1, "found 7 in it"),
                ('{"feedbackSurveyState": {}}', 0, "feedbackSurveyState: is not a known setting"),
                ('{"diffTool": "auto"}', 0, "belongs in ~/.claude.json"),
                ('{"theme": "dark"}', 0, ""),
                ('{"permissions": {"additionalDirectories": ["/nope"]}}', 0, "/nope: No such file"),
                ("", 0, "")):
            with self.subTest(text):
                self.write(text)
                status, out, err = self.config("check")
                self.assertEqual((status, err), (code, ""), out)
                self.assertIn(told, out)
                self.assertEqual("The settings files have no mistakes." in out, code == 0)
                doctor = self.awl("doctor", "--offline", env={"ANTHROPIC_API_KEY": "k"})
                self.assertEqual(doctor.returncode, code)
                self.assertIn(told, doctor.stdout.decode())

    def test_unknown_keys_of_a_project_that_is_not_trusted_are_named(self):
        self.write('{"modle": "x"}', "project")
        status, out, _ = self.config("check")
        self.assertEqual(status, 1)
        self.assertIn("did you mean model?", out)

    def file(self, scope="user"):
        return {"user": os.path.join(self.home, ".claude/settings.json"),
                "project": os.path.join(self.cwd, ".claude/settings.json"),
                "local": os.path.join(self.cwd, ".claude/settings.local.json")}[scope]

    def write(self, text, scope="user"):
        os.makedirs(os.path.dirname(self.file(scope)), exist_ok=True)
        with open(self.file(scope), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, scope="user"):
        with open(self.file(scope), encoding="utf-8") as file:
            return file.read()

    def test_what_is_set_can_be_asked_for_and_listed_with_its_place(self):
        for args in (("set", "model", "opus"), ("set", "bashOutputMaxChars", "7000"),
                     ("set", "alwaysThinkingEnabled", "false"), ("set", "env.LEVEL", "3"),
                     ("add", "permissions.deny", "Bash(rm:*)"), ("add", "permissions.deny", "Read(.env)"),
                     ("set", "modelPricing", '{"multiplier": 2}')):
            self.assertEqual(self.config(*args), (0, "", ""), args)
        self.assertEqual(json.loads(self.read()), {
            "model": "opus", "bashOutputMaxChars": 7000, "alwaysThinkingEnabled": False,
            "env": {"LEVEL": "3"}, "permissions": {"deny": ["Bash(rm:*)", "Read(.env)"]},
            "modelPricing": {"multiplier": 2}})
        self.assertEqual(os.stat(self.file()).st_mode & 0o777, 0o600)
        self.assertEqual(self.config("get", "model"), (0, "opus\n", ""))
        self.assertEqual(self.config("get", "permissions.deny"), (0, '["Bash(rm:*)","Read(.env)"]\n', ""))
        self.assertEqual(self.config("get", "env.LEVEL"), (0, "3\n", ""))
        self.assertEqual(self.config("get", "promptCacheTtl")[0], 1)
        self.assertEqual(self.config("get", "sandbox.enabled"), (0, "false\n", ""))
        self.assertEqual(self.config("get", "agent")[0], 1)
        listed = self.config("list")[1]
        self.assertIn(f'model = "opus"  # {self.file()}:2; applies to new sessions\n', listed)
        self.assertIn("; applies at once\n", listed)

    def test_what_has_no_effect_yet_is_said_to_have_none(self):
        for args in (("set", "timeZone", "UTC"), ("set", "voice.enabled", "true"),
                     ("add", "sandbox.network.allowMachLookup", "x")):
            code, out, err = self.config(*args)
            self.assertEqual((code, out), (0, ""), args)
            self.assertIn(f"{args[1]} has no effect yet", err)
        self.assertEqual(self.config("unset", "voice.enabled"), (0, "", ""))
        self.config("set", "model", "opus")
        listed = self.config("list")[1].splitlines()
        self.assertEqual([line.endswith("; has no effect yet") for line in sorted(listed)],
                         [False, True, True], listed)

    def test_what_is_removed_is_gone(self):
        self.write('{"model": "x", "strange": 1, "permissions": {"allow": ["A", "B"]}}')
        self.assertEqual(self.config("unset", "model"), (0, "", ""))
        self.assertEqual(self.config("unset", "strange"), (0, "", ""))
        self.assertEqual(self.config("remove", "permissions.allow", "A"), (0, "", ""))
        self.assertEqual(self.config("unset", "agent"), (0, "", ""))
        self.assertEqual(self.read(), '{"permissions": {"allow": ["B"]}}')

    def test_a_command_is_allowed_here_in_one_step(self):
        self.assertEqual(self.config("allow", "Bash(npm test)"), (0, "", ""))
        self.assertEqual(self.config("deny", "Bash(rm:*)"), (0, "", ""))
        self.assertEqual(self.config("ask", "--scope", "user", "WebFetch"), (0, "", ""))
        self.assertEqual(json.loads(self.read("local")), {"permissions": {
            "allow": ["Bash(npm test)"], "deny": ["Bash(rm:*)"]}})
        self.assertEqual(json.loads(self.read("user")), {"permissions": {"ask": ["WebFetch"]}})
        for command, decision in (("npm test", "allow"), ("npm run x", "ask"), ("rm x", "deny")):
            why = json.loads(self.awl("why", "--json", "Bash", command).stdout)
            self.assertEqual(why["decision"], decision)

    def test_the_help_tells_what_can_be_done(self):
        page = self.awl("help", "config").stdout.decode()
        for action in ("list", "get <key>", "set <key> <value>", "unset <key>", "allow <rule>"):
            self.assertIn(f"\n  {action} ", page)

    def test_scopes_are_files(self):
        subprocess.run(["git", "init", "-q"], cwd=self.cwd, check=True, env=self.environment())
        sub = os.path.join(self.cwd, "sub")
        os.mkdir(sub)
        self.assertEqual(self.config("set", "--scope", "project", "model", "p"), (0, "", ""))
        top, self.cwd = self.cwd, sub
        self.assertEqual(self.config("set", "--scope=local", "model", "l"), (0, "", ""))
        self.cwd = top
        self.assertEqual(json.loads(self.read("project")), {"model": "p"})
        self.assertEqual(json.loads(self.read("local")), {"model": "l"})
        status = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=self.cwd, check=True,
                                capture_output=True, text=True, env=self.environment()).stdout
        self.assertEqual(status, "?? .claude/settings.json\n")
        self.assertEqual(os.path.exists(self.file("user")), False)
        self.assertIn("--scope must be 'user', 'project' or 'local'", self.config("list", "--scope", "x")[2])

    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *args], cwd=self.cwd,
                       check=True, env=self.environment(), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def test_work_trees_share_the_local_file(self):
        self.git("init", "-q")
        self.git("commit", "-q", "--allow-empty", "-m", "x")
        self.git("worktree", "add", "-q", "../tree")
        top, self.cwd = self.cwd, os.path.join(self.root, "tree")
        self.assertEqual(self.config("set", "--scope", "local", "model", "l"), (0, "", ""))
        self.assertEqual(self.config("get", "model"), (0, "l\n", ""))
        self.assertFalse(os.path.exists(self.file("local")))
        self.cwd = top
        self.assertEqual(json.loads(self.read("local")), {"model": "l"})
        self.assertEqual(self.config("get", "model"), (0, "l\n", ""))
        status = subprocess.run(["git", "status", "--porcelain", "-uall"], cwd=top, check=True,
                                capture_output=True, env=self.environment()).stdout
        self.assertEqual(status, b"")

    def test_mistakes_are_explained_and_change_nothing(self):
        self.write('{"model": "x"}')
        for args, words in (
                (("set", "modle", "y"), "unknown setting 'modle'; did you mean 'model'?"),
                (("set", "defaultMode", "plan"), "did you mean 'permissions.defaultMode'?"),
                (("set", "qqqqqqqqq", "y"), "'awl config docs' lists them all"),
                (("set", "permissions.nothing", "y"), "unknown setting"),
                (("get", "modle"), "did you mean 'model'?"),
                (("set", "fastMode", "maybe"), 'fastMode: expected true or false, found "maybe"'),
                (("set", "promptCacheTtl", "2h"), 'expected one of "5m", "1h", found "2h"'),
                (("set", "permissions.allow", "Read"), "expected a list of strings"),
                (("add", "model", "y"), "model is not a list"),
                (("set", "claudeMd", "y"), "only managed settings can set claudeMd"),
                (("set", "--scope", "local", "apiKeyHelper", "y"), "has no effect in project settings"),
                (("sett", "model", "y"), "unknown action 'sett'; did you mean 'set'?"),
                (("model",), "did you mean 'awl config get model'?"),
                (("set", "model"), "use 'awl config set <key> <value>'"),
                (("allow", "npm test"), '"npm test" is not a rule; for a command, write "Bash(npm test)"'),
                (("add", "permissions.deny", "Bash("), 'does not end with ")"'),
                (("set", "permissions.ask", '["Read", "rm -rf"]'), 'for a command, write "Bash(rm -rf)"'),
                (("list", "model"), "use 'awl config list'")):
            status, out, err = self.config(*args)
            self.assertEqual((status, out), (1, ""), args)
            self.assertIn(words, err)
        self.assertEqual(self.read(), '{"model": "x"}')
        self.assertFalse(os.path.exists(self.file("local")))

    def test_a_file_that_is_not_valid_is_told_and_never_overwritten(self):
        broken = '{\n  "model": "x",\n  "fastMode": "yes"\n}\n'
        self.write(broken)
        status, out, err = self.config("check")
        self.assertEqual((status, err), (1, ""))
        self.assertEqual(out, f'{self.file()}:3:15: fastMode: expected true or false, found "yes"; '
                              'nothing in this file is used\n')
        status, out, err = self.config("set", "model", "y")
        self.assertEqual((status, out), (1, ""))
        self.assertIn(f"fix this first: {self.file()}:3:15: fastMode", err)
        self.assertEqual(self.read(), broken)
        self.write('{"model": "x"}')
        self.assertEqual(self.config("check"), (0, "The settings files have no mistakes.\n", ""))

    def test_what_a_project_says_is_not_taken_before_it_is_trusted(self):
        self.write('{"hooks": {"Stop": []}, "permissions": {"deny": ["Read(x)"], "allow": ["Bash"]},\n'
                   '"apiKeyHelper": "touch pwned"}', "project")
        status, out, err = self.config("list")
        self.assertEqual(status, 0)
        self.assertEqual(out, f'permissions.deny[0] = "Read(x)"  # {self.file("project")}:1; applies at once\n')
        self.assertIn("ignored until you trust this project: hooks.Stop (.claude/settings.json:1)", err)
        self.assertIn("ignored until you trust this project: permissions.allow (.claude/settings.json:1)", err)
        self.assertIn("apiKeyHelper: has no effect in project settings", err)

    def test_whoever_trusts_a_project_can_change_its_settings(self):
        self.assertEqual(self.config("add", "--scope", "local", "permissions.allow", "Read"), (0, "", ""))
        self.assertEqual(self.config("add", "--scope", "project", "permissions.allow", "Edit"), (0, "", ""))
        self.assertEqual(self.config("get", "permissions.allow"), (0, '["Read","Edit"]\n', ""))
        self.write('{"permissions": {"allow": ["Bash"]}}', "local")
        status, out, err = self.config("set", "--scope", "project", "model", "x")
        self.assertEqual((status, out), (0, ""))
        self.assertIn("its settings allow nothing until you run 'awl trust'", err)
        self.assertEqual(self.config("add", "--scope", "project", "permissions.allow", "X"), (0, "", ""))
        self.assertEqual(self.config("deny", "Bash(rm:*)"), (0, "", ""))  # that waits for nothing
        status, out, err = self.config("get", "permissions.allow")
        self.assertEqual((status, out), (0, '["Edit","X"]\n'))
        self.assertIn("ignored until you trust this project: permissions.allow (.claude/settings.local.json:1)", err)

    def all_at_once(self, *commands):
        running = [subprocess.Popen([AWL, "config", *args], cwd=self.cwd, env=self.environment(),
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                   for args in commands]
        for process in running:
            self.assertEqual((process.communicate()[1], process.returncode), (b"", 0))

    def test_of_many_who_write_at_once_nobody_is_lost(self):
        rules = {f"Bash(r{i})" for i in range(100)}
        self.all_at_once(*(("add", "permissions.allow", rule) for rule in rules))
        self.assertEqual(set(json.loads(self.read())["permissions"]["allow"]), rules)

    def test_writers_with_other_configuration_directories_lose_nothing_either(self):
        rules = [f"Bash(r{i})" for i in range(60)]
        running = [subprocess.Popen([AWL, "config", "allow", rule], cwd=self.cwd, env=self.environment(
            CLAUDE_CONFIG_DIR=os.path.join(self.root, f"config{i % 3}")), stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE) for i, rule in enumerate(rules)]
        for process in running:
            self.assertEqual((process.communicate()[1], process.returncode), (b"", 0))
        self.assertEqual(sorted(json.loads(self.read("local"))["permissions"]["allow"]), sorted(rules))

    def test_many_who_write_at_once_keep_the_trust(self):
        rules = {f"Bash(r{i})" for i in range(40)}
        self.all_at_once(*(("add", "--scope", "local", "permissions.allow", rule) for rule in rules))
        status, out, err = self.config("get", "permissions.allow")
        self.assertEqual((status, set(json.loads(out)), err), (0, rules, ""))

    def test_escapes_in_a_file_do_not_reach_the_terminal(self):
        self.write('{"model": "\\u001b[2J\u009b2J\u202e", "x\u001by": 1}'.replace("\u001b", "\\u001b"))
        for args in (("list",), ("check",)):
            _, out, err = self.config(*args)
            for c in "\x1b\x9b\u202e":
                self.assertNotIn(c, out + err)

    def test_what_is_global_is_read_and_written_there_and_the_rest_of_it_left_alone(self):
        path = os.path.join(self.home, ".claude.json")
        before = ('{"numStartups": 7, "model": 3, "env": "x", "diffTool": "auto",\n'
                  ' "projects": {"/x": {"history": ["' + "h" * 2_000_000 + '"]}}}\n')
        with open(path, "w", encoding="utf-8") as file:
            file.write(before)
        os.chmod(path, 0o640)
        status, out, err = self.config("list")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out.split(";")[0], f'diffTool = "auto"  # {path}:1')
        self.assertEqual(self.config("set", "diffTool", "terminal")[:2], (0, ""))
        self.assertEqual(self.config("set", "autoConnectIde", "true")[:2], (0, ""))
        self.assertEqual(self.config("get", "diffTool"), (0, "terminal\n", ""))
        self.assertEqual(self.config("unset", "autoConnectIde"), (0, "", ""))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before.replace('"auto"', '"terminal"'))
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
        self.assertFalse(os.path.exists(self.file()))
        self.assertIn("belongs in ~/.claude.json",
                      self.config("set", "--scope", "user", "diffTool", "auto")[2])

    def test_a_global_file_that_is_wrong_is_told_and_never_overwritten(self):
        path = os.path.join(self.home, ".claude.json")
        self.write('{"model": "x"}')
        for text, told in (('{"diffTool": 3}', f'{path}:1:14: diffTool: expected one of "auto"'),
                           ("{", f"{path}:1:2: "), ("[" * 100_000, f"{path}:1:"), ("\0", f"{path}:1:1: ")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            status, out, err = self.config("get", "model")
            self.assertEqual((status, out), (0, "x\n"))
            self.assertIn(told, err)
            self.assertEqual(self.config("set", "diffTool", "auto")[0], 1)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        os.remove(path)
        os.mkfifo(path)
        self.assertEqual(self.config("get", "model")[:2], (0, "x\n"))

    def test_json_is_json(self):
        self.write('{"model": "u", /* why */ "env": {"A": "1"},}')
        self.write('{"permissions": {"deny": ["X"]}}', "local")
        listed = json.loads(self.config("list", "--json", "--settings", '{"model": "f"}')[1])
        self.assertEqual(listed["effective"], {"model": "f", "env": {"A": "1"},
                                               "permissions": {"deny": ["X"]}})
        self.assertEqual([s["source"] for s in listed["sources"]],
                         ["userSettings", "localSettings", "flagSettings"])
        self.assertEqual(listed["sources"][0]["settings"]["model"], "u")
        chosen = json.loads(self.config("list", "--json", "--setting-sources", "local")[1])
        self.assertEqual(chosen["effective"], {"permissions": {"deny": ["X"]}})

    def test_paths_are_told(self):
        other = os.path.join(self.root, "elsewhere")
        self.write("{}", "local")
        self.assertEqual(self.config("path", CLAUDE_CONFIG_DIR=other)[1],
                         f"global   {other}/.claude.json (does not exist)\n"
                         f"user     {other}/settings.json (does not exist)\n"
                         f"project  {self.file('project')} (does not exist)\n"
                         f"local    {self.file('local')}\n")

    def test_the_page_about_settings_is_current(self):
        with open(os.path.join(ROOT, "docs/settings.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), self.config("docs")[1],
                             "make it anew: awl config docs > docs/settings.md")


if __name__ == "__main__":
    unittest.main()
