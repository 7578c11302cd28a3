"""Agents that users define, and sub-agents at work: in print mode."""

import json
import os

from test_commands import Written

REVIEWER = """---
name: reviewer
description: Reviews a change
tools: Read
---
You are the reviewer of this project.
"""


def agent(kind, prompt, **more):
    return "  tool Agent " + json.dumps({"description": f"{kind} works", "prompt": prompt, "subagent_type": kind,
                                         **more}) + "\n"


def script(*calls):
    """A model that makes these calls in its first response. Each agent answers its prompt with one text."""
    return ("reply when prompt contains go\n" + "".join(calls) +
            'reply forever when prompt contains "JOB one"\n  text "One is fine."\n'
            'reply forever when prompt contains "JOB two"\n  text "Two is fine."\n'
            'reply forever when prompt contains "task-notification"\n  text "I know it now."\n'
            'reply forever when result_of contains Agent\n  text "All is fine."\n'
            'reply otherwise\n  text "Hello."\n')


class Delegating(Written):
    def define(self, name, text=REVIEWER, home=False):
        self.command(f"agents/{name}.md", text, home)

    def events(self, *args, **env):
        ran = self.print(*args, "--output-format", "stream-json", "--verbose", **env)
        self.assertEqual(ran.returncode, 0, ran)
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def of_agents(self, word):
        """The requests of agents whose prompt has this word."""
        return [request for request in self.requests()
                if word in json.dumps(request["messages"][0]) and "JOB" in json.dumps(request["messages"][0])]


class Agents(Delegating):
    def test_one_from_a_file_works_with_its_own_prompt_and_tools(self):
        self.define("reviewer")
        self.serve(script(agent("reviewer", "JOB one")))
        ran = self.print("go", "--output-format", "json")
        self.assertEqual(json.loads(ran.stdout)["result"], "All is fine.")
        [request] = self.of_agents("JOB one")
        self.assertIn("You are the reviewer of this project.", json.dumps(request["system"]))
        self.assertEqual([tool["name"] for tool in request["tools"]], ["Read"])
        self.assertIn("One is fine.", json.dumps(self.requests()[-1]["messages"][-1]))

    def test_several_work_side_by_side_and_each_call_gets_its_own_answer(self):
        self.define("reviewer")
        self.serve(script(agent("reviewer", "JOB one"), agent("Explore", "JOB two")))
        events = self.events("go")
        started = [e for e in events if e.get("subtype") == "task_started"]
        self.assertEqual([e["subagent_type"] for e in started], ["reviewer", "Explore"])
        results = {block["tool_use_id"]: json.dumps(block["content"])
                   for block in self.requests()[-1]["messages"][-1]["content"] if block["type"] == "tool_result"}
        first, second = (results[e["tool_use_id"]] for e in started)
        self.assertIn("One is fine.", first)
        self.assertIn("Two is fine.", second)

    def test_the_end_of_one_in_the_background_begins_a_turn(self):
        self.serve(script(agent("Explore", "JOB one", run_in_background=True)))
        events = self.events("go")
        [ended] = [e for e in events if e.get("subtype") == "task_notification"]
        self.assertEqual(ended["status"], "completed")
        self.assertEqual([e["result"] for e in events if e["type"] == "result"][-1], "I know it now.")

    def test_json_output_is_one_result_also_with_one_in_the_background(self):
        self.serve(script(agent("Explore", "JOB one", run_in_background=True)))
        ran = self.print("go", "--output-format", "json")
        self.assertEqual(ran.returncode, 0, ran)
        [line] = ran.stdout.splitlines()
        result = json.loads(line)
        self.assertEqual((result["type"], result["result"]), ("result", "I know it now."))

    def test_one_can_lead_the_conversation(self):
        self.define("reviewer")
        self.serve(script())
        self.assertEqual(self.print("hi", "--agent", "reviewer").returncode, 0)
        [request] = self.requests()
        self.assertIn("You are the reviewer of this project.", json.dumps(request["system"]))
        ran = self.print("hi", "--agent", "nobody")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"nobody", ran.stderr)

    def test_hooks_of_one_that_leads_see_its_calls_until_the_session_ends(self):
        hooks = {"PostToolUse": [{"hooks": [{"type": "command", "command": "echo ran >> ran.txt"}]}]}
        self.define("reviewer", REVIEWER.replace("tools: Read", "hooks: " + json.dumps(hooks)), home=True)
        self.serve('reply\n  tool Bash {"command": "true"}\nreply forever\n  text "Done."\n')
        ran = self.print("hi", "--agent", "reviewer")
        self.assertEqual((ran.returncode, ran.stdout, self.read("ran.txt")), (0, b"Done.\n", "ran\n"), ran)

    def test_one_that_led_the_conversation_leads_it_again_when_it_is_resumed(self):
        self.define("reviewer", REVIEWER.replace("tools: Read", "tools: Read\npermissionMode: acceptEdits"), home=True)
        self.serve('reply forever\n  text "Hello."\n')
        first = self.events("hi", "--agent", "reviewer")[0]
        again = self.events("more", "-c")[0]
        self.assertEqual((first["tools"], first["permissionMode"]), (["Read"], "acceptEdits"))
        # A transcript may have been copied from somebody else: it makes nothing more lenient.
        self.assertEqual((again["tools"], again["permissionMode"]), (["Read"], "default"))
        self.assertIn("You are the reviewer", json.dumps(self.requests()[-1]["system"]))
        os.remove(os.path.join(self.home, ".claude/agents/reviewer.md"))
        ran = self.print("more", "-c")
        self.assertIn(b"The agent reviewer, which led this session, is no longer defined.", ran.stderr)
        self.assertNotIn("You are the reviewer", json.dumps(self.requests()[-1]["system"]))

    def test_a_notification_reaches_the_users_hooks_and_the_result_says_so(self):
        self.serve('reply when prompt contains "go"\n  tool ToolSearch {"query": "select:PushNotification"}\n'
                   'reply when result_of contains ToolSearch\n  tool PushNotification {"message": "It is red."}\n'
                   'reply forever\n  text "Over."\n')
        hook = {"hooks": {"Notification": [{"matcher": "push_notification",
                                            "hooks": [{"type": "command", "command": "cat > heard"}]}]}}
        events = self.events("go", "--settings", json.dumps(hook))
        shown, = [e for e in events if e.get("subtype") == "notification"]
        self.assertEqual(shown["text"], "It is red.")
        result = [e for e in events if e["type"] == "user"][-1]["tool_use_result"]
        self.assertEqual((result["pushSent"], result["localSent"]), (True, False))
        with open(self.path("heard"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["message"], "It is red.")
        self.serve('reply when prompt contains "go"\n  tool ToolSearch {"query": "select:PushNotification"}\n'
                   'reply when result_of contains ToolSearch\n  tool PushNotification {"message": "It is red."}\n'
                   'reply forever\n  text "Over."\n')
        result = [e for e in self.events("go") if e["type"] == "user"][-1]["tool_use_result"]
        self.assertEqual((result["pushSent"], result["disabledReason"]), (False, "no_transport"))

    def test_only_a_project_that_is_trusted_says_the_first_prompt(self):
        self.command("settings.json", json.dumps({"permissions": {"allow": ["Bash(ls:*)"]}}))
        text = "---\nname: lead\ndescription: Leads\ninitialPrompt: Begin by yourself.\n---\nYou lead.\n"
        for home in (False, True):
            self.define("other" if home else "lead", text.replace("lead", "other") if home else text, home)
            self.serve('reply forever\n  text "Hello."\n')
            self.assertEqual(self.print("hi", "--agent", "other" if home else "lead").returncode, 0)
            self.assertEqual("Begin by yourself." in json.dumps(self.requests()), home)

    def test_a_coordinator_has_only_tools_that_direct_others_and_its_workers_have_all(self):
        self.serve(script(agent("general-purpose", "JOB one")))
        events = self.events("go", CLAUDE_CODE_COORDINATOR_MODE="1")
        [leader, *_] = [r for r in self.requests() if "JOB" not in json.dumps(r["messages"][0])]
        names = {tool["name"] for tool in leader["tools"]}
        self.assertLessEqual({"Agent", "SendMessage", "TaskStop", "ListAgents"}, names)
        self.assertFalse(names & {"Bash", "Read", "Edit", "Write", "ToolSearch"}, names)
        self.assertIn("You coordinate the work of other agents", json.dumps(leader["system"]))
        [worker] = self.of_agents("JOB one")
        self.assertLessEqual({"Bash", "Read", "Edit", "Write"}, {tool["name"] for tool in worker["tools"]})
        self.assertEqual([e["result"] for e in events if e["type"] == "result"][-1], "I know it now.")

    def test_they_are_listed(self):
        self.define("reviewer")
        self.serve(script())
        listed = self.print("/agents").stdout.decode()
        self.assertIn("reviewer", listed)
        self.assertIn("Reviews a change", listed)
        self.assertIn("general-purpose", listed)
        self.assertEqual(self.requests(), [])

    def test_a_long_description_is_cut_after_a_word_in_the_list(self):
        self.define("wordy", "---\nname: wordy\ndescription: " + "eleven word " * 10 + "\n---\nHelp.\n")
        self.serve(script())
        self.assertIn(": " + ("eleven word " * 8).strip() + "…\n", self.print("/agents").stdout.decode())


class BadAgents(Delegating):
    def test_bad_definitions_are_named_and_the_others_load(self):
        self.define("reviewer")
        self.define("nameless", "---\ndescription: x\n---\nx\n")
        self.define("silent", "---\nname: silent\n---\nx\n")
        self.define("typed", "---\nname: typed\ndescription: Typed\nmaxTurns: many\n---\nx\n")
        self.define("huge", "---\nname: huge\ndescription: Huge\n---\n" + "x" * (4 << 20))
        self.serve(script())
        ran = self.print("/agents")
        listed, told = ran.stdout.decode(), ran.stderr.decode() + ran.stdout.decode()
        self.assertIn("reviewer", listed)
        for name in ("nameless", "silent", "typed", "huge"):
            self.assertIn(f"{name}.md", told)
        self.assertIn("maxTurns", told)

    def test_links_that_leave_the_project_are_not_followed(self):
        self.define("reviewer")
        outside = os.path.join(self.home, "outside.md")
        with open(outside, "w", encoding="utf-8") as file:
            file.write(REVIEWER.replace("reviewer", "stranger"))
        os.symlink(outside, self.path(".claude/agents/stranger.md"))
        self.serve(script())
        listed = self.print("/agents").stdout.decode()
        self.assertIn("reviewer", listed)
        self.assertIn("stranger.md: this agent is skipped: it leads out of the project", listed)
        self.assertNotIn("stranger (project)", listed)

    def test_a_link_to_a_folder_above_it_is_not_followed_in_circles(self):
        self.define("reviewer")
        os.symlink(".", self.path(".claude/agents/again"))
        self.serve(script(agent("reviewer", "JOB one")))
        events = self.events("go")
        self.assertEqual([e["content"] for e in events if "same name" in e.get("content", "")], [])
        self.assertEqual(events[0]["agents"].count("reviewer"), 1)

    def test_of_two_with_a_name_the_project_wins(self):
        self.define("reviewer", REVIEWER.replace("of this project", "of the user"), home=True)
        self.define("reviewer")
        self.serve(script(agent("reviewer", "JOB one")))
        self.assertEqual(self.print("go").returncode, 0)
        [request] = self.of_agents("JOB one")
        self.assertIn("reviewer of this project.", json.dumps(request["system"]))

    def test_definitions_are_listed_by_source_with_what_is_wrong(self):
        self.define("reviewer")
        self.define("scout", "---\nname: scout\ndescription: Looks around\nmodel: haiku\n---\nLook.\n", home=True)
        self.define("bad", "---\nname: bad\n---\nNo description.\n")
        ran = self.awl("agents", "definitions")
        self.assertEqual(ran.returncode, 0, ran)
        shown = ran.stdout.decode()
        self.assertIn("From the project:\n  reviewer: Reviews a change\n\nYour own:\n  scout (haiku): Looks around\n\nBuilt in:\n",
                      shown)
        self.assertIn("bad.md", ran.stderr.decode())
        listed = json.loads(self.awl("agents", "definitions", "--json").stdout)
        self.assertIn(("reviewer", "project"), [(agent["name"], agent["source"]) for agent in listed])


class AgentHooks(Delegating):
    def test_hooks_see_the_beginning_and_the_end(self):
        def hook(name):
            return [{"hooks": [{"type": "command", "command": f"cat > {self.path(name)}"}]}]
        self.serve(script(agent("Explore", "JOB one")))
        settings = {"hooks": {"SubagentStart": hook("start"), "SubagentStop": hook("stop")}}
        self.assertEqual(self.print("go", "--settings", json.dumps(settings)).returncode, 0)
        start, stop = (json.loads(self.read(name)) for name in ("start", "stop"))
        self.assertEqual((start["hook_event_name"], start["agent_type"]), ("SubagentStart", "Explore"))
        self.assertEqual((stop["hook_event_name"], stop["agent_id"]), ("SubagentStop", start["agent_id"]))

    def test_a_hook_at_the_beginning_can_add_to_what_it_knows(self):
        answer = json.dumps({"hookSpecificOutput": {"hookEventName": "SubagentStart",
                                                    "additionalContext": "Mind the gap."}})
        settings = {"hooks": {"SubagentStart": [{"hooks": [{"type": "command", "command": f"echo '{answer}'"}]}]}}
        self.serve(script(agent("Explore", "JOB one")))
        self.assertEqual(self.print("go", "--settings", json.dumps(settings)).returncode, 0)
        [request] = [r for r in self.requests() if "Mind the gap." in json.dumps(r["messages"])]
        self.assertIn("JOB one", json.dumps(request["messages"]))


class Teams(Delegating):
    def test_a_team_works_off_its_tasks_and_hooks_know_who_did_what(self):
        told = os.path.join(self.root, "told")
        hook = [{"hooks": [{"type": "command", "command": f"cat >> {told}; echo >> {told}"}]}]
        self.command("settings.json", json.dumps({"hooks": {"TaskCompleted": hook, "TeammateIdle": hook}}), home=True)

        def call(tool, **arguments):
            return f"  tool {tool} {json.dumps(arguments)}\n"
        self.serve(
            "reply when prompt contains go\n" + call("TeamCreate", team_name="shop") +
            call("TaskCreate", subject="Build the cart", description="In cart.c") +
            call("Agent", description="Builds", prompt="JOB one", team_name="shop", name="ann") +
            'reply forever when prompt contains "is yours now"\n' + call("TaskUpdate", taskId="1", status="completed") +
            'reply when result_of contains TaskUpdate\n  text "The cart is built."\n'
            'reply when prompt contains "JOB one"\n  text "Ready."\n'
            'reply when prompt contains "task-notification"\n  text "All is done."\n'
            'reply otherwise\n  text "Started."\n')
        events = self.events("go", CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS="1")
        self.assertEqual([e["result"] for e in events if e["type"] == "result"][-1], "All is done.")
        with open(told, encoding="utf-8") as file:
            inputs = [json.loads(line) for line in file if line.strip()]
        self.assertEqual({(i["hook_event_name"], i["teammate_name"], i["team_name"]) for i in inputs},
                         {("TaskCompleted", "ann", "shop"), ("TeammateIdle", "ann", "shop")})
        self.assertEqual([i["task_subject"] for i in inputs if "task_subject" in i], ["Build the cart"])
