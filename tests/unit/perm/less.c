/* What need not be asked about, and what is one step beyond it. */
#include "perm/fake_world.h"
#include "test.h"

struct row {
	const char *command;
	enum behavior expected;
	const char *allow, *deny;
};

#define ALLOW BEHAVIOR_ALLOW
#define ASK   BEHAVIOR_ASK
#define DENY  BEHAVIOR_DENY
#define MAKE  "Bash(make:*)"
#define ANY   "Bash(*)"

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct row *row = &rows[i];
		struct perm_policy policy = fake_policy(PERM_DEFAULT, row->allow ? row->allow : "",
							"", row->deny ? row->deny : "");
		struct verdict v = fake_decide(&policy, row->command);

		if (v.behavior != row->expected)
			print_error("%s: %s: %s\n", row->command, behavior_name(v.behavior),
				    v.text);
		CHECK_INT(v.behavior, row->expected);
		perm_policy_clear(&policy);
	}
}

TEST(directory_option_of_git_and_make_works_like_cd)
{
	static const struct row rows[] = {
		{ "git -C src log", ALLOW },
		{ "git -C src status > /dev/null", ALLOW },
		{ "git -C lib log", ALLOW }, /* a link that stays inside */
		{ "git -C src push", ASK },
		{ "git -C src push", ALLOW, "Bash(git push:*)" },
		{ "git -C src push --force", ASK, "Bash(git push:*)" },
		{ "git -C src log --output=x", ASK },
		{ "git -C src grep x ../..", ASK },
		{ "git -C src grep x ..", ALLOW },
		{ "git -C src log > src/x", ASK },
		{ "git -C .. log", ASK },
		{ "touch src/x; git -C .. log", ASK }, /* there is no repository above */
		{ "git -C lib/../.. log", ASK },       /* behind the link ".." is the project */
		{ "git -C out log", ASK },
		{ "git -C nested log", ASK },
		{ "git -C other log", ASK },
		{ "git -C src -c core.pager=x log", ASK },
		{ "git -C src -C .. log", ASK },
		{ "git -C $d log", ASK },
		{ "git -C .git commit -m x", ASK, "Bash(git commit:*)" },
		{ "git -C src show .mcp.json", DENY, ANY, "Read(src/.mcp.json)" },
		{ "git -C src push", DENY, ANY, "Bash(git push:*)" },
		{ "git '-C' src log", DENY, ANY, "Bash(git -C:*)" },
		{ "make -C src", ALLOW, MAKE },
		{ "make -C src test", ALLOW, "Bash(make test:*)" },
		{ "make -C src deploy", DENY, MAKE, "Bash(make deploy:*)" },
		{ "make -C src SHELL=x", ASK, MAKE },
		{ "make -C ..", ASK, MAKE },
		{ "make -j4 test -C src", ALLOW, MAKE },
		{ "make -j4 deploy -C src", DENY, MAKE, "Bash(make -j4 deploy:*)" },
		{ "git --no-pager -C src log", ALLOW },
		{ "git --no-pager -C src checkout -- a.c", ASK, "Bash(git:*)" },
		{ "ninja -C build", ALLOW, "Bash(ninja:*)" },
		{ "ninja -C build -C ..", ASK, "Bash(ninja:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(nproc_output_is_a_number)
{
	static const struct row rows[] = {
		{ "make -j$(nproc)", ALLOW, MAKE },
		{ "make -j\"$(nproc)\" all", ALLOW, MAKE },
		{ "make -j `nproc` all", ALLOW, MAKE },
		{ "make JOBS=$(nproc)", ALLOW, MAKE },
		{ "ninja -C build -j $(nproc)", ALLOW, "Bash(ninja:*)" },
		{ "ninja -j$(nproc) -v", ALLOW, "Bash(ninja:*)" },
		{ "ninja -j$(nproc) -C build", ASK, "Bash(ninja:*)" },
		{ "ninja -j$(nproc) -C .. all", ASK, "Bash(ninja:*)" },
		{ "ninja -j$(nproc) -t -f all", ASK, "Bash(ninja:*)" },
		{ "make -j$(nproc)", ASK },
		{ "make -j$(nproc)", DENY, MAKE, "Bash(nproc:*)" },
		{ "make $(nproc)", ASK, MAKE, "Bash(make deploy:*)" },
		{ "make -j$(nproc; echo ' --eval=x')", ASK, MAKE },
		{ "make -j$(nproc --x)", ASK, MAKE },
		{ "make -j$(X=1 nproc)", ASK, MAKE },
		{ "make -j$(./nproc)", ASK, MAKE },
		{ "make -j$(nproc)$x", ASK, MAKE },
		{ "make $x$(nproc)", ASK, MAKE },
		{ "make CC=x$(nproc)", ASK, MAKE },
		{ "nproc() { echo --eval=x; }; make -j $(nproc)", ASK, MAKE },
		{ "alias nproc='echo x'; make -j $(nproc)", ASK, MAKE ",Bash(alias:*)" },
		{ "PATH=.; make -j $(nproc)", ASK, MAKE ",Bash(alias:*)" },
		{ "PATH=. sh -c 'make -j $(nproc)'", ASK, MAKE ",Bash(sh:*)" },
		/* Where it prints nothing, "--pre=x" would be an option. */
		{ "rg -m $(nproc) -e --pre=x src", ASK, "Bash(rg:*)" },
		{ "rg -m$(nproc) -e --pre=x src", ASK, "Bash(rg:*)" },
		{ "rg -m $(nproc) x src", ASK },
		{ "cat $(nproc)", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(commit_name_is_neither_an_option_nor_a_path)
{
	static const struct row rows[] = {
		{ "git diff $(git merge-base main HEAD)", ALLOW },
		{ "git log --oneline $(git merge-base main HEAD)..HEAD", ALLOW },
		{ "git diff \"$(git merge-base origin/main HEAD)\" --stat -- src", ALLOW },
		{ "git show $(git rev-parse --short HEAD~2)", ALLOW },
		{ "docker build -t app:$(git rev-parse --short HEAD) .", ALLOW,
		  "Bash(docker build:*)" },
		{ "git diff $(git merge-base main HEAD) --output=x", ASK },
		{ "git diff $(git merge-base main HEAD)../../x", ASK },
		{ "git show $(git rev-parse HEAD):.env", ASK },
		{ "git diff $(git rev-parse .env)", ASK },
		{ "git diff $(git rev-parse -- --output=x)", ASK },
		{ "git diff $(git merge-base $x HEAD)", ASK },
		{ "git diff $(git -C nested merge-base main HEAD)", ASK },
		{ "git() { echo --output=x; }; git diff $(git rev-parse HEAD)", ASK },
		{ "git diff $(git log -1 --format=%s)", ASK },
		/* Where it prints nothing, what follows is something else. */
		{ "docker -l $(git merge-base a b) ps run -v /:/h x", ASK, "Bash(docker:*)" },
		{ "make -o $(git merge-base a b) -W SHELL=./x", ASK, MAKE },
		{ "make -o $(git merge-base a b) SHELL=./x", ASK, MAKE },
		{ "git config $(git merge-base a b) user.name alias.x", ASK, "Bash(git config:*)" },
		{ "git push origin +$(git rev-parse HEAD)", ASK, "Bash(git push:*)" },
		{ "cat $(git rev-parse HEAD)", ASK },
		{ "rm -rf $(git rev-parse HEAD)..", ASK, "Bash(rm:*)" },
		{ "git diff $(git rev-parse HEAD)", DENY, NULL, "Bash(git rev-parse:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(assignment_that_only_prints_or_splits_is_not_asked_about)
{
	static const struct row rows[] = {
		{ "PAGER=cat git log", ALLOW },
		{ "GIT_PAGER= git log", ALLOW },
		{ "PAGER=./x git log", ASK },
		{ "PAGER=$x git log", ASK },
		{ "PAGER+=cat git log", ASK },
		{ "PAGER=cat; git log", ASK },
		{ "while IFS= read -r l; do echo \"$l\"; done < README.md", ALLOW },
		{ "IFS=: ls", ASK },
		{ "IFS=: command read x", ASK },
		{ "read() { cat $HOME; }; IFS=/ read", ASK },
		{ "false && read() { ls; }; IFS=/ read", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(wrapper_rule_must_spell_escalating_options_inside)
{
	static const struct row rows[] = {
		{ "env git log -3", ALLOW, "Bash(env git log:*)" },
		{ "env git log --output=x", ASK, "Bash(env git log:*)" },
		{ "ls | xargs -0 rg -n x", ALLOW, "Bash(xargs -0 rg:*)" },
		{ "ls | xargs -0 rg --pre ./x", ASK, "Bash(xargs -0 rg:*)" },
		{ "find . -exec sed -n 1p {} +", ALLOW, "Bash(find * -exec sed:*)" },
		{ "find . -exec sed -i s/a/b/ {} +", ASK, "Bash(find * -exec sed:*)" },
		{ "find . -exec sed -n 1p {} + -delete", ASK, "Bash(find * -exec sed:*)" },
		{ "sudo git push --force", ASK, "Bash(sudo git push:*)" },
	};

	check_rows(rows, countof(rows));
}

TEST(rule_that_spells_assignments_covers_them)
{
	static const struct row rows[] = {
		{ "FOO=1 npm test", ALLOW, "Bash(FOO=1 npm test)" },
		{ "FOO=2 npm test", ASK, "Bash(FOO=1 npm test)" },
		{ "FOO=1 npm test", ASK, "Bash(npm test)" },
		{ "FOO=1 npm test", ALLOW, "Bash(FOO=1 npm test:*)" },
		{ "FOO=1 npm test -- x", ALLOW, "Bash(FOO=1 npm test:*)" },
		{ "FOO=2 npm test", ASK, "Bash(FOO=1 npm test:*)" },
		{ "FOO=1 BAR=2 npm test", ASK, "Bash(FOO=1 npm test:*)" },
		{ "FOO=1 BAR=2 npm test", ALLOW, "Bash(FOO=1 BAR=2 npm test:*)" },
		{ "FOO=\"a b\" npm test", ALLOW, "Bash(FOO='a b' npm test:*)" },
		{ "FOO=7 npm test", ALLOW, "Bash(FOO=* npm test)" },
		{ "FOO=1 npm test; FOO=2 npm test", ASK, "Bash(FOO=1 npm test:*)" },
		{ "FOO=$x npm test", ASK, "Bash(FOO=* npm test:*)" },
		{ "PATH=. npm test", ASK, "Bash(PATH=. npm test:*)" },
		{ "env FOO=1 npm test", ALLOW, "Bash(env FOO=1 npm test:*)" },
		{ "env FOO=1 npm test", ASK, "Bash(env FOO=1:*)" },
		{ "env FOO=1 npm test", ASK, "Bash(env:*)" },
		{ "env PATH=. npm test", ASK, "Bash(env PATH=. npm test:*)" },
		{ "FOO=$x npm test", ASK, "Bash(FOO=$x npm test)" },
		{ "PATH=. npm test", ASK, "Bash(PATH=. npm test)" },
		{ "LD_PRELOAD=x npm test", ASK, "Bash(LD_PRELOAD=x npm test)" },
	};

	check_rows(rows, countof(rows));
}

TEST(removal_affects_the_link_and_not_its_target)
{
	static const struct row rows[] = {
		{ "rm -rf out", ALLOW, "Bash(rm:*)" },
		{ "rm key evil", ALLOW, "Bash(rm:*)" },
		{ "rm -rf out/", DENY, "Bash(rm:*)" },
		{ "rm -rf out/.", DENY, "Bash(rm:*)" },
		{ "rm -rf out/*", DENY, "Bash(rm:*)" },
		{ "rm -rf out/notes", ASK, "Bash(rm:*)" },
		{ "rm git", ALLOW, "Bash(rm:*)" },
		{ "rm git/config", ASK, "Bash(rm:*)" },
		{ "rm lib/.mcp.json", ASK, "Bash(rm:*)" },
		{ "shred key", ASK, "Bash(rm:*)" },
		{ "mv key x; echo hi > x", DENY, ANY, "Edit(.env)" },
		{ "mv out x", ASK, "Bash(mv:*)" }, /* the files that it leads to are outside */
		{ "mv out/ x", DENY, "Bash(mv:*)" },
		{ "mv out/notes x", ASK, "Bash(mv:*)" },
		{ "mv out x; rm -rf x/", DENY, "Bash(mv:*),Bash(rm:*)" },
		{ "mv key x; cat x", ASK, "Bash(mv:*)" },
		{ "mv git x; touch x/hooks/y", ASK, "Bash(mv:*),Bash(touch:*)" },
		{ "rm out", DENY, "Bash(rm:*)", "Edit(out)" },
		{ "rm lib/a.c", DENY, "Bash(rm:*)", "Edit(src/a.c)" },
	};

	check_rows(rows, countof(rows));
}

TEST(facts_about_the_machine_may_be_read)
{
	static const struct row rows[] = {
		{ "cat /etc/os-release /proc/cpuinfo /proc/meminfo", ALLOW },
		{ "grep -c processor /proc/cpuinfo", ALLOW },
		{ "ls /tmp", ALLOW },
		{ "ls -la /usr/include", ALLOW },
		{ "grep -rn EAGAIN /usr/include", ALLOW },
		{ "cat /tmp/x", ASK },
		{ "ls -R /tmp", ASK },
		{ "find /tmp", ASK },
		{ "ls /", ASK },
		{ "cat /etc/passwd", ASK },
		{ "cat /proc/1/environ", ASK },
		{ "cat /usr/include/../../etc/shadow", ASK },
		{ "cp a.c /usr/include/a.h", ASK, "Bash(cp:*)" },
		{ "cat /proc/cpuinfo", DENY, ANY, "Read(//proc/**)" },
	};

	check_rows(rows, countof(rows));
}

TEST(reader_may_get_its_files_from_a_command_that_lists_them)
{
	static const struct row rows[] = {
		{ "find src -name '*.c' | xargs grep -n x", ALLOW },
		{ "find src -name '*.c' -print0 | xargs -0 grep -n x", ALLOW },
		{ "find src -type f | xargs -r wc -l | tail -1", ALLOW },
		{ "find src -name '*.c' -exec grep -l x {} +", ALLOW },
		{ "find src -name '*.c' -exec grep -l x {} \\;", ALLOW },
		{ "cd src && git ls-files | xargs wc -l", ALLOW },
		{ "cd src && git ls-files -z | xargs -0 cat", ALLOW },
		/* Links lead elsewhere, and are not printed. */
		{ "find . -name '*.c' | xargs grep -n x", ALLOW },
		{ "find . -name '*.c' -exec grep -l x {} +", ALLOW },
		{ "find . -name '*.c' -print | xargs grep -n x", ALLOW },
		/* Links lead elsewhere. */
		{ "find . -name 'e*' | xargs grep -n x", ASK },
		{ "find . -print -name '*.c' | xargs grep -n x", ASK },
		{ "find . -print0 -name '*.c' | xargs -0 grep -n x", ASK },
		{ "find . -exec cat {} + -name '*.c'", ASK },
		{ "find . -exec cat {} \\; -name '*.c'", ASK },
		{ "find . -name 'e*' -print -name '*.c' | xargs cat", ASK },
		{ "find -L . -name '*.c' | xargs cat", ASK },
		{ "find . -follow -name '*.c' | xargs cat", ASK },
		{ "cat $(find . -print -name '*.c')", ASK },
		{ "find . -exec cat {} +", ASK },
		{ "git ls-files | xargs wc -l", ASK },
		{ "find -L src | xargs cat", ASK },
		{ "find lib | xargs cat", ASK },
		{ "find .. | xargs cat", ASK },
		/* Not only names, or not only readers. */
		{ "find src -printf '/etc/passwd' | xargs cat", ASK },
		{ "echo /etc/passwd | xargs cat", ASK },
		{ "cat src/a.c | xargs cat", ASK },
		{ "find src | xargs rm", ASK },
		{ "find src | xargs uniq", ASK },
		{ "find src | xargs sort -o x", ASK },
		{ "find src | xargs sh -c 'cat \"$@\"' x", ASK },
		{ "find src -print0 | xargs cat", ASK },
		{ "find src | xargs -0 cat", ASK },
		{ "find src | xargs -I{} cat {}", ASK },
		{ "find src | xargs -a f cat", ASK },
		{ "find src -exec cat {} + -delete", ASK },
		{ "find src -execdir cat {} +", ASK },
		{ "find src -exec rm {} +", ASK },
		{ "find src -exec ./grep x {} +", ASK },
		{ "find src -exec cat {} + > /etc/x", ASK },
		{ "touch -- src/-f; find src | xargs grep x", ASK, "Bash(touch:*)" },
		{ "find $x | xargs cat", ASK },
		{ "find src | xargs cat", ASK, NULL, "Read(src/a.c)" },
		/* As arguments, however many there are. */
		{ "cat $(git ls-files '*.c')", ALLOW },
		{ "cat README.md $(find src -name '*.c')", ALLOW },
		{ "wc -l $(git ls-files '*.c' '*.h') | sort -n", ALLOW },
		{ "cat $(git ls-files)", ASK },
		{ "wc -l $(git ls-files 'e*')", ASK },
		{ "cat $(git ls-files '*.c') evil", ASK },
		{ "cat $(git ls-files '*.c') $x", ASK },
		{ "cat \"$(git ls-files '*.c')\"", ASK },
		{ "cat $(git ls-files '*.c' | head -1)", ASK },
		{ "rg -e $(git ls-files '*.c') --pre=./x", ASK },
		{ "rm $(git ls-files '*.c')", ASK },
		{ "cat $(git ls-files '*.c')", ASK, NULL, "Read(src/a.c)" },
		/* Names that ls gets. */
		{ "cat $(ls src/*.c)", ALLOW },
		{ "wc -l $(ls -1t src/a.c README.md 2>/dev/null)", ALLOW },
		{ "grep -n x $(ls src/*.c)", ALLOW },
		{ "cat $(ls)", ASK },
		{ "cat $(ls src)", ASK }, /* these are names in src */
		{ "cat $(ls src/a.c src)", ASK },
		{ "cat $(ls -l src/a.c)", ASK },
		{ "cat $(ls .env)", ASK },
		{ "cat $(ls key)", ASK },
		{ "cat $(ls evil)", ASK },
		{ "cat $(ls /etc/passwd)", ASK },
		{ "cat $(ls src/a.c) evil", ASK },
		{ "cat $(ls $x)", ASK },
		{ "rm $(ls src/*.c)", ASK },
		{ "ls() { echo /etc/passwd; }; cat $(ls src/a.c)", ASK },
		{ "cat $(ls src/a.c; echo /etc/passwd)", ASK },
		{ "cat $(cd src && ls a.c)", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(loop_through_a_list_of_files_may_read_each)
{
	static const struct row rows[] = {
		{ "for f in $(git ls-files '*.c'); do wc -l \"$f\"; done", ALLOW },
		{ "for f in $(git ls-files '*.c'); do wc -l $f; done", ALLOW },
		{ "for f in $(git ls-files '*.c'); do echo \"== $f\"; head -5 \"$f\"; done",
		  ALLOW },
		{ "for f in $(find src -name '*.c'); do grep -c main ${f}; done", ALLOW },
		{ "for f in $(ls src/*.c); do cat -- \"$f\" | head -1; done", ALLOW },
		{ "for f in $(git ls-files); do cat \"$f\"; done", ASK },
		{ "for f in $(find .); do cat \"$f\"; done", ASK },
		{ "for f in $(cat list); do cat \"$f\"; done", ASK },
		{ "for f in \"$(git ls-files '*.c')\"; do cat $f; done", ASK },
		{ "for f in $(git ls-files '*.c') evil; do cat $f; done", ASK },
		{ "for f in $(git ls-files '*.c' | head -1); do cat $f; done", ASK },
		{ "for f in $(git ls-files '*.c'); do cat /$f; done", ASK },
		{ "for f in $(git ls-files '*.c'); do cat \"${f%.c}\"; done", ASK },
		{ "for f in $(git ls-files '*.c'); do cat $f $f; done", ASK },
		{ "for f in $(git ls-files '*.c'); do rm $f; done", ASK },
		{ "for f in $(git ls-files '*.c'); do (cd .. && cat $f); done", ASK },
		{ "for f in $(git ls-files '*.c'); do f=/etc/passwd; cat $f; done", ASK },
		{ "for f in $(git ls-files '*.c'); do for f in evil; do cat $f; done; cat $f; done",
		  ASK },
		{ "for f in $(git ls-files '*.c'); do read f; cat $f; done", ASK },
		{ "for f in $(git ls-files '*.c'); do ls; done; cat $f", ASK },
		{ "for f in $(git ls-files '*.c'); do eval \"cat $f\"; done", ASK },
		{ "for f in $(git ls-files '*.c'); do ln -sf /etc/passwd src/a.c; cat $f; done",
		  ASK, "Bash(ln:*)" },
		{ "for f in $(git ls-files '*.c'); do cat $f; mv evil src/a.c; done", ASK,
		  "Bash(mv:*)" },
		{ "git() { echo /etc/passwd; }; for f in $(git ls-files); do cat $f; done", ASK },
		{ "IFS=a; for f in $(git ls-files '*.c'); do cat $f; done", ASK },
		{ "for PATH in $(git ls-files '*.c'); do cat $PATH; done", ASK },
		{ "for f in $(git ls-files '*.c'); do cat $f; done", ASK, NULL, "Read(src/a.c)" },
	};

	check_rows(rows, countof(rows));
}

TEST(loop_that_reads_a_list_of_files_may_read_each)
{
	static const struct row rows[] = {
		{ "git ls-files '*.c' | while read f; do wc -l \"$f\"; done", ALLOW },
		{ "git ls-files '*.c' | while read -r f; do echo \"== $f\"; head -5 $f; done",
		  ALLOW },
		{ "find src -name '*.c' | while IFS= read -r f; do grep -c x \"$f\"; done", ALLOW },
		{ "find src -name '*.c' -print0 | while IFS= read -r -d '' f; do wc \"$f\"; done",
		  ALLOW },
		{ "find src -name '*.c' -print0 | while read -rd '' f; do wc \"$f\"; done", ALLOW },
		{ "ls src/*.c | while read f; do cat -- \"$f\" | head -1; done", ALLOW },
		{ "git ls-files '*.c' | while read f; do ls; done", ALLOW },
		{ "git ls-files | while read f; do cat \"$f\"; done", ASK },
		{ "find . | while read f; do cat \"$f\"; done", ASK },
		{ "find src -name '*.c' -print0 | while read f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read -d '' f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read -d x f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read -a f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read -u 3 f; do wc \"$f\"; done 3<list", ASK },
		{ "find src -name '*.c' | while read f <list; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read f; do wc \"$f\"; done <list", ASK },
		{ "find src -name '*.c' | while read a f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | until read f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read f; read f; do wc \"$f\"; done", ASK },
		{ "find src -name '*.c' | while read f && f=evil; do wc \"$f\"; done", ASK },
		{ "cat list | while read f; do cat \"$f\"; done", ASK },
		{ "echo /etc/passwd | while read f; do cat \"$f\"; done", ASK },
		{ "while read f; do cat \"$f\"; done", ASK },
		{ "find src | sed s,^,/, | while read f; do wc \"$f\"; done", ASK },
		{ "(find src; echo evil) | while read f; do wc \"$f\"; done", ASK },
		{ "git ls-files '*.c' | while read f; do cat /$f; done", ASK },
		{ "git ls-files '*.c' | while read f; do cat \"${f%.c}\"; done", ASK },
		{ "git ls-files '*.c' | while read f; do rm $f; done", ASK },
		{ "git ls-files '*.c' | while read f; do (cd .. && cat $f); done", ASK },
		{ "git ls-files '*.c' | while read f; do f=/etc/passwd; cat $f; done", ASK },
		{ "git ls-files '*.c' | while read f; do read f; cat $f; done", ASK },
		{ "git ls-files '*.c' | while read f; do ls; done; cat $f", ASK },
		{ "git ls-files '*.c' | while read f; do eval \"cat $f\"; done", ASK },
		{ "git ls-files '*.c' | while read f; do sh -c \"$f\"; done", ASK },
		{ "git ls-files '*.c' | while read f; do $f; done", ASK },
		{ "git ls-files '*.c' | while read f; do cat $f; mv evil src/a.c; done", ASK,
		  "Bash(mv:*)" },
		{ "git() { echo /etc/passwd; }; git ls-files | while read f; do cat $f; done",
		  ASK },
		{ "read() { ls; }; git ls-files '*.c' | while read f; do cat $f; done", ASK },
		{ "IFS=a; git ls-files '*.c' | while read f; do cat $f; done", ASK },
		{ "git ls-files '*.c' | while IFS=a read f; do cat $f; done", ASK },
		{ "git ls-files '*.c' | while read PATH; do cat $PATH; done", ASK },
		{ "git ls-files '*.c' | while read; do cat $REPLY; done", ASK },
		{ "git ls-files '*.c' | while read f; do cat $f; done", ASK, NULL,
		  "Read(src/a.c)" },
	};

	check_rows(rows, countof(rows));
}

TEST(search_that_may_show_a_secret_is_asked_about_and_others_are_not)
{
	static const struct row rows[] = {
		{ "grep -rn frob .", ALLOW },
		{ "grep -rn 'frob\\|later' .", ALLOW },
		{ "grep -rnE 'frob|later' .", ALLOW },
		{ "grep -rnE '(foo|bar)_init' .", ALLOW },
		{ "grep -rnE '^int +main' . --include='*.c'", ALLOW },
		{ "grep -rn 'key' src", ALLOW },
		{ "grep -rl API_KEY .", ALLOW },
		{ "grep -rc API_KEY .", ALLOW },
		{ "grep -rq API_KEY .", ALLOW },
		{ "grep -rn API_KEY --include='*.c' .", ALLOW },
		{ "rg API_KEY", ALLOW }, /* it skips hidden files */
		{ "rg -n API_KEY -g '*.c'", ALLOW },
		{ "rg --hidden -n frobnicate", ALLOW },
		{ "rg --hidden -l API_KEY", ALLOW },
		{ "rg -uu --files", ALLOW },
		{ "git grep API_KEY", ALLOW },
		{ "ag API_KEY", ALLOW },
		{ "grep -rn API_KEY .", ASK },
		{ "grep -rin api_key .", ASK },
		{ "grep -rn 'API_K[E]Y' .", ASK },
		{ "grep -rn 'geh\\(x\\)*eim' .", ASK },
		{ "grep -rnP '\\x41PI' .", ASK },
		{ "grep -rnE 'frob|PI_K' .", ASK },
		{ "grep -rn -e frob -e KEY .", ASK },
		{ "grep -rn '' .", ASK },
		{ "grep -r . .", ASK },
		{ "grep -rnE 'frobx*|=' .", ASK },
		{ "grep -rnE 'x?=' .", ASK },
		{ "grep -rnE '[]x]*=' .", ASK },
		{ "grep -rnE '[^]x]=' .", ASK },
		{ "grep -rnE '[[:alpha:]x]=' .", ASK },
		{ "grep -rnP '(?x) K E Y' .", ASK },
		{ "grep -rvn frob .", ASK },
		{ "grep -rnf README.md .", ASK },
		{ "grep -rn KEY --include='.*' .", ASK },
		{ "grep -rn KEY --include='*' .", ASK },
		{ "rg --hidden KEY", ASK },
		{ "rg -. KEY", ASK },
		{ "rg -uu KEY", ASK },
		{ "rg -g '*' KEY", ASK },
		{ "rg --hidden --passthru frob", ASK },
		{ "rg --hidden -v frob", ASK },
		{ "git grep --untracked KEY", ASK },
		{ "git grep --no-index KEY", ASK },
		{ "git diff --no-index src .", ASK },
		{ "grep -rn API_KEY .", ASK, "Bash(grep:*)" },
		{ "grep -rn frob .", ALLOW, "Bash(grep:*)" },
		{ "grep -rn API_KEY .", ALLOW, "Bash(grep -rn API_KEY .)" },
		{ "grep -rn API_KEY .", ALLOW, ANY },
		{ "grep -rn API_KEY .", ALLOW, "Read(.env)" },
	};

	check_rows(rows, countof(rows));
}

TEST(search_of_the_tool_grep_that_may_show_a_secret_is_asked_about)
{
	static const struct {
		const char *input;
		enum behavior expected;
		const char *allow;
	} rows[] = {
		{ "{\"pattern\":\"API_KEY\"}", ALLOW }, /* only names */
		{ "{\"pattern\":\"API_KEY\",\"output_mode\":\"count\"}", ALLOW },
		{ "{\"pattern\":\"frob\",\"output_mode\":\"content\"}", ALLOW },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"*.{c,h}\"}", ALLOW },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"src/**/*.c\"}",
		  ALLOW },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"type\":\"py\"}", ALLOW },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\"}", ASK },
		{ "{\"pattern\":\"key\",\"-i\":true,\"output_mode\":\"content\"}", ASK },
		{ "{\"pattern\":\".\",\"output_mode\":\"content\"}", ASK },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"*\"}", ASK },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"*.c,*\"}", ASK },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"*.c .e*\"}", ASK },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"{*.c,.en*}\"}",
		  ASK },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\",\"glob\":\"!*.c\"}", ASK },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\"}", ALLOW, "Grep" },
		{ "{\"pattern\":\"KEY\",\"output_mode\":\"content\"}", ALLOW, "Read(.env)" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		struct perm_policy policy =
			fake_policy(PERM_DEFAULT, rows[i].allow ? rows[i].allow : "", "", "");
		struct err err;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(rows[i].input), 0, &err);
		struct verdict v =
			perm_decide(&policy, &(struct perm_request){ .tool = SV("Grep"),
								     .access = ACCESS_READ,
								     .path = SV("/home/me/pro"),
								     .input = json_root(doc) });

		CHECK(doc);
		if (v.behavior != rows[i].expected)
			print_error("%s: %s\n", rows[i].input, v.text);
		CHECK_INT(v.behavior, rows[i].expected);
		perm_policy_clear(&policy);
	}
}

TEST(arithmetic_with_numbers_that_programs_print_is_not_hidden)
{
	static const struct row rows[] = {
		{ "for i in $(seq 1 3); do echo $((i*2)); done", ALLOW },
		{ "for i in $(seq 3); do echo $(($i + 1)); done", ALLOW },
		{ "x=$(wc -l < README.md); echo $((x+1))", ALLOW },
		{ "n=$(git ls-files | wc -l); echo $((n / 2))", ALLOW },
		{ "t=$(date +%s); ls; echo $(( $(date +%s) ))", ASK },
		{ "x=$(cat README.md); echo $((x+1))", ASK },
		{ "x=$(wc -l README.md); echo $((x+1))", ASK }, /* the name is part of it */
		{ "for i in $(seq 1 $n); do echo $((i)); done", ASK },
		{ "for i in $(seq -f 'a[%g]' 3); do echo $((i)); done", ASK },
		{ "wc() { echo 'a[$(touch y)]'; }; x=$(wc -l < README.md); echo $((x))", ASK },
		{ "x=$(wc -l < README.md); read x; echo $((x))", ASK },
		{ "x=$(wc -l < README.md); sort -o $x README.md", ASK, "Bash(sort -o:*)" },
		{ "PATH=.; x=$(wc -l < README.md); echo $((x))", ASK },
	};

	check_rows(rows, countof(rows));
}

TEST(top_directory_of_the_work_tree_is_known)
{
	static const struct row rows[] = {
		{ "cd \"$(git rev-parse --show-toplevel)\" && ls", ALLOW },
		{ "cd src && cd \"$(git rev-parse --show-toplevel)\" && cat README.md", ALLOW },
		{ "cd \"$(git rev-parse --show-toplevel)\" && cat ../x", ASK },
		{ "cd \"$(git rev-parse --show-toplevel)\" && make", ALLOW, MAKE },
		{ "cd $(git rev-parse --show-toplevel) && ls", ASK }, /* blanks would split it */
		{ "cat \"$(git rev-parse --show-toplevel)/README.md\"", ASK }, /* git may fail */
		{ "rm -rf \"$(git rev-parse --show-toplevel)/x\"", ASK, "Bash(rm:*)" },
		{ "git() { echo /etc; }; cd \"$(git rev-parse --show-toplevel)\" && ls", ASK },
		{ "git init nested/new; cd nested/new && cd \"$(git rev-parse --show-toplevel)\" "
		  "&& ls",
		  ASK, "Bash(git init:*)" },
		{ "cd \"$(git rev-parse --git-dir)\" && ls", ASK },
	};

	check_rows(rows, countof(rows));
}
