#include "term/markdown/highlight.h"

#include "base/ascii.h"
#include "term/markdown/highlight_language.h"

/* One line while it is taken apart. */
struct lexer {
	struct highlight *highlight;
	const struct highlight_language *language;
	const struct highlight_look *look;
	highlight_fn *fn;
	void *arg;
	struct sv line;
	size_t at;
	size_t given; /* up to here the pieces have been given */
};

/* --- languages -------------------------------------------------------------------- */

static bool highlight_in_list(const char *list, struct sv word, bool any_case)
{
	struct sv rest = sv_cstr(list), item;

	while (word.len && sv_cut(&rest, ' ', &item))
		if (any_case ? sv_eq_nocase(item, word) : sv_eq(item, word))
			return true;
	return false;
}

const struct highlight_language *highlight_find(struct sv name)
{
	struct sv file = sv_basename(name);
	size_t dot = sv_rfind_char(file, '.');
	struct sv ending = dot == SIZE_MAX ? file : sv_skip(file, dot + 1);

	for (size_t i = 0; i < highlight_language_count; i++)
		if (highlight_in_list(highlight_languages[i].names, ending, true) ||
		    highlight_in_list(highlight_languages[i].files, file, false))
			return &highlight_languages[i];
	return NULL;
}

void highlight_init(struct highlight *highlight, const struct highlight_language *language)
{
	*highlight = (struct highlight){ .language = language };
}

/* --- pieces ----------------------------------------------------------------------- */

static struct sv lexer_rest(const struct lexer *lexer)
{
	return sv_skip(lexer->line, lexer->at);
}

static int lexer_peek(const struct lexer *lexer, size_t ahead)
{
	return lexer->at + ahead < lexer->line.len
		       ? (unsigned char)lexer->line.ptr[lexer->at + ahead]
		       : -1;
}

/* Give what has been passed without a colour, and then the next `len` bytes with one. */
static void lexer_give(struct lexer *lexer, size_t len, const struct style *style)
{
	struct sv plain = sv_slice(lexer->line, lexer->given, lexer->at);

	if (plain.len)
		lexer->fn(lexer->arg, plain, &lexer->look->text);
	if (len)
		lexer->fn(lexer->arg, sv_slice(lexer->line, lexer->at, lexer->at + len), style);
	lexer->at += len;
	lexer->given = lexer->at;
}

/* --- comments and strings --------------------------------------------------------- */

/* Give text up to the end of the comment or string that is open. */
static void lexer_until(struct lexer *lexer, size_t from)
{
	struct highlight *h = lexer->highlight;
	struct sv end = sv_cstr(h->until), rest = lexer_rest(lexer);
	size_t at = from;

	while (at < rest.len && !sv_starts(sv_skip(rest, at), end))
		at += !h->is_comment && rest.ptr[at] == '\\' ? 2 : 1;
	if (at < rest.len) {
		at += end.len;
		h->until = NULL;
	}
	lexer_give(lexer, min_of(at, rest.len),
		   h->is_comment ? &lexer->look->comment : &lexer->look->string);
}

static bool lexer_begin_long(struct lexer *lexer, const char *begin, const char *end,
			     bool is_comment)
{
	if (!*begin || !sv_starts(lexer_rest(lexer), sv_cstr(begin)))
		return false;
	lexer->highlight->until = end;
	lexer->highlight->is_comment = is_comment;
	lexer_until(lexer, strlen(begin));
	return true;
}

static bool lexer_comment(struct lexer *lexer)
{
	const struct highlight_language *language = lexer->language;

	if (lexer_begin_long(lexer, language->comment, language->comment_end, true))
		return true;
	for (size_t i = 0; i < countof(language->line_comments); i++) {
		const char *mark = language->line_comments[i];

		/* In shells and YAML a # inside a word is not a comment. */
		if (*mark && sv_starts(lexer_rest(lexer), sv_cstr(mark)) &&
		    (*mark != '#' || lexer->at == 0 ||
		     ascii_is_blank(lexer->line.ptr[lexer->at - 1]))) {
			lexer_give(lexer, lexer->line.len - lexer->at, &lexer->look->comment);
			return true;
		}
	}
	return false;
}

static size_t lexer_string_length(const struct lexer *lexer)
{
	struct sv rest = lexer_rest(lexer);
	size_t at = 1;

	while (at < rest.len && rest.ptr[at] != *rest.ptr)
		at += rest.ptr[at] == '\\' ? 2 : 1;
	return min_of(at + 1, rest.len);
}

/* Whether a string is the name of a value. */
static bool lexer_is_key(const struct lexer *lexer, size_t len)
{
	struct sv after = sv_trim(sv_skip(lexer_rest(lexer), len));

	return lexer->language->flags & LANGUAGE_KEYS &&
	       (sv_starts(after, SV(":")) || sv_starts(after, SV("=")));
}

static bool lexer_string(struct lexer *lexer)
{
	const struct highlight_language *language = lexer->language;
	size_t len;

	for (size_t i = 0; i < countof(language->long_quotes); i++)
		if (lexer_begin_long(lexer, language->long_quotes[i], language->long_quotes[i],
				     false))
			return true;
	if (!ascii_is_one_of(lexer_peek(lexer, 0), language->quotes))
		return false;
	len = lexer_string_length(lexer);
	lexer_give(lexer, len, lexer_is_key(lexer, len) ? &lexer->look->key : &lexer->look->string);
	return true;
}

/* A character of Rust, or a lifetime. */
static bool lexer_lifetime(struct lexer *lexer)
{
	struct sv rest = lexer_rest(lexer);
	size_t len = 1;

	if (!(lexer->language->flags & LANGUAGE_LIFETIMES) || lexer_peek(lexer, 0) != '\'')
		return false;
	if (lexer_peek(lexer, 1) == '\\' || lexer_peek(lexer, 2) == '\'') {
		lexer_give(lexer, lexer_string_length(lexer), &lexer->look->string);
		return true;
	}
	while (len < rest.len && ascii_is_word(rest.ptr[len]))
		len++;
	lexer_give(lexer, len, &lexer->look->constant);
	return true;
}

/* --- words and numbers ------------------------------------------------------------ */

static bool lexer_is_word(const struct lexer *lexer, int c)
{
	return ascii_is_word(c) || c >= 0x80 ||
	       (c == '-' && lexer->language->flags & LANGUAGE_DASHES);
}

static const struct style *lexer_word_style(const struct lexer *lexer, struct sv word)
{
	const struct highlight_language *language = lexer->language;
	bool any_case = language->flags & LANGUAGE_ANY_CASE;

	if (lexer_is_key(lexer, word.len))
		return &lexer->look->key;
	if (highlight_in_list(language->keywords, word, any_case))
		return &lexer->look->keyword;
	if (highlight_in_list(language->types, word, any_case))
		return &lexer->look->type;
	if (highlight_in_list(language->constants, word, any_case))
		return &lexer->look->constant;
	if (lexer_peek(lexer, word.len) == '(')
		return &lexer->look->function;
	if (language->flags & LANGUAGE_CAPITALS && *word.ptr >= 'A' && *word.ptr <= 'Z')
		return &lexer->look->type;
	return NULL;
}

static bool lexer_word(struct lexer *lexer)
{
	struct sv rest = lexer_rest(lexer);
	const struct style *style;
	size_t len = 0;

	if (!ascii_is_word(lexer_peek(lexer, 0)) && lexer_peek(lexer, 0) < 0x80)
		return false;
	if (ascii_is_digit(*rest.ptr)) {
		while (len < rest.len && (ascii_is_word(rest.ptr[len]) || rest.ptr[len] == '.'))
			len++;
		lexer_give(lexer, len, &lexer->look->number);
		return true;
	}
	while (len < rest.len && lexer_is_word(lexer, (unsigned char)rest.ptr[len]))
		len++;
	style = lexer_word_style(lexer, sv_slice(rest, 0, len));
	if (style)
		lexer_give(lexer, len, style);
	else
		lexer->at += len;
	return true;
}

/* $name, ${...}, $(name), @name */
static bool lexer_sigil(struct lexer *lexer)
{
	unsigned flags = lexer->language->flags;
	struct sv rest = lexer_rest(lexer);
	char c = *rest.ptr;
	size_t len = 1;

	if (!((c == '$' && flags & LANGUAGE_VARIABLES) ||
	      (c == '@' && flags & LANGUAGE_DECORATORS)))
		return false;
	if (lexer_peek(lexer, 1) == '{') {
		while (len < rest.len && rest.ptr[len - 1] != '}')
			len++;
	} else {
		while (len < rest.len && ascii_is_word(rest.ptr[len]))
			len++;
		if (len == 1 && c == '$' && rest.len > 1 && ascii_is_one_of(rest.ptr[1], "@*#?!$-"))
			len = 2;
	}
	if (len == 1)
		return false;
	lexer_give(lexer, len, c == '$' ? &lexer->look->constant : &lexer->look->function);
	return true;
}

/* <name attribute="value">: the name is a keyword, attributes are keys. */
static bool lexer_tag(struct lexer *lexer)
{
	struct sv rest = lexer_rest(lexer);
	size_t len = 1;

	if (!(lexer->language->flags & LANGUAGE_TAGS))
		return false;
	if (*rest.ptr == '<') {
		while (len < rest.len && (lexer_is_word(lexer, (unsigned char)rest.ptr[len]) ||
					  ascii_is_one_of(rest.ptr[len], "/!?:-")))
			len++;
		lexer_give(lexer, len, &lexer->look->keyword);
		return true;
	}
	if (*rest.ptr == '>' || sv_starts(rest, SV("/>"))) {
		lexer_give(lexer, *rest.ptr == '>' ? 1 : 2, &lexer->look->keyword);
		return true;
	}
	while (len < rest.len &&
	       (ascii_is_word(rest.ptr[len]) || ascii_is_one_of(rest.ptr[len], ":-@")))
		len++;
	if (ascii_is_word(*rest.ptr) && len < rest.len && rest.ptr[len] == '=') {
		lexer_give(lexer, len, &lexer->look->key);
		return true;
	}
	return false;
}

/* --- whole lines ------------------------------------------------------------------ */

/* The colour of a line that has only one; NULL: take it apart. */
static const struct style *lexer_line_style(const struct lexer *lexer)
{
	unsigned flags = lexer->language->flags;
	const struct highlight_look *look = lexer->look;
	struct sv line = lexer->line;
	int first = line.len ? *line.ptr : -1;

	if (flags & LANGUAGE_DIFF) {
		if (first == '@')
			return &look->hunk;
		if (first == '+' || first == '>')
			return &look->added;
		if (first == '-' || first == '<')
			return &look->removed;
		return sv_starts(line, SV("diff ")) || sv_starts(line, SV("index "))
			       ? &look->comment
			       : &look->text;
	}
	if (flags & LANGUAGE_MARKDOWN && first == '#')
		return &look->keyword;
	if (flags & LANGUAGE_MARKDOWN && first == '>')
		return &look->comment;
	if (flags & LANGUAGE_DIRECTIVES && sv_starts(sv_trim(line), SV("#")))
		return &look->function;
	if (flags & LANGUAGE_KEYS && first == '[' && sv_ends(sv_trim(line), SV("]")))
		return &look->keyword; /* a section of TOML and others */
	if (flags & LANGUAGE_TARGETS && first >= 0 && !ascii_is_space(first) && first != '#' &&
	    sv_find_char(line, ':') != SIZE_MAX && sv_find_char(line, '=') == SIZE_MAX)
		return &look->function;
	return NULL;
}

static void lexer_run(struct lexer *lexer)
{
	const struct style *whole;

	if (lexer->highlight->until)
		lexer_until(lexer, 0);
	whole = lexer->at ? NULL : lexer_line_style(lexer);
	if (whole)
		lexer_give(lexer, lexer->line.len, whole);
	while (lexer->at < lexer->line.len)
		if (!lexer_comment(lexer) && !lexer_tag(lexer) && !lexer_lifetime(lexer) &&
		    !lexer_string(lexer) && !lexer_sigil(lexer) && !lexer_word(lexer))
			lexer->at++;
	lexer_give(lexer, 0, NULL);
}

void highlight_line(struct highlight *highlight, struct sv line, const struct highlight_look *look,
		    highlight_fn *fn, void *arg)
{
	struct lexer lexer = {
		.highlight = highlight,
		.language = highlight->language,
		.look = look,
		.fn = fn,
		.arg = arg,
		.line = line,
	};

	if (highlight->language)
		lexer_run(&lexer);
	else if (line.len)
		fn(arg, line, &look->text);
}
