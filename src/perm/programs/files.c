/* Programs whose work is to change files: none is read-only, and their operands are what
 * they change. */
#include "perm/program/special.h"

/* Only the subcommands that overwrite a disk. */
static const struct program_row cryptsetup_subcommands[] = {
	{ "erase", TOOL, OPERANDS_DEVICE },
	{ "luksErase", TOOL, OPERANDS_DEVICE },
	{ "luksFormat", TOOL, OPERANDS_DEVICE },
	{ "reencrypt", TOOL, OPERANDS_DEVICE },
};

static const struct program_row nvme_subcommands[] = {
	{ "format", TOOL, OPERANDS_DEVICE },
	{ "sanitize", TOOL, OPERANDS_DEVICE },
	{ "write-zeroes", TOOL, OPERANDS_DEVICE },
};

static const struct option_row rm_options[] = {
	{ "-fiIdv --force --interactive=? --one-file-system --preserve-root=? --dir "
	  "--verbose" HELP },
	{ "-rR --recursive", EFFECT_RECURSES },
	{ "--no-preserve-root", EFFECT_ESCALATES, "removes a safeguard" },
};

static const struct option_row mknod_options[] = {
	{ "-Z -m= --mode= --context=?" HELP },
};

/* Partitioners change the device unless they only list. */
static const struct option_row partition_options[] = {
	{ "-lFgsdVJ --list --list-free --dump --json --verify --show-size --show-geometry",
	  .tag = FILES_LISTS },
};

static const struct program_row files_rows[] = {
	{ "badblocks", TOOL, OPERANDS_DEVICE },
	{ "blkdiscard", TOOL, OPERANDS_DEVICE },
	{ "cfdisk", TOOL, .special = files_partition, OPTIONS_OF(partition_options) },
	{ "chattr", TOOL, .special = files_chattr,
	  OPTIONS({ "-VfaAcCdDeijPsStTuFx -vp=" }, { "-R", EFFECT_RECURSES }) },
	{ "chgrp", .alias_of = "chown" },
	/* A mode may begin with a dash: "-rwx" replaces the first operand. */
	{ "chmod", CLOSED_TOOL, .special = files_chmod,
	  OPTIONS({ "-cfvhHP --changes --silent --quiet --verbose --preserve-root --dereference "
		    "--no-dereference" HELP },
		  { "-rwxXstugoa,+=01234567=?", .replaces_operand = true },
		  { "-R --recursive", EFFECT_RECURSES }, { "-L", EFFECT_FOLLOWS },
		  { "--reference=", EFFECT_LISTS, .replaces_operand = true },
		  { "--no-preserve-root", EFFECT_ESCALATES, "removes a safeguard" }) },
	{ "chown", CLOSED_TOOL, .special = files_chmod,
	  OPTIONS({ "-cfvhHP --changes --silent --quiet --verbose --preserve-root --dereference "
		    "--no-dereference --from=" HELP },
		  { "-R --recursive", EFFECT_RECURSES }, { "-L", EFFECT_FOLLOWS },
		  { "--reference=", EFFECT_LISTS, .replaces_operand = true },
		  { "--no-preserve-root", EFFECT_ESCALATES, "removes a safeguard" }) },
	{ "cp", CLOSED_TOOL, OPERANDS_READ_WRITE,
	  OPTIONS({ "-bdfiHlnPpsTuvxZ -S= --attributes-only --backup=? --copy-contents --force "
		    "--interactive --link --no-clobber --no-dereference --preserve=? "
		    "--no-preserve= --parents --reflink=? --remove-destination --sparse= "
		    "--strip-trailing-slashes --symbolic-link --suffix= --no-target-directory "
		    "--update=? --verbose --one-file-system --context=? --debug "
		    "--keep-directory-symlink" HELP },
		  { "-aRr --archive --recursive", EFFECT_RECURSES },
		  { "-L --dereference", EFFECT_FOLLOWS },
		  { "-t= --target-directory=", EFFECT_TARGET, .replaces_operand = true }) },
	{ "cryptsetup", TOOL, SUBCOMMANDS_OF(cryptsetup_subcommands) },
	{ "csplit", CLOSED_TOOL, .special = files_csplit,
	  OPTIONS({ "-kszq -bn= --suffix-format= --keep-files --suppress-matched --digits= "
		    "--quiet --silent --elide-empty-files" HELP },
		  { "-f= --prefix=", EFFECT_TARGET, .tag = FILES_PREFIX }) },
	{ "dd", TOOL, .special = files_dd },
	{ "del", .alias_of = "rimraf" },
	{ "del-cli", .alias_of = "rimraf" },
	{ "fdisk", TOOL, .special = files_partition, OPTIONS_OF(partition_options) },
	{ "gdisk", TOOL, .special = files_partition, OPTIONS_OF(partition_options) },
	{ "install", CLOSED_TOOL, .special = files_install,
	  OPTIONS({ "-bcCDpTvZ -gmoS= --backup=? --compare --group= --mode= --owner= "
		    "--preserve-timestamps --suffix= --no-target-directory --verbose "
		    "--preserve-context --context=? --debug" HELP },
		  { "-d --directory", .tag = FILES_DIRECTORY },
		  { "-t= --target-directory=", EFFECT_TARGET, .replaces_operand = true },
		  { "-s --strip", EFFECT_ESCALATES, RUNS },
		  { "--strip-program=", EFFECT_ESCALATES, RUNS }) },
	{ "link", CLOSED_TOOL, OPERANDS_READ_WRITE },
	{ "ln", CLOSED_TOOL, OPERANDS_READ_WRITE, .special = files_ln,
	  OPTIONS({ "-bdFfiLnPrsTv -S= --backup=? --directory --force --interactive --logical "
		    "--no-dereference --physical --relative --symbolic --suffix= "
		    "--no-target-directory --verbose" HELP },
		  { "-t= --target-directory=", EFFECT_TARGET, .replaces_operand = true }) },
	{ "mkdir", CLOSED_TOOL, OPERANDS_WRITE,
	  OPTIONS({ "-pvZ -m= --mode= --parents --verbose --context=?" HELP }) },
	{ "mkdosfs", .alias_of = "mkfs" },
	{ "mke2fs", .alias_of = "mkfs" },
	{ "mkfifo", CLOSED_TOOL, OPERANDS_WRITE, OPTIONS_OF(mknod_options) },
	{ "mkfs", TOOL | FLOOR, OPERANDS_DEVICE },
	{ "mknod", CLOSED_TOOL, OPERANDS_WRITE, OPTIONS_OF(mknod_options) },
	{ "mkntfs", .alias_of = "mkfs" },
	{ "mkswap", .alias_of = "mkfs" },
	{ "mktemp", CLOSED_TOOL, OPERANDS_WRITE, .special = files_mktemp,
	  OPTIONS({ "-dqtu --directory --quiet --suffix= --dry-run" HELP },
		  { "-p= --tmpdir=?", EFFECT_TARGET }) },
	{ "mv", CLOSED_TOOL, .special = files_mv,
	  OPTIONS({ "-bfinTuvZ -S= --backup=? --force --interactive --no-clobber --no-copy "
		    "--debug --exchange --strip-trailing-slashes --suffix= --no-target-directory "
		    "--update=? --verbose --context" HELP },
		  { "-t= --target-directory=", EFFECT_TARGET, .replaces_operand = true }) },
	{ "newfs", .alias_of = "mkfs" },
	{ "nvme", TOOL, SUBCOMMANDS_OF(nvme_subcommands) },
	{ "parted", TOOL, .special = files_partition, OPTIONS_OF(partition_options) },
	{ "patch", CLOSED_TOOL | UNPACKS, .special = files_patch,
	  OPTIONS({ "-bcEeflNnRstTuvZ -BDFgpVYz= --backup --prefix= --context --ifdef= --ed "
		    "--remove-empty-files --force --fuzz= --get= --ignore-whitespace --normal "
		    "--forward --strip= --quiet --silent --reverse --batch --set-time --unified "
		    "--version-control= --version --basename-prefix= --suffix= --set-utc "
		    "--dry-run --backup-if-mismatch --no-backup-if-mismatch --binary --posix "
		    "--merge=? --quoting-style= --verbose --read-only= --help" },
		  { "-i= --input=", EFFECT_READS }, { "-d= --directory=", EFFECT_ENTERS },
		  { "-o= -r= --output= --reject-file=", EFFECT_WRITES },
		  { "--follow-symlinks", EFFECT_ESCALATES, "writes through links" }) },
	{ "pvcreate", TOOL, OPERANDS_DEVICE },
	{ "pvremove", TOOL, OPERANDS_DEVICE },
	{ "rimraf", TOOL | RECURSIVE, OPERANDS_REMOVE },
	{ "rm", CLOSED_TOOL, OPERANDS_REMOVE, OPTIONS_OF(rm_options) },
	{ "rmdir", CLOSED_TOOL, OPERANDS_REMOVE,
	  OPTIONS({ "-pv --ignore-fail-on-non-empty --parents --verbose" HELP }) },
	{ "setfacl", CLOSED_TOOL, .special = files_setfacl,
	  OPTIONS({ "-bkndLPvh -mx= --remove-all --remove-default --no-mask --mask --default "
		    "--logical --physical --modify= --remove= --test --set=" HELP },
		  { "-MX= --modify-file= --remove-file= --set-file=", EFFECT_READS },
		  { "-R --recursive", EFFECT_RECURSES },
		  { "--restore=", EFFECT_ESCALATES, "takes paths from a file" }) },
	{ "sfdisk", TOOL, .special = files_partition, OPTIONS_OF(partition_options) },
	{ "sgdisk", TOOL, .special = files_partition, OPTIONS_OF(partition_options) },
	{ "shred", CLOSED_TOOL, OPERANDS_DEVICE,
	  OPTIONS({ "-fuvxz -ns= --force --iterations= --size= --remove=? --verbose --exact "
		    "--zero" HELP },
		  { "--random-source=", EFFECT_READS }) },
	{ "split", CLOSED_TOOL, .special = files_split,
	  OPTIONS({ "-deux -abClnt= --suffix-length= --additional-suffix= --bytes= --line-bytes= "
		    "--numeric-suffixes=? --hex-suffixes=? --elide-empty-files --lines= --number= "
		    "--separator= --unbuffered --verbose" HELP },
		  { "--filter=", EFFECT_SCRIPT }) },
	{ "srm", TOOL, OPERANDS_REMOVE, OPTIONS_OF(rm_options) },
	{ "tee", CLOSED_TOOL, OPERANDS_WRITE,
	  OPTIONS({ "-aip --append --ignore-interrupts --output-error=?" HELP }) },
	{ "touch", CLOSED_TOOL, OPERANDS_WRITE,
	  OPTIONS({ "-acfhm -dt= --no-create --date= --no-dereference --time=" HELP },
		  { "-r= --reference=", EFFECT_LISTS }) },
	{ "trash", .alias_of = "rimraf" },
	{ "trash-put", .alias_of = "rimraf" },
	{ "truncate", CLOSED_TOOL, OPERANDS_WRITE,
	  OPTIONS({ "-co -s= --no-create --io-blocks --size=" HELP },
		  { "-r= --reference=", EFFECT_LISTS }) },
	{ "unlink", CLOSED_TOOL, OPERANDS_REMOVE },
	{ "wipefs", CLOSED_TOOL, .special = files_wipefs,
	  OPTIONS({ "-biJnpqhV -tO= --noheadings --json --no-act --parsable --quiet --types= "
		    "--output= --lock=?" HELP },
		  { "-af -o= --all --force --offset= --backup", .tag = FILES_ERASES }) },
};

const struct program_table program_table_files = { files_rows, countof(files_rows) };
