import { MultiSelect, NativeSelect, NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import * as api from '../../api/schedules.ts';
import type { CustomReport, ExportFormat, Report, ReportSchedule } from '../../api/types.ts';
import { changedOnly, FormDialog } from '../../components/form.tsx';
import { toast } from '../../components/toast.tsx';
import { formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { ReportFilters } from '../reports/report-filters.tsx';
import { changeParams, type ReportParams, writeParams } from '../reports/report-params.ts';
import { CronInput } from './cron-input.tsx';
import { toCron } from './cron-words.ts';

interface ScheduleDialogProps {
  schedule: ReportSchedule | null;
  /** The report and filters that a new schedule starts with. */
  start: { report: string; params: ReportParams } | null;
  reports: readonly Report[];
  custom: readonly CustomReport[];
  onClose: () => void;
}

/** The filters that stay when another report is chosen. A custom report has its filters in its query. */
function keptParams(report: Report | undefined, { library_id, folder }: ReportParams): ReportParams {
  if (!report?.supports_library || !library_id) return {};
  return { library_id, ...(report.supports_folder && folder ? { folder } : {}) };
}

const isSame = (a: ReportParams, b: ReportParams): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

export function ScheduleDialog({ schedule, start, reports, custom, onClose }: ScheduleDialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(schedule?.name ?? '');
  const sourceBefore = schedule?.canned_report_key ?? schedule?.report_definition_id ?? '';
  const [source, setSource] = useState(schedule ? sourceBefore : (start?.report ?? ''));
  const [params, showParams] = useState<ReportParams>(schedule?.params ?? start?.params ?? {});
  // A filter passes on its value when it loses the focus, which may be in the same event that saves.
  const latestParams = useRef(params);
  const setParams = (next: ReportParams) => {
    latestParams.current = next;
    showParams(next);
  };
  const [format, setFormat] = useState<ExportFormat>(schedule?.format ?? 'xlsx');
  const [cron, setCron] = useState(schedule?.cron ?? toCron({ repeat: 'week', time: '06:00', weekday: '1', day: '1', cron: '' }));
  const [channels, setChannels] = useState(schedule?.channel_ids ?? []);
  const [enabled, setEnabled] = useState(schedule?.enabled ?? true);
  const [onlyRows, setOnlyRows] = useState(schedule?.only_if_rows ?? false);
  const [onlyChanges, setOnlyChanges] = useState(schedule?.only_changes ?? false);
  const known = useQuery({ queryKey: ['schedule-channels'], queryFn: api.scheduleChannels });
  const canned = reports.find(({ id }) => id === source);
  const { sort, limit, ...filters } = params;
  const save = () => {
    // Only the owner can change what a schedule reports, so an unchanged report is left out.
    const unchanged = schedule !== null && source === sourceBefore && isSame(latestParams.current, schedule.params);
    const fields = {
      name,
      cron,
      format,
      channel_ids: channels,
      enabled,
      only_if_rows: onlyRows,
      only_changes: onlyChanges,
    };
    const what = unchanged ? {} : { [canned ? 'canned_report_key' : 'report_definition_id']: source, params: latestParams.current };
    return schedule
      ? api.updateSchedule(schedule.id, { ...changedOnly(schedule, fields), ...what })
      : api.createSchedule({ ...fields, ...what });
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
            onChange={(value) => {
              if (value === source) return;
              setSource(value ?? '');
              const next = reports.find(({ id }) => id === value);
              setParams(keptParams(next, latestParams.current));
            }}
            error={errorAt('canned_report_key') ?? errorAt('report_definition_id')}
            data={[
              { group: t('Reports'), items: reports.map(({ id, title }) => ({ value: id, label: title })) },
              { group: t('Custom reports'), items: custom.map(({ id, name: label }) => ({ value: id, label })) },
            ]}
          />
          {canned && (
            <ReportFilters
              report={canned}
              search={writeParams(params)}
              onChange={(changes) => setParams(changeParams(latestParams.current, changes))}
              onClear={Object.keys(filters).length > 0 ? () => setParams({ ...(sort && { sort }), ...(limit && { limit }) }) : null}
            />
          )}
          {source !== '' && (
            <NumberInput
              label={t('Rows at most')}
              placeholder={canned?.is_capped ? formatCount(canned.default_limit) : t('All rows')}
              min={1}
              max={100_000_000}
              allowDecimal={false}
              value={limit ?? ''}
              onChange={(value) => {
                const { limit: _limit, ...others } = latestParams.current;
                setParams(Number(value) > 0 ? { ...others, limit: Number(value) } : others);
              }}
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
