/* git_world.h - real repositories in a folder of a test's own, and what
 * surroundings.h says of them. */
#ifndef AWL_TESTS_UNIT_STORE_GIT_GIT_WORLD_H
#define AWL_TESTS_UNIT_STORE_GIT_GIT_WORLD_H

#include <stdlib.h>

#include "base/vec.h"
#include "context/environment.h"
#include "store/git/git.h"
#include "sys/child/child_probe.h"
#include "sys/temp_dir.h"

struct git_world {
	struct str dir;
	struct loop *loop;
	char *pwned; /* a file that only a program of the repository's would make */
	VEC(char *) env;
	struct op *op;
	struct str text, branch;
	int done;
};

static inline void git_world_set(struct git_world *w, const char *name, const char *value)
{
	struct str variable = STR_INIT;

	str_addf(&variable, "%s=%s", name, value);
	if (w->env.n > 0) /* before the NULL */
		w->env.n--;
	vec_push(&w->env, str_detach(&variable));
	vec_push(&w->env, NULL);
}

static inline void git_world_init(struct git_world *w)
{
	static const char *const quiet[] = { "GIT_CONFIG_NOSYSTEM", "GIT_AUTHOR_NAME",
					     "GIT_AUTHOR_EMAIL",    "GIT_COMMITTER_NAME",
					     "GIT_COMMITTER_EMAIL", "GIT_TERMINAL_PROMPT" };
	struct err err;

	CHECK_OK(fs_temp_dir(&w->dir, &err), err);
	w->loop = loop_new();
	w->pwned = path_in(&w->dir, "pwned");
	git_world_set(w, "HOME", str_c(&w->dir));
	git_world_set(w, "PATH", getenv("PATH"));
	git_world_set(w, "PWNED", w->pwned);
	git_world_set(w, "SHELL", "/bin/fish");
	git_world_set(w, "PAGER", "cat");
	for (size_t i = 0; i < countof(quiet); i++)
		git_world_set(w, quiet[i], i == 0 ? "1" : i == countof(quiet) - 1 ? "0" : "x");
}

static inline void git_world_clear(struct git_world *w)
{
	for (size_t i = 0; i < w->env.n; i++)
		free(w->env.at[i]);
	vec_clear(&w->env);
	free(w->pwned);
	str_clear(&w->text);
	str_clear(&w->branch);
	loop_free(w->loop);
	temp_dir_remove(&w->dir);
}

#define GIT_WORLD(name)                                                     \
	defer(git_world_clear) struct git_world name = { .env = VEC_INIT }; \
	git_world_init(&name)

/* Runs a script in `folder`, perhaps as if typed at a terminal; its exit code. */
static inline int git_world_try(struct git_world *w, const char *folder, const char *script,
				bool typed)
{
	PROBE(p);
	PATH_IN(cwd, w->dir, folder);

	PROBE_RUN(&p, w->loop, .argv = ARGV("sh", "-ec", script), .cwd = cwd, .pty = typed,
		  .env = (const char *const *)w->env.at);
	if (p.result.code != 0 && p.err.len > 0)
		print_message("%s", str_c(&p.err));
	return p.why.kind == ERR_NONE ? p.result.code : -1;
}

static inline void git_world_run(struct git_world *w, const char *folder, const char *script)
{
	CHECK_INT(git_world_try(w, folder, script, false), 0);
}

/* A repository in "r" with two commits, nothing changed. */
static inline void git_world_repo(struct git_world *w)
{
	git_world_run(w, "",
		      "git init -q -b work r; cd r; git commit -q --allow-empty -m 'the first'\n"
		      "echo one > f; git add f; git commit -q -m 'the second'");
}

static inline void git_world_done(struct op *op, void *owner, const struct err *why)
{
	struct git_world *w = owner;

	w->op = NULL;
	w->done++;
	CHECK(!why);
	str_add(&w->text, environment_text(op));
	str_add(&w->branch, environment_branch(op));
	loop_stop(w->loop);
}

static inline void git_world_look_once(struct git_world *w, const char *folder)
{
	PATH_IN(cwd, w->dir, folder);
	struct environment_opts opts = { .cwd = cwd,
					 .model_id = SV("m-1"),
					 .model_name = SV("Model One"),
					 .wall_ms = 1767323045000,
					 .env = (const char *const *)w->env.at,
					 .git = true };

	w->done = 0;
	str_truncate(&w->text, 0);
	str_truncate(&w->branch, 0);
	w->op = environment_start(w->loop, &opts, THEN(git_world_done, w));
	RUN_UNTIL(w->loop, w->done);
}

/* Looks around in `folder`; the text is in w->text. On a busy machine even a git that has
 * nothing to do may miss its deadline: then once more. */
static inline void git_world_look(struct git_world *w, const char *folder)
{
	int64_t began, tries = 20;

	do {
		began = loop_now(w->loop);
		git_world_look_once(w, folder);
	} while (loop_now(w->loop) - began >= GIT_DEADLINE_MS && --tries);
}

static inline bool git_world_shows(const struct git_world *w, const char *part)
{
	bool shows = sv_find(sv_of(&w->text), sv_cstr(part)) != SIZE_MAX;

	if (!shows)
		print_message("no \"%s\" in:\n%s\n", part, str_c(&w->text));
	return shows;
}

#endif
