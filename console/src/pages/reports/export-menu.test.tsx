import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ToastRegion } from '../../components/toast.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import { ExportMenu } from './export-menu.tsx';

const menu = (link: boolean) => (
  <ExportMenu
    total={3}
    directUrl={(format) => `/file.${format}`}
    jsonUrl="/rows"
    inBackground={() => Promise.reject(new Error('not expected'))}
    link={link}
    scheduleHref="#/reports/schedules?report=kinds"
  />
);
const open = async () => fireEvent.click(await screen.findByRole('button', { name: 'Export' }));
const entries = async () => (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);

test('files and schedules are offered to people who may download', async () => {
  renderWithProviders(menu(true));
  await open();
  expect(await entries()).toEqual(expect.arrayContaining(['CSV3', 'CSV in the background', 'Send regularly…']));
});

test('without the right to download the menu says so and offers no file', async () => {
  renderWithProviders(menu(true), { scope: 'read', mayDownload: false });
  await open();
  expect(await entries()).toEqual(['PDF or print, with chart', 'JSON from the API', 'Copy link with filters', 'Show all exports']);
  expect(screen.getByText(/^Your permissions do not allow downloads/)).toBeDefined();
});

test('a menu with nothing but files is left out', () => {
  renderWithProviders(menu(false), { scope: 'read', mayDownload: false });
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
});

test('with read access only, files are offered but no schedule', async () => {
  renderWithProviders(menu(true), { scope: 'read' });
  await open();
  expect(await entries()).toContain('CSV3');
  expect(screen.queryByText('Send regularly…')).toBeNull();
});

test('the link is copied over plain HTTP too', async () => {
  vi.stubGlobal('isSecureContext', false);
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: undefined } }));
  const copied = vi.fn(() => true);
  document.execCommand = copied;
  renderWithProviders(
    <>
      {menu(true)}
      <ToastRegion />
    </>,
  );
  await open();
  fireEvent.click(await screen.findByText('Copy link with filters'));
  expect(await screen.findByText('Link copied')).toBeTruthy();
  expect(copied).toHaveBeenCalledWith('copy');
  vi.unstubAllGlobals();
});
