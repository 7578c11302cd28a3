#include "text/json/json_peek.h"

#include "base/ascii.h"

static void peek_skip_space(struct peek *p)
{
	while (p->at < p->text.len && ascii_is_space(p->text.ptr[p->at]))
		p->at++;
}

static bool peek_skip_char(struct peek *p, char wanted)
{
	if (p->at == p->text.len || p->text.ptr[p->at] != wanted)
		return false;
	p->at++;
	return true;
}

/* Whether the byte at `i` follows an odd number of backslashes; they start at `from` or
 * later. */
static bool peek_is_escaped(const char *text, size_t from, size_t i)
{
	size_t n = 0;

	while (i - n > from && text[i - n - 1] == '\\')
		n++;
	return n % 2 == 1;
}

/* Skip from the opening quote past the closing one. */
static bool peek_skip_string(struct peek *p)
{
	const char *text = p->text.ptr;
	size_t from = p->at + 1;

	for (size_t i = from; i < p->text.len; i++) {
		const char *quote = memchr(text + i, '"', p->text.len - i);

		if (!quote)
			return false;
		i = (size_t)(quote - text);
		if (!peek_is_escaped(text, from, i)) {
			p->at = i + 1;
			return true;
		}
	}
	return false;
}

/* Skip from the opening bracket past the one that closes it, of either kind. */
static bool peek_skip_nested(struct peek *p)
{
	size_t depth = 0;

	while (p->at < p->text.len) {
		switch (p->text.ptr[p->at]) {
		case '"':
			if (!peek_skip_string(p))
				return false;
			continue;
		case '{':
		case '[': depth++; break;
		case '}':
		case ']': depth--; break;
		default: break;
		}
		p->at++;
		if (!depth)
			return true;
	}
	return false;
}

static bool peek_skip_scalar(struct peek *p)
{
	size_t from = p->at;

	for (; p->at < p->text.len; p->at++) {
		char c = p->text.ptr[p->at];

		if (c == ',' || c == '}' || c == ']' || ascii_is_space(c))
			break;
		if (c == '"' || c == '{' || c == '[' || c == ':' || (unsigned char)c < ' ')
			return false;
	}
	return p->at > from;
}

static bool peek_skip_value(struct peek *p)
{
	switch (p->at < p->text.len ? p->text.ptr[p->at] : '\0') {
	case '"': return peek_skip_string(p);
	case '{':
	case '[': return peek_skip_nested(p);
	default: return peek_skip_scalar(p);
	}
}

bool peek_begin(struct peek *p, struct sv text)
{
	struct sv inner = sv_trim(sv_starts(text, SV("\xef\xbb\xbf")) ? sv_skip(text, 3) : text);

	if (!inner.len || (inner.ptr[0] != '{' && inner.ptr[0] != '['))
		return false;
	*p = (struct peek){ .text = inner, .at = 1, .close = inner.ptr[0] == '{' ? '}' : ']' };
	return true;
}

static bool peek_skip_key(struct peek *p, struct sv *key)
{
	size_t from = p->at + 1;

	if (p->at == p->text.len || p->text.ptr[p->at] != '"' || !peek_skip_string(p))
		return false;
	*key = sv_slice(p->text, from, p->at - 1);
	peek_skip_space(p);
	return peek_skip_char(p, ':');
}

bool peek_item(struct peek *p, struct sv *key)
{
	peek_skip_space(p);
	if (peek_skip_char(p, p->close)) {
		p->done = p->nested || p->at == p->text.len;
		return false;
	}
	if (p->any && !peek_skip_char(p, ','))
		return false;
	peek_skip_space(p);
	if (p->close == '}' && !peek_skip_key(p, key))
		return false;
	peek_skip_space(p);
	p->any = true;
	return true;
}

bool peek_skip(struct peek *p, struct sv *value)
{
	size_t from = p->at;

	if (!peek_skip_value(p))
		return false;
	*value = sv_slice(p->text, from, p->at);
	return true;
}

bool peek_next(struct peek *p, struct sv *key, struct sv *value)
{
	return peek_item(p, key) && peek_skip(p, value);
}

bool peek_enter(const struct peek *p, struct peek *inner)
{
	char open = p->at < p->text.len ? p->text.ptr[p->at] : '\0';

	if (open != '{' && open != '[')
		return false;
	*inner = (struct peek){
		.text = p->text, .at = p->at + 1, .close = open == '{' ? '}' : ']', .nested = true
	};
	return true;
}

bool peek_leave(struct peek *p, const struct peek *inner, struct sv *value)
{
	if (!inner->done)
		return false;
	*value = sv_slice(p->text, p->at, inner->at);
	p->at = inner->at;
	return true;
}

struct sv peek_get(struct sv object, const char *key)
{
	struct sv name = SV_EMPTY, value, found = SV_EMPTY;
	struct peek p;

	if (!peek_begin(&p, object) || p.close != '}')
		return SV_EMPTY;
	while (peek_next(&p, &name, &value))
		if (sv_is(name, key))
			found = value;
	return found;
}

struct sv peek_plain(struct sv value)
{
	if (value.len < 2 || value.ptr[0] != '"' || sv_find_char(value, '\\') != SIZE_MAX)
		return SV_EMPTY;
	return sv_slice(value, 1, value.len - 1);
}
