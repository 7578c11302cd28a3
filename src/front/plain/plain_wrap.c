#include "front/plain/plain_wrap.h"

#include "base/utf8.h"

void plain_wrap_clear(struct plain_wrap *wrap)
{
	str_clear(&wrap->word);
	*wrap = (struct plain_wrap){ .column = 0 };
}

static void plain_wrap_flush(struct plain_wrap *wrap, size_t columns, struct str *out)
{
	size_t cells = utf8_cells(sv_of(&wrap->word));

	if (!wrap->is_inside && sv_starts(sv_of(&wrap->word), SV("```")))
		wrap->is_code = !wrap->is_code;
	if (wrap->word.len && !wrap->is_code && wrap->column &&
	    wrap->column + wrap->blanks + cells > columns) {
		str_addc(out, '\n');
		wrap->column = wrap->blanks = 0;
	}
	for (size_t i = 0; i < wrap->blanks; i++)
		str_addc(out, ' ');
	str_add(out, sv_of(&wrap->word));
	wrap->column += wrap->blanks + cells;
	wrap->is_inside = wrap->is_inside || wrap->word.len;
	wrap->blanks = 0;
	str_truncate(&wrap->word, 0);
}

void plain_wrap_add(struct plain_wrap *wrap, struct sv text, size_t columns, struct str *out)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c != ' ' && c != '\n') {
			str_addc(&wrap->word, c);
			continue;
		}
		if (wrap->word.len || c == '\n')
			plain_wrap_flush(wrap, columns, out);
		if (c == ' ') {
			wrap->blanks++;
		} else {
			str_addc(out, '\n');
			wrap->column = 0;
			wrap->is_inside = false;
		}
	}
}

void plain_wrap_end(struct plain_wrap *wrap, size_t columns, struct str *out)
{
	plain_wrap_flush(wrap, columns, out);
	plain_wrap_clear(wrap);
}
