#include "store/trust_scripts.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/map.h"
#include "sys/fs.h"
#include "text/json/json.h"

struct search {
	struct str *out;
	struct map seen; /* words */
	struct sv dir;
	struct sv
		work_dir; /* where commands run, if only files that differ there are wanted; empty: no */
	size_t n;
};

/* --- words --------------------------------------------------------------------------------- */

static bool is_script_name(struct sv word)
{
	static const char suffixes[][6] = { ".sh", ".bash", ".zsh", ".fish", ".py",
					    ".js", ".mjs",  ".cjs", ".ts",   ".rb",
					    ".pl", ".php",  ".lua", ".awk",  ".jq" };

	if (sv_find_char(word, '.') == SIZE_MAX)
		return true;
	for (size_t i = 0; i < countof(suffixes); i++)
		if (sv_ends(word, sv_cstr(suffixes[i])))
			return true;
	return false;
}

static bool trust_scripts_is_below(struct sv path, struct sv dir)
{
	return path.len > dir.len && sv_starts(path, dir) &&
	       (sv_ends(dir, SV("/")) || path.ptr[dir.len] == '/');
}

static bool trust_scripts_climbs(struct sv path)
{
	struct sv part;

	while (sv_cut(&path, '/', &part))
		if (sv_is(part, ".."))
			return true;
	return false;
}

/* Returns whether a path is in the project, by its name or by its real path. */
static bool trust_scripts_is_in(struct sv dir, const char *path)
{
	defer(str_clear) struct str real = STR_INIT;
	struct err ignored = ERR_INIT;

	return (trust_scripts_is_below(sv_cstr(path), dir) &&
		!trust_scripts_climbs(sv_cstr(path))) ||
	       (fs_realpath(&real, path, &ignored) && trust_scripts_is_below(sv_of(&real), dir));
}

/* The file that a word names in a directory. */
static bool trust_scripts_find(struct str *path, struct sv dir, struct sv word)
{
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (sv_starts(word, SV("/")))
		str_add(path, word);
	else
		fs_join(path, dir, word);
	return fs_info(&info, str_c(path), true, &ignored) && info.kind == FS_FILE &&
	       trust_scripts_is_in(dir, str_c(path));
}

static bool trust_scripts_is_foreign(const struct search *s, struct sv word)
{
	defer(str_clear) struct str own = STR_INIT, other = STR_INIT;
	defer(str_clear) struct str own_text = STR_INIT, other_text = STR_INIT;
	struct err ignored = ERR_INIT;

	if (trust_scripts_is_below(word, s->work_dir))
		word = sv_skip(word, s->work_dir.len + 1);
	if (sv_starts(word, SV("/")) || !trust_scripts_find(&other, s->work_dir, word))
		return false;
	return !trust_scripts_find(&own, s->dir, word) ||
	       !fs_read(&own_text, str_c(&own), LIMIT_TRUST_READ, &ignored) ||
	       !fs_read(&other_text, str_c(&other), LIMIT_TRUST_READ, &ignored) ||
	       !sv_eq(sv_of(&own_text), sv_of(&other_text));
}

static void trust_scripts_try_word(struct search *s, struct sv word)
{
	defer(str_clear) struct str path = STR_INIT;

	if (!word.len || s->n >= LIMIT_TRUST_SCRIPTS || map_put(&s->seen, word, s))
		return;
	if (sv_find_char(word, '/') == SIZE_MAX && !is_script_name(word))
		return;
	if (s->work_dir.len ? !trust_scripts_is_foreign(s, word)
			    : !trust_scripts_find(&path, s->dir, word))
		return;
	if (s->work_dir.len)
		str_set(&path, word);
	str_addf(s->out, "%s\n", str_c(&path));
	s->n++;
}

/* --- commands ------------------------------------------------------------------------------ */

/* Returns the name of the variable for the project directory at the start of `text`; empty:
 * there is none. */
static struct sv trust_scripts_project_variable(struct sv text)
{
	static const struct sv names[] = { SV_INIT("${CLAUDE_PROJECT_DIR:-.}"),
					   SV_INIT("${CLAUDE_PROJECT_DIR}"),
					   SV_INIT("$CLAUDE_PROJECT_DIR"), SV_INIT("$PWD") };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_starts(text, names[i]))
			return names[i];
	return SV_EMPTY;
}

/* Tries each word of a text. Each character of `ends` ends a word. Quotes and backslashes are
 * removed; the character after a backslash stays. A word after '>' is not tried: a command that
 * writes a log would end the trust in itself. */
static void trust_scripts_try_words(struct search *s, struct sv text, struct sv ends)
{
	static const struct sv quotes = SV_INIT("\"'\\");
	defer(str_clear) struct str word = STR_INIT;
	bool is_escaped = false;
	char before = ' '; /* what stands before the word, blanks aside */

	while (text.len) {
		struct sv variable = trust_scripts_project_variable(text);
		char c = text.ptr[0];

		if (variable.len) {
			str_add(&word,
				sv_is(variable, "$PWD") && s->work_dir.len ? s->work_dir : s->dir);
		} else if (c == '\n' || (!is_escaped && sv_find_char(ends, c) != SIZE_MAX)) {
			if (before != '>')
				trust_scripts_try_word(s, sv_of(&word));
			if (word.len || !ascii_is_blank(c))
				before = c;
			str_truncate(&word, 0);
		} else if (c && sv_find_char(quotes, c) == SIZE_MAX) {
			str_addc(&word, c);
		}
		is_escaped = c == '\\';
		text = sv_skip(text, variable.len ? variable.len : 1);
	}
	if (before != '>')
		trust_scripts_try_word(s, sv_of(&word));
}

/* Tries the words of a command, also with names that contain blanks inside quotes, at any depth. */
static void trust_scripts_try_command(struct search *s, struct sv text)
{
	trust_scripts_try_words(s, text, SV_EMPTY); /* an argument as it is */
	trust_scripts_try_words(s, text, SV(" \t\r;|&()<>`=,:"));
	trust_scripts_try_words(s, text, SV("\""));
	trust_scripts_try_words(s, text, SV("'"));
}

static void search_value(struct search *s, struct json value, bool is_command)
{
	struct json_iter it = json_each(value);
	struct json item;
	struct sv key = SV_EMPTY;

	if (json_is(value, JSON_STRING) && is_command)
		trust_scripts_try_command(s, json_str_or(value, SV_EMPTY));
	while (json_next(&it, &key, &item))
		search_value(s, item,
			     is_command || sv_is(key, "command") || sv_is(key, "args") ||
				     sv_is(key, "env"));
}

static void trust_scripts_search(struct search *s, struct sv text)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, JSON_LENIENT, &ignored);

	search_value(s, json_root(doc), false);
	map_clear(&s->seen);
}

void trust_find_scripts(struct str *out, struct sv text, const char *dir)
{
	struct search s = { .out = out, .seen = MAP_INIT, .dir = sv_cstr(dir) };

	trust_scripts_search(&s, text);
}

bool trust_find_foreign_script(struct str *out, struct sv text, const char *dir,
			       const char *work_dir)
{
	defer(str_clear) struct str found = STR_INIT;
	struct search s = {
		.out = &found, .seen = MAP_INIT, .dir = sv_cstr(dir), .work_dir = sv_cstr(work_dir)
	};
	struct sv rest, first;

	trust_scripts_search(&s, text);
	rest = sv_of(&found);
	if (!sv_cut_line(&rest, &first))
		return false;
	str_add(out, first);
	return true;
}

/* --- content ------------------------------------------------------------------------------- */

/* Adds the content of a file or, if it is unreadable or longer than what is `left`, its size and
 * time. */
static void trust_scripts_add_content(struct sha256 *hash, const char *path, size_t *left)
{
	defer(str_clear) struct str text = STR_INIT;
	struct fs_info info = { .size = -1 };
	struct err ignored = ERR_INIT;
	struct digest digest;

	if (fs_read(&text, path, *left, &ignored)) {
		*left -= text.len;
	} else {
		str_truncate(&text, 0);
		if (fs_info(&info, path, true, &ignored))
			str_addf(&text, "%lld bytes of %lld", (long long)info.size,
				 (long long)info.mtime_ns);
	}
	digest = sha256(sv_of(&text));
	sha256_add(hash, digest_sv(&digest));
}

struct digest trust_digest_scripts(struct sv paths)
{
	size_t left = LIMIT_TRUST_READ;
	struct sha256 hash;
	struct sv path;

	sha256_init(&hash);
	while (sv_cut_line(&paths, &path)) {
		defer(mem_freep) char *name = sv_dup(path);

		sha256_add(&hash, path);
		sha256_add(&hash, SV("\n"));
		trust_scripts_add_content(&hash, name, &left);
	}
	return sha256_end(&hash);
}
