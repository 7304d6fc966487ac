import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Item } from '../../api/types.ts';
import { formatDateTime } from '../../format/dates.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { FITTED, panBy, zoomAt } from './image-zoom.tsx';
import { MediaPlayer } from './media-player.tsx';
import { MembersViewer } from './members-viewer.tsx';
import { aspectRatio, nextZoom, pageHighlights, renderWidth, thumbnailPages } from './pdf-pages.ts';
import { PdfViewer } from './pdf-viewer.tsx';
import { Preview } from './preview.tsx';
import { archiveMembers, isBrowserImage, noPreviewReason, previewKindOf } from './preview-kind.ts';
import { MailView } from './rich/mail-view.tsx';
import { RecordView } from './rich/record-view.tsx';
import { richKindOf } from './rich/rich-kind.ts';
import { TextViewer } from './text-viewer.tsx';
import { rotateView, Turntable, tilePosition } from './turntable.tsx';
import { type TextMatches, useTextMatches } from './use-text-matches.ts';

const item = (patch: Partial<Item>) =>
  ({
    id: 'f1',
    filename: 'survey.pdf',
    extension: 'pdf',
    file_category: 'document',
    status: 'active',
    has_thumb: true,
    thumb_version: null,
    has_text: true,
    may_read_content: true,
    may_download: true,
    size: 10,
    metadata: { pages: 36 },
    ...patch,
  }) as unknown as Item;
const textMatches = (patch: Partial<TextMatches> = {}): TextMatches => ({
  text: null,
  loading: false,
  error: null,
  words: [],
  matches: [],
  match: 0,
  jumps: 0,
  goTo: () => {},
  step: () => false,
  ...patch,
});

/** An image that loads at once. */
class ReadyImage {
  onload: (() => void) | null = null;
  onerror: (() => void) | null = null;
  set src(_address: string) {
    queueMicrotask(() => this.onload?.());
  }
}

beforeEach(() => {
  vi.stubGlobal('Image', ReadyImage);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('the page changes with Page Down, the page number field and the buttons', async () => {
  renderWithProviders(<PdfViewer item={item({})} textMatches={textMatches()} />);
  const at = () => screen.getByRole('region', { name: /^Page/ }).getAttribute('aria-label');
  expect(at()).toBe('Page 1 of 36');
  await userEvent.keyboard('{PageDown}');
  expect(at()).toBe('Page 2 of 36');
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect(at()).toBe('Page 3 of 36');
  const field = screen.getByRole('textbox', { name: 'Page number' });
  await userEvent.clear(field);
  await userEvent.type(field, '99{Enter}');
  expect(at()).toBe('Page 36 of 36');
});

test('a page that fails to load can be loaded again', () => {
  renderWithProviders(<PdfViewer item={item({})} textMatches={textMatches()} />);
  fireEvent.error(screen.getByRole('img', { name: 'Page 1 of survey.pdf' }));
  expect(screen.getByText('Page 1 could not be loaded.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('Loading page 1…')).toBeTruthy();
});

test('the page of the current match is shown', () => {
  const match = { at: 0, end: 3, page: 14, text: 'x', marks: [] };
  renderWithProviders(<PdfViewer item={item({})} textMatches={textMatches({ matches: [match] })} />);
  expect(screen.getByRole('region', { name: 'Page 14 of 36' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Page 14\W+1 match$/ })).toBeTruthy();
});

test('matches are marked on the page, and the current one is emphasized', async () => {
  const at = (x: number) => ({ text: 'harbour', x, y: 0.5, w: 0.2, h: 0.02 });
  vi.stubGlobal('fetch', async (request: Request) => {
    expect(new URL(request.url).pathname).toBe('/api/v1/items/f1/pages/1/words');
    return new Response(JSON.stringify({ words: [at(0.1), { ...at(0.4), text: 'crane' }, at(0.7)] }));
  });
  const matches = [1, 1, 2].map((page, i) => ({ at: i, end: i + 1, page, text: 'x', marks: [] }));
  const { container } = renderWithProviders(
    <PdfViewer item={item({})} textMatches={textMatches({ matches, match: 1, words: ['harbour'] })} />,
  );
  fireEvent.load(screen.getByAltText(/^Page 1 of/));
  await waitFor(() => expect(container.querySelectorAll('mark')).toHaveLength(2));
  const [first, second] = container.querySelectorAll('mark');
  expect([first!.dataset['current'], second!.dataset['current']]).toEqual(['false', 'true']);
  expect(second!.style.left).toBe('70%');
});

test('the arrow keys rotate a model past the first view', async () => {
  renderWithProviders(<Turntable id="f1" name="boat.stl" hasThumb onUnavailable={() => {}} />);
  const model = await screen.findByRole('slider', { name: 'Rotate boat.stl' });
  model.focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(model.getAttribute('aria-valuetext')).toBe('30 degrees');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(model.getAttribute('aria-valuetext')).toBe('345 degrees');
});

test('with reduced motion a model cannot rotate automatically', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('reduce'),
        media: query,
        addEventListener: () => {},
        removeEventListener: () => {},
      }) as unknown as MediaQueryList,
  );
  renderWithProviders(<Turntable id="f1" name="boat.stl" hasThumb onUnavailable={() => {}} />);
  await screen.findByRole('slider', { name: 'Rotate boat.stl' });
  expect(screen.queryByRole('button', { name: 'Rotate automatically' })).toBeNull();
});

test('the entries of an archive can be filtered', async () => {
  const members = Array.from({ length: 40 }, (_, i) => ({ name: `2022/IMG_${i}.jpg`, size: 5 }));
  renderWithProviders(<MembersViewer item={item({ metadata: { archive: { members, member_count: 1204 } } })} words={[]} small={false} />);
  expect(screen.getByText('Showing 40 of 1,204 entries.')).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Find in archive' }), 'IMG_39');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

function Reader({ file, words }: { file: Item; words: string[] }) {
  const shared = useTextMatches(file, words);
  return <Preview item={file} words={words} textMatches={shared} />;
}

test('all matches are marked in the text, and a button goes to the next one', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ text: 'The harbour crane. A second Harbour.', truncated: false, source: 'ocr' }));
  renderWithProviders(<Reader file={item({ extension: 'jpg', file_category: 'image', metadata: {} })} words={['harbour']} />);
  expect(await screen.findAllByText(/^harbour$/i, { selector: 'mark' })).toHaveLength(2);
  expect(screen.getByText(/text recognition/)).toBeTruthy();
  expect(document.querySelector('mark[data-current="true"]')!.textContent).toBe('harbour');
  await userEvent.click(screen.getByRole('button', { name: 'Next match' }));
  expect(document.querySelector('mark[data-current="true"]')!.textContent).toBe('Harbour');
});

const GONE = { status: 409, code: 'file_gone', detail: 'The file is currently not on disk. Scan the library to update it.' };
const AGENT_OFFLINE = { status: 409, code: 'agent_offline', detail: 'The file is on another machine, whose agent is not connected.' };
const AGENT_REVOKED = { status: 422, code: 'library_agent_owned', detail: 'The agent of this file was revoked.' };
const refusal = (problem: typeof GONE) => Response.json(problem, { status: problem.status });
/** A server on which no file can be opened, with the stored text of those that have one. */
const withoutFiles =
  (stored: string | null, refused = GONE) =>
  async (request: Request) => {
    if (!new URL(request.url).pathname.endsWith('/text')) return refusal(refused);
    if (stored === null) return refusal({ status: 404, code: 'no_text', detail: 'No text.' });
    return Response.json({ text: stored, truncated: false, source: 'body' });
  };

test('a file that cannot be opened shows the text that is stored of it', async () => {
  for (const refused of [GONE, AGENT_OFFLINE, AGENT_REVOKED]) {
    vi.stubGlobal('fetch', withoutFiles('harbour,crane', refused));
    for (const extension of ['txt', 'md', 'csv']) {
      const { unmount } = renderWithProviders(<Reader file={item({ extension, has_thumb: false, metadata: {} })} words={[]} />);
      expect((await screen.findAllByText(/harbour/)).length, extension).toBeGreaterThan(0);
      unmount();
    }
  }
});

test('a file that cannot be opened and has no stored text says why', async () => {
  vi.stubGlobal('fetch', withoutFiles(null));
  for (const extension of ['txt', 'md', 'csv', 'woff2', 'ipynb', 'gpx', 'xlsx']) {
    for (const has_text of [false, true]) {
      const file = item({ extension, has_thumb: false, has_text, source_agent_id: null, metadata: {} });
      const { unmount } = renderWithProviders(<Reader file={file} words={[]} />);
      expect(await screen.findByText(GONE.detail), extension).toBeTruthy();
      expect(screen.queryByText(/^Loading/)).toBeNull();
      unmount();
    }
  }
});

test('the text of a document of an agent that is not connected names that reason', async () => {
  vi.stubGlobal('fetch', async () => refusal(AGENT_OFFLINE));
  const file = item({ extension: 'docx', has_thumb: false, has_text: false, source_agent_id: 'a1', metadata: {} });
  renderWithProviders(<Reader file={file} words={[]} />);
  expect(await screen.findByText(AGENT_OFFLINE.detail)).toBeTruthy();
});

const bareItem = (patch: Partial<Item>) =>
  ({
    status: 'active',
    file_category: 'other',
    has_thumb: false,
    may_read_content: true,
    may_download: true,
    metadata: {},
    ...patch,
  }) as unknown as Item;

test('the preview depends on the file type', () => {
  expect(previewKindOf(bareItem({ file_category: 'video' }))).toBe('video');
  expect(previewKindOf(bareItem({ file_category: 'document', extension: 'pdf', metadata: { pages: 36 } }))).toBe('pages');
  expect(previewKindOf(bareItem({ file_category: 'document', extension: 'pptx', metadata: { pages: 12 } }))).toBe('pages');
  expect(previewKindOf(bareItem({ file_category: 'three-d-cad', extension: 'STL' }))).toBe('turntable');
  expect(previewKindOf(bareItem({ file_category: 'three-d-cad', extension: 'dxf' }))).toBe('picture');
  expect(previewKindOf(bareItem({ file_category: 'archive', metadata: { archive: { members: ['a'] } } }))).toBe('members');
  expect(previewKindOf(bareItem({ file_category: 'development' }))).toBeNull();
});

test('a missing file has no preview that needs its contents', () => {
  expect(previewKindOf(bareItem({ status: 'missing', file_category: 'video', has_thumb: true }))).toBe('picture');
  expect(previewKindOf(bareItem({ status: 'missing', file_category: 'document', extension: 'pdf', metadata: { pages: 3 } }))).toBeNull();
});

test('subtitles are text, not a video', () => {
  expect(previewKindOf(bareItem({ file_category: 'video', file_group: 'subtitle', extension: 'srt' }))).toBeNull();
});

test('without the right to read a file it has no preview that needs its contents', () => {
  const closed = (patch: Partial<Item>) => bareItem({ may_read_content: false, may_download: false, ...patch });
  expect(previewKindOf(closed({ file_category: 'video', has_thumb: true }))).toBe('picture');
  expect(previewKindOf(closed({ file_category: 'document', extension: 'pdf', metadata: { pages: 3 } }))).toBeNull();
  expect(previewKindOf(closed({ extension: 'csv', size: 5 }))).toBeNull();
  expect(isBrowserImage(closed({ file_category: 'image', extension: 'jpg' }))).toBe(false);
  expect(noPreviewReason(closed({ extension: 'txt', drawable: false }))).toBe(
    'No preview because you do not have the right to read the contents of this file.',
  );
});

test('a preview needs the right for what it reads: the file itself, or what the server read from it', () => {
  const mail = { extension: 'msg', size: 5, metadata: { email_subject: 'Harbour' } };
  const archive = { extension: 'zip', metadata: { archive: { member_count: 3 } } };
  const noContent = 'No preview because you do not have the right to read the contents of this file.';
  const noDownload = 'No preview because you do not have the right to download this file.';
  const downloadOnly = (patch: Partial<Item>) => bareItem({ may_read_content: false, ...patch });
  const contentOnly = (patch: Partial<Item>) => bareItem({ may_download: false, ...patch });
  for (const extension of ['woff2', 'ipynb', 'gpx', 'xlsx']) {
    expect(previewKindOf(downloadOnly({ extension, size: 5 })), extension).toBe(richKindOf(bareItem({ extension, size: 5 })));
    const closed = contentOnly({ extension, size: 5 });
    expect([previewKindOf(closed), noPreviewReason(closed)], extension).toEqual([null, noDownload]);
  }
  for (const patch of [
    mail,
    archive,
    { extension: 'docx', size: 5, has_text: true },
    { extension: 'docx', size: 5, drawable: true },
    { extension: 'pdf', metadata: { pages: 3 } },
  ] as Partial<Item>[]) {
    const closed = downloadOnly({ file_category: 'document', ...patch });
    expect([previewKindOf(closed), noPreviewReason(closed)], patch.extension ?? '').toEqual([null, noContent]);
  }
  expect(previewKindOf(contentOnly(mail))).toBe('mail');
  expect(noPreviewReason(contentOnly({ file_category: 'video', extension: 'mp4' }))).toBe(noDownload);
  // The text of these is read from the file, or else from the catalog.
  for (const extension of ['md', 'csv']) {
    const kind = richKindOf(bareItem({ extension, size: 5 }));
    expect(previewKindOf(downloadOnly({ extension, size: 5 })), extension).toBe(kind);
    expect(previewKindOf(contentOnly({ extension, size: 5, has_text: true })), extension).toBe(kind);
  }
  for (const extension of ['md', 'csv', 'txt'])
    expect(noPreviewReason(contentOnly({ extension, size: 5, has_text: false })), extension).toBe(noDownload);
  expect(previewKindOf(bareItem({ size: 5, may_read_content: false, may_download: false, metadata: { key: { kind: 'rsa' } } }))).toBe(
    'record',
  );
  const picture = contentOnly({ file_category: 'image', extension: 'jpg', drawable: false });
  expect(noPreviewReason(picture)).toBe('No preview for this file type.');
});

test('a text is requested only from where the user may read it', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname.split('/').at(-1) ?? '');
    return asked.at(-1) === 'text' ? Response.json({ text: 'harbour', truncated: false, source: 'body' }) : new Response('harbour');
  });
  for (const [right, route] of [
    ['may_download', 'file'],
    ['may_read_content', 'text'],
  ] as const) {
    const rights = { may_download: false, may_read_content: false, [right]: true };
    const { unmount } = renderWithProviders(<Reader file={item({ extension: 'txt', metadata: {}, ...rights })} words={[]} />);
    expect(await screen.findByText('harbour')).toBeTruthy();
    expect(asked.splice(0)).toEqual([route]);
    unmount();
  }
});

test('a message whose text cannot be read says why', async () => {
  vi.stubGlobal('fetch', async () => refusal({ status: 403, code: 'action_denied', detail: 'You may not read this.' }));
  renderWithProviders(<MailView item={item({ extension: 'eml', metadata: { email_subject: 'Two' } })} />);
  expect(await screen.findByText('You may not read this.')).toBeTruthy();
});

test('a video that cannot be read names that reason, not the browser', async () => {
  const detail = 'The file is no longer on disk. Scan the library again.';
  vi.stubGlobal('fetch', async () => Response.json({ status: 409, code: 'file_gone', detail }, { status: 409 }));
  renderWithProviders(<MediaPlayer item={item({ extension: 'mp4', file_category: 'video' })} kind="video" small />);
  fireEvent.error(screen.getByLabelText('survey.pdf'));
  expect((await screen.findByRole('alert')).textContent).toBe(detail);
});

test('a file without a byte is said to be empty', async () => {
  const detail = 'The range starts after the end of the file, which has 0 bytes.';
  vi.stubGlobal('fetch', async () => refusal({ status: 416, code: 'range_not_satisfiable', detail }));
  for (const kind of ['video', 'audio'] as const) {
    const { unmount } = renderWithProviders(<MediaPlayer item={item({ file_category: kind })} kind={kind} small />);
    fireEvent.error(screen.getByLabelText('survey.pdf'));
    expect((await screen.findByRole('alert')).textContent).toBe('The file is empty.');
    unmount();
  }
  // It was not empty when it was scanned.
  renderWithProviders(<Reader file={item({ extension: 'txt', has_thumb: false, has_text: false, metadata: {} })} words={[]} />);
  expect(await screen.findByText('The file is empty.')).toBeTruthy();
});

test('a video that the browser cannot play can be downloaded', async () => {
  vi.stubGlobal('fetch', async () => new Response('x', { status: 206 }));
  renderWithProviders(<MediaPlayer item={item({ extension: 'avi', file_category: 'video' })} kind="video" small />);
  fireEvent.error(screen.getByLabelText('survey.pdf'));
  expect((await screen.findByRole('alert')).textContent).toBe('This browser cannot play AVI files. Download it to play it.');
});

test('archive members have their total number', () => {
  expect(
    archiveMembers(bareItem({ metadata: { archive: { member_count: 1204, members: [{ name: 'a', size: 3 }, 'b', { size: 1 }] } } })),
  ).toEqual({
    members: [
      { name: 'a', size: 3 },
      { name: 'b', size: null },
    ],
    total: 1204,
  });
});

test('a long document has thumbnails around the current page', () => {
  expect(thumbnailPages(36, 14)).toHaveLength(36);
  expect(thumbnailPages(5000, 2500)[0]).toBe(2440);
  expect(thumbnailPages(5000, 5000).at(-1)).toBe(5000);
  expect(thumbnailPages(5000, 1)[0]).toBe(1);
});

test('render widths are steps within the limits of the server', () => {
  expect(renderWidth(820, 1)).toBe(1200);
  expect(renderWidth(90, 1)).toBe(400);
  expect(renderWidth(2460, 2)).toBe(2000);
  expect(nextZoom(1, 1)).toBe(1.25);
  expect(nextZoom(3, 1)).toBe(3);
  expect(aspectRatio('600x300')).toBe(0.5);
  expect(aspectRatio('x')).toBe(Math.SQRT2);
});

test('rotation past the last view continues with the first', () => {
  expect(rotateView(23, 1)).toBe(0);
  expect(rotateView(0, -25)).toBe(23);
  expect(tilePosition(7)).toEqual({ column: 1, row: 1 });
});

const word = (text: string, x: number) => ({ text, x, y: 0.5, w: 0.2, h: 0.02 });

test('a word is marked regardless of accents and case', () => {
  const marks = pageHighlights([word('The', 0), word('Café', 0.2), word('crane', 0.5)], ['cafe']);
  expect(marks).toEqual([{ x: 0.2, y: 0.5, w: 0.2, h: 0.02 }]);
});

test('part of a word gets the proportional part of its box', () => {
  const [mark] = pageHighlights([word('harbourside', 0.1)], ['harbour']);
  expect(mark!.x).toBe(0.1);
  expect(mark!.w).toBeCloseTo((0.2 * 7) / 11);
});

test('words joined by a hyphen are found separately', () => {
  expect(pageHighlights([word('load', 0), word('test', 0.3)], ['load-test'])).toHaveLength(2);
});

test('a vertical word is marked along its height', () => {
  const [mark] = pageHighlights([{ text: 'harbourside', x: 0.5, y: 0.1, w: 0.02, h: 0.22 }], ['harbour']);
  expect(mark).toMatchObject({ x: 0.5, y: 0.1, w: 0.02 });
  expect(mark!.h).toBeCloseTo(0.14);
});

test('nothing is marked without query words', () => {
  expect(pageHighlights([word('harbour', 0)], [])).toEqual([]);
});

const frame = { width: 400, height: 300 };

test('zooming keeps the point under the pointer in place', () => {
  const point = { x: 100, y: -50 };
  const view = zoomAt(FITTED, 2, frame, point);
  expect(100 * view.scale + view.x).toBe(100);
  expect(-50 * view.scale + view.y).toBe(-50);
});

test('an image is never smaller than its frame and never panned out of it', () => {
  expect(zoomAt({ scale: 2, x: 90, y: 10 }, 0.1, frame)).toEqual(FITTED);
  expect(panBy({ scale: 2, x: 0, y: 0 }, 9_000, -9_000, frame)).toEqual({ scale: 2, x: 200, y: -150 });
  expect(panBy(FITTED, 50, 50, frame)).toEqual(FITTED);
});

test('the maximum zoom is eight', () => {
  expect(zoomAt({ scale: 7, x: 0, y: 0 }, 4, frame).scale).toBe(8);
});

test('a picture is hidden until it has loaded, so that no browser shows its name instead', () => {
  renderWithProviders(<Preview item={item({ extension: 'jpg', file_category: 'image' })} words={[]} textMatches={textMatches()} />);
  const picture = screen.getByRole('group', { name: /^Image/ }).querySelector('img') as HTMLImageElement;
  const preview = picture.src;
  fireEvent.error(picture);
  expect(picture.src).not.toBe(preview);
  expect(picture.style.visibility).toBe('hidden');
  fireEvent.load(picture);
  expect(picture.style.visibility).toBe('visible');
});

test('an unread file says that it has not been read yet', () => {
  const unread = item({ extension: 'odt', has_thumb: false, has_text: false, metadata: {}, unread: true });
  const { rerender } = renderWithProviders(<Preview item={unread} words={[]} textMatches={textMatches()} />);
  expect(screen.getByText(/has not been read yet/)).toBeTruthy();
  rerender(<Preview item={{ ...unread, unread: false }} words={[]} textMatches={textMatches()} />);
  expect(screen.getByText('No preview for this file type.')).toBeTruthy();
});

test('a file without a picture says whether one can still appear', () => {
  const model = { extension: 'step', file_category: 'three-d-cad', has_thumb: false, metadata: {} };
  const cases: [Partial<Item>, string][] = [
    [{ ...model, drawable: false, unread: false }, 'No preview for this file type.'],
    [{ ...model, drawable: true, unread: true }, 'This file has not been read yet. Its preview appears here as soon as it has been.'],
    [
      { ...model, drawable: true, unread: false, metadata: { _extract_error: 'Damaged.' } },
      'No preview because the file could not be read.',
    ],
    [{ ...model, drawable: true, unread: false }, 'No preview could be made from this file.'],
    [{ ...model, drawable: true, unread: false, status: 'missing' }, 'No preview because the file is missing from disk.'],
  ];
  for (const [patch, reason] of cases) {
    const { unmount } = renderWithProviders(<Preview item={item(patch)} words={[]} textMatches={textMatches()} />);
    expect(screen.getByText(reason)).toBeTruthy();
    unmount();
  }
});

test('the dates of a certificate are shown as dates', () => {
  const certificate = { subject: 'CN=a', not_before: '2024-05-01T10:00:00.000Z', not_after: '2034-05-01T10:00:00.000Z' };
  renderWithProviders(<RecordView item={item({ extension: 'crt', metadata: { certificate } })} />);
  expect(screen.getByText('Valid until').nextSibling?.textContent).toBe(formatDateTime(certificate.not_after));
  expect(screen.queryByText(/T10:00/)).toBeNull();
});

test('the text beside a list can be scrolled with the keyboard', () => {
  const text = { text: 'One line. '.repeat(200), source: 'body', truncated: false } as unknown as TextMatches['text'];
  renderWithProviders(<TextViewer textMatches={textMatches({ text })} mono={false} small />);
  expect(screen.getByRole('region', { name: 'Text' }).tabIndex).toBe(0);
});

test('messages of a mailbox are shown apart', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ text: 'Body 0\fmail 1', truncated: false, source: 'body' }));
  renderWithProviders(<MailView item={item({ extension: 'mbox', metadata: { email_subject: 'Two' } })} />);
  expect((await screen.findByText(/Body 0/)).textContent).toBe('Body 0\n\nmail 1');
});
