#include "perm/path/secret_name.h"

#include "test.h"

TEST(file_is_a_secret_by_its_name)
{
	static const char *const secret[] = {
		"/p/.env",          "/p/.env.local", "/p/.ENV",        "/p/.env_prod",
		"/p/.envrc",        "/p/a.pem",      "/p/id_rsa",      "/p/id_ed25519",
		"/p/credentials",   "/p/.netrc",     "/p/.npmrc",      "/p/my-Credentials.json",
		"/p/server.key",    "/p/.pgpass",    "/p/secrets.yml", "/proc/self/environ",
		"/proc/12/environ", "/proc/1/mem",   "/dev/mem",       "/proc/kcore",
	};
	static const char *const plain[] = {
		"/p/.env.example",  "/p/.env.sample", "/p/id_rsa.pub",
		"/p/env",           "/p/x.env.md",    "/p/key.c",
		"/p/credentials.c", "/p/keys",        "/proc/cpuinfo",
	};

	for (size_t i = 0; i < countof(secret); i++)
		CHECK(secret_is_file(sv_cstr(secret[i])));
	for (size_t i = 0; i < countof(plain); i++)
		CHECK(!secret_is_file(sv_cstr(plain[i])));
}

TEST(variable_is_a_secret_by_a_part_of_its_name)
{
	CHECK(secret_is_variable(SV("ANTHROPIC_API_KEY")));
	CHECK(secret_is_variable(SV("GITHUB_TOKEN")));
	CHECK(secret_is_variable(SV("AWS_SECRET_ACCESS_KEY")));
	CHECK(secret_is_variable(SV("PGPASSWORD")));
	CHECK(!secret_is_variable(SV("HOME")));
	CHECK(!secret_is_variable(SV("x")));
	CHECK(!secret_is_variable(SV("")));
}

TEST(glob_that_is_aimed_at_secrets_is_told_from_others)
{
	static const char *const aimed[] = { ".env",       ".e[n]v",    "*.pem",  ".?nv",
					     "**/.env",    ".*",        "id_*",   "{a,.env}",
					     "*.KEY",      "src/*.key", "*cred*", "secrets.*",
					     "{*.c,*.p12}" };
	static const char *const ordinary[] = { "*",          "*.c",    "*.json",    "*.{yml,yaml}",
						"!.env",      "src/**", "Makefile*", "*.md",
						"[a-z]*.txt", "" };

	for (size_t i = 0; i < countof(aimed); i++)
		if (!secret_is_glob(sv_cstr(aimed[i])))
			fail_msg("%s is not aimed at secrets?", aimed[i]);
	for (size_t i = 0; i < countof(ordinary); i++)
		if (secret_is_glob(sv_cstr(ordinary[i])))
			fail_msg("%s is aimed at secrets?", ordinary[i]);
}
