/* Tools that are only named until the model loads them with ToolSearch. */
#include "base/limits.h"
#include "core/agent/history.h"
#include "core/toolset/toolset.h"
#include "tool/tool_search.h"

static const char search_name[] = "ToolSearch";

bool toolset_is_search(const struct tool *tool)
{
	return sv_is(sv_cstr(tool->name), search_name);
}

/* --- the names ------------------------------------------------------------------------ */

static void toolset_load_add_names(struct str *out, const struct toolset *set)
{
	str_adds(out, "\n\nThe tools are:");
	for (size_t i = 0; i < set->deferred.n; i++) {
		if (out->len > LIMIT_DEFERRED_NAMES) {
			str_addf(out, " and %zu more, which a search by words finds",
				 set->deferred.n - i);
			return;
		}
		str_addf(out, "%s %s", i ? "," : "", set->deferred.at[i]->name);
	}
}

/* ToolSearch, described with the names of what it can load. */
static struct toolset_entry *toolset_load_make_search(const struct toolset *set)
{
	defer(str_clear) struct str page = STR_INIT;
	size_t n;
	const struct tool *const *tools = tool_builtins(&n);
	const struct tool *search = tool_find(tools, n, sv_cstr(search_name));
	struct toolset_entry *entry = xnew(struct toolset_entry);
	struct tool described = *search;

	str_add(&page, sv_trim(sv_cstr(search->page)));
	toolset_load_add_names(&page, set);
	described.page = page.ptr;
	entry->tool = search;
	tool_describe(&entry->json, &described);
	return toolset_entry_ref(entry);
}

void toolset_finish(struct toolset *set, const struct perm_policy *policy)
{
	if (set->deferred.n && !perm_hides(policy, sv_cstr(search_name)))
		vec_push(&set->entries, toolset_load_make_search(set));
	set->nfirst = set->entries.n;
}

void toolset_defer(struct toolset *set, const struct tool *tool)
{
	size_t at = set->deferred.n;

	vec_push(&set->deferred, tool);
	for (; at && sv_starts(sv_cstr(set->deferred.at[at - 1]->name), SV("mcp__")) &&
	       strcmp(set->deferred.at[at - 1]->name, tool->name) > 0;
	     at--)
		set->deferred.at[at] = set->deferred.at[at - 1];
	set->deferred.at[at] = tool;
}

/* The description may be in a request that is under way, so the old one is kept until the next. */
void toolset_name_deferred(struct toolset *set, const struct perm_policy *policy)
{
	struct toolset_entry *entry;

	(void)toolset_remove(set, sv_cstr(search_name));
	if (!set->deferred.n || perm_hides(policy, sv_cstr(search_name)))
		return;
	entry = toolset_load_make_search(set);
	vec_push(&set->entries, entry);
	memmove(&set->entries.at[set->nfirst + 1], &set->entries.at[set->nfirst],
		(set->entries.n - 1 - set->nfirst) * sizeof(*set->entries.at));
	set->entries.at[set->nfirst++] = entry;
}

/* --- loading ----------------------------------------------------------------------------- */

static const struct tool *toolset_load_deferred_one(const struct toolset *set, struct sv name)
{
	return tool_find(set->deferred.at, set->deferred.n, name);
}

bool toolset_is_deferred(const struct toolset *set, struct sv name)
{
	return toolset_load_deferred_one(set, name) != NULL;
}

void toolset_load_called(struct toolset *set, struct sv name)
{
	const struct tool *tool = toolset_load_deferred_one(set, name);

	if (tool && (tool->loads_itself || sv_starts(name, SV("mcp__"))) &&
	    !toolset_find(set, name))
		toolset_offer(set, tool);
}

static struct sv toolset_load_text_of(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* Load the tools that a result of ToolSearch describes. */
static void toolset_load_from_text(struct toolset *set, struct sv text)
{
	const struct tool *tool;
	struct sv name;

	while (tool_search_next(&text, &name)) {
		tool = toolset_load_deferred_one(set, name);
		if (tool && !toolset_find(set, name))
			toolset_offer(set, tool);
	}
}

static void toolset_load_from_result(struct toolset *set, struct json block)
{
	struct json content = json_get(block, "content"), part;
	struct json_iter it = json_each(content);

	if (json_bool_or(json_get(block, "is_error"), false))
		return;
	toolset_load_from_text(set, json_str_or(content, SV_EMPTY));
	while (json_next(&it, NULL, &part))
		toolset_load_from_text(set, toolset_load_text_of(part, "text"));
}

static void toolset_load_for_call(struct toolset *set, struct sv id, struct json results)
{
	struct json_iter it = json_each(results);
	struct json block;

	while (json_next(&it, NULL, &block))
		if (sv_is(toolset_load_text_of(block, "type"), "tool_result") &&
		    sv_eq(toolset_load_text_of(block, "tool_use_id"), id))
			toolset_load_from_result(set, block);
}

static void toolset_load_from(struct toolset *set, struct sv calls, struct sv results)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *asked = json_parse(calls, 0, &err);
	defer(json_doc_freep) struct json_doc *answered = json_parse(results, 0, &err);
	struct json_iter it = json_each(json_get(json_root(asked), "content"));
	struct json block;

	while (json_next(&it, NULL, &block))
		if (sv_is(toolset_load_text_of(block, "type"), "tool_use") &&
		    sv_is(toolset_load_text_of(block, "name"), search_name))
			toolset_load_for_call(set, toolset_load_text_of(block, "id"),
					      json_get(json_root(answered), "content"));
}

void toolset_load(struct toolset *set, const struct history *history)
{
	size_t n = history->messages.n;

	if (!set->deferred.n)
		return;
	if (n < set->seen)
		set->seen = 0;
	for (size_t i = set->seen; i + 1 < n; i++) {
		const struct history_message *m = &history->messages.at[i];

		if (m->assistant && sv_find(sv_of(&m->json), sv_cstr(search_name)) != SIZE_MAX)
			toolset_load_from(set, sv_of(&m->json), sv_of(&m[1].json));
	}
	set->seen = n ? n - 1 : 0; /* the last one may still grow */
}
