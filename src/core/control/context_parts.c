/* Tokens are shares of the total by size, as those of the whole parts are (core/compaction/context_report.h). */
#include "core/control/context_parts.h"

#include "core/agent/agent_internal.h"
#include "core/commands/commands.h"
#include "core/compaction/context_edit.h"
#include "core/extend/session_skills.h"
#include "core/session/session_internal.h"
#include "core/subagents/agent_defs.h"
#include "core/subagents/subagents.h"
#include "mcp/names.h"

enum { TOOLS_MOST = 1000 }; /* whose calls are counted each by themselves */

struct context_parts {
	struct session *s;
	double per_byte; /* tokens */
	struct arena *arena;
};

static int64_t context_parts_share(const struct context_parts *p, size_t bytes)
{
	return (int64_t)(p->per_byte * (double)bytes);
}

/* --- tools ------------------------------------------------------------------------------ */

static struct reply_context_item context_parts_tool(const struct context_parts *p,
						    const struct tool *tool, bool is_deferred,
						    bool is_loaded)
{
	struct reply_context_item item = { .name = sv_cstr(tool->name),
					   .is_deferred = is_deferred,
					   .is_loaded = is_loaded };
	defer(str_clear) struct str json = STR_INIT;
	struct sv ignored;

	tool_describe(&json, tool);
	item.tokens = context_parts_share(p, json.len);
	(void)mcp_name_cut(item.name, &item.source, &ignored);
	return item;
}

static void context_parts_add_tool(struct reply_context_items *list,
				   struct reply_context_item *storage,
				   const struct reply_context_item *item)
{
	list->at = storage;
	storage[list->n++] = *item;
	if (item->is_loaded)
		list->tokens += item->tokens;
	else
		list->waiting += item->tokens;
}

static void context_parts_add_tools(const struct context_parts *p, struct reply_context *out)
{
	const struct toolset *set = agent_toolset(p->s->agent);
	size_t n = set->entries.n + set->deferred.n;
	struct reply_context_item *ours = arena_calloc(p->arena, n + 1, sizeof(*ours));
	struct reply_context_item *theirs = arena_calloc(p->arena, n + 1, sizeof(*theirs));

	for (size_t i = 0; i < n; i++) {
		bool is_loaded = i < set->entries.n;
		const struct tool *tool =
			is_loaded ? set->entries.at[i]->tool : set->deferred.at[i - set->entries.n];
		bool is_deferred = toolset_is_deferred(set, sv_cstr(tool->name));
		struct reply_context_item item;

		if (!is_loaded && toolset_find(set, sv_cstr(tool->name)))
			continue;
		item = context_parts_tool(p, tool, is_deferred, is_loaded);
		if (item.source.len)
			context_parts_add_tool(&out->mcp_tools, theirs, &item);
		else
			context_parts_add_tool(&out->system_tools, ours, &item);
	}
	out->mcp_tools.tokens = min_of(out->mcp_tools.tokens, out->tools);
	out->tools -= out->mcp_tools.tokens;
}

/* --- agents ----------------------------------------------------------------------------- */

static struct sv context_parts_agent_source(enum agent_source source)
{
	switch (source) {
	case AGENT_BUILTIN: return SV("built-in");
	case AGENT_PLUGIN: return SV("plugin");
	case AGENT_USER: return sv_cstr(settings_source_name(SETTINGS_USER));
	case AGENT_PROJECT: return sv_cstr(settings_source_name(SETTINGS_PROJECT));
	case AGENT_FLAG: return sv_cstr(settings_source_name(SETTINGS_FLAG));
	case AGENT_MANAGED: return sv_cstr(settings_source_name(SETTINGS_POLICY));
	}
	return SV_EMPTY;
}

/* The agents that the conversation lists; others are part of a tool. */
static void context_parts_add_agents(const struct context_parts *p, struct reply_context *out)
{
	const struct agent_list *list = session_agent_list(p->s, false);
	struct reply_context_item *items =
		arena_calloc(p->arena, list->files.n + 1, sizeof(*items));

	out->agents.at = items;
	for (size_t i = 0; i < list->files.n && p->s->agents.announced.len; i++) {
		const struct agent_file *file = &list->files.at[i];

		if (file->source == AGENT_BUILTIN)
			continue;
		items[out->agents.n++] = (struct reply_context_item){
			.name = file->name,
			.source = context_parts_agent_source(file->source),
			.path = file->path,
			.tokens = context_parts_share(p, file->name.len + file->description.len),
		};
	}
	out->agents.tokens = context_parts_share(p, p->s->agents.announced.len);
}

/* --- skills and commands ------------------------------------------------------------------ */

static struct sv context_parts_skill_source(const struct command_file *file)
{
	enum settings_source source = file->is_managed   ? SETTINGS_POLICY
				      : file->is_project ? SETTINGS_PROJECT
							 : SETTINGS_USER;

	return file->plugin_root.len ? SV("plugin") : sv_cstr(settings_source_name(source));
}

static struct reply_context_item context_parts_skill(const struct context_parts *p,
						     const struct command_file *file)
{
	size_t bytes = file->name.len + file->description.len + file->when_to_use.len;
	struct reply_context_item item = { .name = file->name,
					   .source = context_parts_skill_source(file),
					   .path = file->path,
					   .tokens = context_parts_share(p, bytes) };

	if (file->plugin_root.len)
		item.plugin = sv_slice(file->name, 0, sv_find_char(file->name, ':'));
	return item;
}

/* Each with a directory of its own is a skill, and each other file is a command. */
static void context_parts_add_skills(const struct context_parts *p, struct reply_context *out)
{
	const struct command_list *list = session_command_files(p->s, false);
	struct reply_context_item *skills =
		arena_calloc(p->arena, list->files.n + 1, sizeof(*skills));
	struct reply_context_item *commands =
		arena_calloc(p->arena, list->files.n + 1, sizeof(*commands));

	out->skills.at = skills;
	out->commands.at = commands;
	for (size_t i = 0; i < list->files.n; i++) {
		const struct command_file *file = &list->files.at[i];
		struct reply_context_items *to =
			file->skill_dir.len ? &out->skills : &out->commands;
		struct reply_context_item *items = file->skill_dir.len ? skills : commands;

		to->all++;
		if (!map_get(&p->s->sent.skills, file->name))
			continue;
		items[to->n] = context_parts_skill(p, file);
		to->tokens += items[to->n++].tokens;
	}
}

/* --- the conversation ---------------------------------------------------------------------- */

static struct reply_context_calls *context_parts_calls(struct context_parts *p,
						       struct reply_context_pieces *out,
						       struct reply_context_calls *tools,
						       const struct context_piece *piece)
{
	struct sv name = sv_of(&piece->name);

	name = sv_slice(name, 0, sv_find_char(name, ':'));
	for (size_t i = 0; i < out->ntools; i++)
		if (sv_eq(tools[i].tool, name))
			return &tools[i];
	if (out->ntools == TOOLS_MOST)
		return NULL;
	tools[out->ntools].tool = arena_dup(p->arena, name);
	return &tools[out->ntools++];
}

static void context_parts_add_piece(struct context_parts *p, struct reply_context_pieces *out,
				    struct reply_context_calls *tools,
				    const struct context_piece *piece)
{
	int64_t tokens = context_parts_share(p, piece->weight);
	bool is_call = strcmp(piece->kind, "call") == 0;
	struct reply_context_calls *calls;

	if (is_call || strcmp(piece->kind, "result") == 0) {
		calls = context_parts_calls(p, out, tools, piece);
		*(is_call ? &out->calls : &out->results) += tokens;
		if (calls)
			*(is_call ? &calls->calls : &calls->results) += tokens;
	} else if (strcmp(piece->kind, "image") == 0) {
		out->images += tokens;
	} else if (strcmp(piece->kind, "document") == 0) {
		out->documents += tokens;
	} else {
		*(piece->assistant ? &out->assistant : &out->user) += tokens;
	}
}

/* Instructions, agents and skills are listed by themselves; they were sent as messages of the user. */
static void context_parts_add_pieces(struct context_parts *p, struct reply_context *out)
{
	int64_t listed = out->agents.tokens + out->skills.tokens + out->commands.tokens;
	struct reply_context_calls *tools = arena_calloc(p->arena, TOOLS_MOST, sizeof(*tools));
	context_pieces pieces = VEC_INIT;

	context_list(agent_history(p->s->agent), &pieces);
	for (size_t i = 0; i < pieces.n; i++)
		context_parts_add_piece(p, &out->pieces, tools, &pieces.at[i]);
	context_pieces_clear(&pieces);
	out->pieces.tools = tools;
	out->pieces.user = max_of(out->pieces.user - out->memory - listed, (int64_t)0);
	out->messages = max_of(out->messages - listed, (int64_t)0);
}

void context_parts_fill(struct session *s, struct reply_context *report, size_t bytes,
			struct arena *arena)
{
	struct context_parts p = {
		.s = s,
		.per_byte = bytes ? (double)report->total / (double)bytes : 0,
		.arena = arena,
	};

	context_parts_add_tools(&p, report);
	context_parts_add_agents(&p, report);
	context_parts_add_skills(&p, report);
	context_parts_add_pieces(&p, report);
	if (agent_context_tokens(s->agent))
		report->last = usage_to_counts(agent_context_usage(s->agent));
}
