const largest = 65_536;
const deepest = 20;

/** A person's values are stored as they are or refused: the database keeps no NUL character and no half of a surrogate pair. */
export function refuseUnstorable(value: unknown, loc: (string | number)[]): void {
  walk(value, loc, 0);
  if (JSON.stringify(value ?? null).length > largest)
    throw fieldProblem(loc, `Notes may take up to ${largest / 1024} KiB an item.`, 'too_large');
}

function walk(value: unknown, loc: (string | number)[], depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw fieldProblem(loc, 'holds a character that cannot be stored', 'unstorable');
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (depth >= deepest) throw fieldProblem(loc, `is nested deeper than ${deepest} levels`, 'too_deep');
  for (const [key, part] of Object.entries(value)) {
    walk(key, loc, depth);
    walk(part, [...loc, key], depth + 1);
  }
}
import { fieldProblem } from '../../platform/problem.ts';
