#include "extend/agent_file.h"
#include "extend/agent_list.h"
#include "test.h"

static bool read_file(struct agent_file *out, const char *text, struct arena *arena,
		      struct str *notes)
{
	*out = (struct agent_file){ .path = SV("/p/a.md"), .source = AGENT_PROJECT };
	return agent_file_read(out, sv_cstr(text), arena, notes);
}

TEST(all_fields_of_an_agent_are_read)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct agent_file file;

	CHECK(read_file(&file,
			"---\nname: reviewer\ndescription: Reviews: every change\ntools: Read, "
			"Bash(git diff:*)\ndisallowedTools: [Write]\nmodel: haiku\npermissionMode: "
			"plan\nmaxTurns: 5\nmemory: project\nbackground: yes\nisolation: worktree\n"
			"effort: high\ncolor: red\nomitClaudeMd: true\n---\nYou review.\n",
			&arena, &notes));
	CHECK_STR(str_c(&notes), "");
	CHECK_SV(file.name, "reviewer");
	CHECK_SV(file.description, "Reviews: every change");
	CHECK_SV(file.prompt, "You review.");
	CHECK_INT(file.tools.n, 2);
	CHECK_SV(file.tools.at[1], "Bash(git diff:*)");
	CHECK_INT(file.disallowed_tools.n, 1);
	CHECK_SV(file.model, "haiku");
	CHECK_SV(file.permission_mode, "plan");
	CHECK_INT(file.max_turns, 5);
	CHECK_INT(file.memory, AGENT_MEMORY_PROJECT);
	CHECK(file.is_background && file.is_isolated && file.omits_instructions);
}

TEST(a_field_that_makes_no_sense_is_ignored_and_named_with_its_line)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct agent_file file;

	CHECK(read_file(&file,
			"---\nname: a\ndescription: d\nmaxTurns: many\nmemory: cloud\n"
			"allowed-tools: Read\ntools:\neffort: enormous\npermissionMode: yolo\n"
			"model: [x]\n---\nx",
			&arena, &notes));
	CHECK_STR(str_c(&notes),
		  "/p/a.md:4: \"maxTurns\" must be a number above 0, so it is ignored\n"
		  "/p/a.md:5: \"memory\" must be one of: user project local, so it is ignored\n"
		  "/p/a.md:6: \"allowed-tools\" is ignored; did you mean \"tools\"?\n"
		  "/p/a.md:8: \"effort\" must be one of: low medium high xhigh max, so it is "
		  "ignored\n"
		  "/p/a.md:9: \"permissionMode\" must be one of: default acceptEdits plan auto "
		  "dontAsk bypassPermissions manual, so it is ignored\n"
		  "/p/a.md:10: \"model\" must be a text, so it is ignored\n");
	CHECK(!file.tools.is_given);
	CHECK_SV(file.effort, "");
	CHECK_SV(file.permission_mode, "");
}

TEST(a_file_without_front_matter_is_not_an_agent_and_one_without_a_name_is_an_error)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct agent_file file;

	CHECK(!read_file(&file, "# How to write agents\n", &arena, &notes));
	CHECK_STR(str_c(&notes), "");
	CHECK(!read_file(&file, "---\ndescription: d\n---\nx", &arena, &notes));
	CHECK_STR(str_c(&notes),
		  "/p/a.md:1: this agent is skipped: it has no \"name\" in its front "
		  "matter\n");
}

TEST(front_matter_of_an_agent_that_cannot_be_read_is_named_with_its_line)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct agent_file file;

	CHECK(!read_file(&file, "---\nname: a\ndescription: \"d\n---\nx\n", &arena, &notes));
	CHECK(sv_starts(sv_of(&notes), SV("/p/a.md:3: this agent is skipped: ")));
	str_truncate(&notes, 0);
	CHECK(!read_file(&file, "---\nname: a\ndescription: d\nx\n", &arena, &notes));
	CHECK_STR(str_c(&notes), "/p/a.md:1: this agent is skipped: the front matter that begins "
				 "here has no end; put "
				 "a line with only --- after it\n");
}

TEST(the_strongest_source_of_a_name_wins_and_the_others_load)
{
	defer(agent_list_clear) struct agent_list list = AGENT_LIST_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(
		SV("{\"Explore\":{\"description\":\"mine\",\"prompt\":\"p\"},\"x\":{}}"), 0, &err);
	size_t before;

	agent_list_add_builtins(&list);
	before = list.files.n;
	CHECK_INT(before, 6);
	CHECK(!agent_list_add_json(&list, json_root(doc), &err));
	CHECK_STR(err.text, "agents: x needs a \"description\" and a \"prompt\"");
	CHECK_INT(list.files.n, before);
	CHECK_SV(agent_list_find(&list, SV("explore"))->description, "mine");
	CHECK_STR(str_c(&list.notes), "");
}
