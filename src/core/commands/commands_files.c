/* Slash commands that read or write files: /export, /bug. */
#include <sys/utsname.h>

#include "base/limits.h"
#include "base/secret_mask.h"
#include "core/commands/commands.h"
#include "core/session/session_host.h"
#include "core/session/session_status.h"
#include "store/transcript/transcript_export.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "text/iso_time.h"

/* --- /export -------------------------------------------------------------------------------- */

/* On a worker: the file of a long session is big. */
struct commands_export {
	char *transcript;
	char *last;      /* uuid of the record that the conversation ends with; may be empty */
	char *target;    /* the real path of the new file; NULL: the text is the answer */
	struct str text; /* begins with the heading */
	struct str *answer;
	struct err refused; /* it cannot begin */
};

static void commands_export_free(void *arg)
{
	struct commands_export *e = arg;

	free(e->transcript);
	free(e->last);
	free(e->target);
	str_clear(&e->text);
	free(e);
}

/* Never replaces a file, not even one that appears meanwhile. */
static bool commands_export_write(const struct commands_export *e, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *pin = fs_pin(e->target, err);

	if (!pin)
		return false;
	if (fs_pinned_info(pin))
		return err_set(err, ERR_EXISTS, "%s exists; name a new file", e->target);
	return fs_pinned_write(pin, sv_of(&e->text), (struct fs_write){ .mode = 0600 }, err);
}

/* The name of the file says what it should contain. */
static transcript_export_fn *commands_export_format(const char *target)
{
	struct sv name = sv_cstr(target);

	if (sv_ends(name, SV(".html")) || sv_ends(name, SV(".htm")))
		return transcript_export_html;
	return sv_ends(name, SV(".json")) ? transcript_export_json : transcript_export;
}

static bool commands_export_run(void *arg, struct err *err)
{
	struct commands_export *e = arg;

	if (e->refused.kind != ERR_NONE) {
		*err = e->refused;
		return false;
	}
	if (!commands_export_format(e->target)(&e->text, e->transcript, sv_cstr(e->last), err))
		return false;
	if (e->target) {
		str_addf(e->answer, "The conversation is in %s.", e->target);
		return commands_export_write(e, err);
	}
	str_add(e->answer, sv_of(&e->text));
	return e->text.len <= LIMIT_COMMAND_TEXT ||
	       err_set(err, ERR_TOO_BIG, "the conversation has %zu KiB; name a file: /export FILE",
		       e->text.len / KIB);
}

/* Whoever typed the path at a terminal has agreed to write there, unless a rule denies it. */
static bool commands_export_find(struct session *s, struct sv written, char **out, struct err *err)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct tool_context *ctx = agent_tool_context(s->agent);
	const struct perm_request request = { .tool = SV("Write"),
					      .access = ACCESS_WRITE,
					      .path = tool_real_path(ctx, written, &arena),
					      .named = tool_path(ctx, written, &arena) };
	struct verdict verdict = perm_decide(&s->policy, &request);

	if (verdict.behavior == BEHAVIOR_DENY ||
	    (verdict.behavior == BEHAVIOR_ASK && !session_is_at_terminal(s)))
		return err_set(err, ERR_ACCESS, "%.*s may not be written: %s", SV_ARG(request.path),
			       verdict.text);
	*out = sv_dup(request.path);
	return true;
}

static bool commands_export_begin(struct session *s, struct sv rest, struct commands_export *e,
				  struct err *err)
{
	const struct conversation *c = &s->conversation;
	struct iso_time now = iso_time(loop_wall(s->engine->loop));

	if (!c->path || !fs_exists(c->path))
		return err_set(err, ERR_NOT_FOUND,
			       c->path ? "there is no conversation yet"
				       : "this session is not saved, so it cannot be exported");
	if (rest.len && !commands_export_find(s, rest, &e->target, err))
		return false;
	e->transcript = xstrdup(c->path);
	e->last = sv_dup(agent_last_record(s->agent));
	e->answer = &s->commands.answer;
	str_addf(&e->text, "# %s\n\n%.10s, %s, session %s\n",
		 c->title.len ? c->title.ptr : "Conversation", now.text, s->shared.root,
		 c->id.text);
	return true;
}

struct op *commands_export(struct session *s, struct sv rest, struct then then)
{
	struct commands_export *e = xnew(struct commands_export);

	s->commands.job = e;
	s->commands.free_job = commands_export_free;
	(void)!commands_export_begin(s, rest, e, &e->refused);
	return work_start(s->engine->loop, commands_export_run, e, then);
}

/* --- /bug ----------------------------------------------------------------------------------- */

static void commands_write_report(struct session *s, struct sv text, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str page = STR_INIT;
	const struct reply_fact *facts;
	size_t n = session_status(s, &facts, &arena);
	struct utsname system;

	str_addf(&page, "# A problem with awl\n\n%.*s\n\n## Where it happened\n\n",
		 SV_ARG(text.len ? text : SV("(Say here what happened, and what you expected.)")));
	for (size_t i = 0; i < n; i++)
		if (facts[i].value.len)
			str_addf(&page, "- %.*s: %.*s\n", SV_ARG(facts[i].label),
				 SV_ARG(facts[i].value));
	if (uname(&system) == 0)
		str_addf(&page, "- System: %s %s, %s\n", system.sysname, system.release,
			 system.machine);
	secret_mask(out, sv_of(&page));
}

/* The date makes the name readable, the id makes it unique. */
static bool commands_place_report(const struct session *s, struct str *out, struct err *err)
{
	struct iso_time now = iso_time(loop_wall(s->engine->loop));
	struct uuid id = uuid_v4(loop_rng(s->engine->loop));

	if (!s->engine->config_dir)
		return err_set(err, ERR_NOT_FOUND, "%s", str_c(&s->engine->no_config));
	fs_join(out, sv_cstr(s->engine->config_dir), SV("awl/reports"));
	if (!fs_mkdirs(out->ptr, 0700, err))
		return false;
	str_addf(out, "/%.10s-%.8s.md", now.text, id.text);
	return true;
}

bool commands_bug(struct session *s, struct sv rest, struct str *out)
{
	defer(str_clear) struct str path = STR_INIT, page = STR_INIT;
	struct err err = ERR_INIT;

	commands_write_report(s, rest, &page);
	if (!commands_place_report(s, &path, &err) ||
	    !fs_write(path.ptr, sv_of(&page), (struct fs_write){ .mode = 0600 }, &err)) {
		str_addf(out, "the report is not written: %s", err.text);
		return false;
	}
	str_addf(out,
		 "A report is in %s. Nothing was sent. It has no conversation and no secrets that "
		 "awl recognizes; read it before you attach it to an issue.",
		 path.ptr);
	return true;
}
