/* command_decision.h - private to src/perm/decide: the decision about one command line. */
#ifndef AWL_PERM_DECIDE_COMMAND_DECISION_H
#define AWL_PERM_DECIDE_COMMAND_DECISION_H

#include "perm/command/command_paths.h"
#include "perm/perm.h"
#include "perm/rule/rule.h"

/* A command of the line. */
struct line_part {
	const struct shell_command *command;
	command_path_list paths;      /* that it uses; later also where new links lead */
	command_path_list suspects;   /* words that may name a file, for rules that forbid some */
	bool has_suspects;            /* they have been collected */
	bool has_more_suspects;       /* ... but not all of them, so any file may be meant */
	const struct perm_rule *rule; /* that allows it by its name; NULL: none */
	bool makes_links;             /* it may make, move or copy links */
};

struct line_decision {
	const struct perm_policy *policy;
	const struct perm_request *request;
	const struct command_analysis *analysis;
	struct arena arena;
	struct line_part *parts; /* one for each command of the analysis, in its order */
	size_t nmaking_links;    /* parts that do */
	struct cwd_set start;
	size_t steps;           /* budget of all matching together */
	size_t names;           /* ... of names looked at in directories */
	size_t suspects;        /* ... of words that may name a file */
	struct sv checked_repo; /* a directory where git turned out to be harmless; or empty */
	bool is_visible;        /* the text has no invisible characters */
	/* The first rule that forbids reading or writing a path; NULL: there is none. */
	const struct perm_rule *denies_path, *asks_path;
	char problem[ERR_TEXT_SIZE]; /* as in the analysis, or found later; empty: none */
};

/* A decision that is taken command by command, for whoever tries out rules. `policy` may get more
 * rules that allow in between. */
void decide_line_init(struct line_decision *d, const struct perm_policy *policy,
		      const struct perm_request *request, const struct command_analysis *analysis);
void decide_line_clear(struct line_decision *d);
struct verdict decide_line_command(struct line_decision *d, size_t at);

/* How far the rule that allows a command goes. */
enum grant {
	GRANT_NOTHING,
	GRANT_PROGRAM,   /* it covers what the program writes in the working directories */
	GRANT_READS,     /* ... and what it reads anywhere: interpreters */
	GRANT_TEMPORARY, /* ... and new temporary files: mktemp */
};

/* Nothing speaks against it. */
static const struct verdict fine = { .behavior = BEHAVIOR_ALLOW };

/* Rules about commands (decide_rules.c). What a rule that denies or asks says about the command
 * or a file of it, and the rule that allows it by its name; NULL: none. */
struct verdict decide_by_forbidding_rules(struct line_decision *d, struct line_part *part);
const struct perm_rule *decide_find_allowing(struct line_decision *d, const struct line_part *part);
/* A rule that matches the command, though it may not spell all that the command does; NULL: none. */
const struct perm_rule *decide_find_partial(struct line_decision *d,
					    const struct shell_command *command);
/* Whether the rule spells the words of a wrapper up to the program that it runs: "timeout 5 make". */
bool decide_rule_spells_wrapped(const struct perm_rule *rule, const struct shell_command *command);
/* What a rule says that denies or asks about a whole line or about the commands of a pipe. */
struct verdict decide_by_line_rules(struct line_decision *d);
/* The rule that allows every command; NULL: none. */
const struct perm_rule *decide_find_allowing_all(const struct line_decision *d);
/* Whether a rule denies or asks about some commands. */
bool decide_denies_some(const struct line_decision *d);
/* A deny rule that may mean something in a text that could not be parsed. */
struct verdict decide_by_text(struct line_decision *d);
/* Whether the rule is one command, with no '*' in it; NULL is none. */
bool decide_rule_is_exact(const struct perm_rule *rule);
/* Whether bash evaluates something in the words once more that may hold commands: for sure in
 * "${x@P}" and "${!x}"; and in "$((x))" if x holds the right text, which matters to those who
 * forbid some commands. */
bool decide_may_run_anything(const struct line_decision *d, const struct shell_command *command);

/* Files (decide_paths.c): the rules that deny or ask about one of them, or about a word that may
 * name it; protected paths; and everything else, once nothing forbids them. */
struct verdict decide_by_path_rules(struct line_decision *d, enum behavior what,
				    struct line_part *part);
struct verdict decide_by_protection(struct line_decision *d, const struct shell_command *command,
				    const command_path_list *paths);
struct verdict decide_by_paths(struct line_decision *d, const command_path_list *paths,
			       enum grant grant);
/* The same for files that the arguments of an unknown program name. */
struct verdict decide_by_named_paths(struct line_decision *d, const struct shell_command *command);
struct verdict decide_by_writes(struct line_decision *d, const command_path_list *paths);
/* Files that look like secrets and would be read or get another name. */
struct verdict decide_by_secrets(struct line_decision *d, const struct line_part *part);

/* Links that a command of the line makes, moves or copies (decide_links.c): nobody can tell
 * where a path leads that another command of the line puts there. */
void decide_find_links(struct line_decision *d);
struct verdict decide_by_new_links(const struct line_decision *d,
				   const struct shell_command *command,
				   const command_path_list *paths);

/* Whether a wrapper runs nothing but programs that read the files which another command lists, and
 * the names of these files are harmless (decide_listed.c). */
bool decide_reads_listed(struct line_decision *d, const struct shell_command *wrapper);
/* The same for a command that gets the files as "$(git ls-files)". */
bool decide_reads_substituted(struct line_decision *d, const struct shell_command *command);

/* What a rule about the command's name doesn't speak of (decide_environment.c): variables that
 * change what programs do, secrets, hidden evaluation, repositories that make git run
 * something. */
struct verdict decide_by_environment(struct line_decision *d, const struct shell_command *command);

#endif
