#include "context/announcements.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "context/visible_text.h"

void announcements_add(struct str *out, const struct settings *settings)
{
	struct json_iter it = json_each(settings_get(settings, "companyAnnouncements"));
	struct json item;
	size_t n = 0;

	while (json_next(&it, NULL, &item)) {
		struct sv rest = json_str_or(item, SV_EMPTY), text;

		while (sv_cut_line(&rest, &text)) {
			defer(str_clear) struct str line = STR_INIT;

			visible_line(&line, utf8_prefix(sv_trim(text), LIMIT_ANNOUNCEMENT));
			if (line.len && n++ < LIMIT_ANNOUNCEMENTS)
				str_addf(out, "%s\n", line.ptr);
		}
	}
}
