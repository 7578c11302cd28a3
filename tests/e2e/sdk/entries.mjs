// The other functions of the SDK: a process started early, and sessions read without one.
import assert from 'node:assert/strict';
import { DONE } from './harness.mjs';

async function kept(t) {
  const seen = await t.ask(DONE, {}, 'the first thing');
  return seen.result.session_id;
}

function reads(body) {
  return async t => {
    const id = await kept(t);
    await body(t, id, { dir: t.cwd });
  };
}

export default {
  'startup: it waits with open input until there is a prompt': async t => {
    await t.serve(DONE);
    const warm = await t.sdk.startup({ options: { cwd: t.cwd, env: t.env, pathToClaudeCodeExecutable: t.awl } });
    const results = [];
    for await (const message of warm.query('go')) if (message.type === 'result') results.push(message.result);
    assert.deepEqual(results, ['Done']);
  },

  'startup: one that is not needed is closed': async t => {
    await t.serve(DONE);
    const warm = await t.sdk.startup({ options: { cwd: t.cwd, env: t.env, pathToClaudeCodeExecutable: t.awl } });
    warm.close();
  },

  'prewarm: refused, as a host must expect': async t => {
    await t.serve(DONE);
    const warm = t.sdk.prewarm({ options: { env: t.env, pathToClaudeCodeExecutable: t.awl } });
    await assert.rejects(Promise.resolve(warm));
  },

  listSessions: reads(async (t, id, at) =>
    assert.deepEqual((await t.sdk.listSessions(at)).map(s => s.sessionId), [id])),
  getSessionInfo: reads(async (t, id, at) => {
    const info = await t.sdk.getSessionInfo(id, at);
    assert.deepEqual([info.firstPrompt, info.cwd], ['the first thing', t.cwd]);
  }),
  getSessionMessages: reads(async (t, id, at) => {
    const messages = await t.sdk.getSessionMessages(id, at);
    assert.deepEqual(messages.map(m => m.type), ['user', 'assistant']);
  }),
  'renameSession and tagSession': reads(async (t, id, at) => {
    await t.sdk.renameSession(id, 'Of mice', at);
    await t.sdk.tagSession(id, 'old', at);
    const info = await t.sdk.getSessionInfo(id, at);
    assert.deepEqual([info.customTitle, info.tag], ['Of mice', 'old']);
    assert.equal((await t.ask(DONE, { resume: id }, 'more')).error, null);
  }),
  'forkSession: awl resumes the copy': reads(async (t, id, at) => {
    const { sessionId } = await t.sdk.forkSession(id, at);
    const seen = await t.ask(DONE, { resume: sessionId }, 'more');
    assert.equal(seen.result.session_id, sessionId);
    assert.match(JSON.stringify(t.requests[0].body.messages), /the first thing/);
  }),
  deleteSession: reads(async (t, id, at) => {
    await t.sdk.deleteSession(id, at);
    assert.match((await t.ask(DONE, { resume: id })).error, /No conversation found/);
  }),
  'archiveSession and unarchiveSession': reads(async (t, id, at) => {
    await t.sdk.archiveSession(id, at);
    await t.sdk.unarchiveSession(id, at);
    assert.equal((await t.ask(DONE, { resume: id }, 'more')).error, null);
  }),
  importSessionToStore: reads(async (t, id, at) => {
    const store = new t.sdk.InMemorySessionStore();
    await t.sdk.importSessionToStore(id, store, at);
    assert.ok(store.size !== 0);
  }),
  'listSubagents and getSubagentMessages': reads(async (t, id, at) => {
    assert.deepEqual(await t.sdk.listSubagents(id, at), []);
    assert.deepEqual(await t.sdk.getSubagentMessages(id, 'none', at), []);
  }),
  resolveSettings: async t => {
    t.write('.claude/settings.json', { model: 'haiku' });
    const told = await t.sdk.resolveSettings({ cwd: t.cwd, settingSources: ['project'] });
    assert.match(JSON.stringify(told), /haiku/);
  },
};
