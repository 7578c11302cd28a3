/* Pagers, editors and man. */
#include "perm/program/special.h"

static const struct program_row editors_rows[] = {
	{ "ed", TOOL, OPERANDS_WRITE, .escalates = "runs the commands it is given" },
	{ "emacs", TOOL, .special = dev_editor,
	  OPTIONS({ "-lfLx= --eval= --execute= --load= --funcall= --directory= --script= --batch "
		    "--user= -u= --init-directory=",
		    EFFECT_ESCALATES, "may run commands" }) },
	{ "ex", .alias_of = "ed" },
	{ "less", TOOL, .special = dev_pager,
	  OPTIONS({ "-aABcCdeEfFgGiIJKmMnNqQrRsSuUVwWXL? -bhjpPxyzD=" },
		  { "-oO= --log-file= --LOG-FILE=", EFFECT_WRITES },
		  { "-kt= --lesskey-file= --lesskey-src= --lesskey-content= --tag= -T= --tag-file=",
		    EFFECT_ESCALATES, CONFIGURES }) },
	{ "man", READER, .special = dev_man,
	  OPTIONS({ "-fkwWDdaiIt7hV -LmSserRE= --whatis --apropos --where --path --location "
		    "--where-cat --location-cat --default --debug --all --ignore-case "
		    "--match-case --regex --wildcard --names-only --no-subpages "
		    "--sections= --extension= --locale= --systems= --recode= --encoding= "
		    "--prompt= --no-hyphenation --nh --no-justification --nj --ascii "
		    "--ditroff-device=? --warnings=? --help --usage --version --global-apropos "
		    "-K" },
		  { "-cu --catman --update", EFFECT_CHANGES },
		  { "-l --local-file", .tag = DEV_LOCAL_FILE },
		  { "-P= --pager= -H=? --html=? -X=? --gxditview=? -p= --preprocessor= -T=? -Z "
		    "--ditroff --troff-device=?",
		    EFFECT_RUNS },
		  { "-CM= --config-file= --manpath=", EFFECT_ESCALATES, CONFIGURES }) },
	{ "more", .alias_of = "less" },
	{ "most", .alias_of = "less" },
	{ "nano", TOOL, .special = dev_editor,
	  OPTIONS({ "-QrTsXYCfJ= --backupdir= --rcfile= --speller= --operatingdir=",
		    EFFECT_ESCALATES, RUNS }) },
	{ "nvim", .alias_of = "vim" },
	{ "vi", .alias_of = "vim" },
	{ "view", .alias_of = "vim" },
	{ "vim", TOOL, .special = dev_editor,
	  OPTIONS({ "-c= -S= -s= -u= -U= --cmd= -i= -w= -W= -t= -q= -eE --startuptime= -P -l= "
		    "--remote-expr= --remote-send= --luamod-dev= --listen= --server=",
		    EFFECT_ESCALATES, "may run commands" }) },
};

const struct program_table program_table_editors = { editors_rows, countof(editors_rows) };
