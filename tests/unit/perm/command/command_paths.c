#include "perm/command/command_paths.h"

#include "perm/fake_world.h"
#include "test.h"

typedef void collect_fn(command_path_list *out, const struct shell_command *command,
			const struct perm_world *world, struct arena *arena);

static const char *use_name(const struct command_path *t)
{
	switch (t->use) {
	case OPERAND_READ: return "r";
	case OPERAND_WRITE: return "w";
	case OPERAND_ENTER: return "e";
	case OPERAND_LIST: return "l";
	case OPERAND_REMOVE: return "x";
	case OPERAND_DEVICE: return "d";
	}
	return "";
}

static void collect_all(command_path_list *out, const struct shell_command *command,
			const struct perm_world *world, struct arena *arena)
{
	made_path_list nothing = VEC_INIT;

	command_paths_collect(out, command, &nothing, world, arena);
}

/* What the last command of the line touches, seen from /home/me/pro: "r:README.md". */
static void check(collect_fn *collect, const char *command, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	command_path_list paths = VEC_INIT;

	command_analysis_read(&analysis, sv_cstr(command), SV("/home/me/pro"), SV("/home/me"),
			      &fake_project);
	collect(&paths, vec_last(&analysis.commands), &fake_project, &analysis.arena);
	for (size_t i = 0; i < paths.n; i++) {
		const struct command_path *t = &paths.at[i];
		struct sv path = t->real;

		if (sv_starts(path, SV("/home/me/pro/")))
			path = sv_skip(path, strlen("/home/me/pro/"));
		str_addf(&text, "%s%s%s:%.*s%s%s", i ? " " : "", use_name(t),
			 t->recursive ? "r" : "", SV_ARG(path), t->known ? "" : "?",
			 t->copied.len ? "+" : "");
	}
	vec_clear(&paths);
	command_analysis_clear(&analysis);
	if (strcmp(str_c(&text), expected) != 0)
		print_error("%s\n", command);
	CHECK_STR(str_c(&text), expected);
}

TEST(operands_and_redirections_are_files_with_their_links_resolved)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "cat README.md", "r:README.md" },
		{ "cat key", "r:.env" },
		{ "cat lib/a.c", "r:src/a.c" },
		{ "cat out/notes", "r:/home/me/notes" },
		{ "cat out/../x", "r:/home/x" }, /* as the kernel counts */
		{ "cat evil", "r:/etc/passwd" },
		{ "cat loop", "r:/" },
		{ "cat < README.md > x", "r:README.md w:x" },
		{ "cat $x", "r:?" },
		{ "cat - /dev/null /dev/stdin", "" },
		{ "ls > /dev/null 2>&1", "l:/home/me/pro" },
		{ "ls > /dev/nullx", "l:/home/me/pro w:/dev/nullx" },
		{ "cat < /dev//null", "" },
		{ "cat /proc/self/cwd/key", "r:.env" },
		{ "cd src && cat /proc/self/cwd/../key", "r:.env" },
		{ "cat /proc/self/root/etc/x", "r:/etc/x" },
		{ "cat /proc/1/cwd/x", "r:/proc/1/cwd/x?" },
		{ "cat /proc/self/fd/0", "" },
		{ "cat /proc/self/fd/3/x", "r:/proc/self/fd/3/x?" },
		{ "cd src; cat a.c", "r:src/a.c r:a.c" },
		{ "grep -r x src", "rr:src" },
		{ "rm -r build", "xr:build" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(collect_all, cases[i].command, cases[i].expected);
}

TEST(file_copied_into_a_directory_keeps_its_name)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "cp src/.mcp.json .", "r:src/.mcp.json w:/home/me/pro w:.mcp.json" },
		{ "cp src/a.c x.c", "r:src/a.c w:x.c w:x.c" },
		{ "cp -r src build", "rr:src wr:build wr:build/src+" },
		{ "cp -r src/. build", "rr:src wr:build wr:build+" },
		{ "mv src/a.c git", "xr:src/a.c w:.git w:.git/a.c" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(collect_all, cases[i].command, cases[i].expected);
}

TEST(file_names_are_suspected_anywhere_in_an_argument)
{
	static const char *const commands[] = {
		"x .env",
		"x --file=.env",
		"x -f.env",
		"x -rf.env",
		"x @.env",
		"x a=@.env",
		"x HEAD:.env",
		"x :0:.env",
		"x a,.env",
		"x 'f=<.env'",
		"x --a=b=.env",
		"x 'a@{1:00}:.env'",
		"python3 -c 'open(\".env\")'",
		"awk '{ print > \".env\" }'",
	};

	for (size_t i = 0; i < countof(commands); i++) {
		struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
		command_path_list paths = VEC_INIT;
		bool found = false;

		command_analysis_read(&analysis, sv_cstr(commands[i]), SV("/home/me/pro"),
				      SV("/home/me"), &fake_project);
		(void)command_paths_suspects(&paths, &analysis.commands.at[0], &fake_project,
					     &analysis.arena, &(size_t){ 1000 });
		for (size_t k = 0; k < paths.n; k++)
			found |= sv_is(paths.at[k].real, "/home/me/pro/.env");
		if (!found)
			print_error("%s\n", commands[i]);
		CHECK(found);
		vec_clear(&paths);
		command_analysis_clear(&analysis);
	}
}
