// Every method of a query.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { DONE, NO, YES, calls } from './harness.mjs';

const STALLS = 'reply forever\n  text "x"\n  stall forever\n';
const SLEEP = calls(['Bash', { command: 'sleep 1000', run_in_background: true }]);

/** A session without a turn, for one method. */
function method(body, options = {}) {
  return async t => {
    const seen = await t.talk(DONE, options, (host, q) => body(q, t, host));
    assert.equal(seen.error, null);
  };
}

export default {
  initializationResult: method(async q => {
    const told = await q.initializationResult();
    assert.ok(told.models.length && told.commands.length);
    assert.ok(told.available_output_styles.includes(told.output_style));
  }),
  supportedCommands: method(async q => assert.ok((await q.supportedCommands()).some(c => c.name === 'context'))),
  supportedModels: method(async q => assert.equal((await q.supportedModels())[0].value, 'default')),
  supportedAgents: method(async q => assert.ok(Array.isArray(await q.supportedAgents()))),
  accountInfo: method(async q => assert.deepEqual(await q.accountInfo(), {
    tokenSource: 'none', apiKeySource: 'ANTHROPIC_API_KEY', apiProvider: 'firstParty' })),
  reinitialize: method(async q => assert.ok((await q.reinitialize()).models.length)),

  interrupt: async t => {
    const seen = await t.talk(STALLS, { includePartialMessages: true }, async (host, q) => {
      host.say('go');
      await host.next('stream_event');
      await q.interrupt();
      await host.next('result');
    });
    assert.deepEqual([seen.result.subtype, seen.result.terminal_reason], ['error_during_execution', 'aborted_streaming']);
  },
  'interrupt, when nothing runs': method(async q => { await q.interrupt(); }),

  setPermissionMode: async t => {
    const seen = await t.talk(DONE, {}, async (host, q) => {
      await q.setPermissionMode('acceptEdits');
      host.say('go');
      await host.next('result');
      assert.equal((await t.refused(q.setPermissionMode('nonsense'))).code, 'invalid_mode');
    });
    assert.equal(seen.init.permissionMode, 'acceptEdits');
    assert.equal(seen.of('system', 'status')[0].permissionMode, 'acceptEdits');
  },

  setModel: async t => {
    await t.talk(DONE, { model: 'opus' }, async (host, q) => {
      for (const model of ['haiku', undefined]) {
        await q.setModel(model);
        host.say('go');
        await host.next('result');
      }
    });
    assert.deepEqual(t.requests.map(r => r.body.model), ['claude-haiku-5-5', 'claude-opus-5-5']);
  },

  setMaxThinkingTokens: async t => {
    await t.talk(DONE, { model: 'claude-sonnet-4-5' }, async (host, q) => {
      for (const tokens of [2000, 0]) {
        await q.setMaxThinkingTokens(tokens);
        host.say('go');
        await host.next('result');
      }
    });
    assert.equal(t.requests[0].body.thinking.budget_tokens, 2000);
    assert.notEqual(t.requests[1].body.thinking?.type, 'enabled');
  },

  'setMaxThinkingTokens: how thinking is shown changes for the rest of the session': async t => {
    await t.talk(DONE, { model: 'opus', thinking: { type: 'adaptive', display: 'omitted' } }, async (host, q) => {
      for (const display of ['summarized', undefined, null]) {
        await q.setMaxThinkingTokens(null, display);
        host.say('go');
        await host.next('result');
      }
      assert.match((await t.refused(q.setMaxThinkingTokens(null, 'highlights'))).message, /highlights/);
    });
    assert.deepEqual(t.requests.map(({ body }) => body.thinking.display), ['summarized', 'summarized', undefined]);
  },

  applyFlagSettings: async t => {
    const seen = await t.talk(calls(['Bash', { command: 'touch a' }]), { answers: [NO] }, async (host, q) => {
      await q.applyFlagSettings({ permissions: { allow: ['Bash(touch:*)'] } });
      assert.match((await t.refused(q.applyFlagSettings({ permissions: { allow: 7 } }))).message, /permissions\.allow/);
      host.say('go');
      await host.next('result');
    });
    assert.deepEqual([seen.asks, t.files], [[], ['a']]);
  },

  updateSettings: async t => {
    await t.talk(DONE, {}, async (_, q) => {
      await q.updateSettings('userSettings', { effortLevel: 'low' });
      const { sources } = await q.getSettings();
      assert.match(JSON.stringify(sources.find(s => s.source === 'userSettings')), /"effortLevel":"low"/);
      for (const [settings, why] of [[{ hooks: {} }, /cannot write "hooks"/], [{ effortLevel: null }, /must be a string/]])
        assert.match((await t.refused(q.updateSettings('userSettings', settings))).message, why);
    });
    assert.match(fs.readFileSync(`${t.home}/.claude/settings.json`, 'utf8'), /"effortLevel": "low"/);
  },

  'getSettings: a file of which nothing is used is among the errors': async t => {
    const file = t.write('.claude/settings.json', '{ "model": ');
    await t.talk(DONE, {}, async (_, q) => {
      const { errors, sources } = await q.getSettings();
      assert.deepEqual(errors.map(error => [error.file, error.path]), [[file, '']]);
      assert.match(errors[0].message, /nothing in this file is used/);
      assert.ok(!sources.some(source => source.source === 'projectSettings'));
    });
  },

  'updateSettings: the output style of the project, from the next request on': async t => {
    await t.talk(DONE, { systemPrompt: { type: 'preset', preset: 'claude_code' } }, async (host, q) => {
      await q.updateSettings('localSettings', { outputStyle: 'Explanatory' });
      assert.equal((await q.getSettings()).effective.outputStyle, 'Explanatory');
      assert.match((await t.refused(q.updateSettings('localSettings', { outputStyle: 'x' }))).message, /no output style "x"/);
      host.say('go');
      await host.next('result');
    });
    assert.match(JSON.stringify(t.requests[0].body.system), /# Output style: Explanatory/);
    assert.deepEqual(JSON.parse(t.read('.claude/settings.local.json')), { outputStyle: 'Explanatory' });
  },

  'updateSettings: not in a file that settingSources excludes': async t => {
    await t.talk(DONE, { settingSources: ['user'] }, async (_, q) => {
      const refused = await t.refused(q.updateSettings('localSettings', { outputStyle: 'Explanatory' }));
      assert.match(refused.message, /--setting-sources excludes localSettings/);
    });
  },

  getContextUsage: method(async (q, t, host) => {
    host.say('go');
    await host.next('result');
    const told = await q.getContextUsage();
    assert.equal(told.maxTokens, 1000000);
    const inside = told.categories.filter(category => category.kind !== 'deferred');
    assert.equal(inside.reduce((sum, c) => sum + c.tokens, 0), told.maxTokens);
    assert.deepEqual([told.gridRows.length, told.gridRows[0].length], [20, 10]);
    assert.ok(told.systemTools.find(tool => tool.name === 'Bash').tokens > 0);
    assert.ok(told.deferredBuiltinTools.every(tool => !tool.isLoaded && tool.tokens > 0));
    assert.ok(told.messageBreakdown.assistantMessageTokens > 0);
    assert.deepEqual(Object.keys(told.apiUsage).sort(), ['cache_creation_input_tokens', 'cache_read_input_tokens',
                                                         'input_tokens', 'output_tokens']);
  }, { model: 'sonnet' }),

  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: method(async (q, t, host) => {
    host.say('go');
    await host.next('result');
    const told = await q.usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET();
    assert.ok(told.session.total_cost_usd > 0);
  }),

  readFile: async t => {
    t.write('x', 'here\n');
    await t.talk(DONE, {}, async (_, q) => {
      const told = await q.readFile('x');
      assert.deepEqual([told.contents, told.absPath], ['here\n', t.path('x')]);
      assert.equal(await q.readFile('none'), null);
    });
  },

  seedReadState: async t => {
    t.write('x', 'here\n');
    const seen = await t.talk(calls(['Edit', { file_path: 'x', old_string: 'here', new_string: 'there' }]),
                              { permissionMode: 'acceptEdits' }, async (host, q) => {
      await q.seedReadState(t.path('x'), Math.floor(fs.statSync(t.path('x')).mtimeMs));
      host.say('go');
      await host.next('result');
    });
    assert.deepEqual([t.read('x'), seen.error], ['there\n', null]);
  },

  streamInput: async t => {
    async function* more() {
      yield { type: 'user', session_id: '', parent_tool_use_id: null, message: { role: 'user', content: 'two' } };
    }
    const seen = await t.talk(DONE, {}, async (host, q) => {
      host.say('one');
      await host.next('result');
      q.streamInput(more()).catch(() => {});
      await host.next('result');
    });
    assert.equal(seen.of('result').length, 2);
  },

  stopTask: async t => {
    const seen = await t.talk(SLEEP, { answers: [YES] }, async (host, q) => {
      host.say('go');
      await host.next('result');
      await q.stopTask('bash_1');
      await q.stopTask('no-such-task');
    });
    assert.equal(seen.error, null);
  },

  backgroundTasks: method(async q => assert.equal(await q.backgroundTasks('toolu_nothing'), false)),
  reloadOutputStyles: method(async q => {
    assert.ok((await q.reloadOutputStyles()).available_output_styles.includes('default'));
  }),

  close: async t => {
    await t.talk(STALLS, { includePartialMessages: true }, async (host, q) => {
      host.say('go');
      await host.next('stream_event');
      q.close();
    });
  },

  'requests are answered while a turn runs': async t => {
    await t.talk(STALLS, { includePartialMessages: true }, async (host, q) => {
      host.say('go');
      await host.next('stream_event');
      await q.setPermissionMode('plan');
      assert.ok((await q.getContextUsage()).model);
      await q.interrupt();
      await host.next('result');
    });
  },
};
