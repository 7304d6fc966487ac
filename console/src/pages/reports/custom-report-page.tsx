import { Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useParams } from 'wouter';
import { errorMessage, Problem } from '../../api/problem.ts';
import * as api from '../../api/reports.ts';
import type { CustomReport } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { changedOnly, Form } from '../../components/form.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useSession } from '../../shell/session.tsx';
import { ExportMenu } from './export-menu.tsx';
import { ReportTable } from './report-table.tsx';
import s from './reports.module.css';

/** A report that people define, with a preview that follows every change. */
export default function CustomReportPage() {
  const { id = 'new' } = useParams<{ id: string }>();
  const stored = useQuery({ queryKey: ['custom-report', id], queryFn: () => api.customReport(id), enabled: id !== 'new' });
  /** The report that the newest empty editor has created. The editor stays, so that what is typed in it meanwhile does too. */
  const [made, setMade] = useState<{ editor: number; id: string | null }>({ editor: 0, id: null });
  if (id === 'new' && made.id !== null) setMade({ editor: made.editor + 1, id: null });
  const key = id === 'new' || id === made.id ? made.editor : id;
  const onCreated = (created: string) => setMade({ ...made, id: created });
  if (id === 'new') return <Editor key={key} report={null} onCreated={onCreated} />;
  if (stored.error && !stored.data) return <ErrorState error={stored.error} retry={() => void stored.refetch()} />;
  if (!stored.data) return <Loading what={t('report')} />;
  return <Editor key={key} report={stored.data} onCreated={onCreated} />;
}

const fieldsOf = (report: CustomReport | null) => ({
  name: report?.name ?? '',
  query: report?.query ?? '',
  columns: report?.columns ?? ['filename', 'library', 'size', 'mtime'],
  sort: report?.sort?.split(',') ?? [],
  group_by: report?.group_by ?? [],
  aggregates: report?.aggregates ?? [],
  shared: report?.shared ?? false,
});
const isSame = (a: ReturnType<typeof fieldsOf>, b: ReturnType<typeof fieldsOf>): boolean => JSON.stringify(a) === JSON.stringify(b);

function Editor({ report, onCreated }: { report: CustomReport | null; onCreated: (id: string) => void }) {
  const client = useQueryClient();
  const { can } = useSession();
  const [fields, setFields] = useState(() => fieldsOf(report));
  const set = (change: Partial<typeof fields>) => setFields((now) => ({ ...now, ...change }));
  const { name, shared, ...shape } = fields;
  /** The report that this person began to change. What others save meanwhile is shown only while nothing is changed here. */
  const [base, setBase] = useState(report);
  const [seen, setSeen] = useState(report);
  if (report !== seen) {
    setSeen(report);
    if (isSame(fields, fieldsOf(base))) {
      setBase(report);
      setFields(fieldsOf(report));
    }
  }
  const sent = useRef(fields);
  const [deleting, setDeleting] = useState(false);
  const known = useQuery({ queryKey: ['custom-report-columns'], queryFn: api.customReportColumns, staleTime: 60_000 });
  const offered = [...(known.data?.core ?? []), ...(known.data?.custom_fields ?? []).map((field) => `cf.${field}`)];
  const [{ name: _name, shared: _shared, ...settled }] = useDebouncedValue(fields, 300);
  const preview = useQuery({
    queryKey: ['custom-report-preview', settled],
    queryFn: ({ signal }) => api.previewCustomReport({ ...settled, limit: 50 }, signal),
    placeholderData: (previous) => previous,
    retry: false,
  });
  const mayEdit = can('write') && (report?.may_edit ?? true);
  const save = (): Promise<CustomReport> => {
    sent.current = fields;
    return report ? api.updateCustomReport(report.id, changedOnly(fieldsOf(base), fields)) : api.createCustomReport(fields);
  };
  const copy = useMutation({
    mutationFn: (id: string) => api.copyCustomReport(id),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: ['custom-reports'] });
      navigate(`/reports/custom/${made.id}`);
    },
    onError: (error) => toast(errorMessage(error)),
  });
  const position = preview.error instanceof Problem ? positionOf(preview.error) : null;
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={report?.name ?? t('New report')}
      lead={
        report && !report.may_edit
          ? t('Shared by {owner_name}. Copy it to change it.', { owner_name: report.owner_name })
          : t('A query with columns of your choice. Everybody who runs it sees only their own files.')
      }
      actions={
        report && (
          <>
            {can('write') && <Button onClick={() => copy.mutate(report.id)}>{t('Copy')}</Button>}
            {mayEdit && (
              <Button variant="danger" onClick={() => setDeleting(true)}>
                {t('Delete')}
              </Button>
            )}
            <ExportMenu
              total={preview.data?.total ?? null}
              directUrl={(format) => `/api/v1/custom-reports/${report.id}/run?format=${format}`}
              inBackground={(format) => api.exportCustomReport(report.id, format)}
              variant="primary"
              link
              scheduleHref={`#/reports/schedules?report=${report.id}`}
            />
          </>
        )
      }
    >
      <div className={s.editor}>
        <Card title={t('Definition')}>
          <Form
            layout="card"
            submit={report ? t('Save report') : t('Create report')}
            ready={mayEdit && name.trim() !== ''}
            save={save}
            onSaved={async (saved) => {
              await client.invalidateQueries({ queryKey: ['custom-reports'] });
              client.setQueryData(['custom-report', saved.id], saved);
              setBase(saved);
              // What was typed while it was being saved stays.
              setFields((now) => ({ ...fieldsOf(saved), ...changedOnly(sent.current, now) }));
              toast(t('Report {name} saved', { name: saved.name }));
              if (report) return;
              onCreated(saved.id);
              navigate(`/reports/custom/${saved.id}`, { replace: true });
            }}
          >
            {(errorAt) => (
              <div className={s.form}>
                <TextInput
                  label={t('Name')}
                  value={name}
                  maxLength={200}
                  error={errorAt('name')}
                  onChange={(event) => set({ name: event.currentTarget.value })}
                />
                <Textarea
                  label={t('Query')}
                  description={t('In the filter syntax, such as kind:video size:>1g. Empty means all files.')}
                  autosize
                  minRows={2}
                  value={shape.query}
                  error={position && t('{reason} (at character {position})', { reason: position.reason, position: position.position + 1 })}
                  onChange={(event) => set({ query: event.currentTarget.value })}
                />
                {shape.group_by.length === 0 && (
                  <TagsInput
                    label={t('Columns')}
                    description={t('Also meta. and the name of a fact, such as meta.width')}
                    data={offered}
                    value={shape.columns}
                    onChange={(columns) => set({ columns })}
                  />
                )}
                <TagsInput
                  label={t('Group by')}
                  placeholder={t('No groups')}
                  data={offered.filter((each) => !/path|share_|tags/.test(each))}
                  value={shape.group_by}
                  onChange={(group_by) => set({ group_by })}
                />
                {shape.group_by.length > 0 && (
                  <TagsInput
                    label={t('Count or sum')}
                    description={t('count, or sum:, min: or max: and a column')}
                    data={['count', 'sum:size', 'min:size', 'max:size', 'min:mtime', 'max:mtime']}
                    value={shape.aggregates}
                    onChange={(aggregates) => set({ aggregates })}
                  />
                )}
                <TagsInput
                  label={t('Sort by')}
                  description={t('In order of precedence; - in front sorts descending')}
                  data={(shape.group_by.length > 0 ? [...shape.group_by, ...shape.aggregates] : shape.columns).flatMap((each) => [
                    each,
                    `-${each}`,
                  ])}
                  value={shape.sort}
                  onChange={(sort) => set({ sort })}
                />
                <Switch
                  label={t('Share with everybody')}
                  checked={shared}
                  onChange={(event) => set({ shared: event.currentTarget.checked })}
                />
              </div>
            )}
          </Form>
        </Card>
        <Card
          title={
            preview.data?.total === undefined || preview.data.total === null
              ? t('Preview')
              : t('Preview: {total|# row|# rows}', { total: preview.data.total })
          }
        >
          <ErrorNote error={preview.error} />
          {!preview.error && preview.data && preview.data.rows.length === 0 && (
            <EmptyState title={t('No files match')}>{t('Change the query or the columns.')}</EmptyState>
          )}
          {preview.data && preview.data.rows.length > 0 && (
            <ReportTable
              fields={preview.data.fields}
              rows={preview.data.rows}
              rowLink="item"
              sort={shape.sort.join(',')}
              onSort={(next) => set({ sort: [next] })}
              sums={preview.data.sums}
            />
          )}
        </Card>
      </div>
      <ConfirmDialog
        opened={deleting}
        title={t('Delete report “{name}”?', { name: report?.name })}
        confirm={t('Delete report')}
        danger
        onConfirm={async () => {
          if (!report) return;
          await api.deleteCustomReport(report.id);
          await client.invalidateQueries({ queryKey: ['custom-reports'] });
          navigate('/reports');
        }}
        onClose={() => setDeleting(false)}
      >
        {t('Only the definition is deleted. No file is touched, and finished exports stay.')}
      </ConfirmDialog>
    </Page>
  );
}

/** The position of the error in the query, or null when something else is wrong. */
function positionOf(error: Problem): { position: number; reason: string } | null {
  const { validation } = error.body as { validation?: { error: string; position?: number; reason?: string }[] };
  const found = validation?.find(({ error: kind }) => kind === 'parse_error');
  return found ? { position: found.position ?? 0, reason: found.reason ?? '' } : null;
}
