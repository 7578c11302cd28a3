/* The operands of programs that change files. */
#include "perm/program/special.h"

/* How many of the operands are sources: all but the last, unless an option gave the target. */
static size_t files_count_sources(struct invocation *inv)
{
	return inv->operands.n > 0 && !inv->first_replaced ? inv->operands.n - 1 : inv->operands.n;
}

void files_mv(struct invocation *inv)
{
	size_t n = files_count_sources(inv);

	inv_require_single_words(inv);
	inv->recursive = true;
	inv_operands(inv, 0, n, OPERAND_REMOVE);
	inv->recursive = false;
	inv_operands(inv, n, inv->operands.n, OPERAND_WRITE);
}

/* With one operand, the link gets its name and is made in this directory. */
void files_ln(struct invocation *inv)
{
	if (inv->operands.n == 1 && !inv->first_replaced)
		inv_path(inv, inv->operands.at[0], sv_basename(inv_operand_text(inv, 0)),
			 OPERAND_WRITE);
}

void files_install(struct invocation *inv)
{
	size_t n = inv_option(inv, FILES_DIRECTORY) ? 0 : files_count_sources(inv);

	inv_require_single_words(inv);
	inv_operands(inv, 0, n, OPERAND_READ);
	inv_operands(inv, n, inv->operands.n, OPERAND_WRITE);
}

/* A recursive change can be as bad as a removal, so the floor checks it like one. */
static enum operand_use files_change(const struct invocation *inv)
{
	return inv->recursive ? OPERAND_REMOVE : OPERAND_WRITE;
}

void files_chmod(struct invocation *inv)
{
	inv_require_single_words(inv);
	inv_operands(inv, inv->first_replaced ? 0 : 1, inv->operands.n, files_change(inv));
}

void files_setfacl(struct invocation *inv)
{
	inv_all_operands(inv, files_change(inv));
}

void files_chattr(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		struct sv text = inv_operand_text(inv, i);

		if (text.len == 0 || (text.ptr[0] != '+' && text.ptr[0] != '='))
			inv_operand(inv, inv->operands.at[i], files_change(inv));
	}
}

void files_dd(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		struct sv text = inv->argv[arg].text;

		inv->unclear |= !inv->argv[arg].known && sv_find_char(text, '=') == SIZE_MAX;
		if (sv_starts(text, SV("if=")))
			inv_path(inv, arg, sv_skip(text, 3), OPERAND_READ);
		else if (sv_starts(text, SV("of=")))
			inv_path(inv, arg, sv_skip(text, 3), OPERAND_DEVICE);
	}
}

/* The second operand is only the beginning of the names that are written. */
void files_split(struct invocation *inv)
{
	inv_require_single_words(inv);
	inv_operands(inv, 0, min_of(inv->operands.n, (size_t)1), OPERAND_READ);
	inv_operands(inv, 1, inv->operands.n, OPERAND_WRITE);
	if (inv->operands.n < 2)
		inv_path(inv, 0, SV("xaa"), OPERAND_WRITE);
}

void files_csplit(struct invocation *inv)
{
	inv_require_single_words(inv);
	inv_operands(inv, 0, min_of(inv->operands.n, (size_t)1), OPERAND_READ);
	if (!inv_option(inv, FILES_PREFIX))
		inv_path(inv, 0, SV("xx00"), OPERAND_WRITE);
}

void files_mktemp(struct invocation *inv)
{
	if (inv->operands.n == 0 && inv->use->operands.n == 0)
		inv_path(inv, 0, SV("/tmp"), OPERAND_WRITE);
}

/* Without operands, the patch names the files. */
void files_patch(struct invocation *inv)
{
	size_t n = inv->operands.n;

	inv_require_single_words(inv);
	inv_operands(inv, 0, min_of(n, (size_t)1), OPERAND_WRITE);
	inv_operands(inv, 1, n, OPERAND_READ);
	inv->recursive = true;
	if (n == 0)
		inv_path(inv, 0, SV("."), OPERAND_WRITE);
}

void files_partition(struct invocation *inv)
{
	inv_all_operands(inv, inv_option(inv, FILES_LISTS) ? OPERAND_READ : OPERAND_DEVICE);
}

void files_wipefs(struct invocation *inv)
{
	inv_all_operands(inv, inv_option(inv, FILES_ERASES) ? OPERAND_DEVICE : OPERAND_READ);
}
