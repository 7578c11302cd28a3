/* A line from an engine at the other end of a connection. Whatever it is, it is refused or read;
 * what was read can be written, and reading that gives the same event again. */
#include "proto/event_read.h"
#include "proto/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether there is a form to write it in. */
static bool is_known(const struct event *event)
{
	return event->kind != EVENT_UNKNOWN &&
	       !(event->kind == EVENT_HOST_REQUEST && event->request.kind == HOST_UNKNOWN);
}

static void look_at_blocks(const struct event *event)
{
	struct json_iter it = message_blocks(event->message.value);
	struct block block;

	while (message_next(&it, &block))
		BUG_ON(block.kind != BLOCK_TOOL_RESULT && block.is_error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(event_reader_clear) struct event_reader reader = EVENT_READER_INIT,
						      again = EVENT_READER_INIT;
	defer(str_clear) struct str once = STR_INIT, twice = STR_INIT;
	struct event first, second;
	struct err err = ERR_INIT;

	if (!event_read(&reader, sv_from((const char *)data, size), &first, &err)) {
		BUG_ON(err.kind == ERR_NONE);
		return 0;
	}
	if (!is_known(&first))
		return 0;
	if (first.kind == EVENT_ASSISTANT || first.kind == EVENT_USER)
		look_at_blocks(&first);
	event_write(&once, &first, reader.uuid, reader.session_id);
	/* Only what was nested as deep as possible may now be nested too deep. */
	if (!event_read(&again, sv_of(&once), &second, &err)) {
		BUG_ON(err.kind != ERR_TOO_BIG);
		return 0;
	}
	BUG_ON(second.kind != first.kind);
	event_write(&twice, &second, again.uuid, again.session_id);
	BUG_ON(!sv_eq(sv_of(&once), sv_of(&twice)));
	return 0;
}
