import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { clipRanges, findRanges, Highlighted, parseHighlights } from './highlight.tsx';

test('only em tags become marks; other markup stays text', () => {
  const { text, marks } = parseHighlights('north <em>harbour</em> <img src=x onerror=alert(1)> crane');
  const { container } = render(<Highlighted text={text} marks={marks} />);
  expect(container.querySelector('img')).toBeNull();
  expect(container.textContent).toBe('north harbour <img src=x onerror=alert(1)> crane');
  expect(container.querySelector('mark')!.textContent).toBe('harbour');
});

test('escaped characters are shown as themselves', () => {
  expect(parseHighlights('O&#39;Donoghue &amp; <em>s&lt;n</em>s &amp;lt;')).toEqual({ text: "O'Donoghue & s<ns &lt;", marks: [[13, 16]] });
  // The signs that the service escapes, as it writes them.
  expect(parseHighlights('&#60;a b=&#34;c&#34;&#62; &#38; <em>d</em>')).toEqual({ text: '<a b="c"> & d', marks: [[12, 13]] });
  expect(parseHighlights('&#8230; a <em>b</em> &#8230;')).toEqual({ text: '… a b …', marks: [[4, 5]] });
});

test('a range across the cut of a name is shown on both sides', () => {
  expect(clipRanges([[4, 11]], 0, 8)).toEqual([[4, 8]]);
  expect(clipRanges([[4, 11]], 8, 20)).toEqual([[0, 3]]);
});

test('words are found in any case, without overlaps', () => {
  expect(findRanges('Harbour harbourside', ['HARBOUR', 'our'])).toEqual([
    [0, 7],
    [8, 15],
  ]);
});

test('accents are ignored, and ranges refer to the original text', () => {
  expect(findRanges('Ein Café und ein CAFE\u0301.', ['cafe'])).toEqual([
    [4, 8],
    [17, 22],
  ]);
  expect(findRanges('İstanbul', ['istanbul'])).toEqual([[0, 8]]);
});
