#include "sandbox/engines/mounts.h"

#include "base/limits.h"
#include "sandbox/engines/path.h"

const char *const sandbox_readonly_proc[SANDBOX_READONLY_PROC] = {
	"/proc/acpi",          "/proc/asound", "/proc/bus",           "/proc/driver",
	"/proc/dynamic_debug", "/proc/fs",     "/proc/irq",           "/proc/latency_stats",
	"/proc/scsi",          "/proc/sys",    "/proc/sysrq-trigger",
};

enum rule_kind { RULE_WRITE, RULE_DENY_WRITE, RULE_DENY_READ, RULE_ALLOW_READ, RULE_VOID };

struct rule {
	enum rule_kind kind;
	const char *path;
	bool missing, is_dir;
	bool is_pinned; /* becomes a mount so that it cannot be moved away */
};

/* A symbolic link on the way to a path that a rule allows. */
struct way {
	size_t rule;
	const char *link;
};

struct compiler {
	struct sandbox_mounts *out;
	VEC(struct rule) rules;
	VEC(const char *) links; /* that lead to denied paths */
	VEC(struct way) ways;
};

static void compiler_clear(struct compiler *c)
{
	vec_clear(&c->rules);
	vec_clear(&c->links);
	vec_clear(&c->ways);
}

/* --- reading the policy ------------------------------------------------------------------ */

/* /proc and /dev are new in every sandbox. */
static bool is_special(const char *path)
{
	return sandbox_path_is_inside(path, "/proc") || sandbox_path_is_inside(path, "/dev");
}

static bool mounts_denies(enum rule_kind kind)
{
	return kind == RULE_DENY_WRITE || kind == RULE_DENY_READ;
}

/* A file where a directory is expected is itself protected. Otherwise a command could put a
 * directory in its place and create the rest. */
static bool mounts_counts(const struct sandbox_path *at, enum rule_kind kind, bool even_missing)
{
	if (is_special(at->path))
		return false;
	if (at->missing || at->beyond)
		return kind == RULE_DENY_WRITE && even_missing;
	return true;
}

static void mounts_note_links(struct compiler *c, enum rule_kind kind,
			      const struct sandbox_path *at)
{
	for (size_t i = 0; i < at->links.n; i++) {
		if (mounts_denies(kind))
			vec_push(&c->links, at->links.at[i]);
		else
			vec_push(&c->ways,
				 ((struct way){ .rule = c->rules.n, .link = at->links.at[i] }));
	}
}

static bool mounts_add_rule(struct compiler *c, enum rule_kind kind, const char *path,
			    bool even_missing, struct err *err)
{
	struct sandbox_path at;

	if (c->rules.n == LIMIT_SANDBOX_PATHS)
		return err_set(err, ERR_TOO_BIG, "the sandbox has rules for more than %d paths",
			       LIMIT_SANDBOX_PATHS);
	if (path[0] != '/')
		return err_set(err, ERR_INVALID, "the sandbox needs absolute paths, not %s", path);
	if (!sandbox_path_resolve(&at, path, &c->out->arena, err))
		return false;
	if (mounts_denies(kind) || mounts_counts(&at, kind, even_missing))
		mounts_note_links(c, kind, &at);
	if (mounts_counts(&at, kind, even_missing))
		vec_push(&c->rules, ((struct rule){ .kind = kind,
						    .path = at.path,
						    .missing = at.missing,
						    .is_dir = at.is_dir }));
	sandbox_path_clear(&at);
	return true;
}

static bool mounts_add_rules(struct compiler *c, enum rule_kind kind, const char *const *paths,
			     bool even_missing, struct err *err)
{
	for (; paths && *paths; paths++)
		if (!mounts_add_rule(c, kind, *paths, even_missing, err))
			return false;
	return true;
}

/* Our own process uses the temporary directory as well, from outside. */
static bool mounts_add_temp(struct compiler *c, const char *dir, struct err *err)
{
	size_t before = c->rules.n;

	if (!mounts_add_rule(c, RULE_WRITE, dir, false, err))
		return false;
	if (c->rules.n > before)
		vec_last(&c->rules)->is_pinned = true;
	return true;
}

static bool mounts_read_policy(struct compiler *c, const struct sandbox_policy *policy,
			       struct err *err)
{
	return mounts_add_rules(c, RULE_WRITE, policy->write, false, err) &&
	       (!policy->temp_dir || mounts_add_temp(c, policy->temp_dir, err)) &&
	       mounts_add_rules(c, RULE_DENY_WRITE, policy->deny_write, true, err) &&
	       mounts_add_rules(c, RULE_DENY_WRITE, policy->deny_write_existing, false, err) &&
	       mounts_add_rules(c, RULE_DENY_READ, policy->deny_read, false, err) &&
	       mounts_add_rules(c, RULE_ALLOW_READ, policy->allow_read, false, err);
}

/* --- the state of a path ----------------------------------------------------------------- */

struct state {
	bool hidden, writable;
};

/* The longest rule wins; of two equal paths, the denial. A writable path is readable. */
static bool mounts_is_hidden(const struct compiler *c, const char *path)
{
	size_t longest = 0;
	bool hidden = false;

	for (size_t i = 0; i < c->rules.n; i++) {
		const struct rule *rule = &c->rules.at[i];
		size_t len = strlen(rule->path);

		if (rule->kind == RULE_DENY_WRITE || rule->kind == RULE_VOID || len < longest ||
		    !sandbox_path_is_inside(path, rule->path))
			continue;
		hidden = rule->kind == RULE_DENY_READ || (hidden && len == longest);
		longest = len;
	}
	return hidden;
}

static bool mounts_any_contains(const struct compiler *c, enum rule_kind kind, const char *path)
{
	for (size_t i = 0; i < c->rules.n; i++)
		if (c->rules.at[i].kind == kind &&
		    sandbox_path_is_inside(path, c->rules.at[i].path))
			return true;
	return false;
}

static struct state state_of(const struct compiler *c, const char *path)
{
	bool hidden = mounts_is_hidden(c, path);

	return (struct state){ .hidden = hidden,
			       .writable = !hidden && mounts_any_contains(c, RULE_WRITE, path) &&
					   !mounts_any_contains(c, RULE_DENY_WRITE, path) };
}

/* "/" for the root itself. */
static const char *mounts_parent_of(struct compiler *c, const char *path)
{
	size_t slash = sv_rfind_char(sv_cstr(path), '/');

	return slash ? arena_dup(&c->out->arena, sv_from(path, slash)).ptr : "/";
}

/* A link in a writable directory may have been made by a command, so it must not extend what
 * commands may do. */
static void mounts_drop_doubtful(struct compiler *c)
{
	bool doubtful[LIMIT_SANDBOX_PATHS] = { false };

	for (size_t i = 0; i < c->ways.n; i++)
		if (state_of(c, mounts_parent_of(c, c->ways.at[i].link)).writable)
			doubtful[c->ways.at[i].rule] = true;
	for (size_t i = 0; i < c->rules.n; i++) {
		if (!doubtful[i] || c->rules.at[i].kind == RULE_VOID)
			continue;
		c->rules.at[i].kind = RULE_VOID;
		c->out->has_doubtful = true;
	}
}

/* --- the list of mounts ------------------------------------------------------------------ */

static bool mounts_is_listed(const struct compiler *c, const char *path)
{
	for (size_t i = 0; i < c->out->list.n; i++)
		if (strcmp(c->out->list.at[i].path, path) == 0)
			return true;
	return false;
}

static void mounts_list(struct compiler *c, struct sandbox_mount mount)
{
	if (c->out->list.n <= LIMIT_SANDBOX_MOUNTS && !mounts_is_listed(c, mount.path))
		vec_push(&c->out->list, mount);
}

/* Makes every writable directory above `path` a mount, so that it cannot be renamed. */
static void mounts_pin(struct compiler *c, const char *path)
{
	const char *dir = mounts_parent_of(c, path);

	for (; dir[1] && state_of(c, dir).writable; dir = mounts_parent_of(c, dir))
		mounts_list(
			c, (struct sandbox_mount){ .kind = MOUNT_RW, .path = dir, .is_dir = true });
}

static void mounts_list_rule(struct compiler *c, const struct rule *rule)
{
	struct state above = state_of(c, mounts_parent_of(c, rule->path));
	struct state here = state_of(c, rule->path);
	struct sandbox_mount mount = { .path = rule->path,
				       .missing = rule->missing,
				       .is_dir = rule->is_dir };

	if (rule->kind == RULE_VOID || !rule->path[1]) /* the root is the base of everything */
		return;
	if (here.hidden == above.hidden && here.writable == above.writable &&
	    !(rule->is_pinned && here.writable))
		return;
	if (here.hidden)
		mount.kind = rule->is_dir ? MOUNT_HIDE_DIR : MOUNT_HIDE_FILE;
	else
		mount.kind = here.writable ? MOUNT_RW : MOUNT_RO;
	if (rule->missing && !above.writable)
		return;
	if (above.writable) {
		c->out->protects = c->out->protects || mount.kind != MOUNT_RW;
		mounts_pin(c, rule->path);
	}
	mounts_list(c, mount);
}

static void mounts_list_links(struct compiler *c)
{
	for (size_t i = 0; i < c->links.n; i++) {
		const char *path = c->links.at[i];

		if (!state_of(c, mounts_parent_of(c, path)).writable || is_special(path))
			continue;
		c->out->has_links = c->out->protects = true;
		mounts_pin(c, path);
		mounts_list(c, (struct sandbox_mount){ .kind = MOUNT_LINK, .path = path });
	}
}

/* Parents before children. */
static int mounts_compare(const void *a, const void *b)
{
	const struct sandbox_mount *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void mounts_note_roots(struct compiler *c)
{
	struct sandbox_mounts *out = c->out;

	for (size_t i = 0; i < c->rules.n; i++) {
		const struct rule *rule = &c->rules.at[i];

		if (rule->kind == RULE_WRITE && state_of(c, rule->path).writable)
			vec_push(&out->roots, rule->path);
		else if (rule->kind == RULE_DENY_READ && mounts_is_hidden(c, rule->path))
			vec_push(&out->hidden, rule->path);
		else if (rule->kind == RULE_ALLOW_READ && !mounts_is_hidden(c, rule->path))
			vec_push(&out->shown, rule->path);
	}
	out->base_rw = state_of(c, "/").writable;
}

bool sandbox_mounts_make(struct sandbox_mounts *out, const struct sandbox_policy *policy,
			 struct err *err)
{
	defer(compiler_clear) struct compiler c = { .out = out };

	*out = (struct sandbox_mounts)SANDBOX_MOUNTS_INIT;
	out->base_rw = policy->any_file;
	if (policy->any_file)
		return true;
	if (!mounts_read_policy(&c, policy, err)) {
		sandbox_mounts_clear(out);
		return false;
	}
	mounts_drop_doubtful(&c);
	mounts_note_roots(&c);
	for (size_t i = 0; i < c.rules.n; i++)
		mounts_list_rule(&c, &c.rules.at[i]);
	mounts_list_links(&c);
	if (out->list.n > LIMIT_SANDBOX_MOUNTS) {
		sandbox_mounts_clear(out);
		return err_set(err, ERR_TOO_BIG, "the sandbox needs more than %d mounts",
			       LIMIT_SANDBOX_MOUNTS);
	}
	if (out->list.n)
		qsort(out->list.at, out->list.n, sizeof(*out->list.at), mounts_compare);
	return true;
}

void sandbox_mounts_clear(struct sandbox_mounts *mounts)
{
	vec_clear(&mounts->list);
	vec_clear(&mounts->roots);
	vec_clear(&mounts->hidden);
	vec_clear(&mounts->shown);
	arena_clear(&mounts->arena);
}
