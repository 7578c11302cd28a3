#include "core/control/file_suggestions.h"

#include "base/utf8.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "tool/search/walk.h"

/* --- matching ------------------------------------------------------------------------ */

static bool file_suggestions_has_at(struct sv text, size_t at, struct sv query)
{
	return at + query.len <= text.len &&
	       sv_eq_nocase(sv_slice(text, at, at + query.len), query);
}

static bool file_suggestions_contains(struct sv text, struct sv query)
{
	for (size_t i = 0; i + query.len <= text.len; i++)
		if (file_suggestions_has_at(text, i, query))
			return true;
	return false;
}

/* Whether the letters of the query stand in the text in this order. */
static bool file_suggestions_has_letters(struct sv text, struct sv query)
{
	size_t k = 0;

	for (size_t i = 0; i < text.len && k < query.len; i++)
		k += file_suggestions_has_at(text, i, sv_slice(query, k, k + 1));
	return k == query.len;
}

int file_suggestion_score(struct sv path, struct sv query)
{
	struct sv bare = sv_ends(path, SV("/")) ? sv_slice(path, 0, path.len - 1) : path;
	struct sv name = sv_basename(bare);
	int rank = file_suggestions_has_at(path, 0, query)     ? 0
		   : file_suggestions_has_at(name, 0, query)   ? 1
		   : file_suggestions_contains(name, query)    ? 2
		   : file_suggestions_contains(path, query)    ? 3
		   : file_suggestions_has_letters(path, query) ? 4
							       : -1;

	return rank < 0 ? -1 : rank * 10000 + (int)min_of(path.len, (size_t)9999);
}

/* --- the walk -------------------------------------------------------------------------- */

/* Keep the best, in order. */
void file_suggestions_offer(struct file_suggestions *s, struct sv path, int score)
{
	size_t at = s->n;

	while (at > 0 && s->scores[at - 1] > score)
		at--;
	if (at == FILE_SUGGESTIONS)
		return;
	s->n = min_of(s->n + 1, (size_t)FILE_SUGGESTIONS);
	memmove(&s->paths[at + 1], &s->paths[at], (s->n - 1 - at) * sizeof(s->paths[0]));
	memmove(&s->scores[at + 1], &s->scores[at], (s->n - 1 - at) * sizeof(s->scores[0]));
	s->paths[at] = arena_dup(&s->arena, path);
	s->scores[at] = score;
}

static enum fs_visit file_suggestions_visit(void *arg, const struct walk_entry *entry)
{
	struct file_suggestions *s = arg;
	defer(str_clear) struct str path = STR_INIT;
	int score;

	if (!s->query.len && entry->depth > 0)
		return FS_SKIP;
	str_add(&path, entry->path);
	if (entry->kind == FS_DIR)
		str_addc(&path, '/');
	if (entry->kind == FS_DIR && sv_eq(sv_of(&path), sv_of(&s->query)))
		return FS_GO_ON; /* it is typed: what is in it comes next */
	score = file_suggestion_score(sv_of(&path), sv_of(&s->query));
	if (score >= 0)
		file_suggestions_offer(s, sv_of(&path), score);
	return FS_GO_ON;
}

static bool file_suggestions_work(void *arg, struct err *err)
{
	struct file_suggestions *s = arg;
	struct walk walk = { .root = sv_of(&s->root),
			     .visit = file_suggestions_visit,
			     .arg = s,
			     .max_entries = LIMIT_SUGGESTION_ENTRIES };
	bool fine = walk_run(&walk, err);

	walk_clear(&walk);
	return fine;
}

struct op *file_suggestions_start(struct file_suggestions *out, struct loop *loop, struct sv root,
				  struct sv query, struct then then)
{
	query = sv_starts(query, SV("./")) ? sv_skip(query, 2) : query;
	*out = (struct file_suggestions){ .n = 0 };
	str_add(&out->root, root);
	str_add(&out->query, sv_slice(query, 0, min_of(query.len, (size_t)LIMIT_SUGGESTION_QUERY)));
	return work_start(loop, file_suggestions_work, out, then);
}

/* --- completing --------------------------------------------------------------------------- */

/* Whether a name can be typed: no control characters, no broken UTF-8. */
static bool file_completions_can_type(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7f)
			return false;
	return utf8_valid(name, NULL);
}

static bool file_completions_is_dir(const struct file_suggestions *s, const struct fs_entry *entry)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	if (entry->kind != FS_LINK)
		return entry->kind == FS_DIR;
	fs_join(&path, sv_of(&s->root), entry->name);
	return fs_info(&info, str_c(&path), true, &ignored) && info.kind == FS_DIR;
}

static enum fs_visit file_completions_visit(void *arg, const struct fs_entry *entry)
{
	struct file_suggestions *s = arg;
	bool is_hidden = sv_starts(entry->name, SV(".")) && !sv_starts(sv_of(&s->query), SV("."));

	if (is_hidden || !sv_starts(entry->name, sv_of(&s->query)) ||
	    !file_completions_can_type(entry->name))
		return FS_SKIP;
	s->paths[s->n++] = arena_printf(&s->arena, "%s%.*s%s", str_c(&s->dir), SV_ARG(entry->name),
					file_completions_is_dir(s, entry) ? "/" : "");
	return s->n < FILE_COMPLETIONS ? FS_SKIP : FS_STOP;
}

/* A directory that cannot be read has nothing to offer. */
static bool file_completions_work(void *arg, __attribute__((unused)) struct err *err)
{
	struct file_suggestions *s = arg;
	struct err ignored = ERR_INIT;

	(void)!fs_walk(str_c(&s->root), file_completions_visit, s, &ignored);
	return true;
}

struct op *file_completions_start(struct file_suggestions *out, struct loop *loop, struct sv root,
				  struct sv home, struct sv path, struct then then)
{
	size_t slash = sv_rfind_char(path, '/');
	struct sv dir = slash == SIZE_MAX ? SV_EMPTY : sv_slice(path, 0, slash + 1);

	*out = (struct file_suggestions){ .n = 0 };
	str_add(&out->dir, dir);
	str_add(&out->query, sv_skip(path, dir.len));
	if (sv_starts(dir, SV("~/")))
		fs_join(&out->root, home, sv_skip(dir, 2));
	else if (sv_starts(dir, SV("/")))
		str_add(&out->root, dir);
	else
		fs_join(&out->root, root, dir);
	return work_start(loop, file_completions_work, out, then);
}

void file_suggestions_clear(struct file_suggestions *s)
{
	str_clear(&s->root);
	str_clear(&s->query);
	str_clear(&s->dir);
	arena_clear(&s->arena);
}
