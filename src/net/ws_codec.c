#include "net/ws_codec.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/base64.h"
#include "text/sha1.h"

/* --- the handshake ----------------------------------------------------------------------------- */

struct ws_key ws_key_make(const uint8_t random[16])
{
	defer(str_clear) struct str text = STR_INIT;
	struct ws_key key;

	base64_encode(&text, sv_from((const char *)random, 16), BASE64_STD);
	BUG_ON(text.len != WS_KEY_SIZE);
	memcpy(key.text, text.ptr, WS_KEY_SIZE + 1);
	return key;
}

void ws_head_clear(struct ws_head *head)
{
	str_clear(&head->text);
	vec_clear(&head->fields);
}

static bool ws_head_read_status(struct ws_head *head, struct sv line, struct err *err)
{
	struct sv code = sv_slice(line, 9, 12);
	int64_t status;

	if (!sv_starts(line, SV("HTTP/1.1 ")) || code.len != 3 || !sv_to_int(code, &status) ||
	    status < 100)
		return err_set(err, ERR_PROTOCOL, "the answer is not HTTP/1.1");
	head->status = (int)status;
	return true;
}

bool ws_head_read(struct ws_head *head, struct sv in, size_t *used, struct err *err)
{
	size_t end = sv_find(in, SV("\r\n\r\n"));
	struct sv rest, line, name;

	*used = 0;
	if (min_of(end, in.len) > LIMIT_HTTP_HEAD)
		return err_set(err, ERR_TOO_BIG, "the head of the answer is too long");
	if (end == SIZE_MAX)
		return true;
	str_set(&head->text, sv_slice(in, 0, end));
	rest = sv_of(&head->text);
	if (!sv_cut_line(&rest, &line) || !ws_head_read_status(head, line, err))
		return false;
	while (sv_cut_line(&rest, &line)) {
		if (!sv_cut(&line, ':', &name))
			continue;
		vec_push(&head->fields,
			 ((struct http_header){ .name = sv_trim(name), .value = sv_trim(line) }));
	}
	*used = end + strlen("\r\n\r\n");
	return true;
}

static struct sv ws_head_field(const struct ws_head *head, const char *name)
{
	struct http_head view = { .headers = head->fields.at, .nheaders = head->fields.n };

	return http_header(&view, name);
}

static bool ws_head_lists(struct sv values, struct sv token)
{
	struct sv value;

	while (sv_cut(&values, ',', &value))
		if (sv_eq_nocase(sv_trim(value), token))
			return true;
	return false;
}

bool ws_head_check(const struct ws_head *head, const struct ws_key *key, const char *protocol,
		   struct err *err)
{
	defer(str_clear) struct str accept = STR_INIT;
	struct sv chosen = ws_head_field(head, "sec-websocket-protocol");
	uint8_t digest[SHA1_SIZE];

	str_addf(&accept, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key->text);
	sha1(digest, sv_of(&accept));
	str_truncate(&accept, 0);
	base64_encode(&accept, sv_from((const char *)digest, sizeof(digest)), BASE64_STD);
	if (!sv_eq_nocase(ws_head_field(head, "upgrade"), SV("websocket")) ||
	    !ws_head_lists(ws_head_field(head, "connection"), SV("upgrade")) ||
	    !sv_eq(ws_head_field(head, "sec-websocket-accept"), sv_of(&accept)))
		return err_set(err, ERR_PROTOCOL, "the server does not speak WebSocket");
	if (ws_head_field(head, "sec-websocket-extensions").len)
		return err_set(err, ERR_PROTOCOL,
			       "the server uses an extension of WebSocket that was not offered");
	if (chosen.len && !(protocol && sv_is(chosen, protocol)))
		return err_set(err, ERR_PROTOCOL, "the server has chosen another subprotocol");
	return true;
}

/* --- frames out -------------------------------------------------------------------------------- */

void ws_encode(struct str *out, enum ws_opcode opcode, struct sv payload,
	       const uint8_t mask[WS_MASK_SIZE])
{
	size_t bytes = payload.len < 126 ? 0 : payload.len <= UINT16_MAX ? 2 : 8, at;

	str_addc(out, (char)(0x80 | opcode));
	str_addc(out, (char)(0x80 | (bytes == 0 ? payload.len : bytes == 2 ? 126 : 127)));
	for (size_t i = bytes; i-- > 0;)
		str_addc(out, (char)((uint64_t)payload.len >> (8 * i)));
	str_add(out, sv_from((const char *)mask, WS_MASK_SIZE));
	at = out->len;
	str_add(out, payload);
	for (size_t i = 0; i < payload.len; i++)
		out->ptr[at + i] = (char)(out->ptr[at + i] ^ mask[i % WS_MASK_SIZE]);
}

enum ws_close ws_close_of(enum err_kind kind)
{
	if (kind == ERR_TOO_BIG)
		return WS_CLOSE_TOO_BIG;
	return kind == ERR_PARSE ? WS_CLOSE_NOT_TEXT : WS_CLOSE_PROTOCOL;
}

/* --- frames in --------------------------------------------------------------------------------- */

void ws_decoder_init(struct ws_decoder *d, size_t max)
{
	*d = (struct ws_decoder){ .max = max, .nneed = 2 };
}

void ws_decoder_clear(struct ws_decoder *d)
{
	str_clear(&d->message);
	str_clear(&d->control);
}

static bool ws_is_control(enum ws_opcode opcode)
{
	return opcode >= WS_CLOSE;
}

static enum ws_opcode ws_frame_opcode(const struct ws_decoder *d)
{
	return (enum ws_opcode)(d->head[0] & 0x0f);
}

static bool ws_frame_is_last(const struct ws_decoder *d)
{
	return d->head[0] & 0x80;
}

/* Check the first two bytes of a frame, which say how long its head is. */
static bool ws_decode_begin(struct ws_decoder *d, struct err *err)
{
	enum ws_opcode opcode = ws_frame_opcode(d);
	uint8_t length = d->head[1];
	bool is_known = opcode <= WS_BINARY || (opcode >= WS_CLOSE && opcode <= WS_PONG);

	if (d->head[0] & 0x70 || !is_known)
		return err_set(err, ERR_PROTOCOL, "a frame of an unknown kind");
	if (length & 0x80)
		return err_set(err, ERR_PROTOCOL, "a masked frame from a server");
	if (ws_is_control(opcode) && (length > WS_CONTROL_MOST || !ws_frame_is_last(d)))
		return err_set(err, ERR_PROTOCOL, "a control frame that is too long or in pieces");
	if (!ws_is_control(opcode) && (opcode == WS_CONTINUATION) != d->is_fragmented)
		return err_set(err, ERR_PROTOCOL, "the pieces of a message are out of order");
	d->nneed = length == 126 ? 4 : length == 127 ? 10 : 2;
	return true;
}

/* The head is complete: how long is the payload? */
static bool ws_decode_length(struct ws_decoder *d, struct err *err)
{
	enum ws_opcode opcode = ws_frame_opcode(d);

	d->left = d->nneed == 2 ? d->head[1] : 0;
	for (size_t i = 2; i < d->nneed; i++)
		d->left = d->left << 8 | d->head[i];
	if (ws_is_control(opcode)) {
		str_truncate(&d->control, 0);
		return true;
	}
	if (d->left > d->max - d->message.len)
		return err_set(err, ERR_TOO_BIG, "a message of more than %zu bytes", d->max);
	if (opcode != WS_CONTINUATION)
		d->kind = opcode;
	d->is_fragmented = !ws_frame_is_last(d);
	return true;
}

static bool ws_check_close(struct sv payload, struct err *err)
{
	unsigned code =
		payload.len < 2 ? 0 : (uint8_t)payload.ptr[0] << 8 | (uint8_t)payload.ptr[1];
	bool is_valid =
		(code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006) ||
		(code >= 3000 && code <= 4999);

	if (payload.len && !is_valid)
		return err_set(err, ERR_PROTOCOL, "a close frame with an invalid code");
	if (!utf8_valid(sv_skip(payload, 2), NULL))
		return err_set(err, ERR_PARSE, "the reason of a close frame is not UTF-8");
	return true;
}

/* The payload of a frame is complete. `*goes_on` becomes false when the owner wants no more. */
static bool ws_decode_end(struct ws_decoder *d, ws_emit_fn *emit, void *arg, bool *goes_on,
			  struct err *err)
{
	enum ws_opcode opcode = ws_frame_opcode(d);

	d->nhead = 0;
	d->nneed = 2;
	if (opcode == WS_CLOSE && !ws_check_close(sv_of(&d->control), err))
		return false;
	if (ws_is_control(opcode)) {
		*goes_on = emit(arg, opcode, sv_of(&d->control));
		return true;
	}
	if (d->is_fragmented)
		return true;
	if (d->kind == WS_TEXT && !utf8_valid(sv_of(&d->message), NULL))
		return err_set(err, ERR_PARSE, "a message that is not UTF-8");
	*goes_on = emit(arg, d->kind, sv_of(&d->message));
	if (d->message.cap > LIMIT_JSON_POOLED)
		str_clear(&d->message);
	str_truncate(&d->message, 0);
	return true;
}

static bool ws_decode_head(struct ws_decoder *d, struct sv *in, struct err *err)
{
	while (d->nhead < d->nneed && in->len) {
		d->head[d->nhead++] = (uint8_t)in->ptr[0];
		*in = sv_skip(*in, 1);
		if (d->nhead == 2 && !ws_decode_begin(d, err))
			return false;
		if (d->nhead == d->nneed && !ws_decode_length(d, err))
			return false;
	}
	return true;
}

bool ws_decode(struct ws_decoder *d, struct sv in, ws_emit_fn *emit, void *arg, struct err *err)
{
	bool goes_on = true;

	while (goes_on && in.len) {
		if (d->nhead < d->nneed && !ws_decode_head(d, &in, err))
			return false;
		if (d->nhead < d->nneed)
			return true;
		size_t n = (size_t)min_of((uint64_t)in.len, d->left);

		str_add(ws_is_control(ws_frame_opcode(d)) ? &d->control : &d->message,
			sv_slice(in, 0, n));
		in = sv_skip(in, n);
		d->left -= n;
		if (!d->left && !ws_decode_end(d, emit, arg, &goes_on, err))
			return false;
	}
	return true;
}
