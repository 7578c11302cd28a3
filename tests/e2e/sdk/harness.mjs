// What every subject of the suite stands on: a scripted model behind real HTTP, awl driven by the
// unmodified Agent SDK, and a record of everything that went through the pipes between them.
//
// A subject exports a table of cases, {"what must be true": async t => {...}}. A case talks to awl with
// t.ask() (one prompt) or t.talk() (a conversation) and looks at what was seen. Every line that awl wrote
// in a case is then checked against the SDK's type declarations (messages.mjs).
import cp from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

const PATIENCE_MS = 120000; // only a failure waits this long

// The SDK looks up the home directory once, so all cases have the same path for it, one after the other.
const HOME = path.join(fs.realpathSync(os.tmpdir()), `awl-sdk-home-${process.pid}`);
process.env.HOME = HOME;

export const DONE = 'reply forever\n  text Done\n';
export const YES = { behavior: 'allow' };
export const NO = { behavior: 'deny', message: 'No way.' };

/** A model that makes these calls, one by one, and is then done. A call is [tool, input]. */
export function calls(...list) {
  return list.map(([tool, input]) => `reply\n  tool ${tool} ${JSON.stringify(input)}\n`).join('') + DONE;
}

/* --- the pipes ---------------------------------------------------------------------- */

const realSpawn = cp.spawn;
let pipes = []; // of the case that runs: {argv, input, output, child}

// Copy what goes through a stream without taking part in it.
function tap(stream, method, keep) {
  const pass = stream[method];
  stream[method] = function (chunk, ...rest) {
    if (chunk && typeof chunk !== 'function') keep.push(Buffer.from(chunk));
    return pass.call(this, chunk, ...rest);
  };
}

cp.spawn = function (command, args, options) {
  const child = realSpawn.call(this, command, args, options);
  const pipe = { argv: [command, ...args], env: options.env, input: [], output: [], child };
  if (child.stdin) tap(child.stdin, 'write', pipe.input);
  if (child.stdout) tap(child.stdout, 'push', pipe.output);
  pipe.ended = once(child, 'close').catch(() => {});
  pipes.push(pipe);
  return child;
};
syncBuiltinESMExports(); // before the SDK is loaded, whose spawn is then this one

function lines(chunks) {
  return Buffer.concat(chunks).toString().split('\n').filter(Boolean).map(line => JSON.parse(line));
}

/* --- one conversation ---------------------------------------------------------------- */

/** What a host has seen. */
class Seen {
  messages = [];
  asks = [];
  stderr = '';
  error = null;

  of(type, subtype) {
    return this.messages.filter(m => m.type === type && (subtype === undefined || m.subtype === subtype));
  }

  get result() {
    return this.of('result').at(-1);
  }

  get init() {
    return this.of('system', 'init').at(-1);
  }

  /** What the model was told of its calls. */
  get told() {
    return this.of('user').flatMap(m => m.message.content)
      .filter(block => block.type === 'tool_result').map(block => block.content);
  }

  get argv() {
    return this.pipe.argv.slice(1);
  }
}

/** A host in the middle of a conversation: it says prompts and waits for messages. */
class Host {
  #prompts = [];
  #over = false;
  #wake = () => {};
  #notice = () => {};
  #taken = new Map();

  constructor(seen) {
    this.seen = seen;
  }

  say(content, more = {}) {
    this.#prompts.push({ type: 'user', session_id: '', parent_tool_use_id: null,
                         message: { role: 'user', content }, ...more });
    this.#wake();
  }

  leave() {
    this.#over = true;
    this.#wake();
  }

  async *input() {
    for (;;) {
      while (this.#prompts.length) yield this.#prompts.shift();
      if (this.#over) return;
      await new Promise(resolve => { this.#wake = resolve; });
    }
  }

  note() {
    this.#notice();
  }

  /** The next message of this kind, or an error if the session ends without one. */
  async next(type, subtype) {
    return this.until(() => this.seen.of(type, subtype), `${type} ${subtype ?? ''}`);
  }

  async nextAsk() {
    return this.until(() => this.seen.asks, 'ask');
  }

  async until(list, name) {
    const at = this.#taken.get(name) ?? 0;
    this.#taken.set(name, at + 1);
    while (list().length <= at) {
      if (this.ended) throw new Error(`the session ended without ${name}: ${this.seen.error ?? ''} ${this.seen.stderr}`);
      await new Promise(resolve => { this.#notice = resolve; });
    }
    return list()[at];
  }
}

/* --- one case ------------------------------------------------------------------------- */

export class Case {
  #servers = [];

  constructor(suite) {
    this.suite = suite;
    this.sdk = suite.sdk;
    this.awl = suite.awl;
    this.root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'awl-sdk-')));
    this.home = HOME;
    this.cwd = path.join(this.root, 'work');
    fs.mkdirSync(this.home);
    fs.mkdirSync(this.cwd);
  }

  path(name) {
    return path.join(this.cwd, name);
  }

  write(name, content) {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), typeof content === 'string' ? content : JSON.stringify(content));
    return this.path(name);
  }

  read(name) {
    return fs.readFileSync(this.path(name), 'utf8');
  }

  get files() {
    return fs.readdirSync(this.cwd).filter(name => !name.startsWith('.')).sort();
  }

  /** Start the model of a script (docs/model-script.md). */
  async serve(script) {
    const file = path.join(this.root, 'model.script');
    this.log = path.join(this.root, `requests-${this.#servers.length}.jsonl`);
    fs.writeFileSync(file, script);
    const server = realSpawn(this.awl, ['model-server', '--record-requests', this.log, file],
                             { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env.PATH, HOME: this.home } });
    this.#servers.push(server);
    const [first] = await once(server.stdout, 'data');
    this.url = String(first).trim().split(' ').at(-1);
  }

  /** The requests that the model got: {path, headers, body}. */
  get requests() {
    if (!fs.existsSync(this.log)) return [];
    return fs.readFileSync(this.log, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line))
      .filter(request => request.text)
      .map(({ path, headers, text }) => ({ path, headers: Object.fromEntries(headers), body: JSON.parse(text) }));
  }

  get env() {
    return { PATH: process.env.PATH, HOME: this.home, ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: this.url,
             CLAUDE_CODE_MAX_RETRIES: '1' };
  }

  // The options of a case on top of those that every case needs. Only its own count as exercised.
  options(seen, host, own) {
    const { answers, ...options } = own;
    for (const name of Object.keys(options)) this.suite.exercised.options.add(name);
    if (answers) this.suite.exercised.options.add('canUseTool');
    const wanted = { cwd: this.cwd, env: this.env, pathToClaudeCodeExecutable: this.awl,
                     stderr: piece => { seen.stderr += piece; }, ...options };
    if (answers) wanted.canUseTool = async (tool, input, more) => {
      seen.asks.push({ tool, input, ...more });
      host.note();
      const answer = answers[Math.min(seen.asks.length, answers.length) - 1];
      return typeof answer === 'function' ? answer(input, more) : answer;
    };
    return wanted;
  }

  // Remember which methods were called.
  watched(query) {
    const exercised = this.suite.exercised.methods;
    return new Proxy(query, {
      get(target, name) {
        const value = target[name];
        if (typeof value !== 'function') return value;
        return (...args) => {
          exercised.add(name);
          return value.apply(target, args);
        };
      },
    });
  }

  /** One prompt up to the end of the process. `answers` are those of canUseTool, the last one for all
   *  that follow. */
  async ask(script, options = {}, prompt = 'go') {
    if (script) await this.serve(script);
    const seen = new Seen();
    const host = new Host(seen);
    await this.follow(() => this.sdk.query({ prompt, options: this.options(seen, host, options) }), seen, host);
    return seen;
  }

  /** A conversation with streaming input: `walk` gets the host and the query. */
  async talk(script, options, walk) {
    if (script) await this.serve(script);
    const seen = new Seen();
    const host = new Host(seen);
    const start = () => this.sdk.query({ prompt: host.input(), options: this.options(seen, host, options) });
    await this.follow(start, seen, host, walk);
    return seen;
  }

  /** Read a query to its end while `walk` does what it wants. */
  async follow(start, seen, host, walk = async () => {}) {
    const before = pipes.length;
    let query;
    try {
      query = start();
    } catch (error) { // an option that the SDK itself refuses
      seen.error = error.message;
      return;
    }
    const walked = walk(host, this.watched(query), seen).finally(() => host.leave());
    walked.catch(() => {}); // thrown below, after the process has ended
    try {
      for await (const message of query) {
        seen.messages.push(message);
        host.note();
      }
    } catch (error) {
      seen.error = error.message;
    }
    host.ended = true;
    host.note();
    seen.pipe = pipes[before];
    if (seen.pipe) await seen.pipe.ended;
    await walked;
  }

  /** What a promise was refused with: {message, code}; the case fails if it was not. */
  async refused(promise) {
    let value;
    try {
      value = await promise;
    } catch (error) {
      return { message: error.message, code: error.errorCode };
    }
    throw new Error(`not refused, but answered with ${JSON.stringify(value)}`);
  }

  /** Everything that went through the pipes: {input: [], output: [], argv} per process. */
  get traffic() {
    return pipes.map(pipe => ({ argv: pipe.argv, input: lines(pipe.input), output: lines(pipe.output) }));
  }

  async end() {
    for (const server of this.#servers) server.kill();
    for (const pipe of pipes) pipe.child.kill('SIGKILL');
    await Promise.all(pipes.map(pipe => pipe.ended));
    pipes = [];
    for (const folder of [this.root, this.home]) fs.rmSync(folder, { recursive: true, force: true });
  }
}

/* --- all cases of a subject -------------------------------------------------------------- */

export class Suite {
  exercised = { options: new Set(), methods: new Set() };

  constructor(folder, awl) {
    this.folder = folder;
    this.awl = awl;
  }

  async load() {
    this.sdk = await import(pathToFileURL(path.join(this.folder, 'sdk.mjs')));
  }

  /** Run one case, then `check` on it; returns why it failed, or null. */
  async run(body, check) {
    const one = new Case(this);
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no end after ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
    });
    try {
      await Promise.race([Promise.resolve(body(one)), late]);
      check(one);
      return null;
    } catch (error) {
      return error.stack;
    } finally {
      clearTimeout(timer);
      await one.end();
    }
  }
}
