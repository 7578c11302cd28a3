#include "front/display.h"

#include <stdio.h>

#include "base/utf8.h"
#include "text/duration.h"
#include "text/invisible.h"
#include "text/iso_time.h"

enum { CALL_CELLS = 100 };

/* A carriage return makes a terminal write over the line it has shown. */
static bool display_is_unfit(uint32_t rune)
{
	return rune == '\r' || invisible_is(rune);
}

void display_text(struct str *out, struct sv text)
{
	invisible_escape(out, text, display_is_unfit);
}

void display_exact(struct str *out, struct sv text)
{
	invisible_escape(out, text, invisible_misleads);
}

void display_name(struct str *out, struct sv text)
{
	invisible_escape(out, text, invisible_misleads_in_line);
}

void display_from_home(struct str *out, struct sv path)
{
	struct sv home = sv_cstr(getenv("HOME"));
	bool is_below = home.len > 1 && sv_starts(path, home) &&
			(path.len == home.len || path.ptr[home.len] == '/');

	if (is_below)
		str_addc(out, '~');
	display_name(out, is_below ? sv_skip(path, home.len) : path);
}

void display_line(struct str *out, struct sv text, size_t cells)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct sv rest = sv_trim(text), line = SV_EMPTY, fits;
	size_t width = 0;
	bool more;

	sv_cut_line(&rest, &line);
	display_exact(&clean, line);
	fits = sv_of(&clean);
	for (size_t at = 0; at < clean.len;) {
		int wide;
		size_t n = utf8_cluster(sv_skip(sv_of(&clean), at), &wide);

		width += (size_t)wide;
		if (width > cells) {
			fits = sv_slice(fits, 0, at);
			break;
		}
		at += n;
	}
	more = rest.len || fits.len < clean.len;
	str_add(out, fits);
	if (more)
		str_adds(out, fits.len && fits.len == clean.len ? " ..." : "...");
}

struct sv display_path(struct sv path, struct sv cwd)
{
	if (cwd.len && sv_starts(path, cwd) && path.len > cwd.len + 1 && path.ptr[cwd.len] == '/')
		return sv_skip(path, cwd.len + 1);
	return path;
}

/* A search is also about the place that it looks in. */
static void display_where(struct str *out, const char *key, struct json input, struct sv cwd)
{
	struct sv path;

	if (!sv_is(sv_cstr(key), "pattern") || !json_str(json_get(input, "path"), &path) ||
	    !sv_trim(path).len)
		return;
	str_adds(out, " in ");
	display_line(out, display_path(path, cwd), CALL_CELLS);
}

/* Of a tool that is not awl's own nothing is known, so all of its input is shown. These are awl's
 * and show their input in another way. */
static void display_input(struct str *out, struct sv tool, struct json input)
{
	static const char *const own[] = { "AskUserQuestion", "ExitPlanMode", "TodoWrite" };
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	for (size_t i = 0; i < countof(own); i++)
		if (sv_is(tool, own[i]))
			return;
	if (!json_len(input))
		return;
	jw_init(&w, &json, JW_COMPACT);
	jw_value(&w, input);
	jw_done(&w);
	str_addc(out, ' ');
	display_line(out, sv_of(&json), CALL_CELLS);
}

void display_call(struct str *out, struct sv tool, struct json input, struct sv cwd)
{
	/* The member that says most about a call, whatever the tool. */
	static const char keys[][14] = { "file_path", "notebook_path", "command", "pattern",
					 "url",       "query",         "path",    "skill",
					 "name",      "description",   "prompt" };
	struct sv text;

	display_line(out, tool, CALL_CELLS);
	for (size_t i = 0; i < countof(keys); i++) {
		if (!json_str(json_get(input, keys[i]), &text) || !sv_trim(text).len)
			continue;
		str_addc(out, ' ');
		display_line(out, display_path(text, cwd), CALL_CELLS);
		display_where(out, keys[i], input, cwd);
		return;
	}
	display_input(out, tool, input);
}

static void display_retry(struct str *out, const struct event_retry *retry)
{
	struct sv why = retry->text.len    ? retry->text
			: retry->error.len ? retry->error
					   : SV("the request failed");

	display_line(out, why, SIZE_MAX);
	str_adds(out, "; retrying in ");
	duration_write(out, max_of(retry->delay_ms, (int64_t)0));
	str_addf(out, " (attempt %d of %d)", retry->attempt, retry->max);
}

/* Tell of a limit that is nearly used up. One that is used up makes requests fail, which is shown. */
static bool display_limit(struct str *out, const struct rate_limit *limit)
{
	struct iso_time reset = iso_time(limit->resets_at * 1000);
	const char *name = rate_limit_title(limit);

	if (!rate_limit_is_near(limit))
		return false;
	if (limit->utilization >= 0)
		str_addf(out, "%d%% of your %s limit is used", (int)(limit->utilization * 100),
			 name);
	else
		str_addf(out, "your %s limit is nearly used up", name);
	if (limit->resets_at)
		str_addf(out, "; it resets at %.10s %.5s UTC", reset.text, reset.text + 11);
	return true;
}

/* A command that a call waited for is shown with its result, and so is a skill that the user waited for. */
static bool display_end_of_task(struct str *out, const struct event_task *task)
{
	if (!task->output_file.len || sv_starts(task->call, SV(EVENT_SKILL_CALL)))
		return false;
	display_line(out, task->summary, SIZE_MAX);
	return out->len > 0;
}

bool display_notice(struct str *out, const struct event *event)
{
	switch (event->kind) {
	case EVENT_RETRY: display_retry(out, &event->retry); return true;
	case EVENT_STALL:
		str_addf(out, "no data for %lld s; giving up after %lld s",
			 (long long)event->stall.silent_ms / 1000,
			 (long long)event->stall.limit_ms / 1000);
		return true;
	case EVENT_FALLBACK: display_text(out, sv_trim(event->fallback.text)); return true;
	case EVENT_INFORMATIONAL: display_text(out, sv_trim(event->info.text)); return true;
	case EVENT_RATE_LIMIT: return display_limit(out, &event->rate_limit);
	case EVENT_TASK_ENDED: return display_end_of_task(out, &event->task);
	case EVENT_NOTIFICATION: display_text(out, sv_trim(event->notification.text)); return true;
	case EVENT_COMPACTED:
		if (event->compacted.is_manual) /* the command says it */
			return false;
		str_adds(out, "the conversation was summarised: ");
		str_add_count(out, event->compacted.before);
		str_adds(out, " tokens before, about ");
		str_add_count(out, event->compacted.after);
		str_adds(out, " now");
		return true;
	case EVENT_INIT:
	case EVENT_ASSISTANT:
	case EVENT_USER:
	case EVENT_STREAM:
	case EVENT_RESULT:
	case EVENT_STATUS:
	case EVENT_REFUSED:
	case EVENT_STATE:
	case EVENT_DISCARD:
	case EVENT_DENIED:
	case EVENT_TRANSITION:
	case EVENT_PROMPT:
	case EVENT_PROGRESS:
	case EVENT_ENDING:
	case EVENT_MIRROR:
	case EVENT_TASKS:
	case EVENT_TASK_STARTED:
	case EVENT_TASK_PROGRESS:
	case EVENT_TASK_UPDATED:
	case EVENT_RESET:
	case EVENT_TOOL_PROGRESS:
	case EVENT_TOOL_OUTPUT:
	case EVENT_HOST_REQUEST:
	case EVENT_HOST_CANCEL:
	case EVENT_REPLY:
	case EVENT_COMMANDS:
	case EVENT_THINKING:
	case EVENT_SUGGESTION:
	case EVENT_PAGE_DONE:
	case EVENT_TOOL_SUMMARY:
	case EVENT_GOAL:
	case EVENT_TERMINAL:
	case EVENT_HOOK_STARTED:
	case EVENT_HOOK_PROGRESS:
	case EVENT_HOOK_RESPONSE:
	case EVENT_UNKNOWN: break;
	}
	return false;
}

void complain_v(const char *fmt, va_list args)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str line = STR_INIT;

	str_vaddf(&text, fmt, args);
	display_text(&line, sv_of(&text));
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\n')
			line.ptr[i] = ' ';
	fprintf(stderr, "awl: %s\n", str_c(&line));
}

void complain(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	complain_v(fmt, args);
	va_end(args);
}

void complain_lines(struct sv text)
{
	struct sv line = SV_EMPTY;

	sv_cut_line(&text, &line);
	complain("%.*s", SV_ARG(line));
	while (sv_cut_line(&text, &line)) {
		defer(str_clear) struct str shown = STR_INIT;

		display_text(&shown, line);
		fprintf(stderr, "     %s\n", str_c(&shown));
	}
}
