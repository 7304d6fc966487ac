import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { useDeferredHit } from './use-deferred-hit.ts';

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
/** Rows in fixed slots; each returns the id of the file it renders. */
function rows(count: number, first: number, known: boolean) {
  const opened = Array.from({ length: count }, (_, i) =>
    renderHook(({ hit, index }) => useDeferredHit(hit, index)?.id, {
      initialProps: { hit: known ? file(first + i) : undefined, index: first + i } as { hit: SearchHit | undefined; index: number },
    }),
  );
  return {
    rendered: () => opened.map((row) => row.result.current).filter(Boolean).length,
    show(from: number) {
      for (const [i, row] of opened.entries()) row.rerender({ hit: file(from + i), index: from + i });
    },
  };
}

const counts = (list: ReturnType<typeof rows>, times: number) =>
  Array.from({ length: times }, () => {
    frame();
    return list.rendered();
  });

test('a new list, and a few rows that scroll into view, render at once', () => {
  expect(rows(30, 0, true).rendered()).toBe(30);
  const few = rows(3, 0, true);
  few.show(3);
  expect(few.rendered()).toBe(3);
});

test('a loaded page fills the empty rows over several frames', () => {
  const list = rows(20, 100, false);
  list.show(100);
  expect(list.rendered()).toBe(8);
  expect(counts(list, 3)).toEqual([8, 16, 20]);
});

test('fast scrolling over loaded rows renders a few per frame, and all of them where it stops', () => {
  const list = rows(20, 0, true);
  for (const top of [60, 120, 180]) {
    list.show(top);
    expect(list.rendered()).toBe(8);
    frame();
  }
  expect(counts(list, 2)).toEqual([16, 20]);
});

test('another file at the same index, as after the next typed letter, renders at once', () => {
  const list = rows(20, 0, true);
  list.show(0);
  expect(list.rendered()).toBe(20);
});
