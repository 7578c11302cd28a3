/* git. Commands that only look at a repository are listed with all their options; of the
 * others, only options that run programs, write elsewhere or lose work. */
#include "perm/program/special.h"

/* --- options that show history and differences --------------------------------------------- */

#define DIFF_NAMES                                                                            \
	"-puswWzabRrtcmDq -UXBMC=? -lSGI= --patch --no-patch --unified=? "                    \
	"--[no-]function-context --raw --patch-with-raw --patch-with-stat --numstat "         \
	"--shortstat --dirstat=? --cumulative --dirstat-by-file=? --check --summary "         \
	"--name-only --name-status --diff-filter= --stat=? --stat-width= --stat-name-width= " \
	"--stat-graph-width= --stat-count= --[no-]compact-summary --binary "                  \
	"--[no-]full-index --color=? --no-color --ws-error-highlight= --abbrev=? "            \
	"--no-abbrev --src-prefix= --dst-prefix= --line-prefix= --no-prefix "                 \
	"--inter-hunk-context= --output-indicator-new= --output-indicator-old= "              \
	"--output-indicator-context= --break-rewrites=? --find-renames=? "                    \
	"--irreversible-delete --find-copies=? --[no-]find-copies-harder --no-renames "       \
	"--[no-]rename-empty --[no-]follow --[no-]minimal --ignore-all-space "                \
	"--ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --find-object= "      \
	"--ignore-blank-lines --ignore-matching-lines= --no-ignore-matching-lines "           \
	"--[no-]indent-heuristic --patience --histogram --diff-algorithm= --anchored= "       \
	"--word-diff=? --word-diff-regex= --color-words=? --color-moved=? "                   \
	"--no-color-moved --color-moved-ws= --no-color-moved-ws --relative=? "                \
	"--no-relative --[no-]text --[no-]exit-code --[no-]quiet --no-ext-diff "              \
	"--no-textconv --ignore-submodules=? --ita-invisible-in-index "                       \
	"--ita-visible-in-index --pickaxe-all --pickaxe-regex --rotate-to= --skip-to= "

#define REVISION_NAMES                                                                      \
	"-giEFPv -n= --all --all-match --alternate-refs --ancestry-path=? --author= "       \
	"--author-date-order --basic-regexp --before= --bisect --bisect-all --bisect-vars " \
	"--boundary --branches=? --cc --cherry --cherry-mark --cherry-pick --children "     \
	"--combined-all-paths --commit-header --committer= --count --date= --date-order "   \
	"--dd --dense --no-diff-merges --disk-usage=? --do-walk --encoding= "               \
	"--exclude= --exclude-first-parent-only --exclude-hidden=? "                        \
	"--exclude-promisor-objects --expand-tabs=? --no-expand-tabs --extended-regexp "    \
	"--filter=? --no-filter --filter-print-omitted --filter-provided-objects "          \
	"--first-parent --fixed-strings --full-diff --full-history --glob= --[no-]graph "   \
	"--grep= --grep-reflog= --header --ignore-missing --in-commit-order "               \
	"--indexed-objects --invert-grep --left-only --left-right --log-size --max-age= "   \
	"--max-count= --max-parents=? --no-max-parents --merge --merges --no-merges "       \
	"--min-age= --min-parents=? --no-min-parents --missing=? --no-commit-header "       \
	"--no-walk=? --not --notes=? --show-notes=? --show-notes-by-default --no-notes "    \
	"--[no-]standard-notes --no-object-names --object-names --objects --objects-edge "  \
	"--objects-edge-aggressive --oneline --[no-]abbrev-commit --parents --perl-regexp " \
	"--progress=? --reflog --regexp-ignore-case --relative-date "                       \
	"--remotes=? --remove-empty --reverse --right-only --root --show-linear-break=? "   \
	"--show-pulls --simplify-by-decoration --simplify-merges --since= --after= "        \
	"--since-as-filter= --single-worktree --skip= --sparse --tags=? --test-bitmap "     \
	"--timestamp --topo-order --unpacked --until= --use-bitmap-index --walk-reflogs "

#define LOG_NAMES                                                              \
	"--[no-]source --[no-]use-mailmap --[no-]mailmap --clear-decorations " \
	"--decorate-refs= --decorate-refs-exclude= --no-decorate-refs "        \
	"--no-decorate-refs-exclude --decorate=? --no-decorate "

#define DIFF_EFFECTS                                                                              \
	OPTION_ROWS({ "--output=", EFFECT_WRITES },                                               \
		    { "--ext-diff --textconv", EFFECT_ESCALATES, RUNS }, { "-O=", EFFECT_READS }, \
		    { "--submodule=?", .tag = GIT_SUBMODULES })

#define REVISION_EFFECTS                                                          \
	OPTION_ROWS(DIFF_EFFECTS, { "--format=? --pretty=?", .tag = GIT_FORMAT }, \
		    { "--diff-merges=", .tag = GIT_MERGES },                      \
		    { "--remerge-diff", EFFECT_ESCALATES, REMERGES },             \
		    { "--show-signature", EFFECT_ESCALATES, "runs gpg" },         \
		    { "--stdin", EFFECT_ESCALATES, "reads more from standard input" })

#define EDITS  "runs an editor"
#define FORCES "replaces whatever is there"

static const struct option_row log_options[] = {
	{ DIFF_NAMES REVISION_NAMES LOG_NAMES },
	{ "-L=", .tag = GIT_LINES },
	REVISION_EFFECTS,
};

/* --- subcommands of stash, remote, worktree, submodule and others -------------------------- */

static const struct option_row pathspec_options[] = {
	{ "-m= --message=" },
	{ "--pathspec-from-file=", EFFECT_ESCALATES, PATHS },
};

static const struct program_row git_stash_subcommands[] = {
	{ "list", LOOKS | NUMBERS | ANY_ORDER, .special = git_objects, OPTIONS_OF(log_options) },
	{ "show", LOOKS | NUMBERS, .special = git_formats,
	  OPTIONS({ DIFF_NAMES "--include-untracked --only-untracked" }, DIFF_EFFECTS) },
	{ "push", UNPACKS, OPTIONS_OF(pathspec_options) },
	{ "save", UNPACKS },
	{ "pop", UNPACKS },
	{ "apply", UNPACKS },
	{ "branch", UNPACKS },
	{ "create" },
	{ "store", OPTIONS_OF(pathspec_options) },
	{ "drop", NAMED, .loses = "drops stashed changes" },
	{ "clear", NAMED, .loses = "drops stashed changes" },
};

static const struct program_row git_remote_subcommands[] = {
	{ "show", LOOKS, .special = git_remote_show, OPTIONS({ "-n", .tag = GIT_OFFLINE }) },
	{ "get-url", LOOKS, OPTIONS({ "-h --push --all" }) },
	{ "add", .special = git_fetch, OPTIONS({ "-tm= --track= --master=" }) },
	{ "set-url", .special = git_fetch },
	{ "rename" },
	{ "remove" },
	{ "rm" },
	{ "set-head" },
	{ "set-branches" },
	{ "prune", NETWORK },
	{ "update", NETWORK },
};

static const struct option_row worktree_force_options[] = {
	{ "-f --force", EFFECT_LOSES_NAMED, "discards changes" },
};

static const struct program_row git_worktree_subcommands[] = {
	{ "list", LOOKS, OPTIONS({ "-vzh --porcelain --[no-]verbose --expire=" }) },
	{ "add", .special = git_first_is_written,
	  OPTIONS({ "-b= --reason=" }, { "-B= -f --force", EFFECT_LOSES_NAMED, FORCES }) },
	{ "remove", RECURSIVE, OPERANDS_REMOVE, OPTIONS_OF(worktree_force_options) },
	{ "move", .operands = OPERANDS_WRITE, OPTIONS_OF(worktree_force_options) },
	{ "lock" },
	{ "unlock" },
	{ "prune" },
	{ "repair" },
};

static const struct option_row submodule_status_options[] = {
	{ "-qh --quiet --cached --recursive --files --for-status -n= --summary-limit=" },
};

static const struct option_row submodule_add_options[] = {
	{ "-b= --branch= --name= --depth= --filter= --jobs=" },
	{ "--reference=", EFFECT_READS },
	{ "-f --force", EFFECT_LOSES_NAMED, "discards changes" },
};

static const struct program_row git_submodule_subcommands[] = {
	{ "status", LOOKS, OPTIONS_OF(submodule_status_options) },
	{ "summary", LOOKS, OPTIONS_OF(submodule_status_options) },
	{ "foreach", STOPS_AT_OPERAND | NAMED, .escalates = "runs a command",
	  .special = git_foreach },
	{ "add", NETWORK, .special = git_fetch, OPTIONS_OF(submodule_add_options) },
	{ "update", NETWORK, OPTIONS_OF(submodule_add_options) },
	{ "deinit", OPTIONS_OF(submodule_add_options) },
	{ "init" },
	{ "sync" },
	{ "set-branch" },
	{ "set-url", .special = git_fetch },
	{ "absorbgitdirs" },
};

static const struct option_row notes_add_options[] = {
	{ "-mcC= --message= --reuse-message= --reedit-message=" },
	{ "-F= --file=", EFFECT_READS },
	{ "-f --force", EFFECT_LOSES_NAMED, FORCES },
};

static const struct option_row help_options[] = {
	{ "-h" },
};

static const struct program_row git_notes_subcommands[] = {
	{ "list", LOOKS, OPTIONS_OF(help_options) },    { "show", LOOKS, OPTIONS_OF(help_options) },
	{ "get-ref", LOOKS, OPTIONS_OF(help_options) }, { "add", OPTIONS_OF(notes_add_options) },
	{ "append", OPTIONS_OF(notes_add_options) },    { "edit", OPTIONS_OF(notes_add_options) },
	{ "copy", OPTIONS_OF(notes_add_options) },      { "merge" },
	{ "remove", .loses = "removes a note" },        { "prune", .loses = "removes notes" },
};

static const struct program_row git_bisect_subcommands[] = {
	{ "log", LOOKS, OPTIONS_OF(help_options) },
	{ "terms", LOOKS, OPTIONS({ "-h --term-good --term-bad --term-old --term-new" }) },
	{ "run", .wraps = WRAPS_OPAQUE },
	{ "replay", .operands = OPERANDS_READ },
	{ "view", NAMED, .escalates = "runs other programs" },
	{ "visualize", NAMED, .escalates = "runs other programs" },
	{ "start" },
	{ "good" },
	{ "bad" },
	{ "new" },
	{ "old" },
	{ "skip" },
	{ "next" },
	{ "reset" },
	{ "help" },
};

static const struct option_row submodule_options[] = {
	{ "-qh --quiet --cached" },
};

static const struct program_row git_bundle_subcommands[] = {
	{ "verify", LOOKS, OPERANDS_READ, OPTIONS_OF(submodule_options) },
	{ "list-heads", LOOKS, OPERANDS_READ, OPTIONS_OF(help_options) },
	{ "create", .special = git_first_is_written },
	{ "unbundle", .operands = OPERANDS_READ },
};

static const struct program_row git_maintenance_subcommands[] = {
	{ "run" },
	{ "stop" },
	{ "unregister" },
	{ "start", NAMED, .escalates = "runs other programs" },
	{ "register", NAMED, .escalates = "runs other programs" },
};

static const struct program_row git_sparse_checkout_subcommands[] = {
	{ "list", LOOKS, OPTIONS_OF(help_options) },
	{ "init" },
	{ "set", UNPACKS },
	{ "add", UNPACKS },
	{ "reapply", UNPACKS },
	{ "disable", UNPACKS },
	{ "check-rules" },
};

/* --- git ----------------------------------------------------------------------------------- */

static const struct option_row diff_options[] = {
	{ DIFF_NAMES REVISION_NAMES
	  "--cached --staged --merge-base --base --ours --theirs --index --no-commit-id --always" },
	{ "--no-index", .tag = GIT_NO_INDEX },
	REVISION_EFFECTS,
};

static const struct option_row small_options[] = {
	{ "-hv --[no-]verbose --build-options --[no-]human-readable -H --abbrev=? --no-abbrev" },
};

static const struct option_row check_options[] = {
	{ "-aqvznh --[no-]quiet --[no-]verbose --[no-]non-matching --[no-]index --[no-]all "
	  "--[no-]cached --source=" },
	{ "--stdin", EFFECT_CHANGES },
};

static const struct option_row filter_options[] = {
	/* Commands that copy standard input to standard output. */
	{ "-sch --strip-comments --comment-lines --stable --unstable --verbatim --mode=? "
	  "--raw-mode= --width= --indent= --nl= --padding= --object-format=" },
};

static const struct option_row commit_options[] = {
	{ "-mcC= -uS=? --message= --author= --date= --reuse-message= --reedit-message= --fixup= "
	  "--squash= --trailer= --cleanup= --untracked-files=? --gpg-sign=?" },
	{ "-Ft= --file= --template=", EFFECT_READS },
	{ "--pathspec-from-file=", EFFECT_ESCALATES, PATHS },
};

static const struct option_row rm_options[] = {
	{ "-f --force", EFFECT_LOSES_NAMED, "discards changes to files" },
	{ "--pathspec-from-file=", EFFECT_ESCALATES, PATHS },
};

static const struct option_row merge_options[] = {
	{ "-mX= --message= --strategy-option= --onto= --mainline= --cleanup= --into-name= "
	  "--empty= --whitespace= -S=? --gpg-sign=? --log=? --rebase-merges=?" },
	{ "-s= --strategy=", .tag = GIT_STRATEGY },
	{ "-F= --file=", EFFECT_READS },
};

static const struct option_row apply_options[] = {
	{ "--stat --numstat --summary --check", .tag = GIT_CHECKS },
	{ "--apply", .tag = GIT_APPLIES },
	{ "-pC= --exclude= --include= --whitespace= --directory= --patch-format= --resolvemsg= "
	  "--empty= --quoted-cr= -S=?" },
	{ "--build-fake-ancestor=", EFFECT_WRITES },
	{ "--unsafe-paths", EFFECT_ESCALATES, "lets files be written anywhere" },
};

static const struct option_row push_options[] = {
	{ "-o= --push-option= --repo= --recurse-submodules= --signed=?" },
	{ "--no-force --no-force-with-lease --[no-]force-if-includes --no-mirror --no-delete "
	  "--no-prune" },
	{ "-f --force --force-with-lease=?", EFFECT_LOSES_NAMED, FORCES },
	{ "-d --delete --mirror --prune", EFFECT_LOSES_NAMED, "deletes branches" },
	{ "--receive-pack= --exec=", EFFECT_RUNS },
};

static const struct option_row fetch_options[] = {
	{ "-oX= -jSr=? --jobs=? --depth= --deepen= --shallow-since= --shallow-exclude= --refmap= "
	  "--server-option= --negotiation-tip= --filter= --recurse-submodules=? --sort= "
	  "--cleanup= --strategy-option=" },
	{ "-s= --strategy=", .tag = GIT_STRATEGY },
	{ "-f --force", EFFECT_LOSES_NAMED, FORCES },
	{ "--upload-pack= --exec=", EFFECT_RUNS },
	{ "--stdin", EFFECT_ESCALATES, "reads more from standard input" },
};

static const struct option_row bugreport_options[] = {
	{ "-s= --suffix= --mode= --diagnose=?" },
	{ "-o= --output-directory=", EFFECT_WRITES },
};

static const struct option_row marks_options[] = {
	{ "--import-marks= --import-marks-if-exists=", EFFECT_READS },
	{ "--export-marks= --output=", EFFECT_WRITES },
};

/* Commands without a row escalate, since git is CLOSED: bridges to other systems, servers,
 * windows. */
static const struct program_row git_subcommands[] = {
	{ "add", OPTIONS_OF(pathspec_options) },
	{ "am", UNPACKS, .special = git_apply, OPTIONS_OF(apply_options) },
	{ "annotate", .alias_of = "blame" },
	{ "apply", UNPACKS, .special = git_apply, OPTIONS_OF(apply_options) },
	{ "archive", OPTIONS({ "--format= --prefix= --mtime= --add-virtual-file=" },
			     { "-o= --output=", EFFECT_WRITES }, { "--add-file=", EFFECT_READS },
			     { "--remote=", EFFECT_ESCALATES, "reaches another repository" },
			     { "--exec=", EFFECT_RUNS }) },
	{ "bisect", CLOSED, SUBCOMMANDS_OF(git_bisect_subcommands) },
	{ "blame", LOOKS, .special = git_objects,
	  OPTIONS({ "-lthpbscnfew -MC=? -L= --reverse --first-parent --[no-]porcelain "
		    "--[no-]line-porcelain --[no-]incremental --[no-]root --[no-]show-stats "
		    "--[no-]progress --[no-]score-debug --[no-]show-name --[no-]show-number "
		    "--[no-]show-email --ignore-rev= --no-ignore-rev --no-ignore-revs-file "
		    "--[no-]color-lines --[no-]color-by-age --[no-]minimal --no-contents "
		    "--abbrev=? --no-abbrev --encoding= --date= --since= --after= --until= "
		    "--before= --not --no-merges --no-textconv --no-ext-diff" },
		  { "-S= --ignore-revs-file= --contents=", EFFECT_READS }, DIFF_EFFECTS) },
	{ "branch", LOOKS, .special = git_listing,
	  OPTIONS({ "-lh --list --merged= --no-merged= --contains= --no-contains= --with= "
		    "--without= --points-at= --show-current",
		    .tag = GIT_LISTS },
		  { "-varqi --[no-]verbose --[no-]quiet --color=? --no-color --remotes --all "
		    "--abbrev=? --no-abbrev --column=? --no-column --sort= --no-sort "
		    "--[no-]ignore-case --omit-empty" },
		  { "--format=", .tag = GIT_FORMAT },
		  { "-dmct -u= --delete --move --copy --track=? --no-track --set-upstream "
		    "--set-upstream-to= --unset-upstream --create-reflog --recurse-submodules",
		    EFFECT_CHANGES },
		  { "-D", EFFECT_LOSES_NAMED, "removes a branch whose work may be nowhere else" },
		  { "-fMC --force", EFFECT_LOSES_NAMED, FORCES },
		  { "--edit-description", EFFECT_ESCALATES, EDITS }) },
	{ "bugreport", OPTIONS_OF(bugreport_options) },
	{ "bundle", CLOSED, SUBCOMMANDS_OF(git_bundle_subcommands) },
	{ "cat-file", LOOKS, .special = git_objects,
	  OPTIONS({ "-tsepzh --[no-]allow-unknown-type --[no-]use-mailmap --[no-]mailmap "
		    "--batch-check=? --batch-all-objects --[no-]buffer --[no-]follow-symlinks "
		    "--[no-]unordered --path= -Z" },
		  /* Standard input names the objects, which cannot be checked. */
		  { "--batch=? --batch-command=?", EFFECT_CHANGES },
		  { "--textconv --filters", EFFECT_ESCALATES, RUNS }) },
	{ "check-attr", LOOKS, OPTIONS_OF(check_options) },
	{ "check-ignore", LOOKS, OPTIONS_OF(check_options) },
	{ "check-mailmap", LOOKS, OPTIONS_OF(check_options) },
	{ "check-ref-format" },
	{ "checkout", NUMBERS, .special = git_checkout,
	  OPTIONS({ "-b= -td --orphan= --detach --track=?", .tag = GIT_CREATES },
		  { "-B=", EFFECT_LOSES_NAMED, FORCES, .tag = GIT_CREATES },
		  { "-f --force", EFFECT_LOSES_NAMED, "discards changes" },
		  { "-p --patch", EFFECT_LOSES, "discards changes to files" },
		  { "--conflict= --no-force --no-patch" }, { "--ours --theirs", .tag = GIT_SIDES },
		  { "--pathspec-from-file=", EFFECT_ESCALATES, PATHS }) },
	{ "checkout-index", UNPACKS, .operands = OPERANDS_WRITE,
	  OPTIONS({ "--stage=" },
		  { "--prefix=", EFFECT_ESCALATES, "decides where files are written" },
		  { "-f --force", EFFECT_LOSES_NAMED, "discards changes to files" },
		  { "--stdin", EFFECT_ESCALATES, "takes paths from standard input" }) },
	{ "cherry", LOOKS, OPTIONS_OF(small_options) },
	{ "cherry-pick", UNPACKS, .special = git_strategy, OPTIONS_OF(merge_options) },
	{ "clean", LOOKS, .special = git_clean,
	  OPTIONS({ "-n --dry-run", .tag = GIT_DRY }, { "--no-dry-run", .tag = GIT_NOT_DRY },
		  { "-fdxXqih -e= --[no-]force --[no-]quiet --[no-]interactive --exclude=" }) },
	{ "clone", NETWORK | UNPACKS, .special = git_clone,
	  OPTIONS({ "-job= --jobs= --origin= --branch= --depth= --shallow-since= "
		    "--shallow-exclude= --server-option= --filter= --bundle-uri= --revision= "
		    "--ref-format=" },
		  { "-u= --upload-pack= --template=", EFFECT_RUNS },
		  { "-c= --config=", EFFECT_RUNS, "changes settings" },
		  { "--reference= --reference-if-able=", EFFECT_READS },
		  { "--separate-git-dir=", EFFECT_WRITES }) },
	{ "column", LOOKS, OPERANDS_NONE, OPTIONS_OF(filter_options) },
	{ "commit", OPTIONS_OF(commit_options) },
	{ "commit-graph" },
	{ "commit-tree", OPTIONS_OF(commit_options) },
	{ "config", LOOKS, .special = git_config,
	  OPTIONS({ "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l "
		    "--list",
		    .tag = GIT_GETS },
		  { "--blob=", .tag = GIT_BLOB }, { "--includes", .tag = GIT_INCLUDES },
		  { "-zh --local --worktree --type= --bool --int --bool-or-int "
		    "--bool-or-str --path --expiry-date --null --name-only --no-includes "
		    "--show-origin --show-scope --default= --fixed-value --no-type --all --regexp "
		    "--value= --url= --show-names" },
		  { "--global --system", .tag = GIT_FOR_ALL }, { "-f= --file=", .tag = GIT_FILE },
		  { "--replace-all --add --unset --unset-all --remove-section --append --comment=",
		    .tag = GIT_SETS },
		  { "--rename-section", EFFECT_ESCALATES, "changes the meaning of settings",
		    .tag = GIT_SETS },
		  { "-e --edit", EFFECT_ESCALATES, EDITS, .tag = GIT_SETS }) },
	{ "count-objects", LOOKS, OPTIONS_OF(small_options) },
	{ "credential", NAMED, .escalates = "prints passwords" },
	{ "credential-cache", NAMED, .escalates = "prints passwords" },
	{ "credential-store", NAMED, .escalates = "prints passwords" },
	{ "describe", LOOKS,
	  OPTIONS({ "-h --[no-]contains --[no-]debug --[no-]all --[no-]tags --[no-]long "
		    "--[no-]first-parent --abbrev=? --no-abbrev --[no-]exact-match --candidates= "
		    "--match= --exclude= --[no-]always --dirty=? --broken=?" }) },
	{ "diagnose", OPTIONS_OF(bugreport_options) },
	{ "diff", LOOKS | NUMBERS | ANY_ORDER, .special = git_diff, OPTIONS_OF(diff_options) },
	{ "diff-files", LOOKS | NUMBERS | ANY_ORDER, .special = git_diff,
	  OPTIONS_OF(diff_options) },
	{ "diff-index", LOOKS | NUMBERS | ANY_ORDER, .special = git_diff,
	  OPTIONS_OF(diff_options) },
	{ "diff-tree", LOOKS | NUMBERS | ANY_ORDER, .special = git_diff, OPTIONS_OF(diff_options) },
	{ "difftool", NAMED, .escalates = "runs other programs",
	  OPTIONS({ "-x= --extcmd=", EFFECT_RUNS }) },
	{ "fast-export", OPTIONS_OF(marks_options) },
	{ "fast-import", NAMED, .escalates = "runs other programs", OPTIONS_OF(marks_options) },
	{ "fetch", NETWORK, .special = git_fetch, OPTIONS_OF(fetch_options) },
	{ "fetch-pack", NETWORK, .special = git_fetch, OPTIONS_OF(fetch_options) },
	{ "filter-branch", .loses = "rewrites all history",
	  OPTIONS({ "--setup= --env-filter= --tree-filter= --index-filter= --parent-filter= "
		    "--msg-filter= --commit-filter= --tag-name-filter=",
		    EFFECT_SCRIPT },
		  { "--subdirectory-filter= --original= --state-branch=" },
		  { "-d=", EFFECT_WRITES }) },
	{ "fmt-merge-msg", OPTIONS_OF(merge_options) },
	{ "for-each-ref", LOOKS, .special = git_formats,
	  OPTIONS({ "-sph --[no-]shell --[no-]perl --[no-]python --[no-]tcl --count= --color=? "
		    "--no-color --sort= --points-at= --merged= --no-merged= --contains= "
		    "--no-contains= --[no-]ignore-case --omit-empty --exclude= "
		    "--include-root-refs" },
		  { "--format=", .tag = GIT_FORMAT }) },
	{ "for-each-repo", NAMED, .escalates = "runs other programs" },
	{ "format-patch", NUMBERS, .special = git_format_patch,
	  OPTIONS({ "--stdout", .tag = GIT_STDOUT },
		  { "-o= --output-directory=", EFFECT_WRITES, .tag = GIT_OUTPUT },
		  { "-v= --suffix= --start-number= --reroll-count= --filename-max-length= "
		    "--cover-from-description= --subject-prefix= --add-header= --to= --cc= "
		    "--in-reply-to= --signature= --base= --interdiff= --range-diff=? "
		    "--creation-factor=" },
		  { "--signature-file= --description-file=?", EFFECT_READS }, REVISION_EFFECTS) },
	{ "fsck", LOOKS,
	  OPTIONS({ "-vh --[no-]verbose --[no-]unreachable --[no-]dangling --[no-]tags "
		    "--[no-]root --[no-]cache --[no-]reflogs --[no-]full --[no-]connectivity-only "
		    "--[no-]strict --[no-]progress --[no-]name-objects --[no-]references" },
		  { "--[no-]lost-found", EFFECT_CHANGES }) },
	{ "gc", OPTIONS({ "--prune=?", EFFECT_LOSES_NAMED, "removes unreachable objects" }) },
	{ "get-tar-commit-id", LOOKS, OPERANDS_NONE, OPTIONS_OF(filter_options) },
	{ "grep", LOOKS | NUMBERS | RECURSIVE, .special = git_grep,
	  OPTIONS({ "-viwaIrEGFPnhHlLzocpWq -CBAm= --[no-]cached --[no-]untracked "
		    "--[no-]exclude-standard --[no-]recurse-submodules --[no-]invert-match "
		    "--[no-]ignore-case --[no-]word-regexp --[no-]text --no-textconv "
		    "--[no-]recursive --max-depth= --[no-]extended-regexp --[no-]basic-regexp "
		    "--[no-]fixed-strings --[no-]perl-regexp --[no-]line-number --[no-]column "
		    "--[no-]full-name --[no-]files-with-matches --[no-]name-only "
		    "--[no-]files-without-match --[no-]null --[no-]only-matching --[no-]count "
		    "--color=? --no-color --[no-]break --[no-]heading --context= "
		    "--before-context= --after-context= --threads= --[no-]show-function "
		    "--[no-]function-context --and --or --not --[no-]quiet --[no-]all-match "
		    "--max-count= --index --no-index --no-open-files-in-pager" },
		  { "-e=", .replaces_operand = true },
		  { "-f=", EFFECT_READS, .replaces_operand = true },
		  { "-O=? --open-files-in-pager=?", EFFECT_RUNS },
		  { "--textconv", EFFECT_ESCALATES, RUNS }) },
	{ "hash-object", .operands = OPERANDS_READ,
	  OPTIONS({ "-t= --path= --stdin" },
		  { "--stdin-paths", EFFECT_ESCALATES, "takes paths from standard input" }) },
	{ "help" },
	{ "hook", NAMED, .escalates = "runs other programs" },
	{ "index-pack", .operands = OPERANDS_READ, OPTIONS_OF(bugreport_options) },
	{ "init", .operands = OPERANDS_WRITE,
	  OPTIONS({ "-b= --initial-branch= --object-format= --ref-format= --shared=?" },
		  { "--template=", EFFECT_ESCALATES, "copies hooks, which are programs" },
		  { "--separate-git-dir=", EFFECT_WRITES }) },
	{ "init-db", .alias_of = "init" },
	{ "log", LOOKS | NUMBERS | ANY_ORDER, .special = git_objects, OPTIONS_OF(log_options) },
	{ "ls-files", LOOKS,
	  OPTIONS({ "-ztvfcdmoiskuh -x= --[no-]cached --[no-]deleted --[no-]modified "
		    "--[no-]others --[no-]ignored --[no-]stage --[no-]killed --[no-]directory "
		    "--[no-]eol --[no-]empty-directory --[no-]unmerged --[no-]resolve-undo "
		    "--exclude= --exclude-per-directory= --exclude-standard --full-name "
		    "--[no-]recurse-submodules --[no-]error-unmatch --with-tree= --abbrev=? "
		    "--no-abbrev --[no-]debug --[no-]deduplicate --[no-]sparse --format=" },
		  { "-X= --exclude-from=", EFFECT_READS }) },
	{ "ls-remote", NETWORK, .special = git_fetch, OPTIONS_OF(fetch_options) },
	{ "ls-tree", LOOKS,
	  OPTIONS({ "-drtlzh --long --name-only --name-status --object-only --[no-]full-name "
		    "--[no-]full-tree --format= --abbrev=? --no-abbrev" }) },
	{ "mailinfo", .operands = OPERANDS_WRITE },
	{ "maintenance", CLOSED, SUBCOMMANDS_OF(git_maintenance_subcommands) },
	{ "merge", UNPACKS, .special = git_strategy, OPTIONS_OF(merge_options) },
	{ "merge-base", LOOKS,
	  OPTIONS({ "-ah --[no-]all --octopus --independent --is-ancestor --fork-point" }) },
	{ "merge-file", .operands = OPERANDS_WRITE },
	{ "merge-index", NAMED, .escalates = "runs other programs" },
	{ "merge-tree" },
	{ "mergetool", NAMED, .escalates = "runs other programs" },
	{ "mktag" },
	{ "mktree" },
	{ "multi-pack-index" },
	{ "mv", .operands = OPERANDS_WRITE, OPTIONS_OF(rm_options) },
	{ "name-rev", LOOKS,
	  OPTIONS({ "-h --[no-]name-only --[no-]tags --refs= --exclude= --[no-]all --[no-]stdin "
		    "--[no-]annotate-stdin --[no-]undefined --[no-]always --[no-]peel-tag" }) },
	{ "notes", LOOKS, SUBCOMMANDS_OF(git_notes_subcommands), OPTIONS({ "-h --ref=" }) },
	{ "pack-objects", .operands = OPERANDS_WRITE },
	{ "pack-refs" },
	{ "patch-id", LOOKS, OPERANDS_NONE, OPTIONS_OF(filter_options) },
	{ "prune", .loses = "removes unreachable objects" },
	{ "prune-packed" },
	{ "pull", NETWORK | UNPACKS, .special = git_fetch, OPTIONS_OF(fetch_options) },
	{ "push", NETWORK, .special = git_push, OPTIONS_OF(push_options) },
	{ "range-diff", LOOKS | NUMBERS, .special = git_formats,
	  OPTIONS({ DIFF_NAMES
		    "--creation-factor= --no-creation-factor --[no-]dual-color --notes=? "
		    "--no-notes --[no-]left-only --[no-]right-only" },
		  DIFF_EFFECTS) },
	{ "read-tree", UNPACKS,
	  OPTIONS({ "--prefix= --exclude-per-directory=" }, { "--index-output=", EFFECT_WRITES },
		  { "--reset", EFFECT_LOSES, "discards changes" }) },
	{ "rebase", UNPACKS, .special = git_strategy,
	  OPTIONS({ "-x= --exec=", EFFECT_SCRIPT },
		  { "-XC= -S=? --strategy-option= --onto= --whitespace= --empty= --gpg-sign=? "
		    "--rebase-merges=?" },
		  { "-s= --strategy=", .tag = GIT_STRATEGY }) },
	{ "reflog", LOOKS | NUMBERS, .special = git_reflog,
	  OPTIONS({ DIFF_NAMES REVISION_NAMES LOG_NAMES }, { "-L=", .tag = GIT_LINES },
		  { "--expire=? --expire-unreachable=? --rewrite --updateref --stale-fix --dry-run "
		    "--verbose",
		    EFFECT_CHANGES },
		  REVISION_EFFECTS) },
	{ "remote", LOOKS, SUBCOMMANDS_OF(git_remote_subcommands),
	  OPTIONS({ "-vh --[no-]verbose" }) },
	{ "repack" },
	{ "replace", OPTIONS({ "-d --delete", EFFECT_LOSES, "removes a replacement" },
			     { "-f --force", EFFECT_LOSES_NAMED, FORCES },
			     { "-e --edit", EFFECT_ESCALATES, EDITS }) },
	{ "request-pull", NETWORK },
	{ "rerere" },
	{ "reset", UNPACKS,
	  OPTIONS({ "--hard --merge --keep", EFFECT_LOSES, "discards changes" },
		  { "--no-hard --no-merge --no-keep" },
		  { "--pathspec-from-file=", EFFECT_ESCALATES, PATHS }) },
	{ "restore", UNPACKS, .special = git_restore,
	  OPTIONS({ "-S --staged", .tag = GIT_STAGED },
		  { "-Wp --worktree --patch --no-staged", .tag = GIT_WORKTREE },
		  { "-s= --source= --conflict=" },
		  { "--pathspec-from-file=", EFFECT_ESCALATES, PATHS }) },
	/* Without LOG_NAMES: rev-list does not know -L and --decorate-refs, and would take an
	 * --output after one of them for an option. */
	{ "rev-list", LOOKS | NUMBERS, .special = git_objects,
	  OPTIONS({ DIFF_NAMES REVISION_NAMES }, REVISION_EFFECTS) },
	{ "rev-parse", LOOKS,
	  OPTIONS({ "-hq --parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long "
		    "--revs-only --no-revs --flags --no-flags --default= --prefix= --verify "
		    "--quiet --sq --short=? --not --abbrev-ref=? --symbolic --symbolic-full-name "
		    "--all --branches=? --tags=? --remotes=? --glob=? --exclude=? "
		    "--exclude-hidden=? --disambiguate=? --local-env-vars --path-format=? "
		    "--git-dir --git-common-dir --git-path= --show-toplevel "
		    "--show-superproject-working-tree --shared-index-path --absolute-git-dir "
		    "--is-inside-git-dir --is-inside-work-tree --is-bare-repository "
		    "--is-shallow-repository --show-cdup --show-prefix --show-object-format=? "
		    "--show-ref-format --since=? --after=? --until=? --before=? --bisect "
		    "--max-count=?" },
		  { "--resolve-git-dir=", EFFECT_LISTS }) },
	{ "revert", UNPACKS, .special = git_strategy, OPTIONS_OF(merge_options) },
	{ "rm", .operands = OPERANDS_WRITE, OPTIONS_OF(rm_options) },
	{ "send-email", NETWORK | NAMED, .escalates = "runs other programs" },
	{ "send-pack", NETWORK, .special = git_push, OPTIONS_OF(push_options) },
	/* The first row wins: -n, -s, -c, -e and -w have another meaning than in log. */
	{ "shortlog", LOOKS | NUMBERS, .special = git_objects,
	  OPTIONS({ "-nsech -w=? --[no-]numbered --[no-]summary --[no-]email --[no-]committer "
		    "--group= --no-group" },
		  { DIFF_NAMES REVISION_NAMES }, REVISION_EFFECTS) },
	{ "show", LOOKS | NUMBERS | ANY_ORDER, .special = git_objects, OPTIONS_OF(log_options) },
	{ "show-branch", LOOKS,
	  OPTIONS({ "-arh -g=? --[no-]all --[no-]remotes --color=? --no-color --more=? --list "
		    "--no-name --[no-]current --sha1-name --merge-base --independent --topo-order "
		    "--topics --sparse --date-order --reflog=?" }) },
	{ "show-index", LOOKS, OPERANDS_NONE, OPTIONS_OF(filter_options) },
	{ "show-ref", LOOKS,
	  OPTIONS({ "-dqh -s=? --[no-]tags --[no-]heads --[no-]verify --[no-]head "
		    "--[no-]dereference --hash=? --abbrev=? --no-abbrev --[no-]quiet "
		    "--exclude-existing=? --exists --branches" }) },
	{ "sparse-checkout", CLOSED, SUBCOMMANDS_OF(git_sparse_checkout_subcommands) },
	{ "stage", .alias_of = "add" },
	{ "stash", UNPACKS, SUBCOMMANDS_OF(git_stash_subcommands), OPTIONS_OF(pathspec_options) },
	{ "status", LOOKS,
	  OPTIONS({ "-svbzh -uM=? --[no-]verbose --[no-]short --[no-]branch --[no-]show-stash "
		    "--[no-]ahead-behind --porcelain=? --no-porcelain --[no-]long --[no-]null "
		    "--untracked-files=? --no-untracked-files --ignored=? --no-ignored "
		    "--ignore-submodules=? --no-ignore-submodules --column=? --no-column "
		    "--[no-]renames --find-renames=?" }) },
	{ "stripspace", LOOKS, OPERANDS_NONE, OPTIONS_OF(filter_options) },
	{ "submodule", LOOKS, SUBCOMMANDS_OF(git_submodule_subcommands),
	  OPTIONS_OF(submodule_options) },
	{ "switch", UNPACKS,
	  OPTIONS({ "-c= --create= --orphan= --conflict=" },
		  { "-C= --force-create=", EFFECT_LOSES_NAMED, FORCES },
		  { "-f --force --discard-changes", EFFECT_LOSES_NAMED, "discards changes" }) },
	{ "symbolic-ref", LOOKS, .special = git_symbolic_ref,
	  OPTIONS({ "-qh --[no-]quiet --[no-]short --[no-]recurse" },
		  { "-d -m= --delete", EFFECT_CHANGES }) },
	{ "tag", LOOKS, .special = git_listing,
	  OPTIONS({ "-lh -n=? --list --merged= --no-merged= --contains= --no-contains= --with= "
		    "--without= --points-at=",
		    .tag = GIT_LISTS },
		  { "-i --sort= --no-sort --color=? --no-color --column=? --no-column "
		    "--[no-]ignore-case --omit-empty" },
		  { "--format=", .tag = GIT_FORMAT },
		  { "-as -mu= --annotate --sign --message= --local-user= --cleanup= "
		    "--create-reflog --no-sign --trailer=",
		    EFFECT_CHANGES },
		  { "-F= --file=", EFFECT_READS }, { "-d --delete", EFFECT_LOSES, "removes a tag" },
		  { "-f --force", EFFECT_LOSES_NAMED, FORCES },
		  { "-e --edit", EFFECT_ESCALATES, EDITS },
		  { "-v --verify", EFFECT_ESCALATES, "runs gpg" }) },
	{ "unpack-file" },
	{ "unpack-objects" },
	{ "update-index" },
	{ "update-ref", .loses = "moves or removes branches",
	  OPTIONS({ "-m=" }, { "--stdin", EFFECT_ESCALATES, "reads more from standard input" }) },
	{ "update-server-info" },
	{ "var", LOOKS, OPTIONS({ "-lh" }) },
	{ "verify-commit" },
	{ "verify-pack", .operands = OPERANDS_READ },
	{ "verify-tag" },
	{ "version", LOOKS, OPERANDS_NONE, OPTIONS_OF(small_options) },
	{ "whatchanged", LOOKS | NUMBERS | ANY_ORDER, .special = git_objects,
	  OPTIONS_OF(log_options) },
	{ "worktree", CLOSED, SUBCOMMANDS_OF(git_worktree_subcommands) },
	{ "write-tree" },
};

static const struct program_row git_rows[] = {
	/* Options before the subcommand: here -p runs a pager. */
	{ "git", READER, SUBCOMMANDS_OF(git_subcommands),
	  OPTIONS({ "-Pv --no-pager --no-replace-objects --literal-pathspecs --glob-pathspecs "
		    "--noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch "
		    "--no-advice --version --html-path --man-path --info-path" },
		  { "-p --paginate", EFFECT_ESCALATES, "runs a pager" },
		  { "-c=", EFFECT_RUNS, "changes settings, which may run programs" },
		  { "--config-env=", EFFECT_RUNS_UNKNOWN,
		    "changes settings, which may run programs" },
		  { "--git-dir= --work-tree= --namespace= --super-prefix= --shallow-file= "
		    "--attr-source= --bare",
		    EFFECT_ESCALATES, "works on another repository" },
		  { "--exec-path=?", EFFECT_ESCALATES, "takes git's programs from elsewhere" },
		  { "-C=", EFFECT_ENTERS }) },
};

const struct program_table program_table_git = { git_rows, countof(git_rows) };
