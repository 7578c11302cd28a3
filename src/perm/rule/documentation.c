#include "perm/rule/documentation.h"

#include "base/ascii.h"

enum { URL_LENGTH = 300 };

/* A host, and the start of the path where it has other pages too. */
static const char sites[][36] = {
	/* agents and models */
	"code.claude.com/docs",
	"docs.anthropic.com",
	"docs.claude.com",
	"modelcontextprotocol.io",
	"platform.claude.com/docs",
	/* languages */
	"clang.llvm.org/docs",
	"cmake.org/cmake/help",
	"dart.dev",
	"doc.rust-lang.org",
	"docs.oracle.com/en/java",
	"docs.oracle.com/javase",
	"docs.python.org",
	"docs.ruby-lang.org",
	"docs.swift.org",
	"gcc.gnu.org/onlinedocs",
	"go.dev/doc",
	"go.dev/ref",
	"kotlinlang.org/docs",
	"llvm.org/docs",
	"nodejs.org/api",
	"nodejs.org/docs",
	"www.php.net/manual",
	"www.typescriptlang.org/docs",
	/* the web */
	"angular.dev",
	"developer.mozilla.org",
	"docs.djangoproject.com",
	"fastapi.tiangolo.com",
	"flask.palletsprojects.com",
	"html.spec.whatwg.org",
	"nextjs.org/docs",
	"react.dev",
	"svelte.dev/docs",
	"tailwindcss.com/docs",
	"vuejs.org",
	"www.rfc-editor.org/rfc",
	"www.w3.org/TR",
	/* data and science */
	"docs.pytorch.org",
	"numpy.org/doc",
	"pandas.pydata.org/docs",
	"redis.io/docs",
	"scikit-learn.org/stable",
	"sqlite.org",
	"www.postgresql.org/docs",
	"www.sqlite.org",
	"www.tensorflow.org/api_docs",
	/* platforms */
	"developer.android.com",
	"developer.apple.com/documentation",
	"docs.aws.amazon.com",
	"docs.docker.com",
	"docs.flutter.dev",
	"docs.spring.io",
	"git-scm.com/docs",
	"kubernetes.io/docs",
	"learn.microsoft.com",
	"man7.org/linux/man-pages",
	"www.gnu.org/software",
};

/* Return whether the URL has nothing but a plain host and path. */
static bool documentation_is_plain(struct sv rest)
{
	for (size_t i = 0; i < rest.len; i++)
		if (!ascii_is_alnum(rest.ptr[i]) && !strchr("/.-_~#", rest.ptr[i]))
			return false;
	return rest.len <= URL_LENGTH && sv_find(rest, SV("..")) == SIZE_MAX;
}

const char *documentation_site(struct sv url)
{
	struct sv rest = sv_skip(url, strlen("https://"));

	if (!sv_starts(url, SV("https://")) || !documentation_is_plain(rest))
		return NULL;
	for (size_t i = 0; i < countof(sites); i++) {
		struct sv site = sv_cstr(sites[i]);

		if (sv_starts(rest, site) &&
		    (rest.len == site.len || strchr("/#", rest.ptr[site.len])))
			return sites[i];
	}
	return NULL;
}
