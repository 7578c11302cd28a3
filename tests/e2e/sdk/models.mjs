// Which model is asked, and how: the options that end up in the request.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DONE } from './harness.mjs';

async function request(t, options) {
  const seen = await t.ask(DONE, options);
  assert.equal(seen.error, null);
  return t.requests.at(-1);
}

export default {
  'model: an alias or an id is what the service is asked for': async t => {
    for (const model of ['haiku', 'claude-haiku-5-5'])
      assert.equal((await request(t, { model })).body.model, 'claude-haiku-5-5');
  },

  'thinking: each form is what the request says': async t => {
    for (const type of ['adaptive', 'enabled'])
      assert.equal((await request(t, { thinking: { type }, model: 'opus' })).body.thinking.type, 'adaptive');
    const { body } = await request(t, { thinking: { type: 'disabled' }, model: 'opus' });
    assert.ok(!body.thinking || body.thinking.type === 'disabled');
  },

  'thinking: how it is shown is what the request says': async t => {
    const thinking = { type: 'adaptive', display: 'omitted' };
    assert.deepEqual((await request(t, { thinking, model: 'opus' })).body.thinking, thinking);
  },

  'maxThinkingTokens and a budget are the budget of the request': async t => {
    for (const options of [{ maxThinkingTokens: 2000 }, { thinking: { type: 'enabled', budgetTokens: 2000 } }]) {
      const { body } = await request(t, { ...options, model: 'claude-sonnet-4-5' });
      assert.deepEqual(body.thinking, { type: 'enabled', budget_tokens: 2000 });
    }
  },

  'effort: the request carries it': async t => {
    assert.equal((await request(t, { effort: 'low', model: 'opus' })).body.output_config.effort, 'low');
  },

  'taskBudget: the request carries it': async t => {
    const { body, headers } = await request(t, { taskBudget: { total: 5000 } });
    assert.deepEqual(body.output_config.task_budget, { type: 'tokens', total: 5000 });
    assert.match(headers['anthropic-beta'], /task-budgets-2026-03-13/);
  },

  'betas: the header names them': async t => {
    const { headers } = await request(t, { betas: ['context-1m-2025-08-07'] });
    assert.match(headers['anthropic-beta'], /context-1m-2025-08-07/);
  },

  'a refusal at the end names the prompt, and the category and explanation of the service': async t => {
    const details = '{"type":"refusal","category":"bio","explanation":"about toxins"}';
    const uuid = randomUUID();
    const seen = await t.talk(`reply forever\n  text "No"\n  stop refusal ${details}\n`, { model: 'opus' }, async host => {
      host.say('go', { uuid });
      await host.next('result');
    });
    const [told] = seen.of('system', 'model_refusal_no_fallback');
    assert.deepEqual([told.original_model, told.api_refusal_category, told.api_refusal_explanation, told.refused_user_message_uuid],
                     ['claude-opus-5-5', 'bio', 'about toxins', uuid]);
    assert.match(told.request_id, /^req_/);
    assert.equal(seen.result.is_error, true);
  },

  'fallbackModel: it takes over when the first one is overloaded': async t => {
    await t.serve('fail 529 overloaded_error "Overloaded" retry-after=0 repeat 3 when model contains opus\n' + DONE);
    const env = { ...t.env, CLAUDE_CODE_MAX_RETRIES: '5' };
    const seen = await t.ask(null, { model: 'opus', fallbackModel: 'sonnet', env });
    const [told] = seen.of('system', 'model_fallback');
    assert.deepEqual([told.original_model, told.fallback_model], ['claude-opus-5-5', 'claude-sonnet-5-5']);
    assert.equal(t.requests.at(-1).body.model, 'claude-sonnet-5-5');
  },

  'maxTurns: the turn ends with its error': async t => {
    const seen = await t.ask('reply forever\n  tool Read {"file_path": "x"}\n', { maxTurns: 2 });
    assert.deepEqual([seen.result.subtype, seen.result.terminal_reason, seen.result.is_error],
                     ['error_max_turns', 'max_turns', true]);
    assert.deepEqual(seen.result.errors, ['Reached maximum number of turns (2)']);
    assert.match(seen.error, /Reached maximum number of turns/);
  },

  'maxBudgetUsd: the turn ends with its error': async t => {
    const seen = await t.ask('reply forever\n  tool Read {"file_path": "x"}\n  usage input=500000 output=10000\n',
                             { maxBudgetUsd: 0.5, model: 'opus' });
    assert.deepEqual([seen.result.subtype, seen.result.terminal_reason], ['error_max_budget_usd', 'budget_exhausted']);
    assert.ok(seen.result.total_cost_usd > 0.5);
  },

  'a full window: hooks, boundary and summary of the compaction': async t => {
    const hooked = [];
    const hook = async input => {
      hooked.push([input.hook_event_name, input.trigger]);
      return {};
    };
    const seen = await t.talk(`reply
  text "Done."
  usage input=168000 output=10
reply
  text "<summary>The build was fixed.</summary>"
reply forever
  text "ok"
`, { model: 'claude-haiku-4-5', hooks: { PreCompact: [{ hooks: [hook] }], PostCompact: [{ hooks: [hook] }] } },
      async host => {
        for (const prompt of ['Fix alpha', 'Test beta']) {
          host.say(prompt);
          await host.next('result');
        }
      });
    const [boundary] = seen.of('system', 'compact_boundary');
    assert.equal(boundary.compact_metadata.trigger, 'auto');
    assert.ok(boundary.compact_metadata.pre_tokens > boundary.compact_metadata.post_tokens);
    assert.deepEqual(hooked, [['PreCompact', 'auto'], ['PostCompact', 'auto']]);
    const sent = JSON.stringify(t.requests.at(-1).body.messages);
    assert.match(sent, /The build was fixed/);
    assert.match(sent, /Test beta/);
    assert.equal(seen.result.result, 'ok');
  },

  'outputFormat: the answer is an object of the schema': async t => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const seen = await t.ask('reply\n  tool StructuredOutput {"n": "x"}\nreply\n  tool StructuredOutput {"n": 7}\n',
                             { outputFormat: { type: 'json_schema', schema } });
    assert.deepEqual(seen.result.structured_output, { n: 7 });
    assert.deepEqual([seen.result.result, seen.result.stop_reason], ['{"n":7}', 'tool_use']);
    assert.match(seen.told[0], /\bn\b.*must be a number/);
  },
};
