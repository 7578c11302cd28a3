/* demo.h - private to src/model: the script (script.h) of the built-in demo, which awl plays if no
 * model is configured. The build embeds demo.script. */
#ifndef AWL_MODEL_SCRIPT_DEMO_H
#define AWL_MODEL_SCRIPT_DEMO_H

#include <stddef.h>

extern const char demo_script[];
extern const size_t demo_script_size;

#endif
