/** Operators of the operand stack: order, arithmetic, comparison and logic. */
import type { Machine } from './machine.ts';
import { type Dictionary, List, mark, Name, PostScriptError, Text, type Value } from './values.ts';

/** Even an empty list takes memory. */
const listCost = 4;

export function defineStack(machine: Machine): void {
  const { allocate, asNumber, count, keyOf, num, pop, push, stack, store } = machine;
  const list = (): List => {
    const from = stack.lastIndexOf(mark);
    if (from === -1) throw new PostScriptError('unmatchedmark');
    const items = stack.splice(from + 1);
    stack.pop();
    allocate(items.length + listCost);
    return new List(items);
  };
  const two = (use: (a: number, b: number) => Value) => (): void => {
    const b = num();
    push(use(num(), b));
  };
  const one = (use: (value: number) => number) => (): void => push(use(num()));
  const comparable = (value: Value): unknown => (value instanceof Name ? value.text : value instanceof Text ? value.chars : value);
  const compare = (use: (a: number | string, b: number | string) => boolean) => (): void => {
    const b = comparable(pop());
    const a = comparable(pop());
    push(use(a as number, b as number));
  };
  const equal = (): boolean => {
    const b = comparable(pop());
    return comparable(pop()) === b;
  };
  const logic = (bits: (a: number, b: number) => number) => (): void => {
    const b = pop();
    const a = pop();
    if (typeof a === 'boolean' || typeof b === 'boolean') push(bits(a === true ? 1 : 0, b === true ? 1 : 0) !== 0);
    else push(bits(asNumber(a), asNumber(b)));
  };
  machine.define({
    pop: () => void pop(),
    exch() {
      const b = pop();
      const a = pop();
      push(b, a);
    },
    dup() {
      const value = pop();
      push(value, value);
    },
    copy() {
      const value = pop();
      if (typeof value === 'number') {
        if (!(value >= 0 && value <= stack.length)) throw new PostScriptError('rangecheck');
        if (value > 0) push(...stack.slice(-value));
        return;
      }
      const from = pop();
      if (value instanceof List && from instanceof List && from.items.length <= value.items.length)
        value.items.splice(0, from.items.length, ...from.items);
      else if (value instanceof Text && from instanceof Text && from.chars.length <= value.chars.length)
        value.chars = from.chars + value.chars.slice(from.chars.length);
      else if (value instanceof Map && from instanceof Map) for (const [key, each] of from) store(key, each, value);
      else throw new PostScriptError('rangecheck');
      push(value);
    },
    index() {
      const depth = count();
      const value = stack[stack.length - 1 - depth];
      if (value === undefined) throw new PostScriptError('rangecheck');
      push(value);
    },
    roll() {
      const by = num();
      const size = count();
      if (size > stack.length) throw new PostScriptError('stackunderflow');
      if (size === 0) return;
      const part = stack.splice(stack.length - size);
      const shift = ((by % size) + size) % size;
      stack.push(...part.slice(size - shift), ...part.slice(0, size - shift));
    },
    clear: () => void stack.splice(0),
    count: () => push(stack.length),
    mark: () => push(mark),
    '[': () => push(mark),
    ']': () => push(list()),
    '<<': () => push(mark),
    '>>'() {
      const { items } = list();
      const made: Dictionary = new Map();
      for (let i = 0; i + 1 < items.length; i += 2) made.set(keyOf(items[i]), items[i + 1] as Value);
      push(made);
    },
    cleartomark: () => void list(),
    counttomark() {
      const from = stack.lastIndexOf(mark);
      if (from === -1) throw new PostScriptError('unmatchedmark');
      push(stack.length - from - 1);
    },
    add: two((a, b) => a + b),
    sub: two((a, b) => a - b),
    mul: two((a, b) => a * b),
    div: two((a, b) => a / b),
    idiv: two((a, b) => Math.trunc(a / b)),
    mod: two((a, b) => a % b),
    exp: two((a, b) => a ** b),
    atan: two((a, b) => ((Math.atan2(a, b) * 180) / Math.PI + 360) % 360),
    bitshift: two((a, b) => (b >= 0 ? a << b : a >> -b)),
    neg: one((a) => -a),
    abs: one(Math.abs),
    ceiling: one(Math.ceil),
    floor: one(Math.floor),
    round: one(Math.round),
    truncate: one(Math.trunc),
    sqrt: one(Math.sqrt),
    sin: one((a) => Math.sin((a * Math.PI) / 180)),
    cos: one((a) => Math.cos((a * Math.PI) / 180)),
    ln: one(Math.log),
    log: one(Math.log10),
    rand: () => push(12_345),
    srand: () => void pop(),
    cvi() {
      const value = pop();
      push(Math.trunc(value instanceof Text ? Number(value.chars) : asNumber(value)));
    },
    cvr() {
      const value = pop();
      push(value instanceof Text ? Number(value.chars) : asNumber(value));
    },
    eq: () => push(equal()),
    ne: () => push(!equal()),
    gt: compare((a, b) => a > b),
    ge: compare((a, b) => a >= b),
    lt: compare((a, b) => a < b),
    le: compare((a, b) => a <= b),
    and: logic((a, b) => a & b),
    or: logic((a, b) => a | b),
    xor: logic((a, b) => a ^ b),
    not() {
      const value = pop();
      push(typeof value === 'boolean' ? !value : ~asNumber(value));
    },
  });
}
