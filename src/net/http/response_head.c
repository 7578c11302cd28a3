#include "net/http/response_head.h"

#include "base/limits.h"

void head_clear(struct head *head)
{
	str_clear(&head->text);
	vec_clear(&head->fields);
}

/* "HTTP/1.1 200 OK" or "HTTP/2 200"; nobody needs the rest of the line. */
static bool head_begin(struct head *head, struct sv line, struct err *err)
{
	struct sv rest = sv_skip(line, strlen("HTTP/")), version, code;
	int64_t status;

	if (!sv_cut(&rest, ' ', &version) || !sv_cut(&rest, ' ', &code) || code.len != 3 ||
	    !sv_to_int(code, &status) || status < 100)
		return err_set(err, ERR_PROTOCOL,
			       "the first line of the response is not a status line");
	head->state = HEAD_OPEN;
	head->status = (int)status;
	head->version = version.len ? (version.ptr[0] - '0') * 10 : 0;
	if (version.len == 3)
		head->version += version.ptr[2] - '0';
	head->size = 0;
	str_truncate(&head->text, 0);
	return true;
}

static bool head_add_field(struct head *head, struct sv line, struct err *err)
{
	bool folded = line.ptr[0] == ' ' || line.ptr[0] == '\t';

	if (head->size > LIMIT_HTTP_HEAD)
		return err_set(err, ERR_TOO_BIG,
			       "the header of the response is longer than %zu bytes",
			       LIMIT_HTTP_HEAD);
	if (folded && head->text.len)
		head->text.ptr[head->text.len - 1] = ' ';
	str_add(&head->text, sv_trim(line));
	str_addc(&head->text, '\n');
	return true;
}

static void head_find_fields(struct head *head)
{
	struct sv rest = sv_of(&head->text), line, name;

	head->fields.n = 0;
	while (sv_cut(&rest, '\n', &line)) {
		size_t colon = sv_find_char(line, ':');

		if (colon == SIZE_MAX)
			continue;
		name = sv_trim(sv_slice(line, 0, colon));
		vec_push(&head->fields,
			 ((struct http_header){ .name = name,
						.value = sv_trim(sv_skip(line, colon + 1)) }));
	}
}

static bool head_is_redirect(const struct head *head)
{
	struct http_head view = head_view(head);

	switch (head->status) {
	case 301:
	case 302:
	case 303:
	case 307:
	case 308: return http_header(&view, "location").len > 0;
	default: return false;
	}
}

static void head_end(struct head *head)
{
	head_find_fields(head);
	if (head->status < 200)
		head->state = HEAD_AWAITED;
	else if (head->follows && head_is_redirect(head))
		head->state = HEAD_TENTATIVE;
	else
		head->state = HEAD_FINAL;
}

bool head_add_line(struct head *head, struct sv line, struct err *err)
{
	head->size += line.len;
	if (sv_ends(line, SV("\n")))
		line = sv_slice(line, 0, line.len - 1);
	if (sv_ends(line, SV("\r")))
		line = sv_slice(line, 0, line.len - 1);
	switch (head->state) {
	case HEAD_AWAITED: return head_begin(head, line, err);
	case HEAD_TENTATIVE:
		/* Anything else is a trailer of the redirect's body. */
		return sv_starts(line, SV("HTTP/")) ? head_begin(head, line, err) : true;
	case HEAD_FINAL: return true;
	case HEAD_OPEN: break;
	}
	if (line.len)
		return head_add_field(head, line, err);
	head_end(head);
	return true;
}

void head_settle(struct head *head)
{
	if (head->state == HEAD_TENTATIVE)
		head->state = HEAD_FINAL;
}

struct http_head head_view(const struct head *head)
{
	return (struct http_head){ .status = head->status,
				   .version = head->version,
				   .headers = head->fields.at,
				   .nheaders = head->fields.n };
}
