/* A conversation as JSON: its messages as they were sent and received. */
#include "store/transcript/transcript_export_int.h"
#include "text/json/json_write.h"

static void export_json_begin(struct export *e)
{
	struct jw w;

	str_adds(e->out, "{\"session_id\":");
	jw_init(&w, e->out, JW_COMPACT);
	jw_str(&w, e->id);
	jw_done(&w);
	str_adds(e->out, ",\"title\":");
	jw_init(&w, e->out, JW_COMPACT);
	jw_str(&w, sv_of(&e->title));
	jw_done(&w);
	str_adds(e->out, ",\"messages\":[");
}

static void export_json_record(struct export *e, struct json record)
{
	static const char *const keys[] = { "type", "uuid", "timestamp", "cwd", "gitBranch" };
	struct jw w;

	str_adds(e->out, e->written++ ? ",\n" : "\n");
	jw_init(&w, e->out, JW_COMPACT);
	jw_object(&w);
	for (size_t i = 0; i < countof(keys); i++)
		if (export_member(record, keys[i]).len)
			jw_put_str(&w, keys[i], export_member(record, keys[i]));
	jw_put_value(&w, "message", json_get(record, "message"));
	jw_end(&w);
	jw_done(&w);
}

static void export_json_end(struct export *e)
{
	str_adds(e->out, "\n]}\n");
}

static const struct export_format json_format = { .begin = export_json_begin,
						  .record = export_json_record,
						  .end = export_json_end };

bool transcript_export_json(struct str *out, const char *path, struct sv last, struct err *err)
{
	return export_run(out, &json_format, path, last, err);
}
