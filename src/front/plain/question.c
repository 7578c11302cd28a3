#include "front/plain/question.h"

#include "front/words.h"
#include "text/json_write.h"

enum { SHOWN_LINES = 40, SHOWN_BYTES = 8192, LINE_CELLS = 200 };

/* Every line of `text`, with something before it. */
static void add_lines(struct str *out, const char *before, struct sv text)
{
	struct sv rest = sv_slice(text, 0, SHOWN_BYTES), line;
	size_t hidden = text.len - rest.len;

	for (size_t n = 0; n < SHOWN_LINES && sv_cut_line(&rest, &line); n++) {
		str_adds(out, before);
		words_add(out, line);
		str_addc(out, '\n');
	}
	hidden += rest.len;
	if (hidden)
		str_addf(out, "%s(%zu more bytes are not shown)\n", before, hidden);
}

static struct sv text_of(struct json input, const char *key)
{
	return json_str_or(json_get(input, key), SV_EMPTY);
}

static void add_command(struct str *out, struct json input)
{
	struct sv why = text_of(input, "description");

	str_adds(out, "May it run this command?");
	if (why.len) {
		str_adds(out, " (");
		words_add_line(out, why, LINE_CELLS);
		str_addc(out, ')');
	}
	str_addc(out, '\n');
	add_lines(out, "  ", text_of(input, "command"));
}

static void add_path_question(struct str *out, const char *verb, struct json input, struct sv cwd)
{
	str_addf(out, "May it %s ", verb);
	words_add_line(out, words_path(text_of(input, "file_path"), cwd), LINE_CELLS);
	str_adds(out, "?\n");
}

static void add_write(struct str *out, struct json input, struct sv cwd)
{
	add_path_question(out, "write", input, cwd);
	add_lines(out, "  + ", text_of(input, "content"));
}

static void add_edit(struct str *out, struct json input, struct sv cwd)
{
	bool everywhere = json_bool_or(json_get(input, "replace_all"), false);

	add_path_question(out, everywhere ? "change every place in" : "change", input, cwd);
	add_lines(out, "  - ", text_of(input, "old_string"));
	add_lines(out, "  + ", text_of(input, "new_string"));
}

static void add_other(struct str *out, struct sv tool, struct json input)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	jw_init(&w, &json, JW_PRETTY);
	jw_value(&w, input);
	jw_done(&w);
	str_adds(out, "May it use ");
	words_add_line(out, tool, LINE_CELLS);
	str_adds(out, "?\n");
	add_lines(out, "  ", sv_of(&json));
}

/* Where a link leads, and why it is asked. */
static void add_reasons(struct str *out, struct json request, struct sv cwd)
{
	struct sv path = text_of(request, "blocked_path");
	struct sv named = text_of(json_get(request, "input"), "file_path");
	struct sv why = text_of(request, "decision_reason");

	if (named.len && path.len && !sv_ends(path, words_path(named, cwd))) {
		str_adds(out, "  That is ");
		words_add_line(out, path, LINE_CELLS);
		str_adds(out, ".\n");
	}
	if (why.len) {
		str_adds(out, "  Asked because: ");
		words_add_line(out, why, LINE_CELLS);
		str_addc(out, '\n');
	}
}

void question_add(struct str *out, struct json request, struct sv cwd)
{
	struct sv tool = text_of(request, "tool_name");
	struct json input = json_get(request, "input");

	if (sv_is(tool, "Bash"))
		add_command(out, input);
	else if (sv_is(tool, "Write"))
		add_write(out, input, cwd);
	else if (sv_is(tool, "Edit"))
		add_edit(out, input, cwd);
	else
		add_other(out, tool, input);
	add_reasons(out, request, cwd);
}

enum reply question_reply(struct sv line)
{
	static const struct {
		const char *word;
		enum reply reply;
	} words[] = {
		{ "1", REPLY_YES },        { "y", REPLY_YES }, { "yes", REPLY_YES },
		{ "2", REPLY_NO },         { "n", REPLY_NO },  { "no", REPLY_NO },
		{ "3", REPLY_NO_BECAUSE },
	};

	for (size_t i = 0; i < countof(words); i++)
		if (sv_eq_nocase(sv_trim(line), sv_cstr(words[i].word)))
			return words[i].reply;
	return REPLY_UNCLEAR;
}
