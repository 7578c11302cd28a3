/* Programs that talk to other machines: none is ever read-only. Their rows are open but for
 * what writes files, reads them or runs something. */
#include "perm/program/table.h"

#define CLIENT .network = true, .is_tool = true
#define RUNS   "runs a program"

enum { CURL_DATA = 1, CURL_COOKIE, CURL_FORMAT, WGET_OUTPUT };

static const struct option_row curl_options[] = {
	{ "-#012346aBfgGhiIjklLMNpqRsSvVZ: -AemPQrtuUxXyYzC= --anyauth --append --aws-sigv4= "
	  "--basic --ca-native --cert-status --cert-type= --ciphers= --[no-]compressed "
	  "--compressed-ssh --connect-timeout= --connect-to= --continue-at= --create-dirs "
	  "--create-file-mode= --crlf --curves= --data-raw= --delegation= --digest --disable "
	  "--disable-eprt --disable-epsv --disallow-username-in-url --dns-interface= "
	  "--dns-ipv4-addr= --dns-ipv6-addr= --dns-servers= --doh-cert-status --doh-insecure "
	  "--doh-url= --expect100-timeout= --[no-]fail --fail-early --fail-with-body "
	  "--false-start --form-escape --form-string= --ftp-account= --ftp-create-dirs "
	  "--ftp-method= --ftp-pasv --ftp-port= --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc "
	  "--ftp-ssl-ccc-mode= --ftp-ssl-control --get --globoff --happy-eyeballs-timeout-ms= "
	  "--haproxy-clientip= --haproxy-protocol --head --help=? --hostpubmd5= "
	  "--hostpubsha256= --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge "
	  "--http3 --http3-only --ignore-content-length --include --[no-]insecure --interface= "
	  "--ipv4 --ipv6 --junk-session-cookies --[no-]keepalive --keepalive-time= --key-type= "
	  "--krb= --limit-rate= --list-only --local-port= --[no-]location --location-trusted "
	  "--login-options= --mail-auth= --mail-from= --mail-rcpt= --mail-rcpt-allowfails "
	  "--manual --max-filesize= --max-redirs= --max-time= --negotiate "
	  "--next --no-alpn --[no-]buffer --no-npn --[no-]progress-meter "
	  "--no-sessionid --noproxy= --ntlm --oauth2-bearer= --parallel --parallel-immediate "
	  "--parallel-max= --pass= --path-as-is --post301 --post302 --post303 --preproxy= "
	  "--progress-bar --proto= --proto-default= --proto-redir= --proxy= --proxy-anyauth "
	  "--proxy-basic --proxy-cert-type= --proxy-ciphers= --proxy-digest --proxy-insecure "
	  "--proxy-key-type= --proxy-negotiate --proxy-ntlm --proxy-pass= "
	  "--proxy-service-name= --proxy-tls13-ciphers= --proxy-tlsv1 --proxy-user= "
	  "--proxy1.0= --proxytunnel --quote= --range= --rate= --raw --referer= --remote-time "
	  "--request= --request-target= --resolve= --retry= --retry-all-errors "
	  "--retry-connrefused --retry-delay= --retry-max-time= --sasl-authzid= --sasl-ir "
	  "--service-name= --[no-]show-error --[no-]silent --socks4= --socks4a= --socks5= "
	  "--socks5-basic --socks5-hostname= --speed-limit= --speed-time= --ssl --ssl-reqd "
	  "--sslv2 --sslv3 --[no-]styled-output --suppress-connect-headers --tcp-fastopen "
	  "--tcp-nodelay --telnet-option= --tftp-blksize= --tftp-no-options --time-cond= "
	  "--tls-max= --tls13-ciphers= --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 "
	  "--tr-encoding --trace-ids --trace-time --use-ascii --user= --user-agent= "
	  "--[no-]verbose --version" },
	{ "-d= -F= -H= --data= --data-ascii= --data-binary= --data-urlencode= --json= --form= "
	  "--header= --proxy-header= --url= --url-query=",
	  .tag = CURL_DATA },
	{ "-b= --cookie=", .tag = CURL_COOKIE },
	{ "-w= --write-out=", .tag = CURL_FORMAT },
	{ "-T= --upload-file= -E= --cert= --key= --cacert= --capath= --crlfile= --netrc-file= "
	  "--etag-compare= --pubkey= --proxy-cacert= --proxy-capath= --proxy-cert= "
	  "--proxy-crlfile= --proxy-key= --random-file=",
	  EFFECT_READS },
	{ "-o= --output= -c= --cookie-jar= -D= --dump-header= --trace= --trace-ascii= --stderr= "
	  "--libcurl= --hsts= --alt-svc= --output-dir= --etag-save= --ssl-sessions=",
	  EFFECT_WRITES },
	{ "-OJ --remote-name --remote-name-all --remote-header-name --xattr", EFFECT_ACTS,
	  "writes a file" },
	{ "-n --netrc --netrc-optional", EFFECT_ACTS, "sends passwords out of a file" },
	{ "-K= --config=", EFFECT_LOADS, "takes more from a file" },
	{ "--engine= --unix-socket= --abstract-unix-socket= --egd-file= --variable=", EFFECT_ACTS,
	  "takes more from elsewhere" },
};

static bool is_file_mark(char c)
{
	return c == '@' || c == '<';
}

/* "@file", "name=@file", "name@file" send a file. */
static void curl_value(struct look *look, const struct seen *seen)
{
	size_t at = 0;

	while (at < seen->value.len && !is_file_mark(seen->value.ptr[at]))
		at++;
	if (at < seen->value.len)
		look_path(look, seen->value_arg, sv_skip(seen->value, at + 1), OPERAND_READ);
}

static void curl_data(struct look *look)
{
	for (size_t i = 0; i < look->seen.n; i++) {
		const struct seen *seen = &look->seen.at[i];
		bool is_cookie = seen->row->tag == CURL_COOKIE;

		if (is_cookie && sv_find_char(seen->value, '=') == SIZE_MAX)
			look_path(look, seen->value_arg, seen->value, OPERAND_READ);
		else if (!is_cookie)
			curl_value(look, seen);
		if (seen->row->tag == CURL_FORMAT &&
		    (!seen->known || sv_find(seen->value, SV("%output")) != SIZE_MAX))
			look_acts(look, seen->arg, SV("--write-out"), "writes a file");
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

/* It stores what it gets in this directory unless told otherwise, by the last part of its
 * address. */
static void wget_output(struct look *look)
{
	if (look_seen(look, WGET_OUTPUT))
		return;
	look_path(look, 0, SV("."), OPERAND_WRITE);
	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		struct sv url = look->argv[arg].text, name = sv_basename(url);

		if (name.len)
			look_path(look, arg, name, OPERAND_WRITE);
	}
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
	{ "curl", OPTIONS(curl_options), CLIENT, .closed = true, .special = curl_data },
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
