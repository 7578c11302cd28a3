#include "context/mentions.h"

#include "base/ascii.h"
#include "base/limits.h"

enum { MOST_LINES = 100 * 1000 * 1000 };

static bool mentions_may_begin(const struct mentions *in)
{
	return in->at == 0 || ascii_is_one_of(in->text.ptr[in->at - 1], " \t\r\n\v\f([{\"'");
}

/* Take a number from the start of the text; 0: there is none. */
static size_t mention_take_number(struct sv *text)
{
	size_t n = 0;

	while (text->len && ascii_is_digit(text->ptr[0])) {
		n = min_of(n * 10 + (size_t)(text->ptr[0] - '0'), (size_t)MOST_LINES);
		*text = sv_skip(*text, 1);
	}
	return n;
}

/* Whether the text is "#L10", "#L10-20" or "#L10-L20". */
static bool mention_read_lines(struct sv text, size_t *first, size_t *last)
{
	size_t from, to;

	if (!sv_starts(text, SV("#L")))
		return false;
	text = sv_skip(text, 2);
	from = to = mention_take_number(&text);
	if (sv_starts(text, SV("-"))) {
		text = sv_skip(text, sv_starts(text, SV("-L")) ? 2 : 1);
		to = mention_take_number(&text);
	}
	if (text.len || !from || to < from)
		return false;
	*first = from;
	*last = to;
	return true;
}

static struct sv mention_trim_punctuation(struct sv word)
{
	while (word.len && ascii_is_one_of(word.ptr[word.len - 1], ".,;:!?)]}\"'"))
		word = sv_slice(word, 0, word.len - 1);
	return word;
}

/* Take what ends at white space, without its punctuation. */
static struct sv mentions_take_word(struct mentions *in)
{
	size_t from = in->at;

	while (in->at < in->text.len && !ascii_is_space(in->text.ptr[in->at]))
		in->at++;
	return mention_trim_punctuation(sv_slice(in->text, from, in->at));
}

/* After the "@": take `"NAME"`; false: there is no such thing. */
static bool mentions_take_quoted(struct mentions *in, struct sv *name)
{
	struct sv rest = sv_skip(in->text, in->at), line = SV_EMPTY;
	size_t end;

	if (!sv_starts(rest, SV("\"")))
		return false;
	rest = sv_skip(rest, 1);
	sv_cut_line(&rest, &line);
	end = sv_find_char(line, '"');
	if (end == SIZE_MAX)
		return false;
	*name = sv_slice(line, 0, end);
	in->at += end + 2;
	return true;
}

/* After the "@". */
static void mentions_take(struct mentions *in, struct mention *out)
{
	size_t mark;

	*out = (struct mention){ .first = 0 };
	if (mentions_take_quoted(in, &out->name)) {
		mention_read_lines(mentions_take_word(in), &out->first, &out->last);
		return;
	}
	out->name = mentions_take_word(in);
	mark = sv_rfind_char(out->name, '#');
	if (mark != SIZE_MAX &&
	    mention_read_lines(sv_skip(out->name, mark), &out->first, &out->last))
		out->name = sv_slice(out->name, 0, mark);
}

bool mentions_next(struct mentions *in, struct mention *out)
{
	while (in->at < in->text.len) {
		bool begins = in->text.ptr[in->at] == '@' && mentions_may_begin(in);

		in->at++;
		if (!begins)
			continue;
		mentions_take(in, out);
		if (out->name.len && out->name.len <= LIMIT_PATH)
			return true;
	}
	return false;
}
