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

test('an incomplete date does not clear the date that is stored', async () => {
  const field = { id: 'f', name: 'shot', label: 'Shot on', data_type: 'date', select_options: null };
  vi.stubGlobal('fetch', async () => Response.json([field]));
  const item = { id: 'a', file_category: 'image', library_id: 'l', user_metadata: { shot: '2024-05-01' } } as unknown as Item;
  const onSave = vi.fn();
  renderWithProviders(<CustomFields item={item} readOnly={false} onSave={onSave} />);
  const input = await screen.findByLabelText<HTMLInputElement>('Shot on');
  const validity = { badInput: true };
  Object.defineProperty(input, 'validity', { get: () => validity });
  fireEvent.change(input, { target: { value: '' } });
  fireEvent.blur(input);
  expect(onSave).not.toHaveBeenCalled();
  expect(input.value).toBe('2024-05-01');
  validity.badInput = false;
  fireEvent.change(input, { target: { value: '' } });
  fireEvent.blur(input);
  expect(onSave).toHaveBeenLastCalledWith({ shot: null }, { shot: '2024-05-01' });
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
