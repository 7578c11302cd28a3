#include "extend/plugins/fetch.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "extend/plugins/download.h"
#include "extend/plugins/program.h"
#include "sys/fs.h"
#include "sys/seq.h"
#include "text/digest.h"
#include "text/match/semver.h"

void plugin_fetch_clear(struct plugin_fetch *f)
{
	str_clear(&f->dir);
	str_clear(&f->sha);
	str_clear(&f->body);
	str_clear(&f->tags);
	str_clear(&f->digest);
	arena_clear(&f->arena);
}

bool plugin_fetch_is_needed(const struct plugin_source *source)
{
	return source->kind != SOURCE_PATH && source->kind != SOURCE_DIRECTORY &&
	       source->kind != SOURCE_FILE;
}

/* A flow and what its steps need. */
struct fetch {
	struct op op;
	struct op *steps;
	struct loop *loop;
	struct plugin_fetch *f;
	struct err failed; /* a step that cannot start */
};

typedef VEC(const char *) fetch_words;

/* A step that fails at once runs nothing; the flow fails when it is over. */
static struct op *fetch_fail(struct fetch *t, enum err_kind kind, const char *why)
{
	if (!t->failed.kind)
		err_set(&t->failed, kind, "%s", why);
	return NULL;
}

static const char *fetch_dup(struct fetch *t, struct sv text)
{
	return arena_dup(&t->f->arena, text).ptr;
}

static bool fetch_is_ours(const char *variable)
{
	static const char *const ours[] = { "GIT_", "npm_config_ignore_scripts=" };

	for (size_t i = 0; i < countof(ours); i++)
		if (strncmp(variable, ours[i], strlen(ours[i])) == 0 &&
		    strncmp(variable, "GIT_SSH", 7) != 0)
			return true;
	return false;
}

static struct op *fetch_run(struct fetch *t, struct program_opts opts, struct then then)
{
	const char *const *env = t->f->env ? t->f->env : (const char *const *)environ;
	fetch_words all = VEC_INIT;
	struct op *op;

	if (t->failed.kind)
		return NULL;
	for (; *env; env++)
		if (!fetch_is_ours(*env))
			vec_push(&all, *env);
	vec_push(&all, "GIT_TERMINAL_PROMPT=0");
	vec_push(&all, "GIT_LFS_SKIP_SMUDGE=1");
	vec_push(&all, t->f->allows_local ? "GIT_ALLOW_PROTOCOL=https:ssh:http:file"
					  : "GIT_ALLOW_PROTOCOL=https:ssh");
	vec_push(&all, NULL);
	opts.env = all.at;
	opts.deadline_ms = t->f->deadline_ms;
	op = program_start(t->loop, &opts, then);
	vec_clear(&all);
	return op;
}

/* --- git ------------------------------------------------------------------------------------- */

/* What no repository may change. */
static void fetch_begin_git(fetch_words *words)
{
	static const char *const first[] = { "git",
					     "-c",
					     "core.hooksPath=/dev/null",
					     "-c",
					     "core.fsmonitor=false",
					     "-c",
					     "submodule.recurse=false",
					     "-c",
					     "protocol.ext.allow=never",
					     "-c",
					     "advice.detachedHead=false" };

	for (size_t i = 0; i < countof(first); i++)
		vec_push(words, first[i]);
}

static struct op *fetch_git(struct fetch *t, const char *const *more, struct str *out,
			    struct then then)
{
	fetch_words words = VEC_INIT;
	struct op *op;

	fetch_begin_git(&words);
	for (; *more; more++)
		vec_push(&words, *more);
	vec_push(&words, NULL);
	op = fetch_run(t, (struct program_opts){ .argv = words.at, .out = out }, then);
	vec_clear(&words);
	return op;
}

static struct op *fetch_git_tags(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	struct plugin_fetch *f = t->f;
	const char *url = fetch_dup(t, plugin_source_address(f->source, &f->arena));
	const char *pattern = arena_printf(&f->arena, "refs/tags/%s*", f->tag_prefix).ptr;
	const char *const words[] = { "ls-remote", "--tags", "--refs", "--", url, pattern, NULL };

	return f->nranges && !f->source->sha.len ? fetch_git(t, words, &f->tags, then) : NULL;
}

static bool fetch_git_fits(const struct plugin_fetch *f, const struct semver *version)
{
	for (size_t i = 0; i < f->nranges; i++)
		if (!semver_matches(version, f->ranges[i]))
			return false;
	return true;
}

/* Of lines "<commit>\trefs/tags/<prefix>1.2.0", choose that of the newest version that fits. */
static struct op *fetch_git_choose(void *ctx, __attribute__((unused)) struct then then)
{
	struct fetch *t = ctx;
	struct plugin_fetch *f = t->f;
	struct sv rest = sv_of(&f->tags), line;
	struct semver best = { .part = { 0 } }, version;
	bool has_tags = false;

	while (sv_cut_line(&rest, &line)) {
		struct sv tag = sv_skip(line, min_of(sv_find(line, SV("refs/tags/")), line.len));

		tag = sv_skip(tag, min_of(strlen("refs/tags/"), tag.len));
		if (!sv_starts(tag, sv_cstr(f->tag_prefix)) ||
		    !semver_read(sv_skip(tag, strlen(f->tag_prefix)), &version))
			continue;
		has_tags = true;
		if (!fetch_git_fits(f, &version) || (f->tag && semver_compare(&version, &best) < 0))
			continue;
		best = version;
		f->tag = fetch_dup(t, tag);
	}
	if (has_tags && !f->tag)
		return fetch_fail(t, ERR_NOT_FOUND,
				  "none of its tagged versions is in the required range");
	return NULL;
}

static struct op *fetch_git_clone(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	const char *ref = t->f->tag ? t->f->tag : fetch_dup(t, t->f->source->ref);
	const char *url = fetch_dup(t, plugin_source_address(t->f->source, &t->f->arena));
	const char *const plain[] = { "clone",     "--quiet",     "--depth=1",
				      "--no-tags", "--template=", "--no-recurse-submodules",
				      "--",        url,           t->f->into,
				      NULL };
	const char *const branch[] = { "clone",     "--quiet",     "--depth=1",
				       "--no-tags", "--template=", "--no-recurse-submodules",
				       "--branch",  ref,           "--",
				       url,         t->f->into,    NULL };

	return fetch_git(t, *ref ? branch : plain, NULL, then);
}

/* A commit that is not the newest has to be asked for by its name. */
static struct op *fetch_git_commit(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	const char *sha = fetch_dup(t, t->f->source->sha);
	const char *const words[] = { "-C",        t->f->into, "fetch", "--quiet", "--depth=1",
				      "--no-tags", "origin",   sha,     NULL };

	return *sha ? fetch_git(t, words, NULL, then) : NULL;
}

static struct op *fetch_git_checkout(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	const char *sha = fetch_dup(t, t->f->source->sha);
	const char *const words[] = { "-C",       t->f->into, "checkout", "--quiet",
				      "--detach", sha,        "--",       NULL };

	return *sha ? fetch_git(t, words, NULL, then) : NULL;
}

static struct op *fetch_git_head(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	const char *const words[] = { "-C", t->f->into, "rev-parse", "HEAD", NULL };

	return fetch_git(t, words, &t->f->sha, then);
}

static struct op *fetch_git_check(void *ctx, __attribute__((unused)) struct then then)
{
	struct fetch *t = ctx;
	struct plugin_fetch *f = t->f;

	while (f->sha.len && f->sha.ptr[f->sha.len - 1] == '\n')
		str_truncate(&f->sha, f->sha.len - 1);
	if (!sv_starts(sv_of(&f->sha), f->source->sha))
		return fetch_fail(t, ERR_STALE, "it is not at the commit that it is pinned to");
	if (f->source->kind == SOURCE_GIT_SUBDIR)
		fs_join(&f->dir, sv_cstr(f->into), f->source->path);
	else
		str_adds(&f->dir, f->into);
	return NULL;
}

static const struct step fetch_git_steps[] = {
	{ "list tags", fetch_git_tags },     { "choose a tag", fetch_git_choose },
	{ "fetch", fetch_git_clone },        { "fetch the commit", fetch_git_commit },
	{ "check out", fetch_git_checkout }, { "look at the commit", fetch_git_head },
	{ "check", fetch_git_check },
};

/* --- npm ------------------------------------------------------------------------------------- */

static struct op *fetch_npm_install(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	const struct plugin_source *s = t->f->source;
	struct arena *arena = &t->f->arena;
	const char *package = arena_printf(arena, "%.*s%s%.*s", SV_ARG(s->package),
					   s->version.len ? "@" : "", SV_ARG(s->version))
				      .ptr;
	const char *prefix = arena_printf(arena, "--prefix=%s", t->f->into).ptr;
	const char *registry = arena_printf(arena, "--registry=%.*s", SV_ARG(s->registry)).ptr;
	const char *const words[] = { "npm",
				      "install",
				      "--ignore-scripts",
				      "--no-audit",
				      "--no-fund",
				      "--no-save",
				      "--no-bin-links",
				      prefix,
				      s->registry.len ? registry : "--loglevel=error",
				      "--",
				      package,
				      NULL };
	struct err err = ERR_INIT;

	if (!fs_mkdirs(t->f->into, 0700, &err))
		return fetch_fail(t, err.kind, err.text);
	return fetch_run(t, (struct program_opts){ .argv = words }, then);
}

static struct op *fetch_npm_find(void *ctx, __attribute__((unused)) struct then then)
{
	struct fetch *t = ctx;

	str_addf(&t->f->dir, "%s/node_modules/%.*s", t->f->into, SV_ARG(t->f->source->package));
	return NULL;
}

static const struct step fetch_npm_steps[] = {
	{ "install the package", fetch_npm_install },
	{ "find the package", fetch_npm_find },
};

/* --- HTTP ------------------------------------------------------------------------------------ */

static struct op *fetch_http_get(void *ctx, struct then then)
{
	struct fetch *t = ctx;
	struct plugin_fetch *f = t->f;
	const char *url = fetch_dup(t, f->source->url);
	struct err err = ERR_INIT;

	if (sv_starts(f->source->url, SV("file:///")) && f->allows_local)
		return fs_read(&f->body, url + strlen("file://"), LIMIT_PLUGIN_DOWNLOAD, &err)
			       ? NULL
			       : fetch_fail(t, err.kind, err.text);
	if (!f->http)
		return fetch_fail(t, ERR_INVALID, "HTTP is not available");
	if (!sv_starts(f->source->url, SV("https://")) && !f->allows_local)
		return fetch_fail(t, ERR_ACCESS, "its address does not begin with https://");
	return download_start(t->loop, f->http, url, f->deadline_ms, &f->body, then);
}

/* The list of a marketplace is the whole of it. */
static struct op *fetch_http_keep(void *ctx, __attribute__((unused)) struct then then)
{
	struct fetch *t = ctx;
	struct err err = ERR_INIT;

	if (t->failed.kind)
		return NULL;
	str_adds(&t->f->dir, t->f->into);
	if (!fs_write(t->f->into, sv_of(&t->f->body), (struct fs_write){ .mode = 0600 }, &err))
		return fetch_fail(t, err.kind, err.text);
	return NULL;
}

static const struct step fetch_file_steps[] = {
	{ "fetch", fetch_http_get },
	{ "write", fetch_http_keep },
};

static void fetch_write_digest(struct str *out, struct sv bytes)
{
	static const char digits[] = "0123456789abcdef";
	struct digest digest = sha256(bytes);

	for (size_t i = 0; i < SHA256_SIZE; i++) {
		str_addc(out, digits[digest.bytes[i] >> 4]);
		str_addc(out, digits[digest.bytes[i] & 15]);
	}
}

static bool fetch_archive_write(struct fetch *t, const char *file, struct err *err)
{
	struct plugin_fetch *f = t->f;

	fetch_write_digest(&f->digest, sv_of(&f->body));
	if (f->source->sha256.len && !sv_eq_nocase(sv_of(&f->digest), f->source->sha256))
		return err_set(err, ERR_STALE,
			       "the archive does not have the SHA-256 that it is "
			       "pinned to");
	str_addf(&f->dir, "%s/content", f->into);
	return fs_mkdirs(f->dir.ptr, 0700, err) &&
	       fs_write(file, sv_of(&f->body), (struct fs_write){ .mode = 0600 }, err);
}

static struct op *fetch_archive_prepare(void *ctx, __attribute__((unused)) struct then then)
{
	struct fetch *t = ctx;
	const char *file = arena_printf(&t->f->arena, "%s/archive", t->f->into).ptr;
	struct err err = ERR_INIT;

	if (!t->failed.kind && !fetch_archive_write(t, file, &err))
		return fetch_fail(t, err.kind, err.text);
	return NULL;
}

enum fetch_archive_act { ARCHIVE_LIST, ARCHIVE_PRINT, ARCHIVE_UNPACK };

/* Run tar or unzip on the archive. */
static struct op *fetch_archive_run(struct fetch *t, enum fetch_archive_act act,
				    struct program_opts opts, struct then then)
{
	struct plugin_fetch *f = t->f;
	const char *file = arena_printf(&f->arena, "%s/archive", f->into).ptr;
	bool is_zip = sv_starts(sv_of(&f->body), SV("PK"));
	const char *const unzip[][8] = {
		[ARCHIVE_LIST] = { "unzip", "-Z1", file },
		[ARCHIVE_PRINT] = { "unzip", "-p", file },
		[ARCHIVE_UNPACK] = { "unzip", "-q", "-o", file, "-d", f->dir.ptr },
	};
	const char *const tar[][8] = {
		[ARCHIVE_LIST] = { "tar", "--list", "--file", file },
		[ARCHIVE_PRINT] = { "tar", "--extract", "--to-stdout", "--file", file },
		[ARCHIVE_UNPACK] = { "tar", "--extract", "--no-same-owner", "--file", file,
				     "--directory", f->dir.ptr },
	};

	opts.argv = is_zip ? unzip[act] : tar[act];
	return fetch_run(t, opts, then);
}

/* An archive that is small can unpack to more than the disk holds. So its entries are counted, and their contents are
 * measured in a pipe, before anything is written. */
static struct op *fetch_archive_count(void *ctx, struct then then)
{
	return fetch_archive_run(ctx, ARCHIVE_LIST,
				 (struct program_opts){ .max_lines = LIMIT_PLUGIN_TREE_FILES },
				 then);
}

static struct op *fetch_archive_measure(void *ctx, struct then then)
{
	return fetch_archive_run(ctx, ARCHIVE_PRINT,
				 (struct program_opts){ .max_bytes = LIMIT_PLUGIN_TREE }, then);
}

static struct op *fetch_archive_unpack(void *ctx, struct then then)
{
	return fetch_archive_run(ctx, ARCHIVE_UNPACK, (struct program_opts){ .argv = NULL }, then);
}

static enum fs_visit fetch_count_entry(void *arg, const struct fs_entry *entry)
{
	struct str *only = arg;

	str_addf(only, "%s%.*s", only->len ? "/" : "", SV_ARG(entry->path));
	return FS_SKIP;
}

/* Archives of repositories have everything in one folder. */
static struct op *fetch_archive_enter(void *ctx, __attribute__((unused)) struct then then)
{
	struct fetch *t = ctx;
	defer(str_clear) struct str names = STR_INIT, inner = STR_INIT;
	struct fs_info info;
	struct err ignored = ERR_INIT;

	if (t->failed.kind || plugin_is_dir(t->f->dir.ptr) ||
	    !fs_walk(t->f->dir.ptr, fetch_count_entry, &names, &ignored) ||
	    sv_find_char(sv_of(&names), '/') != SIZE_MAX)
		return NULL;
	fs_join(&inner, sv_of(&t->f->dir), sv_of(&names));
	if (fs_info(&info, inner.ptr, false, &ignored) && info.kind == FS_DIR)
		str_set(&t->f->dir, sv_of(&inner));
	return NULL;
}

static const struct step fetch_archive_steps[] = {
	{ "fetch", fetch_http_get },
	{ "write", fetch_archive_prepare },
	{ "count its entries", fetch_archive_count },
	{ "measure its contents", fetch_archive_measure },
	{ "unpack", fetch_archive_unpack },
	{ "look", fetch_archive_enter },
};

/* --- all of it ------------------------------------------------------------------------------- */

static void fetch_cancel(struct op *op)
{
	op_cancel(container_of(op, struct fetch, op)->steps);
}

static void fetch_free(struct op *op)
{
	free(container_of(op, struct fetch, op));
}

static const struct op_type fetch_type = {
	.name = "plugin fetch",
	.cancel = fetch_cancel,
	.free = fetch_free,
};

static void fetch_on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct fetch *t = owner;
	struct err err = why ? *why : t->failed;
	defer(str_clear) struct str name = STR_INIT;

	t->steps = NULL;
	plugin_source_describe(&name, t->f->source);
	if (err.kind && err.kind != ERR_CANCELLED)
		err_context(&err, "%s", str_c(&name));
	op_finish(&t->op, err.kind ? &err : NULL);
}

struct op *plugin_fetch_start(struct loop *loop, struct plugin_fetch *f, struct then then)
{
	struct fetch *t = xnew(struct fetch);
	const struct step *steps = fetch_git_steps;
	size_t n = countof(fetch_git_steps);

	op_init(&t->op, &fetch_type, loop, then);
	t->loop = loop;
	t->f = f;
	if (f->source->kind == SOURCE_NPM) {
		steps = fetch_npm_steps;
		n = countof(fetch_npm_steps);
	} else if (f->source->kind == SOURCE_ARCHIVE) {
		steps = fetch_archive_steps;
		n = countof(fetch_archive_steps);
	} else if (f->source->kind == SOURCE_URL && f->is_marketplace) {
		steps = fetch_file_steps;
		n = countof(fetch_file_steps);
	}
	t->steps = seq_start(loop, steps, n, t, THEN(fetch_on_done, t));
	return &t->op;
}
