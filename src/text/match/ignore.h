/* ignore.h - which paths a tree's .gitignore files hide, exactly as git decides: the
 * last matching rule wins, a deeper file overrides a shallower one, and nothing below a
 * hidden directory can be shown again.
 *
 * Paths and directories are relative to the root of the tree, with '/' between
 * components and none at either end; the root itself is "". */
#ifndef AWL_TEXT_MATCH_IGNORE_H
#define AWL_TEXT_MATCH_IGNORE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

/* Nearly all rules are a name, or a '*' and a name: those need no wildmatch(). */
enum ignore_kind { IGNORE_LITERAL, IGNORE_SUFFIX, IGNORE_WILD };

struct ignore_rule {
	struct sv pattern; /* without '!' and a slash at either end */
	uint32_t file;     /* index of the ignore_add() call that added it */
	uint32_t line;     /* in that file, from 1 */
	enum ignore_kind kind;
	bool negated; /* shows what an earlier rule hides */
	bool dir_only;
	bool anchored; /* matches the path from `base`, not the last component */
};

struct ignore_file {
	struct sv base;
	size_t first, end; /* its rules */
};

struct ignore {
	struct arena arena; /* owns all text below */
	VEC(struct ignore_file) files;
	VEC(struct ignore_rule) rules;
	size_t bytes;
	bool nocase; /* core.ignorecase; set it before the first file */
};

#define IGNORE_INIT               \
	{                         \
		.files = VEC_INIT \
	}

void ignore_clear(struct ignore *ig);

/* Adds the rules of one file, which apply below the directory `base`. Later files
 * override earlier ones: add the user's own excludes first, then .git/info/exclude, the
 * root's .gitignore, and deeper ones after it. Copies what it needs. Fails on a line
 * over LIMIT_PATTERN, naming it, and when all files together exceed LIMIT_IGNORE_BYTES;
 * `ig` is then unchanged. */
must_use bool ignore_add(struct ignore *ig, struct sv base, struct sv text, struct err *err);

/* The rule that decides about `path`, or NULL when none does. The pointer is valid until
 * the next ignore_add(). The search stops after LIMIT_IGNORE_STEPS, which only a hostile
 * file reaches, and then finds no rule. */
const struct ignore_rule *ignore_find(const struct ignore *ig, struct sv path, bool is_dir);

/* ignore_find() for a path whose directory is known to be visible, as for a walker that
 * does not enter hidden ones: it skips the check of each parent. */
const struct ignore_rule *ignore_find_entry(const struct ignore *ig, struct sv path, bool is_dir);

static inline bool ignore_hides(const struct ignore *ig, struct sv path, bool is_dir)
{
	const struct ignore_rule *rule = ignore_find(ig, path, is_dir);

	return rule && !rule->negated;
}

#endif
