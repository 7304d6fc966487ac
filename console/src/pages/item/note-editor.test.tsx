import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { clearDrafts, readDraft } from '../../shell/drafts.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { NoteEditor } from './note-editor.tsx';

beforeEach(() => clearDrafts());

function open(note: string, onSave = vi.fn()) {
  const shown = renderWithProviders(<NoteEditor note={note} draftKey="ada.f1" focusKey={0} onSave={onSave} />);
  return { ...shown, onSave, field: screen.getByLabelText('Note') as HTMLTextAreaElement };
}

test('a note that was not saved when the tab closed is offered again', async () => {
  const { field, unmount } = open('Old words');
  await userEvent.clear(field);
  await userEvent.type(field, 'New words');
  unmount();
  const again = open('Old words');
  expect(again.field.value).toBe('New words');
  await userEvent.click(screen.getByRole('button', { name: 'Save it' }));
  expect(again.onSave).toHaveBeenCalledWith('New words');
});

test('an unsaved note can be dropped, and the stored one is back', async () => {
  const { field, unmount } = open('Old words');
  await userEvent.type(field, ' and more');
  unmount();
  const again = open('Old words');
  await userEvent.click(screen.getByRole('button', { name: 'Drop it' }));
  expect(again.field.value).toBe('Old words');
  expect(readDraft('ada.f1')).toBeNull();
  expect(again.onSave).not.toHaveBeenCalled();
});

test('a note is saved when one leaves it and kept until the service has it', async () => {
  const { field, onSave } = open('');
  await userEvent.type(field, 'Crop 3:2');
  await userEvent.tab();
  expect(onSave).toHaveBeenCalledWith('Crop 3:2');
  expect(readDraft('ada.f1')).toBe('Crop 3:2');
});

test('the draft goes when the service has the note', async () => {
  const { field, unmount } = open('');
  await userEvent.type(field, 'Crop 3:2');
  unmount();
  open('Crop 3:2');
  expect(readDraft('ada.f1')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save it' })).toBeNull();
});

test('Esc gives the old text back and keeps no draft', async () => {
  const { field } = open('Old words');
  await userEvent.type(field, ' and more{Escape}');
  expect(field.value).toBe('Old words');
  expect(readDraft('ada.f1')).toBeNull();
});

test('signing out forgets every draft', async () => {
  const { field } = open('');
  await userEvent.type(field, 'secret');
  clearDrafts();
  expect(readDraft('ada.f1')).toBeNull();
});
