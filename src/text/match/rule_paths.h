/* rule_paths.h - the files that a rule in .claude/rules is for: `paths` in its front matter.
 *
 *   ---
 *   paths:
 *     - "*.{ts,tsx}"
 *   ---
 *   Validate every input.
 *
 * Patterns are those of .gitignore, with braces, relative to the folder that contains .claude. A
 * string may contain several, separated by commas. A rule without paths is for every file. */
#ifndef AWL_TEXT_MATCH_RULE_PATHS_H
#define AWL_TEXT_MATCH_RULE_PATHS_H

#include "text/match/ignore.h"

struct rule_paths {
	bool is_limited; /* false: for every file */
	struct ignore patterns;
	struct str written; /* the patterns, separated by blanks */
};

#define RULE_PATHS_INIT                  \
	{                                \
		.patterns = IGNORE_INIT, \
	}

/* Reads the front matter of a rule and sets `*body` to the rest of the text. Fails if the front
 * matter or a pattern is invalid; then `out` is not limited, and `*body` is the whole text. */
must_use bool rule_paths_read(struct rule_paths *out, struct sv text, struct sv *body,
			      struct err *err);
/* The same for patterns alone, separated by commas. */
must_use bool rule_paths_parse(struct rule_paths *out, struct sv patterns, struct err *err);
void rule_paths_clear(struct rule_paths *paths);

/* Returns whether the rule is for the file with this path, relative to the rule's folder. */
bool rule_paths_match(const struct rule_paths *paths, struct sv path);

#endif
