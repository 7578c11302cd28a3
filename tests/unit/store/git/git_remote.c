#include "store/git/git_remote.h"

#include "test.h"

TEST(a_remote_is_read_in_the_forms_that_git_knows_and_without_its_secret)
{
	static const struct {
		const char *url, *shown;
	} cases[] = {
		{ "https://github.com/acme/tools.git", "github.com acme tools" },
		{ "https://user:secret@git.example.com:8443/a/b/c/", "git.example.com a/b c" },
		{ "git@github.com:acme/tools.git", "github.com acme tools" },
		{ "ssh://git@host:22/acme/tools", "host acme tools" },
		{ "/srv/git/tools.git", "  " },
		{ "https://host/tools", "  " },
		{ "", "  " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(git_remote_clear) struct git_remote remote = { .host = STR_INIT };
		defer(str_clear) struct str config = STR_INIT, shown = STR_INIT;

		str_addf(&config,
			 "[core]\n\tbare = false\n[remote \"other\"]\n\turl = https://x/y/z\n"
			 "[remote \"origin\"]\n\tfetch = +x\n\turl = %s\n",
			 cases[i].url);
		git_remote_parse(&remote, sv_of(&config));
		str_addf(&shown, "%s %s %s", str_c(&remote.host), str_c(&remote.owner),
			 str_c(&remote.name));
		CHECK_SV_EQ(sv_of(&shown), sv_cstr(cases[i].shown));
	}
}
