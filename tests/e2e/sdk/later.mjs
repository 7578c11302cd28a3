// What awl does not have yet. Such options neither end nor change the session.
import assert from 'node:assert/strict';
import { DONE } from './harness.mjs';

/** Options that change nothing yet. */
function ignored(options) {
  return async t => {
    const seen = await t.ask(DONE, typeof options === 'function' ? options(t) : options);
    assert.deepEqual([seen.result?.result, seen.error], ['Done', null]);
  };
}

export default {
  'onUserDialog and supportedDialogKinds': ignored({ supportedDialogKinds: ['x'],
                                                     onUserDialog: async () => ({ behavior: 'cancelled' }) }),
};
