// What the host sees while a turn runs.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { DONE, calls } from './harness.mjs';

export default {
  'a turn is told in order, and ends with one result': async t => {
    t.write('x', 'here\n');
    const seen = await t.ask(calls(['Read', { file_path: 'x' }]));
    const order = seen.messages.filter(m => !m.subtype?.startsWith('awl_')).map(m => m.type);
    assert.deepEqual(order, ['system', 'assistant', 'user', 'assistant', 'result']);
    assert.equal(seen.messages[0].subtype, 'init');
    assert.deepEqual([seen.result.num_turns, seen.result.stop_reason, seen.result.terminal_reason],
                     [2, 'end_turn', 'completed']);
  },

  'includePartialMessages: the events of the service, the message of a block just before its end': async t => {
    const seen = await t.ask(DONE, { includePartialMessages: true });
    const told = seen.messages.filter(m => ['stream_event', 'assistant'].includes(m.type))
      .map(m => m.event?.type ?? m.type);
    assert.deepEqual(told, ['message_start', 'content_block_start', 'content_block_delta', 'assistant',
                            'content_block_stop', 'message_delta', 'message_stop']);
    assert.deepEqual(seen.of('system', 'status').map(m => m.status), ['requesting']);
  },

  'includePartialMessages: the first event says how long it took': async t => {
    const seen = await t.ask(DONE, { includePartialMessages: true });
    assert.deepEqual(seen.of('stream_event').map(m => typeof m.ttft_ms).slice(0, 2), ['number', 'undefined']);
  },

  'includePartialMessages: about how much the model has thought': async t => {
    const uuid = '99999999-9999-4999-8999-999999999999';
    const script = 'reply forever\n  thinking "Let me think about it. " times 30\n  text Done\n';
    const seen = await t.talk(script, { includePartialMessages: true, model: 'opus' }, async host => {
      host.say('go', { uuid });
      await host.next('result');
    });
    const told = seen.of('system', 'thinking_tokens');
    const total = told.reduce((sum, m) => sum + m.estimated_tokens_delta, 0);
    assert.deepEqual([told.at(-1).estimated_tokens, total], [173, 173]);
    assert.ok(told.length > 1 && told.every(m => m.user_message_uuid === uuid));
    assert.deepEqual((await t.ask(script, { model: 'opus' })).of('system', 'thinking_tokens'), []);
  },

  'assistant: the request has the name that the service gave it': async t => {
    const seen = await t.ask(DONE);
    assert.equal(seen.of('assistant')[0].request_id, 'req_script_0001');
    const file = `${seen.init.session_id}.jsonl`;
    const record = path.join(t.home, '.claude/projects', t.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'), file);
    assert.match(fs.readFileSync(record, 'utf8'), /"requestId":"req_script_0001"/);
  },

  'a retry is told before it is waited for': async t => {
    const seen = await t.ask('fail 500 api_error "boom" retry-after=0\n' + DONE);
    const [retry] = seen.of('system', 'api_retry');
    assert.deepEqual([retry.attempt, retry.error_status, retry.error, seen.result.result],
                     [1, 500, 'server_error', 'Done']);
  },

  'how much of a subscription is used is told when it changes': async t => {
    const reply = (...headers) => 'reply\n  text Done\n' +
      headers.map(([name, value]) => `  header anthropic-ratelimit-unified-${name}: ${value}\n`).join('');
    const allowed = [['status', 'allowed'], ['reset', '1794734408'], ['representative-claim', 'five_hour'],
                     ['5h-utilization', '0.4']];
    const near = [['status', 'allowed'], ['5h-surpassed-threshold', '0.9'], ['5h-utilization', '0.91'],
                  ['5h-reset', '1794734408']];
    const seen = await t.talk(reply(...allowed) + reply(...allowed) + reply(...near) + DONE, {}, async host => {
      for (const text of ['one', 'two', 'three', 'four']) {
        host.say(text);
        await host.next('result');
      }
    });
    assert.deepEqual(seen.of('rate_limit_event').map(m => m.rate_limit_info), [
      { status: 'allowed', resetsAt: 1794734408, rateLimitType: 'five_hour', isUsingOverage: false },
      { status: 'allowed_warning', resetsAt: 1794734408, rateLimitType: 'five_hour', utilization: 0.91,
        isUsingOverage: false, surpassedThreshold: 0.9 }]);
  },

  'usage is of the turn, modelUsage and cost of the session': async t => {
    const seen = await t.talk('reply forever\n  text Done\n  usage input=1000 output=10 thinking=4\n', { model: 'sonnet' }, async host => {
      for (const text of ['one', 'two']) {
        host.say(text);
        await host.next('result');
      }
    });
    const results = seen.of('result');
    assert.deepEqual(results.map(r => r.usage.input_tokens), [1000, 1000]);
    assert.deepEqual(results.map(r => r.modelUsage['claude-sonnet-5-5'].inputTokens), [1000, 2000]);
    assert.deepEqual(results.map(r => r.usage.output_tokens_details), [{ thinking_tokens: 4 }, { thinking_tokens: 4 }]);
    assert.deepEqual(results.map(r => r.modelUsage['claude-sonnet-5-5'].thinkingTokens), [4, 8]);
    assert.equal(results[0].modelUsage['claude-sonnet-5-5'].provider, 'firstParty');
    const recent = results.map(r => r.model_usage_since_last_result['claude-sonnet-5-5']);
    assert.deepEqual(recent[0], results[0].modelUsage['claude-sonnet-5-5']);
    assert.deepEqual(recent[1], recent[0]);
    assert.ok(Math.abs(results[1].total_cost_usd - 2 * results[0].total_cost_usd) < 1e-9);
  },

  'init: the lists that a host reads are there': async t => {
    const { init } = await t.ask(DONE);
    for (const name of ['tools', 'slash_commands', 'mcp_servers', 'agents', 'skills', 'plugins'])
      assert.ok(Array.isArray(init[name]), name);
    assert.equal(init.apiKeySource, 'ANTHROPIC_API_KEY');
  },

  'includeHookEvents: the session works with it': async t => {
    assert.equal((await t.ask(DONE, { includeHookEvents: true })).result.result, 'Done');
  },

  'agentProgressSummaries and forwardSubagentText: the session works with them': async t => {
    const seen = await t.ask(DONE, { agentProgressSummaries: true, forwardSubagentText: true });
    assert.equal(seen.result.result, 'Done');
  },

  'the service hears which SDK asks': async t => {
    await t.ask(DONE);
    assert.match(t.requests[0].headers['user-agent'], /sdk-ts.*agent-sdk\/\d/);
  },
};
