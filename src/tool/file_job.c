#include "tool/file_job.h"

#include "base/limits.h"
#include "base/mem.h"
#include "text/nearest.h"
#include "tool/edit/edit_guard.h"

/* --- before and after the work --------------------------------------------------------- */

static struct sv file_job_path_given(const struct tool_call *call)
{
	struct sv notebook = json_str_or(json_get(call->input, "notebook_path"), SV_EMPTY);

	return json_str_or(json_get(call->input, "file_path"), notebook);
}

bool file_check(const struct tool_call *call, struct err *err)
{
	struct sv path = file_job_path_given(call);

	if (!path.len)
		return err_set(err, ERR_INVALID, "file_path is empty");
	if (sv_find_char(path, '\0') != SIZE_MAX)
		return err_set(err, ERR_INVALID, "file_path contains a NUL character");
	return true;
}

static void file_job_perm_request(const struct tool_call *call, struct arena *arena,
				  enum access access, struct perm_request *out)
{
	*out = (struct perm_request){ .tool = out->tool,
				      .access = access,
				      .path = tool_real_path(call->ctx, file_job_path_given(call),
							     arena) };
}

void file_read_request(const struct tool_call *call, struct arena *arena, struct perm_request *out)
{
	file_job_perm_request(call, arena, ACCESS_READ, out);
}

void file_write_request(const struct tool_call *call, struct arena *arena, struct perm_request *out)
{
	file_job_perm_request(call, arena, ACCESS_WRITE, out);
}

#define FILE_UNREAD "File has not been read yet: %.*s. Read it first, then write to it."

bool file_foresee(const struct tool_call *call, const struct perm_request *request, struct err *err)
{
	defer(mem_freep) char *path = sv_dup(request->path);

	if (read_state_get(call->ctx->files, request->path) || !fs_exists(path))
		return true;
	return err_set(err, ERR_INVALID, FILE_UNREAD, SV_ARG(file_job_path_given(call)));
}

void file_prepare(struct tool_job *job)
{
	struct file_job *f = container_of(job, struct file_job, job);
	const struct tool_context *ctx = job->call->ctx;
	const struct file_seen *seen;

	allowed_file_init(&f->file, ctx, file_job_path_given(job->call),
			  allowed_path(job->call, 0));
	seen = read_state_get(ctx->files, sv_of(&f->file.real));
	f->known = seen != NULL;
	if (seen)
		f->seen = *seen;
}

bool file_run(struct tool_job *job, __attribute__((unused)) struct err *err)
{
	struct file_job *f = container_of(job, struct file_job, job);
	const struct file_job_type *type = container_of(job->type, struct file_job_type, job);

	if (type->changes)
		f->lock = edit_guard_take(job->call->ctx);
	type->work(f);
	fs_unlockp(&f->lock);
	return true;
}

void file_finish(struct tool_job *job)
{
	struct file_job *f = container_of(job, struct file_job, job);

	if (f->learnt)
		read_state_put(job->call->ctx->files, sv_of(&f->file.real), f->now);
}

void file_clear(struct tool_job *job)
{
	allowed_file_clear(&container_of(job, struct file_job, job)->file);
}

/* --- looking up the file ------------------------------------------------------------ */

bool file_look(struct file_job *f, const struct fs_info **info)
{
	struct tool_result *result = &f->job.call->result;

	if (!allowed_file_open(&f->file, f->job.call->ctx, result))
		return false;
	*info = fs_pinned_info(f->file.pin);
	if (*info && (*info)->kind == FS_DIR)
		return tool_fail(result,
				 "%s is a directory. To list it use Bash (ls) or Glob; "
				 "file_path must name a file.",
				 file_name(f));
	return !*info || (*info)->kind == FS_FILE ||
	       tool_fail(result,
			 "%s is a device, pipe or socket; only regular files can be "
			 "read or written.",
			 file_name(f));
}

struct search {
	struct sv typed, stem;
	struct nearest near;
	struct str found;
};

static struct sv file_job_stem_of(struct sv name)
{
	size_t dot = sv_rfind_char(name, '.');

	return dot == SIZE_MAX || dot == 0 ? name : sv_slice(name, 0, dot);
}

/* Prefers a name that is nearly the same, then one that differs only in its extension. */
static enum fs_visit file_job_offer_name(void *arg, const struct fs_entry *entry)
{
	struct search *s = arg;
	size_t before = s->near.distance;

	nearest_offer(&s->near, s->typed, entry->name);
	if (s->near.distance < before ||
	    (!s->found.len && sv_eq(file_job_stem_of(entry->name), s->stem))) {
		str_set(&s->found, entry->name);
	}
	return FS_SKIP;
}

/* Searches the directory of the missing file. Returns false if there is no such directory. */
static bool search_dir(struct search *s, const struct allowed_file *file)
{
	struct sv real = sv_of(&file->real);
	defer(mem_freep) char *dir =
		sv_dup(sv_slice(real, 0, max_of(sv_rfind_char(real, '/'), (size_t)1)));
	struct err ignored;
	defer(fs_unpinp) struct fs_pin *pin = fs_pin(dir, &ignored);

	return pin && fs_pinned_walk(pin, file_job_offer_name, s, &ignored);
}

bool file_missing(struct file_job *f)
{
	struct sv path = sv_of(&f->file.path);
	size_t slash = sv_rfind_char(path, '/');
	struct sv name = sv_skip(path, slash + 1), dir = sv_slice(path, 0, slash + 1);
	struct search s = { .typed = name, .stem = file_job_stem_of(name), .near = NEAREST_INIT };
	struct tool_result *result = &f->job.call->result;
	const char *cwd = str_c(&f->job.call->ctx->cwd);

	if (!search_dir(&s, &f->file))
		tool_fail(result,
			  "File does not exist: %s. Its directory does not exist either; "
			  "the working directory is %s.",
			  file_name(f), cwd);
	else if (s.found.len)
		tool_fail(result,
			  "File does not exist: %s. Did you mean %.*s%s? "
			  "The working directory is %s.",
			  file_name(f), SV_ARG(dir), str_c(&s.found), cwd);
	else
		tool_fail(result, "File does not exist: %s. The working directory is %s.",
			  file_name(f), cwd);
	str_clear(&s.found);
	return false;
}

/* --- writing the file ----------------------------------------------------------------- */

bool file_read_known(struct file_job *f, struct str *bytes)
{
	struct tool_result *result = &f->job.call->result;
	defer(str_clear) struct str who = STR_INIT;
	struct err err;

	if (!f->known)
		return tool_fail(result, FILE_UNREAD, SV_ARG(sv_of(&f->file.path)));
	if (!fs_pinned_read(f->file.pin, bytes, LIMIT_EDIT_FILE, &err))
		return tool_fail(result, "%s", err.text);
	if (file_seen_is(&f->seen, fs_pinned_info(f->file.pin), sv_of(bytes)))
		return true;
	edit_guard_blame(&who, f->job.call->ctx, sv_of(&f->file.real), sv_of(bytes));
	return tool_fail(result,
			 "File has been modified since it was read, by %s: %s. Read it again "
			 "before writing to it.",
			 str_c(&who), file_name(f));
}

bool file_is_all_known(struct file_job *f)
{
	struct tool_result *result = &f->job.call->result;
	defer(str_clear) struct str shown = STR_INIT;

	if (!file_seen_is_partial(&f->seen))
		return true;
	lines_list(&shown, &f->seen.shown);
	if (lines_are_all(&f->seen.shown))
		return tool_fail(result,
				 "%s has lines or outputs too long for Read to show, so you have "
				 "not seen everything you would overwrite. Change part of it with "
				 "Edit; to replace it anyway, remove it first (Bash rm).",
				 file_name(f));
	return tool_fail(result,
			 "File has been read only partially: %s (%s %s). Read the rest before you "
			 "overwrite it, or use Edit on a part you have read.",
			 file_name(f), f->seen.by_cells ? "cells" : "lines",
			 shown.len ? str_c(&shown) : "none as text");
}

bool file_store(struct file_job *f, struct sv bytes)
{
	struct tool_result *result = &f->job.call->result;
	struct err err;

	if (tool_job_stopped(&f->job))
		return tool_fail(result, "cancelled");
	if (f->job.call->is_preview)
		return true;
	if (!fs_pinned_write(f->file.pin, bytes, (struct fs_write){ .mode = 0 }, &err))
		return tool_fail(result, "%s", err.text);
	f->now = file_seen_of(fs_pinned_info(f->file.pin), bytes);
	f->now.ours = true;
	f->learnt = true;
	edit_guard_note(f->job.call->ctx, sv_of(&f->file.real), bytes);
	return true;
}
