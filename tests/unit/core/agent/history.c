#include "core/agent/history.h"

#include "test.h"

#define TEXT(text)         "{\"type\":\"text\",\"text\":\"" text "\"}"
#define THOUGHT            "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}"
#define REDACTED           "{\"type\":\"redacted_thinking\",\"data\":\"x\"}"
#define CALL               "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Read\",\"input\":{}}"
#define USER(content)      "{\"role\":\"user\",\"content\":[" content "]}"
#define ASSISTANT(content) "{\"role\":\"assistant\",\"content\":[" content "]}"

static void restore(struct history *h, bool assistant, const char *json)
{
	struct str text = STR_INIT;

	str_adds(&text, json);
	history_restore(h, assistant, &text);
	CHECK_INT(text.len, 0); /* taken */
	CHECK(text.ptr == NULL);
}

static void check_message(const struct history *h, size_t i, const char *json)
{
	CHECK(i < h->messages.n);
	CHECK_STR(str_c(&h->messages.at[i].json), json);
}

static void check_bytes(const struct history *h)
{
	size_t bytes = 0;

	for (size_t i = 0; i < h->messages.n; i++)
		bytes += h->messages.at[i].json.len;
	CHECK_INT(h->bytes, bytes);
}

TEST(blocks_of_one_role_in_a_row_are_one_message)
{
	defer(history_clear) struct history h = HISTORY_INIT;

	history_add(&h, false, SV("1"));
	history_add(&h, false, SV("2"));
	history_add(&h, true, SV("3"));
	history_add(&h, true, SV("4"));
	history_add(&h, false, SV("5,6"));
	CHECK_INT(h.messages.n, 3);
	check_message(&h, 0, USER("1,2"));
	check_message(&h, 1, ASSISTANT("3,4"));
	check_message(&h, 2, USER("5,6"));
	check_bytes(&h);
}

TEST(what_was_sent_is_a_prefix_of_what_is_sent_next)
{
	defer(history_clear) struct history h = HISTORY_INIT;
	defer(str_clear) struct str before = STR_INIT;

	for (int i = 0; i < 40; i++) {
		defer(str_clear) struct str now = STR_INIT;
		const struct sv *views;

		history_add(&h, (i / 3) % 2 == 1, SV("{\"x\":\"]}\"}"));
		views = history_views(&h);
		for (size_t k = 0; k < h.messages.n; k++)
			str_add(&now, views[k]);
		/* All but the closing brackets of the last message stays. */
		CHECK(sv_starts(sv_of(&now), sv_slice(sv_of(&before), 0, before.len - 2)) ||
		      i == 0);
		check_bytes(&h);
		str_truncate(&before, 0);
		str_add(&before, sv_of(&now));
	}
}

TEST(a_restored_conversation_goes_on_where_it_stopped)
{
	defer(history_clear) struct history h = HISTORY_INIT;

	restore(&h, false, USER(TEXT("a")));
	restore(&h, true, ASSISTANT(TEXT("b")));
	restore(&h, false, USER(""));
	history_add(&h, false, SV(TEXT("c")));
	history_add(&h, true, SV(TEXT("d")));
	CHECK_INT(h.messages.n, 4);
	check_message(&h, 0, USER(TEXT("a")));
	check_message(&h, 1, ASSISTANT(TEXT("b")));
	check_message(&h, 2, USER(TEXT("c")));
	check_message(&h, 3, ASSISTANT(TEXT("d")));
	check_bytes(&h);
}

TEST(a_cleared_history_is_as_new)
{
	struct history h = HISTORY_INIT;

	history_add(&h, true, SV("1"));
	(void)history_views(&h);
	history_clear(&h);
	CHECK_INT(h.messages.n, 0);
	CHECK_INT(h.bytes, 0);
	history_add(&h, true, SV("1"));
	CHECK_INT(h.messages.n, 1);
	history_clear(&h);
}

TEST(thinking_is_dropped_and_every_other_block_stays_byte_for_byte)
{
	static const struct {
		const char *before, *after;
	} cases[] = {
		{ ASSISTANT(THOUGHT "," TEXT("a")), ASSISTANT(TEXT("a")) },
		{ ASSISTANT(TEXT("a") "," THOUGHT), ASSISTANT(TEXT("a")) },
		{ ASSISTANT(THOUGHT "," REDACTED "," TEXT("a") "," THOUGHT "," CALL),
		  ASSISTANT(TEXT("a") "," CALL) },
		{ ASSISTANT(THOUGHT "," CALL), ASSISTANT(CALL) },
		{ ASSISTANT(TEXT("a") "," CALL), ASSISTANT(TEXT("a") "," CALL) },
		/* no message may be empty */
		{ ASSISTANT(THOUGHT), ASSISTANT(TEXT("(thinking)")) },
		{ ASSISTANT(REDACTED "," THOUGHT), ASSISTANT(TEXT("(thinking)")) },
		/* the word alone is not the thing */
		{ ASSISTANT(TEXT("{\\\"type\\\":\\\"thinking\\\"}")),
		  ASSISTANT(TEXT("{\\\"type\\\":\\\"thinking\\\"}")) },
		{ ASSISTANT("{\"text\":\"thinking\",\"type\":\"text\"}"),
		  ASSISTANT("{\"text\":\"thinking\",\"type\":\"text\"}") },
		{ ASSISTANT("{\"type\":\"tool_use\",\"input\":{\"type\":\"thinking\"}}"),
		  ASSISTANT("{\"type\":\"tool_use\",\"input\":{\"type\":\"thinking\"}}") },
		{ ASSISTANT("{\"type\":\"thinking_of_tomorrow\"}"),
		  ASSISTANT("{\"type\":\"thinking_of_tomorrow\"}") },
		/* spelt in other ways */
		{ ASSISTANT("{\"thinking\":\"hm\", \"type\" : \"thinking\" } , " TEXT("a")),
		  ASSISTANT(TEXT("a")) },
		/* numbers keep their spelling, white space in a block too */
		{ ASSISTANT("{\"type\":\"tool_use\",\"input\":{ \"n\": 1.50e3 }}," THOUGHT),
		  ASSISTANT("{\"type\":\"tool_use\",\"input\":{ \"n\": 1.50e3 }}") },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(history_clear) struct history h = HISTORY_INIT;

		restore(&h, true, cases[i].before);
		history_drop_thinking(&h);
		check_message(&h, 0, cases[i].after);
		check_bytes(&h);
		history_drop_thinking(&h); /* nothing is left to drop */
		check_message(&h, 0, cases[i].after);
		history_add(&h, true, SV("1")); /* still a message to add to */
		CHECK(sv_ends(sv_of(&h.messages.at[0].json), SV(",1]}")));
	}
}

TEST(what_the_user_said_keeps_whatever_it_says)
{
	defer(history_clear) struct history h = HISTORY_INIT;

	restore(&h, false, USER(THOUGHT "," TEXT("a")));
	restore(&h, true, ASSISTANT(THOUGHT "," TEXT("b")));
	history_drop_thinking(&h);
	check_message(&h, 0, USER(THOUGHT "," TEXT("a")));
	check_message(&h, 1, ASSISTANT(TEXT("b")));
	check_bytes(&h);
}

TEST(half_a_surrogate_pair_does_not_make_the_request_invalid)
{
	defer(history_clear) struct history h = HISTORY_INIT;

	restore(&h, false, "{\"role\":\"user\",\"content\":\"\\ud83d\"}");
	restore(&h, true, ASSISTANT(TEXT("\\udc00 \\ud83d\\ude00")));
	history_add(&h, true, SV(TEXT("\\uD800")));
	history_add(&h, false, SV("\"\\udc00\""));
	check_message(&h, 0, USER(TEXT("\xef\xbf\xbd")));
	check_message(&h, 1, ASSISTANT(TEXT("\\ufffd \\ud83d\\ude00") "," TEXT("\\ufffd")));
	check_message(&h, 2, USER("\"\\ufffd\""));
	check_bytes(&h);
}

TEST(a_big_image_does_not_count_as_so_much_text)
{
	defer(history_clear) struct history h = HISTORY_INIT, restored = HISTORY_INIT;
	defer(str_clear) struct str block = STR_INIT;

	str_adds(&block, "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"data\":\"");
	for (int i = 0; i < 100000; i++)
		str_addc(&block, 'A');
	str_adds(&block, "\"}}");
	history_add(&h, false, SV(TEXT("look")));
	history_add(&h, false, sv_of(&block));
	CHECK_INT(h.messages.at[0].json.len - h.bytes, 100000 - HISTORY_MEDIA);
	restore(&restored, false, h.messages.at[0].json.ptr);
	CHECK_INT(restored.bytes, h.bytes);
}
