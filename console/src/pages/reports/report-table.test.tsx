import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ReportField } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { ReportTable } from './report-table.tsx';

test('a form of a path that no row has takes no column', () => {
  const field = (key: string, label: string) => ({ key, label, type: 'text', sortable: true, hidden: false }) as ReportField;
  const fields = [field('filename', 'Name'), field('native_path', 'Native path'), field('share_unc', 'UNC path'), field('owner', 'Owner')];
  const rows = [
    { filename: 'a', native_path: null, share_unc: null, owner: null },
    { filename: 'b', native_path: null, share_unc: '\\\\nas\\files\\b', owner: null },
  ];
  renderWithProviders(<ReportTable fields={fields} rows={rows} rowLink="item" sort="filename" />);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Name', 'UNC path', 'Owner']);
});
