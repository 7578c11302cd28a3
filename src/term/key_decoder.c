#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "term/key_sequence.h"
#include "text/hex.h"

#define PASTE_END SV("\x1b[201~")

enum { ESC = 0x1b, BEL = 0x07 };

/* Where the bytes that are being decoded go. */
struct key_sink {
	struct key_decoder *decoder;
	key_fn *fn;
	void *arg;
	bool is_last; /* no byte will follow */
	struct str text;
};

void key_decoder_init(struct key_decoder *decoder)
{
	*decoder = (struct key_decoder){ .is_pasting = false };
}

void key_decoder_clear(struct key_decoder *decoder)
{
	str_clear(&decoder->pending);
}

bool key_decoder_waits(const struct key_decoder *decoder)
{
	return decoder->pending.len && !decoder->is_pasting;
}

static void key_sink_emit(struct key_sink *sink, const struct key_event *event)
{
	sink->fn(sink->arg, event);
}

static void key_sink_rune(struct key_sink *sink, uint32_t rune, unsigned mods)
{
	struct key_event event = { .kind = KEY_EVENT_KEY };

	event.key = key_from_rune(rune, mods, &sink->text);
	key_sink_emit(sink, &event);
}

/* --- sequences: each function returns the bytes it took, 0 if more are needed -------- */

/* A string that BEL or ST ends: OSC, DCS, APC and others. */
static size_t key_string_end(struct sv in, size_t *content_end)
{
	for (size_t i = 2; i < in.len; i++) {
		*content_end = i;
		if (in.ptr[i] == BEL)
			return i + 1;
		if (in.ptr[i] == ESC && i + 1 < in.len)
			return in.ptr[i + 1] == '\\' ? i + 2 : i; /* another sequence begins */
	}
	return 0;
}

/* The first two digits of each part of "rgb:ffff/8080/0000". */
static bool key_read_color(struct sv text, uint8_t *out)
{
	struct sv part;

	if (!sv_starts(text, SV("rgb:")))
		return false;
	text = sv_skip(text, 4);
	for (size_t i = 0; i < 3; i++) {
		unsigned value = 0;

		if (!sv_cut(&text, '/', &part) || !part.len || part.len > 4)
			return false;
		for (size_t k = 0; k < 2; k++) {
			int digit = hex_digit(part.ptr[min_of(k, part.len - 1)]);

			if (digit < 0)
				return false;
			value = value * 16 + (unsigned)digit;
		}
		out[i] = (uint8_t)value;
	}
	return true;
}

static size_t key_take_string(struct key_sink *sink, struct sv in)
{
	struct key_event event = { .kind = KEY_EVENT_REPLY };
	size_t end = 0, taken = key_string_end(in, &end);
	struct sv content = sv_slice(in, 2, end);

	if (!taken)
		return 0;
	if (in.ptr[1] == ']' && sv_starts(content, SV("11;")) &&
	    key_read_color(sv_skip(content, 3), event.reply.color)) {
		event.reply.what = KEY_REPLY_BACKGROUND;
		key_sink_emit(sink, &event);
	} else if (in.ptr[1] == 'P' && sv_starts(content, SV(">|"))) {
		event.reply.what = KEY_REPLY_VERSION;
		event.reply.text = sv_skip(content, 2);
		key_sink_emit(sink, &event);
	}
	return taken;
}

/* CSI. `mods` come from an ESC before it. */
static size_t key_take_sequence(struct key_sink *sink, struct sv in, unsigned mods)
{
	enum { MOUSE_BYTES = 3 };
	struct key_sequence sequence;
	struct key_event event;
	size_t end = 2;

	if (in.len > 2 && in.ptr[2] == '[') /* the Linux console: CSI [ A is F1 */
		end = 3;
	while (end < in.len && in.ptr[end] >= ' ' && in.ptr[end] < '@')
		end++;
	if (end == in.len)
		return 0;
	if (in.ptr[end] < ' ')
		return end; /* not a sequence after all; drop its beginning */
	if (end == 2 && in.ptr[2] == 'M')
		return in.len < 3 + MOUSE_BYTES ? 0 : 3 + MOUSE_BYTES;
	if (in.ptr[2] == '[') {
		event = (struct key_event){ .kind = KEY_EVENT_KEY, .key.code = KEY_FUNCTION };
		event.key.number = (unsigned)(in.ptr[end] - 'A' + 1);
		if (event.key.number > 5)
			return end + 1;
	} else {
		key_sequence_read(&sequence, sv_slice(in, 2, end + 1));
		if (!key_sequence_event(&sequence, &sink->text, &event))
			return end + 1;
	}
	if (mods && event.kind != KEY_EVENT_KEY)
		key_sink_rune(
			sink, ESC,
			0); /* a key of its own: what follows does not come from the keyboard */
	if (event.kind == KEY_EVENT_PASTE)
		sink->decoder->is_pasting = true;
	else if (event.kind == KEY_EVENT_KEY)
		event.key.mods |= mods;
	if (event.kind != KEY_EVENT_PASTE && event.kind != KEY_EVENT_PASTE_END)
		key_sink_emit(sink, &event);
	return end + 1;
}

/* SS3: application keys, with modifiers as a number in some terminals. */
static size_t key_take_ss3(struct key_sink *sink, struct sv in, unsigned mods)
{
	struct key_sequence sequence = { .n = 2 };
	struct key_event event;
	size_t end = 2;

	while (end < in.len && ascii_is_digit(in.ptr[end]))
		end++;
	if (end == in.len)
		return 0;
	if (end > 2)
		sequence.at[1][0] = (unsigned)(in.ptr[end - 1] - '0');
	sequence.final = in.ptr[end];
	if (sequence.final == 'M') {
		key_sink_rune(sink, '\r', mods);
	} else if (key_sequence_event(&sequence, &sink->text, &event) &&
		   event.kind == KEY_EVENT_KEY) {
		/* In rxvt, small letters are arrows with Ctrl here, and with Shift after CSI. */
		if (sequence.final >= 'a' && sequence.final <= 'd')
			event.key.mods = KEY_CTRL;
		event.key.mods |= mods;
		key_sink_emit(sink, &event);
	}
	return end + 1;
}

/* A character, which ESC before it makes one with Alt. */
static size_t key_take_character(struct key_sink *sink, struct sv in, unsigned mods)
{
	struct key_event event = { .kind = KEY_EVENT_KEY };
	uint32_t rune = 0;
	int len = utf8_decode(in, &rune), cells = 0;

	if (len < 0 && (size_t)-len == in.len && in.len < 4 && !sink->is_last)
		return 0;
	if (len < 0)
		return (size_t)-len;
	if (rune < 0x80 || mods) {
		key_sink_rune(sink, rune, mods);
		return (size_t)len;
	}
	event.key.text = sv_slice(in, 0, utf8_cluster(in, &cells));
	if (rune >= 0xa0)
		key_sink_emit(sink, &event);
	return event.key.text.len;
}

static size_t key_take_escape(struct key_sink *sink, struct sv in, unsigned mods)
{
	size_t taken;

	if (in.len == 1) {
		taken = 0;
	} else {
		switch (in.ptr[1]) {
		case '[': taken = key_take_sequence(sink, in, mods); break;
		case 'O': taken = key_take_ss3(sink, in, mods); break;
		case ']':
		case 'P':
		case '_':
		case '^':
		case 'X': taken = key_take_string(sink, in); break;
		case ESC:
			taken = mods || in.len == 2
					? 0
					: key_take_escape(sink, sv_skip(in, 1), KEY_ALT);
			taken += taken > 0;
			break;
		default:
			taken = key_take_character(sink, sv_skip(in, 1), KEY_ALT);
			taken += taken > 0;
			break;
		}
	}
	if (taken || !sink->is_last)
		return taken;
	/* Time has run out: ESC was a key, or Alt with what follows. A longer beginning of a sequence is
	 * dropped: as text it would be garbage. */
	if (in.len == 1 || in.ptr[1] == ESC) {
		key_sink_rune(sink, ESC, mods);
		return 1;
	}
	if (in.len == 2)
		key_sink_rune(sink, (unsigned char)in.ptr[1], KEY_ALT);
	return in.len;
}

/* --- pastes ------------------------------------------------------------------------ */

/* Length of the part at the end of `text` that may be the beginning of PASTE_END, of a line end of two bytes or
 * of a character. */
static size_t key_paste_rest(struct sv text)
{
	size_t complete = text.len;

	for (size_t n = min_of(PASTE_END.len - 1, text.len); n > 0; n--)
		if (sv_starts(PASTE_END, sv_skip(text, text.len - n)))
			return n;
	if (text.len && text.ptr[text.len - 1] == '\r')
		return 1;
	while (complete && text.len - complete < 3 &&
	       ((unsigned char)text.ptr[complete - 1] & 0xc0) == 0x80)
		complete--;
	if (complete && (unsigned char)text.ptr[complete - 1] >= 0xc0) {
		uint32_t rune;
		struct sv last = sv_skip(text, complete - 1);

		if (utf8_decode(last, &rune) < 0)
			return last.len;
	}
	return 0;
}

static void key_paste_emit(struct key_sink *sink, struct sv text)
{
	struct key_event event = { .kind = KEY_EVENT_PASTE };
	defer(str_clear) struct str lines = STR_INIT;
	struct sv part;

	if (!text.len)
		return;
	while (text.len) {
		size_t end = sv_find_char(text, '\r');

		part = sv_slice(text, 0, end);
		str_add(&lines, part);
		text = sv_skip(text, part.len);
		if (text.len) {
			str_addc(&lines, '\n');
			text = sv_skip(text, sv_starts(text, SV("\r\n")) ? 2 : 1);
		}
	}
	event.paste = sv_of(&lines);
	key_sink_emit(sink, &event);
}

static size_t key_take_paste(struct key_sink *sink, struct sv in)
{
	size_t end = sv_find(in, PASTE_END), rest;

	if (end != SIZE_MAX) {
		key_paste_emit(sink, sv_slice(in, 0, end));
		sink->decoder->is_pasting = false;
		key_sink_emit(sink, &(struct key_event){ .kind = KEY_EVENT_PASTE_END });
		return end + PASTE_END.len;
	}
	rest = key_paste_rest(in);
	key_paste_emit(sink, sv_slice(in, 0, in.len - rest));
	return in.len - rest;
}

/* --- the decoder ------------------------------------------------------------------- */

/* Drop the rest of a string that is too long. */
static size_t key_skip(struct key_sink *sink, struct sv in)
{
	size_t end = 0;

	while (end < in.len && in.ptr[end] != BEL && in.ptr[end] != ESC)
		end++;
	sink->decoder->is_skipping = end == in.len;
	return end < in.len && in.ptr[end] == BEL ? end + 1 : end;
}

static size_t key_take(struct key_sink *sink, struct sv in)
{
	if (sink->decoder->is_skipping) {
		size_t skipped = key_skip(sink, in);

		if (skipped)
			return skipped;
	}
	if (sink->decoder->is_pasting)
		return key_take_paste(sink, in);
	if (*in.ptr == ESC)
		return key_take_escape(sink, in, 0);
	return key_take_character(sink, in, 0);
}

static void key_decode(struct key_sink *sink)
{
	struct str *pending = &sink->decoder->pending;
	size_t used = 0, taken;

	while (used < pending->len && (taken = key_take(sink, sv_skip(sv_of(pending), used))))
		used += taken;
	str_consume(pending, used);
	/* No sequence that means anything is this long. */
	if (pending->len > LIMIT_KEY_SEQUENCE) {
		str_truncate(pending, 0);
		sink->decoder->is_skipping = true;
	}
	str_clear(&sink->text);
}

void key_decoder_feed(struct key_decoder *decoder, struct sv bytes, key_fn *fn, void *arg)
{
	struct key_sink sink = { .decoder = decoder, .fn = fn, .arg = arg };

	str_add(&decoder->pending, bytes);
	key_decode(&sink);
}

void key_decoder_flush(struct key_decoder *decoder, key_fn *fn, void *arg)
{
	struct key_sink sink = { .decoder = decoder, .fn = fn, .arg = arg, .is_last = true };

	if (!decoder->is_pasting)
		key_decode(&sink);
}
