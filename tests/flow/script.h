/* script.h - a flow file as text: lines, their blocks, and the expected log. */
#ifndef AWL_TESTS_FLOW_SCRIPT_H
#define AWL_TESTS_FLOW_SCRIPT_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

/* "label: name args", with the indented lines below it. Views into the text. */
struct line {
	int number;      /* in the file, from 1 */
	struct sv label; /* the name when there is none */
	struct sv name, args;
	struct sv text;           /* all of it, without the tab that makes it a block's */
	const struct line *block; /* without labels: name is the first word */
	size_t nblock;
};

enum script_sweep { SWEEP_CANCEL = 1, SWEEP_SPLIT = 2, SWEEP_FAIL = 4, SWEEP_SURVIVE = 8 };

struct script {
	struct str text;         /* the whole file */
	VEC(struct line) lines;  /* column 0 */
	VEC(struct line) blocks; /* all indented ones; `lines` point into it */
	int64_t cancel_ms;
	unsigned sweeps;  /* set of script_sweep */
	struct sv expect; /* the last section */
	size_t expect_at; /* its offset; where an update writes */
	bool has_expect;
};

/* Takes `text`. Errors name the line. */
must_use bool flow_script_parse(struct script *s, struct str *text, struct err *err);
void flow_script_clear(struct script *s);

/* One line by itself: "cancel a", with the block of another. */
must_use bool line_parse(struct line *out, struct sv text, const struct line *outer,
			 struct err *err);

/* --- arguments ----------------------------------------------------------- */

/* Takes the first word off `*rest`; SV_EMPTY when there is none. */
struct sv take_word(struct sv *rest);
/* Takes the first word, or "a quoted one" with the escapes of text_decode(). */
must_use bool take_quoted(struct str *out, struct sv *rest, struct err *err);
/* Appends `text` with \n \r \t \\ \" \xNN decoded. */
must_use bool text_decode(struct str *out, struct sv text, struct err *err);
/* Appends `text` between quotes, so that it stays on one line. */
void text_quote(struct str *out, struct sv text);
/* "500ms", "2s", "1m". */
must_use bool parse_ms(int64_t *out, struct sv text, struct err *err);
must_use bool parse_count(int64_t *out, struct sv text, struct err *err);
/* "timeout-idle", as err_kind_name() says it. */
must_use bool parse_err_kind(enum err_kind *out, struct sv name, struct err *err);
/* "TERM". */
must_use bool parse_signal(int *out, struct sv name, struct err *err);

#endif
