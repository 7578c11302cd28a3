#include "perm/fake_world.h"

#include "perm/path/path.h"
#include "test.h"

static bool is_at(const struct fake_entry *entry, struct sv path)
{
	struct sv here = sv_cstr(entry->path);

	return sv_eq(here, path) ||
	       (sv_ends(here, SV("/")) && sv_eq(sv_slice(here, 0, here.len - 1), path));
}

static const struct fake_entry *find(const struct fake_machine *m, struct sv path)
{
	for (size_t i = 0; i < m->n; i++)
		if (is_at(&m->entries[i], path))
			return &m->entries[i];
	return NULL;
}

static bool is_link(const struct fake_entry *entry)
{
	return entry && entry->to && !sv_ends(sv_cstr(entry->path), SV("/"));
}

static struct sv real(void *arg, struct sv path, struct arena *arena)
{
	const struct fake_machine *m = arg;
	struct sv at = SV("/"), rest = path, name;
	int links = 0;

	while (rest.len && sv_cut(&rest, '/', &name)) {
		const struct fake_entry *entry;
		struct sv next = path_join(at, name, arena);

		entry = find(m, next);
		if (!is_link(entry)) {
			at = next;
			continue;
		}
		if (++links > 20)
			return SV("/");
		rest = arena_printf(arena, "%s/%.*s", entry->to, SV_ARG(rest));
		if (entry->to[0] == '/')
			at = SV("/");
	}
	return at;
}

static void list(void *arg, struct sv dir, bool (*each)(void *to, struct sv name), void *to)
{
	const struct fake_machine *m = arg;
	struct arena arena = ARENA_INIT;
	struct sv at = real(arg, dir, &arena);

	for (size_t i = 0; i < m->n; i++) {
		struct sv path = sv_cstr(m->entries[i].path), rest;

		if (!path_is_inside(path_join(SV("/"), path, &arena), at))
			continue;
		rest = sv_skip(path, sv_is(at, "/") ? 1 : at.len + 1);
		if (sv_ends(rest, SV("/")))
			rest.len--;
		if (rest.len && sv_find_char(rest, '/') == SIZE_MAX && !each(to, rest))
			break;
	}
	arena_clear(&arena);
}

static bool is_directory(void *arg, struct sv path)
{
	const struct fake_machine *m = arg;
	struct arena arena = ARENA_INIT;
	struct sv at = real(arg, path, &arena);
	bool found = false;

	for (size_t i = 0; i < m->n && !found; i++) {
		struct sv here = sv_cstr(m->entries[i].path);

		found = here.len > at.len && path_is_inside(path_join(SV("/"), here, &arena), at);
	}
	arena_clear(&arena);
	return found;
}

static struct sv repository(void *arg, struct sv dir, enum world_repo *kind, struct arena *arena)
{
	struct sv top = real(arg, dir, arena);

	for (;; top = path_join(top, SV(".."), arena)) {
		const struct fake_entry *git = find(arg, path_join(top, SV(".git"), arena));

		if (git) {
			if (kind)
				*kind = git->to ? REPO_RUNS_PROGRAMS : REPO_PLAIN;
			return top;
		}
		if (sv_is(top, "/"))
			return SV_EMPTY;
	}
}

/* Secrets hold a secret, other files nothing. */
static bool read_file(void *arg, struct sv path, size_t max, struct str *out)
{
	const struct fake_entry *entry = find(arg, path);

	if (entry && sv_ends(path, SV("/.env")) && max)
		str_adds(out, "DATABASE_URL=postgres://me:geheim@db/x\nAPI_KEY=geheim\n");
	return entry != NULL;
}

/* Everything in the repository but itself and directories is tracked. */
static bool tracks(void *arg, struct sv dir, bool (*is_hit)(void *to, struct sv name), void *to)
{
	const struct fake_machine *m = arg;
	struct arena arena = ARENA_INIT;
	struct sv top = repository(arg, dir, NULL, &arena);
	bool found = false;

	for (size_t i = 0; i < m->n && top.len && !found; i++) {
		struct sv path = sv_cstr(m->entries[i].path);

		found = !sv_ends(path, SV("/")) && path_is_inside(path, top) &&
			sv_find(path, SV("/.git/")) == SIZE_MAX &&
			is_hit(to, sv_skip(path, top.len + 1));
	}
	arena_clear(&arena);
	return found;
}

struct perm_world fake_world(const struct fake_machine *machine)
{
	return (struct perm_world){ .arg = (void *)machine,
				    .real = real,
				    .list = list,
				    .is_directory = is_directory,
				    .repository = repository,
				    .read = read_file,
				    .tracks = tracks };
}

#define PRO "/home/me/pro/"

static const struct fake_entry project[] = {
	{ "/etc/", NULL },
	{ "/etc/passwd", NULL },
	{ "/usr/", NULL },
	{ "/usr/bin/", NULL },
	{ "/bin", "usr/bin" },
	{ "/home/", NULL },
	{ "/home/me/", NULL },
	{ "/home/me/.bashrc", NULL },
	{ "/home/me/notes", NULL },
	{ PRO, NULL },
	{ PRO ".git/", NULL },
	{ PRO ".git/config", NULL },
	{ PRO ".env", NULL },
	{ PRO ".env.example", NULL },
	{ PRO "README.md", NULL },
	{ PRO "build/", NULL },
	{ PRO "src/", NULL },
	{ PRO "src/a.c", NULL },
	{ PRO "src/b.c", NULL },
	{ PRO "src/.mcp.json", NULL },
	{ PRO "nested/", NULL },
	{ PRO "nested/.git/", "runs" },
	{ PRO "rust/rust-toolchain.toml", NULL },
	{ PRO "rust/src/", NULL },
	{ PRO "other/", NULL },
	{ PRO "other/.git/", NULL },
	{ PRO "out", "/home/me" },
	{ PRO "key", ".env" },
	{ PRO "lib", "src" },
	{ PRO "git", ".git" },
	{ PRO "evil", "/etc/passwd" },
	{ PRO "loop", "loop" },
};

static const struct fake_machine machine = { project, countof(project) };

const struct perm_world fake_project = { .arg = (void *)&machine,
					 .real = real,
					 .list = list,
					 .is_directory = is_directory,
					 .repository = repository,
					 .read = read_file,
					 .tracks = tracks };

static void add(struct perm_policy *policy, enum behavior what, const char *rules)
{
	struct err err;

	CHECK_OK(perm_add_rules(policy, what, sv_cstr(rules), &err), err);
}

struct perm_policy fake_policy(enum perm_mode mode, const char *allow, const char *ask,
			       const char *deny)
{
	struct perm_policy policy = PERM_POLICY_INIT;

	policy.mode = mode;
	policy.world = &fake_project;
	perm_set_home(&policy, SV("/home/me"));
	perm_add_dir(&policy, SV("/home/me/pro"));
	add(&policy, BEHAVIOR_ALLOW, allow);
	add(&policy, BEHAVIOR_ASK, ask);
	add(&policy, BEHAVIOR_DENY, deny);
	return policy;
}

struct verdict fake_decide(const struct perm_policy *policy, const char *command)
{
	struct perm_request request = { .tool = SV("Bash"),
					.access = ACCESS_RUN,
					.command = sv_cstr(command) };

	return perm_decide(policy, &request);
}
