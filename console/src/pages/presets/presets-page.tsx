import { Modal, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX, Lock, Plus } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { Problem, sentence } from '../../api/problem.ts';
import type { Library, Preset } from '../../api/types.ts';
import { counted } from '../../format/numbers.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { ErrorState, Loading } from '../../parts/states.tsx';
import { Note, StatusPill } from '../../parts/status.tsx';
import { toast } from '../../parts/toast.tsx';
import { listKeys, readListKeys } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import s from './presets-page.module.css';

type Editing = { kind: 'new' } | { kind: 'edit'; preset: Preset } | { kind: 'fork'; preset: Preset };

const usersOf = (preset: Preset, libraries: Library[]): Library[] =>
  libraries.filter((library) => library.enabled_presets.includes(preset.name));

/** Lists of patterns that libraries leave out. Shipped ones are read-only; a copy can be changed. */
export default function PresetsPage() {
  const { can } = useSession();
  const client = useQueryClient();
  const presets = useQuery({ queryKey: ['presets'], queryFn: catalog.presets });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const [deleting, setDeleting] = useState<Preset | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['presets'] });
  if (presets.error) return <ErrorState error={presets.error} retry={() => void presets.refetch()} />;
  if (!presets.data) return <Loading what="presets" />;
  return (
    <Page
      title="Presets"
      lead="What libraries leave out, as named lists of patterns."
      actions={
        can('admin') && (
          <Button onClick={() => setEditing({ kind: 'new' })}>
            <Plus size={16} aria-hidden />
            New preset
          </Button>
        )
      }
    >
      <div className={s.cards} {...(can('admin') ? listKeys : readListKeys)}>
        {presets.data.presets.map((preset) => {
          const users = usersOf(preset, libraries.data ?? []);
          return (
            <Card
              key={preset.name}
              row
              title={
                <>
                  <h2 className="h3">{preset.label}</h2>
                  {preset.builtin && (
                    <StatusPill tone="idle" icon={Lock}>
                      Shipped
                    </StatusPill>
                  )}
                </>
              }
              aside={
                can('admin') && (
                  <>
                    <Button data-main={preset.builtin || undefined} size="s" onClick={() => setEditing({ kind: 'fork', preset })}>
                      Copy
                    </Button>
                    {!preset.builtin && (
                      <>
                        <Button data-main size="s" onClick={() => setEditing({ kind: 'edit', preset })}>
                          Edit
                        </Button>
                        <Button size="s" variant="danger" onClick={() => setDeleting(preset)}>
                          Remove
                        </Button>
                      </>
                    )}
                  </>
                )
              }
            >
              {preset.caveat && <p className="t2">{preset.caveat}</p>}
              <pre className={s.patterns} role="region" tabIndex={0} aria-label={`Patterns of ${preset.label}`}>
                {preset.patterns.join('\n')}
              </pre>
              <p className="meta muted">
                {counted(preset.patterns.length, 'pattern')} ·{' '}
                {users.length ? `used by ${users.map((l) => l.name).join(', ')}` : 'not used'}
              </p>
            </Card>
          );
        })}
      </div>
      {editing && (
        <Modal
          opened
          onClose={() => setEditing(null)}
          title={
            editing.kind === 'new'
              ? 'New preset'
              : editing.kind === 'fork'
                ? `Copy ${editing.preset.label}`
                : `Edit ${editing.preset.label}`
          }
          size={560}
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          <PresetForm
            editing={editing}
            onDone={() => {
              setEditing(null);
              void refresh();
            }}
          />
        </Modal>
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title={`Remove preset “${deleting?.label}”?`}
        confirm="Remove preset"
        danger
        onConfirm={async () => {
          await catalog.deletePreset(deleting!.name);
          await refresh();
          toast(`Preset ${deleting!.label} removed`);
        }}
        onClose={() => setDeleting(null)}
      >
        A preset that a library uses cannot be removed; take it out there first.
      </ConfirmDialog>
    </Page>
  );
}

const nameFrom = (label: string): string =>
  label
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64);

function PresetForm({ editing, onDone }: { editing: Editing; onDone: () => void }) {
  const base = editing.kind === 'new' ? null : editing.preset;
  const [label, setLabel] = useState(editing.kind === 'fork' ? `${base!.label}, changed` : (base?.label ?? ''));
  const [patterns, setPatterns] = useState((base?.patterns ?? []).join('\n'));
  const [caveat, setCaveat] = useState(base?.caveat ?? '');
  const save = useMutation({
    mutationFn: async () => {
      const list = patterns
        .split('\n')
        .map((line) => line.trimEnd())
        .filter(Boolean);
      const body = { label: label.trim(), patterns: list, caveat: caveat.trim() || null };
      if (editing.kind === 'edit') return catalog.updatePreset(base!.name, body);
      if (editing.kind === 'new') return catalog.createPreset({ name: nameFrom(label), ...body });
      const made = await catalog.forkPreset(base!.name, { name: nameFrom(label), label: body.label });
      return catalog.updatePreset(made.name, body);
    },
    onSuccess: () => {
      toast(`Preset ${label.trim()} saved`);
      onDone();
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  return (
    <form
      className="col g4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        data-autofocus
        label="Name"
        value={label}
        maxLength={120}
        error={problem?.field('label') ?? problem?.field('name')}
        onChange={(e) => setLabel(e.currentTarget.value)}
      />
      <Textarea
        label="Patterns"
        description="One a line, as in an ignore file: *.tmp, build/, !keep.tmp"
        autosize
        minRows={8}
        maxRows={18}
        value={patterns}
        error={problem?.field('patterns')}
        onChange={(e) => setPatterns(e.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5, lineHeight: '20px' } }}
      />
      <TextInput
        label="In words"
        description="What it leaves out, for those who choose it."
        value={caveat}
        maxLength={500}
        onChange={(e) => setCaveat(e.currentTarget.value)}
      />
      {save.error && (
        <Note tone="danger" icon={CircleX} live>
          {sentence(save.error)}
        </Note>
      )}
      <div className="row" style={{ justifyContent: 'flex-end' }}>
        <Button type="submit" variant="primary" size="l" disabled={!label.trim() || !patterns.trim() || save.isPending}>
          Save preset
        </Button>
      </div>
    </form>
  );
}
