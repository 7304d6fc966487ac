import { Autocomplete, Modal, Progress as Bar, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { searchTags } from '../../api/search.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { type BulkDone, type BulkKind, type BulkOptions, type Progress, runBulk } from './bulk-edit.ts';

export interface BulkDialogProps {
  kind: 'tag' | 'note';
  what: Pick<BulkOptions, 'chosen' | 'loaded' | 'params'>;
  onClose: () => void;
  onChanged: () => void;
}

/** One tag or one note for many files: the count first, progress and a way to stop while it runs, undo after. */
export default function BulkDialog({ kind, what, onClose, onChanged }: BulkDialogProps) {
  const files = pluralize(what.chosen.size, 'file');
  const running = useRef<AbortController | null>(null);
  const close = () => {
    running.current?.abort();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={kind === 'tag' ? `Add a tag to ${files}` : `Write a note on ${files}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      closeOnClickOutside={false}
    >
      <BulkForm kind={kind} what={what} onClose={close} onChanged={onChanged} running={running} />
    </Modal>
  );
}

const DONE: Record<BulkKind, (value: string, files: string) => string> = {
  'add-tag': (value, files) => `Tag “${value}” added to ${files}`,
  'remove-tag': (value, files) => `Tag “${value}” removed from ${files}`,
  note: (_value, files) => `Note written on ${files}`,
};

function doneWords(kind: BulkKind, value: string, { written, refused, stopped }: BulkDone): string {
  const said = DONE[kind](value, pluralize(written, 'file'));
  return `${stopped ? 'Stopped. ' : ''}${said}${refused > 0 ? `; ${pluralize(refused, 'file')} refused it` : ''}`;
}

function BulkForm({ kind, what, onClose, onChanged, running }: BulkDialogProps & { running: { current: AbortController | null } }) {
  const [text, setText] = useState('');
  const [removing, setRemoving] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<unknown>(null);
  const action: BulkKind = kind === 'note' ? 'note' : removing ? 'remove-tag' : 'add-tag';
  const files = pluralize(what.chosen.size, 'file');
  useEffect(() => () => running.current?.abort(), [running]);

  const run = async () => {
    const control = new AbortController();
    running.current = control;
    setError(null);
    setProgress({ phase: 'gathering', done: 0, total: what.chosen.size });
    const value = text.trim();
    try {
      const done = await runBulk(action, value, { ...what, signal: control.signal, onProgress: setProgress });
      if (done.error) {
        setError(done.error);
        if (done.written === 0) return;
      } else {
        onChanged();
        onClose();
      }
      toast(doneWords(action, value, done), done.written > 0 ? () => void done.undo().then(onChanged) : undefined);
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
          description="It takes the place of the note a file has. Undo gives the old notes back."
        />
      )}
      {progress && (
        <div style={{ marginTop: 16 }}>
          <p role="status" className="t2">
            {progress.phase === 'gathering' ? 'Gathering' : 'Writing'} {formatCount(progress.done)} of {pluralize(progress.total, 'file')}…
          </p>
          <Bar mt={8} aria-label="Progress" value={progress.total ? (progress.done / progress.total) * 100 : 0} />
        </div>
      )}
      {error !== null && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX} live>
            {errorMessage(error)} What was written until here stays; your text is kept.
          </Note>
        </div>
      )}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 24 }}>
        <Button size="l" onClick={() => (progress ? running.current?.abort() : onClose())}>
          {progress ? 'Stop' : 'Cancel'}
        </Button>
        <Button size="l" type="submit" variant="primary" disabled={!text.trim() || progress !== null}>
          {progress ? 'Working…' : kind === 'note' ? `Write on ${files}` : removing ? `Untag ${files}` : `Tag ${files}`}
        </Button>
      </div>
    </form>
  );
}

function TagField(props: { value: string; removing: boolean; disabled: boolean; onChange: (value: string) => void }) {
  const [slow] = useDebouncedValue(props.value.trim(), 120);
  const known = useQuery({ queryKey: ['tags', slow], queryFn: ({ signal }) => searchTags(slow, signal), staleTime: 30_000 });
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
      description={props.removing ? 'Files without it stay as they are.' : 'Files that carry it already stay as they are.'}
    />
  );
}
