#include "extend/command_file.h"

#include "test.h"

struct read {
	struct arena arena;
	struct command_file file;
	struct str notes;
};

static void read_clear(struct read *r)
{
	arena_clear(&r->arena);
	str_clear(&r->notes);
}

static void read_text(struct read *r, const char *text)
{
	*r = (struct read){ .arena = ARENA_INIT,
			    .file = { .name = SV_INIT("x"), .path = SV_INIT("/c/x.md") } };
	command_file_read(&r->file, sv_cstr(text), &r->arena, &r->notes);
}

TEST(front_matter_describes_a_command)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\ndescription: Review a file\nargument-hint: <file>\n"
		      "allowed-tools: Bash(git diff:*), Read\nmodel: sonnet\narguments: from to\n"
		      "category: x\n---\nReview $ARGUMENTS.\n");
	CHECK_SV(r.file.description, "Review a file");
	CHECK_SV(r.file.argument_hint, "<file>");
	CHECK_SV(r.file.allowed_tools, "Bash(git diff:*), Read");
	CHECK_SV(r.file.model, "sonnet");
	CHECK_INT(r.file.narguments, 2);
	CHECK_SV(r.file.arguments[1], "to");
	CHECK_SV(r.file.body, "Review $ARGUMENTS.\n");
	CHECK(!r.file.is_hidden);
	CHECK_STR(str_c(&r.notes), "");
}

TEST(lists_are_read_as_people_mean_them)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\nargument-hint: [file]\nallowed-tools: [Read, \"Bash(ls:*)\"]\n"
		      "model: inherit\nuser-invocable: no\narguments: [a, b]\n---\n# Do it\n");
	CHECK_SV(r.file.argument_hint, "[file]");
	CHECK_SV(r.file.allowed_tools, "Read, Bash(ls:*)");
	CHECK_SV(r.file.model, "");
	CHECK(r.file.is_hidden);
	CHECK_INT(r.file.narguments, 2);
	CHECK_SV(r.file.description, "Do it");
}

TEST(front_matter_that_is_not_yaml_is_repaired)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\ndescription: Use this: when \"asked\"\nargument-hint: [a] [b]\n"
		      "allowed-tools: [Read, Grep]\nmodel: @best\n---\nBody\n");
	CHECK_STR(str_c(&r.notes), "");
	CHECK_SV(r.file.description, "Use this: when \"asked\"");
	CHECK_SV(r.file.argument_hint, "[a] [b]");
	CHECK_SV(r.file.allowed_tools, "Read, Grep");
	CHECK_SV(r.file.model, "@best");
	CHECK_SV(r.file.body, "Body\n");
}

TEST(a_command_is_used_without_front_matter_that_cannot_be_read)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\ndescription: x\n  - what\n: is this\n---\nBody\n");
	CHECK(sv_starts(sv_of(&r.notes), SV("/c/x.md:4: its front matter is ignored: ")));
	CHECK(sv_find(r.file.body, SV("Body")) != SIZE_MAX);
	CHECK_SV(r.file.allowed_tools, "");
}

TEST(a_file_without_front_matter_is_described_by_its_first_line)
{
	defer(read_clear) struct read r, empty;

	read_text(&r, "\n\n## Fix the bug\nmore\n");
	CHECK_SV(r.file.description, "Fix the bug");
	read_text(&empty, "");
	CHECK_SV(empty.file.description, "x");
}

TEST(a_rule_does_not_describe_a_file)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\n\nDo it well.\n");
	CHECK_SV(r.file.description, "Do it well.");
}

TEST(a_key_that_is_nearly_right_gets_a_note)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\nuser_invocable: false\n---\nBody\n");
	CHECK_STR(str_c(&r.notes), "/c/x.md:2: \"user_invocable\" is ignored; did you mean "
				   "\"user-invocable\"?\n");
	CHECK(!r.file.is_hidden);
}

TEST(every_field_that_cannot_be_used_is_named_with_its_line_in_the_order_of_the_file)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\ndescription: fine\nhooks: nope\nallowed-tools: {a: b}\nmodel: [x]\n"
		      "effort: enormous\ncontext: spoon\nuser-invocable: maybe\nwhen-to-use: now\n"
		      "background:\n---\nBody\n");
	CHECK_STR(str_c(&r.notes),
		  "/c/x.md:3: \"hooks\" must be an object with events, so it is ignored\n"
		  "/c/x.md:4: \"allowed-tools\" must be a text or a list, so it is ignored\n"
		  "/c/x.md:5: \"model\" must be a text, so it is ignored\n"
		  "/c/x.md:6: \"effort\" must be one of: low medium high xhigh max, so it is "
		  "ignored\n"
		  "/c/x.md:7: \"context\" must be one of: fork inline, so it is ignored\n"
		  "/c/x.md:8: \"user-invocable\" must be true or false, so it is ignored\n"
		  "/c/x.md:9: \"when-to-use\" is ignored; did you mean \"when_to_use\"?\n");
	CHECK_SV(r.file.model, "");
	CHECK_SV(r.file.effort, "");
	CHECK_SV(r.file.allowed_tools, "");
	CHECK(!r.file.is_fork && !r.file.is_hidden);
}

TEST(a_guard_that_cannot_be_read_keeps_the_model_from_loading_a_skill)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\ndisable-model-invocation: perhaps\n---\nBody\n");
	CHECK(r.file.is_user_only);
	CHECK_STR(str_c(&r.notes), "/c/x.md:2: \"disable-model-invocation\" must be true or false; "
				   "until then it is true\n");
}

TEST(front_matter_without_an_end_is_named)
{
	defer(read_clear) struct read r;

	read_text(&r, "---\ndescription: x\nBody\n");
	CHECK_STR(
		str_c(&r.notes),
		"/c/x.md:1: its front matter is ignored: the front matter that begins here has no "
		"end; put a line with only --- after it\n");
	CHECK(sv_find(r.file.body, SV("Body")) != SIZE_MAX);
}
