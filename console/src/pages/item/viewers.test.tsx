import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Item } from '../../api/types.ts';
import { show } from '../../test-render.tsx';
import { MembersViewer } from './members-viewer.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import { Preview } from './preview.tsx';
import { Turntable } from './turntable.tsx';
import { type Reading, useReading } from './use-reading.ts';

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
    size: 10,
    metadata: { pages: 36 },
    ...patch,
  }) as unknown as Item;
const reading = (patch: Partial<Reading> = {}): Reading => ({
  text: null,
  waiting: false,
  error: null,
  words: [],
  matches: [],
  match: 0,
  asked: 0,
  show: () => {},
  step: () => false,
  ...patch,
});

/** Pictures that arrive at once. */
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

test('a document is turned with Page Down, by number and with the buttons', async () => {
  show(<PdfViewer item={item({})} reading={reading()} />);
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

test('a page that cannot be drawn says so and can be tried again', () => {
  show(<PdfViewer item={item({})} reading={reading()} />);
  fireEvent.error(screen.getByRole('img', { name: 'Page 1 of survey.pdf' }));
  expect(screen.getByText('Page 1 could not be drawn.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByText('Drawing page 1…')).toBeTruthy();
});

test('a match that is asked for brings its page', () => {
  const match = { at: 0, end: 3, page: 14, text: 'x', marks: [] };
  show(<PdfViewer item={item({})} reading={reading({ matches: [match] })} />);
  expect(screen.getByRole('region', { name: 'Page 14 of 36' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Page 14\W+1 matches$/ })).toBeTruthy();
});

test('searched words are marked on the picture of the page, the one looked at apart', async () => {
  const at = (x: number) => ({ text: 'harbour', x, y: 0.5, w: 0.2, h: 0.02 });
  vi.stubGlobal('fetch', async (request: Request) => {
    expect(new URL(request.url).pathname).toBe('/api/v1/items/f1/pages/1/words');
    return new Response(JSON.stringify({ words: [at(0.1), { ...at(0.4), text: 'crane' }, at(0.7)] }));
  });
  const matches = [1, 1, 2].map((page, i) => ({ at: i, end: i + 1, page, text: 'x', marks: [] }));
  const { container } = show(<PdfViewer item={item({})} reading={reading({ matches, match: 1, words: ['harbour'] })} />);
  fireEvent.load(screen.getByAltText(/^Page 1 of/));
  await waitFor(() => expect(container.querySelectorAll('mark')).toHaveLength(2));
  const [first, second] = container.querySelectorAll('mark');
  expect([first!.dataset['current'], second!.dataset['current']]).toEqual(['false', 'true']);
  expect(second!.style.left).toBe('70%');
});

test('a model turns with the arrow keys and comes round', async () => {
  show(<Turntable id="f1" name="boat.stl" hasThumb onNone={() => {}} />);
  const model = await screen.findByRole('slider', { name: 'Turn boat.stl' });
  model.focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  expect(model.getAttribute('aria-valuetext')).toBe('30 degrees');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  expect(model.getAttribute('aria-valuetext')).toBe('345 degrees');
});

test('with reduced motion a model never turns by itself', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: query.includes('reduce'),
        media: query,
        addEventListener: () => {},
        removeEventListener: () => {},
      }) as unknown as MediaQueryList,
  );
  show(<Turntable id="f1" name="boat.stl" hasThumb onNone={() => {}} />);
  await screen.findByRole('slider', { name: 'Turn boat.stl' });
  expect(screen.queryByRole('button', { name: 'Turn by itself' })).toBeNull();
});

test('a member of an archive is found by typing', async () => {
  const members = Array.from({ length: 40 }, (_, i) => ({ name: `2022/IMG_${i}.jpg`, size: 5 }));
  show(<MembersViewer item={item({ metadata: { archive: { members, member_count: 1204 } } })} words={[]} small={false} />);
  expect(screen.getByText('The catalog lists 40 of 1,204 members.')).toBeTruthy();
  await userEvent.type(screen.getByRole('textbox', { name: 'Find a member' }), 'IMG_39');
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});

function Reader({ file, words }: { file: Item; words: string[] }) {
  const shared = useReading(file, words);
  return <Preview item={file} words={words} reading={shared} />;
}

test('text is shown with every match marked, and the next one is a key away', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ text: 'The harbour crane. A second Harbour.', truncated: false, source: 'ocr' }));
  show(<Reader file={item({ extension: 'jpg', file_category: 'image', metadata: {} })} words={['harbour']} />);
  expect(await screen.findAllByText(/^harbour$/i, { selector: 'mark' })).toHaveLength(2);
  expect(screen.getByText(/text recognition/)).toBeTruthy();
  expect(document.querySelector('mark[data-current="true"]')!.textContent).toBe('harbour');
  await userEvent.click(screen.getByRole('button', { name: 'Next match' }));
  expect(document.querySelector('mark[data-current="true"]')!.textContent).toBe('Harbour');
});
