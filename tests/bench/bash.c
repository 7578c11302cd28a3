/* Runs `true` by the Bash tool one time after the other: `bash tool N`; or `bash -c true`
 * by posix_spawn() for comparison: `bash spawn N`. */
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "sys/fs.h"
#include "tool/tool.h"

extern char **environ;

struct run {
	struct tool_session session;
	struct tool_context ctx;
	struct tool_call call;
	int64_t left;
};

static void start_next(struct run *run);

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct run *run = owner;

	if (why || run->call.result.is_error)
		exit(1);
	tool_result_clear(&run->call.result);
	start_next(run);
}

static void start_next(struct run *run)
{
	if (run->left-- > 0)
		run->call.tool->start(&run->call, THEN(on_done, run));
	else
		loop_stop(run->ctx.loop);
}

static bool run_tool(int64_t n)
{
	static const struct tool_services none;
	defer(loop_freep) struct loop *loop = loop_new();
	struct run run = { .left = n,
			   .session = { .env = (const char *const *)environ, .services = &none },
			   .ctx = { .loop = loop, .session = &run.session } };
	struct err err;
	defer(json_doc_freep) struct json_doc *input =
		json_parse(SV("{\"command\":\"true\"}"), 0, &err);
	size_t ntools;
	const struct tool *const *tools = tool_builtins(&ntools);

	if (!input || !fs_cwd(&run.ctx.cwd, &err))
		return false;
	run.session.root = str_c(&run.ctx.cwd);
	run.call = (struct tool_call){ .tool = tool_find(tools, ntools, SV("Bash")),
				       .ctx = &run.ctx,
				       .id = SV("toolu_1"),
				       .input = json_root(input) };
	start_next(&run);
	loop_run(loop);
	str_clear(&run.ctx.cwd);
	return true;
}

static bool run_spawned(int64_t n)
{
	static const char *const command[] = { "bash", "-c", "true", NULL };
	int status;
	pid_t pid;

	while (n-- > 0) {
		if (posix_spawnp(&pid, command[0], NULL, NULL, (char **)command, environ) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	int64_t n;

	if (argc != 3 || !sv_to_int(sv_cstr(argv[2]), &n))
		return 2;
	return (sv_is(sv_cstr(argv[1]), "spawn") ? run_spawned(n) : run_tool(n)) ? 0 : 1;
}
