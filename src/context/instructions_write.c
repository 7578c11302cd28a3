/* The frame around each file is a tag that occurs in none of them, so that no file can end its
 * own frame and pretend to be another. It is the same for the same files: the beginning of a
 * prompt must not change. */
#include "context/instructions.h"
#include "context/visible_text.h"

#define TAG SV("instruction-file")

/* Finds the first occurrence of the tag in `*rest`, moves behind it, and sets the number that
 * follows it: 1 without one, and 0 if it is too big. Returns false if there is no tag. */
static bool instructions_next_number(struct sv *rest, size_t too_big, size_t *number)
{
	size_t at = sv_find_nocase(*rest, TAG);
	size_t n = 0;

	if (at == SIZE_MAX)
		return false;
	*rest = sv_skip(*rest, at + TAG.len);
	*number = 1;
	if (!sv_starts(*rest, SV("-")))
		return true;
	for (size_t i = 1; i < rest->len && rest->ptr[i] >= '0' && rest->ptr[i] <= '9'; i++)
		n = n < too_big ? n * 10 + (size_t)(rest->ptr[i] - '0') : n;
	*number = n < too_big ? n : 0;
	return true;
}

/* Returns the lowest number with which the tag occurs in no text; 1 means without a number. The
 * length of all texts limits how many numbers they can use, so one of these is free. */
static size_t instructions_free_number(const struct instructions *in, size_t from)
{
	defer(mem_freep) char *taken = NULL;
	size_t bytes = 0, end, number;

	for (size_t i = from; i < instructions_count(in); i++)
		bytes += instructions_at(in, i)->text.len;
	end = bytes / TAG.len + 3;
	taken = xcalloc(end, 1);
	for (size_t i = from; i < instructions_count(in); i++) {
		struct sv rest = sv_of(&instructions_at(in, i)->text);

		while (instructions_next_number(&rest, end, &number))
			taken[number] = 1;
	}
	number = 1;
	while (taken[number])
		number++;
	return number;
}

static void instructions_add_attribute(struct str *out, const char *name, struct sv value)
{
	defer(str_clear) struct str line = STR_INIT;

	visible_line(&line, value);
	str_addf(out, " %s=\"", name);
	for (size_t i = 0; i < line.len; i++) {
		switch (line.ptr[i]) {
		case '"': str_adds(out, "&quot;"); break;
		case '&': str_adds(out, "&amp;"); break;
		case '<': str_adds(out, "&lt;"); break;
		case '>': str_adds(out, "&gt;"); break;
		default: str_addc(out, line.ptr[i]);
		}
	}
	str_addc(out, '"');
}

static const char *instructions_origin(enum instruction_scope scope)
{
	switch (scope) {
	case INSTRUCTION_POLICY: return "policy";
	case INSTRUCTION_USER: return "user";
	case INSTRUCTION_PROJECT: return "project";
	case INSTRUCTION_LOCAL: return "project, a local file";
	case INSTRUCTION_NESTED: return "folder";
	}
	BUG("no such scope: %d", (int)scope);
}

static void instructions_add_file(struct str *out, const struct instruction *f, const char *tag)
{
	str_addf(out, "\n<%s", tag);
	instructions_add_attribute(out, "path", sv_cstr(f->path));
	instructions_add_attribute(out, "from", sv_cstr(instructions_origin(f->scope)));
	if (f->imported_by)
		instructions_add_attribute(out, "imported-by", sv_cstr(f->imported_by));
	if (f->paths)
		instructions_add_attribute(out, "for-files", sv_cstr(f->paths));
	str_adds(out, ">\n");
	str_add(out, sv_of(&f->text));
	if (!sv_ends(sv_of(&f->text), SV("\n")))
		str_addc(out, '\n');
	str_addf(out, "</%s>\n", tag);
}

/* Writes the text before the first file, whose scope says which others may follow: those of the
 * policy come before all others. */
static void instructions_add_preamble(struct str *out, enum instruction_scope first)
{
	if (first == INSTRUCTION_NESTED) {
		str_adds(out, "More instructions, for the folders that contain these files. Follow "
			      "them there.\n");
		return;
	}
	str_adds(out, first == INSTRUCTION_POLICY
			      ? "Instructions from the administrators of this machine (policy), "
				"the user and this project. "
			      : "Instructions from the user and this project. ");
	str_adds(out, "Follow them in everything you do here. If two conflict, the later one wins; "
		      "what the user says in the conversation overrides both");
	str_adds(out,
		 first == INSTRUCTION_POLICY ? ". Only the policy overrides everything.\n" : ".\n");
}

void instructions_write(struct str *out, const struct instructions *in, size_t from)
{
	defer(str_clear) struct str tag = STR_INIT;
	size_t number;

	if (from >= instructions_count(in))
		return;
	number = instructions_free_number(in, from);
	str_add(&tag, TAG);
	if (number > 1)
		str_addf(&tag, "-%zu", number);
	instructions_add_preamble(out, instructions_at(in, from)->scope);
	for (size_t i = from; i < instructions_count(in); i++)
		instructions_add_file(out, instructions_at(in, i), str_c(&tag));
}

/* --- for people ----------------------------------------------------------------- */

static void instructions_list_file(struct str *out, const struct instruction *f, bool is_sent)
{
	str_addf(out, "\n%s (%zu bytes%s%s%s%s%s%s)", f->path, f->text.len,
		 f->scope == INSTRUCTION_POLICY ? ", from the policy" : "",
		 f->imported_by ? ", imported by " : "", f->imported_by ? f->imported_by : "",
		 f->paths ? ", for " : "", f->paths ? f->paths : "",
		 is_sent ? "" : ", sent with the next prompt");
}

void instructions_list(struct str *out, const struct instructions *in, size_t sent)
{
	size_t n = instructions_count(in);
	struct sv skipped = instructions_notes(in), unwanted = instructions_unwanted(in);

	str_adds(out, n ? "Instruction files, in the order the model gets them:"
		      : unwanted.len
			      ? "No instruction files are read:"
			      : "There are no instruction files here (AGENTS.md, CLAUDE.md).");
	for (size_t i = 0; i < n; i++)
		instructions_list_file(out, instructions_at(in, i), i < sent);
	if (unwanted.len || skipped.len)
		str_addf(out, "\n%.*s%.*s", SV_ARG(unwanted), SV_ARG(skipped));
}
