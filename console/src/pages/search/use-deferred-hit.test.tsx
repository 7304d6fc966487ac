import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { usePacedHit } from './use-deferred-hit.ts';

const frames: (() => void)[] = [];
const frame = () =>
  act(() => {
    for (const run of frames.splice(0)) run();
  });
beforeEach(() => {
  frames.length = 0;
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
});
afterEach(() => {
  while (frames.length > 0) frame();
  vi.unstubAllGlobals();
});

const file = (index: number) => ({ id: `file-${index}` }) as SearchHit;
/** Rows that stand in fixed slots; each shows the file it draws. */
function rows(count: number, first: number, known: boolean) {
  const opened = Array.from({ length: count }, (_, i) =>
    renderHook(({ hit, index }) => usePacedHit(hit, index)?.id, {
      initialProps: { hit: known ? file(first + i) : undefined, index: first + i } as { hit: SearchHit | undefined; index: number },
    }),
  );
  return {
    drawn: () => opened.map((row) => row.result.current).filter(Boolean).length,
    show(from: number) {
      for (const [i, row] of opened.entries()) row.rerender({ hit: file(from + i), index: from + i });
    },
  };
}

const counts = (list: ReturnType<typeof rows>, times: number) =>
  Array.from({ length: times }, () => {
    frame();
    return list.drawn();
  });

test('a list that opens, and a few rows that scroll into view, are drawn at once', () => {
  expect(rows(30, 0, true).drawn()).toBe(30);
  const few = rows(3, 0, true);
  few.show(3);
  expect(few.drawn()).toBe(3);
});

test('a page that arrives fills the empty rows a few in each frame', () => {
  const list = rows(20, 100, false);
  list.show(100);
  expect(list.drawn()).toBe(8);
  expect(counts(list, 3)).toEqual([8, 16, 20]);
});

test('in a flight over known rows a few are drawn in each frame, and all of them where it ends', () => {
  const list = rows(20, 0, true);
  for (const top of [60, 120, 180]) {
    list.show(top);
    expect(list.drawn()).toBe(8);
    frame();
  }
  expect(counts(list, 2)).toEqual([16, 20]);
});

test('the same place with another file, as after the next letter typed, is filled at once', () => {
  const list = rows(20, 0, true);
  list.show(0);
  expect(list.drawn()).toBe(20);
});
