import { Modal, Textarea, TextInput } from '@mantine/core';
import { CircleX } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { sentence } from '../../api/problem.ts';
import type { SearchHit } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { addTag, type BulkChange, setNote } from './bulk-edit.ts';

interface BulkDialogProps {
  kind: 'tag' | 'note';
  hits: SearchHit[];
  onClose: () => void;
  onChanged: () => void;
}

/** Undo of a note needs every note as it was; above this many files it is not offered, and the dialog says so. */
const UNDOABLE_NOTES = 100;

async function notesBefore(hits: SearchHit[]): Promise<Map<string, string>> {
  const items = await Promise.all(hits.map((hit) => catalog.item(hit.id)));
  return new Map(items.map((item) => [item.id, typeof item.user_metadata['note'] === 'string' ? item.user_metadata['note'] : '']));
}

/** One tag or one note for many files: the count first, undo after. */
export function BulkDialog({ kind, hits, onClose, onChanged }: BulkDialogProps) {
  const files = counted(hits.length, 'file');
  return (
    <Modal
      opened
      onClose={onClose}
      title={kind === 'tag' ? `Add a tag to ${files}` : `Write a note on ${files}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <BulkForm kind={kind} hits={hits} onClose={onClose} onChanged={onChanged} />
    </Modal>
  );
}

function BulkForm({ kind, hits, onClose, onChanged }: BulkDialogProps) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const files = counted(hits.length, 'file');
  const undoable = kind === 'tag' || hits.length <= UNDOABLE_NOTES;

  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const value = text.trim();
      const change: BulkChange =
        kind === 'tag' ? addTag(hits, value) : setNote(hits, value, undoable ? await notesBefore(hits) : new Map());
      await change.apply();
      onChanged();
      onClose();
      toast(
        kind === 'tag' ? `Tag “${value}” added to ${files}` : `Note written on ${files}`,
        undoable ? () => void change.undo().then(onChanged) : undefined,
      );
    } catch (caught) {
      setError(caught);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void run();
      }}
    >
      {kind === 'tag' ? (
        <TextInput
          data-autofocus
          label="Tag"
          maxLength={100}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          description="Files that carry it already stay as they are."
        />
      ) : (
        <Textarea
          data-autofocus
          label="Note"
          autosize
          minRows={3}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          description={
            undoable
              ? 'It takes the place of the note a file has.'
              : 'It takes the place of the note a file has. With so many files this cannot be undone.'
          }
        />
      )}
      {error !== null && (
        <div style={{ marginTop: 12 }}>
          <Note tone="danger" icon={CircleX} live>
            {sentence(error)}
          </Note>
        </div>
      )}
      <div className="row g2" style={{ justifyContent: 'flex-end', marginTop: 24 }}>
        <Button size="l" onClick={onClose}>
          Cancel
        </Button>
        <Button size="l" type="submit" variant="primary" disabled={!text.trim() || busy}>
          {busy ? 'Working…' : kind === 'tag' ? `Tag ${files}` : `Write on ${files}`}
        </Button>
      </div>
    </form>
  );
}
