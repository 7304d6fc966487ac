import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { SearchBox } from './search-box.tsx';

test('changes are debounced while typing', async () => {
  const onChange = vi.fn();
  renderWithProviders(<SearchBox value="" onChange={onChange} />);
  await userEvent.type(screen.getByRole('searchbox'), 'harbour');
  await waitFor(() => expect(onChange).toHaveBeenCalledWith('harbour'));
  expect(onChange.mock.calls.length).toBeLessThan(7);
});

test('a filter that is chosen right after typing is not lost when the words are sent', async () => {
  const search = vi.fn();
  function Page() {
    const [filter, setFilter] = useState('all');
    return (
      <>
        <SearchBox value="" onChange={(q) => search(q, filter)} />
        <button type="button" onClick={() => setFilter('photos')}>
          Photos
        </button>
      </>
    );
  }
  renderWithProviders(<Page />);
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'harbour' } });
  fireEvent.click(screen.getByRole('button', { name: 'Photos' }));
  await waitFor(() => expect(search).toHaveBeenCalled());
  expect(search.mock.calls).toEqual([['harbour', 'photos']]);
});

test('Esc clears the box at once', async () => {
  const onChange = vi.fn();
  renderWithProviders(<SearchBox value="harbour" onChange={onChange} />);
  await userEvent.type(screen.getByRole('searchbox'), '{Escape}');
  expect(onChange).toHaveBeenLastCalledWith('');
});

test('filter keys are colored and the position of an error is underlined', () => {
  const { container } = renderWithProviders(<SearchBox value="harbour modified:soon" onChange={() => {}} errorAt={8} />);
  expect(container.querySelector('b')!.textContent).toBe('modified:');
  expect(container.querySelector('u')!.textContent).toBe('modified:soon');
});

test('the box shows the value it is given', () => {
  const { rerender } = renderWithProviders(<SearchBox value="one" onChange={() => {}} />);
  expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('one');
  rerender(<div />);
});

test('Enter that ends the composition of a word stays in the box', () => {
  const onEnterResults = vi.fn();
  renderWithProviders(<SearchBox value="" onChange={() => {}} onEnterResults={onEnterResults} />);
  const box = screen.getByRole('searchbox');
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
  expect(onEnterResults).not.toHaveBeenCalled();
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(onEnterResults).toHaveBeenCalledOnce();
});
