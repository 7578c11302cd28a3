#include "proto/reply_context.h"

#include "test.h"

static const struct reply_memory_file files[] = {
	{ .path = SV_INIT("/w/CLAUDE.md"), .type = SV_INIT("User"), .tokens = 3 },
};
static const struct reply_context_item tools[] = {
	{ .name = SV_INIT("Bash"), .tokens = 20, .is_loaded = true },
	{ .name = SV_INIT("LSP"), .tokens = 4, .is_deferred = true },
};
static const struct reply_context_item of_servers[] = {
	{ .name = SV_INIT("mcp__s__t"), .source = SV_INIT("s"), .tokens = 6, .is_loaded = true },
};
static const struct reply_context_item agents[] = {
	{ .name = SV_INIT("rev"),
	  .source = SV_INIT("projectSettings"),
	  .path = SV_INIT("/w/.claude/agents/rev.md"),
	  .tokens = 2 },
};
static const struct reply_context_item skills[] = {
	{ .name = SV_INIT("p:pdf"),
	  .source = SV_INIT("plugin"),
	  .plugin = SV_INIT("p"),
	  .path = SV_INIT("/p/SKILL.md"),
	  .tokens = 2 },
};
static const struct reply_context_calls calls[] = {
	{ .tool = SV_INIT("Bash"), .calls = 1, .results = 4 },
};
static const struct reply_context context = {
	.model = SV_INIT("m"),
	.window = 200,
	.total = 60,
	.system = 10,
	.tools = 20,
	.memory = 5,
	.messages = 15,
	.files = files,
	.nfiles = 1,
	.compact_at = 150,
	.system_tools = { .at = tools, .n = 2, .tokens = 20, .waiting = 4 },
	.mcp_tools = { .at = of_servers, .n = 1, .tokens = 6 },
	.agents = { .at = agents, .n = 1, .tokens = 2 },
	.skills = { .at = skills, .n = 1, .all = 3, .tokens = 2 },
	.pieces = { .calls = 1, .results = 4, .images = 2, .user = 3, .tools = calls, .ntools = 1 },
	.last = { .known = true, .input = 50, .output = 8, .cache_read = 7, .cache_write_5m = 3 },
};

static struct json_doc *written(const struct reply_context *c, struct str *out)
{
	struct err err = ERR_INIT;
	struct json_doc *doc;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	reply_context_write(&w, c);
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(out), 0, &err);
	CHECK_OK(doc != NULL, err);
	return doc;
}

static void check_member(struct json object, const char *key, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT, json = STR_INIT;
	struct jw w;

	str_adds(&json, expected);
	for (size_t i = 0; i < json.len; i++)
		if (json.ptr[i] == '\'')
			json.ptr[i] = '"';
	jw_init(&w, &out, JW_COMPACT);
	jw_value(&w, json_get(object, key));
	jw_done(&w);
	CHECK_STR(str_c(&out), str_c(&json));
}

TEST(the_lists_name_what_fills_the_context)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = written(&context, &out);
	struct json root = json_root(doc);

	check_member(root, "memoryFiles", "[{'path':'/w/CLAUDE.md','type':'User','tokens':3}]");
	check_member(root, "mcpTools",
		     "[{'name':'mcp__s__t','serverName':'s','tokens':6,'isLoaded':true}]");
	check_member(root, "systemTools", "[{'name':'Bash','tokens':20}]");
	check_member(root, "deferredBuiltinTools", "[{'name':'LSP','tokens':4,'isLoaded':false}]");
	check_member(root, "agents",
		     "[{'agentType':'rev','source':'projectSettings',"
		     "'path':'/w/.claude/agents/rev.md','tokens':2}]");
	check_member(
		root, "skills",
		"{'totalSkills':3,'includedSkills':1,'tokens':2,'skillFrontmatter':[{'name':"
		"'p:pdf','source':'plugin','pluginName':'p','path':'/p/SKILL.md','tokens':2}]}");
	check_member(root, "slashCommands", "{'totalCommands':0,'includedCommands':0,'tokens':0}");
	check_member(root, "messageBreakdown",
		     "{'toolCallTokens':1,'toolResultTokens':4,'attachmentTokens':2,"
		     "'assistantMessageTokens':0,'userMessageTokens':3,'redirectedContextTokens':0,"
		     "'unattributedTokens':5,'toolCallsByType':[{'name':'Bash','callTokens':1,"
		     "'resultTokens':4}],'attachmentsByType':[{'name':'image','tokens':2}]}");
	check_member(root, "apiUsage",
		     "{'input_tokens':50,'output_tokens':8,'cache_creation_input_tokens':3,"
		     "'cache_read_input_tokens':7}");
	check_member(root, "percentage", "30");
}

TEST(the_categories_fill_the_window_besides_what_is_deferred)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = written(&context, &out);
	struct json_iter it = json_each(json_get(json_root(doc), "categories"));
	struct json category;
	int64_t sum = 0, deferred = 0, buffer = 0;

	while (json_next(&it, NULL, &category)) {
		struct sv kind = json_str_or(json_get(category, "kind"), SV_EMPTY);
		int64_t tokens = json_int_or(json_get(category, "tokens"), 0);

		*(sv_is(kind, "deferred") ? &deferred : &sum) += tokens;
		buffer += sv_is(kind, "buffer") ? tokens : 0;
	}
	CHECK_INT(sum, 200);
	CHECK_INT(deferred, 4);
	CHECK_INT(buffer, 50);
}

/* How many squares of the grid have this category. */
static size_t squares(struct json root, const char *category, size_t *rows)
{
	struct json_iter grid = json_each(json_get(root, "gridRows"));
	struct json row, square;
	size_t n = 0;

	for (*rows = 0; json_next(&grid, NULL, &row); ++*rows) {
		struct json_iter it = json_each(row);

		CHECK_INT(json_len(row), 10);
		while (json_next(&it, NULL, &square))
			n += sv_is(json_str_or(json_get(square, "categoryName"), SV_EMPTY),
				   category);
	}
	return n;
}

TEST(the_grid_has_a_square_for_each_share_of_the_window)
{
	struct reply_context large = context;
	defer(str_clear) struct str out = STR_INIT, other = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = written(&context, &out), *second = NULL;
	struct json root = json_root(doc);
	size_t rows;

	CHECK_INT(squares(root, "Tools", &rows), 10);
	CHECK_INT(rows, 10);
	CHECK_INT(squares(root, "Agents", &rows), 1);
	CHECK_INT(squares(root, "Free space", &rows), 45);
	CHECK_INT(squares(root, "Tools, not loaded", &rows), 0);
	large.window = 1000000;
	second = written(&large, &other);
	CHECK_INT(squares(json_root(second), "Tools", &rows), 1); /* as little as it is */
	CHECK_INT(rows, 20);
}

TEST(nothing_is_known_of_a_window_before_there_is_one)
{
	static const struct reply_context nothing = { .model = SV_INIT("m") };
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = written(&nothing, &out);
	struct json root = json_root(doc);
	struct reply_context read;

	check_member(root, "gridRows", "[]");
	check_member(root, "apiUsage", "null");
	check_member(root, "percentage", "0");
	CHECK(!reply_context_read(root, &read, NULL, 0));
}

TEST(what_fills_the_context_is_read_back)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = written(&context, &out);
	struct reply_memory_file read_files[1];
	struct reply_context read;

	CHECK(reply_context_read(json_root(doc), &read, read_files, 1));
	CHECK_SV(read.model, "m");
	CHECK_INT(read.window, 200);
	CHECK_INT(read.tools, 20);
	CHECK_INT(read.mcp_tools.tokens, 6);
	CHECK_INT(read.agents.tokens, 2);
	CHECK_INT(read.skills.tokens, 2);
	CHECK_INT(read.compact_at, 150);
	CHECK_INT(read.nfiles, 1);
	CHECK_SV(read_files[0].path, "/w/CLAUDE.md");
	CHECK(!reply_context_read((struct json){ NULL }, &read, read_files, 1));
}
