#include "term/key.h"

#include "base/limits.h"
#include "test.h"

static void write_event(void *arg, const struct key_event *event)
{
	struct str *out = arg;

	if (out->len)
		str_addc(out, ' ');
	switch (event->kind) {
	case KEY_EVENT_KEY: key_name(out, &event->key); break;
	case KEY_EVENT_PASTE: str_addf(out, "paste<%.*s>", SV_ARG(event->paste)); break;
	case KEY_EVENT_PASTE_END: str_adds(out, "end"); break;
	case KEY_EVENT_FOCUS: str_adds(out, event->is_focused ? "focus" : "blur"); break;
	case KEY_EVENT_REPLY:
		str_addf(out, "reply%d:%u,%u,%02x%02x%02x,%.*s", (int)event->reply.what,
			 event->reply.number, event->reply.state, event->reply.color[0],
			 event->reply.color[1], event->reply.color[2], SV_ARG(event->reply.text));
		break;
	}
}

static const struct {
	const char *bytes, *events;
} cases[] = {
	/* Text. */
	{ "aB ", "a B space" },
	{ "\xc3\xa9\xe4\xbd\xa0", "\xc3\xa9 \xe4\xbd\xa0" },
	{ "\xc3(", "(" },
	{ "\xc2\x9b", "" },
	/* Control characters. */
	{ "\x01\x03\x1a", "ctrl+a ctrl+c ctrl+z" },
	{ "\r\n\t", "enter ctrl+j tab" },
	{ "\x7f\x08", "backspace backspace" },
	{ "\x1c\x1d\x1e\x1f", "ctrl+\\ ctrl+] ctrl+^ ctrl+_" },
	/* Escape and Alt. */
	{ "\x1b", "escape" },
	{ "\x1b\x1b", "escape escape" },
	{ "\x1b"
	  "b",
	  "alt+b" },
	{ "\x1b"
	  "B",
	  "alt+shift+b" },
	{ "\x1b\r", "alt+enter" },
	{ "\x1b\x7f", "alt+backspace" },
	{ "\x1b\xc3\xa9", "alt+\xc3\xa9" },
	{ "\x1b[", "alt+[" },
	{ "\x1bO", "alt+shift+o" },
	{ "\x1b\x01", "ctrl+alt+a" },
	/* Arrows and their neighbours, as different terminals write them. */
	{ "\x1b[A\x1b[B\x1b[C\x1b[D", "up down right left" },
	{ "\x1bOA\x1bOH\x1bOF", "up home end" },
	{ "\x1b[1;5C\x1b[1;3D\x1b[1;2A", "ctrl+right alt+left shift+up" },
	{ "\x1b\x1b[A\x1b\x1bOB", "alt+up alt+down" },
	{ "\x1b[H\x1b[F\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "home end home end home end" },
	{ "\x1b[2~\x1b[3~\x1b[5~\x1b[6~", "insert delete pageup pagedown" },
	{ "\x1b[3;5~", "ctrl+delete" },
	{ "\x1b[Z", "shift+tab" },
	{ "\x1b[a\x1bOa\x1b[3^\x1b[3@", "shift+up ctrl+up ctrl+delete ctrl+shift+delete" },
	{ "\x1bOM", "enter" },
	/* Function keys. */
	{ "\x1bOP\x1b[[A\x1b[11~\x1b[15~\x1b[24~\x1b[1;5P", "f1 f1 f1 f5 f12 ctrl+f1" },
	/* The kitty protocol. */
	{ "\x1b[97;5u", "ctrl+a" },
	{ "\x1b[97;6u", "ctrl+shift+a" },
	{ "\x1b[13;2u\x1b[13u\x1b[27u\x1b[9;2u\x1b[127;3u",
	  "shift+enter enter escape shift+tab alt+backspace" },
	{ "\x1b[97:65;2;65u", "A" },
	{ "\x1b[97;1:3u", "" },
	{ "\x1b[97;1:2u", "a" },
	{ "\x1b[57376u\x1b[57399u\x1b[57414u\x1b[57441u", "f13 0 enter other" },
	{ "\x1b[105;69u", "ctrl+i" },
	/* modifyOtherKeys. */
	{ "\x1b[27;2;13~\x1b[27;5;105~", "shift+enter ctrl+i" },
	/* Focus, pastes. */
	{ "\x1b[I\x1b[O", "focus blur" },
	{ "\x1b[200~a\rb\r\nc\x1b[201~d", "paste<a\nb\nc> end d" },
	{ "\x1b[200~\x1b[A\x1b[201~", "paste<\x1b[A> end" },
	{ "\x1b[200~\x1b[201~", "end" },
	/* Replies. */
	{ "\x1b[?62;22c", "reply0:62,0,000000," },
	{ "\x1b[?2026;2$y", "reply1:2026,2,000000," },
	{ "\x1b[?1u", "reply2:1,0,000000," },
	{ "\x1b]11;rgb:1e1e/2020/ffff\x1b\\", "reply3:0,0,1e20ff," },
	{ "\x1b]11;rgb:f/8/0\x07", "reply3:0,0,ff8800," },
	{ "\x1bP>|kitty(0.32)\x1b\\", "reply4:0,0,000000,kitty(0.32)" },
	{ "\x1b[>1;2;3cx", "reply5:2,0,000000, x" },
	{ "\x1b[12;40R\x1b[1;40R\x1b[1;5R", "reply6:12,40,000000, reply6:1,40,000000, ctrl+f3" },
	{ "\x1b\x1b[12;40R\x1b\x1b[A", "escape reply6:12,40,000000, alt+up" },
	/* Anything else leaves no text behind. */
	{ "\x1b[<0;3;4Ma", "a" },
	{ "\x1b[M !!a", "a" },
	{ "\x1b]52;c;aGk=\x07x", "x" },
	{ "\x1b_Gi=1;OK\x1b\\x", "x" },
	{ "\x1b[999;999;999;999;999;999qx", "x" },
};

static void decode(struct str *out, struct sv bytes, size_t cut)
{
	struct key_decoder decoder;

	key_decoder_init(&decoder);
	key_decoder_feed(&decoder, sv_slice(bytes, 0, cut), write_event, out);
	key_decoder_feed(&decoder, sv_skip(bytes, cut), write_event, out);
	key_decoder_flush(&decoder, write_event, out);
	CHECK(!key_decoder_waits(&decoder));
	key_decoder_clear(&decoder);
}

TEST(keys_are_recognised_in_the_ways_terminals_write_them)
{
	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		decode(&out, sv_cstr(cases[i].bytes), 0);
		CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].events));
	}
}

TEST(keys_are_the_same_however_their_bytes_arrive)
{
	for (size_t i = 0; i < countof(cases); i++) {
		struct sv bytes = sv_cstr(cases[i].bytes);

		for (size_t cut = 1; cut < bytes.len && !sv_starts(bytes, SV("\x1b[200~")); cut++) {
			defer(str_clear) struct str out = STR_INIT;

			decode(&out, bytes, cut);
			CHECK_SV_EQ(sv_of(&out), sv_cstr(cases[i].events));
		}
	}
}

static void join_paste(void *arg, const struct key_event *event)
{
	if (event->kind == KEY_EVENT_PASTE)
		str_add(arg, event->paste);
	else
		write_event(arg, event);
}

TEST(paste_is_the_same_however_its_bytes_arrive)
{
	struct sv bytes = SV("\x1b[200~one\r\n\xe4\xbd\xa0\x1b[20 \r\x1b[201~x");

	for (size_t cut = 0; cut <= bytes.len; cut++) {
		defer(str_clear) struct str out = STR_INIT;
		struct key_decoder decoder;

		key_decoder_init(&decoder);
		for (size_t i = 0; i < cut; i++)
			key_decoder_feed(&decoder, sv_slice(bytes, i, i + 1), join_paste, &out);
		key_decoder_feed(&decoder, sv_skip(bytes, cut), join_paste, &out);
		key_decoder_clear(&decoder);
		CHECK_SV(sv_of(&out), "one\n\xe4\xbd\xa0\x1b[20 \n end x");
	}
}

TEST(endless_sequence_is_dropped_without_being_kept)
{
	defer(str_clear) struct str out = STR_INIT;
	struct key_decoder decoder;

	key_decoder_init(&decoder);
	key_decoder_feed(&decoder, SV("\x1b]52;c;"), write_event, &out);
	for (size_t i = 0; i < 1000; i++) {
		key_decoder_feed(&decoder, SV("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), write_event,
				 &out);
		CHECK(decoder.pending.len <= LIMIT_KEY_SEQUENCE);
	}
	CHECK_SV(sv_of(&out), "");
	key_decoder_feed(&decoder, SV("\x07ok"), write_event, &out);
	CHECK_SV(sv_of(&out), "o k");
	key_decoder_clear(&decoder);
}
