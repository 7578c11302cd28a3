#include "base/limits.h"
#include "model/wire/aws_frames.h"
#include "model/wire/clouds.h"
#include "model/wire/frame.h"
#include "text/base64.h"

#define SONNET "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
#define HAIKU  "anthropic.claude-haiku-4-5-20251001-v1:0"

/* --- requests ------------------------------------------------------------ */

TEST(bedrock_asks_the_host_of_its_region_for_the_encoded_model)
{
	struct model_config config = { .region = "eu-central-1" };
	struct model_request request = hello_to(SONNET);

	check_url(&provider_bedrock, &config, &request,
		  "https://bedrock-runtime.eu-central-1.amazonaws.com/model/"
		  "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream");
	request.whole = true;
	check_url(&provider_bedrock, &config, &request,
		  "https://bedrock-runtime.eu-central-1.amazonaws.com/model/"
		  "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke");
	request = hello_to("arn:aws:bedrock:us-east-1:1:inference-profile/x.y[1m]");
	config.region = NULL;
	check_url(&provider_bedrock, &config, &request,
		  "https://bedrock-runtime.us-east-1.amazonaws.com/model/"
		  "arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx.y/"
		  "invoke-with-response-stream");
	config.base_url = "http://127.0.0.1:8080/proxy//";
	check_url(&provider_bedrock, &config, &request,
		  "http://127.0.0.1:8080/proxy/model/"
		  "arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fx.y/"
		  "invoke-with-response-stream");
}

TEST(the_small_model_of_bedrock_may_have_a_region_of_its_own)
{
	struct model_config config = { .region = "eu-central-1",
				       .small_region = "us-west-2",
				       .small_model = HAIKU };
	struct model_request small = hello_to(HAIKU), main = hello_to(SONNET);

	check_url(&provider_bedrock, &config, &small,
		  "https://bedrock-runtime.us-west-2.amazonaws.com/model/"
		  "anthropic.claude-haiku-4-5-20251001-v1%3A0/invoke-with-response-stream");
	check_url(&provider_bedrock, &config, &main,
		  "https://bedrock-runtime.eu-central-1.amazonaws.com/model/"
		  "us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream");
}

static void check_refused(const struct model_config *config, const char *model, const char *why)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct model_request request = hello_to(model);
	struct err err = ERR_INIT;

	CHECK(!encode_with(&provider_bedrock, &wire, config, &request, NULL, &err));
	CHECK_ERR(err, ERR_INVALID, why);
}

TEST(a_region_that_could_lead_elsewhere_is_refused)
{
	static const char *const regions[] = { "",        "us-east-1.evil.example/",
					       "us east", "a@b",
					       "x?y",     "\xc3\xa9" };

	for (size_t i = 0; i < countof(regions); i++)
		check_refused(&(struct model_config){ .region = regions[i] }, SONNET, "AWS region");
	check_refused(&(struct model_config){ .region = "x" }, "", "no model");
}

TEST(the_body_for_bedrock_has_version_and_betas_but_no_model_and_no_stream)
{
	struct model_config config = { .betas = "one-2025,two-2025" };
	struct model_request request = hello_to(SONNET);
	defer(wire_clear) struct wire wire = WIRE_INIT;
	defer(str_clear) struct str body = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json root;

	CHECK_OK(encode_with(&provider_bedrock, &wire, &config, &request, NULL, &err), err);
	body_of(&body, &wire);
	doc = json_parse(sv_of(&body), 0, &err);
	root = json_root(doc);
	CHECK_SV(json_str_or(json_get(root, "anthropic_version"), SV_EMPTY), "bedrock-2023-05-31");
	CHECK_INT(json_len(json_get(root, "anthropic_beta")), 2);
	CHECK_SV(json_str_or(json_path(root, "anthropic_beta[1]"), SV_EMPTY), "two-2025");
	CHECK(!json_exists(json_get(root, "model")));
	CHECK(!json_exists(json_get(root, "stream")));
	CHECK_INT(json_int_or(json_get(root, "max_tokens"), 0), 100);
	CHECK_SV(header_of(&wire, "content-type"), "application/json");
	CHECK_SV(header_of(&wire, "accept"), "application/vnd.amazon.eventstream");
	CHECK_SV(header_of(&wire, "anthropic-beta"), "");
}

TEST(tools_that_run_on_a_server_are_left_out_for_bedrock_with_a_note)
{
	static const struct sv tools[] = {
		SV_INIT("{\"name\":\"Read\",\"description\":\"not web_search_1\","
			"\"input_schema\":{\"type\":\"object\"}}"),
		SV_INIT("{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}"),
		SV_INIT("{\"name\":\"Edit\",\"input_schema\":{\"type\":\"object\"}}"),
	};
	struct model_request request = hello_to(SONNET);
	struct model_config config = { .region = "x" };
	defer(wire_clear) struct wire wire = WIRE_INIT;
	defer(str_clear) struct str body = STR_INIT, notes = STR_INIT;
	struct err err = ERR_INIT;

	request.tools = tools;
	request.ntools = request.nbuiltin = countof(tools);
	CHECK_OK(encode_with(&provider_bedrock, &wire, &config, &request, &notes, &err), err);
	body_of(&body, &wire);
	CHECK(strstr(body.ptr, "\"Read\"") && strstr(body.ptr, "\"Edit\""));
	CHECK(!strstr(body.ptr, "web_search_20250305"));
	CHECK(strstr(str_c(&notes), "web search") != NULL);
}

TEST(a_custom_header_is_sent_to_bedrock_too)
{
	struct model_config config = { .custom_headers = "X-Team: seven\nAccept: */*" };
	struct model_request request = hello_to(SONNET);
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(encode_with(&provider_bedrock, &wire, &config, &request, NULL, &err), err);
	CHECK_SV(header_of(&wire, "x-team"), "seven");
	CHECK_SV(header_of(&wire, "accept"), "*/*");
	config.custom_headers = "nonsense";
	CHECK(!encode_with(&provider_bedrock, &wire, &config, &request, NULL, &err));
}

/* --- signing ------------------------------------------------------------- */

static const struct credential keys = { .auth = MODEL_AUTH_AWS,
					.aws_id = SV_INIT("id"),
					.aws_secret = SV_INIT("secret") };

/* The authorization that a request for `model` gets. */
static void sign_for(struct str *out, const struct model_config *config, const char *model,
		     const struct credential *credential)
{
	struct model_request request = hello_to(model);
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	str_truncate(out, 0);
	CHECK_OK(encode_with(&provider_bedrock, &wire, config, &request, NULL, &err), err);
	CHECK_OK(provider_bedrock.sign(&wire, config, credential, 1767323045000, &err), err);
	str_add(out, header_of(&wire, "authorization"));
}

TEST(bedrock_requests_are_signed_for_the_region_they_go_to)
{
	struct model_config config = { .base_url = "https://gateway.example",
				       .region = "eu-central-1",
				       .small_region = "us-west-2",
				       .small_model = HAIKU };
	defer(str_clear) struct str got = STR_INIT;

	sign_for(&got, &config, SONNET, &keys);
	CHECK(strstr(str_c(&got), "Credential=id/20260102/eu-central-1/bedrock/aws4_request"));
	sign_for(&got, &config, HAIKU, &keys);
	CHECK(strstr(str_c(&got), "Credential=id/20260102/us-west-2/bedrock/aws4_request"));
}

TEST(a_bearer_token_takes_the_place_of_a_signature)
{
	struct model_config config = { .region = "x" };
	struct credential bearer = { .auth = MODEL_AUTH_BEARER, .secret = SV("t0ken") };
	struct credential none = { .auth = MODEL_AUTH_NONE };
	defer(str_clear) struct str got = STR_INIT;

	sign_for(&got, &config, SONNET, &bearer);
	CHECK_STR(str_c(&got), "Bearer t0ken");
	sign_for(&got, &config, SONNET, &none);
	CHECK_INT(got.len, 0);
	config.skip_auth = true;
	sign_for(&got, &config, SONNET, &keys);
	CHECK_INT(got.len, 0);
}

TEST(without_a_secret_bedrock_requests_are_not_sent)
{
	struct model_config config = { .region = "x" };
	struct credential bearer = { .auth = MODEL_AUTH_BEARER };
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	wire.url = "https://h/";
	CHECK(!provider_bedrock.sign(&wire, &config, &bearer, 0, &err));
	CHECK_ERR(err, ERR_ACCESS, "Bedrock");
}

/* --- failures ------------------------------------------------------------ */

#define TYPE(name)                                         \
	{                                                  \
		SV_INIT("x-amzn-ErrorType"), SV_INIT(name) \
	}

TEST(what_bedrock_refuses_is_classed)
{
	static const struct refusal rows[] = {
		{ 429, TYPE("ThrottlingException:http://internal.amazon.com/coral/"),
		  SV_INIT("{\"message\":\"Too many tokens\"}"), MODEL_FAILED_RATE_LIMIT,
		  "Bedrock 429 ThrottlingException: Too many tokens" },
		{ 403, TYPE("AccessDeniedException"),
		  SV_INIT("{\"Message\":\"You don't have access to the model\"}"),
		  MODEL_FAILED_AUTH, "don't have access" },
		{ 403, TYPE("ExpiredTokenException"), SV_INIT("{\"message\":\"expired\"}"),
		  MODEL_FAILED_AUTH, "ExpiredTokenException" },
		{ 400, TYPE("ValidationException"),
		  SV_INIT("{\"message\":\"prompt is too long: 214000 tokens > 200000 maximum\"}"),
		  MODEL_FAILED_PROMPT_TOO_LONG, "214000" },
		{ 400, TYPE("ValidationException"),
		  SV_INIT("{\"message\":\"Input is too long for requested model.\"}"),
		  MODEL_FAILED_PROMPT_TOO_LONG, "too long" },
		{ 400, TYPE("ValidationException"),
		  SV_INIT("{\"message\":\"The provided model identifier is invalid.\"}"),
		  MODEL_FAILED_NOT_FOUND, "identifier" },
		{ 400, TYPE("ValidationException"), SV_INIT("{\"message\":\"bad\"}"),
		  MODEL_FAILED_INVALID, "bad" },
		{ 404, TYPE("ResourceNotFoundException"), SV_INIT("{\"message\":\"none\"}"),
		  MODEL_FAILED_NOT_FOUND, "none" },
		{ 408, TYPE("ModelTimeoutException"), SV_INIT("{}"), MODEL_FAILED_SERVER,
		  "ModelTimeoutException" },
		{ 429, TYPE("ModelNotReadyException"), SV_INIT("{}"), MODEL_FAILED_OVERLOADED,
		  "ModelNotReadyException" },
		{ 503, TYPE("ServiceUnavailableException"), SV_INIT("<html>"),
		  MODEL_FAILED_OVERLOADED, "503" },
		{ 500, NO_HEADER,
		  SV_INIT("{\"__type\":\"com.amazon.coral#InternalServerException\","
			  "\"message\":\"oops\"}"),
		  MODEL_FAILED_SERVER, "InternalServerException: oops" },
		{ 418, TYPE("NewException"), SV_INIT("{\"message\":\"tea\"}"), MODEL_FAILED_INVALID,
		  "NewException: tea" },
		{ 529, NO_HEADER,
		  SV_INIT("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\","
			  "\"message\":\"busy\"}}"),
		  MODEL_FAILED_OVERLOADED, "busy" },
		{ 502, NO_HEADER, SV_INIT("<html>bad gateway"), MODEL_FAILED_SERVER,
		  "bad gateway" },
	};

	check_refusals(&provider_bedrock, rows, countof(rows));
}

TEST(numbers_and_ids_of_a_refusal_survive)
{
	struct http_header headers[] = { TYPE("ValidationException"),
					 { SV("x-amzn-RequestId"), SV("abc-123") },
					 { SV("retry-after"), SV("7") } };
	struct http_head head = { .status = 400, .headers = headers, .nheaders = countof(headers) };
	struct model_error error;

	provider_bedrock.classify(
		&error, &head,
		SV("{\"message\":\"prompt is too long: 214000 tokens > 200000 maximum\"}"));
	CHECK_INT(error.tokens, 214000);
	CHECK_INT(error.limit, 200000);
	CHECK_INT(error.retry_after_ms, 7000);
	CHECK_STR(error.request_id, "abc-123");
	headers[1].value = SV("abc\x1b[31m");
	provider_bedrock.classify(&error, &head, SV("{}"));
	CHECK_STR(error.request_id, "");
}

/* --- answers ------------------------------------------------------------- */

static const struct sv events[] = {
	SV_INIT("{\"type\":\"message_start\",\"message\":{\"id\":\"m1\",\"type\":\"message\","
		"\"role\":\"assistant\",\"model\":\"claude\",\"content\":[],\"usage\":"
		"{\"input_tokens\":3,\"output_tokens\":1}}}"),
	SV_INIT("{\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
		"{\"type\":\"text\",\"text\":\"\"}}"),
	SV_INIT("{\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
		"{\"type\":\"text_delta\",\"text\":\"h\xc3\xa9llo\"}}"),
	SV_INIT("{\"type\":\"content_block_stop\",\"index\":0}"),
	SV_INIT("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
		"\"usage\":{\"output_tokens\":5}}"),
	SV_INIT("{\"type\":\"message_stop\",\"amazon-bedrock-invocationMetrics\":"
		"{\"inputTokenCount\":3}}"),
};

static void receive(void *arg, const struct model_event *e)
{
	str_addf(arg, "%d %zu %.*s %.*s %lld;", (int)e->kind, e->index, SV_ARG(e->text),
		 SV_ARG(e->json), (long long)e->usage.output);
}

/* Puts an event into a message, as Bedrock does, padding included. */
static void add_chunk(struct str *out, struct sv event)
{
	defer(str_clear) struct str payload = STR_INIT;

	str_adds(&payload, "{\"bytes\":\"");
	base64_encode(&payload, event, BASE64_STD);
	str_adds(&payload, "\",\"p\":\"abcdefghij\"}");
	frame_add(out, "event", "chunk", sv_of(&payload));
}

/* A decoder behind its framing, as an attempt has it. */
struct reader {
	struct aws_frames frames;
	struct decoder *decoder;
	struct str received;
	struct model_error error;
};

static void reader_init(struct reader *r, const struct model_request *request)
{
	*r = (struct reader){ .received = STR_INIT };
	aws_frames_init(&r->frames, LIMIT_SSE_EVENT);
	r->decoder = provider_bedrock.decoder(request, receive, &r->received);
}

static void reader_clear(struct reader *r)
{
	r->decoder->type->free(r->decoder);
	aws_frames_clear(&r->frames);
	str_clear(&r->received);
}

static bool on_frame(void *arg, const struct aws_frame *frame, struct err *err)
{
	struct reader *r = arg;

	if (r->decoder->type->event(r->decoder, frame->name, frame->payload, &r->error))
		return true;
	*err = r->error.err;
	return false;
}

static bool reader_feed(struct reader *r, struct sv bytes)
{
	struct err err;

	return aws_frames_feed(&r->frames, bytes, on_frame, r, &err);
}

#define READER(name, request)                   \
	defer(reader_clear) struct reader name; \
	reader_init(&name, request)

/* What the same events say without any wrapping. */
static void receive_plain(struct str *out, const struct model_request *request)
{
	struct decoder *plain = anthropic_decoder(request, receive, out);
	struct model_error error;

	for (size_t i = 0; i < countof(events); i++)
		CHECK(plain->type->event(plain, SV_EMPTY, events[i], &error));
	CHECK(plain->type->end(plain, &error));
	plain->type->free(plain);
}

static void add_answer(struct str *out)
{
	for (size_t i = 0; i < countof(events); i++)
		add_chunk(out, events[i]);
}

TEST(a_bedrock_stream_says_what_its_events_say_however_it_is_split)
{
	struct model_request request = hello_to(SONNET);
	defer(str_clear) struct str plain = STR_INIT, in = STR_INIT;

	receive_plain(&plain, &request);
	add_answer(&in);
	for (size_t cut = 0; cut <= in.len; cut++) {
		READER(r, &request);
		CHECK(reader_feed(&r, sv_slice(sv_of(&in), 0, cut)));
		CHECK(reader_feed(&r, sv_skip(sv_of(&in), cut)));
		CHECK(r.decoder->type->end(r.decoder, &r.error));
		CHECK_SV_EQ(sv_of(&r.received), sv_of(&plain));
	}
}

TEST(a_bedrock_stream_cut_anywhere_is_noticed)
{
	struct model_request request = hello_to(SONNET);
	defer(str_clear) struct str in = STR_INIT;

	add_answer(&in);
	for (size_t n = 0; n < in.len; n++) {
		READER(r, &request);
		CHECK(reader_feed(&r, sv_slice(sv_of(&in), 0, n)));
		CHECK(aws_frames_is_pending(&r.frames) ||
		      !r.decoder->type->end(r.decoder, &r.error));
	}
}

TEST(an_exception_in_a_bedrock_stream_is_classed)
{
	static const struct {
		const char *sort, *type;
		struct sv payload;
		enum model_failure failure;
		const char *text;
	} rows[] = {
		{ "exception", "throttlingException", SV_INIT("{\"message\":\"slow\"}"),
		  MODEL_FAILED_RATE_LIMIT, "slow" },
		{ "exception", "serviceUnavailableException", SV_INIT("{}"),
		  MODEL_FAILED_OVERLOADED, "serviceUnavailableException" },
		{ "exception", "internalServerException", SV_INIT("not json"), MODEL_FAILED_SERVER,
		  "not json" },
		{ "exception", "modelStreamErrorException", SV_INIT("{\"message\":\"cut\"}"),
		  MODEL_FAILED_SERVER, "cut" },
		{ "exception", "modelTimeoutException", SV_INIT("{}"), MODEL_FAILED_SERVER,
		  "modelTimeoutException" },
		{ "exception", "validationException",
		  SV_INIT("{\"message\":\"Input is too long for requested model.\"}"),
		  MODEL_FAILED_PROMPT_TOO_LONG, "too long" },
		{ "exception", "somethingNew", SV_INIT("{\"message\":\"?\"}"), MODEL_FAILED_SERVER,
		  "somethingNew" },
	};
	struct model_request request = hello_to(SONNET);

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str in = STR_INIT;
		READER(r, &request);

		add_chunk(&in, events[0]);
		frame_add(&in, rows[i].sort, rows[i].type, rows[i].payload);
		CHECK(!reader_feed(&r, sv_of(&in)));
		CHECK_INT(r.error.failure, rows[i].failure);
		CHECK_ERR(r.error.err, r.error.err.kind, rows[i].text);
	}
}

TEST(a_chunk_that_holds_no_event_is_a_protocol_failure)
{
	static const struct sv payloads[] = {
		SV_INIT(""),
		SV_INIT("garbage"),
		SV_INIT("[]"),
		SV_INIT("{}"),
		SV_INIT("{\"bytes\":7}"),
		SV_INIT("{\"bytes\":\"e30\"}"),
		SV_INIT("{\"bytes\":\"!!!!\"}"),
		SV_INIT("{\"bytes\":\"e30=\"}"), /* {}: no type */
	};
	struct model_request request = hello_to(SONNET);

	for (size_t i = 0; i < countof(payloads); i++) {
		defer(str_clear) struct str in = STR_INIT;
		READER(r, &request);

		frame_add(&in, "event", "chunk", payloads[i]);
		CHECK(!reader_feed(&r, sv_of(&in)));
		CHECK_INT(r.error.failure, MODEL_FAILED_PROTOCOL);
	}
}

TEST(an_event_type_newer_than_we_are_is_passed_over)
{
	struct model_request request = hello_to(SONNET);
	defer(str_clear) struct str in = STR_INIT;
	READER(r, &request);

	frame_add(&in, "event", "initial-response", SV("{}"));
	add_answer(&in);
	CHECK(reader_feed(&r, sv_of(&in)));
	CHECK(r.decoder->type->end(r.decoder, &r.error));
}

TEST(a_whole_answer_of_bedrock_is_a_plain_message)
{
	struct model_request request = hello_to(SONNET);
	READER(r, &request);

	CHECK(r.decoder->type->whole(
		r.decoder,
		SV("{\"id\":\"m1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"c\","
		   "\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"stop_reason\":\"end_turn\","
		   "\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}"),
		&r.error));
	CHECK(strstr(str_c(&r.received), "hi") != NULL);
	CHECK(!r.decoder->type->whole(r.decoder, SV("<html>"), &r.error));
}
