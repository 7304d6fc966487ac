import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeLines } from './code-lines.ts';
import { codeTokens } from './code-tokens.ts';

const source = 'def tide(level):\n    # high water\n    return "spring"\n';

test('code keeps its indentation, is split into lines, and is coloured', () => {
  const lines = codeLines(source, codeTokens(source, 'py'), []);
  expect(lines.map((pieces) => pieces.map(({ text }) => text).join(''))).toEqual(source.split('\n'));
  expect(lines[1]).toEqual([
    { text: '    ', kind: null, match: null },
    { text: '# high water', kind: 'comment', match: null },
  ]);
  expect(lines[2]).toContainEqual({ text: '"spring"', kind: 'string', match: null });
});

test('a match inside a coloured range is marked', () => {
  const at = source.indexOf('water');
  const [, line] = codeLines(source, codeTokens(source, 'py'), [{ at, end: at + 5 }]);
  expect(line).toContainEqual({ text: 'water', kind: 'comment', match: 0 });
});

test('an unknown language has no colours', () => {
  expect(codeTokens(source, 'unknown')).toEqual([]);
});

test('the pieces of all lines join to the text, whatever is coloured or marked', () => {
  const ranges = fc.uniqueArray(fc.nat(60), { minLength: 2, maxLength: 8 }).map((all) => {
    const sorted = all.sort((a, b) => a - b);
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_none, i) => ({ at: sorted[2 * i]!, end: sorted[2 * i + 1]! }));
  });
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), ranges, ranges, (text, coloured, matches) => {
      const tokens = coloured.map(({ at, end }) => ({ start: at, end, kind: 'string' }));
      const lines = codeLines(text, tokens, matches);
      expect(lines.map((pieces) => pieces.map((piece) => piece.text).join('')).join('\n')).toBe(text);
      expect(lines.flat().every(({ text: piece }) => piece.length > 0)).toBe(true);
    }),
  );
});
