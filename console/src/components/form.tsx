import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Problem } from '../api/problem.ts';
import { Button } from './button.tsx';
import s from './form.module.css';
import { ErrorNote, withoutFieldErrors } from './states.tsx';

/*
 * One form for everything people fill in, in a dialog, on a card or in one line.
 * It waits until it is ready and saves once, however often Enter is pressed. Then it is
 *   saved: the caller goes on (says so, reads again, closes);
 *   refused: the service's words stand at the fields they name and the first of those has the focus; the rest stands above the button;
 *   unanswered: everything typed stays, the form says so, and the same button tries again.
 */

/** What the service said about one field; asking for a name promises to show it there. */
export type ErrorAt = (...names: string[]) => string | undefined;

export interface FormProps<T> {
  /** The words on the button. */
  submit: ReactNode;
  /** False while something is still missing. */
  ready: boolean;
  save: () => Promise<T>;
  onSaved: (saved: T) => unknown;
  layout?: 'dialog' | 'card' | 'line';
  /** Shows a button that leaves without saving. */
  onCancel?: () => void;
  /** Stands at the left of the buttons. */
  aside?: ReactNode;
  children: (errorAt: ErrorAt) => ReactNode;
}

export function Form<T>({ submit, ready, save, onSaved, layout = 'dialog', onCancel, aside, children }: FormProps<T>) {
  const form = useRef<HTMLFormElement>(null);
  const saving = useMutation({ mutationFn: save, onSuccess: onSaved });
  const { error, isPending } = saving;
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const shown = new Set<string>();
  const errorAt: ErrorAt = (...names) => {
    for (const name of names) shown.add(name);
    return error instanceof Problem ? names.map((name) => error.field(name)).find(Boolean) : undefined;
  };
  const fields = children(errorAt);
  const rest = <ErrorNote error={withoutFieldErrors(error, shown)} kept />;
  const big = layout === 'dialog';
  const button = (
    <Button type="submit" {...(big && { variant: 'primary', size: 'l' })} disabled={!ready || isPending}>
      {submit}
    </Button>
  );
  const inside =
    layout === 'line' ? (
      <>
        <div className={s.line}>
          {fields}
          {button}
        </div>
        <div className={s.below}>{rest}</div>
      </>
    ) : (
      <>
        {fields}
        {rest}
        <div className={s.foot}>
          {aside}
          {aside && <span className="grow" />}
          {onCancel && (
            <Button size="l" onClick={onCancel}>
              Cancel
            </Button>
          )}
          {button}
        </div>
      </>
    );
  return (
    <form
      ref={form}
      className={layout === 'line' ? undefined : s[layout]}
      onSubmit={(event) => {
        event.preventDefault();
        // A form in a dialog lies inside the page's own forms for React.
        event.stopPropagation();
        if (ready && !isPending) saving.mutate();
      }}
    >
      {inside}
    </form>
  );
}

/** A form in a dialog. Esc leaves without saving; the focus goes back to where it was. */
export function FormDialog<T>({
  title,
  size,
  onClose,
  onSaved,
  ...form
}: FormProps<T> & { title: string; size?: number; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }} {...(size && { size })}>
      <Form
        {...form}
        onSaved={async (saved) => {
          await onSaved(saved);
          onClose();
        }}
      />
    </Modal>
  );
}

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  maxLength: number;
  error: ReactNode;
  description?: ReactNode;
  placeholder?: string;
}

/** The name of a thing: the first field of its dialog, where the typing begins. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  return <TextInput data-autofocus label="Name" {...field} onChange={(event) => onChange(event.currentTarget.value)} />;
}
