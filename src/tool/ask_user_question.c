/* The user answers during the permission question: the reply returns the input with `answers` added
 * (perm and core/agent/call.c see to that). All that remains is to pass the answers on to the model. */
#include "tool/ask_user_question.h"

#include "base/mem.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"

enum { MAX_RESULT = 30000 };

bool question_timeout_read(int64_t *ms, struct sv setting, struct err *err)
{
	static const struct {
		const char *name;
		int64_t ms;
	} timeouts[] = { { "never", 0 }, { "60s", 60000 }, { "5m", 300000 }, { "10m", 600000 } };

	for (size_t i = 0; i < countof(timeouts); i++) {
		if (sv_is(setting, timeouts[i].name)) {
			*ms = timeouts[i].ms;
			return true;
		}
	}
	return err_set(err, ERR_INVALID, "expected never, 60s, 5m or 10m, not \"%.*s\"",
		       SV_ARG(sv_slice(setting, 0, 40)));
}

static struct sv ask_user_text_of(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* Whether one of the `n` elements before has the same `key`. */
static bool ask_user_is_repeated(struct json array, size_t n, const char *key)
{
	struct sv text = ask_user_text_of(json_at(array, n), key);

	for (size_t i = 0; i < n; i++)
		if (sv_eq(ask_user_text_of(json_at(array, i), key), text))
			return true;
	return false;
}

static bool ask_user_check_options(struct json options, size_t question, struct err *err)
{
	for (size_t i = 0; i < json_len(options); i++) {
		if (!sv_trim(ask_user_text_of(json_at(options, i), "label")).len)
			return err_set(err, ERR_INVALID,
				       "`questions[%zu].options[%zu].label` is empty.", question,
				       i);
		if (ask_user_is_repeated(options, i, "label"))
			return err_set(err, ERR_INVALID,
				       "`questions[%zu].options[%zu].label` duplicates another "
				       "option's label.",
				       question, i);
	}
	return true;
}

/* Each answer is keyed by its question. The model cannot give answers itself. */
static bool ask_check(const struct tool_call *call, struct err *err)
{
	struct json questions = json_get(call->input, "questions");

	if (!call->is_changed && json_len(json_get(call->input, "answers")))
		return err_set(err, ERR_INVALID,
			       "`answers` come from the user: call again without them.");
	for (size_t i = 0; i < json_len(questions); i++) {
		if (!sv_trim(ask_user_text_of(json_at(questions, i), "question")).len)
			return err_set(err, ERR_INVALID, "`questions[%zu].question` is empty.", i);
		if (ask_user_is_repeated(questions, i, "question"))
			return err_set(err, ERR_INVALID,
				       "`questions[%zu]` repeats an earlier question.", i);
		if (!ask_user_check_options(json_get(json_at(questions, i), "options"), i, err))
			return false;
	}
	return true;
}

static void ask_perm_request(const struct tool_call *call,
			     __attribute__((unused)) struct arena *arena, struct perm_request *out)
{
	out->access = ACCESS_NONE;
	out->needs_user = json_len(json_get(call->input, "answers")) == 0;
	out->patience_ms = out->needs_user ? call->ctx->session->question_timeout_ms : 0;
}

/* An answer is a string; hosts may send several as a list. */
static void ask_user_add_answer(struct str *out, struct json answer)
{
	struct json_iter it = json_each(answer);
	struct sv text;
	struct json item;
	struct jw w;

	if (json_str(answer, &text)) {
		str_add(out, text);
	} else if (json_is(answer, JSON_ARRAY)) {
		for (bool first = true; json_next(&it, NULL, &item); first = false)
			str_addf(out, "%s%.*s", first ? "" : ", ",
				 SV_ARG(json_str_or(item, SV_EMPTY)));
	} else {
		jw_init(&w, out, JW_COMPACT);
		jw_value(&w, answer);
		jw_done(&w);
	}
}

static void ask_user_put_answers(struct jw *w, struct json answers)
{
	struct json_iter it = json_each(answers);
	struct json answer;
	struct sv question;

	jw_put_object(w, "answers");
	while (json_next(&it, &question, &answer)) {
		defer(str_clear) struct str text = STR_INIT;

		ask_user_add_answer(&text, answer);
		jw_key(w, question);
		jw_str(w, sv_of(&text));
	}
	jw_end(w);
}

static void ask_user_write_data(struct tool_call *call)
{
	struct json notes = json_get(call->input, "annotations");
	struct jw w;

	jw_init(&w, &call->result.data, JW_COMPACT);
	jw_object(&w);
	jw_put_value(&w, "questions", json_get(call->input, "questions"));
	ask_user_put_answers(&w, json_get(call->input, "answers"));
	if (json_exists(notes))
		jw_put_value(&w, "annotations", notes);
	if (call->waited_ms)
		jw_put_int(&w, "afkTimeoutMs", call->waited_ms);
	jw_end(&w);
	jw_done(&w);
}

static void ask_user_write_answers(struct tool_call *call)
{
	struct json answers = json_get(call->input, "answers");
	struct json notes = json_get(call->input, "annotations"), answer;
	struct json_iter it = json_each(answers);
	struct str *text = &call->result.text;
	struct sv question;

	str_adds(text, "The user has answered:");
	while (json_next(&it, &question, &answer)) {
		struct sv note = ask_user_text_of(json_get_sv(notes, question), "notes");

		str_addf(text, "\n- %.*s\n  ", SV_ARG(question));
		ask_user_add_answer(text, answer);
		if (note.len)
			str_addf(text, "\n  Note: %.*s", SV_ARG(note));
	}
}

static void ask_user_write_unanswered(struct tool_call *call)
{
	struct json answers = json_get(call->input, "answers"), question;
	struct json_iter it = json_each(json_get(call->input, "questions"));

	while (json_next(&it, NULL, &question)) {
		struct sv text = ask_user_text_of(question, "question");

		if (!json_exists(json_get_sv(answers, text)))
			str_addf(&call->result.text, "\n- %.*s\n  (no answer)", SV_ARG(text));
	}
}

static struct op *ask_start(struct tool_call *call, struct then then)
{
	ask_user_write_data(call);
	if (json_len(json_get(call->input, "answers"))) {
		ask_user_write_answers(call);
		ask_user_write_unanswered(call);
	} else if (call->waited_ms) {
		str_addf(&call->result.text,
			 "No answer after %lld seconds: the user is away. Use your best judgement, "
			 "state your assumptions, and postpone anything irreversible until they "
			 "are back.",
			 (long long)call->waited_ms / 1000);
	} else {
		str_adds(&call->result.text, "The user saw the questions but answered none. Use "
					     "your best judgement and state your assumptions.");
	}
	return op_settled(call->ctx->loop, then);
}

#define TEXT "{\"type\":\"string\"}"

const struct tool tool_ask_user_question = {
	.name = "AskUserQuestion",
	.page = tool_ask_user_question_page,
	.schema = SV_INIT(
		"{\"type\":\"object\",\"properties\":{\"questions\":{\"type\":\"array\","
		"\"minItems\":1,\"maxItems\":4,\"items\":{\"type\":\"object\",\"properties\":{"
		"\"question\":" TEXT ",\"header\":" TEXT ",\"options\":{\"type\":\"array\","
		"\"minItems\":2,\"maxItems\":4,\"items\":{\"type\":\"object\",\"properties\":{"
		"\"label\":" TEXT ",\"description\":" TEXT ",\"preview\":" TEXT
		"},\"required\":[\"label\",\"description\"],\"additionalProperties\":false}},"
		"\"multiSelect\":{\"type\":\"boolean\"}},\"required\":[\"question\",\"header\","
		"\"options\"],\"additionalProperties\":false}},\"answers\":{\"type\":\"object\","
		"\"description\":\"Set by the user, not by "
		"you\"},\"annotations\":{\"type\":\"object\",\"description\":\"Likewise\"},"
		"\"metadata\":{\"type\":\"object\"}},\"required\":[\"questions\"],"
		"\"additionalProperties\":false}"),
	.max_result = MAX_RESULT,
	.needs_user = true,
	.declined = "The user did not answer the questions. Continue without the answers, or say "
		    "what you need to know.",
	.check = ask_check,
	.perm_request = ask_perm_request,
	.start = ask_start,
};
