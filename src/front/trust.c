#include "front/trust.h"

#include <stdlib.h>

#include "base/secret_mask.h"
#include "front/display.h"
#include "text/json/json.h"

enum {
	TRUST_SPACES = 40, /* in a row: more of them could hide the rest of a line */
	TRUST_COMMANDS = 12,
	TRUST_CELLS = 200, /* of each */
};

/* Append a line in which nothing is out of sight at the far end. */
static void trust_add_line(struct str *out, struct sv line)
{
	str_adds(out, "  | ");
	while (line.len) {
		size_t n = 0;

		while (n < line.len && line.ptr[n] == ' ')
			n++;
		if (n > TRUST_SPACES) {
			str_addf(out, "[%zu blanks]", n);
		} else {
			n += n < line.len;
			str_add(out, sv_slice(line, 0, n));
		}
		line = sv_skip(line, n);
	}
	str_addc(out, '\n');
}

static void trust_add_file(struct str *out, const struct awl_trust_file *file)
{
	struct sv rest = sv_cstr(file->text), line;

	display_from_home(out, sv_cstr(file->path));
	str_adds(out, ":\n");
	while (sv_cut_line(&rest, &line))
		trust_add_line(out, line);
	rest = sv_cstr(file->scripts);
	while (sv_cut_line(&rest, &line))
		str_addf(out, "  a command in it names the script %.*s\n", SV_ARG(line));
}

static void trust_add_clean(struct str *out, struct sv text)
{
	defer(str_clear) struct str masked = STR_INIT;

	secret_mask(&masked, text);
	display_text(out, sv_of(&masked));
}

void trust_add_files(struct str *out, const struct awl_project *project)
{
	defer(str_clear) struct str text = STR_INIT;
	const struct awl_trust_file *file;

	for (size_t i = 0; (file = awl_trust_file_at(project, i)); i++)
		trust_add_file(&text, file);
	trust_add_clean(out, sv_of(&text));
}

/* --- commands in settings ------------------------------------------------------------ */

/* The commands that were found. */
struct trust_commands {
	struct str text; /* a line each, TRUST_COMMANDS at most */
	size_t count;
};

static void trust_add_command(struct trust_commands *found, struct sv command, struct json args)
{
	struct json_iter it = json_each(args);
	defer(str_clear) struct str line = STR_INIT;
	struct json arg;

	if (++found->count > TRUST_COMMANDS)
		return;
	str_add(&line, command);
	while (json_next(&it, NULL, &arg))
		str_addf(&line, " %.*s", SV_ARG(json_str_or(arg, SV("?"))));
	str_adds(&found->text, "  $ ");
	display_line(&found->text, sv_of(&line), TRUST_CELLS);
	str_addc(&found->text, '\n');
}

/* Whether the setting of this name is a command: that of a hook, a server or a status line, or a helper. */
static bool trust_is_command(struct sv key)
{
	static const char helpers[][20] = { "command",        "apiKeyHelper",
					    "awsAuthRefresh", "awsCredentialExport",
					    "gcpAuthRefresh", "headersHelper" };

	return sv_is_among(key, helpers);
}

/* The parser limits how deep values are nested. */
static void trust_find_commands(struct trust_commands *found, struct json value)
{
	struct json_iter it = json_each(value);
	struct json member;
	struct sv key = SV_EMPTY, text;

	while (json_next(&it, &key, &member))
		if (!json_str(member, &text))
			trust_find_commands(found, member);
		else if (json_is(value, JSON_OBJECT) && trust_is_command(key))
			trust_add_command(found, text, json_get(value, "args"));
}

static void trust_add_commands(struct str *out, const struct awl_project *project)
{
	struct trust_commands found = { .count = 0 };
	const struct awl_trust_file *file;

	for (size_t i = 0; (file = awl_trust_file_at(project, i)); i++) {
		struct err ignored = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(file->text), JSON_LENIENT, &ignored);

		trust_find_commands(&found, json_root(doc));
	}
	if (found.count)
		str_addf(out, "\nCommands that they run:\n%s", str_c(&found.text));
	if (found.count > TRUST_COMMANDS)
		str_addf(out, "  and %zu more\n", found.count - TRUST_COMMANDS);
	str_clear(&found.text);
}

/* --- the summary --------------------------------------------------------------------- */

void trust_add_summary(struct str *out, const struct awl_project *project, bool is_outdated)
{
	struct sv rest = sv_cstr(awl_trust_pending(project)), line;
	defer(str_clear) struct str text = STR_INIT;
	const struct awl_trust_file *file;

	str_adds(&text, "The files of ");
	display_from_home(&text, sv_cstr(awl_project_dir(project)));
	str_adds(&text, is_outdated ? " have changed since you trusted them.\n"
				    : " can make awl run programs and allow calls.\n");
	str_adds(&text, "\nWhat takes effect once you trust them:\n");
	while (sv_cut_line(&rest, &line))
		str_addf(&text, "  %.*s\n", SV_ARG(line));
	trust_add_commands(&text, project);
	str_adds(&text, "\nYour trust applies to these files as they are now, and ends when one "
			"changes:\n");
	for (size_t i = 0; (file = awl_trust_file_at(project, i)); i++) {
		str_adds(&text, "  ");
		display_from_home(&text, sv_cstr(file->path));
		str_addc(&text, '\n');
	}
	trust_add_clean(out, sv_of(&text));
}

bool trust_is_needed(struct awl_project **out, const struct awl_project_options *options,
		     bool *is_outdated)
{
	enum awl_trust state;

	*out = NULL;
	/* Only a person can trust a project, and a session that awl runs is none. */
	if (getenv("CLAUDE_CODE_CHILD_SESSION") || awl_project_open(out, options) != AWL_OK)
		return false;
	if (awl_trust_look(*out, &state) == AWL_OK && *awl_trust_pending(*out) &&
	    (state == AWL_TRUST_NEVER_GIVEN || state == AWL_TRUST_OUTDATED)) {
		*is_outdated = state == AWL_TRUST_OUTDATED;
		return true;
	}
	awl_project_close(*out);
	*out = NULL;
	return false;
}
