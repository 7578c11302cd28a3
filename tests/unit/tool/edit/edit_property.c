/* Random files and random edits of them, the same on every run: of an edit that is
 * valid only the place differs, one that is not leaves the file alone. */
#include "base/rng.h"
#include "base/utf8.h"
#include "text/json/json_write.h"
#include "tool/tool_rig.h"

enum { ROUNDS = 400, PIECES = 40 };

/* What makes editing hard: every line end, bytes of other encodings, repetition. */
static struct sv random_piece(struct rng *rng)
{
	static const struct sv pieces[] = {
		SV_INIT("\n"),       SV_INIT("\r\n"),
		SV_INIT("\r"),       SV_INIT("\t"),
		SV_INIT("  "),       SV_INIT("a"),
		SV_INIT("aa"),       SV_INIT("b"),
		SV_INIT("foo();"),   SV_INIT("}"),
		SV_INIT("\xe9"),     SV_INIT("\xc3\xa9"),
		SV_INIT("\xff\xff"), SV_INIT("\xef\xbb\xbf"),
		SV_INIT("\x01"),     SV_INIT("\xe2\x80"),
		SV_INIT("x = 1\n"),  SV_INIT("x = 1\r\n"),
		SV_INIT("    y\n"),  SV_INIT("\xf0\x9f\x98\x80"),
	};

	return pieces[rng_below(rng, countof(pieces))];
}

static void random_text(struct str *out, struct rng *rng, size_t most)
{
	for (size_t n = rng_below(rng, most + 1); n > 0; n--)
		str_add(out, random_piece(rng));
}

static void call_edit(struct tool_rig *r, struct sv old_text, struct sv new_text)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "file_path", SV("f"));
	jw_put_str(&w, "old_string", old_text);
	jw_put_str(&w, "new_string", new_text);
	jw_end(&w);
	jw_done(&w);
	tool_rig_call(r, &tool_edit, str_c(&input));
}

static void read_back(struct tool_rig *r, struct str *out)
{
	PATH_IN(path, r->dir, "f");
	struct err err;

	CHECK_OK(fs_read(out, path, 1 << 20, &err), err);
}

static bool parts_line_end(struct sv text, size_t at)
{
	return at > 0 && at < text.len && text.ptr[at - 1] == '\r' && text.ptr[at] == '\n';
}

/* A span of the text that a model could have copied, and that is there once. */
static bool choose_span(struct rng *rng, struct sv text, size_t *from, size_t *to)
{
	struct sv span;

	*from = rng_below(rng, text.len);
	*to = *from + 1 + rng_below(rng, text.len - *from);
	span = sv_slice(text, *from, *to);
	return utf8_valid(span, NULL) && sv_find_char(span, '\'') == SIZE_MAX &&
	       !parts_line_end(text, *from) && !parts_line_end(text, *to) &&
	       sv_find(text, span) == *from && sv_find(sv_skip(text, *from + 1), span) == SIZE_MAX;
}

TEST(a_valid_edit_of_a_random_file_changes_the_span_and_nothing_else)
{
	TOOL_RIG(r);
	struct rng rng;
	size_t valid = 0;

	rng_seed(&rng, 5);
	for (int round = 0; round < ROUNDS; round++) {
		defer(str_clear) struct str before = STR_INIT;
		defer(str_clear) struct str after = STR_INIT;
		size_t from, to;

		str_adds(&before, "start\n");
		random_text(&before, &rng, PIECES);
		if (!choose_span(&rng, sv_of(&before), &from, &to))
			continue;
		tool_rig_put(&r, "f", sv_of(&before));
		tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
		CHECK(!r.call.result.is_error);
		call_edit(&r, sv_slice(sv_of(&before), from, to), SV("<new>"));
		tool_rig_check_text(&r, false, "updated");
		read_back(&r, &after);
		str_splice(&before, from, to, SV("<new>"));
		CHECK_SV_EQ(sv_of(&after), sv_of(&before));
		valid++;
	}
	CHECK(valid > ROUNDS / 8);
}

TEST(an_invalid_edit_of_a_random_file_leaves_it_alone)
{
	TOOL_RIG(r);
	struct rng rng;
	size_t invalid = 0;

	rng_seed(&rng, 6);
	for (int round = 0; round < ROUNDS; round++) {
		defer(str_clear) struct str text = STR_INIT;
		defer(str_clear) struct str old_text = STR_INIT;

		str_adds(&text, "start\n");
		random_text(&text, &rng, PIECES);
		random_text(&old_text, &rng, 4);
		tool_rig_put(&r, "f", sv_of(&text));
		tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
		CHECK(!r.call.result.is_error);
		call_edit(&r, sv_of(&old_text), SV("<new>"));
		if (!r.call.result.is_error)
			continue;
		tool_rig_check(&r, "f", sv_of(&text));
		invalid++;
	}
	CHECK(invalid > ROUNDS / 4);
}

TEST(an_edit_and_its_reverse_give_the_same_file)
{
	TOOL_RIG(r);
	struct rng rng;

	rng_seed(&rng, 7);
	for (int round = 0; round < ROUNDS; round++) {
		defer(str_clear) struct str text = STR_INIT;
		size_t from, to;
		struct sv span;

		str_adds(&text, "start\n");
		random_text(&text, &rng, PIECES);
		if (!choose_span(&rng, sv_of(&text), &from, &to))
			continue;
		span = sv_slice(sv_of(&text), from, to);
		/* Line ends follow the place, so with several kinds they would not come back. */
		if (sv_find_char(span, '\r') != SIZE_MAX || sv_find_char(span, '\n') != SIZE_MAX)
			continue;
		tool_rig_put(&r, "f", sv_of(&text));
		tool_rig_call(&r, &tool_read, "{'file_path':'f'}");
		call_edit(&r, span, SV("<new>"));
		call_edit(&r, SV("<new>"), span);
		tool_rig_check(&r, "f", sv_of(&text));
	}
}
