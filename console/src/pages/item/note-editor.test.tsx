import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { clearDrafts, readDraft } from '../../shell/drafts.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { NoteEditor } from './note-editor.tsx';

beforeEach(() => clearDrafts());

/** A save that has not been answered yet. */
const unanswered = () => new Promise<void>(() => {});

function open(note: string, onSave = vi.fn(unanswered)) {
  const shown = renderWithProviders(<NoteEditor note={note} draftKey="ada.f1" focusKey={0} onSave={onSave} />);
  return { ...shown, onSave, field: screen.getByLabelText('Note') as HTMLTextAreaElement };
}

/** An editor whose stored note can change while it is open. */
function openChanging(note: string, onSave = vi.fn(unanswered)) {
  let store: (note: string) => void = () => {};
  function Changing() {
    const [stored, setStored] = useState(note);
    store = setStored;
    return <NoteEditor note={stored} draftKey="ada.f1" focusKey={0} onSave={onSave} />;
  }
  renderWithProviders(<Changing />);
  return { onSave, store: (changed: string) => act(() => store(changed)), field: screen.getByLabelText('Note') };
}

test('a draft that was not saved before the tab closed is offered again', async () => {
  const { field, unmount } = open('Old words');
  await userEvent.clear(field);
  await userEvent.type(field, 'New words');
  unmount();
  const again = open('Old words');
  expect(again.field.value).toBe('New words');
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  expect(again.onSave).toHaveBeenCalledWith('New words');
});

test('discarding a draft restores the saved note', async () => {
  const { field, unmount } = open('Old words');
  await userEvent.type(field, ' and more');
  unmount();
  const again = open('Old words');
  await userEvent.click(screen.getByRole('button', { name: 'Discard draft' }));
  expect(again.field.value).toBe('Old words');
  expect(readDraft('ada.f1')).toBeNull();
  expect(again.onSave).not.toHaveBeenCalled();
});

test('a note is saved on blur, and its draft is kept until the server confirms', async () => {
  const { field, onSave } = open('');
  await userEvent.type(field, 'Crop 3:2');
  await userEvent.tab();
  expect(onSave).toHaveBeenCalledWith('Crop 3:2');
  expect(readDraft('ada.f1')).toBe('Crop 3:2');
});

test('the draft is deleted once the note is saved', async () => {
  const { field, unmount } = open('');
  await userEvent.type(field, 'Crop 3:2');
  unmount();
  open('Crop 3:2');
  expect(readDraft('ada.f1')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull();
});

test('Esc restores the saved text and deletes the draft', async () => {
  const { field } = open('Old words');
  await userEvent.type(field, ' and more{Escape}');
  expect(field.value).toBe('Old words');
  expect(readDraft('ada.f1')).toBeNull();
});

test('Esc that ends the composition of a word does not restore the saved text', async () => {
  const { field } = open('Old words');
  await userEvent.type(field, ' and more');
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  expect(field.value).toBe('Old words and more');
});

test('signing out deletes all drafts', async () => {
  const { field } = open('');
  await userEvent.type(field, 'secret');
  clearDrafts();
  expect(readDraft('ada.f1')).toBeNull();
});

test('text typed while somebody else changed the note becomes an unsaved draft and does not replace their note', async () => {
  const { field, store, onSave } = openChanging('Ann');
  await userEvent.type(field, ', and mine');
  store('Ann. Keep until 2031.');
  await userEvent.tab();
  expect(onSave).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  expect(onSave).toHaveBeenCalledWith('Ann, and mine');
});

test('text typed while the own note is being saved is saved on blur', async () => {
  const { field, store, onSave } = openChanging('');
  await userEvent.type(field, 'Crop');
  await userEvent.tab();
  await userEvent.type(field, ' 3:2');
  store('Crop');
  expect(screen.queryByText('Unsaved draft')).toBeNull();
  await userEvent.tab();
  expect(onSave).toHaveBeenLastCalledWith('Crop 3:2');
});

test('going back to the stored note while another one is being saved is saved too', async () => {
  const { field, onSave, store } = openChanging('Old words');
  await userEvent.type(field, ' and more');
  await userEvent.tab();
  expect(onSave).toHaveBeenLastCalledWith('Old words and more');
  await userEvent.clear(field);
  await userEvent.type(field, 'Old words');
  store('Old words and more');
  expect(field).toHaveProperty('value', 'Old words');
  await userEvent.tab();
  expect(onSave).toHaveBeenLastCalledWith('Old words');
  store('Old words');
  expect(field).toHaveProperty('value', 'Old words');
  expect(readDraft('ada.f1')).toBeNull();
});

test('the same before the answer to the first one', async () => {
  const { field, onSave } = openChanging('Old words');
  await userEvent.type(field, ' and more');
  await userEvent.tab();
  await userEvent.clear(field);
  await userEvent.type(field, 'Old words');
  await userEvent.tab();
  expect(onSave).toHaveBeenLastCalledWith('Old words');
  await userEvent.click(field);
  await userEvent.tab();
  expect(onSave).toHaveBeenCalledTimes(2);
});

test('no draft is left of a note that was saved after its file was left', async () => {
  const answers: (() => void)[] = [];
  const { field, unmount } = open(
    '',
    vi.fn(() => new Promise<void>((resolve) => answers.push(resolve))),
  );
  await userEvent.type(field, 'Crop 3:2');
  await userEvent.tab();
  unmount();
  expect(readDraft('ada.f1')).toBe('Crop 3:2');
  await act(async () => answers[0]?.());
  expect(readDraft('ada.f1')).toBeNull();
  // Somebody else has changed it since.
  const again = open('Crop 16:9');
  expect(again.field.value).toBe('Crop 16:9');
  expect(screen.queryByText('Unsaved draft')).toBeNull();
});

test('Esc restores the note that is being saved, not the one it replaces', async () => {
  const { field, onSave } = openChanging('Old words');
  await userEvent.type(field, ' and more');
  await userEvent.tab();
  await userEvent.type(field, ', and a slip{Escape}');
  expect(field).toHaveProperty('value', 'Old words and more');
  await waitFor(() => expect(document.activeElement).not.toBe(field));
  expect(onSave).toHaveBeenCalledTimes(1);
  expect(readDraft('ada.f1')).toBe('Old words and more');
});

test('a note that was refused is not taken for the stored one', async () => {
  const { field, onSave } = openChanging(
    'Old words',
    vi.fn(() => Promise.reject(new Error('refused'))),
  );
  await userEvent.type(field, ' and more');
  await userEvent.tab();
  await userEvent.clear(field);
  await userEvent.type(field, 'Old words');
  await userEvent.tab();
  expect(onSave).toHaveBeenCalledTimes(1);
  expect(readDraft('ada.f1')).toBeNull();
});
