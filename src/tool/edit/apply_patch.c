#include "base/limits.h"
#include "base/vec.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"
#include "tool/edit/edit_guard.h"
#include "tool/edit/edit_near.h"
#include "tool/edit/edit_step.h"
#include "tool/edit/patch_json.h"
#include "tool/edit/patch_text.h"
#include "tool/file_job.h"

/* A file that the patch changes, before and after. Everything is computed before anything is
 * written. */
struct target {
	struct allowed_file file;
	bool known;
	struct file_seen seen;
	bool looked; /* `before` has been read */
	bool existed, exists;
	struct lines_seen shown; /* lines that the model knows */
	bool cut;                /* some were too long and were shown in part */
	uint32_t mode;
	struct str before, after;
	bool done; /* was written or removed */
	struct file_seen now;
};

/* The targets of a part: the same one twice unless it moves a file. */
struct ends {
	size_t from, to;
	bool by_link; /* the patch names a link to `from` */
};

struct patch_job {
	struct tool_job job;
	struct patch patch;
	VEC(struct target) targets;
	VEC(struct ends) ends; /* one per part */
	size_t named;          /* paths so far, in the order of the permission request */
	size_t total;          /* bytes read so far */
};

static struct sv apply_patch_text_of(const struct tool_call *call)
{
	return json_str_or(json_get(call->input, "input"), SV_EMPTY);
}

static bool patch_check(const struct tool_call *call, struct err *err)
{
	defer(patch_clear) struct patch p = PATCH_INIT;

	return patch_parse(&p, apply_patch_text_of(call), err);
}

/* Lists the files that are touched, in the order of target_for(), and then the names that links give
 * them: a rule may name either. */
static void patch_perm_request(const struct tool_call *call, struct arena *arena,
			       struct perm_request *out)
{
	defer(patch_clear) struct patch p = PATCH_INIT;
	struct sv *paths;
	struct err ignored;
	size_t n = 0, touched;

	if (!patch_parse(&p, apply_patch_text_of(call), &ignored))
		return;
	paths = arena_calloc(arena, 4 * p.parts.n, sizeof(*paths));
	for (size_t i = 0; i < p.parts.n; i++) {
		paths[n++] = p.parts.at[i].path;
		if (p.parts.at[i].move_to.len)
			paths[n++] = p.parts.at[i].move_to;
	}
	touched = n;
	for (size_t i = 0; i < touched; i++) {
		struct sv named = tool_path(call->ctx, paths[i], arena);

		paths[i] = tool_real_path(call->ctx, named, arena);
		if (!sv_eq(named, paths[i]))
			paths[n++] = named;
	}
	out->access = ACCESS_WRITE;
	out->path = paths[0];
	out->more_paths = paths + 1;
	out->n_more = n - 1;
}

/* --- targets ------------------------------------------------------------------ */

static void target_clear(struct target *t)
{
	allowed_file_clear(&t->file);
	str_clear(&t->before);
	str_clear(&t->after);
}

static const char *apply_patch_name_of(const struct target *t)
{
	return str_c(&t->file.path);
}

/* The target of a path: one per file, whatever its names; created when it is new. */
static size_t target_for(struct patch_job *j, struct sv path)
{
	const struct tool_context *ctx = j->job.call->ctx;
	const struct file_seen *seen;
	struct allowed_file file;
	struct target *t;

	allowed_file_init(&file, ctx, path, allowed_path(j->job.call, j->named++));
	for (size_t i = 0; i < j->targets.n; i++)
		if (sv_eq(sv_of(&j->targets.at[i].file.real), sv_of(&file.real))) {
			allowed_file_clear(&file);
			return i;
		}
	t = vec_add(&j->targets);
	t->file = file;
	seen = read_state_get(ctx->files, sv_of(&file.real));
	t->known = seen != NULL;
	if (seen)
		t->seen = *seen;
	return j->targets.n - 1;
}

static bool apply_patch_is_link(const struct tool_context *ctx, struct sv path)
{
	struct arena arena = ARENA_INIT;
	struct fs_info info;
	struct err ignored;
	bool is = fs_info(&info, tool_path(ctx, path, &arena).ptr, false, &ignored) &&
		  info.kind == FS_LINK;

	arena_clear(&arena);
	return is;
}

static void patch_prepare(struct tool_job *job)
{
	struct patch_job *j = container_of(job, struct patch_job, job);
	struct err err;

	if (!patch_parse(&j->patch, apply_patch_text_of(job->call), &err))
		tool_fail(&job->call->result, "%s", err.text);
	for (size_t i = 0; i < j->patch.parts.n; i++) {
		const struct patch_part *part = &j->patch.parts.at[i];
		struct ends ends = { .from = target_for(j, part->path),
				     .by_link = apply_patch_is_link(job->call->ctx, part->path) };

		ends.to = part->move_to.len ? target_for(j, part->move_to) : ends.from;
		vec_push(&j->ends, ends);
	}
}

/* --- computing the change ------------------------------------------------------------ */

static bool apply_patch_fail(struct patch_job *j, const struct target *t, const char *what)
{
	return tool_fail(&j->job.call->result, "%s %s. Nothing was changed.",
			 apply_patch_name_of(t), what);
}

static bool apply_patch_refuse_changed(struct patch_job *j, const struct target *t)
{
	defer(str_clear) struct str what = STR_INIT;

	str_adds(&what, "has been modified since it was read, by ");
	edit_guard_blame(&what, j->job.call->ctx, sv_of(&t->file.real), sv_of(&t->before));
	str_adds(&what, "; read it again");
	return apply_patch_fail(j, t, str_c(&what));
}

/* Reads the file once. Fails if it has changed since the model read it. */
static bool apply_patch_look(struct patch_job *j, struct target *t)
{
	struct tool_result *result = &j->job.call->result;
	const struct fs_info *info;
	struct err err;

	if (t->looked)
		return true;
	t->looked = true;
	if (!allowed_file_open(&t->file, j->job.call->ctx, result))
		return false;
	info = fs_pinned_info(t->file.pin);
	if (!info)
		return true;
	if (info->kind != FS_FILE)
		return apply_patch_fail(j, t, "is a directory, device, pipe or socket, not a file");
	if (!fs_pinned_read(t->file.pin, &t->before, LIMIT_PATCH_FILES - j->total, &err))
		return tool_fail(result, "%s. Nothing was changed.", err.text);
	j->total += t->before.len;
	if (t->known && !file_seen_is(&t->seen, info, sv_of(&t->before)))
		return apply_patch_refuse_changed(j, t);
	t->existed = t->exists = true;
	if (t->known && (!t->seen.by_cells || lines_are_all(&t->seen.shown)))
		t->shown = t->seen.shown;
	t->cut = t->seen.cut;
	t->mode = info->mode;
	str_add(&t->after, sv_of(&t->before));
	return true;
}

static bool apply_patch_refuse_hunk(struct patch_job *j, const struct target *t,
				    const struct patch_hunk *hunk, const struct err *why)
{
	struct tool_result *result = &j->job.call->result;
	defer(str_clear) struct str old_text = STR_INIT;
	size_t first, last;

	tool_fail(result, "The patch does not apply to %s; nothing was changed. %s.",
		  apply_patch_name_of(t), why->text);
	if (!hunk)
		return false;
	patch_old_text(&old_text, &j->patch, hunk);
	if (hunk->anchor.len && !old_text.len)
		str_add(&old_text, hunk->anchor);
	if (!edit_near(sv_of(&t->after), sv_of(&old_text), &first, &last))
		return false;
	str_addf(&result->text, " The closest match is at line %zu:", first);
	edit_near_excerpt(&result->text, sv_of(&t->after), first, last);
	return false;
}

static bool apply_patch_plan_update(struct patch_job *j, const struct patch_part *part,
				    struct target *from, struct target *to)
{
	const struct patch_hunk *hunk;
	defer(str_clear) struct str after = STR_INIT;
	struct err err;

	if (!from->exists)
		return apply_patch_fail(j, from,
					"does not exist; to create it use \"*** Add File:\"");
	if (from != to && to->exists)
		return apply_patch_fail(
			j, to,
			"already exists; a file can only be moved to a path that does not exist");
	if (!edit_is_possible(&j->job.call->result, apply_patch_name_of(from), sv_of(&from->after)))
		return false;
	if (!patch_apply(&after, &j->patch, part, sv_of(&from->after), &hunk, &err))
		return apply_patch_refuse_hunk(j, from, hunk, &err);
	lines_change_text(&from->shown, sv_of(&from->after), sv_of(&after));
	from->exists = false;
	str_clear(&from->after);
	to->mode = from->mode;
	to->shown = from->shown;
	to->cut = from->cut;
	to->exists = true;
	to->after = after;
	after = (struct str)STR_INIT;
	return true;
}

static bool apply_patch_plan_part(struct patch_job *j, size_t i)
{
	const struct patch_part *part = &j->patch.parts.at[i];
	struct target *from = &j->targets.at[j->ends.at[i].from];
	struct target *to = &j->targets.at[j->ends.at[i].to];
	bool removes = part->kind == PATCH_DELETE || from != to;

	if (!apply_patch_look(j, from) || !apply_patch_look(j, to))
		return false;
	if (removes && j->ends.at[i].by_link)
		return tool_fail(
			&j->job.call->result,
			"%.*s is a symbolic link, and the patch would remove its target: name the "
			"target, or remove the link with Bash (rm). Nothing was changed.",
			SV_ARG(part->path));
	switch (part->kind) {
	case PATCH_ADD:
		if (from->exists)
			return apply_patch_fail(j, from,
						"exists; to change it use \"*** Update File:\"");
		from->exists = true;
		from->shown = LINES_ALL;
		from->cut = false;
		patch_added(&from->after, &j->patch, part);
		return true;
	case PATCH_DELETE:
		if (!from->exists)
			return apply_patch_fail(j, from, "does not exist");
		from->exists = false;
		str_clear(&from->after);
		return true;
	case PATCH_UPDATE: return apply_patch_plan_update(j, part, from, to);
	}
	return false;
}

/* --- writing the change ------------------------------------------------------------- */

static bool apply_patch_differs(const struct target *t)
{
	return t->existed != t->exists || !sv_eq(sv_of(&t->before), sv_of(&t->after));
}

static bool apply_patch_write_target(struct target *t, struct err *err)
{
	if (!fs_pinned_write(t->file.pin, sv_of(&t->after), (struct fs_write){ .mode = t->mode },
			     err))
		return false;
	t->done = true;
	t->now = file_seen_of(fs_pinned_info(t->file.pin), sv_of(&t->after));
	t->now.ours = true;
	t->now.shown = t->shown;
	t->now.cut = t->cut;
	return true;
}

/* Removes files last, because writing is easier to undo. */
static bool apply_patch_make_all(struct patch_job *j, struct err *err)
{
	for (size_t i = 0; i < j->targets.n; i++) {
		struct target *t = &j->targets.at[i];

		if (t->exists && apply_patch_differs(t) && !apply_patch_write_target(t, err))
			return false;
	}
	for (size_t i = 0; i < j->targets.n; i++) {
		struct target *t = &j->targets.at[i];

		if (t->exists || !t->existed)
			continue;
		if (!fs_pinned_remove(t->file.pin, err))
			return false;
		t->done = true;
	}
	return true;
}

static bool apply_patch_restore(const struct target *t)
{
	struct err ignored;

	if (!t->existed)
		return fs_pinned_remove(t->file.pin, &ignored);
	return fs_pinned_write(t->file.pin, sv_of(&t->before), (struct fs_write){ .mode = t->mode },
			       &ignored);
}

/* Reports the reason, and the files that could not be restored. */
static bool apply_patch_take_back(struct patch_job *j, const struct err *why)
{
	struct tool_result *result = &j->job.call->result;
	defer(str_clear) struct str lost = STR_INIT;

	for (size_t i = 0; i < j->targets.n; i++) {
		struct target *t = &j->targets.at[i];

		if (t->done && apply_patch_restore(t))
			t->done = false;
		if (t->done)
			str_addf(&lost, "\n%s", apply_patch_name_of(t));
	}
	return lost.len ? tool_fail(result,
				    "%s. The patch had already changed other files; these could "
				    "not be restored:%s",
				    why->text, str_c(&lost))
			: tool_fail(result, "%s. No file was changed.", why->text);
}

/* --- the result --------------------------------------------------------------- */

static void apply_patch_put_text(struct patch_job *j)
{
	static const char kinds[] = {
		[PATCH_ADD] = 'A', [PATCH_DELETE] = 'D', [PATCH_UPDATE] = 'M'
	};
	struct str *text = &j->job.call->result.text;

	str_adds(text, "The patch was applied. These files changed:");
	for (size_t i = 0; i < j->patch.parts.n; i++) {
		const struct patch_part *part = &j->patch.parts.at[i];

		str_addf(text, "\n%c %.*s", part->move_to.len ? 'R' : kinds[part->kind],
			 SV_ARG(part->path));
		if (part->move_to.len)
			str_addf(text, " -> %.*s", SV_ARG(part->move_to));
	}
}

static void apply_patch_put_data(struct patch_job *j)
{
	struct str *data = &j->job.call->result.data;
	struct jw w;

	jw_init(&w, data, JW_COMPACT);
	jw_object(&w);
	jw_put_array(&w, "files");
	for (size_t i = 0; i < j->targets.n; i++) {
		const struct target *t = &j->targets.at[i];

		if (!(j->job.call->is_preview ? apply_patch_differs(t) : t->done))
			continue;
		jw_object(&w);
		jw_put_str(&w, "type",
			   !t->existed ? SV("create")
			   : t->exists ? SV("update")
				       : SV("delete"));
		jw_put_str(&w, "filePath", sv_of(&t->file.path));
		if (data->len < LIMIT_PATCH)
			patch_json_put(&w, sv_of(&t->before), sv_of(&t->after));
		else
			jw_put_raw(&w, "structuredPatch", SV("[]"));
		jw_end(&w);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
}

/* --- the tool ----------------------------------------------------------------- */

static bool apply(struct patch_job *j)
{
	struct tool_result *result = &j->job.call->result;
	bool any = false;
	struct err err;

	for (size_t i = 0; i < j->patch.parts.n; i++) {
		if (tool_job_stopped(&j->job))
			return tool_fail(result, "cancelled");
		if (!apply_patch_plan_part(j, i))
			return false;
	}
	for (size_t i = 0; i < j->targets.n; i++)
		any |= apply_patch_differs(&j->targets.at[i]);
	if (!any)
		return tool_fail(result,
				 "No changes to make: the files already have this content.");
	if (!j->job.call->is_preview && !apply_patch_make_all(j, &err))
		return apply_patch_take_back(j, &err);
	apply_patch_put_text(j);
	apply_patch_put_data(j);
	return true;
}

static void apply_patch_note(const struct patch_job *j)
{
	for (size_t i = 0; i < j->targets.n; i++) {
		const struct target *t = &j->targets.at[i];

		if (t->done && t->exists)
			edit_guard_note(j->job.call->ctx, sv_of(&t->file.real), sv_of(&t->after));
	}
}

/* Errors are in the result, for the model. */
static bool patch_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	struct patch_job *j = container_of(job, struct patch_job, job);
	struct fs_lock *lock;

	if (job->call->result.is_error)
		return true;
	lock = edit_guard_take(job->call->ctx);
	if (apply(j))
		apply_patch_note(j);
	fs_unlock(lock);
	return true;
}

static void patch_finish(struct tool_job *job)
{
	struct patch_job *j = container_of(job, struct patch_job, job);
	struct read_state *files = job->call->ctx->files;

	for (size_t i = 0; i < j->targets.n; i++) {
		const struct target *t = &j->targets.at[i];

		if (t->done && t->exists)
			read_state_put(files, sv_of(&t->file.real), t->now);
		else if (t->done)
			read_state_forget(files, sv_of(&t->file.real));
	}
}

static void patch_job_clear(struct tool_job *job)
{
	struct patch_job *j = container_of(job, struct patch_job, job);

	for (size_t i = 0; i < j->targets.n; i++)
		target_clear(&j->targets.at[i]);
	vec_clear(&j->targets);
	vec_clear(&j->ends);
	patch_clear(&j->patch);
}

static struct op *patch_start(struct tool_call *call, struct then then)
{
	static const struct tool_job_type type = { .size = sizeof(struct patch_job),
						   .prepare = patch_prepare,
						   .run = patch_run,
						   .finish = patch_finish,
						   .clear = patch_job_clear };

	return tool_job_start(call, &type, then);
}

const struct tool tool_apply_patch = {
	.name = "apply_patch",
	.page = tool_apply_patch_page,
	.schema = SV_INIT("{\"type\":\"object\",\"properties\":{"
			  "\"input\":{\"type\":\"string\",\"description\":\"The whole patch\"}},"
			  "\"required\":[\"input\"],\"additionalProperties\":false}"),
	.hidden = true,
	.wants_patch = true,
	.check = patch_check,
	.previews = true,
	.perm_request = patch_perm_request,
	.start = patch_start,
};
