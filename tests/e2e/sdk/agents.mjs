// Sub-agents: those that a host defines, what it sees of their work, and their questions.
import assert from 'node:assert/strict';
import path from 'node:path';
import { NO } from './harness.mjs';

const SERVER = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../mcp_server.py');

const AGENTS = { rev: { description: 'Reviews code', prompt: 'You review.', model: 'haiku' },
                 plain: { description: 'Does things', prompt: 'You do.' } };

/** A model that starts the agent `rev`, whose reply to its prompt this is. */
function delegate(reply, more = {}) {
  const input = { description: 'Look at it', prompt: 'JOB', subagent_type: 'rev', ...more };
  return `reply when prompt contains go\n  tool Agent ${JSON.stringify(input)}\n` +
         `reply when prompt contains JOB\n  ${reply}\n` +
         'reply when result_of contains Bash\n  text Refused\n' +
         'reply when prompt contains task-notification\n  text Noted\n' +
         'reply otherwise\n  text Done\n';
}

export default {
  'agents: they are listed with those of awl, in both places': async t => {
    let told;
    const seen = await t.talk(delegate('text Fine'), { agents: AGENTS }, async (host, q) => {
      told = await q.supportedAgents();
      host.say('hello');
      await host.next('result');
    });
    const ours = told.filter(agent => agent.name in AGENTS);
    assert.deepEqual(ours, [{ name: 'plain', description: 'Does things' },
                            { name: 'rev', description: 'Reviews code', model: 'haiku' }]);
    assert.ok(told.some(agent => agent.name === 'general-purpose'));
    assert.deepEqual(seen.init.agents, told.map(agent => agent.name));
  },

  'agents: one works with the prompt of the host, and its call gets the answer': async t => {
    const seen = await t.ask(delegate('text Fine'), { agents: AGENTS }, 'go');
    const [request] = t.requests.filter(r => JSON.stringify(r.body.messages[0]).includes('JOB'));
    assert.match(JSON.stringify(request.body.system), /You review\./);
    assert.match(JSON.stringify(seen.told), /Fine/);
    assert.equal(seen.result.result, 'Done');
  },

  'agents: the result of the call counts the calls of the agent and the lines that they changed': async t => {
    const script = delegate('tool Write {"file_path":"new.txt","content":"one\\ntwo\\n"}\n' +
                            '  tool Read {"file_path":"old.txt"}\n  tool Glob {"pattern":"*.txt"}\n' +
                            '  tool Bash {"command":"true"}\n  tool TodoWrite {"todos":[]}')
      .replaceAll('new.txt', t.path('new.txt')).replaceAll('old.txt', t.path('old.txt'))
      .replace('result_of contains Bash', 'result_of contains Write');
    t.write('old.txt', 'old\n');
    const seen = await t.ask(script, { agents: AGENTS, allowedTools: ['Write', 'Read', 'Glob', 'Bash', 'TodoWrite'] }, 'go');
    const { tool_use_result: data } = seen.of('user').find(m => m.tool_use_result?.status === 'completed');
    assert.deepEqual(data.toolStats, { readCount: 1, searchCount: 1, bashCount: 1, editFileCount: 1, otherToolCount: 1,
                                       linesAdded: 2, linesRemoved: 0 });
  },

  'agents: the MCP servers of a definition begin and end with its agent': async t => {
    const mine = { command: 'python3', args: [SERVER] };
    const agents = { rev: { ...AGENTS.rev, tools: ['Read'], mcpServers: [{ mine }] } };
    const during = [];
    let q;
    await t.talk(delegate('tool mcp__mine__echo {"text":"hi"}').replace('result_of contains Bash', 'result_of contains mcp__'), {
      agents, canUseTool: async (name, input) => {
        during.push([name, (await q.mcpServerStatus()).map(({ name, status, scope }) => [name, status, scope])]);
        return { behavior: 'allow', updatedInput: input };
      } }, async (host, query) => {
      q = query;
      host.say('go');
      await host.next('result');
      assert.deepEqual(await q.mcpServerStatus(), []);
    });
    assert.deepEqual(during, [['mcp__mine__echo', [['mine', 'connected', 'agent']]]]);
  },

  'agent: one of the project leads with its prompt, unless the host has another': async t => {
    t.write('.claude/agents/lead.md', '---\nname: lead\ndescription: Leads\n---\nYou lead.\n');
    await t.ask('reply forever\n  text Done\n', { agent: 'lead' }, 'hi');
    assert.match(JSON.stringify(t.requests.at(-1).body.system), /You lead\./);
    await t.ask('reply forever\n  text Done\n', { agent: 'lead', systemPrompt: 'You follow.' }, 'hi');
    assert.match(JSON.stringify(t.requests.at(-1).body.system), /You follow\./);
  },

  'agent: one that the host defines leads with its prompt, tools and model': async t => {
    const lead = { description: 'Leads', prompt: 'You lead.', tools: ['Read'], model: 'haiku' };
    const seen = await t.ask('reply forever\n  text Done\n', { agent: 'lead', agents: { lead } }, 'hi');
    const { body } = t.requests.at(-1);
    assert.match(JSON.stringify(body.system), /You lead\./);
    assert.deepEqual(body.tools.map(tool => tool.name), ['Read']);
    assert.match(body.model, /haiku/);
    assert.equal(seen.result.result, 'Done');
  },

  'skills: one in an agent of its own reports as a task': async t => {
    t.write('.claude/skills/scout/SKILL.md', '---\ndescription: Scouts\ncontext: fork\nagent: rev\n---\nJOB\n');
    const seen = await t.ask('reply forever when prompt contains JOB\n  text Seen\nreply forever\n  text Done\n',
                             { agents: AGENTS }, '/scout');
    const [started] = seen.of('system', 'task_started');
    const [ended] = seen.of('system', 'task_notification');
    assert.match(started.task_id, /^a(?:.+-)?[0-9a-f]{16}$/);
    assert.deepEqual([started.subagent_type, ended.status, ended.task_id], ['rev', 'completed', started.task_id]);
    assert.equal(seen.result.result, 'Seen');
  },

  'agent: an unknown one ends the session with words': async t => {
    assert.match((await t.ask(delegate('text Fine'), { agent: 'nobody' })).error, /there is no agent 'nobody'/);
  },

  'task_started and task_notification: an agent in the background': async t => {
    const waits = 'tool Bash {"command": "while ! test -e done; do sleep 0.01; done"}';
    const seen = await t.talk(delegate(waits, { run_in_background: true }), { agents: AGENTS, allowedTools: ['Bash'] }, async host => {
      host.say('go');
      await host.next('result');
      t.write('done', '');
      await host.next('system', 'task_notification');
      await host.next('result');
    });
    const [started] = seen.of('system', 'task_started');
    const [ended] = seen.of('system', 'task_notification');
    assert.deepEqual([started.task_type, started.subagent_type], ['local_agent', 'rev']);
    assert.deepEqual([ended.task_id, ended.status], [started.task_id, 'completed']);
    assert.equal(seen.result.result, 'Noted');
  },

  'agentProgressSummaries: one line about an agent that works for long': async t => {
    const script = 'reply forever when prompt contains "Its steps since"\n  text "Waiting for the file"\n';
    const waits = 'tool Bash {"command": "while ! test -e done; do sleep 0.01; done"}';
    await t.serve(script + delegate(waits));
    const options = { agents: AGENTS, allowedTools: ['Bash'], agentProgressSummaries: true, env: { ...t.env, AWL_AGENT_SUMMARY_SECONDS: '0' } };
    const seen = await t.talk(null, options, async host => {
      host.say('go');
      await host.next('system', 'task_progress');
      const progress = await host.next('system', 'task_progress');
      assert.deepEqual([progress.summary, progress.subagent_type], ['Waiting for the file', 'rev']);
      t.write('done', '');
      await host.next('result');
    });
    assert.equal(seen.result.result, 'Done');
  },

  'canUseTool: a question of an agent names it': async t => {
    const seen = await t.ask(delegate('tool Bash {"command": "touch a"}'), { agents: AGENTS, answers: [NO] }, 'go');
    const [started] = seen.of('system', 'task_started');
    assert.deepEqual([seen.asks.length, seen.asks[0].agentID], [1, started.task_id]);
    assert.deepEqual(t.files, []);
    assert.match(JSON.stringify(seen.told), /Refused/);
  },
};
