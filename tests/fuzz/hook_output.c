/* Whatever a hook prints, for every event: it is refused with an error that can be shown, or the
 * answer has only what the event may have, and what it sends to the terminal is harmless. A merged copy says the same. The first byte chooses the
 * event. */
#include "hook/judgement.h"
#include "hook/output.h"

#include "base/utf8.h"
#include "text/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json(struct sv text)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = text.len ? json_parse(text, 0, &err) : NULL;

	BUG_ON(text.len && !doc);
}

/* Only bells and complete sequences that a hook may send; the terminal is left as it was. */
static void check_terminal(struct sv text)
{
	static const char *const allowed[] = { "0;", "1;", "2;", "9;", "99;", "777;" };

	while (text.len) {
		bool is_allowed = false;
		size_t end;

		if (text.ptr[0] == '\a') {
			text = sv_skip(text, 1);
			continue;
		}
		BUG_ON(!sv_starts(text, SV("\x1b]")));
		text = sv_skip(text, 2);
		end = sv_find(text, SV("\x1b\\"));
		BUG_ON(end == SIZE_MAX);
		for (size_t i = 0; i < countof(allowed); i++)
			is_allowed |= sv_starts(text, sv_cstr(allowed[i]));
		BUG_ON(!is_allowed);
		for (size_t i = 0; i < end; i++)
			BUG_ON((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == '\x7f' ||
			       (text.ptr[i] == '\xc2' && (unsigned char)text.ptr[i + 1] < 0xa0));
		text = sv_skip(text, end + 2);
	}
}

static void check_copy(const struct hook_answer *answer)
{
	defer(hook_answer_clear) struct hook_answer copy = { .stops = false };

	hook_answer_merge(&copy, answer);
	BUG_ON(copy.decision != answer->decision || !sv_eq(copy.reason, answer->reason));
	BUG_ON(copy.stops != answer->stops || copy.context.n != answer->context.n);
	BUG_ON(!sv_eq(copy.updated_input, answer->updated_input));
	BUG_ON(copy.permissions.n != answer->permissions.n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(hook_answer_clear) struct hook_answer answer = { .stops = false };
	struct hook_judgement judgement = { .ok = false };
	struct err err = ERR_INIT;
	enum hook_event event;
	struct sv text;
	int64_t ms;

	if (!size)
		return 0;
	event = data[0] % HOOK_EVENTS;
	text = sv_from((const char *)data + 1, size - 1);
	if (hook_output_is_async(text, &ms))
		BUG_ON(ms <= 0);
	if (hook_judgement_read(&judgement, text, &err))
		BUG_ON(err.kind != ERR_NONE);
	str_clear(&judgement.reason);
	err = (struct err)ERR_INIT;
	if (!hook_output_read(&answer, event, SV("H"), text, &err)) {
		BUG_ON(err.kind == ERR_NONE || !utf8_valid(sv_cstr(err.text), NULL));
		return 0;
	}
	BUG_ON(answer.updated_input.len && event != HOOK_PRE_TOOL_USE &&
	       event != HOOK_PERMISSION_REQUEST);
	BUG_ON(answer.decision == HOOK_DEFER && event != HOOK_PRE_TOOL_USE &&
	       event != HOOK_PRE_MODEL_SWITCH);
	check_terminal(answer.terminal);
	check_json(answer.updated_input);
	check_json(answer.updated_output);
	check_json(answer.content);
	check_copy(&answer);
	return 0;
}
