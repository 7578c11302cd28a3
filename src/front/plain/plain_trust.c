/* Before the session begins: does the user trust the files of the project? Nothing else runs yet, so this just waits for
 * a line. */
#include "front/plain/plain_trust.h"

#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "front/trust.h"

/* Read a line, byte by byte: what follows it is for the session. False at the end of the input. */
static bool plain_trust_read(struct str *line)
{
	char c;

	str_truncate(line, 0);
	while (read(STDIN_FILENO, &c, 1) == 1) {
		if (c == '\n')
			return true;
		if (line->len < 64)
			str_addc(line, c);
	}
	return false;
}

static void plain_trust_show(const struct awl_project *project, bool is_outdated)
{
	defer(str_clear) struct str text = STR_INIT;

	trust_add_summary(&text, project, is_outdated);
	fputs(str_c(&text), stdout);
	fputs("Do you trust the files of this project?\n"
	      "1 Trust them\n"
	      "2 Go on without them\n"
	      "3 Exit\n"
	      "4 Show the files\n",
	      stdout);
	tcflush(STDIN_FILENO, TCIFLUSH); /* what was typed before is not an answer */
}

static void plain_trust_show_files(const struct awl_project *project)
{
	defer(str_clear) struct str text = STR_INIT;

	trust_add_files(&text, project);
	fputs(str_c(&text), stdout);
}

static bool plain_trust_ask(struct awl_project *project)
{
	defer(str_clear) struct str line = STR_INIT;

	for (;;) {
		struct sv answer;

		fputs("? ", stdout);
		fflush(stdout);
		if (!plain_trust_read(&line))
			return false;
		answer = sv_trim(sv_of(&line));
		if (sv_is(answer, "2"))
			return true;
		if (sv_is(answer, "3"))
			return false;
		if (sv_is(answer, "1")) {
			if (awl_trust_give(project) != AWL_OK)
				printf("%s\n", awl_last_error());
			return true;
		}
		if (sv_is(answer, "4"))
			plain_trust_show_files(project);
		else
			fputs("Please type one of the numbers above.\n", stdout);
	}
}

bool plain_trust(const struct awl_project_options *options)
{
	struct awl_project *project;
	bool is_outdated, goes_on;

	if (!trust_is_needed(&project, options, &is_outdated))
		return true;
	plain_trust_show(project, is_outdated);
	goes_on = plain_trust_ask(project);
	awl_project_close(project);
	fflush(stdout);
	return goes_on;
}
