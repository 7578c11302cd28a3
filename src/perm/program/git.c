/* The operands of git: revisions, paths, addresses, names to list or to create, and settings,
 * depending on the subcommand and the options before them. */
#include "base/ascii.h"
#include "perm/path/secret_name.h"
#include "perm/program/special.h"

/* --- objects and files --------------------------------------------------------------------- */

/* A pathspec: "src", "*.c", ":(top)x", ":!a.c", ":/a.c". */
struct git_pathspec {
	struct sv path;
	bool from_top, excludes, is_literal;
};

/* Read the magic at the start of a pathspec. Return false when there is none. */
static bool git_read_magic(struct sv text, struct git_pathspec *out)
{
	struct sv magic = SV_EMPTY;

	*out = (struct git_pathspec){ .path = text };
	if (text.len < 2 || text.ptr[0] != ':' || sv_find_char(SV("(!^/"), text.ptr[1]) == SIZE_MAX)
		return false;
	out->path = sv_skip(text, 1);
	if (out->path.ptr[0] == '(') {
		size_t close = min_of(sv_find_char(out->path, ')'), out->path.len - 1);

		magic = sv_slice(out->path, 1, close);
		out->path = sv_skip(out->path, close + 1);
	}
	out->from_top = sv_find(magic, SV("top")) != SIZE_MAX;
	out->excludes = sv_find(magic, SV("exclude")) != SIZE_MAX;
	out->is_literal = sv_find(magic, SV("literal")) != SIZE_MAX;
	for (; out->path.len > 0 && sv_find_char(SV("!^/"), out->path.ptr[0]) != SIZE_MAX;
	     out->path = sv_skip(out->path, 1)) {
		out->from_top |= out->path.ptr[0] == '/';
		out->excludes |= out->path.ptr[0] != '/';
	}
	return true;
}

/* Note what a pathspec chooses. A pattern is a glob over the tree, and stands for all of the
 * directory that it certainly begins with; so does one that leaves something out. */
static void git_read_pathspec(struct invocation *inv, size_t arg, struct git_pathspec spec)
{
	struct sv pattern = sv_basename(spec.path);
	size_t wild = 0, slash;
	bool is_tree;

	while (wild < spec.path.len &&
	       (spec.is_literal || !ascii_is_one_of(spec.path.ptr[wild], "*?[\\")))
		wild++;
	if (wild < spec.path.len && secret_is_glob(spec.path))
		inv_escalates(inv, arg, inv->argv[arg].text, "looks like a secret");
	slash = sv_rfind_char(sv_slice(spec.path, 0, wild), '/');
	is_tree = inv->argv[arg].known && (spec.excludes || wild < spec.path.len);
	if (is_tree)
		spec.path = spec.excludes || slash == SIZE_MAX ? SV(".")
							       : sv_slice(spec.path, 0, slash + 1);
	inv_path(inv, arg, spec.path, OPERAND_READ);
	if (is_tree && !spec.excludes)
		vec_last(&inv->use->operands)->pattern = pattern;
	vec_last(&inv->use->operands)->recursive |= is_tree;
	vec_last(&inv->use->operands)->from_top = spec.from_top || spec.excludes;
}

/* "HEAD~2", "main..feature", "@{u}": never a file. */
static bool git_is_revision(struct sv text)
{
	if (sv_starts(text, SV(".")) || sv_starts(text, SV("/")) ||
	    sv_find(text, SV("../")) != SIZE_MAX)
		return false;
	return sv_is(text, "HEAD") || sv_find_char(text, '~') != SIZE_MAX ||
	       sv_find_char(text, '^') != SIZE_MAX || sv_find(text, SV("..")) != SIZE_MAX ||
	       sv_find(text, SV("@{")) != SIZE_MAX;
}

/* "a.c" of "HEAD:a.c" or ":a.c"; empty: none. */
static struct sv git_path_in_object(struct sv text)
{
	size_t colon = sv_rfind_char(text, ':');

	return colon == SIZE_MAX ? SV_EMPTY : sv_skip(text, colon + 1);
}

/* "HEAD:a.c" is an earlier version of the file; only its name can tell that it is a secret. */
static void git_read_object(struct invocation *inv, size_t arg)
{
	struct sv text = inv->argv[arg].text;
	struct git_pathspec spec;
	size_t colon = sv_rfind_char(text, ':');
	bool is_file = sv_starts(text, SV("/")) || (colon == SIZE_MAX && !git_is_revision(text));

	if (inv->argv[arg].is_tame && !text.len)
		return;
	if (git_read_magic(text, &spec) || is_file || !inv->argv[arg].known)
		git_read_pathspec(inv, arg, spec);
	else if (secret_is_file(git_path_in_object(text)))
		inv_escalates(inv, arg, text, "looks like a secret");
}

/* A format with signatures makes git run gpg. */
static bool git_asks_for_signature(const struct given_option *option)
{
	return sv_find(option->value, SV("%G")) != SIZE_MAX ||
	       sv_find(option->value, SV("%(signature")) != SIZE_MAX || !option->known;
}

/* Of submodules, their own settings apply to a comparison of their files. */
static bool git_compares_submodules(const struct given_option *option)
{
	return option->has_value &&
	       !(option->known && (sv_is(option->value, "log") || sv_is(option->value, "short")));
}

void git_formats(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];
		int tag = option->row->tag;

		if (tag == GIT_FORMAT && option->has_value && git_asks_for_signature(option))
			inv_escalates(inv, option->arg, SV("--format"), "may run gpg");
		if (tag == GIT_SUBMODULES && git_compares_submodules(option))
			inv_escalates(inv, option->arg, SV("--submodule"),
				      "runs git with the settings of submodules");
		if (tag == GIT_MERGES && (!option->known || sv_starts(option->value, SV("r"))))
			inv_escalates(inv, option->arg, SV("--diff-merges"), REMERGES);
	}
}

static void git_check_lines(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];
		size_t colon = sv_rfind_char(option->value, ':');

		if (option->row->tag == GIT_LINES && colon != SIZE_MAX)
			inv_path(inv, option->value_arg, sv_skip(option->value, colon + 1),
				 OPERAND_READ);
		else if (option->row->tag == GIT_LINES && !option->known)
			inv->unclear = true;
	}
}

void git_objects(struct invocation *inv)
{
	git_formats(inv);
	git_check_lines(inv);
	for (size_t i = 0; i < inv->operands.n; i++)
		git_read_object(inv, inv->operands.at[i]);
}

/* The first operand is what to search for, unless an option gives it. */
void git_grep(struct invocation *inv)
{
	size_t first = inv->first_replaced ? 0 : 1;

	for (size_t i = first; i < inv->operands.n; i++)
		git_read_object(inv, inv->operands.at[i]);
	if (inv->operands.n <= first) {
		inv_path(inv, 0, SV("."), OPERAND_READ);
		vec_last(&inv->use->operands)->known = true;
	}
}

void git_diff(struct invocation *inv)
{
	if (!inv_option(inv, GIT_NO_INDEX)) {
		git_objects(inv);
		return;
	}
	git_formats(inv);
	inv->recursive = true;
	inv_all_operands(inv, OPERAND_READ);
}

/* The first operand is a subcommand, or a revision for "show". */
void git_reflog(struct invocation *inv)
{
	if (inv_operand_is(inv, 0, "expire") || inv_operand_is(inv, 0, "delete"))
		inv_loses(inv, inv->operands.at[0], SV("reflog"),
			  "forgets where branches have been", true);
	inv->changes |= inv_operand_is(inv, 0, "drop") || inv_operand_is(inv, 0, "write");
	git_formats(inv);
}

/* --- names --------------------------------------------------------------------------------- */

void git_listing(struct invocation *inv)
{
	inv->changes |= inv->operands.n > 0 && !inv_option(inv, GIT_LISTS);
	git_formats(inv);
}

void git_symbolic_ref(struct invocation *inv)
{
	inv->changes |= inv->operands.n > 1;
}

void git_remote_show(struct invocation *inv)
{
	inv->use->network = inv->operands.n > 0 && !inv_option(inv, GIT_OFFLINE);
}

/* --- settings ------------------------------------------------------------------------------ */

bool git_is_harmless_setting(struct sv key)
{
	struct sv rest = sv_cstr(git_harmless_settings), one;

	while (sv_cut(&rest, ' ', &one)) {
		size_t n = sv_ends(one, SV(".")) ? one.len : key.len;

		if (sv_eq_nocase(sv_slice(key, 0, n), one))
			return true;
	}
	return sv_starts(key, SV("branch.")) &&
	       (sv_ends(key, SV(".merge")) || sv_ends(key, SV(".rebase")) ||
		sv_ends(key, SV(".description")));
}

static void git_config_file(struct invocation *inv, bool writes)
{
	const struct given_option *file = inv_option(inv, GIT_FILE);
	const struct given_option *blob = inv_option(inv, GIT_BLOB);
	const struct given_option *includes = inv_option(inv, GIT_INCLUDES);

	if (includes && (file || blob))
		inv_escalates(inv, includes->arg, SV("--includes"),
			      "reads files that a file names");
	if (blob && (!blob->known || secret_is_file(git_path_in_object(blob->value))))
		inv_escalates(inv, blob->arg, SV("--blob"), "looks like a secret");
	if (!file || !file->has_value)
		return;
	if (writes)
		inv_escalates(inv, file->arg, SV("--file"), "writes a file");
	inv_option_path(inv, file, writes ? OPERAND_WRITE : OPERAND_READ);
}

static void git_config_set(struct invocation *inv, size_t operand)
{
	const struct given_option *for_all = inv_option(inv, GIT_FOR_ALL);

	inv->changes = true;
	if (for_all)
		inv_escalates(inv, for_all->arg, inv->argv[for_all->arg].text,
			      "changes settings of all repositories");
	if (operand < inv->operands.n) {
		size_t arg = inv->operands.at[operand];
		const struct argument *key = &inv->argv[arg];

		if (key->known && git_is_harmless_setting(key->text))
			return;
		inv_escalates(inv, arg, key->text, "is a setting that may run a program");
		for (size_t i = operand + 1; i < inv->operands.n; i++) {
			const struct argument *value = &inv->argv[inv->operands.at[i]];

			inv_may_run_value(inv, value->text, value->known);
		}
	}
}

/* "git config KEY" prints, "git config KEY VALUE" sets; newer versions have subcommands. */
void git_config(struct invocation *inv)
{
	bool gets = inv_option(inv, GIT_GETS) || inv_operand_is(inv, 0, "list") ||
		    inv_operand_is(inv, 0, "get");
	bool is_explicit = inv_operand_is(inv, 0, "set") || inv_operand_is(inv, 0, "unset") ||
			   inv_operand_is(inv, 0, "rename-section") ||
			   inv_operand_is(inv, 0, "remove-section") ||
			   inv_operand_is(inv, 0, "edit");
	bool sets = !gets && (is_explicit || inv_option(inv, GIT_SETS) || inv->operands.n > 1);

	if (sets)
		git_config_set(inv, is_explicit ? 1 : 0);
	if (inv_operand_is(inv, 0, "edit"))
		inv_escalates(inv, inv->operands.at[0], SV("edit"), "runs an editor");
	git_config_file(inv, sets);
}

/* --- programs that git runs ---------------------------------------------------------------- */

void git_foreach(struct invocation *inv)
{
	inv_runs_words(inv, 0);
}

/* A strategy that is not built in is a program: git-merge-NAME. */
void git_strategy(struct invocation *inv)
{
	static const char own[][10] = {
		"ort", "recursive", "resolve", "octopus", "ours", "subtree"
	};

	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];
		bool is_own = option->known && sv_is_among(option->value, own);

		if (option->row->tag == GIT_STRATEGY && option->has_value && !is_own)
			inv_escalates(inv, option->arg, SV("--strategy"), "runs a program");
	}
}

/* --- losing work --------------------------------------------------------------------------- */

static bool git_is_after_dashes(const struct invocation *inv, size_t arg)
{
	for (size_t i = inv->first; i < arg; i++)
		if (sv_is(inv->argv[i].text, "--"))
			return true;
	return false;
}

/* Tell "." and "src/" and "a.c" from "main", "v1.2" and "HEAD~1". */
static bool git_looks_like_path(struct sv text)
{
	size_t dot = sv_rfind_char(text, '.');
	struct sv ending = dot == SIZE_MAX ? SV("") : sv_skip(text, dot + 1);

	if (sv_starts(text, SV(".")) || sv_starts(text, SV("/")) || sv_starts(text, SV(":")) ||
	    sv_ends(text, SV("/")) || sv_find_char(text, '*') != SIZE_MAX)
		return true;
	return ending.len > 0 && !ascii_is_digit(ending.ptr[0]) &&
	       sv_find(text, SV("..")) == SIZE_MAX;
}

static bool git_is_checked_out_path(const struct invocation *inv, size_t i)
{
	size_t arg = inv->operands.at[i];
	const struct argument *operand = &inv->argv[arg];

	if (inv_option(inv, GIT_CREATES))
		return false;
	return i > 0 || inv_option(inv, GIT_SIDES) || git_is_after_dashes(inv, arg) ||
	       !operand->known || git_looks_like_path(operand->text);
}

void git_checkout(struct invocation *inv)
{
	inv->use->unpacks = inv->operands.n > 0 || !inv_option(inv, GIT_CREATES);
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];

		if (git_is_checked_out_path(inv, i)) {
			inv_operand(inv, arg, OPERAND_WRITE);
			inv_loses(inv, arg, SV("checkout"), "discards changes to files", false);
		} else if (!inv_option(inv, GIT_CREATES)) {
			inv->use->loses_if_file = arg;
		}
	}
}

void git_restore(struct invocation *inv)
{
	if (inv_option(inv, GIT_STAGED) && !inv_option(inv, GIT_WORKTREE))
		return;
	inv_all_operands(inv, OPERAND_WRITE);
	inv_loses(inv, 0, SV("restore"), "discards changes to files", false);
}

void git_clean(struct invocation *inv)
{
	if (inv_option(inv, GIT_DRY) && !inv_option(inv, GIT_NOT_DRY))
		return;
	inv_all_operands(inv, OPERAND_WRITE);
	inv->changes = true;
	inv_loses(inv, 0, SV("clean"), "removes untracked files", false);
}

/* --- other repositories -------------------------------------------------------------------- */

/* git reaches "HELPER::address" through the program git-remote-HELPER. An operand that is not an
 * address on another host is a directory. */
static void git_repository(struct invocation *inv, size_t operand, enum operand_use use)
{
	size_t arg, colon, slash;
	struct sv text, scheme = SV("file://");

	if (operand >= inv->operands.n)
		return;
	arg = inv->operands.at[operand];
	text = inv->argv[arg].text;
	colon = sv_find_char(text, ':');
	slash = sv_find_char(text, '/');
	if (sv_find(text, SV("::")) == colon && colon != SIZE_MAX)
		inv_escalates(inv, arg, text, "runs a helper program");
	else if (sv_starts(text, scheme))
		inv_path(inv, arg, sv_skip(text, scheme.len), use);
	else if (slash < colon || sv_starts(text, SV(".")))
		inv_operand(inv, arg, use);
}

/* "+main" forces, ":main" deletes. */
static void git_check_refspecs(struct invocation *inv, bool deletes)
{
	for (size_t i = 1; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv text = inv->argv[arg].text;

		if (sv_starts(text, SV("+")))
			inv_loses(inv, arg, text, "replaces whatever is there", true);
		else if (deletes && sv_starts(text, SV(":")) && text.len > 1)
			inv_loses(inv, arg, text, "deletes a branch", true);
		else if (deletes && sv_starts(text, SV(":")) && !inv->argv[arg].known)
			inv_loses(inv, arg, text, "may delete a branch", true);
	}
}

void git_push(struct invocation *inv)
{
	git_repository(inv, 0, OPERAND_WRITE);
	git_check_refspecs(inv, true);
}

/* The address is the first operand, or the second after a name: "remote add NAME URL". */
void git_fetch(struct invocation *inv)
{
	git_repository(inv, 0, OPERAND_READ);
	if (inv->nouter > 1)
		git_repository(inv, 1, OPERAND_READ);
	else
		git_check_refspecs(inv, false);
	git_strategy(inv);
}

void git_clone(struct invocation *inv)
{
	git_repository(inv, 0, OPERAND_READ);
	if (inv->operands.n > 1)
		inv_operand(inv, inv->operands.at[1], OPERAND_WRITE);
	else
		inv_path(inv, 0, SV("."), OPERAND_WRITE);
}

/* --- files written ------------------------------------------------------------------------- */

/* The patch names the files that it changes. */
void git_apply(struct invocation *inv)
{
	inv_all_operands(inv, OPERAND_READ);
	inv->use->unpacks = !inv_option(inv, GIT_CHECKS) || inv_option(inv, GIT_APPLIES);
	if (!inv->use->unpacks)
		return;
	inv->recursive = true;
	inv_path(inv, 0, SV("."), OPERAND_WRITE);
}

void git_format_patch(struct invocation *inv)
{
	git_formats(inv);
	if (!inv_option(inv, GIT_STDOUT) && !inv_option(inv, GIT_OUTPUT))
		inv_path(inv, 0, SV("."), OPERAND_WRITE);
}

void git_first_is_written(struct invocation *inv)
{
	if (inv->operands.n > 0)
		inv_operand(inv, inv->operands.at[0], OPERAND_WRITE);
}
