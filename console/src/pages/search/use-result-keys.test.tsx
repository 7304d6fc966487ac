import { act, renderHook } from '@testing-library/react';
import type { MouseEvent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setPreference } from '../../shell/preferences.ts';
import { EMPTY_SEARCH } from './search-state.ts';
import type { Hits } from './use-hits.ts';
import { useResultKeys } from './use-result-keys.ts';

beforeEach(() => {
  vi.useFakeTimers();
  setPreference('inspectorOpen', true);
});
afterEach(() => void vi.useRealTimers());

function renderKeys(initial: Hits) {
  const onShow = vi.fn();
  const none = () => {};
  const box = { current: document.createElement('input') };
  const options = { list: { current: null }, box, state: EMPTY_SEARCH, phone: false, onOpen: none, onChange: none, onFilters: none };
  const rendered = renderHook((hits: Hits) => useResultKeys({ ...options, hits, onShow }), { initialProps: initial });
  return { ...rendered, onShow };
}

/** A list of a hundred thousand files, of which only the given ones are loaded. */
function open(here: Record<number, string>) {
  const listeners = new Set<() => void>();
  const hits = {
    first: undefined,
    total: 100_000,
    hitAt: (row: number) => (here[row] ? { id: here[row] } : undefined),
    pageLoads: {
      subscribe: (unsubscribe: () => void) => {
        listeners.add(unsubscribe);
        return () => listeners.delete(unsubscribe);
      },
      count: () => 0,
    },
  } as unknown as Hits;
  const { result, onShow } = renderKeys(hits);
  const arrive = (row: number, id: string) => {
    here[row] = id;
    act(() => {
      for (const unsubscribe of [...listeners]) unsubscribe();
    });
  };
  return { result, onShow, arrive, waiting: () => listeners.size };
}
const rest = () => act(() => void vi.advanceTimersByTime(500));

test('the inspector follows only after a held key is released', () => {
  const { result, onShow } = open({ 1: 'a', 2: 'b', 3: 'c' });
  for (let i = 0; i < 3; i += 1) act(() => result.current.step(1));
  expect(onShow).not.toHaveBeenCalled();
  rest();
  expect(onShow.mock.calls).toEqual([['c']]);
});

test('after a jump the inspector follows as soon as the file is loaded', () => {
  const { result, onShow, arrive, waiting } = open({});
  act(() => result.current.step(50_000));
  rest();
  expect(onShow).not.toHaveBeenCalled();
  arrive(7, 'elsewhere');
  arrive(50_000, 'far');
  expect(onShow.mock.calls).toEqual([['far']]);
  expect(waiting()).toBe(0);
});

test('a file that loads after the user moved on is not shown', () => {
  const { result, onShow, arrive } = open({ 0: 'top' });
  act(() => result.current.step(50_000));
  rest();
  act(() => result.current.step(-50_000));
  rest();
  arrive(50_000, 'far');
  expect(onShow.mock.calls).toEqual([['top']]);
});

test('selecting several files does not open the inspector', () => {
  const { result, onShow } = open({ 1: 'a', 2: 'b' });
  for (const row of [1, 2]) act(() => result.current.pick(row, { ctrlKey: true } as MouseEvent));
  rest();
  expect(result.current.selection.files.size).toBe(2);
  expect(onShow).not.toHaveBeenCalled();
});

test('the first row is current when the results are entered before they have arrived', () => {
  const hitsOf = (queryId: string, id: string) =>
    ({
      queryId,
      first: { hits: [{ id }] },
      total: 1,
      hitAt: () => ({ id }),
      pageLoads: { subscribe: () => () => {}, count: () => 0 },
    }) as unknown as Hits;
  const { result, rerender, onShow } = renderKeys(hitsOf('harbour', 'a'));
  act(() => result.current.focusList());
  rerender(hitsOf('harbour crane', 'b'));
  expect(result.current.selection.current).toBe(0);
  rest();
  expect(onShow.mock.calls).toEqual([['b']]);
  act(() => result.current.step(1));
  rerender(hitsOf('crane', 'c'));
  expect(result.current.selection.current).toBeNull();
});

test('a range includes the files between that have not been loaded', async () => {
  vi.useRealTimers();
  const here: Record<number, string> = { 1: 'f1', 900: 'f900' };
  const asked: [number, number][] = [];
  const { result } = renderKeys({
    first: undefined,
    total: 1000,
    hitAt: (row: number) => (here[row] ? { id: here[row] } : undefined),
    loadRows: async (from: number, to: number) => {
      asked.push([from, to]);
      for (let row = from; row <= to; row += 1) here[row] = `f${row}`;
      return true;
    },
    pageLoads: { subscribe: () => () => {}, count: () => 0 },
  } as unknown as Hits);
  const click = (row: number, shiftKey: boolean) =>
    act(async () => result.current.pick(row, { shiftKey, ctrlKey: false, metaKey: false } as MouseEvent));
  await click(1, false);
  await click(900, true);
  expect(asked).toEqual([[1, 900]]);
  expect(result.current.selection.files.size).toBe(900);
});
