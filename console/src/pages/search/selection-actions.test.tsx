import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { readState } from './search-state.ts';
import { selectIds } from './selection.ts';
import { SelectionActions } from './selection-actions.tsx';
import type { Hits } from './use-hits.ts';
import type { ResultKeys } from './use-result-keys.ts';

const open = (mayDownload: boolean) =>
  renderWithProviders(
    <SelectionActions
      results={{ selection: { files: selectIds(new Set(['f1'])), anchor: null, current: null } } as unknown as ResultKeys}
      hits={{ total: 1, hitAt: () => undefined } as unknown as Hits}
      params={{}}
      libraryName={() => 'Photos'}
      words={[]}
      state={readState('')}
      onChanged={() => {}}
    />,
    { scope: 'read', mayDownload },
  );

test('selected files can be downloaded by people who may download', () => {
  open(true);
  expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy();
});

test('without the right to download, selected files are not offered for download', () => {
  open(false);
  expect(screen.getByRole('toolbar', { name: 'Selected files' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
});
