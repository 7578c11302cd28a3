/* Calls of the tools for files, in a process that does nothing else:
 *
 *   file_tools edit FILE     replaces a word in the middle of FILE, there and back, in
 *                            turns with cp of FILE; prints the least seconds of both
 *   file_tools read FILE N   reads ten lines from line N on; prints how many bytes
 *                            that took from the system */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "tool/builtins.h"
#include "tool/read/read_state.h"

extern char **environ;

enum { ROUNDS = 25 };

struct bench {
	struct loop *loop;
	struct tool_session session;
	struct tool_context ctx;
	const char *path;
};

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	if (why)
		BUG("%s", why->text);
	loop_stop(owner);
}

static void call(struct bench *b, const struct tool *tool, struct sv input)
{
	struct err err;
	struct json_doc *doc = json_parse(input, 0, &err);
	struct tool_call c = { .tool = tool, .ctx = &b->ctx, .input = json_root(doc) };

	tool->start(&c, THEN(on_done, b->loop));
	loop_run(b->loop);
	if (c.result.is_error)
		BUG("%s", str_c(&c.result.text));
	tool_result_clear(&c.result);
	json_doc_free(doc);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* --- edit ----------------------------------------------------------------------------- */

static double time_edit(struct bench *b, const char *old_text, const char *new_text)
{
	defer(str_clear) struct str input = STR_INIT;
	double start;

	str_addf(&input, "{\"file_path\":\"%s\",\"old_string\":\"%s\",\"new_string\":\"%s\"}",
		 b->path, old_text, new_text);
	start = now();
	call(b, &tool_edit, sv_of(&input));
	return now() - start;
}

static double time_cp(const char *path)
{
	defer(str_clear) struct str copy = STR_INIT;
	const char *argv[] = { "cp", path, NULL, NULL };
	double start;
	int status;
	pid_t pid;

	str_addf(&copy, "%s.copy", path);
	argv[2] = str_c(&copy);
	start = now();
	if (posix_spawnp(&pid, "cp", NULL, NULL, (char **)argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0)
		exit(1);
	return now() - start;
}

/* As if the model had read it. */
static void know(struct bench *b)
{
	defer(str_clear) struct str bytes = STR_INIT;
	struct fs_info info;
	struct err err;

	if (!fs_info(&info, b->path, true, &err) ||
	    !fs_read(&bytes, b->path, LIMIT_EDIT_FILE, &err))
		BUG("%s", err.text);
	read_state_put(b->ctx.files, sv_cstr(b->path), file_seen_of(&info, sv_of(&bytes)));
}

static void bench_edit(struct bench *b)
{
	double edit = 1e9, cp = 1e9;

	know(b);
	for (int i = 0; i < ROUNDS; i++) {
		edit = min_of(edit, time_edit(b, "needle", "haystack"));
		edit = min_of(edit, time_edit(b, "haystack", "needle"));
		cp = min_of(cp, time_cp(b->path));
	}
	printf("%.6f %.6f\n", edit, cp);
}

/* --- read ----------------------------------------------------------------------------- */

static long long bytes_read(void)
{
	FILE *io = fopen("/proc/self/io", "r");
	long long n = 0;

	if (!io || fscanf(io, "rchar: %lld", &n) != 1)
		exit(1);
	fclose(io);
	return n;
}

static void bench_read(struct bench *b, const char *line)
{
	defer(str_clear) struct str input = STR_INIT;
	long long before;

	str_addf(&input, "{\"file_path\":\"%s\",\"offset\":%s,\"limit\":10}", b->path, line);
	before = bytes_read();
	call(b, &tool_read, sv_of(&input));
	printf("%lld\n", bytes_read() - before);
}

int main(int argc, char **argv)
{
	static const struct tool_services none;
	defer(loop_freep) struct loop *loop = loop_new();
	struct bench b = { .loop = loop,
			   .session = { .services = &none },
			   .ctx = { .loop = loop, .session = &b.session } };

	if (argc < 3)
		return 2;
	b.path = argv[2];
	b.ctx.files = read_state_new();
	b.session.root = "/";
	str_adds(&b.ctx.cwd, "/");
	if (argc == 4)
		bench_read(&b, argv[3]);
	else
		bench_edit(&b);
	read_state_free(b.ctx.files);
	str_clear(&b.ctx.cwd);
	return 0;
}
