/* The slash commands that the engine answers itself, without a model: one row each. */
#include "core/session_internal.h"
#include "perm/rule/rules_describe.h"

typedef void command_fn(struct session *s, struct sv rest, struct str *out);

static void commands_help(struct session *s, struct sv rest, struct str *out);

static void commands_usage(struct session *s, __attribute__((unused)) struct sv rest,
			   struct str *out)
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

static void commands_set_model(struct session *s, struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;

	if (rest.len && !session_choose_model(s, rest, &err))
		str_addf(out, "Cannot switch: %s.\n", err.text);
	str_addf(out, "Model: %.*s.", SV_ARG(agent_model(s->agent)));
}

static void commands_memory(struct session *s, __attribute__((unused)) struct sv rest,
			    struct str *out)
{
	instructions_list(out, s->instructions, s->sent.instructions);
}

static void commands_context(struct session *s, struct sv rest, struct str *out)
{
	struct model_info info = model_info(s->engine->table, agent_model(s->agent));

	str_addf(out,
		 "System prompt: %zu bytes. Tools: %zu, %zu bytes. Messages: %zu, %zu bytes.\n"
		 "The last request and its response used %lld of %lld tokens.\n",
		 agent_system(s->agent).len, agent_toolset(s->agent)->entries.n,
		 toolset_bytes(agent_toolset(s->agent)), agent_history(s->agent)->messages.n,
		 agent_history(s->agent)->bytes, (long long)agent_context_tokens(s->agent),
		 (long long)info.context);
	commands_memory(s, rest, out);
}

static void commands_permissions(struct session *s, __attribute__((unused)) struct sv rest,
				 struct str *out)
{
	perm_describe_rules(out, &s->policy);
}

static void commands_clear(struct session *s, __attribute__((unused)) struct sv rest,
			   struct str *out)
{
	struct uuid old = s->conversation.id;

	session_reset(s);
	str_adds(out, "New conversation.");
	if (s->conversation.path)
		str_addf(out, " To return to the old one: awl --resume %s", old.text);
}

static const struct command {
	const char *name, *alias, *help;
	command_fn *run;
} commands[] = {
	{ "clear", "new", "Start a new conversation", commands_clear },
	{ "context", NULL, "Show what is sent to the model", commands_context },
	{ "help", NULL, "List the commands", commands_help },
	{ "memory", NULL, "List the instruction files", commands_memory },
	{ "model", NULL, "Show the model, or set it: /model sonnet", commands_set_model },
	{ "permissions", "allowed-tools", "Show what is allowed, asked about and denied",
	  commands_permissions },
	{ "usage", "cost", "Show what this session has used", commands_usage },
};

static void commands_help(__attribute__((unused)) struct session *s,
			  __attribute__((unused)) struct sv rest, struct str *out)
{
	for (size_t i = 0; i < countof(commands); i++)
		str_addf(out, "%s/%-11s  %s", i ? "\n" : "", commands[i].name, commands[i].help);
}

static const struct command *commands_find(struct sv name)
{
	for (size_t i = 0; i < countof(commands); i++) {
		if (sv_is(name, commands[i].name) ||
		    (commands[i].alias && sv_is(name, commands[i].alias)))
			return &commands[i];
	}
	return NULL;
}

/* An unknown word goes to the model unchanged: it may be a path. */
static const struct command *commands_parse(struct sv text, struct sv *rest)
{
	struct sv name;

	*rest = sv_trim(text);
	if (!sv_starts(*rest, SV("/")))
		return NULL;
	*rest = sv_skip(*rest, 1);
	return sv_cut(rest, ' ', &name) ? commands_find(name) : NULL;
}

bool session_is_command(struct sv text)
{
	struct sv rest;

	return commands_parse(text, &rest) != NULL;
}

bool session_command(struct session *s, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;
	struct sv rest;
	const struct command *command = commands_parse(text, &rest);

	if (!command)
		return false;
	command->run(s, sv_trim(rest), &out);
	session_answer_locally(s, command->name, sv_of(&out));
	return true;
}

size_t session_commands(const struct reply_command **out, struct arena *arena)
{
	struct reply_command *list = arena_calloc(arena, countof(commands), sizeof(*list));

	for (size_t i = 0; i < countof(commands); i++)
		list[i] = (struct reply_command){ .name = sv_cstr(commands[i].name),
						  .description = sv_cstr(commands[i].help) };
	*out = list;
	return countof(commands);
}
