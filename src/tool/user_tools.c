#include "tool/user_tools.h"

#include <ctype.h>

#include "base/limits.h"
#include "base/mem.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

static void user_tools_tool_clear(struct user_tool *tool)
{
	free(tool->name);
	free(tool->path);
	free(tool->description);
	free(tool->schema);
}

void user_tools_clear(struct user_tools *tools)
{
	for (size_t i = 0; i < tools->list.n; i++)
		user_tools_tool_clear(&tools->list.at[i]);
	vec_clear(&tools->list);
	str_clear(&tools->notes);
}

/* --- one tool ------------------------------------------------------------------------ */

static bool user_tools_is_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!isalnum((unsigned char)name.ptr[i]) && name.ptr[i] != '_' &&
		    name.ptr[i] != '-')
			return false;
	return name.len > 0 && name.len <= 64;
}

static bool is_runnable(const char *path, struct err *err)
{
	struct fs_info info;

	if (!fs_info(&info, path, true, err))
		return false;
	if (info.kind != FS_FILE)
		return err_set(err, ERR_INVALID, "%s is not a file", path);
	if (!(info.mode & 0111))
		return err_set(err, ERR_INVALID, "%s is not executable (run chmod +x)", path);
	return true;
}

static bool user_tools_need_bool(struct json root, const char *key, bool *out, struct err *err)
{
	return !json_exists(json_get(root, key)) || json_need_bool(root, key, out, err);
}

static bool user_tools_read_members(struct user_tool *tool, struct json root, struct err *err)
{
	struct str schema = STR_INIT;
	struct json object;
	struct sv text;
	struct jw w;

	if (!json_need_str(root, "description", &text, err) ||
	    !json_need_object(root, "input_schema", &object, err) ||
	    !user_tools_need_bool(root, "read_only", &tool->read_only, err) ||
	    !user_tools_need_bool(root, "deferred", &tool->deferred, err))
		return false;
	if (!sv_trim(text).len)
		return err_set(err, ERR_INVALID, "its \"description\" is empty");
	if (json_exists(json_get(root, "timeout_ms")) &&
	    (!json_need_int(root, "timeout_ms", &tool->timeout_ms, err) || tool->timeout_ms < 1))
		return err_set(err, ERR_INVALID, "its \"timeout_ms\" must be a number above 0");
	jw_init(&w, &schema, JW_COMPACT);
	jw_value(&w, object);
	jw_done(&w);
	tool->description = sv_dup(text);
	tool->schema = str_detach(&schema);
	return true;
}

static bool user_tools_read_description(struct user_tool *tool, const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;

	if (!fs_read(&text, path, LIMIT_USER_TOOL_FILE, err))
		return false;
	doc = json_parse(sv_of(&text), JSON_LENIENT, err);
	return (doc && user_tools_read_members(tool, json_root(doc), err)) ||
	       err_context(err, "%s", path);
}

/* Reports the problem for the tool that `name` describes. */
static bool user_tools_read_tool(struct user_tools *tools, const char *dir, struct sv name,
				 struct err *err)
{
	struct user_tool tool = { .name = sv_dup(name) };
	struct str path = STR_INIT;
	defer(str_clear) struct str described = STR_INIT;
	bool fine;

	fs_join(&path, sv_cstr(dir), name);
	str_addf(&described, "%s.json", path.ptr);
	tool.path = str_detach(&path);
	if (!user_tools_is_name(name))
		fine = err_set(err, ERR_INVALID,
			       "%s: a tool name must be 1 to 64 letters, digits, '_' or '-'",
			       described.ptr);
	else
		fine = is_runnable(tool.path, err) &&
		       user_tools_read_description(&tool, described.ptr, err);
	if (fine)
		vec_push(&tools->list, tool);
	else
		user_tools_tool_clear(&tool);
	return fine;
}

/* --- the folder ------------------------------------------------------------------------ */

struct visit {
	struct user_tools *tools;
	const char *dir;
	VEC(char *) names;
};

/* Only files with a description count. Everything else in the folder is the user's business. */
static enum fs_visit user_tools_on_entry(void *arg, const struct fs_entry *entry)
{
	struct visit *v = arg;
	struct sv suffix = SV(".json");

	if (entry->kind == FS_DIR)
		return FS_SKIP;
	if (!sv_ends(entry->name, suffix) || sv_starts(entry->name, SV(".")))
		return FS_GO_ON;
	if (v->names.n == LIMIT_USER_TOOLS) {
		str_addf(&v->tools->notes, "%s has more than %d tools; the rest are ignored.\n",
			 v->dir, LIMIT_USER_TOOLS);
		return FS_STOP;
	}
	vec_push(&v->names, sv_dup(sv_slice(entry->name, 0, entry->name.len - suffix.len)));
	return FS_GO_ON;
}

void user_tools_load(struct user_tools *tools, const char *dir)
{
	struct visit v = { .tools = tools, .dir = dir, .names = VEC_INIT };
	struct err err = ERR_INIT;

	if (!fs_walk(dir, user_tools_on_entry, &v, &err) && err.kind != ERR_NOT_FOUND)
		str_addf(&tools->notes, "Skipped all tools in %s: %s\n", dir, err.text);
	for (size_t i = 0; i < v.names.n; i++) {
		if (!user_tools_read_tool(tools, dir, sv_cstr(v.names.at[i]), &err))
			str_addf(&tools->notes, "Skipped a tool: %s\n", err.text);
		free(v.names.at[i]);
	}
	vec_clear(&v.names);
}
