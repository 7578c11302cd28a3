#include "tool/search/grep_types.h"

#include "text/match/wildmatch.h"

static const struct type {
	char name[12], globs[136]; /* globs separated by spaces */
} types[] = {
	{ "asm", "*.S *.asm *.s" },
	{ "bazel", "*.BUILD *.bazel *.bazelrc *.bzl BUILD WORKSPACE" },
	{ "c", "*.[chH] *.[chH].in *.cats" },
	{ "clojure", "*.clj *.cljc *.cljs *.cljx" },
	{ "cmake", "*.cmake CMakeLists.txt" },
	{ "config", "*.cfg *.conf *.config *.ini" },
	{ "cpp", "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh "
		 "*.hh.in *.inl" },
	{ "cs", "*.cs" },
	{ "css", "*.css *.scss" },
	{ "csv", "*.csv" },
	{ "dart", "*.dart" },
	{ "docker", "*Dockerfile*" },
	{ "elixir", "*.eex *.ex *.exs" },
	{ "elm", "*.elm" },
	{ "erlang", "*.erl *.hrl" },
	{ "fish", "*.fish" },
	{ "fsharp", "*.fs *.fsi *.fsx" },
	{ "go", "*.go" },
	{ "gradle", "*.gradle" },
	{ "groovy", "*.gradle *.groovy" },
	{ "h", "*.h *.hpp" },
	{ "haskell", "*.c2hs *.cpphs *.hs *.hsc *.lhs" },
	{ "html", "*.ejs *.htm *.html" },
	{ "java", "*.java *.jsp *.jspx *.properties" },
	{ "js", "*.js *.jsx *.vue" },
	{ "json", "*.json composer.lock" },
	{ "jsonl", "*.jsonl" },
	{ "julia", "*.jl" },
	{ "kotlin", "*.kt *.kts" },
	{ "less", "*.less" },
	{ "lisp", "*.el *.jl *.lisp *.lsp *.sc *.scm" },
	{ "lock", "*.lock package-lock.json" },
	{ "log", "*.log" },
	{ "lua", "*.lua" },
	{ "make", "*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in "
		  "[Mm]akefile [Mm]akefile.am [Mm]akefile.in" },
	{ "markdown", "*.markdown *.md *.mdown *.mkdn" },
	{ "md", "*.markdown *.md *.mdown *.mkdn" },
	{ "meson", "meson.build meson_options.txt" },
	{ "nix", "*.nix" },
	{ "objc", "*.h *.m" },
	{ "ocaml", "*.ml *.mli *.mll *.mly" },
	{ "org", "*.org *.org_archive" },
	{ "perl", "*.PL *.perl *.pl *.plh *.plx *.pm *.t" },
	{ "php", "*.php *.php3 *.php4 *.php5 *.phtml" },
	{ "protobuf", "*.proto" },
	{ "ps", "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1" },
	{ "py", "*.py" },
	{ "r", "*.R *.Rmd *.Rnw *.r" },
	{ "readme", "*README README*" },
	{ "rst", "*.rst" },
	{ "ruby", "*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru" },
	{ "rust", "*.rs" },
	{ "sass", "*.sass *.scss" },
	{ "scala", "*.sbt *.scala" },
	{ "sh", "*.bash *.bashrc *.csh *.ksh *.sh *.tcsh *.zsh .bash_profile .bashrc .profile "
		".zprofile .zshenv .zshrc" },
	{ "sql", "*.psql *.sql" },
	{ "svg", "*.svg" },
	{ "swift", "*.swift" },
	{ "tcl", "*.tcl" },
	{ "tex", "*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex" },
	{ "tf", "*.tf" },
	{ "toml", "*.toml Cargo.lock" },
	{ "ts", "*.ts *.tsx" },
	{ "txt", "*.txt" },
	{ "verilog", "*.sv *.svh *.v *.vh" },
	{ "vhdl", "*.vhd *.vhdl" },
	{ "vim", "*.vim" },
	{ "xml", "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt" },
	{ "yaml", "*.yaml *.yml" },
	{ "zig", "*.zig" },
};

static const struct type *grep_types_find_type(struct sv name)
{
	for (size_t i = 0; i < countof(types); i++)
		if (sv_is(name, types[i].name))
			return &types[i];
	return NULL;
}

bool grep_type_known(struct sv type)
{
	return grep_types_find_type(type) != NULL;
}

bool grep_type_has(struct sv type, struct sv name)
{
	const struct type *found = grep_types_find_type(type);
	struct sv rest = sv_cstr(found ? found->globs : ""), glob;

	while (sv_cut(&rest, ' ', &glob)) {
		size_t steps = SIZE_MAX;

		if (wildmatch(glob, name, false, &steps))
			return true;
	}
	return false;
}
