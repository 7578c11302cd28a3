/* Frames of a hostile WebSocket server: what is emitted does not depend on how the bytes are split, nor does failure,
 * and no message is longer than the cap. */
#include "net/ws_codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 200 };

static bool note(void *arg, enum ws_opcode opcode, struct sv payload)
{
	BUG_ON(payload.len > MOST);
	str_addf(arg, "%d:%zu:", (int)opcode, payload.len);
	str_add(arg, payload);
	return true;
}

static bool run(struct str *out, struct sv in, size_t step)
{
	defer(ws_decoder_clear) struct ws_decoder d;
	struct err err = ERR_INIT;

	ws_decoder_init(&d, MOST);
	for (size_t at = 0; at < in.len; at += step)
		if (!ws_decode(&d, sv_slice(in, at, at + step), note, out, &err))
			return false;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv in = sv_from((const char *)data, size);
	defer(str_clear) struct str whole = STR_INIT;
	defer(str_clear) struct str split = STR_INIT;
	struct ws_head head = { 0 };
	struct err err = ERR_INIT;
	size_t used;

	BUG_ON(run(&whole, in, size + 1) != run(&split, in, 1));
	BUG_ON(!sv_eq(sv_of(&whole), sv_of(&split)));
	if (ws_head_read(&head, in, &used, &err))
		BUG_ON(used > size);
	ws_head_clear(&head);
	return 0;
}
