import { Textarea } from '@mantine/core';
import { PencilLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { StatusText } from '../../components/status.tsx';
import { saveDraft, readDraft } from '../../shell/drafts.ts';

interface NoteEditorProps {
  note: string;
  /** Whose unsaved text this is: person and file. */
  draftKey: string;
  readOnly?: boolean;
  focusKey: number;
  onSave: (note: string) => void;
}

/**
 * A note, saved when one leaves it. Esc gives the old text back.
 * What is typed is kept as a draft until the service has it; a draft found later, after the tab was closed, is offered again.
 */
export function NoteEditor({ note, draftKey, readOnly, focusKey, onSave }: NoteEditorProps) {
  const [text, setText] = useState(() => readDraft(draftKey) ?? note);
  const [found, setFound] = useState(() => text !== note);
  const field = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the stored note changes, not when somebody types
  useEffect(() => {
    const draft = readDraft(draftKey);
    if (draft !== null && draft !== note) return;
    saveDraft(draftKey, null);
    setText(note);
    setFound(false);
  }, [note]);
  useEffect(() => {
    if (focusKey > 0) field.current?.focus();
  }, [focusKey]);
  if (readOnly) return <p className={note ? 't2' : 'muted'}>{note || 'None'}</p>;
  const save = () => {
    if (text !== note) onSave(text);
  };
  const giveUp = () => {
    saveDraft(draftKey, null);
    setFound(false);
    setText(note);
  };
  return (
    <>
      <Textarea
        ref={field}
        aria-label="Note"
        placeholder="Write a note"
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          saveDraft(draftKey, value === note ? null : value);
        }}
        onBlur={() => !found && save()}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            giveUp();
            event.stopPropagation();
            requestAnimationFrame(() => field.current?.blur());
          }
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            if (found) save();
            field.current?.blur();
          }
        }}
      />
      {found && (
        <div className="row g2 wrap" style={{ marginTop: 8 }} role="status">
          <StatusText tone="warn" icon={PencilLine}>
            Written here before and not saved.
          </StatusText>
          <Button size="s" onClick={save}>
            Save it
          </Button>
          <Button size="s" variant="ghost" onClick={giveUp}>
            Drop it
          </Button>
        </div>
      )}
    </>
  );
}
