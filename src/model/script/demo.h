/* demo.h - private to src/model: the script (script.h) of the built-in session,
 * which awl plays when no model is configured. Its text is demo.script, put into
 * the program by the build. */
#ifndef AWL_MODEL_SCRIPT_DEMO_H
#define AWL_MODEL_SCRIPT_DEMO_H

#include <stddef.h>

extern const char demo_script[];
extern const size_t demo_script_size;

#endif
