/* git. What only looks at a repository is listed with all its options; of the rest, what runs
 * programs, writes elsewhere or loses work. */
#include "perm/program/git.h"

#define RUNS   "runs a program"
#define EDITS  "runs an editor"
#define PATHS  "takes paths from a file"
#define FORCES "replaces whatever is there"

/* --- what shows history and differences ---------------------------------------------------- */

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
	"--no-textconv --ignore-submodules=? --submodule=? --ita-invisible-in-index "         \
	"--ita-visible-in-index --pickaxe-all --pickaxe-regex --rotate-to= --skip-to= "

#define REVISION_NAMES                                                                       \
	"-giEFPv -n= --all --all-match --alternate-refs --ancestry-path=? --author= "        \
	"--author-date-order --basic-regexp --before= --bisect --bisect-all --bisect-vars "  \
	"--boundary --branches=? --cc --cherry --cherry-mark --cherry-pick --children "      \
	"--combined-all-paths --commit-header --committer= --count --date= --date-order "    \
	"--dd --dense --diff-merges= --no-diff-merges --disk-usage=? --do-walk --encoding= " \
	"--exclude= --exclude-first-parent-only --exclude-hidden=? "                         \
	"--exclude-promisor-objects --expand-tabs=? --no-expand-tabs --extended-regexp "     \
	"--filter=? --no-filter --filter-print-omitted --filter-provided-objects "           \
	"--first-parent --fixed-strings --full-diff --full-history --glob= --[no-]graph "    \
	"--grep= --grep-reflog= --header --ignore-missing --in-commit-order "                \
	"--indexed-objects --invert-grep --left-only --left-right --log-size --max-age= "    \
	"--max-count= --max-parents=? --no-max-parents --merge --merges --no-merges "        \
	"--min-age= --min-parents=? --no-min-parents --missing=? --no-commit-header "        \
	"--no-walk=? --not --notes=? --show-notes=? --show-notes-by-default --no-notes "     \
	"--[no-]standard-notes --no-object-names --object-names --objects --objects-edge "   \
	"--objects-edge-aggressive --oneline --[no-]abbrev-commit --parents --perl-regexp "  \
	"--progress=? --reflog --regexp-ignore-case --relative-date --remerge-diff "         \
	"--remotes=? --remove-empty --reverse --right-only --root --show-linear-break=? "    \
	"--show-pulls --simplify-by-decoration --simplify-merges --since= --after= "         \
	"--since-as-filter= --single-worktree --skip= --sparse --tags=? --test-bitmap "      \
	"--timestamp --topo-order --unpacked --until= --use-bitmap-index --walk-reflogs "

#define LOG_NAMES                                                              \
	"--[no-]source --[no-]use-mailmap --[no-]mailmap --clear-decorations " \
	"--decorate-refs= --decorate-refs-exclude= --no-decorate-refs "        \
	"--no-decorate-refs-exclude --decorate=? --no-decorate "

#define DIFF_EFFECTS                                                                    \
	{ "--output=", EFFECT_WRITES }, { "--ext-diff --textconv", EFFECT_ACTS, RUNS }, \
	{                                                                               \
		"-O=", EFFECT_READS                                                     \
	}

#define REVISION_EFFECTS                                                 \
	DIFF_EFFECTS, { "--format=? --pretty=?", .tag = GIT_FORMAT },    \
		{ "--show-signature", EFFECT_ACTS, "runs gpg" },         \
	{                                                                \
		"--stdin", EFFECT_ACTS, "takes more from standard input" \
	}

static const struct option_row log_options[] = {
	{ DIFF_NAMES REVISION_NAMES LOG_NAMES },
	{ "-L=", .tag = GIT_LINES },
	REVISION_EFFECTS,
};

/* Has no -L nor --decorate-refs: it would open the --output after it. */
static const struct option_row rev_list_options[] = {
	{ DIFF_NAMES REVISION_NAMES },
	REVISION_EFFECTS,
};

static const struct option_row diff_options[] = {
	{ DIFF_NAMES REVISION_NAMES "--cached --staged --merge-base --base --ours --theirs "
				    "--index --no-commit-id --always" },
	{ "--no-index", .tag = GIT_NO_INDEX },
	REVISION_EFFECTS,
};

static const struct option_row stash_show_options[] = {
	{ DIFF_NAMES "--include-untracked --only-untracked" },
	DIFF_EFFECTS,
};

static const struct option_row range_diff_options[] = {
	{ DIFF_NAMES "--creation-factor= --no-creation-factor --[no-]dual-color --notes=? "
		     "--no-notes --[no-]left-only --[no-]right-only" },
	DIFF_EFFECTS,
};

/* Before all others: here -n, -s, -c, -e and -w have a meaning of their own. */
static const struct option_row shortlog_options[] = {
	{ "-nsech -w=? --[no-]numbered --[no-]summary --[no-]email --[no-]committer --group= "
	  "--no-group" },
	{ DIFF_NAMES REVISION_NAMES },
	REVISION_EFFECTS,
};

static const struct option_row blame_options[] = {
	{ "-lthpbscnfew -MC=? -L= --reverse --first-parent --[no-]porcelain "
	  "--[no-]line-porcelain --[no-]incremental --[no-]root --[no-]show-stats "
	  "--[no-]progress --[no-]score-debug --[no-]show-name --[no-]show-number "
	  "--[no-]show-email --ignore-rev= --no-ignore-rev --no-ignore-revs-file "
	  "--[no-]color-lines --[no-]color-by-age --[no-]minimal --no-contents --abbrev=? "
	  "--no-abbrev --encoding= --date= --since= --after= --until= --before= --not "
	  "--no-merges --no-textconv --no-ext-diff" },
	{ "-S= --ignore-revs-file= --contents=", EFFECT_READS },
	DIFF_EFFECTS,
};

static const struct option_row reflog_options[] = {
	{ DIFF_NAMES REVISION_NAMES LOG_NAMES },
	{ "-L=", .tag = GIT_LINES },
	{ "--expire=? --expire-unreachable=? --rewrite --updateref --stale-fix --dry-run --verbose",
	  EFFECT_CHANGES },
	REVISION_EFFECTS,
};

/* --- other commands that look ------------------------------------------------------------------ */

static const struct option_row status_options[] = {
	{ "-svbzh -uM=? --[no-]verbose --[no-]short --[no-]branch --[no-]show-stash "
	  "--[no-]ahead-behind --porcelain=? --no-porcelain --[no-]long --[no-]null "
	  "--untracked-files=? --no-untracked-files --ignored=? --no-ignored "
	  "--ignore-submodules=? --no-ignore-submodules --column=? --no-column --[no-]renames "
	  "--find-renames=?" },
};

static const struct option_row rev_parse_options[] = {
	{ "-hq --parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long "
	  "--revs-only --no-revs --flags --no-flags --default= --prefix= --verify --quiet --sq "
	  "--short=? --not --abbrev-ref=? --symbolic --symbolic-full-name --all --branches=? "
	  "--tags=? --remotes=? --glob=? --exclude=? --exclude-hidden=? --disambiguate=? "
	  "--local-env-vars --path-format=? --git-dir --git-common-dir --git-path= "
	  "--show-toplevel --show-superproject-working-tree --shared-index-path "
	  "--absolute-git-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository "
	  "--is-shallow-repository --show-cdup --show-prefix --show-object-format=? "
	  "--show-ref-format --since=? --after=? --until=? --before=? --bisect "
	  "--max-count=?" },
	{ "--resolve-git-dir=", EFFECT_LISTS },
};

static const struct option_row ls_files_options[] = {
	{ "-ztvfcdmoiskuh -x= --[no-]cached --[no-]deleted --[no-]modified --[no-]others "
	  "--[no-]ignored --[no-]stage --[no-]killed --[no-]directory --[no-]eol "
	  "--[no-]empty-directory --[no-]unmerged --[no-]resolve-undo --exclude= "
	  "--exclude-per-directory= --exclude-standard --full-name --[no-]recurse-submodules "
	  "--[no-]error-unmatch --with-tree= --abbrev=? --no-abbrev --[no-]debug "
	  "--[no-]deduplicate --[no-]sparse --format=" },
	{ "-X= --exclude-from=", EFFECT_READS },
};

static const struct option_row ls_tree_options[] = {
	{ "-drtlzh --long --name-only --name-status --object-only --[no-]full-name "
	  "--[no-]full-tree --format= --abbrev=? --no-abbrev" },
};

static const struct option_row cat_file_options[] = {
	{ "-tsepzh --[no-]allow-unknown-type --[no-]use-mailmap --[no-]mailmap --batch-check=? "
	  "--batch-all-objects --[no-]buffer --[no-]follow-symlinks --[no-]unordered --path= "
	  "-Z" },
	{ "--batch=? --batch-command=?", EFFECT_CHANGES }, /* which objects is not seen */
	{ "--textconv --filters", EFFECT_ACTS, RUNS },
};

static const struct option_row describe_options[] = {
	{ "-h --[no-]contains --[no-]debug --[no-]all --[no-]tags --[no-]long "
	  "--[no-]first-parent --abbrev=? --no-abbrev --[no-]exact-match --candidates= --match= "
	  "--exclude= --[no-]always --dirty=? --broken=?" },
};

static const struct option_row name_rev_options[] = {
	{ "-h --[no-]name-only --[no-]tags --refs= --exclude= --[no-]all --[no-]stdin "
	  "--[no-]annotate-stdin --[no-]undefined --[no-]always --[no-]peel-tag" },
};

static const struct option_row merge_base_options[] = {
	{ "-ah --[no-]all --octopus --independent --is-ancestor --fork-point" },
};

static const struct option_row for_each_ref_options[] = {
	{ "-sph --[no-]shell --[no-]perl --[no-]python --[no-]tcl --count= --color=? --no-color "
	  "--sort= --points-at= --merged= --no-merged= --contains= --no-contains= "
	  "--[no-]ignore-case --omit-empty --exclude= --include-root-refs" },
	{ "--format=", .tag = GIT_FORMAT },
};

static const struct option_row show_ref_options[] = {
	{ "-dqh -s=? --[no-]tags --[no-]heads --[no-]verify --[no-]head --[no-]dereference "
	  "--hash=? --abbrev=? --no-abbrev --[no-]quiet --exclude-existing=? --exists "
	  "--branches" },
};

static const struct option_row symbolic_ref_options[] = {
	{ "-qh --[no-]quiet --[no-]short --[no-]recurse" },
	{ "-d -m= --delete", EFFECT_CHANGES },
};

static const struct option_row show_branch_options[] = {
	{ "-arh -g=? --[no-]all --[no-]remotes --color=? --no-color --more=? --list --no-name "
	  "--[no-]current --sha1-name --merge-base --independent --topo-order --topics --sparse "
	  "--date-order --reflog=?" },
};

static const struct option_row grep_options[] = {
	{ "-viwaIrEGFPnhHlLzocpWq -CBAm= --[no-]cached --[no-]untracked "
	  "--[no-]exclude-standard --[no-]recurse-submodules --[no-]invert-match "
	  "--[no-]ignore-case --[no-]word-regexp --[no-]text --no-textconv --[no-]recursive "
	  "--max-depth= --[no-]extended-regexp --[no-]basic-regexp --[no-]fixed-strings "
	  "--[no-]perl-regexp --[no-]line-number --[no-]column --[no-]full-name "
	  "--[no-]files-with-matches --[no-]name-only --[no-]files-without-match --[no-]null "
	  "--[no-]only-matching --[no-]count --color=? --no-color --[no-]break --[no-]heading "
	  "--context= --before-context= --after-context= --threads= --[no-]show-function "
	  "--[no-]function-context --and --or --not --[no-]quiet --[no-]all-match --max-count= "
	  "--index --no-index --no-open-files-in-pager" },
	{ "-e=", .in_place_of = true },
	{ "-f=", EFFECT_READS, .in_place_of = true },
	{ "-O=? --open-files-in-pager=?", EFFECT_RUNS },
	{ "--textconv", EFFECT_ACTS, RUNS },
};

static const struct option_row small_options[] = {
	{ "-hv --[no-]verbose --build-options --[no-]human-readable -H --abbrev=? --no-abbrev" },
};

static const struct option_row check_options[] = {
	{ "-aqvznh --[no-]quiet --[no-]verbose --[no-]non-matching --[no-]index --[no-]all "
	  "--[no-]cached --source=" },
	{ "--stdin", EFFECT_CHANGES },
};

static const struct option_row fsck_options[] = {
	{ "-vh --[no-]verbose --[no-]unreachable --[no-]dangling --[no-]tags --[no-]root "
	  "--[no-]cache --[no-]reflogs --[no-]full --[no-]connectivity-only --[no-]strict "
	  "--[no-]progress --[no-]name-objects --[no-]references" },
	{ "--[no-]lost-found", EFFECT_CHANGES },
};

static const struct option_row var_options[] = { { "-lh" } };

static const struct option_row filter_options[] = {
	/* from standard input to output */
	{ "-sch --strip-comments --comment-lines --stable --unstable --verbatim --mode=? "
	  "--raw-mode= --width= --indent= --nl= --padding= --object-format=" },
};

/* --- what lists or changes ------------------------------------------------------------------------ */

static const struct option_row branch_options[] = {
	{ "-lh --list --merged= --no-merged= --contains= --no-contains= --with= --without= "
	  "--points-at= --show-current",
	  .tag = GIT_LISTS },
	{ "-varqi --[no-]verbose --[no-]quiet --color=? --no-color --remotes --all --abbrev=? "
	  "--no-abbrev --column=? --no-column --sort= --no-sort --[no-]ignore-case "
	  "--omit-empty" },
	{ "--format=", .tag = GIT_FORMAT },
	{ "-dmct -u= --delete --move --copy --track=? --no-track --set-upstream "
	  "--set-upstream-to= --unset-upstream --create-reflog --recurse-submodules",
	  EFFECT_CHANGES },
	{ "-D", EFFECT_LOSES_NAMED, "removes a branch whose work may be nowhere else" },
	{ "-fMC --force", EFFECT_LOSES_NAMED, FORCES },
	{ "--edit-description", EFFECT_ACTS, EDITS },
};

static const struct option_row tag_options[] = {
	{ "-lh -n=? --list --merged= --no-merged= --contains= --no-contains= --with= --without= "
	  "--points-at=",
	  .tag = GIT_LISTS },
	{ "-i --sort= --no-sort --color=? --no-color --column=? --no-column --[no-]ignore-case "
	  "--omit-empty" },
	{ "--format=", .tag = GIT_FORMAT },
	{ "-as -mu= --annotate --sign --message= --local-user= --cleanup= --create-reflog "
	  "--no-sign --trailer=",
	  EFFECT_CHANGES },
	{ "-F= --file=", EFFECT_READS },
	{ "-d --delete", EFFECT_LOSES, "removes a tag" },
	{ "-f --force", EFFECT_LOSES_NAMED, FORCES },
	{ "-e --edit", EFFECT_ACTS, EDITS },
	{ "-v --verify", EFFECT_ACTS, "runs gpg" },
};

static const struct option_row config_options[] = {
	{ "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool -l --list",
	  .tag = GIT_GETS },
	{ "-zh --local --worktree --blob= --type= --bool --int --bool-or-int --bool-or-str "
	  "--path --expiry-date --null --name-only --[no-]includes --show-origin --show-scope "
	  "--default= --fixed-value --no-type --all --regexp --value= --url= --show-names" },
	{ "--global --system", .tag = GIT_FOR_ALL },
	{ "-f= --file=", .tag = GIT_FILE },
	{ "--replace-all --add --unset --unset-all --remove-section --append --comment=",
	  .tag = GIT_SETS },
	{ "--rename-section", EFFECT_ACTS, "gives settings another meaning", .tag = GIT_SETS },
	{ "-e --edit", EFFECT_ACTS, EDITS, .tag = GIT_SETS },
};

/* --- stash, remote, worktree, submodule, notes, bisect ------------------------------------------------ */

#define LOOKS        .closed = true, .read_only = true
#define BY(function) .operands = OPERANDS_OWN, .special = (function)
#define LOG          OPTIONS(log_options), LOOKS, .numbers = true, .any_order = true, BY(git_objects)
#define DIFF         OPTIONS(diff_options), LOOKS, .numbers = true, .any_order = true, BY(git_diff)

static const struct option_row pathspec_options[] = {
	{ "-m= --message=" },
	{ "--pathspec-from-file=", EFFECT_ACTS, PATHS },
};

static const struct program_row stash_subs[] = {
	{ "list", LOG },
	{ "show", OPTIONS(stash_show_options), LOOKS, .numbers = true },
	{ "push", OPTIONS(pathspec_options) },
	{ "save" },
	{ "pop" },
	{ "apply" },
	{ "branch" },
	{ "create" },
	{ "store", OPTIONS(pathspec_options) },
	{ "drop", BY(git_named_loss) },
	{ "clear", BY(git_named_loss) },
};

static const struct option_row remote_add_options[] = { { "-tm= --track= --master=" } };
static const struct option_row remote_show_options[] = { { "-n", .tag = GIT_OFFLINE } };
static const struct option_row get_url_options[] = { { "-h --push --all" } };
static const struct option_row verbose_options[] = { { "-vh --[no-]verbose" } };

static const struct program_row remote_subs[] = {
	{ "show", OPTIONS(remote_show_options), LOOKS, .special = git_remote_show },
	{ "get-url", OPTIONS(get_url_options), LOOKS },
	{ "add", OPTIONS(remote_add_options), BY(git_fetch) },
	{ "set-url", BY(git_fetch) },
	{ "rename" },
	{ "remove" },
	{ "rm" },
	{ "set-head" },
	{ "set-branches" },
	{ "prune", .network = true },
	{ "update", .network = true },
};

static const struct option_row worktree_list_options[] = {
	{ "-vzh --porcelain --[no-]verbose --expire=" },
};

static const struct option_row worktree_add_options[] = {
	{ "-b= --reason=" },
	{ "-B= -f --force", EFFECT_LOSES_NAMED, FORCES },
};

static const struct option_row worktree_force_options[] = {
	{ "-f --force", EFFECT_LOSES_NAMED, "drops changes" },
};

static const struct program_row worktree_subs[] = {
	{ "list", OPTIONS(worktree_list_options), LOOKS },
	{ "add", OPTIONS(worktree_add_options), BY(git_first_is_written) },
	{ "remove", OPTIONS(worktree_force_options), .operands = OPERANDS_REMOVE,
	  .recursive = true },
	{ "move", OPTIONS(worktree_force_options), .operands = OPERANDS_WRITE },
	{ "lock" },
	{ "unlock" },
	{ "prune" },
	{ "repair" },
};

static const struct option_row submodule_options[] = { { "-qh --quiet --cached" } };
static const struct option_row submodule_status_options[] = {
	{ "-qh --quiet --cached --recursive --files --for-status -n= --summary-limit=" },
};
static const struct option_row submodule_add_options[] = {
	{ "-b= --branch= --name= --depth= --filter= --jobs=" },
	{ "--reference=", EFFECT_READS },
	{ "-f --force", EFFECT_LOSES_NAMED, "drops changes" },
};

static const struct program_row submodule_subs[] = {
	{ "status", OPTIONS(submodule_status_options), LOOKS },
	{ "summary", OPTIONS(submodule_status_options), LOOKS },
	{ "foreach", .stops_at_operand = true, BY(git_foreach) },
	{ "add", OPTIONS(submodule_add_options), .network = true, BY(git_fetch) },
	{ "update", OPTIONS(submodule_add_options), .network = true },
	{ "deinit", OPTIONS(submodule_add_options) },
	{ "init" },
	{ "sync" },
	{ "set-branch" },
	{ "set-url", BY(git_fetch) },
	{ "absorbgitdirs" },
};

static const struct option_row notes_options[] = { { "-h --ref=" } };
static const struct option_row notes_add_options[] = {
	{ "-mcC= --message= --reuse-message= --reedit-message=" },
	{ "-F= --file=", EFFECT_READS },
	{ "-f --force", EFFECT_LOSES_NAMED, FORCES },
};
static const struct option_row help_options[] = { { "-h" } };

static const struct program_row notes_subs[] = {
	{ "list", OPTIONS(help_options), LOOKS },    { "show", OPTIONS(help_options), LOOKS },
	{ "get-ref", OPTIONS(help_options), LOOKS }, { "add", OPTIONS(notes_add_options) },
	{ "append", OPTIONS(notes_add_options) },    { "edit", OPTIONS(notes_add_options) },
	{ "copy", OPTIONS(notes_add_options) },      { "merge" },
	{ "remove", .loses = "removes a note" },     { "prune", .loses = "removes notes" },
};

static const struct option_row bisect_terms_options[] = {
	{ "-h --term-good --term-bad --term-old --term-new" },
};

static const struct program_row bisect_subs[] = {
	{ "log", OPTIONS(help_options), LOOKS },
	{ "terms", OPTIONS(bisect_terms_options), LOOKS },
	{ "run", .wraps = WRAPS_APART },
	{ "replay", .operands = OPERANDS_READ },
	{ "view", BY(git_runs) },
	{ "visualize", BY(git_runs) },
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

static const struct program_row bundle_subs[] = {
	{ "verify", OPTIONS(submodule_options), LOOKS, .operands = OPERANDS_READ },
	{ "list-heads", OPTIONS(help_options), LOOKS, .operands = OPERANDS_READ },
	{ "create", BY(git_first_is_written) },
	{ "unbundle", .operands = OPERANDS_READ },
};

static const struct program_row maintenance_subs[] = {
	{ "run" },
	{ "stop" },
	{ "unregister" },
	{ "start", BY(git_runs) },
	{ "register", BY(git_runs) },
};

static const struct program_row sparse_checkout_subs[] = {
	{ "list", OPTIONS(help_options), LOOKS },
	{ "init" },
	{ "set" },
	{ "add" },
	{ "reapply" },
	{ "disable" },
	{ "check-rules" },
};

/* --- what changes files and history ------------------------------------------------------------------ */

static const struct option_row commit_options[] = {
	{ "-mcC= -uS=? --message= --author= --date= --reuse-message= --reedit-message= --fixup= "
	  "--squash= --trailer= --cleanup= --untracked-files=? --gpg-sign=?" },
	{ "-Ft= --file= --template=", EFFECT_READS },
	{ "--pathspec-from-file=", EFFECT_ACTS, PATHS },
};

static const struct option_row reset_options[] = {
	{ "--hard --merge --keep", EFFECT_LOSES, "drops changes" },
	{ "--no-hard --no-merge --no-keep" },
	{ "--pathspec-from-file=", EFFECT_ACTS, PATHS },
};

static const struct option_row checkout_options[] = {
	{ "-b= -td --orphan= --detach --track=?", .tag = GIT_CREATES },
	{ "-B=", EFFECT_LOSES_NAMED, FORCES, .tag = GIT_CREATES },
	{ "-f --force", EFFECT_LOSES_NAMED, "drops changes" },
	{ "-p --patch", EFFECT_LOSES, "drops changes of files" },
	{ "--conflict= --no-force --no-patch" },
	{ "--ours --theirs", .tag = GIT_SIDES },
	{ "--pathspec-from-file=", EFFECT_ACTS, PATHS },
};

static const struct option_row restore_options[] = {
	{ "-S --staged", .tag = GIT_STAGED },
	{ "-Wp --worktree --patch --no-staged", .tag = GIT_WORKTREE },
	{ "-s= --source= --conflict=" },
	{ "--pathspec-from-file=", EFFECT_ACTS, PATHS },
};

static const struct option_row switch_options[] = {
	{ "-c= --create= --orphan= --conflict=" },
	{ "-C= --force-create=", EFFECT_LOSES_NAMED, FORCES },
	{ "-f --force --discard-changes", EFFECT_LOSES_NAMED, "drops changes" },
};

static const struct option_row clean_options[] = {
	{ "-n --dry-run", .tag = GIT_DRY },
	{ "--no-dry-run", .tag = GIT_NOT_DRY },
	{ "-fdxXqih -e= --[no-]force --[no-]quiet --[no-]interactive --exclude=" },
};

static const struct option_row rm_options[] = {
	{ "-f --force", EFFECT_LOSES_NAMED, "drops changes of files" },
	{ "--pathspec-from-file=", EFFECT_ACTS, PATHS },
};

static const struct option_row merge_options[] = {
	{ "-mX= --message= --strategy-option= --onto= --mainline= --cleanup= --into-name= "
	  "--empty= --whitespace= -S=? --gpg-sign=? --log=? --rebase-merges=?" },
	{ "-s= --strategy=", .tag = GIT_STRATEGY },
	{ "-F= --file=", EFFECT_READS },
};

static const struct option_row rebase_options[] = {
	{ "-x= --exec=", EFFECT_SCRIPT },
	{ "-XC= -S=? --strategy-option= --onto= --whitespace= --empty= --gpg-sign=? "
	  "--rebase-merges=?" },
	{ "-s= --strategy=", .tag = GIT_STRATEGY },
};

static const struct option_row apply_options[] = {
	{ "--stat --numstat --summary --check", .tag = GIT_CHECKS },
	{ "--apply", .tag = GIT_APPLIES },
	{ "-pC= --exclude= --include= --whitespace= --directory= --patch-format= --resolvemsg= "
	  "--empty= --quoted-cr= -S=?" },
	{ "--build-fake-ancestor=", EFFECT_WRITES },
	{ "--unsafe-paths", EFFECT_ACTS, "lets files go anywhere" },
};

static const struct option_row gc_options[] = {
	{ "--prune=?", EFFECT_LOSES_NAMED, "removes what nothing refers to" },
};

static const struct option_row filter_branch_options[] = {
	{ "--setup= --env-filter= --tree-filter= --index-filter= --parent-filter= --msg-filter= "
	  "--commit-filter= --tag-name-filter=",
	  EFFECT_SCRIPT },
	{ "--subdirectory-filter= --original= --state-branch=" },
	{ "-d=", EFFECT_WRITES },
};

static const struct option_row update_ref_options[] = {
	{ "-m=" },
	{ "--stdin", EFFECT_ACTS, "takes more from standard input" },
};

static const struct option_row checkout_index_options[] = {
	{ "--stage=" },
	{ "--prefix=", EFFECT_ACTS, "says where files go" },
	{ "-f --force", EFFECT_LOSES_NAMED, "drops changes of files" },
	{ "--stdin", EFFECT_ACTS, "takes paths from standard input" },
};

static const struct option_row read_tree_options[] = {
	{ "--prefix= --exclude-per-directory=" },
	{ "--index-output=", EFFECT_WRITES },
	{ "--reset", EFFECT_LOSES, "drops changes" },
};

static const struct option_row replace_options[] = {
	{ "-d --delete", EFFECT_LOSES, "removes a replacement" },
	{ "-f --force", EFFECT_LOSES_NAMED, FORCES },
	{ "-e --edit", EFFECT_ACTS, EDITS },
};

/* --- what reaches other repositories or writes elsewhere ------------------------------------------------ */

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
	  "--server-option= --negotiation-tip= --filter= --recurse-submodules=? --sort= --cleanup= "
	  "--strategy-option=" },
	{ "-s= --strategy=", .tag = GIT_STRATEGY },
	{ "-f --force", EFFECT_LOSES_NAMED, FORCES },
	{ "--upload-pack= --exec=", EFFECT_RUNS },
	{ "--stdin", EFFECT_ACTS, "takes more from standard input" },
};

static const struct option_row clone_options[] = {
	{ "-job= --jobs= --origin= --branch= --depth= --shallow-since= --shallow-exclude= "
	  "--server-option= --filter= --bundle-uri= --revision= --ref-format=" },
	{ "-u= --upload-pack= --template=", EFFECT_RUNS },
	{ "-c= --config=", EFFECT_RUNS, "changes settings" },
	{ "--reference= --reference-if-able=", EFFECT_READS },
	{ "--separate-git-dir=", EFFECT_WRITES },
};

static const struct option_row init_options[] = {
	{ "-b= --initial-branch= --object-format= --ref-format= --shared=?" },
	{ "--template=", EFFECT_ACTS, "copies hooks, which are programs" },
	{ "--separate-git-dir=", EFFECT_WRITES },
};

static const struct option_row archive_options[] = {
	{ "--format= --prefix= --mtime= --add-virtual-file=" },
	{ "-o= --output=", EFFECT_WRITES },
	{ "--add-file=", EFFECT_READS },
	{ "--remote=", EFFECT_ACTS, "reaches another repository" },
	{ "--exec=", EFFECT_RUNS },
};

static const struct option_row format_patch_options[] = {
	{ "--stdout", .tag = GIT_STDOUT },
	{ "-o= --output-directory=", EFFECT_WRITES, .tag = GIT_OUTPUT },
	{ "-v= --suffix= --start-number= --reroll-count= --filename-max-length= "
	  "--cover-from-description= --subject-prefix= --add-header= --to= --cc= --in-reply-to= "
	  "--signature= --base= --interdiff= --range-diff=? --creation-factor=" },
	{ "--signature-file= --description-file=?", EFFECT_READS },
	REVISION_EFFECTS,
};

static const struct option_row bugreport_options[] = {
	{ "-s= --suffix= --mode= --diagnose=?" },
	{ "-o= --output-directory=", EFFECT_WRITES },
};

static const struct option_row marks_options[] = {
	{ "--import-marks= --import-marks-if-exists=", EFFECT_READS },
	{ "--export-marks= --output=", EFFECT_WRITES },
};

static const struct option_row hash_object_options[] = {
	{ "-t= --path= --stdin" },
	{ "--stdin-paths", EFFECT_ACTS, "takes paths from standard input" },
};

/* --- git itself ------------------------------------------------------------------------------------------- */

#define FILTER OPTIONS(filter_options), LOOKS, .operands = OPERANDS_NONE
#define NAMED  BY(git_runs)

/* A rule must name those that are not here: programs for other systems, servers, windows. */
static const struct program_row subs[] = {
	{ "add", OPTIONS(pathspec_options) },
	{ "am", OPTIONS(apply_options), BY(git_apply) },
	{ "annotate", .as = "blame" },
	{ "apply", OPTIONS(apply_options), BY(git_apply) },
	{ "archive", OPTIONS(archive_options) },
	{ "bisect", SUBS(bisect_subs), .closed = true },
	{ "blame", OPTIONS(blame_options), LOOKS, BY(git_objects) },
	{ "branch", OPTIONS(branch_options), LOOKS, BY(git_listing) },
	{ "bugreport", OPTIONS(bugreport_options) },
	{ "bundle", SUBS(bundle_subs), .closed = true },
	{ "cat-file", OPTIONS(cat_file_options), LOOKS, BY(git_objects) },
	{ "check-attr", OPTIONS(check_options), LOOKS },
	{ "check-ignore", OPTIONS(check_options), LOOKS },
	{ "check-mailmap", OPTIONS(check_options), LOOKS },
	{ "check-ref-format" },
	{ "checkout", OPTIONS(checkout_options), .numbers = true, BY(git_checkout) },
	{ "checkout-index", OPTIONS(checkout_index_options), .operands = OPERANDS_WRITE },
	{ "cherry", OPTIONS(small_options), LOOKS },
	{ "cherry-pick", OPTIONS(merge_options), BY(git_strategy) },
	{ "clean", OPTIONS(clean_options), LOOKS, BY(git_clean) },
	{ "clone", OPTIONS(clone_options), .network = true, BY(git_clone) },
	{ "column", FILTER },
	{ "commit", OPTIONS(commit_options) },
	{ "commit-graph" },
	{ "commit-tree", OPTIONS(commit_options) },
	{ "config", OPTIONS(config_options), LOOKS, BY(git_config) },
	{ "count-objects", OPTIONS(small_options), LOOKS },
	{ "credential", BY(git_tells_secrets) },
	{ "credential-cache", BY(git_tells_secrets) },
	{ "credential-store", BY(git_tells_secrets) },
	{ "describe", OPTIONS(describe_options), LOOKS },
	{ "diagnose", OPTIONS(bugreport_options) },
	{ "diff", DIFF },
	{ "diff-files", DIFF },
	{ "diff-index", DIFF },
	{ "diff-tree", DIFF },
	{ "difftool", OPTIONS(git_difftool_options), NAMED },
	{ "fast-export", OPTIONS(marks_options) },
	{ "fast-import", OPTIONS(marks_options), NAMED },
	{ "fetch", OPTIONS(fetch_options), .network = true, BY(git_fetch) },
	{ "fetch-pack", OPTIONS(fetch_options), .network = true, BY(git_fetch) },
	{ "filter-branch", OPTIONS(filter_branch_options), .loses = "rewrites all history" },
	{ "fmt-merge-msg", OPTIONS(merge_options) },
	{ "for-each-ref", OPTIONS(for_each_ref_options), LOOKS, BY(git_formats) },
	{ "for-each-repo", NAMED },
	{ "format-patch", OPTIONS(format_patch_options), .numbers = true, BY(git_format_patch) },
	{ "fsck", OPTIONS(fsck_options), LOOKS },
	{ "gc", OPTIONS(gc_options) },
	{ "get-tar-commit-id", FILTER },
	{ "grep", OPTIONS(grep_options), LOOKS, .numbers = true, .operands = OPERANDS_TEXT_READ,
	  .recursive = true, .here = true },
	{ "hash-object", OPTIONS(hash_object_options), .operands = OPERANDS_READ },
	{ "help" },
	{ "hook", NAMED },
	{ "index-pack", OPTIONS(bugreport_options), .operands = OPERANDS_READ },
	{ "init", OPTIONS(init_options), .operands = OPERANDS_WRITE },
	{ "init-db", .as = "init" },
	{ "log", LOG },
	{ "ls-files", OPTIONS(ls_files_options), LOOKS },
	{ "ls-remote", OPTIONS(fetch_options), .network = true, BY(git_fetch) },
	{ "ls-tree", OPTIONS(ls_tree_options), LOOKS },
	{ "mailinfo", .operands = OPERANDS_WRITE },
	{ "maintenance", SUBS(maintenance_subs), .closed = true },
	{ "merge", OPTIONS(merge_options), BY(git_strategy) },
	{ "merge-base", OPTIONS(merge_base_options), LOOKS },
	{ "merge-file", .operands = OPERANDS_WRITE },
	{ "merge-index", NAMED },
	{ "merge-tree" },
	{ "mergetool", NAMED },
	{ "mktag" },
	{ "mktree" },
	{ "multi-pack-index" },
	{ "mv", OPTIONS(rm_options), .operands = OPERANDS_WRITE },
	{ "name-rev", OPTIONS(name_rev_options), LOOKS },
	{ "notes", OPTIONS(notes_options), SUBS(notes_subs), LOOKS },
	{ "pack-objects", .operands = OPERANDS_WRITE },
	{ "pack-refs" },
	{ "patch-id", FILTER },
	{ "prune", .loses = "removes what nothing refers to" },
	{ "prune-packed" },
	{ "pull", OPTIONS(fetch_options), .network = true, BY(git_fetch) },
	{ "push", OPTIONS(push_options), .network = true, BY(git_push) },
	{ "range-diff", OPTIONS(range_diff_options), LOOKS, .numbers = true },
	{ "read-tree", OPTIONS(read_tree_options) },
	{ "rebase", OPTIONS(rebase_options), BY(git_strategy) },
	{ "reflog", OPTIONS(reflog_options), LOOKS, .numbers = true, BY(git_reflog) },
	{ "remote", OPTIONS(verbose_options), SUBS(remote_subs), LOOKS },
	{ "repack" },
	{ "replace", OPTIONS(replace_options) },
	{ "request-pull", .network = true },
	{ "rerere" },
	{ "reset", OPTIONS(reset_options) },
	{ "restore", OPTIONS(restore_options), BY(git_restore) },
	{ "rev-list", OPTIONS(rev_list_options), LOOKS, .numbers = true, BY(git_objects) },
	{ "rev-parse", OPTIONS(rev_parse_options), LOOKS },
	{ "revert", OPTIONS(merge_options), BY(git_strategy) },
	{ "rm", OPTIONS(rm_options), .operands = OPERANDS_WRITE },
	{ "send-email", .network = true, NAMED },
	{ "send-pack", OPTIONS(push_options), .network = true, BY(git_push) },
	{ "shortlog", OPTIONS(shortlog_options), LOOKS, .numbers = true, BY(git_objects) },
	{ "show", LOG },
	{ "show-branch", OPTIONS(show_branch_options), LOOKS },
	{ "show-index", FILTER },
	{ "show-ref", OPTIONS(show_ref_options), LOOKS },
	{ "sparse-checkout", SUBS(sparse_checkout_subs), .closed = true },
	{ "stage", .as = "add" },
	{ "stash", OPTIONS(pathspec_options), SUBS(stash_subs) },
	{ "status", OPTIONS(status_options), LOOKS },
	{ "stripspace", FILTER },
	{ "submodule", OPTIONS(submodule_options), SUBS(submodule_subs), LOOKS },
	{ "switch", OPTIONS(switch_options) },
	{ "symbolic-ref", OPTIONS(symbolic_ref_options), LOOKS, BY(git_symbolic_ref) },
	{ "tag", OPTIONS(tag_options), LOOKS, BY(git_listing) },
	{ "unpack-file" },
	{ "unpack-objects" },
	{ "update-index" },
	{ "update-ref", OPTIONS(update_ref_options), .loses = "moves or removes branches" },
	{ "update-server-info" },
	{ "var", OPTIONS(var_options), LOOKS },
	{ "verify-commit" },
	{ "verify-pack", .operands = OPERANDS_READ },
	{ "verify-tag" },
	{ "version", OPTIONS(small_options), LOOKS, .operands = OPERANDS_NONE },
	{ "whatchanged", LOG },
	{ "worktree", SUBS(worktree_subs), .closed = true },
	{ "write-tree" },
};

/* They stand before the subcommand: there -p is a pager. */
static const struct option_row git_options[] = {
	{ "-Pv --no-pager --no-replace-objects --literal-pathspecs --glob-pathspecs "
	  "--noglob-pathspecs --icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice "
	  "--version --html-path --man-path --info-path" },
	{ "-p --paginate", EFFECT_ACTS, "runs a pager" },
	{ "-c=", EFFECT_RUNS, "changes settings, which may run programs" },
	{ "--config-env=", EFFECT_RUNS_UNKNOWN, "changes settings, which may run programs" },
	{ "--git-dir= --work-tree= --namespace= --super-prefix= --shallow-file= --attr-source= "
	  "--bare",
	  EFFECT_ACTS, "works on another repository" },
	{ "--exec-path=?", EFFECT_ACTS, "takes git's programs from elsewhere" },
	{ "-C=", EFFECT_ENTERS },
};

static const struct program_row rows[] = {
	{ "git", OPTIONS(git_options), SUBS(subs), LOOKS, .is_tool = true },
};

const struct program_table program_table_git = { rows, countof(rows) };
