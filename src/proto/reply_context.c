/* The categories together are the window, except for what is deferred. The grid shows the same as squares. */
#include "proto/reply_context.h"

enum {
	COLUMNS = 10, /* of the grid */
	ROWS = 10,
	LARGE_WINDOW = 1000000, /* has twice as many rows */
	CATEGORIES = 11,
};

/* --- categories -------------------------------------------------------------------- */

/* Colours are tokens of themes. */
struct context_category {
	const char *id, *name, *color, *kind;
	int64_t tokens;
};

static int64_t context_free(const struct reply_context *c)
{
	return max_of(c->window - c->total, (int64_t)0);
}

/* What is kept free for the summary. */
static int64_t context_buffer(const struct reply_context *c)
{
	return c->compact_at
		       ? min_of(max_of(c->window - c->compact_at, (int64_t)0), context_free(c))
		       : 0;
}

static size_t context_categories(const struct reply_context *c, struct context_category *out)
{
	const struct context_category all[CATEGORIES] = {
		{ "system_prompt", "System prompt", "text", "used", c->system },
		{ "system_tools", "Tools", "subtle", "used", c->tools },
		{ "mcp_tools", "MCP tools", "ide", "used", c->mcp_tools.tokens },
		{ "custom_agents", "Agents", "permission", "used", c->agents.tokens },
		{ "memory_files", "Instruction files", "claude", "used", c->memory },
		{ "skills", "Skills", "warning", "used", c->skills.tokens + c->commands.tokens },
		{ "messages", "Messages", "suggestion", "used", c->messages },
		{ "free_space", "Free space", "inactive", "free",
		  context_free(c) - context_buffer(c) },
		{ "autocompact_buffer", "Kept for a summary", "inactive", "buffer",
		  context_buffer(c) },
		{ "system_tools_deferred", "Tools, not loaded", "inactive", "deferred",
		  c->system_tools.waiting },
		{ "mcp_tools_deferred", "MCP tools, not loaded", "inactive", "deferred",
		  c->mcp_tools.waiting },
	};
	size_t n = 0;

	for (size_t i = 0; i < countof(all); i++)
		if (all[i].tokens > 0)
			out[n++] = all[i];
	return n;
}

static bool context_is_deferred(const struct context_category *category)
{
	return strcmp(category->kind, "deferred") == 0;
}

static void context_put_categories(struct jw *w, const struct context_category *categories,
				   size_t n)
{
	jw_put_array(w, "categories");
	for (size_t i = 0; i < n; i++) {
		const struct context_category *category = &categories[i];

		jw_object(w);
		jw_put_str(w, "id", sv_cstr(category->id));
		jw_put_str(w, "name", sv_cstr(category->name));
		jw_put_int(w, "tokens", category->tokens);
		jw_put_str(w, "color", sv_cstr(category->color));
		if (context_is_deferred(category))
			jw_put_bool(w, "isDeferred", true);
		jw_put_str(w, "kind", sv_cstr(category->kind));
		jw_end(w);
	}
	jw_end(w);
}

/* --- the grid ----------------------------------------------------------------------- */

struct context_grid {
	struct jw *w;
	int64_t window;
	size_t squares, at;
};

static int64_t context_percentage(int64_t tokens, int64_t window)
{
	return (int64_t)(100 * (double)tokens / (double)max_of(window, (int64_t)1) + .5);
}

static void context_add_square(struct context_grid *grid, const struct context_category *category,
			       double fullness)
{
	struct jw *w = grid->w;

	if (grid->at && grid->at % COLUMNS == 0) {
		jw_end(w);
		jw_array(w);
	}
	grid->at++;
	jw_object(w);
	jw_put_str(w, "color", sv_cstr(category->color));
	jw_put_bool(w, "isFilled", strcmp(category->kind, "used") == 0);
	jw_put_str(w, "categoryName", sv_cstr(category->name));
	jw_put_int(w, "tokens", category->tokens);
	jw_put_int(w, "percentage", context_percentage(category->tokens, grid->window));
	jw_put_real(w, "squareFullness", fullness);
	jw_end(w);
}

/* Add the squares of a category: at least one, and those that are left for the last one. */
static void context_add_squares(struct context_grid *grid, const struct context_category *category,
				bool is_last)
{
	double exact = (double)category->tokens / (double)grid->window * (double)grid->squares;
	size_t left = grid->squares - grid->at;
	size_t n = is_last ? left : min_of(max_of((size_t)(exact + .5), (size_t)1), left);

	for (size_t i = 0; i < n; i++)
		context_add_square(grid, category,
				   exact >= (double)(i + 1) || is_last ? 1
				   : exact > (double)i                 ? exact - (double)i
								       : 0);
}

static void context_put_grid(struct jw *w, const struct reply_context *c,
			     const struct context_category *categories, size_t n)
{
	size_t rows = c->window >= LARGE_WINDOW ? 2 * ROWS : ROWS;
	struct context_grid grid = { .w = w, .window = c->window, .squares = rows * COLUMNS };

	while (n && context_is_deferred(&categories[n - 1]))
		n--;
	jw_put_array(w, "gridRows");
	if (c->window > 0 && n) {
		jw_array(w);
		for (size_t i = 0; i < n; i++)
			context_add_squares(&grid, &categories[i], i + 1 == n);
		jw_end(w);
	}
	jw_end(w);
}

/* --- lists -------------------------------------------------------------------------- */

static void context_put_files(struct jw *w, const struct reply_context *c)
{
	jw_put_array(w, "memoryFiles");
	for (size_t i = 0; i < c->nfiles; i++) {
		jw_object(w);
		jw_put_str(w, "path", c->files[i].path);
		jw_put_str(w, "type", c->files[i].type);
		jw_put_int(w, "tokens", c->files[i].tokens);
		jw_end(w);
	}
	jw_end(w);
}

static void context_put_mcp_tools(struct jw *w, const struct reply_context_items *tools)
{
	jw_put_array(w, "mcpTools");
	for (size_t i = 0; i < tools->n; i++) {
		jw_object(w);
		jw_put_str(w, "name", tools->at[i].name);
		jw_put_str(w, "serverName", tools->at[i].source);
		jw_put_int(w, "tokens", tools->at[i].tokens);
		jw_put_bool(w, "isLoaded", tools->at[i].is_loaded);
		jw_end(w);
	}
	jw_end(w);
}

/* Put the tools of ours that are offered, or those that were deferred. */
static void context_put_our_tools(struct jw *w, const char *key,
				  const struct reply_context_items *tools, bool deferred)
{
	jw_put_array(w, key);
	for (size_t i = 0; i < tools->n; i++) {
		if (tools->at[i].is_deferred != deferred)
			continue;
		jw_object(w);
		jw_put_str(w, "name", tools->at[i].name);
		jw_put_int(w, "tokens", tools->at[i].tokens);
		if (deferred)
			jw_put_bool(w, "isLoaded", tools->at[i].is_loaded);
		jw_end(w);
	}
	jw_end(w);
}

static void context_put_agents(struct jw *w, const struct reply_context_items *agents)
{
	jw_put_array(w, "agents");
	for (size_t i = 0; i < agents->n; i++) {
		jw_object(w);
		jw_put_str(w, "agentType", agents->at[i].name);
		jw_put_str(w, "source", agents->at[i].source);
		if (agents->at[i].path.len)
			jw_put_str(w, "path", agents->at[i].path);
		jw_put_int(w, "tokens", agents->at[i].tokens);
		jw_end(w);
	}
	jw_end(w);
}

static void context_put_skills(struct jw *w, const struct reply_context_items *skills)
{
	jw_put_object(w, "skills");
	jw_put_uint(w, "totalSkills", skills->all);
	jw_put_uint(w, "includedSkills", skills->n);
	jw_put_int(w, "tokens", skills->tokens);
	jw_put_array(w, "skillFrontmatter");
	for (size_t i = 0; i < skills->n; i++) {
		jw_object(w);
		jw_put_str(w, "name", skills->at[i].name);
		jw_put_str(w, "source", skills->at[i].source);
		if (skills->at[i].plugin.len)
			jw_put_str(w, "pluginName", skills->at[i].plugin);
		jw_put_str(w, "path", skills->at[i].path);
		jw_put_int(w, "tokens", skills->at[i].tokens);
		jw_end(w);
	}
	jw_end(w);
	jw_end(w);
}

static void context_put_commands(struct jw *w, const struct reply_context_items *commands)
{
	jw_put_object(w, "slashCommands");
	jw_put_uint(w, "totalCommands", commands->all);
	jw_put_uint(w, "includedCommands", commands->n);
	jw_put_int(w, "tokens", commands->tokens);
	jw_end(w);
}

/* --- the conversation --------------------------------------------------------------- */

static void context_put_calls(struct jw *w, const struct reply_context_pieces *pieces)
{
	jw_put_array(w, "toolCallsByType");
	for (size_t i = 0; i < pieces->ntools; i++) {
		jw_object(w);
		jw_put_str(w, "name", pieces->tools[i].tool);
		jw_put_int(w, "callTokens", pieces->tools[i].calls);
		jw_put_int(w, "resultTokens", pieces->tools[i].results);
		jw_end(w);
	}
	jw_end(w);
}

static void context_put_attachment(struct jw *w, const char *name, int64_t tokens)
{
	if (!tokens)
		return;
	jw_object(w);
	jw_put_str(w, "name", sv_cstr(name));
	jw_put_int(w, "tokens", tokens);
	jw_end(w);
}

static void context_put_pieces(struct jw *w, const struct reply_context *c)
{
	const struct reply_context_pieces *p = &c->pieces;
	int64_t attachments = p->images + p->documents;
	int64_t known = p->calls + p->results + attachments + p->assistant + p->user;

	jw_put_object(w, "messageBreakdown");
	jw_put_int(w, "toolCallTokens", p->calls);
	jw_put_int(w, "toolResultTokens", p->results);
	jw_put_int(w, "attachmentTokens", attachments);
	jw_put_int(w, "assistantMessageTokens", p->assistant);
	jw_put_int(w, "userMessageTokens", p->user);
	jw_put_int(w, "redirectedContextTokens", 0); /* awl sends everything to the model itself */
	jw_put_int(w, "unattributedTokens", max_of(c->messages - known, (int64_t)0));
	context_put_calls(w, p);
	jw_put_array(w, "attachmentsByType");
	context_put_attachment(w, "image", p->images);
	context_put_attachment(w, "document", p->documents);
	jw_end(w);
	jw_end(w);
}

static void context_put_last(struct jw *w, const struct usage_counts *last)
{
	if (!last->known) {
		jw_put_null(w, "apiUsage");
		return;
	}
	jw_put_object(w, "apiUsage");
	jw_put_int(w, "input_tokens", last->input);
	jw_put_int(w, "output_tokens", last->output);
	jw_put_int(w, "cache_creation_input_tokens", last->cache_write_5m + last->cache_write_1h);
	jw_put_int(w, "cache_read_input_tokens", last->cache_read);
	jw_end(w);
}

/* --- the answer --------------------------------------------------------------------- */

void reply_context_write(struct jw *w, const struct reply_context *c)
{
	struct context_category categories[CATEGORIES];
	size_t n = context_categories(c, categories);

	context_put_categories(w, categories, n);
	jw_put_int(w, "totalTokens", c->total);
	jw_put_int(w, "maxTokens", c->window);
	jw_put_int(w, "rawMaxTokens", c->window);
	jw_put_int(w, "percentage", context_percentage(c->total, c->window));
	context_put_grid(w, c, categories, n);
	jw_put_str(w, "model", c->model);
	context_put_files(w, c);
	context_put_mcp_tools(w, &c->mcp_tools);
	context_put_our_tools(w, "systemTools", &c->system_tools, false);
	context_put_our_tools(w, "deferredBuiltinTools", &c->system_tools, true);
	context_put_agents(w, &c->agents);
	context_put_skills(w, &c->skills);
	context_put_commands(w, &c->commands);
	context_put_pieces(w, c);
	jw_put_bool(w, "isAutoCompactEnabled", c->compact_at > 0);
	if (c->compact_at)
		jw_put_int(w, "autoCompactThreshold", c->compact_at);
	context_put_last(w, &c->last);
}

static int64_t context_read_category(struct json value, const char *id)
{
	struct json_iter it = json_each(json_get(value, "categories"));
	struct json item;

	while (json_next(&it, NULL, &item))
		if (sv_is(json_str_or(json_get(item, "id"), SV_EMPTY), id))
			return max_of(json_int_or(json_get(item, "tokens"), 0), (int64_t)0);
	return 0;
}

bool reply_context_read(struct json value, struct reply_context *out,
			struct reply_memory_file *files, size_t max)
{
	struct json_iter it = json_each(json_get(value, "memoryFiles"));
	struct json item;

	*out = (struct reply_context){
		.model = json_str_or(json_get(value, "model"), SV_EMPTY),
		.window = json_int_or(json_get(value, "maxTokens"), 0),
		.total = max_of(json_int_or(json_get(value, "totalTokens"), 0), (int64_t)0),
		.system = context_read_category(value, "system_prompt"),
		.tools = context_read_category(value, "system_tools"),
		.mcp_tools.tokens = context_read_category(value, "mcp_tools"),
		.agents.tokens = context_read_category(value, "custom_agents"),
		.skills.tokens = context_read_category(value, "skills"),
		.memory = context_read_category(value, "memory_files"),
		.messages = context_read_category(value, "messages"),
		.compact_at = json_int_or(json_get(value, "autoCompactThreshold"), 0),
		.files = files,
	};
	while (out->nfiles < max && json_next(&it, NULL, &item))
		files[out->nfiles++] = (struct reply_memory_file){
			.path = json_str_or(json_get(item, "path"), SV_EMPTY),
			.type = json_str_or(json_get(item, "type"), SV_EMPTY),
			.tokens = json_int_or(json_get(item, "tokens"), 0),
		};
	return out->window > 0;
}
