import { expect, test } from 'vitest';
import { isWebLink, parseInline, parseMarkdown } from './markdown-blocks.ts';

test('headings, lists inside lists, tables, quotes and code are recognized', () => {
  const blocks = parseMarkdown(
    '# Title\n\nText\nof two lines\n\n- one\n- two\n  - three\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> said\n\n```js\n  x < 1\n```\n---\n',
  );
  expect(blocks.map(({ kind }) => kind)).toEqual(['heading', 'paragraph', 'list', 'table', 'quote', 'code', 'rule']);
  expect(blocks[2]).toMatchObject({ ordered: false, items: [[{ kind: 'paragraph' }], [{ kind: 'paragraph' }, { kind: 'list' }]] });
  expect(blocks[3]).toEqual({ kind: 'table', head: ['a', 'b'], rows: [['1', '2']] });
  expect(blocks[5]).toEqual({ kind: 'code', text: '  x < 1', language: 'js' });
});

test('HTML stays text, and only web links are links', () => {
  expect(parseMarkdown('<script>alert(1)</script>')).toEqual([{ kind: 'paragraph', text: '<script>alert(1)</script>' }]);
  expect(parseInline('<img src=x onerror=y>')).toEqual([{ kind: 'text', text: '<img src=x onerror=y>' }]);
  expect(parseInline('[a](javascript:alert(1))')[0]).toMatchObject({ kind: 'link' });
  expect([isWebLink('javascript:alert(1)'), isWebLink('data:text/html,x'), isWebLink('https://example.com')]).toEqual([false, false, true]);
});

test('emphasis, code and escapes inside a line', () => {
  expect(parseInline('a **b _c_** `d*` \\*')).toEqual([
    { kind: 'text', text: 'a ' },
    {
      kind: 'strong',
      parts: [
        { kind: 'text', text: 'b ' },
        { kind: 'em', parts: [{ kind: 'text', text: 'c' }] },
      ],
    },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'd*' },
    { kind: 'text', text: ' ' },
    { kind: 'text', text: '*' },
  ]);
});

test('a numbered list keeps its start, and a long hostile text ends', () => {
  expect(parseMarkdown('3. c\n4. d')[0]).toMatchObject({ kind: 'list', ordered: true, start: 3 });
  expect(parseMarkdown(`${'> '.repeat(5000)}x`).length).toBe(1);
  expect(parseInline('*'.repeat(20_000)).length).toBeGreaterThan(0);
});
