/* Programs that talk to other machines: none is ever read-only. Their rows are open but for
 * what writes files, reads them or runs something. */
#include "perm/program_table.h"

#define CLIENT .network = true, .is_tool = true
#define RUNS   "runs a program"

enum { CURL_DATA = 1, WGET_OUTPUT };

static const struct option_row curl_options[] = {
	{ "-#012346aBfgGiIjklLMnNpqRsSvVZ -AeHmQrtuUwxXyYzPC= --user-agent= --referer= --header= "
	  "--max-time= --request= --user= "
	  "--proxy= --proxy-user= --write-out= --range= --url= --retry= --connect-timeout= "
	  "--data-raw= --resolve= --interface= --limit-rate= --max-redirs=" },
	{ "-d= -F= --data= --data-ascii= --data-binary= --data-urlencode= --json= --form= -b= "
	  "--cookie=",
	  .tag = CURL_DATA },
	{ "-T= --upload-file= -E= --cert= --key= --cacert= --netrc-file= --etag-compare=",
	  EFFECT_READS },
	{ "-o= --output= -c= --cookie-jar= -D= --dump-header= --trace= --trace-ascii= --stderr= "
	  "--libcurl= --hsts= --alt-svc= --output-dir= --etag-save=",
	  EFFECT_WRITES },
	{ "-OJ --remote-name --remote-name-all --remote-header-name", EFFECT_ACTS,
	  "writes a file" },
	{ "-K= --config=", EFFECT_LOADS, "takes more from a file" },
	{ "--engine= --unix-socket= --abstract-unix-socket= --egd-file=", EFFECT_ACTS,
	  "takes more from elsewhere" },
};

static bool is_file_mark(char c)
{
	return c == '@' || c == '<';
}

/* "@file", "name=@file", "name@file" send a file; so does a cookie file, which has no "=". */
static void curl_data(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];
		size_t at = 0;

		while (at < seen->value.len && !is_file_mark(seen->value.ptr[at]))
			at++;
		if (at < seen->value.len)
			look_path(look, seen->value_arg, sv_skip(seen->value, at + 1),
				  OPERAND_READ);
	}
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv url = look->argv[arg].text, scheme = SV("file:");

		if (sv_eq_nocase(sv_slice(url, 0, scheme.len), scheme))
			look_path(look, arg, sv_skip(url, scheme.len), OPERAND_READ);
	}
}

static const struct option_row wget_options[] = {
	{ "-bcdEFhHkKLmNpqrSvVx46 -n=? -tTwQUlARDI= --tries= --timeout= --wait= --header= "
	  "--user-agent= --post-data= --user= "
	  "--password= --referer= --method= --body-data=" },
	{ "-O= --output-document=", EFFECT_WRITES, .tag = WGET_OUTPUT },
	{ "-oaP= --output-file= --append-output= --directory-prefix= --save-cookies= "
	  "--warc-file= --hsts-file= --rejected-log=",
	  EFFECT_WRITES },
	{ "--post-file= --body-file= --load-cookies= --certificate= --ca-certificate= "
	  "--private-key=",
	  EFFECT_READS },
	{ "-e= --execute= --use-askpass= --config=", EFFECT_ACTS, "may run a program" },
	{ "-i= --input-file=", EFFECT_LOADS, "takes addresses from a file" },
};

/* It stores what it gets in this directory unless told otherwise. */
static void wget_output(struct look *look)
{
	if (!look_seen(look, WGET_OUTPUT))
		look_path(look, 0, SV("."), OPERAND_WRITE);
}

static const struct option_row nc_options[] = {
	{ "-ec= -g= --exec= --sh-exec= --lua-exec=", EFFECT_RUNS },
	{ "-ox= --output= --hex-dump=", EFFECT_WRITES },
	{ "-ipqwsXTIOPV=" },
};

static const struct option_row scp_options[] = {
	{ "-346ABCOpqTvR -cDlPX=" },
	{ "-r", EFFECT_RECURSES },
	{ "-i=", EFFECT_READS },
	{ "-o= -S= -F= -J= -s= -b=", EFFECT_RUNS, "may run a program" },
};

static void scp_operands(struct look *look)
{
	size_t n = look->operands.n;

	for (size_t i = 0; i < n; i++) {
		size_t arg = look->operands.at[i];

		if (sv_find_char(look->argv[arg].text, ':') == SIZE_MAX)
			look_operand(look, arg, i > 0 && i + 1 == n ? OPERAND_WRITE : OPERAND_READ);
	}
}

static const struct option_row dig_options[] = {
	{ "-f=", EFFECT_READS },
	{ "-bcpqtxyk=" },
};

static const struct option_row tcpdump_options[] = {
	{ "-z= --postrotate-command=", EFFECT_RUNS },
	{ "-w=", EFFECT_WRITES },
	{ "-rFV=", EFFECT_READS },
	{ "-BCDEGicjMsTWyZ=" },
};

static const struct option_row nmap_options[] = {
	{ "-oN= -oX= -oS= -oG= -oA=", EFFECT_WRITES },
	{ "-iL= -iR= --excludefile= --resume=", EFFECT_ACTS, "takes targets from a file" },
	{ "-sC -A --script= --script-args-file= --datadir= --servicedb= --stylesheet=", EFFECT_ACTS,
	  "runs scripts" },
};

static const struct program_row rows[] = {
	{ "aria2c", CLIENT, .acts = "writes files" },
	{ "avahi-resolve", CLIENT },
	{ "curl", OPTIONS(curl_options), CLIENT, .special = curl_data },
	{ "dig", OPTIONS(dig_options), CLIENT },
	{ "drill", .as = "dig" },
	{ "ftp", CLIENT, .acts = "reads and writes files" },
	{ "getent", CLIENT },
	{ "host", CLIENT },
	{ "http", CLIENT },
	{ "https", CLIENT },
	{ "lftp", CLIENT, .acts = "reads and writes files" },
	{ "mtr", CLIENT },
	{ "nc", OPTIONS(nc_options), CLIENT },
	{ "ncat", .as = "nc" },
	{ "netcat", .as = "nc" },
	{ "nmap", OPTIONS(nmap_options), CLIENT, .long_by_one_dash = true },
	{ "nslookup", CLIENT },
	{ "ping", CLIENT },
	{ "ping6", CLIENT },
	{ "resolvectl", CLIENT },
	{ "scp", OPTIONS(scp_options), CLIENT, .operands = OPERANDS_OWN, .special = scp_operands },
	{ "sftp", OPTIONS(scp_options), CLIENT, .acts = "reads and writes files" },
	{ "socat", CLIENT, .acts = "may run programs and write files" },
	{ "tcpdump", OPTIONS(tcpdump_options), CLIENT },
	{ "telnet", CLIENT },
	{ "tracepath", CLIENT },
	{ "traceroute", CLIENT },
	{ "wget", OPTIONS(wget_options), CLIENT, .special = wget_output },
	{ "whois", CLIENT },
};

const struct program_table program_table_net = { rows, countof(rows) };
