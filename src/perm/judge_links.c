/* A link that the line itself makes is not there yet when its paths are resolved. */
#include <stdio.h>

#include "perm/judging.h"
#include "perm/path.h"
#include "perm/say.h"
#include "perm/tree.h"

enum { LINKS_MAX = 100 }; /* commands that make some */

static bool is_link(const struct judging *j, struct sv path)
{
	const struct perm_world *world = j->policy->world;
	struct sv dir = sv_slice(path, 0, sv_rfind_char(path, '/'));
	struct sv name = sv_skip(path, dir.len + 1);
	struct arena *arena = (struct arena *)&j->runs.arena;

	return world && name.len &&
	       !sv_eq(world->real(world->arg, path, arena),
		      path_join(world->real(world->arg, dir.len ? dir : SV("/"), arena), name,
				arena));
}

static bool is_link_in_tree(void *arg, struct sv path)
{
	return is_link(arg, path);
}

static bool brings_links(struct judging *j, const struct member *m)
{
	if (sv_is(run_name(m->run), "ln"))
		return true;
	if (!sv_is(run_name(m->run), "cp") && !sv_is(run_name(m->run), "mv"))
		return false;
	for (size_t i = 0; i < m->touches.n; i++) {
		const struct touch *t = &m->touches.at[i];

		if (!t->known || !j->policy->world ||
		    (t->use != OPERAND_WRITE && is_link(j, t->named)))
			return true;
		if (t->copied.len &&
		    tree_any(j->policy->world, t->copied, is_link_in_tree, j, &j->names) != TREE_NO)
			return true;
	}
	return false;
}

static bool is_made_by(const struct touch *t, const struct member *maker)
{
	for (size_t i = 0; i < maker->touches.n; i++) {
		const struct touch *made = &maker->touches.at[i];

		if (t->known && made->use == OPERAND_WRITE &&
		    (path_is_inside(t->named, made->named) || path_is_inside(t->real, made->real)))
			return true;
	}
	return false;
}

struct verdict by_made_links(const struct judging *j, const struct run *run,
			     const touch_list *touches)
{
	for (size_t k = 0; j->nbringing > 0 && k < j->runs.all.n; k++) {
		const struct member *maker = &j->members[k];

		if (maker->run == run || !maker->brings_links)
			continue;
		for (size_t i = 0; i < touches->n; i++)
			if (is_made_by(&touches->at[i], maker))
				return say(BEHAVIOR_ASK, REASON_SAFETY,
					   "Where %s leads depends on another command before it.",
					   show(touches->at[i].named).text);
	}
	return fine;
}

void look_for_links(struct judging *j)
{
	for (size_t i = 0; i < j->runs.all.n; i++) {
		j->members[i].brings_links = brings_links(j, &j->members[i]);
		j->nbringing += j->members[i].brings_links;
	}
	if (j->nbringing > LINKS_MAX)
		snprintf(j->runs.wrong, sizeof(j->runs.wrong),
			 "too many of its commands make links");
}
