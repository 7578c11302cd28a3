/* clouds.h - what the tests of the clouds share: an environment, a home directory,
 * a request, and looks at what was encoded. */
#ifndef AWL_TESTS_UNIT_MODEL_WIRE_CLOUDS_H
#define AWL_TESTS_UNIT_MODEL_WIRE_CLOUDS_H

#include "model/wire/wire.h"
#include "sys/fs.h"
#include "test.h"

/* Variables as "NAME=value", NULL-terminated. */
static inline const char *env_get(void *arg, const char *name)
{
	const char *const *vars = arg;
	size_t n = strlen(name);

	for (; *vars; vars++)
		if (strncmp(*vars, name, n) == 0 && (*vars)[n] == '=')
			return *vars + n + 1;
	return NULL;
}

#define ENV(...) ((void *)(const char *[]){ __VA_ARGS__, NULL })

/* A directory of its own for a test; home.path is a C string. */
struct home {
	struct str path;
	struct str var; /* "HOME=<path>" */
};

static inline void home_clear(struct home *home)
{
	struct err err = ERR_INIT;

	CHECK_OK(fs_remove_tree(str_c(&home->path), &err), err);
	str_clear(&home->path);
	str_clear(&home->var);
}

static inline void home_init(struct home *home)
{
	struct err err = ERR_INIT;

	*home = (struct home){ .path = STR_INIT };
	CHECK_OK(fs_temp_dir(&home->path, &err), err);
	str_addf(&home->var, "HOME=%s", str_c(&home->path));
}

#define HOME(name)                          \
	defer(home_clear) struct home name; \
	home_init(&name)

/* Writes a file in the home directory, and the directories above it. */
static inline void home_put(struct home *home, const char *name, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;
	size_t slash;

	fs_join(&path, sv_of(&home->path), sv_cstr(name));
	slash = sv_rfind_char(sv_of(&path), '/');
	path.ptr[slash] = '\0';
	CHECK_OK(fs_mkdirs(path.ptr, 0700, &err), err);
	path.ptr[slash] = '/';
	CHECK_OK(fs_write(path.ptr, text, (struct fs_write){ .mode = 0600 }, &err), err);
}

/* "Say hello" to a model. */
static inline struct model_request hello_to(const char *model)
{
	static const struct sv message = SV_INIT("{\"role\":\"user\",\"content\":\"hello\"}");

	return (struct model_request){ .model = sv_cstr(model),
				       .messages = &message,
				       .nmessages = 1,
				       .max_tokens = 100,
				       .cache = MODEL_CACHE_OFF };
}

static inline struct sv header_of(const struct wire *wire, const char *name)
{
	const struct http_header *found = wire_find_header(wire, name);

	return found ? found->value : SV_EMPTY;
}

/* The slices of the body, joined. */
static inline void body_of(struct str *out, const struct wire *wire)
{
	for (size_t i = 0; i < wire->body.n; i++)
		str_add(out, wire->body.at[i]);
}

/* Appends the notes it hears, one line each. */
static inline void receive_notes(void *arg, const struct model_event *event)
{
	if (event->kind == MODEL_NOTE)
		str_addf(arg, "%.*s\n", SV_ARG(event->text));
}

/* Encodes with `provider`; its notes, if `notes` is given, are appended there. */
static inline bool encode_with(const struct provider *provider, struct wire *out,
			       const struct model_config *config,
			       const struct model_request *request, struct str *notes,
			       struct err *err)
{
	struct model_table *table = model_table_new();
	defer(str_clear) struct str unused = STR_INIT;
	bool ok = provider->encode(out, config, table, request, receive_notes,
				   notes ? notes : &unused, err);

	model_table_free(table);
	return ok;
}

/* That the provider asks this URL, whole or streamed. */
static inline void check_url(const struct provider *provider, const struct model_config *config,
			     const struct model_request *request, const char *url)
{
	defer(wire_clear) struct wire wire = WIRE_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(encode_with(provider, &wire, config, request, NULL, &err), err);
	CHECK_STR(wire.url, url);
}

/* One row of what a service may answer, and what that is to us. */
struct refusal {
	int status;
	struct http_header header; /* may be empty */
	struct sv body;
	enum model_failure failure;
	const char *text; /* is in the error's */
};

#define NO_HEADER                        \
	{                                \
		.name = { .ptr = NULL }, \
	}

static inline void check_refusals(const struct provider *provider, const struct refusal *rows,
				  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct http_head head = { .status = rows[i].status,
					  .headers = &rows[i].header,
					  .nheaders = rows[i].header.name.len > 0 };
		struct model_error error;

		memset(&error, 0xee, sizeof(error));
		provider->classify(&error, &head, rows[i].body);
		if (error.failure != rows[i].failure)
			print_error("row %zu is %s: %s\n", i, model_failure_name(error.failure),
				    error.err.text);
		CHECK_INT(error.failure, rows[i].failure);
		CHECK_INT(error.status, rows[i].status);
		CHECK_ERR(error.err, error.err.kind, rows[i].text);
	}
}

#endif
