/** The stack machine of PostScript. It reads nothing but the given bytes, and stops after a number of steps. */
import {
  type Dictionary,
  Leave,
  List,
  Name,
  type Operator,
  OutOfBudget,
  PostScriptError,
  Source,
  Stop,
  Text,
  type Value,
} from './values.ts';

const maxSteps = 25_000_000;
const maxMilliseconds = 8000;
const maxStack = 100_000;
const maxNesting = 200;
const maxItems = 1_000_000;
/** Items and characters of all lists and strings that a program makes. */
const maxAllocated = 8_000_000;
const maxErrors = 1000;

export interface Machine {
  readonly stack: Value[];
  readonly dictionaries: Dictionary[];
  define(operators: Record<string, Operator>): void;
  push(...values: Value[]): void;
  pop(): Value;
  top(): Value | undefined;
  num(): number;
  /** Takes a number of items from the stack, such as how many to copy. */
  count(): number;
  asNumber(value: Value | undefined): number;
  keyOf(value: Value | undefined): string;
  find(name: string): Value | undefined;
  store(name: string, value: Value, dictionary: Dictionary): void;
  allocate(items: number): void;
  step(): void;
  currentFile(): Source;
  /** Executes a procedure or any other value. */
  run(value: Value): void;
  /** Runs a whole program. Errors end it; what was drawn before them stays. */
  start(source: Source): void;
}

export function createMachine(): Machine {
  const stack: Value[] = [];
  const system: Dictionary = new Map();
  const user: Dictionary = new Map();
  const dictionaries: Dictionary[] = [system, user];
  const deadline = performance.now() + maxMilliseconds;
  let steps = 0;
  let allocated = 0;
  let nesting = 0;
  let file = new Source('');
  const asNumber = (value: Value | undefined): number => {
    if (typeof value !== 'number') throw new PostScriptError('typecheck');
    return value;
  };
  const find = (name: string): Value | undefined => {
    for (let i = dictionaries.length - 1; i >= 0; i--) {
      const value = dictionaries[i]?.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const step = (): void => {
    steps += 1;
    if (steps > maxSteps || (steps % 4096 === 0 && performance.now() > deadline)) throw new OutOfBudget();
  };
  const push = (...values: Value[]): void => {
    if (stack.length + values.length > maxStack) throw new OutOfBudget();
    for (const value of values) stack.push(value);
  };
  const lookUp = (name: string): void => {
    const value = find(name);
    if (value === undefined) throw new PostScriptError(`undefined: ${name}`);
    run(value);
  };
  /** Executes one value of a program: names are looked up, procedures inside procedures are data. */
  const execute = (value: Value): void => {
    step();
    if (value instanceof Name && value.executable) lookUp(value.text);
    else push(value);
  };
  function run(value: Value): void {
    step();
    if (typeof value === 'function') value();
    else if (value instanceof Name && value.executable) lookUp(value.text);
    else if (!(value instanceof List && value.executable)) push(value);
    else {
      nesting += 1;
      if (nesting > maxNesting) throw new OutOfBudget();
      try {
        for (const item of value.items) execute(item);
      } finally {
        nesting -= 1;
      }
    }
  }
  const runSource = (source: Source): void => {
    file = source;
    for (let errors = 0; ; ) {
      try {
        const value = source.next();
        if (value === undefined) return;
        execute(value);
      } catch (error) {
        // A picture with a gap says more than none.
        if (!(error instanceof PostScriptError || error instanceof Stop || error instanceof Leave) || ++errors > maxErrors) throw error;
      }
    }
  };
  const machine: Machine = {
    stack,
    dictionaries,
    define(operators) {
      for (const [name, operator] of Object.entries(operators)) system.set(name, operator);
    },
    push,
    pop() {
      const value = stack.pop();
      if (value === undefined) throw new PostScriptError('stackunderflow');
      return value;
    },
    top: () => stack.at(-1),
    num: () => asNumber(machine.pop()),
    count() {
      const value = machine.num();
      if (!(value >= 0 && value <= maxItems)) throw new PostScriptError('rangecheck');
      return Math.floor(value);
    },
    asNumber,
    keyOf: (value) => (value instanceof Name ? value.text : value instanceof Text ? value.chars : String(value)),
    find,
    store(name, value, dictionary) {
      allocated += dictionary.has(name) ? 0 : 1;
      machine.allocate(0);
      dictionary.set(name, value);
    },
    allocate(items) {
      allocated += items;
      if (allocated > maxAllocated || performance.now() > deadline) throw new OutOfBudget();
    },
    step,
    currentFile: () => file,
    run,
    start(source) {
      try {
        runSource(source);
      } catch (error) {
        const expected = [PostScriptError, Leave, Stop, OutOfBudget, RangeError];
        if (!expected.some((kind) => error instanceof kind)) throw error;
      }
    },
  };
  const own: [string, Value][] = [
    ['true', true],
    ['false', false],
    ['null', null],
    ['systemdict', system],
    ['userdict', user],
    ['globaldict', user],
    ['errordict', new Map()],
    ['$error', new Map()],
    ['statusdict', new Map()],
  ];
  for (const [name, value] of own) system.set(name, value);
  return machine;
}
