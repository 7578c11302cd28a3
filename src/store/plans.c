#include "store/plans.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "sys/fs.h"

/* Arrays of texts, not of pointers: the loader would have to adjust each pointer whenever awl starts. */
enum { PLAN_WORD = 12 };

static const char plan_moods[][PLAN_WORD] = {
	"amber",   "ample",   "apt",    "bold",   "brave",  "breezy", "bright", "brisk",
	"calm",    "candid",  "cheery", "civil",  "clear",  "clever", "cosy",   "crisp",
	"curious", "dapper",  "deft",   "eager",  "early",  "easy",   "fair",   "fleet",
	"fluent",  "fond",    "frank",  "fresh",  "gentle", "glad",   "golden", "grand",
	"handy",   "happy",   "hardy",  "hazel",  "humble", "jolly",  "keen",   "kind",
	"lively",  "lucid",   "lucky",  "mellow", "merry",  "mild",   "modest", "neat",
	"nimble",  "patient", "placid", "polite", "proud",  "quick",  "quiet",  "ready",
	"robust",  "serene",  "silver", "snug",   "steady", "sunny",  "tidy",   "vivid",
};

static const char plan_deeds[][PLAN_WORD] = {
	"baking",    "building", "carving",   "casting",   "chasing",   "climbing",  "counting",
	"crossing",  "dancing",  "digging",   "drawing",   "drifting",  "fetching",  "fishing",
	"floating",  "folding",  "gliding",   "grazing",   "guiding",   "hiking",    "humming",
	"joining",   "juggling", "jumping",   "knitting",  "leaping",   "mapping",   "measuring",
	"mending",   "mixing",   "painting",  "planting",  "polishing", "puzzling",  "racing",
	"reading",   "resting",  "roaming",   "rowing",    "running",   "sailing",   "sewing",
	"shaping",   "singing",  "sketching", "skating",   "sorting",   "spinning",  "stacking",
	"steering",  "stirring", "strolling", "swimming",  "tending",   "tinkering", "tracing",
	"trading",   "turning",  "walking",   "wandering", "weaving",   "whistling", "winding",
	"wondering",
};

static const char plan_things[][PLAN_WORD] = {
	"acorn",   "anchor",  "anvil",   "badger", "barrel",  "basket",  "beacon", "bell",
	"birch",   "bobbin",  "bridge",  "brook",  "button",  "candle",  "cedar",  "chisel",
	"clover",  "comet",   "compass", "copper", "cricket", "dolphin", "ember",  "falcon",
	"feather", "fern",    "finch",   "garden", "harbor",  "hedge",   "heron",  "island",
	"kettle",  "ladder",  "lantern", "lark",   "lemon",   "lever",   "maple",  "meadow",
	"mill",    "needle",  "otter",   "paddle", "pebble",  "pepper",  "piano",  "pine",
	"plum",    "puffin",  "quill",   "river",  "saddle",  "sparrow", "spruce", "teapot",
	"thimble", "thistle", "timber",  "tunnel", "violin",  "walnut",  "willow", "wren",
};

static const char *plan_pick(const char (*words)[PLAN_WORD], size_t n, struct rng *rng)
{
	return words[rng_below(rng, n)];
}

/* A quarter of a million slugs: a second try is rare, and after some of them the words are not the
 * reason. Then a number makes the difference. */
void plan_slug_choose(struct str *out, struct sv dir, struct rng *rng)
{
	enum { TRIES = 10 };
	size_t start = out->len;

	for (int i = 0; i < TRIES; i++) {
		defer(str_clear) struct str path = STR_INIT;

		str_truncate(out, start);
		str_addf(out, "%s-%s-%s", plan_pick(plan_moods, countof(plan_moods), rng),
			 plan_pick(plan_deeds, countof(plan_deeds), rng),
			 plan_pick(plan_things, countof(plan_things), rng));
		plan_path(&path, dir, sv_skip(sv_of(out), start));
		if (!fs_exists(path.ptr))
			return;
	}
	str_addf(out, "-%llu", (unsigned long long)rng_below(rng, UINT32_MAX));
}

bool plan_slug_valid(struct sv slug)
{
	bool after_word = false;

	for (size_t i = 0; i < slug.len; i++) {
		bool is_word = ascii_is_lower(slug.ptr[i]) || ascii_is_digit(slug.ptr[i]);

		if (!is_word && !(slug.ptr[i] == '-' && after_word))
			return false;
		after_word = is_word;
	}
	return after_word && slug.len <= LIMIT_PLAN_SLUG;
}

void plan_path(struct str *out, struct sv dir, struct sv slug)
{
	fs_join(out, dir, slug);
	str_adds(out, ".md");
}

bool plan_read(struct str *out, const char *path)
{
	struct err ignored = ERR_INIT;
	defer(fs_unpinp) struct fs_pin *pin = fs_pin(path, &ignored);

	return pin && fs_pinned_read(pin, out, LIMIT_PLAN, &ignored);
}

bool plan_write(const char *path, struct sv text, struct err *err)
{
	defer(fs_unpinp) struct fs_pin *pin = fs_pin(path, err);

	return pin && fs_pinned_write(pin, text, (struct fs_write){ .mode = 0600 }, err);
}
