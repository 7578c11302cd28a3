/* Programs that read files and print: coreutils and their like. All options of each are
 * here; those not marked otherwise only change what is printed. */
#include "perm/program/table.h"

#define READER   .closed = true, .read_only = true, .is_tool = true
#define HELP     " --help --version"
#define PATHS    "takes paths from a file"
#define ANY_TEXT .read_only = true, .is_tool = true, .any_text = true

/* --- options ------------------------------------------------------------------- */

static const struct option_row cat_options[] = {
	{ "-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank "
	  "--show-tabs --show-nonprinting" HELP },
};

static const struct option_row head_options[] = {
	{ "-cn= -qvz --bytes= --lines= --quiet --silent --verbose --zero-terminated" HELP },
};

static const struct option_row tail_options[] = {
	{ "-cns= -fFqvz --bytes= --follow=? --lines= --max-unchanged-stats= --pid= --quiet "
	  "--silent --retry --sleep-interval= --verbose --zero-terminated" HELP },
};

static const struct option_row wc_options[] = {
	{ "-cmlLw --bytes --chars --lines --max-line-length --words --total=" HELP },
	{ "--files0-from=", EFFECT_LOADS, PATHS },
};

static const struct option_row ls_options[] = {
	{ "-aAbBcCdDfFgGhHiklmnNopqQrsStuUvxXZ1 -ITw= --all --almost-all --author --escape "
	  "--block-size= --ignore-backups --color=? --directory --dired --classify=? --file-type "
	  "--format= --full-time --group-directories-first --no-group --human-readable --si "
	  "--dereference-command-line --dereference-command-line-symlink-to-dir --hide= "
	  "--hyperlink=? --indicator-style= --inode --ignore= --kibibytes "
	  "--numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name "
	  "--quoting-style= --reverse --size --sort= --time= --time-style= --tabsize= --width= "
	  "--context --zero" HELP },
	{ "-R --recursive", EFFECT_RECURSES },
	{ "-L --dereference", EFFECT_FOLLOWS },
};

static const struct option_row sort_options[] = {
	{ "-bdfgiMhnRrVcCmsuz -kSt= --ignore-leading-blanks --dictionary-order --ignore-case "
	  "--general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort "
	  "--numeric-sort --random-sort --reverse --sort= --version-sort --batch-size= --check=? "
	  "--debug --key= --merge --stable --buffer-size= --field-separator= --parallel= --unique "
	  "--zero-terminated" HELP },
	{ "--random-source=", EFFECT_READS },
	{ "-o= --output=", EFFECT_WRITES },
	{ "--compress-program=", EFFECT_RUNS },
	{ "-T= --temporary-directory=", EFFECT_ACTS, "says where temporary files go" },
	{ "--files0-from=", EFFECT_LOADS, PATHS },
};

static const struct option_row uniq_options[] = {
	{ "-cdDiuz -fsw= --count --repeated --all-repeated=? --skip-fields= --group=? "
	  "--ignore-case --skip-chars= --unique --zero-terminated --check-chars=" HELP },
};

static const struct option_row cut_options[] = {
	{ "-bcdf= -nsz --bytes= --characters= --delimiter= --fields= --complement "
	  "--only-delimited --output-delimiter= --zero-terminated" HELP },
};

static const struct option_row nl_options[] = {
	{ "-bdfhilnsvw= -p --body-numbering= --section-delimiter= --footer-numbering= "
	  "--header-numbering= --line-increment= --join-blank-lines= --number-format= "
	  "--no-renumber --number-separator= --starting-line-number= --number-width=" HELP },
};

static const struct option_row comm_options[] = {
	{ "-123z --check-order --nocheck-order --output-delimiter= --total "
	  "--zero-terminated" HELP },
};

static const struct option_row diff3_options[] = {
	{ "--diff-program=", EFFECT_RUNS },
	{ "-o= --output=", EFFECT_WRITES },
};

static const struct option_row diff_options[] = {
	{ "-qscuenyptTNiEZbwBadvPH -CUWFxSIDL= --normal --brief --report-identical-files "
	  "--context=? --unified=? --ed --rcs --side-by-side --width= --left-column "
	  "--suppress-common-lines --show-c-function --show-function-line= --label= "
	  "--expand-tabs --initial-tab --tabsize= --suppress-blank-empty --new-file "
	  "--unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case "
	  "--exclude= --starting-file= --ignore-case --ignore-tab-expansion "
	  "--ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines "
	  "--ignore-matching-lines= --text --strip-trailing-cr --ifdef= --old-group-format= "
	  "--new-group-format= --unchanged-group-format= --changed-group-format= --line-format= "
	  "--old-line-format= --new-line-format= --unchanged-line-format= --minimal "
	  "--horizon-lines= --speed-large-files --color=? --palette=" HELP },
	{ "-r --recursive", EFFECT_RECURSES },
	{ "--no-dereference", .tag = 'P' },
	{ "-X= --exclude-from= --from-file= --to-file=", EFFECT_READS },
	{ "-l --paginate", EFFECT_ACTS, "runs a program" },
};

static const struct option_row cmp_options[] = {
	{ "-blsv -in= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent" HELP },
};

static const struct option_row stat_options[] = {
	{ "-Lft -c= --dereference --file-system --cached= --format= --printf= --terse" HELP },
};

static const struct option_row file_options[] = {
	{ "-vbciklLhnN0drE -eFP= --brief --checking-printout --exclude= --exclude-quiet= "
	  "--separator= --mime --apple --extension --mime-type --mime-encoding --keep-going "
	  "--list --dereference --no-dereference --no-buffer --no-pad --print0 --parameter= "
	  "--raw --debug" HELP },
	{ "-m= --magic-file=", EFFECT_READS },
	{ "-f= --files-from=", EFFECT_LOADS, PATHS },
	{ "-C --compile", EFFECT_ACTS, "writes a file" },
	{ "-p --preserve-date", EFFECT_ACTS, "sets the times of files" },
	{ "-s --special-files", EFFECT_ACTS, "reads devices" },
	{ "-zZ --uncompress --uncompress-noreport", EFFECT_ACTS, "runs a program" },
	{ "-S --no-sandbox", EFFECT_ACTS, "takes away its protection" },
};

static const struct option_row realpath_options[] = {
	{ "-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet "
	  "--strip --no-symlinks --zero" HELP },
	{ "--relative-to= --relative-base=", EFFECT_LISTS },
};

static const struct option_row readlink_options[] = {
	{ "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline "
	  "--quiet --silent --verbose --zero" HELP },
};

static const struct option_row du_options[] = {
	{ "-0abcDHhklmPSsx -Bdt= --null --all --apparent-size --block-size= --bytes --total "
	  "--dereference-args --max-depth= --human-readable --inodes --count-links "
	  "--no-dereference --separate-dirs --si --summarize --threshold= --time=? --time-style= "
	  "--exclude= --one-file-system" HELP },
	{ "-L --dereference", EFFECT_FOLLOWS },
	{ "-X= --exclude-from=", EFFECT_READS },
	{ "--files0-from=", EFFECT_LOADS, PATHS },
};

static const struct option_row df_options[] = {
	{ "-ahHiklPTv -Btx= --all --block-size= --human-readable --si --inodes --local --no-sync "
	  "--output=? --portability --total --type= --print-type --exclude-type=" HELP },
	{ "--sync", EFFECT_ACTS, "writes all that waits to be written" },
};

static const struct option_row date_options[] = {
	{ "-Ru -d= -I=? --date= --debug --iso-8601=? --resolution --rfc-email --rfc-822 "
	  "--rfc-2822 --rfc-3339= --utc --universal --uct" HELP },
	{ "-f= --file=", EFFECT_READS },
	{ "-r= --reference=", EFFECT_LISTS },
	{ "-s= --set=", EFFECT_ACTS, "sets the clock" },
};

static const struct option_row id_options[] = {
	{ "-aZgGnruz --context --group --groups --name --real --user --zero" HELP },
};

static const struct option_row uname_options[] = {
	{ "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine "
	  "--processor --hardware-platform --operating-system --sysname --release" HELP },
};

static const struct option_row nproc_options[] = {
	{ "--all --ignore=" HELP },
};

static const struct option_row hostname_options[] = {
	{ "-sIVh --short --all-ip-addresses" HELP },
	{ "-aAdfiy --alias --all-fqdns --domain --fqdn --long --ip-address --yp --nis", EFFECT_ACTS,
	  "asks the network" },
	{ "-F= -b --file= --boot", EFFECT_ACTS, "sets the name of the machine" },
};

static const struct option_row uptime_options[] = {
	{ "-phsV --pretty --since" HELP },
};

static const struct option_row free_options[] = {
	{ "-bkmghltvwV -sc= --bytes --kilo --mega --giga --tera --peta --kibi --mebi --gibi "
	  "--tebi --pebi --human --si --lohi --total --committed --seconds= --count= "
	  "--wide" HELP },
};

static const struct option_row tty_options[] = {
	{ "-s --silent --quiet" HELP },
};

static const struct option_row fold_options[] = {
	{ "-bs -w= --bytes --spaces --width=" HELP },
};

static const struct option_row paste_options[] = {
	{ "-sz -d= --delimiters= --serial --zero-terminated" HELP },
};

static const struct option_row join_options[] = {
	{ "-iz -aejotv12= --ignore-case --check-order --nocheck-order --header "
	  "--zero-terminated" HELP },
};

static const struct option_row column_options[] = {
	{ "-tdeLJxhV -nOClNEHRTWripcos= --table --table-name= --table-order= --table-column= "
	  "--table-columns= --table-columns-limit= --table-noextreme= --table-noheadings "
	  "--table-header-repeat --table-hide= --table-right= --table-truncate= --table-wrap= "
	  "--keep-empty-lines --json --tree= --tree-id= --tree-parent= --output-width= "
	  "--output-separator= --separator= --fillrows" HELP },
};

static const struct option_row rev_options[] = {
	{ "-hV" HELP },
};

static const struct option_row tac_options[] = {
	{ "-br -s= --before --regex --separator=" HELP },
};

static const struct option_row od_options[] = {
	{ "-aBbcDdeFfHhIiLlOosvXx -AjNSt= -w=? --address-radix= --endian= --skip-bytes= "
	  "--read-bytes= --strings=? --format= --output-duplicates --width=? "
	  "--traditional" HELP },
};

static const struct option_row hexdump_options[] = {
	{ "-bcCdoxvhVX -ens= -L=? --one-byte-octal --one-byte-char --canonical "
	  "--two-bytes-decimal --two-bytes-octal --two-bytes-hex --one-byte-hex --color=? "
	  "--format= --length= --skip= --no-squeezing" HELP },
	{ "-f= --format-file=", EFFECT_READS },
};

/* Its own parser goes by the first letter and takes the rest of the word for the value:
 * only the usual spellings. */
static const struct option_row xxd_options[] = {
	{ "-a -autoskip -b -bits -C -capitalize -c= -cols= -E -EBCDIC -e -g= -groupsize= -h -help "
	  "-i -include -l= -len= -n= -name= -o= -offset= -p -ps -plain -postscript -r -revert "
	  "-s= -seek= -d -u -uppercase -v -version" },
};

static const struct option_row strings_options[] = {
	{ "-adfwohvV -ntTeUs= --all --data --print-file-name --bytes= --radix= "
	  "--include-all-whitespace --target= --encoding= --unicode= --output-separator=" HELP },
};

static const struct option_row digest_options[] = {
	{ "-btzw -al= --warn --binary --tag --untagged --text --zero --ignore-missing --quiet "
	  "--status "
	  "--strict --algorithm= --length= --debug --base64 --raw" HELP },
	{ "-c --check", EFFECT_ACTS, PATHS },
};

static const struct option_row base64_options[] = {
	{ "-diD -w= --decode --ignore-garbage --wrap=" HELP },
};

static const struct option_row basenc_options[] = {
	{ "-di -w= --decode --ignore-garbage --wrap= --base64 --base64url --base32 --base32hex "
	  "--base16 --base2msbf --base2lsbf --z85" HELP },
};

static const struct option_row expand_options[] = {
	{ "-ia -t= --initial --all --first-only --tabs=" HELP },
};

static const struct option_row pr_options[] = {
	{ "-acdFfJmrtTv -DhlNowW= -einsS=? --pages= --columns= --across --show-control-chars "
	  "--double-space --date-format= --expand-tabs=? --form-feed --header= --output-tabs=? "
	  "--join-lines --length= --merge --number-lines=? --first-line-number= --indent= "
	  "--no-file-warnings --separator=? --sep-string=? --omit-header --omit-pagination "
	  "--show-nonprinting --width= --page-width=" HELP },
};

static const struct option_row fmt_options[] = {
	{ "-cstu -pwg= --crown-margin --prefix= --split-only --tagged-paragraph "
	  "--uniform-spacing --width= --goal=" HELP },
};

static const struct option_row shuf_options[] = {
	{ "-erz -in= --echo --input-range= --head-count= --repeat --zero-terminated" HELP },
	{ "--random-source=", EFFECT_READS },
	{ "-o= --output=", EFFECT_WRITES },
};

static const struct option_row numfmt_options[] = {
	{ "-z -d= --debug --delimiter= --field= --format= --from= --from-unit= --grouping "
	  "--header=? --invalid= --padding= --round= --suffix= --to= --to-unit= "
	  "--zero-terminated" HELP },
};

static const struct option_row tree_options[] = {
	{ "-adfixpsuhDFgqNQrtcUvSnACXJ -ILPT= --noreport --charset= --filelimit= --dirsfirst "
	  "--sort= --timefmt= --matchdirs --prune --ignore-case --inodes --device --si --du "
	  "--metafirst --filesfirst --gitignore --info --hintro= --houtro= --nolinks" HELP },
	{ "-l", EFFECT_FOLLOWS },
	{ "-o=", EFFECT_WRITES },
	{ "-R -H= --fromfile --fromtabfile --gitfile= --infofile=", EFFECT_ACTS,
	  "reads or writes files of other names" },
};

static const struct option_row which_options[] = {
	{ "-as --all" },
};

/* `e` as an operand, the old way, shows the environment of processes. */
static const struct option_row ps_options[] = {
	{ "-AadefFHjlLMNPTVwyZc -CgGoOpqstuUnk= --pid= --ppid= --user= --User= --group= --Group= "
	  "--tty= --sid= --format= --sort= --forest --headers --no-headers --no-heading --cols= "
	  "--columns= --width= --rows= --lines= --cumulative --deselect --quick-pid= --context "
	  "--info" HELP,
	  .tag = 'o' },
};

static const struct option_row pgrep_options[] = {
	{ "-lavwcfionxhV -dgGPstuUrO= --list-name --list-full --inverse --lightweight --count "
	  "--full --delimiter= --pgroup= --group= --ignore-case --newest --oldest --older= "
	  "--parent= --session= --terminal= --euid= --uid= --exact --runstates= --ns= "
	  "--nslist=" HELP },
	{ "-F= --pidfile=", EFFECT_LOADS, "reads another file" },
	{ "-L --logpidfile" },
};

static const struct option_row help_options[] = {
	{ "-hV" HELP },
};

/* --- what a table cannot say -------------------------------------------------------- */

static void diff_links(struct look *look)
{
	if (look_seen(look, 'P'))
		look->follows = false;
}

/* Anything but a format sets the clock. */
static void date_format(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];

		if (!sv_starts(look->argv[arg].text, SV("+")))
			look_acts(look, arg, look->argv[arg].text, "sets the clock");
	}
}

static void ps_environment(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv text = look->argv[arg].text;

		if (!look->argv[arg].known || sv_find_char(text, 'e') != SIZE_MAX)
			look_acts(look, arg, text, "may show the environment of processes");
	}
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];

		if (sv_find(seen->value, SV("env")) != SIZE_MAX)
			look_acts(look, seen->arg, seen->value, "shows environments");
	}
}

/* --- the table ------------------------------------------------------------------------ */

static const struct program_row rows[] = {
	{ "arch", OPTIONS(help_options), .operands = OPERANDS_NONE, READER },
	{ "b2sum", .as = "md5sum" },
	{ "base32", .as = "base64" },
	{ "base64", OPTIONS(base64_options), .operands = OPERANDS_READ, READER },
	{ "basename", ANY_TEXT },
	{ "basenc", OPTIONS(basenc_options), .operands = OPERANDS_READ, READER },
	{ "cat", OPTIONS(cat_options), .operands = OPERANDS_READ, READER },
	{ "cksum", .as = "md5sum" },
	{ "cmp", OPTIONS(cmp_options), .operands = OPERANDS_READ, READER },
	{ "column", OPTIONS(column_options), .operands = OPERANDS_READ, READER },
	{ "comm", OPTIONS(comm_options), .operands = OPERANDS_READ, READER },
	{ "cut", OPTIONS(cut_options), .operands = OPERANDS_READ, READER },
	{ "date", OPTIONS(date_options), .operands = OPERANDS_TEXT, READER,
	  .special = date_format },
	{ "df", OPTIONS(df_options), .operands = OPERANDS_LIST, READER },
	{ "diff", OPTIONS(diff_options), .operands = OPERANDS_READ, READER, .numbers = true,
	  .follows = true, .special = diff_links },
	{ "diff3", OPTIONS(diff3_options), .operands = OPERANDS_READ, .is_tool = true },
	{ "dir", .as = "ls" },
	{ "dirname", ANY_TEXT },
	{ "du", OPTIONS(du_options), .operands = OPERANDS_LIST, READER, .recursive = true,
	  .here = true },
	{ "expand", OPTIONS(expand_options), .operands = OPERANDS_READ, READER, .numbers = true },
	{ "expr", ANY_TEXT },
	{ "factor", OPTIONS(help_options), .operands = OPERANDS_TEXT, READER },
	{ "file", OPTIONS(file_options), .operands = OPERANDS_READ, READER },
	{ "fmt", OPTIONS(fmt_options), .operands = OPERANDS_READ, READER, .numbers = true },
	{ "fold", OPTIONS(fold_options), .operands = OPERANDS_READ, READER, .numbers = true },
	{ "free", OPTIONS(free_options), .operands = OPERANDS_NONE, READER },
	{ "getconf", OPTIONS(help_options), .operands = OPERANDS_TEXT, READER },
	{ "groups", OPTIONS(help_options), .operands = OPERANDS_TEXT, READER },
	{ "hd", .as = "hexdump" },
	{ "head", OPTIONS(head_options), .operands = OPERANDS_READ, READER, .numbers = true },
	{ "hexdump", OPTIONS(hexdump_options), .operands = OPERANDS_READ, READER },
	{ "hostname", OPTIONS(hostname_options), .operands = OPERANDS_NONE, READER },
	{ "id", OPTIONS(id_options), .operands = OPERANDS_TEXT, READER },
	{ "join", OPTIONS(join_options), .operands = OPERANDS_READ, READER },
	{ "logname", OPTIONS(help_options), .operands = OPERANDS_NONE, READER },
	{ "ls", OPTIONS(ls_options), .operands = OPERANDS_LIST, READER, .here = true },
	{ "md5sum", OPTIONS(digest_options), .operands = OPERANDS_READ, READER },
	{ "nl", OPTIONS(nl_options), .operands = OPERANDS_READ, READER },
	{ "nproc", OPTIONS(nproc_options), .operands = OPERANDS_NONE, READER },
	{ "numfmt", OPTIONS(numfmt_options), .operands = OPERANDS_TEXT, READER },
	{ "od", OPTIONS(od_options), .operands = OPERANDS_READ, READER },
	{ "paste", OPTIONS(paste_options), .operands = OPERANDS_READ, READER },
	{ "pgrep", OPTIONS(pgrep_options), .operands = OPERANDS_TEXT, READER },
	{ "pr", OPTIONS(pr_options), .operands = OPERANDS_READ, READER, .numbers = true },
	{ "printenv", .is_tool = true },
	{ "ps", OPTIONS(ps_options), .operands = OPERANDS_TEXT, READER, .special = ps_environment },
	{ "readlink", OPTIONS(readlink_options), .operands = OPERANDS_LIST, READER },
	{ "realpath", OPTIONS(realpath_options), .operands = OPERANDS_LIST, READER },
	{ "rev", OPTIONS(rev_options), .operands = OPERANDS_READ, READER },
	{ "sdiff", .as = "diff3" },
	{ "seq", ANY_TEXT },
	{ "sha1sum", .as = "md5sum" },
	{ "sha224sum", .as = "md5sum" },
	{ "sha256sum", .as = "md5sum" },
	{ "sha384sum", .as = "md5sum" },
	{ "sha512sum", .as = "md5sum" },
	{ "shuf", OPTIONS(shuf_options), .operands = OPERANDS_READ, READER },
	{ "sleep", OPTIONS(help_options), .operands = OPERANDS_TEXT, READER },
	{ "sort", OPTIONS(sort_options), .operands = OPERANDS_READ, READER },
	{ "stat", OPTIONS(stat_options), .operands = OPERANDS_LIST, READER },
	{ "strings", OPTIONS(strings_options), .operands = OPERANDS_READ, READER, .numbers = true,
	  .response_files = true },
	{ "sum", .as = "md5sum" },
	{ "tac", OPTIONS(tac_options), .operands = OPERANDS_READ, READER },
	{ "tail", OPTIONS(tail_options), .operands = OPERANDS_READ, READER, .numbers = true },
	{ "tr", ANY_TEXT },
	{ "tree", OPTIONS(tree_options), .operands = OPERANDS_LIST, READER, .recursive = true,
	  .here = true },
	{ "tsort", OPTIONS(help_options), .operands = OPERANDS_READ, READER },
	{ "tty", OPTIONS(tty_options), .operands = OPERANDS_NONE, READER },
	{ "uname", OPTIONS(uname_options), .operands = OPERANDS_NONE, READER },
	{ "unexpand", .as = "expand" },
	{ "uniq", OPTIONS(uniq_options), .operands = OPERANDS_READ_WRITE, READER, .numbers = true },
	{ "uptime", OPTIONS(uptime_options), .operands = OPERANDS_NONE, READER },
	{ "users", OPTIONS(help_options), .operands = OPERANDS_NONE, READER },
	{ "vdir", .as = "ls" },
	{ "wc", OPTIONS(wc_options), .operands = OPERANDS_READ, READER },
	{ "which", OPTIONS(which_options), .operands = OPERANDS_TEXT, READER },
	{ "whoami", OPTIONS(help_options), .operands = OPERANDS_NONE, READER },
	{ "xxd", OPTIONS(xxd_options), .operands = OPERANDS_READ_WRITE, READER,
	  .long_by_one_dash = true },
};

const struct program_table program_table_text = { rows, countof(rows) };
