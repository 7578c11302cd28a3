/* A line of the log is "OLD NEW NAME <MAIL> SECONDS ZONE<tab>commit: SUBJECT". Whoever can write to the repository
 * can write anything there, so a line that is not of this form is skipped. */
#include "store/git/git_reflog.h"

#include "base/ascii.h"
#include "base/base.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "store/git/git.h"
#include "sys/fs.h"
#include "text/invisible.h"

enum { SHORT_HASH = 7 };

/* The end of the log, from the beginning of a line. */
static void git_reflog_read(struct str *out, const char *top)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(fs_closep) struct fs_file *file = NULL;
	struct err ignored = ERR_INIT;
	int64_t size = 0, from;

	if (!git_is_ours(top) || !git_own_dir(&path, top))
		return;
	fs_join(&path, SV_EMPTY, SV("logs/HEAD"));
	file = fs_open(str_c(&path), &size, &ignored);
	if (!file)
		return;
	from = size > (int64_t)LIMIT_GIT_REFLOG ? size - (int64_t)LIMIT_GIT_REFLOG : 0;
	str_reserve(out, (size_t)(size - from));
	if (fs_read_at(file, from, out->ptr, (size_t)(size - from), &ignored))
		out->len = (size_t)(size - from);
	if (from)
		str_splice(out, 0, min_of(sv_find_char(sv_of(out), '\n'), out->len), SV_EMPTY);
}

static bool git_reflog_take_hash(struct sv *line, struct sv *hash)
{
	if (!sv_cut(line, ' ', hash) || (hash->len != 40 && hash->len != 64))
		return false;
	for (size_t i = 0; i < hash->len; i++)
		if (!ascii_is_one_of(hash->ptr[i], "0123456789abcdef"))
			return false;
	return true;
}

/* Whether the line is about a commit: "commit: ", "commit (amend): ", "commit (merge): ". */
static bool git_reflog_read_line(struct sv line, struct sv *hash, struct sv *subject, int64_t *at_s)
{
	struct sv old, who, time;

	if (!git_reflog_take_hash(&line, &old) || !git_reflog_take_hash(&line, hash) ||
	    !sv_cut(&line, '\t', &who) || !sv_starts(line, SV("commit")) ||
	    sv_find(line, SV(": ")) == SIZE_MAX)
		return false;
	*subject = sv_skip(line, sv_find(line, SV(": ")) + 2);
	who = sv_skip(who, min_of(sv_rfind_char(who, '>'), who.len));
	who = sv_skip(who, min_of(SV("> ").len, who.len));
	return sv_cut(&who, ' ', &time) && sv_to_int(time, at_s);
}

size_t git_reflog_commits(struct str *out, const char *top, int64_t since_ms, size_t max)
{
	defer(str_clear) struct str log = STR_INIT;
	struct sv rest, hash, subject;
	size_t n = 0;
	int64_t at_s;

	git_reflog_read(&log, top);
	rest = sv_of(&log);
	while (rest.len) {
		size_t end = rest.ptr[rest.len - 1] == '\n' ? rest.len - 1 : rest.len;
		size_t begin = sv_rfind_char(sv_slice(rest, 0, end), '\n');
		struct sv line = sv_slice(rest, begin == SIZE_MAX ? 0 : begin + 1, end);

		rest = sv_slice(rest, 0, begin == SIZE_MAX ? 0 : begin + 1);
		if (!git_reflog_read_line(line, &hash, &subject, &at_s) || at_s < since_ms / 1000)
			continue;
		if (n++ >= max)
			continue;
		str_addf(out, "  %.*s ", SHORT_HASH, hash.ptr);
		invisible_drop(out, utf8_prefix(subject, LIMIT_GIT_LINE));
		str_addc(out, '\n');
	}
	return n;
}
