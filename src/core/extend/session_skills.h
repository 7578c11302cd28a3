/* session_skills.h - the skills of a session: which the model knows, running one, finding those for a path. */
#ifndef AWL_CORE_EXTEND_SESSION_SKILLS_H
#define AWL_CORE_EXTEND_SESSION_SKILLS_H

#include "core/session/session.h"

struct command_file;
struct slash_command;

/* A skill that was used, as the model has read it. */
struct session_skill {
	struct str name, text;
};
typedef VEC(struct session_skill) session_skills;

/* The text of a skill begins with a line that names its directory. */
#define SKILL_BASE "Base directory for this skill: "

/* Appends the skills that the model does not know yet; `fresh`: as they are now. */
void session_skills_append(struct session *s, bool fresh);
/* Whether the model may load a command or skill. */
bool session_skills_offers(const struct session *s, const struct command_file *file);
/* Whether awl itself answers this name, so that no file can have it. */
bool session_skills_is_taken(struct sv name);
struct command_file session_skills_ours(const struct slash_command *command, struct arena *arena);
/* Services of the Skill tool; `arg` is the session. */
enum skill_kind session_skills_check(void *arg, struct sv name, struct err *err);
struct op *session_skills_run(void *arg, struct tool_call *call, struct sv name,
			      struct sv arguments, struct then then);
/* A file was read or written: skills that are for it, and those in a folder beside it, are listed from the next
 * request on. */
void session_skills_touch(struct session *s, struct sv path);

#endif
