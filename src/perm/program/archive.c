/* Programs that pack, unpack and mirror. Which files they change depends on what they are
 * told to do; unpacking writes below the directory they run in. */
#include "perm/program/table.h"

#define TOOL  .closed = true, .is_tool = true
#define RUNS  "runs a program"
#define PATHS "takes paths from a file"

/* --- tar ------------------------------------------------------------------------------- */

enum {
	TAR_CREATE = 1,
	TAR_ALTER,
	TAR_EXTRACT,
	TAR_LIST,
	TAR_COMPARE,
	TAR_FILE,
	TAR_STDOUT,
	TAR_LOCAL,
};

static const struct option_row tar_options[] = {
	{ "-c --create", .tag = TAR_CREATE },
	{ "-ruA --append --update --catenate --concatenate --delete", .tag = TAR_ALTER },
	{ "-x --extract --get", .tag = TAR_EXTRACT },
	{ "-t --list", .tag = TAR_LIST },
	{ "-d --diff --compare --test-label", .tag = TAR_COMPARE },
	{ "-f= --file=", .tag = TAR_FILE },
	{ "-O --to-stdout", .tag = TAR_STDOUT },
	{ "--force-local", .tag = TAR_LOCAL },
	{ "-GnSkWmpsMBiajJzZlRvwo? -LbHVKN= --check-device --incremental --hole-detection= "
	  "--ignore-failed-read --level= --no-check-device --no-seek --seek --occurrence=? "
	  "--sparse-version= --sparse --exclude= --exclude-backups --exclude-caches "
	  "--exclude-caches-all --exclude-caches-under --exclude-ignore= "
	  "--exclude-ignore-recursive= --exclude-tag= --exclude-tag-all= --exclude-tag-under= "
	  "--exclude-vcs --exclude-vcs-ignores --no-null --no-recursion --no-unquote "
	  "--no-verbatim-files-from --null --recursion --unquote --verbatim-files-from "
	  "--anchored --ignore-case --no-anchored --no-ignore-case --no-wildcards "
	  "--no-wildcards-match-slash --wildcards --wildcards-match-slash "
	  "--keep-directory-symlink --keep-newer-files --keep-old-files --no-overwrite-dir "
	  "--overwrite --overwrite-dir --skip-old-files --verify --ignore-command-error "
	  "--no-ignore-command-error --atime-preserve=? --clamp-mtime --delay-directory-restore "
	  "--group= --mode= --mtime= --touch --no-delay-directory-restore --no-same-owner "
	  "--no-same-permissions --numeric-owner --owner= --preserve-permissions "
	  "--same-permissions --same-owner --sort= --preserve-order --same-order --acls "
	  "--no-acls --no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= "
	  "--xattrs-include= --tape-length= --multi-volume --blocking-factor= "
	  "--read-full-records --ignore-zeros --record-size= --format= --old-archive "
	  "--portability --pax-option= --posix --label= --auto-compress --bzip2 --xz --lzip "
	  "--lzma --lzop --no-auto-compress --zstd --gzip --gunzip --ungzip --compress "
	  "--uncompress --backup=? --hard-dereference --starting-file= --newer-mtime= --newer= "
	  "--after-date= --one-file-system --suffix= --strip-components= --checkpoint=? "
	  "--full-time --check-links --no-quote-chars= --quote-chars= --quoting-style= "
	  "--block-number --show-defaults --show-omitted-dirs --show-snapshot-field-ranges "
	  "--show-transformed-names --show-stored-names --totals=? --utc --verbose --warning= "
	  "--interactive --confirmation --help --restrict --usage --version" },
	{ "-X= --exclude-from= --add-file= --group-map= --owner-map=", EFFECT_READS },
	{ "-h --dereference", EFFECT_FOLLOWS },
	{ "-C= --directory=", EFFECT_ENTERS },
	{ "-g= --listed-incremental= --volno-file= --index-file=", EFFECT_WRITES },
	{ "--one-top-level=?", EFFECT_WRITES, "says where files go" },
	{ "-I= --use-compress-program= --to-command= -F= --info-script= --new-volume-script= "
	  "--rmt-command= --rsh-command=",
	  EFFECT_RUNS },
	{ "--checkpoint-action=", EFFECT_RUNS, "may run a program" },
	{ "-T= --files-from=", EFFECT_LOADS, PATHS },
	{ "-P --absolute-names", EFFECT_ACTS, "lets files go anywhere" },
	{ "--transform= --xform=", EFFECT_ACTS, "says where files go" },
	{ "-U --unlink-first --recursive-unlink --remove-files", EFFECT_ACTS, "removes files" },
};

/* "host:file" is reached by a remote shell. */
static bool is_remote(struct sv path)
{
	size_t colon = sv_find_char(path, ':'), slash = sv_find_char(path, '/');

	return colon != SIZE_MAX && (slash == SIZE_MAX || colon < slash);
}

static void tar_archive(struct look *look, const struct seen *file, bool written)
{
	if (is_remote(file->value) && !look_seen(look, TAR_LOCAL)) {
		look_acts(look, file->arg, SV("-f"), "reaches another host");
		return;
	}
	if (file->has_value && !(file->known && sv_is(file->value, "-")))
		vec_push(&look->use->operands,
			 ((struct operand){ .arg = file->value_arg,
					    .path = file->value,
					    .known = file->known,
					    .use = written ? OPERAND_WRITE : OPERAND_READ }));
}

static void take_all(struct look *look, size_t from, enum operand_use use)
{
	for (size_t i = from; i < look->operands.n; i++)
		look_operand(look, look->operands.at[i], use);
}

static void write_here(struct look *look)
{
	look->recursive = true;
	look_path(look, 0, SV("."), OPERAND_WRITE);
}

/* Members of an archive are no files, unless it is made. */
static void tar_operands(struct look *look)
{
	bool packs = look_seen(look, TAR_CREATE) || look_seen(look, TAR_ALTER);

	for (size_t i = 0; i < look->seen.n; i++)
		if (look->seen.at[i].row->tag == TAR_FILE)
			tar_archive(look, &look->seen.at[i], packs);
	look->changes = packs || look_seen(look, TAR_EXTRACT) || look_seen(look, TAR_COMPARE) ||
			!look_seen(look, TAR_LIST) || !look_seen(look, TAR_FILE);
	if (packs)
		take_all(look, 0, OPERAND_READ);
	if (look_seen(look, TAR_EXTRACT) && !look_seen(look, TAR_STDOUT))
		write_here(look);
}

/* --- zip -------------------------------------------------------------------------------- */

enum { ZIP_RECURSES = 1, ZIP_READS, ZIP_MEMBERS };

/* Its options may have two letters: they are looked at one by one below. */
static void zip_option(struct look *look, size_t arg)
{
	struct sv text = look->argv[arg].text;
	bool is_long = sv_starts(text, SV("--"));

	if (is_long ? sv_starts(text, SV("--u")) : sv_find(text, SV("TT")) != SIZE_MAX)
		look_acts(look, arg, text, RUNS);
	else if (is_long ? sv_starts(text, SV("--mo")) : sv_find_char(text, 'm') != SIZE_MAX)
		look_acts(look, arg, text, "removes files");
	else if (is_long ? sv_starts(text, SV("--na")) : sv_find_char(text, '@') != SIZE_MAX)
		look_acts(look, arg, text, PATHS);
	else if (is_long ? sv_starts(text, SV("--o")) || sv_starts(text, SV("--l"))
			 : sv_find_char(text, 'O') != SIZE_MAX ||
				   sv_find(text, SV("lf")) != SIZE_MAX ||
				   sv_find_char(text, 'b') != SIZE_MAX)
		look_acts(look, arg, text, "writes a file");
}

static void zip_operands(struct look *look)
{
	size_t npaths = 0;

	look->recursive = true;
	for (size_t i = 1; i < look->n; i++) {
		const struct argument *arg = &look->argv[i];

		look->unclear |= !arg->known && (arg->text.len == 0 || !arg->single);
		if (sv_starts(arg->text, SV("-")) && arg->text.len > 1)
			zip_option(look, i);
		else
			look_operand(look, i, npaths++ == 0 ? OPERAND_WRITE : OPERAND_READ);
	}
}

static const struct option_row unzip_options[] = {
	{ "-lptvcz", .tag = ZIP_READS },
	{ "-x", .tag = ZIP_MEMBERS },
	{ "-fuanoqCjLUVXKMsDhbBFEJNiWY -PIO=" },
	{ "-Z", .tag = ZIP_READS },
	{ "-d=", EFFECT_WRITES, "says where files go" },
	{ "-:^", EFFECT_ACTS, "lets files go anywhere" },
	{ "-T", EFFECT_ACTS, "sets the times of files" },
};

/* The first is the archive, a glob perhaps of its own; the others are in it. */
static void unzip_operands(struct look *look)
{
	if (look->operands.n > 0)
		look_operand(look, look->operands.at[0], OPERAND_READ);
	if (!look_seen(look, ZIP_READS))
		write_here(look);
}

/* --- one file at a time ---------------------------------------------------------------------- */

enum { PACK_READS = 1, PACK_OUTPUT };

static const struct option_row gzip_options[] = {
	{ "-clt --stdout --to-stdout --list --test", .tag = PACK_READS },
	{ "-dzfkhLnNqvVesiH0123456789 -ST= --decompress --uncompress --compress --force --help "
	  "--keep --license --no-name --name --quiet --rsyncable --suffix= --synchronous "
	  "--verbose --version --fast --best --small --extreme --threads= --long-help "
	  "--repetitive-fast --repetitive-best --format= --check= --ignore-check "
	  "--single-stream --no-sparse --block-size= --block-list= --flush-timeout= "
	  "--memlimit= --memlimit-compress= --memlimit-decompress= --no-adjust --robot "
	  "--info-memory --no-warn -C=" },
	{ "-r --recursive", EFFECT_RECURSES },
	{ "--files=? --files0=?", EFFECT_LOADS, PATHS },
};

static const struct option_row zstd_options[] = {
	{ "-ct --stdout --test --list -l", .tag = PACK_READS },
	{ "-dzfkhHqvVCm0123456789S -TMBeib=? --compress --decompress --uncompress --force --keep "
	  "--help --version --verbose --quiet --[no-]progress --[no-]asyncio --[no-]check --ultra "
	  "--fast=? --adapt=? --long=? --single-thread --auto-threads= --rsyncable "
	  "--exclude-compressed --stream-size= --size-hint= --no-dictID "
	  "--[no-]compress-literals --[no-]row-match-finder --format= --memory= --[no-]sparse "
	  "--[no-]pass-through --threads= --target-compressed-block-size=" },
	{ "-r", EFFECT_RECURSES },
	{ "-D= --patch-from=", EFFECT_READS },
	{ "-o= --output-dir-flat= --output-dir-mirror= --trace=", EFFECT_WRITES },
	{ "--filelist=", EFFECT_LOADS, PATHS },
	{ "--rm", EFFECT_ACTS, "removes files" },
};

/* The name of what is written comes from that of what is read, which goes. */
static void pack_operands(struct look *look)
{
	take_all(look, 0, look_seen(look, PACK_READS) ? OPERAND_READ : OPERAND_REMOVE);
}

static const struct option_row zcat_options[] = {
	{ "-fhLVvqdkcs0123456789 --force --help --license --version --verbose --quiet --stdout" },
};

/* --- cpio, rsync --------------------------------------------------------------------------------- */

static const struct option_row cpio_options[] = {
	{ "-0abcdfiklmnoprstuvABSVz -CHMR= --null --block-size= --io-size= --make-directories "
	  "--nonmatching --link --extract --create --list --pass-through --format= --owner= "
	  "--verbose --unconditional --preserve-modification-time --no-absolute-filenames "
	  "--quiet --sparse --help --version" },
	{ "-I= -E= --pattern-file=", EFFECT_READS },
	{ "-FO= --file=", EFFECT_WRITES },
	{ "-D= --directory=", EFFECT_ENTERS },
	{ "-L --dereference", EFFECT_FOLLOWS },
	{ "--rsh-command= --rmt-command=", EFFECT_ACTS, RUNS },
	{ "--absolute-filenames", EFFECT_ACTS, "lets files go anywhere" },
};

static const struct option_row rsync_options[] = {
	{ "-vqcCRbuldtHpEAXogDOJUNxwznWSmPyKhi468I -sB=" },
	{ "-ar --archive --recursive", EFFECT_RECURSES },
	{ "-Lk --copy-links --copy-unsafe-links --copy-dirlinks", EFFECT_FOLLOWS },
	{ "-e= --rsh= --rsync-path=", EFFECT_RUNS },
	{ "-M= --remote-option= --daemon --config= --early-input=", EFFECT_ACTS, RUNS },
	{ "--files-from=", EFFECT_LOADS, PATHS },
	{ "-f= -F --filter=", EFFECT_ACTS, PATHS },
	{ "--exclude-from= --include-from= --password-file= --read-batch= --compare-dest= "
	  "--copy-dest= --link-dest=",
	  EFFECT_READS },
	{ "--log-file= --write-batch= --only-write-batch= --backup-dir= --partial-dir= -T= "
	  "--temp-dir= --mkpath",
	  EFFECT_WRITES },
	{ "--remove-source-files --delete --delete-before --delete-during --delete-delay "
	  "--delete-after --delete-excluded --delete-missing-args --del",
	  EFFECT_ACTS, "removes files", .tag = 'd' },
	{ "--exclude= --include= --chmod= --chown= --usermap= --groupmap= --suffix= --timeout= "
	  "--contimeout= --port= --sockopts= --bwlimit= --protocol= --iconv= --checksum-choice= "
	  "--info= --debug= --block-size= --max-size= --min-size= --max-delete= --max-alloc= "
	  "--modify-window= --compress-choice= --compress-level= --skip-compress= --out-format= "
	  "--log-file-format= --stderr= --address= --stop-after= --stop-at= --copy-as=" },
};

static void rsync_operands(struct look *look)
{
	size_t n = look->operands.n;

	for (size_t i = 0; i < n; i++) {
		size_t arg = look->operands.at[i];
		bool last = i > 0 && i + 1 == n;

		look->unclear |= !look->argv[arg].known && !look->argv[arg].single;
		if (is_remote(look->argv[arg].text))
			look->use->network = true;
		else if (last && look_seen(look, 'd'))
			look_operand(look, arg, OPERAND_REMOVE);
		else
			look_operand(look, arg, last ? OPERAND_WRITE : OPERAND_READ);
	}
}

static void cpio_operands(struct look *look)
{
	write_here(look);
}

/* --- the table ---------------------------------------------------------------------------------------- */

#define OWN(function) .operands = OPERANDS_OWN, .special = (function)
#define UNPACKER      OPTIONS(zcat_options), TOOL, .operands = OPERANDS_READ

static const struct program_row rows[] = {
	{ "bunzip2", .as = "gzip" },
	{ "bzcat", .as = "xzcat" },
	{ "bzip2", .as = "gzip" },
	{ "cpio", OPTIONS(cpio_options), TOOL, OWN(cpio_operands) },
	{ "gunzip", .as = "gzip" },
	{ "gzip", OPTIONS(gzip_options), TOOL, OWN(pack_operands) },
	{ "rsync", OPTIONS(rsync_options), .is_tool = true, OWN(rsync_operands) },
	{ "tar", OPTIONS(tar_options), TOOL, .read_only = true, OWN(tar_operands),
	  .bundle_first = true, .recursive = true },
	{ "unxz", .as = "gzip" },
	{ "unzip", OPTIONS(unzip_options), TOOL, OWN(unzip_operands) },
	{ "unzstd", .as = "zstd" },
	{ "xz", .as = "gzip" },
	{ "xzcat", UNPACKER, .read_only = true },
	{ "zcat", UNPACKER }, /* a script that looks for gzip */
	{ "zip", .is_tool = true, .any_text = true, OWN(zip_operands) },
	{ "zstd", OPTIONS(zstd_options), TOOL, OWN(pack_operands) },
	{ "zstdcat", .as = "xzcat" },
};

const struct program_table program_table_archive = { rows, countof(rows) };
