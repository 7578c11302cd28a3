// A host made with the Agent SDK whose hooks are functions:
//
//   node agent_sdk_hooks.mjs DIRECTORY_OF_THE_SDK <scenario.json
//
// The scenario is one JSON object: "prompt", "options" of query(), and "hooks", {event: [{"matcher",
// "timeout", "onFailure", "answers"}]}. A hook gives its answers one after the other, the last one for
// all that follow: an object, {"fails": text} to throw, {"waits": true} to wait until it is aborted.
// "interruptAt" interrupts when that event is seen. What was seen is written as one JSON object.
import { pathToFileURL } from 'node:url';

const { query } = await import(pathToFileURL(`${process.argv[2]}/sdk.mjs`));
const scenario = await readScenario();
const seen = { hooks: [], messages: [], error: null };
let q;

async function readScenario() {
  let text = '';
  for await (const piece of process.stdin) text += piece;
  return JSON.parse(text);
}

function untilAborted(entry, signal) {
  return new Promise(resolve => signal.addEventListener('abort', () => {
    entry.aborted = true;
    resolve();
  }));
}

function callback(event, answers) {
  let n = 0;
  return async (input, toolUseID, { signal }) => {
    const { waits, fails, ...answer } = answers[Math.min(n++, answers.length - 1)];
    const entry = { event, input, toolUseID };
    seen.hooks.push(entry);
    if (scenario.interruptAt === event) q.interrupt().catch(() => {});
    if (waits) await untilAborted(entry, signal);
    if (fails) throw new Error(fails);
    return answer;
  };
}

const hooks = {};
for (const [event, groups] of Object.entries(scenario.hooks))
  hooks[event] = groups.map(({ answers, ...group }) => ({ ...group, hooks: [callback(event, answers)] }));

async function* prompts() {
  yield { type: 'user', session_id: '', parent_tool_use_id: null,
          message: { role: 'user', content: scenario.prompt } };
}

try {
  q = query({ prompt: scenario.interruptAt ? prompts() : scenario.prompt,
              options: { ...scenario.options, hooks } });
  for await (const message of q) seen.messages.push(message);
} catch (error) {
  seen.error = String(error.message ?? error);
}
process.stdout.write(JSON.stringify(seen));
