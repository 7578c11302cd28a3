/* script_play.h - what a script answers, for tests. */
#ifndef AWL_TESTS_UNIT_MODEL_SCRIPT_SCRIPT_PLAY_H
#define AWL_TESTS_UNIT_MODEL_SCRIPT_SCRIPT_PLAY_H

#include "model/script/script_respond.h"
#include "test.h"

static inline struct script *script_of(const char *text)
{
	struct err err = ERR_INIT;
	struct script *s = script_parse(sv_cstr(text), "t", &err);

	CHECK_OK(s != NULL, err);
	return s;
}

/* Answers a POST of `body`; the complaint goes to `complaint`, if there is one to
 * be expected. */
static inline void ask_script(struct script *s, const char *path, const char *body,
			      struct play *out, struct str *complaint)
{
	struct server_request request = { .method = SV("POST"),
					  .path = sv_cstr(path),
					  .body = sv_cstr(body) };
	defer(str_clear) struct str none = STR_INIT;

	*out = (struct play)PLAY_INIT;
	script_respond(s, &request, out, complaint ? complaint : &none);
	CHECK_STR(str_c(&none), "");
}

/* The bytes of the body, joined. */
static inline void play_body(struct str *out, const struct play *play)
{
	for (size_t i = 0; i < play->acts.n; i++)
		if (play->acts.at[i].kind == PLAY_BYTES)
			str_add(out, sv_slice(sv_of(&play->bytes), play->acts.at[i].from,
					      play->acts.at[i].to));
}

/* "head 200 'a' wait 5 'b' end": all that happens. */
static inline void play_describe(struct str *out, const struct play *play)
{
	static const char *const names[] = {
		[PLAY_HEAD] = "head",   [PLAY_BYTES] = "",    [PLAY_GARBAGE] = "garbage ",
		[PLAY_WAIT] = "wait",   [PLAY_END] = "end",   [PLAY_CUT] = "cut",
		[PLAY_RESET] = "reset", [PLAY_FAIL] = "fail",
	};

	for (size_t i = 0; i < play->acts.n; i++) {
		const struct play_act *act = &play->acts.at[i];

		str_addf(out, "%s%s", i ? " " : "", names[act->kind]);
		if (act->kind == PLAY_HEAD)
			str_addf(out, " %d", play->status);
		if (act->kind == PLAY_WAIT)
			str_addf(out, " %lld", (long long)act->ms);
		if (act->to)
			str_addf(out, "'%.*s'",
				 SV_ARG(sv_slice(sv_of(&play->bytes), act->from, act->to)));
	}
}

#endif
