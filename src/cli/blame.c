/* awl blame: which prompt of which session wrote each line of a file. */
#include <awl_sessions.h>
#include <sys/time.h>

#include "base/utf8.h"
#include "cli/output.h"
#include "front/display.h"
#include "text/duration.h"
#include "text/json/json_write.h"

enum { BLAME_TITLE_CELLS = 30 };

/* The lines to show, from 1. */
struct blame_range {
	size_t first, last;
};

/* "12", "12,20" or "12,". */
static bool blame_read_range(const char *text, struct blame_range *out)
{
	struct sv rest = sv_cstr(text), first = SV_EMPTY;
	int64_t from = 0, to = INT64_MAX;
	bool is_one = sv_find_char(rest, ',') == SIZE_MAX;

	*out = (struct blame_range){ 1, SIZE_MAX };
	if (!text)
		return true;
	(void)sv_cut(&rest, ',', &first);
	if (!sv_to_int(first, &from) || from < 1 ||
	    (rest.len && (!sv_to_int(rest, &to) || to < from))) {
		usage_error("--lines must be lines such as 12 or 12,20, not '%s'", text);
		return false;
	}
	*out = (struct blame_range){ (size_t)from, is_one ? (size_t)from : (size_t)to };
	return true;
}

static void blame_add_row(struct str *out, const struct awl_blame_line *line, size_t number,
			  int64_t now_ms)
{
	defer(str_clear) struct str age = STR_INIT, title = STR_INIT;
	int gap = BLAME_TITLE_CELLS;

	if (line->prompt) {
		duration_write_ago(&age, max_of(now_ms - line->prompt->time_ms, (int64_t)0));
		display_line(&title, sv_cstr(line->prompt->title), BLAME_TITLE_CELLS);
	}
	gap -= (int)utf8_cells(sv_of(&title));
	str_addf(out, "%.8s  %-14s  %s%*s  %5zu  ",
		 line->prompt ? line->prompt->session : "--------", str_c(&age), str_c(&title), gap,
		 "", number);
	display_text(out, sv_from(line->text, line->length));
	str_addc(out, '\n');
}

static void blame_put_prompts(struct jw *w, const struct awl_blame *blame)
{
	const struct awl_blame_prompt *prompt;

	jw_put_array(w, "prompts");
	for (size_t i = 0; (prompt = awl_blame_prompt(blame, i)); i++) {
		jw_object(w);
		jw_put_str(w, "session", sv_cstr(prompt->session));
		jw_put_str(w, "uuid", sv_cstr(prompt->uuid));
		jw_put_str(w, "title", sv_cstr(prompt->title));
		jw_put_int(w, "time_ms", prompt->time_ms);
		jw_put_int(w, "lines", (int64_t)prompt->lines);
		jw_end(w);
	}
	jw_end(w);
}

static void blame_put(struct str *out, const struct awl_blame *blame, struct blame_range range)
{
	const struct awl_blame_prompt *first = awl_blame_prompt(blame, 0);
	struct awl_blame_line line;
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	blame_put_prompts(&w, blame);
	jw_put_array(&w, "lines");
	for (size_t i = range.first; i <= range.last && awl_blame_line(blame, i - 1, &line); i++) {
		jw_object(&w);
		jw_put_int(&w, "line", (int64_t)i);
		if (line.prompt)
			jw_put_int(&w, "prompt", line.prompt - first);
		jw_put_str(&w, "text", sv_from(line.text, line.length));
		jw_end(&w);
	}
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

static enum exit_code blame_print(const struct args *args, const struct awl_blame *blame,
				  struct blame_range range)
{
	defer(str_clear) struct str page = STR_INIT;
	struct awl_blame_line line;
	struct timeval now;

	gettimeofday(&now, NULL);
	if (args_has(args, "json")) {
		blame_put(&page, blame, range);
		return output(sv_of(&page));
	}
	for (size_t i = range.first; i <= range.last && awl_blame_line(blame, i - 1, &line); i++)
		blame_add_row(&page, &line, i, (int64_t)now.tv_sec * 1000 + now.tv_usec / 1000);
	if (!awl_blame_prompt(blame, 0))
		complain("no line of %s is known to come from a session; the undo history keeps 30 "
			 "days by default",
			 args->words.at[0]);
	return output(sv_of(&page));
}

enum exit_code blame_run(const struct args *args)
{
	struct awl_blame *blame = NULL;
	struct blame_range range;
	enum exit_code code;
	struct awl *awl;

	if (!args->words.n)
		return usage_error("which file? awl blame <file>");
	if (!blame_read_range(args_value(args, "lines"), &range))
		return EXIT_FAILED;
	if (awl_open(&awl, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	code = awl_blame_open(&blame, awl, args->words.at[0]) == AWL_OK
		       ? blame_print(args, blame, range)
		       : failure("%s", awl_last_error());
	awl_blame_close(blame);
	awl_close(awl);
	return code;
}
