import { Checkbox, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import s from './agents-tab.module.css';

/** Issues an enrolment token and shows the command that uses it. The token is shown only here. */
export function AddAgentDialog({ onClose }: { onClose: () => void }) {
  const [approval, setApproval] = useState(false);
  const issue = useMutation({ mutationFn: () => fleet.issueToken({ requires_approval: approval }) });
  const command = issue.data && `catalog-agent enrol --url ${window.location.origin} --token ${issue.data.token} --root /path/to/files`;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Add an agent')}
      size={640}
      closeButtonProps={{ 'aria-label': t('Close') }}
      closeOnClickOutside={false}
    >
      {command ? (
        <>
          <p>
            {t('Run this on the other machine before {expires_at}, with the folder it should report. It works once.', {
              expires_at: formatDateTime(issue.data.expires_at),
            })}
          </p>
          <span className={s.command}>
            <code className="mono anywhere">{command}</code>
            <CopyButton text={command} label={t('Copy the command')} />
          </span>
          <p className="t2">
            {rich('Then start it with <code>catalog-agent run</code>.', { code: (text) => <code className="mono">{text}</code> })}
            {approval ? ` ${t('It appears here and waits for your approval.')}` : ''}
          </p>
        </>
      ) : (
        <div className="col g4">
          <p>{t('A token lets one machine enrol. It is shown once and expires by itself.')}</p>
          <Checkbox
            label={t('Ask me before the machine can report files')}
            checked={approval}
            onChange={(event) => setApproval(event.currentTarget.checked)}
          />
          <ErrorNote error={issue.error} />
          <span className={s.buttons}>
            <Button variant="primary" onClick={() => issue.mutate()} disabled={issue.isPending}>
              {t('Create token')}
            </Button>
          </span>
        </div>
      )}
    </Modal>
  );
}
