#include "model/usage.h"

#include "test.h"

static struct usage read_usage(const char *text)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(text), 0, &err);
	struct usage u = { 0 };

	CHECK_OK(doc && usage_read(&u, json_root(doc), &err), err);
	return u;
}

TEST(each_token_of_a_report_is_counted_once)
{
	struct usage u = read_usage("{\"input_tokens\":10,\"output_tokens\":20,"
				    "\"cache_read_input_tokens\":300,"
				    "\"cache_creation_input_tokens\":45,"
				    "\"cache_creation\":{\"ephemeral_5m_input_tokens\":5,"
				    "\"ephemeral_1h_input_tokens\":40},"
				    "\"output_tokens_details\":{\"thinking_tokens\":15},"
				    "\"server_tool_use\":{\"web_search_requests\":2},"
				    "\"service_tier\":\"standard\"}");

	CHECK(u.known);
	CHECK_INT(u.input, 10);
	CHECK_INT(u.output, 20);
	CHECK_INT(u.thinking, 15);
	CHECK_INT(u.cache_read, 300);
	CHECK_INT(u.cache_write_5m, 5);
	CHECK_INT(u.cache_write_1h, 40);
	CHECK_INT(u.web_searches, 2);
	CHECK_INT(usage_prompt(&u), 355);
}

TEST(cache_writes_that_are_not_divided_count_as_five_minute_ones)
{
	CHECK_INT(read_usage("{\"cache_creation_input_tokens\":45}").cache_write_5m, 45);
	CHECK_INT(read_usage("{\"cache_creation_input_tokens\":45,"
			     "\"cache_creation\":{\"ephemeral_1h_input_tokens\":40}}")
			  .cache_write_5m,
		  5);
}

TEST(a_report_without_counts_is_unknown_and_not_zero)
{
	static const char *const reports[] = { "{}", "null", "{\"input_tokens\":null}",
					       "{\"service_tier\":\"standard\"}" };

	for (size_t i = 0; i < countof(reports); i++)
		CHECK(!read_usage(reports[i]).known);
	CHECK(read_usage("{\"output_tokens\":0}").known);
}

TEST(absurd_counts_are_refused_by_name_and_change_nothing)
{
	static const struct {
		const char *text, *part;
	} cases[] = {
		{ "{\"input_tokens\":-1}", "input_tokens" },
		{ "{\"output_tokens\":1000000000001}", "output_tokens" },
		{ "{\"output_tokens\":1e300}", "output_tokens" },
		{ "{\"output_tokens\":99999999999999999999999999}", "output_tokens" },
		{ "{\"output_tokens\":1.5}", "output_tokens" },
		{ "{\"output_tokens\":\"7\"}", "output_tokens" },
		{ "{\"input_tokens\":5,\"cache_creation\":{\"ephemeral_1h_input_tokens\":-2}}",
		  "ephemeral_1h_input_tokens" },
		{ "[]", "is an array, not an object" },
		{ "7", "is a number, not an object" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct usage u = { .input = 77, .known = true }, before = u;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(cases[i].text), 0, &err);

		CHECK(!usage_update(&u, json_root(doc), &err));
		CHECK_ERR(err, ERR_PROTOCOL, cases[i].part);
		CHECK(memcmp(&u, &before, sizeof(u)) == 0);
	}
}

TEST(a_later_report_replaces_only_the_counts_it_has)
{
	struct usage u = read_usage("{\"input_tokens\":10,\"output_tokens\":1,"
				    "\"cache_creation_input_tokens\":45,"
				    "\"cache_creation\":{\"ephemeral_5m_input_tokens\":5,"
				    "\"ephemeral_1h_input_tokens\":40}}");
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(
		SV("{\"output_tokens\":99,\"cache_creation_input_tokens\":45}"), 0, &err);

	CHECK_OK(usage_update(&u, json_root(doc), &err), err);
	CHECK_INT(u.input, 10);
	CHECK_INT(u.output, 99);
	CHECK_INT(u.cache_write_5m, 5);
	CHECK_INT(u.cache_write_1h, 40);
}

TEST(zeros_at_the_end_of_a_stream_do_not_erase_earlier_counts)
{
	static const char *const zeros[] = {
		"{\"input_tokens\":0,\"output_tokens\":0,\"cache_read_input_tokens\":0,"
		"\"cache_creation_input_tokens\":0}",
		"{\"output_tokens\":0,\"cache_creation\":{\"ephemeral_5m_input_tokens\":0,"
		"\"ephemeral_1h_input_tokens\":0},\"server_tool_use\":{\"web_search_requests\":0}}",
		"{\"cache_creation_input_tokens\":0,\"cache_creation\":{"
		"\"ephemeral_1h_input_tokens\":0}}",
	};

	for (size_t i = 0; i < countof(zeros); i++) {
		struct usage u = { 120, 7, 20, 30, 40, 1, true }, before = u;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc = json_parse(sv_cstr(zeros[i]), 0, &err);

		CHECK_OK(usage_update(&u, json_root(doc), &err), err);
		CHECK(memcmp(&u, &before, sizeof(u)) == 0);
	}
	CHECK(read_usage("{\"cache_creation_input_tokens\":0}").known);
}

TEST(a_written_report_reads_back_the_same)
{
	static const struct usage reports[] = {
		{ .known = false },
		{ .known = true },
		{ 1, 2, 3, 4, 5, 6, true, .thinking = 1 },
		{ 1000000, 0, INT64_C(999999999999), 0, 7, 0, true },
	};

	for (size_t i = 0; i < countof(reports); i++) {
		defer(str_clear) struct str out = STR_INIT;
		struct usage back;
		struct jw w;

		jw_init(&w, &out, JW_COMPACT);
		usage_write(&w, &reports[i]);
		jw_done(&w);
		back = read_usage(out.ptr);
		CHECK(memcmp(&back, &reports[i], sizeof(back)) == 0);
	}
}

TEST(sums_of_huge_counts_do_not_wrap)
{
	struct usage sum = { .input = INT64_MAX - 1, .known = true };
	struct usage more = { .input = 5, .output = 3, .known = true };

	usage_add(&sum, &more);
	CHECK(sum.input == INT64_MAX);
	CHECK_INT(sum.output, 3);
	CHECK(usage_prompt(&sum) == INT64_MAX);
}

static const struct price sonnet = { 3000, 15000, 300, 3750, 6000, 10000000, 0 };

TEST(cost_is_the_sum_of_the_parts_at_their_prices)
{
	struct usage u = { 1000, 200, 10000, 400, 50, 3, true };
	struct cost cost = usage_cost(&u, &sonnet);

	CHECK(cost.known);
	CHECK_INT(cost.nano_usd, 3000000 + 3000000 + 3000000 + 1500000 + 300000 + 30000000);
}

TEST(a_long_prompt_has_its_own_price)
{
	struct price price = sonnet;
	struct usage at = { 150000, 1000, 50000, 0, 0, 1, true };
	struct usage over = { 150001, 1000, 50000, 0, 0, 1, true };

	price.long_prompt = 200000;
	price.long_input_percent = 200;
	price.long_output_percent = 150;
	CHECK_INT(usage_cost(&at, &price).nano_usd,
		  150000 * 3000 + 50000 * 300 + 1000 * 15000 + 10000000);
	CHECK_INT(usage_cost(&over, &price).nano_usd,
		  2 * (150001 * 3000 + 50000 * 300) + 1000 * 22500 + 10000000);
}

TEST(cost_is_unknown_only_when_something_used_has_no_price)
{
	struct price price = sonnet;
	struct usage u = { 1000, 200, 0, 0, 0, 0, true };

	price.cache_read = -1;
	CHECK(usage_cost(&u, &price).known);
	u.cache_read = 1;
	CHECK(!usage_cost(&u, &price).known);
	CHECK_INT(usage_cost(&u, &price).nano_usd, 6000000);
	u.cache_read = 0;
	u.known = false;
	CHECK(!usage_cost(&u, &price).known);
}

TEST(costs_are_written_for_people)
{
	static const struct {
		struct cost cost;
		const char *text;
	} cases[] = {
		{ { 0, true }, "$0.0000" },
		{ { 12345678, true }, "$0.0123" },
		{ { 12350000, true }, "$0.0124" },
		{ { 999949999, true }, "$0.9999" },
		{ { 999950000, true }, "$1.00" },
		{ { 1000000000, true }, "$1.00" },
		{ { 1995000000, true }, "$2.00" },
		{ { INT64_C(12345678900000), true }, "$12345.68" },
		{ { 0, false }, "unknown cost" },
		{ { 99999, false }, "unknown cost" },
		{ { 1199999999, false }, "at least $1.19" },
		{ { 20000000, false }, "at least $0.0200" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		cost_format(&out, cases[i].cost);
		CHECK_STR(out.ptr, cases[i].text);
	}
}

TEST(a_sum_with_an_unknown_part_stays_unknown)
{
	struct cost sum = COST_INIT;

	cost_add(&sum, (struct cost){ 5, true });
	CHECK(sum.known);
	cost_add(&sum, (struct cost){ 0, false });
	cost_add(&sum, (struct cost){ 7, true });
	CHECK(!sum.known);
	CHECK_INT(sum.nano_usd, 12);
}

TEST(what_the_server_charges_overrides_the_price)
{
	struct usage u = { .input = 1000, .known = true, .is_charged = true, .charged = 42 };

	CHECK_INT(usage_cost(&u, &sonnet).nano_usd, 42);
	CHECK(usage_cost(&u, &(struct price)PRICE_UNKNOWN).known);
}

TEST(fast_mode_has_its_own_price)
{
	struct price price = sonnet;
	struct usage u =
		read_usage("{\"input_tokens\":1000,\"output_tokens\":10,\"speed\":\"fast\"}");
	struct usage slow = u, sum = { 0 };

	slow.is_fast = false;
	CHECK(u.is_fast);
	CHECK(!usage_cost(&u, &price).known);
	price.fast_percent = 200;
	CHECK(usage_cost(&u, &price).known);
	CHECK_INT(usage_cost(&u, &price).nano_usd, 2 * usage_cost(&slow, &price).nano_usd);
	usage_add(&sum, &u);
	CHECK(sum.is_fast);
}
