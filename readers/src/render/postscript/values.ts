/** Values of PostScript, and the reader that takes them from a program. The same reader serves programs that read data behind themselves. */

export class Name {
  readonly text: string;
  readonly executable: boolean;
  constructor(text: string, executable: boolean) {
    this.text = text;
    this.executable = executable;
  }
}

/** Characters are bytes, one per position. */
export class Text {
  chars: string;
  constructor(chars: string) {
    this.chars = chars;
  }
}

export class List {
  readonly items: Value[];
  readonly executable: boolean;
  constructor(items: Value[], executable = false) {
    this.items = items;
    this.executable = executable;
  }
}

export type Dictionary = Map<string, Value>;
export type Operator = () => void;
/** The beginning of a list on the stack. */
export const mark = Symbol('mark');

export type Value = number | boolean | null | Name | Text | List | Dictionary | Source | Operator | typeof mark;

/** A stop of the program by an error, which it can catch itself. */
export class PostScriptError extends Error {}
/** Thrown by `exit` and `stop`, which leave the innermost loop or `stopped`. */
export class Leave extends Error {}
export class Stop extends Error {}
/** The budget is used up, which a program cannot catch. */
export class OutOfBudget extends Error {}

const space = /[\0\t\n\f\r ]/;
const regular = /[^\0\t\n\f\r ()<>[\]{}/%]/;
const maxDepth = 200;

/** Bytes that are read from the start: the program itself, or what a filter makes of it when it is first read. */
export class Source {
  private loaded: string | (() => string);
  at = 0;
  constructor(bytes: string | (() => string)) {
    this.loaded = bytes;
  }

  get bytes(): string {
    if (typeof this.loaded === 'function') this.loaded = this.loaded();
    return this.loaded;
  }

  /** The next value, or undefined at the end. A procedure is read as a whole. */
  next(depth = 0): Value | undefined {
    this.skipSpace();
    const { bytes } = this;
    if (this.at >= bytes.length) return undefined;
    const char = bytes[this.at] as string;
    if (char === '{') return this.procedure(depth);
    if (char === '(') return new Text(this.string());
    if (char === '<') return this.angle();
    if (char === '[' || char === ']') return this.take(1);
    if (char === '>' && bytes[this.at + 1] === '>') return this.take(2);
    if (char === '/') {
      this.at += bytes[this.at + 1] === '/' ? 2 : 1;
      return new Name(this.word(), false);
    }
    const word = this.word();
    if (word === '') {
      this.at += 1;
      throw new PostScriptError('syntaxerror');
    }
    // The character behind a word belongs to it, so that data can begin there.
    if (space.test(bytes[this.at] ?? '')) this.at += bytes.startsWith('\r\n', this.at) ? 2 : 1;
    return numberOf(word) ?? new Name(word, true);
  }

  private take(length: number): Name {
    this.at += length;
    return new Name(this.bytes.slice(this.at - length, this.at), true);
  }

  private skipSpace(): void {
    for (; this.at < this.bytes.length; this.at++) {
      const char = this.bytes[this.at] as string;
      if (char === '%') while (this.at < this.bytes.length && !/[\r\n]/.test(this.bytes[this.at] as string)) this.at++;
      else if (!space.test(char)) return;
    }
  }

  private word(): string {
    const from = this.at;
    while (this.at < this.bytes.length && regular.test(this.bytes[this.at] as string)) this.at++;
    return this.bytes.slice(from, this.at);
  }

  private procedure(depth: number): List {
    if (depth > maxDepth) throw new PostScriptError('limitcheck');
    this.at += 1;
    const items: Value[] = [];
    for (;;) {
      this.skipSpace();
      if (this.bytes[this.at] === '}') break;
      const item = this.next(depth + 1);
      if (item === undefined) throw new PostScriptError('syntaxerror');
      items.push(item);
    }
    this.at += 1;
    return new List(items, true);
  }

  private string(): string {
    let open = 1;
    let chars = '';
    for (this.at += 1; this.at < this.bytes.length; this.at++) {
      const char = this.bytes[this.at] as string;
      if (char === '\\') chars += this.escape();
      else {
        if (char === '(') open += 1;
        else if (char === ')' && --open === 0) break;
        chars += char;
      }
    }
    this.at += 1;
    return chars;
  }

  private escape(): string {
    const octal = /^[0-7]{1,3}/.exec(this.bytes.slice(this.at + 1, this.at + 4))?.[0];
    this.at += octal?.length ?? 1;
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    const char = this.bytes[this.at] ?? '';
    return { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '' }[char] ?? char;
  }

  private angle(): Value {
    if (this.bytes[this.at + 1] === '<') return this.take(2);
    const end = this.bytes.indexOf('>', this.at);
    const digits = this.bytes.slice(this.at + 1, end === -1 ? undefined : end);
    this.at = end === -1 ? this.bytes.length : end + 1;
    return new Text(hexText(digits));
  }

  /** Reads hexadecimal digits, skipping everything else, until `length` bytes are complete. */
  readHex(length: number): string {
    let digits = '';
    for (; this.at < this.bytes.length && digits.length < length * 2; this.at++) {
      const char = this.bytes[this.at] as string;
      if (/[\da-f]/i.test(char)) digits += char;
      else if (char === '>') break;
    }
    return hexText(digits);
  }

  read(length: number): string {
    const chars = this.bytes.slice(this.at, this.at + length);
    this.at += chars.length;
    return chars;
  }

  readLine(): string {
    const end = /\r\n?|\n/g;
    end.lastIndex = this.at;
    const found = end.exec(this.bytes);
    const line = this.bytes.slice(this.at, found?.index);
    this.at = found ? end.lastIndex : this.bytes.length;
    return line;
  }
}

function hexText(digits: string): string {
  const even = digits.replace(/[^\da-f]/gi, '');
  return Buffer.from(even.length % 2 === 0 ? even : `${even}0`, 'hex').toString('latin1');
}

function numberOf(word: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(word)) return Number(word);
  const radix = /^(\d\d?)#([\da-z]+)$/i.exec(word);
  if (!radix) return undefined;
  const value = Number.parseInt(radix[2] as string, Number(radix[1]));
  return Number.isNaN(value) ? undefined : value;
}
