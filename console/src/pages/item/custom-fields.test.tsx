import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Item } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { CustomFields } from './custom-fields.tsx';

afterEach(() => vi.unstubAllGlobals());

test('fields that could not be loaded are not shown as if there were none', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 }));
  const item = { id: 'a', file_category: 'image', library_id: 'l', user_metadata: {} } as unknown as Item;
  renderWithProviders(<CustomFields item={item} readOnly={false} onSave={() => {}} />);
  expect(await screen.findByText('The database is busy.')).toBeTruthy();
});

test('what is typed in a field stays while another value is stored, and is saved only over the value that was shown', async () => {
  const field = { id: 'f', name: 'place', label: 'Place', data_type: 'text', select_options: null };
  vi.stubGlobal('fetch', async () => Response.json([field]));
  const itemIn = (place: string) => ({ id: 'a', file_category: 'image', library_id: 'l', user_metadata: { place } }) as unknown as Item;
  const onSave = vi.fn();
  let store: (place: string) => void = () => {};
  function Page() {
    const [place, setPlace] = useState('Kiel');
    store = setPlace;
    return <CustomFields item={itemIn(place)} readOnly={false} onSave={onSave} />;
  }
  renderWithProviders(<Page />);
  const input = await screen.findByLabelText<HTMLInputElement>('Place');
  fireEvent.change(input, { target: { value: 'Lübeck' } });
  fireEvent.blur(input);
  expect(onSave).toHaveBeenLastCalledWith({ place: 'Lübeck' }, { place: 'Kiel' });
  fireEvent.change(input, { target: { value: 'Lübeck, harbour' } });
  act(() => store('Lübeck'));
  expect(input.value).toBe('Lübeck, harbour');
  fireEvent.blur(input);
  expect(onSave).toHaveBeenLastCalledWith({ place: 'Lübeck, harbour' }, { place: 'Lübeck' });
  act(() => store('Rostock'));
  expect(input.value).toBe('Lübeck, harbour');
  expect(screen.getByText('Saved value: Rostock')).toBeTruthy();
  act(() => store('Lübeck, harbour'));
  expect(screen.queryByText(/Saved value/)).toBeNull();
  act(() => store('Wismar'));
  expect(input.value).toBe('Wismar');
});
