#include "front/past.h"

#include "program.h"
#include "test.h"

#define LINE(type, id, parent, more, message)                                    \
	"{\"type\":\"" type "\",\"uuid\":\"" id "\",\"parentUuid\":" parent more \
	",\"message\":" message "}\n"
#define MESSAGE(text) "{\"role\":\"user\",\"content\":\"" text "\"}"

/* The kinds and prompts of the records: "P:hello R T". */
static void load_of(struct str *out, enum past_of of, const char *text, size_t max_bytes,
		    size_t max_records)
{
	defer(temp_dir_remove) struct temp_dir dir;
	defer(str_clear) struct str path = STR_INIT;
	struct past past;
	struct err err = ERR_INIT;

	temp_dir_make(&dir);
	temp_dir_write(&dir, "past.jsonl", sv_cstr(text));
	str_addf(&path, "%s/past.jsonl", dir.path);
	CHECK_OK(past_load(&past, path.ptr, of, max_bytes, max_records, &err), err);
	for (size_t i = 0; i < past.records.n; i++) {
		str_addf(out, "%s%c", i ? " " : "", "PRT"[past.records.at[i].kind]);
		if (past.records.at[i].text.len)
			str_addf(out, ":%s", past.records.at[i].text.ptr);
	}
	str_adds(out, past.is_cut ? " cut" : "");
	past_clear(&past);
}

static void load(struct str *out, const char *text, size_t max_bytes, size_t max_records)
{
	load_of(out, PAST_OF_SESSION, text, max_bytes, max_records);
}

static const char talk[] = "{\"type\":\"queue-operation\",\"operation\":\"enqueue\"}\n" LINE(
	"user", "a", "null", ",\"isMeta\":true", MESSAGE("environment")) LINE("user", "b", "\"a\"",
									      "", MESSAGE("hello"))
	LINE("assistant", "x", "\"b\"", "", "{\"role\":\"assistant\",\"content\":[]}") /* rewound */
	"not JSON\n" LINE("assistant", "c", "\"b\"", "", "{\"role\":\"assistant\",\"content\":[]}")
		LINE("user", "d", "\"c\"", "",
		     "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":"
		     "\"1\"}]}") LINE("user", "s", "\"d\"", ",\"isSidechain\":true",
				      MESSAGE("of a sub-agent"))
			LINE("user", "e", "\"d\"", "",
			     MESSAGE("<command-name>/usage</command-name><command-args>all</"
				     "command-args>"))
				LINE("user", "f", "\"e\"", "",
				     MESSAGE("<local-command-stdout>x</local-command-stdout>"));

TEST(the_newest_chain_of_a_conversation_is_read)
{
	defer(str_clear) struct str all = STR_INIT, two = STR_INIT, end = STR_INIT, none = STR_INIT;

	load(&all, talk, SIZE_MAX, 100);
	CHECK_STR(str_c(&all), "P:hello R T P:/usage all");
	load(&two, talk, SIZE_MAX, 2);
	CHECK_STR(str_c(&two), "T P:/usage all cut");
	load(&end, talk, 400, 100); /* begins inside a line */
	CHECK_STR(str_c(&end), "P:/usage all cut");
	load(&none, "", SIZE_MAX, 100);
	CHECK_STR(str_c(&none), "");
}

TEST(the_file_of_a_sub_agent_is_read_as_its_own_conversation)
{
	defer(str_clear) struct str all = STR_INIT;
	const char *side = LINE("user", "a", "null", ",\"isSidechain\":true", MESSAGE("Look"))
		LINE("user", "b", "\"a\"", ",\"isSidechain\":true", MESSAGE("<agent-message>hi"));

	load_of(&all, PAST_OF_AGENT, side, SIZE_MAX, 100);
	CHECK_STR(str_c(&all), "P:Look P:<agent-message>hi");
}
