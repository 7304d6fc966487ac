import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { SearchParams } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { readState } from './search-state.ts';
import { EMPTY_SELECTION, type Selection, selectAllHits, selectIds } from './selection.ts';
import { SelectionActions } from './selection-actions.tsx';
import type { Hits } from './use-hits.ts';
import type { ResultKeys } from './use-result-keys.ts';

afterEach(() => vi.unstubAllGlobals());

const oneFile: Selection = { ...EMPTY_SELECTION, files: selectIds(new Set(['f1'])) };

const open = (mayDownload: boolean, { selection = oneFile, hits = {}, params = {} }: Partial<Opened> = {}) =>
  renderWithProviders(
    <SelectionActions
      results={{ selection } as unknown as ResultKeys}
      hits={{ total: 1, hitAt: () => undefined, ...hits } as unknown as Hits}
      params={params}
      libraryName={() => 'Photos'}
      words={[]}
      state={readState('')}
      onChanged={() => {}}
    />,
    { scope: 'read', mayDownload },
  );

interface Opened {
  selection: Selection;
  hits: object;
  params: SearchParams;
}

test('selected files can be downloaded by people who may download', () => {
  open(true);
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
});

test('without the right to download, selected files are not offered for download', () => {
  open(false);
  expect(screen.getByRole('toolbar', { name: 'Selected files' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
});

test.each([
  [false, null, 'path:asc'],
  [true, '0.5', null],
])('all results are read as they are listed, with the model available: %s', async (applied, semantic, sort) => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).searchParams);
    return Response.json({ hits: [], total: 0, next_cursor: null, semantic: { applied: true, detail: null } });
  });
  open(true, {
    selection: selectAllHits(EMPTY_SELECTION, 3),
    hits: { total: 3, first: { total: 3, total_bytes: 3, semantic: { applied, detail: null } } },
    params: { q: 'boat', semantic: 0.5 },
  });
  fireEvent.click(screen.getByRole('button', { name: /Export list/ }));
  await waitFor(() => expect(asked.length).toBe(1));
  expect([asked[0]?.get('semantic'), asked[0]?.get('sort')]).toEqual([semantic, sort]);
});
