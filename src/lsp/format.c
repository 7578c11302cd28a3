#include "lsp/format.h"

#include "base/utf8.h"
#include "text/json/json_write.h"
#include "text/percent.h"

enum { MAX_LINES = 200, MAX_DEPTH = 8, MAX_TEXT = 400, MAX_DIAGNOSTICS = 30, MAX_COMPARED = 300 };

static const struct sv scheme = SV_INIT("file://");

void lsp_write_json(struct str *out, struct json value)
{
	struct jw w;

	if (!json_exists(value)) {
		str_adds(out, "null");
		return;
	}
	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
}

void lsp_write_uri(struct str *out, struct sv path)
{
	str_add(out, scheme);
	percent_encode(out, path, "/");
}

/* A plus sign stands for itself here. */
void lsp_read_uri(struct str *out, struct sv uri)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!sv_starts(uri, scheme))
		return;
	uri = sv_skip(uri, scheme.len);
	for (size_t i = 0; i < uri.len; i++) {
		if (uri.ptr[i] == '+')
			str_adds(&text, "%2B");
		else
			str_addc(&text, uri.ptr[i]);
	}
	percent_decode_form(out, sv_of(&text));
}

/* --- what it is told ---------------------------------------------------------------------------------- */

void lsp_write_place(struct str *out, struct sv path, int64_t line, int64_t character,
		     struct sv more)
{
	defer(str_clear) struct str uri = STR_INIT;

	lsp_write_uri(&uri, path);
	str_addf(out, "{\"textDocument\":{\"uri\":\"%s\"}", str_c(&uri));
	if (line >= 0)
		str_addf(out, ",\"position\":{\"line\":%lld,\"character\":%lld}", (long long)line,
			 (long long)character);
	str_addf(out, "%.*s}", SV_ARG(more));
}

void lsp_write_text(struct str *out, struct sv path, struct sv language, int64_t version,
		    struct sv text)
{
	defer(str_clear) struct str uri = STR_INIT;
	struct jw w;

	lsp_write_uri(&uri, path);
	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_object(&w, "textDocument");
	jw_put_str(&w, "uri", sv_of(&uri));
	jw_put_int(&w, "version", version);
	if (language.len) {
		jw_put_str(&w, "languageId", language);
		jw_put_str(&w, "text", text);
	}
	jw_end(&w);
	if (!language.len) {
		jw_put_array(&w, "contentChanges");
		jw_object(&w);
		jw_put_str(&w, "text", text);
		jw_end(&w);
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
}

/* --- what it answers ---------------------------------------------------------------------------------- */

static void format_path(struct str *out, struct sv path, struct sv root)
{
	bool is_below = sv_starts(path, root) && path.len > root.len && path.ptr[root.len] == '/';

	str_add(out, is_below ? sv_skip(path, root.len + 1) : path);
}

/* One line, without what would break it. */
static void format_text(struct str *out, struct sv text)
{
	text = utf8_prefix(sv_trim(text), MAX_TEXT);
	for (size_t i = 0; i < text.len; i++)
		str_addc(out, (unsigned char)text.ptr[i] < ' ' ? ' ' : text.ptr[i]);
}

static void format_position(struct str *out, struct json range)
{
	struct json start = json_get(range, "start");

	str_addf(out, "%lld:%lld", (long long)json_int_or(json_get(start, "line"), 0) + 1,
		 (long long)json_int_or(json_get(start, "character"), 0) + 1);
}

static void format_place(struct str *out, struct sv uri, struct json range, struct sv root)
{
	defer(str_clear) struct str path = STR_INIT;

	lsp_read_uri(&path, uri);
	format_path(out, path.len ? sv_of(&path) : utf8_prefix(uri, MAX_TEXT), root);
	str_addc(out, ':');
	format_position(out, range);
}

static struct sv format_uri_of(struct json v)
{
	return json_str_or(json_get(v, "uri"), json_str_or(json_get(v, "targetUri"), SV_EMPTY));
}

/* Of a location or a link to one. */
static void format_location(struct str *out, struct json v, struct sv root)
{
	struct json range = json_get(v, "range");

	if (!json_exists(range))
		range = json_get(v, "targetSelectionRange");
	format_place(out, format_uri_of(v), range, root);
}

static bool format_more(struct str *out, size_t n)
{
	if (n < MAX_LINES)
		return true;
	str_adds(out, "(more are not shown)\n");
	return false;
}

void lsp_format_locations(struct str *out, struct json result, struct sv root)
{
	struct json_iter it = json_each(result);
	struct json item;
	size_t n = 0;

	if (format_uri_of(result).len) { /* a single one */
		format_location(out, result, root);
		str_addc(out, '\n');
		return;
	}
	while (json_next(&it, NULL, &item)) {
		if (!format_uri_of(item).len)
			continue;
		if (!format_more(out, n++))
			return;
		format_location(out, item, root);
		str_addc(out, '\n');
	}
}

void lsp_format_hover(struct str *out, struct json result)
{
	struct json contents = json_get(result, "contents"), item;
	struct sv text = json_str_or(contents, json_str_or(json_get(contents, "value"), SV_EMPTY));
	struct json_iter it = json_each(contents);

	if (text.ptr) {
		str_add(out, text);
		return;
	}
	while (json_next(&it, NULL, &item))
		str_addf(out, "%.*s\n",
			 SV_ARG(json_str_or(item, json_str_or(json_get(item, "value"), SV_EMPTY))));
}

static const char *format_kind(int64_t kind)
{
	static const char *const names[] = {
		"",         "file",           "module",      "namespace", "package",
		"class",    "method",         "property",    "field",     "constructor",
		"enum",     "interface",      "function",    "variable",  "constant",
		"string",   "number",         "boolean",     "array",     "object",
		"key",      "null",           "enum member", "struct",    "event",
		"operator", "type parameter",
	};

	return kind > 0 && kind < (int64_t)countof(names) ? names[kind] : "symbol";
}

static void format_symbol(struct str *out, struct json v, int depth, struct sv root)
{
	struct json location = json_get(v, "location");
	struct sv container = json_str_or(json_get(v, "containerName"), SV_EMPTY);

	str_addf(out, "%*s%s ", depth * 2, "", format_kind(json_int_or(json_get(v, "kind"), 0)));
	format_text(out, json_str_or(json_get(v, "name"), SV_EMPTY));
	if (container.len) {
		str_adds(out, " in ");
		format_text(out, container);
	}
	str_adds(out, "  ");
	if (json_exists(location))
		format_location(out, location, root);
	else
		format_position(out, json_get(v, "selectionRange"));
	str_addc(out, '\n');
}

static void format_symbols(struct str *out, struct json list, int depth, size_t *n, struct sv root)
{
	struct json_iter it = json_each(list);
	struct json item;

	while (depth < MAX_DEPTH && *n < MAX_LINES && json_next(&it, NULL, &item)) {
		if (!json_str_or(json_get(item, "name"), SV_EMPTY).len)
			continue;
		++*n;
		format_symbol(out, item, depth, root);
		format_symbols(out, json_get(item, "children"), depth + 1, n, root);
	}
}

void lsp_format_symbols(struct str *out, struct json result, struct sv root)
{
	size_t n = 0;

	format_symbols(out, result, 0, &n, root);
	(void)format_more(out, n);
}

void lsp_format_calls(struct str *out, struct json result, const char *side, struct sv root)
{
	struct json_iter it = json_each(result);
	struct json item;
	size_t n = 0;

	while (json_next(&it, NULL, &item)) {
		struct json symbol = side ? json_get(item, side) : item;

		if (!format_uri_of(symbol).len)
			continue;
		if (!format_more(out, n++))
			return;
		str_addf(out, "%s ", format_kind(json_int_or(json_get(symbol, "kind"), 0)));
		format_text(out, json_str_or(json_get(symbol, "name"), SV_EMPTY));
		str_adds(out, "  ");
		format_place(out, format_uri_of(symbol), json_get(symbol, "selectionRange"), root);
		str_addc(out, '\n');
	}
}

size_t lsp_format_diagnostics(struct str *out, struct json list, struct sv path, struct sv root)
{
	static const char *const names[] = { "error", "warning", "information", "hint" };
	size_t counts[countof(names)] = { 0 }, shown = 0, all = 0;

	for (size_t severity = 0; severity < countof(names); severity++) {
		struct json_iter it = json_each(list);
		struct json item;

		while (json_next(&it, NULL, &item)) {
			if (json_int_or(json_get(item, "severity"), 1) != (int64_t)severity + 1)
				continue;
			counts[severity]++;
			all++;
			if (shown == MAX_DIAGNOSTICS)
				continue;
			shown++;
			format_path(out, path, root);
			str_addc(out, ':');
			format_position(out, json_get(item, "range"));
			str_addf(out, ": %s: ", names[severity]);
			format_text(out, json_str_or(json_get(item, "message"), SV_EMPTY));
			str_addc(out, '\n');
		}
	}
	if (all > shown)
		str_addf(out, "and %zu more\n", all - shown);
	return counts[0];
}

static size_t format_count_message(struct json list, struct sv message, size_t end)
{
	struct json_iter it = json_each(list);
	struct json item;
	size_t n = 0;

	for (size_t i = 0; i < end && json_next(&it, NULL, &item); i++)
		n += sv_eq(json_str_or(json_get(item, "message"), SV_EMPTY), message);
	return n;
}

void lsp_format_new_diagnostics(struct str *out, struct json list, struct json known,
				struct sv path, struct sv root)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(str_clear) struct str picked = STR_INIT;
	struct json_iter it = json_each(list);
	struct err ignored = ERR_INIT;
	struct json item;

	for (size_t i = 0; i < MAX_COMPARED && json_next(&it, NULL, &item); i++) {
		struct sv message = json_str_or(json_get(item, "message"), SV_EMPTY);

		if (json_int_or(json_get(item, "severity"), 1) > 2 ||
		    format_count_message(list, message, i) <
			    format_count_message(known, message, MAX_COMPARED))
			continue;
		str_addc(&picked, picked.len ? ',' : '[');
		lsp_write_json(&picked, item);
	}
	str_adds(&picked, picked.len ? "]" : "[]");
	doc = json_parse(sv_of(&picked), 0, &ignored);
	(void)lsp_format_diagnostics(out, json_root(doc), path, root);
}
