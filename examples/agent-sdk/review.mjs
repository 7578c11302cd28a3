// Get an answer as data: a list of problems in a file, by a schema.
//
//   node review.mjs src/main.c
import { query } from '@anthropic-ai/claude-agent-sdk';

const schema = {
  type: 'object',
  properties: {
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: { line: { type: 'number' }, text: { type: 'string' } },
        required: ['line', 'text'],
      },
    },
  },
  required: ['problems'],
};

const session = query({
  prompt: `Review ${process.argv[2]} and report its problems.`,
  options: {
    pathToClaudeCodeExecutable: process.env.AWL ?? '/usr/local/bin/awl',
    allowedTools: ['Read', 'Grep', 'Glob'],
    outputFormat: { type: 'json_schema', schema },
  },
});

for await (const message of session)
  if (message.type === 'result' && message.subtype === 'success')
    for (const { line, text } of message.structured_output.problems) console.log(`${line}: ${text}`);
