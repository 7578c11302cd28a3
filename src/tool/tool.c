#include "tool/tool.h"

#include "base/limits.h"
#include "perm/command/command_effects.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

/* --- the table ---------------------------------------------------------------- */

static bool has_alias(const struct tool *tool, struct sv name)
{
	for (const char *const *alias = tool->aliases; alias && *alias; alias++)
		if (sv_is(name, *alias))
			return true;
	return false;
}

/* Names win over aliases, so that no tool can hide another's name. */
const struct tool *tool_find(const struct tool *const *tools, size_t n, struct sv name)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(name, tools[i]->name))
			return tools[i];
	for (size_t i = 0; i < n; i++)
		if (has_alias(tools[i], name))
			return tools[i];
	return NULL;
}

bool tool_always(__attribute__((unused)) struct json input)
{
	return true;
}

void tool_describe(struct str *out, const struct tool *tool)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "name", sv_cstr(tool->name));
	jw_put_str(&w, "description", sv_trim(sv_cstr(tool->page)));
	jw_put_raw(&w, "input_schema", tool->schema);
	jw_end(&w);
	jw_done(&w);
}

/* --- results ------------------------------------------------------------------ */

void tool_result_clear(struct tool_result *result)
{
	str_clear(&result->text);
	str_clear(&result->data);
	str_clear(&result->blocks);
	str_clear(&result->follow_up);
	result->is_error = result->stops_siblings = false;
}

void tool_change_clear(struct tool_change *change)
{
	str_clear(&change->path);
	str_clear(&change->before);
	str_clear(&change->after);
}

bool tool_fail(struct tool_result *result, const char *fmt, ...)
{
	struct str text = STR_INIT; /* the old one may be among the arguments */
	va_list args;

	va_start(args, fmt);
	str_vaddf(&text, fmt, args);
	va_end(args);
	tool_result_clear(result);
	result->text = text;
	result->is_error = true;
	return false;
}

/* --- paths -------------------------------------------------------------------- */

/* Removes the last component; "/" stays. */
static void tool_drop_part(struct str *path)
{
	size_t slash = sv_rfind_char(sv_of(path), '/');

	str_truncate(path, max_of(slash, (size_t)1));
}

static void tool_add_part(struct str *path, struct sv part)
{
	if (!part.len || sv_is(part, "."))
		return;
	if (sv_is(part, ".."))
		tool_drop_part(path);
	else
		fs_join(path, SV_EMPTY, part);
}

static void tool_add_parts(struct str *path, struct sv parts)
{
	struct sv part;

	while (sv_cut(&parts, '/', &part))
		tool_add_part(path, part);
}

const char *tool_home(const struct tool_context *ctx)
{
	return ctx->worktree.len ? str_c(&ctx->worktree) : ctx->session->root;
}

struct sv tool_env(const struct tool_context *ctx, const char *name)
{
	size_t n = strlen(name);

	for (const char *const *var = ctx->session->env; var && *var; var++)
		if (strncmp(*var, name, n) == 0 && (*var)[n] == '=')
			return sv_cstr(*var + n + 1);
	return SV_EMPTY;
}

/* The home directory; empty if the environment does not say. */
static struct sv tool_home_of(const struct tool_context *ctx)
{
	struct sv home = tool_env(ctx, "HOME");

	return sv_starts(home, SV("/")) ? home : SV_EMPTY;
}

/* The kernel ends a path at a NUL, and so does this function. So permission is decided for the path
 * that would be touched. */
static void tool_normalize(struct str *out, const struct tool_context *ctx, struct sv path)
{
	struct sv home;

	path = sv_slice(path, 0, sv_find_char(path, '\0'));
	home = sv_is(path, "~") || sv_starts(path, SV("~/")) ? tool_home_of(ctx) : SV_EMPTY;
	str_addc(out, '/');
	if (home.len) {
		tool_add_parts(out, home);
		path = sv_skip(path, 1);
	} else if (!sv_starts(path, SV("/"))) {
		tool_add_parts(out, sv_of(&ctx->cwd));
	}
	tool_add_parts(out, path);
}

struct sv tool_path(const struct tool_context *ctx, struct sv path, struct arena *arena)
{
	defer(str_clear) struct str normal = STR_INIT;

	tool_normalize(&normal, ctx, path);
	return arena_dup(arena, sv_of(&normal));
}

enum { MAX_LINKS = 40 }; /* the kernel's limit */

/* Appends the target of the link `path`; returns false if it is not a link. */
static bool tool_read_link(struct str *target, const char *path)
{
	struct fs_info info;
	struct err ignored;

	return fs_info(&info, path, false, &ignored) && info.kind == FS_LINK &&
	       fs_readlink(target, path, &ignored) && target->len > 0;
}

/* Component by component, since even a link to a missing file decides where a new file would be
 * created. Returns false if the path becomes too long to look up: it could be a link to anywhere. */
static bool tool_resolve(struct str *out, struct sv path)
{
	defer(str_clear) struct str rest = STR_INIT;
	int links = 0;

	str_add(&rest, path);
	str_addc(out, '/');
	while (rest.len > 0) {
		defer(str_clear) struct str target = STR_INIT;
		size_t slash = min_of(sv_find_char(sv_of(&rest), '/'), rest.len);

		tool_add_part(out, sv_slice(sv_of(&rest), 0, slash));
		str_consume(&rest, min_of(slash + 1, rest.len));
		if (out->len >= LIMIT_PATH)
			return false;
		if (links == MAX_LINKS || !tool_read_link(&target, str_c(out)))
			continue;
		links++;
		if (target.ptr[0] == '/')
			str_truncate(out, 1);
		else
			tool_drop_part(out);
		str_addc(&target, '/');
		str_splice(&rest, 0, 0, sv_of(&target));
	}
	return true;
}

struct sv tool_real_path(const struct tool_context *ctx, struct sv path, struct arena *arena)
{
	defer(str_clear) struct str normal = STR_INIT;
	defer(str_clear) struct str real = STR_INIT;

	tool_normalize(&normal, ctx, path);
	if (normal.len > LIMIT_PATH) /* no such file can exist */
		return arena_dup(arena, sv_of(&normal));
	return arena_dup(arena, tool_resolve(&real, sv_of(&normal)) ? sv_of(&real) : SV("/"));
}

/* --- effects ------------------------------------------------------------------ */

/* True for a tool that runs no command. */
static bool tool_command_only_reads(const struct tool_call *call)
{
	return !call->tool->command ||
	       (call->analysis && command_analysis_only_reads(call->analysis));
}

bool tool_is_read_only(const struct tool_call *call)
{
	return call->tool->is_read_only && call->tool->is_read_only(call->input) &&
	       tool_command_only_reads(call);
}

bool tool_is_concurrent(const struct tool_call *call)
{
	return call->tool->is_concurrent && call->tool->is_concurrent(call->input) &&
	       tool_command_only_reads(call);
}

/* --- permission requests ------------------------------------------------------------------- */

/* The path as the model wrote it. */
static struct sv tool_path_in(struct json input)
{
	static const char *const names[] = { "file_path", "notebook_path", "path" };

	for (size_t i = 0; i < countof(names); i++) {
		struct sv path = json_str_or(json_get(input, names[i]), SV_EMPTY);

		if (path.len)
			return path;
	}
	return SV_EMPTY;
}

/* After a link the kernel takes ".." from the link's target, while tool_path() drops it together
 * with the name before it. So "link/../x" can mean either file. */
static bool tool_has_two_meanings(const struct tool_context *ctx, struct sv path,
				  struct arena *arena)
{
	defer(str_clear) struct str whole = STR_INIT;
	defer(str_clear) struct str real = STR_INIT;

	if (sv_find(path, SV("/..")) == SIZE_MAX)
		return false;
	if (!sv_starts(path, SV("/")))
		fs_join(&whole, sv_of(&ctx->cwd), path);
	else
		str_add(&whole, path);
	return !tool_resolve(&real, sv_of(&whole)) ||
	       !sv_eq(sv_of(&real), tool_real_path(ctx, path, arena));
}

/* The path before links are resolved: rules may name either. A NUL, where the kernel would stop
 * reading, stays in it so that the decision can see it. */
static void tool_name_file(const struct tool_call *call, struct arena *arena,
			   struct perm_request *out)
{
	struct sv path = tool_path_in(call->input);

	if (sv_find_char(path, '\0') != SIZE_MAX)
		out->named = path;
	else if (path.len && !out->named.len)
		out->named = tool_path(call->ctx, path, arena);
	if (path.len && !sv_starts(path, SV("~")))
		out->is_disguised = tool_has_two_meanings(call->ctx, path, arena);
}

void tool_perm_request(const struct tool_call *call, struct arena *arena, struct perm_request *out)
{
	*out = (struct perm_request){ .tool = sv_cstr(call->tool->name), .access = ACCESS_OTHER };
	if (call->tool->perm_request)
		call->tool->perm_request(call, arena, out);
	if (out->access == ACCESS_READ || out->access == ACCESS_WRITE)
		tool_name_file(call, arena, out);
	out->input = call->input;
	out->analysis = call->analysis;
	out->cwd = tool_real_path(call->ctx, SV("."), arena);
}
