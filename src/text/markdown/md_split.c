/* Follows the block structure of Markdown just far enough to know when a top-level block
 * has ended. Anything rare and ambiguous ends the search: that costs a reader some
 * drawing, while a wrong cut would be visible. */
#include "base/ascii.h"
#include "text/markdown/md.h"
#include "text/markdown/md_line.h"

enum state {
	PLAIN,      /* no block is open that survives a blank line */
	LIST,       /* in a list at the top level */
	MAYBE_LIST, /* after a line that continues an item's text, or ends the list */
	FENCE,      /* in a fenced code block at the top level */
	LOST,       /* no more cuts */
};

struct splitter {
	enum state state;
	size_t content;   /* LIST: the column where the text of the last item begins */
	bool empty_item;  /* LIST: the last item has no text yet */
	bool inner_fence; /* a list or quote contained a fence that may be unclosed */
	char fence;       /* FENCE: its character, and how often */
	size_t fence_len;
	bool after_blank; /* the previous line was blank, or there is none */
	bool bracket;     /* since the last blank line, a line began like a link definition */
	bool swallows;    /* since then, a line began HTML or a table, which may take any line */
};

/* What a line looks like on its own. */
struct line {
	struct sv text; /* without its indentation; empty when blank */
	size_t indent;  /* in columns */
	bool rule;      /* a thematic break: three or more of one of -*_ */
	bool item;      /* begins with a list marker, and is not a thematic break */
	bool empty;     /* an item without text */
	bool odd;       /* an item with a tab before its text, so that its column is ambiguous */
	bool strong;    /* an item that may interrupt a paragraph */
	size_t content; /* the column of the item's text */
	bool fences;    /* contains ``` or ~~~ anywhere */
	size_t fence;   /* begins with so many fence characters, three at least */
	bool opens;     /* a fence that may open a code block */
	bool html;      /* may begin HTML that blank lines do not end */
};

/* The number of `c` characters at the start of the text. */
static size_t md_split_run_of(struct sv text, char c)
{
	size_t n = 0;

	while (n < text.len && text.ptr[n] == c)
		n++;
	return n;
}

static size_t md_split_digits_of(struct sv text)
{
	size_t n = 0;

	while (n < text.len && text.ptr[n] >= '0' && text.ptr[n] <= '9')
		n++;
	return n;
}

static bool md_split_is_rule(struct sv text)
{
	char mark = text.ptr[0];
	size_t marks = 0;

	if (mark != '-' && mark != '*' && mark != '_')
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == mark)
			marks++;
		else if (!ascii_is_blank(text.ptr[i]))
			return false;
	}
	return marks >= 3;
}

/* Length of the list marker at the start of the text, or 0. */
static size_t md_split_marker_of(struct sv text)
{
	size_t digits = md_split_digits_of(text);
	size_t marker = digits + 1;

	if (digits > 9 || digits == text.len)
		return 0;
	if (!strchr(digits ? ".)" : "-+*", text.ptr[digits]) || text.ptr[digits] == '\0')
		return 0;
	return marker == text.len || ascii_is_blank(text.ptr[marker]) ? marker : 0;
}

static void md_split_look_for_item(struct line *line)
{
	size_t marker = md_split_marker_of(line->text);
	struct sv rest = sv_skip(line->text, marker);
	size_t spaces = md_split_run_of(rest, ' ');

	line->item = marker > 0 && !line->rule;
	line->empty = sv_trim(rest).len == 0;
	line->odd = sv_starts(sv_skip(rest, spaces), SV("\t"));
	line->strong = !line->empty && (marker == 1 || sv_starts(line->text, SV("1")));
	line->strong = line->strong && marker <= 2;
	/* Five spaces are one separator and the four of an indented code block. */
	line->content = line->indent + marker + (spaces > 4 || line->empty ? 1 : spaces);
}

static void md_split_look_for_fence(struct line *line)
{
	char mark = line->text.ptr[0];
	size_t n = md_split_run_of(line->text, mark);

	line->fences = sv_find(line->text, SV("```")) != SIZE_MAX ||
		       sv_find(line->text, SV("~~~")) != SIZE_MAX;
	if ((mark != '`' && mark != '~') || n < 3)
		return;
	line->fence = n;
	line->opens = mark == '~' || sv_find_char(sv_skip(line->text, n), '`') == SIZE_MAX;
}

static bool md_split_looks_like_html(struct sv text)
{
	static const struct sv starts[] = {
		SV_INIT("<!"),     SV_INIT("<?"),   SV_INIT("<script"),
		SV_INIT("<style"), SV_INIT("<pre"), SV_INIT("<textarea"),
	};

	for (size_t i = 0; i < countof(starts); i++)
		if (sv_eq_nocase(sv_slice(text, 0, starts[i].len), starts[i]))
			return true;
	return false;
}

static struct line md_split_look_at(struct sv text)
{
	struct line line = { .text = SV_EMPTY };
	size_t at = 0;

	for (; at < text.len && ascii_is_blank(text.ptr[at]); at++)
		line.indent += text.ptr[at] == '\t' ? 4 - line.indent % 4 : 1;
	line.text = sv_skip(text, at);
	if (line.text.len == 0)
		return line;
	line.rule = md_split_is_rule(line.text);
	md_split_look_for_item(&line);
	md_split_look_for_fence(&line);
	line.html = md_split_looks_like_html(line.text);
	return line;
}

static void md_split_enter_item(struct splitter *s, const struct line *line)
{
	s->inner_fence |= line->fences;
	s->state = line->odd ? LOST : LIST;
	s->content = line->content;
	s->empty_item = line->empty;
}

/* Process a line outside of lists. */
static void md_split_on_plain(struct splitter *s, const struct line *line)
{
	bool deep = line->indent >= 4;

	s->state = PLAIN;
	if (deep && s->after_blank)
		return; /* an indented code block */
	if (line->html || (deep && (line->opens || line->item))) {
		s->state = LOST; /* the latter should be text, but md4c disagrees */
	} else if (line->opens) {
		s->state = FENCE;
		s->fence = line->text.ptr[0];
		s->fence_len = line->fence;
	} else if (line->text.ptr[0] == '>') {
		s->inner_fence |= line->fences;
	} else if (line->item) {
		/* Otherwise it depends on whether the previous line belongs to a
		 * paragraph. */
		if (s->after_blank || line->strong)
			md_split_enter_item(s, line);
		else
			s->state = LOST;
	}
}

/* Whether a line starts a block in any position. */
static bool is_start(const struct line *line)
{
	return line->rule || line->opens || line->html || line->text.ptr[0] == '>';
}

static void md_split_on_list(struct splitter *s, const struct line *line)
{
	if (line->indent >= s->content) {
		s->empty_item = false;
		s->inner_fence |= line->fences;
		return;
	}
	if (line->indent >= 4)
		s->state = LOST;
	else if (line->item)
		md_split_enter_item(s, line);
	else if (s->after_blank || is_start(line))
		md_split_on_plain(s, line);
	else
		s->state = MAYBE_LIST;
}

/* Only a line with the same meaning inside the list and after it is certain. */
static void md_split_on_maybe_list(struct splitter *s, const struct line *line)
{
	if (line->indent > 0 && (s->after_blank || is_start(line) || line->item))
		s->state = LOST;
	else if (line->item && (s->after_blank || line->strong))
		md_split_enter_item(s, line);
	else if (!line->item && (s->after_blank || is_start(line)))
		md_split_on_plain(s, line);
}

static void md_split_on_fence(struct splitter *s, const struct line *line)
{
	struct sv rest = sv_skip(line->text, line->fence);

	if (line->indent >= 4 || line->fence < s->fence_len || line->text.ptr[0] != s->fence)
		return;
	if (md_split_run_of(rest, ' ') == rest.len)
		s->state = PLAIN;
	else if (sv_trim(rest).len == 0)
		s->state = LOST; /* parsers differ on other white space there */
}

/* Whether this line may contain the label and colon of a link definition. */
static bool md_split_may_define_link(struct splitter *s, const struct line *line)
{
	size_t at = 0;

	while (at < line->text.len && strchr(" \t>-+*.)0123456789", line->text.ptr[at]) &&
	       line->text.ptr[at] != '\0')
		at++;
	s->bracket = s->bracket || sv_starts(sv_skip(line->text, at), SV("["));
	return s->bracket && sv_find(line->text, SV("]:")) != SIZE_MAX;
}

static bool has_ticks(const struct line *line)
{
	return line->text.ptr[0] == '`' || line->text.ptr[0] == '~';
}

/* Whether this may be the delimiter line below a table's head. */
static bool is_underline(struct sv text)
{
	size_t i = 0;

	while (i < text.len && text.ptr[i] && strchr("|-: \t", text.ptr[i]))
		i++;
	return i == text.len && sv_find_char(text, '-') != SIZE_MAX &&
	       (sv_find_char(text, '|') != SIZE_MAX || sv_find_char(text, ':') != SIZE_MAX);
}

/* Whether a line outside of any list is ambiguous: HTML or a table that began before may
 * contain it, and md4c takes a line that begins like a fence for the end of one that was
 * left open in a list or quote. */
static bool is_unclear(struct splitter *s, const struct line *line)
{
	bool unclear;

	if (s->state == LIST && line->indent >= s->content)
		return false;
	unclear =
		(s->swallows && (line->fence || line->item)) || (s->inner_fence && has_ticks(line));
	s->swallows |= line->text.ptr[0] == '<' || is_underline(line->text);
	return unclear;
}

static void md_split_step(struct splitter *s, const struct line *line)
{
	bool blank = line->text.len == 0;

	if (s->state == FENCE) {
		if (!blank)
			md_split_on_fence(s, line);
	} else if (blank) {
		s->bracket = s->swallows = false;
		if (s->state == LIST && s->empty_item)
			s->state = LOST; /* the following lines are no longer in that item */
	} else if (md_split_may_define_link(s, line) || is_unclear(s, line)) {
		s->state = LOST;
	} else if (s->state == LIST) {
		md_split_on_list(s, line);
	} else if (s->state == MAYBE_LIST) {
		md_split_on_maybe_list(s, line);
	} else {
		md_split_on_plain(s, line);
	}
	s->after_blank = blank;
}

/* Whether a line that may be incomplete cannot continue a list before it. */
static bool md_split_leaves_list(const struct line *line, bool whole)
{
	bool undecided = md_split_marker_of(line->text) > 0 ||
			 md_split_digits_of(line->text) == line->text.len;

	return !line->item && (whole || !undecided);
}

/* Whether all blocks before this line have ended, and it begins a new one. */
static bool md_split_may_cut(const struct splitter *s, const struct line *line, bool whole)
{
	if (!s->after_blank || line->text.len == 0 || line->indent > 0)
		return false;
	if (s->inner_fence && has_ticks(line))
		return false;
	if (s->state == LIST || s->state == MAYBE_LIST)
		return md_split_leaves_list(line, whole);
	return s->state == PLAIN;
}

size_t md_stable_prefix(struct sv text)
{
	static const struct splitter fresh = { .state = PLAIN, .after_blank = true };
	struct splitter s = fresh;
	size_t cut = 0, at = 0, start = 0;
	struct sv view;

	for (; s.state != LOST && md_next_line(text, &at, &view); start = at) {
		struct line line = md_split_look_at(view);
		/* A CR at the very end may be half of a line end. */
		bool whole = at < text.len || text.ptr[at - 1] == '\n';

		if (md_split_may_cut(&s, &line, whole)) {
			cut = start;
			s = fresh;
		}
		if (whole)
			md_split_step(&s, &line);
	}
	return cut;
}
