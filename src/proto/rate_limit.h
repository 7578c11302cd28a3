/* rate_limit.h - how much of a subscription is used, as the service says with a response, and its
 * JSON form: the rate_limit_info of the Agent SDK. */
#ifndef AWL_PROTO_RATE_LIMIT_H
#define AWL_PROTO_RATE_LIMIT_H

#include "text/json/json.h"
#include "text/json/json_write.h"

/* Words are those of the SDK's declarations, or NULL where the service has sent none. */
struct rate_limit {
	const char *status;                   /* "allowed", "allowed_warning", "rejected" */
	const char *type;                     /* the limit that is meant: "five_hour" */
	const char *overage_status;           /* of usage beyond the subscription; as `status` */
	const char *overage_reason;           /* why there is none: "out_of_credits" */
	int64_t resets_at, overage_resets_at; /* seconds since 1970; 0: not sent */
	double utilization, threshold;        /* 0 to 1; negative: not sent */
	bool is_overage; /* the subscription is used up, and usage beyond it is paid */
};

#define RATE_LIMIT_INIT                             \
	{                                           \
		.utilization = -1, .threshold = -1, \
	}

/* The declared word, or NULL. A reason that is not declared is "unknown". */
const char *rate_limit_status(struct sv word);
const char *rate_limit_type(struct sv word);
const char *rate_limit_overage_reason(struct sv word);

/* Whether the limit is nearly reached; and what users call it: "5-hour", "usage" if that is not
 * known. */
bool rate_limit_is_near(const struct rate_limit *limit);
const char *rate_limit_title(const struct rate_limit *limit);

bool rate_limit_eq(const struct rate_limit *a, const struct rate_limit *b);

/* Writes the members of the object that is open. */
void rate_limit_write(struct jw *w, const struct rate_limit *limit);
/* Members that are missing or not declared are as in RATE_LIMIT_INIT. */
void rate_limit_read(struct rate_limit *out, struct json info);

#endif
