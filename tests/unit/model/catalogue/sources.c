/* Where the numbers of the model table come from. Dollars per million tokens are copied from the
 * source, not from the table, so that a slip in either of them shows. */
#include "model/catalogue/models_data.h"

#include "test.h"

#define CLAUDE "platform.claude.com/docs/en/about-claude/pricing, October 2026"
#define HAIKU  "platform.claude.com/docs/en/models/haiku-5-5/overview, October 2026"
#define BILL   "a bill of Claude Code 2.1.325 for a known usage"
#define OPENAI "developers.openai.com/api/docs/pricing, 13 September 2026"
#define NAMES  "the ChatModel type of the npm package openai 6.49.0, which has no prices"
#define OPEN   "open weights: the host sets the price"

static const struct {
	const char *id;
	double input, output, read, write_5m, write_1h; /* all 0: unknown */
	int64_t long_prompt;
	const char *source;
} sources[] = {
	{ "claude-3-5-haiku", .8, 4, .08, 1, 1.6, 0, CLAUDE },
	{ "claude-3-7-sonnet", 3, 15, .3, 3.75, 6, 0, CLAUDE },
	{ "claude-sonnet-4", 3, 15, .3, 3.75, 6, 200000, CLAUDE },
	{ "claude-sonnet-4-5", 3, 15, .3, 3.75, 6, 200000, CLAUDE },
	{ "claude-sonnet-4-6", 3, 15, .3, 3.75, 6, 0, BILL },
	{ "claude-sonnet-5", 2, 10, .2, 2.5, 4, 0, CLAUDE },
	{ "claude-sonnet-5-5", 2, 10, .1, 2.5, 4, 0, BILL },
	{ "claude-opus-4", 15, 75, 1.5, 18.75, 30, 0, CLAUDE },
	{ "claude-opus-4-1", 15, 75, 1.5, 18.75, 30, 0, CLAUDE },
	{ "claude-opus-4-5", 5, 25, .5, 6.25, 10, 0, CLAUDE },
	{ "claude-opus-4-6", 5, 25, .5, 6.25, 10, 0, CLAUDE },
	{ "claude-opus-4-7", 5, 25, .5, 6.25, 10, 0, CLAUDE },
	{ "claude-opus-4-8", 5, 25, .5, 6.25, 10, 0, CLAUDE },
	{ "claude-opus-5", 5, 25, .5, 6.25, 10, 0, CLAUDE },
	{ "claude-opus-5-5", 4, 20, .2, 5, 8, 0, BILL },
	{ "claude-haiku-4-5", 1, 5, .1, 1.25, 2, 0, CLAUDE },
	{ "claude-haiku-5-5", .1, .5, .01, .125, .2, 100000, HAIKU },
	{ "claude-fable-5", 10, 50, 1, 12.5, 20, 0, CLAUDE },
	{ "claude-fable-5-1", 10, 50, .25, 12.5, 20, 0, CLAUDE },
	{ "claude-fable-5-2", 8, 40, .2, 10, 16, 0, BILL },
	{ "claude-mythos-5", 10, 50, 1, 12.5, 20, 0, CLAUDE },
	{ "claude-mythos-5-1", 10, 50, .25, 12.5, 20, 0, CLAUDE },
	{ "claude-mythos-5-2", 8, 40, .2, 10, 16, 0, BILL },
	{ "gpt-4o", 2.5, 10, 1.25, 2.5, 2.5, 0, OPENAI },
	{ "gpt-4o-mini", .15, .6, .075, .15, .15, 0, OPENAI },
	{ "gpt-4.1", 2, 8, .5, 2, 2, 0, OPENAI },
	{ "gpt-4.1-mini", .4, 1.6, .1, .4, .4, 0, OPENAI },
	{ "gpt-4.1-nano", .1, .4, .025, .1, .1, 0, OPENAI },
	{ "o1", 15, 60, 7.5, 15, 15, 0, OPENAI },
	{ "o3", 2, 8, .5, 2, 2, 0, OPENAI },
	{ "o3-mini", 1.1, 4.4, .55, 1.1, 1.1, 0, OPENAI },
	{ "o4-mini", 1.1, 4.4, .275, 1.1, 1.1, 0, OPENAI },
	{ "gpt-5", 1.25, 10, .125, 1.25, 1.25, 0, OPENAI },
	{ "gpt-5-mini", .25, 2, .025, .25, .25, 0, OPENAI },
	{ "gpt-5-nano", .05, .4, .005, .05, .05, 0, OPENAI },
	{ "gpt-5-codex", 1.25, 10, .125, 1.25, 1.25, 0, OPENAI },
	{ "gpt-5.1", 1.25, 10, .125, 1.25, 1.25, 0, OPENAI },
	{ "gpt-5.1-codex", 1.25, 10, .125, 1.25, 1.25, 0, OPENAI },
	{ "gpt-5.1-codex-max", 1.25, 10, .125, 1.25, 1.25, 0, OPENAI },
	{ "gpt-5.1-mini", 0, 0, 0, 0, 0, 0, NAMES },
	{ "gpt-5.2", 1.75, 14, .175, 1.75, 1.75, 0, OPENAI },
	{ "gpt-5.2-pro", 0, 0, 0, 0, 0, 0, NAMES },
	{ "gpt-5.4", 2.5, 15, .25, 2.5, 2.5, 272000, OPENAI },
	{ "gpt-5.4-mini", .75, 4.5, .075, .75, .75, 0, OPENAI },
	{ "gpt-5.4-nano", .2, 1.25, .02, .2, .2, 0, OPENAI },
	{ "gpt-5.6-luna", .2, 1.2, .02, .25, .25, 272000, OPENAI },
	{ "gpt-5.6-terra", 2, 12, .2, 2.5, 2.5, 272000, OPENAI },
	{ "gpt-5.6-sol", 4, 20, .4, 5, 5, 272000, OPENAI },
	{ "gpt-oss", 0, 0, 0, 0, 0, 0, OPEN },
	{ "qwen3-coder", 0, 0, 0, 0, 0, 0, OPEN },
	{ "devstral", 0, 0, 0, 0, 0, 0, OPEN },
	{ "llama3.1", 0, 0, 0, 0, 0, 0, OPEN },
	{ "llama3.3", 0, 0, 0, 0, 0, 0, OPEN },
};

static int64_t nano(double dollars)
{
	return dollars > 0 ? (int64_t)(dollars * 1000 + .5) : -1;
}

static void check_row(const struct model_info *row)
{
	size_t found = 0;

	for (size_t i = 0; i < countof(sources); i++) {
		if (!sv_is(row->id, sources[i].id))
			continue;
		found++;
		CHECK(sources[i].source);
		CHECK_INT(row->price.input, nano(sources[i].input));
		CHECK_INT(row->price.output, nano(sources[i].output));
		CHECK_INT(row->price.cache_read, nano(sources[i].read));
		CHECK_INT(row->price.cache_write_5m, nano(sources[i].write_5m));
		CHECK_INT(row->price.cache_write_1h, nano(sources[i].write_1h));
		CHECK_INT(row->price.long_prompt, sources[i].long_prompt);
	}
	CHECK_INT(found, 1);
}

TEST(every_price_of_the_table_has_a_source)
{
	for (size_t i = 0; i < model_rows_count; i++)
		check_row(&model_rows[i]);
	CHECK_INT(model_rows_count, countof(sources));
}

TEST(a_long_prompt_to_haiku_costs_five_times_as_much)
{
	defer(model_table_freep) struct model_table *table = model_table_new();
	struct price price = model_info(table, SV("claude-haiku-5-5")).price;
	struct usage at = { .input = 100000, .output = 1000, .known = true };
	struct usage over = { .input = 100001, .output = 1000, .known = true };

	CHECK_INT(usage_cost(&at, &price).nano_usd, 100000 * 100 + 1000 * 500);
	CHECK_INT(usage_cost(&over, &price).nano_usd, 100001 * 500 + 1000 * 2500);
}
