/* The slash commands that the engine answers itself, without a model: one row each. A name that is
 * typed like a command but is not one is refused, so that a typing mistake costs nothing. Commands
 * that users write as files are in session_commands.c. */
#include "base/ascii.h"
#include "core/session_hooks.h"
#include "hook/describe.h"
#include "model/catalogue/catalogue.h"
#include "perm/rule/rules_describe.h"
#include "sys/fs.h"
#include "text/nearest.h"
#include "text/shell_words.h"
#include "text/url.h"

/* Appends the answer. False: it says why nothing was done, without a full stop. */
typedef bool command_fn(struct session *s, struct sv rest, struct str *out);

static command_fn commands_help;

void session_write_usage(const struct session *s, struct str *out)
{
	const struct cost *total = &s->costs.total;

	str_adds(out, "Cost: ");
	if (total->known || total->nano_usd)
		cost_format(out, *total);
	else
		str_adds(out, "unknown");
	str_addf(out, ". Time spent waiting for the model: %.1f s.",
		 (double)s->costs.api_ms / 1000);
	for (size_t i = 0; i < s->costs.lines.n; i++) {
		const struct costs_line *line = &s->costs.lines.at[i];
		int64_t written = line->usage.cache_write_5m + line->usage.cache_write_1h;

		str_addf(out, "\n%s: %lld in, %lld out, %lld from cache, %lld into cache, ",
			 line->model, (long long)line->usage.input, (long long)line->usage.output,
			 (long long)line->usage.cache_read, (long long)written);
		cost_format(out, line->cost);
	}
}

static bool commands_usage(struct session *s, __attribute__((unused)) struct sv rest,
			   struct str *out)
{
	session_write_usage(s, out);
	return true;
}

/* Anthropic's own service has no other models; any other host may have a model of any name. */
static bool commands_is_no_model(const struct session *s, struct sv name)
{
	const struct model_config *config = &s->engine->config;
	struct sv id = model_resolve(s->engine->table, name);

	return config->provider == MODEL_ANTHROPIC &&
	       sv_eq_nocase(url_split(sv_cstr(config->base_url)).host, SV("api.anthropic.com")) &&
	       !sv_starts(id, SV("claude-")) && !model_info(s->engine->table, id).known;
}

static void commands_list_models(struct session *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_models models = model_catalogue(&s->engine->config, &s->rules, &arena);

	for (size_t i = 0; i < models.n; i++)
		str_addf(out, "%s%.*s", i ? ", " : "", SV_ARG(models.at[i].value));
}

static bool commands_choose_model(struct session *s, struct sv name, struct err *err)
{
	if (commands_is_no_model(s, name))
		return err_set(err, ERR_INVALID, "Anthropic has no model called '%.*s'",
			       (int)min_of(name.len, (size_t)80), name.ptr);
	return session_choose_model(s, name, err);
}

static bool commands_set_model(struct session *s, struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;
	struct sv model;

	if (rest.len && !commands_choose_model(s, rest, &err)) {
		str_addf(out, "cannot switch: %s; the model is still %.*s. Models: ", err.text,
			 SV_ARG(agent_next_model(s->agent)));
		commands_list_models(s, out);
		return false;
	}
	model = agent_next_model(s->agent);
	str_addf(out, "Model: %.*s.", SV_ARG(model));
	if (rest.len && model_info(s->engine->table, model).known)
		return true;
	if (rest.len)
		str_adds(out, " awl does not know this model, so its limits are guesses and its "
			      "price is unknown.");
	str_adds(out, "\nModels that awl knows here: ");
	commands_list_models(s, out);
	return true;
}

static bool commands_memory(struct session *s, __attribute__((unused)) struct sv rest,
			    struct str *out)
{
	instructions_list(out, s->instructions, s->sent.instructions);
	return true;
}

static bool commands_context(struct session *s, struct sv rest, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_context r = session_context_report(s, &arena);
	bool is_estimate = !agent_context_tokens(s->agent);

	str_addf(out, "%s%lld of %lld tokens (%lld%%)\n", is_estimate ? "about " : "",
		 (long long)r.total, (long long)r.window,
		 (long long)(r.window ? r.total * 100 / r.window : 0));
	str_addf(out, "system prompt %lld, tools %lld, instructions %lld, messages %lld\n",
		 (long long)r.system, (long long)r.tools, (long long)r.memory,
		 (long long)r.messages);
	return commands_memory(s, rest, out);
}

static bool commands_permissions(struct session *s, struct sv rest, struct str *out)
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

static bool commands_hooks(struct session *s, __attribute__((unused)) struct sv rest,
			   struct str *out)
{
	hook_describe_set(out, hooks_set(s->handlers->engine));
	if (!out->len)
		str_adds(out, "There are no hooks.");
	return true;
}

static bool commands_plan(struct session *s, __attribute__((unused)) struct sv rest,
			  struct str *out)
{
	struct err err = ERR_INIT;

	if (s->policy.mode != PERM_PLAN) {
		if (!session_set_mode(s, SV("plan"), &err)) {
			str_adds(out, err.text);
			return false;
		}
		session_emit_mode(s);
		str_adds(out, "Plan mode is on: nothing is changed before you accept a plan.");
	} else if (!session_plan_read(s, out)) {
		str_adds(out, "Plan mode is on. There is no plan yet.");
	}
	return true;
}

static bool commands_clear(struct session *s, __attribute__((unused)) struct sv rest,
			   struct str *out)
{
	struct uuid old = s->conversation.id;

	session_reset(s);
	str_adds(out, "New conversation.");
	if (s->conversation.path)
		str_addf(out, " To return to the old one: awl --resume %s", old.text);
	return true;
}

static const struct command {
	const char *name, *alias, *help, *hint;
	command_fn *run;
} commands[] = {
	{ "clear", "new", "Start a new conversation", NULL, commands_clear },
	{ "context", NULL, "Show what is sent to the model", NULL, commands_context },
	{ "help", NULL, "List the commands", NULL, commands_help },
	{ "hooks", NULL, "List the hooks", NULL, commands_hooks },
	{ "memory", NULL, "List the instruction files", NULL, commands_memory },
	{ "model", NULL, "Show the model, or set it: /model sonnet", "[model]",
	  commands_set_model },
	{ "permissions", "allowed-tools", "Show what is allowed, asked about and denied", NULL,
	  commands_permissions },
	{ "plan", NULL, "Turn plan mode on, or show the plan", NULL, commands_plan },
	{ "usage", "cost", "Show what this session has used", NULL, commands_usage },
};

static bool commands_help(struct session *s, __attribute__((unused)) struct sv rest,
			  struct str *out)
{
	const struct command_list *list = session_command_files(s, true);

	for (size_t i = 0; i < countof(commands); i++)
		str_addf(out, "%s/%-11s  %s", i ? "\n" : "", commands[i].name, commands[i].help);
	for (size_t i = 0; i < list->files.n; i++)
		if (!list->files.at[i].is_hidden)
			str_addf(out, "\n/%-11.*s  %.*s", SV_ARG(list->files.at[i].name),
				 SV_ARG(list->files.at[i].description));
	return true;
}

/* --- what is not a command ------------------------------------------------------------- */

/* What to do instead of commands that users of other agents know. */
static const struct {
	const char *name, *instead;
} absent[] = {
	{ "add-dir", "start awl with --add-dir" },
	{ "bug", "the project's issue tracker takes reports" },
	{ "compact", "/clear starts a new conversation" },
	{ "config", "run 'awl config' in a shell" },
	{ "continue", "run 'awl --continue' in a shell" },
	{ "doctor", "run 'awl doctor' in a shell" },
	{ "effort", "start awl with --effort" },
	{ "exit", "end the input to leave" },
	{ "login", "set ANTHROPIC_API_KEY or another provider's variables" },
	{ "logout", "unset the provider's variables" },
	{ "quit", "end the input to leave" },
	{ "rename", "start awl with --name" },
	{ "resume", "run 'awl --resume ID' in a shell" },
	{ "sandbox", "run 'awl sandbox' in a shell" },
	{ "settings", "run 'awl config' in a shell" },
	{ "status", "run 'awl doctor' in a shell" },
};

static const char *commands_find_absent(struct sv name)
{
	for (size_t i = 0; i < countof(absent); i++)
		if (sv_is(name, absent[i].name))
			return absent[i].instead;
	return NULL;
}

static void commands_explain_absent(struct session *s, struct sv name, struct str *out)
{
	const struct command_list *list = session_command_files(s, false);
	const char *instead = commands_find_absent(name);
	struct nearest best = NEAREST_INIT;

	if (instead) {
		str_addf(out, "awl has no /%.*s yet; %s", SV_ARG(name), instead);
		return;
	}
	for (size_t i = 0; i < countof(commands); i++)
		nearest_offer(&best, name, sv_cstr(commands[i].name));
	for (size_t i = 0; i < list->files.n; i++)
		nearest_offer(&best, name, list->files.at[i].name);
	str_addf(out, "there is no command /%.*s; ", SV_ARG(name));
	if (best.word.len)
		str_addf(out, "did you mean /%.*s? ", SV_ARG(best.word));
	str_adds(out, "/help lists the commands");
}

/* Whether a word is written like the name of a command, and not like a path. */
static bool commands_is_name(struct sv name)
{
	defer(str_clear) struct str path = STR_INIT;

	for (size_t i = 0; i < name.len; i++)
		if (!ascii_is_alnum(name.ptr[i]) &&
		    sv_find_char(SV("-_:"), name.ptr[i]) == SIZE_MAX)
			return false;
	str_addf(&path, "/%.*s", SV_ARG(name));
	return !name.len || !fs_exists(path.ptr);
}

/* --- reading and running ------------------------------------------------------------------ */

static const struct command *commands_find(struct sv name)
{
	for (size_t i = 0; i < countof(commands); i++) {
		if (sv_is(name, commands[i].name) ||
		    (commands[i].alias && sv_is(name, commands[i].alias)))
			return &commands[i];
	}
	return NULL;
}

bool session_cut_command(struct sv text, struct sv *name, struct sv *rest)
{
	size_t end = 1;

	text = sv_trim(text);
	if (!sv_starts(text, SV("/")))
		return false;
	while (end < text.len && !ascii_is_space(text.ptr[end]))
		end++;
	*name = sv_slice(text, 1, end);
	*rest = sv_trim(sv_skip(text, end));
	return name->len || !rest->len;
}

bool session_is_command_file(struct session *s, struct sv text)
{
	struct sv name, rest;

	return session_cut_command(text, &name, &rest) && !commands_find(name) &&
	       command_name_valid(name) && command_list_find(session_command_files(s, true), name);
}

bool session_is_command(struct session *s, struct sv text, bool typed)
{
	struct sv name, rest;

	return session_cut_command(text, &name, &rest) &&
	       (commands_find(name) || commands_find_absent(name) ||
		session_is_command_file(s, text) || (typed && commands_is_name(name)));
}

void session_command(struct session *s, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;
	const struct command *command;
	struct sv name, rest;

	if (!session_cut_command(text, &name, &rest))
		BUG("queued text is not a command");
	command = commands_find(name);
	if (command && command->run(s, rest, &out)) {
		session_answer_locally(s, sv_cstr(command->name), sv_of(&out));
		return;
	}
	if (!command)
		commands_explain_absent(s, name, &out);
	session_refuse_locally(s, name.len ? name : SV("/"), sv_of(&out));
}

size_t session_commands(struct session *s, const struct reply_command **out, struct arena *arena)
{
	const struct command_list *files = session_command_files(s, false);
	struct reply_command *list =
		arena_calloc(arena, countof(commands) + files->files.n, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < countof(commands); i++)
		list[n++] = (struct reply_command){ .name = sv_cstr(commands[i].name),
						    .description = sv_cstr(commands[i].help),
						    .argument_hint = sv_cstr(commands[i].hint),
						    .alias = sv_cstr(commands[i].alias),
						    .is_builtin = true };
	for (size_t i = 0; i < files->files.n; i++) {
		const struct command_file *file = &files->files.at[i];

		if (!file->is_hidden && !commands_find(file->name))
			list[n++] = (struct reply_command){ .name = file->name,
							    .description = file->description,
							    .argument_hint = file->argument_hint,
							    .is_skill = file->skill_dir.len > 0 };
	}
	*out = list;
	return n;
}
