import { Autocomplete, Progress as Bar, Modal, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CircleX, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { searchTags } from '../../api/search.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Note } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { type BulkKind, type BulkOptions, type BulkResult, MoreFilesFound, runBulk } from './bulk-edit.ts';
import type { Progress } from './collect-files.ts';

interface BulkDialogProps {
  kind: 'tag' | 'note';
  target: Pick<BulkOptions, 'selected' | 'loaded' | 'params'>;
  onClose: () => void;
  onChanged: () => void;
}

/** Adds or removes one tag, or writes one note, on many files. It shows progress, can be stopped and can be undone. */
export default function BulkDialog({ kind, target, onClose, onChanged }: BulkDialogProps) {
  const n = target.selected.size;
  const running = useRef<AbortController | null>(null);
  const close = () => {
    running.current?.abort();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={close}
      title={kind === 'tag' ? t('Add a tag to {n|# file|# files}', { n }) : t('Add a note to {n|# file|# files}', { n })}
      closeButtonProps={{ 'aria-label': t('Close') }}
      closeOnClickOutside={false}
    >
      <BulkForm kind={kind} target={target} onClose={close} onChanged={onChanged} running={running} />
    </Modal>
  );
}

const MESSAGES: Record<BulkKind, (tag: string, n: number) => string> = {
  'add-tag': (tag, n) => t('Tag “{tag}” added to {n|# file|# files}', { tag, n }),
  'remove-tag': (tag, n) => t('Tag “{tag}” removed from {n|# file|# files}', { tag, n }),
  note: (_tag, n) => t('Note added to {n|# file|# files}', { n }),
};

function resultMessage(kind: BulkKind, value: string, { written, uncertain, failed, missed, stopped }: BulkResult): string {
  const message = MESSAGES[kind](value, written);
  const certain = failed > 0 ? t('{message}; {failed|# file|# files} could not be changed', { message, failed }) : message;
  const edited =
    uncertain > 0 ? t('{message}; {uncertain|# file|# files} may have been changed', { message: certain, uncertain }) : certain;
  const result = missed > 0 ? t('{message}; {missed|# file is|# files are} no longer in the results', { message: edited, missed }) : edited;
  return stopped ? `${t('Stopped.')} ${result}` : result;
}

function BulkForm({ kind, target, onClose, onChanged, running }: BulkDialogProps & { running: { current: AbortController | null } }) {
  const [text, setText] = useState('');
  const [removing, setRemoving] = useState(false);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<unknown>(null);
  /** More files than were selected, which the person is asked to confirm. */
  const [found, setFound] = useState<number | null>(null);
  const action: BulkKind = kind === 'note' ? 'note' : removing ? 'remove-tag' : 'add-tag';
  const n = found ?? target.selected.size;
  /** Undoes the attempts that an error ended, the last one first. */
  const undos = useRef<BulkResult['undo'][]>([]);
  useEffect(() => () => running.current?.abort(), [running]);

  const run = async () => {
    const control = new AbortController();
    running.current = control;
    setError(null);
    setProgress({ phase: 'preparing', done: 0, total: target.selected.size });
    const value = text.trim();
    try {
      const done = await runBulk(action, value, { ...target, confirmed: n, signal: control.signal, onProgress: setProgress });
      if (done.error) {
        setError(done.error);
        if (done.written === 0 && !done.undoable) return;
      } else {
        onChanged();
        onClose();
      }
      if (done.undoable) undos.current.unshift(done.undo);
      const undo = async () => {
        for (const each of undos.current) await each();
      };
      toast(resultMessage(action, value, done), undos.current.length > 0 ? () => undo().finally(onChanged) : undefined);
    } catch (caught) {
      if (control.signal.aborted) onClose();
      else if (caught instanceof MoreFilesFound) setFound(caught.found);
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
            label={t('Add or remove')}
            value={removing ? 'remove' : 'add'}
            onChange={(value) => setRemoving(value === 'remove')}
            options={[
              { value: 'add', label: t('Add') },
              { value: 'remove', label: t('Remove') },
            ]}
          />
          <TagField value={text} disabled={progress !== null} onChange={setText} removing={removing} />
        </>
      ) : (
        <Textarea
          data-autofocus
          label={t('Note')}
          autosize
          minRows={3}
          maxRows={10}
          value={text}
          disabled={progress !== null}
          onChange={(e) => setText(e.currentTarget.value)}
          description={t('Replaces any existing note. You can undo this.')}
        />
      )}
      {progress && (
        <div style={{ marginTop: 16 }}>
          <p role="status" className="t2">
            {t(
              progress.phase === 'preparing' ? 'Preparing {done} of {total|# file|# files}…' : 'Updating {done} of {total|# file|# files}…',
              progress,
            )}
          </p>
          <Bar mt={8} aria-label={t('Progress')} value={progress.total ? (progress.done / progress.total) * 100 : 0} />
        </div>
      )}
      {error !== null && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX} live>
            {t('{errorMessage} Changes made so far are kept. Try again to finish.', { errorMessage: errorMessage(error) })}
          </Note>
        </div>
      )}
      {found !== null && progress === null && (
        <div style={{ marginTop: 12 }}>
          <Note tone="warn" icon={TriangleAlert} live>
            {t('The search finds {found|# file|# files} now, and {selected} were selected. Check the results, or go on with all of them.', {
              found,
              selected: target.selected.size,
            })}
          </Note>
        </div>
      )}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 24 }}>
        <Button size="l" onClick={() => (progress ? running.current?.abort() : onClose())}>
          {progress ? t('Stop') : t('Cancel')}
        </Button>
        <Button size="l" type="submit" variant="primary" disabled={!text.trim() || progress !== null}>
          {progress
            ? t('Saving…')
            : kind === 'note'
              ? t('Add note to {n|# file|# files}', { n })
              : removing
                ? t('Untag {n|# file|# files}', { n })
                : t('Tag {n|# file|# files}', { n })}
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
      label={t('Tag')}
      maxLength={100}
      limit={6}
      data={(known.data ?? []).map((tag) => tag.value)}
      value={props.value}
      disabled={props.disabled}
      onChange={props.onChange}
      description={props.removing ? t('Files without this tag are not changed.') : t('Files that already have this tag are not changed.')}
    />
  );
}
