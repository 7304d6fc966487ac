import { Chip, Drawer, MultiSelect, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import * as catalog from '../../api/catalog.ts';
import { savedSearches } from '../../api/search.ts';
import type { AlertRule } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { type ErrorAt, Form } from '../../components/form.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatDayMonth, formatRecent } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import s from './alerts-page.module.css';
import { alternativesSentence, EVENT_LABELS, FILE_EVENTS, previewSentence } from './labels.ts';

type Fields = api.RuleFields;
const PREVIEW_DELAY_MS = 300;

function fieldsOf(rule: AlertRule | null): Fields {
  if (!rule) return { name: '', event_types: ['deleted'], severity: 'warning', channel_ids: [], notify_resolved: true };
  const { id: _id, created_at: _created, firing: _firing, is_system: _system, ...fields } = rule;
  return { ...fields, event_types: fields.event_types as Fields['event_types'] };
}

/** The editor of a rule, with a test against the last seven days. */
export function RuleDrawer({ rule, onClose }: { rule: AlertRule | null; onClose: () => void }) {
  const client = useQueryClient();
  const [fields, setFields] = useState<Fields>(fieldsOf(rule));
  const [removing, setRemoving] = useState(false);
  const set = (change: Partial<Fields>) => setFields((before) => ({ ...before, ...change }));
  const refresh = () => client.invalidateQueries({ queryKey: ['alert-rules'] });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={592}
      title={rule ? 'Edit rule' : 'New rule'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Form
        submit="Save rule"
        ready={fields.name.trim() !== ''}
        save={() => (rule ? api.updateRule(rule.id, fields) : api.createRule(fields))}
        onSaved={async () => {
          await refresh();
          onClose();
        }}
        onCancel={onClose}
        aside={
          rule &&
          !rule.is_system && (
            <Button size="l" variant="danger" onClick={() => setRemoving(true)}>
              Delete
            </Button>
          )
        }
      >
        {(errorAt) => (
          <div className="col g4">
            <TextInput
              data-autofocus
              label="Name"
              maxLength={200}
              value={fields.name}
              onChange={(event) => set({ name: event.currentTarget.value })}
              error={errorAt('name')}
            />
            <WhenFields fields={fields} set={set} errorAt={errorAt} fixed={rule?.is_system ?? false} />
            <RulePreview fields={fields} />
            <DeliveryFields fields={fields} set={set} errorAt={errorAt} ruleId={rule?.id ?? null} />
          </div>
        )}
      </Form>
      {rule && (
        <ConfirmDialog
          opened={removing}
          title={`Delete the rule ${rule.name}?`}
          confirm="Delete rule"
          danger
          onConfirm={async () => {
            await api.deleteRule(rule.id);
            await refresh();
            await client.invalidateQueries({ queryKey: ['alerts'] });
            onClose();
          }}
          onClose={() => setRemoving(false)}
        >
          Its alerts and their history are deleted as well. To keep them, switch the rule off instead.
        </ConfirmDialog>
      )}
    </Drawer>
  );
}

interface PartProps {
  fields: Fields;
  set: (change: Partial<Fields>) => void;
  errorAt: ErrorAt;
}

const isFileRule = ({ event_types }: Fields): boolean => event_types.some((type) => FILE_EVENTS.includes(type));

function WhenFields({ fields, set, errorAt, fixed }: PartProps & { fixed: boolean }) {
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const searches = useQuery({ queryKey: ['saved-searches'], queryFn: savedSearches });
  const files = isFileRule(fields);
  const kind = files ? 'files' : (fields.event_types[0] ?? 'files');
  const choose = (next: string) => {
    const event_types = (next === 'files' ? ['deleted'] : [next]) as Fields['event_types'];
    set({
      event_types,
      path_glob: null,
      hash_change_only: false,
      threshold_count: null,
      threshold_window_s: null,
      saved_search_id: next === 'search_match' ? (searches.data?.[0]?.id ?? null) : null,
    });
  };
  const others = Object.keys(EVENT_LABELS).filter((type) => !FILE_EVENTS.includes(type));
  return (
    <fieldset className="col g2" style={{ border: 0, padding: 0, margin: 0 }}>
      <legend className="m5">When</legend>
      <NativeSelect
        aria-label="What happens"
        value={kind}
        disabled={fixed}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[{ value: 'files', label: 'files change' }, ...others.map((type) => ({ value: type, label: EVENT_LABELS[type] ?? type }))]}
        error={errorAt('event_types')}
      />
      {files && (
        <Chip.Group
          multiple
          value={fields.event_types}
          onChange={(value) => value.length > 0 && set({ event_types: value as Fields['event_types'] })}
        >
          <div className={s.chips}>
            {FILE_EVENTS.map((type) => (
              <Chip key={type} value={type} size="sm">
                {EVENT_LABELS[type]}
              </Chip>
            ))}
          </div>
        </Chip.Group>
      )}
      {kind === 'search_match' && (
        <NativeSelect
          label="Saved search"
          value={fields.saved_search_id ?? ''}
          onChange={(event) => set({ saved_search_id: event.currentTarget.value })}
          data={(searches.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          error={errorAt('saved_search_id')}
        />
      )}
      <NativeSelect
        label="In"
        value={fields.library_id ?? ''}
        onChange={(event) => set({ library_id: event.currentTarget.value || null })}
        data={[{ value: '', label: 'any library' }, ...(libraries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))]}
        error={errorAt('library_id')}
      />
      {files && (
        <>
          <TextInput
            label="Path"
            description="As in an ignore file: *.pdf, or /Contracts/** for a folder. Empty means every file."
            value={fields.path_glob ?? ''}
            onChange={(event) => set({ path_glob: event.currentTarget.value || null })}
            error={errorAt('path_glob')}
          />
          {fields.event_types.includes('modified') && (
            <Switch
              label="Only when the content differs"
              checked={fields.hash_change_only ?? false}
              onChange={(event) => set({ hash_change_only: event.currentTarget.checked })}
            />
          )}
        </>
      )}
      {(files || kind === 'extract_error_spike') && (
        <div className="row g2">
          <NumberInput
            label={files ? 'At least (files)' : 'More than (errors)'}
            min={1}
            value={fields.threshold_count ?? ''}
            placeholder={files ? '1' : '50'}
            onChange={(value) =>
              set(
                value === ''
                  ? { threshold_count: null, threshold_window_s: null }
                  : { threshold_count: Number(value), threshold_window_s: fields.threshold_window_s ?? 3600 },
              )
            }
            error={errorAt('threshold_count')}
          />
          {fields.threshold_count != null && (
            <NumberInput
              label="Within (minutes)"
              min={1}
              value={(fields.threshold_window_s ?? 3600) / 60}
              onChange={(value) => set({ threshold_window_s: (Number(value) || 60) * 60 })}
              error={errorAt('threshold_window_s')}
            />
          )}
        </div>
      )}
      {files && (
        <NativeSelect
          label="One alert per"
          value={(fields.group_by ?? []).find((each) => ['folder', 'extension', 'file'].includes(each)) ?? ''}
          onChange={(event) => set({ group_by: event.currentTarget.value ? [event.currentTarget.value] : [] })}
          data={[
            { value: '', label: 'library' },
            { value: 'folder', label: 'top folder' },
            { value: 'extension', label: 'file extension' },
            { value: 'file', label: 'file' },
          ]}
        />
      )}
    </fieldset>
  );
}

/** Asked again 300 ms after the last change; the old answer stays until the new one is there. */
function RulePreview({ fields }: { fields: Fields }) {
  const [settled] = useDebouncedValue(JSON.stringify(previewFields(fields)), PREVIEW_DELAY_MS);
  const [open, setOpen] = useState(false);
  const preview = useQuery({
    queryKey: ['alert-preview', settled],
    queryFn: () => api.previewRule(JSON.parse(settled) as Parameters<typeof api.previewRule>[0]),
    placeholderData: (before) => before,
    retry: false,
  });
  if (preview.error) return <ErrorNote error={preview.error} />;
  const data = preview.data;
  const most = Math.max(1, ...(data?.days ?? []).map(({ matches }) => matches));
  return (
    <section className={s.preview} aria-label="Test against the past" aria-busy={preview.isFetching}>
      <p className="row g2">
        <Bell size={16} aria-hidden />
        <b className="m5">{data ? previewSentence(data) : 'Testing against the last 7 days…'}</b>
        <span className="grow" />
        {data && data.times.length > 0 && (
          <Button size="s" variant="ghost" onClick={() => setOpen(!open)}>
            {open ? 'Hide the times' : 'Show the times'}
          </Button>
        )}
      </p>
      {data && data.fired !== null && (
        <div className={s.bars}>
          {data.days.map(({ day, matches }) => (
            <span key={day} title={`${formatDayMonth(day)}: ${formatCount(matches)}`}>
              <i style={{ height: `${(matches / most) * 48}px` }} />
              <span className={s.small}>{formatDayMonth(day)}</span>
            </span>
          ))}
        </div>
      )}
      {open && <p className="t2">{data?.times.map((at) => formatRecent(at)).join(' · ')}</p>}
      {data && <p className="t2">{alternativesSentence(data.alternatives)}</p>}
      {data && !data.complete && <p className={s.small}>Only the first 200,000 changes were read.</p>}
    </section>
  );
}

function previewFields({
  event_types,
  library_id,
  path_glob,
  hash_change_only,
  group_by,
  threshold_count,
  threshold_window_s,
  digest_window,
  saved_search_id,
}: Fields) {
  return {
    event_types,
    library_id,
    path_glob,
    hash_change_only,
    group_by,
    threshold_count,
    threshold_window_s,
    digest_window,
    saved_search_id,
  };
}

function DeliveryFields({ fields, set, errorAt, ruleId }: PartProps & { ruleId: string | null }) {
  const channels = useQuery({ queryKey: ['alert-channels'], queryFn: api.alertChannels });
  const rules = useQuery({ queryKey: ['alert-rules'], queryFn: api.alertRules });
  const remind = fields.repeat_interval_s != null;
  return (
    <>
      <div className="row g4 wrap">
        <div className="col g2">
          <span className="m5">Severity</span>
          <Segmented
            label="Severity"
            value={fields.severity ?? 'warning'}
            onChange={(severity) => set({ severity })}
            options={[
              { value: 'info', label: 'Info' },
              { value: 'warning', label: 'Warning' },
              { value: 'critical', label: 'Critical' },
            ]}
          />
        </div>
        <NativeSelect
          label="Send"
          value={fields.digest_window ?? ''}
          onChange={(event) => set({ digest_window: (event.currentTarget.value || null) as Fields['digest_window'] })}
          data={[
            { value: '', label: 'at once' },
            { value: 'hourly', label: 'once an hour' },
            { value: 'daily', label: 'once a day' },
          ]}
        />
      </div>
      <MultiSelect
        label="Send to"
        placeholder={channels.data?.length === 0 ? 'Add a channel first' : undefined}
        data={(channels.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.channel_ids ?? []}
        onChange={(channel_ids) => set({ channel_ids })}
        error={errorAt('channel_ids')}
      />
      <Switch
        label="Send a message when it is resolved"
        checked={fields.notify_resolved ?? true}
        onChange={(event) => set({ notify_resolved: event.currentTarget.checked })}
      />
      <Switch
        label="Remind every hour while it fires"
        checked={remind}
        onChange={(event) => set({ repeat_interval_s: event.currentTarget.checked ? 3600 : null })}
      />
      <MultiSelect
        label="Not while one of these rules fires"
        data={(rules.data ?? []).filter(({ id }) => id !== ruleId).map(({ id, name }) => ({ value: id, label: name }))}
        value={fields.inhibited_by ?? []}
        onChange={(inhibited_by) => set({ inhibited_by })}
        error={errorAt('inhibited_by')}
      />
    </>
  );
}
