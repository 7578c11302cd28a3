/* Programs that tell something about this machine: its packages, sockets, network, devices. What
 * changes something has a row as well where the same program does both, so that a rule for the
 * program still covers it. */
#include "perm/program/special.h"

static const struct option_row apt_cache_options[] = {
	{ "-afginpqv --all-versions --all-names --full --generate --installed --important "
	  "--names-only --no-all-versions --[no-]recommends --[no-]suggests --[no-]depends "
	  "--[no-]pre-depends --[no-]conflicts --[no-]breaks --[no-]replaces --[no-]enhances "
	  "--quiet --recurse --with-source=" HELP },
};

static const struct program_row apt_cache_subcommands[] = {
	{ "depends", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "madison", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "pkgnames", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "policy", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "rdepends", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "search", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "show", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "showpkg", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "showsrc", LOOKS, OPTIONS_OF(apt_cache_options) },
	{ "stats", LOOKS, OPTIONS_OF(apt_cache_options) },
};

static const struct program_row apt_mark_subcommands[] = {
	{ "showauto", LOOKS },
	{ "showhold", LOOKS },
	{ "showmanual", LOOKS },
};

static const struct program_row ip_show[] = {
	{ "get", LOOKS },
	{ "list", LOOKS },
	{ "ls", LOOKS },
	{ "show", LOOKS },
};

static const struct program_row ip_subcommands[] = {
	{ "a", LOOKS, SUBCOMMANDS_OF(ip_show) },       { "addr", LOOKS, SUBCOMMANDS_OF(ip_show) },
	{ "address", LOOKS, SUBCOMMANDS_OF(ip_show) }, { "l", LOOKS, SUBCOMMANDS_OF(ip_show) },
	{ "link", LOOKS, SUBCOMMANDS_OF(ip_show) },    { "n", LOOKS, SUBCOMMANDS_OF(ip_show) },
	{ "neigh", LOOKS, SUBCOMMANDS_OF(ip_show) },   { "r", LOOKS, SUBCOMMANDS_OF(ip_show) },
	{ "ro", LOOKS, SUBCOMMANDS_OF(ip_show) },      { "route", LOOKS, SUBCOMMANDS_OF(ip_show) },
	{ "rule", LOOKS, SUBCOMMANDS_OF(ip_show) },
};

static const struct program_row status_subcommands[] = {
	{ "status", LOOKS, OPTIONS({ "--no-pager -l --full" HELP }) },
};

static const struct program_row machine_rows[] = {
	{ "apt-cache", TOOL, SUBCOMMANDS_OF(apt_cache_subcommands),
	  OPTIONS({ "-co= --config-file= --option=", EFFECT_ESCALATES, CONFIGURES }) },
	{ "apt-mark", TOOL, SUBCOMMANDS_OF(apt_mark_subcommands),
	  OPTIONS({ "-co= --config-file= --option=", EFFECT_ESCALATES, CONFIGURES }) },
	{ "cal", READER, OPERANDS_TEXT,
	  OPTIONS({ "-13jmswyYhMSbBCeoN -n= -A= -d= -c= --one --three --monday --sunday --week=? "
		    "--year --months= --julian" HELP }) },
	{ "clear", READER, OPERANDS_NONE, OPTIONS({ "-xV" }) },
	{ "dpkg", READER, OPERANDS_TEXT,
	  OPTIONS({ "-lLSsp --list --listfiles --search --status --print-avail --get-selections "
		    "--print-architecture --print-foreign-architectures --compare-versions "
		    "--no-pager" HELP },
		  { "-iraCPABEGORVcIexXf -WDbK= --install --unpack --configure --triggers-only "
		    "--remove --purge --verify --audit --update-avail --merge-avail --record-avail "
		    "--clear-avail --set-selections --clear-selections --add-architecture "
		    "--remove-architecture --pending --recursive --skip-same-version "
		    "--refuse-downgrade --auto-deconfigure --selected-only --no-act --dry-run "
		    "--simulate --contents --info --extract --build --field",
		    EFFECT_CHANGES },
		  { "--pre-invoke= --post-invoke= --status-logger= --debsig-verify",
		    EFFECT_ESCALATES, RUNS },
		  { "--root= --admindir= --instdir= --path-exclude= --path-include=",
		    EFFECT_ESCALATES, LEAVES }) },
	{ "dpkg-query", READER, OPERANDS_TEXT,
	  OPTIONS({ "-WlsLSp -f= --show --list --status --listfiles --search --print-avail "
		    "--showformat= --control-list --no-pager" HELP }) },
	{ "ifconfig", READER, OPERANDS_NONE, OPTIONS({ "-asv" }) },
	{ "ip", TOOL | ONE_DASH_LONG, SUBCOMMANDS_OF(ip_subcommands),
	  OPTIONS({ "-4 -6 -0 -s -stats -statistics -d -details -o -oneline -j -json -p -pretty "
		    "-br -brief -c=? -color=? -h -human -N -Numeric -r -resolve -V -Version" }) },
	{ "localectl", READER, SUBCOMMANDS_OF(status_subcommands) },
	{ "lsb_release", READER, OPERANDS_NONE,
	  OPTIONS({ "-acdirsv --all --codename --description --id --release --short" HELP }) },
	{ "lsmod", READER, OPERANDS_NONE },
	{ "lsof", READER, OPERANDS_LIST, .special = network_lsof,
	  OPTIONS({ "-abhlnNoOPQRtUvVwX -cdpu= -igsrFT=?" }) },
	{ "lspci", READER, OPERANDS_NONE, OPTIONS({ "-vnkmtDq -sd=" HELP }) },
	{ "lsusb", READER, OPERANDS_NONE, OPTIONS({ "-vtV -sd= --verbose --tree" HELP }) },
	{ "netstat", READER, OPERANDS_NONE,
	  OPTIONS({ "-rgsiMvWnNeopalFCtuUSwx46Z --route --groups --interfaces --masquerade "
		    "--statistics --verbose --wide --numeric --numeric-hosts --numeric-ports "
		    "--numeric-users --symbolic --extend --programs --timers --all --listening "
		    "--fib --cache --tcp --udp --udplite --sctp --raw --unix" HELP }) },
	{ "pkg-config", READER, OPERANDS_TEXT,
	  OPTIONS({ "--modversion --cflags --libs --exists --list-all --list-package-names "
		    "--variable= --define-variable= --print-requires --print-requires-private "
		    "--print-provides --print-variables --cflags-only-I --cflags-only-other "
		    "--libs-only-l --libs-only-L --libs-only-other --static --atleast-version= "
		    "--exact-version= --max-version= --print-errors --short-errors "
		    "--silence-errors --errors-to-stdout" HELP }) },
	{ "pkgconf", .alias_of = "pkg-config" },
	{ "ss", READER, OPERANDS_TEXT, .special = network_ss,
	  OPTIONS({ "-hVnraloempistudwx046SZzOHTMQb -fA= --no-header --oneline --numeric "
		    "--resolve --all --listening --options --extended --memory --processes "
		    "--threads --info --tos --cgroup --tipcinfo --summary --tcp --udp --dccp --raw "
		    "--unix --sctp --packet --vsock --mptcp --ipv4 --ipv6 --family= "
		    "--query=" HELP },
		  { "-K --kill", EFFECT_ESCALATES, "closes connections" },
		  { "-F= --filter=", EFFECT_READS }, { "-D= --diag=", EFFECT_WRITES }) },
	{ "timedatectl", READER, SUBCOMMANDS_OF(status_subcommands) },
	{ "uuidgen", READER, OPERANDS_NONE, OPTIONS({ "-rth --random --time" HELP }) },
	{ "whereis", READER, OPERANDS_TEXT, OPTIONS({ "-bmsulgh" }) },
};

const struct program_table program_table_machine = { machine_rows, countof(machine_rows) };
