#include "model/wire/blocks.h"

#include "base/limits.h"
#include "event_log.h"

static void blocks_freep(struct blocks **blocks)
{
	blocks_free(*blocks);
}

#define TEXT  SV("{\"type\":\"text\",\"text\":\"\"}")
#define THINK SV("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
#define TOOL  SV("{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Read\",\"input\":{}}")

TEST(a_text_block_grows_in_place)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, TEXT, &err), err);
	CHECK_INT(blocks_open(blocks), 1);
	CHECK_OK(blocks_text(blocks, 0, SV("He said \"a"), &err), err);
	CHECK_OK(blocks_text(blocks, 0, SV("\n\""), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK_INT(blocks_open(blocks), 0);
	CHECK_SV(sv_of(&log), "block 0:0  {\"type\":\"text\",\"text\":\"\"}\n"
			      "text 0:0 He said \"a\n"
			      "text 0:0 \n\"\n"
			      "end 0:0  {\"type\":\"text\",\"text\":\"He said \\\"a\\n\\\"\"}\n");
}

TEST(members_and_spelling_that_nobody_knows_stay_byte_for_byte)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 3,
			      SV("{ \"x\" : 1.50e0, \"input\" : {} ,\"type\":\"tool_use\",\"id\":"
				 "\"a\",\"name\":\"b\",\"y\":[ 1 , \"\\u0041\" ] }"),
			      &err),
		 err);
	CHECK_OK(blocks_input(blocks, 3, SV("{\"p\": "), &err), err);
	CHECK_OK(blocks_input(blocks, 3, SV("1.0 }"), &err), err);
	CHECK_OK(blocks_stop(blocks, 3, &err), err);
	CHECK_OK(blocks_start(blocks, 4, SV("{\"type\" : \"new\", \"z\":[ ]}"), &err), err);
	CHECK_OK(blocks_stop(blocks, 4, &err), err);
	CHECK(strstr(log.ptr, "end 3:3  { \"x\" : 1.50e0, \"input\" : {\"p\": 1.0 } ,\"type\":"
			      "\"tool_use\",\"id\":\"a\",\"name\":\"b\",\"y\":[ 1 , \"\\u0041\" ] "
			      "}\n"));
	CHECK(strstr(log.ptr, "end 4:5  {\"type\" : \"new\", \"z\":[ ]}\n"));
}

TEST(what_a_block_has_from_the_beginning_is_told_and_kept)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, SV("{\"type\":\"text\",\"text\":\"ab\"}"), &err), err);
	CHECK_OK(blocks_text(blocks, 0, SV("c"), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK_OK(blocks_start(blocks, 1,
			      SV("{\"type\":\"tool_use\",\"name\":\"R\",\"id\":\"i\",\"input\":"
				 "{\"a\": 1}}"),
			      &err),
		 err);
	CHECK_OK(blocks_stop(blocks, 1, &err), err);
	CHECK_SV(sv_of(&log),
		 "block 0:0  {\"type\":\"text\",\"text\":\"ab\"}\n"
		 "text 0:0 ab\n"
		 "text 0:0 c\n"
		 "end 0:0  {\"type\":\"text\",\"text\":\"abc\"}\n"
		 "block 1:3  {\"type\":\"tool_use\",\"name\":\"R\",\"id\":\"i\",\"input\":"
		 "{\"a\": 1}} R(i)\n"
		 "input 1:3 {\"a\": 1}\n"
		 "end 1:3  {\"type\":\"tool_use\",\"name\":\"R\",\"id\":\"i\",\"input\":"
		 "{\"a\": 1}}\n");
}

TEST(members_that_were_not_there_are_added_at_the_end)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, SV("{\"type\":\"thinking\"}"), &err), err);
	CHECK_OK(blocks_thinking(blocks, 0, SV("hm"), &err), err);
	CHECK_OK(blocks_signature(blocks, 0, SV("c2ln"), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK_OK(blocks_start(blocks, 1,
			      SV("{\"type\":\"text\",\"text\":\"\",\"citations\":[ {\"n\":0} ]}"),
			      &err),
		 err);
	CHECK_OK(blocks_append(blocks, 1, SV("citations"), SV("{\"n\": 1}"), &err), err);
	CHECK_OK(blocks_append(blocks, 1, SV("citations"), SV("{\"n\":2}"), &err), err);
	CHECK_OK(blocks_extend(blocks, 1, SV("new \"one\""), SV("x"), &err), err);
	CHECK_OK(blocks_stop(blocks, 1, &err), err);
	CHECK(strstr(log.ptr,
		     "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"c2ln\"}"));
	CHECK(strstr(log.ptr, "\"citations\":[{\"n\":0},{\"n\": 1},{\"n\":2}],"
			      "\"new \\\"one\\\"\":\"x\"}"));
}

/* Feeds a text in pieces of any bytes; what is told must always be characters. */
static void check_halves(struct sv text, size_t cut)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, TEXT, &err), err);
	CHECK_OK(blocks_text(blocks, 0, sv_slice(text, 0, cut), &err), err);
	CHECK_OK(blocks_text(blocks, 0, sv_slice(text, cut, cut + 1), &err), err);
	CHECK_OK(blocks_text(blocks, 0, sv_skip(text, cut + 1), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK(!strstr(log.ptr, "\xef\xbf\xbd"));
	CHECK(sv_find(sv_of(&log), text) != SIZE_MAX);
	CHECK(strstr(log.ptr, "\"text\":\"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z\""));
}

TEST(half_characters_wait_for_their_other_half_at_every_cut)
{
	struct sv text = SV("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");

	for (size_t cut = 0; cut <= text.len; cut++)
		check_halves(text, cut);
}

TEST(bytes_that_never_become_a_character_are_shown_as_malformed)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, TEXT, &err), err);
	CHECK_OK(blocks_text(blocks, 0, SV("a\xffz\xe2\x82"), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK_SV(sv_of(&log), "block 0:0  {\"type\":\"text\",\"text\":\"\"}\n"
			      "text 0:0 a\xef\xbf\xbdz\n"
			      "text 0:0 \xef\xbf\xbd\n"
			      "end 0:0  {\"type\":\"text\",\"text\":\"a\xef\xbf\xbdz\xef\xbf\xbd\"}"
			      "\n");
}

TEST(an_input_that_is_no_object_is_told_and_left_out)
{
	static const char *const inputs[] = {
		"{\"path\": \"src/ma", "[1]", "\"x\"", "{} {}", "nonsense", "{\"a\":1,}"
	};

	for (size_t i = 0; i < countof(inputs); i++) {
		defer(str_clear) struct str log = STR_INIT, end = STR_INIT;
		defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
		struct err err = ERR_INIT;

		str_addf(&end,
			 "end 0:3 %s {\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Read\","
			 "\"input\":{}}\n",
			 inputs[i]);
		CHECK_OK(blocks_start(blocks, 0, TOOL, &err), err);
		CHECK_OK(blocks_input(blocks, 0, sv_cstr(inputs[i]), &err), err);
		CHECK_OK(blocks_stop(blocks, 0, &err), err);
		CHECK(sv_ends(sv_of(&log), sv_of(&end)));
	}
}

TEST(names_may_hold_any_character)
{
	static const char start[] = "{\"type\":\"new\",\"a\\u0000\":\"1\",\"a\":\"2\"}";
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, sv_cstr(start), &err), err);
	CHECK_OK(blocks_extend(blocks, 0, sv_from("a\0", 2), SV("x"), &err), err);
	CHECK_OK(blocks_extend(blocks, 0, SV("a"), SV("y"), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK(strstr(log.ptr, "{\"type\":\"new\",\"a\\u0000\":\"1x\",\"a\":\"2y\"}"));
}

TEST(an_input_of_blank_pieces_is_empty_and_well)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, TOOL, &err), err);
	CHECK_OK(blocks_input(blocks, 0, SV(""), &err), err);
	CHECK_OK(blocks_input(blocks, 0, SV(" "), &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK(sv_ends(sv_of(&log), SV("end 0:3  {\"type\":\"tool_use\",\"id\":\"t1\",\"name\":"
				      "\"Read\",\"input\":{}}\n")));
}

TEST(blocks_may_grow_side_by_side)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK_OK(blocks_start(blocks, 0, TEXT, &err), err);
	CHECK_OK(blocks_start(blocks, 7, TOOL, &err), err);
	CHECK_OK(blocks_text(blocks, 0, SV("a"), &err), err);
	CHECK_OK(blocks_input(blocks, 7, SV("{"), &err), err);
	CHECK_OK(blocks_text(blocks, 0, SV("b"), &err), err);
	CHECK_OK(blocks_input(blocks, 7, SV("}"), &err), err);
	CHECK_INT(blocks_open(blocks), 2);
	CHECK_OK(blocks_stop(blocks, 7, &err), err);
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK(strstr(log.ptr, "\"text\":\"ab\""));
}

TEST(what_does_not_fit_fails_and_says_so)
{
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;

	CHECK(!blocks_stop(blocks, 0, &err));
	CHECK_ERR(err, ERR_PROTOCOL, "block 0, which is not open");
	CHECK(!blocks_text(blocks, 99999999, SV("x"), &err));
	CHECK_ERR(err, ERR_PROTOCOL, "received text for block 99999999");
	CHECK(!blocks_start(blocks, LIMIT_MODEL_BLOCKS, TEXT, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "limit");
	CHECK(!blocks_start(blocks, 0, SV("{\"typ\":1}"), &err));
	CHECK_ERR(err, ERR_PROTOCOL, "no type");
	CHECK(!blocks_start(blocks, 0, SV("{\"type\":"), &err));
	CHECK_ERR(err, ERR_PARSE, "block 0");
	CHECK_OK(blocks_start(blocks, 0, TEXT, &err), err);
	CHECK(!blocks_start(blocks, 0, TEXT, &err));
	CHECK_ERR(err, ERR_PROTOCOL, "started twice");
	CHECK(!blocks_input(blocks, 0, SV("{"), &err));
	CHECK_ERR(err, ERR_PROTOCOL, "received a tool's input for block 0");
	CHECK(!blocks_thinking(blocks, 0, SV("x"), &err));
	CHECK(!blocks_signature(blocks, 0, SV("x"), &err));
	CHECK_OK(blocks_text(blocks, 0, SV("x"), &err), err);
	CHECK(!blocks_append(blocks, 0, SV("text"), SV("{}"), &err));
	CHECK_ERR(err, ERR_PROTOCOL, "does not fit");
	CHECK(!blocks_extend(blocks, 0, SV("type"), SV("x"), &err));
	CHECK_OK(blocks_stop(blocks, 0, &err), err);
	CHECK(!blocks_start(blocks, 0, TEXT, &err));
	CHECK_ERR(err, ERR_PROTOCOL, "started twice");
}

TEST(open_blocks_have_a_cap_together)
{
	defer(str_clear) struct str piece = STR_INIT;
	defer(str_clear) struct str log = STR_INIT;
	defer(blocks_freep) struct blocks *blocks = blocks_new(event_log, &log);
	struct err err = ERR_INIT;
	size_t added = 0;

	str_reserve(&piece, 16 * MIB);
	while (piece.len < 16 * MIB)
		str_adds(&piece, "0123456789abcdef");
	for (size_t i = 0; i < 16; i++) {
		str_truncate(&log, 0);
		CHECK_OK(blocks_start(blocks, i, THINK, &err), err);
		if (!blocks_thinking(blocks, i, sv_of(&piece), &err))
			break;
		added += piece.len;
	}
	CHECK_ERR(err, ERR_TOO_BIG, "128 MiB");
	CHECK(added <= LIMIT_MODEL_OPEN && added > LIMIT_MODEL_OPEN / 2);
}
