import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderWithProviders } from '../test-render.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

function open(onConfirm: () => Promise<void>) {
  const onClose = vi.fn();
  renderWithProviders(
    <ConfirmDialog
      opened
      title="Mark 3 files missing?"
      typeName="Photos"
      typeLabel="Type the name"
      confirm="Mark 3 missing"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      Nothing on disk is touched.
    </ConfirmDialog>,
  );
  return onClose;
}

test('the confirm button is disabled until the name is typed', async () => {
  const onConfirm = vi.fn(async () => {});
  const onClose = open(onConfirm);
  const button = screen.getByRole('button', { name: 'Mark 3 missing' });
  expect(button).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByLabelText('Type the name'), 'Photos');
  await userEvent.click(button);
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(onClose).toHaveBeenCalledOnce();
});

test('an error is shown in the dialog, which stays open', async () => {
  const onClose = open(async () => {
    throw new Error('Two libraries use it.');
  });
  await userEvent.type(screen.getByLabelText('Type the name'), 'Photos{Enter}');
  expect(await screen.findByText('Two libraries use it.')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});
