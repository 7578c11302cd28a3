/* A link that the line itself makes is not there yet when its paths are resolved. */
#include <stdio.h>

#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/tree_search.h"

enum {
	LINKS_MAX = 100,    /* commands that make some */
	FOLLOWED_MAX = 200, /* places that what one command touches may lead to by them */
};

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

static bool is_copy(const struct run *run)
{
	return sv_is(run_name(run), "cp") || sv_is(run_name(run), "mv");
}

/* cp -s and cp -l. */
static bool copies_as_links(const struct run *run)
{
	bool found = false;

	for (size_t i = 1; i < run->n; i++) {
		struct sv text = run->argv[i].text;

		if (sv_starts(text, SV("--")))
			found |= sv_starts(text, SV("--s")) || sv_starts(text, SV("--l"));
		else if (sv_starts(text, SV("-")))
			found |= sv_find_char(text, 's') != SIZE_MAX ||
				 sv_find_char(text, 'l') != SIZE_MAX;
	}
	return found;
}

static bool brings_links(struct judging *j, const struct member *m)
{
	if (sv_is(run_name(m->run), "ln"))
		return true;
	if (!is_copy(m->run))
		return false;
	if (copies_as_links(m->run))
		return true;
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

/* --- where they lead ---------------------------------------------------------- */

/* A path that a command touches, below something that another one makes. */
struct following {
	struct judging *j;
	struct member *m;
	struct touch touch;
};

static void add_followed(struct following *f, struct sv base, struct sv rest)
{
	const struct perm_world *world = f->j->policy->world;
	struct arena *arena = &f->j->runs.arena;
	struct touch there = f->touch;

	there.named = path_join(SV("/"),
				arena_printf(arena, "%.*s%.*s", SV_ARG(base), SV_ARG(rest)), arena);
	there.real = world ? world->real(world->arg, there.named, arena) : there.named;
	there.is_doubtful = true;
	if (!sv_eq(there.named, f->touch.named))
		vec_push(&f->m->touches, there);
}

/* A name is removed or moved, not what it leads to. */
static bool stays_at_link(const struct following *f, struct sv rest)
{
	bool is_moved = f->touch.use == OPERAND_REMOVE && sv_is(run_name(f->m->run), "mv");

	return rest.len == 0 && (f->touch.is_itself || is_moved);
}

/* Into a directory that is there already, names are put. */
static bool is_put_into(const struct judging *j, const struct touch *made)
{
	const struct perm_world *world = j->policy->world;

	return world && world->is_directory(world->arg, made->named) && !is_link(j, made->named);
}

/* What a link says is seen from where it is. */
static void follow_source(struct following *f, const struct member *maker, const struct touch *made,
			  const struct touch *source, struct sv rest)
{
	struct arena *arena = &f->j->runs.arena;

	add_followed(f, source->named, rest);
	if (source->arg && source->arg < maker->run->n)
		add_followed(f,
			     path_join(path_parent(made->named), maker->run->argv[source->arg].text,
				       arena),
			     rest);
}

static void follow_maker(struct following *f, const struct member *maker)
{
	f->j->steps -= min_of(f->j->steps, maker->touches.n);
	for (size_t i = 0; i < maker->touches.n; i++) {
		const struct touch *made = &maker->touches.at[i];
		struct sv rest = sv_skip(f->touch.named, made->named.len);

		if (!made->known || made->use != OPERAND_WRITE ||
		    !path_is_inside(f->touch.named, made->named) || stays_at_link(f, rest) ||
		    is_put_into(f->j, made))
			continue;
		for (size_t k = 0; k < maker->touches.n; k++) {
			const struct touch *source = &maker->touches.at[k];

			if (source->known &&
			    (source->use == OPERAND_READ || source->use == OPERAND_REMOVE))
				follow_source(f, maker, made, source, rest);
		}
	}
}

/* Each place once more, since a link may lead to another one. */
static void follow_links_of(struct judging *j, struct member *m)
{
	size_t before = m->touches.n;

	for (size_t i = 0; i < m->touches.n; i++) {
		struct following f = { j, m, m->touches.at[i] };

		for (struct member *maker = j->members; f.touch.known && maker < m; maker++)
			if (maker->brings_links || is_copy(maker->run))
				follow_maker(&f, maker);
		if (m->touches.n > before + FOLLOWED_MAX || j->steps == 0) {
			snprintf(j->runs.wrong, sizeof(j->runs.wrong),
				 "the links that it makes lead to too many places");
			return;
		}
	}
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
	for (size_t i = 0; j->nbringing > 0 && j->nbringing <= LINKS_MAX && i < j->runs.all.n; i++)
		follow_links_of(j, &j->members[i]);
}
