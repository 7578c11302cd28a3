// Run the cases of one subject and report in JSON lines: {name, why} per case, then what was exercised.
//
//   node run.mjs FOLDER_OF_THE_SDK AWL SUBJECT [WORD]
import path from 'node:path';
import { Suite } from './harness.mjs';
import { Messages } from './messages.mjs';

const [folder, awl, subject, word = ''] = process.argv.slice(2);
const suite = new Suite(path.resolve(folder), path.resolve(awl));
const messages = new Messages(path.join(folder, 'sdk.d.ts'));

function checkMessages(one) {
  const wrong = one.traffic.flatMap(traffic => messages.wrong(traffic));
  if (wrong.length) throw new Error(`against sdk.d.ts:\n  ${[...new Set(wrong)].join('\n  ')}`);
}

await suite.load();
const { default: cases } = await import(`./${subject}.mjs`);
for (const [name, body] of Object.entries(cases).filter(([name]) => name.includes(word)))
  console.log(JSON.stringify({ name, why: await suite.run(body, checkMessages) }));
console.log(JSON.stringify({ options: [...suite.exercised.options], methods: [...suite.exercised.methods],
                             kinds: [...messages.kinds] }));
process.exit(0);
