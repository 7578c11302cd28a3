/* Any bytes as a transcript: it loads, what comes out is a conversation that a model
 * accepts, and a record added at its end is the next time the last of it. */
#include <sys/mman.h>
#include <unistd.h>

#include "../unit/store/transcript/sound.h"
#include "sys/fs.h"
#include "text/json/json_span.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_json(const struct str *text)
{
	struct json_span span;
	struct err err;

	BUG_ON(text->len && !json_span_root(sv_of(text), &span, &err));
}

/* A file without a name. */
static void load(struct transcript_loaded *out, struct sv text)
{
	int fd = memfd_create("transcript", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	char path[32];

	BUG_ON(fd < 0 || write(fd, text.ptr, text.len) != (ssize_t)text.len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!transcript_load(out, path, SV_EMPTY, &err))
		BUG("%s", err.text);
	close(fd);
	if (unsound(out))
		BUG("%s", unsound(out));
	check_json(&out->todos);
	check_json(&out->cost_state);
}

#define NEXT "the-next-record"

static void check_goes_on(struct sv text, const struct transcript_loaded *before)
{
	defer(transcript_loaded_clear) struct transcript_loaded after = TRANSCRIPT_LOADED_INIT;
	defer(str_clear) struct str longer = STR_INIT;

	str_add(&longer, text);
	if (!sv_ends(text, SV("\n")))
		str_addc(&longer, '\n');
	str_addf(&longer,
		 "{\"parentUuid\":\"%s\",\"type\":\"user\",\"message\":{\"role\":\"user\","
		 "\"content\":\"go on\"},\"uuid\":\"" NEXT "\"}\n",
		 before->last.text);
	load(&after, sv_of(&longer));
	BUG_ON(strcmp(after.last.text, NEXT) != 0);
	BUG_ON(!after.messages.n || vec_last(&after.messages)->assistant);
	BUG_ON(sv_find(sv_of(&vec_last(&after.messages)->json), SV("go on")) == SIZE_MAX);
	BUG_ON(after.cut != TRANSCRIPT_CUT_PROMPT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(transcript_loaded_clear) struct transcript_loaded loaded = TRANSCRIPT_LOADED_INIT;
	struct sv text = sv_from((const char *)data, size);

	load(&loaded, text);
	if (sv_find(text, SV(NEXT)) == SIZE_MAX && !strpbrk(loaded.last.text, "\"\\"))
		check_goes_on(text, &loaded);
	return 0;
}
