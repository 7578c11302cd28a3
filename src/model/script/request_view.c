#include "model/script/request_view.h"

static struct sv view_path_of(struct sv url)
{
	size_t scheme = sv_find(url, SV("://"));
	struct sv rest = scheme == SIZE_MAX ? url : sv_skip(url, scheme + 3);
	size_t slash = sv_find_char(rest, '/');

	return slash == SIZE_MAX ? SV("/") : sv_skip(rest, slash);
}

static struct sv view_method_of(const struct http_request *request)
{
	if (request->method)
		return sv_cstr(request->method);
	return request->nbody ? SV("POST") : SV("GET");
}

void request_view(struct server_request *out, struct str *body, const struct http_request *request)
{
	for (size_t i = 0; i < request->nbody; i++)
		str_add(body, request->body[i]);
	*out = (struct server_request){ .method = view_method_of(request),
					.path = view_path_of(sv_cstr(request->url)),
					.headers = request->headers,
					.nheaders = request->nheaders,
					.body = sv_of(body) };
}
