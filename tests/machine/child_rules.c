#include "machine/child_rules.h"

#include <fnmatch.h>

#include "base/vec.h"

enum { FIRST_PID = 1000 };

struct programs {
	struct sim_part part;
	VEC(struct child_rule *) rules;
	VEC(struct sim_spawn *) spawned;
	size_t running;
};

static void rule_free(struct child_rule *rule)
{
	for (size_t i = 0; i < rule->n; i++)
		free((char *)rule->steps[i].text.ptr);
	free(rule->steps);
	free(rule->pattern);
	free(rule);
}

static void spawn_free(struct sim_spawn *spawn)
{
	free(spawn->command);
	free(spawn->cwd);
	free(spawn->sandbox);
	str_clear(&spawn->input);
	free(spawn);
}

static void programs_clear(struct sim_part *part)
{
	struct programs *all = container_of(part, struct programs, part);

	for (size_t i = 0; i < all->rules.n; i++)
		rule_free(all->rules.at[i]);
	for (size_t i = 0; i < all->spawned.n; i++)
		spawn_free(all->spawned.at[i]);
	vec_clear(&all->rules);
	vec_clear(&all->spawned);
}

static const struct sim_part_type programs_type = { .size = sizeof(struct programs),
						    .clear = programs_clear };

static struct programs *programs(struct sim *w)
{
	return container_of(sim_part(w, &programs_type), struct programs, part);
}

void sim_child(struct sim *w, const char *pattern, const struct sim_child_step *steps, size_t n,
	       int uses)
{
	struct child_rule *rule = xnew(struct child_rule);

	rule->pattern = xstrdup(pattern);
	rule->uses = uses;
	rule->n = n;
	rule->steps = xcalloc(max_of(n, (size_t)1), sizeof(*rule->steps));
	for (size_t i = 0; i < n; i++) {
		rule->steps[i] = steps[i];
		rule->steps[i].text.ptr = sv_dup(steps[i].text); /* owned, even when empty */
	}
	vec_push(&programs(w)->rules, rule);
}

const struct child_rule *child_rule_for(struct sim *w, const char *command)
{
	struct programs *all = programs(w);

	for (size_t i = 0; i < all->rules.n; i++) {
		struct child_rule *rule = all->rules.at[i];

		if ((rule->uses && rule->used == rule->uses) ||
		    fnmatch(rule->pattern, command, 0) != 0)
			continue;
		rule->used++;
		return rule;
	}
	return NULL;
}

struct sim_spawn *child_spawned(struct sim *w, const char *command, const char *cwd)
{
	struct programs *all = programs(w);
	struct sim_spawn *spawn = xnew(struct sim_spawn);

	spawn->command = xstrdup(command);
	spawn->cwd = cwd ? xstrdup(cwd) : NULL;
	spawn->pid = FIRST_PID + (int)all->spawned.n;
	vec_push(&all->spawned, spawn);
	return spawn;
}

size_t *child_running(struct sim *w)
{
	return &programs(w)->running;
}

const struct sim_spawn *sim_spawned(struct sim *w, size_t i)
{
	struct programs *all = programs(w);

	return i < all->spawned.n ? all->spawned.at[i] : NULL;
}
