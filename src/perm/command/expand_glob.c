/* Expands globs by listing directories, as bash would. */
#include "base/limits.h"
#include "base/utf8.h"
#include "perm/command/expand_internal.h"
#include "perm/path/path.h"
#include "text/match/wildmatch.h"

struct glob_walk {
	struct expand *x;
	argument_list *out;
	struct sv written;
	struct sv dir;     /* to list */
	struct sv before;  /* the path found so far, as written */
	struct sv pattern; /* of the next component */
	struct sv rest;    /* of the components after it */
	bool has_rest;
	size_t *left;
};

static void expand_glob_in(struct glob_walk g);

/* The next component matches `name`. */
static void expand_glob_found(const struct glob_walk *g, struct sv name)
{
	struct arena *a = g->x->arena;
	struct glob_walk next = *g;
	struct sv path = arena_printf(a, "%.*s%.*s", SV_ARG(g->before), SV_ARG(name));

	if (*g->left == 0)
		return;
	--*g->left;
	if (!g->has_rest) {
		vec_push(g->out, ((struct argument){ path, true, true, true, g->written }));
		return;
	}
	/* Not path_join(): after a link, ".." is the parent of its target. */
	next.dir = arena_printf(a, "%.*s/%.*s", SV_ARG(g->dir), SV_ARG(name));
	next.before = arena_printf(a, "%s/", path.ptr);
	expand_glob_in(next);
}

static bool expand_glob_matches(struct sv pattern, struct sv name)
{
	size_t steps = LIMIT_PATTERN;

	if (name.ptr[0] == '.' && !sv_starts(pattern, SV(".")) && !sv_starts(pattern, SV("\\.")))
		return false;
	/* How many bytes a '?' takes depends on the locale. */
	if (!utf8_is_ascii(name) &&
	    (sv_find_char(pattern, '?') != SIZE_MAX || sv_find_char(pattern, '[') != SIZE_MAX))
		return sv_starts(name, sv_slice(pattern, 0, wildmatch_literal_prefix(pattern)));
	return wildmatch(pattern, name, false, &steps);
}

static bool expand_glob_name(void *to, struct sv name)
{
	struct glob_walk *g = to;

	if (expand_glob_matches(g->pattern, name))
		expand_glob_found(g, name);
	return *g->left > 0;
}

/* Whether the command would find other names there than awl does. */
static bool is_unknown_dir(const struct glob_walk *g, struct sv real)
{
	size_t end;
	bool is_own;

	return path_is_of_process(real, &end, &is_own) ||
	       (g->x->made && made_paths_hide(g->x->made, real));
}

/* Matches the names that earlier commands of the line create there. */
static void expand_glob_made(struct glob_walk *g, struct sv real)
{
	for (size_t i = 0; g->x->made && i < g->x->made->n; i++) {
		struct sv name = made_path_name_in(&g->x->made->at[i], real);

		if (name.len)
			expand_glob_name(g, name);
	}
}

/* Matches the next component of g.rest in g.dir. */
static void expand_glob_in(struct glob_walk g)
{
	static const struct sv dots[] = { SV_INIT("."), SV_INIT("..") };
	const struct perm_world *world = g.x->world;
	struct sv real = world->real(world->arg, g.dir, g.x->arena);

	while (sv_starts(g.rest, SV("/")))
		g.rest = sv_skip(g.rest, 1);
	if (!g.rest.len) { /* it ends with a slash */
		vec_push(g.out, ((struct argument){ g.before, true, true, true, g.written }));
		return;
	}
	if (is_unknown_dir(&g, real)) {
		*g.left = 0; /* nobody can tell */
		return;
	}
	g.has_rest = sv_find_char(g.rest, '/') != SIZE_MAX;
	sv_cut(&g.rest, '/', &g.pattern);
	/* Before bash 5.2, ".*" matches these, too. */
	for (size_t i = 0; i < countof(dots); i++)
		if (expand_glob_matches(g.pattern, dots[i]))
			expand_glob_found(&g, dots[i]);
	world->list(world->arg, g.dir, expand_glob_name, &g);
	expand_glob_made(&g, real);
}

bool expand_glob(struct expand *x, struct sv pattern, struct sv written, argument_list *out)
{
	size_t before = out->n, left = LIMIT_PERM_GLOB;
	struct glob_walk g = {
		.x = x, .out = out, .written = written, .rest = pattern, .left = &left
	};
	bool from_root = sv_starts(pattern, SV("/"));

	if (!x->world || (!from_root && !x->cwd.n))
		return false;
	if (from_root) {
		g.dir = g.before = SV("/");
		expand_glob_in(g);
	}
	for (size_t i = 0; !from_root && i < x->cwd.n; i++) {
		g.dir = x->cwd.dirs[i];
		expand_glob_in(g);
	}
	if (left == 0)
		out->n = before;
	return left > 0;
}
