import { Textarea } from '@mantine/core';
import { PencilLine } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { StatusText } from '../../components/status.tsx';
import { t } from '../../language/text.ts';
import { readDraft, saveDraft } from '../../shell/drafts.ts';

interface NoteEditorProps {
  note: string;
  /** Identifies the draft by user and file. */
  draftKey: string;
  readOnly?: boolean;
  focusKey: number;
  /** Resolves when the note is stored. */
  onSave: (note: string) => Promise<unknown>;
}

/**
 * A note, saved when the field loses focus. Esc restores the saved text.
 * The text is kept as a draft until it is saved. A draft from an earlier visit is offered again,
 * and so is text that was typed while somebody else changed the note, instead of replacing their note. What they wrote is shown below it.
 */
export function NoteEditor({ note, draftKey, readOnly, focusKey, onSave }: NoteEditorProps) {
  const [text, setText] = useState(() => readDraft(draftKey) ?? note);
  const [hasDraft, setHasDraft] = useState(() => text !== note);
  const field = useRef<HTMLTextAreaElement>(null);
  /** Notes sent to the server that have not come back yet. */
  const sent = useRef(new Set<string>());
  /** The last note that was sent, until the server has answered. */
  const saving = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the saved note changes, not while typing
  useEffect(() => {
    const draft = readDraft(draftKey);
    const isOwn = sent.current.delete(note);
    if (draft !== null && draft !== note) {
      if (!isOwn) setHasDraft(true);
      return;
    }
    saveDraft(draftKey, null);
    setText(note);
    setHasDraft(false);
  }, [note]);
  useEffect(() => {
    if (focusKey > 0) field.current?.focus();
  }, [focusKey]);
  if (readOnly) return <p className={note ? 't2' : 'muted'}>{note || t('No note')}</p>;
  /** While another note is being saved, the one that is shown as stored is about to be replaced. */
  const stored = () => saving.current ?? note;
  const keepDraft = (value: string) => saveDraft(draftKey, value === note && saving.current === null ? null : value);
  const save = () => {
    if (text === stored()) return;
    sent.current.add(text);
    saving.current = text;
    const settle = () => {
      if (saving.current === text) saving.current = null;
    };
    void onSave(text).then(() => {
      settle();
      // The page of the file may have been left, and a draft would be offered again there.
      if (readDraft(draftKey) === text) saveDraft(draftKey, null);
    }, settle);
  };
  const discard = () => {
    keepDraft(stored());
    setHasDraft(false);
    setText(stored());
  };
  return (
    <>
      <Textarea
        ref={field}
        aria-label={t('Note')}
        placeholder={t('Add a note')}
        autosize
        minRows={1}
        maxRows={12}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          keepDraft(value);
        }}
        onBlur={() => !hasDraft && save()}
        onKeyDown={(event) => {
          // These keys belong to the input method while it composes a word.
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') {
            discard();
            event.stopPropagation();
            requestAnimationFrame(() => field.current?.blur());
          }
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            if (hasDraft) save();
            field.current?.blur();
          }
        }}
      />
      {hasDraft && note && (
        <p className="meta anywhere" style={{ marginTop: 4 }}>
          {t('Saved note: {note}', { note })}
        </p>
      )}
      {hasDraft && (
        <div className="row g2 wrap" style={{ marginTop: 8 }} role="status">
          <StatusText tone="warn" icon={PencilLine}>
            {t('Unsaved draft')}
          </StatusText>
          <Button size="s" onClick={save}>
            {t('Save draft')}
          </Button>
          <Button size="s" variant="ghost" onClick={discard}>
            {t('Discard draft')}
          </Button>
        </div>
      )}
    </>
  );
}
