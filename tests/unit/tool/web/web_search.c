#include "net/server.h"
#include "tool/tool_rig.h"
#include "tool/web/web.h"

/* A provider or an engine that answers what the test says. */
struct searching {
	struct tool_rig r;
	struct server *server;
	struct tool_services services;
	struct str query, tool; /* what the provider was asked, and with what */
	struct str path;        /* what the engine was asked */
	const char *answer;
	int status;
};

static struct op *provider(void *arg, struct sv query, struct sv tool, struct str *out,
			   struct then then)
{
	struct searching *s = arg;

	str_add(&s->query, query);
	str_add(&s->tool, tool);
	str_adds(out, s->answer);
	return op_settled(s->r.loop, then);
}

static void on_request(void *owner, struct reply *reply, const struct server_request *request)
{
	struct searching *s = owner;

	str_add(&s->path, request->path);
	server_head(reply, s->status, NULL, 0, (int64_t)strlen(s->answer));
	server_write(reply, sv_cstr(s->answer));
	server_end(reply);
}

static void searching_init(struct searching *s)
{
	*s = (struct searching){ .status = 200 };
	tool_rig_init(&s->r);
	s->services.arg = s;
	s->r.session.services = &s->services;
	s->r.session.web = web_new(NULL);
}

static void use_engine(struct searching *s, const char *path)
{
	struct http_config config = { .proxy = "", .no_proxy = "", .ca_file = "", .extra_ca = "" };
	struct err err;

	s->server = server_new(s->r.loop,
			       &(struct server_opts){ .on_request = on_request, .owner = s }, &err);
	CHECK_OK(s->server != NULL, err);
	s->r.session.http = http_new(s->r.loop, &config, &err);
	CHECK_OK(s->r.session.http != NULL, err);
	str_addf(&s->r.session.web->search_url, "http://127.0.0.1:%d%s", server_port(s->server),
		 path);
}

static void nothing_more(__attribute__((unused)) struct op *op, void *owner,
			 __attribute__((unused)) const struct err *why)
{
	loop_stop(owner);
}

static void searching_clear(struct searching *s)
{
	http_free(s->r.session.http);
	server_free(s->server);
	timer_start(s->r.loop, 0, THEN(nothing_more, s->r.loop));
	loop_run(s->r.loop);
	web_free(s->r.session.web);
	str_clear(&s->query);
	str_clear(&s->tool);
	str_clear(&s->path);
	tool_rig_clear(&s->r);
}

#define SEARCHING(name)                               \
	defer(searching_clear) struct searching name; \
	searching_init(&name)

static const char blocks[] =
	"[{\"type\":\"text\",\"text\":\"I look.\"},"
	"{\"type\":\"server_tool_use\",\"id\":\"s1\",\"name\":\"web_search\",\"input\":{}},"
	"{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"s1\",\"content\":["
	"{\"type\":\"web_search_result\",\"title\":\"One\\n page\",\"url\":\"https://a.example/1\","
	"\"encrypted_content\":\"xyz\"},"
	"{\"type\":\"web_search_result\",\"title\":\"Two\",\"url\":\"https://sub.b.example/2\"}]},"
	"{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"s2\",\"content\":"
	"{\"type\":\"web_search_tool_result_error\",\"error_code\":\"max_uses_exceeded\"}},"
	"{\"type\":\"text\",\"text\":\"It is \"},{\"type\":\"text\",\"text\":\"so.\"}]";

TEST(a_search_of_the_provider_is_told_with_texts_and_links)
{
	SEARCHING(s);

	s.services.search = provider;
	s.answer = blocks;
	tool_rig_call(&s.r, &tool_web_search, "{'query':'awl tool'}");
	CHECK(!s.r.call.result.is_error);
	CHECK_SV(sv_of(&s.r.call.result.text), "I look.\n"
					       "1. One page\n   https://a.example/1\n"
					       "2. Two\n   https://sub.b.example/2\n"
					       "(A search failed: max_uses_exceeded.)\n"
					       "It is so.\n");
	CHECK_SV(sv_of(&s.query), "awl tool");
	CHECK_SV(sv_of(&s.tool), "{\"type\":\"web_search_20250305\",\"name\":\"web_search\","
				 "\"max_uses\":8}");
	tool_rig_data(&s.r, "query", "\"awl tool\"");
	tool_rig_data(&s.r, "results[0]", "\"I look.\"");
	tool_rig_data(&s.r, "results[1]",
		      "{\"tool_use_id\":\"s1\",\"content\":[{\"title\":\"One\\n page\",\"url\":"
		      "\"https://a.example/1\"},{\"title\":\"Two\",\"url\":"
		      "\"https://sub.b.example/2\"}]}");
	tool_rig_data(&s.r, "results[3]", "\"It is so.\"");
}

TEST(domains_go_to_the_provider_and_are_minded_by_us)
{
	SEARCHING(s);

	s.services.search = provider;
	s.answer = blocks;
	tool_rig_call(&s.r, &tool_web_search,
		      "{'query':'awl','allowed_domains':['https://B.example/docs','*.c.example']}");
	CHECK_SV(sv_of(&s.tool),
		 "{\"type\":\"web_search_20250305\",\"name\":\"web_search\","
		 "\"max_uses\":8,\"allowed_domains\":[\"B.example\",\"c.example\"]}");
	tool_rig_check_text(&s.r, false, "1. Two\n");
	CHECK(sv_find(sv_of(&s.r.call.result.text), SV("One")) == SIZE_MAX);
	tool_rig_call(&s.r, &tool_web_search, "{'query':'awl','blocked_domains':['b.example']}");
	tool_rig_check_text(&s.r, false, "1. One page\n");
	CHECK(sv_find(sv_of(&s.r.call.result.text), SV("Two")) == SIZE_MAX);
}

TEST(an_engine_of_the_user_is_asked_and_its_results_are_told)
{
	SEARCHING(s);

	use_engine(&s, "/search");
	s.answer = "{\"results\":[{\"title\":\"T\",\"url\":\"https://a.example/\",\"content\":"
		   "\"some\\n  words\"},{\"url\":\"https://b.example/\"},{\"title\":\"bad\","
		   "\"url\":\"javascript:x\"},{\"title\":3}]}";
	tool_rig_call(&s.r, &tool_web_search, "{'query':'a b&c=d #\\u00e9'}");
	CHECK_SV(sv_of(&s.path), "/search?q=a%20b%26c%3Dd%20%23%C3%A9&format=json");
	CHECK_SV(sv_of(&s.r.call.result.text), "1. T\n   https://a.example/\n   some words\n"
					       "2. https://b.example/\n   https://b.example/\n");
	tool_rig_data(
		&s.r, "results[0].content[0]",
		"{\"title\":\"T\",\"url\":\"https://a.example/\",\"snippet\":\"some\\n  words\"}");
}

TEST(an_engine_may_have_a_query_of_its_own)
{
	SEARCHING(s);

	use_engine(&s, "/s?lang=en");
	s.answer = "{\"results\":[]}";
	tool_rig_call(&s.r, &tool_web_search, "{'query':'xx'}");
	CHECK_SV(sv_of(&s.path), "/s?lang=en&q=xx&format=json");
	tool_rig_check_text(&s.r, false, "No results found.");
}

TEST(of_many_results_the_first_ten_are_told_and_long_ones_are_cut)
{
	defer(str_clear) struct str answer = STR_INIT;
	SEARCHING(s);

	use_engine(&s, "/");
	str_adds(&answer, "{\"results\":[");
	for (int i = 0; i < 30; i++)
		str_addf(&answer, "%s{\"title\":\"%0500d\",\"url\":\"https://h.example/%d\"}",
			 i ? "," : "", i, i);
	str_adds(&answer, "]}");
	s.answer = str_c(&answer);
	tool_rig_call(&s.r, &tool_web_search, "{'query':'xx'}");
	tool_rig_check_text(&s.r, false, "https://h.example/9\n");
	CHECK(sv_find(sv_of(&s.r.call.result.text), SV("https://h.example/10")) == SIZE_MAX);
	CHECK(s.r.call.result.text.len < 10 * 500);
}

TEST(an_answer_that_is_none_is_reported)
{
	static const struct {
		int status;
		const char *answer, *expected;
	} cases[] = {
		{ 403, "no", "format json enabled" },    { 500, "{}", "500 Internal Server Error" },
		{ 200, "<html>", "not JSON" },           { 200, "", "not JSON" },
		{ 200, "{}", "no list of \"results\"" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SEARCHING(s);

		use_engine(&s, "/");
		s.status = cases[i].status;
		s.answer = cases[i].answer;
		tool_rig_call(&s.r, &tool_web_search, "{'query':'xx'}");
		tool_rig_check_text(&s.r, true, cases[i].expected);
		CHECK_INT(s.r.call.result.data.len, 0);
	}
}

/* --- a program -------------------------------------------------------------------- */

/* Puts a program into the directory of the rig that runs `script`, and sets it up with more arguments. */
static void use_program(struct searching *s, const char *script, const char *arguments)
{
	PATH_IN(program, s->r.dir, "find it");
	defer(str_clear) struct str text = STR_INIT;
	struct err err;

	str_addf(&text, "#!/bin/sh\n%s\n", script);
	CHECK_OK(fs_write(program, sv_of(&text), (struct fs_write){ .mode = 0700 }, &err), err);
	str_truncate(&s->r.session.web->search_command, 0);
	if (arguments)
		str_addf(&s->r.session.web->search_command, "[\"%s\"%s]", program, arguments);
	else
		str_adds(&s->r.session.web->search_command, program);
}

#define PRINTS(results) "cat > in.json; echo '{\"results\":[" results "]}'"

TEST(a_program_of_the_user_is_given_the_query_and_its_results_are_told)
{
	SEARCHING(s);

	s.services.search = provider; /* not asked: the user's choice comes first */
	use_program(&s,
		    PRINTS("{\"title\":\"T\",\"url\":\"https://a.example/\",\"content\":\"c\"},"
			   "{\"title\":\"U\",\"url\":\"https://b.example/\"}"),
		    NULL);
	tool_rig_call(&s.r, &tool_web_search, "{'query':'a b','blocked_domains':['b.example']}");
	CHECK_SV(sv_of(&s.r.call.result.text), "1. T\n   https://a.example/\n   c\n");
	tool_rig_data(&s.r, "results[0].content[0].snippet", "\"c\"");
	tool_rig_check(&s.r, "in.json",
		       SV("{\"query\":\"a b\",\"blocked_domains\":[\"b.example\"]}\n"));
	CHECK_INT(s.query.len, 0);
}

/* No shell comes between, and no query is an option. */
TEST(the_query_stands_where_the_arguments_say)
{
	SEARCHING(s);

	use_program(&s, "printf '<%s>' \"$@\" > args; echo '{\"results\":[]}'",
		    ",\"-n\",\"{query}\",\"x{query}\",\"\"");
	tool_rig_call(&s.r, &tool_web_search, "{'query':'-rf $(id) \\n;*'}");
	tool_rig_check_text(&s.r, false, "No results found.");
	tool_rig_check(&s.r, "args", SV("<-n>< -rf $(id) \n;*><x{query}><>"));
}

TEST(a_program_that_does_not_answer_is_reported)
{
	static const struct {
		const char *script, *expected;
	} cases[] = {
		{ "echo 'no key' >&2; exit 2", "exited with 2: no key." },
		{ "exit 1", "AWL_SEARCH_COMMAND exited with 1." },
		{ "kill -9 $$", "exited with 137" },
		{ "echo hello", "the response is not JSON" },
		{ "", "the response is not JSON" },
		{ "echo '{}'", "no list of \"results\"" },
		{ "echo '[]'", "no list of \"results\"" },
		{ "while :; do echo xxxxxxxxxxxxxxxx; done", "AWL_SEARCH_COMMAND: " },
		{ "head -c 9000 /dev/zero >&2; exit 1", "exited with 1" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SEARCHING(s);

		use_program(&s, cases[i].script, NULL);
		tool_rig_call(&s.r, &tool_web_search, "{'query':'xx'}");
		tool_rig_check_text(&s.r, true, cases[i].expected);
		CHECK_INT(s.r.call.result.data.len, 0);
	}
}

TEST(a_setting_that_is_no_command_is_reported)
{
	static const struct {
		const char *setting, *expected;
	} cases[] = {
		{ "[", "AWL_SEARCH_COMMAND: " },
		{ "[]", "does not name a program" },
		{ "[1]", "word 1" },
		{ "[\"true\",null]", "word 2" },
		{ "[\"a\\u0000b\"]", "word 1" },
		{ "[\"/nowhere/at/all\"]", "/nowhere/at/all" },
		{ "/nowhere/at/all -x", "/nowhere/at/all -x" },
		{ "[\"{query}\"]", "{query}" }, /* never the program itself */
	};

	for (size_t i = 0; i < countof(cases); i++) {
		SEARCHING(s);

		str_adds(&s.r.session.web->search_command, cases[i].setting);
		tool_rig_call(&s.r, &tool_web_search, "{'query':'true'}");
		tool_rig_check_text(&s.r, true, cases[i].expected);
	}
}

/* --- none ------------------------------------------------------------------------- */

TEST(without_any_search_the_tool_says_how_to_set_one)
{
	SEARCHING(s);

	tool_rig_call(&s.r, &tool_web_search, "{'query':'xx'}");
	tool_rig_check_text(&s.r, true, "AWL_SEARCH_URL");
	tool_rig_check_text(&s.r, true, "AWL_SEARCH_COMMAND");
}

TEST(a_query_that_cannot_be_meant_is_refused)
{
	SEARCHING(s);

	tool_rig_call(&s.r, &tool_web_search, "{'query':'  '}");
	tool_rig_check_text(&s.r, true, "empty");
	tool_rig_call(&s.r, &tool_web_search,
		      "{'query':'xx','allowed_domains':['a'],'blocked_domains':['b']}");
	tool_rig_check_text(&s.r, true, "not both");
}

TEST(the_settings_of_the_web_come_from_the_environment)
{
	static const char *const env[] = { "AWL_SEARCH_URL=http://s/?a=b",
					   "AWL_WEB_ALLOW_PRIVATE=0", "AWL_SEARCH_URLS=x",
					   "AWL_SEARCH_COMMAND= [\"s\"]\n", NULL };
	defer(web_freep) struct web *web = web_new(env);

	CHECK_STR(str_c(&web->search_url), "http://s/?a=b");
	CHECK_STR(str_c(&web->search_command), "[\"s\"]");
	CHECK(!web->allow_private);
}

TEST(a_search_requests_the_network_and_no_host_of_its_own)
{
	struct perm_request perm_request = { .access = ACCESS_OTHER };
	struct arena arena = ARENA_INIT;

	tool_web_search.perm_request(&(struct tool_call){ .tool = &tool_web_search }, &arena,
				     &perm_request);
	CHECK_INT(perm_request.access, ACCESS_NET);
	CHECK_INT(perm_request.host.len, 0);
}
