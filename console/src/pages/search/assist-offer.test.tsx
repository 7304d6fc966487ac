import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { AssistOffer, looksLikeSentence, withoutFilters } from './assist-offer.tsx';

const requested = vi.fn();
beforeEach(() => {
  requested.mockClear();
  vi.stubGlobal('fetch', async (request: Request) => {
    requested(await request.json());
    const filters = [
      { field: 'kind', value: 'image', negated: false, text: 'kind:image', start: 0, end: 10 },
      { field: 'size', value: '>10m', negated: false, text: 'size:>10m', start: 11, end: 20 },
    ];
    return Response.json({ dsl: 'kind:image size:>10m', source: 'heuristic', filters, terms: [], notes: [], llm_available: false });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a description is shown as filters and applied only when accepted', async () => {
  const use = vi.fn();
  renderWithProviders(<AssistOffer q="photos larger than 10 MB" onUse={use} />);
  expect((await screen.findByText('Image')).parentElement!.textContent).toBe('file type Image');
  expect(screen.getByText('over 10 MB')).toBeTruthy();
  expect(use).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Use these filters' }));
  expect(use).toHaveBeenCalledWith('kind:image size:>10m');
});

test('a suggested filter can be left out before it is used', async () => {
  const use = vi.fn();
  renderWithProviders(<AssistOffer q="photos larger than 10 MB" onUse={use} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Leave out file type Image' }));
  await userEvent.click(screen.getByRole('button', { name: 'Use these filters' }));
  expect(use).toHaveBeenCalledWith('size:>10m');
});

test('leaving out a filter leaves no empty group and no dangling OR', () => {
  const dsl = 'boats (kind:image OR kind:video) size:>10m';
  const filters = [...dsl.matchAll(/\w+:[^\s)]+/g)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const starts = filters.map(({ start }) => start);
  expect(withoutFilters(dsl, filters, starts.slice(0, 1))).toBe('boats (kind:video) size:>10m');
  expect(withoutFilters(dsl, filters, starts.slice(0, 2))).toBe('boats size:>10m');
  expect(withoutFilters(dsl, filters, starts)).toBe('boats');
});

test('plain search words are not sent for translation', async () => {
  renderWithProviders(<AssistOffer q="harbour crane survey" onUse={() => {}} />);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(requested).not.toHaveBeenCalled();
});

test.each(['photos larger than 10 MB from last summer', 'videos older than two years', 'pdfs tagged invoice from 2023 over 5 MB'])(
  '“%s” reads like a description',
  (q) => expect(looksLikeSentence(q)).toBe(true),
);

test.each([
  'harbour',
  'old town hall',
  'harbour crane survey final',
  'photos kind:image from last summer',
  '"photos from last summer"',
  'last photo',
])('“%s” is searched literally', (q) => expect(looksLikeSentence(q)).toBe(false));
