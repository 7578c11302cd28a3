/* /plugin and /reload-plugins. The first runs 'awl plugin' with the same arguments, because fetching takes time and
 * other programs. That program cannot ask anybody, so it shows what a plugin would run and requires --yes. */
#include "base/limits.h"
#include "core/commands/commands.h"
#include "core/session/session_internal.h"
#include "sys/child.h"
#include "sys/fs.h"
#include "text/invisible.h"
#include "text/shell_words.h"

bool commands_reload_plugins(struct session *s, __attribute__((unused)) struct sv rest,
			     struct str *out)
{
	const struct plugin_set *set = &s->plugins.set;

	session_plugins_reload(s);
	str_addf(out, "%zu plugin%s loaded", set->all.n, set->all.n == 1 ? " is" : "s are");
	for (size_t i = 0; i < set->all.n; i++)
		str_addf(out, "%s%.*s", i ? ", " : ": ", SV_ARG(set->all.at[i].id));
	str_addc(out, '.');
	if (set->notes.len)
		str_addf(out, "\n%.*s", SV_ARG(sv_trim(sv_of(&set->notes))));
	return true;
}

struct commands_plugin {
	struct op op;
	struct session *s;
	struct op *child;
	struct str output;
	bool only_shows; /* nothing changes */
};

static void commands_plugin_cancel(struct op *op)
{
	op_cancel(container_of(op, struct commands_plugin, op)->child);
}

static void commands_plugin_free(struct op *op)
{
	struct commands_plugin *p = container_of(op, struct commands_plugin, op);

	str_clear(&p->output);
	free(p);
}

static const struct op_type commands_plugin_type = {
	.name = "/plugin",
	.cancel = commands_plugin_cancel,
	.free = commands_plugin_free,
};

static void commands_plugin_on_data(void *owner, __attribute__((unused)) enum child_stream from,
				    struct sv bytes)
{
	struct commands_plugin *p = owner;

	str_add(&p->output, bytes); /* capped by max_output */
}

static void commands_plugin_on_done(struct op *child, void *owner, const struct err *why)
{
	struct commands_plugin *p = owner;
	struct session *s = p->s;
	bool failed = !why && child_result(child).code;

	p->child = NULL;
	if (!why && !failed && !p->only_shows && !session_is_closed(s))
		session_plugins_reload(s);
	s->commands.is_refused = failed;
	invisible_drop(&s->commands.answer, sv_trim(sv_of(&p->output)));
	if (!why && !failed && !p->only_shows)
		str_adds(&s->commands.answer, "\nThis session has read the plugins again.");
	op_finish(&p->op, why);
}

/* The words of the command line, in `arena`. */
static bool commands_plugin_words(struct sv rest, const char *const **argv, struct arena *arena,
				  struct err *err)
{
	defer(str_clear) struct str line = STR_INIT, self = STR_INIT;

	if (!fs_readlink(&self, "/proc/self/exe", err))
		return false;
	if (!sv_is(sv_basename(sv_of(&self)), "awl")) /* a program that embeds us */
		str_set(&self, SV("awl"));
	shell_words_quote(&line, sv_of(&self));
	str_addf(&line, " plugin %.*s", SV_ARG(rest));
	return shell_words_split(argv, arena, sv_of(&line), err);
}

struct op *commands_plugin(struct session *s, struct sv rest, struct then then)
{
	struct commands_plugin *p = xnew(struct commands_plugin);
	struct sv words = rest, first = SV_EMPTY;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const char *const *argv;
	struct err err = ERR_INIT;

	op_init(&p->op, &commands_plugin_type, s->engine->loop, then);
	p->s = s;
	(void)sv_cut(&words, ' ', &first);
	p->only_shows = !first.len || sv_is(first, "list") || sv_is(first, "ls") ||
			sv_is(first, "details") || sv_is(first, "validate") ||
			sv_find(words, SV("--dry-run")) != SIZE_MAX;
	if (!commands_plugin_words(rest, &argv, &arena, &err)) {
		op_finish(&p->op, &err);
		return &p->op;
	}
	p->child = child_start(s->engine->loop,
			       &(struct child_opts){ .argv = argv,
						     .env = s->engine->child_env.at,
						     .cwd = s->shared.project,
						     .merge = true,
						     .max_output = LIMIT_COMMAND_TEXT,
						     .deadline_ms = 2 * LIMIT_PLUGIN_FETCH_MS,
						     .on_data = commands_plugin_on_data },
			       THEN(commands_plugin_on_done, p));
	return &p->op;
}
