/* records.h - transcripts for tests, written as Claude Code writes them. */
#ifndef AWL_TESTS_UNIT_STORE_TRANSCRIPT_RECORDS_H
#define AWL_TESTS_UNIT_STORE_TRANSCRIPT_RECORDS_H

#include "sound.h"
#include "store/transcript/transcript.h"
#include "sys/temp_dir.h"

#define SESSION "0f0e0d0c-0b0a-4908-8706-050403020100"

/* `parent` is "null" or P("id"). */
#define P(id) "\"" id "\""
#define LINE(type, id, parent, more)                                                  \
	"{\"parentUuid\":" parent ",\"isSidechain\":false,\"userType\":\"external\"," \
	"\"cwd\":\"/w\",\"sessionId\":\"" SESSION "\",\"version\":\"2.1\","           \
	"\"gitBranch\":\"main\",\"type\":\"" type "\"," more ",\"uuid\":\"" id "\","  \
	"\"timestamp\":\"2026-11-15T09:08:10.730Z\"}\n"
#define MESSAGE_LINE(type, id, parent, message, more) \
	LINE(type, id, parent, "\"message\":{" message "}" more)

/* `content` is JSON. */
#define USER_MORE(id, parent, content, more) \
	MESSAGE_LINE("user", id, parent, "\"role\":\"user\",\"content\":" content, more)
#define USER(id, parent, content) USER_MORE(id, parent, content, "")
/* One block a record, the records of one answer sharing `message_id`. */
#define ANSWER_MORE(id, parent, message_id, block, more)                                      \
	MESSAGE_LINE("assistant", id, parent,                                                 \
		     "\"model\":\"claude-x\",\"id\":\"" message_id "\",\"type\":\"message\"," \
		     "\"role\":\"assistant\",\"content\":[" block "],\"stop_reason\":null",   \
		     more)
#define ANSWER(id, parent, message_id, block) ANSWER_MORE(id, parent, message_id, block, "")
#define RESULT_LINE(id, parent, call, text)               \
	USER_MORE(id, parent, "[" RESULT(call, text) "]", \
		  ",\"toolUseResult\":{\"uuid\":\"" text "\",\"type\":\"assistant\"}")
#define BOUNDARY(id, old)          \
	LINE("system", id, "null", \
	     "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"" old "\"")

/* The messages from `head` to `tail` stay, after `anchor`; and those that are listed in `ids`. */
#define BOUNDARY_KEEPS(id, old, anchor, head, tail)                                             \
	LINE("system", id, "null",                                                              \
	     "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"" old                    \
	     "\",\"compactMetadata\":{\"trigger\":\"auto\",\"preservedSegment\":{\"headUuid\":" \
	     "\"" head "\",\"anchorUuid\":\"" anchor "\",\"tailUuid\":\"" tail "\"}}")
#define BOUNDARY_LISTS(id, old, anchor, ids)                                          \
	LINE("system", id, "null",                                                    \
	     "\"subtype\":\"compact_boundary\",\"logicalParentUuid\":\"" old          \
	     "\",\"compactMetadata\":{\"preservedSegment\":{\"headUuid\":\"gone\","   \
	     "\"anchorUuid\":\"gone\",\"tailUuid\":\"gone\"},\"preservedMessages\":{" \
	     "\"anchorUuid\":\"" anchor "\",\"uuids\":" ids "}}")
#define SUMMARY(id, parent)                   \
	USER_MORE(id, parent, "\"in short\"", \
		  ",\"isCompactSummary\":true,\"isVisibleInTranscriptOnly\":true")

#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define THOUGHT    "{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}"
#define CALL(id)   "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"Read\",\"input\":{}}"
#define RESULT(id, text) \
	"{\"tool_use_id\":\"" id "\",\"type\":\"tool_result\",\"content\":\"" text "\"}"
#define FAILED(id)                                              \
	"{\"type\":\"tool_result\",\"tool_use_id\":\"" id "\"," \
	"\"content\":\"[Tool result missing due to internal error]\",\"is_error\":true}"
#define STAND_IN "U \"[Earlier messages are no longer available.]\"\n"

/* A file of its own in `dir`, with this content. */
static inline char *script_in(const struct str *dir, struct sv text)
{
	char *path = path_in(dir, SESSION ".jsonl");
	struct err err;

	CHECK_OK(fs_write(path, text, (struct fs_write){ .mode = 0600 }, &err), err);
	return path;
}

/* "U <content>\nA <content>\n": the messages, a line each. */
static inline void show_messages(struct str *out, const struct transcript_loaded *l)
{
	for (size_t i = 0; i < l->messages.n; i++) {
		struct sv json = sv_of(&l->messages.at[i].json);
		struct sv before = l->messages.at[i].assistant
					   ? SV("{\"role\":\"assistant\",\"content\":")
					   : SV("{\"role\":\"user\",\"content\":");

		CHECK(sv_starts(json, before));
		str_addc(out, l->messages.at[i].assistant ? 'A' : 'U');
		str_addc(out, ' ');
		str_add(out, sv_slice(json, before.len, json.len - 1));
		str_addc(out, '\n');
	}
}

/* Loads `text`, which must succeed and be sound. */
static inline void load_text(struct transcript_loaded *out, struct sv text, const char *at)
{
	TEMP_DIR(dir);
	defer(mem_freep) char *path = script_in(&dir, text);
	struct err err;

	CHECK_OK(transcript_load(out, path, sv_cstr(at), &err), err);
	if (unsound(out))
		fail_msg("%s", unsound(out));
}

#define LOADED(name, text)                                                                     \
	defer(transcript_loaded_clear) struct transcript_loaded name = TRANSCRIPT_LOADED_INIT; \
	load_text(&name, text, "")

static inline void check_messages(const struct transcript_loaded *l, const char *what,
				  const char *expected)
{
	defer(str_clear) struct str shown = STR_INIT;

	show_messages(&shown, l);
	if (strcmp(str_c(&shown), expected) != 0)
		print_error("%s:\n", what);
	CHECK_STR(str_c(&shown), expected);
}

#define CHECK_MESSAGES(loaded, expected) check_messages(&(loaded), "the messages", expected)

#endif
