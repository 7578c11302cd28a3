#include "proto/background.h"

#include "test.h"

struct read {
	struct json_pool pool;
	struct arena arena;
	struct background_message message;
};

static void read_clear(struct read *r)
{
	json_pool_clear(&r->pool);
	arena_clear(&r->arena);
}

static void read_line(struct read *r, const char *line)
{
	struct err err = ERR_INIT;

	CHECK_OK(background_message_read(&r->message, sv_cstr(line), &r->pool, &r->arena, &err),
		 err);
}

TEST(a_message_is_read_as_it_was_written)
{
	static const struct sv flags[] = { SV_INIT("--model=opus"), SV_INIT("--verbose") },
			       env[] = { SV_INIT("A=b"), SV_INIT("C=d \"e\"\n") };
	const struct background_message start = {
		.kind = BACKGROUND_START,
		.text = SV("fix\nit"),
		.job = { .cwd = SV("/a"), .name = SV("n"), .flags = flags, .nflags = 2 },
		.env = env,
		.nenv = 2,
		.once = flags,
		.nonce = 1,
	};
	defer(str_clear) struct str line = STR_INIT;
	defer(read_clear) struct read r = { .arena = ARENA_INIT };

	background_message_write(&line, &start);
	CHECK_INT(sv_find_char(sv_of(&line), '\n'), line.len - 1);
	read_line(&r, str_c(&line));
	CHECK_INT(r.message.kind, BACKGROUND_START);
	CHECK_SV_EQ(r.message.text, start.text);
	CHECK_SV_EQ(r.message.job.cwd, start.job.cwd);
	CHECK_INT(r.message.job.nflags, 2);
	CHECK_SV_EQ(r.message.job.flags[1], flags[1]);
	CHECK_INT(r.message.nenv, 2);
	CHECK_SV_EQ(r.message.env[1], env[1]);
	CHECK_INT(r.message.nonce, 1);
}

TEST(what_has_the_wrong_type_counts_as_missing)
{
	defer(read_clear) struct read r = { .arena = ARENA_INIT };

	read_line(
		&r,
		"{\"type\":\"start\",\"id\":5,\"text\":null,\"env\":\"A=b\",\"once\":{\"a\":\"b\"},"
		"\"job\":[1],\"jobs\":7}");
	CHECK_INT(r.message.kind, BACKGROUND_START);
	CHECK_INT(r.message.id.len + r.message.text.len + r.message.nenv + r.message.nonce, 0);
	CHECK_INT(r.message.njobs + r.message.job.nflags, 0);
	read_line(&r, "{\"type\":\"jobs\",\"jobs\":[1,{\"id\":\"a\",\"state\":\"of "
		      "tomorrow\",\"flags\":[1,\"x\"]},[]]}");
	CHECK_INT(r.message.njobs, 1);
	CHECK_INT(r.message.jobs[0].state, JOB_FAILED);
	CHECK_INT(r.message.jobs[0].nflags, 1);
	read_line(&r, "{\"type\":\"of tomorrow\"}");
	CHECK_INT(r.message.kind, BACKGROUND_UNKNOWN);
	read_line(&r, "{}");
	CHECK_INT(r.message.kind, BACKGROUND_UNKNOWN);
}

TEST(what_is_not_an_object_is_refused)
{
	static const char *const lines[] = { "", "[]", "\"hello\"", "{", "null", "{}{}" };
	defer(read_clear) struct read r = { .arena = ARENA_INIT };

	for (size_t i = 0; i < countof(lines); i++) {
		struct err err = ERR_INIT;

		CHECK(!background_message_read(&r.message, sv_cstr(lines[i]), &r.pool, &r.arena,
					       &err));
		CHECK(err.text[0]);
	}
}

TEST(a_copy_of_a_session_does_not_need_the_original)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	char id[] = "ab12", flag[] = "--x";
	struct sv flags[] = { sv_cstr(flag) };
	const struct job_info info = { .id = sv_cstr(id), .flags = flags, .nflags = 1, .pid = 7 };
	struct job_info copy = job_info_copy(&arena, &info);

	id[0] = flag[2] = '!';
	CHECK_SV_EQ(copy.id, SV("ab12"));
	CHECK_SV_EQ(copy.flags[0], SV("--x"));
	CHECK_INT(copy.pid, 7);
}
