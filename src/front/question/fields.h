/* fields.h - the form with which an MCP server asks the user for something (elicitation), and what has been filled in so
 * far. Each field is a line of text, or a list to choose from: a boolean is a list of yes and no.
 *
 * Everything in the schema comes from the server. A front end shows texts through display.h, and sends the form only
 * when fields_check() accepts every field. */
#ifndef AWL_FRONT_QUESTION_FIELDS_H
#define AWL_FRONT_QUESTION_FIELDS_H

#include "base/str.h"
#include "base/vec.h"
#include "text/json/json_write.h"

enum { FIELDS_MOST = 50, FIELDS_MOST_OPTIONS = 100 };

enum field_kind {
	FIELD_TEXT,
	FIELD_NUMBER,
	FIELD_INTEGER,
	FIELD_BOOLEAN,
	FIELD_ONE,
	FIELD_SEVERAL
};

struct field {
	struct sv key;
	struct json schema;
	enum field_kind kind;
	bool is_required;
	size_t noptions; /* 0: it is a line of text */
	struct str text; /* what was typed */
	bool is_chosen[FIELDS_MOST_OPTIONS];
};

struct fields {
	struct json_doc *doc; /* of the schema */
	VEC(struct field) list;
};

void fields_clear(struct fields *f);
/* Copies the schema and fills in its defaults. Drops whatever was asked before. */
void fields_begin(struct fields *f, struct json schema);

size_t fields_count(const struct fields *f);
const struct field *fields_at(const struct fields *f, size_t i);
/* Raw text of the server. A field without a title has its key; a description may be missing. */
struct sv fields_title(const struct fields *f, size_t i);
struct sv fields_description(const struct fields *f, size_t i);
struct sv fields_option(const struct fields *f, size_t i, size_t option);

/* What the user fills in. An option is chosen, or not any more if it was and may be left out. */
void fields_set_text(struct fields *f, size_t i, struct sv text);
void fields_choose(struct fields *f, size_t i, size_t option);
/* Takes a line that stands for the whole value: text, or the options by number or by name, separated by commas. An empty
 * line keeps what is there. False, with a sentence in `complaint`, when it is none of the options. */
bool fields_take(struct fields *f, size_t i, struct sv line, struct str *complaint);

/* Whether the value fits the schema; else appends one sentence that says what is expected. */
bool fields_check(const struct fields *f, size_t i, struct str *complaint);
/* Appends the value as one line for people; nothing: there is none. */
void fields_add_value(struct str *out, const struct fields *f, size_t i);
/* Appends what may be entered, in a few words: "a date, such as 2026-03-31"; nothing: any text. */
void fields_add_hint(struct str *out, const struct fields *f, size_t i);
/* Appends the form as a JSON object. Fields without a value are left out. */
void fields_write(struct str *out, const struct fields *f);

#endif
