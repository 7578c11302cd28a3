/* The part of tree-sitter's grammar of bash that is written by hand, with two repairs. */
#include <tree_sitter/parser.h>

/* Of a here-document it writes four bytes more than it has checked for into a buffer that
 * is not its own. The check is against this number: a smaller one leaves room for them. */
#undef TREE_SITTER_SERIALIZATION_BUFFER_SIZE
#define TREE_SITTER_SERIALIZATION_BUFFER_SIZE 1000

#define tree_sitter_bash_external_scanner_scan scan_token
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include <scanner.c>
#undef tree_sitter_bash_external_scanner_scan

/* After an error nobody wants to know how the text could go on, and finding out may take
 * minutes: the rest is one token, which fits nowhere. */
bool tree_sitter_bash_external_scanner_scan(void *payload, TSLexer *lexer,
					    const bool *valid_symbols)
{
	if (!in_error_recovery(valid_symbols))
		return scan_token(payload, lexer, valid_symbols);
	if (lexer->eof(lexer))
		return false;
	while (!lexer->eof(lexer))
		advance(lexer);
	lexer->result_symbol = HEREDOC_CONTENT;
	return true;
}
