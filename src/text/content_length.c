#include "text/content_length.h"

#include "base/ascii.h"

enum { HEADERS = 4096, DIGITS = 12 };

void content_length_clear(struct content_length *c)
{
	str_clear(&c->in);
	*c = (struct content_length){ .in = STR_INIT };
}

static bool content_length_read_number(struct sv text, size_t *out)
{
	size_t n = 0;

	if (!text.len || text.len > DIGITS)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		if (!ascii_is_digit(text.ptr[i]))
			return false;
		n = n * 10 + (size_t)(text.ptr[i] - '0');
	}
	*out = n;
	return true;
}

/* Reads the headers; other ones than the length are ignored. */
static bool content_length_read(struct content_length *c, struct sv headers, size_t max,
				struct err *err)
{
	struct sv line, name;
	bool is_known = false;

	while (sv_cut_line(&headers, &line)) {
		if (!sv_cut(&line, ':', &name) ||
		    !sv_eq_nocase(sv_trim(name), SV("Content-Length")))
			continue;
		if (!content_length_read_number(sv_trim(line), &c->body))
			return err_set(err, ERR_PROTOCOL, "a message has no valid length");
		is_known = true;
	}
	if (!is_known)
		return err_set(err, ERR_PROTOCOL, "a message has no Content-Length");
	if (c->body > max)
		return err_set(err, ERR_PROTOCOL, "a message of %zu bytes is too long", c->body);
	c->has_length = true;
	return true;
}

/* Takes the headers from the input, if they are complete. */
static bool content_length_take_headers(struct content_length *c, size_t max, struct err *err)
{
	size_t end = sv_find(sv_of(&c->in), SV("\r\n\r\n"));

	if (end == SIZE_MAX && c->in.len <= HEADERS)
		return true;
	if (end == SIZE_MAX || end > HEADERS)
		return err_set(err, ERR_PROTOCOL, "the headers of a message have no end");
	if (!content_length_read(c, sv_slice(sv_of(&c->in), 0, end), max, err))
		return false;
	str_consume(&c->in, end + strlen("\r\n\r\n"));
	return true;
}

bool content_length_feed(struct content_length *c, struct sv bytes, size_t max,
			 content_length_fn *emit, void *arg, struct err *err)
{
	bool goes_on = true;

	str_add(&c->in, bytes);
	while (goes_on) {
		if (!c->has_length && !content_length_take_headers(c, max, err))
			return false;
		if (!c->has_length || c->in.len < c->body)
			return true;
		goes_on = emit(arg, sv_slice(sv_of(&c->in), 0, c->body));
		str_consume(&c->in, c->body);
		c->has_length = false;
	}
	return true;
}

void content_length_write(struct str *out, struct sv body)
{
	str_addf(out, "Content-Length: %zu\r\n\r\n", body.len);
	str_add(out, body);
}
