// What awl does not have yet. Such options neither end nor change the session, or end it with words.
import assert from 'node:assert/strict';
import { DONE } from './harness.mjs';

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
  pluginDelivery: ends({ plugins: [{ type: 'local', path: '/' }], pluginDelivery: 'initialize' }, /plugins/),
  'onUserDialog and supportedDialogKinds': ignored({ supportedDialogKinds: ['x'],
                                                     onUserDialog: async () => ({ behavior: 'cancelled' }) }),
};
