// Who may do what, and who is asked.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DONE, NO, YES, calls } from './harness.mjs';

const TOUCH = calls(['Bash', { command: 'touch a' }]);
const WRITE = calls(['Write', { file_path: 'w', content: 'x' }]);

export default {
  'canUseTool: a yes runs it, a no is told word for word': async t => {
    const yes = await t.ask(TOUCH, { answers: [YES] });
    assert.deepEqual([t.files, yes.asks[0].tool, yes.asks[0].input], [['a'], 'Bash', { command: 'touch a' }]);
    const no = await t.ask(calls(['Bash', { command: 'touch b' }]), { answers: [NO] });
    assert.deepEqual([no.told, t.files], [['No way.'], ['a']]);
    assert.deepEqual(no.result.permission_denials.map(d => d.tool_name), ['Bash']);
  },

  'canUseTool: names of files are absolute, and the call keeps the words of the model': async t => {
    const answer = input => ({ ...YES, updatedInput: input });
    const seen = await t.ask(WRITE, { answers: [answer] });
    assert.deepEqual(seen.asks[0].input, { file_path: t.path('w'), content: 'x' });
    const [call] = t.requests.at(-1).body.messages.filter(message => message.role === 'assistant').at(-1).content;
    assert.deepEqual([call.input.file_path, t.read('w')], ['w', 'x']);
  },

  'canUseTool: another input runs instead, and a rule may come with the yes': async t => {
    const answer = (input, { suggestions }) => ({ ...YES, updatedInput: { command: 'touch b' },
                                                  updatedPermissions: suggestions });
    await t.ask(TOUCH, { answers: [answer] });
    assert.deepEqual(t.files, ['b']);
    assert.match(t.read('.claude/settings.local.json'), /Bash\(touch a\)/);
  },

  'canUseTool: a question about several commands says so, with the ask rule and the doubts about safety': async t => {
    const settings = { permissions: { ask: ['Bash(git push:*)'], allow: ['Bash(touch:*)'] } };
    const asked = async command => {
      await t.ask(calls(['Bash', { command }]), { settings, answers: [NO] });
      return t.traffic.at(-1).output.find(line => line.request?.subtype === 'can_use_tool').request;
    };
    const both = await asked('touch a && git push && echo x > .git/config');
    assert.deepEqual([both.decision_reason_type, both.classifier_approvable, both.matched_ask_rule],
                     ['subcommandResults', false,
                      { source: 'flagSettings', tool_name: 'Bash', rule_content: 'git push:*' }]);
    const one = await asked('git push');
    assert.deepEqual([one.decision_reason_type, one.classifier_approvable, one.matched_ask_rule],
                     ['rule', undefined, undefined]);
  },

  'canUseTool: no and stop ends the turn': async t => {
    const seen = await t.ask(TOUCH, { answers: [{ ...NO, interrupt: true }] });
    assert.deepEqual([seen.result.subtype, seen.result.terminal_reason, t.requests.length],
                     ['error_during_execution', 'aborted_tools', 1]);
  },

  'canUseTool: an interrupt withdraws the question': async t => {
    let aborted = false;
    const waits = (_, { signal }) => new Promise(resolve => signal.addEventListener('abort', () => {
      aborted = true;
      resolve(NO);
    }));
    const seen = await t.talk(TOUCH, { answers: [waits] }, async (host, q) => {
      host.say('go');
      await host.nextAsk();
      await q.interrupt();
      await host.next('result');
    });
    assert.deepEqual([aborted, seen.result.terminal_reason, t.files], [true, 'aborted_tools', []]);
  },

  'allowedTools: what they name is not asked about': async t => {
    const seen = await t.ask(TOUCH, { allowedTools: ['Read', 'Bash(touch a)'], answers: [NO] });
    assert.deepEqual([seen.asks, t.files], [[], ['a']]);
  },

  'disallowedTools: a rule denies, a bare name takes the tool away': async t => {
    const denied = await t.ask(TOUCH, { disallowedTools: ['Bash(touch:*)'], answers: [YES] });
    assert.deepEqual([denied.asks.length, denied.result.permission_denials.length], [0, 1]);
    const without = await t.ask(DONE, { disallowedTools: ['Bash'] });
    assert.ok(!without.init.tools.includes('Bash'));
    assert.ok(!t.requests[0].body.tools.some(tool => tool.name === 'Bash'));
  },

  'tools: exactly those, none, or all': async t => {
    const offered = async tools => {
      await t.ask(DONE, { tools });
      return (t.requests[0].body.tools ?? []).map(tool => tool.name).sort();
    };
    assert.deepEqual(await offered(['Read', 'Bash']), ['Bash', 'Read']);
    assert.deepEqual(await offered([]), []);
    assert.ok((await offered({ type: 'preset', preset: 'claude_code' })).length > 5);
  },

  'permissionMode: each does what it says': async t => {
    for (const [permissionMode, asks, made] of [['default', 1, false], ['acceptEdits', 0, true], ['plan', 1, false],
                                               ['dontAsk', 0, false]]) {
      const seen = await t.ask(WRITE.replaceAll('"w"', `"${permissionMode}"`), { permissionMode, answers: [NO] });
      assert.deepEqual([seen.init.permissionMode, seen.asks.length, t.files.includes(permissionMode)],
                       [permissionMode, asks, made]);
    }
  },

  'allowDangerouslySkipPermissions: the bypass needs it, at the start and later': async t => {
    await t.serve(TOUCH);
    const env = { ...t.env, IS_SANDBOX: '1' };
    const seen = await t.ask(null, { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true, env });
    assert.deepEqual([seen.error, t.files], [null, ['a']]);
    const later = await t.talk(DONE, {}, async (_, q) => {
      assert.equal((await t.refused(q.setPermissionMode('bypassPermissions'))).code, 'bypass_not_launched');
    });
    assert.equal(later.error, null);
  },

  'permissionPrompts: nobody is asked when the host says so': async t => {
    const seen = await t.ask(TOUCH, { permissionPrompts: 'none' });
    assert.deepEqual([seen.result.permission_denials.length, seen.of('system', 'permission_denied').length], [1, 1]);
    const asked = await t.ask(TOUCH, { permissionPrompts: 'host', answers: [YES] });
    assert.equal(asked.asks.length, 1);
  },

  'permissionPromptToolName: a tool that no server has answers with no': async t => {
    const seen = await t.ask(TOUCH, { permissionPromptToolName: 'mcp__a__b' });
    assert.equal(seen.result.permission_denials.length, 1);
  },

  'canUseTool: the result of a call comes when it ends, and says who decided': async t => {
    const outside = name => { fs.writeFileSync(path.join(t.root, name), name); return path.join(t.root, name); };
    const input = name => JSON.stringify({ file_path: outside(name) });
    const give = {}; // the answers that wait
    const wait = name => () => new Promise(resolve => { give[name] = resolve; });
    const script = `reply\n  tool Read ${input('a')}\n  tool Read ${input('b')}\n  tool Read ${input('c')}\n${DONE}`;
    const answers = [wait('a'), { ...YES, decisionClassification: 'user_permanent' }, wait('c')];
    const seen = await t.talk(script, { answers }, async host => {
      host.say('go');
      await host.next('user');
      give.c(NO);
      await host.next('user');
      give.a(YES);
      await host.next('result');
    });
    const meta = seen.of('user').map(m => m.tool_result_meta[0]);
    assert.deepEqual(meta.map(m => m.permission_decision.source), ['user_permanent', 'user_reject', 'user_temporary']);
    assert.deepEqual(meta.map(m => m.non_execution_kind), [undefined, 'user-rejected', undefined]);
    const called = seen.of('assistant').flatMap(m => m.message.content).filter(b => b.type === 'tool_use').map(b => b.id);
    const told = t.requests.at(-1).body.messages.at(-1).content.map(block => block.tool_use_id);
    assert.deepEqual([told, meta.map(m => m.id)], [called, [called[1], called[2], called[0]]]);
  },

  'additionalDirectories: they are like the working directory': async t => {
    const other = fs.mkdtempSync(path.join(t.root, 'other-'));
    const write = calls(['Write', { file_path: path.join(other, 'x'), content: 'x' }]);
    const outside = await t.ask(write, { permissionMode: 'acceptEdits', answers: [NO] });
    assert.deepEqual([outside.asks.length, outside.init.additional_directories], [1, []]);
    const seen = await t.ask(write, { additionalDirectories: [other], permissionMode: 'acceptEdits', answers: [NO] });
    assert.deepEqual([seen.asks, seen.init.additional_directories], [[], [other]]);
  },

  'hooks: a callback may deny a call': async t => {
    const deny = async () => ({ hookSpecificOutput: {
      hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'Not today.' } });
    const seen = await t.ask(TOUCH, { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [deny] }] }, allowedTools: ['Bash'] });
    assert.deepEqual([seen.told, t.files], [['Not today.'], []]);
  },

  'planModeInstructions: they are what the model reads about plan mode': async t => {
    await t.ask(DONE, { permissionMode: 'plan', planModeInstructions: 'Think first, friend.', answers: [NO] });
    assert.match(JSON.stringify(t.requests[0].body.messages), /Think first, friend\./);
  },

  'toolAliases: a call of the other name runs the tool': async t => {
    t.write('x', 'here\n');
    const seen = await t.ask(calls(['Look', { file_path: 'x' }]), { toolAliases: { Look: 'Read' } });
    assert.match(seen.told[0], /here/);
  },

  'toolAliases: rules, hooks and questions are about the tool that runs': async t => {
    const touch = calls(['Shell', { command: 'touch a' }]);
    const toolAliases = { Shell: 'Bash', Bash: 'Shell' };
    const asked = await t.ask(touch, { toolAliases, answers: [NO] });
    assert.deepEqual([asked.asks[0].tool, asked.result.permission_denials[0].tool_name], ['Bash', 'Bash']);
    const denied = await t.ask(touch, { toolAliases, disallowedTools: ['Bash(touch:*)'], allowedTools: ['Shell'] });
    const matched = [];
    const note = async input => { matched.push(input.tool_name); return {}; };
    const hooked = await t.ask(touch, { toolAliases, hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [note] }] } });
    assert.deepEqual([denied.result.permission_denials.length, matched, t.files], [1, ['Bash'], []]);
    assert.match(hooked.told[0], /denied/);
  },

  'toolAliases: a tool that is not there is not found, and no chain is followed': async t => {
    const seen = await t.ask(calls(['Bash', { command: 'true' }], ['A', {}]),
                             { toolAliases: { Bash: 'mcp__box__bash', A: 'B', B: 'Read' } });
    assert.match(seen.told[0], /No such tool available: mcp__box__bash\b/);
    assert.match(seen.told[1], /No such tool available: B\b/);
  },
};
