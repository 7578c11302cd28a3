#include "perm/command/cwd_set.h"

#include "perm/path/path.h"

struct cwd_set cwd_set_of(struct sv dir)
{
	return (struct cwd_set){ .dirs = { dir }, .n = 1 };
}

struct cwd_set cwd_set_unknown(void)
{
	return (struct cwd_set){ .is_unknown = true };
}

static bool cwd_set_has(const struct cwd_set *p, struct sv dir)
{
	for (size_t i = 0; i < p->n; i++)
		if (sv_eq(p->dirs[i], dir))
			return true;
	return false;
}

static void cwd_set_add(struct cwd_set *p, struct sv dir)
{
	if (p->is_unknown || cwd_set_has(p, dir))
		return;
	if (p->n == CWD_SET_MAX)
		*p = cwd_set_unknown();
	else
		p->dirs[p->n++] = dir;
}

struct cwd_set cwd_set_enter(const struct cwd_set *from, struct sv path, struct arena *arena)
{
	struct cwd_set out = { .is_unknown = from->is_unknown && !sv_starts(path, SV("/")) };

	if (from->is_unknown && !out.is_unknown)
		cwd_set_add(&out, path_join(SV("/"), path, arena));
	for (size_t i = 0; i < from->n; i++)
		cwd_set_add(&out, path_join(from->dirs[i], path, arena));
	return out;
}

struct cwd_set cwd_set_union(const struct cwd_set *a, const struct cwd_set *b)
{
	struct cwd_set out = *a;

	if (a->is_unknown || b->is_unknown)
		return cwd_set_unknown();
	for (size_t i = 0; i < b->n; i++)
		cwd_set_add(&out, b->dirs[i]);
	return out;
}

bool cwd_set_equals(const struct cwd_set *a, const struct cwd_set *b)
{
	struct cwd_set both = cwd_set_union(a, b);

	return a->is_unknown == b->is_unknown && a->n == b->n && (a->is_unknown || both.n == a->n);
}
