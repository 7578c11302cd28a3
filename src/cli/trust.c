/* awl trust: shows what the files of a project want to do, and lets them. */
#include <awl.h>

#include "base/limits.h"
#include "cli/output.h"
#include "cli/places.h"
#include "extend/project.h"
#include "front/words.h"
#include "sys/fs.h"

struct trusting {
	struct str cwd, config_dir;
	struct project project;
	struct settings *settings;
	struct str notes;
};

static void trusting_clear(struct trusting *t)
{
	str_clear(&t->cwd);
	str_clear(&t->config_dir);
	str_clear(&t->notes);
	project_clear(&t->project);
	settings_free(t->settings);
}

static bool look(struct trusting *t, struct err *err)
{
	defer(str_clear) struct str cwd = STR_INIT;

	if (!fs_cwd(&cwd, err) || !fs_realpath(&t->cwd, cwd.ptr, err))
		return false;
	if (!find_config_dir(&t->config_dir))
		return err_set(err, ERR_INVALID,
			       "neither HOME nor CLAUDE_CONFIG_DIR says where to remember it");
	project_look(&t->project, t->config_dir.ptr, t->cwd.ptr);
	t->project.files.trusts_project = false; /* so that all it wants is listed */
	t->settings = settings_load(&t->project.files, &t->notes, err);
	return t->settings != NULL;
}

/* All of a file, since all of it is trusted: a command that is run looks like any other text. */
static void show_file(struct str *out, const struct trusting *t, struct sv name)
{
	const struct settings_opts *files = &t->project.files;
	bool is_local = sv_ends(name, SV(".local.json")) && files->repo_dir;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct sv rest, line;

	fs_join(&path, sv_cstr(is_local ? files->repo_dir : files->project_dir), name);
	if (!fs_read(&text, path.ptr, LIMIT_SETTINGS, &err))
		str_adds(&text, err.text);
	str_addf(out, "%.*s:\n", SV_ARG(name));
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line))
		str_addf(out, "  | %.*s\n", SV_ARG(line));
}

static void show(struct str *out, const struct trusting *t)
{
	static const char *const states[] = {
		[TRUST_NOT_NEEDED] = "has no files that need trust",
		[TRUST_GIVEN] = "is trusted as it is now",
		[TRUST_NEVER_GIVEN] = "is not trusted",
		[TRUST_OUTDATED] = "has changed since it was trusted",
	};
	struct sv files = sv_of(&t->project.trust.files), wants = settings_ignored(t->settings),
		  line;
	defer(str_clear) struct str page = STR_INIT;

	while (sv_cut_line(&files, &line))
		show_file(&page, t, line);
	if (wants.len)
		str_adds(&page, "What the settings want:\n");
	while (sv_cut_line(&wants, &line))
		str_addf(&page, "  %.*s\n", SV_ARG(line));
	str_add(&page, sv_of(&t->notes));
	str_addf(&page, "%s %s.\n", t->cwd.ptr, states[t->project.trust.state]);
	words_add(out, sv_of(&page));
}

static bool user_says_yes(void)
{
	char answer[16] = "";

	fputs("Let them take effect from now on? [y/N] ", stdout);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static enum exit_code record(const struct trusting *t, struct sv digest, const char *done)
{
	struct err err = ERR_INIT;

	if (!trust_record(t->config_dir.ptr, t->cwd.ptr, digest, &err))
		return failure("%s", err.text);
	return output(sv_cstr(done));
}

enum exit_code trust_run(const struct args *args)
{
	defer(trusting_clear) struct trusting t = { .project = PROJECT_INIT };
	defer(str_clear) struct str page = STR_INIT;
	struct err err = ERR_INIT;

	if (!look(&t, &err))
		return failure("%s", err.text);
	if (args_has(args, "forget"))
		return record(&t, SV_EMPTY, "It is not trusted any more.\n");
	show(&page, &t);
	if (output(sv_of(&page)) != EXIT_OK)
		return EXIT_FAILED;
	if (args_has(args, "show") || trust_is_given(t.project.trust.state))
		return EXIT_OK;
	if (!args_has(args, "yes") && !isatty(STDIN_FILENO))
		return failure("nobody can be asked: run 'awl trust --yes' once you have looked");
	if (!args_has(args, "yes") && !user_says_yes())
		return output(SV("Nothing was changed.\n"));
	return record(&t, sv_of(&t.project.trust.digest),
		      "It is trusted until one of these files changes.\n");
}
