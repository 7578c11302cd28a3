/* awl sessions: lists, searches, shows, renames, exports and deletes the sessions on disk, with the
 * functions of awl.h. */
#include <awl_sessions.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/output.h"
#include "front/display.h"
#include "sys/fs.h"
#include "text/duration.h"
#include "text/json/json_write.h"

enum { SESSIONS_LISTED = 50, SESSIONS_NAME_CELLS = 100, SESSIONS_CWD_CELLS = 60 };

/* So many new bytes are searched at once; with more of them the index comes first. */
#define SESSIONS_SCAN (16LL * 1024 * 1024)

struct sessions {
	const struct args *args;
	struct awl *awl;
	struct str cwd;
	int64_t now_ms;
};

typedef enum exit_code sessions_fn(struct sessions *s);

static void sessions_clear(struct sessions *s)
{
	awl_close(s->awl);
	str_clear(&s->cwd);
}

/* --- rows ------------------------------------------------------------------------------------ */

static const char *sessions_name(const struct awl_session_info *info)
{
	return info->title[0] ? info->title : info->prompt[0] ? info->prompt : "(no prompt)";
}

static void sessions_add_age(struct str *out, const struct sessions *s, int64_t then_ms)
{
	duration_write_ago(out, max_of(s->now_ms - then_ms, (int64_t)0));
}

static void sessions_add_row(struct str *out, const struct sessions *s,
			     const struct awl_session_info *info, bool is_fork)
{
	defer(str_clear) struct str age = STR_INIT, name = STR_INIT, more = STR_INIT;

	sessions_add_age(&age, s, info->modified_ms);
	display_line(&name, sv_cstr(sessions_name(info)), SESSIONS_NAME_CELLS);
	if (info->branch[0])
		str_addf(&more, "[%s] ", info->branch);
	if (info->tag[0])
		str_addf(&more, "#%s ", info->tag);
	if (args_has(s->args, "all-projects"))
		str_adds(&more, info->cwd);
	str_addf(out, "%.8s  %-14s  %s%s", info->id, str_c(&age), is_fork ? "└ " : "",
		 str_c(&name));
	str_adds(out, more.len ? "  " : "");
	display_line(out, sv_trim(sv_of(&more)), SESSIONS_CWD_CELLS);
	str_addc(out, '\n');
	if (info->snippet[0]) {
		str_adds(out, "          ");
		display_line(out, sv_cstr(info->snippet), SESSIONS_NAME_CELLS);
		str_addc(out, '\n');
	}
}

static bool sessions_is_fork_of(const struct awl_session_info *a, const struct awl_session_info *b)
{
	return a->root[0] && sv_is(sv_cstr(a->root), b->root);
}

/* A session stands where its youngest fork belongs, and the others follow it. */
static void sessions_add_rows(struct str *out, const struct sessions *s,
			      const struct awl_session_list *list)
{
	const struct awl_session_info *info, *other;

	for (size_t i = 0; (info = awl_session_list_at(list, i)); i++) {
		bool is_listed = false;

		for (size_t j = 0; j < i && !is_listed; j++)
			is_listed = sessions_is_fork_of(info, awl_session_list_at(list, j));
		if (is_listed)
			continue;
		sessions_add_row(out, s, info, false);
		for (size_t j = i + 1; (other = awl_session_list_at(list, j)); j++)
			if (sessions_is_fork_of(info, other))
				sessions_add_row(out, s, other, true);
	}
}

static void sessions_put(struct jw *w, const struct awl_session_info *info)
{
	const struct {
		const char *key, *value;
	} texts[] = { { "id", info->id },          { "path", info->path },
		      { "title", info->title },    { "prompt", info->prompt },
		      { "cwd", info->cwd },        { "branch", info->branch },
		      { "tag", info->tag },        { "root", info->root },
		      { "snippet", info->snippet } };

	jw_object(w);
	for (size_t i = 0; i < countof(texts); i++)
		if (texts[i].value[0])
			jw_put_str(w, texts[i].key, sv_cstr(texts[i].value));
	jw_put_int(w, "modified_ms", info->modified_ms);
	if (info->created_ms)
		jw_put_int(w, "created_ms", info->created_ms);
	if (info->messages)
		jw_put_int(w, "messages", info->messages);
	jw_put_int(w, "bytes", info->bytes);
	jw_end(w);
}

static enum exit_code sessions_print(const struct sessions *s, struct awl_session_list *list,
				     const char *none)
{
	defer(str_clear) struct str page = STR_INIT;
	const struct awl_session_info *info;
	struct jw w;

	if (args_has(s->args, "json")) {
		jw_init(&w, &page, JW_COMPACT);
		jw_array(&w);
		for (size_t i = 0; (info = awl_session_list_at(list, i)); i++)
			sessions_put(&w, info);
		jw_end(&w);
		jw_done(&w);
		str_addc(&page, '\n');
	} else {
		sessions_add_rows(&page, s, list);
		if (!page.len)
			str_adds(&page, none);
	}
	awl_session_list_free(list);
	return output(sv_of(&page));
}

/* --- list, search ------------------------------------------------------------------------------ */

static bool sessions_read_limit(const struct sessions *s, size_t *limit)
{
	const char *text = args_value(s->args, "limit");
	int64_t n = SESSIONS_LISTED;

	if (text && (!sv_to_int(sv_cstr(text), &n) || n < 0)) {
		usage_error("--limit must be a number, not '%s'; 0 is no limit", text);
		return false;
	}
	*limit = (size_t)n;
	return true;
}

static bool sessions_read_query(const struct sessions *s, struct awl_session_query *query)
{
	query->cwd = args_has(s->args, "all-projects") ? NULL : str_c(&s->cwd);
	query->branch = args_value(s->args, "branch");
	query->tag = args_value(s->args, "tag");
	return sessions_read_limit(s, &query->limit);
}

static enum exit_code sessions_list(struct sessions *s)
{
	struct awl_session_query query = AWL_SESSION_QUERY_INIT;
	struct awl_session_list *list = NULL;

	if (!sessions_read_query(s, &query))
		return EXIT_FAILED;
	if (awl_sessions_search(&list, s->awl, &query) != AWL_OK)
		return failure("%s", awl_last_error());
	return sessions_print(s, list,
			      query.cwd ? "There are no sessions of this directory; "
					  "--all-projects lists those of all.\n"
					: "There are no sessions.\n");
}

static bool sessions_show_progress(__attribute__((unused)) void *arg, int64_t done, int64_t total)
{
	fprintf(stderr, "\rIndexing sessions: %3d %%", total ? (int)(done * 100 / total) : 100);
	return true;
}

/* A search works without the index, too, so that problems with it are only worth a remark. */
static void sessions_update_index(struct sessions *s, bool is_long)
{
	bool is_shown = is_long && isatty(STDERR_FILENO);
	enum awl_result result =
		awl_sessions_index(s->awl, is_shown ? sessions_show_progress : NULL, NULL);

	if (is_shown)
		fputs("\r\033[K", stderr);
	if (result != AWL_OK && result != AWL_ERR_BUSY)
		complain("%s; reading the sessions themselves", awl_last_error());
}

/* The answer comes first where it can: little is new since the last search as a rule. */
static enum exit_code sessions_answer(struct sessions *s, struct awl_session_query *query)
{
	struct awl_session_list *list = NULL;
	enum exit_code code;
	bool is_behind;

	query->max_scan = SESSIONS_SCAN;
	if (awl_sessions_search(&list, s->awl, query) != AWL_OK)
		return failure("%s", awl_last_error());
	is_behind = awl_session_list_unindexed(list) > 0;
	if (awl_session_list_unindexed(list) > query->max_scan) {
		awl_session_list_free(list);
		sessions_update_index(s, true);
		is_behind = false;
		query->max_scan = 0;
		if (awl_sessions_search(&list, s->awl, query) != AWL_OK)
			return failure("%s", awl_last_error());
	}
	code = sessions_print(s, list, "Nothing was found.\n");
	if (is_behind)
		sessions_update_index(s, false);
	return code;
}

static enum exit_code sessions_search(struct sessions *s)
{
	struct awl_session_query query = AWL_SESSION_QUERY_INIT;
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = 1; i < s->args->words.n; i++)
		str_addf(&text, "%s%s", i > 1 ? " " : "", s->args->words.at[i]);
	if (!text.len)
		return usage_error("what to search for? awl sessions search <words>");
	if (!sessions_read_query(s, &query))
		return EXIT_FAILED;
	query.text = str_c(&text);
	return sessions_answer(s, &query);
}

/* --- one session ---------------------------------------------------------------------------------- */

/* The session that the second word names. The caller frees the list. */
static const struct awl_session_info *sessions_find(const struct sessions *s,
						    struct awl_session_list **list)
{
	if (s->args->words.n < 2) {
		usage_error("which session? Name its id, the first 8 digits of it, or its title");
		return NULL;
	}
	if (awl_sessions_find(list, s->awl, str_c(&s->cwd), s->args->words.at[1]) != AWL_OK) {
		failure("%s", awl_last_error());
		return NULL;
	}
	return awl_session_list_at(*list, 0);
}

static void sessions_add_heading(struct str *out, const struct sessions *s,
				 const struct awl_session_info *info)
{
	str_addf(out, "# %s\n\n", sessions_name(info));
	str_addf(out, "session %s\n", info->id);
	if (info->cwd[0])
		str_addf(out, "directory %s\n", info->cwd);
	if (info->branch[0])
		str_addf(out, "branch %s\n", info->branch);
	if (info->tag[0])
		str_addf(out, "tag %s\n", info->tag);
	str_adds(out, "last used ");
	sessions_add_age(out, s, info->modified_ms);
	str_addf(out, "\nresume it with: awl --resume %s\n", info->id);
}

static enum exit_code sessions_show(struct sessions *s)
{
	struct awl_session_list *list = NULL;
	const struct awl_session_info *info = sessions_find(s, &list);
	defer(str_clear) struct str page = STR_INIT, shown = STR_INIT;
	enum exit_code code = EXIT_FAILED;
	const char *text;
	size_t length;

	if (info && awl_sessions_export(s->awl, info->path, AWL_EXPORT_MARKDOWN, &text, &length) !=
			    AWL_OK) {
		failure("%s", awl_last_error());
	} else if (info) {
		sessions_add_heading(&page, s, info);
		str_add(&page, sv_from(text, length));
		display_text(&shown, sv_of(&page));
		code = output(sv_of(&shown));
	}
	awl_session_list_free(list);
	return code;
}

static enum exit_code sessions_change(struct sessions *s, const char *what,
				      enum awl_result (*change)(struct awl *, const char *,
								const char *))
{
	struct awl_session_list *list = NULL;
	const struct awl_session_info *info = sessions_find(s, &list);
	enum exit_code code = EXIT_FAILED;
	bool removes = s->args->words.n < 3;

	if (info && change(s->awl, info->id, removes ? "" : s->args->words.at[2]) != AWL_OK) {
		failure("%s", awl_last_error());
	} else if (info) {
		defer(str_clear) struct str line = STR_INIT;

		if (removes)
			str_addf(&line, "Removed the %s of session %s.\n", what, info->id);
		else
			str_addf(&line, "Session %s has the %s \"%s\" now.\n", info->id, what,
				 s->args->words.at[2]);
		code = output(sv_of(&line));
	}
	awl_session_list_free(list);
	return code;
}

static enum exit_code sessions_rename(struct sessions *s)
{
	if (s->args->words.n < 3)
		return usage_error("awl sessions rename <session> <title>");
	return sessions_change(s, "title", awl_sessions_rename);
}

static enum exit_code sessions_tag(struct sessions *s)
{
	return sessions_change(s, "tag", awl_sessions_tag);
}

/* --- export ------------------------------------------------------------------------------------------ */

static const struct {
	const char *name, *ending;
	enum awl_export format;
} sessions_formats[] = {
	{ "markdown", ".md", AWL_EXPORT_MARKDOWN },
	{ "html", ".html", AWL_EXPORT_HTML },
	{ "json", ".json", AWL_EXPORT_JSON },
};

/* The flag says it, or else the name of the file. */
static bool sessions_read_format(const struct sessions *s, const char *file, enum awl_export *out)
{
	const char *name = args_value(s->args, "format");

	*out = AWL_EXPORT_MARKDOWN;
	for (size_t i = 0; i < countof(sessions_formats); i++) {
		if (name ? sv_is(sv_cstr(name), sessions_formats[i].name)
			 : sv_ends(sv_cstr(file), sv_cstr(sessions_formats[i].ending))) {
			*out = sessions_formats[i].format;
			return true;
		}
	}
	if (name)
		usage_error("--format must be 'markdown', 'html' or 'json', not '%s'", name);
	return !name;
}

static enum exit_code sessions_write(const char *file, struct sv text)
{
	struct err err = ERR_INIT;

	if (fs_exists(file))
		return failure("%s exists; name a new file", file);
	if (!fs_write(file, text, (struct fs_write){ .mode = 0600 }, &err))
		return failure("%s", err.text);
	return EXIT_OK;
}

static enum exit_code sessions_export(struct sessions *s)
{
	const char *file = s->args->words.n > 2 ? s->args->words.at[2] : NULL, *text;
	struct awl_session_list *list = NULL;
	const struct awl_session_info *info;
	enum exit_code code = EXIT_FAILED;
	enum awl_export format;
	size_t length;

	if (!sessions_read_format(s, file, &format))
		return EXIT_FAILED;
	info = sessions_find(s, &list);
	if (info && awl_sessions_export(s->awl, info->path, format, &text, &length) != AWL_OK)
		failure("%s", awl_last_error());
	else if (info)
		code = file ? sessions_write(file, sv_from(text, length))
			    : output(sv_from(text, length));
	awl_session_list_free(list);
	return code;
}

/* --- purge --------------------------------------------------------------------------------------------- */

/* "30d", "12h", "2w". */
static bool sessions_read_age(const char *text, int64_t *ms)
{
	static const struct {
		char letter;
		int64_t ms;
	} units[] = { { 'h', 3600 * 1000LL },
		      { 'd', 24 * 3600 * 1000LL },
		      { 'w', 7 * 24 * 3600 * 1000LL } };
	struct sv number = sv_cstr(text);
	int64_t n;

	for (size_t i = 0; number.len && i < countof(units); i++) {
		if (number.ptr[number.len - 1] != units[i].letter)
			continue;
		number = sv_slice(number, 0, number.len - 1);
		if (!sv_to_int(number, &n) || n < 0 || n > 100000)
			break;
		*ms = n * units[i].ms;
		return true;
	}
	usage_error("--older-than must be an age such as 30d, 12h or 2w, not '%s'", text);
	return false;
}

struct purge {
	size_t n, open;
	int64_t bytes;
	struct str page;
};

static void sessions_purge_one(struct sessions *s, struct purge *p,
			       const struct awl_session_info *info, bool is_dry)
{
	if (awl_sessions_is_open(s->awl, info->id)) {
		p->open++;
		return;
	}
	if (!is_dry && awl_sessions_delete(s->awl, info->id) != AWL_OK) {
		complain("%s", awl_last_error());
		return;
	}
	p->n++;
	p->bytes += info->bytes;
	sessions_add_row(&p->page, s, info, false);
}

static void sessions_purge_all(struct sessions *s, struct purge *p,
			       const struct awl_session_list *list, int64_t before_ms, bool is_dry)
{
	const struct awl_session_info *info;

	*p = (struct purge){ .page = STR_INIT };
	for (size_t i = 0; (info = awl_session_list_at(list, i)); i++)
		if (info->modified_ms < before_ms)
			sessions_purge_one(s, p, info, is_dry);
}

static enum exit_code sessions_purge_report(struct purge *p, bool is_dry)
{
	enum exit_code code;

	str_addf(&p->page, "%s %zu session%s, %.1f MB.", is_dry ? "Would delete" : "Deleted", p->n,
		 p->n == 1 ? "" : "s", (double)p->bytes / 1e6);
	if (p->open)
		str_addf(&p->page, " %zu open one%s stay%s.", p->open, p->open == 1 ? "" : "s",
			 p->open == 1 ? "s" : "");
	str_addc(&p->page, '\n');
	code = output(sv_of(&p->page));
	str_clear(&p->page);
	return code;
}

static bool sessions_purge_is_agreed(void)
{
	char answer[16] = "";

	fputs("Delete them? [y/N] ", stdout);
	fflush(stdout);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

static enum exit_code sessions_purge_list(struct sessions *s, const struct awl_session_list *list,
					  int64_t before_ms)
{
	bool is_dry = args_has(s->args, "dry-run"), is_sure = args_has(s->args, "yes");
	enum exit_code code;
	struct purge p;

	if (!is_dry && !is_sure && !isatty(STDIN_FILENO))
		return failure("standard input is not a terminal; try --dry-run, then --yes");
	if (is_dry || !is_sure) {
		sessions_purge_all(s, &p, list, before_ms, true);
		code = sessions_purge_report(&p, true);
		if (is_dry || code != EXIT_OK || !p.n)
			return code;
		if (!sessions_purge_is_agreed())
			return output(SV("Nothing was deleted.\n"));
	}
	sessions_purge_all(s, &p, list, before_ms, false);
	return sessions_purge_report(&p, false);
}

static enum exit_code sessions_purge(struct sessions *s)
{
	struct awl_session_query query = AWL_SESSION_QUERY_INIT;
	const char *age = args_value(s->args, "older-than");
	struct awl_session_list *list = NULL;
	enum exit_code code;
	int64_t ms = 0;

	if (s->args->words.n > 1) {
		if (!sessions_find(s, &list))
			return EXIT_FAILED;
		code = sessions_purge_list(s, list, INT64_MAX);
	} else {
		if (!age)
			return usage_error(
				"how old? awl sessions purge --older-than 30d; or name a "
				"session");
		if (!sessions_read_age(age, &ms) || !sessions_read_query(s, &query))
			return EXIT_FAILED;
		query.limit = 0;
		if (awl_sessions_search(&list, s->awl, &query) != AWL_OK)
			return failure("%s", awl_last_error());
		code = sessions_purge_list(s, list, s->now_ms - ms);
	}
	awl_session_list_free(list);
	return code;
}

/* --- which ---------------------------------------------------------------------------------------------- */

const struct action sessions_actions[] = {
	{ .name = "list", .summary = "List the sessions of this directory; the default" },
	{ .name = "search",
	  .words = "<words>",
	  .summary = "Find sessions by what was said in them; quotes keep words together" },
	{ .name = "show", .words = "<session>", .summary = "Print a conversation" },
	{ .name = "rename", .words = "<session> <title>", .summary = "Give a session a title" },
	{ .name = "tag",
	  .words = "<session> [tag]",
	  .summary = "Give a session a tag to filter by, or remove it" },
	{ .name = "export",
	  .words = "<session> [file]",
	  .summary = "Write a conversation as Markdown, HTML or JSON" },
	{ .name = "purge",
	  .words = "[session]",
	  .summary = "Delete a session, or all that are older than --older-than; open ones "
		     "are kept" },
	{ .name = "" },
};

static sessions_fn *const sessions_runs[] = { sessions_list,   sessions_search, sessions_show,
					      sessions_rename, sessions_tag,    sessions_export,
					      sessions_purge };

enum exit_code sessions_run(const struct args *args)
{
	defer(sessions_clear) struct sessions s = { .args = args };
	const char *action = args->words.n ? args->words.at[0] : "list";
	struct err err = ERR_INIT;
	struct timeval now;

	for (size_t i = 0; sessions_actions[i].name[0]; i++) {
		if (!sv_is(sv_cstr(action), sessions_actions[i].name))
			continue;
		if (!fs_cwd(&s.cwd, &err))
			return failure("%s", err.text);
		if (awl_open(&s.awl, NULL) != AWL_OK)
			return failure("%s", awl_last_error());
		gettimeofday(&now, NULL);
		s.now_ms = (int64_t)now.tv_sec * 1000 + now.tv_usec / 1000;
		return sessions_runs[i](&s);
	}
	return usage_error("'awl sessions %s' does not exist; 'awl help sessions' lists what does",
			   action);
}
