// How the SDK starts the executable and ends it.
import assert from 'node:assert/strict';
import cp from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DONE } from './harness.mjs';

const STALLS = 'reply forever\n  text "x"\n  stall forever\n';

export default {
  'pathToClaudeCodeExecutable: a prompt gets its answer': async t => {
    const seen = await t.ask(DONE, { pathToClaudeCodeExecutable: t.awl });
    assert.deepEqual([seen.result.result, seen.result.subtype, seen.error], ['Done', 'success', null]);
    assert.deepEqual(seen.argv.slice(0, 5),
                     ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json']);
  },

  'pathToClaudeCodeExecutable: a path that is not there is an error of the SDK': async t => {
    const seen = await t.ask(DONE, { pathToClaudeCodeExecutable: path.join(t.root, 'none') });
    assert.match(seen.error, /not found|failed to launch|ENOENT/i);
  },

  'executable and executableArgs: a script of Node may stand in front': async t => {
    const wrapper = t.write('front.mjs', `
      import { spawn } from 'node:child_process';
      const child = spawn(${JSON.stringify(t.awl)}, process.argv.slice(2), { stdio: 'inherit' });
      child.on('exit', code => process.exit(code));`);
    const seen = await t.ask(DONE, { executable: 'node', executableArgs: ['--no-warnings'],
                                     pathToClaudeCodeExecutable: wrapper });
    assert.deepEqual([seen.result.result, seen.error], ['Done', null]);
  },

  'executableArgs: with a program they are its first arguments': async t => {
    const seen = await t.ask(DONE, { executableArgs: ['--model', 'haiku'] });
    assert.deepEqual([t.requests[0].body.model, seen.error], ['claude-haiku-5-5', null]);
  },

  'extraArgs: flags with a value and without': async t => {
    const seen = await t.ask(DONE, { extraArgs: { 'append-system-prompt': 'Be kind.', 'replay-user-messages': null },
                                     systemPrompt: { type: 'preset', preset: 'claude_code' } });
    assert.match(JSON.stringify(t.requests[0].body.system), /Be kind\./);
    assert.equal(seen.of('user')[0].isReplay, true);
  },

  'extraArgs: a flag that does not exist ends it with words': async t => {
    const seen = await t.ask(DONE, { extraArgs: { 'no-such-flag': null } });
    assert.match(seen.error, /exited with code 1/);
    assert.match(seen.error + seen.stderr, /no-such-flag/);
    assert.deepEqual(seen.messages, []);
  },

  'cwd: the session is there': async t => {
    const cwd = path.dirname(t.write('sub/x', ''));
    const seen = await t.ask(DONE, { cwd });
    assert.equal(seen.init.cwd, cwd);
  },

  'env: it is the whole environment, for the commands too': async t => {
    await t.serve('reply\n  tool Bash {"command": "echo $ONLY_HERE $NODE_TEST_CONTEXT"}\n' + DONE);
    process.env.NODE_TEST_CONTEXT = 'of this process';
    const seen = await t.ask(null, { env: { ...t.env, ONLY_HERE: 'yes' }, allowedTools: ['Bash'] });
    assert.deepEqual(seen.told.map(text => text.trim()), ['yes']);
  },

  'spawnClaudeCodeProcess: the host may start the process itself': async t => {
    let argv;
    const spawnClaudeCodeProcess = ({ command, args, cwd, env, signal }) => {
      argv = [command, ...args];
      return cp.spawn(command, args, { cwd, env, signal, stdio: ['pipe', 'pipe', 'ignore'] });
    };
    const seen = await t.ask(DONE, { spawnClaudeCodeProcess });
    assert.deepEqual([seen.result.result, argv[0]], ['Done', t.awl]);
  },

  'stderr: the host hears what was complained of': async t => {
    let heard = '';
    await t.ask(DONE, { stderr: text => { heard += text; }, settings: '/no/such/file.json' });
    assert.match(heard, /No such file/);
  },

  'debug: the log goes to standard error': async t => {
    const seen = await t.ask(DONE, { debug: true });
    assert.match(seen.stderr, /session/);
    assert.equal(seen.result.result, 'Done');
  },

  'debugFile: the log goes to the file': async t => {
    const debugFile = path.join(t.root, 'log');
    const seen = await t.ask(DONE, { debugFile });
    assert.match(fs.readFileSync(debugFile, 'utf8'), /session/);
    assert.equal(seen.stderr, '');
  },

  'abortController: a turn that hangs is left behind': async t => {
    const abortController = new AbortController();
    const seen = await t.talk(STALLS, { abortController, includePartialMessages: true }, async host => {
      host.say('go');
      await host.next('stream_event');
      abortController.abort();
    });
    assert.match(seen.error, /abort/i);
  },

  'leaving the loop ends the process': async t => {
    await t.serve(STALLS);
    const query = t.sdk.query({ prompt: 'go', options: { cwd: t.cwd, env: t.env, includePartialMessages: true,
                                                        pathToClaudeCodeExecutable: t.awl } });
    for await (const message of query)
      if (message.type === 'stream_event') break;
    assert.equal(t.traffic.length, 1); // it has gone: the harness waits for it
  },

  'an error result is an exception, an interrupted host none': async t => {
    const failed = await t.ask('fail 400 invalid_request_error "bad thing"\n', {});
    assert.deepEqual([failed.result.subtype, failed.result.is_error, failed.result.api_error_status],
                     ['success', true, 400]);
    assert.match(failed.error, /returned an error result: .*bad thing/);
  },
};
