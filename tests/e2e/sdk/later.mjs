// What awl does not have yet. Such requests get the
// documented error, and their options neither end nor change the session, or end it with words.
import assert from 'node:assert/strict';
import { DONE } from './harness.mjs';

/** A method that is refused as not supported. */
function refused(name, ...args) {
  return async t => {
    const seen = await t.talk(DONE, {}, async (_, q) => {
      const why = await t.refused(q[name](...args));
      assert.equal(why.code, 'unsupported_request');
      assert.match(why.message, /^Unsupported control request subtype: \w+/);
    });
    assert.equal(seen.error, null);
  };
}

/** Options that change nothing yet. */
function ignored(options) {
  return async t => {
    const seen = await t.ask(DONE, typeof options === 'function' ? options(t) : options);
    assert.deepEqual([seen.result?.result, seen.error], ['Done', null]);
  };
}

/** Options that cannot be ignored. */
function ends(options, words) {
  return async t => assert.match((await t.ask(DONE, options)).error, words);
}

export default {
  setMcpPermissionModeOverride: refused('setMcpPermissionModeOverride', 'x', 'auto'),

  pluginDelivery: ends({ plugins: [{ type: 'local', path: '/' }], pluginDelivery: 'initialize' }, /plugins/),
  'onUserDialog and supportedDialogKinds': ignored({ supportedDialogKinds: ['x'],
                                                     onUserDialog: async () => ({ behavior: 'cancelled' }) }),
};
