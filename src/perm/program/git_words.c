/* What git's tables cannot say: its operands are revisions, paths, addresses, names to list or
 * to create, and settings, as the options and the words before them have it. */
#include "perm/program/git.h"

#include "perm/path/secret_name.h"

/* --- objects and files ----------------------------------------------------------------- */

/* ":(top,glob)*.c", ":!a.c", ":/a.c": the path in it. False: it is no such thing. */
static bool is_pathspec(struct sv text, struct sv *path)
{
	if (text.len < 2 || text.ptr[0] != ':' || sv_find_char(SV("(!^/"), text.ptr[1]) == SIZE_MAX)
		return false;
	*path = sv_skip(text, 1);
	if (path->ptr[0] == '(')
		*path = sv_skip(*path, min_of(sv_find_char(*path, ')'), path->len - 1) + 1);
	while (path->len > 0 && sv_find_char(SV("!^/"), path->ptr[0]) != SIZE_MAX)
		*path = sv_skip(*path, 1);
	return true;
}

/* "HEAD~2", "main..feature", "@{u}": never a file. */
static bool is_revision(struct sv text)
{
	if (sv_starts(text, SV(".")) || sv_starts(text, SV("/")) ||
	    sv_find(text, SV("../")) != SIZE_MAX)
		return false;
	return sv_is(text, "HEAD") || sv_find_char(text, '~') != SIZE_MAX ||
	       sv_find_char(text, '^') != SIZE_MAX || sv_find(text, SV("..")) != SIZE_MAX ||
	       sv_find(text, SV("@{")) != SIZE_MAX;
}

/* "HEAD:a.c" is the file as it once was: rules about files only speak of it by its name. */
static void read_object(struct look *look, size_t arg)
{
	struct sv text = look->argv[arg].text, path = text;
	size_t colon = sv_rfind_char(text, ':');
	bool is_file = sv_starts(text, SV("/")) || (colon == SIZE_MAX && !is_revision(text));

	if (look->argv[arg].is_tame && !text.len)
		return;
	if (is_pathspec(text, &path) || is_file || !look->argv[arg].known)
		look_path(look, arg, path, OPERAND_READ);
	else if (colon != SIZE_MAX && secret_is_file(sv_skip(text, colon + 1)))
		look_acts(look, arg, text, "looks like a secret");
}

/* Asked for signatures, git has gpg check them. */
static bool asks_for_signature(const struct seen *seen)
{
	return sv_find(seen->value, SV("%G")) != SIZE_MAX ||
	       sv_find(seen->value, SV("%(signature")) != SIZE_MAX || !seen->known;
}

void git_formats(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (seen->row->tag == GIT_FORMAT && seen->has_value && asks_for_signature(seen))
			look_acts(look, seen->arg, SV("--format"), "may run gpg");
	}
}

static void check_lines(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];
		size_t colon = sv_rfind_char(seen->value, ':');

		if (seen->row->tag == GIT_LINES && colon != SIZE_MAX)
			look_path(look, seen->value_arg, sv_skip(seen->value, colon + 1),
				  OPERAND_READ);
		else if (seen->row->tag == GIT_LINES && !seen->known)
			look->unclear = true;
	}
}

void git_objects(struct look *look)
{
	git_formats(look);
	check_lines(look);
	for (size_t i = 0; i < look->operands.n; i++)
		read_object(look, look->operands.at[i]);
}

void git_diff(struct look *look)
{
	if (!look_seen(look, GIT_NO_INDEX)) {
		git_objects(look);
		return;
	}
	git_formats(look);
	look->recursive = true;
	for (size_t i = 0; i < look->operands.n; i++)
		look_operand(look, look->operands.at[i], OPERAND_READ);
}

static bool operand_is(const struct look *look, size_t i, const char *word)
{
	return i < look->operands.n && sv_is(look->argv[look->operands.at[i]].text, word);
}

/* Its first operand may be a subcommand, or what "show" shows. */
void git_reflog(struct look *look)
{
	if (operand_is(look, 0, "expire") || operand_is(look, 0, "delete"))
		look_loses(look, look->operands.at[0], SV("reflog"),
			   "forgets where branches have been", true);
	look->changes |= operand_is(look, 0, "drop") || operand_is(look, 0, "write");
	git_formats(look);
}

/* --- names ------------------------------------------------------------------------------- */

void git_listing(struct look *look)
{
	look->changes |= look->operands.n > 0 && !look_seen(look, GIT_LISTS);
	git_formats(look);
}

void git_symbolic_ref(struct look *look)
{
	look->changes |= look->operands.n > 1;
}

void git_remote_show(struct look *look)
{
	look->use->network = look->operands.n > 0 && !look_seen(look, GIT_OFFLINE);
}

/* --- settings ------------------------------------------------------------------------------ */

/* Those that run nothing, open nothing and lead nowhere; with a dot at the end, all of a
 * section. All others are taken to. */
bool program_is_harmless_setting(struct sv key)
{
	struct sv rest =
		SV("user.name user.email user.signingkey user.useconfigonly author.name "
		   "author.email committer.name committer.email init.defaultbranch "
		   "pull.rebase pull.ff push.default push.autosetupremote push.followtags "
		   "fetch.prune fetch.prunetags fetch.parallel merge.conflictstyle merge.ff "
		   "merge.renames merge.log merge.stat diff.renames diff.algorithm "
		   "diff.colormoved diff.context diff.mnemonicprefix diff.noprefix "
		   "diff.renamelimit rebase.autostash rebase.autosquash rebase.updaterefs "
		   "rerere.enabled rerere.autoupdate commit.verbose commit.cleanup "
		   "commit.status commit.gpgsign tag.gpgsign tag.sort branch.sort "
		   "branch.autosetupmerge branch.autosetuprebase log.date log.decorate "
		   "log.follow log.abbrevcommit core.autocrlf core.eol core.safecrlf "
		   "core.filemode core.ignorecase core.quotepath core.abbrev core.whitespace "
		   "core.precomposeunicode core.longpaths core.compression core.symlinks "
		   "core.logallrefupdates core.preloadindex core.untrackedcache "
		   "core.bigfilethreshold gc.auto gc.autodetach grep.linenumber "
		   "grep.patterntype stash.showpatch stash.showstat submodule.recurse "
		   "http.postbuffer pack.threads index.threads feature.manyfiles "
		   "i18n.commitencoding i18n.logoutputencoding advice. color. column. status.");
	struct sv one;

	while (sv_cut(&rest, ' ', &one)) {
		size_t n = sv_ends(one, SV(".")) ? one.len : key.len;

		if (sv_eq_nocase(sv_slice(key, 0, n), one))
			return true;
	}
	return sv_starts(key, SV("branch.")) &&
	       (sv_ends(key, SV(".merge")) || sv_ends(key, SV(".rebase")) ||
		sv_ends(key, SV(".description")));
}

static void config_file(struct look *look, bool writes)
{
	const struct seen *file = look_seen(look, GIT_FILE);

	if (!file || !file->has_value)
		return;
	if (writes)
		look_acts(look, file->arg, SV("--file"), "writes a file");
	if (!file->known || !sv_is(file->value, "-"))
		look_path(look, file->value_arg, file->value,
			  writes ? OPERAND_WRITE : OPERAND_READ);
}

static void config_set(struct look *look, size_t operand)
{
	const struct seen *for_all = look_seen(look, GIT_FOR_ALL);

	look->changes = true;
	if (for_all)
		look_acts(look, for_all->arg, look->argv[for_all->arg].text,
			  "changes settings of all repositories");
	if (operand < look->operands.n) {
		size_t arg = look->operands.at[operand];
		const struct argument *key = &look->argv[arg];

		if (key->known && program_is_harmless_setting(key->text))
			return;
		look_acts(look, arg, key->text, "is a setting that may run a program");
		for (size_t i = operand + 1; i < look->operands.n; i++) {
			const struct argument *value = &look->argv[look->operands.at[i]];

			look_commands_in(look, value->text, value->known);
		}
	}
}

/* "git config KEY" tells, "git config KEY VALUE" sets; newer ones have subcommands. */
void git_config(struct look *look)
{
	bool gets = look_seen(look, GIT_GETS) || operand_is(look, 0, "list") ||
		    operand_is(look, 0, "get");
	bool says_so = operand_is(look, 0, "set") || operand_is(look, 0, "unset") ||
		       operand_is(look, 0, "rename-section") ||
		       operand_is(look, 0, "remove-section") || operand_is(look, 0, "edit");
	bool sets = !gets && (says_so || look_seen(look, GIT_SETS) || look->operands.n > 1);

	if (sets)
		config_set(look, says_so ? 1 : 0);
	if (operand_is(look, 0, "edit"))
		look_acts(look, look->operands.at[0], SV("edit"), "runs an editor");
	config_file(look, sets);
}

/* --- what runs programs --------------------------------------------------------------------- */

static void must_be_named(struct look *look, const char *why)
{
	look_acts(look, look->first - 1, sv_cstr(look->row->name), why);
}

const struct option_row git_difftool_options[1] = {
	{ "-x= --extcmd=", EFFECT_RUNS },
};

void git_runs(struct look *look)
{
	must_be_named(look, "runs other programs");
}

void git_tells_secrets(struct look *look)
{
	must_be_named(look, "tells passwords");
}

void git_foreach(struct look *look)
{
	struct sv script;

	must_be_named(look, "runs a command");
	if (look->operands.n > 0 && look_join(look, look->operands.at[0], look->n, &script))
		look_script(look, script);
}

/* Others than git's own are programs: git-merge-NAME. */
void git_strategy(struct look *look)
{
	static const char *const own[] = { "ort",     "recursive", "resolve",
					   "octopus", "ours",      "subtree" };

	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];
		bool is_own = false;

		for (size_t k = 0; k < countof(own); k++)
			is_own |= seen->known && sv_is(seen->value, own[k]);
		if (seen->row->tag == GIT_STRATEGY && seen->has_value && !is_own)
			look_acts(look, seen->arg, SV("--strategy"), "runs a program");
	}
}

/* --- what would be lost ------------------------------------------------------------------------ */

static bool is_after_dashes(const struct look *look, size_t arg)
{
	for (size_t i = look->first; i < arg; i++)
		if (sv_is(look->argv[i].text, "--"))
			return true;
	return false;
}

/* "." and "src/" and "a.c", other than "main", "v1.2" and "HEAD~1". */
static bool looks_like_path(struct sv text)
{
	size_t dot = sv_rfind_char(text, '.');
	struct sv ending = dot == SIZE_MAX ? SV("") : sv_skip(text, dot + 1);

	if (sv_starts(text, SV(".")) || sv_starts(text, SV("/")) || sv_starts(text, SV(":")) ||
	    sv_ends(text, SV("/")) || sv_find_char(text, '*') != SIZE_MAX)
		return true;
	return ending.len > 0 && (ending.ptr[0] < '0' || ending.ptr[0] > '9') &&
	       sv_find(text, SV("..")) == SIZE_MAX;
}

static bool is_checked_out_path(const struct look *look, size_t i)
{
	size_t arg = look->operands.at[i];
	const struct argument *operand = &look->argv[arg];

	if (look_seen(look, GIT_CREATES))
		return false;
	return i > 0 || look_seen(look, GIT_SIDES) || is_after_dashes(look, arg) ||
	       !operand->known || looks_like_path(operand->text);
}

void git_checkout(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];

		if (is_checked_out_path(look, i)) {
			look_operand(look, arg, OPERAND_WRITE);
			look_loses(look, arg, SV("checkout"), "drops changes of files", false);
		} else if (!look_seen(look, GIT_CREATES)) {
			look->use->loses_if_file = arg;
		}
	}
}

static void write_operands(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++)
		look_operand(look, look->operands.at[i], OPERAND_WRITE);
}

void git_restore(struct look *look)
{
	if (look_seen(look, GIT_STAGED) && !look_seen(look, GIT_WORKTREE))
		return;
	write_operands(look);
	look_loses(look, 0, SV("restore"), "drops changes of files", false);
}

void git_clean(struct look *look)
{
	if (look_seen(look, GIT_DRY) && !look_seen(look, GIT_NOT_DRY))
		return;
	write_operands(look);
	look->changes = true;
	look_loses(look, 0, SV("clean"), "removes files that git does not keep", false);
}

void git_named_loss(struct look *look)
{
	look_loses(look, look->first - 1, sv_cstr(look->row->name), "drops what was put away",
		   true);
}

/* --- other repositories --------------------------------------------------------------------------- */

/* "HELPER::address" is reached by the program git-remote-HELPER; what is no address of another
 * host is a directory. */
static void repository(struct look *look, size_t operand, enum operand_use use)
{
	size_t arg, colon, slash;
	struct sv text, scheme = SV("file://");

	if (operand >= look->operands.n)
		return;
	arg = look->operands.at[operand];
	text = look->argv[arg].text;
	colon = sv_find_char(text, ':');
	slash = sv_find_char(text, '/');
	if (sv_find(text, SV("::")) == colon && colon != SIZE_MAX)
		look_acts(look, arg, text, "runs a program to get there");
	else if (sv_starts(text, scheme))
		look_path(look, arg, sv_skip(text, scheme.len), use);
	else if (slash < colon || sv_starts(text, SV(".")))
		look_operand(look, arg, use);
}

/* "+main" forces, ":main" deletes. */
static void check_refspecs(struct look *look, bool deletes)
{
	for (size_t i = 1; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv text = look->argv[arg].text;

		if (sv_starts(text, SV("+")))
			look_loses(look, arg, text, "replaces whatever is there", true);
		else if (deletes && sv_starts(text, SV(":")) && text.len > 1)
			look_loses(look, arg, text, "deletes a branch", true);
		else if (deletes && sv_starts(text, SV(":")) && !look->argv[arg].known)
			look_loses(look, arg, text, "may delete a branch", true);
	}
}

void git_push(struct look *look)
{
	repository(look, 0, OPERAND_WRITE);
	check_refspecs(look, true);
}

/* The address is the first operand, or the second after a name: "remote add NAME URL". */
void git_fetch(struct look *look)
{
	repository(look, 0, OPERAND_READ);
	if (look->nouter > 1)
		repository(look, 1, OPERAND_READ);
	else
		check_refspecs(look, false);
	git_strategy(look);
}

void git_clone(struct look *look)
{
	repository(look, 0, OPERAND_READ);
	if (look->operands.n > 1)
		look_operand(look, look->operands.at[1], OPERAND_WRITE);
	else
		look_path(look, 0, SV("."), OPERAND_WRITE);
}

/* --- files written ------------------------------------------------------------------------------------- */

/* Which files a patch changes stands in the patch. */
void git_apply(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++)
		look_operand(look, look->operands.at[i], OPERAND_READ);
	if (look_seen(look, GIT_CHECKS) && !look_seen(look, GIT_APPLIES))
		return;
	look->recursive = true;
	look_path(look, 0, SV("."), OPERAND_WRITE);
}

void git_format_patch(struct look *look)
{
	git_formats(look);
	if (!look_seen(look, GIT_STDOUT) && !look_seen(look, GIT_OUTPUT))
		look_path(look, 0, SV("."), OPERAND_WRITE);
}

void git_first_is_written(struct look *look)
{
	if (look->operands.n > 0)
		look_operand(look, look->operands.at[0], OPERAND_WRITE);
}
