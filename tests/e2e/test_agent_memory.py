"""The memory of agents, in three scopes, and the snapshots that a project has of it."""

import json
import os

from test_agents import Delegating, agent

KEEPER = "---\nname: keeper\ndescription: Keeps notes\ntools: Grep\nmemory: {}\n---\nYou keep notes.\n"


class Memory(Delegating):
    def writing(self, path):
        return ('reply when prompt contains "JOB one" and result_of contains Write\n  text "Noted."\n'
                f'reply when prompt contains "JOB one"\n  tool Write {json.dumps({"file_path": path, "content": "x"})}\n'
                'reply forever when result_of contains Agent\n  text "All is fine."\n'
                "reply when prompt contains go\n" + agent("keeper", "JOB one") + 'reply otherwise\n  text "Hello."\n')

    def folder(self, scope):
        return {"user": os.path.join(self.home, ".claude/agent-memory/keeper"),
                "project": self.path(".claude/agent-memory/keeper"),
                "local": self.path(".claude/agent-memory-local/keeper")}[scope]

    def put(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_it_is_sent_its_index_and_writes_there_without_a_question(self):
        for scope in ("user", "project", "local"):
            self.command("agents/keeper.md", KEEPER.format(scope), home=True)
            folder = self.folder(scope)
            self.put(folder + "/MEMORY.md", f"The {scope} way.\n")
            self.serve(self.writing(folder + "/topic.md"))
            self.print("go")
            with self.subTest(scope=scope):
                self.assertTrue(os.path.exists(folder + "/topic.md"))
                request = [r for r in self.requests() if "You keep notes" in json.dumps(r["system"])][-1]
                self.assertEqual({tool["name"] for tool in request["tools"]}, {"Grep", "Read", "Write", "Edit"})
                self.assertIn(f"MEMORY.md says:\\n\\nThe {scope} way.", json.dumps(request["messages"]))

    def test_a_project_that_is_not_trusted_is_asked_about_and_links_are_not_followed(self):
        self.define("keeper", KEEPER.format("project"))
        self.command("settings.json", json.dumps({"permissions": {"allow": ["Bash(ls:*)"]}}))
        folder = self.folder("project")
        self.serve(self.writing(folder + "/topic.md"))
        self.print("go")
        self.assertFalse(os.path.exists(folder + "/topic.md"))
        secret = os.path.join(self.home, "secret")
        self.put(secret + "/MEMORY.md", "A secret.\n")
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        os.symlink(secret, folder)
        self.command("agents/keeper.md", KEEPER.format("project"), home=True)
        self.serve(self.writing(folder + "/topic.md"))
        self.print("go")
        self.assertFalse(os.path.exists(secret + "/topic.md"))
        self.assertNotIn("A secret.", json.dumps(self.requests()))

    def test_an_empty_one_begins_with_the_snapshot_and_a_newer_one_is_named(self):
        self.command("agents/keeper.md", KEEPER.format("local"), home=True)
        snapshot = self.path(".claude/agent-memory-snapshots/keeper")
        self.put(snapshot + "/MEMORY.md", "As of old.\n")
        self.put(snapshot + "/snapshot.json", '{"updatedAt": "2026-01-01T00:00:00Z"}')
        self.serve(self.writing(self.folder("local") + "/topic.md"))
        self.print("go")
        self.assertIn("As of old.", json.dumps(self.requests()))
        with open(self.folder("local") + "/MEMORY.md", encoding="utf-8") as file:
            self.assertEqual(file.read(), "As of old.\n")
        self.assertNotIn("newer snapshot", json.dumps(self.requests()))
        self.put(snapshot + "/snapshot.json", '{"updatedAt": "2026-02-01T00:00:00Z"}')
        self.serve(self.writing(self.folder("local") + "/topic.md"))
        self.print("go")
        self.assertIn("newer snapshot of this memory in " + snapshot, json.dumps(self.requests()))

    def test_one_that_leads_the_conversation_has_it_too(self):
        self.command("agents/keeper.md", KEEPER.format("user"), home=True)
        self.put(self.folder("user") + "/MEMORY.md", "The leading way.\n")
        self.serve('reply forever\n  text "Hello."\n')
        self.print("hi", "--agent", "keeper")
        self.assertIn("The leading way.", json.dumps(self.requests()[0]["messages"]))

    def test_a_snapshot_is_not_written_through_links_of_the_repository(self):
        self.command("agents/keeper.md", KEEPER.format("local"), home=True)
        snapshot, folder = self.path(".claude/agent-memory-snapshots/keeper"), self.folder("local")
        victim, fresh = os.path.join(self.home, "startup"), os.path.join(self.home, "fresh")
        self.put(victim, "mine\n")
        self.put(snapshot + "/notes.md", "run me\n")
        self.put(snapshot + "/new.md", "run me\n")
        self.put(snapshot + "/snapshot.json", '{"updatedAt": "2026-01-01T00:00:00Z"}')
        os.makedirs(folder)
        os.symlink(victim, folder + "/notes.md")
        os.symlink(fresh, folder + "/new.md")
        os.symlink(os.path.join(self.home, "synced"), folder + "/.snapshot-synced.json")
        self.serve(self.writing(folder + "/topic.md"))
        self.print("go")
        with open(victim, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine\n")
        self.assertFalse(os.path.exists(fresh))
        self.assertFalse(os.path.exists(os.path.join(self.home, "synced")))
