#include "model/usage.h"

#define MOST_TOKENS   INT64_C(1000000000000)
#define NANO_PER_USD  INT64_C(1000000000)
#define NANO_PER_CENT (NANO_PER_USD / 100)

/* Sums of hostile numbers stay at the largest one. */
static int64_t usage_plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t usage_times(int64_t a, int64_t b)
{
	int64_t product;

	return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

int64_t usage_prompt(const struct usage *u)
{
	return usage_plus(usage_plus(u->input, u->cache_read),
			  usage_plus(u->cache_write_5m, u->cache_write_1h));
}

void usage_add(struct usage *sum, const struct usage *more)
{
	sum->input = usage_plus(sum->input, more->input);
	sum->output = usage_plus(sum->output, more->output);
	sum->thinking = usage_plus(sum->thinking, more->thinking);
	sum->cache_read = usage_plus(sum->cache_read, more->cache_read);
	sum->cache_write_5m = usage_plus(sum->cache_write_5m, more->cache_write_5m);
	sum->cache_write_1h = usage_plus(sum->cache_write_1h, more->cache_write_1h);
	sum->web_searches = usage_plus(sum->web_searches, more->web_searches);
	sum->known |= more->known;
	sum->is_fast = more->is_fast;
}

/* Leaves `*out` alone when the count is absent or null. */
static bool usage_read_count(struct json object, const char *key, int64_t *out, struct err *err)
{
	struct json value = json_get(object, key);
	int64_t n;

	if (!json_exists(value) || json_is(value, JSON_NULL))
		return true;
	if (!json_int(value, &n) || n < 0 || n > MOST_TOKENS)
		return err_set(err, ERR_PROTOCOL, "the usage field \"%s\" is not a token count",
			       key);
	*out = n;
	return true;
}

/* The counts as they are on the wire; -1: absent. */
struct report {
	int64_t input, output, thinking, read, write, write_5m, write_1h, searches;
};

static bool usage_read_report(struct report *out, struct json usage, struct err *err)
{
	struct json writes = json_get(usage, "cache_creation");

	*out = (struct report){ -1, -1, -1, -1, -1, -1, -1, -1 };
	return usage_read_count(usage, "input_tokens", &out->input, err) &&
	       usage_read_count(usage, "output_tokens", &out->output, err) &&
	       usage_read_count(json_get(usage, "output_tokens_details"), "thinking_tokens",
				&out->thinking, err) &&
	       usage_read_count(usage, "cache_read_input_tokens", &out->read, err) &&
	       usage_read_count(usage, "cache_creation_input_tokens", &out->write, err) &&
	       usage_read_count(writes, "ephemeral_5m_input_tokens", &out->write_5m, err) &&
	       usage_read_count(writes, "ephemeral_1h_input_tokens", &out->write_1h, err) &&
	       usage_read_count(json_get(usage, "server_tool_use"), "web_search_requests",
				&out->searches, err);
}

/* A zero never replaces a count: gateways that do not count send zeros at the end of a stream. */
static void usage_take(struct usage *u, int64_t *count, int64_t reported)
{
	if (reported > 0)
		*count = reported;
	u->known |= reported >= 0;
}

/* If the total of cache writes exceeds its parts, the rest was written for five minutes, the default.
 * A total without parts keeps the division known so far. */
static void usage_take_writes(struct usage *u, const struct report *r)
{
	bool divided = r->write_5m >= 0 || r->write_1h >= 0;

	usage_take(u, &u->cache_write_5m, r->write_5m);
	usage_take(u, &u->cache_write_1h, r->write_1h);
	u->known |= r->write >= 0;
	if (r->write <= 0)
		return;
	if (!divided)
		u->cache_write_1h = min_of(u->cache_write_1h, r->write);
	if (!divided || r->write > u->cache_write_5m + u->cache_write_1h)
		usage_take(u, &u->cache_write_5m, r->write - u->cache_write_1h);
}

bool usage_update(struct usage *u, struct json usage, struct err *err)
{
	struct report r;

	if (!json_exists(usage) || json_is(usage, JSON_NULL))
		return true;
	if (!json_is(usage, JSON_OBJECT))
		return err_set(err, ERR_PROTOCOL, "the usage is a%s %s, not an object",
			       json_is(usage, JSON_ARRAY) ? "n" : "",
			       json_type_name(json_type(usage)));
	if (!usage_read_report(&r, usage, err))
		return false;
	usage_take(u, &u->input, r.input);
	usage_take(u, &u->output, r.output);
	usage_take(u, &u->thinking, r.thinking);
	usage_take(u, &u->cache_read, r.read);
	usage_take(u, &u->web_searches, r.searches);
	usage_take_writes(u, &r);
	u->is_fast |= sv_is(json_str_or(json_get(usage, "speed"), SV_EMPTY), "fast");
	return true;
}

bool usage_read(struct usage *out, struct json usage, struct err *err)
{
	struct usage u = { 0 };

	if (!usage_update(&u, usage, err))
		return false;
	*out = u;
	return true;
}

void usage_write(struct jw *w, const struct usage *u)
{
	jw_object(w);
	if (u->known) {
		jw_put_int(w, "input_tokens", u->input);
		jw_put_int(w, "cache_creation_input_tokens",
			   usage_plus(u->cache_write_5m, u->cache_write_1h));
		jw_put_int(w, "cache_read_input_tokens", u->cache_read);
		jw_put_int(w, "output_tokens", u->output);
		if (u->thinking) {
			jw_put_object(w, "output_tokens_details");
			jw_put_int(w, "thinking_tokens", u->thinking);
			jw_end(w);
		}
		jw_put_object(w, "server_tool_use");
		jw_put_int(w, "web_search_requests", u->web_searches);
		jw_end(w);
		jw_put_object(w, "cache_creation");
		jw_put_int(w, "ephemeral_1h_input_tokens", u->cache_write_1h);
		jw_put_int(w, "ephemeral_5m_input_tokens", u->cache_write_5m);
		jw_end(w);
	}
	jw_end(w);
}

static void usage_add_part(struct cost *cost, int64_t count, int64_t price)
{
	if (price >= 0)
		cost->nano_usd = usage_plus(cost->nano_usd, usage_times(count, price));
	else if (count > 0)
		cost->known = false;
}

struct cost usage_cost(const struct usage *u, const struct price *price)
{
	bool is_long = price->long_prompt > 0 && usage_prompt(u) > price->long_prompt;
	struct cost read = { .known = u->known }, written = { .known = true };
	struct cost searches = { .known = true };

	if (u->is_charged)
		return (struct cost){ .nano_usd = u->charged, .known = true };
	usage_add_part(&read, u->input, price->input);
	usage_add_part(&read, u->cache_read, price->cache_read);
	usage_add_part(&read, u->cache_write_5m, price->cache_write_5m);
	usage_add_part(&read, u->cache_write_1h, price->cache_write_1h);
	usage_add_part(&written, u->output, price->output);
	usage_add_part(&searches, u->web_searches, price->web_search);
	if (is_long) {
		read.nano_usd = usage_times(read.nano_usd, price->long_input_percent) / 100;
		written.nano_usd = usage_times(written.nano_usd, price->long_output_percent) / 100;
	}
	cost_add(&read, written);
	if (u->is_fast) {
		read.known = read.known && price->fast_percent;
		read.nano_usd = usage_times(read.nano_usd, max_of(price->fast_percent, 100)) / 100;
	}
	cost_add(&read, searches);
	return read;
}

void cost_add(struct cost *sum, struct cost more)
{
	sum->nano_usd = usage_plus(sum->nano_usd, more.nano_usd);
	sum->known = sum->known && more.known;
}

/* `unit` nano-dollars make the last digit. */
static int64_t usage_in_units(int64_t nano, int64_t unit, bool down)
{
	return nano / unit + (!down && nano % unit >= unit / 2);
}

void cost_format(struct str *out, struct cost cost)
{
	bool down = !cost.known; /* "at least" must stay true */
	int64_t fine = usage_in_units(cost.nano_usd, NANO_PER_CENT / 100, down);
	int64_t cents = usage_in_units(cost.nano_usd, NANO_PER_CENT, down);

	if (!cost.known && fine == 0) {
		str_adds(out, "unknown cost");
		return;
	}
	if (!cost.known)
		str_adds(out, "at least ");
	if (fine < 10000)
		str_addf(out, "$0.%04lld", (long long)fine);
	else
		str_addf(out, "$%lld.%02lld", (long long)(cents / 100), (long long)(cents % 100));
}
