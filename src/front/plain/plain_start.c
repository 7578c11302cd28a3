/* Before the session begins: does the user trust the files of the project, and what to do without a model? Nothing else
 * runs yet, so this just waits for a line. */
#include "front/plain/plain_start.h"

#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#include "base/vec.h"
#include "front/first_run.h"
#include "front/trust.h"

static const char plain_start_unclear[] = "Please type one of the numbers above.\n";

/* Read a line, byte by byte: what follows it is for the session. False at the end of the input. */
static bool plain_start_read(struct str *line)
{
	char c;

	fputs("? ", stdout);
	fflush(stdout);
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
	      "2 Continue without them\n"
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

		if (!plain_start_read(&line))
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
			fputs(plain_start_unclear, stdout);
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

/* --- no model ------------------------------------------------------------------------- */

struct plain_server {
	struct str url, model;
};

struct plain_first_run {
	VEC(struct plain_server) servers;
	struct str offers; /* lines */
};

static void plain_first_run_found(void *owner, const struct local_server *server)
{
	struct plain_first_run *f = owner;
	struct plain_server *kept = vec_add(&f->servers);

	str_add(&kept->url, server->url);
	str_add(&kept->model, server->model);
	str_addf(&f->offers, "%zu ", f->servers.n + 2);
	first_run_add_server(&f->offers, server);
	str_addc(&f->offers, '\n');
}

/* The deadline is short, and ports that nobody listens on answer at once. */
static void plain_first_run_search(struct plain_first_run *f)
{
	defer(loop_freep) struct loop *loop = loop_new();
	struct local_search *search =
		local_search_start(loop, getenv("OLLAMA_HOST"), plain_first_run_found, f);

	loop_run(loop);
	local_search_stop(search);
	loop_run(loop);
}

static void plain_first_run_take(const struct plain_first_run *f, struct chat_request *request,
				 size_t server)
{
	request->kind = CHAT_SERVER;
	str_set(&request->url, sv_of(&f->servers.at[server].url));
	str_set(&request->model, sv_of(&f->servers.at[server].model));
}

static void plain_first_run_ask(const struct plain_first_run *f, struct chat_request *request)
{
	defer(str_clear) struct str line = STR_INIT;
	int64_t number;

	while (plain_start_read(&line)) {
		if (!sv_to_int(sv_trim(sv_of(&line)), &number) || number < 1 ||
		    number > (int64_t)f->servers.n + 2) {
			fputs(plain_start_unclear, stdout);
			continue;
		}
		if (number == 1)
			request->kind = CHAT_TOUR;
		else if (number > 2)
			plain_first_run_take(f, request, (size_t)number - 3);
		return;
	}
}

void plain_first_run(struct chat_request *request)
{
	struct plain_first_run f = { .offers = STR_INIT };
	defer(str_clear) struct str text = STR_INIT;

	plain_first_run_search(&f);
	first_run_add_text(&text);
	printf("awl %s. %s.\n%s1 %s\n2 Exit\n%s", awl_version(), first_run_title, str_c(&text),
	       first_run_tour, str_c(&f.offers));
	tcflush(STDIN_FILENO, TCIFLUSH);
	plain_first_run_ask(&f, request);
	fflush(stdout);
	for (size_t i = 0; i < f.servers.n; i++) {
		str_clear(&f.servers.at[i].url);
		str_clear(&f.servers.at[i].model);
	}
	vec_clear(&f.servers);
	str_clear(&f.offers);
}
