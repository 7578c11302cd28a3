/* No model is set up: what to do about it, the tour, and local servers as they answer. */
#include "front/first_run.h"
#include "front/tui/tui_internal.h"

/* Servers follow these two, so that no number changes its meaning. */
enum { FIRST_TOUR, FIRST_EXIT, FIRST_SERVERS };

static void tui_first_run_found(void *owner, const struct local_server *server)
{
	struct tui *t = owner;
	defer(str_clear) struct str offer = STR_INIT;
	struct tui_server *kept;

	if (!t->start.is_open)
		return;
	kept = vec_add(&t->start.servers);
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
		const struct tui_server *server = &t->start.servers.at[option - FIRST_SERVERS];

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
	first_run_add_text(&t->start.text);
	tui_start_open(t, first_run_title, tui_first_run_chosen, FIRST_EXIT);
	tui_start_add(t, first_run_tour);
	tui_start_add(t, "Exit");
	t->start.search =
		local_search_start(t->client.loop, getenv("OLLAMA_HOST"), tui_first_run_found, t);
	return true;
}
