/** Operators of lists, strings and files. */
import { decoded } from './filters.ts';
import type { Machine } from './machine.ts';
import { List, Name, PostScriptError, Source, Text, type Value } from './values.ts';

/** A character takes a byte, an item of a list eight. */
const charsPerItem = 8;

export function defineData(machine: Machine): void {
  const { allocate, asNumber, count, keyOf, pop, push, stack, store } = machine;
  const sourceOf = (value: Value): Source => {
    if (!(value instanceof Source)) throw new PostScriptError('typecheck');
    return value;
  };
  const read = (take: (source: Source, length: number) => string) => (): void => {
    const buffer = pop();
    if (!(buffer instanceof Text)) throw new PostScriptError('typecheck');
    const source = sourceOf(pop());
    const chars = take(source, buffer.chars.length);
    buffer.chars = chars + buffer.chars.slice(chars.length);
    push(new Text(chars), chars.length === buffer.chars.length);
  };
  machine.define({
    maxlength() {
      const value = pop();
      push(value instanceof Map ? value.size + 100 : 0);
    },
    length() {
      const value = pop();
      push(
        value instanceof List
          ? value.items.length
          : value instanceof Text
            ? value.chars.length
            : value instanceof Map
              ? value.size
              : keyOf(value).length,
      );
    },
    array() {
      const size = count();
      allocate(size);
      push(new List(Array.from({ length: size }, () => null)));
    },
    packedarray() {
      const size = count();
      push(new List(stack.splice(Math.max(0, stack.length - size))));
    },
    string() {
      const size = count();
      allocate(size);
      push(new Text('\0'.repeat(size)));
    },
    get() {
      const key = pop();
      const from = pop();
      const value =
        from instanceof Map
          ? from.get(keyOf(key))
          : from instanceof List
            ? from.items[asNumber(key)]
            : from instanceof Text
              ? from.chars.charCodeAt(asNumber(key))
              : undefined;
      if (value === undefined || Number.isNaN(value)) throw new PostScriptError('rangecheck');
      push(value);
    },
    put() {
      const value = pop();
      const key = pop();
      const target = pop();
      if (target instanceof Map) store(keyOf(key), value, target);
      else if (target instanceof List && asNumber(key) < target.items.length) target.items[asNumber(key)] = value;
      else if (target instanceof Text) {
        const at = asNumber(key);
        target.chars = target.chars.slice(0, at) + String.fromCharCode(asNumber(value) & 255) + target.chars.slice(at + 1);
      }
    },
    getinterval() {
      const size = count();
      const from = count();
      const value = pop();
      allocate(value instanceof List ? size : 0);
      push(value instanceof List ? new List(value.items.slice(from, from + size)) : new Text(keyOf(value).slice(from, from + size)));
    },
    putinterval() {
      const part = pop();
      const from = count();
      const target = pop();
      const room = (whole: number, length: number): void => {
        if (from + length > whole) throw new PostScriptError('rangecheck');
      };
      if (target instanceof List && part instanceof List) {
        room(target.items.length, part.items.length);
        target.items.splice(from, part.items.length, ...part.items);
      } else if (target instanceof Text && part instanceof Text) {
        room(target.chars.length, part.chars.length);
        target.chars = target.chars.slice(0, from) + part.chars + target.chars.slice(from + part.chars.length);
      }
    },
    aload() {
      const value = pop();
      if (!(value instanceof List)) throw new PostScriptError('typecheck');
      push(...value.items, value);
    },
    astore() {
      const target = pop();
      if (!(target instanceof List)) throw new PostScriptError('typecheck');
      target.items.splice(0, target.items.length, ...stack.splice(Math.max(0, stack.length - target.items.length)));
      push(target);
    },
    cvs() {
      pop();
      const value = pop();
      push(new Text(keyOf(value)));
    },
    cvn: () => push(new Name(keyOf(pop()), false)),
    cvx() {
      const value = pop();
      push(value instanceof List ? new List(value.items, true) : value instanceof Name ? new Name(value.text, true) : value);
    },
    cvlit() {
      const value = pop();
      push(value instanceof List ? new List(value.items) : value instanceof Name ? new Name(value.text, false) : value);
    },
    xcheck() {
      const value = pop();
      push((value instanceof List || value instanceof Name) && value.executable);
    },
    type() {
      const value = pop();
      const kind =
        typeof value === 'number'
          ? Number.isInteger(value)
            ? 'integer'
            : 'real'
          : value instanceof Text
            ? 'string'
            : value instanceof List
              ? 'array'
              : value instanceof Map
                ? 'dict'
                : value instanceof Name
                  ? 'name'
                  : typeof value === 'boolean'
                    ? 'boolean'
                    : 'operator';
      push(new Name(`${kind}type`, true));
    },
    search() {
      const wanted = keyOf(pop());
      const text = keyOf(pop());
      const at = text.indexOf(wanted);
      if (at === -1) push(new Text(text), false);
      else push(new Text(text.slice(at + wanted.length)), new Text(wanted), new Text(text.slice(0, at)), true);
    },
    bind() {},
    readonly() {},
    executeonly() {},
    noaccess() {},
    currentfile: () => push(machine.currentFile()),
    readhexstring: read((source, length) => source.readHex(length)),
    readstring: read((source, length) => source.read(length)),
    readline() {
      pop();
      push(new Text(sourceOf(pop()).readLine()), true);
    },
    token() {
      const value = pop();
      const source = value instanceof Source ? value : new Source(keyOf(value));
      const found = source.next();
      if (found === undefined) push(false);
      else if (value instanceof Source) push(found, true);
      else push(new Text(source.bytes.slice(source.at)), found, true);
    },
    filter() {
      const name = keyOf(pop());
      if (stack.at(-1) instanceof Map) pop();
      push(decoded(name, sourceOf(pop()), (chars) => allocate(chars / charsPerItem)));
    },
    closefile: () => void pop(),
    flushfile: () => void pop(),
    vmstatus: () => push(0, 0, 1_000_000),
    languagelevel: () => push(2),
    version: () => push(new Text('2')),
    usertime: () => push(0),
    realtime: () => push(0),
  });
  defineDevice(machine);
}

/** Settings of devices, which change nothing in a small picture. */
function defineDevice(machine: Machine): void {
  const { pop, push, stack } = machine;
  for (const name of ['erasepage', 'flush', 'pstack', 'stack', 'setpacking', 'setglobal', 'copypage'])
    machine.define({ [name]: name.startsWith('set') ? () => void pop() : () => {} });
  for (const name of [
    'print',
    '=',
    '==',
    'setmiterlimit',
    'setflat',
    'setstrokeadjust',
    'setoverprint',
    'settransfer',
    'setpagedevice',
    'setblackgeneration',
    'setundercolorremoval',
  ])
    machine.define({ [name]: () => void pop() });
  for (const [name, value] of [
    ['currentpacking', false],
    ['currentglobal', false],
    ['currentflat', 1],
    ['currentoverprint', false],
  ] as const)
    machine.define({ [name]: () => push(value) });
  machine.define({
    currentscreen: () => push(60, 0, new List([], true)),
    setscreen: () => void stack.splice(Math.max(0, stack.length - 3)),
  });
}
