/* Programs whose work it is to change files: none is read-only, and what they change is in
 * the operands. */
#include "perm/program/table.h"

#define CHANGER .closed = true, .is_tool = true
#define HELP    " --help --version"

/* --- options ------------------------------------------------------------------------- */

static const struct option_row rm_options[] = {
	{ "-fiIdv --force --interactive=? --one-file-system --preserve-root=? --dir "
	  "--verbose" HELP },
	{ "-rR --recursive", EFFECT_RECURSES },
	{ "--no-preserve-root", EFFECT_ACTS, "takes away a protection" },
};

static const struct option_row rmdir_options[] = {
	{ "-pv --ignore-fail-on-non-empty --parents --verbose" HELP },
};

static const struct option_row mv_options[] = {
	{ "-bfinTuvZ -S= --backup=? --force --interactive --no-clobber --no-copy --debug "
	  "--exchange --strip-trailing-slashes --suffix= --no-target-directory --update=? "
	  "--verbose --context" HELP },
	{ "-t= --target-directory=", EFFECT_TARGET, .in_place_of = true },
};

static const struct option_row cp_options[] = {
	{ "-bdfiHlnPpsTuvxZ -S= --attributes-only --backup=? --copy-contents --force "
	  "--interactive --link --no-clobber --no-dereference --preserve=? --no-preserve= "
	  "--parents --reflink=? --remove-destination --sparse= --strip-trailing-slashes "
	  "--symbolic-link --suffix= --no-target-directory --update=? --verbose "
	  "--one-file-system --context=? --debug --keep-directory-symlink" HELP },
	{ "-aRr --archive --recursive", EFFECT_RECURSES },
	{ "-L --dereference", EFFECT_FOLLOWS },
	{ "-t= --target-directory=", EFFECT_TARGET, .in_place_of = true },
};

static const struct option_row ln_options[] = {
	{ "-bdFfiLnPrsTv -S= --backup=? --directory --force --interactive --logical "
	  "--no-dereference --physical --relative --symbolic --suffix= --no-target-directory "
	  "--verbose" HELP },
	{ "-t= --target-directory=", EFFECT_TARGET, .in_place_of = true },
};

static const struct option_row install_options[] = {
	{ "-bcCDpTvZ -gmoS= --backup=? --compare --group= --mode= --owner= --preserve-timestamps "
	  "--suffix= --no-target-directory --verbose --preserve-context --context=? "
	  "--debug" HELP },
	{ "-d --directory", .tag = 'd' },
	{ "-t= --target-directory=", EFFECT_TARGET, .in_place_of = true },
	{ "-s --strip", EFFECT_ACTS, "runs a program" },
	{ "--strip-program=", EFFECT_ACTS, "runs a program" },
};

static const struct option_row mkdir_options[] = {
	{ "-pvZ -m= --mode= --parents --verbose --context=?" HELP },
};

static const struct option_row touch_options[] = {
	{ "-acfhm -dt= --no-create --date= --no-dereference --time=" HELP },
	{ "-r= --reference=", EFFECT_LISTS },
};

static const struct option_row truncate_options[] = {
	{ "-co -s= --no-create --io-blocks --size=" HELP },
	{ "-r= --reference=", EFFECT_LISTS },
};

static const struct option_row tee_options[] = {
	{ "-aip --append --ignore-interrupts --output-error=?" HELP },
};

/* A mode may begin with a dash. */
static const struct option_row chmod_options[] = {
	{ "-cfvhHP --changes --silent --quiet --verbose --preserve-root --dereference "
	  "--no-dereference" HELP },
	{ "-rwxXstugoa,+=01234567=?", .in_place_of = true },
	{ "-R --recursive", EFFECT_RECURSES },
	{ "-L", EFFECT_FOLLOWS },
	{ "--reference=", EFFECT_LISTS, .in_place_of = true },
	{ "--no-preserve-root", EFFECT_ACTS, "takes away a protection" },
};

static const struct option_row chown_options[] = {
	{ "-cfvhHP --changes --silent --quiet --verbose --preserve-root --dereference "
	  "--no-dereference --from=" HELP },
	{ "-R --recursive", EFFECT_RECURSES },
	{ "-L", EFFECT_FOLLOWS },
	{ "--reference=", EFFECT_LISTS, .in_place_of = true },
	{ "--no-preserve-root", EFFECT_ACTS, "takes away a protection" },
};

static const struct option_row chattr_options[] = {
	{ "-VfaAcCdDeijPsStTuFx -vp=" },
	{ "-R", EFFECT_RECURSES },
};

static const struct option_row setfacl_options[] = {
	{ "-bkndLPvh -mx= --remove-all --remove-default --no-mask --mask --default --logical "
	  "--physical --modify= --remove= --test --set=" HELP },
	{ "-MX= --modify-file= --remove-file= --set-file=", EFFECT_READS },
	{ "-R --recursive", EFFECT_RECURSES },
	{ "--restore=", EFFECT_ACTS, "takes paths from a file" },
};

static const struct option_row shred_options[] = {
	{ "-fuvxz -ns= --force --iterations= --size= --remove=? --verbose --exact --zero" HELP },
	{ "--random-source=", EFFECT_READS },
};

static const struct option_row split_options[] = {
	{ "-deux -abClnt= --suffix-length= --additional-suffix= --bytes= --line-bytes= "
	  "--numeric-suffixes=? --hex-suffixes=? --elide-empty-files --lines= --number= "
	  "--separator= --unbuffered --verbose" HELP },
	{ "--filter=", EFFECT_SCRIPT },
};

static const struct option_row csplit_options[] = {
	{ "-kszq -bn= --suffix-format= --keep-files --suppress-matched --digits= --quiet "
	  "--silent --elide-empty-files" HELP },
	{ "-f= --prefix=", EFFECT_TARGET, .tag = 'f' },
};

static const struct option_row mktemp_options[] = {
	{ "-dqtu --directory --quiet --suffix= --dry-run" HELP },
	{ "-p= --tmpdir=?", EFFECT_TARGET },
};

static const struct option_row mknod_options[] = {
	{ "-Z -m= --mode= --context=?" HELP },
};

static const struct option_row patch_options[] = {
	{ "-bcEeflNnRstTuvZ -BDFgpVYz= --backup --prefix= --context --ifdef= --ed "
	  "--remove-empty-files --force --fuzz= --get= --ignore-whitespace --normal --forward "
	  "--strip= --quiet --silent --reverse --batch --set-time --unified --version-control= "
	  "--version --basename-prefix= --suffix= --set-utc --dry-run --backup-if-mismatch "
	  "--no-backup-if-mismatch --binary --posix --merge=? --quoting-style= --verbose "
	  "--read-only= --help" },
	{ "-i= --input=", EFFECT_READS },
	{ "-d= --directory=", EFFECT_ENTERS },
	{ "-o= -r= --output= --reject-file=", EFFECT_WRITES },
	{ "--follow-symlinks", EFFECT_ACTS, "writes through links" },
};

/* Partitioners change the device unless they only list. */
static const struct option_row partition_options[] = {
	{ "-lFgsdVJ --list --list-free --dump --json --verify --show-size --show-geometry",
	  .tag = 'l' },
};

static const struct option_row wipefs_options[] = {
	{ "-biJnpqhV -tO= --noheadings --json --no-act --parsable --quiet --types= --output= "
	  "--lock=?" HELP },
	{ "-af -o= --all --force --offset= --backup", .tag = 'a' },
};

/* --- operands ------------------------------------------------------------------------- */

static void take_all(struct look *look, size_t from, size_t to, enum operand_use use)
{
	for (size_t i = from; i < to; i++)
		look_operand(look, look->operands.at[i], use);
}

/* How many of the operands are sources: the last is not, unless an option named it. */
static size_t nsources(struct look *look)
{
	return look->operands.n > 0 && !look->first_given ? look->operands.n - 1 : look->operands.n;
}

static void note_several(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		const struct argument *arg = &look->argv[look->operands.at[i]];

		look->unclear |= !arg->known && !arg->single;
	}
}

static void mv_operands(struct look *look)
{
	size_t n = nsources(look);

	note_several(look);
	look->recursive = true;
	take_all(look, 0, n, OPERAND_REMOVE);
	look->recursive = false;
	take_all(look, n, look->operands.n, OPERAND_WRITE);
}

/* With one operand the link gets its name, here. */
static void ln_operands(struct look *look)
{
	size_t arg;
	struct sv path;

	if (look->operands.n != 1 || look->first_given)
		return;
	arg = look->operands.at[0];
	path = look->argv[arg].text;
	look_path(look, arg, sv_basename(path), OPERAND_WRITE);
}

static void install_operands(struct look *look)
{
	size_t n = look_seen(look, 'd') ? 0 : nsources(look);

	note_several(look);
	take_all(look, 0, n, OPERAND_READ);
	take_all(look, n, look->operands.n, OPERAND_WRITE);
}

/* All below it: the floor looks. */
static void chmod_operands(struct look *look)
{
	note_several(look);
	take_all(look, look->first_given ? 0 : 1, look->operands.n,
		 look->recursive ? OPERAND_REMOVE : OPERAND_WRITE);
}

static void setfacl_operands(struct look *look)
{
	take_all(look, 0, look->operands.n, look->recursive ? OPERAND_REMOVE : OPERAND_WRITE);
}

static void chattr_operands(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		struct sv text = look->argv[look->operands.at[i]].text;

		if (text.len == 0 || (text.ptr[0] != '+' && text.ptr[0] != '='))
			look_operand(look, look->operands.at[i],
				     look->recursive ? OPERAND_REMOVE : OPERAND_WRITE);
	}
}

static void dd_operands(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv text = look->argv[arg].text;

		look->unclear |= !look->argv[arg].known && sv_find_char(text, '=') == SIZE_MAX;
		if (sv_starts(text, SV("if=")))
			look_path(look, arg, sv_skip(text, 3), OPERAND_READ);
		else if (sv_starts(text, SV("of=")))
			look_path(look, arg, sv_skip(text, 3), OPERAND_DEVICE);
	}
}

/* What is written has names of its own: the second operand is only their beginning. */
static void split_operands(struct look *look)
{
	note_several(look);
	take_all(look, 0, min_of(look->operands.n, (size_t)1), OPERAND_READ);
	take_all(look, 1, look->operands.n, OPERAND_WRITE);
	if (look->operands.n < 2)
		look_path(look, 0, SV("xaa"), OPERAND_WRITE);
}

static void csplit_operands(struct look *look)
{
	note_several(look);
	take_all(look, 0, min_of(look->operands.n, (size_t)1), OPERAND_READ);
	if (!look_seen(look, 'f'))
		look_path(look, 0, SV("xx00"), OPERAND_WRITE);
}

static void mktemp_operands(struct look *look)
{
	if (look->operands.n == 0 && look->use->operands.n == 0)
		look_path(look, 0, SV("/tmp"), OPERAND_WRITE);
}

/* The patch says which files. */
static void patch_operands(struct look *look)
{
	size_t n = look->operands.n;

	note_several(look);
	take_all(look, 0, min_of(n, (size_t)1), OPERAND_WRITE);
	take_all(look, 1, n, OPERAND_READ);
	look->recursive = true;
	if (n == 0)
		look_path(look, 0, SV("."), OPERAND_WRITE);
}

static void partition_operands(struct look *look)
{
	take_all(look, 0, look->operands.n, look_seen(look, 'l') ? OPERAND_READ : OPERAND_DEVICE);
}

static void wipefs_operands(struct look *look)
{
	take_all(look, 0, look->operands.n, look_seen(look, 'a') ? OPERAND_DEVICE : OPERAND_READ);
}

/* --- the table ---------------------------------------------------------------------------- */

#define OWN(function) .operands = OPERANDS_OWN, .special = (function)
#define PARTITIONER   OPTIONS(partition_options), .is_tool = true, OWN(partition_operands)
#define OVERWRITER    .operands = OPERANDS_DEVICE, .is_tool = true
#define FLOOR         .operands = OPERANDS_DEVICE, .is_tool = true, .is_floor = true

/* The subcommands that put something else on a disk. */
static const struct program_row cryptsetup_subs[] = {
	{ "erase", OVERWRITER },
	{ "luksErase", OVERWRITER },
	{ "luksFormat", OVERWRITER },
	{ "reencrypt", OVERWRITER },
};

static const struct program_row nvme_subs[] = {
	{ "format", OVERWRITER },
	{ "sanitize", OVERWRITER },
	{ "write-zeroes", OVERWRITER },
};

static const struct program_row rows[] = {
	{ "badblocks", OVERWRITER },
	{ "blkdiscard", OVERWRITER },
	{ "cfdisk", PARTITIONER },
	{ "chattr", OPTIONS(chattr_options), .is_tool = true, OWN(chattr_operands) },
	{ "chgrp", .as = "chown" },
	{ "chmod", OPTIONS(chmod_options), CHANGER, OWN(chmod_operands) },
	{ "chown", OPTIONS(chown_options), CHANGER, OWN(chmod_operands) },
	{ "cp", OPTIONS(cp_options), CHANGER, .operands = OPERANDS_READ_WRITE },
	{ "cryptsetup", SUBS(cryptsetup_subs), .is_tool = true },
	{ "csplit", OPTIONS(csplit_options), CHANGER, OWN(csplit_operands) },
	{ "dd", .is_tool = true, OWN(dd_operands) },
	{ "del", .as = "rimraf" },
	{ "del-cli", .as = "rimraf" },
	{ "fdisk", PARTITIONER },
	{ "gdisk", PARTITIONER },
	{ "install", OPTIONS(install_options), CHANGER, OWN(install_operands) },
	{ "link", CHANGER, .operands = OPERANDS_READ_WRITE },
	{ "ln", OPTIONS(ln_options), CHANGER, .operands = OPERANDS_READ_WRITE,
	  .special = ln_operands },
	{ "mkdir", OPTIONS(mkdir_options), CHANGER, .operands = OPERANDS_WRITE },
	{ "mkdosfs", .as = "mkfs" },
	{ "mke2fs", .as = "mkfs" },
	{ "mkfifo", OPTIONS(mknod_options), CHANGER, .operands = OPERANDS_WRITE },
	{ "mkfs", FLOOR },
	{ "mknod", OPTIONS(mknod_options), CHANGER, .operands = OPERANDS_WRITE },
	{ "mkntfs", .as = "mkfs" },
	{ "mkswap", .as = "mkfs" },
	{ "mktemp", OPTIONS(mktemp_options), CHANGER, .operands = OPERANDS_WRITE,
	  .special = mktemp_operands },
	{ "mv", OPTIONS(mv_options), CHANGER, OWN(mv_operands) },
	{ "newfs", .as = "mkfs" },
	{ "nvme", SUBS(nvme_subs), .is_tool = true },
	{ "parted", PARTITIONER },
	{ "patch", OPTIONS(patch_options), CHANGER, OWN(patch_operands) },
	{ "pvcreate", OVERWRITER },
	{ "pvremove", OVERWRITER },
	{ "rimraf", .operands = OPERANDS_REMOVE, .recursive = true, .is_tool = true },
	{ "rm", OPTIONS(rm_options), CHANGER, .operands = OPERANDS_REMOVE },
	{ "rmdir", OPTIONS(rmdir_options), CHANGER, .operands = OPERANDS_REMOVE },
	{ "setfacl", OPTIONS(setfacl_options), CHANGER, OWN(setfacl_operands) },
	{ "sfdisk", PARTITIONER },
	{ "sgdisk", PARTITIONER },
	{ "shred", OPTIONS(shred_options), CHANGER, .operands = OPERANDS_DEVICE },
	{ "split", OPTIONS(split_options), CHANGER, OWN(split_operands) },
	{ "srm", OPTIONS(rm_options), .is_tool = true, .operands = OPERANDS_REMOVE },
	{ "tee", OPTIONS(tee_options), CHANGER, .operands = OPERANDS_WRITE },
	{ "touch", OPTIONS(touch_options), CHANGER, .operands = OPERANDS_WRITE },
	{ "trash", .as = "rimraf" },
	{ "trash-put", .as = "rimraf" },
	{ "truncate", OPTIONS(truncate_options), CHANGER, .operands = OPERANDS_WRITE },
	{ "unlink", CHANGER, .operands = OPERANDS_REMOVE },
	{ "wipefs", OPTIONS(wipefs_options), CHANGER, OWN(wipefs_operands) },
};

const struct program_table program_table_files = { rows, countof(rows) };
