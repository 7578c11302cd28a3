#include <awl.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include "base/log.h"
#include "cli/output.h"
#include "front/startup.h"
#include "sys/process.h"

static enum exit_code main_run(const struct args *args)
{
	const char *log_path = args_value(args, "debug-file");
	struct err err = ERR_INIT;

	if (args_has(args, "version"))
		return output(SV("awl " AWL_VERSION "\n"));
	if (args_has(args, "help")) {
		defer(str_clear) struct str page = STR_INIT;

		help_page(&page, args->command);
		return output(sv_of(&page));
	}
	if ((log_path || args_has(args, "debug")) &&
	    !log_open(log_path, LOG_DEBUG, args_value(args, "debug"), &err))
		return failure("%s", err.text);
	log_info("awl %s: %s", AWL_VERSION, args->command->name ? args->command->name : "main");
	/* A fixed threshold: large texts go back to the system when they are freed, instead of
	 * raising the threshold and leaving holes in the heap. */
	mallopt(M_MMAP_THRESHOLD, 256 * 1024);
	return args->command->run(args);
}

/* Open a placeholder for every standard descriptor that is closed, so that no file we open
 * later gets its number. Reading or writing the placeholder fails, as it did before. */
static void main_fill_standard_descriptors(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			abort();
}

int main(int argc, char **argv)
{
	defer(args_clear) struct args args = ARGS_INIT;
	int helper = awl_helper_main(argc, argv);
	struct err err = ERR_INIT;

	if (helper >= 0)
		return helper;
	startup_mark("main");
	process_hide_memory();
	process_hide_environment();
	main_fill_standard_descriptors();
	/* A closed pipe and a file over the limit are errors that we handle. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	if (mcp_cli_is_meant(argc, argv))
		return mcp_cli_main(argc, argv);
	if (!args_parse(&args, argc, argv, &err))
		return usage_error("%s", err.text);
	startup_mark("flags read");
	return main_run(&args);
}
