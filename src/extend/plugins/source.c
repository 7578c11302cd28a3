/* Where marketplaces and plugins come from. */
#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "extend/plugins/marketplace.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "text/match/regex.h"

/* What each kind is called, and the members that it cannot do without. */
static const struct {
	char word[12], needs[12], needs_too[8];
} source_kinds[SOURCE_KINDS] = {
	[SOURCE_PATH] = { "path", "path", "" },
	[SOURCE_DIRECTORY] = { "directory", "path", "" },
	[SOURCE_FILE] = { "file", "path", "" },
	[SOURCE_GITHUB] = { "github", "repo", "" },
	[SOURCE_GIT] = { "git", "url", "" },
	[SOURCE_GIT_SUBDIR] = { "git-subdir", "url", "path" },
	[SOURCE_URL] = { "url", "url", "" },
	[SOURCE_NPM] = { "npm", "package", "" },
	[SOURCE_ARCHIVE] = { "archive", "url", "sha256" },
};

/* The members that a source may have. */
static const struct {
	char key[12];
	size_t at;
} source_members[] = {
	{ "path", offsetof(struct plugin_source, path) },
	{ "url", offsetof(struct plugin_source, url) },
	{ "repo", offsetof(struct plugin_source, repo) },
	{ "ref", offsetof(struct plugin_source, ref) },
	{ "sha", offsetof(struct plugin_source, sha) },
	{ "package", offsetof(struct plugin_source, package) },
	{ "version", offsetof(struct plugin_source, version) },
	{ "registry", offsetof(struct plugin_source, registry) },
	{ "sha256", offsetof(struct plugin_source, sha256) },
};

static struct sv *source_member(struct plugin_source *source, size_t i)
{
	return (struct sv *)((char *)source + source_members[i].at);
}

static const struct sv *source_member_of(const struct plugin_source *source, size_t i)
{
	return (const struct sv *)((const char *)source + source_members[i].at);
}

/* --- what may be in one ---------------------------------------------------------------------- */

/* Nothing that a program could take for an option, or that would end a line. */
static bool source_is_plain(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f)
			return false;
	return !sv_starts(text, SV("-"));
}

static bool source_is_hex(struct sv text, size_t most)
{
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_alnum(text.ptr[i]) || (text.ptr[i] | 0x20) > 'f')
			return false;
	return text.len >= 7 && text.len <= most;
}

static bool source_is_repo(struct sv repo)
{
	struct sv rest = repo, owner;
	size_t slash = sv_find_char(repo, '/');

	for (size_t i = 0; i < repo.len; i++)
		if (!ascii_is_alnum(repo.ptr[i]) && !ascii_is_one_of(repo.ptr[i], "-_./"))
			return false;
	return slash != SIZE_MAX && sv_cut(&rest, '/', &owner) && owner.len && rest.len &&
	       sv_find_char(rest, '/') == SIZE_MAX && !sv_is(rest, "..") && !sv_is(rest, ".") &&
	       owner.ptr[0] != '.';
}

/* "name" or "@scope/name": neither an address nor a path. */
static bool source_is_package(struct sv name)
{
	struct sv rest = sv_starts(name, SV("@")) ? sv_skip(name, 1) : name;
	size_t slashes = 0;

	for (size_t i = 0; i < rest.len; i++) {
		slashes += rest.ptr[i] == '/';
		if (!ascii_is_alnum(rest.ptr[i]) && !ascii_is_one_of(rest.ptr[i], "-_./"))
			return false;
	}
	return rest.len && ascii_is_alnum(rest.ptr[0]) && slashes == (rest.len < name.len) &&
	       !sv_ends(rest, SV("/"));
}

static bool source_is_version(struct sv version)
{
	for (size_t i = 0; i < version.len; i++)
		if (!ascii_is_alnum(version.ptr[i]) && !ascii_is_one_of(version.ptr[i], "-_.+^~"))
			return false;
	return source_is_plain(version);
}

/* Who is asked, and as whom: "user@host:1" of "https://user@host:1/x", "git@host" of "git@host:x". */
static struct sv source_authority(struct sv url)
{
	size_t scheme = sv_find(url, SV("://"));
	struct sv rest = scheme == SIZE_MAX ? url : sv_skip(url, scheme + 3);

	return sv_slice(rest, 0,
			min_of(sv_find_char(rest, scheme == SIZE_MAX ? ':' : '/'), rest.len));
}

/* The host of an address; empty: it has none. */
static struct sv source_host(struct sv url)
{
	struct sv authority = source_authority(url), host;
	size_t at = sv_rfind_char(authority, '@');

	host = at == SIZE_MAX ? authority : sv_skip(authority, at + 1);
	if (sv_starts(host, SV("[")))
		return sv_slice(host, 1, min_of(sv_find_char(host, ']'), host.len));
	return sv_slice(host, 0, min_of(sv_find_char(host, ':'), host.len));
}

/* Who fetches and a policy must mean the same host, so it has no character that they could read differently. */
static bool source_has_host(struct sv url)
{
	struct sv authority = source_authority(url), host = source_host(url);

	for (size_t i = 0; i < authority.len; i++)
		if (!ascii_is_alnum(authority.ptr[i]) &&
		    !ascii_is_one_of(authority.ptr[i], "-_.~+%:@[]"))
			return false;
	return host.len && host.ptr[0] != '-' && sv_find_char(host, '%') == SIZE_MAX;
}

/* "https://host/x", "git@host:x", "file:///x" */
static bool source_is_address(struct sv url)
{
	static const char schemes[][9] = { "https://", "http://", "ssh://", "git@" };

	if (!source_is_plain(url))
		return false;
	for (size_t i = 0; i < countof(schemes); i++)
		if (sv_starts(url, sv_cstr(schemes[i])))
			return source_has_host(url);
	return sv_starts(url, SV("file:///"));
}

static bool source_check(struct plugin_source *source, struct err *err)
{
	struct sv path = source->path;

	if (source->url.len && !source_is_address(source->url) &&
	    !(source->kind == SOURCE_URL && source_is_repo(source->url)) &&
	    !(source->kind == SOURCE_GIT_SUBDIR && source_is_repo(source->url)))
		return err_set(err, ERR_INVALID, "\"%.*s\" is not an address that awl fetches from",
			       SV_ARG(source->url));
	if (source->repo.len && !source_is_repo(source->repo))
		return err_set(err, ERR_INVALID, "\"repo\" must be owner/name");
	if (source->package.len && !source_is_package(source->package))
		return err_set(err, ERR_INVALID, "\"package\" must be the name of an npm package");
	if (!source_is_version(source->version) || !source_is_plain(source->ref) ||
	    !source_is_plain(source->registry))
		return err_set(err, ERR_INVALID, "\"version\", \"ref\" or \"registry\" is invalid");
	if ((source->sha.len && !source_is_hex(source->sha, 64)) ||
	    (source->sha256.len &&
	     (source->sha256.len != 64 || !source_is_hex(source->sha256, 64))))
		return err_set(err, ERR_INVALID, "\"sha\" or \"sha256\" is not a hash");
	if ((source->kind == SOURCE_PATH || source->kind == SOURCE_GIT_SUBDIR) &&
	    !plugin_path_read(path, &source->path))
		return err_set(err, ERR_INVALID, "the path \"%.*s\" leads out of the marketplace",
			       SV_ARG(path));
	return true;
}

static enum plugin_source_kind source_find_kind(struct sv word)
{
	enum plugin_source_kind kind = 0;

	while (kind < SOURCE_KINDS && !sv_is(word, source_kinds[kind].word))
		kind++;
	return kind;
}

static bool source_needs(struct json value, enum plugin_source_kind kind, struct err *err)
{
	const char *const keys[] = { source_kinds[kind].needs, source_kinds[kind].needs_too };

	for (size_t i = 0; i < countof(keys); i++)
		if (*keys[i] && !json_str_or(json_get(value, keys[i]), SV_EMPTY).len)
			return err_set(err, ERR_INVALID, "a source of type %s needs \"%s\"",
				       source_kinds[kind].word, keys[i]);
	return true;
}

bool plugin_source_read(struct plugin_source *out, struct json value, struct err *err)
{
	struct plugin_source source = { .kind = SOURCE_PATH };

	if (!json_str(value, &source.path)) {
		source.kind = source_find_kind(json_str_or(json_get(value, "source"), SV_EMPTY));
		if (source.kind == SOURCE_KINDS)
			return err_set(err, ERR_INVALID,
				       "\"source\" must be a path, or an object whose \"source\" "
				       "is github, git, git-subdir, url, npm, archive, directory "
				       "or file");
		if (!source_needs(value, source.kind, err))
			return false;
		for (size_t i = 0; i < countof(source_members); i++)
			*source_member(&source, i) =
				json_str_or(json_get(value, source_members[i].key), SV_EMPTY);
	}
	if (!source_check(&source, err))
		return false;
	*out = source;
	return true;
}

/* --- as people type them --------------------------------------------------------------------- */

/* "x#ref" */
static struct sv source_cut_ref(struct sv *typed)
{
	size_t hash = sv_rfind_char(*typed, '#');
	struct sv ref = hash == SIZE_MAX ? SV_EMPTY : sv_skip(*typed, hash + 1);

	if (hash != SIZE_MAX)
		*typed = sv_slice(*typed, 0, hash);
	return ref;
}

static bool source_parse_place(struct plugin_source *out, struct sv typed, const char *cwd,
			       struct arena *arena, struct err *err)
{
	defer(str_clear) struct str full = STR_INIT, real = STR_INIT;
	struct fs_info info;

	if (sv_starts(typed, SV("/")))
		str_add(&full, typed);
	else
		fs_join(&full, sv_cstr(cwd), typed);
	if (!fs_realpath(&real, full.ptr, err) || !fs_info(&info, real.ptr, true, err))
		return false;
	*out = (struct plugin_source){ .kind = info.kind == FS_DIR ? SOURCE_DIRECTORY : SOURCE_FILE,
				       .path = arena_dup(arena, sv_of(&real)) };
	return true;
}

bool plugin_source_parse(struct plugin_source *out, struct sv typed, const char *cwd,
			 struct arena *arena, struct err *err)
{
	struct plugin_source source = { .kind = SOURCE_GIT };
	struct sv rest = typed;
	bool is_path = sv_starts(typed, SV(".")) || sv_starts(typed, SV("/"));

	if (is_path)
		return source_parse_place(out, typed, cwd, arena, err);
	source.ref = arena_dup(arena, source_cut_ref(&rest));
	if (source_is_address(rest)) {
		source.kind = sv_ends(rest, SV(".json")) ? SOURCE_URL : SOURCE_GIT;
		source.url = arena_dup(arena, rest);
	} else if (source_is_repo(rest)) {
		source.kind = SOURCE_GITHUB;
		source.repo = arena_dup(arena, rest);
	} else {
		return err_set(
			err, ERR_INVALID,
			"'%.*s' is not a marketplace: give owner/repo, an address, or a path "
			"that begins with ./ or /",
			SV_ARG(typed));
	}
	if (!source_check(&source, err))
		return false;
	*out = source;
	return true;
}

/* --- writing --------------------------------------------------------------------------------- */

void plugin_source_write(struct jw *w, const struct plugin_source *source)
{
	jw_object(w);
	jw_put_str(w, "source", sv_cstr(source_kinds[source->kind].word));
	for (size_t i = 0; i < countof(source_members); i++)
		if (source_member_of(source, i)->len)
			jw_put_str(w, source_members[i].key, *source_member_of(source, i));
	jw_end(w);
}

void plugin_source_describe(struct str *out, const struct plugin_source *source)
{
	static const size_t shown[] = { 2, 1, 5, 0 }; /* repo, url, package, path */

	str_adds(out, source_kinds[source->kind].word);
	for (size_t i = 0; i < countof(shown); i++)
		if (source_member_of(source, shown[i])->len)
			str_addf(out, " %.*s", SV_ARG(*source_member_of(source, shown[i])));
	if (source->version.len)
		str_addf(out, "@%.*s", SV_ARG(source->version));
	if (source->ref.len)
		str_addf(out, " (%.*s)", SV_ARG(source->ref));
	if (source->sha.len || source->sha256.len)
		str_addf(out, ", pinned to %.*s",
			 SV_ARG(sv_slice(source->sha.len ? source->sha : source->sha256, 0, 12)));
}

struct sv plugin_source_address(const struct plugin_source *source, struct arena *arena)
{
	if (source->kind == SOURCE_GITHUB)
		return arena_printf(arena, "https://github.com/%.*s.git", SV_ARG(source->repo));
	if (source->kind != SOURCE_GIT && source->kind != SOURCE_GIT_SUBDIR &&
	    source->kind != SOURCE_URL)
		return SV_EMPTY;
	if (source_is_repo(source->url))
		return arena_printf(arena, "https://github.com/%.*s.git", SV_ARG(source->url));
	return arena_dup(arena, source->url);
}

bool plugin_source_is_local(const struct plugin_source *source)
{
	return source->kind == SOURCE_DIRECTORY || source->kind == SOURCE_FILE ||
	       sv_starts(source->url, SV("file://"));
}

/* --- policy ---------------------------------------------------------------------------------- */

/* A pattern that cannot be used matches what is blocked, and nothing that is allowed. */
static bool source_matches_pattern(struct sv pattern, struct sv text, bool nocase, bool if_broken)
{
	struct regex_budget budget = { .steps = LIMIT_PATTERN_STEPS };
	struct regex_match match;
	struct err ignored = ERR_INIT;
	defer(regex_freep) struct regex *regex =
		regex_new(pattern, (struct regex_opts){ .nocase = nocase }, &ignored);

	if (!regex)
		return if_broken;
	switch (regex_find(regex, text, 0, &budget, &match)) {
	case REGEX_FOUND: return text.len > 0;
	case REGEX_NONE: return false;
	case REGEX_GAVE_UP: break;
	}
	return if_broken;
}

/* Whether an entry of a policy means this source: it says the same, as far as it says anything. */
static bool source_is_meant(const struct plugin_source *source, struct json entry, bool if_broken)
{
	struct sv word = json_str_or(json_get(entry, "source"), SV_EMPTY);
	struct sv host = source->kind == SOURCE_GITHUB || source_is_repo(source->url)
				 ? SV("github.com")
				 : source_host(source->url);

	if (sv_is(word, "hostPattern"))
		return source_matches_pattern(json_str_or(json_get(entry, "hostPattern"), SV_EMPTY),
					      host, true, if_broken);
	if (sv_is(word, "pathPattern"))
		return plugin_source_is_local(source) &&
		       source_matches_pattern(json_str_or(json_get(entry, "pathPattern"), SV_EMPTY),
					      source->path, false, if_broken);
	if (!sv_is(word, source_kinds[source->kind].word))
		return false;
	for (size_t i = 0; i < countof(source_members); i++) {
		struct json want = json_get(entry, source_members[i].key);

		if (json_exists(want) &&
		    !sv_eq(json_str_or(want, SV_EMPTY), *source_member_of(source, i)))
			return false;
	}
	return true;
}

static bool source_is_listed(const struct plugin_source *source, struct json list, bool if_broken)
{
	struct json_iter it = json_each(list);
	struct json entry;

	while (json_next(&it, NULL, &entry))
		if (source_is_meant(source,
				    json_is(json_get(entry, "source"), JSON_OBJECT)
					    ? json_get(entry, "source")
					    : entry,
				    if_broken))
			return true;
	return false;
}

bool plugin_policy_allows(const struct plugin_policy *policy, const struct plugin_source *source,
			  struct err *err)
{
	defer(str_clear) struct str name = STR_INIT;

	plugin_source_describe(&name, source);
	if (source_is_listed(source, policy->blocked, true))
		return err_set(err, ERR_ACCESS,
			       "blockedMarketplaces in the managed settings blocks %s",
			       str_c(&name));
	if (json_exists(policy->allowed) && !source_is_listed(source, policy->allowed, false))
		return err_set(
			err, ERR_ACCESS,
			"strictKnownMarketplaces in the managed settings does not include %s",
			str_c(&name));
	return true;
}
