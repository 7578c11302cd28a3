// Ask an agent to do something in this directory, and ask the user before it changes anything.
//
//   npm install @anthropic-ai/claude-agent-sdk
//   node fix.mjs "make the tests pass"
//
// The Agent SDK is unmodified. Only pathToClaudeCodeExecutable says that awl is the agent.
import readline from 'node:readline/promises';
import { query } from '@anthropic-ai/claude-agent-sdk';

async function ask(question) {
  const terminal = readline.createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

async function canUseTool(tool, input, { suggestions }) {
  const answer = await ask(`${tool} ${JSON.stringify(input)}\nAllow? [y]es, [a]lways, [n]o: `);
  if (answer === 'y') return { behavior: 'allow', updatedInput: input };
  if (answer === 'a') return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions };
  return { behavior: 'deny', message: 'The user said no.' };
}

const session = query({
  prompt: process.argv[2] ?? 'Say hello.',
  options: {
    pathToClaudeCodeExecutable: process.env.AWL ?? '/usr/local/bin/awl',
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    canUseTool,
  },
});

for await (const message of session) {
  if (message.type === 'assistant')
    for (const block of message.message.content)
      if (block.type === 'text') console.log(block.text);
  if (message.type === 'result')
    console.error(`${message.num_turns} turns, $${message.total_cost_usd.toFixed(4)}`);
}
