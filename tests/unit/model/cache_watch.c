#include "model/cache_watch.h"

#include "test.h"

/* A conversation whose parts a test may change between two turns. */
struct talk {
	struct cache_watch *watch;
	struct sv tools[2], system[2], messages[4];
	struct model_request request;
	int64_t now;
};

static struct talk talk_new(void)
{
	return (struct talk){
		.watch = cache_watch_new(),
		.tools = { SV("{\"name\":\"Read\"}"), SV("{\"name\":\"Write\"}") },
		.system = { SV("be brief"), SV("the project") },
		.messages = { SV("{\"role\":\"user\"}"), SV("{\"role\":\"assistant\"}"), SV("{2}"),
			      SV("{3}") },
		.request = { .model = SV("m"), .nsystem = 2, .ntools = 2, .nmessages = 1 },
	};
}

/* One turn, a second after the last: true when the watch complains. */
static bool turn(struct talk *t, int64_t read, int64_t written, struct str *why)
{
	struct usage usage = { .cache_read = read, .cache_write_5m = written, .known = true };

	t->request.tools = t->tools;
	t->request.system = t->system;
	t->request.messages = t->messages;
	t->now += 1000;
	str_truncate(why, 0);
	return cache_watch_response(t->watch, &t->request, &usage, t->now, why);
}

TEST(a_conversation_that_grows_within_its_cache_is_silent)
{
	defer(str_clear) struct str why = STR_INIT;
	struct talk t = talk_new();

	CHECK(!turn(&t, 0, 50000, &why));
	t.request.nmessages = 3;
	CHECK(!turn(&t, 50000, 1000, &why));
	t.request.nmessages = 4;
	CHECK(!turn(&t, 51000, 1000, &why));
	cache_watch_free(t.watch);
}

TEST(a_drop_names_the_first_part_that_changed)
{
	static const struct {
		size_t part;
		const char *expected;
	} cases[] = {
		{ 0, "the model changed" },
		{ 1, "tool 2 (Edit) changed" },
		{ 2, "block 1 of the system prompt changed" },
		{ 3, "message 2 changed" },
		{ 4, "the prefix did not change" },
		{ 5, "the tool list became shorter (1 now)" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str why = STR_INIT;
		struct talk t = talk_new();

		t.request.nmessages = 2;
		CHECK(!turn(&t, 0, 50000, &why));
		t.request.nmessages = 3;
		switch (cases[i].part) {
		case 0: t.request.model = SV("other"); break;
		case 1: t.tools[1] = SV("{\"name\":\"Edit\"}"); break;
		case 2: t.system[0] = SV("be long"); break;
		case 3: t.messages[1] = SV("{\"role\":\"assistant\",\"x\":1}"); break;
		case 5: t.request.ntools = 1; break;
		default: break;
		}
		CHECK(turn(&t, 0, 51000, &why));
		CHECK(sv_starts(sv_of(&why), sv_cstr(cases[i].expected)));
		cache_watch_free(t.watch);
	}
}

TEST(what_is_to_be_expected_is_no_drop)
{
	defer(str_clear) struct str why = STR_INIT;
	struct talk t = talk_new();

	CHECK(!turn(&t, 0, 50000, &why));
	CHECK(!turn(&t, 48500, 1500, &why)); /* rounding */
	t.now += 6 * 60 * 1000;              /* it expired */
	CHECK(!turn(&t, 0, 50000, &why));
	t.request.cache = MODEL_CACHE_OFF;
	CHECK(!turn(&t, 0, 0, &why));
	cache_watch_free(t.watch);
}

TEST(conversations_are_told_apart_and_only_so_many_are_kept)
{
	defer(str_clear) struct str why = STR_INIT;
	struct talk t = talk_new();

	CHECK(!turn(&t, 0, 50000, &why));
	for (int i = 0; i < 1000; i++) {
		defer(str_clear) struct str other = STR_INIT;

		str_addf(&other, "{%d}", i);
		t.messages[0] = sv_of(&other);
		CHECK(!turn(&t, 0, 50000, &why));
	}
	cache_watch_free(t.watch);
}
