/* What single options do, by hand: each line is about a row of a table that no other test names. */
#include "perm/program/case.h"
#include "test.h"

/* A command, and words that its line must contain (case.h). */
struct option_case {
	const char *command, *contains;
};

static void check(const struct option_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str line = STR_INIT;
		struct arena arena = ARENA_INIT;

		program_line(&line, sv_cstr(cases[i].command), &arena);
		if (!strstr(str_c(&line), cases[i].contains))
			fail_msg("%s: %s, without %s", cases[i].command, str_c(&line),
				 cases[i].contains);
		arena_clear(&arena);
	}
}

TEST(option_of_an_archiver_that_reads_writes_or_runs_is_seen)
{
	static const struct option_case cases[] = {
		{ "unzip -T a.zip", "escalates:-T" },
		{ "zstd -D dict f", "read:dict" },
		{ "zstd --patch-from=old f", "read:old" },
		{ "zstd --filelist=names", "read:names" },
		{ "zstd --filelist=names", "escalates:--filelist" },
		{ "zstd --rm f", "escalates:--rm" },
		{ "cpio -i -I in", "read:in" },
		{ "cpio -i -E names", "read:names" },
		{ "cpio -i -D dir", "enter:dir" },
		{ "cpio -i --rsh-command=x", "escalates:--rsh-command" },
		{ "cpio -i --absolute-filenames", "escalates:--absolute-filenames" },
		{ "rsync -L a b", "read:a" },
		{ "rsync --copy-unsafe-links -r a b", "...." },
		{ "rsync -f 'merge x' a b", "escalates:-f" },
		{ "rsync --filter=x a b", "escalates:--filter" },
	};

	check(cases, countof(cases));
}

TEST(option_of_a_build_tool_or_checker_that_reads_writes_or_runs_is_seen)
{
	static const struct option_case cases[] = {
		{ "ctest -O log", "write:log" },
		{ "ctest --output-junit out.xml", "write:out.xml" },
		{ "meson setup --cross-file x build", "escalates:--cross-file" },
		{ "mvn -l log test", "write:log" },
		{ "gradle --project-cache-dir x test", "write:x" },
		{ "dotnet restore --configfile x", "escalates:--configfile" },
		{ "dotnet build --output out", "write:out" },
		{ "npx --node-options=x y", "escalates:--node-options" },
		{ "npx --registry=x y", "escalates:--registry" },
		{ "bun --config=x run y", "escalates:--config" },
		{ "bun --cwd=x run y", "escalates:--cwd" },
		{ "eslint --cache-location x src", "write:x" },
		{ "eslint --ignore-path x src", "read:x" },
		{ "prettier --ignore-path x src", "read:x" },
		{ "prettier --cache-location x src", "write:x" },
		{ "rspec -O x", "escalates:-O" },
		{ "rspec --out x", "write:x" },
		{ "tox --workdir x", "write:x" },
		{ "tox --result-json x", "write:x" },
		{ "ruff check --output-file x src", "write:x" },
		{ "uv run -p ./python x", "escalates:-p" },
		{ "jest --outputFile=x", "write:x" },
		{ "mocha --config x", "escalates:--config" },
		{ "uv --index-url x sync", "escalates:--index-url" },
		{ "uv --env-file x run y", "escalates:--env-file" },
		{ "docker run --cidfile x y", "write:x" },
	};

	check(cases, countof(cases));
}

TEST(option_of_a_file_or_text_program_that_reads_writes_or_runs_is_seen)
{
	static const struct option_case cases[] = {
		{ "setfacl -M acl f", "read:acl" },
		{ "setfacl --restore=acl", "escalates:--restore" },
		{ "patch --follow-symlinks -i p", "escalates:--follow-symlinks" },
		{ "chmod -R -L 755 src", "...." },
		{ "file -p f", "escalates:-p" },
		{ "file --preserve-date f", "escalates:--preserve-date" },
		{ "file -s /dev/sda", "escalates:-s" },
		{ "file --no-sandbox f", "escalates:--no-sandbox" },
		{ "hexdump -f format f", "read:format" },
		{ "tree -H base", "escalates:-H" },
		{ "tree --fromfile names", "escalates:--fromfile" },
		{ "pgrep -F pid", "read:pid" },
		{ "pgrep --pidfile pid", "escalates:--pidfile" },
		{ "yq -s .name f", "escalates:-s" },
		{ "yq --from-file x f", "escalates:--from-file" },
		{ "yq --security-enable-system-operator . f",
		  "escalates:--security-enable-system-operator" },
		{ "yq -L dir . f", "escalates:-L" },
		{ "ag -p ignore x", "read:ignore" },
		{ "ag -f x", "...." },
		{ "fd --search-path src x", "list:src" },
		{ "tcpdump -r dump", "read:dump" },
		{ "nmap -iL hosts", "escalates:" },
		{ "nc -o out host 1", "write:out" },
		{ "time -o out ls", "write:out" },
	};

	check(cases, countof(cases));
}

TEST(option_of_git_that_reads_writes_or_changes_is_seen)
{
	static const struct option_case cases[] = {
		{ "git reflog expire --expire=now", "loses" },
		{ "git check-ignore --stdin", "rule" },
		{ "git tag -a v1 -m x", "rule" },
		{ "git submodule add --reference old url", "read:old" },
		{ "git apply --build-fake-ancestor=x p", "write:x" },
		{ "git read-tree --index-output=x HEAD", "write:x" },
		{ "git clone --reference old url", "read:old" },
		{ "git format-patch --signature-file=x HEAD", "read:x" },
		{ "git fast-import --import-marks=x", "read:x" },
	};

	check(cases, countof(cases));
}

TEST(option_of_a_wrapper_that_changes_what_runs_is_seen)
{
	static const struct option_case cases[] = {
		{ "env -a x ls", "escalates:-a" },
		{ "env --argv0=x ls", "escalates:--argv0" },
		{ "doas -s", "escalates:-s" },
		{ "doas -C conf ls", "read:conf" },
		{ "unshare -R dir ls", "enter:dir" },
		{ "unshare --wd=dir ls", "enter:dir" },
		{ "nsenter -W dir ls", "enter:dir" },
		{ "script -I in out", "write:in" },
		{ "script --log-out out", "write:out" },
		{ "hyperfine -p 'rm x' ls", "script{rm x}" },
		{ "hyperfine --cleanup 'rm x' ls", "script{rm x}" },
		{ "hyperfine --export-json out ls", "write:out" },
		{ "awl -p x --system-prompt-file=f", "read:f" },
		{ "awl why --settings=f Bash ls", "read:f" },
		{ "awl sandbox --bwrap=./x -- ls", "escalates:--bwrap" },
	};

	check(cases, countof(cases));
}
