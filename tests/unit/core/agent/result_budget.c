#include "core/agent/result_budget.h"

#include "../../sys/temp_dir.h"
#include "base/limits.h"
#include "tool/result_cap.h"

enum { MANY = 8 };

/* The calls of one reply, each with a result. */
struct reply {
	struct tool_session session;
	struct tool_context ctx;
	struct call made[MANY], *calls[MANY];
	char ids[MANY][8];
	size_t n;
};

static const struct tool tool = { .name = "T" };
static const struct tool capped = { .name = "C", .max_result = 5000 };
static const struct tool shows_files = { .name = "R", .stays_whole = true };

static void reply_clear(struct reply *r)
{
	for (size_t i = 0; i < r->n; i++)
		tool_result_clear(&r->made[i].run.result);
}

static void reply_init(struct reply *r, const char *results_dir)
{
	*r = (struct reply){ .session = { .results_dir = results_dir } };
	r->ctx.session = &r->session;
}

#define REPLY(name, dir)                                   \
	defer(reply_clear) struct reply name = { .n = 0 }; \
	reply_init(&name, dir)

/* One more, of `n` bytes. */
static struct tool_result *add(struct reply *r, const struct tool *of, size_t n)
{
	struct tool_call *run = &r->made[r->n].run;

	snprintf(r->ids[r->n], sizeof(r->ids[0]), "t%zu", r->n);
	*run = (struct tool_call){ .tool = of, .ctx = &r->ctx, .id = sv_cstr(r->ids[r->n]) };
	while (run->result.text.len < n)
		str_addc(&run->result.text, (char)('a' + (char)r->n));
	r->calls[r->n] = &r->made[r->n];
	r->n++;
	return &run->result;
}

/* "kept" where the result is whole, "cut" where it is not, in the order of the calls. */
static void check_fates(struct reply *r, size_t max, const char *expected)
{
	defer(str_clear) struct str fates = STR_INIT;
	size_t before[MANY];

	for (size_t i = 0; i < r->n; i++)
		before[i] = r->made[i].run.result.text.len;
	result_budget(r->calls, r->n, max);
	for (size_t i = 0; i < r->n; i++)
		str_addf(&fates, "%s%s", i ? " " : "",
			 r->made[i].run.result.text.len == before[i] ? "kept" : "cut");
	CHECK_STR(str_c(&fates), expected);
}

TEST(results_that_fit_together_stay_as_they_are)
{
	TEMP_DIR(dir);
	PATH_IN(results, dir, "results");
	REPLY(r, results);

	add(&r, &tool, 9000);
	add(&r, &tool, 11000);
	check_fates(&r, 20000, "kept kept");
	CHECK(!fs_exists(results));
	check_fates(&r, 19999, "kept cut");
	CHECK_INT(entries_in(results), 1);
}

TEST(the_biggest_give_way_until_the_rest_fits)
{
	static const struct {
		size_t max;
		const char *fates;
	} cases[] = {
		{ 34000, "kept kept kept kept" }, { 33999, "kept cut kept kept" },
		{ 26000, "kept cut kept kept" },  { 23000, "kept cut kept cut" },
		{ 15000, "cut cut kept cut" },    { 0, "cut cut kept cut" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		TEMP_DIR(dir);
		REPLY(r, str_c(&dir));

		add(&r, &tool, 9000);
		add(&r, &tool, 12000);
		add(&r, &tool, 3000); /* less than a file is worth */
		add(&r, &tool, 10000);
		check_fates(&r, cases[i].max, cases[i].fates);
	}
}

TEST(of_two_that_are_as_big_the_first_gives_way)
{
	TEMP_DIR(dir);
	REPLY(r, str_c(&dir));

	add(&r, &tool, 9000);
	add(&r, &tool, 9000);
	add(&r, &tool, 9000);
	check_fates(&r, 21000, "cut kept kept");
}

TEST(what_has_given_way_is_in_a_file_with_its_beginning_in_its_place)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "t1.txt");
	defer(str_clear) struct str kept = STR_INIT, expected = STR_INIT;
	struct tool_result *result;
	struct err err = ERR_INIT;
	REPLY(r, str_c(&dir));

	add(&r, &tool, 5000);
	result = add(&r, &tool, 9000);
	check_fates(&r, 10000, "kept cut");
	CHECK_OK(fs_read(&kept, path, 10000, &err), err);
	CHECK_INT(kept.len, 9000);
	str_add(&expected, sv_slice(sv_of(&kept), 0, LIMIT_RESULT_PREVIEW));
	str_addf(&expected,
		 "\n[The result has 9000 bytes; these are the first. All of it is in %s]", path);
	CHECK_SV_EQ(sv_of(&result->text), sv_of(&expected));
	CHECK(result->is_replaced);
}

TEST(one_that_was_replaced_is_not_replaced_again)
{
	TEMP_DIR(dir);
	REPLY(r, str_c(&dir));

	add(&r, &capped, 5001);
	add(&r, &tool, 9000);
	result_cap(&r.made[0].run);
	CHECK(r.made[0].run.result.is_replaced);
	check_fates(&r, 5000, "kept cut");
	check_fates(&r, 0, "kept kept");
	CHECK_INT(entries_in(str_c(&dir)), 2);
}

TEST(what_shows_a_file_or_an_image_neither_counts_nor_gives_way)
{
	TEMP_DIR(dir);
	REPLY(r, str_c(&dir));

	add(&r, &shows_files, 90000);
	str_adds(&add(&r, &tool, 50000)->blocks, "[]");
	add(&r, NULL, 9000); /* there is no such tool, it says */
	add(&r, &tool, 9000);
	check_fates(&r, 9000, "kept kept kept kept");
	check_fates(&r, 8999, "kept kept kept cut");
}

TEST(where_nothing_can_be_kept_each_is_cut_to_its_share)
{
	REPLY(r, NULL);
	struct tool_result *big;

	big = add(&r, &tool, 40000);
	add(&r, &tool, 9000);
	add(&r, &tool, 9900);
	check_fates(&r, 30000, "cut kept kept");
	CHECK(sv_starts(sv_skip(sv_of(&big->text), 10000), SV("\n[The result had 40000 bytes")));
}

/* The note alone takes it over the limit again; nothing is said to be cut that is whole. */
TEST(one_that_is_within_its_share_is_not_cut)
{
	REPLY(r, NULL);

	add(&r, &tool, 9000);
	add(&r, &tool, 7499);
	check_fates(&r, 15000, "cut kept");
	CHECK(!r.made[1].run.result.is_replaced);
}

TEST(no_calls_are_no_problem)
{
	result_budget(NULL, 0, 0);
}
