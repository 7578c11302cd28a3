/* One call of a built-in tool in the working directory: `tool_call NAME JSON`. Prints
 * what a model would read of it. */
#include <stdio.h>

#include "sys/fs.h"
#include "tool/tool.h"

extern char **environ;

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	if (why)
		BUG("%s", why->text);
	loop_stop(owner);
}

static int print_result(const struct tool_result *result)
{
	puts(str_c(&result->text));
	return result->is_error;
}

int main(int argc, char **argv)
{
	static const struct tool_services none;
	defer(loop_freep) struct loop *loop = loop_new();
	struct tool_session session = { .env = (const char *const *)environ, .services = &none };
	struct tool_context ctx = { .loop = loop, .session = &session };
	struct tool_call call = { .ctx = &ctx };
	struct err err;
	size_t n;
	const struct tool *const *tools = tool_builtins(&n);
	defer(json_doc_freep) struct json_doc *input =
		argc == 3 ? json_parse(sv_cstr(argv[2]), 0, &err) : NULL;
	int code;

	call.tool = input ? tool_find(tools, n, sv_cstr(argv[1])) : NULL;
	if (!call.tool || !fs_cwd(&ctx.cwd, &err))
		return 2;
	session.root = str_c(&ctx.cwd);
	call.input = json_root(input);
	call.tool->start(&call, THEN(on_done, loop));
	loop_run(loop);
	code = print_result(&call.result);
	tool_result_clear(&call.result);
	str_clear(&ctx.cwd);
	return code;
}
