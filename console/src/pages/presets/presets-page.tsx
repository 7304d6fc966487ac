import { Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Library, Preset } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { changedOnly, FormDialog, NameField } from '../../components/form.tsx';
import { Card, Page } from '../../components/page.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { slugify } from '../../format/slugify.ts';
import { t } from '../../language/text.ts';
import { listProps, readOnlyListProps } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import { isPresetOn } from '../libraries/exclusion-counts.ts';
import s from './presets-page.module.css';

const librariesUsing = (preset: Preset, libraries: Library[]): Library[] =>
  libraries.filter((library) => isPresetOn(preset, library.enabled_presets));

/** Named lists of exclusion patterns. Built-in presets are read-only but can be copied. */
export default function PresetsPage() {
  const { can } = useSession();
  const client = useQueryClient();
  const presets = useQuery({ queryKey: ['presets'], queryFn: catalog.presets });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const [editing, setEditing] = useState<Editing | null>(null);
  const [deleting, setDeleting] = useState<Preset | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['presets'] });
  if (presets.error && !presets.data) return <ErrorState error={presets.error} retry={() => void presets.refetch()} />;
  if (!presets.data) return <Loading what={t('presets')} />;
  return (
    <Page
      title={t('Presets')}
      lead={t('Named lists of patterns that libraries exclude from scans.')}
      actions={
        can('admin') && (
          <Button onClick={() => setEditing({ kind: 'new' })}>
            <Plus size={16} aria-hidden />
            {t('New preset')}
          </Button>
        )
      }
    >
      <div className={s.cards} {...(can('admin') ? listProps : readOnlyListProps)}>
        {presets.data.presets.map((preset) => {
          const users = librariesUsing(preset, libraries.data ?? []);
          return (
            <Card
              key={preset.name}
              row
              title={
                <>
                  <h2 className="h3">{preset.label}</h2>
                  {preset.builtin && (
                    <StatusPill tone="idle" icon={Lock}>
                      {t('Built-in')}
                    </StatusPill>
                  )}
                </>
              }
              aside={
                can('admin') && (
                  <>
                    <Button data-main={preset.builtin || undefined} size="s" onClick={() => setEditing({ kind: 'fork', preset })}>
                      {t('Copy')}
                    </Button>
                    {!preset.builtin && (
                      <>
                        <Button data-main size="s" onClick={() => setEditing({ kind: 'edit', preset })}>
                          {t('Edit')}
                        </Button>
                        <Button size="s" variant="danger" onClick={() => setDeleting(preset)}>
                          {t('Remove')}
                        </Button>
                      </>
                    )}
                  </>
                )
              }
            >
              {preset.caveat && <p className="t2">{preset.caveat}</p>}
              <pre className={s.patterns} role="region" tabIndex={0} aria-label={t('Patterns of {label}', { label: preset.label })}>
                {preset.patterns.join('\n')}
              </pre>
              <p className="meta muted">
                {t('{n|# pattern|# patterns}', { n: preset.patterns.length })} ·{' '}
                {users.length ? t('used by {users}', { users: users.map((l) => l.name).join(', ') }) : t('not used by any library')}
              </p>
            </Card>
          );
        })}
      </div>
      {editing && <PresetDialog editing={editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
      <ConfirmDialog
        opened={deleting !== null}
        title={t('Remove preset “{label}”?', { label: deleting?.label })}
        confirm={t('Remove preset')}
        danger
        onConfirm={async () => {
          if (!deleting) return;
          await catalog.deletePreset(deleting.name);
          await refresh();
          toast(t('Preset {label} removed', { label: deleting.label }));
        }}
        onClose={() => setDeleting(null)}
      >
        {t('A preset in use cannot be removed. Turn it off in every library first.')}
      </ConfirmDialog>
    </Page>
  );
}

type Editing = { kind: 'new' } | { kind: 'edit'; preset: Preset } | { kind: 'fork'; preset: Preset };

const TITLES = { new: t('New preset'), fork: t('Copy'), edit: t('Edit') };

function PresetDialog({ editing, onClose, onDone }: { editing: Editing; onClose: () => void; onDone: () => void }) {
  const base = editing.kind === 'new' ? null : editing.preset;
  const [label, setLabel] = useState(editing.kind === 'fork' ? t('{label} (copy)', { label: base?.label }) : (base?.label ?? ''));
  const [patterns, setPatterns] = useState((base?.patterns ?? []).join('\n'));
  const [caveat, setCaveat] = useState(base?.caveat ?? '');
  const copy = useRef<Preset | null>(null);
  const save = async () => {
    const list = patterns
      .split('\n')
      .map((line) => line.trimEnd())
      .filter(Boolean);
    const body = { label: label.trim(), patterns: list, caveat: caveat.trim() || null };
    if (editing.kind === 'new') return catalog.createPreset({ name: slugify(label, '_'), ...body });
    if (editing.kind === 'edit') return catalog.updatePreset(editing.preset.name, changedOnly(editing.preset, body));
    // The patterns may be refused; the next attempt then changes the copy that was made.
    copy.current ??= await catalog.forkPreset(editing.preset.name, { name: slugify(label, '_'), label: body.label });
    return catalog.updatePreset(copy.current.name, body);
  };
  return (
    <FormDialog
      title={[TITLES[editing.kind], base?.label].filter(Boolean).join(' ')}
      size={560}
      submit={t('Save preset')}
      ready={label.trim() !== '' && patterns.trim() !== ''}
      save={save}
      onSaved={() => {
        toast(t('Preset {label} saved', { label: label.trim() }));
        onDone();
      }}
      onClose={onClose}
    >
      {(errorAt) => (
        <>
          <NameField value={label} onChange={setLabel} maxLength={120} error={errorAt('label', 'name')} />
          <Textarea
            label={t('Patterns')}
            description={t('One per line, in .gitignore syntax: *.tmp, build/, !keep.tmp')}
            autosize
            minRows={8}
            maxRows={18}
            value={patterns}
            error={errorAt('patterns')}
            onChange={(e) => setPatterns(e.currentTarget.value)}
            styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5, lineHeight: '20px' } }}
          />
          <TextInput
            label={t('Description')}
            description={t('What the preset excludes.')}
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
