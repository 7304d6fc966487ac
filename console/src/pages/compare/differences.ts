import type { Item } from '../../api/types.ts';
import { formatDateTime } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { factsOf } from '../item/facts.ts';

export interface ComparedFact {
  label: string;
  /** One value for each file; null if it has none. */
  values: (string | null)[];
  differs: boolean;
}

const NOTE = 'note';

function allFacts(item: Item, libraryName: (id: string) => string): [label: string, value: string][] {
  const note = item.user_metadata[NOTE];
  return [
    [t('Folder'), `${libraryName(item.library_id)}/${item.rel_path.split('/').slice(0, -1).join('/')}`.replace(/\/$/, '')],
    ...factsOf(item).map(({ label, value, extra }): [string, string] => [label, extra ? `${value} ${extra}` : value]),
    [t('Last seen'), formatDateTime(item.last_seen)],
    [t('Tags'), item.tags.join(', ')],
    [t('Note'), typeof note === 'string' ? note : ''],
    [t('Content hash'), item.content_hash ?? item.quick_hash ?? ''],
  ];
}

/** The facts of several files side by side, in the order in which the first file that has them lists them. */
export function compareFacts(items: readonly Item[], libraryName: (id: string) => string): ComparedFact[] {
  const facts = items.map((item) => new Map(allFacts(item, libraryName)));
  const labels = [...new Set(facts.flatMap((each) => [...each.keys()]))];
  return labels.flatMap((label) => {
    const values = facts.map((each) => each.get(label) || null);
    if (values.every((value) => value === null)) return [];
    return [{ label, values, differs: new Set(values).size > 1 }];
  });
}

/** The key of the group of equal files that these belong to; null unless all have the same content. */
export function equalContentKey(items: readonly Item[]): string | null {
  const [first] = items;
  if (!first || items.length < 2) return null;
  if (first.content_hash && items.every((item) => item.content_hash === first.content_hash)) return first.content_hash;
  const sampled = first.quick_hash && items.every((item) => item.quick_hash === first.quick_hash && item.size === first.size);
  return sampled ? `q${first.quick_hash}:${first.size}` : null;
}

export interface DiffLine {
  kind: 'same' | 'left' | 'right';
  text: string;
}

/** Above this many pairs of lines, everything between the common beginning and end counts as changed. */
const MAX_PAIRS = 4_000_000;

/** The lines of two texts, with those that only one of them has (longest common subsequence). */
export function diffLines(left: string, right: string): DiffLine[] {
  const a = left.split(/[\n\f]/);
  const b = right.split(/[\n\f]/);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const line = (kind: DiffLine['kind']) => (text: string) => ({ kind, text });
  return [
    ...a.slice(0, start).map(line('same')),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(line('same')),
  ];
}

function diffMiddle(a: string[], b: string[]): DiffLine[] {
  const rest = (from: number, to: number): DiffLine[] => [
    ...a.slice(from).map((text): DiffLine => ({ kind: 'left', text })),
    ...b.slice(to).map((text): DiffLine => ({ kind: 'right', text })),
  ];
  if (a.length * b.length > MAX_PAIRS) return rest(0, 0);
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      lines.push({ kind: 'left', text: a[i] ?? '' });
      i += 1;
    } else {
      lines.push({ kind: 'right', text: b[j] ?? '' });
      j += 1;
    }
  }
  return [...lines, ...rest(i, j)];
}
