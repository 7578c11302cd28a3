#include "model/wire/aws_frames.h"

#include "base/limits.h"
#include "text/crc32.h"

enum {
	PRELUDE = 12,  /* two lengths and their CRC */
	OVERHEAD = 16, /* the prelude and the CRC at the end */
};

void aws_frames_init(struct aws_frames *frames, size_t max)
{
	*frames = (struct aws_frames){ .max = max, .need = PRELUDE };
}

void aws_frames_clear(struct aws_frames *frames)
{
	str_clear(&frames->pending);
	str_clear(&frames->name);
}

bool aws_frames_is_pending(const struct aws_frames *frames)
{
	return frames->pending.len > 0;
}

static bool aws_frames_malformed(const struct aws_frames *frames, struct err *err, const char *what)
{
	return err_set(err, ERR_PARSE, "AWS event stream: %s, in the message at byte %llu", what,
		       (unsigned long long)frames->at);
}

static uint32_t aws_frames_load_be32(const char *bytes)
{
	const uint8_t *p = (const uint8_t *)bytes;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool aws_frames_crc_fits(struct sv covered)
{
	return crc32_add(0, covered) == aws_frames_load_be32(covered.ptr + covered.len);
}

/* How long the message is that begins with this prelude. */
static bool aws_frames_read_prelude(const struct aws_frames *frames, struct sv bytes, size_t *total,
				    struct err *err)
{
	size_t length = aws_frames_load_be32(bytes.ptr),
	       headers = aws_frames_load_be32(bytes.ptr + 4);

	if (!aws_frames_crc_fits(sv_slice(bytes, 0, 8)))
		return aws_frames_malformed(frames, err, "the checksum of the lengths is wrong");
	if (length > frames->max)
		return err_set(err, ERR_TOO_BIG,
			       "AWS event stream: the message of %zu bytes at byte %llu exceeds "
			       "the limit of %zu",
			       length, (unsigned long long)frames->at, frames->max);
	if (length < OVERHEAD || headers > length - OVERHEAD || headers > LIMIT_AWS_HEADERS)
		return aws_frames_malformed(frames, err, "inconsistent lengths");
	*total = length;
	return true;
}

/* Takes `n` bytes off the front of `rest`. */
static bool aws_frames_take(struct sv *rest, size_t n, struct sv *out)
{
	if (n > rest->len)
		return false;
	*out = sv_slice(*rest, 0, n);
	*rest = sv_skip(*rest, n);
	return true;
}

/* Takes a length of `width` bytes and that many bytes after it. */
static bool aws_frames_take_counted(struct sv *rest, size_t width, struct sv *out)
{
	struct sv count;
	size_t n = 0;

	if (!aws_frames_take(rest, width, &count))
		return false;
	for (size_t i = 0; i < width; i++)
		n = n << 8 | (unsigned char)count.ptr[i];
	return aws_frames_take(rest, n, out);
}

enum { TYPE_BYTES = 6, TYPE_STRING = 7 };

/* Takes one header; `value` is empty unless it is a string. */
static bool aws_frames_take_header(struct sv *rest, struct sv *name, struct sv *value)
{
	/* true, false, byte, short, int, long, bytes, string, timestamp, UUID */
	static const uint8_t sizes[] = { 0, 0, 1, 2, 4, 8, 0, 0, 8, 16 };
	struct sv type, ignored;
	size_t t;

	*value = SV_EMPTY;
	if (!aws_frames_take_counted(rest, 1, name) || name->len == 0 ||
	    !aws_frames_take(rest, 1, &type))
		return false;
	t = (unsigned char)type.ptr[0];
	if (t == TYPE_STRING)
		return aws_frames_take_counted(rest, 2, value);
	if (t == TYPE_BYTES)
		return aws_frames_take_counted(rest, 2, &ignored);
	return t < countof(sizes) && aws_frames_take(rest, sizes[t], &ignored);
}

/* The headers that matter to us. */
struct headers {
	struct sv sort, event, exception, code, message, content_type;
};

static bool aws_frames_read_headers(struct headers *out, struct sv bytes)
{
	const struct {
		const char *name;
		struct sv *value;
	} known[] = {
		{ ":message-type", &out->sort },        { ":event-type", &out->event },
		{ ":exception-type", &out->exception }, { ":error-code", &out->code },
		{ ":error-message", &out->message },    { ":content-type", &out->content_type },
	};
	struct sv name, value;

	while (bytes.len > 0) {
		if (!aws_frames_take_header(&bytes, &name, &value))
			return false;
		for (size_t i = 0; i < countof(known); i++)
			if (sv_is(name, known[i].name))
				*known[i].value = value;
	}
	return true;
}

static struct sv aws_frames_failure_name(struct aws_frames *frames, const char *sort,
					 struct sv type)
{
	str_truncate(&frames->name, 0);
	str_addf(&frames->name, "%s:%.*s", sort, SV_ARG(type));
	return sv_of(&frames->name);
}

/* One whole message, its prelude already checked. */
static bool aws_frames_take_message(struct aws_frames *frames, struct sv bytes, aws_frame_fn *emit,
				    void *arg, struct err *err)
{
	size_t headers_end = PRELUDE + aws_frames_load_be32(bytes.ptr + 4);
	struct headers h = { .sort = SV_EMPTY };
	struct aws_frame frame;

	if (!aws_frames_crc_fits(sv_slice(bytes, 0, bytes.len - 4)))
		return aws_frames_malformed(frames, err, "the checksum is wrong");
	if (!aws_frames_read_headers(&h, sv_slice(bytes, PRELUDE, headers_end)))
		return aws_frames_malformed(frames, err, "malformed headers");
	frame = (struct aws_frame){ .name = h.event,
				    .content_type = h.content_type,
				    .payload = sv_slice(bytes, headers_end, bytes.len - 4) };
	if (sv_is(h.sort, "exception")) {
		frame.name = aws_frames_failure_name(frames, "exception", h.exception);
	} else if (sv_is(h.sort, "error")) {
		frame.name = aws_frames_failure_name(frames, "error", h.code);
		frame.payload = h.message;
	} else if (!sv_is(h.sort, "event")) {
		return aws_frames_malformed(frames, err, "not an event, exception or error");
	}
	if (!emit(arg, &frame, err))
		return false;
	frames->at += bytes.len;
	return true;
}

/* Completes the pending bytes up to the next step and takes it. `in` keeps the rest. */
static bool aws_frames_take_pending(struct aws_frames *frames, struct sv *in, aws_frame_fn *emit,
				    void *arg, struct err *err)
{
	struct str *pending = &frames->pending;
	struct sv more;

	if (!aws_frames_take(in, min_of(in->len, frames->need - pending->len), &more))
		return true;
	str_add(pending, more);
	if (pending->len < frames->need)
		return true;
	if (frames->need == PRELUDE)
		return aws_frames_read_prelude(frames, sv_of(pending), &frames->need, err);
	if (!aws_frames_take_message(frames, sv_of(pending), emit, arg, err))
		return false;
	str_truncate(pending, 0);
	frames->need = PRELUDE;
	return true;
}

bool aws_frames_feed(struct aws_frames *frames, struct sv in, aws_frame_fn *emit, void *arg,
		     struct err *err)
{
	while (in.len > 0) {
		size_t total = SIZE_MAX;
		struct sv message;

		if (frames->pending.len == 0 && in.len >= PRELUDE &&
		    !aws_frames_read_prelude(frames, in, &total, err))
			return false;
		if (aws_frames_take(&in, total, &message)) {
			if (!aws_frames_take_message(frames, message, emit, arg, err))
				return false;
		} else if (!aws_frames_take_pending(frames, &in, emit, arg, err)) {
			return false;
		}
	}
	return true;
}
