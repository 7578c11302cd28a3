#include "text/match/ignore.h"

#include "base/limits.h"
#include "text/match/wildmatch.h"

void ignore_clear(struct ignore *ig)
{
	vec_clear(&ig->files);
	vec_clear(&ig->rules);
	arena_clear(&ig->arena);
	ig->bytes = 0;
}

/* Strip trailing spaces unless they are escaped. After a lone '\' at the very end git
 * keeps them all; such a pattern matches nothing anyway. */
static struct sv ignore_trim_spaces(struct sv line)
{
	size_t end = 0;

	for (size_t i = 0; i < line.len; i++) {
		bool escaped = line.ptr[i] == '\\';

		if (escaped && ++i == line.len)
			return line;
		if (escaped || line.ptr[i] != ' ')
			end = i + 1;
	}
	return sv_slice(line, 0, end);
}

static enum ignore_kind ignore_kind_of(struct sv pattern, bool anchored)
{
	if (wildmatch_literal_prefix(pattern) == pattern.len)
		return IGNORE_LITERAL;
	if (!anchored && pattern.ptr[0] == '*' &&
	    wildmatch_literal_prefix(sv_skip(pattern, 1)) == pattern.len - 1)
		return IGNORE_SUFFIX;
	return IGNORE_WILD;
}

/* Parse one line; false when it is a comment or empty. */
static bool ignore_parse_rule(struct sv line, struct ignore_rule *out)
{
	struct ignore_rule rule = { .line = out->line, .file = out->file };

	if (sv_starts(line, SV("#")))
		return false;
	line = ignore_trim_spaces(sv_slice(line, 0, sv_find_char(line, '\0')));
	if (sv_starts(line, SV("!"))) {
		rule.negated = true;
		line = sv_skip(line, 1);
	}
	if (sv_ends(line, SV("/"))) {
		rule.dir_only = true;
		line = sv_slice(line, 0, line.len - 1);
	}
	rule.anchored = sv_find_char(line, '/') != SIZE_MAX;
	if (sv_starts(line, SV("/")))
		line = sv_skip(line, 1);
	rule.pattern = line;
	rule.kind = ignore_kind_of(line, rule.anchored);
	*out = rule;
	return line.len > 0;
}

static bool ignore_add_rules(struct ignore *ig, struct sv text, struct err *err)
{
	struct ignore_rule rule = { .file = (uint32_t)ig->files.n };
	struct sv line;

	if (sv_starts(text, SV("\xef\xbb\xbf")))
		text = sv_skip(text, 3);
	while (text.len > 0 && sv_cut(&text, '\n', &line)) {
		rule.line++;
		if (sv_ends(line, SV("\r"))) /* also without a newline after it */
			line.len--;
		if (line.len > LIMIT_PATTERN)
			return err_set(err, ERR_TOO_BIG, "line %u: pattern exceeds %zu bytes",
				       rule.line, (size_t)LIMIT_PATTERN);
		if (ignore_parse_rule(line, &rule))
			vec_push(&ig->rules, rule);
	}
	return true;
}

bool ignore_add(struct ignore *ig, struct sv base, struct sv text, struct err *err)
{
	struct ignore_file file = { .first = ig->rules.n };

	if (base.len + text.len > LIMIT_IGNORE_BYTES - ig->bytes)
		return err_set(err, ERR_TOO_BIG, "ignore files exceed %zu bytes in total",
			       (size_t)LIMIT_IGNORE_BYTES);
	ig->bytes += base.len + text.len;
	if (!ignore_add_rules(ig, arena_dup(&ig->arena, text), err)) {
		ig->rules.n = file.first;
		ig->bytes -= base.len + text.len;
		return false;
	}
	file.base = arena_dup(&ig->arena, base);
	file.end = ig->rules.n;
	vec_push(&ig->files, file);
	return true;
}

static bool ignore_equal(struct sv a, struct sv b, bool nocase)
{
	return nocase ? sv_eq_nocase(a, b) : sv_eq(a, b);
}

/* The part of `path` below `base`; false when it is not below it. */
static bool ignore_below(struct sv path, struct sv base, bool nocase, struct sv *rest)
{
	*rest = path;
	if (base.len == 0)
		return true;
	if (path.len <= base.len + 1 || path.ptr[base.len] != '/')
		return false;
	*rest = sv_skip(path, base.len + 1);
	return ignore_equal(sv_slice(path, 0, base.len), base, nocase);
}

static bool ignore_matches(const struct ignore_rule *rule, struct sv name, bool nocase,
			   size_t *steps)
{
	struct sv suffix;

	switch (rule->kind) {
	case IGNORE_LITERAL: return ignore_equal(rule->pattern, name, nocase);
	case IGNORE_SUFFIX:
		suffix = sv_skip(rule->pattern, 1);
		return name.len >= suffix.len &&
		       ignore_equal(sv_skip(name, name.len - suffix.len), suffix, nocase);
	case IGNORE_WILD: return wildmatch(rule->pattern, name, nocase, steps);
	}
	return false;
}

/* The last matching rule of one file. */
static const struct ignore_rule *ignore_find_in_file(const struct ignore *ig,
						     const struct ignore_file *file, struct sv path,
						     bool is_dir, size_t *steps)
{
	struct sv rest, name;

	if (!ignore_below(path, file->base, ig->nocase, &rest))
		return NULL;
	name = sv_basename(rest);
	for (size_t i = file->end; i > file->first && *steps > 0; i--) {
		const struct ignore_rule *rule = &ig->rules.at[i - 1];

		--*steps;
		if ((is_dir || !rule->dir_only) &&
		    ignore_matches(rule, rule->anchored ? rest : name, ig->nocase, steps))
			return rule;
	}
	return NULL;
}

static const struct ignore_rule *ignore_find_last(const struct ignore *ig, struct sv path,
						  bool is_dir, size_t *steps)
{
	for (size_t i = ig->files.n; i > 0; i--) {
		const struct ignore_rule *rule =
			ignore_find_in_file(ig, &ig->files.at[i - 1], path, is_dir, steps);

		if (rule)
			return rule;
	}
	return NULL;
}

const struct ignore_rule *ignore_find_entry(const struct ignore *ig, struct sv path, bool is_dir)
{
	size_t steps = LIMIT_IGNORE_STEPS;

	return ignore_find_last(ig, path, is_dir, &steps);
}

const struct ignore_rule *ignore_find(const struct ignore *ig, struct sv path, bool is_dir)
{
	size_t steps = LIMIT_IGNORE_STEPS;

	for (size_t i = 1; i < path.len; i++) {
		const struct ignore_rule *rule;

		if (path.ptr[i] != '/')
			continue;
		rule = ignore_find_last(ig, sv_slice(path, 0, i), true, &steps);
		if (rule && !rule->negated)
			return rule;
	}
	return ignore_find_last(ig, path, is_dir, &steps);
}
