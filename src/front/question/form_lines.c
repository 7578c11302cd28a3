#include "front/question/form_lines.h"

#include "front/display.h"

enum { LINE_CELLS = 200, OPTION_CELLS = 100 };

/* --- what is asked ------------------------------------------------------------------- */

static void form_lines_add_page(struct str *out, const struct dialog *d)
{
	str_adds(out, "  ");
	display_exact(out, sv_of(&d->url));
	str_adds(out, "\n  at ");
	display_exact(out, dialog_url_host(d));
	str_adds(out, "\n1. Open it in the browser\n2. Decline\n3. Leave it without an answer\n");
}

static void form_lines_add_head(struct str *out, const struct dialog *d)
{
	str_adds(out, "MCP server ");
	display_line(out, sv_of(&d->server), LINE_CELLS);
	str_adds(out, d->url.len ? " wants you to open a page: " : " asks: ");
	display_text(out, sv_trim(sv_of(&d->text)));
	str_addc(out, '\n');
	if (!d->url.len)
		str_adds(out, "(/decline declines, /cancel leaves it without an answer.)\n");
}

static void form_lines_add_field(struct str *out, const struct dialog *d)
{
	const struct fields *f = &d->fields;
	defer(str_clear) struct str hint = STR_INIT, value = STR_INIT;

	display_line(out, fields_title(f, d->field), LINE_CELLS);
	str_adds(out, fields_at(f, d->field)->is_required ? " (required)" : "");
	if (fields_description(f, d->field).len) {
		str_adds(out, ": ");
		display_line(out, fields_description(f, d->field), LINE_CELLS);
	}
	fields_add_hint(&hint, f, d->field);
	str_addf(out, "%s%s\n", hint.len ? " - " : "", str_c(&hint));
	for (size_t i = 0; i < fields_at(f, d->field)->noptions; i++) {
		str_addf(out, "%zu. ", i + 1);
		display_line(out, fields_option(f, d->field, i), OPTION_CELLS);
		str_addc(out, '\n');
	}
	fields_add_value(&value, f, d->field);
	if (value.len) {
		str_adds(out, "(An empty line means: ");
		display_line(out, sv_of(&value), OPTION_CELLS);
		str_adds(out, ")\n");
	}
}

void form_lines_add(struct str *out, const struct dialog *d)
{
	if (!d->field)
		form_lines_add_head(out, d);
	if (d->url.len)
		form_lines_add_page(out, d);
	else if (d->field < fields_count(&d->fields))
		form_lines_add_field(out, d);
	else
		str_adds(out, "Press Enter to agree.\n");
}

/* --- what is typed ----------------------------------------------------------------------- */

static enum choice form_lines_end(struct dialog *d, enum elicited action, const char **complaint)
{
	struct err err = ERR_INIT;

	if (!dialog_elicited(d, action, &err)) {
		str_set(&d->complaint, sv_cstr(err.text));
		*complaint = str_c(&d->complaint);
		return d->is_open ? CHOICE_UNCLEAR : CHOICE_LAST;
	}
	return action == ELICITED_ACCEPT ? CHOICE_LAST : CHOICE_DECLINED;
}

static enum choice form_lines_take_page(struct dialog *d, struct sv line, const char **complaint)
{
	if (sv_is(line, "1"))
		return form_lines_end(d, ELICITED_ACCEPT, complaint);
	if (sv_is(line, "2"))
		return form_lines_end(d, ELICITED_DECLINE, complaint);
	if (sv_is(line, "3"))
		return form_lines_end(d, ELICITED_CANCEL, complaint);
	*complaint = "Please type one of the numbers above.";
	return CHOICE_UNCLEAR;
}

enum choice form_lines_take(struct dialog *d, struct sv line, const char **complaint)
{
	struct sv word = sv_trim(line);

	if (sv_is(word, "/decline"))
		return form_lines_end(d, ELICITED_DECLINE, complaint);
	if (sv_is(word, "/cancel"))
		return form_lines_end(d, ELICITED_CANCEL, complaint);
	if (d->url.len)
		return form_lines_take_page(d, word, complaint);
	str_truncate(&d->complaint, 0);
	if (d->field < fields_count(&d->fields) &&
	    (!fields_take(&d->fields, d->field, line, &d->complaint) ||
	     !fields_check(&d->fields, d->field, &d->complaint))) {
		*complaint = str_c(&d->complaint);
		return CHOICE_UNCLEAR;
	}
	if (++d->field < fields_count(&d->fields))
		return CHOICE_TAKEN;
	return form_lines_end(d, ELICITED_ACCEPT, complaint);
}
