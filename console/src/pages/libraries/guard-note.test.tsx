import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Library, LibraryStats, Scan } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { GuardNote } from './guard-note.tsx';

const library = { id: 'l', name: 'Family', last_scan: { error: 'Stopped.' } } as unknown as Library;
const guard = {
  kind: 'vanish',
  would_vanish: 68_811,
  of: 70_002,
  folders: [
    { rel_path: 'Scans', count: 41_206 },
    { rel_path: '', count: 27_605 },
  ],
  sample: ['Scans/1931/letter-001.tif'],
  annotated: 412,
} as const;

test('without the numbers of the guard the note shows its error and offers only another scan', () => {
  renderWithProviders(
    <GuardNote
      library={library}
      scan={undefined}
      lastSuccess={undefined}
      stats={{ file_count: 346 } as LibraryStats}
      busy={false}
      canScan
      onScan={vi.fn()}
    />,
  );
  expect(screen.getByText('Stopped.')).toBeTruthy();
  expect(screen.queryByText(/It would mark/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Mark as missing…' })).toBeNull();
  expect(screen.queryByRole('link', { name: /See/ })).toBeNull();
});

test('vanished files are shown by folder with counts, and marking them missing requires the library name', async () => {
  const scan = vi.fn(async () => {});
  renderWithProviders(
    <GuardNote
      library={library}
      scan={{ guard } as unknown as Scan}
      lastSuccess={undefined}
      stats={undefined}
      busy={false}
      canScan
      onScan={scan}
    />,
  );
  expect(screen.getByText('Scan stopped. It would mark 68,811 of 70,002 files missing.')).toBeTruthy();
  expect(screen.getByText('Scans/').closest('li')!.textContent).toBe('Scans/41,206 files');
  expect(screen.getByRole('link', { name: 'Scans/' }).getAttribute('href')).toBe('#/browse/l?path=Scans');
  expect(screen.getByText('Top-level folder')).toBeTruthy();
  // A search of the whole library would also show the files that are still there.
  expect(screen.queryByRole('link', { name: /See/ })).toBeNull();
  expect(screen.getByText('Show 1 of 68,811 files')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Mark as missing…' }));
  const force = await screen.findByRole('button', { name: 'Mark 68,811 missing' });
  expect((force as HTMLButtonElement).disabled).toBe(true);
  expect(screen.getByText('with tags or notes').parentElement!.textContent).toContain('412');
  expect(scan).not.toHaveBeenCalled();
  await userEvent.type(screen.getByRole('textbox'), 'Family');
  await userEvent.click(force);
  expect(scan).toHaveBeenCalledWith(true);
});
