#include "core/toolset/toolset.h"

#include "context/prompt_settings.h"
#include "context/system_prompt.h"
#include "test.h"

#define REST "Edit Glob Grep Read Skill TaskOutput TaskStop TodoWrite WebFetch Write"
#define ALL  "Agent Bash " REST

static void names_of(struct str *out, const struct toolset *set)
{
	for (size_t i = 0; i < set->entries.n; i++)
		str_addf(out, "%s%s", i ? " " : "", set->entries.at[i]->tool->name);
}

/* The tools offered for a list, or the error; `deny` are rules. */
static void check_list(const char *list, const char *deny, const char *expected)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(str_clear) struct str names = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(perm_add_rules(&policy, BEHAVIOR_DENY, sv_cstr(deny), &err), err);
	if (toolset_builtins(&set, list, &policy, &err)) {
		names_of(&names, &set);
		CHECK_INT(set.nbuiltin, set.entries.n);
	} else {
		CHECK_INT(err.kind, ERR_INVALID);
		CHECK_INT(set.entries.n, 0);
		str_adds(&names, err.text);
	}
	CHECK_STR(str_c(&names), expected);
}

TEST(a_list_says_which_tools_are_offered_always_in_the_same_order)
{
	check_list(NULL, "", ALL);
	check_list("default", "", ALL);
	check_list("", "", "");
	check_list("  , ", "", "");
	check_list("Read", "", "Read");
	check_list("Write,Bash", "", "Bash Write");
	check_list(" Write  Bash\n", "", "Bash Write");
	check_list("Read,Read", "", "Read");
	check_list("NotebookEdit,MultiEdit", "", "MultiEdit NotebookEdit");
	check_list(" default ", "", ALL);
	check_list("Bash,default", "", ALL);
	check_list("default,Bash", "", ALL);
}

TEST(a_name_that_is_no_tool_is_an_error_with_a_suggestion)
{
	check_list("Raed", "", "there is no tool 'Raed'; did you mean 'Read'?");
	check_list("Read,bsah", "", "there is no tool 'bsah'; did you mean 'Bash'?");
	check_list("Xyzzyxyzzy", "", "there is no tool 'Xyzzyxyzzy'");
	check_list("default,Nonsense!", "", "there is no tool 'Nonsense!'");
	check_list("Bash(git log:*)", "", "there is no tool 'Bash(git log:*)'");
}

TEST(a_tool_that_a_rule_denies_is_not_offered)
{
	check_list(NULL, "Bash", "Agent " REST);
	check_list("Bash,Read", "Bash", "Read");
	check_list("Bash", "Bash", "");
	check_list("Bash,Read", "Bash(rm:*)", "Bash Read"); /* only some of its calls */
}

TEST(a_question_needs_somebody_to_ask)
{
	defer(toolset_clear) struct toolset with = TOOLSET_INIT, without = TOOLSET_INIT;
	defer(str_clear) struct str words = STR_INIT;
	struct perm_policy policy = PERM_POLICY_INIT;
	struct err err = ERR_INIT;

	with.has_user = true;
	CHECK_OK(toolset_builtins(&with, NULL, &policy, &err), err);
	CHECK(toolset_find(&with, SV("AskUserQuestion")));
	CHECK_OK(toolset_builtins(&without, "AskUserQuestion,Read", &policy, &err), err);
	CHECK_INT(without.entries.n, 1);
	toolset_explain_missing(&words, &without, SV("AskUserQuestion"));
	CHECK(strstr(str_c(&words), "Nobody can be asked in this session"));
}

static const char *const aliases[] = { "Old", NULL };

static const struct tool host = {
	.name = "lookup",
	.aliases = aliases,
	.page = " Looks it up.\n",
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"}},"
			  "\"required\":[\"key\"]}"),
};

static void make(struct toolset *set, const char *list)
{
	struct perm_policy policy = PERM_POLICY_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(toolset_builtins(set, list, &policy, &err), err);
}

TEST(where_no_tasks_are_kept_their_tools_are_not_offered)
{
	static const char *const lists[][2] = {
		{ NULL, "Agent Bash Edit Glob Grep Read Skill TaskOutput TaskStop WebFetch Write" },
		{ "TodoWrite,Read,TaskCreate,TaskList,TaskStop", "Read TaskStop" },
	};

	for (size_t i = 0; i < countof(lists); i++) {
		defer(toolset_clear) struct toolset set = TOOLSET_INIT;
		defer(str_clear) struct str names = STR_INIT;

		set.no_tasks = true;
		make(&set, lists[i][0]);
		names_of(&names, &set);
		CHECK_STR(str_c(&names), lists[i][1]);
	}
}

TEST(a_tool_of_the_host_leaves_the_bytes_before_it_as_they_were)
{
	defer(toolset_clear) struct toolset a = TOOLSET_INIT, b = TOOLSET_INIT;
	const struct sv *left, *right;

	make(&a, NULL);
	make(&b, NULL);
	toolset_add(&b, &host);
	left = toolset_views(&a);
	right = toolset_views(&b);
	CHECK_INT(b.entries.n, a.entries.n + 1);
	CHECK_INT(b.nbuiltin, a.entries.n);
	for (size_t i = 0; i < a.entries.n; i++)
		CHECK_SV_EQ(left[i], right[i]);
	CHECK_SV(right[a.entries.n],
		 "{\"name\":\"lookup\",\"description\":\"Looks it up.\",\"input_schema\":"
		 "{\"type\":\"object\",\"properties\":{\"key\":{\"type\":\"string\"}},"
		 "\"required\":[\"key\"]}}");
}

TEST(a_tool_is_found_by_its_name_or_an_alias_and_by_nothing_else)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;

	make(&set, "Read");
	toolset_add(&set, &host);
	CHECK(toolset_find(&set, SV("Read"))->tool != &host);
	CHECK(toolset_find(&set, SV("lookup"))->tool == &host);
	CHECK(toolset_find(&set, SV("Old"))->tool == &host);
	CHECK(!toolset_find(&set, SV("Bash"))); /* built in, but not offered */
	CHECK(!toolset_find(&set, SV("read")));
	CHECK(!toolset_find(&set, SV("")));
}

TEST(an_input_is_checked_against_the_schema_of_its_tool)
{
	static const struct {
		const char *input, *report;
	} cases[] = {
		{ "{\"key\":\"a\"}", "" },
		{ "{}", "`key` is missing" },
		{ "{\"key\":5}", "`key` must be a string" },
		{ "[]", "object" },
	};
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;

	toolset_add(&set, &host);
	for (size_t i = 0; i < countof(cases); i++) {
		defer(json_doc_freep) struct json_doc *doc = NULL;
		defer(str_clear) struct str report = STR_INIT;
		struct err err = ERR_INIT;

		doc = json_parse(sv_cstr(cases[i].input), 0, &err);
		CHECK_INT(toolset_check(set.entries.at[0], json_root(doc), &report),
			  !*cases[i].report);
		CHECK(strstr(str_c(&report), cases[i].report));
	}
	CHECK(json_is(toolset_schema(set.entries.at[0]), JSON_OBJECT));
}

TEST(the_schema_of_a_tool_is_one_of_an_object)
{
	static const struct {
		const char *schema, *error;
	} cases[] = {
		{ "{\"type\":\"object\"}", NULL },
		{ " {\"type\":\"object\",\"properties\":{}}\n", NULL },
		{ "{}", NULL },
		{ "", "line 1, column 1" },
		{ "{", "line 1" },
		{ "true", "must be a JSON object" },
		{ "[]", "must be a JSON object" },
		{ "5", "must be a JSON object" },
		{ "{\"type\":\"array\"}", "\"type\" must be \"object\"" },
		{ "{\"type\":[\"object\",\"null\"]}", "\"type\" must be \"object\"" },
		{ "{\"type\":null}", "\"type\" must be \"object\"" },
		{ "{\"type\":\"object\",\"required\":7}", "required" },
		{ "{\"type\":\"object\",\"$ref\":\"#/nowhere\"}", "refers to nothing" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct err err = ERR_INIT;
		bool fine = toolset_accepts_schema(sv_cstr(cases[i].schema), &err);

		CHECK_INT(fine, cases[i].error == NULL);
		if (cases[i].error && !strstr(err.text, cases[i].error))
			fail_msg("\"%s\": %s", cases[i].schema, err.text);
	}
}

static void check_missing(const char *list, struct sv name, const char *expected)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(str_clear) struct str out = STR_INIT;

	make(&set, list);
	toolset_explain_missing(&out, &set, name);
	CHECK_STR(str_c(&out), expected);
}

TEST(a_model_that_calls_a_tool_that_is_not_there_is_told_which_are)
{
	check_missing("Read,Bash", SV("Raed"),
		      "Error: No such tool available: Raed. Did you mean Read? "
		      "The tools are: Bash, Read");
	check_missing("Read,Bash", SV("WebFetch"),
		      "Error: No such tool available: WebFetch. The tools are: Bash, Read");
	check_missing("", SV("Read"),
		      "Error: No such tool available: Read. There are no tools in this session.");
	check_missing("Read", SV(""), "Error: No such tool available: . The tools are: Read");
}

TEST(a_very_long_name_is_not_sent_back_to_the_model_whole)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(str_clear) struct str name = STR_INIT, out = STR_INIT;

	for (int i = 0; i < 100000; i++)
		str_adds(&name, "\xe2\x82\xac");
	make(&set, "Read");
	toolset_explain_missing(&out, &set, sv_of(&name));
	CHECK(out.len < 400);
	CHECK(sv_ends(sv_of(&out), SV("\xe2\x82\xac. The tools are: Read")));
}

/* What every request of every session begins with, and so is paid for again and again. */
TEST(the_system_prompt_and_all_tools_take_at_most_16_kib)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(str_clear) struct str prompt = STR_INIT;
	defer(str_clear) struct str manners = STR_INIT;
	struct settings_opts files = { .policy_dir = "/nonexistent" };
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *settings = settings_load(&files, &manners, &err);
	const struct sv *views;
	size_t bytes;

	make(&set, NULL);
	CHECK_OK(settings != NULL, err);
	prompt_settings_write(&manners,
			      &(struct prompt_settings_opts){ .settings = settings,
							      .model_id = SV("claude-opus-4-5"),
							      .can_commit = true });
	prompt_system(&prompt, &(struct prompt_opts){ .settings = sv_of(&manners) });
	bytes = prompt.len;
	views = toolset_views(&set);
	for (size_t i = 0; i < set.entries.n; i++)
		bytes += views[i].len;
	if (bytes > 16 * 1024)
		fail_msg("%zu bytes", bytes);
	print_message("# %zu bytes of system prompt, %zu with %zu tools\n", prompt.len, bytes,
		      set.entries.n);
}

TEST(an_entry_outlives_its_removal_while_a_call_or_a_request_uses_it)
{
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(str_clear) struct str report = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct toolset_entry *entry;
	const struct sv *views;
	struct err err = ERR_INIT;

	CHECK_OK(toolset_builtins(&set, "Bash,Read", &policy, &err), err);
	views = toolset_views(&set);
	entry = toolset_entry_ref(toolset_find(&set, SV("Bash")));
	CHECK(toolset_remove(&set, SV("Bash")));
	CHECK(!toolset_remove(&set, SV("Bash")));
	CHECK(!toolset_find(&set, SV("Bash")));
	CHECK_INT(set.nbuiltin, 1);
	CHECK(sv_starts(views[0], SV("{\"name\":\"Bash\""))); /* the request still reads it */
	(void)toolset_views(&set);
	doc = json_parse(SV("{\"command\":\"ls\"}"), 0, &err);
	CHECK(toolset_check(entry, json_root(doc), &report));
	toolset_entry_unref(entry);
}

TEST(a_schema_of_a_server_that_cannot_be_read_is_left_to_the_server)
{
	static const struct tool tool = {
		.name = "mcp__a__b",
		.page = "page",
		.schema =
			SV_INIT("{\"type\":\"object\",\"properties\":{\"a\":{\"pattern\":\"(\"}}}"),
	};
	defer(toolset_clear) struct toolset set = TOOLSET_INIT;
	defer(str_clear) struct str report = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *input = json_parse(SV("{\"a\":\"x\"}"), 0, &err);

	toolset_add(&set, &tool);
	CHECK(!toolset_accepts_schema(tool.schema, &err));
	CHECK(toolset_check(set.entries.at[0], json_root(input), &report));
	CHECK(json_exists(json_get(toolset_schema(set.entries.at[0]), "properties")));
}
