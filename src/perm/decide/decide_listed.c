/* Readers that get their files from a command that lists them: `find . | xargs grep x`,
 * `git ls-files | xargs wc -l`, `find . -exec grep x {} +`, `cat $(git ls-files)`, `cat $(ls *.md)`,
 * `grep -rl x src | sort | xargs wc -l`,
 * `for f in $(git ls-files); do wc -l "$f"; done`, `find . | while read f; do wc -l "$f"; done`.
 *
 * The problem. The files are not in the line, but it is clear where they are: below the directories
 * that are listed. Names can still lead elsewhere: "-f" is an option, xargs takes "a b" for two
 * names, the shell takes "*" for a pattern, and a link is followed by whoever opens it.
 *
 * The idea. Only commands that print nothing but names may list, and only programs that read all
 * their operands may get them. The names are looked at: one that is odd, a link that leaves the
 * directory or a secret makes this a question, and so does a tree that is too big. git lists names
 * that are in its index and nowhere else, so these are looked at, too. Then the call reads the
 * listed directories, and that is decided like any other reading. */
#include "base/ascii.h"
#include "base/limits.h"
#include "perm/command/command_effects.h"
#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/secret_name.h"
#include "perm/path/tree_search.h"
#include "perm/rule/glob_star.h"

/* Whether the program does nothing with further operands but read them. */
static bool listed_names_reader(const struct shell_command *command)
{
	static const char names[][10] = { "basename", "cat",  "cksum",     "cut",     "dirname",
					  "du",       "file", "grep",      "egrep",   "fgrep",
					  "head",     "ls",   "md5sum",    "nl",      "nm",
					  "readlink", "rg",   "realpath",  "sha1sum", "sha256sum",
					  "size",     "stat", "sha512sum", "strings", "tac",
					  "tail",     "wc" };

	return !command->use.escalates && !command->use.inner.n &&
	       command->certainty == CERTAINTY_CERTAIN && !command->may_be_function &&
	       command->argv[0].known && sv_is_among(command->argv[0].text, names);
}

static bool listed_is_reader(const struct shell_command *command)
{
	return command->use.read_only && listed_names_reader(command);
}

/* Whether the options of xargs say no more than how to split its input. */
static bool listed_is_plain_xargs(const struct shell_command *command, bool *by_nul)
{
	size_t to = command->use.inner.n == 1 ? command->use.inner.at[0].from : 0;

	*by_nul = false;
	for (size_t i = 1; i < to; i++) {
		struct sv text = command->argv[i].text;
		bool is_option = sv_starts(text, SV("-"));

		for (size_t k = is_option; k < text.len; k++)
			if (!ascii_is_digit(text.ptr[k]) &&
			    (!is_option || !ascii_is_one_of(text.ptr[k], "rnPL")))
				return false;
		*by_nul |= is_option && sv_find_char(text, '0') == 1;
	}
	return to > 0 && sv_is(command->argv[0].text, "xargs");
}

/* Whether ls only prints the names that it gets, in some order: none of them is a directory. */
static bool listed_is_plain_ls(const struct shell_command *command, const struct perm_world *world)
{
	size_t nnames = 0;

	if (!shell_command_only_reads(command) || command->may_be_function ||
	    command->certainty != CERTAINTY_CERTAIN || !world || command->cwd.is_unknown ||
	    command->cwd.n != 1)
		return false;
	for (size_t i = 1; i < command->n; i++) {
		struct sv text = command->argv[i].text;
		bool is_option = sv_starts(text, SV("-"));

		for (size_t k = 1; is_option && k < text.len; k++)
			if (!ascii_is_one_of(text.ptr[k], "1artAcS"))
				return false;
		if (!command->argv[i].known || sv_is(text, "-"))
			return false;
		nnames += !is_option;
	}
	for (size_t i = 0; i < command->npaths; i++)
		if (!command->paths[i].known ||
		    world->is_directory(world->arg, command->paths[i].named))
			return false;
	return sv_is(shell_command_name(command), "ls") && nnames && nnames == command->npaths;
}

enum listed_option { LISTED_HARMFUL, LISTED_ALONE, LISTED_WITH_NEXT };

/* What an option of grep or rg does to the list: nothing, alone or with the argument after it. */
static enum listed_option listed_read_long_option(struct sv option, bool *only_names)
{
	static const char listing[][22] = { "--files", "--files-with-matches",
					    "--files-without-match" };
	static const char alone[][16] = { "--recursive",   "--ignore-case", "--fixed-strings",
					  "--word-regexp", "--smart-case",  "--hidden" };
	static const char valued[][14] = { "--include", "--exclude", "--exclude-dir", "--glob",
					   "--type" };
	size_t equals = sv_find_char(option, '=');

	if (equals != SIZE_MAX)
		return sv_is_among(sv_slice(option, 0, equals), valued) ? LISTED_ALONE
									: LISTED_HARMFUL;
	if (sv_is_among(option, listing))
		*only_names = true;
	else if (!sv_is_among(option, alone))
		return LISTED_HARMFUL;
	return LISTED_ALONE;
}

static enum listed_option listed_read_option(struct sv option, bool is_rg, bool *only_names)
{
	if (sv_starts(option, SV("--")))
		return listed_read_long_option(option, only_names);
	for (size_t k = 1; k < option.len; k++) {
		char c = option.ptr[k];

		*only_names |= c == 'l' || (c == 'L' && !is_rg);
		if (ascii_is_one_of(c, is_rg ? "egtT" : "e") && k + 1 == option.len)
			return LISTED_WITH_NEXT;
		if (!ascii_is_one_of(c, is_rg ? "insFwSl" : "rinwxsEFGPIlL"))
			return LISTED_HARMFUL;
	}
	return LISTED_ALONE;
}

/* Whether grep or rg prints the names of files below directories and nothing else. */
static bool listed_is_search(const struct shell_command *command)
{
	bool is_rg = sv_is(shell_command_name(command), "rg"), only_names = false;

	if (!is_rg && !sv_is(shell_command_name(command), "grep"))
		return false;
	for (size_t i = 1; i < command->n; i++) {
		enum listed_option kind = LISTED_ALONE;

		if (sv_starts(command->argv[i].text, SV("-")))
			kind = listed_read_option(command->argv[i].text, is_rg, &only_names);
		if (kind == LISTED_HARMFUL || !command->argv[i].known)
			return false;
		i += kind == LISTED_WITH_NEXT;
	}
	return only_names;
}

/* Whether it prints some of the lines that it reads, as they are. */
static bool listed_is_filter(const struct shell_command *command)
{
	static const struct {
		char name[5];
		const char *options;
	} filters[] = { { "grep", "viEFPwx" },
			{ "head", "n0123456789" },
			{ "sort", "urnfV" },
			{ "tail", "n+0123456789" },
			{ "uniq", "" } };
	bool is_grep = sv_is(shell_command_name(command), "grep");
	const char *options = NULL;
	size_t nwords = 0;

	for (size_t i = 0; i < countof(filters); i++)
		if (sv_is(shell_command_name(command), filters[i].name))
			options = filters[i].options;
	if (!options || command->npaths || command->certainty != CERTAINTY_CERTAIN ||
	    command->may_be_function || !shell_command_only_reads(command))
		return false;
	for (size_t i = 1; i < command->n; i++) {
		struct sv text = command->argv[i].text;
		bool is_option = sv_starts(text, SV("-"));

		nwords += !is_option;
		for (size_t k = is_option; k < text.len && (is_option || !is_grep); k++)
			if (!ascii_is_one_of(text.ptr[k], options))
				return false;
	}
	return !is_grep || nwords == 1;
}

/* Whether the command prints names and nothing else. */
static bool listed_is_lister(const struct shell_command *command, bool by_nul)
{
	static const char printing[][8] = { "-printf", "-ls", "-fls", "-D" };
	static const char options[][19] = {
		"-c", "--cached", "-m", "--modified", "-o", "--others", "--exclude-standard", "--"
	};
	bool is_find = sv_is(shell_command_name(command), "find"), has_nul = false;

	if (!shell_command_only_reads(command) || command->may_be_function ||
	    command->certainty != CERTAINTY_CERTAIN)
		return false;
	if (listed_is_search(command))
		return !by_nul;
	if (!is_find && command->use.subcommand != 1)
		return false;
	for (size_t i = 1; i < command->n; i++) {
		struct sv text = command->argv[i].text;

		if (!command->argv[i].known || sv_is_among(text, printing))
			return false;
		has_nul |= sv_is(text, is_find ? "-print0" : "-z");
		if (!is_find && i > 1 && sv_starts(text, SV("-")) && !sv_is(text, "-z") &&
		    !sv_is_among(text, options))
			return false;
	}
	return has_nul == by_nul && (is_find || (sv_is(shell_command_name(command), "git") &&
						 sv_is(command->argv[1].text, "ls-files")));
}

/* The only command of the stage before the one with command `at`; SIZE_MAX: none. */
static size_t listed_find_before(const struct command_analysis *analysis, size_t at)
{
	for (size_t i = 0; i < analysis->stages.n; i++)
		if (analysis->stages.at[i].from == at && i > 0 &&
		    analysis->stages.at[i].way == PIPE_WRITTEN &&
		    analysis->stages.at[i - 1].pipe == analysis->stages.at[i].pipe &&
		    analysis->stages.at[i - 1].to == analysis->stages.at[i - 1].from + 1)
			return analysis->stages.at[i - 1].from;
	return SIZE_MAX;
}

/* The same, but for commands that let lines through; with NULs there are no lines. */
static size_t listed_find_source(const struct line_decision *d, size_t at, bool by_nul)
{
	size_t source = listed_find_before(d->analysis, at);

	while (source != SIZE_MAX && !by_nul && listed_is_filter(&d->analysis->commands.at[source]))
		source = listed_find_before(d->analysis, source);
	return source;
}

/* --- the names ------------------------------------------------------------------------ */

struct listed_names {
	const struct perm_world *world;
	const struct shell_command *lister;
	struct arena *arena;
	size_t *left;          /* how many names may be looked at */
	struct sv dir;         /* that is listed */
	struct sv top;         /* of the repository */
	bool by_nul, by_shell; /* what splits the names; xargs if neither */
	bool shows_contents;
};

/* Whether a pattern may match the name; true if nobody can tell. */
static bool listed_may_match(struct sv pattern, struct sv name)
{
	size_t steps = LIMIT_PATTERN * 100;

	for (size_t i = 0; i < pattern.len; i++)
		if (ascii_is_one_of(pattern.ptr[i], "?[\\/:"))
			return true;
	return glob_star_match(pattern, false, name, &steps) || !steps;
}

/* Whether find does something here with the names that come so far: -print, -exec. */
static bool listed_is_action(struct sv word)
{
	static const char *const actions[] = { "-print", "-exec", "-ok", "-ls", "-f" };

	for (size_t i = 0; i < countof(actions); i++)
		if (sv_starts(word, sv_cstr(actions[i])))
			return true;
	return false;
}

/* Whether find may print the name, as far as the first -name before all actions says. */
static bool listed_find_may_print(const struct shell_command *lister, struct sv name)
{
	static const char others[][8] = { "-o", "-or", "!", "-not", ",", "-L", "-H", "-follow" };
	struct sv pattern = SV_EMPTY;
	bool has_acted = false;

	for (size_t i = 1; i < lister->n; i++) {
		if (sv_is_among(lister->argv[i].text, others))
			return true;
		has_acted |= listed_is_action(lister->argv[i].text);
		if (sv_is(lister->argv[i - 1].text, "-name") && !has_acted && !pattern.len)
			pattern = lister->argv[i].text;
	}
	return !pattern.len || listed_may_match(pattern, name);
}

/* Whether git may print the name, as far as patterns such as "*.c" say. */
static bool listed_git_may_print(const struct shell_command *lister, struct sv name)
{
	bool any = true;

	for (size_t i = 2; i < lister->n; i++) {
		struct sv word = lister->argv[i].text;

		if (sv_starts(word, SV("-")))
			continue;
		if (!sv_starts(word, SV("*")) || listed_may_match(word, name))
			return true;
		any = false;
	}
	return any;
}

/* Whether the text becomes more than one name, another name or an option. */
static bool listed_is_odd_text(const struct listed_names *names, struct sv text)
{
	for (size_t i = 0; i < text.len && !names->by_nul; i++)
		if ((unsigned char)text.ptr[i] <= ' ' || ascii_is_one_of(text.ptr[i], "'\"\\") ||
		    (names->by_shell && ascii_is_one_of(text.ptr[i], "*?[")))
			return true;
	return sv_starts(text, SV("-")) || sv_find(text, SV("/-")) != SIZE_MAX;
}

static bool listed_is_secret(const struct listed_names *names, struct sv path, struct sv real)
{
	return names->shows_contents && (secret_is_file(path) || secret_is_file(real));
}

static bool listed_is_odd(void *arg, struct sv path)
{
	const struct listed_names *names = arg;
	struct sv name = sv_basename(path),
		  real = names->world->real(names->world->arg, path, names->arena);

	/* Not all names are printed, but a directory is part of those below it. */
	return listed_is_odd_text(names, name) ||
	       ((!path_is_inside(real, names->dir) || listed_is_secret(names, path, real)) &&
		listed_find_may_print(names->lister, name));
}

/* The same for a name in the index of git, which may be nowhere else. */
static bool listed_is_odd_tracked(void *arg, struct sv name)
{
	const struct listed_names *names = arg;
	struct sv path = path_join(names->top, name, names->arena), real;

	if (!path_is_inside(path, names->dir) ||
	    !listed_git_may_print(names->lister, sv_basename(name)))
		return false;
	if (*names->left == 0)
		return true;
	--*names->left;
	real = names->world->real(names->world->arg, path, names->arena);
	return listed_is_odd_text(names, name) || !path_is_inside(real, names->dir) ||
	       listed_is_secret(names, path, real);
}

static bool listed_are_plain(struct listed_names *names, struct sv dir)
{
	names->dir = dir;
	return tree_search(names->world, dir, listed_is_odd, names, names->left) == TREE_NO;
}

/* Whether git lists what is not in its index, too. */
static bool listed_lists_others(const struct shell_command *lister)
{
	for (size_t i = 2; i < lister->n; i++)
		if (sv_is(lister->argv[i].text, "-o") || sv_is(lister->argv[i].text, "--others"))
			return true;
	return false;
}

static bool listed_are_tracked_plain(struct listed_names *names, struct sv dir)
{
	const struct perm_world *world = names->world;

	names->dir = world->real(world->arg, dir, names->arena);
	names->top = world->repository(world->arg, dir, NULL, names->arena);
	return names->top.len && world->tracks &&
	       !world->tracks(world->arg, dir, listed_is_odd_tracked, names) &&
	       (!listed_lists_others(names->lister) || listed_are_plain(names, names->dir));
}

/* Whether all names that the lister may print are plain. */
static bool listed_names_are_plain(struct listed_names *names)
{
	const struct shell_command *lister = names->lister;

	if (!names->world || lister->cwd.is_unknown || lister->cwd.n != 1)
		return false;
	if (sv_is(shell_command_name(lister), "git"))
		return listed_are_tracked_plain(names, lister->cwd.dirs[0]);
	for (size_t i = 0; i < lister->npaths; i++)
		if (!lister->paths[i].known ||
		    (!sv_is(shell_command_name(lister), "find") &&
		     !names->world->is_directory(names->world->arg, lister->paths[i].real)) ||
		    lister->paths[i].follows_links ||
		    !sv_eq(lister->paths[i].named, lister->paths[i].real) ||
		    !listed_are_plain(names, lister->paths[i].real))
			return false;
	return lister->npaths > 0;
}

/* Whether one of the first commands of the line may put other names there. */
static bool listed_may_change(const struct line_decision *d, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		const struct shell_command *command = &d->analysis->commands.at[i];

		if (shell_command_is_secondary(command))
			continue;
		/* A reader of such names gets arguments that are not known. */
		if (command->n && !shell_command_only_reads(command) &&
		    (!command->listed || !listed_names_reader(command)))
			return true;
		for (size_t k = 0; k < command->npaths; k++)
			if (command_path_writes(&command->paths[k]))
				return true;
	}
	return false;
}

/* --- the decision ---------------------------------------------------------------------- */

/* The command that lists for the wrapper at `at`: find itself, or what xargs reads. */
static size_t listed_find_lister(const struct line_decision *d, size_t at, bool *by_nul)
{
	const struct shell_command *wrapper = &d->analysis->commands.at[at];
	size_t source;

	*by_nul = true;
	if (sv_is(shell_command_name(wrapper), "find"))
		return at;
	if (!wrapper->n || !listed_is_plain_xargs(wrapper, by_nul))
		return SIZE_MAX;
	source = listed_find_source(d, at, *by_nul);
	return source != SIZE_MAX && listed_is_lister(&d->analysis->commands.at[source], *by_nul)
		       ? source
		       : SIZE_MAX;
}

/* Whether find does nothing beyond running the readers. */
static bool listed_only_runs(const struct shell_command *command)
{
	const struct program_use *use = &command->use;

	if (!use->escalates || !sv_is(command->argv[use->escalating].text, "-exec"))
		return false;
	for (size_t i = 0; i < use->also_escalating.n; i++)
		if (!sv_is(command->argv[use->also_escalating.at[i]].text, "-exec"))
			return false;
	return command->certainty == CERTAINTY_CERTAIN && !command->may_be_function && !use->loses;
}

/* Whether the program shows what is in the files. */
static bool listed_reader_shows(const struct shell_command *reader)
{
	static const char names[][10] = { "basename",  "cksum",    "dirname", "du",
					  "file",      "ls",       "md5sum",  "nm",
					  "readlink",  "realpath", "sha1sum", "sha256sum",
					  "sha512sum", "size",     "stat",    "wc" };

	return !sv_is_among(shell_command_name(reader), names);
}

static bool listed_shows_contents(const struct line_decision *d, size_t at)
{
	for (size_t i = at + 1; i < d->analysis->commands.n; i++) {
		const struct shell_command *inner = &d->analysis->commands.at[i];

		if (inner->outer == at && listed_reader_shows(inner))
			return true;
	}
	return false;
}

static bool listed_reads_only(const struct line_decision *d, size_t at)
{
	const struct shell_command *wrapper = &d->analysis->commands.at[at];
	size_t n = 0;

	if (sv_is(shell_command_name(wrapper), "find") && !listed_only_runs(wrapper))
		return false;
	for (size_t i = at + 1; i < d->analysis->commands.n; i++) {
		const struct shell_command *inner = &d->analysis->commands.at[i];

		if (inner->outer != at || shell_command_is_secondary(inner))
			continue;
		if (!listed_is_reader(inner))
			return false;
		n++;
	}
	return n == wrapper->use.inner.n;
}

bool decide_reads_listed(struct line_decision *d, const struct shell_command *wrapper)
{
	size_t at = (size_t)(wrapper - d->analysis->commands.at);
	struct listed_names names = { .world = d->policy->world,
				      .arena = &d->arena,
				      .left = &d->names };
	size_t source = wrapper->use.inner.n ? listed_find_lister(d, at, &names.by_nul) : SIZE_MAX;

	if (source == SIZE_MAX || !listed_reads_only(d, at) || listed_may_change(d, source))
		return false;
	names.lister = &d->analysis->commands.at[source];
	names.shows_contents = listed_shows_contents(d, at);
	return listed_names_are_plain(&names);
}

/* The command with so many names in place of the list, looked up again. */
static struct shell_command listed_replace(struct line_decision *d,
					   const struct shell_command *command, size_t nnames)
{
	struct shell_command with = *command;

	with.argv = arena_calloc(&d->arena, command->n + nnames, sizeof(*with.argv));
	with.n = 0;
	for (size_t i = 0; i < command->n; i++) {
		for (size_t k = 0; i == command->listed && k < nnames; k++)
			with.argv[with.n++] = (struct argument){ .text = SV("."), .known = true };
		if (i != command->listed)
			with.argv[with.n++] = command->argv[i];
	}
	with.use = (struct program_use){ .known = false };
	program_analyse(&with.use, with.argv, with.n, &d->arena);
	return with;
}

/* Whether the files that it uses need no question. */
static bool listed_uses_allowed(struct line_decision *d, const struct shell_command *with)
{
	command_path_list paths = VEC_INIT;
	bool allowed = true;

	command_paths_collect(&paths, with, &d->analysis->made, d->policy->world, &d->arena);
	for (size_t i = 0; i < paths.n; i++)
		allowed &= paths.at[i].known && !command_path_writes(&paths.at[i]);
	allowed = allowed && decide_by_paths(d, &paths, GRANT_NOTHING).behavior == BEHAVIOR_ALLOW &&
		  decide_by_new_links(d, with, &paths).behavior == BEHAVIOR_ALLOW;
	vec_clear(&paths);
	return allowed;
}

/* The list may be empty, and its first name may be the value of the option before it, so what the
 * words after it mean depends on how many names there are. */
static bool listed_reads_however_many(struct line_decision *d, const struct shell_command *command)
{
	bool reads = true;

	for (size_t nnames = 0; nnames <= 2 && reads; nnames++) {
		struct shell_command with = listed_replace(d, command, nnames);

		for (size_t i = 0; i < with.n; i++)
			reads &= with.argv[i].known;
		reads = reads && listed_is_reader(&with) && shell_command_only_reads(&with) &&
			listed_uses_allowed(d, &with);
		program_use_clear(&with.use);
	}
	return reads;
}

/* Whether all names that ls got may be read. */
static bool listed_may_read_each(struct line_decision *d, struct listed_names *names)
{
	command_path_list paths = VEC_INIT;
	bool allowed = true;

	for (size_t i = 0; i < names->lister->npaths; i++) {
		struct command_path path = names->lister->paths[i];

		/* ls shows a link itself, a reader follows it. */
		path.real = names->world->real(names->world->arg, path.named, names->arena);
		path.is_itself = false;
		path.use = OPERAND_READ;
		vec_push(&paths, path);
		allowed &= !listed_is_odd_text(names, names->lister->argv[path.arg].text);
	}
	allowed = allowed && decide_by_paths(d, &paths, GRANT_NOTHING).behavior == BEHAVIOR_ALLOW;
	vec_clear(&paths);
	return allowed;
}

/* A loop goes through the names while its commands run, so none of the line may change them. */
static bool listed_is_changed(const struct line_decision *d, const struct shell_command *command)
{
	return listed_may_change(d,
				 command->may_repeat ? d->analysis->commands.n : command->lister);
}

bool decide_reads_substituted(struct line_decision *d, const struct shell_command *command)
{
	const struct shell_command *lister = &d->analysis->commands.at[command->lister];
	bool by_nul = command->is_listed_by_nul;
	bool is_ls = !by_nul && listed_is_plain_ls(lister, d->policy->world);
	struct listed_names names = { .world = d->policy->world,
				      .lister = lister,
				      .arena = &d->arena,
				      .left = &d->names,
				      .by_shell = true,
				      .shows_contents = listed_reader_shows(command) };

	return (is_ls || listed_is_lister(lister, by_nul)) && !listed_is_changed(d, command) &&
	       cwd_set_equals(&lister->cwd, &command->cwd) &&
	       listed_reads_however_many(d, command) &&
	       decide_by_environment(d, command).behavior == BEHAVIOR_ALLOW &&
	       (is_ls ? listed_may_read_each(d, &names) : listed_names_are_plain(&names));
}
