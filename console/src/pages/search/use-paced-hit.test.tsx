import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { race } from '../../parts/race.ts';
import { usePacedHit } from './use-paced-hit.ts';

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
  race.rest();
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

test('what is known is drawn at once', () => {
  const list = rows(14, 0, true);
  expect(list.drawn()).toBe(14);
  list.show(14);
  expect(list.drawn()).toBe(14);
});

test('a page that arrives fills the empty rows a few in each frame', () => {
  const list = rows(14, 100, false);
  list.show(100);
  const seen = [list.drawn()];
  for (let i = 0; i < 3; i += 1) {
    frame();
    seen.push(list.drawn());
  }
  expect(seen).toEqual([0, 6, 12, 14]);
});

test('in a leap over known rows a few are drawn in each frame, and all of them where it ends', () => {
  const list = rows(14, 0, true);
  race.moved(0, 700);
  race.moved(3000, 700);
  list.show(60);
  frame();
  expect(list.drawn()).toBe(6);
  race.moved(6000, 700);
  list.show(120);
  expect(list.drawn()).toBe(0);
  for (let i = 0; i < 3; i += 1) frame();
  expect(list.drawn()).toBe(14);
});
