import { MultiSelect, NativeSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as api from '../../api/schedules.ts';
import type { CustomReport, ExportFormat, Report, ReportSchedule } from '../../api/types.ts';
import { FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { CronInput } from './cron-input.tsx';
import { toCron } from './cron-words.ts';

interface ScheduleDialogProps {
  schedule: ReportSchedule | null;
  /** The report that a new schedule starts with. */
  report: string | null;
  reports: readonly Report[];
  custom: readonly CustomReport[];
  onClose: () => void;
}

export function ScheduleDialog({ schedule, report, reports, custom, onClose }: ScheduleDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(schedule?.name ?? '');
  const [source, setSource] = useState(schedule ? (schedule.canned_report_key ?? schedule.report_definition_id ?? '') : (report ?? ''));
  const [library, setLibrary] = useState<string | null>(schedule?.params.library_id ?? null);
  const [format, setFormat] = useState<ExportFormat>(schedule?.format ?? 'xlsx');
  const [cron, setCron] = useState(schedule?.cron ?? toCron({ repeat: 'week', time: '06:00', weekday: '1', day: '1', cron: '' }));
  const [channels, setChannels] = useState(schedule?.channel_ids ?? []);
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [onlyRows, setOnlyRows] = useState(schedule?.only_if_rows ?? false);
  const [onlyChanges, setOnlyChanges] = useState(schedule?.only_changes ?? false);
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const known = useQuery({ queryKey: ['schedule-channels'], queryFn: api.scheduleChannels });
  const canned = reports.find(({ id }) => id === source);
  const { library_id: _library, ...otherParams } = schedule?.params ?? {};
  const save = () => {
    const params = canned
      ? { ...(canned.id === schedule?.canned_report_key ? otherParams : {}), ...(library ? { library_id: library } : {}) }
      : {};
    const fields = {
      name,
      cron,
      format,
      channel_ids: channels,
      enabled,
      only_if_rows: onlyRows,
      only_changes: onlyChanges,
      ...(canned ? { canned_report_key: source, params } : { report_definition_id: source }),
    };
    return schedule ? api.updateSchedule(schedule.id, fields) : api.createSchedule(fields);
  };
  return (
    <FormDialog
      title={schedule ? t('Edit {name}', { name: schedule.name }) : t('New schedule')}
      submit={schedule ? t('Save') : t('Create schedule')}
      ready={name.trim() !== '' && source !== '' && cron.trim() !== ''}
      save={save}
      onSaved={async () => {
        await client.invalidateQueries({ queryKey: ['schedules'] });
        toast(t('Schedule {name} saved', { name: name.trim() }));
      }}
      onClose={onClose}
      onCancel={onClose}
    >
      {(errorAt) => (
        <div className="col g4">
          <TextInput
            label={t('Name')}
            value={name}
            maxLength={200}
            error={errorAt('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t('Report')}
            searchable
            value={source}
            onChange={(value) => setSource(value ?? '')}
            error={errorAt('canned_report_key') ?? errorAt('report_definition_id')}
            data={[
              { group: t('Reports'), items: reports.map(({ id, title }) => ({ value: id, label: title })) },
              { group: t('Custom reports'), items: custom.map(({ id, name: label }) => ({ value: id, label })) },
            ]}
          />
          {canned?.supports_library && (
            <Select
              label={t('Library')}
              placeholder={t('All libraries')}
              clearable
              value={library}
              onChange={setLibrary}
              data={(libraries.data ?? []).map(({ id, name: label }) => ({ value: id, label }))}
            />
          )}
          <CronInput value={cron} onChange={setCron} error={errorAt('cron')} />
          <MultiSelect
            label={t('Send through')}
            description={t('Mail carries the file if it is small enough; everything else carries a link that needs a sign-in.')}
            placeholder={channels.length === 0 ? t('No channel: keep it under Exports') : ''}
            value={channels}
            onChange={setChannels}
            error={errorAt('channel_ids')}
            data={(known.data ?? []).map(({ id, name: label, enabled: on }) => ({
              value: id,
              label: on ? label : t('{label} (off)', { label }),
            }))}
          />
          <NativeSelect
            label={t('Format')}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value as ExportFormat)}
            data={[
              { value: 'xlsx', label: t('Spreadsheet (XLSX)') },
              { value: 'csv', label: 'CSV' },
              { value: 'ndjson', label: 'NDJSON' },
              { value: 'xml', label: 'XML' },
            ]}
          />
          <Switch
            label={t('Skip when the report is empty')}
            checked={onlyRows}
            onChange={(event) => setOnlyRows(event.currentTarget.checked)}
          />
          <Switch
            label={t('Only what changed since the last time')}
            checked={onlyChanges}
            onChange={(event) => setOnlyChanges(event.currentTarget.checked)}
          />
          <Switch label={t('On')} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
        </div>
      )}
    </FormDialog>
  );
}
