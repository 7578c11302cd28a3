/* Programs that talk to other machines: none is ever read-only. Most rows are open: they
 * list what writes files, reads them or runs something. */
#include "perm/program/special.h"

static const struct option_row scp_options[] = {
	{ "-346ABCOpqTvR -cDlPX=" },
	{ "-r", EFFECT_RECURSES },
	{ "-i=", EFFECT_READS },
	{ "-o= -S= -F= -J= -s= -b=", EFFECT_RUNS, "may run a program" },
};

static const struct program_row network_rows[] = {
	{ "aria2c", CLIENT, .escalates = "writes files" },
	{ "avahi-resolve", CLIENT },
	{ "curl", CLOSED_TOOL | NETWORK, .special = network_curl,
	  OPTIONS({ "-#012346aBfgGhiIjklLMNpqRsSvVZ -AemPQrtuUXyYzC= --anyauth --append "
		    "--aws-sigv4= --basic --ca-native --cert-status --cert-type= --ciphers= "
		    "--[no-]compressed --compressed-ssh --connect-timeout= "
		    "--continue-at= --create-dirs --create-file-mode= --crlf --curves= "
		    "--data-raw= --delegation= --digest --disable --disable-eprt --disable-epsv "
		    "--disallow-username-in-url --dns-interface= --dns-ipv4-addr= "
		    "--dns-ipv6-addr= --doh-cert-status --doh-insecure "
		    "--expect100-timeout= --[no-]fail --fail-early --fail-with-body --false-start "
		    "--form-escape --form-string= --ftp-account= --ftp-create-dirs --ftp-method= "
		    "--ftp-pasv --ftp-port= --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc "
		    "--ftp-ssl-ccc-mode= --ftp-ssl-control --get --globoff "
		    "--happy-eyeballs-timeout-ms= --haproxy-clientip= --haproxy-protocol --head "
		    "--help=? --hostpubmd5= --hostpubsha256= --http0.9 --http1.0 --http1.1 "
		    "--http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length "
		    "--include --[no-]insecure --interface= --ipv4 --ipv6 --junk-session-cookies "
		    "--[no-]keepalive --keepalive-time= --key-type= --krb= --limit-rate= "
		    "--list-only --local-port= --[no-]location --location-trusted "
		    "--login-options= --mail-auth= --mail-from= --mail-rcpt= "
		    "--mail-rcpt-allowfails --manual --max-filesize= --max-redirs= --max-time= "
		    "--negotiate --no-alpn --[no-]buffer --no-npn --[no-]progress-meter "
		    "--no-sessionid --noproxy= --ntlm --oauth2-bearer= --parallel "
		    "--parallel-immediate --parallel-max= --pass= --path-as-is --post301 "
		    "--post302 --post303 --progress-bar --proto= --proto-default= "
		    "--proto-redir= --proxy-anyauth --proxy-basic --proxy-cert-type= "
		    "--proxy-ciphers= --proxy-digest --proxy-insecure --proxy-key-type= "
		    "--proxy-negotiate --proxy-ntlm --proxy-pass= --proxy-service-name= "
		    "--proxy-tls13-ciphers= --proxy-tlsv1 --proxy-user= --proxytunnel "
		    "--quote= --range= --rate= --raw --referer= --remote-time --request= "
		    "--request-target= --retry= --retry-all-errors --retry-connrefused "
		    "--retry-delay= --retry-max-time= --sasl-authzid= --sasl-ir --service-name= "
		    "--[no-]show-error --[no-]silent "
		    "--socks5-basic --speed-limit= --speed-time= --ssl "
		    "--ssl-reqd --sslv2 --sslv3 --[no-]styled-output --suppress-connect-headers "
		    "--tcp-fastopen --tcp-nodelay --telnet-option= --tftp-blksize= "
		    "--tftp-no-options --time-cond= --tls-max= --tls13-ciphers= --tlsv1 --tlsv1.0 "
		    "--tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-ids --trace-time "
		    "--use-ascii --user= --user-agent= --[no-]verbose --version" },
		  { "-d= -F= -H= --data= --data-ascii= --data-binary= --data-urlencode= --json= "
		    "--form= --header= --proxy-header= --url-query=",
		    .tag = CURL_DATA },
		  { "-x= -: --connect-to= --dns-servers= --doh-url= --next --preproxy= --proxy= "
		    "--proxy1.0= --resolve= --socks4= --socks4a= --socks5= --socks5-hostname=",
		    EFFECT_LEADS },
		  { "--url=", EFFECT_LEADS, .tag = CURL_DATA },
		  { "-b= --cookie=", .tag = CURL_COOKIE },
		  { "-w= --write-out=", .tag = CURL_FORMAT },
		  { "-T= --upload-file= -E= --cert= --key= --cacert= --capath= --crlfile= "
		    "--netrc-file= --etag-compare= --pubkey= --proxy-cacert= --proxy-capath= "
		    "--proxy-cert= --proxy-crlfile= --proxy-key= --random-file=",
		    EFFECT_READS },
		  { "-o= --output= -c= --cookie-jar= -D= --dump-header= --trace= --trace-ascii= "
		    "--stderr= --libcurl= --hsts= --alt-svc= --output-dir= --etag-save= "
		    "--ssl-sessions=",
		    EFFECT_WRITES },
		  { "-OJ --remote-name --remote-name-all --remote-header-name --xattr",
		    EFFECT_ESCALATES, "writes a file" },
		  { "-n --netrc --netrc-optional", EFFECT_ESCALATES,
		    "sends passwords out of a file" },
		  { "-K= --config=", EFFECT_LOADS, "reads more from a file" },
		  { "--engine= --unix-socket= --abstract-unix-socket= --egd-file= --variable=",
		    EFFECT_ESCALATES, "uses another engine, socket or file" }) },
	{ "dig", CLIENT, OPTIONS({ "-f=", EFFECT_READS }, { "-bcpqtxyk=" }) },
	{ "drill", .alias_of = "dig" },
	{ "ftp", CLIENT, .escalates = "reads and writes files" },
	{ "getent", CLIENT },
	{ "host", CLIENT },
	{ "http", CLIENT },
	{ "https", CLIENT },
	{ "lftp", CLIENT, .escalates = "reads and writes files" },
	{ "mtr", CLIENT },
	{ "nc", CLIENT,
	  OPTIONS({ "-ec= -g= --exec= --sh-exec= --lua-exec=", EFFECT_RUNS },
		  { "-ox= --output= --hex-dump=", EFFECT_WRITES }, { "-ipqwsXTIOPV=" }) },
	{ "ncat", .alias_of = "nc" },
	{ "netcat", .alias_of = "nc" },
	{ "nmap", CLIENT | ONE_DASH_LONG,
	  OPTIONS({ "-oN= -oX= -oS= -oG= -oA=", EFFECT_WRITES },
		  { "-iL= -iR= --excludefile= --resume=", EFFECT_ESCALATES,
		    "takes targets from a file" },
		  { "-sC -A --script= --script-args-file= --datadir= --servicedb= --stylesheet=",
		    EFFECT_ESCALATES, "runs scripts" }) },
	{ "nslookup", CLIENT },
	{ "ping", CLIENT },
	{ "ping6", CLIENT },
	{ "resolvectl", CLIENT },
	{ "scp", CLIENT, .special = network_scp, OPTIONS_OF(scp_options) },
	{ "sftp", CLIENT, .escalates = "reads and writes files", OPTIONS_OF(scp_options) },
	{ "socat", CLIENT, .escalates = "may run programs and write files" },
	{ "tcpdump", CLIENT,
	  OPTIONS({ "-z= --postrotate-command=", EFFECT_RUNS }, { "-w=", EFFECT_WRITES },
		  { "-rFV=", EFFECT_READS }, { "-BCDEGicjMsTWyZ=" }) },
	{ "telnet", CLIENT },
	{ "tracepath", CLIENT },
	{ "traceroute", CLIENT },
	{ "wget", CLIENT, .special = network_wget,
	  OPTIONS({ "-bcdEFhHkKLmNpqrSvVx46 -n=? -tTwQUlARDI= --tries= --timeout= --wait= "
		    "--header= --user-agent= --post-data= --user= --password= --referer= "
		    "--method= --body-data=" },
		  { "-O= --output-document=", EFFECT_WRITES, .tag = WGET_OUTPUT },
		  { "-oaP= --output-file= --append-output= --directory-prefix= --save-cookies= "
		    "--warc-file= --hsts-file= --rejected-log=",
		    EFFECT_WRITES },
		  { "--post-file= --body-file= --load-cookies= --certificate= --ca-certificate= "
		    "--private-key=",
		    EFFECT_READS },
		  { "-e= --execute= --use-askpass= --config=", EFFECT_ESCALATES,
		    "may run a program" },
		  { "-i= --input-file= --input-metalink=", EFFECT_LOADS,
		    "takes addresses from a file" }) },
	{ "whois", CLIENT },
};

const struct program_table program_table_network = { network_rows, countof(network_rows) };
