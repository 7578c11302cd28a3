#include "perm/program/case.h"
#include "test.h"

TEST(tar_reads_or_writes_by_its_options_and_may_run_programs)
{
	static const struct program_case cases[] = {
		{ "tar tf a.tar", "ro read:a.tar" },
		{ "tar -tf a.tar", "ro read:a.tar" },
		{ "tar tvf a.tar src", "ro read:a.tar" },
		{ "tar tdf a.tar", "rule read:a.tar" },
		{ "tar t", "rule" },
		{ "tar xf a.tar", "rule read:a.tar write:./.." },
		{ "tar xf a.tar -C /",
		  "rule escalates:-C changes the directory enter:/ read:a.tar write:./.." },
		{ "tar -C / -xf a.tar",
		  "rule escalates:-C changes the directory enter:/ read:a.tar write:./.." },
		{ "tar -xf a.tar --directory=/", "rule escalates:--directory changes the directory "
						 "enter:/ read:a.tar write:./.." },
		{ "tar -xf a.tar --dir /", "rule escalates:--directory changes the directory "
					   "enter:/ read:a.tar write:./.." },
		{ "tar xfC a.tar /",
		  "rule escalates:-C changes the directory enter:/ read:a.tar write:./.." },
		{ "tar cf a.tar src", "rule write:a.tar read:src/.." },
		{ "tar -czf a.tar.gz src README",
		  "rule write:a.tar.gz read:src/.. read:README/.." },
		{ "tar czf - src", "rule read:src/.." },
		{ "tar cf a.tar --checkpoint=1 --checkpoint-action=exec=sh f",
		  "rule escalates:--checkpoint-action may run a program write:a.tar read:f/.." },
		{ "tar cf a.tar --checkpoint-act=exec=sh f",
		  "rule escalates:--checkpoint-action may run a program write:a.tar read:f/.." },
		{ "tar xf a.tar --to-command=sh",
		  "rule escalates:--to-command runs a program read:a.tar write:./.." },
		{ "tar xf a.tar --to-c sh",
		  "rule escalates:--to-command runs a program read:a.tar write:./.." },
		{ "tar -I ./x -xf a", "rule escalates:-I runs a program read:a write:./.." },
		{ "tar -I./x -xf a", "rule escalates:-I runs a program read:a write:./.." },
		{ "tar cIf ./x a.tar src",
		  "rule escalates:-I runs a program write:a.tar read:src/.." },
		{ "tar --use-compress=./x -xf a",
		  "rule escalates:--use-compress-program runs a program read:a write:./.." },
		{ "tar cf a.tar -T list",
		  "rule escalates:-T takes paths from a file read:list write:a.tar" },
		{ "tar cf a.tar -Tlist",
		  "rule escalates:-T takes paths from a file read:list write:a.tar" },
		{ "tar xPf a.tar",
		  "rule escalates:-P lets files be written anywhere read:a.tar write:./.." },
		{ "tar xOf a.tar x", "rule read:a.tar" },
		{ "tar rf a.tar b", "rule write:a.tar read:b/.." },
		{ "tar --delete -f a.tar b", "rule write:a.tar read:b/.." },
		{ "tar xf host:a.tar", "rule escalates:-f reaches another host write:./.." },
		{ "tar xf host:a --rsh-command=./x",
		  "rule escalates:--rsh-command runs a program +1 write:./.." },
		{ "tar xf ./a:b", "rule read:./a:b write:./.." },
		{ "tar cf a.tar -h src", "rule write:a.tar read:src/...." },
		{ "tar cf a.tar --remove-files src",
		  "rule escalates:--remove-files removes files write:a.tar read:src/.." },
		{ "tar cf a.tar --transform s/a/b/ src",
		  "rule escalates:--transform decides where files are written write:a.tar "
		  "read:src/.." },
		{ "tar xf a.tar --one-top-level=x",
		  "rule escalates:--one-top-level decides where files "
		  "are written write:x read:a.tar write:./.." },
		{ "tar cf \"$f\" src", "rule write:\"\" read:src/.." },
		{ "tar \"$x\"", "?" },
		{ "tar -tvzf a.tgz --exclude='*.o'", "ro read:a.tgz" },
		{ "tar -cvf a.tar -g snap src",
		  "rule escalates:-g writes a file write:snap write:a.tar read:src/.." },
		{ "tar cf a.tar -X ex src", "rule read:ex write:a.tar read:src/.." },
		{ "tar --list --file=a.tar", "ro read:a.tar" },
		{ "tar -F ./x -xf a", "rule escalates:-F runs a program read:a write:./.." },
	};

	program_check_all(cases, countof(cases));
}

TEST(archiver_reports_what_it_reads_and_writes)
{
	static const struct program_case cases[] = {
		{ "zip -r a.zip src", "rule write:a.zip/.. read:src/.." },
		{ "zip a.zip b -T -TT 'sh #'",
		  "rule escalates:-TT runs a program write:a.zip/.. read:b/.. read:sh #/.." },
		{ "zip a.zip b --unzip-command sh", "rule escalates:--unzip-command runs a program "
						    "write:a.zip/.. read:b/.. read:sh/.." },
		{ "zip -m a.zip b", "rule escalates:-m removes files write:a.zip/.. read:b/.." },
		{ "zip a.zip -@", "rule escalates:-@ takes paths from a file write:a.zip/.." },
		{ "unzip a.zip", "rule read:a.zip write:./.." },
		{ "unzip -l a.zip", "ro read:a.zip" },
		{ "unzip -p a.zip x", "ro read:a.zip" },
		{ "unzip a.zip -d /", "rule escalates:-d decides where files are written write:/ "
				      "read:a.zip write:./.." },
		{ "unzip -o a.zip -d out", "rule escalates:-d decides where files are written "
					   "write:out read:a.zip write:./.." },
		{ "unzip -: a.zip",
		  "rule escalates:-: lets files be written anywhere read:a.zip write:./.." },
		{ "gzip a", "rule remove:a" },
		{ "gzip -c a", "ro read:a" },
		{ "gzip -dc a.gz", "ro read:a.gz" },
		{ "gunzip a.gz", "rule remove:a.gz" },
		{ "gzip -l a.gz", "ro read:a.gz" },
		{ "gzip -rk src", "rule remove:src/.." },
		{ "xz -T4 a", "rule remove:a" },
		{ "xz --files=list", "rule escalates:--files takes paths from a file read:list" },
		{ "zstd -o b a", "rule escalates:-o writes a file write:b remove:a" },
		{ "zstd -dc a.zst", "ro read:a.zst" },
		{ "zcat a.gz", "ro read:a.gz" },
		{ "xzcat a.xz", "ro read:a.xz" },
		{ "bzip2 -k a", "rule remove:a" },
		{ "cpio -i", "rule write:./.." },
		{ "cpio -oF x", "rule escalates:-F writes a file write:x write:./.." },
		{ "rsync -a src/ dst/", "rule read:src//.. write:dst//.." },
		{ "rsync -a src/ host:dst/", "rule net read:src//.." },
		{ "rsync -e ./x src host:d", "rule net escalates:-e runs a program read:src" },
		{ "rsync --rsh=./x a h:b", "rule net escalates:--rsh runs a program read:a" },
		{ "rsync -ae ./x a h:b", "rule net escalates:-e runs a program read:a/.." },
		{ "rsync -a --delete empty/ /",
		  "rule escalates:--delete removes files read:empty//.. remove://.." },
		{ "rsync --files-from=l a b",
		  "rule escalates:--files-from takes paths from a file read:l read:a write:b" },
	};

	program_check_all(cases, countof(cases));
}
