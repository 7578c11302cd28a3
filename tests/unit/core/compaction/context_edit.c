#include "core/compaction/context_edit.h"

#include "unit/test.h"

static void fill(struct history *h)
{
	history_add(h, false, SV("{\"type\":\"text\",\"text\":\"look at a.c\"}"));
	history_add(h, true, SV("{\"type\":\"text\",\"text\":\"I will.\"}"));
	history_add(h, true,
		    SV("{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Read\",\"input\":{}}"));
	history_add(
		h, false,
		SV("{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"int main;\"}"));
}

TEST(the_pieces_of_a_conversation_are_listed_with_their_tools)
{
	struct history h = HISTORY_INIT;
	context_pieces pieces = VEC_INIT;

	fill(&h);
	context_list(&h, &pieces);
	CHECK_INT(pieces.n, 4);
	CHECK_STR(pieces.at[0].kind, "text");
	CHECK_STR(pieces.at[0].name.ptr, "look at a.c");
	CHECK_INT(pieces.at[2].message, 2);
	CHECK_INT(pieces.at[2].block, 2);
	CHECK_STR(pieces.at[2].kind, "call");
	CHECK(!pieces.at[2].may_drop);
	CHECK_STR(pieces.at[3].name.ptr, "Read: int main;");
	context_pieces_clear(&pieces);
	history_clear(&h);
}

TEST(a_dropped_piece_leaves_a_line_and_comes_back_as_it_was)
{
	struct history h = HISTORY_INIT;
	struct context_drops drops = { .last = 0 };
	defer(str_clear) struct str before = STR_INIT;
	size_t bytes;

	fill(&h);
	history_add(&h, true,
		    SV("{\"type\":\"text\",\"text\":\"A very long answer, with much in it.\"}"));
	str_add(&before, sv_of(&h.messages.at[2].json));
	bytes = h.bytes;
	CHECK_INT(context_drop(&h, &drops, 3, 0), 1);
	CHECK_INT(context_drop(&h, &drops, 3, 0), 0); /* already */
	CHECK_STR(
		h.messages.at[2].json.ptr,
		"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\","
		"\"content\":\"[Dropped by the user: piece 1]\"}]}");
	CHECK_INT(context_drop(&h, &drops, 2, 2), 0); /* a call */
	CHECK_INT(context_drop(&h, &drops, 2, 1), 1);
	CHECK_INT(context_drop(&h, &drops, 9, 0), 0);
	CHECK_INT(context_restore(&h, &drops, 3, 1), 1);
	CHECK_STR(h.messages.at[2].json.ptr, before.ptr);
	CHECK_INT(context_restore(&h, &drops, 2, 0), 1);
	CHECK_INT(context_restore(&h, &drops, 2, 0), 0);
	CHECK_INT(h.bytes, bytes);
	context_drops_clear(&drops);
	history_clear(&h);
}
