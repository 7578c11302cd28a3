/* why.h - what would be said to a call, without making it: the policy a session in that
 * directory would have, the tool's own words on what it touches, and the decision, all three
 * by the code that a session uses. */
#ifndef AWL_CORE_WHY_H
#define AWL_CORE_WHY_H

#include "core/policy.h"
#include "perm/decide/suggest.h"

struct why_question {
	struct sv tool;
	struct json input;
	const char *cwd;        /* of the session; must exist */
	const char *home;       /* NULL: not known */
	const char *config_dir; /* NULL: none */
	const char *flag_settings, *setting_sources;
	const char *const *env; /* that commands get; NULL: our own */
	const char *mode;       /* NULL: that of the settings */
	/* Rules that count as the user's own. */
	VEC(struct sv) allow, ask, deny;
};

struct why_answer {
	struct arena arena;
	struct verdict verdict;
	enum perm_mode mode;
	bool asks_model; /* first, and the user only when that cannot tell */
	bool is_unsure;  /* a settings file cannot be used, so no rule allows anything */
	struct perm_report report;
	struct sv rules[SUGGEST_MAX]; /* that would allow it */
	size_t nrules;
	struct str notes; /* what was wrong with the settings, a line each */
};

#define WHY_ANSWER_INIT                                                             \
	{                                                                           \
		.arena = ARENA_INIT, .report = PERM_REPORT_INIT, .notes = STR_INIT, \
	}

void why_question_clear(struct why_question *question);
void why_answer_clear(struct why_answer *answer);

/* `explains`: parts and rules are wanted, too. Fails on a malformed rule or mode, an input that
 * does not tell what the call is about, and settings that stop a session. Whatever else is wrong
 * with the input is told in the notes. */
must_use bool why_ask(struct why_answer *out, const struct why_question *question, bool explains,
		      struct err *err);

#endif
