/* Skills for the model: which it can load, how it learns of them, and loading one with the Skill tool.
 *
 * A skill is a command whose text the model may ask for: a file of the user or the project
 * (extend/command_list.h), or a text of ours (proto/slash.h). Ours are in the description of the tool,
 * which is the same for everybody. The others are sent with a prompt once, and what is new later with
 * a later prompt, so that the bytes sent before stay the same. */
#include "core/extend/session_skills.h"

#include "base/limits.h"
#include "context/visible_text.h"
#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/mcp/session_mcp.h"
#include "core/session/session_append.h"
#include "core/subagents/skill_fork.h"
#include "core/subagents/subagent.h"
#include "extend/skill_listing.h"
#include "proto/message.h"
#include "proto/slash.h"
#include "text/json/json_write.h"
#include "text/nearest.h"

/* --- which there are -------------------------------------------------------------------------- */

/* What the user wants to happen with a skill: a word of the setting; empty: nothing in particular. */
static struct sv session_skills_override(const struct session *s, struct sv name)
{
	return json_str_or(json_get_sv(settings_get(s->settings, "skillOverrides"), name),
			   SV_EMPTY);
}

bool session_skills_offers(const struct session *s, const struct command_file *file)
{
	struct sv override = session_skills_override(s, file->name);

	return !file->is_user_only && !sv_is(override, "off") &&
	       !sv_is(override, "user-invocable-only");
}

struct command_file session_skills_ours(const struct slash_command *command, struct arena *arena)
{
	struct command_file file = { .name = sv_cstr(command->name) };

	command_file_read(&file, session_command_text(file.name), arena, NULL);
	file.description = sv_cstr(command->help);
	return file;
}

bool session_skills_is_taken(struct sv name)
{
	const struct slash_command *command = slash_find(name);

	return command && command->kind != SLASH_PROMPT;
}

/* Find a skill that the model may load. `*listed` stays NULL for a text of ours. */
static bool session_skills_find(struct session *s, struct sv name, struct arena *arena,
				struct command_file *out, const struct command_file **listed)
{
	const struct command_list *list = session_command_files(s, false);
	const struct slash_command *command = slash_find(name);

	if (s->commands.is_off || session_skills_is_taken(name))
		return false;
	*out = (struct command_file){ .name = name };
	if (session_mcp_is_prompt(s, name))
		return session_skills_offers(s, out);
	for (size_t i = 0; i < list->files.n; i++)
		if (sv_eq(list->files.at[i].name, name)) {
			*listed = &list->files.at[i];
			*out = **listed;
			return session_skills_offers(s, out);
		}
	if (!command)
		return false;
	*out = session_skills_ours(command, arena);
	return session_skills_offers(s, out);
}

/* --- the list --------------------------------------------------------------------------------- */

typedef VEC(struct skill_entry) skill_entries;

static void session_skills_add(const struct session *s, skill_entries *out,
			       const struct command_file *file)
{
	struct sv override = session_skills_override(s, file->name);

	if (!session_skills_offers(s, file) || map_get(&s->sent.skills, file->name) ||
	    (file->paths.len && !map_get(&s->commands.awake, file->name)))
		return;
	vec_push(out, ((struct skill_entry){ .name = file->name,
					     .description = file->description,
					     .when_to_use = file->when_to_use,
					     .is_name_only = sv_is(override, "name-only") }));
}

/* Collect the skills that the model does not know yet. */
static void session_skills_collect(struct session *s, skill_entries *out, bool fresh,
				   struct arena *arena)
{
	const struct command_list *list = session_command_files(s, fresh);
	size_t n = s->commands.is_off ? 0 : session_mcp_count_prompts(s);
	struct reply_command *prompts = arena_calloc(arena, n + 1, sizeof(*prompts));

	for (size_t i = 0; i < list->files.n; i++)
		if (!session_skills_is_taken(list->files.at[i].name))
			session_skills_add(s, out, &list->files.at[i]);
	n = n ? session_mcp_list_prompts(s, prompts, arena) : 0;
	for (size_t i = 0; i < n; i++)
		session_skills_add(
			s, out,
			&(struct command_file){ .name = prompts[i].name,
						.description = prompts[i].description,
						.when_to_use = prompts[i].argument_hint });
}

/* A share of the window, at four bytes a token. */
static struct skill_budget session_skills_budget(const struct session *s)
{
	enum { BYTES_PER_TOKEN = 4, USUAL_WINDOW = 200000 };
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));
	double share = json_real_or(settings_get(s->settings, "skillListingBudgetFraction"), 0.01);
	int64_t window = info.known && info.context ? info.context : USUAL_WINDOW;

	return (struct skill_budget){
		.bytes = (size_t)((double)window * BYTES_PER_TOKEN * share),
		.description = (size_t)settings_int(s->settings, "skillListingMaxDescChars"),
	};
}

/* Whether a conversation that was resumed has this text already. */
static bool session_skills_are_known(const struct session *s, struct sv text)
{
	defer(str_clear) struct str block = STR_INIT;

	block_text(&block, text);
	return s->kind.is_resumed && history_contains(agent_history(s->agent), sv_of(&block));
}

void session_skills_append(struct session *s, bool fresh)
{
	defer(str_clear) struct str text = STR_INIT, seen = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	bool is_first = !s->sent.skills.n;
	skill_entries skills = VEC_INIT;

	if (!toolset_has(agent_toolset(s->agent), SV("Skill")))
		return;
	session_skills_collect(s, &skills, fresh, &arena);
	str_adds(&text, is_first ? "These skills can be loaded with the Skill tool:\n\n"
				 : "More skills can be loaded with the Skill tool:\n\n");
	skill_listing_write(&text, skills.at, skills.n, session_skills_budget(s));
	for (size_t i = 0; i < skills.n; i++)
		map_put(&s->sent.skills, skills.at[i].name, &s->sent);
	visible_text(&seen, sv_of(&text));
	if (skills.n && !session_skills_are_known(s, sv_of(&seen)))
		session_append_meta(s, sv_of(&seen));
	vec_clear(&skills);
}

/* --- loading one ------------------------------------------------------------------------------ */

struct skill_use {
	struct op op;
	struct session *s;
	struct tool_call *call;
	struct command_run run;
	struct op *step;
};

static void skill_use_finish(struct skill_use *use, const struct err *why)
{
	struct tool_result *result = &use->call->result;
	defer(str_clear) struct str text = STR_INIT;

	if (why && why->kind != ERR_CANCELLED) {
		tool_result_clear(result);
		tool_fail(result, "The skill %s cannot be loaded: %s", str_c(&use->run.name),
			  why->text);
		why = NULL;
	} else if (!why) {
		command_run_write(&use->run, use->s, &text);
		visible_text(&result->follow_up, sv_of(&text));
		if (use->call->ctx == agent_tool_context(use->s->agent))
			command_run_choose_model(&use->run, use->s);
	}
	op_finish(&use->op, why);
}

static void skill_use_write_fork(struct skill_use *use, const struct subagent *agent)
{
	struct tool_result *result = &use->call->result;
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	tool_result_clear(result);
	if (subagent_runs(agent)) {
		subagent_write_launched(agent, result);
		return;
	}
	subagent_write_result(agent, result);
	str_truncate(&result->data, 0);
	subagent_add_result(agent, &text);
	jw_init(&w, &result->data, JW_COMPACT);
	jw_object(&w);
	jw_put_bool(&w, "success", !result->is_error);
	jw_put_str(&w, "commandName", sv_of(&use->run.name));
	jw_put_str(&w, "status", SV("forked"));
	jw_put_str(&w, "agentId", sv_cstr(subagent_id(agent)));
	jw_put_str(&w, "result", sv_of(&text));
	jw_end(&w);
	jw_done(&w);
}

static void skill_use_on_fork(struct op *op, void *owner, const struct err *why)
{
	struct skill_use *use = owner;

	use->step = NULL;
	if (!why)
		skill_use_write_fork(use, skill_fork_agent(op));
	op_finish(&use->op, why);
}

/* The text is complete: it is loaded, or an agent begins with it. */
static void skill_use_go_on(struct skill_use *use, const struct err *why)
{
	struct agent *parent = container_of(use->call->ctx, struct agent, ctx);
	struct err err = why ? *why : (struct err)ERR_INIT;

	if (!why && use->run.file.is_fork) {
		use->step = skill_fork_start(use->s, parent, &use->run, use->call->id,
					     THEN(skill_use_on_fork, use), &err);
		if (use->step)
			return;
	}
	skill_use_finish(use, err.kind ? &err : NULL);
}

static void skill_use_on_shell(__attribute__((unused)) struct op *op, void *owner,
			       const struct err *why)
{
	struct skill_use *use = owner;

	use->step = NULL;
	skill_use_go_on(use, why);
}

/* Send the images of a prompt with the result of the call. */
static void skill_use_add_images(struct skill_use *use, struct sv images)
{
	struct tool_result *result = &use->call->result;

	if (!images.len)
		return;
	str_addc(&result->blocks, '[');
	block_text(&result->blocks, sv_of(&result->text));
	str_addf(&result->blocks, "%.*s]", SV_ARG(images));
}

static void skill_use_on_prompt(struct op *op, void *owner, const struct err *why)
{
	struct skill_use *use = owner;
	defer(str_clear) struct str text = STR_INIT, images = STR_INIT;
	struct err err = why ? *why : (struct err)ERR_INIT;

	use->step = NULL;
	if (!why && session_mcp_take_fetched(op, use->call->ctx, &text, &images, &err)) {
		skill_use_add_images(use, sv_of(&images));
		visible_text(&use->call->result.follow_up, sv_of(&text));
		op_finish(&use->op, NULL);
		return;
	}
	skill_use_finish(use, &err);
}

static void skill_use_cancel(struct op *op)
{
	op_cancel(container_of(op, struct skill_use, op)->step);
}

static void skill_use_free(struct op *op)
{
	struct skill_use *use = container_of(op, struct skill_use, op);

	command_run_clear(&use->run);
	free(use);
}

static const struct op_type skill_use_type = {
	.name = "skill",
	.cancel = skill_use_cancel,
	.free = skill_use_free,
};

struct op *session_skills_run(void *arg, struct tool_call *call, struct sv name,
			      struct sv arguments, struct then then)
{
	struct skill_use *use = xnew(struct skill_use);
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct command_file *listed = NULL;
	struct command_file file;
	struct err err = ERR_INIT;

	op_init(&use->op, &skill_use_type, call->ctx->loop, then);
	use->s = arg;
	use->call = call;
	str_set(&use->run.name, name);
	if (!session_skills_find(use->s, name, &arena, &file, &listed))
		err_set(&err, ERR_NOT_FOUND, "it is gone");
	else if (session_mcp_is_prompt(use->s, name))
		use->step =
			session_mcp_fetch(use->s, name, arguments, THEN(skill_use_on_prompt, use));
	else if (command_run_prepare(&use->run, use->s, listed, name, arguments, &err) &&
		 command_run_start(&use->run, use->s, call->ctx, &use->step,
				   THEN(skill_use_on_shell, use), &err) &&
		 use->step)
		return &use->op;
	if (!use->step)
		skill_use_go_on(use, err.kind ? &err : NULL);
	return &use->op;
}

enum skill_kind session_skills_check(void *arg, struct sv name, struct err *err)
{
	struct session *s = arg;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct command_list *list = session_command_files(s, false);
	const struct command_file *listed = NULL;
	struct nearest best = NEAREST_INIT;
	struct command_file file;

	if (session_skills_find(s, name, &arena, &file, &listed))
		return command_run_widens(s, &file) ? SKILL_WIDENS : SKILL_IS_TEXT;
	for (size_t i = 0; i < list->files.n; i++)
		if (session_skills_offers(s, &list->files.at[i]))
			nearest_offer(&best, name, list->files.at[i].name);
	err_set(err, ERR_NOT_FOUND, "There is no skill \"%.*s\" that you can load.%s%.*s%s",
		SV_ARG(name), best.word.len ? " Did you mean \"" : "", SV_ARG(best.word),
		best.word.len ? "\"?" : "");
	return SKILL_UNKNOWN;
}
