/* Secrets that a search below a directory may show: `grep -r KEY .`, `rg -uu ''`, the tool Grep.
 *
 * The problem. A file that looks like a secret is asked about when a command names it. A search
 * names only the directory, and most of them have nothing to do with the .env that lies there too.
 *
 * The idea. The directory is looked through, the top first and no further than a budget, which is
 * enough for the places where such files usually are. What the search would print of a secret is
 * worked out: nothing if the file has no match. Each alternative of a pattern contains a text that
 * every match has; if the file contains none of these texts, it has no match. A pattern without such
 * a text matches anything. */
#include "perm/decide/decide_search.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "text/match/glob.h"
#include "text/match/ignore.h"
#include "text/match/wildmatch.h"

/* --- patterns ----------------------------------------------------------------------------- */

static bool search_contains(struct sv text, struct sv part)
{
	for (size_t i = 0; i + part.len <= text.len; i++)
		if (sv_eq_nocase(sv_slice(text, i, i + part.len), part))
			return true;
	return false;
}

/* The length of what begins here and is not a plain character: a set, a group, an escape. SIZE_MAX:
 * nobody can tell, since kinds of expressions disagree about it. */
static size_t search_special_length(struct sv text)
{
	bool is_set = text.ptr[0] == '[', is_escape = text.ptr[0] == '\\';
	size_t at = 1, depth = 1;

	if (is_escape && text.len > 1 && text.ptr[1] != '(')
		return ascii_is_alnum(text.ptr[1]) && !ascii_is_one_of(text.ptr[1], "wWsSdDbB")
			       ? SIZE_MAX
			       : 2;
	if (!is_set && !is_escape && text.ptr[0] != '(')
		return 1;
	if (is_set) {
		at += at < text.len && text.ptr[at] == '^';
		at += at < text.len && text.ptr[at] == ']';
	}
	for (; at < text.len; at++) {
		char c = text.ptr[at];

		if (is_set && c == '[')
			return SIZE_MAX;
		if (c == '\\' && (is_set || at + 1 == text.len || text.ptr[at + 1] != ')'))
			at++;
		else if (is_set ? c == ']' : c == ')' && --depth == 0)
			return at + 1;
		else if (!is_set && c == '(')
			depth++;
	}
	return SIZE_MAX;
}

/* Cut the first alternative off a pattern, and find the longest text that every match of it has;
 * empty: there may be none. What means something in one kind of expression counts in all. */
static struct sv search_next_literal(struct sv *rest)
{
	struct sv best = SV_EMPTY, text = *rest;
	size_t from = 0, i = 0, skip;

	for (; i <= text.len; i += skip) {
		char c = i < text.len ? text.ptr[i] : '\n';
		/* "ab*" needs no b. */
		size_t to = i > from && ascii_is_one_of(c, "*+?{\\") ? i - 1 : i;

		skip = 1;
		if (!ascii_is_one_of(c, "\\^$.|()[]{}*+?\n"))
			continue;
		if (to - from > best.len)
			best = sv_slice(text, from, to);
		if (c == '\n' || c == '|' || sv_starts(sv_skip(text, i), SV("\\|")))
			break;
		skip = search_special_length(sv_skip(text, i));
		if (skip == SIZE_MAX) {
			*rest = SV_EMPTY;
			return SV_EMPTY;
		}
		from = i + skip;
	}
	*rest = sv_skip(text, i + (sv_starts(sv_skip(text, i), SV("\\|")) ? 2 : 1));
	return best;
}

/* Whether a line of the text may match one of the patterns. */
static bool search_may_match(struct sv patterns, struct sv text)
{
	/* "(?x)" gives blanks another meaning, and other encodings have NULs. */
	bool is_clear = patterns.len && sv_find(patterns, SV("(?")) == SIZE_MAX &&
			sv_find_char(text, '\0') == SIZE_MAX;

	for (size_t i = 0; i < patterns.len; i++) /* the case of other letters is too much */
		is_clear &= (unsigned char)patterns.ptr[i] < 0x80;
	while (is_clear && patterns.len) {
		struct sv literal = search_next_literal(&patterns);

		is_clear = literal.len && !search_contains(text, literal);
	}
	return !is_clear;
}

/* --- files ---------------------------------------------------------------------------------- */

struct secret_search {
	const struct perm_policy *policy;
	const struct perm_world *world;
	const struct program_search *search;
	struct arena *arena;
	VEC(struct sv) dirs; /* the first is where the search begins */
	struct sv dir;       /* the one that is listed */
	size_t left;         /* how many names may be looked at */
	struct sv found;
};

/* Whether a glob that may contain braces matches a file of that name in some directory. */
static bool search_glob_may_match(struct sv pattern, struct sv name)
{
	struct glob glob = GLOB_INIT;
	bool matches = false;
	struct err ignored;

	if (!glob_init(&glob, pattern, true, &ignored))
		return true;
	for (size_t i = 0; i < glob.patterns.n; i++) {
		size_t steps = LIMIT_PATTERN * 100;

		matches |= wildmatch(sv_basename(sv_cstr(glob.patterns.at[i])), name, true, &steps);
	}
	glob_clear(&glob);
	return matches;
}

/* Whether the search looks at files of that name. */
static bool search_selects(const struct secret_search *s, struct sv name)
{
	struct sv rest = s->search->selects, glob;
	bool any = false;

	while (rest.len && sv_cut(&rest, '\n', &glob)) {
		if (sv_starts(glob, SV("!")))
			continue;
		if (search_glob_may_match(glob, name))
			return true;
		any = true;
	}
	return !any;
}

static bool search_is_other_list(void *to, struct sv name)
{
	bool *found = to;

	*found = sv_is(name, ".ignore") || sv_is(name, ".rgignore");
	return !*found;
}

/* Collect the .gitignore files from the top of the work tree down to `dir`. Return false if there
 * are lists of another kind, which may override them. */
static bool search_read_ignored(struct secret_search *s, struct sv top, struct sv dir,
				struct ignore *out)
{
	for (size_t i = 1; i <= dir.len; i++) {
		struct sv at = sv_slice(dir, 0, i), base;
		defer(str_clear) struct str text = STR_INIT;
		bool has_others = false;
		struct err ignored;

		if (i < dir.len && dir.ptr[i] != '/')
			continue;
		s->world->list(s->world->arg, at, search_is_other_list, &has_others);
		if (has_others)
			return false;
		if (at.len < top.len)
			continue;
		base = sv_skip(at, min_of(top.len + 1, at.len));
		if (s->world->read(s->world->arg,
				   arena_printf(s->arena, "%.*s/.gitignore", SV_ARG(at)),
				   LIMIT_IGNORE_BYTES, &text) &&
		    !ignore_add(out, base, sv_of(&text), &ignored))
			return false;
	}
	return true;
}

/* Whether .gitignore files hide the path from the search. A search that begins in a hidden directory
 * looks into it. */
static bool search_is_ignored(struct secret_search *s, struct sv path)
{
	struct sv dir = sv_slice(path, 0, sv_rfind_char(path, '/'));
	struct sv top = s->world->repository(s->world->arg, dir, NULL, s->arena);
	size_t from = max_of(top.len, s->dirs.at[0].len) + 1;
	struct ignore lists = IGNORE_INIT;
	bool hidden = false;

	if (!s->search->skips_ignored || !top.len || !path_is_inside(dir, top))
		return false;
	if (search_read_ignored(s, top, dir, &lists))
		for (size_t i = from; i <= path.len && !hidden; i++) {
			const struct ignore_rule *rule;

			if (i < path.len && path.ptr[i] != '/')
				continue;
			rule = ignore_find_entry(&lists, sv_slice(path, top.len + 1, i),
						 i < path.len);
			hidden = rule && !rule->negated;
		}
	ignore_clear(&lists);
	return hidden;
}

/* Whether a rule allows reading this file. */
static bool search_rule_reads(const struct perm_policy *policy, struct sv path)
{
	struct perm_request request = { .tool = SV("Read"), .access = ACCESS_READ, .path = path };
	struct rule_case c;
	enum rule_match match;

	rule_case_init(&c, policy, &request);
	(void)rule_find(BEHAVIOR_ALLOW, &c, &match);
	return match == RULE_YES;
}

static bool search_may_show(struct secret_search *s, struct sv path)
{
	defer(str_clear) struct str text = STR_INIT;

	return secret_is_file(path) && search_selects(s, sv_basename(path)) &&
	       !search_rule_reads(s->policy, path) &&
	       (s->search->shows != SHOWS_MATCHES ||
		!s->world->read(s->world->arg, path, LIMIT_PERM_SECRET, &text) ||
		search_may_match(s->search->patterns, sv_of(&text))) &&
	       !search_is_ignored(s, path);
}

static bool search_look_at(void *to, struct sv name)
{
	struct secret_search *s = to;
	struct sv path = arena_printf(s->arena, "%.*s/%.*s", SV_ARG(s->dir), SV_ARG(name));

	if (s->left == 0)
		return false;
	s->left--;
	if ((s->search->skips_hidden && sv_starts(name, SV("."))) || sv_is(name, ".git"))
		return true;
	if (s->world->is_directory(s->world->arg, path)) {
		if (sv_eq(s->world->real(s->world->arg, path, s->arena), path))
			vec_push(&s->dirs, path);
	} else if (search_may_show(s, path)) {
		s->found = path;
	}
	return !s->found.len;
}

/* The first secret below `dir` that the search may show; empty: none. */
static struct sv search_find(const struct perm_policy *policy, const struct program_search *search,
			     struct sv dir, struct arena *arena)
{
	struct secret_search s = { .policy = policy,
				   .world = policy->world,
				   .search = search,
				   .arena = arena,
				   .dirs = VEC_INIT,
				   .left = LIMIT_PERM_SEARCHED };

	if (!s.world || search->shows == SHOWS_NAMES)
		return SV_EMPTY;
	vec_push(&s.dirs, dir);
	for (size_t i = 0; i < s.dirs.n && !s.found.len; i++) {
		s.dir = s.dirs.at[i];
		s.world->list(s.world->arg, s.dir, search_look_at, &s);
	}
	vec_clear(&s.dirs);
	return s.found;
}

static struct verdict search_ask_about(struct sv found)
{
	return found.len
		       ? verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				    "It may show %s, which looks like a secret.", quote(found).text)
		       : fine;
}

/* --- who searches ---------------------------------------------------------------------------- */

/* git searches what it tracks, unless it is told not to. */
static bool search_is_one(const struct shell_command *command)
{
	static const char *const names[] = { "ag", "egrep", "fgrep", "grep", "rg" };
	struct sv name = shell_command_name(command);

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	for (size_t i = 2; sv_is(name, "git") && i < command->n; i++)
		if (sv_starts(command->argv[i].text, SV("--no-ind")) ||
		    sv_starts(command->argv[i].text, SV("--untr")))
			return true;
	return false;
}

struct verdict decide_by_searched_secrets(struct line_decision *d,
					  const struct shell_command *command,
					  const command_path_list *paths)
{
	struct verdict v = fine;

	for (size_t i = 0; search_is_one(command) && i < paths->n; i++) {
		const struct command_path *t = &paths->at[i];

		if (t->known && t->recursive && t->use == OPERAND_READ &&
		    v.behavior == BEHAVIOR_ALLOW)
			v = search_ask_about(
				search_find(d->policy, &command->use.search, t->real, &d->arena));
	}
	return v;
}

/* ripgrep does the work, with --hidden. Types of files are globs like "*.py", none of which matches a
 * name without a dot inside. */
struct sv decide_find_searched(const struct perm_policy *policy, const struct perm_request *request,
			       struct arena *arena)
{
	struct sv mode = json_str_or(json_get(request->input, "output_mode"), SV_EMPTY);
	struct sv glob = json_str_or(json_get(request->input, "glob"), SV_EMPTY);
	struct sv type = json_str_or(json_get(request->input, "type"), SV_EMPTY);
	bool is_one_glob = glob.len && sv_find_char(glob, ' ') == SIZE_MAX &&
			   (sv_find_char(glob, ',') == SIZE_MAX ||
			    sv_find_char(glob, ',') > sv_find_char(glob, '{'));
	struct program_search search = {
		.shows = sv_is(mode, "content") ? SHOWS_MATCHES : SHOWS_NAMES,
		.patterns = json_str_or(json_get(request->input, "pattern"), SV_EMPTY),
		.selects = is_one_glob ? glob
			   : type.len  ? SV("?*.*")
				       : SV_EMPTY,
		.skips_ignored = !glob.len,
	};

	return sv_is(request->tool, "Grep") ? search_find(policy, &search, request->path, arena)
					    : SV_EMPTY;
}

struct verdict decide_by_grep(const struct perm_policy *policy, const struct perm_request *request)
{
	struct arena arena = ARENA_INIT;
	struct verdict v = search_ask_about(decide_find_searched(policy, request, &arena));

	arena_clear(&arena);
	return v;
}
