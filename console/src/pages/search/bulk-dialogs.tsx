import { Autocomplete, Progress as Bar, Modal, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { searchTags } from '../../api/search.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCount, pluralize } from '../../format/numbers.ts';
import { type BulkKind, type BulkOptions, type BulkResult, type Progress, runBulk } from './bulk-edit.ts';

interface BulkDialogProps {
  kind: 'tag' | 'note';
  target: Pick<BulkOptions, 'selected' | 'loaded' | 'params'>;
  onClose: () => void;
  onChanged: () => void;
}

/** Adds or removes one tag, or writes one note, on many files. It shows progress, can be stopped and can be undone. */
export default function BulkDialog({ kind, target, onClose, onChanged }: BulkDialogProps) {
  const files = pluralize(target.selected.size, 'file');
  const running = useRef<AbortController | null>(null);
  const close = () => {
    running.current?.abort();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={kind === 'tag' ? `Add a tag to ${files}` : `Add a note to ${files}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={false}
    >
      <BulkForm kind={kind} target={target} onClose={close} onChanged={onChanged} running={running} />
    </Modal>
  );
}

const MESSAGES: Record<BulkKind, (value: string, files: string) => string> = {
  'add-tag': (value, files) => `Tag “${value}” added to ${files}`,
  'remove-tag': (value, files) => `Tag “${value}” removed from ${files}`,
  note: (_value, files) => `Note added to ${files}`,
};

function resultMessage(kind: BulkKind, value: string, { written, failed, stopped }: BulkResult): string {
  const message = MESSAGES[kind](value, pluralize(written, 'file'));
  return `${stopped ? 'Stopped. ' : ''}${message}${failed > 0 ? `; ${pluralize(failed, 'file')} could not be changed` : ''}`;
}

function BulkForm({ kind, target, onClose, onChanged, running }: BulkDialogProps & { running: { current: AbortController | null } }) {
  const [text, setText] = useState('');
  const [removing, setRemoving] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<unknown>(null);
  const action: BulkKind = kind === 'note' ? 'note' : removing ? 'remove-tag' : 'add-tag';
  const files = pluralize(target.selected.size, 'file');
  useEffect(() => () => running.current?.abort(), [running]);

  const run = async () => {
    const control = new AbortController();
    running.current = control;
    setError(null);
    setProgress({ phase: 'preparing', done: 0, total: target.selected.size });
    const value = text.trim();
    try {
      const done = await runBulk(action, value, { ...target, signal: control.signal, onProgress: setProgress });
      if (done.error) {
        setError(done.error);
        if (done.written === 0) return;
      } else {
        onChanged();
        onClose();
      }
      toast(resultMessage(action, value, done), done.written > 0 ? () => void done.undo().then(onChanged) : undefined);
    } catch (caught) {
      if (control.signal.aborted) onClose();
      else setError(caught);
    } finally {
      setProgress(null);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !progress) void run();
      }}
    >
      {kind === 'tag' ? (
        <>
          <Segmented
            label="Add or remove"
            value={removing ? 'remove' : 'add'}
            onChange={(value) => setRemoving(value === 'remove')}
            options={[
              { value: 'add', label: 'Add' },
              { value: 'remove', label: 'Remove' },
            ]}
          />
          <TagField value={text} disabled={progress !== null} onChange={setText} removing={removing} />
        </>
      ) : (
        <Textarea
          data-autofocus
          label="Note"
          autosize
          minRows={3}
          maxRows={10}
          value={text}
          disabled={progress !== null}
          onChange={(e) => setText(e.currentTarget.value)}
          description="Replaces any existing note. You can undo this."
        />
      )}
      {progress && (
        <div style={{ marginTop: 16 }}>
          <p role="status" className="t2">
            {progress.phase === 'preparing' ? 'Preparing' : 'Updating'} {formatCount(progress.done)} of {pluralize(progress.total, 'file')}…
          </p>
          <Bar mt={8} aria-label="Progress" value={progress.total ? (progress.done / progress.total) * 100 : 0} />
        </div>
      )}
      {error !== null && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX} live>
            {errorMessage(error)} Changes made so far are kept. Try again to finish.
          </Note>
        </div>
      )}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 24 }}>
        <Button size="l" onClick={() => (progress ? running.current?.abort() : onClose())}>
          {progress ? 'Stop' : 'Cancel'}
        </Button>
        <Button size="l" type="submit" variant="primary" disabled={!text.trim() || progress !== null}>
          {progress ? 'Saving…' : kind === 'note' ? `Add note to ${files}` : removing ? `Untag ${files}` : `Tag ${files}`}
        </Button>
      </div>
    </form>
  );
}

function TagField(props: { value: string; removing: boolean; disabled: boolean; onChange: (value: string) => void }) {
  const [debounced] = useDebouncedValue(props.value.trim(), 120);
  const known = useQuery({ queryKey: ['tags', debounced], queryFn: ({ signal }) => searchTags(debounced, signal), staleTime: 30_000 });
  return (
    <Autocomplete
      mt={16}
      data-autofocus
      label="Tag"
      maxLength={100}
      limit={6}
      data={(known.data ?? []).map((tag) => tag.value)}
      value={props.value}
      disabled={props.disabled}
      onChange={props.onChange}
      description={props.removing ? 'Files without this tag are not changed.' : 'Files that already have this tag are not changed.'}
    />
  );
}
