#include "perm/path/tree_search.h"

#include "base/vec.h"

enum { DEPTH_MAX = 100 };

struct tree {
	const struct perm_world *world;
	tree_hit_fn *is_hit;
	void *arg;
	struct arena arena;
	VEC(struct sv) todo; /* directories */
	struct sv dir;       /* the one being listed */
	size_t *left;
	enum tree_answer answer;
};

static bool is_plain_directory(struct tree *t, struct sv path)
{
	return t->world->is_directory(t->world->arg, path) &&
	       sv_eq(t->world->real(t->world->arg, path, &t->arena), path);
}

static void tree_enter(struct tree *t, struct sv path)
{
	size_t depth = 0;

	for (size_t i = 0; i < path.len; i++)
		depth += path.ptr[i] == '/';
	if (depth > DEPTH_MAX)
		t->answer = TREE_TOO_BIG;
	else
		vec_push(&t->todo, path);
}

static bool tree_look_at(void *to, struct sv name)
{
	struct tree *t = to;
	struct sv path = arena_printf(&t->arena, "%.*s/%.*s", SV_ARG(t->dir), SV_ARG(name));

	if (t->is_hit(t->arg, path))
		t->answer = TREE_YES;
	else if (*t->left == 0)
		t->answer = TREE_TOO_BIG;
	else if (is_plain_directory(t, path))
		tree_enter(t, path);
	*t->left -= *t->left > 0;
	return t->answer == TREE_NO;
}

enum tree_answer tree_search(const struct perm_world *world, struct sv dir, tree_hit_fn *is_hit,
			     void *arg, size_t *left)
{
	struct tree t = {
		.world = world, .is_hit = is_hit, .arg = arg, .arena = ARENA_INIT, .left = left
	};

	vec_push(&t.todo, dir);
	while (t.todo.n && t.answer == TREE_NO) {
		t.dir = *vec_last(&t.todo);
		t.todo.n--;
		if (sv_is(t.dir, "/"))
			t.dir = SV_EMPTY;
		world->list(world->arg, t.dir.len ? t.dir : SV("/"), tree_look_at, &t);
	}
	vec_clear(&t.todo);
	arena_clear(&t.arena);
	return t.answer;
}
