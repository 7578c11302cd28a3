// Checkpoints: files go back to what they were before a prompt.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { calls } from './harness.mjs';

const FIRST = '00000000-0000-4000-8000-000000000001';
const OPTIONS = { enableFileCheckpointing: true, allowedTools: ['Bash', 'Write'] };

export default {
  'enableFileCheckpointing and rewindFiles': async t => {
    const file = path.join(t.cwd, 'a.txt');
    fs.writeFileSync(file, 'one\n');
    const seen = await t.talk(calls(['Bash', { command: 'echo two > a.txt' }]), OPTIONS, async (host, q) => {
      host.say('go', { uuid: FIRST });
      await host.next('result');
      const planned = await q.rewindFiles(FIRST, { dryRun: true });
      assert.deepEqual([planned.canRewind, planned.filesChanged], [true, [file]]);
      assert.equal(fs.readFileSync(file, 'utf8'), 'two\n');
      const done = await q.rewindFiles(FIRST);
      assert.deepEqual([done.canRewind, done.insertions, done.deletions], [true, 1, 1]);
      assert.equal(fs.readFileSync(file, 'utf8'), 'one\n');
    });
    assert.equal(seen.error, null);
  },
  'rewindFiles to a prompt that does not exist': async t => {
    const seen = await t.talk(calls(['Bash', { command: 'true > x' }]), OPTIONS, async (host, q) => {
      host.say('go');
      await host.next('result');
      assert.equal((await q.rewindFiles('x', { dryRun: true })).canRewind, false);
      assert.match((await t.refused(q.rewindFiles('x'))).message, /No file checkpoint/);
    });
    assert.equal(seen.error, null);
  },
};
