import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
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
