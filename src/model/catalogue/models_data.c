/* Limits and list prices as the vendors publish them. A price without a source is unknown, never
 * guessed; settings and hosts can supply it. tests/unit/model/catalogue/sources.c names the source
 * of every row, so a new row needs one there. */
#include "model/catalogue/models_data.h"

/* Dollars per million tokens to nano-dollars per token. */
#define USD(dollars) ((int64_t)((dollars)*1000 + 0.5))

/* Anthropic: a write to the cache costs 5/4 of the input for five minutes and double for an hour; a
 * thousand searches cost ten dollars. */
#define CLAUDE_PRICE_READ(in, read, out, ...)                                    \
	{                                                                        \
		.input = USD(in), .output = USD(out), .cache_read = USD(read),   \
		.cache_write_5m = USD((in)*1.25), .cache_write_1h = USD((in)*2), \
		.web_search = 10000000, __VA_ARGS__                              \
	}
/* The same where a cache read costs a tenth of the input. */
#define CLAUDE_PRICE(in, out, ...) CLAUDE_PRICE_READ(in, (in)*.1, out, __VA_ARGS__)
/* OpenAI: older models charge nothing extra for writing to the cache, newer ones 5/4 of the input. */
#define OPENAI_PRICE_WRITE(in, cached, write, out, ...)                                       \
	{                                                                                     \
		.input = USD(in), .output = USD(out), .cache_read = USD(cached),              \
		.cache_write_5m = USD(write), .cache_write_1h = USD(write), .web_search = -1, \
		__VA_ARGS__                                                                   \
	}
#define OPENAI_PRICE(in, cached, out, ...) OPENAI_PRICE_WRITE(in, cached, in, out, __VA_ARGS__)

/* A prompt beyond so many tokens makes the whole request more expensive. */
#define LONG(tokens, input, output) \
	.long_prompt = tokens, .long_input_percent = input, .long_output_percent = output
#define CLAUDE_LONG LONG(200000, 200, 150)
/* Fast mode costs twice as much, whatever the length of the prompt. */
#define CLAUDE_FAST .fast_percent = 200
#define HAIKU_LONG  LONG(100000, 500, 500)
#define OPENAI_LONG LONG(272000, 200, 150)

#define BASIC    (MODEL_SEES | MODEL_READS_PDF | MODEL_CACHES | MODEL_CALLS_TOOLS | MODEL_SEARCHES)
#define THINKER  (BASIC | MODEL_THINKS)
#define ADAPTIVE (BASIC | MODEL_THINKS_ADAPTIVE | MODEL_TAKES_EFFORT)
#define FASTER   (ADAPTIVE | MODEL_RUNS_FAST)
#define GPT      (MODEL_SEES | MODEL_CALLS_TOOLS)
#define GPT_O    (GPT | MODEL_TAKES_EFFORT)
#define GPT_5    (GPT_O | MODEL_WANTS_PATCH)

#define ROW(model_id, people, window, most, usual, can, ...)                         \
	{                                                                            \
		.id = SV_INIT(model_id), .name = SV_INIT(people), .context = window, \
		.max_output = most, .default_output = usual, .abilities = can,       \
		.price = __VA_ARGS__, .known = true, .has_abilities = true           \
	}

#define ROW_LIMITED(model_id, people, ...)                                                     \
	{                                                                                      \
		.id = SV_INIT(model_id), .name = SV_INIT(people), .context = 1000000,          \
		.max_output = 128000, .default_output = 32000, .abilities = ADAPTIVE,          \
		.price = __VA_ARGS__, .is_limited = true, .known = true, .has_abilities = true \
	}

const struct model_info model_rows[] = {
	ROW("claude-3-5-haiku", "Claude Haiku 3.5", 200000, 8192, 8192, BASIC, CLAUDE_PRICE(.8, 4)),
	ROW("claude-3-7-sonnet", "Claude Sonnet 3.7", 200000, 64000, 32000, THINKER,
	    CLAUDE_PRICE(3, 15)),
	ROW("claude-sonnet-4", "Claude Sonnet 4", 200000, 64000, 32000, THINKER,
	    CLAUDE_PRICE(3, 15, CLAUDE_LONG)),
	ROW("claude-sonnet-4-5", "Claude Sonnet 4.5", 200000, 64000, 32000, THINKER,
	    CLAUDE_PRICE(3, 15, CLAUDE_LONG)),
	ROW("claude-opus-4", "Claude Opus 4", 200000, 32000, 32000, THINKER, CLAUDE_PRICE(15, 75)),
	ROW("claude-opus-4-1", "Claude Opus 4.1", 200000, 32000, 32000, THINKER,
	    CLAUDE_PRICE(15, 75)),
	ROW("claude-opus-4-5", "Claude Opus 4.5", 200000, 64000, 32000,
	    THINKER | MODEL_TAKES_EFFORT, CLAUDE_PRICE(5, 25)),
	ROW("claude-haiku-4-5", "Claude Haiku 4.5", 200000, 64000, 32000, THINKER,
	    CLAUDE_PRICE(1, 5)),
	ROW("claude-sonnet-4-6", "Claude Sonnet 4.6", 200000, 64000, 32000, ADAPTIVE | MODEL_THINKS,
	    CLAUDE_PRICE(3, 15)),
	ROW("claude-opus-4-6", "Claude Opus 4.6", 200000, 128000, 32000, ADAPTIVE | MODEL_THINKS,
	    CLAUDE_PRICE(5, 25)),
	ROW("claude-opus-4-7", "Claude Opus 4.7", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE(5, 25)),
	ROW("claude-opus-4-8", "Claude Opus 4.8", 1000000, 128000, 32000, FASTER,
	    CLAUDE_PRICE(5, 25, CLAUDE_FAST)),
	ROW("claude-sonnet-5", "Claude Sonnet 5", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE(2, 10)),
	ROW("claude-sonnet-5-5", "Claude Sonnet 5.5", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE_READ(2, .1, 10)),
	ROW("claude-opus-5", "Claude Opus 5", 1000000, 128000, 32000, FASTER,
	    CLAUDE_PRICE(5, 25, CLAUDE_FAST)),
	ROW("claude-opus-5-5", "Claude Opus 5.5", 1000000, 128000, 32000, FASTER,
	    CLAUDE_PRICE_READ(4, .2, 20, CLAUDE_FAST)),
	ROW("claude-haiku-5-5", "Claude Haiku 5.5", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE(.1, .5, HAIKU_LONG)),
	ROW_LIMITED("claude-mythos-5", "Claude Mythos 5", CLAUDE_PRICE(10, 50)),
	ROW_LIMITED("claude-mythos-5-1", "Claude Mythos 5.1", CLAUDE_PRICE_READ(10, .25, 50)),
	ROW_LIMITED("claude-mythos-5-2", "Claude Mythos 5.2", CLAUDE_PRICE_READ(8, .2, 40)),
	ROW("claude-fable-5", "Claude Fable 5", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE(10, 50)),
	ROW("claude-fable-5-1", "Claude Fable 5.1", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE_READ(10, .25, 50)),
	ROW("claude-fable-5-2", "Claude Fable 5.2", 1000000, 128000, 32000, ADAPTIVE,
	    CLAUDE_PRICE_READ(8, .2, 40)),

	ROW("gpt-4o", "GPT-4o", 128000, 16384, 16384, GPT, OPENAI_PRICE(2.5, 1.25, 10)),
	ROW("gpt-4o-mini", "GPT-4o mini", 128000, 16384, 16384, GPT, OPENAI_PRICE(.15, .075, .6)),
	ROW("gpt-4.1", "GPT-4.1", 1047576, 32768, 32768, GPT | MODEL_WANTS_PATCH,
	    OPENAI_PRICE(2, .5, 8)),
	ROW("gpt-4.1-mini", "GPT-4.1 mini", 1047576, 32768, 32768, GPT | MODEL_WANTS_PATCH,
	    OPENAI_PRICE(.4, .1, 1.6)),
	ROW("gpt-4.1-nano", "GPT-4.1 nano", 1047576, 32768, 32768, GPT, OPENAI_PRICE(.1, .025, .4)),
	ROW("o1", "o1", 200000, 100000, 32000, GPT_O, OPENAI_PRICE(15, 7.5, 60)),
	ROW("o3-mini", "o3-mini", 200000, 100000, 32000, MODEL_CALLS_TOOLS | MODEL_TAKES_EFFORT,
	    OPENAI_PRICE(1.1, .55, 4.4)),
	ROW("o3", "o3", 200000, 100000, 32000, GPT_O, OPENAI_PRICE(2, .5, 8)),
	ROW("o4-mini", "o4-mini", 200000, 100000, 32000, GPT_O, OPENAI_PRICE(1.1, .275, 4.4)),
	ROW("gpt-5", "GPT-5", 400000, 128000, 32000, GPT_5, OPENAI_PRICE(1.25, .125, 10)),
	ROW("gpt-5-mini", "GPT-5 mini", 400000, 128000, 32000, GPT_5, OPENAI_PRICE(.25, .025, 2)),
	ROW("gpt-5-nano", "GPT-5 nano", 400000, 128000, 32000, GPT_5, OPENAI_PRICE(.05, .005, .4)),
	ROW("gpt-5-codex", "GPT-5 Codex", 400000, 128000, 32000, GPT_5,
	    OPENAI_PRICE(1.25, .125, 10)),
	ROW("gpt-5.1", "GPT-5.1", 400000, 128000, 32000, GPT_5, OPENAI_PRICE(1.25, .125, 10)),
	ROW("gpt-5.1-codex", "GPT-5.1 Codex", 400000, 128000, 32000, GPT_5,
	    OPENAI_PRICE(1.25, .125, 10)),
	ROW("gpt-5.1-codex-max", "GPT-5.1 Codex Max", 400000, 128000, 32000, GPT_5,
	    OPENAI_PRICE(1.25, .125, 10)),
	ROW("gpt-5.1-mini", "GPT-5.1 mini", 400000, 128000, 32000, GPT_5, PRICE_UNKNOWN),
	ROW("gpt-5.2", "GPT-5.2", 400000, 128000, 32000, GPT_5, OPENAI_PRICE(1.75, .175, 14)),
	ROW("gpt-5.2-pro", "GPT-5.2 pro", 400000, 128000, 32000, GPT_5, PRICE_UNKNOWN),
	ROW("gpt-5.4", "GPT-5.4", 1050000, 128000, 32000, GPT_5,
	    OPENAI_PRICE(2.5, .25, 15, OPENAI_LONG)),
	ROW("gpt-5.4-mini", "GPT-5.4 mini", 400000, 128000, 32000, GPT_5,
	    OPENAI_PRICE(.75, .075, 4.5)),
	ROW("gpt-5.4-nano", "GPT-5.4 nano", 400000, 128000, 32000, GPT_5,
	    OPENAI_PRICE(.2, .02, 1.25)),
	ROW("gpt-5.6-luna", "GPT-5.6 Luna", 1050000, 128000, 32000, GPT_5,
	    OPENAI_PRICE_WRITE(.2, .02, .25, 1.2, OPENAI_LONG)),
	ROW("gpt-5.6-terra", "GPT-5.6 Terra", 1050000, 128000, 32000, GPT_5,
	    OPENAI_PRICE_WRITE(2, .2, 2.5, 12, OPENAI_LONG)),
	ROW("gpt-5.6-sol", "GPT-5.6 Sol", 1050000, 128000, 32000, GPT_5,
	    OPENAI_PRICE_WRITE(4, .4, 5, 20, OPENAI_LONG)),

	/* Open weights: the host sets the price and may set the window, which /v1/models reports. */
	ROW("gpt-oss", "gpt-oss", 131072, 32000, 16384,
	    MODEL_CALLS_TOOLS | MODEL_TAKES_EFFORT | MODEL_WANTS_PATCH, PRICE_UNKNOWN),
	ROW("qwen3-coder", "Qwen3 Coder", 262144, 65536, 16384, MODEL_CALLS_TOOLS, PRICE_UNKNOWN),
	ROW("devstral", "Devstral", 131072, 32000, 16384, MODEL_CALLS_TOOLS, PRICE_UNKNOWN),
	ROW("llama3.1", "Llama 3.1", 131072, 32000, 16384, MODEL_CALLS_TOOLS, PRICE_UNKNOWN),
	ROW("llama3.3", "Llama 3.3", 131072, 32000, 16384, MODEL_CALLS_TOOLS, PRICE_UNKNOWN),
};
const size_t model_rows_count = countof(model_rows);

const struct model_alias model_aliases[] = {
	{ SV_INIT("opus"), SV_INIT("claude-opus-5-5") },
	{ SV_INIT("sonnet"), SV_INIT("claude-sonnet-5-5") },
	{ SV_INIT("haiku"), SV_INIT("claude-haiku-5-5") },
	{ SV_INIT("fable"), SV_INIT("claude-fable-5-2") },
	{ SV_INIT("best"), SV_INIT("opus") },
	{ SV_INIT("default"), SV_INIT("opus") },
	{ SV_INIT("opusplan"), SV_INIT("sonnet") },
};
const size_t model_aliases_count = countof(model_aliases);

/* Not every account of a cloud has the newest models, so there some aliases mean older ones. */
const struct model_cloud_alias model_cloud_aliases[] = {
	{ MODEL_BEDROCK, { SV_INIT("sonnet"), SV_INIT("claude-sonnet-4-5") } },
	{ MODEL_BEDROCK, { SV_INIT("haiku"), SV_INIT("claude-haiku-4-5") } },
	{ MODEL_VERTEX, { SV_INIT("sonnet"), SV_INIT("claude-sonnet-4-5") } },
	{ MODEL_VERTEX, { SV_INIT("haiku"), SV_INIT("claude-haiku-4-5") } },
	{ MODEL_FOUNDRY, { SV_INIT("opus"), SV_INIT("claude-opus-4-6") } },
	{ MODEL_FOUNDRY, { SV_INIT("sonnet"), SV_INIT("claude-sonnet-4-5") } },
	{ MODEL_FOUNDRY, { SV_INIT("haiku"), SV_INIT("claude-haiku-4-5") } },
	{ MODEL_FOUNDRY, { SV_INIT("default"), SV_INIT("sonnet") } },
	{ MODEL_OPENAI_CHAT, { SV_INIT("default"), SV_INIT(MODEL_UNDECIDED) } },
	{ MODEL_OPENAI_RESPONSES, { SV_INIT("default"), SV_INIT(MODEL_UNDECIDED) } },
};
const size_t model_cloud_aliases_count = countof(model_cloud_aliases);

const struct model_info model_unknown_claude = {
	.context = 200000,
	.max_output = 32000,
	.default_output = 32000,
	.abilities = ADAPTIVE, /* like every Claude since 4.6 */
	.price = PRICE_UNKNOWN,
};

const struct model_info model_unknown_old_claude = {
	.context = 200000,
	.max_output = 4096,
	.default_output = 4096,
	.abilities = BASIC,
	.price = PRICE_UNKNOWN,
};

const struct model_info model_unknown = {
	.context = 128000,
	.max_output = 32000,
	.default_output = 16384,
	.abilities = MODEL_CALLS_TOOLS,
	.price = PRICE_UNKNOWN,
};

const char *const model_ability_words[] = {
	"thinking", "adaptive", "effort", "images", "pdf",
	"caching",  "tools",    "search", "patch",  "fast",
};
const size_t model_ability_words_count = countof(model_ability_words);
