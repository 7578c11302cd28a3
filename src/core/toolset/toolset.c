#include "core/toolset/toolset.h"

#include "base/utf8.h"
#include "perm/rule/rule_list.h"
#include "text/json/json_write.h"
#include "text/nearest.h"

enum { NAME_SHOWN = 200 }; /* bytes of a name that the model made up */

struct toolset_entry *toolset_entry_ref(struct toolset_entry *entry)
{
	entry->references++;
	return entry;
}

void toolset_entry_unref(struct toolset_entry *entry)
{
	if (!entry || --entry->references)
		return;
	str_clear(&entry->json);
	schema_free(entry->schema);
	json_doc_free(entry->doc);
	free(entry);
}

/* Let go of what the last request borrowed. */
static void toolset_release_retired(struct toolset *set)
{
	while (set->retired.n)
		toolset_entry_unref(vec_pop(&set->retired));
}

void toolset_clear(struct toolset *set)
{
	toolset_release_retired(set);
	for (size_t i = 0; i < set->entries.n; i++)
		toolset_entry_unref(set->entries.at[i]);
	vec_clear(&set->entries);
	vec_clear(&set->retired);
	vec_clear(&set->views);
	vec_clear(&set->deferred);
	json_doc_free(set->aliases);
	set->aliases = NULL;
	set->nbuiltin = 0;
}

void toolset_add(struct toolset *set, const struct tool *tool)
{
	if (tool->deferred)
		vec_push(&set->deferred, tool);
	else
		toolset_offer(set, tool);
}

void toolset_unload(struct toolset *set)
{
	while (set->entries.n > set->nfirst)
		toolset_entry_unref(vec_pop(&set->entries));
	set->seen = 0;
}

void toolset_offer(struct toolset *set, const struct tool *tool)
{
	struct toolset_entry *entry = xnew(struct toolset_entry);

	entry->tool = tool;
	tool_describe(&entry->json, tool);
	vec_push(&set->entries, toolset_entry_ref(entry));
}

static bool is_of_server(const struct tool *tool)
{
	return sv_starts(sv_cstr(tool->name), SV("mcp__"));
}

static size_t toolset_place(const struct toolset *set, const struct tool *tool)
{
	size_t at = set->nfirst;

	if (!is_of_server(tool))
		return at;
	if (at && toolset_is_search(set->entries.at[at - 1]->tool))
		at--;
	while (at && is_of_server(set->entries.at[at - 1]->tool) &&
	       strcmp(set->entries.at[at - 1]->tool->name, tool->name) > 0)
		at--;
	return at;
}

void toolset_insert(struct toolset *set, const struct tool *tool)
{
	struct toolset_entry *entry;
	size_t at = toolset_place(set, tool);

	set->nfirst++;
	toolset_offer(set, tool);
	entry = *vec_last(&set->entries);
	memmove(&set->entries.at[at + 1], &set->entries.at[at],
		(set->entries.n - 1 - at) * sizeof(*set->entries.at));
	set->entries.at[at] = entry;
}

static bool toolset_drop_deferred(struct toolset *set, struct sv name)
{
	for (size_t i = 0; i < set->deferred.n; i++) {
		if (!tool_find(&set->deferred.at[i], 1, name))
			continue;
		vec_remove(&set->deferred, i);
		return true;
	}
	return false;
}

bool toolset_remove(struct toolset *set, struct sv name)
{
	bool found = toolset_drop_deferred(set, name);

	for (size_t i = 0; i < set->entries.n; i++) {
		if (!tool_find(&set->entries.at[i]->tool, 1, name))
			continue;
		vec_push(&set->retired, set->entries.at[i]);
		vec_remove(&set->entries, i);
		set->nbuiltin -= i < set->nbuiltin;
		set->nfirst -= i < set->nfirst;
		return true;
	}
	return found;
}

static bool is_named(const struct tool *tool, const char *list)
{
	struct sv rest = sv_cstr(list), item;

	while (perm_list_next(&rest, &item)) {
		if (tool_find(&tool, 1, item))
			return true;
	}
	return false;
}

static bool has_default(const char *list)
{
	struct sv rest = sv_cstr(list), item;

	if (!list)
		return true;
	while (perm_list_next(&rest, &item)) {
		if (sv_is(item, "default"))
			return true;
	}
	return false;
}

static bool toolset_is_wanted(const struct toolset *set, const struct tool *tool, const char *list)
{
	if (toolset_is_search(tool) || (tool->needs_user && !set->has_user) ||
	    (tool->keeps_tasks && set->no_tasks) || (tool->needs_skills && set->no_skills))
		return false;
	if (is_named(tool, list))
		return true;
	return has_default(list) && (!tool->hidden || (tool->wants_patch && set->wants_patch));
}

static bool toolset_all_known(const char *list, const struct tool *const *tools, size_t n,
			      struct err *err)
{
	struct sv rest = sv_cstr(list), item;

	while (perm_list_next(&rest, &item)) {
		struct nearest best = NEAREST_INIT;

		if (tool_find(tools, n, item) || sv_is(item, "default"))
			continue;
		for (size_t i = 0; i < n; i++)
			nearest_offer(&best, item, sv_cstr(tools[i]->name));
		return err_set(err, ERR_INVALID, "there is no tool '%.*s'%s%.*s%s", SV_ARG(item),
			       best.word.len ? "; did you mean '" : "", SV_ARG(best.word),
			       best.word.len ? "'?" : "");
	}
	return true;
}

bool toolset_builtins(struct toolset *set, const char *list, const struct perm_policy *policy,
		      struct err *err)
{
	size_t n;
	const struct tool *const *tools = tool_builtins(&n);

	if (!toolset_all_known(list, tools, n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!toolset_is_wanted(set, tools[i], list) ||
		    perm_hides(policy, sv_cstr(tools[i]->name)))
			continue;
		if (is_named(tools[i], list))
			toolset_offer(set, tools[i]);
		else
			toolset_add(set, tools[i]);
	}
	set->nbuiltin = set->entries.n;
	return true;
}

bool toolset_has(const struct toolset *set, struct sv name)
{
	return sv_is(name, "StructuredOutput") || toolset_find(set, name) ||
	       tool_find(set->deferred.at, set->deferred.n, name);
}

size_t toolset_bytes(const struct toolset *set)
{
	size_t n = 0;

	for (size_t i = 0; i < set->entries.n; i++)
		n += set->entries.at[i]->json.len;
	return n;
}

const struct sv *toolset_views(struct toolset *set)
{
	toolset_release_retired(set);
	set->views.n = 0;
	for (size_t i = 0; i < set->entries.n; i++)
		vec_push(&set->views, sv_of(&set->entries.at[i]->json));
	return set->views.at;
}

struct toolset_entry *toolset_find(const struct toolset *set, struct sv name)
{
	for (size_t i = 0; i < set->entries.n; i++) {
		if (tool_find(&set->entries.at[i]->tool, 1, name))
			return set->entries.at[i];
	}
	return NULL;
}

void toolset_set_aliases(struct toolset *set, struct json aliases)
{
	json_doc_free(set->aliases);
	set->aliases = json_copy(aliases);
}

struct sv toolset_resolve(const struct toolset *set, struct sv name)
{
	struct json target = json_get_sv(json_root(set->aliases), name);

	return json_str_or(target, name);
}

/* Compile the schema on first use. Ours are valid, and a host's was checked at registration. That of a
 * server is whatever the server says. */
static void toolset_compile(struct toolset_entry *entry)
{
	struct err err = ERR_INIT;

	if (entry->doc)
		return;
	entry->doc = json_parse(entry->tool->schema, 0, &err);
	if (entry->doc)
		entry->schema = schema_compile(json_root(entry->doc), &err);
	if (!entry->schema)
		log_debug("the input of %s is not checked: %s", entry->tool->name, err.text);
}

struct json toolset_schema(struct toolset_entry *entry)
{
	toolset_compile(entry);
	return json_root(entry->doc);
}

bool toolset_check(struct toolset_entry *entry, struct json input, struct str *report)
{
	toolset_compile(entry);
	return !entry->schema || schema_check(entry->schema, input, report);
}

bool toolset_accepts_schema(struct sv text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);
	defer(schema_freep) struct schema *schema = NULL;
	struct json root = json_root(doc), type = json_get(root, "type");

	if (!doc)
		return false;
	if (!json_is(root, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "it must be a JSON object, not %s",
			       json_type_name(json_type(root)));
	if (json_exists(type) && !sv_is(json_str_or(type, SV_EMPTY), "object"))
		return err_set(
			err, ERR_INVALID,
			"its \"type\" must be \"object\": the input of a tool always is one");
	schema = schema_compile(root, err);
	return schema != NULL;
}

static bool toolset_lacks_user(const struct toolset *set, struct sv name)
{
	size_t n;
	const struct tool *const *tools = tool_builtins(&n);
	const struct tool *tool = tool_find(tools, n, name);

	return tool && tool->needs_user && !set->has_user;
}

void toolset_explain_missing(struct str *out, struct toolset *set, struct sv name)
{
	struct nearest best = NEAREST_INIT;

	str_addf(out, "Error: No such tool available: %.*s.",
		 SV_ARG(utf8_prefix(name, NAME_SHOWN)));
	for (size_t i = 0; i < set->entries.n; i++)
		nearest_offer(&best, name, sv_cstr(set->entries.at[i]->tool->name));
	for (size_t i = 0; i < set->deferred.n && !toolset_is_deferred(set, name); i++)
		nearest_offer(&best, name, sv_cstr(set->deferred.at[i]->name));
	if (toolset_is_deferred(set, name))
		str_addf(out,
			 " It is not loaded yet: call ToolSearch with the query "
			 "\"select:%.*s\" first.",
			 SV_ARG(name));
	if (toolset_lacks_user(set, name))
		str_adds(out,
			 " Nobody can be asked in this session: decide yourself, and state your "
			 "assumptions.");
	if (best.word.len)
		str_addf(out, " Did you mean %.*s?", SV_ARG(best.word));
	str_adds(out, set->entries.n ? " The tools are:" : " There are no tools in this session.");
	for (size_t i = 0; i < set->entries.n; i++)
		str_addf(out, "%s %s", i ? "," : "", set->entries.at[i]->tool->name);
}
