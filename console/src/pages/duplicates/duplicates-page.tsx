import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, ChevronRight, CircleCheck, CircleDashed, ScanLine } from 'lucide-react';
import { Fragment, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import * as api from '../../api/duplicates.ts';
import type { CleanupPlan } from '../../api/types.ts';
import { Button, LinkButton } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { ErrorNote, ErrorState } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import { ExportMenu } from '../reports/export-menu.tsx';
import s from './duplicates.module.css';
import { GroupsCard, PLAN_CHANGE } from './groups-card.tsx';
import { KeepRulesCard } from './keep-rules-card.tsx';
import { ReviewDialog, ScriptDialog } from './result-dialogs.tsx';

/** Choose what to keep, review, get the script. The service itself never deletes. */
export default function DuplicatesPage() {
  const { can } = useSession();
  const [dialog, setDialog] = useState<'review' | 'script' | null>(null);
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const plan = useQuery({
    queryKey: ['duplicates', 'plan'],
    queryFn: api.cleanupPlan,
    refetchInterval: ({ state }) => (state.data?.proof || state.data?.comparing ? 2_000 : false),
  });
  // A background job changes the sum little by little; anything else makes the number shown an old one.
  const isWorking = Boolean(plan.data?.proof || plan.data?.comparing);
  const stale = useIsMutating({ mutationKey: PLAN_CHANGE }) > 0 || (plan.isFetching && !isWorking);
  if (plan.error && !plan.data) return <ErrorState error={plan.error} retry={() => void plan.refetch()} />;
  const names = libraries.data ?? [];
  // The groups stand there while all of them are counted.
  if (!plan.data)
    return (
      <Page
        back={{ href: '#/reports', label: t('Reports') }}
        title={t('Clean up duplicates')}
        lead={t('Catalog never deletes; it writes a script for you to run.')}
      >
        <div className={s.columns}>
          <GroupsCard plan={undefined} libraries={names} />
          <div className={s.side}>
            <Card title={t('This plan frees')}>
              <p className={s.counting} role="status">
                {t('Counting duplicate groups…')}
              </p>
            </Card>
          </div>
        </div>
      </Page>
    );
  const { tiers, removed } = plan.data;
  const groups = tiers.proven.groups + tiers.sampled.groups;
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={t('Clean up duplicates')}
      lead={
        groups === 0
          ? t('No file that you see exists more than once. Catalog never deletes; it writes a script for you to run.')
          : t(
              '{n|# group holds|# groups hold} {size} that exists more than once. Catalog never deletes; it writes a script for you to run.',
              {
                n: groups,
                size: formatBytes(tiers.proven.frees + tiers.sampled.frees),
              },
            )
      }
      actions={
        <>
          <Steps plan={plan.data} />
          <ExportMenu
            total={groups === 0 ? 0 : tiers.proven.removed + tiers.sampled.removed + groups}
            directUrl={(format) => `/api/v1/duplicates/plan/list?format=${format}`}
            inBackground={api.exportPlan}
          />
        </>
      }
    >
      <div className={s.columns}>
        <GroupsCard plan={plan.data} libraries={names} />
        <div className={s.side}>
          <FreesCard
            plan={plan.data}
            stale={stale}
            mayChange={can('write')}
            onReview={() => setDialog('review')}
            onScript={() => setDialog('script')}
          />
          <KeepRulesCard plan={plan.data} libraries={names} mayChange={can('write')} />
        </div>
      </div>
      {dialog === 'review' && <ReviewDialog plan={plan.data} onClose={() => setDialog(null)} onReviewed={() => setDialog('script')} />}
      {dialog === 'script' && removed > 0 && (
        <ScriptDialog plan={plan.data} onClose={() => setDialog(null)} onBack={() => setDialog('review')} />
      )}
    </Page>
  );
}

const STEPS = [t('Choose what to keep'), t('Review'), t('Get the script')];

function Steps({ plan }: { plan: CleanupPlan }) {
  const at = plan.reviewed && plan.removed > 0 ? 2 : 0;
  return (
    <ol className={s.steps} aria-label={t('Steps')}>
      {STEPS.map((step, n) => (
        <Fragment key={step}>
          {n > 0 && <ChevronRight size={14} aria-hidden />}
          <li aria-current={n === at ? 'step' : undefined}>
            <b>{n < at ? <Check size={12} aria-label={t('Done')} /> : n + 1}</b>
            {step}
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

interface FreesProps {
  plan: CleanupPlan;
  /** A newer sum is being computed. */
  stale: boolean;
  mayChange: boolean;
  onReview: () => void;
  onScript: () => void;
}

function FreesCard({ plan, stale, mayChange, onReview, onScript }: FreesProps) {
  const client = useQueryClient();
  const { tiers, frees, kept, removed, annotated, proof, reviewed } = plan;
  const act = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => client.invalidateQueries({ queryKey: ['duplicates'] }),
  });
  return (
    <Card title={t('This plan frees')}>
      <div className={s.frees} data-stale={stale}>
        {formatBytes(frees)}
      </div>
      <div className={s.bar} aria-hidden>
        <i style={{ flex: tiers.proven.frees, background: 'var(--ok-fill)' }} />
        <i style={{ flex: tiers.sampled.frees, background: 'var(--warn-fill)' }} />
      </div>
      <dl className={s.sums}>
        <dt>
          <StatusText tone="ok" icon={CircleCheck}>
            {t('Proven, every byte compared')}
          </StatusText>
        </dt>
        <dd>{formatBytes(tiers.proven.frees)}</dd>
        <dt>
          <StatusText tone="warn" icon={CircleDashed}>
            {t('Sampled, not in the script')}
          </StatusText>
        </dt>
        <dd>{formatBytes(tiers.sampled.frees)}</dd>
      </dl>
      <dl className={s.sums}>
        <dt>{t('Files kept')}</dt>
        <dd>{formatCount(kept)}</dd>
        <dt>{t('Files to remove')}</dt>
        <dd>{formatCount(removed)}</dd>
        <dt>{t('Files to remove that have tags or notes')}</dt>
        <dd>{formatCount(annotated)}</dd>
      </dl>
      <ErrorNote error={act.error} />
      {proof ? (
        <p className="t2" role="status">
          {t('Reading sampled files: {n} read, {size}.', {
            n: Number(proof.progress?.['hashed'] ?? 0),
            size: formatBytes(Number(proof.progress?.['bytes'] ?? 0)),
          })}{' '}
          <LinkButton onClick={() => act.mutate(api.stopProof)}>{t('Stop')}</LinkButton>
        </p>
      ) : null}
      {mayChange && (
        <div className={s.buttons}>
          <Button variant="primary" disabled={removed === 0} onClick={reviewed ? onScript : onReview}>
            {reviewed ? t('Get the script') : t('Review {removed|# file|# files}', { removed })}
          </Button>
          {!proof && tiers.sampled.groups > 0 && (
            <Button onClick={() => act.mutate(() => api.proveDuplicates())}>
              <ScanLine size={16} aria-hidden />
              {t('Prove the rest')}
            </Button>
          )}
        </div>
      )}
      {plan.reviewed_at && !reviewed && removed > 0 && (
        <p className={s.help}>{t('Files or rules have changed since your last review. Review the plan again to get a script.')}</p>
      )}
      {tiers.sampled.groups > 0 && !proof && (
        <p className={s.help}>
          {t('Proving reads {removed|# file|# files} in full.', { removed: tiers.sampled.removed + tiers.sampled.groups })}
        </p>
      )}
    </Card>
  );
}
