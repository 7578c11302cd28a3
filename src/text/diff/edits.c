#include "text/diff/edits.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/vec.h"

/* One of the two lists, as numbers: equal tokens have equal ids. Tokens that do not
 * occur in the other list are marked at once, and the search skips them. */
struct side {
	const struct sv *tokens;
	bool *changed;
	size_t n;
	uint32_t *ids; /* of all tokens, then only of those in the search */
	uint32_t *at;  /* their positions in `tokens` */
	size_t left;
};

static void side_init(struct side *s, const struct sv *tokens, size_t n, bool *changed)
{
	*s = (struct side){
		.tokens = tokens,
		.changed = changed,
		.n = n,
		.ids = xcalloc(n, sizeof(*s->ids)),
		.at = xcalloc(n, sizeof(*s->at)),
	};
}

static void side_clear(struct side *s)
{
	free(s->ids);
	free(s->at);
}

static void edits_number_tokens(struct side *s, struct map *ids)
{
	for (size_t i = 0; i < s->n; i++) {
		uintptr_t id = (uintptr_t)map_get(ids, s->tokens[i]);

		if (!id) {
			id = ids->n + 1;
			map_put(ids, s->tokens[i], (void *)id);
		}
		s->ids[i] = (uint32_t)id;
	}
}

/* Set `bit` in `seen` for every id that a side has. */
static void edits_note_ids(const struct side *s, unsigned char *seen, unsigned char bit)
{
	for (size_t i = 0; i < s->n; i++)
		seen[s->ids[i]] |= bit;
}

static void edits_leave_in_shared(struct side *s, const unsigned char *seen)
{
	for (size_t i = 0; i < s->n; i++) {
		if (seen[s->ids[i]] != 3) {
			s->changed[i] = true;
			continue;
		}
		s->at[s->left] = (uint32_t)i;
		s->ids[s->left++] = s->ids[i];
	}
}

static void edits_reduce(struct side *a, struct side *b)
{
	struct map ids = MAP_INIT;
	unsigned char *seen;

	edits_number_tokens(a, &ids);
	edits_number_tokens(b, &ids);
	seen = xcalloc(ids.n + 1, 1);
	edits_note_ids(a, seen, 1);
	edits_note_ids(b, seen, 2);
	edits_leave_in_shared(a, seen);
	edits_leave_in_shared(b, seen);
	free(seen);
	map_clear(&ids);
}

/* A search from one corner of a box. Both searches use the same code: the one from the
 * far corner reads its sequences backwards. `reach[k]` is how far into `a` the best path
 * on diagonal k (x - y) has come, or -1. */
struct front {
	const uint32_t *a, *b;
	ptrdiff_t step; /* 1, or -1 to read backwards */
	int32_t n, m;   /* lengths of a and b */
	int32_t *reach;
	int32_t d; /* edits made so far */
};

static void front_start(struct front *f)
{
	f->d = 0;
	f->reach[0] = 0; /* the first tokens differ, otherwise the box would be smaller */
}

static int32_t edits_best_start(const struct front *f, int32_t k)
{
	int32_t delete = k > -f->m ? f->reach[k - 1] : -1;
	int32_t insert = k < f->n ? f->reach[k + 1] : -1;

	delete = delete >= 0 && delete < f->n ? delete + 1 : -1;
	insert = insert >= 0 && insert - k <= f->m ? insert : -1;
	return max_of(delete, insert);
}

/* Whether the two searches have met on diagonal k of `f`. */
static bool edits_fronts_meet(const struct front *f, const struct front *other, int32_t k)
{
	int32_t theirs = f->n - f->m - k;

	return theirs >= -other->d && theirs <= other->d && other->reach[theirs] >= 0 &&
	       f->reach[k] + other->reach[theirs] >= f->n;
}

/* Allow one more edit. Returns true once the searches meet, on diagonal `*met`. */
static bool front_advance(struct front *f, const struct front *other, int32_t *met)
{
	int32_t d = ++f->d;
	int32_t low = d > f->m ? -f->m + ((d - f->m) & 1) : -d;
	int32_t high = d > f->n ? f->n - ((d - f->n) & 1) : d;

	f->reach[d + 1] = f->reach[-d - 1] = -1;
	for (int32_t k = low; k <= high; k += 2) {
		int32_t x = edits_best_start(f, k);

		while (x >= 0 && x < f->n && x - k < f->m &&
		       f->a[x * f->step] == f->b[(x - k) * f->step])
			x++;
		f->reach[k] = x;
		if (x >= 0 && edits_fronts_meet(f, other, k)) {
			*met = k;
			return true;
		}
	}
	return false;
}

/* The number of tokens of both lists that the path on diagonal k has passed. */
static int64_t front_progress(const struct front *f, int32_t k)
{
	return 2 * (int64_t)f->reach[k] - k;
}

/* The diagonal on which the search has passed the most tokens. */
static int32_t front_best(const struct front *f)
{
	int32_t best = 0;
	int64_t most = -1;

	for (int32_t k = -f->d; k <= f->d; k += 2)
		if (k >= -f->m && k <= f->n && f->reach[k] >= 0 && front_progress(f, k) > most) {
			most = front_progress(f, k);
			best = k;
		}
	return best;
}

struct box {
	size_t a, n, b, m; /* start and length in both lists */
};

struct search {
	struct side *a, *b;
	VEC(struct box) todo;
	int32_t *ahead, *back; /* room for the two fronts; index 0 is in the middle */
	int32_t cost;          /* number of edits that a search may make */
};

/* The point that a front has reached, as tokens from the start of the box. */
static void edits_place_of(const struct front *f, int32_t k, int32_t *x, int32_t *y)
{
	*x = f->step > 0 ? f->reach[k] : f->n - f->reach[k];
	*y = f->step > 0 ? f->reach[k] - k : f->m - (f->reach[k] - k);
}

/* Find a point within the box that a good path passes through. Each front has made at
 * least one edit and neither has finished alone, so the point is not a corner. */
static void edits_split(const struct search *s, const struct box *box, int32_t *x, int32_t *y)
{
	const uint32_t *a = s->a->ids + box->a, *b = s->b->ids + box->b;
	int32_t n = (int32_t)box->n, m = (int32_t)box->m, k;
	struct front ahead = { .a = a, .b = b, .step = 1, .n = n, .m = m, .reach = s->ahead };
	struct front back = {
		.a = a + n - 1, .b = b + m - 1, .step = -1, .n = n, .m = m, .reach = s->back
	};
	const struct front *winner = NULL;

	front_start(&ahead);
	front_start(&back);
	while (!winner && ahead.d < s->cost) {
		if (front_advance(&ahead, &back, &k))
			winner = &ahead;
		else if (front_advance(&back, &ahead, &k))
			winner = &back;
	}
	if (!winner) {
		winner = front_progress(&ahead, front_best(&ahead)) >=
					 front_progress(&back, front_best(&back))
				 ? &ahead
				 : &back;
		k = front_best(winner);
	}
	edits_place_of(winner, k, x, y);
}

/* Drop the tokens that both sequences of the box start and end with. */
static void edits_shrink(const struct search *s, struct box *box)
{
	const uint32_t *a = s->a->ids, *b = s->b->ids;

	while (box->n > 0 && box->m > 0 && a[box->a] == b[box->b]) {
		box->a++, box->b++;
		box->n--, box->m--;
	}
	while (box->n > 0 && box->m > 0 && a[box->a + box->n - 1] == b[box->b + box->m - 1])
		box->n--, box->m--;
}

static void edits_mark(struct side *s, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++)
		s->changed[s->at[i]] = true;
}

static void search_run(struct search *s)
{
	vec_push(&s->todo, ((struct box){ .n = s->a->left, .m = s->b->left }));
	while (s->todo.n > 0) {
		struct box box = vec_pop(&s->todo);
		int32_t x, y;

		edits_shrink(s, &box);
		if (box.n == 0 || box.m == 0) {
			edits_mark(s->a, box.a, box.n);
			edits_mark(s->b, box.b, box.m);
			continue;
		}
		edits_split(s, &box, &x, &y);
		vec_push(&s->todo, ((struct box){ box.a, (size_t)x, box.b, (size_t)y }));
		vec_push(&s->todo, ((struct box){ box.a + (size_t)x, box.n - (size_t)x,
						  box.b + (size_t)y, box.m - (size_t)y }));
	}
	vec_clear(&s->todo);
}

/* A search of `cost` edits takes cost^2 steps and advances by at least `cost` tokens, so
 * all searches together take tokens x cost steps. */
static int32_t edits_affordable_cost(size_t tokens)
{
	size_t cost = LIMIT_DIFF_STEPS / (tokens + 1);

	return (int32_t)min_of(max_of(cost, (size_t)16), (size_t)LIMIT_DIFF_COST);
}

static void edits_find_between(struct side *a, struct side *b)
{
	struct search s = { .a = a, .b = b, .todo = VEC_INIT };
	defer(mem_freep) int32_t *buffer = NULL;
	size_t half;

	edits_reduce(a, b);
	s.cost = edits_affordable_cost(a->left + b->left);
	half = (size_t)s.cost + 1;
	buffer = xcalloc(2 * (2 * half + 1), sizeof(*buffer));
	s.ahead = buffer + half;
	s.back = buffer + 2 * half + 1 + half;
	search_run(&s);
}

void edits_find(const struct sv *old_tokens, size_t n_old, bool *deleted,
		const struct sv *new_tokens, size_t n_new, bool *inserted)
{
	defer(side_clear) struct side a = { .ids = NULL };
	defer(side_clear) struct side b = { .ids = NULL };
	size_t common = min_of(n_old, n_new), start = 0, end = 0;

	BUG_ON(n_old > INT32_MAX || n_new > INT32_MAX);
	if (n_old == 0 || n_new == 0) {
		memset(deleted, true, n_old);
		memset(inserted, true, n_new);
		return;
	}
	while (start < common && sv_eq(old_tokens[start], new_tokens[start]))
		start++;
	while (end < common - start &&
	       sv_eq(old_tokens[n_old - 1 - end], new_tokens[n_new - 1 - end]))
		end++;
	side_init(&a, old_tokens + start, n_old - start - end, deleted + start);
	side_init(&b, new_tokens + start, n_new - start - end, inserted + start);
	edits_find_between(&a, &b);
}
