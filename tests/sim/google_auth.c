#include "model/auth/google_auth.h"

#include "machine/servers.h"
#include "net/rsa_key.h"
#include "test.h"

#define TOKEN_URL    "https://oauth2.googleapis.com/token"
#define METADATA_URL "http://metadata.google.internal"

#define USER_FILE                                                              \
	"{\"type\":\"authorized_user\",\"client_id\":\"c\",\"client_secret\":" \
	"\"s\",\"refresh_token\":\"r\"}"
#define SERVICE_FILE \
	"{\"type\":\"service_account\",\"client_email\":\"e\",\"private_key\":\"" RSA_KEY_JSON "\"}"

static const struct sim_http_step granted[] = {
	{ SIM_HTTP_HEAD, 200, SV_INIT("content-type: application/json") },
	{ SIM_HTTP_BODY, 0, SV_INIT("{\"access_token\":\"ya29.one\",\"expires_in\":3600}") },
};
static const struct sim_http_step renewed[] = {
	{ SIM_HTTP_HEAD, 200, SV_INIT("content-type: application/json") },
	{ SIM_HTTP_BODY, 0, SV_INIT("{\"access_token\":\"ya29.two\",\"expires_in\":3600}") },
};
static const struct sim_http_step revoked[] = {
	{ SIM_HTTP_HEAD, 400, SV_INIT("content-type: application/json") },
	{ SIM_HTTP_BODY, 0, SV_INIT("{\"error\":\"invalid_grant\"}") },
};

/* A world with one client of Google's. */
struct client {
	struct sim *world;
	struct http *http;
	struct model_config config;
	struct google_auth *auth;
	struct op *op;
	int dones;
	struct err why;
};

static void client_init(struct client *c, const char *credentials)
{
	struct err err = ERR_INIT;

	*c = (struct client){ .world = sim_new(), .config = MODEL_CONFIG_INIT };
	sim_put(c->world, "/user.json", SV(USER_FILE));
	sim_put(c->world, "/service.json", SV(SERVICE_FILE));
	c->http = http_new(sim_loop(c->world), &(struct http_config){ .proxy = NULL }, &err);
	CHECK_OK(c->http != NULL, err);
	c->config.google_credentials = credentials;
	c->auth = google_auth_new(sim_loop(c->world), c->http, &c->config);
}

static void client_clear(struct client *c)
{
	google_auth_free(c->auth);
	http_free(c->http);
	sim_free(c->world);
}

#define CLIENT(name, credentials)               \
	defer(client_clear) struct client name; \
	client_init(&name, credentials)

static void serve(struct client *c, const char *url, const struct sim_http_step *steps, size_t n)
{
	sim_http(c->world,
		 &(struct sim_http_rule){ .url = url, .steps = steps, .n = n, .uses = 1 });
}

static void on_done(__attribute__((unused)) struct op *op, void *owner, const struct err *why)
{
	struct client *c = owner;

	c->op = NULL;
	c->dones++;
	c->why = why ? *why : (struct err)ERR_INIT;
}

/* Starts, and runs to the end. */
static void fetch(struct client *c)
{
	c->op = google_auth_start(c->auth, THEN(on_done, c));
	CHECK(c->op != NULL);
	CHECK(sim_run(c->world, SIZE_MAX));
	CHECK(c->op == NULL);
}

static size_t requests(struct client *c)
{
	size_t n = 0;

	while (sim_http_received(c->world, n))
		n++;
	return n;
}

TEST(a_google_token_is_fetched_once_and_renewed_five_minutes_before_its_end)
{
	CLIENT(c, "/user.json");

	serve(&c, TOKEN_URL, granted, countof(granted));
	serve(&c, TOKEN_URL, renewed, countof(renewed));
	fetch(&c);
	CHECK_INT(c.why.kind, ERR_NONE);
	CHECK_SV(google_auth_token(c.auth), "ya29.one");
	CHECK_STR(sim_http_received(c.world, 0)->method, "POST");
	CHECK_SV(sv_of(&sim_http_received(c.world, 0)->body),
		 "grant_type=refresh_token&client_id=c&client_secret=s&refresh_token=r");
	sim_advance(c.world, 3299 * 1000);
	fetch(&c);
	CHECK_INT(requests(&c), 1);
	sim_advance(c.world, 1 * 1000);
	fetch(&c);
	CHECK_INT(requests(&c), 2);
	CHECK_SV(google_auth_token(c.auth), "ya29.two");
	CHECK_INT(c.dones, 3);
}

TEST(a_google_token_that_was_refused_is_fetched_again)
{
	CLIENT(c, "/user.json");

	serve(&c, TOKEN_URL, granted, countof(granted));
	serve(&c, TOKEN_URL, renewed, countof(renewed));
	fetch(&c);
	google_auth_forget(c.auth);
	fetch(&c);
	CHECK_SV(google_auth_token(c.auth), "ya29.two");
}

TEST(a_service_account_trades_a_signed_assertion_for_a_token)
{
	struct sv body;
	CLIENT(c, "/service.json");

	serve(&c, TOKEN_URL, granted, countof(granted));
	fetch(&c);
	CHECK_SV(google_auth_token(c.auth), "ya29.one");
	body = sv_of(&sim_http_received(c.world, 0)->body);
	CHECK(sv_starts(body, SV("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
				 "&assertion=eyJ")));
}

TEST(a_metadata_server_is_asked_when_it_was_named)
{
	const struct sim_http_request *asked;
	CLIENT(c, METADATA_URL);

	serve(&c, METADATA_URL "/computeMetadata/v1/instance/service-accounts/default/token",
	      granted, countof(granted));
	fetch(&c);
	CHECK_SV(google_auth_token(c.auth), "ya29.one");
	asked = sim_http_received(c.world, 0);
	CHECK_STR(asked->method, "GET");
	CHECK(strstr(str_c(&asked->headers), "Metadata-Flavor: Google\n") != NULL);
}

TEST(without_google_credentials_nobody_is_asked_and_no_time_is_lost)
{
	CLIENT(c, NULL);

	fetch(&c);
	CHECK_ERR(c.why, ERR_NOT_FOUND, "gcloud auth application-default login");
	CHECK_INT(sim_elapsed(c.world), 0);
	CHECK_INT(requests(&c), 0);
}

static void check_fails(const char *credentials, const struct sim_http_step *steps, size_t n,
			enum err_kind kind, const char *why)
{
	CLIENT(c, credentials);

	serve(&c, "*", steps, n);
	fetch(&c);
	CHECK_ERR(c.why, kind, why);
	CHECK_SV(google_auth_token(c.auth), "");
	CHECK_INT(c.dones, 1);
}

TEST(a_google_token_that_cannot_be_had_says_why)
{
	static const struct sim_http_step reset[] = { { SIM_HTTP_RESET } };
	static const struct sim_http_step stalled[] = { { SIM_HTTP_STALL } };
	static const struct sim_http_step page[] = { { SIM_HTTP_HEAD, 200 },
						     { SIM_HTTP_BODY, 0, SV_INIT("<html>") } };

	check_fails("/user.json", revoked, countof(revoked), ERR_ACCESS, "invalid_grant");
	check_fails("/user.json", reset, countof(reset), ERR_RESET,
		    "fetching a Google access token");
	check_fails("/user.json", stalled, countof(stalled), ERR_TIMEOUT, "access token");
	check_fails("/user.json", page, countof(page), ERR_PROTOCOL, "without an access_token");
	check_fails("/gone.json", granted, countof(granted), ERR_NOT_FOUND, "/gone.json");
}

TEST(a_refused_renewal_leaves_the_next_one_free_to_succeed)
{
	CLIENT(c, "/user.json");

	serve(&c, TOKEN_URL, revoked, countof(revoked));
	serve(&c, TOKEN_URL, granted, countof(granted));
	fetch(&c);
	CHECK_ERR(c.why, ERR_ACCESS, "invalid_grant");
	fetch(&c);
	CHECK_INT(c.why.kind, ERR_NONE);
	CHECK_SV(google_auth_token(c.auth), "ya29.one");
}

TEST(fetching_a_google_token_survives_a_cancel_after_every_step)
{
	bool natural = false;

	for (size_t k = 0; !natural; k++) {
		CLIENT(c, "/user.json");

		serve(&c, TOKEN_URL, granted, countof(granted));
		sim_cut_wire(c.world, SIM_CUT_ALWAYS, 0);
		c.op = google_auth_start(c.auth, THEN(on_done, &c));
		CHECK(!sim_run(c.world, k) || c.dones == 1);
		natural = c.dones == 1;
		op_cancel(c.op);
		op_cancel(c.op);
		CHECK(sim_run(c.world, SIZE_MAX));
		CHECK_INT(c.dones, 1);
		CHECK(c.why.kind == ERR_CANCELLED || google_auth_token(c.auth).len > 0);
		CHECK_INT(sim_live_ops(c.world), 0);
	}
}

TEST(whatever_fails_while_fetching_a_google_token_is_reported)
{
	bool natural = false;
	size_t failed = 0;

	for (size_t k = 1; !natural; k++) {
		size_t at;
		CLIENT(c, "/user.json");

		serve(&c, TOKEN_URL, granted, countof(granted));
		at = sim_ops_counted(c.world) + k;
		sim_fail_at(c.world, at, ERR_NONE);
		fetch(&c);
		CHECK_INT(c.dones, 1);
		natural = sim_ops_counted(c.world) < at;
		CHECK_ERR(c.why, c.why.kind, natural ? "" : SIM_FAULT_TEXT);
		failed += !natural;
	}
	CHECK_INT(failed, 4); /* the file, the request, its head and its body */
}
