#include "net/server.h"

#include "net/http/http_core.h"

bool server_header_is_sound(const struct http_header *header)
{
	static const struct sv ours[] = { SV_INIT("content-length"), SV_INIT("transfer-encoding"),
					  SV_INIT("connection") };

	if (!http_is_token(header->name))
		return false;
	for (size_t i = 0; i < header->value.len; i++) {
		unsigned char c = (unsigned char)header->value.ptr[i];

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
	}
	for (size_t i = 0; i < countof(ours); i++)
		if (sv_eq_nocase(header->name, ours[i]))
			return false;
	return true;
}
