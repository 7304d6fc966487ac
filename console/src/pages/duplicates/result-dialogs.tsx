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
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { visibleName } from '../../format/paths.ts';
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
      title={`Review ${pluralize(plan.removed, 'file')} to remove`}
      confirm="I have reviewed the plan"
      facts={[
        { label: 'Frees', value: formatBytes(plan.frees) },
        { label: 'Files kept', value: formatCount(plan.kept) },
        { label: 'Files to remove that have tags or notes', value: formatCount(plan.annotated) },
      ]}
      onConfirm={async () => {
        client.setQueryData(['duplicates', 'plan'], await api.reviewPlan(plan.digest));
        reviewed.current = true;
      }}
      onClose={() => (reviewed.current ? onReviewed() : onClose())}
    >
      Open the groups, or export the plan, to see every file. Only proven copies are part of the script. Tags and notes of a removed file
      stay with its record, and the catalog offers to attach them to the kept copy after the next scan.
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
      closeButtonProps={{ 'aria-label': 'Close' }}
      size={720}
      title={`Script for ${pluralize(plan.removed, 'file')}, ${formatBytes(plan.frees)}`}
    >
      <p className="t2">
        Run it on the machine that holds the files. Before each file it checks that the kept copy still has the same content. Files go to a
        holding folder, so you can undo everything.
      </p>
      <div className={s.choose}>
        <Segmented
          label="Result"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'shell', label: 'Shell' },
            { value: 'csv', label: 'CSV list' },
          ]}
        />
        {kind === 'shell' && (
          <Segmented
            label="Paths"
            value={paths}
            onChange={setPaths}
            options={[
              { value: 'server', label: 'Paths of this server' },
              { value: 'native', label: 'Native paths' },
            ]}
          />
        )}
        <span className="grow" />
        {plan.reviewed_at && (
          <span className={s.small}>
            Reviewed by {plan.reviewed_by}, {formatDateTime(plan.reviewed_at)}
          </span>
        )}
      </div>
      {kind === 'shell' ? (
        <Sample plan={plan} />
      ) : (
        <p className="t2">One row per copy with what the plan does to it, sampled groups included, for your own tools.</p>
      )}
      <Note tone="idle" icon={ShieldCheck}>
        Stops at the first file that differs from the plan and prints which one. A dry run with <code className="mono">--check</code>{' '}
        changes nothing, and <code className="mono">--undo</code> moves everything back.
      </Note>
      <div className={s.dialogButtons}>
        <Button onClick={onBack}>Back to review</Button>
        <ButtonLink
          variant="primary"
          href={kind === 'shell' ? `/api/v1/duplicates/script?paths=${paths}` : '/api/v1/duplicates/plan/list?format=csv'}
          download={kind === 'shell' ? `cleanup-plan-${plan.number}.sh` : 'cleanup-plan.csv'}
        >
          <Download size={16} aria-hidden />
          {kind === 'shell' ? 'Download script' : 'Download list'}
        </ButtonLink>
      </div>
    </Modal>
  );
}

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
      {`# Catalog cleanup plan ${plan.number}. ${pluralize(plan.removed, 'file')}. Nothing is deleted.\n`}
      {`hold '${place(keep)}' \\\n     '${place(remove)}' sha256\n`}
      {plan.removed > 1 && `# … ${formatCount(plan.removed - 1)} more`}
    </pre>
  );
}
