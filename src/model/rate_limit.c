/* Reads the headers with which the service reports how much of a subscription is used. */
#include "model/wire/wire.h"

#include <stdio.h>

/* The windows that have headers of their own, and the names of their limits. */
static const struct rate_limit_window {
	const char *part, *type;
} rate_limit_windows[] = {
	{ "5h", "five_hour" },
	{ "7d", "seven_day" },
	{ "overage", "overage" },
};

static struct sv rate_limit_header(const struct http_head *head, const char *part, const char *what)
{
	char name[80];

	snprintf(name, sizeof(name), "anthropic-ratelimit-unified-%s%s%s", part, *part ? "-" : "",
		 what);
	return sv_trim(http_header(head, name));
}

static int64_t rate_limit_moment(const struct http_head *head, const char *part)
{
	int64_t seconds;

	return sv_to_int(rate_limit_header(head, part, "reset"), &seconds) && seconds > 0 ? seconds
											  : 0;
}

static double rate_limit_share(const struct http_head *head, const char *part, const char *what)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(rate_limit_header(head, part, what), 0, &ignored);
	double share = json_real_or(json_root(doc), -1);

	return share >= 0 && share <= 100 ? share : -1;
}

/* A window of which more is used than the service thinks wise. */
static const struct rate_limit_window *rate_limit_surpassed(const struct http_head *head)
{
	for (size_t i = 0; i < countof(rate_limit_windows); i++)
		if (rate_limit_header(head, rate_limit_windows[i].part, "surpassed-threshold").len)
			return &rate_limit_windows[i];
	return NULL;
}

static void rate_limit_warn(struct rate_limit *out, const struct http_head *head,
			    const struct rate_limit_window *window)
{
	int64_t reset = rate_limit_moment(head, window->part);

	out->status = rate_limit_status(SV("allowed_warning"));
	out->type = rate_limit_type(sv_cstr(window->type));
	out->resets_at = reset ? reset : out->resets_at;
	out->utilization = rate_limit_share(head, window->part, "utilization");
	out->threshold = rate_limit_share(head, window->part, "surpassed-threshold");
}

bool wire_rate_limit(struct rate_limit *out, const struct http_head *head)
{
	const char *status = rate_limit_status(rate_limit_header(head, "", "status"));
	const char *rejected = rate_limit_status(SV("rejected"));
	const struct rate_limit_window *window = rate_limit_surpassed(head);

	if (!status)
		return false;
	*out = (struct rate_limit)RATE_LIMIT_INIT;
	out->status = status;
	out->type = rate_limit_type(rate_limit_header(head, "", "representative-claim"));
	out->resets_at = rate_limit_moment(head, "");
	out->overage_status = rate_limit_status(rate_limit_header(head, "overage", "status"));
	out->overage_reason =
		rate_limit_overage_reason(rate_limit_header(head, "overage", "disabled-reason"));
	out->overage_resets_at = rate_limit_moment(head, "overage");
	out->is_overage =
		status == rejected && out->overage_status && out->overage_status != rejected;
	if (window && status != rejected)
		rate_limit_warn(out, head, window);
	return true;
}
