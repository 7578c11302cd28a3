/* Archives: which operands are files, and where unpacking writes. */
#include "perm/program/special.h"

/* --- tar ----------------------------------------------------------------------------------- */

/* "host:file" is reached by a remote shell. */
static bool archive_is_remote(struct sv path)
{
	size_t colon = sv_find_char(path, ':'), slash = sv_find_char(path, '/');

	return colon != SIZE_MAX && (slash == SIZE_MAX || colon < slash);
}

static void archive_tar_file(struct invocation *inv, const struct given_option *file, bool written)
{
	if (archive_is_remote(file->value) && !inv_option(inv, TAR_LOCAL)) {
		inv_escalates(inv, file->arg, SV("-f"), "reaches another host");
		return;
	}
	inv_option_path(inv, file, written ? OPERAND_WRITE : OPERAND_READ);
}

static void archive_write_here(struct invocation *inv)
{
	inv->use->unpacks = true;
	inv->recursive = true;
	inv_path(inv, 0, SV("."), OPERAND_WRITE);
}

/* The operands are files when an archive is made; otherwise they are members of it. */
void archive_tar(struct invocation *inv)
{
	bool packs = inv_option(inv, TAR_CREATE) || inv_option(inv, TAR_ALTER);

	for (size_t i = 0; i < inv->options.n; i++)
		if (inv->options.at[i].row->tag == TAR_FILE)
			archive_tar_file(inv, &inv->options.at[i], packs);
	inv->changes = packs || inv_option(inv, TAR_EXTRACT) || inv_option(inv, TAR_COMPARE) ||
		       !inv_option(inv, TAR_LIST) || !inv_option(inv, TAR_FILE);
	if (packs)
		inv_all_operands(inv, OPERAND_READ);
	if (inv_option(inv, TAR_EXTRACT) && !inv_option(inv, TAR_STDOUT))
		archive_write_here(inv);
}

/* --- zip ----------------------------------------------------------------------------------- */

/* zip has options of two letters, so its arguments are read here. */
static void archive_zip_option(struct invocation *inv, size_t arg)
{
	struct sv text = inv->argv[arg].text;
	bool is_long = sv_starts(text, SV("--"));

	if (is_long ? sv_starts(text, SV("--u")) : sv_find(text, SV("TT")) != SIZE_MAX)
		inv_escalates(inv, arg, text, RUNS);
	else if (is_long ? sv_starts(text, SV("--mo")) : sv_find_char(text, 'm') != SIZE_MAX)
		inv_escalates(inv, arg, text, "removes files");
	else if (is_long ? sv_starts(text, SV("--na")) : sv_find_char(text, '@') != SIZE_MAX)
		inv_escalates(inv, arg, text, PATHS);
	else if (is_long ? sv_starts(text, SV("--o")) || sv_starts(text, SV("--l"))
			 : sv_find_char(text, 'O') != SIZE_MAX ||
				   sv_find(text, SV("lf")) != SIZE_MAX ||
				   sv_find_char(text, 'b') != SIZE_MAX)
		inv_escalates(inv, arg, text, "writes a file");
}

void archive_zip(struct invocation *inv)
{
	size_t npaths = 0;

	inv->recursive = true;
	for (size_t i = 1; i < inv->n; i++) {
		const struct argument *arg = &inv->argv[i];

		inv->unclear |= !arg->known && (arg->text.len == 0 || !arg->single);
		if (sv_starts(arg->text, SV("-")) && arg->text.len > 1)
			archive_zip_option(inv, i);
		else
			inv_operand(inv, i, npaths++ == 0 ? OPERAND_WRITE : OPERAND_READ);
	}
}

/* The first operand is the archive; the others are members of it. */
void archive_unzip(struct invocation *inv)
{
	if (inv->operands.n > 0)
		inv_operand(inv, inv->operands.at[0], OPERAND_READ);
	inv->changes = !inv_option(inv, ZIP_READS);
	if (inv->changes)
		archive_write_here(inv);
}

/* --- gzip, xz, zstd ------------------------------------------------------------------------ */

/* Unless it writes to standard output, the program replaces a file by one of another name. */
void archive_compress(struct invocation *inv)
{
	inv->changes = !inv_option(inv, PACK_PRINTS) &&
		       (!inv_option(inv, PACK_READS) || inv_option(inv, PACK_PACKS));
	inv_all_operands(inv, inv->changes ? OPERAND_REMOVE : OPERAND_READ);
}

/* --- cpio, rsync --------------------------------------------------------------------------- */

void archive_rsync(struct invocation *inv)
{
	size_t n = inv->operands.n;

	for (size_t i = 0; i < n; i++) {
		size_t arg = inv->operands.at[i];
		bool last = i > 0 && i + 1 == n;

		inv->unclear |= !inv->argv[arg].known && !inv->argv[arg].single;
		if (archive_is_remote(inv->argv[arg].text))
			inv->use->network = true;
		else if (last && inv_option(inv, RSYNC_DELETES))
			inv_operand(inv, arg, OPERAND_REMOVE);
		else
			inv_operand(inv, arg, last ? OPERAND_WRITE : OPERAND_READ);
	}
}

void archive_cpio(struct invocation *inv)
{
	archive_write_here(inv);
}
