#include "machine/servers.h"

#include <fnmatch.h>

#include "base/mem.h"
#include "machine/rules.h"
#include "machine/world.h"

struct servers {
	struct sim_part part;
	VEC(struct sim_server *) rules;
	VEC(struct sim_http_request) received;
	struct str preconnects; /* a line for each URL */
};

static void server_free(struct sim_server *s)
{
	for (size_t i = 0; i < s->n; i++)
		free((char *)s->steps[i].text.ptr);
	free(s->steps);
	free(s->method);
	free(s->url);
	free(s);
}

static void servers_clear(struct sim_part *part)
{
	struct servers *all = container_of(part, struct servers, part);

	for (size_t i = 0; i < all->rules.n; i++)
		server_free(all->rules.at[i]);
	vec_clear(&all->rules);
	for (size_t i = 0; i < all->received.n; i++) {
		free(all->received.at[i].method);
		free(all->received.at[i].url);
		str_clear(&all->received.at[i].headers);
		str_clear(&all->received.at[i].body);
	}
	vec_clear(&all->received);
	str_clear(&all->preconnects);
}

static const struct sim_part_type servers_type = { .size = sizeof(struct servers),
						   .clear = servers_clear };

static struct servers *servers(struct sim *w)
{
	return container_of(sim_part(w, &servers_type), struct servers, part);
}

void sim_http(struct sim *w, const struct sim_http_rule *rule)
{
	struct sim_server *s = xnew(struct sim_server);

	s->method = rule->method ? xstrdup(rule->method) : NULL;
	s->url = xstrdup(rule->url);
	s->connect_ms = rule->connect_ms;
	s->uses = rule->uses;
	s->n = rule->n;
	s->steps = xcalloc(max_of(rule->n, (size_t)1), sizeof(*s->steps));
	for (size_t i = 0; i < rule->n; i++) {
		s->steps[i] = rule->steps[i];
		s->steps[i].text.ptr = sv_dup(rule->steps[i].text); /* owned, even when empty */
	}
	vec_push(&servers(w)->rules, s);
}

static bool answers(const struct sim_server *s, const char *method, const char *url)
{
	return (!s->uses || s->used < s->uses) &&
	       (!s->method || sv_is(sv_cstr(s->method), method)) && fnmatch(s->url, url, 0) == 0;
}

const struct sim_server *sim_server_for(struct sim *w, const char *method, const char *url)
{
	struct servers *all = servers(w);

	for (size_t i = 0; i < all->rules.n; i++) {
		if (!answers(all->rules.at[i], method, url))
			continue;
		all->rules.at[i]->used++;
		return all->rules.at[i];
	}
	return NULL;
}

struct sim_http_request *sim_server_record(struct sim *w)
{
	return vec_add(&servers(w)->received);
}

const struct sim_http_request *sim_http_received(struct sim *w, size_t i)
{
	struct servers *all = servers(w);

	return i < all->received.n ? &all->received.at[i] : NULL;
}

void sim_server_preconnected(struct sim *w, const char *url)
{
	str_addf(&servers(w)->preconnects, "%s\n", url);
}

struct sv sim_http_preconnects(struct sim *w)
{
	return sv_of(&servers(w)->preconnects);
}
