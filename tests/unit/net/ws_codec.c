#include "net/ws_codec.h"

#include "test.h"
#include "text/hex.h"
#include "text/sha1.h"

TEST(sha1_of_known_texts)
{
	static const struct {
		const char *text, *digest;
	} cases[] = {
		{ "", "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
		{ "abc", "a9993e364706816aba3e25717850c26c9cd0d89d" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT;
		uint8_t digest[SHA1_SIZE];

		sha1(digest, sv_cstr(cases[i].text));
		hex_encode(&text, sv_from((const char *)digest, sizeof(digest)));
		CHECK_SV_EQ(sv_of(&text), sv_cstr(cases[i].digest));
	}
}

/* --- the handshake --- */

#define AGREED                                                       \
	"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\n" \
	"Connection: keep-alive, Upgrade\r\n"                        \
	"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"

static bool head_is_fine(const char *text, const char *protocol)
{
	struct ws_key key = ws_key_make((const uint8_t *)"the sample nonce");
	struct ws_head head = { 0 };
	struct err err = ERR_INIT;
	size_t used = 0;
	bool is_fine = ws_head_read(&head, sv_cstr(text), &used, &err) && used == strlen(text) &&
		       ws_head_check(&head, &key, protocol, &err);

	ws_head_clear(&head);
	return is_fine;
}

TEST(a_handshake_needs_the_proof_of_the_server)
{
	CHECK(head_is_fine(AGREED "\r\n", NULL));
	CHECK(head_is_fine(AGREED "Sec-WebSocket-Protocol: mcp\r\n\r\n", "mcp"));
	CHECK(!head_is_fine(AGREED "Sec-WebSocket-Protocol: chat\r\n\r\n", "mcp"));
	CHECK(!head_is_fine(AGREED "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n", NULL));
	CHECK(!head_is_fine("HTTP/1.1 101 Fine\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
			    "Sec-WebSocket-Accept: x\r\n\r\n",
			    NULL));
	CHECK(!head_is_fine("HTTP/2 101\r\n\r\n", NULL));
}

TEST(a_head_is_read_only_when_it_is_complete)
{
	struct ws_head head = { 0 };
	struct err err = ERR_INIT;
	size_t used = 7;

	CHECK(ws_head_read(&head, SV("HTTP/1.1 401 No\r\nA: b\r\n"), &used, &err));
	CHECK_INT(used, 0);
	CHECK(ws_head_read(&head, SV("HTTP/1.1 401 No\r\nA: b\r\n\r\nrest"), &used, &err));
	CHECK_INT(used, 25);
	CHECK_INT(head.status, 401);
	CHECK_INT(head.fields.n, 1);
	ws_head_clear(&head);
}

/* --- frames --- */

static bool note(void *arg, enum ws_opcode opcode, struct sv payload)
{
	str_addf(arg, "%d:%.*s|", (int)opcode, SV_ARG(payload));
	return opcode != WS_CLOSE;
}

/* Decode in pieces of every size: the outcome must not depend on them. */
static void check_frames(struct sv in, const char *received, enum err_kind kind)
{
	for (size_t step = 1; step <= in.len; step++) {
		defer(str_clear) struct str got = STR_INIT;
		defer(ws_decoder_clear) struct ws_decoder d;
		struct err err = ERR_INIT;

		ws_decoder_init(&d, 300);
		for (size_t at = 0; at < in.len && !err.kind; at += step)
			if (!ws_decode(&d, sv_slice(in, at, at + step), note, &got, &err))
				CHECK(err.kind != ERR_NONE);
		CHECK_SV_EQ(sv_of(&got), sv_cstr(received));
		CHECK_INT(err.kind, kind);
	}
}

TEST(messages_are_joined_and_control_frames_come_between)
{
	check_frames(SV("\x81\x02hi"), "1:hi|", ERR_NONE);
	check_frames(SV("\x81\x00"), "1:|", ERR_NONE);
	check_frames(SV("\x01\x01h\x89\x02yo\x80\x01i\x8a\x00"), "9:yo|1:hi|10:|", ERR_NONE);
	check_frames(SV("\x82\x01\xff"), "2:\xff|", ERR_NONE);
	check_frames(SV("\x81\x7e\x00\x03"
			"abc"),
		     "1:abc|", ERR_NONE);
}

TEST(frames_that_break_the_protocol_are_refused)
{
	check_frames(SV("\xc1\x00"), "", ERR_PROTOCOL);         /* a reserved bit */
	check_frames(SV("\x83\x00"), "", ERR_PROTOCOL);         /* an unknown kind */
	check_frames(SV("\x81\x80"), "", ERR_PROTOCOL);         /* masked */
	check_frames(SV("\x80\x00"), "", ERR_PROTOCOL);         /* continues nothing */
	check_frames(SV("\x01\x00\x81\x00"), "", ERR_PROTOCOL); /* begins inside another */
	check_frames(SV("\x09\x00"), "", ERR_PROTOCOL);         /* a ping in pieces */
	check_frames(SV("\x89\x7e"), "", ERR_PROTOCOL);         /* a long ping */
	check_frames(SV("\x88\x01\x03"), "", ERR_PROTOCOL);     /* half a code */
	check_frames(SV("\x88\x02\x03\xee"), "", ERR_PROTOCOL); /* 1006 */
	check_frames(SV("\x81\x01\xff"), "", ERR_PARSE);
	check_frames(SV("\x88\x03\x03\xe8\xff"), "", ERR_PARSE);
	check_frames(SV("\x81\x7e\x01\x2d"), "", ERR_TOO_BIG);
	check_frames(SV("\x81\x7f\xff\xff\xff\xff\xff\xff\xff\xff"), "", ERR_TOO_BIG);
}

TEST(nothing_is_read_after_a_close)
{
	defer(str_clear) struct str got = STR_INIT;
	defer(ws_decoder_clear) struct ws_decoder d;
	struct err err = ERR_INIT;

	ws_decoder_init(&d, 300);
	CHECK(ws_decode(&d,
			SV("\x88\x05\x03\xe8"
			   "bye\x81\x02hi"),
			note, &got, &err));
	CHECK_SV_EQ(sv_of(&got), SV("8:\x03\xe8"
				    "bye|"));
}

/* What a client sends is what a server reads: undo the mask and decode it. */
TEST(frames_of_every_length_are_encoded_with_a_mask)
{
	static const size_t lengths[] = { 0, 1, 125, 126, 65535, 65536 };
	static const uint8_t mask[] = { 1, 2, 3, 4 };

	for (size_t i = 0; i < countof(lengths); i++) {
		defer(str_clear) struct str payload = STR_INIT;
		defer(str_clear) struct str frame = STR_INIT;
		defer(str_clear) struct str plain = STR_INIT;
		size_t head;

		for (size_t k = 0; k < lengths[i]; k++)
			str_addc(&payload, (char)('a' + k % 26));
		ws_encode(&frame, WS_TEXT, sv_of(&payload), mask);
		head = frame.len - lengths[i];
		CHECK_INT((uint8_t)frame.ptr[0], 0x81);
		CHECK(frame.ptr[1] & 0x80);
		CHECK_INT(head, lengths[i] < 126 ? 6 : lengths[i] < 65536 ? 8 : 14);
		for (size_t k = 0; k < lengths[i]; k++)
			str_addc(&plain, (char)(frame.ptr[head + k] ^ mask[k % 4]));
		CHECK_SV_EQ(sv_of(&plain), sv_of(&payload));
	}
}
