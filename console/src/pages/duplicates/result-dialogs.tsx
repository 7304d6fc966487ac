import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import * as api from '../../api/duplicates.ts';
import type { CleanupPlan } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Note } from '../../components/status.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './duplicates.module.css';

interface ReviewProps {
  plan: CleanupPlan;
  onClose: () => void;
  onReviewed: () => void;
}

export function ReviewDialog({ plan, onClose, onReviewed }: ReviewProps) {
  const client = useQueryClient();
  // A confirmed dialog closes itself; the script follows then. A ref, because closing happens before the next render.
  const reviewed = useRef(false);
  return (
    <ConfirmDialog
      opened
      title={t('Review {removed|# file|# files} to remove', { removed: plan.removed })}
      confirm={t('I have reviewed the plan')}
      facts={[
        { label: t('Frees'), value: formatBytes(plan.frees) },
        { label: t('Files kept'), value: formatCount(plan.kept) },
        { label: t('Files to remove that have tags or notes'), value: formatCount(plan.annotated) },
      ]}
      onConfirm={async () => {
        client.setQueryData(['duplicates', 'plan'], await api.reviewPlan(plan.digest));
        reviewed.current = true;
      }}
      onClose={() => (reviewed.current ? onReviewed() : onClose())}
    >
      {t(
        'Open the groups, or export the plan, to see every file. Only proven copies are part of the script. Tags and notes of a removed file stay with its record, and the catalog offers to attach them to the kept copy after the next scan.',
      )}
    </ConfirmDialog>
  );
}

interface ScriptProps {
  plan: CleanupPlan;
  onClose: () => void;
  onBack: () => void;
}

export function ScriptDialog({ plan, onClose, onBack }: ScriptProps) {
  const [kind, setKind] = useState<'shell' | 'csv'>('shell');
  const [paths, setPaths] = useState<'server' | 'native'>('server');
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('Close') }}
      size={720}
      title={t('Script for {removed|# file|# files}, {frees}', { removed: plan.removed, frees: formatBytes(plan.frees) })}
    >
      <p className="t2">
        {t(
          'Run it on the machine that holds the files. Before each file it checks that the kept copy still has the same content. Files go to a holding folder, so you can undo everything.',
        )}
      </p>
      <div className={s.choose}>
        <Segmented
          label={t('Result')}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'shell', label: t('Shell') },
            { value: 'csv', label: t('CSV list') },
          ]}
        />
        {kind === 'shell' && (
          <Segmented
            label={t('Paths')}
            value={paths}
            onChange={setPaths}
            options={[
              { value: 'server', label: t('Paths of this server') },
              { value: 'native', label: t('Native paths') },
            ]}
          />
        )}
        <span className="grow" />
        {plan.reviewed_at && (
          <span className={s.small}>
            {t('Reviewed by {reviewed_by}, {reviewed_at}', {
              reviewed_by: plan.reviewed_by,
              reviewed_at: formatDateTime(plan.reviewed_at),
            })}
          </span>
        )}
      </div>
      {kind === 'shell' ? (
        <Sample plan={plan} />
      ) : (
        <p className="t2">{t('One row per copy with what the plan does to it, sampled groups included, for your own tools.')}</p>
      )}
      <Note tone="idle" icon={ShieldCheck}>
        {rich(
          'Stops at the first file that differs from the plan and prints which one. A dry run with <code>--check</code> changes nothing, and <code>--undo</code> moves everything back.',
          { code: (text) => <code className="mono">{text}</code> },
        )}
      </Note>
      <div className={s.dialogButtons}>
        <Button onClick={onBack}>{t('Back to review')}</Button>
        <ButtonLink
          variant="primary"
          href={kind === 'shell' ? `/api/v1/duplicates/script?paths=${paths}` : '/api/v1/duplicates/plan/list?format=csv'}
          download={kind === 'shell' ? `cleanup-plan-${plan.number}.sh` : 'cleanup-plan.csv'}
        >
          <Download size={16} aria-hidden />
          {kind === 'shell' ? t('Download script') : t('Download list')}
        </ButtonLink>
      </div>
    </Modal>
  );
}

/** The script is the same in every language. */
const scriptHead = ({ number, removed }: CleanupPlan): string =>
  `# Catalog cleanup plan ${number}. ${removed} ${removed === 1 ? 'file' : 'files'}. Nothing is deleted.\n`;

/** The first lines of the script, made of its first group. */
function Sample({ plan }: { plan: CleanupPlan }) {
  const first = useQuery({
    queryKey: ['duplicates', 'sample', plan.digest],
    queryFn: async () => {
      const [group] = (await api.duplicateGroups({ tier: 'proven', limit: 1 })).groups;
      return group ? (await api.duplicateCopies(group.key)).copies : [];
    },
  });
  const keep = first.data?.find(({ action }) => action === 'keep');
  const remove = first.data?.find(({ action }) => action === 'remove');
  const place = (copy: { library: string; rel_path: string } | undefined) => visibleName(copy ? `…/${copy.library}/${copy.rel_path}` : '…');
  return (
    <pre className={s.code}>
      {scriptHead(plan)}
      {`hold '${place(keep)}' \\\n     '${place(remove)}' sha256\n`}
      {plan.removed > 1 && `# … ${formatCount(plan.removed - 1)} more`}
    </pre>
  );
}
