/** Operators that decide what runs: conditions, loops, errors and dictionaries. */
import type { Machine } from './machine.ts';
import { type Dictionary, Leave, List, Name, OutOfBudget, PostScriptError, Stop, Text } from './values.ts';

export function defineControl(machine: Machine): void {
  const { dictionaries, find, keyOf, num, pop, push, run, step, store } = machine;
  const loop = (body: () => boolean): void => {
    try {
      while (body()) step();
    } catch (error) {
      if (!(error instanceof Leave)) throw error;
    }
  };
  machine.define({
    exec: () => run(pop()),
    if() {
      const body = pop();
      if (pop() === true) run(body);
    },
    ifelse() {
      const no = pop();
      const yes = pop();
      run(pop() === true ? yes : no);
    },
    for() {
      const body = pop();
      const to = num();
      const by = num();
      let value = num();
      if (by === 0) throw new PostScriptError('rangecheck');
      loop(() => {
        if (by > 0 ? value > to : value < to) return false;
        push(value);
        run(body);
        value += by;
        return true;
      });
    },
    repeat() {
      const body = pop();
      let left = num();
      loop(() => {
        if (left-- <= 0) return false;
        run(body);
        return true;
      });
    },
    loop() {
      const body = pop();
      loop(() => {
        run(body);
        return true;
      });
    },
    forall() {
      const body = pop();
      const over = pop();
      const pairs = over instanceof Map ? [...over] : [];
      const size = over instanceof List ? over.items.length : over instanceof Text ? over.chars.length : pairs.length;
      let at = 0;
      loop(() => {
        if (at >= size) return false;
        if (over instanceof List) push(over.items[at] ?? null);
        else if (over instanceof Text) push(over.chars.charCodeAt(at));
        else for (const [key, value] of pairs.slice(at, at + 1)) push(new Name(key, false), value);
        at += 1;
        run(body);
        return true;
      });
    },
    exit() {
      throw new Leave();
    },
    stop() {
      throw new Stop();
    },
    quit() {
      throw new OutOfBudget();
    },
    stopped() {
      const body = pop();
      const open = dictionaries.length;
      try {
        run(body);
        push(false);
      } catch (error) {
        if (!(error instanceof Stop || error instanceof PostScriptError)) throw error;
        dictionaries.splice(open);
        push(true);
      }
    },
    dict() {
      pop();
      push(new Map());
    },
    begin() {
      const dictionary = pop();
      if (!(dictionary instanceof Map)) throw new PostScriptError('typecheck');
      if (dictionaries.length > 500) throw new OutOfBudget();
      dictionaries.push(dictionary);
    },
    end() {
      if (dictionaries.length > 2) dictionaries.pop();
    },
    def() {
      const value = pop();
      store(keyOf(pop()), value, dictionaries.at(-1) as Dictionary);
    },
    store() {
      const value = pop();
      const name = keyOf(pop());
      store(name, value, dictionaries.findLast((each) => each.has(name)) ?? (dictionaries.at(-1) as Dictionary));
    },
    load() {
      const value = find(keyOf(pop()));
      if (value === undefined) throw new PostScriptError('undefined');
      push(value);
    },
    known() {
      const name = keyOf(pop());
      const dictionary = pop();
      push(dictionary instanceof Map && dictionary.has(name));
    },
    where() {
      const name = keyOf(pop());
      const found = dictionaries.findLast((each) => each.has(name));
      if (found === undefined) push(false);
      else push(found, true);
    },
    undef() {
      const name = keyOf(pop());
      const dictionary = pop();
      if (dictionary instanceof Map) dictionary.delete(name);
    },
    currentdict: () => push(dictionaries.at(-1) as Dictionary),
    countdictstack: () => push(dictionaries.length),
  });
}
