// Plugins: those that a host names, and reading them again.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DONE } from './harness.mjs';

function plugin(t, name = 'demo') {
  t.write(`${name}/.claude-plugin/plugin.json`, JSON.stringify({ name, version: '1.0.0' }));
  t.write(`${name}/commands/hello.md`, '---\ndescription: Say hello\n---\nGreet $1.\n');
  t.write(`${name}/agents/critic.md`, '---\nname: critic\ndescription: Criticizes\n---\nYou criticize.\n');
  return join(t.cwd, name);
}

const STALLS = 'reply forever\n  text "x"\n  stall forever\n';

export default {
  'plugins: what they have is listed and used': async t => {
    const path = plugin(t);
    const seen = await t.ask(DONE, { plugins: [{ type: 'local', path }] }, '/demo:hello Ada');
    assert.deepEqual(seen.init.plugins.map(p => [p.name, p.version]), [['demo', '1.0.0']]);
    assert.ok(seen.init.slash_commands.includes('demo:hello'));
    assert.ok(seen.init.agents.includes('demo:critic'));
    assert.match(JSON.stringify(t.requests.at(-1).body.messages), /Greet Ada\./);
  },

  'plugins: a directory that has none ends nothing': async t => {
    const seen = await t.ask(DONE, { plugins: [{ type: 'local', path: t.cwd }] });
    assert.deepEqual([seen.result?.result, seen.init.plugins, seen.error], ['Done', [], null]);
    const [{ plugin, type, path }] = seen.init.plugin_errors;
    assert.deepEqual([plugin, type, path], ['inline[0]', 'path-not-found', t.cwd]);
  },
  'plugins: a part that cannot be loaded is an error of its plugin': async t => {
    const path = plugin(t);
    t.write('demo/hooks/hooks.json', '{ no JSON');
    const seen = await t.ask(DONE, { plugins: [{ type: 'local', path }] });
    assert.deepEqual(seen.init.plugin_errors.map(error => [error.plugin, error.type]), [['demo@inline', 'generic-error']]);
    assert.match(seen.init.plugin_errors[0].message, /hooks\.json/);
  },

  'pluginDelivery: a list in the initialize request loads what the command line would': async t => {
    const plugins = [{ type: 'local', path: plugin(t) },
                     { type: 'local', path: plugin(t, 'quiet'), skipMcpDiscovery: true }];
    for (const name of ['demo', 'quiet'])
      t.write(`${name}/.mcp.json`, JSON.stringify({ mcpServers: { [name]: { command: 'false' } } }));
    const seen = await t.ask(DONE, { plugins, pluginDelivery: 'initialize' }, '/demo:hello Ada');
    assert.ok(seen.argv.includes('--await-initialize'));
    assert.ok(!seen.argv.some(arg => arg.includes('plugin-dir')));
    assert.deepEqual(seen.init.plugins.map(p => p.name), ['demo', 'quiet']);
    assert.deepEqual(seen.init.mcp_servers.map(s => s.name), ['plugin:demo:demo']);
    assert.match(JSON.stringify(t.requests.at(-1).body.messages), /Greet Ada\./);
  },

  'pluginDelivery: the host hears whether all of them are loaded': async t => {
    const applied = async (paths, options = {}) => {
      let told;
      await t.talk(DONE, { plugins: paths.map(path => ({ type: 'local', path })), pluginDelivery: 'initialize',
                           ...options }, async (host, q) => {
        told = [(await q.initializationResult()).plugins_applied, (await q.reinitialize()).plugins_applied];
      });
      return told;
    };
    const path = plugin(t);
    assert.deepEqual(await applied([path]), [true, true]);
    assert.deepEqual(await applied([path, join(t.cwd, 'none')]), [false, false]);
    assert.deepEqual(await applied([]), [undefined, undefined]);
  },

  'reloadPlugins: plugins that the host adds stay': async t => {
    let added, again;
    const path = plugin(t);
    const seen = await t.talk(DONE, {}, async (host, q) => {
      for (const entry of [{ type: 'local', path: 'demo' }, { type: 'other', path }, {}])
        await assert.rejects(q.reloadPlugins({ addPlugins: [entry] }), /plugin/);
      assert.deepEqual((await q.reloadPlugins()).plugins, []);
      added = await q.reloadPlugins({ addPlugins: [{ type: 'local', path }] });
      again = await q.reloadPlugins();
      host.say('/demo:hello Ada');
      await host.next('result');
    });
    assert.deepEqual([added.plugins.map(p => p.name), added.error_count], [['demo'], 0]);
    assert.deepEqual(again.plugins.map(p => p.name), ['demo']);
    assert.equal(seen.error, null);
    assert.match(JSON.stringify(t.requests.at(-1).body.messages), /Greet Ada\./);
  },

  'reloadPlugins: a session that is at work can refuse': async t => {
    const BUSY = { errorCode: 'reload_plugins_busy' };
    let idle, unasked;
    const seen = await t.talk(STALLS, { includePartialMessages: true }, async (host, q) => {
      idle = await q.reloadPlugins({ refuseIfBusy: true });
      host.say('go');
      await host.next('stream_event');
      await assert.rejects(q.reloadPlugins({ refuseIfBusy: true }), BUSY);
      unasked = await q.reloadPlugins();
      await q.interrupt();
      await host.next('result');
      await q.reloadPlugins({ refuseIfBusy: true });
    });
    assert.deepEqual([idle.error_count, unasked.error_count], [0, 0]);
    assert.ok(seen.init.capabilities.includes('reload_plugins_refuse_if_busy_v1'));
  },

  'reloadPlugins: an agent in the background is work, a command is not': async t => {
    const AGENT = 'reply when prompt contains "Look"\n  text "x"\n  stall forever\n';
    const go = (tool, input) => `${AGENT}reply when prompt contains "go"\n  tool ${tool} ${JSON.stringify(input)}\n` +
      'reply forever\n  text "Done."\n';
    for (const [script, busy] of [[go('Bash', { command: 'sleep 1000', run_in_background: true }), false],
                                  [go('Agent', { description: 'Look', prompt: 'Look', run_in_background: true }), true]])
      await t.talk(script, { allowedTools: ['Bash'] }, async (host, q) => {
        host.say('go');
        await host.next('result');
        const reload = q.reloadPlugins({ refuseIfBusy: true });
        await (busy ? assert.rejects(reload, { errorCode: 'reload_plugins_busy' }) : reload);
        await q.interrupt();
      });
  },

  reloadPlugins: async t => {
    let before, after;
    const path = plugin(t);
    await t.talk(DONE, { plugins: [{ type: 'local', path }] }, async (host, q) => {
      before = await q.reloadPlugins();
      t.write('demo/commands/bye.md', 'Bye.\n');
      t.write('demo/agents/broken.md', '---\nname: broken\n---\nx\n');
      after = await q.reloadPlugins();
    });
    const names = reply => reply.commands.map(c => c.name).filter(n => n.startsWith('demo:'));
    assert.deepEqual([names(before), names(after)], [['demo:hello'], ['demo:bye', 'demo:hello']]);
    assert.ok(after.agents.some(a => a.name === 'demo:critic'));
    assert.deepEqual([after.plugins.map(p => p.name), after.error_count], [['demo'], 0]);
    assert.deepEqual(after.mcpServers, []);
  },
};
