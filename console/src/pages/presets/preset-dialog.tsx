import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Preset } from '../../api/types.ts';
import { slugify } from '../../format/slugify.ts';
import { FormDialog, NameField } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';

export type Editing = { kind: 'new' } | { kind: 'edit'; preset: Preset } | { kind: 'fork'; preset: Preset };

const TITLES = { new: 'New preset', fork: 'Copy', edit: 'Edit' };

/** A named list of patterns: new, changed, or made out of a shipped one. */
export function PresetDialog({ editing, onClose, onDone }: { editing: Editing; onClose: () => void; onDone: () => void }) {
  const base = editing.kind === 'new' ? null : editing.preset;
  const [label, setLabel] = useState(editing.kind === 'fork' ? `${base!.label}, changed` : (base?.label ?? ''));
  const [patterns, setPatterns] = useState((base?.patterns ?? []).join('\n'));
  const [caveat, setCaveat] = useState(base?.caveat ?? '');
  const save = async () => {
    const list = patterns
      .split('\n')
      .map((line) => line.trimEnd())
      .filter(Boolean);
    const body = { label: label.trim(), patterns: list, caveat: caveat.trim() || null };
    if (editing.kind === 'edit') return catalog.updatePreset(base!.name, body);
    if (editing.kind === 'new') return catalog.createPreset({ name: slugify(label, '_'), ...body });
    const made = await catalog.forkPreset(base!.name, { name: slugify(label, '_'), label: body.label });
    return catalog.updatePreset(made.name, body);
  };
  return (
    <FormDialog
      title={[TITLES[editing.kind], base?.label].filter(Boolean).join(' ')}
      size={560}
      submit="Save preset"
      ready={label.trim() !== '' && patterns.trim() !== ''}
      save={save}
      onSaved={() => {
        toast(`Preset ${label.trim()} saved`);
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField value={label} onChange={setLabel} maxLength={120} error={errorAt('label', 'name')} />
          <Textarea
            label="Patterns"
            description="One a line, as in an ignore file: *.tmp, build/, !keep.tmp"
            autosize
            minRows={8}
            maxRows={18}
            value={patterns}
            error={errorAt('patterns')}
            onChange={(e) => setPatterns(e.currentTarget.value)}
            styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5, lineHeight: '20px' } }}
          />
          <TextInput
            label="In words"
            description="What it leaves out, for those who choose it."
            value={caveat}
            maxLength={500}
            error={errorAt('caveat')}
            onChange={(e) => setCaveat(e.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}
