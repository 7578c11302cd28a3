#include "proto/input.h"

#include "test.h"

/* Every kind, as the wire has it. */
static const char *const requests[] = {
	"{\"subtype\":\"initialize\",\"systemPrompt\":[\"a\"],\"appendSystemPrompt\":\"b\"}",
	"{\"subtype\":\"interrupt\"}",
	"{\"subtype\":\"set_model\",\"model\":\"opus\"}",
	"{\"subtype\":\"set_permission_mode\",\"mode\":\"plan\"}",
	"{\"subtype\":\"set_max_thinking_tokens\",\"max_thinking_tokens\":4000}",
	"{\"subtype\":\"get_settings\"}",
	"{\"subtype\":\"apply_flag_settings\",\"settings\":{\"model\":null}}",
	"{\"subtype\":\"list_permission_rules\"}",
	"{\"subtype\":\"list_models\"}",
	"{\"subtype\":\"get_context_usage\"}",
	"{\"subtype\":\"stop_task\",\"task_id\":\"b1\"}",
	"{\"subtype\":\"generate_session_title\",\"description\":\"d\",\"persist\":true}",
	"{\"subtype\":\"cancel_async_message\",\"message_uuid\":\"u\"}",
};

static void check_round_trip(const char *request, enum control_kind kind)
{
	defer(str_clear) struct str line = STR_INIT, out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct input in;

	str_addf(&line, "{\"type\":\"control_request\",\"request_id\":\"r\",\"request\":%s}",
		 request);
	doc = json_parse(sv_of(&line), 0, &err);
	CHECK_OK(doc && input_read(&in, json_root(doc), &err), err);
	CHECK_INT(in.kind, INPUT_REQUEST);
	CHECK_INT(in.request.kind, kind);
	control_request_write(&out, &in.request);
	CHECK_STR(str_c(&out), str_c(&line));
}

TEST(every_control_request_is_written_as_it_was_read)
{
	for (size_t i = 0; i < countof(requests); i++)
		check_round_trip(requests[i], (enum control_kind)i);
	CHECK_INT(countof(requests), CONTROL_KINDS);
}

TEST(a_default_is_left_out_of_a_control_request)
{
	check_round_trip("{\"subtype\":\"initialize\"}", CONTROL_INITIALIZE);
	check_round_trip("{\"subtype\":\"set_model\"}", CONTROL_SET_MODEL);
	check_round_trip("{\"subtype\":\"interrupt\",\"cancel_queued\":true}", CONTROL_INTERRUPT);
	check_round_trip("{\"subtype\":\"set_max_thinking_tokens\",\"max_thinking_tokens\":null}",
			 CONTROL_SET_THINKING);
}
