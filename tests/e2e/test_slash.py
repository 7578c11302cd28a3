"""Slash commands that people type at a terminal, as far as they touch files."""

import glob
import json
import os
import subprocess

from rig import Modelled

WORKS = """\
reply forever when result_of contains Write
  text "Written."
reply forever when prompt contains write
  tool Write {"file_path": "%s", "content": "x"}
reply forever
  text "Hello."
"""


class Slash(Modelled):
    def open(self, *args, script='reply forever\n  text "Hello."\n'):
        self.serve(script)
        terminal = self.terminal("--plain", *args, env=self.modelled(), rows=100, cols=200)
        terminal.wait_for("\n>")
        return terminal

    def ask(self, terminal, typed, answer):
        terminal.type(typed + "\n")
        terminal.wait_for(answer, after="> " + typed.strip())

    def settings(self):
        with open(os.path.join(self.home, ".claude/settings.json"), encoding="utf-8") as file:
            return json.load(file)

    def charged(self):
        return os.path.exists(self.request_log) and self.requests()


class Configuring(Slash):
    def test_a_setting_is_shown_and_changed_in_the_users_file(self):
        terminal = self.open()
        self.ask(terminal, "/config", "No settings are set.")
        self.ask(terminal, "/config cleanupPeriodDays=7", "It is in " + self.home + "/.claude/settings.json.")
        self.assertEqual(self.settings(), {"cleanupPeriodDays": 7})
        self.ask(terminal, "/config cleanupPeriodDays", "cleanupPeriodDays = 7")
        self.ask(terminal, "/config cleanupPeriodDay=8", "did you mean 'cleanupPeriodDays'?")
        self.ask(terminal, "/config env.MY_TOKEN=ghp_0123456789012345678901234567890123456", "is [secret] now")
        self.ask(terminal, "/settings", "cleanupPeriodDays = 7  # ")
        self.assertFalse(self.charged())

    def test_a_prompt_from_a_pipe_changes_no_setting_and_adds_no_directory(self):
        self.serve('reply forever\n  text "never"\n')
        for typed, why in (("/config cleanupPeriodDays=7", b"only at a terminal; run 'awl config set'"),
                           ("/add-dir /", b"start awl with --add-dir"),
                           ("/add-dri /", b"there is no command /add-dri; did you mean /add-dir?")):
            ran = self.print(typed)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(why, ran.stderr + ran.stdout)
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/settings.json")))
        self.assertFalse(self.charged())

    def test_a_model_that_is_chosen_at_the_terminal_is_the_default_from_then_on(self):
        terminal = self.open()
        self.ask(terminal, "/model sonnet", "Model: claude-sonnet-5-5. New sessions use it, too.")
        self.assertEqual(self.settings(), {"model": "sonnet"})
        self.ask(terminal, "/model default", "New sessions use it, too.")
        self.assertEqual(self.settings(), {})
        terminal.type("/exit\n")
        self.assertEqual(terminal.wait_end(), 0)
        self.assertEqual(self.print("/model sonnet").returncode, 0)
        self.assertEqual(self.settings(), {})

    def test_a_directory_is_added_while_the_session_runs(self):
        other = os.path.join(self.root, "other")
        os.makedirs(other)
        terminal = self.open("--permission-mode", "acceptEdits", script=WORKS % (other + "/made.txt"))
        self.ask(terminal, "/add-dir " + other + "/none", "none")
        self.ask(terminal, "/add-dir ../other", other + " is a working directory of this session now.")
        self.ask(terminal, "/add-dir", other)
        self.ask(terminal, "please write", "Written.")
        self.assertTrue(os.path.exists(other + "/made.txt"))
        self.assertIn("The user has added a working directory: " + other, json.dumps(self.requests()[0]))

    def test_effort_lasts_for_the_session(self):
        terminal = self.open("--model", "opus")
        self.ask(terminal, "/effort low", "Effort: low.")
        self.ask(terminal, "hi", "Hello.")
        self.assertEqual(self.requests()[-1]["output_config"]["effort"], "low")
        self.ask(terminal, "/effort enormous", "or 'auto' for the model's own choice")
        self.ask(terminal, "/effort", "Effort: low.")
        self.assertFalse(os.path.exists(os.path.join(self.home, ".claude/settings.json")))


class Reporting(Slash):
    def test_status_shows_what_the_session_works_with_and_no_secret(self):
        subprocess.run(["git", "init", "-q", "-b", "topic"], cwd=self.cwd, check=True)
        terminal = self.open("--model", "sonnet")
        self.ask(terminal, "/rename My work", 'This session is called "My work" now.')
        self.ask(terminal, "/status", "Trust: nothing here needs trust")
        shown = terminal.text()
        for line in ("Session name: My work", "Directory: " + self.cwd, "Branch: topic",
                     "Model: claude-sonnet-5-5", "Credential: ANTHROPIC_API_KEY", "Permission mode: default",
                     "Sandbox: off", "Provider: Anthropic API", "Endpoint: http://127.0.0.1:"):
            self.assertIn(line, shown)
        self.assertNotIn(self.modelled()["ANTHROPIC_API_KEY"], shown)
        self.ask(terminal, "/login", "The credential comes from ANTHROPIC_API_KEY.")
        self.ask(terminal, "/logout", "Unset it and start awl again")
        self.ask(terminal, "/statusline", "No status line is configured.")
        self.ask(terminal, "/sandbox", "The sandbox is off")
        self.assertFalse(self.charged())

    def test_todos_and_background_commands_are_listed(self):
        terminal = self.open("--allowedTools", "Bash", "--tools", "TodoWrite,Bash", script=(
            'reply when result_of contains Bash\n  text "Both."\n'
            'reply\n  tool TodoWrite {"todos": [{"content": "Read it", "status": "completed", "activeForm": "r"},'
            ' {"content": "Fix it", "status": "in_progress", "activeForm": "f"}]}\n'
            '  tool Bash {"command": "sleep 100", "run_in_background": true}\n'))
        self.ask(terminal, "/todos", "The to-do list is empty.")
        self.ask(terminal, "/tasks", "Nothing was started in the background.")
        self.ask(terminal, "go", "Both.")
        self.ask(terminal, "/todos", "[x] Read it\n[>] Fix it")
        self.ask(terminal, "/bashes", "bash_1 runs: sleep 100")

    def test_the_doctor_checks_all_that_needs_no_model(self):
        terminal = self.open("--settings", '{"sandbox": {"enabled": true}}')
        self.ask(terminal, "/doctor", "No problems found.")
        for line in ("git: starts", "sandbox: a command runs in it", "settings: no mistakes",
                     "trust: nothing here needs trust"):
            self.assertIn(line, terminal.text())
        os.makedirs(os.path.join(self.home, ".claude"), exist_ok=True)
        with open(os.path.join(self.home, ".claude/settings.json"), "w", encoding="utf-8") as file:
            file.write('{"modle": "x"}')
        ran = self.print("/doctor")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"did you mean model?", ran.stderr + ran.stdout)
        self.assertIn(b"1 problem: settings", ran.stderr + ran.stdout)
        self.assertFalse(self.charged())


class Files(Slash):
    def git(self, *args):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *args], cwd=self.cwd, check=True,
                       capture_output=True)

    def test_diff_shows_what_changed_and_runs_no_program_of_the_repository(self):
        self.git("init", "-q")
        self.write("a.txt", "one\n")
        self.write(".gitattributes", "*.txt diff=spy filter=spy\n")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        for key in ("diff.spy.textconv", "diff.spy.command", "diff.external", "filter.spy.clean", "core.fsmonitor"):
            self.git("config", key, f"touch {self.root}/ran; cat")
        self.write("a.txt", "two\n")
        self.write("b.txt", "new\n")
        terminal = self.open()
        self.ask(terminal, "/diff", "+two")
        shown = terminal.text()
        for line in (" a.txt | 2 +-", " b.txt (untracked)", "-one"):
            self.assertIn(line, shown)
        self.assertFalse(os.path.exists(self.root + "/ran"))
        self.assertFalse(self.charged())

    def test_diff_shows_all_files_before_the_first_commit(self):
        self.git("init", "-q")
        terminal = self.open()
        self.ask(terminal, "/diff", "There are no files to commit yet.")
        self.write("a.txt", "one\n")
        self.git("add", "a.txt")
        self.write("a.txt", "two\n")
        self.write("b.txt", "new\n")
        self.ask(terminal, "/diff ", "+two")
        for line in (" a.txt | 1 +", " b.txt (untracked)"):
            self.assertIn(line, terminal.text())

    def test_diff_says_when_there_is_nothing_to_show(self):
        terminal = self.open()
        self.ask(terminal, "/diff", "is not in a git repository.")
        self.git("init", "-q")
        self.git("commit", "-qm", "empty", "--allow-empty")
        self.ask(terminal, "/diff ", "Nothing has changed since the last commit.")

    def test_the_conversation_is_exported_to_a_new_file_only(self):
        terminal = self.open(script='reply when result_of contains Read\n  text "It says `x`."\n'
                                    'reply\n  text "I look."\n  tool Read {"file_path": "a.txt"}\n')
        self.write("a.txt", "``` x\n")
        self.ask(terminal, "/export out.md", "there is no conversation yet")
        self.ask(terminal, "what is in a.txt", "It says `x`.")
        self.ask(terminal, "/export out.md ", "The conversation is in " + self.path("out.md") + ".")
        exported = self.read("out.md")
        self.assertEqual(os.stat(self.path("out.md")).st_mode & 0o777, 0o600)
        for part in ("## User\n\nwhat is in a.txt\n", "## Assistant\n\nI look.\n\n**Read**\n",
                     "\n````\n", "``` x", "\nIt says `x`.\n"):
            self.assertIn(part, exported)
        self.assertNotIn("Working directory", exported)  # what only the model should see
        self.ask(terminal, "/export out.md", "exists; name a new file")
        self.assertEqual(self.read("out.md"), exported)
        self.ask(terminal, "/usage", "Cost: ")
        terminal.type("/export\n")
        terminal.wait_for("# Conversation")
        terminal.type("/exit\n")
        self.assertEqual(terminal.wait_end(), 0)
        [transcript] = glob.glob(os.path.join(self.home, ".claude/projects/*/*.jsonl"))
        with open(transcript, encoding="utf-8") as file:
            recorded = file.read()
        self.assertIn("/usage", recorded)
        self.assertNotIn("# Conversation", recorded)  # the file would grow by itself each time

    def test_a_prompt_from_a_pipe_exports_nothing_outside(self):
        self.serve('reply forever\n  text "Hello."\n')
        self.assertEqual(self.print("hi").returncode, 0)
        ran = self.print("/export " + self.root + "/stolen.md", "--continue")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"may not be written", ran.stderr + ran.stdout)
        self.assertFalse(os.path.exists(self.root + "/stolen.md"))

    def test_a_report_has_no_secret_and_is_for_the_user_alone(self):
        terminal = self.open()
        self.ask(terminal, "/bug It hangs with token=ghp_0123456789012345678901234567890123456", "Nothing was sent.")
        folder = os.path.join(self.home, ".claude/awl/reports")
        [name] = os.listdir(folder)
        self.assertEqual(os.stat(os.path.join(folder, name)).st_mode & 0o777, 0o600)
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            report = file.read()
        for part in ("It hangs with token=[secret]", "- Version: ", "- Model: ", "- System: Linux"):
            self.assertIn(part, report)
        self.assertNotIn("ghp_", report)
        self.assertFalse(self.charged())
