// What the model is told first, and what becomes of a prompt.
import assert from 'node:assert/strict';
import { DONE } from './harness.mjs';

async function system(t, options) {
  await t.ask(DONE, options);
  return (t.requests[0].body.system ?? []).map(part => part.text).join('');
}

export default {
  'systemPrompt: none is none, a text is that text, several are joined': async t => {
    assert.doesNotMatch(await system(t, {}), /\S{20}|.{300}/);
    assert.equal(await system(t, { systemPrompt: 'You are X.' }), 'You are X.');
    assert.equal(await system(t, { systemPrompt: ['One.', 'Two.'] }), 'One.\n\nTwo.');
    assert.equal(await system(t, { systemPrompt: { type: 'custom', prompt: 'You are Y.' } }), 'You are Y.');
  },

  'systemPrompt: the preset, with more after it': async t => {
    assert.match(await system(t, { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be kind.' } }),
                 /^[\s\S]{500,}\n\nBe kind\.$/);
  },

  'systemPrompt: the boundary for the cache is not part of it': async t => {
    const { SYSTEM_PROMPT_DYNAMIC_BOUNDARY: boundary } = t.sdk;
    assert.doesNotMatch(await system(t, { systemPrompt: ['One.', boundary, 'Two.'] }), /BOUNDARY/);
  },

  'a command is answered without the model': async t => {
    const seen = await t.ask(DONE, {}, '/context');
    assert.deepEqual([seen.result.num_turns, seen.result.local_command, t.requests.length], [0, 'context', 0]);
    assert.equal(seen.of('assistant')[0].message.model, '<synthetic>');
  },

  'verbatimPrompts: a slash is only a slash': async t => {
    const seen = await t.ask(DONE, { verbatimPrompts: true }, '/context');
    assert.deepEqual([seen.result.num_turns, t.requests.length], [1, 1]);
  },

  'toolConfig: a question may have a preview in HTML': async t => {
    const seen = await t.ask(DONE, { toolConfig: { askUserQuestion: { previewFormat: 'html' } } });
    assert.deepEqual([seen.pipe.env.CLAUDE_CODE_QUESTION_PREVIEW_FORMAT, seen.result.result], ['html', 'Done']);
  },

  'promptSuggestions, or the flag: what may come next is told after the second turn': async t => {
    const script = 'reply forever when prompt contains "Guess what"\n  text "Run the tests"\n' + DONE;
    for (const options of [{ promptSuggestions: true }, { extraArgs: { 'prompt-suggestions': null } }]) {
      const seen = await t.talk(script, options, async host => {
        host.say('one');
        await host.next('result');
        host.say('two');
        await host.next('result');
        assert.equal((await host.next('prompt_suggestion')).suggestion, 'Run the tests');
      });
      const types = seen.messages.map(m => m.type);
      assert.ok(types.indexOf('prompt_suggestion') > types.lastIndexOf('result'));
      assert.equal(t.requests.length, 3);
    }
  },

  'CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: one line about the calls, beside the next request': async t => {
    const script = 'reply when system contains "calls of tools"\n  text "\\"Listed the files\\""\n'
      + 'reply when prompt contains "list"\n  tool Glob {"pattern": "*.none"}\n'
      + 'reply forever\n  text "Done."\n';
    await t.serve(script);
    const env = { ...t.env, ANTHROPIC_BASE_URL: t.url, CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: '1' };
    const seen = await t.talk(null, { env }, async host => {
      host.say('list');
      const line = await host.next('tool_use_summary');
      assert.equal(line.summary, 'Listed the files');
      assert.equal(line.preceding_tool_use_ids.length, 1);
    });
    assert.equal(seen.of('tool_use_summary').length, 1);
    const off = await t.ask(script, {}, 'list');
    assert.deepEqual(off.of('tool_use_summary'), []);
  },

  'promptSuggestions: the first turn, the setting and plan mode have none': async t => {
    const env = { ...t.env, CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' };
    for (const options of [{}, { settings: { promptSuggestionEnabled: false } }, { permissionMode: 'plan' },
                           { env: 'off' }, { promptSuggestions: false }]) {
      await t.serve(DONE);
      const own = options.env ? { env: { ...env, ANTHROPIC_BASE_URL: t.url } } : options;
      const turns = Object.keys(options).length ? 2 : 1;
      await t.talk(null, { promptSuggestions: true, ...own }, async host => {
        for (let i = 0; i < turns; i++) {
          host.say('go');
          await host.next('result');
        }
      });
      assert.equal(t.requests.length, turns, JSON.stringify(options));
    }
  },

  'promptSuggestions: a prompt that comes sooner ends the question': async t => {
    const script = 'reply forever when prompt contains "Guess what"\n  stall forever\n' + DONE;
    const seen = await t.talk(script, { promptSuggestions: true }, async host => {
      for (const text of ['one', 'two', 'three']) {
        host.say(text);
        await host.next('result');
      }
    });
    assert.deepEqual([seen.of('result').length, seen.of('prompt_suggestion'), seen.error], [3, [], null]);
  },

  'a prompt that comes twice with one uuid is one': async t => {
    const uuid = '99999999-9999-4999-8999-999999999999';
    const seen = await t.talk(DONE, {}, async host => {
      host.say('once', { uuid });
      host.say('once', { uuid });
      await host.next('result');
    });
    assert.deepEqual([seen.of('result').length, t.requests.length], [1, 1]);
  },

  'shouldQuery: false keeps the text for the next prompt': async t => {
    await t.talk(DONE, {}, async host => {
      host.say('remember this', { shouldQuery: false });
      await host.next('result');
      host.say('go');
      await host.next('result');
    });
    assert.equal(t.requests.length, 1);
    assert.match(JSON.stringify(t.requests[0].body.messages), /remember this.*go/);
  },

  'priority: now ends the turn that runs': async t => {
    const seen = await t.talk('reply\n  text "x"\n  stall forever\n' + DONE, { includePartialMessages: true }, async host => {
      host.say('slow');
      await host.next('stream_event');
      host.say('quick', { priority: 'now' });
      await host.next('result');
      await host.next('result');
    });
    assert.deepEqual(seen.of('result').map(r => r.terminal_reason), ['aborted_streaming', 'completed']);
  },
};
