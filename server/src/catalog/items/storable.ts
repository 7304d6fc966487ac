const maxJsonLength = 65_536;
const maxDepth = 20;

/** A person's values are stored as they are or refused: the database keeps no NUL character and no half of a surrogate pair. */
export function checkStorable(value: unknown, loc: (string | number)[]): void {
  checkValue(value, loc, 0);
  if (JSON.stringify(value ?? null).length > maxJsonLength)
    throw fieldProblem(loc, `Notes may take up to ${maxJsonLength / 1024} KiB an item.`, 'too_large');
}

function checkValue(value: unknown, loc: (string | number)[], depth: number): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw fieldProblem(loc, 'holds a character that cannot be stored', 'unstorable');
    return;
  }
  if (value === null || typeof value !== 'object') return;
  if (depth >= maxDepth) throw fieldProblem(loc, `is nested deeper than ${maxDepth} levels`, 'too_deep');
  for (const [key, part] of Object.entries(value)) {
    checkValue(key, loc, depth);
    checkValue(part, [...loc, key], depth + 1);
  }
}
import { fieldProblem } from '../../platform/problem.ts';
