#include "tool/file_job.h"

#include "base/limits.h"
#include "text/nearest.h"

/* --- before and after --------------------------------------------------------- */

static struct sv path_given(const struct tool_call *call)
{
	struct sv notebook = json_str_or(json_get(call->input, "notebook_path"), SV_EMPTY);

	return json_str_or(json_get(call->input, "file_path"), notebook);
}

bool file_check(const struct tool_call *call, struct err *err)
{
	struct sv path = path_given(call);

	if (!path.len)
		return err_set(err, ERR_INVALID, "file_path is empty");
	if (sv_find_char(path, '\0') != SIZE_MAX)
		return err_set(err, ERR_INVALID, "file_path contains a NUL character");
	return true;
}

static void wish(const struct tool_call *call, struct arena *arena, enum access access,
		 struct wish *out)
{
	*out = (struct wish){ .tool = out->tool,
			      .access = access,
			      .path = tool_real_path(call->room, path_given(call), arena) };
}

void file_wish_read(const struct tool_call *call, struct arena *arena, struct wish *out)
{
	wish(call, arena, ACCESS_READ, out);
}

void file_wish_write(const struct tool_call *call, struct arena *arena, struct wish *out)
{
	wish(call, arena, ACCESS_WRITE, out);
}

void file_prepare(struct tool_job *job)
{
	struct file_job *f = container_of(job, struct file_job, job);
	const struct tool_room *room = job->call->room;
	struct arena arena = ARENA_INIT;
	const struct file_seen *seen;

	str_add(&f->path, tool_path(room, path_given(job->call), &arena));
	str_add(&f->real, tool_real_path(room, path_given(job->call), &arena));
	arena_clear(&arena);
	seen = read_state_get(room->files, sv_of(&f->real));
	f->known = seen != NULL;
	if (seen)
		f->seen = *seen;
}

void file_finish(struct tool_job *job)
{
	struct file_job *f = container_of(job, struct file_job, job);

	if (f->learnt)
		read_state_put(job->call->room->files, sv_of(&f->real), f->now);
}

void file_clear(struct tool_job *job)
{
	struct file_job *f = container_of(job, struct file_job, job);

	str_clear(&f->path);
	str_clear(&f->real);
}

/* --- what is there ------------------------------------------------------------ */

bool file_look(struct file_job *f, const char *path, bool *exists, struct fs_info *info)
{
	struct tool_result *result = &f->job.call->result;
	struct err err;

	*exists = fs_info(info, path, true, &err);
	if (!*exists)
		return err.kind == ERR_NOT_FOUND || tool_fail(result, "%s", err.text);
	if (info->kind == FS_DIR)
		return tool_fail(result,
				 "%s is a directory. To list it use Bash (ls) or Glob; "
				 "file_path must name a file.",
				 str_c(&f->path));
	return info->kind == FS_FILE ||
	       tool_fail(result,
			 "%s is a device, pipe or socket; only regular files can be "
			 "read or written.",
			 str_c(&f->path));
}

struct search {
	struct sv typed, stem;
	struct nearest near;
	struct str found;
};

static struct sv stem_of(struct sv name)
{
	size_t dot = sv_rfind_char(name, '.');

	return dot == SIZE_MAX || dot == 0 ? name : sv_slice(name, 0, dot);
}

/* A name that is nearly the same, or else the same but for the extension. */
static enum fs_visit offer_name(void *arg, const struct fs_entry *entry)
{
	struct search *s = arg;
	size_t before = s->near.distance;

	nearest_offer(&s->near, s->typed, entry->name);
	if (s->near.distance < before || (!s->found.len && sv_eq(stem_of(entry->name), s->stem))) {
		str_truncate(&s->found, 0);
		str_add(&s->found, entry->name);
	}
	return FS_SKIP;
}

bool file_missing(struct file_job *f)
{
	size_t slash = sv_rfind_char(sv_of(&f->path), '/');
	struct sv name = sv_skip(sv_of(&f->path), slash + 1);
	defer(str_clear) struct str dir = STR_INIT;
	struct search s = { .typed = name, .stem = stem_of(name), .near = NEAREST_INIT };
	struct tool_result *result = &f->job.call->result;
	struct err ignored;

	str_add(&dir, sv_slice(sv_of(&f->path), 0, slash + 1));
	if (!fs_walk(str_c(&dir), offer_name, &s, &ignored))
		tool_fail(result,
			  "File does not exist: %s. Its directory does not exist either; "
			  "the working directory is %s.",
			  str_c(&f->path), str_c(&f->job.call->room->cwd));
	else if (s.found.len)
		tool_fail(result,
			  "File does not exist: %s. Did you mean %s%s? "
			  "The working directory is %s.",
			  str_c(&f->path), str_c(&dir), str_c(&s.found),
			  str_c(&f->job.call->room->cwd));
	else
		tool_fail(result, "File does not exist: %s. The working directory is %s.",
			  str_c(&f->path), str_c(&f->job.call->room->cwd));
	str_clear(&s.found);
	return false;
}

/* --- changing ----------------------------------------------------------------- */

bool file_read_known(struct file_job *f, const struct fs_info *info, struct str *bytes)
{
	struct tool_result *result = &f->job.call->result;
	struct err err;

	if (!f->known)
		return tool_fail(result,
				 "File has not been read yet: %s. Read it first, then write to it.",
				 str_c(&f->path));
	if (!fs_read(bytes, str_c(&f->real), LIMIT_EDIT_FILE, &err))
		return tool_fail(result, "%s", err.text);
	return file_seen_is(&f->seen, info, sv_of(bytes)) ||
	       tool_fail(result,
			 "File has been modified since it was read, by the user or another "
			 "program: %s. Read it again before writing to it.",
			 str_c(&f->path));
}

bool file_make_parents(const struct str *path, struct err *err)
{
	size_t slash = sv_rfind_char(sv_of(path), '/');
	defer(str_clear) struct str dir = STR_INIT;

	str_add(&dir, sv_slice(sv_of(path), 0, max_of(slash, (size_t)1)));
	return fs_exists(str_c(&dir)) || fs_mkdirs(str_c(&dir), 0777, err);
}

bool file_store(struct file_job *f, struct sv bytes)
{
	struct tool_result *result = &f->job.call->result;
	struct fs_info info = { .mtime_ns = 0 };
	struct err err;

	if (tool_job_stopped(&f->job))
		return tool_fail(result, "cancelled");
	if (!file_make_parents(&f->real, &err) ||
	    !fs_write(str_c(&f->real), bytes, (struct fs_write){ .mode = 0 }, &err))
		return tool_fail(result, "%s", err.text);
	/* Should it be gone already, the hash will tell. */
	if (!fs_info(&info, str_c(&f->real), true, &err))
		info.mtime_ns = 0;
	f->now = file_seen_of(&info, bytes);
	f->now.ours = true;
	f->learnt = true;
	return true;
}
