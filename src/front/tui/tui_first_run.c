/* No model is set up: what to do about it, the tour, and local servers as they answer. */
#include "front/tui/tui_first_run.h"

#include "front/first_run.h"
#include "front/local_server.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_start.h"

/* A server that has answered. */
struct first_run_server {
	struct str url, model;
};

struct tui_first_run {
	struct local_search *search; /* for a server; NULL: none runs */
	VEC(struct first_run_server) servers;
};

/* Servers follow these two, so that no number changes its meaning. */
enum { FIRST_TOUR, FIRST_EXIT, FIRST_SERVERS };

static void tui_first_run_found(void *owner, const struct local_server *server)
{
	struct tui *t = owner;
	defer(str_clear) struct str offer = STR_INIT;
	struct first_run_server *kept;

	if (!tui_start_is_open(t))
		return;
	kept = vec_add(&t->first_run->servers);
	str_add(&kept->url, server->url);
	str_add(&kept->model, server->model);
	first_run_add_server(&offer, server);
	tui_start_add(t, str_c(&offer));
	tui_redraw(t);
}

static void tui_first_run_chosen(struct tui *t, size_t option)
{
	struct chat_request *request = t->opts->request;

	if (option == FIRST_TOUR) {
		request->kind = CHAT_TOUR;
	} else if (option >= FIRST_SERVERS) {
		const struct first_run_server *server =
			&t->first_run->servers.at[option - FIRST_SERVERS];

		request->kind = CHAT_SERVER;
		str_set(&request->url, sv_of(&server->url));
		str_set(&request->model, sv_of(&server->model));
	}
	tui_leave(t, EXIT_SUCCESS);
}

bool tui_first_run(struct tui *t)
{
	if (!t->opts->request)
		return false;
	first_run_add_text(tui_start_text(t));
	tui_start_open(t, first_run_title, tui_first_run_chosen, FIRST_EXIT);
	tui_start_add(t, first_run_tour);
	tui_start_add(t, "Exit");
	t->first_run->search =
		local_search_start(t->client.loop, getenv("OLLAMA_HOST"), tui_first_run_found, t);
	return true;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_first_run_init(struct tui *t)
{
	t->first_run = xnew(struct tui_first_run);
}

void tui_first_run_stop(struct tui *t)
{
	local_search_stop(move(t->first_run->search));
}

void tui_first_run_free(struct tui *t)
{
	for (size_t i = 0; i < t->first_run->servers.n; i++) {
		str_clear(&t->first_run->servers.at[i].url);
		str_clear(&t->first_run->servers.at[i].model);
	}
	vec_clear(&t->first_run->servers);
	free(t->first_run);
}
