#include "text/match/glob.h"

#include "base/limits.h"
#include "text/match/wildmatch.h"

void glob_clear(struct glob *g)
{
	for (size_t i = 0; i < g->patterns.n; i++)
		free(g->patterns.at[i]);
	vec_clear(&g->patterns);
}

/* An open '{'. */
struct brace {
	size_t open;
	bool has_comma;
};

struct group {
	size_t open, close; /* offsets of '{' and '}' */
};

/* Find the outermost form of the leftmost group worth expanding, in one pass. A group
 * closes before any group around it, so of those that end here, the one that opened
 * first is the right one. */
static bool glob_find_group(struct sv s, struct group *out)
{
	VEC(struct brace) open = VEC_INIT;
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < s.len && (best == SIZE_MAX || open.n > 0); i++) {
		if (s.ptr[i] == '\\') {
			i++;
		} else if (s.ptr[i] == '{') {
			vec_push(&open, ((struct brace){ .open = i }));
		} else if (s.ptr[i] == ',' && open.n > 0) {
			vec_last(&open)->has_comma = true;
		} else if (s.ptr[i] == '}' && open.n > 0) {
			struct brace brace = vec_pop(&open);

			if (brace.has_comma && brace.open < best) {
				best = brace.open;
				*out = (struct group){ .open = best, .close = i };
			}
		}
	}
	vec_clear(&open);
	return best != SIZE_MAX;
}

/* The end of the alternative that starts at `from`: the next ',' of the group itself, or
 * its '}'. */
static size_t glob_alternative_end(struct sv s, const struct group *group, size_t from)
{
	size_t depth = 0, i;

	for (i = from; i < group->close; i++) {
		if (s.ptr[i] == '\\')
			i++;
		else if (s.ptr[i] == '{')
			depth++;
		else if (s.ptr[i] == '}')
			depth--;
		else if (s.ptr[i] == ',' && depth == 0)
			break;
	}
	return i;
}

/* Patterns still to expand: those at the end come next in the shell's order. */
struct expansion {
	VEC(char *) todo;
	size_t bytes; /* total of `todo` and of the finished patterns */
};

static void expansion_clear(struct expansion *e)
{
	for (size_t i = 0; i < e->todo.n; i++)
		free(e->todo.at[i]);
	vec_clear(&e->todo);
}

static bool glob_add_todo(struct expansion *e, char *pattern, struct err *err)
{
	size_t size = strlen(pattern) + 1;

	vec_push(&e->todo, pattern);
	e->bytes += size;
	if (e->bytes > LIMIT_PATTERN)
		return err_set(err, ERR_TOO_BIG,
			       "the brace alternatives of the pattern exceed %zu bytes",
			       (size_t)LIMIT_PATTERN);
	return true;
}

/* Replace `s` with one pattern for each alternative, in reverse order. */
static bool glob_expand_group(struct expansion *e, struct sv s, const struct group *group,
			      struct err *err)
{
	struct sv before = sv_slice(s, 0, group->open), after = sv_skip(s, group->close + 1);
	size_t first = e->todo.n, from = group->open + 1;

	while (from <= group->close) {
		size_t end = glob_alternative_end(s, group, from);
		struct str one = STR_INIT;

		str_add(&one, before);
		str_add(&one, sv_slice(s, from, end));
		str_add(&one, after);
		if (!glob_add_todo(e, str_detach(&one), err))
			return false;
		from = end + 1;
	}
	for (size_t last = e->todo.n; last > first + 1; first++) {
		char *swapped = e->todo.at[first];

		e->todo.at[first] = e->todo.at[--last];
		e->todo.at[last] = swapped;
	}
	return true;
}

static bool glob_check_pattern(struct sv pattern, struct err *err)
{
	size_t bad_at;

	if (wildmatch_valid(pattern, &bad_at))
		return true;
	if (pattern.ptr[bad_at] == '\\')
		return err_set(err, ERR_PARSE, "no character after the '\\' at the end of \"%.*s\"",
			       SV_ARG(pattern));
	return err_set(err, ERR_PARSE, "the '[' at byte %zu of \"%.*s\" does not open a valid set",
		       bad_at, SV_ARG(pattern));
}

static bool glob_expand(struct glob *g, struct expansion *e, struct err *err)
{
	while (e->todo.n > 0) {
		defer(mem_freep) char *text = vec_pop(&e->todo);
		struct sv s = sv_cstr(text);
		struct group group = { .open = 0 };

		if (glob_find_group(s, &group)) {
			e->bytes -= s.len + 1;
			if (!glob_expand_group(e, s, &group, err))
				return false;
			continue;
		}
		if (!glob_check_pattern(s, err))
			return false;
		vec_push(&g->patterns, move(text));
	}
	return true;
}

bool glob_init(struct glob *g, struct sv pattern, bool nocase, struct err *err)
{
	defer(expansion_clear) struct expansion e = { .todo = VEC_INIT };
	struct glob built = { .patterns = VEC_INIT, .nocase = nocase };
	size_t nul = sv_find_char(pattern, '\0');

	if (pattern.len >= LIMIT_PATTERN)
		return err_set(err, ERR_TOO_BIG,
			       "pattern of %zu bytes is too long; the limit is %zu", pattern.len,
			       (size_t)LIMIT_PATTERN - 1);
	if (nul != SIZE_MAX)
		return err_set(err, ERR_PARSE, "NUL at byte %zu of the pattern", nul);
	if (!glob_add_todo(&e, sv_dup(pattern), err) || !glob_expand(&built, &e, err)) {
		glob_clear(&built);
		return false;
	}
	*g = built;
	return true;
}

bool glob_match(const struct glob *g, struct sv path)
{
	for (size_t i = 0; i < g->patterns.n; i++) {
		size_t steps = SIZE_MAX;

		if (wildmatch(sv_cstr(g->patterns.at[i]), path, g->nocase, &steps))
			return true;
	}
	return false;
}
