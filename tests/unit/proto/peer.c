#include "proto/peer.h"

#include "test.h"

TEST(peer_messages_are_read_as_they_were_written)
{
	const struct peer_message given = { .kind = PEER_MESSAGE,
					    .from = SV("uds:4f1c9a02"),
					    .name = SV("a \"name\"\n"),
					    .cwd = SV("/project"),
					    .text = SV("Look."),
					    .session = SV("4f1c"),
					    .is_interactive = true,
					    .pid = 7,
					    .started_ms = 1000 };
	defer(str_clear) struct str line = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct peer_message read;
	struct err err;

	peer_message_write(&line, &given);
	CHECK(sv_find_char(sv_of(&line), '\n') == SIZE_MAX);
	CHECK_OK(peer_message_read(&read, sv_of(&line), &arena, &err), err);
	CHECK(read.kind == PEER_MESSAGE);
	CHECK(sv_eq(read.from, given.from) && sv_eq(read.name, given.name));
	CHECK(sv_eq(read.cwd, given.cwd) && sv_eq(read.text, given.text));
	CHECK(!read.state.len);
	CHECK(sv_eq(read.session, given.session) && read.is_interactive && read.pid == 7 &&
	      read.started_ms == 1000);
}

TEST(peer_messages_that_make_no_sense_are_refused)
{
	static const char *const lines[] = {
		"", "{", "[]", "{}", "{\"type\":7}", "{\"type\":\"exit\"}"
	};
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct peer_message read;
	struct err err;

	for (size_t i = 0; i < countof(lines); i++)
		CHECK(!peer_message_read(&read, sv_cstr(lines[i]), &arena, &err));
}

TEST(peer_messages_of_newer_versions_are_read_as_far_as_they_are_known)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct peer_message read;
	struct err err;

	CHECK_OK(peer_message_read(&read, SV("{\"type\":\"info\",\"more\":[1],\"name\":7}"), &arena,
				   &err),
		 err);
	CHECK(read.kind == PEER_INFO && !read.name.len);
}
