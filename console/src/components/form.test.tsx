import { TextInput } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Problem, ServerUnreachable } from '../api/problem.ts';
import { useRestoreFocus } from '../shell/restore-focus.ts';
import { renderWithProviders } from '../test-render.tsx';
import { FormDialog } from './form.tsx';
import { ToastRegion } from './toast.tsx';

const refused = (...errors: { loc: string[]; msg: string }[]) =>
  new Problem(422, { title: 'Refused', detail: 'Something is wrong.', errors });

/** A page with a button that opens a form of two fields. */
function Page({ save, onSaved = () => {} }: { save: (typed: { name: string; mail: string }) => Promise<unknown>; onSaved?: () => void }) {
  useRestoreFocus();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        New person
      </button>
      {open && <Dialog save={save} onSaved={onSaved} onClose={() => setOpen(false)} />}
    </>
  );
}

function Dialog({ save, onSaved, onClose }: Required<Parameters<typeof Page>[0]> & { onClose: () => void }) {
  const [name, setName] = useState('');
  const [mail, setMail] = useState('');
  return (
    <FormDialog
      title="New person"
      submit="Create"
      ready={name.trim() !== ''}
      save={() => save({ name, mail })}
      onSaved={onSaved}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <TextInput data-autofocus label="Name" value={name} error={errorAt('name')} onChange={(e) => setName(e.currentTarget.value)} />
          <TextInput label="Email" value={mail} error={errorAt('mail')} onChange={(e) => setMail(e.currentTarget.value)} />
        </>
      )}
    </FormDialog>
  );
}

async function open(save: (typed: { name: string; mail: string }) => Promise<unknown>, onSaved?: () => void) {
  renderWithProviders(<Page save={save} {...(onSaved && { onSaved })} />);
  await userEvent.click(screen.getByRole('button', { name: 'New person' }));
  return screen.findByRole('dialog');
}
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);
const create = () => screen.getByRole('button', { name: 'Create' });

test('Ctrl+Enter saves from every field, once, and not while the form is not ready', async () => {
  const save = vi.fn(async () => {});
  await open(save);
  await type('Email', '{Control>}{Enter}{/Control}');
  expect(save).not.toHaveBeenCalled();
  await type('Name', 'Ada');
  await type('Email', 'a{Control>}{Enter}{/Control}');
  await waitFor(() => expect(save).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', mail: 'a' }));
});

test('the form can be submitted only when it is ready', async () => {
  const save = vi.fn(async () => {});
  await open(save);
  expect(create()).toHaveProperty('disabled', true);
  await type('Email', 'a@b.c{Enter}');
  expect(save).not.toHaveBeenCalled();
  await type('Name', 'Ada');
  expect(create()).toHaveProperty('disabled', false);
});

test('after saving, onSaved is called and the dialog closes', async () => {
  const save = vi.fn(async () => {});
  const onSaved = vi.fn();
  await open(save, onSaved);
  await type('Name', 'Ada{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(save).toHaveBeenCalledWith({ name: 'Ada', mail: '' });
  expect(onSaved).toHaveBeenCalledOnce();
});

test('pressing Enter again while saving does not save twice', async () => {
  let finish = () => {};
  const save = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  await open(save);
  await type('Name', 'Ada{Enter}{Enter}');
  expect(save).toHaveBeenCalledOnce();
  finish();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a field error is shown at its field, which gets the focus', async () => {
  await open(async () => {
    throw refused({ loc: ['body', 'mail'], msg: 'This email address is already in use.' });
  });
  await type('Name', 'Ada');
  await type('Email', 'a@b.c{Enter}');
  await screen.findByText('This email address is already in use.');
  const mail = screen.getByLabelText('Email');
  expect(mail.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(mail);
  expect(screen.queryByRole('status')).toBeNull();
});

test('an error for a field that is not on the form is shown above the button', async () => {
  await open(async () => {
    throw refused({ loc: ['body', 'name'], msg: 'Too short.' }, { loc: ['body', 'quota'], msg: 'The account limit is reached.' });
  });
  await type('Name', 'A{Enter}');
  expect((await screen.findByRole('status')).textContent).toBe('The account limit is reached.');
  expect(screen.getAllByText('Too short.')).toHaveLength(1);
});

test('input is kept while the server is unreachable, and the same button tries again', async () => {
  const save = vi.fn(async () => {});
  save.mockRejectedValueOnce(new ServerUnreachable());
  await open(save);
  await type('Name', 'Ada');
  await type('Email', 'a@b.c{Enter}');
  expect((await screen.findByRole('status')).textContent).toBe('The server is not responding. Your input is kept. Try again in a moment.');
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Ada');
  await userEvent.click(create());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(save).toHaveBeenLastCalledWith({ name: 'Ada', mail: 'a@b.c' });
});

test('Esc closes without saving and returns the focus to the opening button', async () => {
  const save = vi.fn(async () => {});
  await open(save);
  await type('Name', 'Ada{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(save).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'New person' })));
});

test('a click beside the dialog does not discard what was typed', async () => {
  await open(async () => {});
  await type('Name', 'Ada');
  const overlay = document.querySelector('.mantine-Modal-overlay');
  await userEvent.click(overlay!);
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Ada');
});

test('a save that ends after the dialog was closed reports its error, and closes no other dialog', async () => {
  let finish: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const save = vi.fn(() => new Promise<void>((resolve, reject) => (finish = [...finish, { resolve, reject }])));
  await open(save);
  renderWithProviders(<ToastRegion />);
  const start = async (name: string) => {
    await type('Name', `${name}{Enter}{Escape}`);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'New person' }));
    await screen.findByRole('dialog');
  };
  await start('Ada');
  finish[0]!.reject(new Error('This name is taken.'));
  expect(await screen.findByText('Could not save. This name is taken.')).toBeTruthy();
  await start('Bob');
  await type('Name', 'Cleo');
  finish[1]!.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Cleo');
});
