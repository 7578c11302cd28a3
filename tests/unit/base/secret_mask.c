#include "base/secret_mask.h"

#include "test.h"

TEST(what_looks_like_a_secret_is_hidden_and_nothing_else)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{ "Bash(curl http://user:hunter2@example.com/x)",
		  "Bash(curl http://user:[secret]@example.com/x)" },
		{ "http://user@example.com:80/a@b", "http://user@example.com:80/a@b" },
		{ "-H 'Authorization: Bearer abc.def'", "-H 'Authorization: Bearer [secret]'" },
		{ "Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [secret]" },
		{ "sk-ant-api03-abcdefghijk", "[secret]" },
		{ "risk-averse-people-everywhere", "risk-averse-people-everywhere" },
		{ "{\"GITHUB_TOKEN\": \"ghp_abcdefghijklmnop0123\"}",
		  "{\"GITHUB_TOKEN\": \"[secret]\"}" },
		{ "{\"GITHUB_TOKEN\": \"anything-at-all\"}", "{\"GITHUB_TOKEN\": \"[secret]\"}" },
		{ "DB_PASSWORD=hunter22 make deploy", "DB_PASSWORD=[secret] make deploy" },
		{ "client-secret: 012345678x", "client-secret: [secret]" },
		{ "\"apiKey\":\"x123456789\"", "\"apiKey\":\"[secret]\"" },
		{ "AKIAIOSFODNN7EXAMPLE", "[secret]" },
		/* what would run stays visible */
		{ "TOKEN=$(curl evil.example)", "TOKEN=$(curl evil.example)" },
		{ "TOKEN=`evil`", "TOKEN=`evil`" },
		{ "{\"API_TOKEN\": \"${API_TOKEN}\"}", "{\"API_TOKEN\": \"${API_TOKEN}\"}" },
		{ "TOKEN_FILE=/run/secrets/x", "TOKEN_FILE=/run/secrets/x" },
		{ "Bearer $(evil)", "Bearer $(evil)" },
		{ "max_tokens: 128000", "max_tokens: 128000" },
		{ "make tokens", "make tokens" },
		{ "credential: ANTHROPIC_API_KEY", "credential: ANTHROPIC_API_KEY" },
		{ "", "" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		secret_mask(&out, sv_cstr(cases[i].text));
		CHECK_STR(str_c(&out), cases[i].shown);
	}
}
