// projectConfigRoot: a session in one checkout with the settings of another one, which the user trusts.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DONE, NO, YES, calls } from './harness.mjs';

const TRUST = { 'trust-project': null };
const PRE = command => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } });
const SAY = words => calls(['Bash', { command: words }]);

// Two checkouts: `t.checkout` has the project's files, t.cwd is where awl works.
function make(t, files = {}) {
  t.checkout = path.join(t.root, 'checkout');
  for (const [name, content] of Object.entries(files)) put(t, name, content);
  fs.mkdirSync(t.checkout, { recursive: true });
  return { projectConfigRoot: t.checkout, extraArgs: TRUST };
}

function put(t, name, content) {
  const file = path.join(t.checkout, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o755 });
}

const skill = name => `---\nname: ${name}\ndescription: ${name}\n---\nDo ${name}.\n`;

export default {
  'rules: those of the checkout count, those of the working directory do not': async t => {
    const options = make(t, { '.claude/settings.json': { permissions: { deny: ['Bash(touch b)'] } } });
    t.write('.claude/settings.json', { permissions: { deny: ['Bash(touch a)'] } });
    const seen = await t.ask(calls(['Bash', { command: 'touch a' }], ['Bash', { command: 'touch b' }]),
                             { ...options, answers: [YES] });
    assert.deepEqual(t.files, ['a']);
    assert.deepEqual(seen.result.permission_denials.map(one => one.tool_input.command), ['touch b']);
  },

  'rules with paths: what guards counts in both, what allows only where awl works': async t => {
    const options = make(t, { 'secret.txt': 'theirs',
                              '.claude/settings.json': { permissions: { deny: ['Read(/secret.txt)'], allow: ['Edit(/free.txt)'] } } });
    t.write('secret.txt', 'ours');
    const there = path.join(t.checkout, 'secret.txt');
    const free = path.join(t.checkout, 'free.txt');
    const seen = await t.ask(calls(['Read', { file_path: t.path('secret.txt') }], ['Read', { file_path: there }],
                                   ['Write', { file_path: t.path('free.txt'), content: 'new' }],
                                   ['Write', { file_path: free, content: 'new' }]),
                             { ...options, additionalDirectories: [t.checkout], answers: [NO] });
    assert.deepEqual(seen.asks.map(ask => ask.input.file_path), [free]);
    assert.equal(seen.result.permission_denials.length, 3);
    assert.deepEqual(t.files, ['free.txt', 'secret.txt']);
  },

  'sandbox: what the project hides is hidden in both': async t => {
    const options = make(t, { 'secret.txt': 'theirs',
                              '.claude/settings.json': { sandbox: { enabled: true, filesystem: { denyRead: ['./secret.txt'] } } } });
    t.write('secret.txt', 'ours');
    const seen = await t.ask(SAY(`cat secret.txt ${t.checkout}/secret.txt; true`), { ...options, answers: [YES] });
    assert.doesNotMatch(JSON.stringify(seen.told), /ours|theirs/);
  },

  'hooks: they come from the checkout, run in the working directory and know both': async t => {
    const options = make(t, { '.claude/settings.json': PRE('echo "$CLAUDE_PROJECT_DIR" > hooked; pwd >> hooked') });
    t.write('.claude/settings.json', PRE('touch stranger'));
    await t.ask(SAY('echo "$CLAUDE_PROJECT_DIR"'), { ...options, answers: [YES] });
    assert.equal(t.read('hooked'), `${t.checkout}\n${t.cwd}\n`);
    assert.deepEqual(t.files, ['hooked']);
  },

  'hooks: a script of the checkout runs by its full name, whatever the branch has made of it': async t => {
    const options = make(t, { 'check.sh': '#!/bin/sh\ntouch good\n',
                              '.claude/settings.json': PRE('"$CLAUDE_PROJECT_DIR"/check.sh') });
    t.write('check.sh', '#!/bin/sh\ntouch bad\n');
    await t.ask(SAY('true'), { ...options, answers: [YES] });
    assert.deepEqual(t.files, ['check.sh', 'good']);
  },

  'hooks: a relative name that the branch has given to another script ends the trust': async t => {
    const options = make(t, { 'check.sh': 'touch good\n', '.claude/settings.json': PRE('sh ./check.sh') });
    t.write('check.sh', 'touch bad\n');
    const seen = await t.ask(SAY('true'), { ...options, answers: [YES] });
    assert.deepEqual(t.files, ['check.sh']);
    assert.match(seen.of('system', 'informational').map(one => one.content).join('\n') + seen.stderr,
                 /run \.\/check\.sh, which is another file in/);
    fs.writeFileSync(t.path('check.sh'), 'touch good\n');
    await t.ask(SAY('true'), { ...options, answers: [YES] });
    assert.deepEqual(t.files, ['check.sh', 'good']);
  },

  'without trust nothing of the checkout widens, and its denials count': async t => {
    const options = make(t, { '.claude/settings.json': { permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(touch b)'] },
                                                         ...PRE('touch hooked') } });
    const seen = await t.ask(calls(['Bash', { command: 'touch a' }], ['Bash', { command: 'touch b' }]),
                             { ...options, extraArgs: {}, answers: [NO] });
    assert.deepEqual([seen.asks.length, seen.result.permission_denials.length, t.files], [1, 2, []]);
  },

  'commands, skills, agents and styles: those of the checkout': async t => {
    const options = make(t, { '.claude/commands/ours.md': 'Say moo.', '.claude/skills/oursk/SKILL.md': skill('oursk'),
                              '.claude/agents/oura.md': '---\nname: oura\ndescription: d\n---\nBe.',
                              '.claude/output-styles/ourstyle.md': '---\nname: ourstyle\ndescription: d\n---\nBe.' });
    t.write('.claude/commands/theirs.md', 'Say boo.');
    t.write('.claude/skills/theirsk/SKILL.md', skill('theirsk'));
    t.write('.claude/agents/theira.md', '---\nname: theira\ndescription: d\n---\nBe.');
    t.write('.claude/output-styles/theirstyle.md', '---\nname: theirstyle\ndescription: d\n---\nBe.');
    await t.talk(DONE, options, async (host, query) => {
      const known = JSON.stringify(await query.initializationResult());
      assert.match(known, /ours"/);
      for (const name of ['oursk', 'oura', 'ourstyle']) assert.match(known, new RegExp(name));
      assert.doesNotMatch(known, /theirs|theira/);
      host.say('/ours');
      await host.next('result');
    });
    assert.match(JSON.stringify(t.requests[0].body), /Say moo/);
  },

  'skills of a folder: those that the checkout has there': async t => {
    const options = make(t, { 'sub/.claude/skills/oursk/SKILL.md': skill('oursk'), 'sub/x.txt': 'x' });
    t.write('sub/x.txt', 'x');
    t.write('sub/.claude/skills/theirsk/SKILL.md', skill('theirsk'));
    await t.ask(calls(['Read', { file_path: t.path('sub/x.txt') }]), { ...options, answers: [NO] });
    const last = JSON.stringify(t.requests.at(-1).body);
    assert.match(last, /oursk/);
    assert.doesNotMatch(last, /theirsk/);
  },

  '.mcp.json: its servers come from the checkout and start there': async t => {
    const server = [
      "const rl = require('readline').createInterface({ input: process.stdin });",
      "const fs = require('fs');",
      "fs.writeFileSync(process.env.MARK, process.cwd());",
      "rl.on('line', line => { const m = JSON.parse(line); if (m.id === undefined) return;",
      "  const r = { initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },",
      "    'tools/list': { tools: [] } }[m.method];",
      "  console.log(JSON.stringify(r ? { jsonrpc: '2.0', id: m.id, result: r } : { jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'no' } })); });",
    ].join('\n');
    const mark = path.join(t.root, 'mark');
    const entry = { mcpServers: { ours: { command: process.execPath, args: ['./server.cjs'], env: { MARK: mark } } } };
    const options = make(t, { '.mcp.json': entry, 'server.cjs': server });
    t.write('server.cjs', 'require("fs").writeFileSync(process.env.MARK, "stranger")');
    t.write('.mcp.json', { mcpServers: { theirs: { command: 'false' } } });
    const seen = await t.ask(DONE, options);
    assert.deepEqual(seen.init.mcp_servers.map(one => [one.name, one.status]), [['ours', 'connected']]);
    assert.equal(fs.readFileSync(mark, 'utf8'), t.checkout);
  },

  'instructions and the transcript: those of the working directory': async t => {
    const options = make(t, { 'CLAUDE.md': 'Say boo.' });
    t.write('CLAUDE.md', 'Say moo.');
    const seen = await t.ask(DONE, options);
    assert.match(JSON.stringify(t.requests[0].body), /Say moo/);
    assert.doesNotMatch(JSON.stringify(t.requests[0].body), /Say boo/);
    assert.equal(seen.init.cwd, t.cwd);
    assert.equal((await t.sdk.listSessions({ dir: t.cwd })).length, 1);
  },

  'an answer that is kept goes into the checkout': async t => {
    const options = make(t);
    await t.ask(SAY('touch a'), { ...options, answers: [(input, more) => ({ behavior: 'allow', updatedInput: input,
      updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'touch a' }], behavior: 'allow',
                             destination: 'localSettings' }] })] });
    assert.match(fs.readFileSync(path.join(t.checkout, '.claude/settings.local.json'), 'utf8'), /touch a/);
    const again = await t.ask(SAY('touch a'), { ...options, answers: [NO] });
    assert.deepEqual(again.asks, []);
  },

  'a path that is not absolute, or no directory, ends it before it begins': async t => {
    for (const [projectConfigRoot, why] of [['checkout', /not an absolute path/], ['/no/such', /no\/such/]]) {
      const seen = await t.ask(DONE, { projectConfigRoot });
      assert.match(seen.error + seen.stderr, why);
      assert.deepEqual(seen.messages, []);
    }
  },
};
