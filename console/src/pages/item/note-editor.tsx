import { Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface NoteEditorProps {
  note: string;
  readOnly?: boolean;
  focusKey: number;
  onSave: (note: string) => void;
}

/** A note, saved when one leaves it. Esc gives the old text back. */
export function NoteEditor({ note, readOnly, focusKey, onSave }: NoteEditorProps) {
  const [text, setText] = useState(note);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => setText(note), [note]);
  useEffect(() => {
    if (focusKey > 0) field.current?.focus();
  }, [focusKey]);
  if (readOnly) return <p className={note ? 't2' : 'muted'}>{note || 'None'}</p>;
  const save = () => {
    if (text !== note) onSave(text);
  };
  return (
    <Textarea
      ref={field}
      aria-label="Note"
      placeholder="Write a note"
      autosize
      minRows={1}
      maxRows={12}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          setText(note);
          event.stopPropagation();
          requestAnimationFrame(() => field.current?.blur());
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) field.current?.blur();
      }}
    />
  );
}
