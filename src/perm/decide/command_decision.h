/* command_decision.h - private to judge*.c: one command line on trial. */
#ifndef AWL_PERM_DECIDE_COMMAND_DECISION_H
#define AWL_PERM_DECIDE_COMMAND_DECISION_H

#include "perm/command/command_paths.h"
#include "perm/perm.h"
#include "perm/rule/rule.h"

/* A command, and what it touches. */
struct member {
	const struct run *run;
	touch_list touches;
	touch_list suspects; /* what else may be a file, once rules about files were asked */
	bool has_suspects;   /* they are collected */
	bool is_beyond;      /* ... but not all of them: any file may be meant */
	const struct perm_rule *rule; /* about its name that allows it; NULL: none */
	bool brings_links; /* what it makes, moves or copies may be a link, or hold one */
};

struct judging {
	const struct perm_policy *policy;
	const struct wish *wish;
	struct runs runs;
	struct member *members; /* as many as runs, in their order */
	size_t nbringing;       /* that bring links */
	struct place start;
	size_t steps;               /* what all answers together may still cost */
	size_t names;               /* ... and how many names below directories they may look at */
	size_t suspects;            /* ... and how many words that may name a file */
	struct sv plain_repository; /* a directory where git was found to do no harm; empty: none */
	bool is_shown;              /* no character hides */
	/* The first rule that forbids reading or writing a path; NULL: there is none. */
	const struct perm_rule *denies_path, *asks_path;
};

/* How far the rule that allows a command goes. */
enum grant {
	GRANT_NOTHING,
	GRANT_PROGRAM, /* what it writes among the working directories */
	GRANT_READS,   /* and what it reads anywhere: interpreters */
};

/* Nothing is said against it. */
static const struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

/* Files (judge_files.c): the rules that do `what` to one of them, whatever in the arguments
 * may name it; protected ones; and what is said to them once nothing forbids them. */
struct verdict by_path_rules(struct judging *j, enum behavior what, struct member *m);
struct verdict by_protection(struct judging *j, const struct run *run, const touch_list *touches);
struct verdict judge_touches(struct judging *j, const touch_list *touches, enum grant grant);
/* The same for what the arguments of a program name that is in no table. */
struct verdict judge_named(struct judging *j, const struct run *run);
struct verdict judge_writes(struct judging *j, const touch_list *touches);

/* Links (judge_links.c) that a command of the line makes, moves or copies: where a path leads
 * that another one puts there, nobody can tell. */
void look_for_links(struct judging *j);
struct verdict by_made_links(const struct judging *j, const struct run *run,
			     const touch_list *touches);

/* What a rule about the command's name does not speak of (judge_surprises.c): variables that
 * change what programs do, secrets, hidden evaluation, repositories that make git run
 * something. */
struct verdict by_surprises(struct judging *j, const struct run *run);

#endif
