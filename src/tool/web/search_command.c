#include "tool/web/search_command.h"

#include "base/limits.h"
#include "base/vec.h"
#include "sys/child.h"
#include "text/json/json_write.h"

enum { DEADLINE_MS = 30000, GRACE_MS = 500, COMPLAINT_MAX = 160, WORDS_MAX = 256 };

struct run {
	struct op op;
	struct op *child;
	struct arena arena;
	VEC(const char *) argv;
	struct str *out, complaint;
};

/* --- the command line ------------------------------------------------------------------ */

/* Refuses text with a NUL, because an argument would end there. */
static bool search_add_word(struct run *run, struct json word, struct sv query)
{
	bool is_query;
	struct sv text;

	if (!json_str(word, &text) || run->argv.n == WORDS_MAX)
		return false;
	is_query = run->argv.n && sv_is(text, "{query}");
	if (is_query)
		text = query;
	if (sv_find_char(text, '\0') != SIZE_MAX)
		return false;
	/* The model must not pass options to the program, so a blank goes in front. */
	if (is_query && sv_starts(text, SV("-")))
		text = arena_printf(&run->arena, " %.*s", SV_ARG(text));
	vec_push(&run->argv, arena_dup(&run->arena, text).ptr);
	return true;
}

static bool search_add_words(struct run *run, struct sv setting, struct sv query, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(setting, 0, err);
	struct json_iter it = json_each(json_root(doc));
	struct json word;

	if (!doc)
		return err_context(err, "AWL_SEARCH_COMMAND");
	while (json_next(&it, NULL, &word))
		if (!search_add_word(run, word, query))
			return err_set(err, ERR_INVALID,
				       "AWL_SEARCH_COMMAND or the query: word %zu cannot be an "
				       "argument",
				       run->argv.n + 1);
	return run->argv.n > 0 ||
	       err_set(err, ERR_INVALID, "AWL_SEARCH_COMMAND does not name a program");
}

static bool search_choose(struct run *run, struct sv setting, struct sv query, struct err *err)
{
	bool is_list = sv_starts(setting, SV("["));

	if (is_list && !search_add_words(run, setting, query, err))
		return false;
	if (!is_list)
		vec_push(&run->argv, arena_dup(&run->arena, setting).ptr);
	vec_push(&run->argv, NULL);
	return true;
}

/* --- the op --------------------------------------------------------------------- */

static void search_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct run *run = owner;

	if (from == CHILD_OUT)
		str_add(run->out, bytes);
	else
		str_add(&run->complaint, sv_slice(bytes, 0, COMPLAINT_MAX - run->complaint.len));
}

static void search_on_child(struct op *op, void *owner, const struct err *why)
{
	struct run *run = owner;
	struct sv complaint = sv_trim(sv_of(&run->complaint));
	struct err err = ERR_INIT;
	int code = child_result(op).code;

	run->child = NULL;
	if (why)
		err_set(&err, why->kind, "AWL_SEARCH_COMMAND: %s", why->text);
	else if (code)
		err_set(&err, ERR_IO, "AWL_SEARCH_COMMAND exited with %d%s%.*s", code,
			complaint.len ? ": " : "", SV_ARG(complaint));
	op_finish(&run->op, err.kind == ERR_NONE ? NULL : &err);
}

static void search_start_child(struct run *run, struct tool_call *call)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, call->input);
	jw_done(&w);
	str_addc(&input, '\n');
	run->child = child_start(run->op.loop,
				 &(struct child_opts){ .argv = run->argv.at,
						       .env = call->ctx->session->env,
						       .cwd = call->ctx->session->root,
						       .input = sv_of(&input),
						       .max_output = LIMIT_WEB_SEARCH,
						       .deadline_ms = DEADLINE_MS,
						       .grace_ms = GRACE_MS,
						       .on_data = search_on_data },
				 THEN(search_on_child, run));
}

static void run_cancel(struct op *op)
{
	op_cancel(container_of(op, struct run, op)->child);
}

static void run_free(struct op *op)
{
	struct run *run = container_of(op, struct run, op);

	vec_clear(&run->argv);
	arena_clear(&run->arena);
	str_clear(&run->complaint);
	free(run);
}

struct op *search_command_start(struct tool_call *call, struct sv setting, struct str *out,
				struct then then)
{
	static const struct op_type type = { .name = "search command",
					     .cancel = run_cancel,
					     .free = run_free };
	struct run *run = xnew(struct run);
	struct err err = ERR_INIT;

	op_init(&run->op, &type, call->ctx->loop, then);
	run->out = out;
	if (search_choose(run, setting, json_str_or(json_get(call->input, "query"), SV_EMPTY),
			  &err))
		search_start_child(run, call);
	else
		op_finish(&run->op, &err);
	return &run->op;
}
