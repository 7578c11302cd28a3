/* WebFetch where hosts have names and time is ours: https, redirects, deadlines, the
 * cache, and the loss of anything at any point. */
#include "base/limits.h"
#include "machine/servers.h"
#include "test.h"
#include "tool/builtins.h"
#include "tool/web/web.h"

struct world {
	struct sim *sim;
	struct tool_session session;
	struct tool_context ctx;
	struct tool_services services;
	struct tool_call call;
	struct json_doc *input;
	int done;
	struct err why;
};

static void world_init(struct world *w)
{
	struct err err;

	*w = (struct world){ .sim = sim_new() };
	w->ctx.loop = sim_loop(w->sim);
	w->ctx.session = &w->session;
	w->session.http = http_new(w->ctx.loop, &(struct http_config){ .proxy = NULL }, &err);
	CHECK_OK(w->session.http != NULL, err);
	w->session.web = web_new(NULL);
	w->session.services = &w->services;
}

static void world_clear(struct world *w)
{
	tool_result_clear(&w->call.result);
	json_doc_free(w->input);
	web_free(w->session.web);
	http_free(w->session.http);
	sim_free(w->sim);
}

#define WORLD(name)                           \
	defer(world_clear) struct world name; \
	world_init(&name)

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct world *w = owner;

	w->done++;
	w->why = why ? *why : (struct err)ERR_INIT;
}

static void fetch(struct world *w, const char *url)
{
	defer(str_clear) struct str input = STR_INIT;
	struct err err;

	tool_result_clear(&w->call.result);
	json_doc_free(w->input);
	str_addf(&input, "{\"url\":\"%s\",\"prompt\":\"x\"}", url);
	w->input = json_parse(sv_of(&input), 0, &err);
	CHECK_OK(w->input != NULL, err);
	w->call = (struct tool_call){ .tool = &tool_web_fetch,
				      .ctx = &w->ctx,
				      .input = json_root(w->input) };
	w->done = 0;
	CHECK_OK(tool_web_fetch.check(&w->call, &err), err);
	tool_web_fetch.start(&w->call, THEN(on_done, w));
	loop_run(w->ctx.loop);
	CHECK_INT(w->done, 1);
}

static void check_text(const struct world *w, bool is_error, const char *part)
{
	if (w->call.result.is_error != is_error ||
	    sv_find(sv_of(&w->call.result.text), sv_cstr(part)) == SIZE_MAX)
		fail_msg("expected %s \"%s\", got \"%s\"", is_error ? "error" : "success", part,
			 str_c(&w->call.result.text));
}

static void serve(struct world *w, const char *url, const struct sim_http_step *steps, size_t n)
{
	sim_http(w->sim, &(struct sim_http_rule){ .url = url, .steps = steps, .n = n });
}

static void serve_text(struct world *w, const char *url, const char *text)
{
	struct sim_http_step steps[] = {
		{ SIM_HTTP_HEAD, 200, SV_INIT("content-type: text/plain") },
		{ SIM_HTTP_BODY, 0, sv_cstr(text) },
	};

	serve(w, url, steps, countof(steps));
}

static void serve_redirect(struct world *w, const char *url, const char *to)
{
	defer(str_clear) struct str head = STR_INIT;
	struct sim_http_step step = { .act = SIM_HTTP_HEAD, .n = 301 };

	str_addf(&head, "location: %s", to);
	step.text = sv_of(&head);
	serve(w, url, &step, 1);
}

struct upgrade_case {
	const char *url, *asked;
};

TEST(a_page_is_asked_for_by_https)
{
	static const struct upgrade_case cases[] = {
		{ "http://h.example/a?b#c", "https://h.example/a?b" },
		{ "HTTP://h.example", "https://h.example/" },
		{ "http://h.example:80/a", "https://h.example/a" },
		{ "http://h.example:81/a", "https://h.example:81/a" },
		{ "https://h.example:80/a", "https://h.example:80/a" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		WORLD(w);

		serve_text(&w, "*", "words");
		fetch(&w, cases[i].url);
		check_text(&w, false, "words");
		CHECK_STR(sim_http_received(w.sim, 0)->url, cases[i].asked);
	}
}

TEST(a_redirect_is_followed_on_the_site_and_told_off_it)
{
	static const struct {
		const char *to;
		bool followed;
	} cases[] = {
		{ "/b", true },
		{ "https://www.h.example/b", true },
		{ "http://h.example/b", true },
		{ "https://H.example/b", true },
		{ "https://h.example.evil.example/b", false },
		{ "https://evil.example/h.example", false },
		{ "https://sub.h.example/b", false },
		{ "https://h.example:8443/b", false },
		{ "https://h.example@evil.example/b", false },
		{ "https://me@h.example/b", false },
		{ "https://127.0.0.1/b", false },
		{ "ftp://h.example/b", false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		WORLD(w);

		serve_redirect(&w, "https://h.example/a", cases[i].to);
		serve_text(&w, "*/b", "arrived");
		fetch(&w, "https://h.example/a");
		check_text(&w, false, cases[i].followed ? "arrived" : "to another site");
		CHECK((sim_http_received(w.sim, 1) != NULL) == cases[i].followed);
	}
}

TEST(www_may_come_and_go)
{
	WORLD(w);

	serve_redirect(&w, "https://www.h.example/", "https://h.example/x");
	serve_redirect(&w, "https://h.example/x", "https://www.h.example/y");
	serve_text(&w, "https://www.h.example/y", "arrived");
	fetch(&w, "https://www.h.example/");
	check_text(&w, false, "arrived");
}

TEST(a_server_that_takes_too_long_or_says_too_much_is_given_up)
{
	static const struct sim_http_step slow[] = {
		{ SIM_HTTP_HEAD, 200, SV_INIT("content-type: text/plain") },
		{ SIM_HTTP_BODY, 0, SV_INIT("a") },
		{ SIM_HTTP_STALL, 0, SV_INIT("") },
	};
	defer(str_clear) struct str big = STR_INIT;
	WORLD(w);

	while (big.len <= LIMIT_WEB_BODY)
		str_adds(&big, "0123456789abcdef");
	serve(&w, "https://slow.example/", slow, countof(slow));
	serve_text(&w, "https://big.example/", str_c(&big));
	fetch(&w, "https://slow.example/");
	check_text(&w, true, "Cannot fetch the page");
	CHECK_INT(sim_elapsed(w.sim), 30000);
	fetch(&w, "https://big.example/");
	check_text(&w, true, "curl");
}

TEST(a_long_page_is_cut_and_that_is_said)
{
	defer(str_clear) struct str big = STR_INIT;
	WORLD(w);

	while (big.len <= LIMIT_WEB_TEXT)
		str_adds(&big, "0123456789abcdef");
	serve_text(&w, "*", str_c(&big));
	fetch(&w, "https://h.example/");
	check_text(&w, false, "The page is longer; these are its first 100 KiB.");
}

TEST(a_near_address_is_not_even_asked)
{
	WORLD(w);
	struct err err;

	serve_text(&w, "*", "secret");
	w.input =
		json_parse(SV("{\"url\":\"http://169.254.169.254/x\",\"prompt\":\"x\"}"), 0, &err);
	w.call = (struct tool_call){ .tool = &tool_web_fetch,
				     .ctx = &w.ctx,
				     .input = json_root(w.input) };
	CHECK(!tool_web_fetch.check(&w.call, &err));
	tool_web_fetch.start(&w.call, THEN(on_done, &w)); /* as if nobody had checked */
	loop_run(w.ctx.loop);
	check_text(&w, true, "not an address of the public network");
	CHECK(sim_http_received(w.sim, 0) == NULL);
}

TEST(whatever_fails_is_told_and_nothing_is_left_over)
{
	bool natural = false;

	for (size_t k = 1; !natural; k++) {
		WORLD(w);

		serve_redirect(&w, "https://h.example/a", "/b");
		serve_text(&w, "https://h.example/b", "arrived");
		sim_fail_at(w.sim, sim_ops_counted(w.sim) + k, ERR_NONE);
		fetch(&w, "https://h.example/a");
		natural = !w.call.result.is_error;
		check_text(&w, !natural, natural ? "arrived" : SIM_FAULT_TEXT);
		CHECK_INT(w.why.kind, ERR_NONE);
		CHECK_INT(sim_live_ops(w.sim), 0);
	}
}
