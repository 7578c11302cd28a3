/* Programs that look for text or names below a directory. */
#include "perm/program/special.h"

static const struct program_row search_rows[] = {
	{ "ag", READER | RECURSIVE | HERE, OPERANDS_TEXT_READ, .special = text_search,
	  OPTIONS({ "-clLg= --count --files-with-matches --files-without-matches --stats-only",
		    .tag = TEXT_SHOWS_NAMES },
		  { "-v --invert-match --passthrough --passthru", .tag = TEXT_SHOWS_ALL },
		  { "-auUG= --all-types --all-text --hidden --unrestricted --skip-vcs-ignores "
		    "--file-search-regex=",
		    .tag = TEXT_HIDDEN },
		  { "-DinNoqQrRsSwVH0 -ABCm= --ackmate --[no-]affinity --[no-]after=? "
		    "--before=? --[no-]break --[no-]color --column "
		    "--context=? --color-line-number= --color-match= --color-path= --debug "
		    "--depth= --[no-]filename --fixed-strings --[no-]group --[no-]heading "
		    "--ignore= --ignore-dir= --ignore-case --literal --max-count= --[no-]mmap "
		    "--[no-]multiline --[no-]numbers --null --only-matching --one-device "
		    "--parallel --print-long-lines --print-all-files "
		    "--silent --smart-case --case-sensitive --stats "
		    "--vimgrep --width= --word-regexp "
		    "--workers= --recurse --norecurse --nofilename --nobreak --nogroup --nocolor "
		    "--nonumbers --nopager --help --version" },
		  { "-p= --path-to-ignore=", EFFECT_READS }, { "-f --follow", EFFECT_FOLLOWS },
		  { "--pager=", EFFECT_RUNS }, { "-z --search-zip", EFFECT_ESCALATES, RUNS }) },
	{ "egrep", .alias_of = "grep" },
	{ "fd", READER | RECURSIVE | HERE, OPERANDS_TEXT_LIST, .special = text_fd,
	  OPTIONS({ "-HIusigFap01qhV -dEteScjo= --[no-]hidden --[no-]ignore --unrestricted "
		    "--[no-]ignore-vcs --[no-]ignore-parent --[no-]require-git "
		    "--no-global-ignore-file --case-sensitive --ignore-case --glob --regex "
		    "--fixed-strings --absolute-path --relative-path --full-path --no-follow "
		    "--print0 --prune --quiet --show-errors --one-file-system --help --version "
		    "--strip-cwd-prefix=? --and= --max-depth= --min-depth= --exact-depth= "
		    "--exclude= --type= --extension= --size= --changed-within= --changed-before= "
		    "--change-newer-than= --change-older-than= --newer= --older= --owner= "
		    "--color= --threads= --max-results= --max-buffer-time= --format= "
		    "--path-separator= --batch-size= --hyperlink=?" },
		  { "--ignore-file=", EFFECT_READS }, { "--search-path=", EFFECT_LISTS },
		  { "--base-directory= -C=", EFFECT_ENTERS }, { "-L --follow", EFFECT_FOLLOWS },
		  { "-l --list-details", EFFECT_ESCALATES, RUNS },
		  { "-xX --exec --exec-batch", EFFECT_ESCALATES, "runs a command",
		    .tag = TEXT_EXEC }) },
	{ "fdfind", .alias_of = "fd" },
	{ "fgrep", .alias_of = "grep" },
	{ "grep", READER | NUMBERS | HERE, OPERANDS_TEXT_READ, .special = text_grep,
	  OPTIONS({ "-qLlc --quiet --silent --files-without-match --files-with-matches --count",
		    .tag = TEXT_SHOWS_NAMES },
		  { "-v --invert-match", .tag = TEXT_SHOWS_ALL },
		  { "-EFGPiywxzsVbnHhoaITZUu -mDBAC= --extended-regexp --fixed-strings "
		    "--basic-regexp --perl-regexp --ignore-case --no-ignore-case --word-regexp "
		    "--line-regexp --null-data --no-messages --version --help "
		    "--max-count= --byte-offset --line-number --line-buffered --with-filename "
		    "--no-filename --label= --only-matching --binary-files= "
		    "--text --devices= --exclude= --exclude-dir= "
		    "--initial-tab --null --before-context= "
		    "--after-context= --context= --group-separator= --no-group-separator "
		    "--color=? --colour=? --binary --unix-byte-offsets" },
		  { "-d= --directories=", .tag = TEXT_DIRECTORIES },
		  { "-e= --regexp=", .tag = TEXT_PATTERN, .replaces_operand = true },
		  { "-f= --file=", EFFECT_READS, .tag = TEXT_SHOWS_ALL, .replaces_operand = true },
		  { "--include=", EFFECT_SELECTS, .tag = TEXT_SELECTS },
		  { "--exclude-from=", EFFECT_READS }, { "-r --recursive", EFFECT_RECURSES },
		  { "-R --dereference-recursive", EFFECT_RECURSES_FOLLOWING }) },
	{ "rg", READER | RECURSIVE | HERE, OPERANDS_TEXT_READ, .special = text_search,
	  OPTIONS({ "-cql --count --count-matches --files-with-matches --files-without-match "
		    "--quiet",
		    .tag = TEXT_SHOWS_NAMES },
		  { "-v -E= --[no-]invert-match --passthru --passthrough --encoding=",
		    .tag = TEXT_SHOWS_ALL },
		  { "-. --[no-]hidden", .tag = TEXT_HIDDEN },
		  { "-u --unrestricted --[no-]ignore --[no-]ignore-dot --[no-]ignore-exclude "
		    "--[no-]ignore-files --[no-]ignore-global --[no-]ignore-parent "
		    "--[no-]ignore-vcs",
		    .tag = TEXT_IGNORED },
		  { "-bsFhinxUIN0oPpSaVHwK -ABCMmrjtTd= --after-context= "
		    "--before-context= --context= --[no-]auto-hybrid-regex --[no-]binary "
		    "--[no-]block-buffered --[no-]byte-offset --case-sensitive --color= --colors= "
		    "--[no-]column --context-separator= --no-context-separator "
		    "--[no-]crlf --debug --trace --dfa-size-limit= "
		    "--no-encoding --engine= --field-context-separator= --field-match-separator= "
		    "--[no-]fixed-strings --no-follow "
		    "--generate= --[no-]glob-case-insensitive --help --[no-]heading "
		    "--hyperlink-format= --ignore-case "
		    "--[no-]ignore-file-case-insensitive --[no-]include-zero "
		    "--[no-]json --[no-]line-buffered --[no-]line-number --line-regexp "
		    "--max-columns= --[no-]max-columns-preview --max-count= --max-depth= "
		    "--maxdepth= --max-filesize= --[no-]mmap --[no-]multiline "
		    "--[no-]multiline-dotall --no-config --no-filename "
		    "--[no-]ignore-messages --[no-]messages --[no-]pcre2-unicode "
		    "--[no-]require-git "
		    "--[no-]unicode --null --null-data --[no-]one-file-system --only-matching "
		    "--path-separator= --[no-]pcre2 --no-pre --pre-glob= "
		    "--pretty --regex-size-limit= --replace= --no-search-zip --smart-case "
		    "--sort= --sortr= --[no-]sort-files --[no-]stats --stop-on-nonmatch "
		    "--[no-]text --threads= --[no-]trim --type= --type-clear= "
		    "--type-not= --version --vimgrep --with-filename --word-regexp "
		    "--no-hostname-bin" },
		  { "-e= --regexp=", .tag = TEXT_PATTERN, .replaces_operand = true },
		  { "-f= --file=", EFFECT_READS, .tag = TEXT_SHOWS_ALL, .replaces_operand = true },
		  { "--files --type-list --pcre2-version", .tag = TEXT_SHOWS_NAMES,
		    .replaces_operand = true },
		  { "--type-add=", EFFECT_SELECTS },
		  { "-g= --glob= --iglob=", EFFECT_SELECTS, .tag = TEXT_SELECTS },
		  { "--ignore-file=", EFFECT_READS, .tag = TEXT_IGNORED },
		  { "-L --follow", EFFECT_FOLLOWS }, { "--pre= --hostname-bin=", EFFECT_RUNS },
		  { "-z --search-zip", EFFECT_ESCALATES, RUNS }) },
};

const struct program_table program_table_search = { search_rows, countof(search_rows) };
