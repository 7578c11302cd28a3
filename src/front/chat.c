#include "front/chat.h"

#include "front/prompt_history.h"
#include "proto/control.h"
#include "proto/slash.h"
#include "sys/fs.h"
#include "term/editor/line_history.h"

#define BEGIN_ID "chat-begin"

bool chat_is_farewell(struct sv prompt)
{
	struct sv word = sv_trim(prompt);
	const struct slash_command *command;

	if (sv_starts(word, SV("/")))
		word = sv_skip(word, 1);
	command = slash_find(word);
	return command && slash_id(command) == SLASH_EXIT;
}

bool chat_is_shell(struct sv prompt)
{
	return sv_starts(prompt, SV("!")) && sv_trim(sv_skip(prompt, 1)).len;
}

struct sv chat_history_prefix(struct sv draft)
{
	return sv_starts(draft, SV("!")) ? SV("!") : SV_EMPTY;
}

bool chat_run_shell(struct client *client, struct sv prompt, struct sv id)
{
	const struct control_request request = { .kind = CONTROL_RUN_COMMAND,
						 .id = id,
						 .run_command = { .command = sv_skip(prompt, 1) } };
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &request);
	return client_send(client, sv_of(&json));
}

void chat_begin(struct client *client)
{
	const struct control_request request = { .kind = CONTROL_INITIALIZE, .id = SV(BEGIN_ID) };
	defer(str_clear) struct str json = STR_INIT;

	control_request_write(&json, &request);
	if (!client_send(client, sv_of(&json)))
		BUG("%s", awl_last_error());
}

bool chat_is_begun(const struct event *event)
{
	return event->kind == EVENT_REPLY && sv_is(event->reply.request_id, BEGIN_ID);
}

bool chat_keep_prompt(const struct chat_opts *opts, const struct client *client, struct sv text,
		      int64_t time_ms, struct err *err)
{
	defer(str_clear) struct str project = STR_INIT;
	const char *dir = awl_config_dir(opts->awl);
	struct prompt_record record = { .text = text,
					.session_id = sv_cstr(client_session_id(client)),
					.time_ms = time_ms };

	if (!dir || opts->is_script || opts->session->skip_transcript || !sv_trim(text).len ||
	    !prompt_history_is_wanted())
		return true;
	if (!fs_cwd(&project, err))
		return false;
	record.project = sv_of(&project);
	return prompt_history_add(dir, &record, err);
}

/* Less than a cent needs more digits. */
void chat_add_money(struct str *out, double usd)
{
	str_addf(out, usd < 0.01 ? "$%.4f" : "$%.2f", usd);
}

int64_t chat_tokens_in(const struct usage_counts *usage)
{
	return usage->cache_read + usage->input + usage->cache_write_5m + usage->cache_write_1h;
}

static void chat_add_tokens(struct str *out, const struct usage_counts *usage)
{
	long long cached = usage->cache_read, in = chat_tokens_in(usage);

	str_add_count(out, in);
	str_adds(out, " tokens in");
	if (in > 0)
		str_addf(out, " (%lld%% cached)", cached * 100 / in);
	str_adds(out, ", ");
	str_add_count(out, usage->output);
	str_adds(out, " out");
}

void chat_add_cost(struct str *out, const struct event_result *result, double spent,
		   int64_t waited_ms, bool is_script)
{
	if (!chat_tokens_in(&result->usage) && !result->usage.output && spent <= 0)
		return;
	chat_add_tokens(out, &result->usage);
	if (is_script) {
		str_adds(out, " (demo, no charge)");
	} else if (!result->cost_known) {
		str_adds(out, ", cost unknown");
	} else {
		str_adds(out, ", ");
		chat_add_money(out, spent);
	}
	str_addf(out, ", %.1f s",
		 (double)max_of(result->duration_ms - waited_ms, (int64_t)0) / 1000);
}

static void chat_take_prompt(void *arg, struct sv text)
{
	line_history_add(arg, text);
}

bool chat_load_prompts(struct line_history **history, const struct chat_opts *opts,
		       const struct client *client, int64_t since_ms, size_t max, struct err *err)
{
	const char *dir = awl_config_dir(opts->awl);
	defer(str_clear) struct str project = STR_INIT;
	struct prompt_wanted wanted = { .session_id = sv_cstr(client_session_id(client)),
					.since_ms = since_ms,
					.max = max };
	struct err ignored = ERR_INIT;
	struct line_history *all;

	if (!dir)
		return true;
	all = line_history_new(max);
	if (fs_cwd(&project, &ignored))
		wanted.project = sv_of(&project);
	if (!prompt_history_read(dir, &wanted, chat_take_prompt, all, err)) {
		line_history_free(all);
		return false;
	}
	for (size_t i = line_history_count(*history); i--;)
		line_history_add(all, line_history_at(*history, i));
	line_history_free(*history);
	*history = all;
	return true;
}
