#include "perm/command/command_effects.h"

#include "perm/fake_world.h"
#include "test.h"

static bool only_reads(const char *command)
{
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	bool reads;

	command_analysis_read(&analysis, sv_cstr(command), SV("/home/me/pro"), SV("/home/me"),
			      &fake_project);
	reads = command_analysis_only_reads(&analysis);
	command_analysis_clear(&analysis);
	return reads;
}

TEST(line_is_read_only_when_all_its_commands_are)
{
	static const char *const reads[] = {
		"ls",
		" ls -la src/base ",
		"cat a.c b.c",
		"head -n 20 README.md",
		"echo a=b",
		"pwd",
		"/bin/ls",
		"git status",
		"sleep 1",
		"grep x README.md | head",
		"grep -rn x src && wc -l src/a.c; echo done",
		"ls 2>/dev/null",
		"sort < README.md",
		"timeout 5 cat README.md",
		"(ls; pwd)",
		"x=1; echo $x",
		"for f in a b; do cat $f; done",
	};
	static const char *const changes[] = {
		"",
		"   ",
		"# nothing",
		"X=1 ls",
		"X=1",
		"PATH=x; ls",
		"x=1 ls",
		"x=1",
		"for PATH in a b; do ls; done",
		"for f in a b; do rm $f; done",
		"x=$(make); echo $x",
		"date -s 2020-01-01",
		"cd src",
		"cd src && ls",
		"(cd src; ls)",
		"find . -delete",
		"find . -exec rm {} +",
		"sort -o a b",
		"make",
		"ls; make",
		"ls | tee x",
		"ls > x",
		"ls >> x",
		"ls > $x",
		"$x",
		"cat x | sh",
		"curl example.org",
		"echo $(make)",
		"cat <(make)",
		"ls() { make; }; ls",
		"timeout 5 make",
		"ls ${x@P}",
		"./ls",
		"ls 'x",
	};

	for (size_t i = 0; i < countof(reads); i++) {
		if (!only_reads(reads[i]))
			print_error("%s\n", reads[i]);
		CHECK(only_reads(reads[i]));
	}
	for (size_t i = 0; i < countof(changes); i++) {
		if (only_reads(changes[i]))
			print_error("%s\n", changes[i]);
		CHECK(!only_reads(changes[i]));
	}
}

TEST(no_shell_character_hides_another_command)
{
	char hostile[] = "ls ?x";

	for (const char *c = "|&;>()`\n"; *c; c++) {
		hostile[3] = *c;
		CHECK(!only_reads(hostile));
	}
}
