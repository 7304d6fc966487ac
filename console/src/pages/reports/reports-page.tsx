import { Select, TextInput } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Copy, Download, Plus, Search, ShieldCheck, Users } from 'lucide-react';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { errorMessage } from '../../api/problem.ts';
import * as api from '../../api/reports.ts';
import type { CustomReport, Report } from '../../api/types.ts';
import { ButtonLink, LinkButton } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { findingOf } from './findings.tsx';
import { GrowthChart } from './growth-chart.tsx';
import { useTogglePin } from './pin-button.tsx';
import { FigureRows } from './report-chart.tsx';
import s from './reports.module.css';

const GROUPS = [
  { key: 'space', title: t('Space') },
  { key: 'health', title: t('Health') },
  { key: 'activity', title: t('Activity') },
  { key: 'access', title: t('Permissions') },
] as const;

/** Reports of a group that stand there at once. */
const SHOWN = 6;

/** All reports by question, each with its main finding. */
export default function ReportsPage() {
  const { can } = useSession();
  const [find, setFind] = useState('');
  const [library, setLibrary] = useState<string | null>(null);
  const [opened, setOpened] = useState<string[]>([]);
  const togglePin = useTogglePin((pinned) => toast(pinned ? t('Pinned to Home') : t('Removed from Home')));
  const pinFocused = (): unknown => {
    const id = document.activeElement?.getAttribute('data-report');
    if (!id) return false;
    togglePin(id);
  };
  useKeys({ p: pinFocused });
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const reports = useQuery({ queryKey: ['reports'], queryFn: api.reports, staleTime: Number.POSITIVE_INFINITY });
  const custom = useQuery({ queryKey: ['custom-reports'], queryFn: api.customReports });
  if (reports.error && !reports.data) return <ErrorState error={reports.error} retry={() => void reports.refetch()} />;
  if (!reports.data) return <Loading what={t('reports')} />;
  const words = find.trim().toLowerCase();
  const matches = (text: string) => text.toLowerCase().includes(words);
  const shown = reports.data.filter(
    ({ title, description, supports_library }) => matches(`${title} ${description}`) && (!library || supports_library),
  );
  const own = (custom.data ?? []).filter(({ name }) => matches(name));
  return (
    <Page
      title={t('Reports')}
      lead={t('{reports|# report|# reports}. Open one to see the details, filter and export.', { reports: reports.data.length })}
      actions={
        <>
          <TextInput
            aria-label={t('Find a report')}
            placeholder={t('Find a report')}
            leftSection={<Search size={14} aria-hidden />}
            value={find}
            onChange={(event) => setFind(event.currentTarget.value)}
          />
          <Select
            aria-label={t('Library')}
            w={180}
            placeholder={t('All libraries')}
            clearable
            value={library}
            onChange={setLibrary}
            data={(libraries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
          {can('write') && (
            <ButtonLink href="#/reports/custom/new">
              <Plus size={16} aria-hidden />
              {t('New report')}
            </ButtonLink>
          )}
        </>
      }
    >
      <nav className={s.links} aria-label={t('Report tools')}>
        <ButtonLink href="#/reports/duplicates">
          <Copy size={16} aria-hidden />
          {t('Clean up duplicates')}
        </ButtonLink>
        <ButtonLink href="#/reports/integrity">
          <ShieldCheck size={16} aria-hidden />
          {t('Integrity')}
        </ButtonLink>
        <ButtonLink href="#/reports/access">
          <Users size={16} aria-hidden />
          {t('Who can read what')}
        </ButtonLink>
        <ButtonLink href="#/reports/schedules">
          <CalendarClock size={16} aria-hidden />
          {t('Schedules')}
        </ButtonLink>
        <ButtonLink href="#/reports/exports">
          <Download size={16} aria-hidden />
          {t('Exports')}
        </ButtonLink>
      </nav>
      {shown.length === 0 && own.length === 0 && (
        <EmptyState title={t('No report matches')}>{t('Try another word, or choose all libraries.')}</EmptyState>
      )}
      {GROUPS.map(({ key, title }) => {
        const group = shown.filter((report) => report.group === key);
        const open = words !== '' || opened.includes(key);
        return (
          group.length > 0 && (
            <section key={key} aria-labelledby={`reports-${key}`}>
              <div className={s.group}>
                <h2 className="h3" id={`reports-${key}`}>
                  {title}
                </h2>
                <span className="muted">{group.length}</span>
                <span className="grow" />
                {words === '' && group.length > SHOWN && (
                  <LinkButton
                    aria-expanded={open}
                    onClick={() => setOpened(open ? opened.filter((each) => each !== key) : [...opened, key])}
                  >
                    {open ? t('Show fewer') : t('Show all')}
                    <span className="visually-hidden"> {t('of {title}', { title })}</span>
                  </LinkButton>
                )}
              </div>
              <div className={s.gallery}>
                {group.slice(0, open ? undefined : SHOWN).map((report) => (
                  <ReportCard key={report.id} report={report} library={library} />
                ))}
              </div>
            </section>
          )
        );
      })}
      {own.length > 0 && (
        <section aria-labelledby="reports-custom">
          <div className={s.group}>
            <h2 className="h3" id="reports-custom">
              {t('Custom reports')}
            </h2>
            <span className="muted">{own.length}</span>
          </div>
          <div className={s.gallery}>
            {own.map((report) => (
              <CustomCard key={report.id} report={report} />
            ))}
          </div>
        </section>
      )}
    </Page>
  );
}

/** Runs its report only when it is on screen. */
function ReportCard({ report, library }: { report: Report; library: string | null }) {
  const { ref, inViewport } = useInViewport<HTMLAnchorElement>();
  const run = useQuery({
    queryKey: ['report-card', report.id, library],
    queryFn: ({ signal }) =>
      api.runReport(
        report.id,
        { limit: report.id === 'growth' || report.id === 'changes' ? 500 : 20, ...(library ? { library_id: library } : {}) },
        signal,
      ),
    enabled: inViewport,
    staleTime: 300_000,
  });
  return (
    <a
      ref={ref}
      data-row="self"
      data-report={report.id}
      className={s.card}
      href={`#/reports/${report.id}${library ? `?library=${library}` : ''}`}
    >
      <span className={s.title}>{report.title}</span>
      <span className={s.finding}>{run.data ? findingOf(run.data) : run.error ? errorMessage(run.error) : report.description}</span>
      <span className={s.chart}>
        {run.data &&
          (report.id === 'growth' && run.data.rows.length > 0 ? (
            <GrowthChart run={run.data} height={68} />
          ) : (
            <FigureRows run={run.data} most={3} />
          ))}
      </span>
      <span className={s.foot}>
        {run.data
          ? t('As of {dataUpdatedAt}', { dataUpdatedAt: formatRecent(run.dataUpdatedAt / 1000) })
          : run.error
            ? t('Open it to choose a library or folder')
            : t('Counting…')}
      </span>
    </a>
  );
}

function CustomCard({ report }: { report: CustomReport }) {
  return (
    <a className={s.card} href={`#/reports/custom/${report.id}`}>
      <span className={s.title}>{report.shared ? t('Shared by {owner_name}', { owner_name: report.owner_name }) : t('Private')}</span>
      <span className={s.finding}>
        <b className="b">{report.name}</b>
      </span>
      <span className={s.chart}>
        <code className="mono cut">{report.query || t('All files')}</code>
      </span>
      <span className={s.foot}>
        {(report.group_by.length > 0 ? [...report.group_by, ...report.aggregates] : report.columns).join(', ')}
      </span>
    </a>
  );
}
