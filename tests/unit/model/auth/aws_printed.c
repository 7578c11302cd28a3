#include "model/auth/aws_printed.h"

#include "base/limits.h"
#include "test.h"

#define KEYS "\"AccessKeyId\":\"id\",\"SecretAccessKey\":\"s/e+c=\""

static void check_printed(struct sv text, enum aws_form form, const char *token, int64_t expires)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct aws_printed printed;
	struct err err = ERR_INIT;

	CHECK_OK(aws_printed_parse(&printed, &arena, text, form, &err), err);
	CHECK_INT(printed.credential.auth, MODEL_AUTH_AWS);
	CHECK_SV(printed.credential.aws_id, "id");
	CHECK_SV(printed.credential.aws_secret, "s/e+c=");
	CHECK_SV_EQ(printed.credential.aws_token, sv_cstr(token));
	CHECK_INT(printed.expires_ms, expires);
}

TEST(aws_keys_are_read_in_the_forms_that_commands_print)
{
	check_printed(SV("{\"Credentials\":{" KEYS ",\"SessionToken\":\"tok\","
			 "\"Expiration\":\"1970-01-01T00:00:01Z\"},\"More\":[]}"),
		      AWS_FORM_EXPORT, "tok", 1000);
	check_printed(SV("\n{" KEYS "}\n"), AWS_FORM_EXPORT, "", -1);
	check_printed(SV("{\"Version\":1," KEYS ",\"SessionToken\":null}"), AWS_FORM_EXPORT, "",
		      -1);
	check_printed(SV("{\"Version\":1," KEYS ",\"SessionToken\":\"\"}"), AWS_FORM_PROCESS, "",
		      -1);
	check_printed(SV("{\"Version\":1," KEYS ",\"Expiration\":\"1970-01-01T02:00:00+02:00\"}"),
		      AWS_FORM_PROCESS, "", 0);
}

TEST(an_expiration_that_is_no_time_says_nothing)
{
	check_printed(SV("{\"Credentials\":{" KEYS ",\"Expiration\":\"soon\"}}"), AWS_FORM_EXPORT,
		      "", -1);
	check_printed(SV("{\"Credentials\":{" KEYS ",\"Expiration\":1767323045}}"), AWS_FORM_EXPORT,
		      "", -1);
}

static void check_unusable(struct sv text, enum aws_form form, const char *why)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct aws_printed printed = { .expires_ms = 42 };
	struct err err = ERR_INIT;

	CHECK(!aws_printed_parse(&printed, &arena, text, form, &err));
	CHECK_ERR(err, ERR_INVALID, why);
	CHECK(!strstr(err.text, "hush"));
	CHECK_INT(printed.expires_ms, 42);
}

TEST(what_is_no_aws_key_is_refused_without_a_word_of_it)
{
	static const struct {
		struct sv text;
		enum aws_form form;
		const char *why;
	} rows[] = {
		{ SV_INIT(""), AWS_FORM_EXPORT, "not valid JSON" },
		{ SV_INIT("hush"), AWS_FORM_EXPORT, "not valid JSON" },
		{ SV_INIT("{\"AccessKeyId\":\"hush"), AWS_FORM_EXPORT, "not valid JSON" },
		{ SV_INIT("{\"AccessKeyId\":\"\xff\"}"), AWS_FORM_EXPORT, "not valid JSON" },
		{ SV_INIT("{" KEYS "}hush"), AWS_FORM_EXPORT, "not valid JSON" },
		{ SV_INIT("\"hush\""), AWS_FORM_EXPORT, "not a JSON object" },
		{ SV_INIT("[{" KEYS "}]"), AWS_FORM_EXPORT, "not a JSON object" },
		{ SV_INIT("null"), AWS_FORM_PROCESS, "not a JSON object" },
		{ SV_INIT("{}"), AWS_FORM_EXPORT, "AccessKeyId" },
		{ SV_INIT("{\"Credentials\":\"hush\"}"), AWS_FORM_EXPORT, "\"Credentials\"" },
		{ SV_INIT("{\"Credentials\":null," KEYS "}"), AWS_FORM_EXPORT, "\"Credentials\"" },
		{ SV_INIT("{\"AccessKeyId\":\"hush\"}"), AWS_FORM_EXPORT, "SecretAccessKey" },
		{ SV_INIT("{\"AccessKeyId\":[\"hush\"],\"SecretAccessKey\":\"hush\"}"),
		  AWS_FORM_EXPORT, "\"AccessKeyId\" must be a string" },
		{ SV_INIT("{\"AccessKeyId\":\"\",\"SecretAccessKey\":\"hush\"}"), AWS_FORM_EXPORT,
		  "\"AccessKeyId\" is not a key" },
		{ SV_INIT("{\"AccessKeyId\":\"id\",\"SecretAccessKey\":\"hu sh\"}"),
		  AWS_FORM_EXPORT, "\"SecretAccessKey\" is not a key" },
		{ SV_INIT("{\"AccessKeyId\":\"a\\u0000hush\",\"SecretAccessKey\":\"hush\"}"),
		  AWS_FORM_EXPORT, "\"AccessKeyId\" is not a key" },
		{ SV_INIT("{" KEYS ",\"SessionToken\":\"hush\\r\\nX-Evil: 1\"}"), AWS_FORM_EXPORT,
		  "\"SessionToken\" is not a key" },
		{ SV_INIT("{" KEYS ",\"SessionToken\":\"\xc3\xa9\"}"), AWS_FORM_EXPORT,
		  "\"SessionToken\" is not a key" },
		{ SV_INIT("{" KEYS ",\"SessionToken\":7}"), AWS_FORM_EXPORT,
		  "\"SessionToken\" must be a string" },
		{ SV_INIT("{\"Version\":2," KEYS "}"), AWS_FORM_EXPORT, "\"Version\" is not 1" },
		{ SV_INIT("{\"Version\":\"1\"," KEYS "}"), AWS_FORM_PROCESS,
		  "\"Version\" is not 1" },
		{ SV_INIT("{" KEYS "}"), AWS_FORM_PROCESS, "\"Version\" is not 1" },
		{ SV_INIT("{\"Credentials\":{" KEYS "}}"), AWS_FORM_PROCESS,
		  "\"Version\" is not 1" },
	};

	for (size_t i = 0; i < countof(rows); i++)
		check_unusable(rows[i].text, rows[i].form, rows[i].why);
}

TEST(aws_keys_cut_off_anywhere_are_refused)
{
	struct sv text = SV("{\"Credentials\":{" KEYS ",\"SessionToken\":\"tok\"}}");

	for (size_t n = 0; n < text.len; n++)
		check_unusable(sv_slice(text, 0, n), AWS_FORM_EXPORT, "not valid JSON");
}
