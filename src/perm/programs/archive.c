/* Programs that pack, unpack and mirror. Which files they change depends on their options;
 * unpacking writes below the directory they run in. */
#include "perm/program/special.h"

static const struct option_row zcat_options[] = {
	{ "-fhLVvqdkcs0123456789 --force --help --license --version --verbose --quiet --stdout" },
};

static const struct program_row sevenzip_subcommands[] = {
	{ "l", LOOKS | ONE_DASH_LONG, OPERANDS_READ, OPTIONS({ "-slt -ba -bd" }) },
	{ "t", LOOKS | ONE_DASH_LONG, OPERANDS_READ, OPTIONS({ "-slt -ba -bd" }) },
};

static const struct program_row archive_rows[] = {
	{ "7z", TOOL, SUBCOMMANDS_OF(sevenzip_subcommands) },
	{ "7za", .alias_of = "7z" },
	{ "7zr", .alias_of = "7z" },
	{ "bunzip2", .alias_of = "gzip" },
	{ "bzcat", .alias_of = "xzcat" },
	{ "bzip2", .alias_of = "gzip" },
	{ "cpio", CLOSED_TOOL, .special = archive_cpio,
	  OPTIONS({ "-0abcdfiklmnoprstuvABSVz -CHMR= --null --block-size= --io-size= "
		    "--make-directories --nonmatching --link --extract --create --list "
		    "--pass-through --format= --owner= --verbose --unconditional "
		    "--preserve-modification-time --no-absolute-filenames --quiet --sparse --help "
		    "--version" },
		  { "-I= -E= --pattern-file=", EFFECT_READS }, { "-FO= --file=", EFFECT_WRITES },
		  { "-D= --directory=", EFFECT_ENTERS }, { "-L --dereference", EFFECT_FOLLOWS },
		  { "--rsh-command= --rmt-command=", EFFECT_ESCALATES, RUNS },
		  { "--absolute-filenames", EFFECT_ESCALATES, "lets files be written anywhere" }) },
	{ "gunzip", .alias_of = "gzip" },
	{ "gzip", READER, .special = archive_compress,
	  OPTIONS({ "-c --stdout --to-stdout", .tag = PACK_PRINTS },
		  { "-lt --list --test", .tag = PACK_READS },
		  { "-dz --decompress --uncompress --compress", .tag = PACK_PACKS },
		  { "-fkhLnNqvVesiH0123456789 -ST= --force --help --keep --license --no-name "
		    "--name --quiet --rsyncable --suffix= "
		    "--synchronous --verbose --version --fast --best --small --extreme --threads= "
		    "--long-help --repetitive-fast --repetitive-best --format= --check= "
		    "--ignore-check --single-stream --no-sparse --block-size= --block-list= "
		    "--flush-timeout= --memlimit= --memlimit-compress= --memlimit-decompress= "
		    "--no-adjust --robot --info-memory --no-warn -C=" },
		  { "-r --recursive", EFFECT_RECURSES },
		  { "--files=? --files0=?", EFFECT_LOADS, PATHS }) },
	{ "rsync", TOOL | UNPACKS, .special = archive_rsync,
	  OPTIONS({ "-vqcCRbuldtHpEAXogDOJUNxwznWSmPyKhi468I -sB=" },
		  { "-ar --archive --recursive", EFFECT_RECURSES },
		  { "-Lk --copy-links --copy-unsafe-links --copy-dirlinks", EFFECT_FOLLOWS },
		  { "-e= --rsh= --rsync-path=", EFFECT_RUNS },
		  { "-M= --remote-option= --daemon --config= --early-input=", EFFECT_ESCALATES,
		    RUNS },
		  { "--files-from=", EFFECT_LOADS, PATHS },
		  { "-f= -F --filter=", EFFECT_ESCALATES, PATHS },
		  { "--exclude-from= --include-from= --password-file= --read-batch= "
		    "--compare-dest= --copy-dest= --link-dest=",
		    EFFECT_READS },
		  { "--log-file= --write-batch= --only-write-batch= --backup-dir= --partial-dir= "
		    "-T= --temp-dir= --mkpath",
		    EFFECT_WRITES },
		  { "--remove-source-files --delete --delete-before --delete-during "
		    "--delete-delay --delete-after --delete-excluded --delete-missing-args --del",
		    EFFECT_ESCALATES, "removes files", .tag = RSYNC_DELETES },
		  { "--exclude= --include= --chmod= --chown= --usermap= --groupmap= --suffix= "
		    "--timeout= --contimeout= --port= --sockopts= --bwlimit= --protocol= --iconv= "
		    "--checksum-choice= --info= --debug= --block-size= --max-size= --min-size= "
		    "--max-delete= --max-alloc= --modify-window= --compress-choice= "
		    "--compress-level= --skip-compress= --out-format= --log-file-format= "
		    "--stderr= --address= --stop-after= --stop-at= --copy-as=" }) },
	{ "tar", READER | BUNDLE_FIRST | RECURSIVE, .special = archive_tar,
	  OPTIONS({ "-c --create", .tag = TAR_CREATE },
		  { "-ruA --append --update --catenate --concatenate --delete", .tag = TAR_ALTER },
		  { "-x --extract --get", .tag = TAR_EXTRACT }, { "-t --list", .tag = TAR_LIST },
		  { "-d --diff --compare --test-label", .tag = TAR_COMPARE },
		  { "-f= --file=", .tag = TAR_FILE }, { "-O --to-stdout", .tag = TAR_STDOUT },
		  { "--force-local", .tag = TAR_LOCAL },
		  { "-GnSkWmpsMBiajJzZlRvwo? -LbHVKN= --check-device --incremental "
		    "--hole-detection= --ignore-failed-read --level= --no-check-device --no-seek "
		    "--seek --occurrence=? --sparse-version= --sparse --exclude= "
		    "--exclude-backups --exclude-caches --exclude-caches-all "
		    "--exclude-caches-under --exclude-ignore= --exclude-ignore-recursive= "
		    "--exclude-tag= --exclude-tag-all= --exclude-tag-under= --exclude-vcs "
		    "--exclude-vcs-ignores --no-null --no-recursion --no-unquote "
		    "--no-verbatim-files-from --null --recursion --unquote --verbatim-files-from "
		    "--anchored --ignore-case --no-anchored --no-ignore-case --no-wildcards "
		    "--no-wildcards-match-slash --wildcards --wildcards-match-slash "
		    "--keep-directory-symlink --keep-newer-files --keep-old-files "
		    "--no-overwrite-dir --overwrite --overwrite-dir --skip-old-files --verify "
		    "--ignore-command-error --no-ignore-command-error --atime-preserve=? "
		    "--clamp-mtime --delay-directory-restore --group= --mode= --mtime= --touch "
		    "--no-delay-directory-restore --no-same-owner --no-same-permissions "
		    "--numeric-owner --owner= --preserve-permissions --same-permissions "
		    "--same-owner --sort= --preserve-order --same-order --acls --no-acls "
		    "--no-selinux --no-xattrs --selinux --xattrs --xattrs-exclude= "
		    "--xattrs-include= --tape-length= --multi-volume --blocking-factor= "
		    "--read-full-records --ignore-zeros --record-size= --format= --old-archive "
		    "--portability --pax-option= --posix --label= --auto-compress --bzip2 --xz "
		    "--lzip --lzma --lzop --no-auto-compress --zstd --gzip --gunzip --ungzip "
		    "--compress --uncompress --backup=? --hard-dereference --starting-file= "
		    "--newer-mtime= --newer= --after-date= --one-file-system --suffix= "
		    "--strip-components= --checkpoint=? --full-time --check-links "
		    "--no-quote-chars= --quote-chars= --quoting-style= --block-number "
		    "--show-defaults --show-omitted-dirs --show-snapshot-field-ranges "
		    "--show-transformed-names --show-stored-names --totals=? --utc --verbose "
		    "--warning= --interactive --confirmation --help --restrict --usage --version" },
		  { "-X= --exclude-from= --add-file= --group-map= --owner-map=", EFFECT_READS },
		  { "-h --dereference", EFFECT_FOLLOWS }, { "-C= --directory=", EFFECT_ENTERS },
		  { "-g= --listed-incremental= --volno-file= --index-file=", EFFECT_WRITES },
		  { "--one-top-level=?", EFFECT_WRITES, "decides where files are written" },
		  { "-I= --use-compress-program= --to-command= -F= --info-script= "
		    "--new-volume-script= --rmt-command= --rsh-command=",
		    EFFECT_RUNS },
		  { "--checkpoint-action=", EFFECT_RUNS, "may run a program" },
		  { "-T= --files-from=", EFFECT_LOADS, PATHS },
		  { "-P --absolute-names", EFFECT_ESCALATES, "lets files be written anywhere" },
		  { "--transform= --xform=", EFFECT_ESCALATES, "decides where files are written" },
		  { "-U --unlink-first --recursive-unlink --remove-files", EFFECT_ESCALATES,
		    "removes files" }) },
	{ "unxz", .alias_of = "gzip" },
	{ "unzip", READER, .special = archive_unzip,
	  OPTIONS({ "-lptvcz", .tag = ZIP_READS }, { "-x" },
		  { "-fuanoqCjLUVXKMsDhbBFEJNiWY -PIO=" }, { "-Z", .tag = ZIP_READS },
		  { "-d=", EFFECT_WRITES, "decides where files are written" },
		  { "-:^", EFFECT_ESCALATES, "lets files be written anywhere" },
		  { "-T", EFFECT_ESCALATES, "sets the times of files" }) },
	{ "unzstd", .alias_of = "zstd" },
	{ "xz", .alias_of = "gzip" },
	{ "xzcat", READER, OPERANDS_READ, OPTIONS_OF(zcat_options) },
	{ "zcat", .alias_of = "xzcat" },
	{ "zip", TOOL | ANY_TEXT, .special = archive_zip },
	{ "zipinfo", READER, OPERANDS_READ, OPTIONS({ "-12smlvhtTzMCx" }) },
	{ "zstd", READER, .special = archive_compress,
	  OPTIONS({ "-c --stdout", .tag = PACK_PRINTS }, { "-lt --list --test", .tag = PACK_READS },
		  { "-dz --compress --decompress --uncompress", .tag = PACK_PACKS },
		  { "-fkhHqvVCm0123456789S -TMBeib=? --force --keep --help --version --verbose "
		    "--quiet --[no-]progress "
		    "--[no-]asyncio --[no-]check --ultra --fast=? --adapt=? --long=? "
		    "--single-thread --auto-threads= --rsyncable --exclude-compressed "
		    "--stream-size= --size-hint= --no-dictID --[no-]compress-literals "
		    "--[no-]row-match-finder --format= --memory= --[no-]sparse "
		    "--[no-]pass-through --threads= --target-compressed-block-size=" },
		  { "-r", EFFECT_RECURSES }, { "-D= --patch-from=", EFFECT_READS },
		  { "-o= --output-dir-flat= --output-dir-mirror= --trace=", EFFECT_WRITES },
		  { "--filelist=", EFFECT_LOADS, PATHS },
		  { "--rm", EFFECT_ESCALATES, "removes files" }) },
	{ "zstdcat", .alias_of = "xzcat" },
};

const struct program_table program_table_archive = { archive_rows, countof(archive_rows) };
