#include "hook/describe.h"

#include "base/utf8.h"

enum { DESCRIBE_SHOWN = 2000 }; /* bytes of an output */

/* --- the set -------------------------------------------------------------------------------- */

static void hook_describe_place(struct str *out, const struct hook_handler *h)
{
	if (!h->file)
		str_adds(out, "registered by the host");
	else if (h->line)
		str_addf(out, "%s:%zu", h->file, h->line);
	else
		str_adds(out, h->file);
}

/* "command ./guard.sh", without line breaks. */
static void hook_describe_text(struct str *out, const struct hook_handler *h)
{
	size_t from;

	str_addf(out, "%s ", hook_type_name(h->type));
	from = out->len;
	str_add(out, h->text);
	for (size_t i = 0; h->argv && h->argv[i]; i++)
		str_addf(out, " %s", h->argv[i]);
	for (; from < out->len; from++)
		if (out->ptr[from] == '\n')
			out->ptr[from] = ' ';
}

static void hook_describe_handler(struct str *out, const struct hook_handler *h)
{
	str_addf(out, "  %.*s: ", SV_ARG(h->matcher.len ? h->matcher : SV("*")));
	hook_describe_text(out, h);
	str_adds(out, "\n    ");
	hook_describe_place(out, h);
	if (h->condition.len)
		str_addf(out, "; only for %.*s", SV_ARG(h->condition));
	str_addf(out, "; at most %g s", (double)h->timeout_ms / 1000);
	if (h->runs_async)
		str_adds(out, h->rewakes ? "; in the background, wakes the model"
					 : "; in the background");
	if (h->runs_once)
		str_adds(out, "; once");
	if (h->on_failure == HOOK_ON_FAILURE_BLOCK)
		str_adds(out, "; blocks if it fails");
	else if (h->on_failure == HOOK_ON_FAILURE_CONTINUE)
		str_adds(out, "; optional");
	str_addc(out, '\n');
}

void hook_describe_set(struct str *out, const struct hook_set *set)
{
	for (enum hook_event event = 0; event < HOOK_EVENTS; event++) {
		const struct hook_event_info *info = hook_event_info(event);

		if (!hook_set_has(set, event))
			continue;
		str_addf(out, "%s, %s\n", info->name, info->summary);
		for (size_t i = 0; i < hook_set_count(set); i++)
			if (hook_set_at(set, i)->event == event)
				hook_describe_handler(out, hook_set_at(set, i));
	}
}

/* --- what they did ---------------------------------------------------------------------------- */

static void hook_describe_output(struct str *out, const char *what, struct sv text)
{
	struct sv rest = utf8_prefix(sv_trim(text), DESCRIBE_SHOWN), line;
	size_t omitted = sv_trim(text).len - rest.len;

	while (sv_cut_line(&rest, &line))
		str_addf(out, "    %s: %.*s\n", what, SV_ARG(line));
	if (omitted)
		str_addf(out, "    %s: [%zu more bytes]\n", what, omitted);
}

void hook_describe_report(struct str *out, const struct hook_report *report)
{
	static const char *const outcomes[] = { [HOOK_SUCCEEDED] = "succeeded",
						[HOOK_BLOCKED] = "blocked",
						[HOOK_FAILED] = "failed",
						[HOOK_CANCELLED] = "was cancelled" };

	str_adds(out, "  ");
	hook_describe_text(out, report->handler);
	str_adds(out, "\n    ");
	hook_describe_place(out, report->handler);
	str_addf(out, ": %s", outcomes[report->outcome]);
	if (report->has_code)
		str_addf(out, " with exit code %d", report->code);
	str_addf(out, " after %lld ms", (long long)report->duration_ms);
	if (report->problem.len)
		str_addf(out, ": %.*s", SV_ARG(report->problem));
	str_addc(out, '\n');
	hook_describe_output(out, "stdout", report->out);
	hook_describe_output(out, "stderr", report->err);
}

static void hook_describe_texts(struct str *out, const char *what, const hook_texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		str_addf(out, "%s: %.*s\n", what, SV_ARG(texts->at[i].text));
}

static void hook_describe_value(struct str *out, const char *what, struct sv value)
{
	if (value.len)
		str_addf(out, "%s: %.*s\n", what, SV_ARG(value));
}

void hook_describe_answer(struct str *out, const struct hook_answer *answer)
{
	static const char *const decisions[] = { [HOOK_ALLOW] = "allow",
						 [HOOK_ASK] = "ask",
						 [HOOK_DEFER] = "defer",
						 [HOOK_DENY] = "block" };

	if (answer->decision == HOOK_NO_DECISION)
		str_adds(out, "Decision: none\n");
	else
		str_addf(out, "Decision: %s%s%.*s\n", decisions[answer->decision],
			 answer->reason.len ? ": " : "", SV_ARG(answer->reason));
	if (answer->stops)
		str_addf(out, "The turn ends: %.*s\n", SV_ARG(answer->stop_reason));
	hook_describe_value(out, "Updated input", answer->updated_input);
	hook_describe_value(out, "Updated output", answer->updated_output);
	hook_describe_value(out, "Session title", answer->session_title);
	hook_describe_value(out, "First prompt", answer->first_prompt);
	hook_describe_texts(out, "For the model", &answer->context);
	hook_describe_texts(out, "For the user", &answer->messages);
	hook_describe_texts(out, "Warning", &answer->warnings);
}
