#include "extend/plugins/tree.h"

#include "base/limits.h"
#include "sys/fs.h"

/* --- copying --------------------------------------------------------------------------------- */

struct tree_copy {
	const char *from, *to;
	struct str inside; /* real path of `from`, with a slash at its end */
	size_t files, bytes;
	struct err *err;
	bool failed;
};

static bool tree_copy_file(struct tree_copy *c, const char *from, const char *to)
{
	defer(str_clear) struct str bytes = STR_INIT;
	struct fs_info info;
	size_t left = LIMIT_PLUGIN_TREE - c->bytes;

	if (!fs_info(&info, from, false, c->err) || !fs_read(&bytes, from, left, c->err))
		return false;
	c->bytes += bytes.len;
	return fs_write(to, sv_of(&bytes),
			(struct fs_write){ .mode = info.mode & 0100 ? 0755 : 0644 }, c->err);
}

/* A link may stay if it leads to something of the same plugin. */
static bool tree_copy_link(struct tree_copy *c, const char *from, const char *to)
{
	defer(str_clear) struct str target = STR_INIT, real = STR_INIT;
	struct err ignored = ERR_INIT;

	if (!fs_readlink(&target, from, c->err))
		return false;
	if (sv_starts(sv_of(&target), SV("/")) || !fs_realpath(&real, from, &ignored) ||
	    !sv_starts(sv_of(&real), sv_of(&c->inside)))
		return err_set(c->err, ERR_INVALID, "%s: this link leads out of the plugin", from);
	return fs_symlink(str_c(&target), to, c->err);
}

static bool tree_copy_entry(struct tree_copy *c, const struct fs_entry *entry)
{
	defer(str_clear) struct str from = STR_INIT, to = STR_INIT;

	fs_join(&from, sv_cstr(c->from), entry->path);
	fs_join(&to, sv_cstr(c->to), entry->path);
	if (++c->files > LIMIT_PLUGIN_TREE_FILES)
		return err_set(c->err, ERR_TOO_BIG, "%s: there are more than %d files", c->from,
			       LIMIT_PLUGIN_TREE_FILES);
	switch (entry->kind) {
	case FS_FILE: return tree_copy_file(c, from.ptr, to.ptr);
	case FS_DIR: return fs_mkdirs(to.ptr, 0755, c->err);
	case FS_LINK: return tree_copy_link(c, from.ptr, to.ptr);
	case FS_OTHER: break;
	}
	return err_set(c->err, ERR_INVALID, "%s: not a file", from.ptr);
}

static enum fs_visit tree_copy_visit(void *arg, const struct fs_entry *entry)
{
	struct tree_copy *c = arg;

	if (sv_is(entry->name, ".git"))
		return FS_SKIP;
	c->failed = !tree_copy_entry(c, entry);
	return c->failed ? FS_STOP : FS_GO_ON;
}

/* Find out where the directory really is. */
static bool tree_copy_locate(struct tree_copy *c, const char *inside)
{
	defer(str_clear) struct str outer = STR_INIT;

	if (!fs_realpath(&c->inside, c->from, c->err) || !fs_realpath(&outer, inside, c->err))
		return false;
	str_addc(&c->inside, '/');
	str_addc(&outer, '/');
	return sv_starts(sv_of(&c->inside), sv_of(&outer)) ||
	       err_set(c->err, ERR_INVALID, "%s: it leads out of %s", c->from, inside);
}

bool plugin_tree_copy(const char *from, const char *inside, const char *to, struct err *err)
{
	struct tree_copy c = { .from = from, .to = to, .err = err };
	struct err ignored = ERR_INIT;
	bool ok = tree_copy_locate(&c, inside) && fs_mkdirs(to, 0755, err);

	ok = ok && fs_walk(from, tree_copy_visit, &c, err) && !c.failed;
	str_clear(&c.inside);
	if (!ok)
		(void)!fs_remove_tree(to, &ignored);
	return ok;
}

/* --- describing ------------------------------------------------------------------------------ */

static void tree_add_text(struct str *out, struct json object, const char *key)
{
	struct sv text;

	if (json_str(json_get(object, key), &text))
		str_addf(out, " %.*s", SV_ARG(text));
}

static void tree_describe_handlers(struct str *out, struct sv event, struct json group)
{
	static const char *const keys[] = { "command", "url", "prompt", "server", "tool" };
	struct json_iter it = json_each(json_get(group, "hooks")), args;
	struct json handler, arg;

	while (json_next(&it, NULL, &handler)) {
		str_addf(out, "  hook %.*s", SV_ARG(event));
		if (json_str_or(json_get(group, "matcher"), SV_EMPTY).len) {
			str_adds(out, " (");
			str_add(out, json_str_or(json_get(group, "matcher"), SV_EMPTY));
			str_addc(out, ')');
		}
		str_addc(out, ':');
		for (size_t i = 0; i < countof(keys); i++)
			tree_add_text(out, handler, keys[i]);
		args = json_each(json_get(handler, "args"));
		while (json_next(&args, NULL, &arg))
			str_addf(out, " %.*s", SV_ARG(json_str_or(arg, SV_EMPTY)));
		str_addc(out, '\n');
	}
}

static void tree_describe_hooks(struct str *out, struct json hooks)
{
	struct json_iter it = json_each(hooks), groups_it;
	struct json groups, group;
	struct sv event;

	while (json_next(&it, &event, &groups)) {
		groups_it = json_each(groups);
		while (!groups_it.keyed && json_next(&groups_it, NULL, &group))
			tree_describe_handlers(out, event, group);
	}
}

static void tree_describe_servers(struct str *out, const char *what, struct json servers)
{
	static const char *const keys[] = { "command", "url", "headersHelper" };
	struct json_iter it = json_each(servers), args;
	struct json server, arg;
	struct sv name;

	while (json_next(&it, &name, &server)) {
		str_addf(out, "  %s server %.*s:", what, SV_ARG(name));
		for (size_t i = 0; i < countof(keys); i++)
			tree_add_text(out, server, keys[i]);
		args = json_each(json_get(server, "args"));
		while (json_next(&args, NULL, &arg))
			str_addf(out, " %.*s", SV_ARG(json_str_or(arg, SV_EMPTY)));
		str_addc(out, '\n');
	}
}

struct tree_listing {
	struct str *out;
	size_t n;
	bool takes_texts; /* Markdown files; else executable ones */
	const char *what;
};

enum { TREE_SHOWN = 30 };

static enum fs_visit tree_list_entry(void *arg, const struct fs_entry *entry)
{
	struct tree_listing *l = arg;
	struct fs_info info;
	bool is_wanted = false;

	if (entry->kind == FS_FILE)
		is_wanted = l->takes_texts ? sv_ends(entry->name, SV(".md"))
					   : fs_entry_info(&info, entry) && (info.mode & 0111);
	if (is_wanted && l->n++ < TREE_SHOWN)
		str_addf(l->out, "  %s %.*s\n", l->what, SV_ARG(entry->path));
	return FS_GO_ON;
}

static void tree_list(struct tree_listing *l, const char *dir)
{
	struct err ignored = ERR_INIT;
	struct fs_info info;

	if (l->takes_texts && fs_info(&info, dir, true, &ignored) && info.kind == FS_FILE)
		str_addf(l->out, "  %s %.*s\n", l->what, SV_ARG(sv_basename(sv_cstr(dir))));
	else
		(void)!fs_walk(dir, tree_list_entry, l, &ignored);
	if (l->n > TREE_SHOWN)
		str_addf(l->out, "  ... and %zu more\n", l->n - TREE_SHOWN);
	l->n = 0;
}

static void tree_list_all(struct str *out, const plugin_texts *dirs, const char *what)
{
	struct tree_listing l = { .out = out, .takes_texts = true, .what = what };

	for (size_t i = 0; i < dirs->n; i++)
		tree_list(&l, dirs->at[i].ptr);
}

void plugin_describe(struct str *out, const struct plugin *plugin)
{
	struct tree_listing programs = { .out = out, .what = "executable" };

	for (size_t i = 0; i < plugin->hooks.n; i++)
		tree_describe_hooks(out, plugin->hooks.at[i].value);
	for (size_t i = 0; i < plugin->servers.n; i++)
		tree_describe_servers(out, "MCP", plugin->servers.at[i].value);
	for (size_t i = 0; i < plugin->lsp.n; i++)
		tree_describe_servers(out, "language", plugin->lsp.at[i].value);
	tree_list(&programs, plugin->root);
	tree_list_all(out, &plugin->commands, "command");
	tree_list_all(out, &plugin->agents, "agent");
	tree_list_all(out, &plugin->skills, "skill");
	tree_list_all(out, &plugin->styles, "output style");
	if (plugin->main_agent.len)
		str_addf(out,
			 "  the agent %.*s leads your sessions, unless you choose another one\n",
			 SV_ARG(plugin->main_agent));
}
