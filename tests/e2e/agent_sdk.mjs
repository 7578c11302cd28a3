// A host made with the Agent SDK, as a scenario tells it to be:
//
//   node agent_sdk.mjs DIRECTORY_OF_THE_SDK <scenario.json
//
// It is one JSON object: "options" of query(), "answers" to the questions one after the
// other (the last one counts for all that follow; {"nonsense"} is given back as it is), and "steps", one of {"say"} a prompt,
// {"wait"} for the next message of a type (or "ask", "aborted"), {"exists"} for a file, {"call", "args"} a method.
// Without steps "prompt" is the prompt. What was seen is written as one JSON object.
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

const HANGS_MS = 15000; // no answer may take that long

const { query } = await import(pathToFileURL(`${process.argv[2]}/sdk.mjs`));
const scenario = await readScenario();
const seen = { asks: [], calls: [], messages: [], stderr: '', error: null };

async function readScenario() {
  let text = '';
  for await (const piece of process.stdin) text += piece;
  return JSON.parse(text);
}

/* --- waiting ------------------------------------------------------------------- */

const counts = {}, taken = {};
let wake = () => {};

function note(what) {
  counts[what] = (counts[what] ?? 0) + 1;
  wake();
}

async function next(what) {
  taken[what] = (taken[what] ?? 0) + 1;
  while ((counts[what] ?? 0) < taken[what] && !counts.end)
    await new Promise(resolve => { wake = resolve; });
}

/* --- questions ------------------------------------------------------------------- */

function untilAborted(ask, signal) {
  return new Promise(resolve => signal.addEventListener('abort', () => {
    ask.aborted = true;
    note('aborted');
    resolve();
  }));
}

async function canUseTool(name, input, { signal, ...more }) {
  const ask = { name, input, ...more };
  seen.asks.push(ask);
  const at = Math.min(seen.asks.length, scenario.answers.length) - 1;
  const { waits, fails, suggested, nonsense, ...answer } = scenario.answers[at];
  note('ask');
  if (nonsense !== undefined) return nonsense;
  if (waits) await untilAborted(ask, signal);
  if (fails) throw new Error(fails);
  if (suggested) answer.updatedPermissions = more.suggestions;
  return answer;
}

/* --- the conversation -------------------------------------------------------------- */

const prompts = [];
let isOver = false, pull = () => {};

async function* input() {
  for (;;) {
    while (prompts.length)
      yield { type: 'user', session_id: '', parent_tool_use_id: null,
              message: { role: 'user', content: prompts.shift() } };
    if (isOver) return;
    await new Promise(resolve => { pull = resolve; });
  }
}

async function call(q, name, args) {
  const late = Symbol('late');
  const patience = new Promise(resolve => setTimeout(resolve, HANGS_MS, late).unref());
  try {
    const value = await Promise.race([q[name](...args), patience]);
    return value === late ? { name, hangs: true } : { name, value: value ?? null };
  } catch (error) {
    return { name, error: error.message, code: error.errorCode ?? null };
  }
}

async function appears(path) {
  const late = Date.now() + HANGS_MS;
  while (!fs.existsSync(path) && Date.now() < late) await new Promise(resolve => setTimeout(resolve, 2));
}

async function walk(q) {
  for (const step of scenario.steps ?? []) {
    if ('say' in step) {
      prompts.push(step.say);
      pull();
    }
    if ('wait' in step) await next(step.wait);
    if ('exists' in step) await appears(step.exists);
    if ('call' in step) seen.calls.push(await call(q, step.call, step.args ?? []));
  }
  isOver = true;
  pull();
}

const options = { ...scenario.options, stderr: piece => { seen.stderr += piece; } };
if (scenario.answers) options.canUseTool = canUseTool;
const q = query({ prompt: scenario.steps ? input() : scenario.prompt, options });
const walked = walk(q);
try {
  for await (const message of q) {
    seen.messages.push(message);
    note(message.type);
  }
} catch (error) {
  seen.error = error.message;
}
note('end');
await walked;
process.stdout.write(JSON.stringify(seen), () => process.exit(0)); // a pipe may take it in several pieces
