#include "text/cron.h"

#include "base/ascii.h"

enum { MINUTE_S = 60, HOUR_S = 3600, HOURS = 24, MINUTES = 60, YEARS = 8 };

/* --- reading ------------------------------------------------------------------------------------- */

struct cron_field {
	char name[18];
	int low, high;
	char words[12][4]; /* names of the values from `low` on; "": none */
};

static const struct cron_field cron_fields[] = {
	{ "minute", 0, 59, { "" } },
	{ "hour", 0, 23, { "" } },
	{ "day of the month", 1, 31, { "" } },
	{ "month",
	  1,
	  12,
	  { "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec" } },
	{ "day of the week", 0, 7, { "sun", "mon", "tue", "wed", "thu", "fri", "sat" } },
};

static bool cron_read_value(const struct cron_field *field, struct sv text, int *out)
{
	int value = 0;

	for (size_t i = 0; i < countof(field->words) && field->words[i][0]; i++)
		if (sv_eq_nocase(text, sv_cstr(field->words[i]))) {
			*out = field->low + (int)i;
			return true;
		}
	if (!text.len || text.len > 2)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_is_digit(text.ptr[i]))
			return false;
		value = value * 10 + (text.ptr[i] - '0');
	}
	*out = value;
	return value >= field->low && value <= field->high;
}

/* Cut `text` at the first `c`; `*rest` is what follows. False: there is no `c`. */
static bool cron_cut(struct sv *text, char c, struct sv *rest)
{
	size_t at = sv_find_char(*text, c);

	if (at == SIZE_MAX)
		return false;
	*rest = sv_skip(*text, at + 1);
	*text = sv_slice(*text, 0, at);
	return true;
}

/* Cut the next word of an expression. */
static bool cron_cut_word(struct sv *text, struct sv *word)
{
	size_t n = 0;

	*text = sv_trim(*text);
	while (n < text->len && !ascii_is_space(text->ptr[n]))
		n++;
	*word = sv_slice(*text, 0, n);
	*text = sv_skip(*text, n);
	return n > 0;
}

/* Read one item of a list: a star, a value or a range, with or without a step. */
static bool cron_read_item(const struct cron_field *field, struct sv item, uint64_t *bits)
{
	struct sv step_text, high_text;
	int low = field->low, high = field->high, step = 1;
	bool has_step = cron_cut(&item, '/', &step_text);
	bool has_range = cron_cut(&item, '-', &high_text);
	struct cron_field steps = { .low = 1, .high = 99 };

	if (has_step && !cron_read_value(&steps, step_text, &step))
		return false;
	if (!sv_is(item, "*")) {
		if (!cron_read_value(field, item, &low))
			return false;
		if (has_range && !cron_read_value(field, high_text, &high))
			return false;
		if (!has_range && !has_step)
			high = low;
	} else if (has_range) {
		return false;
	}
	for (int i = low; i <= high; i += step)
		*bits |= (uint64_t)1 << i;
	return low <= high;
}

static bool cron_read_field(const struct cron_field *field, struct sv text, uint64_t *bits)
{
	struct sv rest;
	bool more = true, fine = true;

	for (*bits = 0; more && fine; text = rest) {
		more = cron_cut(&text, ',', &rest);
		fine = cron_read_item(field, text, bits);
	}
	return fine;
}

bool cron_parse(struct cron *out, struct sv text, struct err *err)
{
	uint64_t bits[countof(cron_fields)];
	struct sv words[countof(cron_fields)], word;
	size_t n = 0;

	while (cron_cut_word(&text, &word)) {
		if (n < countof(words))
			words[n] = word;
		n++;
	}
	if (n != countof(words))
		return err_set(err, ERR_INVALID,
			       "a cron expression has five fields (minute, hour, day of the month, "
			       "month, day of the week), not %zu",
			       n);
	for (size_t i = 0; i < countof(words); i++)
		if (!cron_read_field(&cron_fields[i], words[i], &bits[i]))
			return err_set(err, ERR_INVALID, "'%.*s' cannot be the %s",
				       (int)min_of(words[i].len, (size_t)40), words[i].ptr,
				       cron_fields[i].name);
	*out = (struct cron){ .minutes = bits[0],
			      .hours = (uint32_t)bits[1],
			      .days = (uint32_t)bits[2],
			      .months = (uint32_t)bits[3],
			      .weekdays = (uint32_t)((bits[4] | bits[4] >> 7) & 0x7f),
			      .any_day = sv_starts(words[2], SV("*")),
			      .any_weekday = sv_starts(words[4], SV("*")) };
	return true;
}

/* --- the next time -------------------------------------------------------------------------------- */

static bool cron_is_day(const struct cron *cron, const struct tm *tm)
{
	bool day = cron->days >> tm->tm_mday & 1, weekday = cron->weekdays >> tm->tm_wday & 1;

	if (!(cron->months >> (tm->tm_mon + 1) & 1))
		return false;
	return cron->any_day || cron->any_weekday ? day && weekday : day || weekday;
}

static bool cron_is_minute(const struct cron *cron, int of_day)
{
	return (cron->hours >> of_day / MINUTES & 1) && (cron->minutes >> of_day % MINUTES & 1);
}

static int cron_minute_of(int64_t at, struct tm *tm)
{
	time_t seconds = (time_t)at;

	if (!localtime_r(&seconds, tm))
		*tm = (struct tm){ .tm_mday = 1 };
	return tm->tm_hour * MINUTES + tm->tm_min;
}

/* Whether this minute of the day, at `at`, was there before: clocks go back an hour, or half of one. */
static bool cron_is_repeated(int64_t at, int of_day)
{
	struct tm tm;

	return cron_minute_of(at - HOUR_S, &tm) == of_day ||
	       cron_minute_of(at - HOUR_S / 2, &tm) == of_day;
}

/* The first time from `at` on, on the day of `at`; -1: there is none. `*at` ends on the next day. */
static int64_t cron_find_on_day(const struct cron *cron, int64_t *at)
{
	const bool every_hour = cron->hours == (1u << HOURS) - 1;
	struct tm tm, before;
	int now = cron_minute_of(*at, &tm), day = tm.tm_mday;
	int last = cron_minute_of(*at - MINUTE_S, &before);

	if (before.tm_mday != day)
		last = -1;
	for (; tm.tm_mday == day; *at += MINUTE_S, last = now, now = cron_minute_of(*at, &tm)) {
		for (int skipped = last + 1; !every_hour && skipped < now; skipped++)
			if (cron_is_minute(cron, skipped))
				return *at;
		if (cron_is_minute(cron, now) && (every_hour || !cron_is_repeated(*at, now)))
			return *at;
	}
	return -1;
}

/* The beginning of the day after that of `at`. */
static int64_t cron_next_day(int64_t at, const struct tm *tm)
{
	int64_t next = at + (HOURS * MINUTES - (tm->tm_hour * MINUTES + tm->tm_min)) * MINUTE_S;
	struct tm there;
	int early = cron_minute_of(next, &there);

	/* A day of 23 hours leads past midnight. */
	return there.tm_mday != tm->tm_mday && next - early * MINUTE_S > at
		       ? next - early * MINUTE_S
		       : next;
}

int64_t cron_next(const struct cron *cron, int64_t after_ms)
{
	int64_t at = (after_ms / 1000 / MINUTE_S + 1) * MINUTE_S;
	int64_t end = at + (int64_t)YEARS * 366 * HOURS * HOUR_S, found = -1;
	struct tm tm;

	while (found < 0 && at < end) {
		cron_minute_of(at, &tm);
		if (cron_is_day(cron, &tm))
			found = cron_find_on_day(cron, &at);
		else
			at = cron_next_day(at, &tm);
	}
	return found < 0 ? -1 : found * 1000;
}

/* --- for people ------------------------------------------------------------------------------------ */

static bool cron_is_step(struct sv word, int64_t *step)
{
	return sv_starts(word, SV("*/")) && sv_to_int(sv_skip(word, 2), step);
}

static void cron_add_every(struct str *out, int64_t n, const char *unit)
{
	if (n == 1)
		str_addf(out, "every %s", unit);
	else
		str_addf(out, "every %d %ss", (int)n, unit);
}

/* Append "every 5 minutes" or the like for fields of which only these are restricted. */
static bool cron_describe_step(struct str *out, const struct sv *words)
{
	bool any_hour = sv_is(words[1], "*"), any_day = sv_is(words[2], "*");
	int64_t n = 1;

	if (any_hour && any_day && (sv_is(words[0], "*") || cron_is_step(words[0], &n)))
		cron_add_every(out, n, "minute");
	else if (sv_is(words[0], "0") && any_day && (any_hour || cron_is_step(words[1], &n)))
		cron_add_every(out, n, "hour");
	else
		return false;
	return true;
}

/* Append the day, or nothing if it is not one of the usual ones. */
static bool cron_describe_day(struct str *out, const struct sv *words, const struct cron *cron)
{
	static const char names[][10] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
					  "Thursday", "Friday", "Saturday" };
	int64_t n = 1;

	if (sv_is(words[4], "*") && (sv_is(words[2], "*") || cron_is_step(words[2], &n)))
		cron_add_every(out, n, "day");
	else if (sv_is(words[2], "*") && cron->weekdays == 0x3e)
		str_adds(out, "every weekday");
	else if (sv_is(words[2], "*") && cron->weekdays && !(cron->weekdays & (cron->weekdays - 1)))
		str_addf(out, "every %s", names[__builtin_ctz(cron->weekdays)]);
	else
		return false;
	return true;
}

void cron_describe(struct str *out, struct sv text)
{
	struct sv words[countof(cron_fields)], rest = text;
	struct err ignored = ERR_INIT;
	struct cron cron;
	size_t start = out->len, n = 0;
	int64_t minute, hour;

	if (!cron_parse(&cron, text, &ignored)) {
		str_add(out, text);
		return;
	}
	while (n < countof(words) && cron_cut_word(&rest, &words[n]))
		n++;
	if (sv_is(words[3], "*") && sv_is(words[4], "*") && cron_describe_step(out, words))
		return;
	if (sv_is(words[3], "*") && sv_to_int(words[0], &minute) && sv_to_int(words[1], &hour) &&
	    cron_describe_day(out, words, &cron)) {
		str_addf(out, " at %02d:%02d", (int)hour, (int)minute);
		return;
	}
	str_truncate(out, start);
	str_addf(out, "at %.*s", SV_ARG(text));
}
