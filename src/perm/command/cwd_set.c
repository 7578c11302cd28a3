#include "perm/command/cwd_set.h"

#include "perm/path/path.h"

struct place place_at(struct sv dir)
{
	return (struct place){ .dirs = { dir }, .n = 1 };
}

struct place place_anywhere(void)
{
	return (struct place){ .lost = true };
}

static bool has(const struct place *p, struct sv dir)
{
	for (size_t i = 0; i < p->n; i++)
		if (sv_eq(p->dirs[i], dir))
			return true;
	return false;
}

static void add(struct place *p, struct sv dir)
{
	if (p->lost || has(p, dir))
		return;
	if (p->n == PLACE_MAX)
		*p = place_anywhere();
	else
		p->dirs[p->n++] = dir;
}

struct place place_enter(const struct place *from, struct sv path, struct arena *arena)
{
	struct place out = { .lost = from->lost && !sv_starts(path, SV("/")) };

	if (from->lost && !out.lost)
		add(&out, path_join(SV("/"), path, arena));
	for (size_t i = 0; i < from->n; i++)
		add(&out, path_join(from->dirs[i], path, arena));
	return out;
}

struct place place_either(const struct place *a, const struct place *b)
{
	struct place out = *a;

	if (a->lost || b->lost)
		return place_anywhere();
	for (size_t i = 0; i < b->n; i++)
		add(&out, b->dirs[i]);
	return out;
}

bool place_is(const struct place *a, const struct place *b)
{
	struct place both = place_either(a, b);

	return a->lost == b->lost && a->n == b->n && (a->lost || both.n == a->n);
}
