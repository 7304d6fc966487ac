import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { PassageList, placeOf } from './passage-list.tsx';
import { PassageReader } from './passage-reader.tsx';

const text = 'First page.\fThe tenant pays the demurrage within ten days. More follows.';
const passage = (chunk_no: number, start: number, end: number, page: number) => ({
  item_id: 'i',
  chunk_no,
  page,
  heading: null,
  start,
  end,
  text: text.slice(start, end),
  truncated: false,
  score: 1,
  matched_by: chunk_no === 0 ? ('meaning' as const) : ('words' as const),
  snippet: 'pays the <em>demurrage</em> within',
});
const file = {
  item_id: 'i',
  filename: 'lease.pdf',
  library_id: 'l',
  rel_path: 'a/lease.pdf',
  score: 1,
  matches: 2,
  passages: [passage(1, 12, 58, 2), passage(0, 0, 11, 1)],
};
const listed = file.passages.map((each) => ({ file, passage: each }));

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json({ text, truncated: false, source: 'ocr' })));
afterEach(() => vi.unstubAllGlobals());

test('a passage shows its words, file, page and library, and can be selected', async () => {
  const select = vi.fn();
  renderWithProviders(
    <PassageList passages={listed} current={0} files={1} total={1} libraryName={() => 'Documents'} onSelect={select} onMore={null} />,
  );
  expect(screen.getByRole('status').textContent).toBe('2 passages in 1 file');
  expect(screen.getAllByText('demurrage')[0]!.tagName).toBe('MARK');
  expect(screen.getByText('Page 2 · Documents')).toBeTruthy();
  expect(screen.getByText('Page 1 · Documents · by meaning')).toBeTruthy();
  await userEvent.click(screen.getAllByRole('button')[1]!);
  expect(select).toHaveBeenCalledWith(1);
});

test.each([
  ['slides.pptx', 'Slide 2'],
  ['budget.xlsx', 'Sheet 2'],
  ['archive.mbox', 'Message 2'],
  ['letter.eml', 'Part 2'],
  ['lease.pdf', 'Page 2'],
])('a place in %s is called %s', (filename, place) => {
  expect(placeOf({ file: { ...file, filename }, passage: passage(1, 12, 58, 2) })).toBe(place);
});

test('the text opens at the place of the passage, which is marked there', async () => {
  const select = vi.fn();
  renderWithProviders(<PassageReader listed={listed[0]!} passages={listed} q="demurrage" onSelect={select} />);
  const current = await waitFor(() => {
    const mark = document.querySelector('mark[data-current="true"]');
    expect(mark).not.toBeNull();
    return mark!;
  });
  expect(current.textContent).toBe(text.slice(12, 58));
  expect(document.querySelectorAll('mark')).toHaveLength(2);
  expect(screen.getByRole('button', { name: 'Passage 1' }).getAttribute('aria-current')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Passage 2' }));
  expect(select).toHaveBeenCalledWith(1);
  expect(screen.getByText(/read by OCR/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open file' }).getAttribute('href')).toBe('#/item/i?q=demurrage');
});
