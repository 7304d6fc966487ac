import { Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { errorMessage, Problem } from '../api/problem.ts';
import { t } from '../language/text.ts';
import { Button } from './button.tsx';
import s from './form.module.css';
import { ErrorNote, withoutFieldErrors } from './states.tsx';
import { toast } from './toast.tsx';
import { useCloseHere, useOnPage } from './use-on-page.ts';

/*
 * The one form component: in a dialog, on a card or on one line.
 * The submit button is enabled when the form is ready, and pressing Enter repeatedly saves only once. Ctrl+Enter submits from every field. Outcomes:
 *   saved: the caller continues in `onSaved`;
 *   error response: field errors are shown at their fields and the first of those gets the focus; other errors are shown above the button;
 *   no response: the input stays, the form says so, and the same button tries again;
 *   an error after the form was closed: a message says so.
 */

/** Returns the error of a field. A caller that asks for a field must display the result, because the summary then leaves it out. */
export type ErrorAt = (...names: string[]) => string | undefined;

interface FormProps<T> {
  /** The label of the submit button. */
  submit: ReactNode;
  /** False while required input is missing. */
  ready: boolean;
  save: () => Promise<T>;
  onSaved: (saved: T) => unknown;
  layout?: 'dialog' | 'card' | 'line';
  /** Shows a Cancel button. */
  onCancel?: () => void;
  /** Content to the left of the buttons. */
  aside?: ReactNode;
  children: (errorAt: ErrorAt) => ReactNode;
}

export function Form<T>({ submit, ready, save, onSaved, layout = 'dialog', onCancel, aside, children }: FormProps<T>) {
  const form = useRef<HTMLFormElement>(null);
  const onPage = useOnPage();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (failure) => {
      if (!onPage.current) toast(t('Could not save. {errorMessage}', { errorMessage: errorMessage(failure) }));
    },
  });
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
  const rest = <OtherErrors error={error} shown={shown} />;
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
              {t('Cancel')}
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
        // React events bubble through portals, so a form in a dialog would also submit the form around it.
        event.stopPropagation();
        if (ready && !isPending) saving.mutate();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.requestSubmit();
      }}
    >
      {inside}
    </form>
  );
}

/** The errors that no field displays. It is rendered after the fields, because those inside a component ask for their errors only then. */
function OtherErrors({ error, shown }: { error: unknown; shown: ReadonlySet<string> }) {
  return <ErrorNote error={withoutFieldErrors(error, shown)} kept />;
}

/** A click beside the dialog does not close it, because that would discard what was typed. */
export function FormDialog<T>({
  title,
  size,
  onClose,
  onSaved,
  ...form
}: FormProps<T> & { title: string; size?: number; onClose: () => void }) {
  const closeHere = useCloseHere(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('Close') }}
      closeOnClickOutside={false}
      {...(size && { size })}
    >
      <Form
        {...form}
        onSaved={async (saved) => {
          await onSaved(saved);
          closeHere();
        }}
      />
    </Modal>
  );
}

/** The values that a person changed. The others are not sent, because somebody else may have changed them since the form was opened. */
export function changedOnly<T extends object>(before: { [Name in keyof T]?: unknown }, after: T): Partial<T> {
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<T>;
}

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  maxLength: number;
  error: ReactNode;
  description?: ReactNode;
  placeholder?: string;
}

/** The name field of a dialog, focused when the dialog opens. A proposed name is selected, so that typing replaces it. */
export function NameField({ onChange, ...field }: NameFieldProps) {
  return (
    <TextInput
      data-autofocus
      label={t('Name')}
      {...field}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
