// Sessions on disk: resumed, continued, copied, named, mirrored.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DONE } from './harness.mjs';

async function first(t, options = {}) {
  const seen = await t.ask(DONE, options, 'the first thing');
  assert.equal(seen.error, null);
  return seen.result.session_id;
}

function heard(t) {
  return JSON.stringify(t.requests.at(-1).body.messages);
}

function transcripts(t) {
  const folder = path.join(t.home, '.claude/projects');
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.jsonl'))
    .map(name => path.join(folder, name));
}

export default {
  'resume: the same session goes on': async t => {
    const id = await first(t);
    const seen = await t.ask(DONE, { resume: id }, 'more');
    assert.equal(seen.result.session_id, id);
    assert.match(heard(t), /the first thing.*more/);
  },

  'resume: a session that is not there is an error result': async t => {
    const id = randomUUID();
    const seen = await t.ask(DONE, { resume: id });
    assert.match(seen.error, new RegExp(`No conversation found with session ID: ${id}`));
    assert.deepEqual([seen.result?.subtype, seen.result?.num_turns], ['error_during_execution', 0]);
  },

  'continue: the newest session of the directory': async t => {
    const id = await first(t);
    const seen = await t.ask(DONE, { continue: true }, 'more');
    assert.equal(seen.result.session_id, id);
    assert.match(heard(t), /the first thing.*more/);
  },

  'continue: without a session it is a new one': async t => {
    assert.equal((await t.ask(DONE, { continue: true })).error, null);
  },

  'a command that needs no model is in the file, and not in what the model is told': async t => {
    const seen = await t.talk(DONE, {}, async host => {
      for (const text of ['/context', 'the first thing', '/model haiku', 'the second thing']) {
        host.say(text);
        await host.next('result');
      }
    });
    const records = fs.readFileSync(transcripts(t)[0], 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));
    const local = records.filter(r => r.subtype === 'local_command');
    assert.match(local[0].content, /<command-name>\/model<\/command-name>[^]*<command-args>haiku<\/command-args>/);
    assert.match(local[1].content, /^<local-command-stdout>[^]*haiku[^]*<\/local-command-stdout>$/);
    assert.deepEqual([local.length, local[1].parentUuid], [2, local[0].uuid]);
    const id = seen.result.session_id;
    await t.ask(DONE, { resume: id }, 'more');
    assert.match(heard(t), /the first thing.*the second thing.*more/);
    assert.doesNotMatch(heard(t), /local-command/);
    assert.equal((await t.sdk.getSessionMessages(id, { dir: t.cwd })).length, 6);
  },

  'forkSession: a copy goes on, and the old one stays as it was': async t => {
    const id = await first(t);
    const before = fs.readFileSync(transcripts(t)[0], 'utf8');
    const seen = await t.ask(DONE, { resume: id, forkSession: true }, 'more');
    assert.notEqual(seen.result.session_id, id);
    assert.match(heard(t), /the first thing.*more/);
    assert.equal(fs.readFileSync(transcripts(t).find(file => file.includes(id)), 'utf8'), before);
  },

  'resumeSessionAt: what came after is gone': async t => {
    const id = await first(t);
    const [, answer] = await t.sdk.getSessionMessages(id, { dir: t.cwd });
    await t.ask(DONE, { resume: id }, 'the second thing');
    await t.ask(DONE, { resume: id, resumeSessionAt: answer.uuid, forkSession: true }, 'more');
    assert.match(heard(t), /the first thing.*more/);
    assert.doesNotMatch(heard(t), /the second thing/);
  },

  'resumeDropsTurn: a turn is dropped, and its uuid is that of its prompt': async t => {
    const id = await first(t);
    const [, answer] = await t.sdk.getSessionMessages(id, { dir: t.cwd });
    const uuid = randomUUID();
    await t.talk(DONE, { resume: id }, async host => {
      host.say('the second thing', { uuid });
      await host.next('result');
    });
    await t.ask(DONE, { resume: id, resumeSessionAt: answer.uuid, resumeDropsTurn: uuid }, 'more');
    assert.match(heard(t), /the first thing.*more/);
    assert.doesNotMatch(heard(t), /the second thing/);
  },

  'resumeDropsTurn: refused where something else would be lost, and the session stays as it was': async t => {
    const id = await first(t);
    const [, answer] = await t.sdk.getSessionMessages(id, { dir: t.cwd });
    const uuids = [randomUUID(), randomUUID()];
    await t.talk(DONE, { resume: id }, async host => {
      for (const uuid of uuids) {
        host.say('another thing', { uuid });
        await host.next('result');
      }
    });
    const before = fs.readFileSync(transcripts(t)[0], 'utf8');
    for (const resumeDropsTurn of [...uuids, randomUUID()]) {
      const seen = await t.ask(DONE, { resume: id, resumeSessionAt: answer.uuid, resumeDropsTurn }, 'more');
      assert.match(seen.error, /Resume rejected by --resume-drops-turn: /);
      assert.equal(seen.result.subtype, 'error_during_execution');
      assert.match(seen.result.errors[0], /^Resume rejected by --resume-drops-turn: /);
    }
    assert.equal(fs.readFileSync(transcripts(t)[0], 'utf8'), before);
  },

  'resumeDropsTurn: needs the cut that it is about': async t => {
    const seen = await t.ask(DONE, { resume: await first(t), resumeDropsTurn: randomUUID() });
    assert.match(seen.error + seen.stderr, /--resume-drops-turn needs --resume-session-at/);
  },

  'sessionId: it is the id, and only once': async t => {
    const sessionId = randomUUID();
    assert.equal(await first(t, { sessionId }), sessionId);
    const again = await t.ask(DONE, { sessionId });
    assert.match(again.error + again.stderr, /exited with code 1/);
    const broken = await t.ask(DONE, { sessionId: 'x' });
    assert.match(broken.error + broken.stderr, /exited with code 1|uuid/i);
  },

  'persistSession: without it nothing is kept': async t => {
    await first(t, { persistSession: false, loadTimeoutMs: 60000 });
    assert.deepEqual(transcripts(t), []);
  },

  'title: the session is called so': async t => {
    const id = await first(t, { title: 'Of mice' });
    const info = await t.sdk.getSessionInfo(id, { dir: t.cwd });
    assert.equal(info.customTitle, 'Of mice');
  },

  'sessionStore: everything that is kept is mirrored before the result': async t => {
    const sessionStore = new t.sdk.InMemorySessionStore();
    const id = await first(t, { sessionStore, sessionStoreFlush: 'eager' });
    const kept = fs.readFileSync(transcripts(t)[0], 'utf8').split('\n').filter(Boolean);
    const mirrored = t.traffic[0].output.filter(m => m.type === 'transcript_mirror').flatMap(m => m.entries);
    assert.equal(mirrored.length, kept.length, id);
  },

  'sessionStore: a session is resumed from it': async t => {
    const sessionStore = new t.sdk.InMemorySessionStore();
    const id = await first(t, { sessionStore });
    for (const file of transcripts(t)) fs.rmSync(file);
    await t.ask(DONE, { sessionStore, resume: id, loadTimeoutMs: 60000 }, 'more');
    assert.match(heard(t), /the first thing.*more/);
  },
};
