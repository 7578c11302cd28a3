/* frame.h - makes messages of an AWS event stream, for tests. */
#ifndef AWL_TESTS_UNIT_MODEL_WIRE_FRAME_H
#define AWL_TESTS_UNIT_MODEL_WIRE_FRAME_H

#include "base/str.h"
#include "text/crc32.h"

static inline void frame_u32(struct str *out, uint32_t n)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		str_addc(out, (char)(n >> shift));
}

/* A string header. */
static inline void frame_header(struct str *out, struct sv name, struct sv value)
{
	str_addc(out, (char)name.len);
	str_add(out, name);
	str_addc(out, 7);
	str_addc(out, (char)(value.len >> 8));
	str_addc(out, (char)value.len);
	str_add(out, value);
}

/* A message with these headers, checksums right. */
static inline void frame_raw(struct str *out, struct sv headers, struct sv payload)
{
	size_t at = out->len;

	frame_u32(out, (uint32_t)(16 + headers.len + payload.len));
	frame_u32(out, (uint32_t)headers.len);
	frame_u32(out, crc32_add(0, sv_skip(sv_of(out), at)));
	str_add(out, headers);
	str_add(out, payload);
	frame_u32(out, crc32_add(0, sv_skip(sv_of(out), at)));
}

/* An "event" named by :event-type, an "exception" by :exception-type. */
static inline void frame_add(struct str *out, const char *sort, const char *type, struct sv payload)
{
	defer(str_clear) struct str headers = STR_INIT;
	defer(str_clear) struct str name = STR_INIT;

	str_addf(&name, ":%s-type", sort);
	frame_header(&headers, sv_of(&name), sv_cstr(type));
	frame_header(&headers, SV(":content-type"), SV("application/json"));
	frame_header(&headers, SV(":message-type"), sv_cstr(sort));
	frame_raw(out, sv_of(&headers), payload);
}

#endif
