import { expect, test } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { gridLines, lineOf } from './grid-lines.ts';

const hit = (month: number) => ({ mtime: Date.UTC(2023, month, 15) / 1000 }) as SearchHit;
const hits = [hit(5), hit(5), hit(5), hit(4), hit(4)];

test('months get a heading with their count once they are loaded whole', () => {
  const lines = gridLines(5, 2, (i) => hits[i], true);
  expect(lines.map((l) => (l.kind === 'heading' ? `# ${l.count}` : `${l.from}-${l.to}`))).toEqual(['# 3', '0-2', '2-3', '# 2', '3-5']);
});

test('files that are not loaded yet keep their place', () => {
  const lines = gridLines(9, 2, (i) => hits[i], true);
  const files = lines.reduce((n, l) => n + (l.kind === 'cards' ? l.to - l.from : 0), 0);
  expect(files).toBe(9);
  expect(lines.filter((l) => l.kind === 'heading').map((l) => l.kind === 'heading' && l.count)).toEqual([3, null]);
});

test('every file lies on the line that is found for it', () => {
  const lines = gridLines(9, 4, (i) => hits[i], true);
  for (let i = 0; i < 9; i += 1) {
    const line = lines[lineOf(lines, i)]!;
    expect(line.kind === 'cards' && line.from <= i && i < line.to).toBe(true);
  }
});
