/* Programs that read files and print: coreutils and similar. Each row lists every option;
 * options without an effect only change what is printed. */
#include "perm/program/special.h"

static const struct option_row help_options[] = {
	{ "-hV" HELP },
};

/* nm, objdump and readelf. What loads a plug-in or looks for other files is missing. */
static const struct option_row binutils_options[] = {
	{ "-AaBCDegilnoprsuvzdfhxtTRwWHVIcGS -jmMEb= -P=? --all --all-headers --archive-headers "
	  "--archive-index --arch-specific --debug-syms --demangle=? --no-demangle --defined-only "
	  "--disassemble --disassemble-all --disassemble=? --disassembler-options= --dynamic "
	  "--dynamic-reloc --dynamic-syms --dyn-syms --extern-only --file-header --file-headers "
	  "--format= --full-contents --header --headers --histogram --line-numbers --no-sort "
	  "--no-show-raw-insn --notes --numeric-sort --print-file-name --print-size "
	  "--private-headers --program-headers --quiet --radix= --reloc --relocs --reverse-sort "
	  "--section= --section-details --section-groups --section-headers --sections --segments "
	  "--size-sort --source --start-address= --stop-address= --symbols --syms --target= "
	  "--undefined-only --unwind --version-info --wide --with-symbol-versions" HELP },
};

static const struct program_row text_rows[] = {
	{ "arch", READER, OPERANDS_NONE, OPTIONS_OF(help_options) },
	{ "b2sum", .alias_of = "md5sum" },
	{ "base32", .alias_of = "base64" },
	{ "base64", READER, OPERANDS_READ,
	  OPTIONS({ "-diD -w= --decode --ignore-garbage --wrap=" HELP }) },
	{ "basename", TEXT_ONLY },
	{ "basenc", READER, OPERANDS_READ,
	  OPTIONS({ "-di -w= --decode --ignore-garbage --wrap= --base64 --base64url --base32 "
		    "--base32hex --base16 --base2msbf --base2lsbf --z85" HELP }) },
	{ "bat", READER, OPERANDS_READ,
	  OPTIONS({ "-pnAfu -lrHm= --plain --number --show-all --no-pager --language= "
		    "--line-range= --highlight-line= --map-syntax= --style= --color= "
		    "--decorations= --wrap= --theme= --tabs= --list-languages "
		    "--list-themes" HELP }) },
	{ "batcat", .alias_of = "bat" },
	{ "bc", READER, OPERANDS_READ,
	  OPTIONS({ "-lqswihv --mathlib --quiet --standard --warn --interactive" HELP }) },
	{ "cat", READER, OPERANDS_READ,
	  OPTIONS({ "-AbeEnstTuv --show-all --number-nonblank --show-ends --number "
		    "--squeeze-blank --show-tabs --show-nonprinting" HELP }) },
	{ "cksum", .alias_of = "md5sum" },
	{ "cmp", READER, OPERANDS_READ,
	  OPTIONS({ "-blsv -in= --print-bytes --ignore-initial= --verbose --bytes= --quiet "
		    "--silent" HELP }) },
	{ "column", READER, OPERANDS_READ,
	  OPTIONS({ "-tdeLJxhV -nOClNEHRTWripcos= --table --table-name= --table-order= "
		    "--table-column= --table-columns= --table-columns-limit= --table-noextreme= "
		    "--table-noheadings --table-header-repeat --table-hide= --table-right= "
		    "--table-truncate= --table-wrap= --keep-empty-lines --json --tree= --tree-id= "
		    "--tree-parent= --output-width= --output-separator= --separator= "
		    "--fillrows" HELP }) },
	{ "comm", READER, OPERANDS_READ,
	  OPTIONS({ "-123z --check-order --nocheck-order --output-delimiter= --total "
		    "--zero-terminated" HELP }) },
	{ "cut", READER, OPERANDS_READ,
	  OPTIONS({ "-bcdf= -nsz --bytes= --characters= --delimiter= --fields= --complement "
		    "--only-delimited --output-delimiter= --zero-terminated" HELP }) },
	{ "date", READER, .special = text_date,
	  OPTIONS({ "-Ru -d= -I=? --date= --debug --iso-8601=? --resolution --rfc-email --rfc-822 "
		    "--rfc-2822 --rfc-3339= --utc --universal --uct" HELP },
		  { "-f= --file=", EFFECT_READS }, { "-r= --reference=", EFFECT_LISTS },
		  { "-s= --set=", EFFECT_ESCALATES, "sets the clock" }) },
	{ "df", READER, OPERANDS_LIST,
	  OPTIONS({ "-ahHiklPTv -Btx= --all --block-size= --human-readable --si --inodes --local "
		    "--no-sync --output=? --portability --total --type= --print-type "
		    "--exclude-type=" HELP },
		  { "--sync", EFFECT_ESCALATES, "flushes all pending writes" }) },
	{ "diff", READER | NUMBERS | FOLLOWS_LINKS, OPERANDS_READ, .special = text_diff,
	  OPTIONS({ "-qscuenyptTNiEZbwBadvPH -CUWFxSIDL= --normal --brief "
		    "--report-identical-files --context=? --unified=? --ed --rcs --side-by-side "
		    "--width= --left-column --suppress-common-lines --show-c-function "
		    "--show-function-line= --label= --expand-tabs --initial-tab --tabsize= "
		    "--suppress-blank-empty --new-file --unidirectional-new-file "
		    "--ignore-file-name-case --no-ignore-file-name-case --exclude= "
		    "--starting-file= --ignore-case --ignore-tab-expansion "
		    "--ignore-trailing-space --ignore-space-change --ignore-all-space "
		    "--ignore-blank-lines --ignore-matching-lines= --text --strip-trailing-cr "
		    "--ifdef= --old-group-format= --new-group-format= --unchanged-group-format= "
		    "--changed-group-format= --line-format= --old-line-format= --new-line-format= "
		    "--unchanged-line-format= --minimal --horizon-lines= --speed-large-files "
		    "--color=? --palette=" HELP },
		  { "-r --recursive", EFFECT_RECURSES },
		  { "--no-dereference", .tag = TEXT_NO_DEREFERENCE },
		  { "-X= --exclude-from= --from-file= --to-file=", EFFECT_READS },
		  { "-l --paginate", EFFECT_ESCALATES, RUNS }) },
	{ "diff3", TOOL, OPERANDS_READ,
	  OPTIONS({ "--diff-program=", EFFECT_RUNS }, { "-o= --output=", EFFECT_WRITES }) },
	{ "dir", .alias_of = "ls" },
	{ "dirname", TEXT_ONLY },
	{ "du", READER | RECURSIVE | HERE, OPERANDS_LIST,
	  OPTIONS({ "-0abcDHhklmPSsx -Bdt= --null --all --apparent-size --block-size= --bytes "
		    "--total --dereference-args --max-depth= --human-readable --inodes "
		    "--count-links --no-dereference --separate-dirs --si --summarize --threshold= "
		    "--time=? --time-style= --exclude= --one-file-system" HELP },
		  { "-L --dereference", EFFECT_FOLLOWS }, { "-X= --exclude-from=", EFFECT_READS },
		  { "--files0-from=", EFFECT_LOADS, PATHS }) },
	{ "expand", READER | NUMBERS, OPERANDS_READ,
	  OPTIONS({ "-ia -t= --initial --all --first-only --tabs=" HELP }) },
	{ "expr", TEXT_ONLY },
	{ "factor", READER, OPTIONS_OF(help_options) },
	{ "file", READER, OPERANDS_READ,
	  OPTIONS({ "-vbciklLhnN0drE -eFP= --brief --checking-printout --exclude= "
		    "--exclude-quiet= --separator= --mime --apple --extension --mime-type "
		    "--mime-encoding --keep-going --list --dereference --no-dereference "
		    "--no-buffer --no-pad --print0 --parameter= --raw --debug" HELP },
		  { "-m= --magic-file=", EFFECT_READS },
		  { "-f= --files-from=", EFFECT_LOADS, PATHS },
		  { "-C --compile", EFFECT_ESCALATES, "writes a file" },
		  { "-p --preserve-date", EFFECT_ESCALATES, "sets the times of files" },
		  { "-s --special-files", EFFECT_ESCALATES, "reads devices" },
		  { "-zZ --uncompress --uncompress-noreport", EFFECT_ESCALATES, RUNS },
		  { "-S --no-sandbox", EFFECT_ESCALATES, "turns off its sandbox" }) },
	{ "fmt", READER | NUMBERS, OPERANDS_READ,
	  OPTIONS({ "-cstu -pwg= --crown-margin --prefix= --split-only --tagged-paragraph "
		    "--uniform-spacing --width= --goal=" HELP }) },
	{ "fold", READER | NUMBERS, OPERANDS_READ,
	  OPTIONS({ "-bs -w= --bytes --spaces --width=" HELP }) },
	{ "free", READER, OPERANDS_NONE,
	  OPTIONS({ "-bkmghltvwV -sc= --bytes --kilo --mega --giga --tera --peta --kibi --mebi "
		    "--gibi --tebi --pebi --human --si --lohi --total --committed --seconds= "
		    "--count= --wide" HELP }) },
	{ "getconf", READER, OPTIONS_OF(help_options) },
	{ "groups", READER, OPTIONS_OF(help_options) },
	{ "hd", .alias_of = "hexdump" },
	{ "head", READER | NUMBERS, OPERANDS_READ,
	  OPTIONS({ "-cn= -qvz --bytes= --lines= --quiet --silent --verbose "
		    "--zero-terminated" HELP }) },
	{ "hexdump", READER, OPERANDS_READ,
	  OPTIONS({ "-bcCdoxvhVX -ens= -L=? --one-byte-octal --one-byte-char --canonical "
		    "--two-bytes-decimal --two-bytes-octal --two-bytes-hex --one-byte-hex "
		    "--color=? --format= --length= --skip= --no-squeezing" HELP },
		  { "-f= --format-file=", EFFECT_READS }) },
	{ "hostname", READER, OPERANDS_NONE,
	  OPTIONS({ "-sIVh --short --all-ip-addresses" HELP },
		  { "-aAdfiy --alias --all-fqdns --domain --fqdn --long --ip-address --yp --nis",
		    EFFECT_ESCALATES, "queries the network" },
		  { "-F= -b --file= --boot", EFFECT_ESCALATES, "sets the name of the machine" }) },
	{ "id", READER,
	  OPTIONS({ "-aZgGnruz --context --group --groups --name --real --user --zero" HELP }) },
	{ "join", READER, OPERANDS_READ,
	  OPTIONS({ "-iz -aejotv12= --ignore-case --check-order --nocheck-order --header "
		    "--zero-terminated" HELP }) },
	{ "locale", READER,
	  OPTIONS({ "-amcskvV --all-locales --charmaps --category-name "
		    "--keyword-name --verbose" HELP }) },
	{ "logname", READER, OPERANDS_NONE, OPTIONS_OF(help_options) },
	{ "ls", READER | HERE, OPERANDS_LIST,
	  OPTIONS({ "-aAbBcCdDfFgGhHiklmnNopqQrsStuUvxXZ1 -ITw= --all --almost-all --author "
		    "--escape --block-size= --ignore-backups --color=? --directory --dired "
		    "--classify=? --file-type --format= --full-time --group-directories-first "
		    "--no-group --human-readable --si --dereference-command-line "
		    "--dereference-command-line-symlink-to-dir --hide= --hyperlink=? "
		    "--indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid --literal "
		    "--hide-control-chars --show-control-chars --quote-name --quoting-style= "
		    "--reverse --size --sort= --time= --time-style= --tabsize= --width= --context "
		    "--zero" HELP },
		  { "-R --recursive", EFFECT_RECURSES }, { "-L --dereference", EFFECT_FOLLOWS }) },
	{ "lsblk", READER, OPERANDS_LIST,
	  OPTIONS({ "-aAbDdfiJlMmnNOPprSstTVvzhy -eEIowx= --all --noempty --bytes --dedup= "
		    "--discard "
		    "--exclude= --include= --fs --ascii --json --list --merge --perms --noheadings "
		    "--nvme --virtio --output= --output-all --pairs --paths --raw --scsi --inverse "
		    "--tree=? --topology --width= --sort= --shell --zoned --nodeps" HELP }) },
	{ "lscpu", READER, OPERANDS_NONE,
	  OPTIONS({ "-abBcJryhV -CepE=? --all --online --offline --bytes --caches=? --extended=? "
		    "--json --parse=? --hex --physical --output-all --raw --hierarchic=?" HELP },
		  { "-s= --sysroot=", EFFECT_ESCALATES, "reads another system" }) },
	{ "md5sum", READER, OPERANDS_READ,
	  OPTIONS({ "-btzw -al= --warn --binary --tag --untagged --text --zero --ignore-missing "
		    "--quiet --status --strict --algorithm= --length= --debug --base64 "
		    "--raw" HELP },
		  { "-c --check", EFFECT_ESCALATES, PATHS }) },
	{ "nl", READER, OPERANDS_READ,
	  OPTIONS({ "-bdfhilnsvw= -p --body-numbering= --section-delimiter= --footer-numbering= "
		    "--header-numbering= --line-increment= --join-blank-lines= --number-format= "
		    "--no-renumber --number-separator= --starting-line-number= "
		    "--number-width=" HELP }) },
	{ "nm", READER | RESPONSE_FILES, OPERANDS_READ, OPTIONS_OF(binutils_options) },
	{ "nproc", READER, OPERANDS_NONE, OPTIONS({ "--all --ignore=" HELP }) },
	{ "numfmt", READER,
	  OPTIONS({ "-z -d= --debug --delimiter= --field= --format= --from= --from-unit= "
		    "--grouping --header=? --invalid= --padding= --round= --suffix= --to= "
		    "--to-unit= --zero-terminated" HELP }) },
	{ "objdump", READER | RESPONSE_FILES, OPERANDS_READ, OPTIONS_OF(binutils_options) },
	{ "od", READER, OPERANDS_READ,
	  OPTIONS({ "-aBbcDdeFfHhIiLlOosvXx -AjNSt= -w=? --address-radix= --endian= --skip-bytes= "
		    "--read-bytes= --strings=? --format= --output-duplicates --width=? "
		    "--traditional" HELP }) },
	{ "paste", READER, OPERANDS_READ,
	  OPTIONS({ "-sz -d= --delimiters= --serial --zero-terminated" HELP }) },
	{ "pgrep", READER,
	  OPTIONS({ "-lavwcfionxhV -dgGPstuUrO= --list-name --list-full --inverse --lightweight "
		    "--count --full --delimiter= --pgroup= --group= --ignore-case --newest "
		    "--oldest --older= --parent= --session= --terminal= --euid= --uid= --exact "
		    "--runstates= --ns= --nslist=" HELP },
		  { "-F= --pidfile=", EFFECT_LOADS, "reads another file" },
		  { "-L --logpidfile" }) },
	{ "pr", READER | NUMBERS, OPERANDS_READ,
	  OPTIONS({ "-acdFfJmrtTv -DhlNowW= -einsS=? --pages= --columns= --across "
		    "--show-control-chars --double-space --date-format= --expand-tabs=? "
		    "--form-feed --header= --output-tabs=? --join-lines --length= --merge "
		    "--number-lines=? --first-line-number= --indent= --no-file-warnings "
		    "--separator=? --sep-string=? --omit-header --omit-pagination "
		    "--show-nonprinting --width= --page-width=" HELP }) },
	{ "printenv", READER, .special = text_printenv, OPTIONS({ "-0 --null" HELP }) },
	/* BSD syntax: an operand with `e` shows the environment of processes. */
	{ "ps", READER, .special = text_ps,
	  OPTIONS({ "-AadefFHjlLMNPTVwyZc -CgGoOpqstuUnk= --pid= --ppid= --user= --User= --group= "
		    "--Group= --tty= --sid= --format= --sort= --forest --headers --no-headers "
		    "--no-heading --cols= --columns= --width= --rows= --lines= --cumulative "
		    "--deselect --quick-pid= --context --info" HELP,
		    .tag = TEXT_PS_OPTION }) },
	{ "readelf", READER | RESPONSE_FILES, OPERANDS_READ, OPTIONS_OF(binutils_options) },
	{ "readlink", READER, OPERANDS_LIST,
	  OPTIONS({ "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing "
		    "--no-newline --quiet --silent --verbose --zero" HELP }) },
	{ "realpath", READER, OPERANDS_LIST,
	  OPTIONS({ "-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical "
		    "--quiet --strip --no-symlinks --zero" HELP },
		  { "--relative-to= --relative-base=", EFFECT_LISTS }) },
	{ "rev", READER, OPERANDS_READ, OPTIONS({ "-hV" HELP }) },
	{ "sdiff", .alias_of = "diff3" },
	{ "seq", TEXT_ONLY },
	{ "sha1sum", .alias_of = "md5sum" },
	{ "sha224sum", .alias_of = "md5sum" },
	{ "sha256sum", .alias_of = "md5sum" },
	{ "sha384sum", .alias_of = "md5sum" },
	{ "sha512sum", .alias_of = "md5sum" },
	{ "shuf", READER, OPERANDS_READ,
	  OPTIONS({ "-erz -in= --echo --input-range= --head-count= --repeat "
		    "--zero-terminated" HELP },
		  { "--random-source=", EFFECT_READS }, { "-o= --output=", EFFECT_WRITES }) },
	{ "size", READER | RESPONSE_FILES, OPERANDS_READ,
	  OPTIONS({ "-ABdoxthGfV --format= --radix= --totals --common --target=" HELP }) },
	{ "sleep", READER, OPTIONS_OF(help_options) },
	{ "sort", READER, OPERANDS_READ,
	  OPTIONS({ "-bdfgiMhnRrVcCmsuz -kSt= --ignore-leading-blanks --dictionary-order "
		    "--ignore-case --general-numeric-sort --ignore-nonprinting --month-sort "
		    "--human-numeric-sort --numeric-sort --random-sort --reverse --sort= "
		    "--version-sort --batch-size= --check=? --debug --key= --merge --stable "
		    "--buffer-size= --field-separator= --parallel= --unique "
		    "--zero-terminated" HELP },
		  { "--random-source=", EFFECT_READS }, { "-o= --output=", EFFECT_WRITES },
		  { "--compress-program=", EFFECT_RUNS },
		  { "-T= --temporary-directory=", EFFECT_ESCALATES,
		    "says where temporary files go" },
		  { "--files0-from=", EFFECT_LOADS, PATHS }) },
	{ "stat", READER, OPERANDS_LIST,
	  OPTIONS({ "-Lft -c= --dereference --file-system --cached= --format= --printf= "
		    "--terse" HELP }) },
	{ "strings", READER | NUMBERS | RESPONSE_FILES, OPERANDS_READ,
	  OPTIONS({ "-adfwohvV -ntTeUs= --all --data --print-file-name --bytes= --radix= "
		    "--include-all-whitespace --target= --encoding= --unicode= "
		    "--output-separator=" HELP }) },
	{ "sum", .alias_of = "md5sum" },
	{ "tac", READER, OPERANDS_READ, OPTIONS({ "-br -s= --before --regex --separator=" HELP }) },
	{ "tail", READER | NUMBERS, OPERANDS_READ,
	  OPTIONS({ "-cns= -fFqvz --bytes= --follow=? --lines= --max-unchanged-stats= --pid= "
		    "--quiet --silent --retry --sleep-interval= --verbose "
		    "--zero-terminated" HELP }) },
	{ "tokei", READER | RECURSIVE | HERE, OPERANDS_READ,
	  OPTIONS({ "-fCvh -steoc= --files --sort= --type= --exclude= --output= --columns= "
		    "--hidden "
		    "--no-ignore --compact --verbose" HELP }) },
	{ "tput", READER, .special = text_tput, OPTIONS({ "-VT=" }) },
	{ "tr", TEXT_ONLY },
	{ "tree", READER | RECURSIVE | HERE, OPERANDS_LIST,
	  OPTIONS({ "-adfixpsuhDFgqNQrtcUvSnACXJ -ILPT= --noreport --charset= --filelimit= "
		    "--dirsfirst --sort= --timefmt= --matchdirs --prune --ignore-case --inodes "
		    "--device --si --du --metafirst --filesfirst --gitignore --info --hintro= "
		    "--houtro= --nolinks" HELP },
		  { "-l", EFFECT_FOLLOWS }, { "-o=", EFFECT_WRITES },
		  { "-R -H= --fromfile --fromtabfile --gitfile= --infofile=", EFFECT_ESCALATES,
		    "reads or writes files of other names" }) },
	{ "tsort", READER, OPERANDS_READ, OPTIONS_OF(help_options) },
	{ "tty", READER, OPERANDS_NONE, OPTIONS({ "-s --silent --quiet" HELP }) },
	{ "uname", READER, OPERANDS_NONE,
	  OPTIONS({ "-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version "
		    "--machine --processor --hardware-platform --operating-system --sysname "
		    "--release" HELP }) },
	{ "unexpand", .alias_of = "expand" },
	{ "uniq", READER | NUMBERS, OPERANDS_READ_WRITE,
	  OPTIONS({ "-cdDiuz -fsw= --count --repeated --all-repeated=? --skip-fields= --group=? "
		    "--ignore-case --skip-chars= --unique --zero-terminated "
		    "--check-chars=" HELP }) },
	{ "uptime", READER, OPERANDS_NONE, OPTIONS({ "-phsV --pretty --since" HELP }) },
	{ "users", READER, OPERANDS_NONE, OPTIONS_OF(help_options) },
	{ "vdir", .alias_of = "ls" },
	{ "w", READER,
	  OPTIONS({ "-hufsioV --no-header --no-current --short --from --old-style "
		    "--ip-addr --pids" HELP }) },
	{ "wc", READER, OPERANDS_READ,
	  OPTIONS({ "-cmlLw --bytes --chars --lines --max-line-length --words --total=" HELP },
		  { "--files0-from=", EFFECT_LOADS, PATHS }) },
	{ "which", READER, OPTIONS({ "-as --all" }) },
	{ "who", READER, .special = text_who,
	  OPTIONS({ "-abdHlmpqrsTtuw --all --boot --dead --heading --login --process --count "
		    "--runlevel --short --time --users --message --mesg --writable" HELP },
		  { "--lookup --ips", EFFECT_ESCALATES, "queries the network" }) },
	{ "whoami", READER, OPERANDS_NONE, OPTIONS_OF(help_options) },
	/* xxd's parser goes by the first letter and takes the rest of the word as the value;
	 * only the usual spellings are listed. */
	{ "xmllint", READER | ONE_DASH_LONG, OPERANDS_READ,
	  OPTIONS({ "--format --noout --nonet --html --xpath= --noblanks --pretty= --encode= "
		    "--version" }) },
	{ "xxd", READER | ONE_DASH_LONG, OPERANDS_READ_WRITE,
	  OPTIONS({ "-a -autoskip -b -bits -C -capitalize -c= -cols= -E -EBCDIC -e -g= "
		    "-groupsize= -h -help -i -include -l= -len= -n= -name= -o= -offset= -p -ps "
		    "-plain -postscript -r -revert -s= -seek= -d -u -uppercase -v -version" }) },
	{ "zgrep", READER | NUMBERS, OPERANDS_TEXT_READ,
	  OPTIONS({ "-EFGPinvclLhHoqswxzabV -ABCmd= --color=? --colour=? --ignore-case "
		    "--line-number --count --invert-match --files-with-matches "
		    "--files-without-match --no-filename --with-filename --only-matching --quiet "
		    "--silent --no-messages --word-regexp --line-regexp --context= "
		    "--after-context= --before-context= --max-count= --text" HELP },
		  { "-e= --regexp=", .replaces_operand = true },
		  { "-f= --file=", EFFECT_READS, .replaces_operand = true }) },
};

const struct program_table program_table_text = { text_rows, countof(text_rows) };
