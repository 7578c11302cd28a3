/* Simple commands: assignments, words and redirections in any order. */
#include "text/bash/sh_parser.h"

/* The length of "12" or "{name}" if a redirection follows immediately; otherwise 0. */
static size_t sh_simple_descriptor_length(const struct sh_parser *r)
{
	size_t n = 0;
	char next;

	while (sh_is_digit(sh_peek(r, n)))
		n++;
	if (n == 0 && sh_peek(r, 0) == '{') {
		size_t name = sh_name_length(r, r->at + 1);

		if (name > 0 && sh_peek(r, name + 1) == '}')
			n = name + 2;
	}
	next = sh_peek(r, n);
	return (next == '<' || next == '>') && sh_peek(r, n + 1) != '(' ? n : 0;
}

static bool sh_at_redirect(const struct sh_parser *r)
{
	struct sv op = sh_operator(r);

	return sh_simple_descriptor_length(r) > 0 || (op.len > 0 && strchr("<>", op.ptr[0])) ||
	       sv_is(op, "&>") || sv_is(op, "&>>");
}

/* ">&2", "<&-", "3>&4-". */
static bool sh_simple_is_descriptor(const struct sh_word *word)
{
	struct sv text = word->parts && !word->parts->next && word->parts->kind == SH_TEXT
				 ? word->parts->text
				 : SV_EMPTY;

	if (text.len == 0 || text.len > 9)
		return false;
	if (text.ptr[text.len - 1] == '-')
		text.len--;
	for (size_t i = 0; i < text.len; i++)
		if (!sh_is_digit(text.ptr[i]))
			return false;
	return true;
}

static bool sh_simple_redirect_target(struct sh_parser *r, struct sh_redirect *redirect,
				      struct sv op)
{
	struct sh_word **last = &redirect->to;
	size_t from;

	sh_skip_blanks(r);
	from = r->at;
	if (!sh_at_word(r) || sh_simple_descriptor_length(r) > 0)
		return sh_unexpected(r);
	if (redirect->kind == SH_HERE_STRING)
		redirect->to = sh_read_word(r, SH_IN_STRING);
	else if (!sh_read_words(r, SH_AS_NAME, &last))
		return false;
	if (!redirect->to)
		return r->err->kind != ERR_NONE ? false : sh_fail(r, "a redirection to nothing");
	if (redirect->to->next)
		return sh_fail_at(r, from, "a redirection to several files");
	if (sv_is(op, ">&") || sv_is(op, "<&")) {
		if (sh_simple_is_descriptor(redirect->to))
			redirect->kind = SH_DUPLICATE;
		else if (op.ptr[0] == '<' && redirect->to->parts &&
			 redirect->to->parts->kind == SH_TEXT)
			return sh_fail_at(r, from, "a descriptor was expected");
	}
	/* tree-sitter parses ">&-" as one token. */
	if (!(redirect->kind == SH_DUPLICATE && r->src.ptr[from - 1] == '&' &&
	      sv_is(sh_slice(r, from, r->at), "-")))
		sh_add_span(r, from, r->at, false);
	return true;
}

static bool sh_simple_redirect(struct sh_parser *r, struct sh_redirect ***last)
{
	static const struct {
		char op[4];
		enum sh_redirect_kind kind;
	} kinds[] = {
		{ "<", SH_READ },          { ">", SH_WRITE },         { ">>", SH_APPEND },
		{ ">|", SH_CLOBBER },      { "<>", SH_READ_WRITE },   { "&>", SH_BOTH },
		{ ">&", SH_BOTH },         { "&>>", SH_BOTH_APPEND }, { "<&", SH_DUPLICATE },
		{ "<<<", SH_HERE_STRING }, { "<<", SH_HERE_DOC },     { "<<-", SH_HERE_DOC },
	};
	struct sh_redirect *made = sh_new(r, struct sh_redirect);
	size_t fd = sh_simple_descriptor_length(r), i = 0;
	struct sv op;

	if (!made)
		return false;
	if (fd > 9 && sh_peek(r, 0) != '{')
		return sh_fail(r, "a descriptor of too many digits");
	made->fd = sh_slice(r, r->at, r->at + fd);
	sh_mask_range(r, r->at, r->at + fd, '1'); /* tree-sitter knows neither "{fd}" nor "0" */
	r->at += fd;
	op = sh_operator(r);
	while (i < countof(kinds) && !sv_is(op, kinds[i].op))
		i++;
	if (i == countof(kinds))
		return sh_unexpected(r);
	made->kind = kinds[i].kind;
	if (sv_starts(op, SV("<<")) || sv_is(op, "<>"))
		sh_mask(r, r->at, op.len == 2 ? "< " : "<  ");
	r->at += op.len;
	**last = made;
	*last = &made->next;
	return made->kind == SH_HERE_DOC ? sh_note_here(r, made, sv_is(op, "<<-"))
					 : sh_simple_redirect_target(r, made, op);
}

bool sh_redirects(struct sh_parser *r, struct sh_node *node, size_t *end)
{
	struct sh_redirect **last = &node->redirects;

	for (sh_skip_blanks(r); sh_at_redirect(r); sh_skip_blanks(r)) {
		if (!sh_simple_redirect(r, &last))
			return false;
		*end = r->at;
	}
	return true;
}

/* Elements of a=(..). In "[k]=v" k must be plain, because bash evaluates it. */
static bool sh_simple_element(struct sh_parser *r, struct sh_word ***last)
{
	struct sv text = sh_keyword(r);
	size_t close = sv_find_char(text, ']');

	if (sv_starts(text, SV("[")))
		for (size_t i = 1; i < min_of(close, text.len); i++)
			if (!sh_is_name(text.ptr[i]))
				return sh_fail(r, "the subscript of an element is not plain");
	return sh_read_words(r, SH_IN_COMMAND, last);
}

/* After the "(". */
static bool sh_simple_elements(struct sh_parser *r, struct sh_assign *assign)
{
	struct sh_word **last = &assign->elements;

	assign->is_array = true;
	if (r->here)
		return sh_fail(r, "an array after a here-document");
	for (;;) {
		if (!sh_skip_newlines(r))
			return false;
		if (sh_take(r, ")"))
			return r->at >= r->end || sh_is_meta(sh_peek(r, 0)) ||
			       sh_fail(r, "something at the end of an array");
		if (!sh_at_word(r))
			return sh_unexpected(r);
		if (!sh_simple_element(r, &last))
			return false;
	}
}

/* The subscript of "a[..]=", from after the "[" to after the "]". */
static bool sh_simple_subscript(struct sh_parser *r, struct sh_assign *assign)
{
	struct sh_word *word = sh_new(r, struct sh_word);
	struct sh_part *part, **last = word ? &word->parts : NULL, **inner;
	size_t from = r->at;

	if (!word || !(part = sh_add_part(r, SH_ARITH, SV_EMPTY, false, &last)))
		return false;
	inner = &part->parts;
	if (!sh_arithmetic(r, ']', &inner))
		return false;
	part->text = word->written = sh_slice(r, from, r->at - 1);
	assign->index = word;
	return true;
}

/* Whether "name=", "name+=" or "name[..]=" is here. Bash reads from a "[" to its "]"
 * whatever comes, so only with nothing special in between may `l[s]` be a word. */
static bool sh_simple_at_assignment(const struct sh_parser *r)
{
	size_t n = sh_name_length(r, r->at), close = n + 1;

	if (n == 0)
		return false;
	if (sh_peek(r, n) != '[')
		return sh_peek(r, n) == '=' || (sh_peek(r, n) == '+' && sh_peek(r, n + 1) == '=');
	while (sh_is_name(sh_peek(r, close)) ||
	       (sh_peek(r, close) && strchr("-!^.", sh_peek(r, close))))
		close++;
	return sh_peek(r, close) != ']' || sh_peek(r, close + 1) == '=' ||
	       sh_peek(r, close + 1) == '+';
}

static bool sh_simple_assign_value(struct sh_parser *r, struct sh_assign *assign)
{
	assign->append = sh_peek(r, 0) == '+';
	r->at += assign->append;
	if (sh_peek(r, 0) != '=')
		return sh_fail(r, "a subscript that no = follows");
	r->at++;
	if (sh_peek(r, 0) == '(') {
		r->at++;
		return sh_simple_elements(r, assign);
	}
	if (r->at >= r->end || sh_peek(r, 0) == ' ' || sh_peek(r, 0) == '\t' || !sh_at_word(r))
		return true;
	assign->value = sh_read_word(r, SH_IN_VALUE);
	return assign->value != NULL;
}

static bool sh_simple_assignment(struct sh_parser *r, struct sh_assign ***last)
{
	struct sh_assign *assign = sh_new(r, struct sh_assign);
	size_t from = r->at, n = sh_name_length(r, from);

	if (!assign)
		return false;
	assign->name = sh_slice(r, from, from + n);
	r->at += n;
	if (sh_peek(r, 0) == '[') {
		r->at++;
		if (!sh_simple_subscript(r, assign))
			return false;
	}
	if (!sh_simple_assign_value(r, assign))
		return false;
	sh_add_span(r, from, r->at, false);
	**last = assign;
	*last = &assign->next;
	return true;
}

/* Commands that take assignments as arguments: `declare -a x=(a b)`. */
static bool sh_simple_declares(struct sv name)
{
	static const char names[][9] = { "declare", "export", "local", "readonly", "typeset" };

	return sv_is_among(name, names);
}

/* The length of "name=" or "name+=" here; otherwise 0. */
static size_t sh_simple_assignment_length(const struct sh_parser *r)
{
	size_t n = sh_name_length(r, r->at);

	if (n > 0 && sh_peek(r, n) == '+')
		n++;
	return n > 0 && sh_peek(r, n) == '=' ? n + 1 : 0;
}

/* Whether `declare` was given -A, so that subscripts are texts. `words` are those after its name. */
static bool sh_simple_is_associative(const struct sh_word *words)
{
	for (; words && sv_starts(words->written, SV("-")) && !sv_is(words->written, "--");
	     words = words->next)
		if (sv_find_char(words->written, 'A') != SIZE_MAX)
			return true;
	return false;
}

/* The part "(..)" with the parts of the elements in it. */
static struct sh_part *sh_simple_array_part(struct sh_parser *r, bool is_associative)
{
	struct sh_part *array, *head = NULL, **last = &head, **inner;
	struct sh_assign assign = { .append = false };
	size_t from = r->at++;

	if (!sh_simple_elements(r, &assign))
		return NULL;
	array = sh_add_part(r, SH_ARRAY, sh_slice(r, from, r->at), true, &last);
	if (!array)
		return NULL;
	inner = &array->parts;
	for (struct sh_word *word = assign.elements; word; word = word->next) {
		size_t close = sv_find_char(word->written, ']');

		if (!is_associative && sv_starts(word->written, SV("[")) && close != SIZE_MAX &&
		    !sh_add_part(r, SH_ARITH, sv_slice(word->written, 1, close), true, &inner))
			return NULL;
		*inner = word->parts;
		while (*inner)
			inner = &(*inner)->next;
	}
	return array;
}

struct simple {
	struct sh_node *node;
	struct sh_assign **last_assign;
	struct sh_word **last_word;
	struct sh_redirect **last_redirect;
	bool is_named;  /* it has its first word */
	bool is_test;   /* that is "[", */
	size_t last_at; /* ... and this its last */
	bool declares;  /* it is declare or the like */
};

static bool sh_simple_first_word(struct sh_parser *r, struct simple *s, bool after_keyword)
{
	struct sv keyword = sh_keyword(r);
	size_t from = r->at;

	if (sv_is(keyword, "\\"))
		return sh_fail(r, "a command whose name is on several lines");
	if ((s->node->assigns || s->node->redirects) && sh_is_reserved(keyword))
		return sh_unexpected(r);
	if (!sh_read_words(r, SH_AS_NAME, &s->last_word))
		return false;
	if (!s->node->words)
		return sh_fail_at(r, from, "braces that leave no command");
	s->is_named = true;
	s->is_test = sv_is(keyword, "[");
	s->declares = !s->node->assigns && sh_simple_declares(keyword);
	if (!s->is_test)
		sh_add_span(r, from, r->at, !after_keyword);
	return true;
}

/* The argument "name=(..)" of declare; `length` is that of "name=". */
static bool sh_simple_declared_array(struct sh_parser *r, struct simple *s, size_t length)
{
	struct sh_word *word = sh_new(r, struct sh_word);
	struct sh_part **last = word ? &word->parts : NULL, *array;
	size_t from = r->at;

	if (!word || !sh_add_part(r, SH_TEXT, sh_slice(r, from, from + length), false, &last))
		return false;
	r->at += length;
	array = sh_simple_array_part(r, sh_simple_is_associative(s->node->words->next));
	if (!array)
		return false;
	*last = array;
	word->written = sh_slice(r, from, r->at);
	*s->last_word = word;
	s->last_word = &word->next;
	return true;
}

static bool sh_simple_argument(struct sh_parser *r, struct simple *s)
{
	size_t length = s->declares ? sh_simple_assignment_length(r) : 0;
	struct sh_word **first = s->last_word;

	if (length > 0 && sh_peek(r, length) == '(')
		return sh_simple_declared_array(r, s, length);
	if (!sh_read_words(r, SH_IN_COMMAND, &s->last_word))
		return false;
	for (struct sh_word *word = *first; word && length > 0; word = word->next)
		word->is_assignment = true;
	return true;
}

static bool sh_simple_further_word(struct sh_parser *r, struct simple *s)
{
	s->last_at = r->at;
	if (!sh_simple_argument(r, s))
		return false;
	if (!s->is_test)
		sh_add_span(r, s->last_at, r->at, false);
	return true;
}

static bool simple_piece(struct sh_parser *r, struct simple *s, bool after_keyword)
{
	if (sh_at_redirect(r))
		return sh_simple_redirect(r, &s->last_redirect);
	if (s->is_named)
		return sh_simple_further_word(r, s);
	return sh_simple_at_assignment(r) ? sh_simple_assignment(r, &s->last_assign)
					  : sh_simple_first_word(r, s, after_keyword);
}

/* tree-sitter parses "[ .. ]" as one node. */
static bool sh_simple_end_test(struct sh_parser *r, const struct simple *s, size_t from)
{
	size_t end = s->last_at + 1;

	if (s->last_at < from || !sv_is(sh_slice(r, s->last_at, end), "]"))
		return sh_fail(r, "[ without its ]");
	sh_add_span(r, from, end, true);
	return true;
}

static bool is_function(struct sh_parser *r, const struct simple *s)
{
	return s->is_named && !s->node->assigns && !s->node->redirects && !s->node->words->next &&
	       sv_is(sh_operator(r), "(");
}

/* After "name", at the "(". */
static struct sh_node *sh_simple_function(struct sh_parser *r, const struct sh_word *name,
					  size_t from)
{
	struct sh_node *node = sh_node_new(r, SH_FUNCTION);
	const struct sh_part *part = name->parts;

	if (!node)
		return NULL;
	if (!part || part->next || part->kind != SH_TEXT || !sv_eq(part->text, name->written)) {
		sh_unexpected(r);
		return NULL;
	}
	node->name = part->text;
	r->at++;
	return sh_expect(r, ")") ? sh_function_body(r, node, from) : NULL;
}

struct sh_node *sh_simple(struct sh_parser *r, bool after_keyword)
{
	struct sh_node *node = sh_node_new(r, SH_SIMPLE);
	struct simple s = { .node = node };
	size_t from = r->at, end = from;

	if (!node)
		return NULL;
	if (r->budget->commands++ >= LIMIT_SH_COMMANDS) {
		err_set(r->err, ERR_TOO_BIG, "byte %zu: more than %d commands", from,
			LIMIT_SH_COMMANDS);
		return NULL;
	}
	s.last_assign = &node->assigns;
	s.last_word = &node->words;
	s.last_redirect = &node->redirects;
	while (sh_at_word(r) || sh_at_redirect(r)) {
		if (!simple_piece(r, &s, after_keyword))
			return NULL;
		end = r->at;
		sh_skip_blanks(r);
		if (is_function(r, &s))
			return sh_simple_function(r, node->words, from);
	}
	if (end == from) {
		sh_unexpected(r);
		return NULL;
	}
	if (s.is_test && !sh_simple_end_test(r, &s, from))
		return NULL;
	node->text = sh_slice(r, from, end);
	return node;
}
