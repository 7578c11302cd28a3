/* Filters with a language of their own, whose scripts are read by sed.c, awk.c, jq.c and find.c of
 * src/perm/program. */
#include "perm/program/special.h"

static const struct program_row filters_rows[] = {
	{ "awk", READER | STOPS_AT_OPERAND, .special = awk_arguments,
	  OPTIONS({ "-bcCghIkLMnNOPrsStV -Fv= --field-separator= --assign= --characters-as-bytes "
		    "--traditional --copyright --gen-pot --help --lint=? --bignum "
		    "--use-lc-numeric --non-decimal-data --optimize --posix --re-interval "
		    "--no-optimize --sandbox --lint-old --csv --version" },
		  { "-e= --source=", .tag = AWK_SOURCE, .replaces_operand = true },
		  { "-fE= --file= --exec=", EFFECT_LOADS, "takes the program from a file",
		    .replaces_operand = true },
		  { "-il= --include= --load=", EFFECT_ESCALATES, "loads code" },
		  { "-odpD=? --pretty-print=? --dump-variables=? --profile=? --debug=?",
		    EFFECT_ESCALATES, "writes a file" },
		  { "-W=", EFFECT_ESCALATES, "may stand for any option" }) },
	{ "find", TEXT_ONLY, .special = find_arguments },
	{ "gawk", .alias_of = "awk" },
	{ "gsed", .alias_of = "sed" },
	{ "jq", TEXT_ONLY, .special = jq_arguments },
	{ "mawk", .alias_of = "awk" },
	{ "nawk", .alias_of = "awk" },
	{ "original-awk", .alias_of = "awk" },
	{ "sed", READER, .special = sed_arguments,
	  OPTIONS({ "-nErsuz -l= --quiet --silent --debug --follow-symlinks --line-length= "
		    "--posix --regexp-extended --separate --sandbox --unbuffered --null-data "
		    "--zero-terminated --help --version" },
		  { "-e= --expression=", .tag = SED_SCRIPT, .replaces_operand = true },
		  { "-f= --file=", EFFECT_LOADS, "takes the script from a file",
		    .replaces_operand = true },
		  { "-i=? --in-place=?", EFFECT_ESCALATES, "edits files in place",
		    .tag = SED_IN_PLACE }) },
	{ "yq", TOOL, .special = jq_yq_arguments,
	  OPTIONS({ "-i --in-place --inplace", EFFECT_ESCALATES, "edits files in place",
		    .tag = YQ_IN_PLACE },
		  { "-s= --split-exp=", EFFECT_ESCALATES, "writes files" },
		  { "--from-file= --split-exp-file= --expression=", EFFECT_ESCALATES,
		    "takes the filter from a file" },
		  { "--security-enable-system-operator", EFFECT_ESCALATES,
		    "lets the filter run programs" },
		  { "-opwI= --output-format= --input-format= --width= --indent= --arg= "
		    "--argjson=" },
		  { "-L=", EFFECT_ESCALATES, "loads other files" }) },
};

const struct program_table program_table_filters = { filters_rows, countof(filters_rows) };

const struct jq_option jq_long_options[] = {
	{ "--arg", 2 },
	{ "--argfile", 2, true },
	{ "--argjson", 2 },
	{ "--args", 0 },
	{ "--ascii", 0 },
	{ "--ascii-output", 0 },
	{ "--binary", 0 },
	{ "--color-output", 0 },
	{ "--compact-output", 0 },
	{ "--exit-status", 0 },
	{ "--from-file", 0, .escalates = "takes the filter from a file" },
	{ "--help", 0 },
	{ "--indent", 1 },
	{ "--join-output", 0 },
	{ "--jsonargs", 0 },
	{ "--library-path", 1, .escalates = "loads other files" },
	{ "--monochrome-output", 0 },
	{ "--null-input", 0 },
	{ "--raw-input", 0 },
	{ "--raw-output", 0 },
	{ "--raw-output0", 0 },
	{ "--rawfile", 2, true },
	{ "--seq", 0 },
	{ "--slurp", 0 },
	{ "--slurpfile", 2, true },
	{ "--sort-keys", 0 },
	{ "--stream", 0 },
	{ "--stream-errors", 0 },
	{ "--tab", 0 },
	{ "--unbuffered", 0 },
	{ "--version", 0 },
	{ "" },
};
