import { Modal, TextInput } from '@mantine/core';
import { CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { t } from '../language/text.ts';
import { Button } from './button.tsx';
import s from './confirm-dialog.module.css';
import { Note } from './status.tsx';
import { toast } from './toast.tsx';
import { useOnPage } from './use-on-page.ts';

interface ConfirmDialogProps {
  opened: boolean;
  /** The question, including the count. */
  title: string;
  /** What changes and what does not. */
  children: ReactNode;
  facts?: { label: string; value: string }[];
  /** For far-reaching actions: the user must type this name. */
  typeName?: string | undefined;
  typeLabel?: string;
  /** The button label: verb and count. */
  confirm: string;
  danger?: boolean;
  onConfirm: () => Promise<unknown> | unknown;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} withCloseButton={false}>
      <ConfirmBody {...props} />
    </Modal>
  );
}

function ConfirmBody(props: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const onPage = useOnPage();
  const ready = props.typeName === undefined || typed.trim() === props.typeName;

  const run = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      await props.onConfirm();
      // After it was closed, the page may ask about something else.
      if (onPage.current) props.onClose();
    } catch (caught) {
      if (onPage.current) setError(caught);
      else toast(errorMessage(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <div className={s.body}>{props.children}</div>
      {props.facts && (
        <dl className={s.facts}>
          {props.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>{fact.value}</dd>
            </div>
          ))}
        </dl>
      )}
      {props.typeName !== undefined && (
        <TextInput
          mt={16}
          data-autofocus
          label={props.typeLabel ?? t('Type the name to confirm')}
          value={typed}
          onChange={(e) => setTyped(e.currentTarget.value)}
          autoComplete="off"
        />
      )}
      {error !== null && (
        <Note tone="danger" icon={CircleX} className={s.error} live>
          {errorMessage(error)}
        </Note>
      )}
      <div className={s.foot}>
        <Button size="l" onClick={props.onClose}>
          {t('Cancel')}
        </Button>
        <Button size="l" type="submit" variant={props.danger ? 'danger-fill' : 'primary'} disabled={!ready || busy}>
          {props.confirm}
        </Button>
      </div>
    </form>
  );
}
