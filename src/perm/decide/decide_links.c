/* Links that the line itself makes: they do not exist yet when its paths are resolved. */
#include <stdio.h>

#include "perm/decide/command_decision.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"
#include "perm/path/tree_search.h"

enum {
	LINKS_MAX = 100,    /* commands that make some */
	FOLLOWED_MAX = 200, /* paths that one command may reach through them */
};

static bool is_link(const struct line_decision *d, struct sv path)
{
	const struct perm_world *world = d->policy->world;
	struct sv dir = sv_slice(path, 0, sv_rfind_char(path, '/'));
	struct sv name = sv_skip(path, dir.len + 1);
	struct arena *arena = (struct arena *)&d->arena;

	return world && name.len &&
	       !sv_eq(world->real(world->arg, path, arena),
		      path_join(world->real(world->arg, dir.len ? dir : SV("/"), arena), name,
				arena));
}

static bool is_link_in_tree(void *arg, struct sv path)
{
	return is_link(arg, path);
}

static bool is_copy(const struct shell_command *command)
{
	return sv_is(shell_command_name(command), "cp") || sv_is(shell_command_name(command), "mv");
}

/* cp -s and cp -l. */
static bool links_copies_as(const struct shell_command *command)
{
	bool found = false;

	for (size_t i = 1; i < command->n; i++) {
		struct sv text = command->argv[i].text;

		if (sv_starts(text, SV("--")))
			found |= sv_starts(text, SV("--s")) || sv_starts(text, SV("--l"));
		else if (sv_starts(text, SV("-")))
			found |= sv_find_char(text, 's') != SIZE_MAX ||
				 sv_find_char(text, 'l') != SIZE_MAX;
	}
	return found;
}

static bool links_makes_some(struct line_decision *d, const struct line_part *part)
{
	if (sv_is(shell_command_name(part->command), "ln"))
		return true;
	if (!is_copy(part->command))
		return false;
	if (links_copies_as(part->command))
		return true;
	for (size_t i = 0; i < part->paths.n; i++) {
		const struct command_path *t = &part->paths.at[i];

		if (!t->known || !d->policy->world ||
		    (t->use != OPERAND_WRITE && is_link(d, t->named)))
			return true;
		if (t->copied.len && tree_search(d->policy->world, t->copied, is_link_in_tree, d,
						 &d->names) != TREE_NO)
			return true;
	}
	return false;
}

static bool is_made_by(const struct command_path *t, const struct line_part *maker)
{
	for (size_t i = 0; i < maker->paths.n; i++) {
		const struct command_path *made = &maker->paths.at[i];

		if (t->known && made->use == OPERAND_WRITE &&
		    (path_is_inside(t->named, made->named) || path_is_inside(t->real, made->real)))
			return true;
	}
	return false;
}

/* Whether an archive, a commit or a patch that is unpacked before the command may have made a link
 * of a file that it uses. git itself does not follow links out of its work tree. */
static const struct command_path *links_find_unpacked(const struct line_decision *d,
						      const struct shell_command *command,
						      const command_path_list *paths)
{
	const made_path_list *made = &d->analysis->made;
	size_t n = command->may_repeat ? made->n : command->nmade;

	if (sv_is(shell_command_name(command), "git"))
		return NULL;
	for (size_t i = 0; i < paths->n; i++) {
		const struct command_path *t = &paths->at[i];

		if (!t->known || t->use == OPERAND_LIST || t->use == OPERAND_ENTER)
			continue;
		for (size_t k = 0; k < n; k++)
			if (made->at[k].unpacks && !sv_eq(t->real, made->at[k].path) &&
			    (!made->at[k].path.len || path_is_inside(t->real, made->at[k].path)))
				return t;
	}
	return NULL;
}

struct verdict decide_by_new_links(const struct line_decision *d,
				   const struct shell_command *command,
				   const command_path_list *paths)
{
	const struct command_path *unpacked = links_find_unpacked(d, command, paths);

	if (unpacked)
		return verdict_of(BEHAVIOR_ASK, REASON_SAFETY,
				  "Where %s leads depends on another command of this line.",
				  quote(unpacked->named).text);
	for (size_t k = 0; d->nmaking_links > 0 && k < d->analysis->commands.n; k++) {
		const struct line_part *maker = &d->parts[k];

		if (maker->command == command || !maker->makes_links)
			continue;
		for (size_t i = 0; i < paths->n; i++)
			if (is_made_by(&paths->at[i], maker))
				return verdict_of(
					BEHAVIOR_ASK, REASON_SAFETY,
					"Where %s leads depends on another command of this line.",
					quote(paths->at[i].named).text);
	}
	return fine;
}

/* --- where they lead ---------------------------------------------------------- */

/* A path that a command uses, below something that another command makes. */
struct link_search {
	struct line_decision *d;
	struct line_part *part;
	struct command_path target;
};

static void links_add_followed(struct link_search *f, struct sv base, struct sv rest)
{
	const struct perm_world *world = f->d->policy->world;
	struct arena *arena = &f->d->arena;
	struct command_path there = f->target;

	there.named = path_join(SV("/"),
				arena_printf(arena, "%.*s%.*s", SV_ARG(base), SV_ARG(rest)), arena);
	there.real = world ? world->real(world->arg, there.named, arena) : there.named;
	there.is_doubtful = true;
	if (!sv_eq(there.named, f->target.named))
		vec_push(&f->part->paths, there);
}

/* Removing or moving acts on the link, not on its target. */
static bool links_stays_at_link(const struct link_search *f, struct sv rest)
{
	bool is_moved = f->target.use == OPERAND_REMOVE &&
			sv_is(shell_command_name(f->part->command), "mv");

	return rest.len == 0 && (f->target.is_itself || is_moved);
}

/* Files are put into a directory that exists already. */
static bool is_put_into(const struct line_decision *d, const struct command_path *made)
{
	const struct perm_world *world = d->policy->world;

	return world && world->is_directory(world->arg, made->named) && !is_link(d, made->named);
}

/* The target of a link is relative to the directory of the link. */
static void links_follow_source(struct link_search *f, const struct line_part *maker,
				const struct command_path *made, const struct command_path *source,
				struct sv rest)
{
	struct arena *arena = &f->d->arena;

	links_add_followed(f, source->named, rest);
	if (source->arg && source->arg < maker->command->n)
		links_add_followed(f,
				   path_join(path_parent(made->named),
					     maker->command->argv[source->arg].text, arena),
				   rest);
}

static void links_follow_maker(struct link_search *f, const struct line_part *maker)
{
	f->d->steps -= min_of(f->d->steps, maker->paths.n);
	for (size_t i = 0; i < maker->paths.n; i++) {
		const struct command_path *made = &maker->paths.at[i];
		struct sv rest = sv_skip(f->target.named, made->named.len);

		if (!made->known || made->use != OPERAND_WRITE ||
		    !path_is_inside(f->target.named, made->named) || links_stays_at_link(f, rest) ||
		    is_put_into(f->d, made))
			continue;
		for (size_t k = 0; k < maker->paths.n; k++) {
			const struct command_path *source = &maker->paths.at[k];

			if (source->known &&
			    (source->use == OPERAND_READ || source->use == OPERAND_REMOVE))
				links_follow_source(f, maker, made, source, rest);
		}
	}
}

/* New paths are followed, too, since a link may lead to another link. */
static void links_follow_all(struct line_decision *d, struct line_part *part)
{
	size_t before = part->paths.n;

	for (size_t i = 0; i < part->paths.n; i++) {
		struct link_search f = { d, part, part->paths.at[i] };

		for (struct line_part *maker = d->parts; f.target.known && maker < part; maker++)
			if (maker->makes_links || is_copy(maker->command))
				links_follow_maker(&f, maker);
		if (part->paths.n > before + FOLLOWED_MAX || d->steps == 0) {
			snprintf(d->problem, sizeof(d->problem),
				 "its new links lead to too many places");
			return;
		}
	}
}

void decide_find_links(struct line_decision *d)
{
	for (size_t i = 0; i < d->analysis->commands.n; i++) {
		d->parts[i].makes_links = links_makes_some(d, &d->parts[i]);
		d->nmaking_links += d->parts[i].makes_links;
	}
	if (d->nmaking_links > LINKS_MAX)
		snprintf(d->problem, sizeof(d->problem), "too many of its commands make links");
	for (size_t i = 0;
	     d->nmaking_links > 0 && d->nmaking_links <= LINKS_MAX && i < d->analysis->commands.n;
	     i++)
		links_follow_all(d, &d->parts[i]);
}
