/* why.h - what would be decided about a tool use, without running it. The policy is the one that a
 * session in the directory would have, the tool itself says what the call would touch, and the
 * decision is made by the same code. */
#ifndef AWL_CORE_POLICY_WHY_H
#define AWL_CORE_POLICY_WHY_H

#include "core/policy/policy.h"
#include "perm/decide/suggest.h"

/* The compiled schema of a tool's input, kept for further questions about the same tool. */
struct why_schema {
	const struct tool *tool; /* NULL: none yet */
	struct json_doc *doc;
	struct schema *schema;
};

void why_schema_clear(struct why_schema *schema);

struct why_question {
	struct sv tool;
	struct json input;
	const char *cwd;        /* of the session; must exist */
	const char *project;    /* with the project's files, if not cwd, real; NULL: cwd */
	const char *home;       /* NULL: not known */
	const char *config_dir; /* NULL: none */
	const char *flag_settings, *setting_sources;
	const char *const *env; /* that commands get; NULL: our own */
	const char *mode;       /* NULL: that of the settings */
	/* More rules, which count as the user's own. */
	VEC(struct sv) allow, ask, deny;
	struct why_schema *schema; /* of the last question; required */
};

struct why_answer {
	struct arena arena;
	struct verdict verdict;
	enum perm_mode mode;
	bool asks_model; /* a model decides first, the user only when it cannot */
	bool is_unsure;  /* a settings file is invalid, so no rule can allow */
	struct perm_report report;
	struct sv rules[SUGGEST_MAX]; /* together they would allow it */
	size_t nrules;
	bool needs_bare_rule; /* only a rule for all calls of the tool would */
	struct str notes;     /* mistakes in settings and input, one line each */
};

#define WHY_ANSWER_INIT                                                             \
	{                                                                           \
		.arena = ARENA_INIT, .report = PERM_REPORT_INIT, .notes = STR_INIT, \
	}

void why_question_clear(struct why_question *question);
void why_answer_clear(struct why_answer *answer);

/* Whether a session would have the tool, or a server could. */
bool why_knows_tool(const struct why_question *question);

/* Decides. `explains` asks for the parts and for rules that would allow it, too. Fails on a
 * malformed rule or mode, on settings that would stop a session, and on an input that does not say
 * what the call is about. Other mistakes in the input are noted. */
must_use bool why_ask(struct why_answer *out, const struct why_question *question, bool explains,
		      struct err *err);

#endif
