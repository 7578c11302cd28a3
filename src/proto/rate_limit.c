#include "proto/rate_limit.h"

static const char *rate_limit_word(const char *const *words, size_t n, struct sv word)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return words[i];
	return NULL;
}

const char *rate_limit_status(struct sv word)
{
	static const char *const words[] = { "allowed", "allowed_warning", "rejected" };

	return rate_limit_word(words, countof(words), word);
}

const char *rate_limit_type(struct sv word)
{
	static const char *const words[] = { "five_hour",      "seven_day",
					     "seven_day_opus", "seven_day_sonnet",
					     "overage",        "seven_day_overage_included" };

	return rate_limit_word(words, countof(words), word);
}

const char *rate_limit_overage_reason(struct sv word)
{
	static const char *const words[] = {
		"overage_not_provisioned",     "org_level_disabled",
		"org_level_disabled_until",    "out_of_credits",
		"seat_tier_level_disabled",    "member_level_disabled",
		"seat_tier_zero_credit_limit", "group_zero_credit_limit",
		"member_zero_credit_limit",    "org_service_level_disabled",
		"no_limits_configured",        "fetch_error"
	};
	const char *known = rate_limit_word(words, countof(words), word);

	return known ? known : word.len ? "unknown" : NULL;
}

bool rate_limit_is_near(const struct rate_limit *limit)
{
	return limit->status && sv_is(sv_cstr(limit->status), "allowed_warning");
}

const char *rate_limit_title(const struct rate_limit *limit)
{
	static const char *const titles[][2] = { { "five_hour", "5-hour" },
						 { "seven_day", "weekly" },
						 { "seven_day_opus", "weekly Opus" },
						 { "seven_day_sonnet", "weekly Sonnet" } };

	for (size_t i = 0; limit->type && i < countof(titles); i++)
		if (sv_is(sv_cstr(limit->type), titles[i][0]))
			return titles[i][1];
	return "usage";
}

/* Words come from the tables above, so each has one address. */
bool rate_limit_eq(const struct rate_limit *a, const struct rate_limit *b)
{
	return a->status == b->status && a->type == b->type &&
	       a->overage_status == b->overage_status && a->overage_reason == b->overage_reason &&
	       a->resets_at == b->resets_at && a->overage_resets_at == b->overage_resets_at &&
	       a->utilization == b->utilization && a->threshold == b->threshold &&
	       a->is_overage == b->is_overage;
}

static void rate_limit_put(struct jw *w, const char *key, const char *word)
{
	if (word)
		jw_put_str(w, key, sv_cstr(word));
}

static void rate_limit_put_moment(struct jw *w, const char *key, int64_t seconds)
{
	if (seconds)
		jw_put_int(w, key, seconds);
}

static void rate_limit_put_share(struct jw *w, const char *key, double share)
{
	if (share >= 0)
		jw_put_real(w, key, share);
}

void rate_limit_write(struct jw *w, const struct rate_limit *limit)
{
	rate_limit_put(w, "status", limit->status);
	rate_limit_put_moment(w, "resetsAt", limit->resets_at);
	rate_limit_put(w, "rateLimitType", limit->type);
	rate_limit_put_share(w, "utilization", limit->utilization);
	rate_limit_put(w, "overageStatus", limit->overage_status);
	rate_limit_put_moment(w, "overageResetsAt", limit->overage_resets_at);
	rate_limit_put(w, "overageDisabledReason", limit->overage_reason);
	jw_put_bool(w, "isUsingOverage", limit->is_overage);
	rate_limit_put_share(w, "surpassedThreshold", limit->threshold);
}

static struct sv rate_limit_text(struct json info, const char *key)
{
	return json_str_or(json_get(info, key), SV_EMPTY);
}

void rate_limit_read(struct rate_limit *out, struct json info)
{
	*out = (struct rate_limit){
		.status = rate_limit_status(rate_limit_text(info, "status")),
		.type = rate_limit_type(rate_limit_text(info, "rateLimitType")),
		.overage_status = rate_limit_status(rate_limit_text(info, "overageStatus")),
		.overage_reason =
			rate_limit_overage_reason(rate_limit_text(info, "overageDisabledReason")),
		.resets_at = json_int_or(json_get(info, "resetsAt"), 0),
		.overage_resets_at = json_int_or(json_get(info, "overageResetsAt"), 0),
		.utilization = json_real_or(json_get(info, "utilization"), -1),
		.threshold = json_real_or(json_get(info, "surpassedThreshold"), -1),
		.is_overage = json_bool_or(json_get(info, "isUsingOverage"), false),
	};
}
