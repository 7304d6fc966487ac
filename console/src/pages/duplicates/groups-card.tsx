import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, ChevronDown, ChevronRight, CircleCheck, CircleDashed, Images, Link2, Minus, Unplug } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/duplicates.ts';
import { errorMessage } from '../../api/problem.ts';
import type { CleanupPlan, DuplicateCopy, DuplicateGroup, Library } from '../../api/types.ts';
import { LinkButton, TextLink } from '../../components/button.tsx';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { Card } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorNote, Loading } from '../../components/states.tsx';
import { Note, StatusText } from '../../components/status.tsx';
import { Thumb } from '../../components/thumb.tsx';
import { toast } from '../../components/toast.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { formatDate } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { baseName, visibleName } from '../../format/paths.ts';
import { inReadingDirection } from '../../language/direction.ts';
import { t } from '../../language/text.ts';
import { listProps } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import s from './duplicates.module.css';
import { decisionWords } from './rule-words.ts';

type Shown = 'all' | DuplicateGroup['tier'];

/** Marks changes of the plan; while one is under way, the sums shown are old. */
export const PLAN_CHANGE = ['cleanup-plan'];

interface GroupsProps {
  /** Undefined while its groups are counted. */
  plan: CleanupPlan | undefined;
  libraries: readonly Library[];
}

export function GroupsCard({ plan, libraries }: GroupsProps) {
  const [tier, setTier] = useState<Shown>('all');
  const groups = useInfiniteQuery({
    queryKey: ['duplicates', 'groups', tier],
    queryFn: ({ pageParam }) =>
      api.duplicateGroups({ limit: 50, ...(tier === 'all' ? {} : { tier }), ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
  });
  const shown = groups.data?.pages.flatMap((page) => page.groups) ?? [];
  const counts = plan && { proven: plan.tiers.proven.groups, sampled: plan.tiers.sampled.groups, similar: plan.tiers.similar.groups };
  const total = counts && (tier === 'all' ? counts.proven + counts.sampled : counts[tier]);
  const counted = (label: string, groups: number | undefined) => (groups === undefined ? label : `${label} ${formatCount(groups)}`);
  const options = [
    { value: 'all', label: counted(t('All'), counts && counts.proven + counts.sampled) },
    { value: 'proven', label: counted(t('Proven'), counts?.proven) },
    { value: 'sampled', label: counted(t('Sampled'), counts?.sampled) },
    { value: 'similar', label: counted(t('Similar'), counts?.similar) },
  ] as const satisfies { value: Shown; label: string }[];
  return (
    <Card
      className={s.groupsCard ?? ''}
      headingId="duplicate-groups"
      title={
        <>
          <h2 className="h3" id="duplicate-groups">
            {t('Groups')}
          </h2>
          <span className="muted sm-hide">{t('largest first')}</span>
        </>
      }
      aside={<Segmented label={t('Match')} value={tier} options={options} onChange={setTier} />}
    >
      <ErrorNote error={groups.error} />
      {!groups.data && !groups.error && <Loading what={t('groups')} />}
      {tier === 'similar' && <SimilarNote plan={plan} />}
      {groups.data && shown.length === 0 && tier !== 'similar' && (
        <EmptyState title={t('No duplicates')}>
          {tier === 'sampled'
            ? t('Every match was proven by comparing all bytes.')
            : t('No two files that you see have the same content. New files are compared after each scan.')}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <div className={s.head} aria-hidden>
          <span>{t('File')}</span>
          <span>{t('Copies')}</span>
          <span>{t('Proof')}</span>
          <span>{t('Frees')}</span>
        </div>
      )}
      <ul className={s.groups} {...listProps}>
        {shown.map((group) => (
          <Group key={group.key} group={group} plan={plan} libraries={libraries} />
        ))}
      </ul>
      {groups.hasNextPage && (
        <p className={s.more}>
          <LinkButton onClick={() => void groups.fetchNextPage()}>
            {t('Show {count|# more group|# more groups}', {
              count: Math.min(50, Math.max((total ?? Number.POSITIVE_INFINITY) - shown.length, 1)),
            })}
          </LinkButton>
        </p>
      )}
    </Card>
  );
}

/** Similar photos are opt-in: nothing is compared until an administrator asks for it. */
function SimilarNote({ plan }: { plan: CleanupPlan | undefined }) {
  const client = useQueryClient();
  const { can } = useSession();
  const start = useMutation({
    mutationFn: api.findSimilarPhotos,
    onSettled: () => client.invalidateQueries({ queryKey: ['duplicates'] }),
  });
  return (
    <Note tone="idle" icon={Images}>
      {t('Photos that look alike but differ in their bytes. They are never part of a script; compare them yourself.')}{' '}
      {plan?.comparing
        ? plan.comparing.progress
          ? t('Comparing: {progress|# photo|# photos} read.', { progress: Number(plan.comparing.progress['hashed'] ?? 0) })
          : t('Photos are being compared.')
        : can('admin') && <LinkButton onClick={() => start.mutate()}>{t('Compare new photos')}</LinkButton>}
      <ErrorNote error={start.error} />
    </Note>
  );
}

const TIERS = {
  proven: { tone: 'ok', icon: CircleCheck, label: t('Proven') },
  sampled: { tone: 'warn', icon: CircleDashed, label: t('Sampled') },
  similar: { tone: 'idle', icon: Images, label: t('Similar') },
} as const;

function Group({ group, plan, libraries }: GroupsProps & { group: DuplicateGroup }) {
  const [open, setOpen] = useState(false);
  const { tone, icon, label } = TIERS[group.tier];
  const kind = categoryStyle(group.file_category);
  const name = baseName(group.rel_path);
  return (
    <li data-row>
      <button
        type="button"
        data-main
        className={s.group}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          const key = inReadingDirection(event.key);
          if (key === 'ArrowRight') setOpen(true);
          if (key === 'ArrowLeft') setOpen(false);
        }}
      >
        {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <span className={s.thumb}>
          <Thumb id={group.item_id} category={group.file_category} inList />
        </span>
        <span className={s.name}>
          <span className="row g2 m5">
            <kind.icon size={16} aria-hidden style={{ color: kind.color, flex: 'none' }} />
            <MiddleEllipsis name={name} />
          </span>
          <span className={s.small}>
            {group.tier === 'similar'
              ? t('kept: {size}', { size: formatBytes(group.size) })
              : t('{size} each', { size: formatBytes(group.size) })}
            {group.offline_copies > 0 && `, ${t('{n|# copy|# copies} offline', { n: group.offline_copies })}`}
          </span>
        </span>
        <span className={s.number}>
          {formatCount(group.copies)}
          <span className="visually-hidden"> {t('copies')}</span>
        </span>
        <StatusText tone={tone} icon={icon}>
          {label}
        </StatusText>
        <b className={s.number}>{formatBytes(group.frees)}</b>
      </button>
      {open && <Copies group={group} plan={plan} libraries={libraries} />}
    </li>
  );
}

function Copies({ group, plan, libraries }: GroupsProps & { group: DuplicateGroup }) {
  const client = useQueryClient();
  const { can } = useSession();
  const copies = useQuery({
    queryKey: ['duplicates', 'copies', group.key],
    queryFn: () => api.duplicateCopies(group.key),
    placeholderData: (previous) => previous,
  });
  const change = useMutation({
    mutationKey: PLAN_CHANGE,
    mutationFn: (work: () => Promise<unknown>) => work(),
    onError: (error) => toast(errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: ['duplicates'] }),
  });
  const keep = (copy: DuplicateCopy) => can('write') && change.mutate(() => api.keepCopy(group.key, copy.item_id));
  const mayKeep = ({ action }: DuplicateCopy): boolean => can('write') && action !== 'keep' && action !== 'offline';
  if (copies.error) return <ErrorNote error={copies.error} />;
  if (!copies.data) return <Loading what={t('copies')} />;
  return (
    <ul className={s.copies} {...listProps}>
      {copies.data.copies.map((copy) => (
        <li key={copy.item_id} onKeyDown={(event) => event.key.toLowerCase() === 'k' && mayKeep(copy) && keep(copy)}>
          <CopyAction action={copy.action} />
          <TextLink data-main className={s.path} href={`#/item/${copy.item_id}`}>
            <bdi>{visibleName(`${copy.library}/${copy.rel_path}`)}</bdi>
          </TextLink>
          <span className={s.small}>
            {formatDate(copy.mtime)}
            {copy.annotated && `, ${t('has tags or notes')}`}
          </span>
          <span className={s.decision}>
            {copy.action === 'keep' && (
              <>
                {decisionWords(copy.decided_by, plan?.rules ?? [], libraries)}
                {copy.decided_by === 0 && can('write') && (
                  <LinkButton onClick={() => change.mutate(() => api.keepCopy(group.key, null))}>{t('Use the rules')}</LinkButton>
                )}
              </>
            )}
            {mayKeep(copy) && (
              <LinkButton aria-label={t('Keep this instead: {rel_path}', { rel_path: copy.rel_path })} onClick={() => keep(copy)}>
                {t('Keep this instead')}
              </LinkButton>
            )}
          </span>
        </li>
      ))}
      {copies.data.has_more && (
        <li>
          <span className={s.small}>{t('Only the first copies are shown. Export the plan for all of them.')}</span>
        </li>
      )}
      {group.tier === 'sampled' && can('write') && !plan?.proof && (
        <li>
          <LinkButton onClick={() => change.mutate(() => api.proveDuplicates(group.key))}>{t('Prove this group')}</LinkButton>
        </li>
      )}
    </ul>
  );
}

const ACTIONS = {
  keep: { tone: 'ok', icon: Check, label: t('Keep') },
  remove: { tone: 'idle', icon: Minus, label: t('Remove') },
  unproven: { tone: 'warn', icon: CircleDashed, label: t('Not proven') },
  similar: { tone: 'idle', icon: Images, label: t('Similar') },
  shares_storage: { tone: 'idle', icon: Link2, label: t('Same file') },
  offline: { tone: 'idle', icon: Unplug, label: t('Offline') },
} as const;

function CopyAction({ action }: { action: DuplicateCopy['action'] }) {
  const { tone, icon, label } = ACTIONS[action];
  return (
    <StatusText tone={tone} icon={icon}>
      {label}
    </StatusText>
  );
}
