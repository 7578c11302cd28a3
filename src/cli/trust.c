/* awl trust: show what the settings of a project do, and trust them. */
#include <awl.h>

#include "base/limits.h"
#include "cli/output.h"
#include "cli/places.h"
#include "core/project.h"
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

static bool trust_inspect(struct trusting *t, struct err *err)
{
	defer(str_clear) struct str cwd = STR_INIT;

	if (!fs_cwd(&cwd, err) || !fs_realpath(&t->cwd, cwd.ptr, err))
		return false;
	if (!find_config_dir(&t->config_dir))
		return err_set(err, ERR_INVALID,
			       "there is nowhere to record trust; set HOME to an existing "
			       "directory, or CLAUDE_CONFIG_DIR");
	project_look(&t->project, t->config_dir.ptr, t->cwd.ptr, NULL);
	t->project.files.trusts_project = false; /* so that everything is listed */
	t->settings = settings_load(&t->project.files, &t->notes, err);
	return t->settings != NULL;
}

enum { BLANKS = 40 }; /* a longer run of blanks could hide the rest of the line */

/* Append a line, shortening long runs of blanks that could push text out of sight. */
static void trust_add_line(struct str *out, struct sv line)
{
	str_adds(out, "  | ");
	while (line.len) {
		size_t n = 0;

		while (n < line.len && line.ptr[n] == ' ')
			n++;
		if (n > BLANKS) {
			str_addf(out, "[%zu blanks]", n);
		} else {
			n += n < line.len;
			str_add(out, sv_slice(line, 0, n));
		}
		line = sv_skip(line, n);
	}
	str_addc(out, '\n');
}

/* Append the whole file, because the user trusts all of it: a command looks like any other
 * text. */
static bool trust_show_file(struct str *out, const struct trusting *t, enum trust_file file,
			    struct err *err)
{
	const struct settings_opts *files = &t->project.files;
	const char *dir =
		file == TRUST_LOCAL && files->repo_dir ? files->repo_dir : files->project_dir;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err unreadable = ERR_INIT;
	struct sv rest, line;

	fs_join(&path, sv_cstr(dir), sv_cstr(trust_file_name(file)));
	if (!fs_read(&text, path.ptr, LIMIT_SETTINGS, &unreadable)) {
		str_truncate(&text, 0);
		str_adds(&text, unreadable.text);
	}
	if (!trust_saw(&t->project.trust, file, sv_of(&text)))
		return err_set(err, ERR_STALE, "%s has just changed; run 'awl trust' again",
			       path.ptr);
	str_addf(out, "%s:\n", path.ptr);
	rest = sv_of(&text);
	while (sv_cut_line(&rest, &line))
		trust_add_line(out, line);
	rest = sv_of(&t->project.trust.files[file].scripts);
	while (sv_cut_line(&rest, &line))
		str_addf(out, "  a command in it names the script %.*s\n", SV_ARG(line));
	return true;
}

static bool trust_show(struct str *out, const struct trusting *t, struct err *err)
{
	static const char *const states[] = {
		[TRUST_NOT_NEEDED] = "has no files that need trust",
		[TRUST_GIVEN] = "is trusted",
		[TRUST_NEVER_GIVEN] = "is not trusted yet",
		[TRUST_OUTDATED] = "has changed since it was trusted",
	};
	const struct trust *trust = &t->project.trust;
	defer(str_clear) struct str page = STR_INIT;
	defer(str_clear) struct str wants = STR_INIT;
	struct sv rest, line;

	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++)
		if (trust->files[i].is_there && !trust_show_file(&page, t, i, err))
			return false;
	project_ignored(&t->project, t->settings, &wants);
	if (wants.len)
		str_adds(&page, trust_is_given(trust->state)
					? "What these settings do:\n"
					: "What takes effect once you trust them:\n");
	rest = sv_of(&wants);
	while (sv_cut_line(&rest, &line))
		str_addf(&page, "  %.*s\n", SV_ARG(line));
	str_add(&page, sv_of(&t->notes));
	str_addf(&page, "%s %s.\n", t->cwd.ptr, states[trust->state]);
	words_add(out, sv_of(&page));
	return true;
}

static bool trust_user_says_yes(void)
{
	char answer[16] = "";

	fputs("Trust these settings? [y/N] ", stdout);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static enum exit_code trust_save(const struct trusting *t, bool is_trusted, const char *done)
{
	struct err err = ERR_INIT;

	if (!project_trust(&t->project, is_trusted, &err))
		return failure("%s", err.text);
	return output(sv_cstr(done));
}

enum exit_code trust_run(const struct args *args)
{
	defer(trusting_clear) struct trusting t = { .project = PROJECT_INIT };
	defer(str_clear) struct str page = STR_INIT;
	struct err err = ERR_INIT;

	if (!trust_inspect(&t, &err))
		return failure("%s", err.text);
	if (args_has(args, "forget"))
		return trust_save(&t, false, "This project is no longer trusted.\n");
	if (!trust_show(&page, &t, &err))
		return failure("%s", err.text);
	if (output(sv_of(&page)) != EXIT_OK)
		return EXIT_FAILED;
	if (args_has(args, "show") || trust_is_given(t.project.trust.state))
		return EXIT_OK;
	if (getenv("CLAUDE_CODE_CHILD_SESSION"))
		return failure("only you can trust a project: run 'awl trust' in a terminal of "
			       "your own, not in a session");
	if (!args_has(args, "yes") && !isatty(STDIN_FILENO))
		return failure("standard input is not a terminal; review the files, then run 'awl "
			       "trust --yes'");
	if (!args_has(args, "yes") && !trust_user_says_yes())
		return output(SV("Nothing was changed.\n"));
	return trust_save(&t, true, "This project is trusted until one of these files changes.\n");
}
