#include "hook/judgement.h"

#include "text/json/json.h"

bool hook_judgement_read(struct hook_judgement *out, struct sv text, struct err *err)
{
	size_t from = sv_find_char(text, '{'), to = sv_rfind_char(text, '}');
	defer(json_doc_freep) struct json_doc *doc = json_parse(
		from < to && to != SIZE_MAX ? sv_slice(text, from, to + 1) : text, 0, err);
	struct json root = json_root(doc);
	bool ok;

	if (!doc || !json_need_bool(root, "ok", &ok, err))
		return false;
	out->ok = ok;
	out->impossible = json_bool_or(json_get(root, "impossible"), false);
	str_set(&out->reason, json_str_or(json_get(root, "reason"), SV_EMPTY));
	return true;
}
