// MCP servers: processes that awl starts, and servers inside the host.
import assert from 'node:assert/strict';
import cp from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DONE, NO, YES, calls } from './harness.mjs';

const SERVER = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../mcp_server.py');
const ASKS = path.join(path.dirname(SERVER), 'mcp_asks.py');
const stdio = () => ({ command: 'python3', args: [SERVER] });
const channel = () => ({ command: 'python3', args: [ASKS], env: { MCP_CHANNEL: '1' } });
const CALL = calls(['mcp__calc__answer', {}]);

/** A server inside the host with one tool. */
function calc(t, answer = async () => ({ content: [{ type: 'text', text: '42' }] })) {
  return t.sdk.createSdkMcpServer({ name: 'calc', version: '1.0.0',
                                    tools: [t.sdk.tool('answer', 'The answer.', {}, answer)] });
}

const ALLOWED = { allowedTools: ['mcp__calc', 'mcp__test'] };

export default {
  mcpServers: async t => {
    const seen = await t.ask(calls(['mcp__test__echo', { text: 'hi' }]), { mcpServers: { test: stdio() }, ...ALLOWED });
    assert.deepEqual(seen.init.mcp_servers, [{ name: 'test', status: 'connected', source: 'dynamic' }]);
    assert.deepEqual(seen.told, ['echo: hi']);
  },
  'mcpServers, in the process of the host': async t => {
    const seen = await t.ask(CALL, { mcpServers: { calc: calc(t) }, ...ALLOWED });
    assert.deepEqual(seen.init.mcp_servers, [{ name: 'calc', status: 'connected', source: 'sdk' }]);
    assert.ok(seen.init.tools.includes('mcp__calc__answer'));
    assert.deepEqual(seen.told, ['42']);
  },
  'a host and its PostToolUse hook get the content of a result, not its text': async t => {
    const content = [{ type: 'text', text: '42' }], structuredContent = { answer: 42 };
    for (const [answer, data] of [[{ content }, content], [{ content, structuredContent }, { content, structuredContent }]]) {
      const heard = [];
      const hook = async input => { heard.push(input.tool_response); return {}; };
      const seen = await t.ask(CALL, { mcpServers: { calc: calc(t, async () => answer) }, ...ALLOWED,
                                       hooks: { PostToolUse: [{ hooks: [hook] }] } });
      assert.deepEqual(seen.of('user').map(m => m.tool_use_result), [data]);
      assert.deepEqual(heard, [data]);
    }
  },
  'a tool of the host that throws is an error for the model': async t => {
    const fails = async () => { throw new Error('no answer today'); };
    const seen = await t.ask(CALL, { mcpServers: { calc: calc(t, fails) }, ...ALLOWED });
    assert.match(seen.told[0], /no answer today/);
  },
  'canUseTool decides about calls of servers': async t => {
    for (const answer of [YES, NO]) {
      const asked = [];
      const seen = await t.ask(CALL, { mcpServers: { calc: calc(t) },
                                       canUseTool: async (name, input) => {
                                         asked.push(name);
                                         return answer === YES ? { ...YES, updatedInput: input } : NO;
                                       } });
      assert.deepEqual(asked, ['mcp__calc__answer']);
      assert.equal(seen.told[0] === '42', answer === YES);
    }
  },
  strictMcpConfig: async t => {
    const seen = await t.ask(DONE, { strictMcpConfig: true, mcpServers: { test: stdio() } });
    assert.deepEqual(seen.init.mcp_servers.map(server => server.name), ['test']);
  },
  'a server that cannot be started fails alone': async t => {
    const seen = await t.ask(CALL, { mcpServers: { gone: { command: '/no/such/program' }, calc: calc(t) }, ...ALLOWED });
    assert.deepEqual(seen.init.mcp_servers.map(({ name, status }) => [name, status]).sort(),
                     [['calc', 'connected'], ['gone', 'failed']]);
    assert.deepEqual(seen.told, ['42']);
  },

  onElicitation: async t => {
    const asked = [];
    const seen = await t.ask(calls(['mcp__test__ask', {}]), {
      mcpServers: { test: stdio() }, ...ALLOWED,
      onElicitation: async request => {
        asked.push([request.serverName, request.message]);
        return { action: 'accept', content: { colour: 'blue' } };
      } });
    assert.deepEqual(asked, [['test', 'Which colour?']]);
    assert.deepEqual(JSON.parse(seen.told[0]), { action: 'accept', content: { colour: 'blue', size: 3 } });
  },

  'onElicitation: a call that needs a page first is made again when the page is done': async t => {
    const asked = [];
    const seen = await t.ask(calls(['mcp__desk__signed', {}]), {
      mcpServers: { desk: { command: 'python3', args: [ASKS] } }, allowedTools: ['mcp__desk'],
      onElicitation: async ({ serverName, mode, url, elicitationId }) => {
        asked.push([serverName, mode, url, elicitationId]);
        return { action: 'accept' };
      } });
    assert.deepEqual(asked, [['desk', 'url', 'https://login.example.com/start?next=%2Fhome', 'e-7']]);
    assert.deepEqual(seen.told, ['signed in']);
    const [done] = seen.of('system', 'elicitation_complete');
    assert.deepEqual([done.mcp_server_name, done.elicitation_id], ['desk', 'e-7']);
  },
  'onElicitation: who declines the page has the call fail': async t => {
    const seen = await t.ask(calls(['mcp__desk__signed', {}]), {
      mcpServers: { desk: { command: 'python3', args: [ASKS] } }, allowedTools: ['mcp__desk'],
      onElicitation: async () => ({ action: 'decline' }) });
    assert.match(seen.told[0], /Sign in first/);
  },

  mcpServerStatus: async t => {
    await t.talk(DONE, { mcpServers: { test: stdio() } }, async (host, q) => {
      host.say('go');
      await host.next('result');
      const [server] = await q.mcpServerStatus();
      assert.deepEqual([server.name, server.status, server.serverInfo], ['test', 'connected', { name: 'test', version: '1' }]);
      const echo = server.tools.find(tool => tool.name === 'echo');
      assert.deepEqual([echo.description, echo.annotations.readOnly], ['Say it again.', true]);
    });
  },
  reconnectMcpServer: async t => {
    await t.talk(DONE, { mcpServers: { test: stdio() } }, async (host, q) => {
      await q.reconnectMcpServer('test');
      assert.equal((await q.mcpServerStatus())[0].status, 'connected');
      assert.match((await t.refused(q.reconnectMcpServer('nobody'))).message, /not found: nobody/);
    });
  },
  toggleMcpServer: async t => {
    const seen = await t.talk(DONE, { mcpServers: { test: stdio() } }, async (host, q) => {
      await q.toggleMcpServer('test', false);
      assert.equal((await q.mcpServerStatus())[0].status, 'disabled');
      host.say('go');
      await host.next('result');
      await q.toggleMcpServer('test', true);
      assert.equal((await q.mcpServerStatus())[0].status, 'connected');
      host.say('go');
      await host.next('result');
    });
    const has = seen.of('system', 'init').map(init => init.tools.includes('mcp__test__echo'));
    assert.deepEqual(has, [false, true]);
  },
  'enableChannel: a message begins a turn': async t => {
    const fifo = path.join(t.cwd, 'fifo');
    cp.execFileSync('mkfifo', [fifo]);
    const model = 'reply forever when prompt contains "Is it done"\n  text Nearly\n'
      + calls(['mcp__desk__later', { content: 'Is it done?', meta: { sender: 'ada' }, fifo }]);
    const seen = await t.talk(model, { mcpServers: { desk: channel() }, allowedTools: ['mcp__desk'] }, async (host, q) => {
      await q.enableChannel('desk');
      await q.enableChannel('desk');
      host.say('go');
      await host.next('result');
      fs.writeFileSync(fifo, '');
      await host.next('result');
    });
    const [first, second] = seen.of('result');
    assert.deepEqual([first.result, first.origin], ['Done', undefined]);
    assert.deepEqual([second.result, second.origin], ['Nearly', { kind: 'channel', server: 'desk' }]);
  },
  'enableChannel: a channel answers a question before the host does': async t => {
    const seen = await t.talk(calls(['Bash', { command: 'touch made' }]), {
      mcpServers: { desk: channel() },
      canUseTool: (name, input, { signal }) => new Promise(answer => {
        signal.addEventListener('abort', () => answer({ behavior: 'deny', message: 'too late' }));
      }),
    }, async (host, q) => {
      await q.enableChannel('desk');
      host.say('go');
      await host.next('result');
    });
    assert.equal(seen.result.result, 'Done');
    assert.ok(fs.existsSync(path.join(t.cwd, 'made')));
  },
  'enableChannel says what is missing': async t => {
    await t.talk(DONE, { mcpServers: { test: stdio() } }, async (_, q) => {
      assert.match((await t.refused(q.enableChannel('nobody'))).message, /not found: nobody/);
      assert.match((await t.refused(q.enableChannel('test'))).message, /test has no capability claude\/channel/);
    });
    await t.talk(DONE, { mcpServers: { desk: channel() }, managedSettings: { channelsEnabled: false } }, async (_, q) => {
      assert.match((await t.refused(q.enableChannel('desk'))).message, /channelsEnabled forbids channels/);
    });
  },
  setMcpServers: async t => {
    const seen = await t.talk(CALL, { ...ALLOWED }, async (host, q) => {
      const change = await q.setMcpServers({ calc: calc(t), test: stdio(), gone: { command: '/no/such/program' } });
      assert.deepEqual([change.added.sort(), change.removed, Object.keys(change.errors)],
                       [['calc', 'gone', 'test'], [], ['gone']]);
      host.say('go');
      await host.next('result');
      const less = await q.setMcpServers({ test: stdio() });
      assert.deepEqual([less.added, less.removed.sort()], [[], ['calc', 'gone']]);
      host.say('go');
      await host.next('result');
    });
    assert.deepEqual(seen.told, ['42']);
    assert.deepEqual(seen.init.mcp_servers.map(server => server.name), ['test']);
  },
  'setMcpPermissionModeOverride: calls of one server are asked about although the session skips permissions': async t => {
    await t.serve('reply\n  tool mcp__calc__answer {}\nreply\n  text Done\n'.repeat(3));
    const options = { mcpServers: { calc: calc(t) }, permissionMode: 'bypassPermissions', answers: [NO],
                      allowDangerouslySkipPermissions: true, env: { ...t.env, IS_SANDBOX: '1' } };
    const seen = await t.talk(null, options, async (host, q) => {
      assert.match((await q.setMcpPermissionModeOverride('clac', 'default')).warning, /clac/);
      assert.equal((await q.setMcpPermissionModeOverride('calc', 'default')).warning, undefined);
      assert.equal((await t.refused(q.setMcpPermissionModeOverride('calc', 'bypassPermissions'))).code, 'invalid_mode');
      host.say('go');
      await host.next('result');
      assert.deepEqual(await q.setMcpPermissionModeOverride('calc', null), {});
      host.say('go');
      await host.next('result');
      await q.setMcpServers({});
      await q.setMcpPermissionModeOverride('calc', 'default');
      await q.setMcpServers({ calc: calc(t) });
      host.say('go');
      await host.next('result');
    });
    assert.deepEqual(seen.told, [NO.message, '42', NO.message]);
    assert.deepEqual(seen.asks.map(ask => ask.tool), ['mcp__calc__answer', 'mcp__calc__answer']);
  },
  readMcpResource: async t => {
    await t.talk(DONE, { mcpServers: { test: stdio() } }, async (_, q) => {
      assert.match((await t.refused(q.readMcpResource('test', 'file:///x'))).message, /ui:/);
      assert.match((await t.refused(q.readMcpResource('nobody', 'ui://x'))).message, /not found: nobody/);
    });
  },
};
