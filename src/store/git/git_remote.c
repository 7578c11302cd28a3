#include "store/git/git_remote.h"

#include "base/limits.h"
#include "store/git/git.h"
#include "sys/fs.h"

void git_remote_clear(struct git_remote *remote)
{
	str_clear(&remote->host);
	str_clear(&remote->owner);
	str_clear(&remote->name);
	str_clear(&remote->worktree);
}

/* Cut "https://user:secret@host:port/path" or "git@host:path" into host and path. */
static bool git_remote_cut(struct sv url, struct sv *host, struct sv *path)
{
	size_t scheme = sv_find(url, SV("://")), at, end;
	char ends_host = ':';

	if (scheme != SIZE_MAX) {
		url = sv_skip(url, scheme + 3);
		ends_host = '/';
	}
	end = sv_find_char(url, ends_host);
	if (end == SIZE_MAX)
		return false;
	*host = sv_slice(url, 0, end);
	*path = sv_skip(url, end + 1);
	at = sv_rfind_char(*host, '@');
	if (at != SIZE_MAX)
		*host = sv_skip(*host, at + 1);
	*host = sv_slice(*host, 0, sv_find_char(*host, ':'));
	return host->len > 0;
}

static void git_remote_take(struct git_remote *out, struct sv url)
{
	struct sv host, path;
	size_t slash;

	if (!git_remote_cut(url, &host, &path))
		return;
	while (sv_ends(path, SV("/")))
		path = sv_slice(path, 0, path.len - 1);
	if (sv_ends(path, SV(".git")))
		path = sv_slice(path, 0, path.len - 4);
	while (sv_starts(path, SV("/")))
		path = sv_skip(path, 1);
	slash = sv_rfind_char(path, '/');
	if (slash == SIZE_MAX || !slash || slash + 1 == path.len)
		return;
	str_set(&out->host, host);
	str_set(&out->owner, sv_slice(path, 0, slash));
	str_set(&out->name, sv_skip(path, slash + 1));
}

void git_remote_parse(struct git_remote *out, struct sv config)
{
	bool is_origin = false;
	struct sv line;

	while (sv_cut_line(&config, &line)) {
		struct sv text = sv_trim(line), key;

		if (sv_starts(text, SV("["))) {
			is_origin = sv_is(text, "[remote \"origin\"]");
		} else if (is_origin && sv_cut(&text, '=', &key) && sv_is(sv_trim(key), "url")) {
			git_remote_take(out, sv_trim(text));
			return;
		}
	}
}

/* The last part of "gitdir: /repo/.git/worktrees/NAME". */
static void git_remote_read_worktree(struct git_remote *out, const char *top)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct sv line;
	size_t slash;
	struct err ignored;

	fs_join(&path, sv_cstr(top), SV(".git"));
	if (!fs_read(&text, str_c(&path), LIMIT_KEYBINDINGS, &ignored))
		return;
	line = sv_trim(sv_of(&text));
	slash = sv_rfind_char(line, '/');
	if (slash != SIZE_MAX)
		str_set(&out->worktree, sv_skip(line, slash + 1));
}

void git_remote_read(struct git_remote *out, const char *top)
{
	defer(str_clear) struct str first = STR_INIT, path = STR_INIT, text = STR_INIT;
	struct err ignored;

	if (git_find_first(&first, top))
		git_remote_read_worktree(out, top);
	else
		str_adds(&first, top);
	fs_join(&path, sv_of(&first), SV(".git/config"));
	if (fs_read(&text, str_c(&path), LIMIT_KEYBINDINGS, &ignored))
		git_remote_parse(out, sv_of(&text));
}
