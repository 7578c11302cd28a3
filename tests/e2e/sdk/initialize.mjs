// What a host says and learns when it begins: skills, commands, tasks, questions that wait.
import assert from 'node:assert/strict';
import { DONE, NO, calls } from './harness.mjs';

const TOUCH = calls(['Bash', { command: 'touch a' }]);
const SLEEP = calls(['Bash', { command: 'sleep 1000', run_in_background: true }]);

function skill(t, name) {
  t.write(`.claude/skills/${name}/SKILL.md`, `---\ndescription: The ${name} skill\n---\nDo it.\n`);
}

const ours = commands => commands.filter(c => !c.builtin).map(c => c.name);

export default {
  'skills: all, some or none of them are there': async t => {
    skill(t, 'pdf');
    skill(t, 'docx');
    t.write('.claude/commands/fix.md', 'Fix it.\n');
    for (const [skills, listed] of [['all', ['docx', 'pdf']], [['pdf'], ['pdf']], [[], []]]) {
      const seen = await t.ask(DONE, { skills }, '/docx');
      assert.deepEqual([seen.init.skills, seen.init.slash_commands.includes('fix')], [listed, true]);
      const heard = JSON.stringify(t.requests.at(-1).body.messages);
      assert.equal(heard.includes('Base directory for this skill'), listed.includes('docx'));
    }
  },

  reloadSkills: async t => {
    let before, after, commands;
    const seen = await t.talk(DONE, {}, async (host, q) => {
      before = (await q.reloadSkills()).skills;
      skill(t, 'pdf');
      after = (await q.reloadSkills()).skills;
      commands = await q.supportedCommands();
    });
    assert.deepEqual([before, after], [[], [{ name: 'pdf', description: 'The pdf skill (project)', argumentHint: '' }]]);
    assert.deepEqual(ours(commands), ['pdf']); // the SDK learns it from the message
    assert.deepEqual(seen.of('system', 'commands_changed').map(m => ours(m.commands)), [['pdf']]);
  },

  'commands_changed: a command that is found when it is called': async t => {
    const seen = await t.talk(DONE, {}, async host => {
      host.say('go');
      await host.next('result');
      t.write('.claude/commands/fix.md', 'Fix it.\n');
      host.say('/fix');
      await host.next('result');
      host.say('/fix');
      await host.next('result');
    });
    assert.deepEqual(seen.of('system', 'commands_changed').map(m => ours(m.commands)), [['fix']]);
  },

  'perTaskStopAffordance: without it an interrupt ends the commands in the background': async t => {
    await t.talk(SLEEP, { allowedTools: ['Bash'] }, async (host, q) => {
      host.say('go');
      await host.next('result');
      await q.interrupt();
      assert.equal((await host.next('system', 'task_notification')).status, 'stopped');
    });
  },

  'perTaskStopAffordance: with it they are stopped one by one': async t => {
    const seen = await t.talk(SLEEP, { perTaskStopAffordance: true, allowedTools: ['Bash'] }, async (host, q) => {
      host.say('go');
      const { tasks } = await host.next('system', 'background_tasks_changed');
      await host.next('result');
      await q.interrupt();
      host.say('more');
      await host.next('result');
      assert.deepEqual(host.seen.of('system', 'task_notification'), []);
      await q.stopTask(tasks[0].task_id);
      await host.next('system', 'task_notification');
    });
    assert.equal(seen.of('system', 'task_notification')[0].status, 'stopped');
  },

  'a question that waits is part of the answer to another initialize': async t => {
    let answer;
    const later = new Promise(resolve => { answer = resolve; });
    await t.talk(TOUCH, { answers: [() => later] }, async (host, q) => {
      host.say('go');
      await host.nextAsk();
      assert.equal((await q.reinitialize()).session_state, 'requires_action');
      answer(NO);
      await host.next('result');
    });
    const { output } = t.traffic[0];
    const asked = output.find(line => line.type === 'control_request');
    const answers = output.filter(line => line.response?.response?.models).map(line => line.response);
    assert.deepEqual(answers.map(r => r.pending_permission_requests), [[], [asked]]);
    assert.deepEqual(answers.map(r => r.pending_user_dialog_requests), [[], []]);
  },

  'excludeDynamicSections: the prompt is the same for all users in any case': async t => {
    for (const excludeDynamicSections of [true, false]) {
      await t.ask(DONE, { systemPrompt: { type: 'preset', preset: 'claude_code', excludeDynamicSections } });
      const { system, messages } = t.requests.at(-1).body;
      assert.ok(!JSON.stringify(system).includes(t.cwd));
      assert.ok(JSON.stringify(messages[0]).includes(t.cwd));
    }
  },
};
