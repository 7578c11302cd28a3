/* Slash commands that show what the session has, knows and has used. */
#include "core/commands/commands_report.h"

#include "core/commands/commands.h"
#include "core/commands/session_commands.h"
#include "core/extend/session_skills.h"
#include "core/hooks/session_hooks.h"
#include "core/session/session_memory.h"
#include "core/session/session_status.h"
#include "core/subagents/subagents.h"
#include "hook/describe.h"
#include "perm/rule/rules_describe.h"
#include "sandbox/sandbox.h"
#include "text/shell_words.h"
#include "tool/task/task_job.h"

enum { RETRIES_SHOWN_MS = 100 };

/* " Tools ran 3 times, for 1.2 s." */
static void commands_report_work(struct str *out, const struct usage_work *work)
{
	static const char *const labels[USAGE_KINDS] = {
		[USAGE_TOOL] = "Tools ran",
		[USAGE_HOOK] = "Hooks ran",
		[USAGE_CLASSIFIER] = "Mode auto decided",
	};

	for (size_t i = 0; i < USAGE_KINDS; i++)
		if (work->n[i])
			str_addf(out, " %s %lld time%s, for %.1f s.", labels[i],
				 (long long)work->n[i], work->n[i] == 1 ? "" : "s",
				 (double)work->ms[i] / 1000);
}

void session_write_usage(const struct session *s, struct str *out)
{
	const struct cost *total = &s->costs.total;
	defer(str_clear) struct str turn = STR_INIT;

	str_adds(out, "Cost: ");
	if (total->known || total->nano_usd)
		cost_format(out, *total);
	else
		str_adds(out, "unknown");
	str_addf(out, ". Time spent waiting for the model: %.1f s", (double)s->costs.api_ms / 1000);
	if (s->costs.api_ms - s->costs.api_last_ms >= RETRIES_SHOWN_MS)
		str_addf(out, ", of which retries took %.1f s",
			 (double)(s->costs.api_ms - s->costs.api_last_ms) / 1000);
	str_addc(out, '.');
	commands_report_work(out, &s->costs.work);
	if (s->costs.lines_added || s->costs.lines_removed)
		str_addf(out, " Lines of files: %lld added, %lld removed.",
			 (long long)s->costs.lines_added, (long long)s->costs.lines_removed);
	commands_report_work(&turn, &s->costs.last_turn);
	if (turn.len && memcmp(&s->costs.last_turn, &s->costs.work, sizeof(s->costs.work)) != 0)
		str_addf(out, "\nThe last turn:%s", str_c(&turn));
	for (size_t i = 0; i < s->costs.lines.n; i++) {
		const struct costs_line *line = &s->costs.lines.at[i];
		int64_t written = line->usage.cache_write_5m + line->usage.cache_write_1h;

		str_addf(out, "\n%s: %lld in, %lld out, %lld from cache, %lld into cache, ",
			 line->model, (long long)line->usage.input, (long long)line->usage.output,
			 (long long)line->usage.cache_read, (long long)written);
		cost_format(out, line->cost);
	}
}

bool commands_usage(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	session_write_usage(s, out);
	budget_report(s, out);
	return true;
}

static const char *commands_skills_source(const struct command_file *file)
{
	return file->is_project        ? "project"
	       : file->is_managed      ? "managed"
	       : file->plugin_root.len ? "plugin"
				       : "user";
}

static void commands_skills_add(const struct session *s, struct str *out,
				const struct command_file *file, const char *source)
{
	const char *who = !session_skills_offers(s, file) ? ", only for you"
			  : file->is_hidden               ? ", only for the model"
							  : "";

	if (out->len)
		str_addc(out, '\n');
	slash_describe(out, file->name, file->argument_hint, file->description);
	str_addf(out, " (%s%s)", source, who);
}

bool commands_skills(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	const struct command_list *list = session_command_files(s, true);
	defer(arena_clear) struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < list->files.n; i++)
		commands_skills_add(s, out, &list->files.at[i],
				    commands_skills_source(&list->files.at[i]));
	for (size_t i = 0; !s->commands.is_off && i < SLASH_COMMANDS; i++) {
		const struct slash_command *command = &slash_commands[i];

		if (command->kind == SLASH_PROMPT &&
		    !command_list_find(list, sv_cstr(command->name))) {
			struct command_file file = session_skills_ours(command, &arena);

			commands_skills_add(s, out, &file, "awl");
		}
	}
	if (!out->len)
		str_adds(out, "Skills are switched off.");
	if (settings_only_plugins(s->settings, "skills"))
		str_adds(out, "\n\nThe policy takes skills and commands only from plugins.");
	if (list->notes.len)
		str_addf(out, "\n\nProblems:\n%.*s", SV_ARG(sv_trim(sv_of(&list->notes))));
	return true;
}

bool commands_memory(struct session *s, struct sv rest, struct str *out)
{
	struct sv verb = SV_EMPTY;

	if (sv_cut(&rest, ' ', &verb) && sv_is(verb, "add"))
		return session_memory_add(s, rest, out);
	if (verb.len) {
		str_adds(out,
			 "/memory lists the files, and '/memory add project TEXT' adds to one");
		return false;
	}
	instructions_list(out, s->instructions, s->sent.instructions);
	session_memory_list(s, out);
	return true;
}

bool commands_permissions(struct session *s, struct sv rest, struct str *out)
{
	defer(str_clear) struct str rule = STR_INIT;
	struct sv behavior;

	if (!rest.len) {
		perm_describe_rules(out, &s->policy);
		return true;
	}
	if (!sv_cut(&rest, ' ', &behavior) || !sv_trim(rest).len ||
	    !(sv_is(behavior, "allow") || sv_is(behavior, "ask") || sv_is(behavior, "deny"))) {
		str_adds(out, "/permissions only shows the rules; 'awl config' in a shell changes "
			      "them");
		return false;
	}
	shell_words_quote(&rule, sv_trim(rest));
	str_addf(out,
		 "/permissions only shows the rules; to add this one, run in a shell: awl config "
		 "%.*s %s",
		 SV_ARG(behavior), rule.ptr);
	return false;
}

bool commands_hooks(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	const struct hook_set *set;

	for (size_t i = 0; (set = hooks_set_at(s->handlers->engine, i)); i++)
		hook_describe_set(out, set);
	if (!out->len)
		str_adds(out, "There are no hooks.");
	return true;
}

bool commands_status(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct reply_fact *facts;
	size_t n = session_status(s, &facts, &arena);

	for (size_t i = 0; i < n; i++)
		if (facts[i].value.len)
			str_addf(out, "%s%.*s: %.*s", out->len ? "\n" : "", SV_ARG(facts[i].label),
				 SV_ARG(facts[i].value));
	return true;
}

bool commands_release_notes(__attribute__((unused)) struct session *s,
			    __attribute__((unused)) struct sv rest, struct str *out)
{
	str_adds(out, "awl " AWL_VERSION ". What has changed is in the commit messages of its "
		      "source: git log.");
	return true;
}

bool commands_sandbox(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;

	if (!s->shared.sandbox) {
		str_adds(out, "The sandbox is off: commands run with all your rights, as far as "
			      "the permissions allow. 'awl sandbox' in a shell shows what this "
			      "machine can enforce; the setting sandbox.enabled turns it on.");
		return true;
	}
	if (!sandbox_describe(out, s->shared.sandbox, agent_cwd(s->agent).ptr, SV_EMPTY, &err))
		str_addf(out, "%s", out->len ? "" : err.text);
	str_truncate(out, sv_trim(sv_of(out)).len);
	return true;
}

/* --- what is to do, and what runs --------------------------------------------------------- */

static void commands_add_task(struct str *out, struct sv status, struct sv text)
{
	bool is_done = sv_is(status, task_status_name(TASK_COMPLETED));
	bool runs = sv_is(status, task_status_name(TASK_IN_PROGRESS));
	struct sv line = SV_EMPTY;

	sv_cut_line(&text, &line);
	str_addf(out, "%s[%c] %.*s", out->len ? "\n" : "",
		 is_done ? 'x'
		 : runs  ? '>'
			 : ' ',
		 SV_ARG(line));
}

static void commands_add_todos(const struct tool_context *ctx, bool only_open, struct str *out)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&ctx->todos), 0, &ignored);
	struct json_iter it = json_each(json_root(doc));
	struct json todo;

	while (json_next(&it, NULL, &todo)) {
		struct sv status = json_str_or(json_get(todo, "status"), SV_EMPTY);

		if (!only_open || !sv_is(status, task_status_name(TASK_COMPLETED)))
			commands_add_task(out, status,
					  json_str_or(json_get(todo, "content"), SV_EMPTY));
	}
}

static bool commands_list_tasks(struct session *s, bool only_open, struct str *out, struct err *err)
{
	const struct tool_context *ctx = agent_tool_context(s->agent);
	defer(task_list_clear) struct task_list list = TASK_LIST_INIT;

	if (ctx->todos.len)
		commands_add_todos(ctx, only_open, out);
	if (!task_load(&list, ctx, err))
		return false;
	for (size_t i = 0; i < list.tasks.n; i++)
		if (!only_open || list.tasks.at[i].status != TASK_COMPLETED)
			commands_add_task(out, sv_cstr(task_status_name(list.tasks.at[i].status)),
					  sv_of(&list.tasks.at[i].subject));
	return true;
}

void session_list_open_tasks(struct session *s, struct str *out)
{
	struct err ignored = ERR_INIT;

	(void)!commands_list_tasks(s, true, out, &ignored);
}

bool commands_todos(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;

	if (!commands_list_tasks(s, false, out, &err)) {
		str_truncate(out, 0);
		str_addf(out, "cannot read the task list: %s", err.text);
		return false;
	}
	if (!out->len)
		str_adds(out, "The to-do list is empty.");
	return true;
}

static void commands_add_background(struct str *out, const struct background_command *command)
{
	struct sv text = sv_cstr(command->command), line = SV_EMPTY;

	sv_cut_line(&text, &line);
	str_addf(out, "%s%s ", out->len ? "\n" : "", command->id);
	switch (command->state) {
	case BACKGROUND_RUNNING: str_adds(out, "runs"); break;
	case BACKGROUND_EXITED: str_addf(out, "ended with exit code %d", command->code); break;
	case BACKGROUND_STOPPED: str_adds(out, "was stopped"); break;
	case BACKGROUND_FAILED: str_addf(out, "failed: %s", command->err.text); break;
	}
	str_addf(out, ": %.*s\n    output: %s (%llu bytes)", SV_ARG(line), command->path,
		 (unsigned long long)command->bytes);
}

bool commands_tasks(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	const struct background *background = s->shared.background;
	size_t n = background ? background_count(background) : 0;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct event_task *agents;
	size_t nagents = subagents_tasks(s->subagents, &agents, &arena);

	for (size_t i = 0; i < n; i++)
		commands_add_background(out, background_at(background, i));
	for (size_t i = 0; i < nagents; i++)
		str_addf(out, "%.*s  %.*s: %.*s%s%.*s\n", SV_ARG(agents[i].id),
			 SV_ARG(agents[i].agent_type), SV_ARG(agents[i].description),
			 agents[i].summary.len ? " · " : "", SV_ARG(agents[i].summary));
	if (!out->len)
		str_adds(out, "Nothing was started in the background.");
	return true;
}
