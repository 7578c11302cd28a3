// The SDK's type declarations, read far enough to check JSON against them: aliases and interfaces of
// objects, arrays, unions, intersections, literals, Record, Partial and the like. Types of other
// packages, functions, generics and mapped types accept anything, since nothing here can know them.
import { readFileSync } from 'node:fs';

const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|\s+|'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|=>|\.\.\.|[A-Za-z_$][\w$]*|-?\d[\d._]*|./g;
const ANY = { kind: 'any' };

function tokens(text) {
  return text.match(TOKEN).filter(token => !/^(\s|\/\*|\/\/)/.test(token));
}

function isWord(token) {
  return token !== undefined && /^[A-Za-z_$]/.test(token);
}

function isQuoted(token) {
  return token !== undefined && /^['"]/.test(token);
}

function unquote(token) {
  return token.slice(1, -1).replace(/\\(.)/g, '$1');
}

/* --- parsing ------------------------------------------------------------------------ */

class Parser {
  constructor(text) {
    this.list = tokens(text);
    this.at = 0;
    this.types = new Map();
  }

  get next() {
    return this.list[this.at];
  }

  take(token) {
    if (this.next !== token) return false;
    this.at++;
    return true;
  }

  must(token) {
    if (!this.take(token))
      throw new Error(`${token} expected near ${this.list.slice(this.at - 8, this.at + 4).join(' ')}`);
  }

  // Skip to the token that ends what has begun, with everything in brackets.
  skipUntil(...ends) {
    for (let depth = 0; this.at < this.list.length; this.at++) {
      if (!depth && ends.includes(this.next)) return;
      if ('([{<'.includes(this.next)) depth++;
      if (')]}>'.includes(this.next)) depth--;
    }
  }

  readFile() {
    while (this.at < this.list.length) {
      while (this.take('export') || this.take('declare'));
      if (this.take('type')) this.readAlias();
      else if (this.take('interface')) this.readInterface();
      else this.skipStatement();
    }
    return this.types;
  }

  readAlias() {
    const name = this.list[this.at++];
    const isGeneric = this.next === '<';
    this.skipUntil('=');
    this.must('=');
    const type = this.union();
    this.types.set(name, isGeneric ? ANY : type);
    this.skipUntil(';');
    this.take(';');
  }

  readInterface() {
    const name = this.list[this.at++];
    this.skipUntil('{');
    this.types.set(name, this.object());
  }

  skipStatement() {
    this.skipUntil(';', '{');
    if (this.take('{')) {
      this.skipUntil('}');
      this.must('}');
    }
    this.take(';');
  }

  union() {
    this.take('|');
    const of = [this.intersection()];
    while (this.take('|')) of.push(this.intersection());
    if (this.next === 'extends' || this.next === '=>') {
      this.skipUntil(';', ',', '}', ')');
      return ANY;
    }
    return of.length > 1 ? { kind: 'union', of } : of[0];
  }

  intersection() {
    this.take('&');
    const of = [this.postfix()];
    while (this.take('&')) of.push(this.postfix());
    return of.length > 1 ? { kind: 'all', of } : of[0];
  }

  postfix() {
    let type = this.primary();
    while (this.next === '[') {
      this.must('[');
      if (this.take(']')) {
        type = { kind: 'array', of: type };
        continue;
      }
      this.skipUntil(']');
      this.must(']');
      type = ANY;
    }
    return type;
  }

  primary() {
    if (this.take('readonly')) return this.postfix();
    if (this.next === '{') return this.object();
    if (this.next === '(') return this.parenthesis();
    if (this.next === '[') return this.tuple();
    const token = this.list[this.at++];
    if (isQuoted(token)) return { kind: 'literal', value: unquote(token) };
    if (/^-?\d/.test(token)) return { kind: 'literal', value: Number(token.replaceAll('_', '')) };
    if (token === 'true' || token === 'false') return { kind: 'literal', value: token === 'true' };
    if (token === 'null') return { kind: 'literal', value: null };
    if (['keyof', 'typeof', 'infer', 'unique'].includes(token)) {
      this.postfix();
      return ANY;
    }
    return isWord(token) ? this.named(token) : ANY;
  }

  named(name) {
    while (this.take('.')) name = this.list[this.at++]; // a namespace in front says nothing
    const args = [];
    if (this.take('<')) {
      do args.push(this.union());
      while (this.take(','));
      this.must('>');
    }
    return { kind: 'name', name, args };
  }

  parenthesis() {
    const start = this.at;
    this.must('(');
    this.skipUntil(')');
    this.must(')');
    if (this.take('=>')) {
      this.union();
      return ANY;
    }
    this.at = start + 1;
    const type = this.union();
    this.must(')');
    return type;
  }

  tuple() {
    this.must('[');
    this.skipUntil(']');
    this.must(']');
    return { kind: 'array', of: ANY };
  }

  object() {
    const type = { kind: 'object', members: new Map(), isOpen: false };
    this.must('{');
    while (!this.take('}')) this.member(type);
    return type;
  }

  member(type) {
    this.take('readonly');
    if (this.take('[')) {
      type.isOpen = true;
      this.skipUntil(']');
      this.must(']');
      this.skipUntil(';', '}');
      this.take(';');
      return;
    }
    const name = isQuoted(this.next) ? unquote(this.next) : this.next;
    this.at++;
    const isOptional = this.take('?');
    const isMethod = this.next === '(' || this.next === '<';
    if (isMethod) this.skipUntil(';');
    type.members.set(name, { isOptional, isMethod, type: this.take(':') ? this.union() : ANY });
    if (!this.take(';')) this.take(',');
  }
}

/* --- checking ------------------------------------------------------------------------ */

const JS_TYPES = { string: 'string', number: 'number', boolean: 'boolean', UUID: 'string' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function shown(value) {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? text.slice(0, 60) + '...' : text;
}

export class Declarations {
  constructor(path) {
    this.types = new Parser(readFileSync(path, 'utf8')).readFile();
  }

  /** The members of an object type: name -> {isOptional, isMethod}. */
  members(name) {
    const type = this.types.get(name);
    if (type?.kind !== 'object') throw new Error(`${name} is not declared as an object`);
    return type.members;
  }

  /** What is wrong with a value of the type: a list of sentences, empty if it is fine. */
  check(name, value) {
    if (!this.types.has(name)) return [`${name} is not declared`];
    return this.wrong({ kind: 'name', name, args: [] }, value, name);
  }

  wrong(type, value, path) {
    switch (type.kind) {
      case 'any': return [];
      case 'literal': return value === type.value ? [] : [`${path}: ${shown(value)} is not ${shown(type.value)}`];
      case 'array': return this.wrongArray(type, value, path);
      case 'union': return this.wrongUnion(type, value, path);
      case 'all': return this.wrongAll(type, value, path);
      case 'name': return this.wrongNamed(type, value, path);
      default: return this.wrongObject(type, value, path);
    }
  }

  wrongArray(type, value, path) {
    if (!Array.isArray(value)) return [`${path}: ${shown(value)} is not an array`];
    return value.flatMap((item, i) => this.wrong(type.of, item, `${path}[${i}]`));
  }

  // The alternative that fits best says what is wrong: one whose "type" and "subtype" are right.
  wrongUnion(type, value, path) {
    let best = null;
    for (const one of this.alternatives(type)) {
      const wrong = this.wrong(one, value, path);
      if (!wrong.length) return [];
      const misfit = wrong.filter(line => /\.(sub)?type: /.test(line)).length * 1000 + wrong.length;
      if (!best || misfit < best.misfit) best = { misfit, wrong };
    }
    return best.wrong;
  }

  alternatives(type) {
    if (type.kind === 'union') return type.of.flatMap(one => this.alternatives(one));
    const named = type.kind === 'name' && this.types.get(type.name);
    return named && named.kind === 'union' ? this.alternatives(named) : [type];
  }

  // Members of one part are not extra in the other.
  wrongAll(type, value, path) {
    const merged = { kind: 'object', members: new Map(), isOpen: false };
    for (const part of type.of) {
      const object = part.kind === 'name' ? this.types.get(part.name) : part;
      if (object?.kind === 'all') return this.wrongAll({ of: [...object.of, ...type.of.filter(p => p !== part)] }, value, path);
      if (object?.kind !== 'object') merged.isOpen = true;
      else for (const [name, member] of object.members) merged.members.set(name, member);
      merged.isOpen ||= object?.isOpen;
    }
    return this.wrongObject(merged, value, path);
  }

  wrongNamed({ name, args }, value, path) {
    if (name in JS_TYPES) {
      const fits = typeof value === JS_TYPES[name] && (name !== 'UUID' || UUID.test(value));
      return fits ? [] : [`${path}: ${shown(value)} is not a ${name}`];
    }
    if (name === 'Record') return this.wrongRecord(args[1], value, path);
    if (name === 'Array' || name === 'ReadonlyArray') return this.wrongArray({ of: args[0] }, value, path);
    if (name === 'undefined') return value === undefined ? [] : [`${path}: ${shown(value)} is not undefined`];
    return this.types.has(name) ? this.wrong(this.types.get(name), value, path) : [];
  }

  wrongRecord(of, value, path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return [`${path}: ${shown(value)} is not an object`];
    return Object.entries(value).flatMap(([key, item]) => this.wrong(of ?? ANY, item, `${path}.${key}`));
  }

  // A member that is not declared is drift, unless it is awl's own.
  wrongObject(type, value, path) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return [`${path}: ${shown(value)} is not an object`];
    const wrong = [];
    for (const [name, member] of type.members) {
      if (value[name] !== undefined) wrong.push(...this.wrong(member.type, value[name], `${path}.${name}`));
      else if (!member.isOptional) wrong.push(`${path}.${name}: missing`);
    }
    for (const name of Object.keys(value))
      if (!type.members.has(name) && !type.isOpen && !name.startsWith('awl_')) wrong.push(`${path}.${name}: not declared`);
    return wrong;
  }
}
