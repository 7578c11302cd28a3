#include "sys/local_server.h"

#include "run.h"
#include "sys/local_socket.h"
#include "sys/work.h"
#include "temp_dir.h"

struct local_talk {
	struct loop *loop;
	struct local_server *server;
	struct str dir, path, answer;
	const char *line;
	bool ok, closes;
};

static void local_talk_serve(void *arg, struct sv line, struct str *answer)
{
	struct local_talk *t = arg;

	str_addf(answer, "heard %.*s", SV_ARG(line));
	if (t->closes)
		local_server_free(move(t->server));
}

static bool local_talk_ask(void *arg, __attribute__((unused)) struct err *ignored)
{
	struct local_talk *t = arg;
	struct err err;

	t->ok = local_socket_ask(&t->answer, str_c(&t->path), sv_cstr(t->line), 1000, 5000, &err);
	return true;
}

static void local_talk_on_asked(__attribute__((unused)) struct op *op, void *owner,
				__attribute__((unused)) const struct err *why)
{
	loop_stop(((struct local_talk *)owner)->loop);
}

static void local_talk(struct local_talk *t, const char *line)
{
	t->line = line;
	str_truncate(&t->answer, 0);
	work_start(t->loop, local_talk_ask, t, THEN(local_talk_on_asked, t));
	loop_run(t->loop);
}

static void local_talk_init(struct local_talk *t)
{
	struct err err;

	*t = (struct local_talk){ .loop = loop_new() };
	CHECK_OK(fs_temp_dir(&t->dir, &err), err);
	fs_join(&t->path, sv_of(&t->dir), SV("a.sock"));
	t->server = local_server_new(t->loop, str_c(&t->path), local_talk_serve, t, &err);
	CHECK(t->server != NULL);
}

static void local_talk_clear(struct local_talk *t)
{
	local_server_free(t->server);
	loop_run(t->loop);
	CHECK(!fs_exists(str_c(&t->path)));
	loop_free(t->loop);
	str_clear(&t->path);
	str_clear(&t->answer);
	temp_dir_remove(&t->dir);
}

TEST(local_server_answers_one_line_of_each_client)
{
	defer(local_talk_clear) struct local_talk t;

	local_talk_init(&t);
	local_talk(&t, "one");
	CHECK(t.ok);
	CHECK_STR(str_c(&t.answer), "heard one");
	local_talk(&t, "two\nthree");
	CHECK_STR(str_c(&t.answer), "heard two");
}

TEST(local_server_can_be_closed_by_what_it_calls)
{
	defer(local_talk_clear) struct local_talk t;

	local_talk_init(&t);
	t.closes = true;
	local_talk(&t, "bye");
	CHECK(t.ok && !t.server);
	local_talk(&t, "again");
	CHECK(!t.ok);
}
