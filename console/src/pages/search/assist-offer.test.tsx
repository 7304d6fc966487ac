import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show } from '../../test-render.tsx';
import { AssistOffer } from './assist-offer.tsx';

const asked = vi.fn();
beforeEach(() => {
  asked.mockClear();
  vi.stubGlobal('fetch', async (request: Request) => {
    asked(await request.json());
    const filters = [
      { field: 'kind', value: 'image', negated: false, text: 'kind:image', start: 0, end: 10 },
      { field: 'size', value: '>10m', negated: false, text: 'size:>10m', start: 11, end: 20 },
    ];
    return Response.json({ dsl: 'kind:image size:>10m', source: 'heuristic', filters, terms: [], notes: [], llm_available: false });
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a sentence is shown as filters first and applied only when taken', async () => {
  const use = vi.fn();
  show(<AssistOffer q="photos larger than 10 MB" onUse={use} />);
  expect((await screen.findByText('Image')).closest('span')!.textContent).toBe('kind Image');
  expect(screen.getByText('over 10 MB')).toBeTruthy();
  expect(use).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Use these filters' }));
  expect(use).toHaveBeenCalledWith('kind:image size:>10m');
});

test('words to be found are never sent for translation', async () => {
  show(<AssistOffer q="harbour crane survey" onUse={() => {}} />);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(asked).not.toHaveBeenCalled();
});
