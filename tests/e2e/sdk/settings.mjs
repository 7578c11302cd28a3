// Where settings come from, and which of them count.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DONE, NO, YES, calls } from './harness.mjs';

const TOUCH = calls(['Bash', { command: 'touch a' }]);
const ALLOW = { permissions: { allow: ['Bash(touch:*)'] } };
const DENY = { permissions: { deny: ['Bash(touch:*)'] } };

export default {
  'settings: an object or a file': async t => {
    assert.deepEqual((await t.ask(TOUCH, { settings: ALLOW, answers: [NO] })).asks, []);
    const file = t.write('s.json', DENY);
    const seen = await t.ask(TOUCH, { settings: file, answers: [YES] });
    assert.deepEqual([seen.asks.length, seen.result.permission_denials.length], [0, 1]);
  },

  'settings: a file that is not there ends it before it begins': async t => {
    const seen = await t.ask(DONE, { settings: '/no/such.json' });
    assert.match(seen.error, /exited with code 1/);
    assert.deepEqual(seen.messages, []);
  },

  'settingSources: only those that are named': async t => {
    t.write('.claude/settings.json', ALLOW);
    for (const [settingSources, asked] of [[[], 1], [['user'], 1]])
      assert.equal((await t.ask(TOUCH, { settingSources, answers: [NO] })).asks.length, asked);
  },

  'settingSources: instruction files go with them': async t => {
    t.write('CLAUDE.md', 'Say moo.');
    for (const [settingSources, heard] of [[['project'], true], [[], false], [undefined, true]]) {
      await t.ask(DONE, { settingSources });
      assert.equal(JSON.stringify(t.requests[0].body).includes('Say moo.'), heard, String(settingSources));
    }
  },

  'managedSettings: they take away and give nothing': async t => {
    const seen = await t.ask(TOUCH, { managedSettings: DENY, allowedTools: ['Bash'] });
    assert.equal(seen.result.permission_denials.length, 1);
    const asked = await t.ask(TOUCH, { managedSettings: ALLOW, answers: [NO] });
    assert.equal(asked.asks.length, 1);
  },

  'sandbox: what is outside stays as it was': async t => {
    const outside = path.join(t.home, 'x');
    const seen = await t.ask(calls(['Bash', { command: `touch ${outside}` }]),
                             { sandbox: { enabled: true }, answers: [NO] });
    assert.deepEqual([seen.error, fs.existsSync(outside)], [null, false]);
  },

  'fastMode: only where the host asks for it, until the limit is reached': async t => {
    const plain = await t.ask(DONE, {});
    assert.deepEqual([plain.init.fast_mode_state, plain.init.fast_mode_disabled_reason, t.requests[0].body.speed],
                     ['off', 'sdk_opt_in_required', undefined]);
    const fast = await t.ask(DONE, { settings: { fastMode: true } });
    assert.deepEqual([fast.init.fast_mode_state, fast.init.fast_mode_disabled_reason, fast.result.fast_mode_state],
                     ['on', undefined, 'on']);
    assert.equal(t.requests[0].body.speed, 'fast');
    assert.match(t.requests[0].headers['anthropic-beta'], /fast-mode-2026-02-01/);
    const limited = await t.ask('fail 429 rate_limit_error "Slow down" retry-after=60\n' + DONE,
                                { settings: { fastMode: true } });
    assert.deepEqual([limited.result.fast_mode_state, limited.result.is_error], ['cooldown', false]);
    assert.deepEqual(t.requests.map(request => request.body.speed), ['fast', undefined]);
    const refused = await t.ask('fail 400 invalid_request_error "Fast mode is not enabled for your organization."\n' +
                                DONE, { settings: { fastMode: true } });
    assert.deepEqual([refused.result.fast_mode_state, refused.result.fast_mode_disabled_reason, refused.result.result],
                     ['off', 'preference', 'Done']);
    const other = await t.ask(DONE, { settings: { fastMode: true }, model: 'claude-sonnet-4-5' });
    assert.deepEqual([other.init.fast_mode_state, other.init.fast_mode_disabled_reason, t.requests[0].body.speed],
                     ['off', 'model_not_allowed', undefined]);
  },

  'fastMode: turned on and off in a conversation': async t => {
    await t.talk(DONE, {}, async (host, query) => {
      assert.equal((await query.supportedModels())[0].supportsFastMode, true);
      await query.applyFlagSettings({ fastMode: true });
      host.say('go');
      assert.equal((await host.next('result')).fast_mode_state, 'on');
      host.say('/fast off');
      assert.equal((await host.next('result')).fast_mode_state, 'off');
      host.say('go');
      await host.next('result');
    });
    assert.deepEqual(t.requests.map(request => request.body.speed), ['fast', undefined]);
  },
};
