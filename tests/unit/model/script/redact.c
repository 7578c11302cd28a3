#include "model/script/redact.h"

#include "test.h"

static void check_text(const struct redact *r, const char *text, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	redact_text(&out, r, sv_cstr(text));
	CHECK_STR(str_c(&out), expected);
}

/* The longer of two secrets counts in whichever order they were added. */
TEST(nothing_is_left_of_a_secret_that_starts_with_another_one)
{
	static const char *const orders[][2] = { { "sk-secret", "sk-secret-and-more" },
						 { "sk-secret-and-more", "sk-secret" } };

	for (size_t i = 0; i < countof(orders); i++) {
		defer(redact_clear) struct redact r = REDACT_INIT;

		redact_add(&r, sv_cstr(orders[i][0]));
		redact_add(&r, sv_cstr(orders[i][1]));
		check_text(&r, "sk-secret-and-more", "[redacted]");
		check_text(&r, "a sk-secret-and-more b sk-secret c", "a [redacted] b [redacted] c");
		check_text(&r, "sk-secretsk-secret-and-more!", "[redacted][redacted]!");
	}
}

TEST(a_secret_inside_another_one_or_overlapping_it_is_hidden)
{
	defer(redact_clear) struct redact r = REDACT_INIT;

	redact_add(&r, SV("inner-secret"));
	redact_add(&r, SV("outer-inner-secret-outer"));
	check_text(&r, "outer-inner-secret-outer", "[redacted]");
	check_text(&r, "outer-inner-secret", "outer-[redacted]");
	check_text(&r, "inner-secretinner-secre", "[redacted]inner-secre");
}

TEST(words_too_short_for_a_key_and_texts_without_secrets_stay)
{
	defer(redact_clear) struct redact r = REDACT_INIT;

	check_text(&r, "sk-secret", "sk-secret");
	redact_add(&r, SV(""));
	redact_add(&r, SV("the"));
	check_text(&r, "the text", "the text");
	redact_add(&r, SV("sk-secret"));
	redact_add(&r, SV("sk-secret"));
	check_text(&r, "", "");
	check_text(&r, "sk-secre", "sk-secre");
}

TEST(a_url_loses_its_password_and_the_secrets_of_its_query)
{
	defer(redact_clear) struct redact r = REDACT_INIT;
	defer(str_clear) struct str out = STR_INIT;

	redact_add(&r, SV("sk-secret"));
	redact_url(&out, &r, SV("https://me:hunter22@h/v1?a=1&key=other&b=sk-secret"));
	CHECK(!strstr(str_c(&out), "hunter22"));
	CHECK(!strstr(str_c(&out), "other"));
	CHECK(!strstr(str_c(&out), "sk-secret"));
	CHECK(strstr(str_c(&out), "a=1"));
}
