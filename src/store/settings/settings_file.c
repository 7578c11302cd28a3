#include "store/settings/settings_file.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "store/settings/settings_members.h"
#include "text/invisible.h"
#include "text/json/json_write.h"

void settings_file_clear(struct settings_file *f)
{
	json_doc_free(f->content);
	json_doc_free(f->taken);
	json_doc_free(f->approved);
	settings_lines_free(f->lines);
	str_clear(&f->name);
	str_clear(&f->root);
	str_clear(&f->text);
	*f = (struct settings_file)SETTINGS_FILE_INIT;
}

/* --- comments ------------------------------------------------------------------------- */

/* Returns the end of the comment at `at`: `at` itself if there is none, SIZE_MAX if the comment
 * has no end. */
static size_t settings_file_skip_comment(struct sv text, size_t at)
{
	struct sv rest = sv_skip(text, at);
	size_t end;

	if (sv_starts(rest, SV("//"))) {
		end = sv_find_char(rest, '\n');
		return end == SIZE_MAX ? text.len : at + end;
	}
	if (!sv_starts(rest, SV("/*")))
		return at;
	end = sv_find(sv_skip(rest, 2), SV("*/"));
	return end == SIZE_MAX ? SIZE_MAX : at + 2 + end + 2;
}

static size_t settings_file_skip_string(struct sv text, size_t at)
{
	for (at++; at < text.len && text.ptr[at] != '"'; at++)
		at += text.ptr[at] == '\\';
	return min_of(at + 1, text.len);
}

static void settings_file_blank(struct str *out, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (out->ptr[i] != '\n' && out->ptr[i] != '\r')
			out->ptr[i] = ' ';
}

void settings_plain(struct str *out, struct sv text)
{
	size_t start = out->len, comma = SIZE_MAX, next;
	char before = '\0'; /* the last character that is neither blank nor part of a comment */

	str_add(out, text);
	for (size_t at = 0; at < text.len; at = next) {
		char c = text.ptr[at];

		next = settings_file_skip_comment(text, at);
		if (next == SIZE_MAX)
			break; /* parsing reports it */
		if (next > at) {
			settings_file_blank(out, start + at, start + next);
			continue;
		}
		next = c == '"' ? settings_file_skip_string(text, at) : at + 1;
		if (ascii_is_space(c))
			continue;
		if ((c == '}' || c == ']') && comma != SIZE_MAX)
			settings_file_blank(out, start + comma, start + comma + 1);
		comma = c == ',' && !strchr("[{,:", before) ? at : SIZE_MAX;
		before = c;
	}
}

/* --- where ---------------------------------------------------------------------------- */

/* Appends the visible text on one line, cut to a limit. */
static void settings_add_shown(struct str *out, struct sv text)
{
	struct sv shown = utf8_prefix(text, LIMIT_SETTINGS_SHOWN);
	size_t from = out->len;

	invisible_escape(out, shown, invisible_misleads);
	for (; from < out->len; from++)
		if (ascii_is_space(out->ptr[from]))
			out->ptr[from] = ' ';
	if (shown.len < text.len)
		str_adds(out, "...");
}

void settings_add_key(struct str *out, struct json_steps steps)
{
	for (size_t i = 0; i < steps.n; i++) {
		if (i)
			str_addc(out, '.');
		settings_add_shown(out, steps.at[i]);
	}
}

void settings_file_point(struct str *out, const struct settings_file *f, struct json_steps steps)
{
	struct settings_spot spot = settings_file_spot(f, steps);

	str_add(out, sv_of(&f->name));
	if (spot.line)
		str_addf(out, ":%zu:%zu", spot.line, spot.column);
	str_adds(out, ": ");
	settings_add_key(out, steps);
	str_adds(out, ": ");
}

bool settings_fail(struct err *err, struct sv complaints)
{
	struct sv line = SV_EMPTY;

	sv_cut_line(&complaints, &line);
	line = sv_slice(line, 0, sv_find(line, SV(SETTINGS_CONSEQUENCE)));
	return err_set(err, ERR_INVALID, "%.*s", SV_ARG(line));
}

/* --- checking --------------------------------------------------------------------------- */

struct check {
	const struct settings_file *file;
	struct str *complaints;
	size_t n; /* complaints */
	size_t bad_entries;
	struct sv steps[SETTING_STEPS];
	struct str path; /* the same, dotted */
};

void settings_add_found(struct str *out, struct json value)
{
	defer(str_clear) struct str text = STR_INIT;
	struct jw w;

	if (json_is(value, JSON_ARRAY) || json_is(value, JSON_OBJECT)) {
		str_adds(out, json_is(value, JSON_ARRAY) ? "a list" : "an object");
		return;
	}
	jw_init(&w, &text, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	settings_add_shown(out, sv_of(&text));
}

static void settings_file_complain(struct check *c, const struct setting *row, struct json value,
				   size_t depth)
{
	struct json misfit = setting_misfit(row, value);

	if (++c->n > LIMIT_SETTINGS_NOTES)
		return;
	settings_file_point(c->complaints, c->file, (struct json_steps){ c->steps, depth });
	str_adds(c->complaints, "expected ");
	setting_expected(c->complaints, row);
	str_adds(c->complaints, ", found ");
	settings_add_found(c->complaints, misfit);
	str_addf(c->complaints, "%s" SETTINGS_CONSEQUENCE "\n",
		 misfit.val == value.val ? "" : " in it");
}

/* A whole value of the wrong type makes a file invalid, a part of one only where that matters. */
static void settings_file_judge(struct check *c, const struct setting *row, struct json value,
				size_t depth)
{
	if (c->file->is_strict || setting_misfit(row, value).val == value.val)
		settings_file_complain(c, row, value, depth);
	else
		c->bad_entries += setting_count_misfits(row, value);
}

/* Most of ~/.claude.json belongs to other programs. */
static const struct setting *settings_file_find_row(const struct check *c)
{
	const struct setting *row = setting_find(sv_of(&c->path));
	bool is_global = c->file->source == SETTINGS_GLOBAL;

	return row && is_global && row->from != SETTING_FROM_GLOBAL ? NULL : row;
}

/* Checks an object as deep as the table has rows. */
static void check_object(struct check *c, struct json object, size_t depth)
{
	defer(settings_members_clear) struct settings_members members = SETTINGS_MEMBERS_INIT;
	size_t length = c->path.len;

	settings_members_read(&members, object);
	for (size_t i = 0; i < members.all.n; i++) {
		struct sv key = members.all.at[i].key;
		struct json value = members.all.at[i].value;
		const struct setting *row;

		if (sv_find_char(key, '.') != SIZE_MAX)
			continue;
		if (depth)
			str_addc(&c->path, '.');
		str_add(&c->path, key);
		c->steps[depth] = key;
		row = json_is(value, JSON_NULL) ? NULL : settings_file_find_row(c);
		if (row && json_exists(setting_misfit(row, value)))
			settings_file_judge(c, row, value, depth + 1);
		else if (row && row->type & SETTING_OBJECT && depth + 1 < SETTING_STEPS)
			check_object(c, value, depth + 1);
		str_truncate(&c->path, length);
	}
}

/* Reports invalid JSON in the same form as an invalid value, with line and column. */
static void settings_file_complain_of_text(const struct settings_file *f, const struct err *err,
					   struct str *complaints)
{
	struct sv rest = sv_cstr(err->text), line, column;

	str_add(complaints, sv_of(&f->name));
	if (sv_starts(rest, SV("line ")) && sv_cut(&rest, ',', &line) &&
	    sv_cut(&rest, ':', &column))
		str_addf(complaints, ":%.*s:%.*s:", SV_ARG(sv_skip(line, strlen("line "))),
			 SV_ARG(sv_skip(column, strlen(" column "))));
	else
		str_adds(complaints, ": ");
	str_addf(complaints, "%.*s" SETTINGS_CONSEQUENCE "\n", SV_ARG(rest));
}

bool settings_file_parse(struct settings_file *f, struct sv text, struct str *complaints)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct check check = { .file = f, .complaints = complaints };
	struct err err = ERR_INIT;

	str_truncate(&f->text, 0);
	settings_plain(&f->text, text);
	if (!f->is_strict && !sv_trim(sv_of(&f->text)).len)
		str_adds(&f->text, "{}");
	settings_lines_free(f->lines);
	f->lines = settings_lines_new();
	doc = json_parse(sv_of(&f->text), 0, &err);
	if (doc && !json_is(json_root(doc), JSON_OBJECT))
		err_set(&err, ERR_INVALID, "settings must be a JSON object, not %s",
			json_type_name(json_type(json_root(doc))));
	if (err.kind != ERR_NONE) {
		settings_file_complain_of_text(f, &err, complaints);
		return false;
	}
	check_object(&check, json_root(doc), 0);
	str_clear(&check.path);
	if (check.n > LIMIT_SETTINGS_NOTES)
		str_addf(complaints, "%s: and %zu more\n", str_c(&f->name),
			 check.n - LIMIT_SETTINGS_NOTES);
	if (check.n)
		return false;
	f->content = move(doc);
	f->bad_entries = check.bad_entries;
	return true;
}
