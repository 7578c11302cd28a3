#include "core/policy/repo_settings.h"

#include "base/ascii.h"
#include "perm/path/path.h"
#include "sys/fs.h"

/* --- tables ------------------------------------------------------------------- */

/* In lower case, blank-separated. Sections that are missing here run nothing when git only reads. */
static const struct {
	const char *section, *harmless;
} repo_sections[] = {
	{ "core",
	  "abbrev attributesfile autocrlf bare bigfilethreshold checkroundtripencoding checkstat "
	  "commentchar commentstring commitgraph compression createobject deltabasecachelimit "
	  "editor "
	  "eol excludesfile filemode filesreflocktimeout fscache fsync fsyncmethod "
	  "fsyncobjectfiles "
	  "hidedotfiles ignorecase ignorestat logallrefupdates longpaths "
	  "loosecompression maxtreedepth multipackindex notesref packedgitlimit "
	  "packedgitwindowsize "
	  "packedrefstimeout pager precomposeunicode prefersymlinkrefs preloadindex protecthfs "
	  "protectntfs quotepath repositoryformatversion safecrlf sharedrepository sparsecheckout "
	  "sparsecheckoutcone splitindex symlinks trustctime untrackedcache usereplacerefs "
	  "warnambiguousrefs whitespace" },
	{ "diff", "algorithm autorefreshindex binary cachetextconv colormoved colormovedws context "
		  "dirstat dstprefix funcname guitool ignoresubmodules indentheuristic "
		  "interhunkcontext mnemonicprefix noindex noprefix orderfile relative renamelimit "
		  "renames srcprefix statgraphwidth statnamewidth suppressblankempty tool "
		  "trustexitcode wordregex wserrorhighlight xfuncname" },
	{ "filter", "required" },
	{ "gpg", "format mintrustlevel" },
	{ "hook", "" },
	{ "include", "" },
	{ "includeif", "" },
	{ "lfs", "access activitytimeout allowincompletepush basictransfersonly batch "
		 "concurrenttransfers dialtimeout fetchexclude fetchinclude "
		 "fetchrecentalways fetchrecentcommitsdays fetchrecentrefsdays "
		 "fetchrecentremoterefs keepalive locksverify maxretries "
		 "pruneoffsetdays pruneremotetocheck pruneverifyremotealways pushurl "
		 "repositoryformatversion setlockablereadonly skipdownloaderrors storage "
		 "tlstimeout transfermaxretries tustransfers url" },
	{ "remote", "fetch followremotehead mirror prune prunetags push pushurl serveroption "
		    "skipdefaultupdate skipfetchall tagopt url" },
};

/* The commands of Git LFS, as it configures them. */
static const char *const lfs_commands[] = {
	"git-lfs clean -- %f",    "git-lfs smudge -- %f",          "git-lfs smudge --skip -- %f",
	"git-lfs filter-process", "git-lfs filter-process --skip",
};

/* Values of log.diffMerges that compare without merging again. */
static const char *const merge_formats[] = { "off",           "none", "on", "m",        "separate",
					     "first-parent",  "1",    "c",  "combined", "cc",
					     "dense-combined" };

/* Sections about reaching other hosts. */
static const char *const transport_sections[] = { "credential", "http", "protocol", "ssh", "url" };

static bool repo_is_among(struct sv text, const char *const *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_eq_nocase(text, sv_cstr(all[i])))
			return true;
	return false;
}

static bool repo_is_listed(struct sv key, const char *list)
{
	struct sv rest = sv_cstr(list), one;

	while (sv_cut(&rest, ' ', &one))
		if (sv_eq_nocase(key, one))
			return true;
	return false;
}

/* --- single settings ------------------------------------------------------------ */

/* One setting: `[section "name"] key = value`. */
struct repo_setting {
	struct sv section, name, key, value;
};

static bool repo_setting_is(const struct repo_setting *s, const char *section, const char *key)
{
	return sv_eq_nocase(s->section, sv_cstr(section)) && sv_eq_nocase(s->key, sv_cstr(key));
}

/* Whether the value needs a parser to be understood. */
static bool repo_value_is_plain(struct sv value)
{
	for (size_t i = 0; i < value.len; i++)
		if (sv_find_char(SV("\"\\#;"), value.ptr[i]) != SIZE_MAX)
			return false;
	return true;
}

static void repo_path_of(struct str *out, struct sv dir, struct sv value)
{
	if (sv_starts(value, SV("/")))
		str_add(out, value);
	else
		fs_join(out, dir, value);
}

/* Whether the directory of hooks has the one hook that reading a repository can trigger. A path that
 * cannot be resolved counts as one that has it. */
bool repo_has_looking_hook(struct sv top, struct sv value)
{
	defer(str_clear) struct str path = STR_INIT;

	if (sv_starts(value, SV("~")) || sv_starts(value, SV("%")) || !repo_value_is_plain(value))
		return true;
	repo_path_of(&path, top, value);
	str_adds(&path, "/post-index-change");
	return fs_exists(str_c(&path));
}

/* Whether the setting names the work tree that the repository is in. */
static bool repo_is_own_work_tree(const struct repo_settings *settings, struct sv value)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info named, top;
	struct err ignored = ERR_INIT;
	defer(str_clear) struct str own = STR_INIT;

	repo_path_of(&path, settings->git_dir, value);
	str_add(&own, settings->top);
	return repo_value_is_plain(value) && fs_info(&named, str_c(&path), true, &ignored) &&
	       fs_info(&top, str_c(&own), true, &ignored) && named.device == top.device &&
	       named.inode == top.inode;
}

/* Whether the setting names a file of the work tree, or none. git shows what it finds in a file that
 * is not what it should be. */
static bool repo_is_own_file(const struct repo_settings *settings, struct sv value)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str real = STR_INIT;
	struct err err = ERR_INIT;

	if (!repo_value_is_plain(value) || sv_starts(value, SV("~")) || sv_starts(value, SV("%")) ||
	    sv_starts(value, SV(":")))
		return false;
	repo_path_of(&path, settings->top, value);
	if (!fs_realpath(&real, str_c(&path), &err))
		return err.kind == ERR_NOT_FOUND;
	return path_is_inside(sv_of(&real), settings->top);
}

/* Whether git takes it for the name of a remote, and not for an option, an address or a path. */
static bool repo_is_remote_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_word(name.ptr[i]) && (i == 0 || !ascii_is_one_of(name.ptr[i], "-.")))
			return false;
	return name.len > 0;
}

/* Whether the address is of another host, which git reaches by itself or with ssh. */
static bool repo_is_plain_address(struct sv url)
{
	size_t colon = sv_find_char(url, ':');

	if (!repo_value_is_plain(url) || sv_find(url, SV("::")) != SIZE_MAX)
		return false;
	return sv_starts(url, SV("https://")) || sv_starts(url, SV("ssh://")) ||
	       (colon != SIZE_MAX && url.ptr[0] != '-' &&
		sv_find_char(sv_slice(url, 0, colon), '/') == SIZE_MAX &&
		!sv_starts(sv_skip(url, colon), SV("://")));
}

/* Whether a setting of a listed section is harmless after all. */
static bool repo_setting_is_harmless(const struct repo_settings *settings,
				     const struct repo_setting *s)
{
	if (repo_setting_is(s, "diff", "submodule")) /* "diff" runs git in each of them */
		return sv_is(s->value, "log") || sv_is(s->value, "short");
	if (repo_setting_is(s, "core", "fsmonitor"))
		return !s->value.len || sv_eq_nocase(s->value, SV("true")) ||
		       sv_eq_nocase(s->value, SV("false"));
	if (repo_setting_is(s, "core", "hooksPath"))
		return !repo_has_looking_hook(settings->top, s->value);
	if (repo_setting_is(s, "core", "worktree"))
		return repo_is_own_work_tree(settings, s->value);
	if (sv_eq_nocase(s->section, SV("filter")))
		return repo_is_among(s->value, lfs_commands, countof(lfs_commands));
	/* No setting of git has a dash there; those of other programs do: gh-resolved. */
	return sv_eq_nocase(s->section, SV("remote")) && sv_find_char(s->key, '-') != SIZE_MAX;
}

static bool repo_setting_is_transport(const struct repo_setting *s)
{
	return repo_is_among(s->section, transport_sections, countof(transport_sections)) ||
	       repo_setting_is(s, "core", "sshCommand") || repo_setting_is(s, "core", "gitProxy") ||
	       repo_setting_is(s, "core", "askPass") || repo_setting_is(s, "remote", "proxy") ||
	       repo_setting_is(s, "remote", "proxyAuthMethod");
}

/* Note what is harmless in most repositories, but not together with another setting. */
static bool repo_setting_note_half(struct repo_settings *settings, const struct repo_setting *s)
{
	bool names_partial = repo_setting_is(s, "extensions", "partialClone");
	bool is_partial = names_partial || repo_setting_is(s, "remote", "promisor") ||
			  repo_setting_is(s, "remote", "partialclonefilter");
	bool is_driver = repo_setting_is(s, "merge", "driver") && !sv_is(s->value, "true");
	bool is_transport = repo_setting_is_transport(s);

	settings->is_partial |= is_partial;
	settings->has_transport |=
		is_transport ||
		(is_partial && !repo_is_remote_name(names_partial ? s->value : s->name)) ||
		(repo_setting_is(s, "remote", "url") && !repo_is_plain_address(s->value));
	settings->has_merge_driver |= is_driver;
	settings->repeats_merges |= repo_setting_is(s, "log", "diffMerges") &&
				    !repo_is_among(s->value, merge_formats, countof(merge_formats));
	return is_partial || is_driver || is_transport;
}

/* Whether a setting of any other section runs a program in a submodule, or shows a file. */
static bool repo_setting_counts(const struct repo_settings *settings, const struct repo_setting *s)
{
	if (repo_setting_is(s, "status", "submoduleSummary"))
		return !sv_is(s->value, "false") && !sv_is(s->value, "0");
	return (repo_setting_is(s, "blame", "ignoreRevsFile") ||
		repo_setting_is(s, "fsck", "skipList")) &&
	       !repo_is_own_file(settings, s->value);
}

static void repo_setting_note(struct repo_settings *settings, const struct repo_setting *s)
{
	bool is_listed = false, is_harmless = false;

	if (repo_setting_note_half(settings, s))
		return;
	for (size_t i = 0; i < countof(repo_sections); i++)
		if (sv_eq_nocase(s->section, sv_cstr(repo_sections[i].section))) {
			is_listed = true;
			is_harmless = repo_is_listed(s->key, repo_sections[i].harmless);
		}
	/* "ext::sh -c x": a program reaches the address. */
	is_harmless &=
		!sv_eq_nocase(s->section, SV("remote")) || sv_find(s->value, SV("::")) == SIZE_MAX;
	settings->runs_programs |=
		(is_listed && !is_harmless && !repo_setting_is_harmless(settings, s)) ||
		repo_setting_counts(settings, s);
}

/* --- the file --------------------------------------------------------------------- */

/* The length of the head of a section, such as `[diff "x]y"]`. */
static size_t repo_head_length(struct sv line)
{
	bool quoted = false;

	for (size_t i = 1; i < line.len; i++) {
		if (line.ptr[i] == '\\')
			i++;
		else if (line.ptr[i] == '"')
			quoted = !quoted;
		else if (line.ptr[i] == ']' && !quoted)
			return i + 1;
	}
	return line.len;
}

/* Read `[section "name"]` or `[section.name]`, of this length. */
static void repo_head_read(struct repo_setting *in, struct sv line, size_t len)
{
	size_t end = 1;

	while (end < len && !ascii_is_one_of(line.ptr[end], " \t\"]."))
		end++;
	in->section = sv_slice(line, 1, end);
	in->name = sv_trim(sv_slice(line, end, max_of(end, len - 1)));
	if (sv_starts(in->name, SV(".")))
		in->name = sv_skip(in->name, 1);
	else if (in->name.len > 1 && sv_starts(in->name, SV("\"")) && sv_ends(in->name, SV("\"")))
		in->name = sv_slice(in->name, 1, in->name.len - 1);
}

/* A section may be followed by its first setting. `in` has the section that the line is in. */
static void repo_line_note(struct repo_settings *settings, struct sv line, struct repo_setting *in)
{
	size_t equals;

	line = sv_trim(line);
	if (sv_starts(line, SV("\xef\xbb\xbf")))
		line = sv_skip(line, 3);
	while (sv_starts(line, SV("["))) {
		size_t len = repo_head_length(line);

		repo_head_read(in, line, len);
		line = sv_trim(sv_skip(line, len));
	}
	if (!line.len || line.ptr[0] == '#' || line.ptr[0] == ';')
		return;
	/* The next line continues this one, whatever it looks like. */
	settings->runs_programs |= sv_ends(line, SV("\\"));
	equals = sv_find_char(line, '=');
	in->key = sv_trim(sv_slice(line, 0, equals));
	in->value = equals == SIZE_MAX ? SV("true") : sv_trim(sv_skip(line, equals + 1));
	repo_setting_note(settings, in);
}

void repo_settings_read(struct repo_settings *settings, struct sv text)
{
	struct repo_setting in = { .section = SV_EMPTY };
	struct sv line;

	while (sv_cut_line(&text, &line))
		repo_line_note(settings, line, &in);
}

bool repo_settings_count(const struct repo_settings *settings)
{
	return settings->runs_programs || (settings->is_partial && settings->has_transport) ||
	       (settings->has_merge_driver && settings->repeats_merges);
}
