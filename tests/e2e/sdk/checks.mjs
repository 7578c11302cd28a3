// The checks of the suite themselves: a message that drifts from the declarations is noticed.
import assert from 'node:assert/strict';
import path from 'node:path';
import { Messages } from './messages.mjs';

const ID = '99999999-9999-4999-8999-999999999999';
const STATUS = { type: 'system', subtype: 'status', status: 'requesting', uuid: ID, session_id: ID };
const USER = { type: 'user', message: { role: 'user', content: 'x' }, parent_tool_use_id: null, uuid: ID, session_id: ID };

const DRIFT = [
  [STATUS, []],
  [{ ...STATUS, status: 'dreaming' }, [/status: "dreaming" is not/]],
  [{ ...STATUS, status: undefined }, [/status: missing/]],
  [{ ...STATUS, permissionMode: 'x' }, [/permissionMode: "x" is not/]],
  [{ ...STATUS, colour: 'red' }, [/colour: not declared/]],
  [{ ...STATUS, awl_colour: 'red' }, []],
  [{ ...STATUS, uuid: 'x' }, [/uuid: "x" is not a UUID/]],
  [{ ...STATUS, subtype: 'no_such' }, [/subtype: "no_such" is not/]],
  [USER, []],
  [{ ...USER, isSynthetic: 'yes' }, [/isSynthetic: "yes" is not a boolean/]],
  [{ type: 'control_request', request_id: '1', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } },
   [/tool_use_id: missing/]],
  [{ type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } }, [/nobody asked/]],
];

export default {
  'drift is noticed, and awl may add members of its own': async t => {
    for (const [message, expected] of DRIFT) {
      const messages = new Messages(path.join(t.suite.folder, 'sdk.d.ts'));
      const wrong = messages.wrong({ input: [], output: [message] });
      for (const words of expected) assert.ok(wrong.some(line => words.test(line)), `${JSON.stringify(message)}: ${wrong}`);
      if (!expected.length) assert.deepEqual(wrong, []);
    }
  },

  'an answer is checked by what was asked': async t => {
    const messages = new Messages(path.join(t.suite.folder, 'sdk.d.ts'));
    const input = [{ type: 'control_request', request_id: '1', request: { subtype: 'get_context_usage' } }];
    const output = [{ type: 'control_response', response: { subtype: 'success', request_id: '1', response: {} } }];
    assert.ok(messages.wrong({ input, output }).some(line => /categories: missing/.test(line)));
  },
};
