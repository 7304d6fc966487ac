import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Library, Preset } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card, Page } from '../../components/page.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { StatusPill } from '../../components/status.tsx';
import { toast } from '../../components/toast.tsx';
import { listProps, readOnlyListProps } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import { type Editing, PresetDialog } from './preset-dialog.tsx';
import s from './presets-page.module.css';

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
      <div className={s.cards} {...(can('admin') ? listProps : readOnlyListProps)}>
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
                {pluralize(preset.patterns.length, 'pattern')} ·{' '}
                {users.length ? `used by ${users.map((l) => l.name).join(', ')}` : 'not used'}
              </p>
            </Card>
          );
        })}
      </div>
      {editing && <PresetDialog editing={editing} onClose={() => setEditing(null)} onDone={() => void refresh()} />}
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
