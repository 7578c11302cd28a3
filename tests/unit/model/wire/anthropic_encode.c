#include "event_log.h"
#include "model/wire/cache_marks.h"
#include "text/json/json.h"

#define USER(text) SV("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}")
#define ANSWER(text) \
	SV("{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}")
#define MARK ",\"cache_control\":{\"type\":\"ephemeral\"}"
#define MARKED(text) \
	"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"" text "\"" MARK "}]}"

/* A request with its surroundings, ready to be bent by a test. */
struct scene {
	struct model_table *table;
	struct model_config config;
	struct model_request request;
	struct wire wire;
	struct str notes, body;
	struct err err;
};

static const struct sv hello[] = { SV_INIT("{\"role\":\"user\",\"content\":\"hello\"}") };

static void scene_init(struct scene *s)
{
	*s = (struct scene){ .table = model_table_new(), .wire = WIRE_INIT };
	s->request.model = SV("claude-sonnet-4-5");
	s->request.messages = hello;
	s->request.nmessages = 1;
	s->request.cache = MODEL_CACHE_OFF;
}

static void scene_clear(struct scene *s)
{
	wire_clear(&s->wire);
	str_clear(&s->notes);
	str_clear(&s->body);
	model_table_free(s->table);
}

static void join_body(struct scene *s)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;

	str_truncate(&s->body, 0);
	for (size_t i = 0; i < s->wire.body.n; i++)
		str_add(&s->body, s->wire.body.at[i]);
	doc = json_parse(sv_of(&s->body), 0, &s->err);
	CHECK_OK(doc != NULL, s->err);
}

/* The joined body of the request; always valid JSON. */
static const char *encode(struct scene *s)
{
	wire_clear(&s->wire);
	CHECK_OK(provider_anthropic.encode(&s->wire, &s->config, s->table, &s->request, event_log,
					   &s->notes, &s->err),
		 s->err);
	join_body(s);
	return s->body.ptr;
}

static const char *header(const struct scene *s, const char *name)
{
	const struct http_header *h = wire_find_header(&s->wire, name);

	return h ? h->value.ptr : "(none)";
}

TEST(the_smallest_request_is_exactly_this)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	CHECK_STR(encode(&s), "{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":\"user\","
			      "\"content\":\"hello\"}],\"max_tokens\":32000,\"stream\":true}");
	CHECK_STR(s.wire.url, "https://api.anthropic.com/v1/messages");
	CHECK_STR(header(&s, "anthropic-version"), "2023-06-01");
	CHECK_STR(header(&s, "content-type"), "application/json");
	CHECK(sv_starts(sv_cstr(header(&s, "user-agent")), SV("awl/")));
	CHECK_STR(header(&s, "anthropic-beta"), "(none)");
}

TEST(a_full_request_has_everything_in_its_place)
{
	static const struct sv tools[] = { SV_INIT("{\"name\":\"Read\",\"input_schema\":{}}"),
					   SV_INIT("{\"type\":\"web_search_20250305\",\"name\":"
						   "\"web_search\"}") };
	static const struct sv system[] = { SV_INIT("You are \"awl\"."), SV_INIT(""),
					    SV_INIT("cwd: /x") };
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.tools = tools;
	s.request.ntools = 2;
	s.request.nbuiltin = 1;
	s.request.system = system;
	s.request.nsystem = 3;
	s.request.cache = MODEL_CACHE_5M;
	s.request.thinking = MODEL_THINK_BUDGET;
	s.request.thinking_budget = 4000;
	s.request.tool_choice = SV("{\"type\":\"auto\"}");
	s.request.user_id = SV("u1");
	s.request.max_tokens = 9000;
	s.request.whole = true;
	CHECK_STR(encode(&s),
		  "{\"model\":\"claude-sonnet-4-5\",\"tools\":[{\"name\":\"Read\",\"input_schema\":"
		  "{}" MARK "},{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}],"
		  "\"system\":[{\"type\":\"text\",\"text\":\"You are \\\"awl\\\".\"},{\"type\":"
		  "\"text\",\"text\":\"cwd: /x\"" MARK "}],\"messages\":[{\"role\":\"user\","
		  "\"content\":[{\"type\":\"text\",\"text\":\"hello\"" MARK "}]}],\"max_tokens\":"
		  "9000,\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":4000},\"tool_choice\":"
		  "{\"type\":\"auto\"},\"metadata\":{\"user_id\":\"u1\"}}");
	CHECK_STR(header(&s, "anthropic-beta"), "interleaved-thinking-2025-05-14");
}

TEST(callers_bytes_are_sliced_and_never_copied)
{
	static const struct sv messages[] = { SV_INIT("{\"role\":\"user\",\"content\":\"a\"}"),
					      SV_INIT("{\"role\":\"assistant\",\"content\":\"b\"}"),
					      SV_INIT("{\"role\":\"user\",\"content\":\"c\"}") };
	defer(scene_clear) struct scene s;
	size_t borrowed = 0, total = 0;

	scene_init(&s);
	s.request.messages = messages;
	s.request.nmessages = 3;
	s.request.cache = MODEL_CACHE_1H;
	encode(&s);
	for (size_t m = 0; m < 3; m++) {
		total += messages[m].len;
		for (size_t i = 0; i < s.wire.body.n; i++)
			if (s.wire.body.at[i].ptr >= messages[m].ptr &&
			    s.wire.body.at[i].ptr < messages[m].ptr + messages[m].len)
				borrowed += s.wire.body.at[i].len;
	}
	CHECK_INT(borrowed, total);
}

TEST(the_tail_is_marked_whatever_its_content_is)
{
	static const struct {
		struct sv message;
		const char *sent;
	} cases[] = {
		{ SV_INIT("{\"role\":\"user\",\"content\":\"a \\\"b\\\"\"}"),
		  "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a \\\"b\\\"\"" MARK
		  "}]}" },
		{ SV_INIT("{ \"content\" : \"x\" , \"role\":\"user\" }"),
		  "{ \"content\" : [{\"type\":\"text\",\"text\":\"x\"" MARK
		  "}] , \"role\":\"user\" }" },
		{ SV_INIT("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
			  "{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{}\" } "
			  "]}"),
		  "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":"
		  "\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{}\" " MARK "} ]}" },
		{ SV_INIT("{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
			  "{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"}]}"),
		  "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\"" MARK
		  "},{\"type\":\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"}]}" },
		/* Nothing in these may carry one. */
		{ SV_INIT("{\"role\":\"user\",\"content\":\"\"}"),
		  "{\"role\":\"user\",\"content\":\"\"}" },
		{ SV_INIT("{\"role\":\"user\",\"content\":[]}"),
		  "{\"role\":\"user\",\"content\":[]}" },
		{ SV_INIT("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\"},7,"
			  "{\"type\":\"hologram\"}]}"),
		  "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\"},7,{\"type\":"
		  "\"hologram\"}]}" },
		/* This one has its own. */
		{ SV_INIT("{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\","
			  "\"cache_control\":{\"type\":\"ephemeral\"}}]}"),
		  "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"" MARK "}]}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(scene_clear) struct scene s;
		defer(str_clear) struct str part = STR_INIT;

		scene_init(&s);
		s.request.messages = &cases[i].message;
		s.request.cache = MODEL_CACHE_5M;
		str_addf(&part, "\"messages\":[%s],", cases[i].sent);
		CHECK(strstr(encode(&s), part.ptr));
	}
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

TEST(there_are_at_most_four_marks_with_those_of_the_caller)
{
	static const struct sv plain = SV_INIT("{\"name\":\"T\",\"input_schema\":{}}");
	static const struct sv marked =
		SV_INIT("{\"name\":\"T\",\"input_schema\":{},\"cache_control\" : {\"type\":"
			"\"ephemeral\"}}");
	static const struct sv messages[] = { USER("1"), ANSWER("2"), USER("3"), ANSWER("4"),
					      USER("5") };
	static const struct sv system[] = { SV_INIT("s") };

	for (size_t own = 0; own <= 6; own++) {
		defer(scene_clear) struct scene s;
		struct sv tools[8];

		for (size_t i = 0; i < countof(tools); i++)
			tools[i] = i < own ? marked : plain;
		scene_init(&s);
		s.request.tools = tools;
		s.request.ntools = s.request.nbuiltin = countof(tools);
		s.request.system = system;
		s.request.nsystem = 1;
		s.request.messages = messages;
		s.request.nmessages = countof(messages);
		s.request.cache = MODEL_CACHE_5M;
		encode(&s);
		CHECK_INT(count(s.body.ptr, "cache_control"), max_of(own, (size_t)4));
		/* The tail is the last to be given up, the old tail the first. */
		CHECK_INT(count(s.body.ptr, MARKED("5")), own < 4);
		CHECK_INT(count(s.body.ptr, "\"text\":\"s\"" MARK), own < 3);
		CHECK_INT(count(s.body.ptr, MARKED("3")), own < 1);
	}
}

TEST(words_about_caching_in_a_text_are_no_marks)
{
	static const struct sv messages[] = {
		USER("say \\\"cache_control\\\": twice \\\"cache_control\\\":"), ANSWER("2"),
		USER("{\\\"cache_control\\\":1}"), ANSWER("\\\"cache_control\\\":"), USER("5")
	};
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.messages = messages;
	s.request.nmessages = countof(messages);
	s.request.cache = MODEL_CACHE_5M;
	CHECK(strstr(encode(&s), MARKED("5")));
}

/* The body up to where its messages end, without marks. */
static void take_prefix(struct str *out, const struct scene *s)
{
	struct sv rest = sv_slice(sv_of(&s->body), 0, sv_find(sv_of(&s->body), SV("],\"max_")));
	size_t at;

	str_truncate(out, 0);
	while ((at = sv_find(rest, SV(MARK))) != SIZE_MAX) {
		str_add(out, sv_slice(rest, 0, at));
		rest = sv_skip(rest, at + strlen(MARK));
	}
	str_add(out, rest);
}

TEST(the_prefix_is_the_same_bytes_turn_after_turn)
{
	static const struct sv messages[] = { USER("1"), ANSWER("2"), USER("3"), ANSWER("4"),
					      USER("5"), ANSWER("6"), USER("7") };
	static const struct sv system[] = { SV_INIT("constant") };
	static const struct sv tools[] = { SV_INIT("{\"name\":\"T\"}"),
					   SV_INIT("{\"name\":\"U\"}") };
	defer(str_clear) struct str before = STR_INIT, now = STR_INIT;

	for (size_t n = 1; n <= countof(messages); n += 2) {
		defer(scene_clear) struct scene s;

		scene_init(&s);
		s.request.system = system;
		s.request.nsystem = 1;
		s.request.tools = tools;
		s.request.ntools = 2;
		s.request.nbuiltin = 1;
		s.request.messages = messages;
		s.request.nmessages = n;
		s.request.cache = MODEL_CACHE_5M;
		s.request.max_tokens = (int64_t)(1000 + n);
		s.request.thinking = n % 4 == 1 ? MODEL_THINK_OFF : MODEL_THINK_BUDGET;
		encode(&s);
		take_prefix(&now, &s);
		CHECK(sv_starts(sv_of(&now), sv_of(&before)));
		CHECK(now.len > before.len);
		str_truncate(&before, 0);
		str_add(&before, sv_of(&now));
	}
}

TEST(caching_can_be_off_or_long)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	CHECK(!strstr(encode(&s), "cache_control"));
	s.request.cache = MODEL_CACHE_1H;
	CHECK(strstr(encode(&s), "\"text\":\"hello\",\"cache_control\":{\"type\":\"ephemeral\","
				 "\"ttl\":\"1h\"}}]"));
	CHECK_STR(header(&s, "anthropic-beta"), "extended-cache-ttl-2025-04-11");
}

TEST(thinking_is_asked_for_as_the_model_can)
{
	static const struct {
		const char *model;
		enum model_thinking thinking;
		int64_t budget, max_tokens, max_thinking;
		const char *sent;
	} cases[] = {
		{ "claude-sonnet-4-5", MODEL_THINK_OFF, 0, 0, 0, NULL },
		{ "claude-sonnet-4-5", MODEL_THINK_BUDGET, 5000, 0, 0,
		  "{\"type\":\"enabled\",\"budget_tokens\":5000}" },
		{ "claude-sonnet-4-5", MODEL_THINK_BUDGET, 50000, 8000, 0,
		  "{\"type\":\"enabled\",\"budget_tokens\":7999}" },
		{ "claude-sonnet-4-5", MODEL_THINK_BUDGET, 0, 0, 2048,
		  "{\"type\":\"enabled\",\"budget_tokens\":2048}" },
		{ "claude-sonnet-4-5", MODEL_THINK_BUDGET, 5000, 1024, 0, NULL },
		{ "claude-sonnet-4-5", MODEL_THINK_BUDGET, 500, 0, 0, NULL },
		{ "claude-sonnet-4-5", MODEL_THINK_ADAPTIVE, 0, 0, 0,
		  "{\"type\":\"enabled\",\"budget_tokens\":31999}" },
		{ "claude-opus-5-5", MODEL_THINK_ADAPTIVE, 0, 0, 0, "{\"type\":\"adaptive\"}" },
		{ "claude-opus-5-5", MODEL_THINK_BUDGET, 5000, 0, 0, "{\"type\":\"adaptive\"}" },
		{ "claude-3-5-haiku", MODEL_THINK_ADAPTIVE, 0, 0, 0, NULL },
		{ "claude-next", MODEL_THINK_ADAPTIVE, 0, 0, 0, "{\"type\":\"adaptive\"}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(scene_clear) struct scene s;
		defer(str_clear) struct str part = STR_INIT;

		scene_init(&s);
		s.request.model = sv_cstr(cases[i].model);
		s.request.thinking = cases[i].thinking;
		s.request.thinking_budget = cases[i].budget;
		s.request.max_tokens = cases[i].max_tokens;
		s.config.max_thinking = cases[i].max_thinking;
		str_addf(&part, "\"thinking\":%s", cases[i].sent ? cases[i].sent : "");
		CHECK_INT(count(encode(&s), part.ptr), cases[i].sent != NULL);
	}
}

TEST(a_forced_tool_call_goes_without_thinking)
{
	static const struct sv tools[] = { SV_INIT("{\"name\":\"T\"}") };
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.tools = tools;
	s.request.ntools = 1;
	s.request.thinking = MODEL_THINK_BUDGET;
	s.request.tool_choice = SV("{\"type\":\"tool\",\"name\":\"T\"}");
	CHECK(!strstr(encode(&s), "thinking"));
	CHECK(strstr(s.body.ptr, "\"tool_choice\":{\"type\":\"tool\",\"name\":\"T\"}"));
	s.request.ntools = 0;
	CHECK(!strstr(encode(&s), "tool_choice"));
}

TEST(what_the_model_cannot_do_is_said)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.model = SV("claude-3-5-haiku");
	s.request.thinking = MODEL_THINK_ADAPTIVE;
	s.request.effort = MODEL_EFFORT_MAX;
	CHECK(!strstr(encode(&s), "output_config"));
	CHECK(strstr(s.notes.ptr, "does not support thinking"));
	CHECK(strstr(s.notes.ptr, "does not support reasoning effort"));
	str_truncate(&s.notes, 0);
	s.request.model = SV("claude-opus-5-5");
	CHECK(strstr(encode(&s), "\"output_config\":{\"effort\":\"max\"}"));
	CHECK_INT(s.notes.len, 0);
}

TEST(how_thinking_is_returned_is_part_of_it)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.model = SV("claude-opus-5-5");
	s.request.display = MODEL_DISPLAY_OMITTED;
	CHECK(!strstr(encode(&s), "display")); /* nothing is thought */
	s.request.thinking = MODEL_THINK_ADAPTIVE;
	CHECK(strstr(encode(&s), "\"thinking\":{\"type\":\"adaptive\",\"display\":\"omitted\"}"));
	s.request.model = SV("claude-sonnet-4-5");
	s.request.thinking = MODEL_THINK_BUDGET;
	s.request.thinking_budget = 2000;
	s.request.display = MODEL_DISPLAY_SUMMARIZED;
	CHECK(strstr(encode(&s), "\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":2000,"
				 "\"display\":\"summarized\"}"));
}

TEST(a_task_budget_is_sent_with_its_beta)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.model = SV("claude-opus-5-5");
	s.request.task_budget = 5000;
	CHECK(strstr(encode(&s), "\"output_config\":{\"task_budget\":{\"type\":\"tokens\","
				 "\"total\":5000}}"));
	CHECK_STR(header(&s, "anthropic-beta"), "task-budgets-2026-03-13");
	s.request.effort = MODEL_EFFORT_LOW;
	CHECK(strstr(encode(&s), "\"output_config\":{\"effort\":\"low\",\"task_budget\":{"));
}

TEST(the_output_is_limited_by_request_then_config_then_model)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.config.max_output = 20000;
	CHECK(strstr(encode(&s), "\"max_tokens\":20000,"));
	s.request.max_tokens = 77;
	CHECK(strstr(encode(&s), "\"max_tokens\":77,"));
	s.request.max_tokens = 999999;
	CHECK(strstr(encode(&s), "\"max_tokens\":64000,"));
	s.request.model = SV("somebody-elses");
	CHECK(strstr(encode(&s), "\"max_tokens\":999999,"));
}

TEST(effort_of_a_model_that_thinks_on_a_budget_needs_its_beta)
{
	static const struct {
		const char *model;
		enum model_effort effort;
		bool beta;
	} cases[] = {
		{ "claude-opus-4-5", MODEL_EFFORT_HIGH, true },
		{ "claude-opus-4-5", MODEL_EFFORT_DEFAULT, false },
		{ "claude-opus-5-5", MODEL_EFFORT_HIGH, false },
		{ "claude-sonnet-4-5", MODEL_EFFORT_HIGH, false },
		{ "claude-next", MODEL_EFFORT_HIGH, false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(scene_clear) struct scene s;
		const struct http_header *betas;

		scene_init(&s);
		s.request.model = sv_cstr(cases[i].model);
		s.request.effort = cases[i].effort;
		encode(&s);
		betas = wire_find_header(&s.wire, "anthropic-beta");
		CHECK_INT(betas && sv_find(betas->value, SV("effort-2025-11-24")) != SIZE_MAX,
			  cases[i].beta);
	}
}

TEST(thinking_of_other_providers_is_not_sent)
{
	static const struct sv messages[] = {
		SV_INIT("{\"role\":\"user\",\"content\":\"hi\"}"),
		SV_INIT("{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":"
			"\"a\","
			"\"signature\":\"openai-chat:reasoning\"},{\"type\":\"text\",\"text\":"
			"\"b\"},"
			"{\"type\":\"thinking\",\"thinking\":\"c\",\"signature\":\"c2ln\"},"
			"{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"openai-responses:"
			"{}\"}]}"),
		SV_INIT("{\"role\":\"user\",\"content\":\"the word \\\"openai-x\"}"),
	};
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.messages = messages;
	s.request.nmessages = 3;
	CHECK(strstr(encode(&s),
		     "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"b\"},"
		     "{\"type\":\"thinking\",\"thinking\":\"c\",\"signature\":\"c2ln\"}]}"));
	CHECK(!strstr(s.body.ptr, "openai-chat"));
	CHECK(strstr(s.body.ptr, "openai-x"));
}

TEST(betas_follow_features_and_come_once)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.model = SV("claude-sonnet-4-5[1m]");
	s.request.fast = true;
	s.config.betas = "mine-1, context-1m-2025-08-07 ,,mine-2";
	CHECK(strstr(encode(&s), "\"model\":\"claude-sonnet-4-5\","));
	CHECK(strstr(s.body.ptr, "\"speed\":\"fast\""));
	CHECK_STR(header(&s, "anthropic-beta"),
		  "context-1m-2025-08-07,fast-mode-2026-02-01,mine-1,mine-2");
	s.request.model = SV("claude-opus-5-5[1m]");
	s.request.fast = false;
	s.config.betas = NULL;
	encode(&s);
	CHECK_STR(header(&s, "anthropic-beta"), "(none)");
}

TEST(clouds_take_version_and_betas_in_the_body_and_no_model)
{
	defer(scene_clear) struct scene s;
	struct anthropic_options options = { .version_in_body = "bedrock-2023-05-31",
					     .betas_in_body = true };

	scene_init(&s);
	s.config.betas = "a,b";
	CHECK_OK(anthropic_body(&s.wire, &s.config, s.table, &s.request, options, &s.err), s.err);
	join_body(&s);
	CHECK_STR(s.body.ptr, "{\"anthropic_version\":\"bedrock-2023-05-31\",\"anthropic_beta\":"
			      "[\"a\",\"b\"],\"messages\":[{\"role\":\"user\",\"content\":"
			      "\"hello\"}],\"max_tokens\":32000}");
}

TEST(the_client_request_id_goes_to_the_first_party_only)
{
	static const struct {
		const char *base;
		bool sent;
	} cases[] = {
		{ NULL, true },
		{ "https://api.anthropic.com", true },
		{ "https://API.anthropic.com/", true },
		{ "https://api.anthropic.com:443/x", true },
		{ "https://api.anthropic.com.evil.example", false },
		{ "https://api.anthropic.com:4430", false },
		{ "http://api.anthropic.com", false },
		{ "https://proxy.example/api.anthropic.com", false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(scene_clear) struct scene s;

		scene_init(&s);
		s.config.base_url = cases[i].base;
		s.request.client_request_id = SV("id-1");
		encode(&s);
		CHECK_STR(header(&s, "x-client-request-id"), cases[i].sent ? "id-1" : "(none)");
	}
}

TEST(the_base_url_may_have_a_path_and_a_slash)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.config.base_url = "http://localhost:8080/proxy//";
	encode(&s);
	CHECK_STR(s.wire.url, "http://localhost:8080/proxy/v1/messages");
}

TEST(custom_headers_take_the_place_of_ours_and_bad_ones_are_refused)
{
	defer(scene_clear) struct scene s;
	struct err err = ERR_INIT;

	scene_init(&s);
	s.config.custom_headers = "X-Team: a:b \r\n\nUser-Agent:mine\nanthropic-beta: own";
	s.request.cache = MODEL_CACHE_1H;
	encode(&s);
	CHECK_STR(header(&s, "x-team"), "a:b");
	CHECK_STR(header(&s, "user-agent"), "mine");
	CHECK_STR(header(&s, "anthropic-beta"), "own,extended-cache-ttl-2025-04-11");
	s.config.custom_headers = "A: b\nsecret token";
	wire_clear(&s.wire);
	CHECK(!provider_anthropic.encode(&s.wire, &s.config, s.table, &s.request, event_log,
					 &s.notes, &err));
	CHECK_ERR(err, ERR_INVALID, "line 2 of the custom headers");
	CHECK(!strstr(err.text, "secret"));
}

static void check_signed(enum model_auth auth, const char *secret, const char *custom,
			 const char *key, const char *authorization, const char *beta)
{
	defer(scene_clear) struct scene s;
	struct credential credential = { .auth = auth, .secret = sv_cstr(secret) };

	scene_init(&s);
	s.config.custom_headers = custom;
	encode(&s);
	CHECK_OK(provider_anthropic.sign(&s.wire, &s.config, &credential, 0, &s.err), s.err);
	CHECK_STR(header(&s, "x-api-key"), key);
	CHECK_STR(header(&s, "authorization"), authorization);
	CHECK_STR(header(&s, "anthropic-beta"), beta);
}

TEST(a_credential_goes_into_the_header_it_belongs_in)
{
	const char *none = "(none)";

	check_signed(MODEL_AUTH_NONE, "", NULL, none, none, none);
	check_signed(MODEL_AUTH_KEY, "sk-1", NULL, "sk-1", none, none);
	check_signed(MODEL_AUTH_BEARER, "tok", NULL, none, "Bearer tok", none);
	check_signed(MODEL_AUTH_HELPER, "h", NULL, "h", "Bearer h", none);
	check_signed(MODEL_AUTH_BEARER, "sk-ant-oat01-x", NULL, none, "Bearer sk-ant-oat01-x",
		     "oauth-2025-04-20");
	check_signed(MODEL_AUTH_KEY, "sk-1", "X-Api-Key: theirs", "theirs", none, none);
}

TEST(a_credential_of_a_cloud_is_refused)
{
	defer(scene_clear) struct scene s;
	struct credential credential = { .auth = MODEL_AUTH_AWS };

	scene_init(&s);
	encode(&s);
	CHECK(!provider_anthropic.sign(&s.wire, &s.config, &credential, 0, &s.err));
	CHECK_ERR(s.err, ERR_UNSUPPORTED, "is not a valid credential");
}

TEST(an_extra_body_is_merged_over_ours)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.config.extra_body = " { \"max_tokens\" : 5, \"x\": { \"y\" : 1.0 } } ";
	CHECK_STR(encode(&s), "{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":\"user\","
			      "\"content\":\"hello\"}],\"stream\":true,\"max_tokens\" : 5, \"x\": "
			      "{ \"y\" : 1.0 }}");
	s.config.extra_body = "{}";
	CHECK(strstr(encode(&s), "\"stream\":true}"));
}

TEST(what_cannot_be_sent_fails_and_says_why)
{
	static const struct sv broken[] = { SV_INIT(
		"{\"role\":\"user\",\"content\":[{\"type\":]}") };
	static const struct sv tool[] = { SV_INIT("{\"name\":") };
	static const struct {
		const char *extra, *part;
		bool no_messages, broken_message, broken_tool;
	} cases[] = {
		{ .extra = "[1]", .part = "must be a JSON object" },
		{ .extra = "{\"a\":", .part = "the extra request body: line 1" },
		{ .no_messages = true, .part = "at least one message" },
		{ .broken_message = true, .part = "message 0: line 1, column" },
		{ .broken_tool = true, .part = "tool 0: line 1" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(scene_clear) struct scene s;

		scene_init(&s);
		s.config.extra_body = cases[i].extra;
		s.request.cache = MODEL_CACHE_5M;
		s.request.nmessages = !cases[i].no_messages;
		s.request.messages = cases[i].broken_message ? broken : hello;
		s.request.tools = tool;
		s.request.ntools = s.request.nbuiltin = cases[i].broken_tool;
		CHECK(!provider_anthropic.encode(&s.wire, &s.config, s.table, &s.request, event_log,
						 &s.notes, &s.err));
		CHECK(strstr(s.err.text, cases[i].part));
	}
}

TEST(counting_asks_another_url_without_what_it_refuses)
{
	defer(scene_clear) struct scene s;

	scene_init(&s);
	s.request.user_id = SV("u");
	s.request.fast = true;
	CHECK_OK(provider_anthropic.encode_count(&s.wire, &s.config, s.table, &s.request, &s.err),
		 s.err);
	join_body(&s);
	CHECK_STR(s.wire.url, "https://api.anthropic.com/v1/messages/count_tokens");
	CHECK_STR(s.body.ptr, "{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":\"user\","
			      "\"content\":\"hello\"}]}");
}
