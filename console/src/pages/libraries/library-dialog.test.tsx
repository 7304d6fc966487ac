import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Library } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { LibraryDialog } from './library-dialog.tsx';

const group = (key: string, ...extensions: string[]) => ({ key, label: key, extensions });
const TREE = [
  { key: 'image', label: 'Images', groups: [group('photo', 'jpg'), group('raw', 'cr2'), group('vector', 'svg')] },
  { key: 'audio', label: 'Audio', groups: [group('music', 'mp3')] },
];
const PRESETS = [{ name: 'hidden_dotfiles', label: 'Hidden files', patterns: ['.*'], default_enabled: true, caveat: null, builtin: true }];
const LIBRARY = {
  id: 'l1',
  name: 'Photos',
  root_path: '/mnt/photos',
  enabled_categories: [],
  enabled_groups: ['music'],
  enabled_presets: [],
  include_globs: [],
  exclude_globs: [],
  extract_overrides: { document_max_bytes: 50_000_000 },
  hash_policy: 'auto',
  hash_full_max_bytes: null,
  worker_labels: [],
  enabled: true,
} as unknown as Library;

let saved: Record<string, unknown>;
function open(library: Library | null = LIBRARY) {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET') saved = (await request.clone().json()) as Record<string, unknown>;
    const responses: Record<string, unknown> = {
      '/api/v1/taxonomy': { version: 1, reclassified_version: 1, tree: TREE },
      '/api/v1/presets': { presets: PRESETS },
      '/api/v1/libraries/l1': LIBRARY,
      '/api/v1/search': {
        total: 100,
        hits: [],
        facets: { file_category: { image: 90, audio: 4 }, file_group: { photo: 60, raw: 30, music: 4 } },
      },
    };
    return new Response(JSON.stringify(responses[pathname] ?? {}), { status: responses[pathname] ? 200 : 404 });
  });
  renderWithProviders(<LibraryDialog library={library} onClose={() => {}} />);
}
afterEach(() => vi.unstubAllGlobals());
const goTo = async (tab: string) => userEvent.click(await screen.findByRole('tab', { name: tab }));
const save = async () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const box = (name: string | RegExp) => screen.getByRole('checkbox', { name });

test('file types: a whole category, single groups, and a group deselected from a whole category, with the effect', async () => {
  open();
  await goTo('File types');
  expect(await screen.findByText(/Only the selected types/)).toBeTruthy();
  // A partly selected category is expanded and indeterminate.
  expect(box(/^Audio/)).toHaveProperty('indeterminate', true);
  await userEvent.click(box(/^music/));
  expect(screen.getByText(/all files are included/)).toBeTruthy();
  await userEvent.click(box(/^Images/));
  expect(box(/^Images/).closest('label')!.textContent).toBe('Images90');
  await userEvent.click(screen.getByRole('button', { name: 'Groups in Images' }));
  const groups = within(screen.getByText('raw').closest('ul')!).getAllByRole('checkbox') as HTMLInputElement[];
  expect(groups.map(({ checked }) => checked)).toEqual([true, true, true]);
  await userEvent.click(box(/^raw/));
  expect(screen.getByText(/The next scan removes about 40 of 100 files/)).toBeTruthy();
  await save();
  expect(saved).toEqual({ enabled_groups: ['photo', 'vector'] });
  await userEvent.click(box(/^Images/));
  await save();
  expect(saved).toMatchObject({ enabled_categories: ['image'], enabled_groups: [] });
});

test('limits are shown in common units, and clearing one removes the override', async () => {
  open();
  await goTo('Contents');
  const document = screen.getByLabelText('Maximum document size');
  expect(document).toHaveProperty('value', '50');
  const seconds = screen.getByLabelText('Time limit per file');
  await userEvent.type(seconds, 'x');
  expect(screen.getByText('Enter a number greater than zero.')).toBeTruthy();
  await userEvent.clear(seconds);
  await userEvent.type(seconds, '90');
  await userEvent.clear(document);
  await userEvent.type(screen.getByLabelText('Maximum 3D model size'), '1,5');
  await save();
  expect(saved['extract_overrides']).toEqual({ extract_timeout_seconds: 90, model3d_max_bytes: 1_500_000 });
});

test('a preset that is on by default is checked in a library that does not list it', async () => {
  open();
  await goTo('Exclusions');
  const hidden = await screen.findByRole('checkbox', { name: /Hidden files/ });
  expect(hidden).toHaveProperty('checked', true);
  await userEvent.click(hidden);
  await save();
  expect(saved['enabled_presets']).toEqual(['-hidden_dotfiles']);
});

test('a library of an agent has only the settings that apply to it', async () => {
  open({ ...LIBRARY, source_agent_id: 'a1' } as Library);
  expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual(['Folder', 'Contents']);
  expect(screen.getByRole('textbox', { name: /^Path on the machine/ })).toHaveProperty('disabled', true);
  expect(screen.queryByRole('switch', { name: 'Enabled' })).toBeNull();
  await goTo('Contents');
  expect(screen.getAllByRole('switch')).toHaveLength(3);
  expect(screen.getByRole('switch', { name: /^Record file permissions/ })).toBeTruthy();
  expect(screen.getByText(/set in the groups of its agent/)).toBeTruthy();
});

test('the error of a path goes away when another path is entered', async () => {
  const msg = '/nowhere does not exist on this machine. Check the path and that the disk is mounted.';
  vi.stubGlobal('fetch', async (request: Request) =>
    request.method === 'POST'
      ? Response.json({ status: 422, code: 'library_root_missing', errors: [{ loc: ['body', 'root_path'], msg }] }, { status: 422 })
      : Response.json({}, { status: 404 }),
  );
  renderWithProviders(<LibraryDialog library={null} onClose={() => {}} />);
  const path = await screen.findByRole('textbox', { name: /Path on the server/ });
  await userEvent.type(path, '/nowhere');
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'Films');
  await userEvent.click(screen.getByRole('button', { name: 'Scan /nowhere' }));
  expect(await screen.findByText(msg)).toBeTruthy();
  await userEvent.type(path, '/else');
  expect(screen.queryByText(msg)).toBeNull();
});

test('the dialog starts in the path, or in the name when the path is that of an agent', async () => {
  const field = (name: RegExp) => waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name })));
  open();
  await field(/^Path on the server/);
  cleanup();
  open({ ...LIBRARY, source_agent_id: 'a1' });
  await field(/^Name/);
});

test('only what was changed is saved, so that changes of others since the dialog was opened stay', async () => {
  open();
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  await userEvent.clear(name);
  await userEvent.type(name, 'Pictures');
  await save();
  expect(saved).toEqual({ name: 'Pictures' });
});

test('a library whose scan could not start is not created again by the next attempt', async () => {
  const sent: string[] = [];
  let maintenance = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`;
    if (request.method === 'GET') return Response.json({}, { status: 404 });
    sent.push(call);
    if (call.endsWith('/scan') && maintenance)
      return Response.json({ status: 409, code: 'maintenance_mode', detail: 'New work is paused.' }, { status: 409 });
    return Response.json({ id: 'l9', name: 'films' });
  });
  renderWithProviders(<LibraryDialog library={null} onClose={() => {}} />);
  await userEvent.type(await screen.findByRole('textbox', { name: /Path on the server/ }), '/films');
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'Films');
  await userEvent.click(screen.getByRole('button', { name: 'Scan /films' }));
  expect(await screen.findByText('New work is paused.')).toBeTruthy();
  maintenance = false;
  await userEvent.click(screen.getByRole('button', { name: 'Scan /films' }));
  await waitFor(() =>
    expect(sent).toEqual(['POST /libraries', 'POST /libraries/l9/scan', 'PATCH /libraries/l9', 'POST /libraries/l9/scan']),
  );
});

test('a limit that is no number keeps the dialog open, and the limit that was stored', async () => {
  saved = {};
  open({ ...LIBRARY, vanish_guard_pct: 20 } as Library);
  await goTo('Scans');
  const limit = screen.getByLabelText('Ask before marking files missing');
  await userEvent.type(limit, ' %');
  await save();
  expect(saved).toEqual({});
  await goTo('Folder');
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), ' 2');
  await save();
  expect(saved).toEqual({ name: 'Photos 2' });
});

test('Enter in the folder of a schedule adds it, instead of saving the library without it', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'GET') sent.push([request.method, new URL(request.url).pathname, await request.clone().json()]);
    return Response.json(request.url.endsWith('/scan-paths') && request.method === 'GET' ? [] : {});
  });
  const onClose = vi.fn();
  renderWithProviders(<LibraryDialog library={LIBRARY} onClose={onClose} />);
  await goTo('Scans');
  await userEvent.type(screen.getByLabelText('Folder in the library'), 'Inbox{Enter}');
  await waitFor(() =>
    expect(sent).toEqual([['POST', '/api/v1/libraries/l1/scan-paths', { rel_path: 'Inbox', scan_cron: '*/15 * * * *' }]]),
  );
  expect(onClose).not.toHaveBeenCalled();
});
