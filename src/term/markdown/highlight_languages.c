#include "term/markdown/highlight_language.h"

#define C_KEYWORDS                                                                                 \
	" auto break case const continue default do else enum extern for goto if inline register " \
	"restrict return sizeof static struct switch typedef union volatile while _Static_assert " \
	"_Thread_local _Noreturn typeof "
#define C_TYPES                                                                               \
	" void char short int long float double signed unsigned bool size_t ssize_t uint8_t " \
	"uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t uintptr_t intptr_t FILE "

const struct highlight_language highlight_languages[] = {
	{ .names = " c h ",
	  .keywords = C_KEYWORDS,
	  .types = C_TYPES,
	  .constants = " NULL true false ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .flags = LANGUAGE_DIRECTIVES },
	{ .names = " cpp c++ cc cxx hpp hh hxx ",
	  .keywords = C_KEYWORDS
	  "alignas alignof catch class concept consteval constexpr constinit co_await co_return "
	  "co_yield "
	  "decltype delete explicit export final friend mutable namespace new noexcept operator "
	  "override "
	  "private protected public requires static_assert static_cast dynamic_cast const_cast "
	  "reinterpret_cast template this throw try typename using virtual ",
	  .types = C_TYPES "string vector map set pair auto wchar_t char8_t char16_t char32_t ",
	  .constants = " NULL nullptr true false ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .flags = LANGUAGE_DIRECTIVES },
	{ .names = " rust rs ",
	  .keywords =
		  " as async await break const continue crate dyn else enum extern fn for if impl "
		  "in let "
		  "loop match mod move mut pub ref return self Self static struct super trait type "
		  "unsafe use where while macro_rules ",
	  .types = " bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 ",
	  .constants = " true false None Some Ok Err ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"",
	  .flags = LANGUAGE_LIFETIMES | LANGUAGE_CAPITALS },
	{ .names = " go golang ",
	  .keywords = " break case chan const continue default defer else fallthrough for func go "
		      "goto if "
		      "import interface map package range return select struct switch type var ",
	  .types = " any bool byte comparable complex64 complex128 error float32 float64 int int8 "
		   "int16 "
		   "int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr ",
	  .constants = " true false nil iota ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .long_quotes = { "`" } },
	{ .names = " java ",
	  .keywords =
		  " abstract assert break case catch class const continue default do else enum "
		  "extends "
		  "final finally for goto if implements import instanceof interface native new "
		  "package permits private protected public record return sealed static strictfp "
		  "super switch synchronized this throw throws transient try var volatile while "
		  "yield ",
	  .types = " boolean byte char double float int long short void ",
	  .constants = " true false null ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .long_quotes = { "\"\"\"" },
	  .flags = LANGUAGE_DECORATORS | LANGUAGE_CAPITALS },
	{ .names = " kotlin kt kts ",
	  .keywords =
		  " abstract actual annotation as break by catch class companion const constructor "
		  "continue crossinline data do else enum expect external final finally for fun "
		  "get "
		  "if import in infix init inline inner interface internal is lateinit noinline "
		  "object open operator out override package private protected public reified "
		  "return sealed set super suspend tailrec this throw try typealias val value var "
		  "vararg when where while ",
	  .constants = " true false null ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .long_quotes = { "\"\"\"" },
	  .flags = LANGUAGE_DECORATORS | LANGUAGE_CAPITALS },
	{ .names = " swift ",
	  .keywords =
		  " actor any as associatedtype async await break case catch class continue "
		  "convenience "
		  "default defer deinit do else enum extension fallthrough fileprivate final for "
		  "func get guard if import in indirect infix init inout internal is lazy let "
		  "mutating nonmutating open operator optional override postfix precedencegroup "
		  "prefix private protocol public repeat required rethrows return self Self set "
		  "some static struct subscript super switch throw throws try typealias unowned "
		  "var "
		  "weak where while ",
	  .constants = " true false nil ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"",
	  .long_quotes = { "\"\"\"" },
	  .flags = LANGUAGE_DECORATORS | LANGUAGE_CAPITALS },
	{ .names = " csharp cs c# ",
	  .keywords =
		  " abstract as async await base break case catch checked class const continue "
		  "default "
		  "delegate do else enum event explicit extern finally fixed for foreach get goto "
		  "if "
		  "implicit in init interface internal is lock namespace new operator out override "
		  "params partial private protected public readonly record ref required return "
		  "sealed set sizeof stackalloc static struct switch this throw try typeof "
		  "unchecked "
		  "unsafe using var virtual volatile when where while with yield ",
	  .types = " bool byte char decimal double dynamic float int long nint nuint object sbyte "
		   "short "
		   "string uint ulong ushort void ",
	  .constants = " true false null ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .long_quotes = { "\"\"\"" },
	  .flags = LANGUAGE_DIRECTIVES | LANGUAGE_CAPITALS },
	{ .names = " python py py3 python3 pyi ",
	  .keywords =
		  " and as assert async await break case class continue def del elif else except "
		  "finally "
		  "for from global if import in is lambda match nonlocal not or pass raise return "
		  "try while with yield ",
	  .types = " bool bytes dict float frozenset int list object set str tuple type ",
	  .constants = " True False None self cls ",
	  .line_comments = { "#" },
	  .quotes = "\"'",
	  .long_quotes = { "\"\"\"", "'''" },
	  .flags = LANGUAGE_DECORATORS },
	{ .names = " ruby rb gemspec rake ",
	  .files = " Gemfile Rakefile Vagrantfile ",
	  .keywords =
		  " alias and begin BEGIN break case class def defined? do else elsif end END "
		  "ensure for "
		  "if in include module next not or private protected public raise redo require "
		  "require_relative rescue retry return self super then undef unless until when "
		  "while yield attr_reader attr_writer attr_accessor ",
	  .constants = " true false nil ",
	  .line_comments = { "#" },
	  .comment = "=begin",
	  .comment_end = "=end",
	  .quotes = "\"'`",
	  .flags = LANGUAGE_CAPITALS },
	{ .names = " php ",
	  .keywords =
		  " abstract and as break callable case catch class clone const continue declare "
		  "default "
		  "do echo else elseif empty enum extends final finally fn for foreach function "
		  "global goto if implements include include_once instanceof insteadof interface "
		  "isset list match namespace new or print private protected public readonly "
		  "require require_once return static switch throw trait try unset use var while "
		  "xor yield ",
	  .types = " array bool float int iterable mixed never object string void ",
	  .constants = " true false null TRUE FALSE NULL ",
	  .line_comments = { "//", "#" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .flags = LANGUAGE_VARIABLES },
	{ .names = " perl pl pm ",
	  .keywords = " and cmp continue die do else elsif eq for foreach ge given gt if last le "
		      "local lt my "
		      "ne next no not or our package print redo require return say sub unless "
		      "until use "
		      "when while x xor ",
	  .constants = " undef ",
	  .line_comments = { "#" },
	  .comment = "=pod",
	  .comment_end = "=cut",
	  .quotes = "\"'`",
	  .flags = LANGUAGE_VARIABLES },
	{ .names = " lua ",
	  .keywords = " and break do else elseif end for function goto if in local not or repeat "
		      "return then "
		      "until while ",
	  .constants = " true false nil self ",
	  .line_comments = { "--" },
	  .comment = "--[[",
	  .comment_end = "]]",
	  .quotes = "\"'" },
	{ .names = " javascript js mjs cjs jsx node ",
	  .keywords =
		  " as async await break case catch class const continue debugger default delete "
		  "do else "
		  "export extends finally for from function get if import in instanceof let new of "
		  "return set static super switch this throw try typeof var void while with yield ",
	  .constants = " true false null undefined NaN Infinity ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .long_quotes = { "`" } },
	{ .names = " typescript ts mts cts tsx ",
	  .keywords =
		  " abstract as async await break case catch class const continue debugger declare "
		  "default "
		  "delete do else enum export extends finally for from function get if implements "
		  "import in infer instanceof interface is keyof let namespace new of override "
		  "private protected public readonly return satisfies set static super switch this "
		  "throw try type typeof var void while with yield ",
	  .types = " any bigint boolean never number object string symbol unknown ",
	  .constants = " true false null undefined NaN Infinity ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .long_quotes = { "`" },
	  .flags = LANGUAGE_DECORATORS | LANGUAGE_CAPITALS },
	{ .names = " bash sh shell zsh console ksh fish ",
	  .files = " .bashrc .zshrc .profile PKGBUILD ",
	  .keywords =
		  " if then else elif fi case esac for select while until do done in function time "
		  "return exit export local readonly declare set unset source alias cd echo printf "
		  "read shift test trap eval exec ",
	  .constants = " true false ",
	  .line_comments = { "#" },
	  .quotes = "",
	  .long_quotes = { "\"", "'" },
	  .flags = LANGUAGE_VARIABLES | LANGUAGE_DASHES },
	{ .names = " sql psql mysql sqlite ",
	  .keywords =
		  " add all alter and as asc begin between by cascade case check column commit "
		  "constraint "
		  "create cross database default delete desc distinct drop else end exists foreign "
		  "from full grant group having if in index inner insert into is join key left "
		  "like "
		  "limit natural not offset on or order outer primary references returning right "
		  "rollback select set table then transaction truncate union unique update using "
		  "values view when where with ",
	  .types = " bigint blob boolean char date decimal double float int integer json jsonb "
		   "numeric real "
		   "serial smallint text time timestamp uuid varchar ",
	  .constants = " true false null ",
	  .line_comments = { "--" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "'\"",
	  .flags = LANGUAGE_ANY_CASE },
	{ .names = " html xml htm xhtml svg vue svelte xsd plist ",
	  .comment = "<!--",
	  .comment_end = "-->",
	  .quotes = "\"'",
	  .flags = LANGUAGE_TAGS },
	{ .names = " css scss less sass ",
	  .constants = " inherit initial none auto important ",
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"'",
	  .flags = LANGUAGE_KEYS | LANGUAGE_DASHES | LANGUAGE_DECORATORS },
	{ .names = " json jsonc json5 jsonl webmanifest ",
	  .constants = " true false null ",
	  .line_comments = { "//" },
	  .comment = "/*",
	  .comment_end = "*/",
	  .quotes = "\"",
	  .flags = LANGUAGE_KEYS },
	{ .names = " yaml yml ",
	  .constants = " true false null yes no on off ",
	  .line_comments = { "#" },
	  .quotes = "\"'",
	  .flags = LANGUAGE_KEYS | LANGUAGE_DASHES },
	{ .names = " toml ini cfg conf properties env editorconfig ",
	  .constants = " true false ",
	  .line_comments = { "#", ";" },
	  .quotes = "\"'",
	  .long_quotes = { "\"\"\"", "'''" },
	  .flags = LANGUAGE_KEYS | LANGUAGE_DASHES },
	{ .names = " markdown md mdx ", .quotes = "`", .flags = LANGUAGE_MARKDOWN },
	{ .names = " diff patch ", .flags = LANGUAGE_DIFF },
	{ .names = " dockerfile docker containerfile ",
	  .files = " Dockerfile Containerfile ",
	  .keywords = " from as run cmd label expose env add copy entrypoint volume user workdir "
		      "arg onbuild "
		      "stopsignal healthcheck shell maintainer ",
	  .line_comments = { "#" },
	  .quotes = "\"'",
	  .flags = LANGUAGE_ANY_CASE | LANGUAGE_VARIABLES | LANGUAGE_DASHES },
	{ .names = " make makefile mk ",
	  .files = " Makefile makefile GNUmakefile ",
	  .keywords =
		  " include define endef ifdef ifndef ifeq ifneq else endif export override vpath ",
	  .line_comments = { "#" },
	  .quotes = "\"'",
	  .flags = LANGUAGE_VARIABLES | LANGUAGE_TARGETS | LANGUAGE_DASHES },
};

const size_t highlight_language_count = countof(highlight_languages);
