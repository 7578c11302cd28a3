/* format.h - messages to language servers and their answers, as JSON and as text for the model. Pure. */
#ifndef AWL_LSP_FORMAT_H
#define AWL_LSP_FORMAT_H

#include "text/json/json.h"

/* Appends the value; "null" if it is missing. */
void lsp_write_json(struct str *out, struct json value);

/* Appends "file://" and the path; reads one. Of another URI nothing is appended. */
void lsp_write_uri(struct str *out, struct sv path);
void lsp_read_uri(struct str *out, struct sv uri);

/* Appends {"textDocument":..,"position":..} with `more`, members that follow a comma. Lines and characters count from 0;
 * negative: no position. */
void lsp_write_place(struct str *out, struct sv path, int64_t line, int64_t character,
		     struct sv more);
/* Appends what opens a document in this language or, without a language, replaces its text. */
void lsp_write_text(struct str *out, struct sv path, struct sv language, int64_t version,
		    struct sv text);

/* These append text for the model; paths below `root` are relative. Nothing: nothing was found. */
void lsp_format_locations(struct str *out, struct json result, struct sv root);
void lsp_format_hover(struct str *out, struct json result);
void lsp_format_symbols(struct str *out, struct json result, struct sv root);
/* Of callHierarchy; `side` is "from", "to" or, for the items themselves, NULL. */
void lsp_format_calls(struct str *out, struct json result, const char *side, struct sv root);
/* The errors and warnings in `list` that are not in `known`, an older list: a message that is there more often than
 * before is new, wherever it is. */
void lsp_format_new_diagnostics(struct str *out, struct json list, struct json known,
				struct sv path, struct sv root);
/* Errors first. Returns how many errors there are. */
size_t lsp_format_diagnostics(struct str *out, struct json list, struct sv path, struct sv root);

#endif
