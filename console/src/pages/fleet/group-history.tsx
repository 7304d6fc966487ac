import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as fleet from '../../api/fleet.ts';
import type { ConfigGroup } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { useCloseHere } from '../../components/use-on-page.ts';
import { formatDateTime } from '../../format/dates.ts';
import { serverText, t } from '../../language/text.ts';
import s from './group-dialog.module.css';
import { GroupReview } from './group-review.tsx';
import { PolicyDiff } from './policy-diff.tsx';
import { changesBetween } from './policy-values.ts';

/** Every version of a group with what it changed; an earlier one can be restored, at once or in steps. */
export function GroupHistory({ group, ...props }: { group: ConfigGroup; onClose: () => void }) {
  const onClose = useCloseHere(props.onClose);
  const client = useQueryClient();
  const versions = useQuery({ queryKey: ['agents', 'history', group.id], queryFn: () => fleet.groupHistory(group.id) });
  const [restoring, setRestoring] = useState<number | null>(null);
  const chosen = versions.data?.find(({ version }) => version === restoring);
  const title = chosen
    ? t('Go back to version {version} of {name}', { version: chosen.version, name: group.name })
    : t('History of {name}', { name: group.name });
  return (
    <Modal opened onClose={onClose} title={title} size={640} closeButtonProps={{ 'aria-label': t('Close') }}>
      {chosen ? (
        <GroupReview
          group={group}
          policy={chosen.policy}
          save={(options) => fleet.rollBackGroup(group.id, { version: chosen.version, ...options })}
          onSaved={async () => {
            toast(t('Version restored'));
            onClose();
            await client.invalidateQueries({ queryKey: ['agents'] });
          }}
          onBack={() => setRestoring(null)}
        />
      ) : (
        <>
          <ErrorNote error={versions.error} />
          {!versions.data && !versions.error && <Loading what={t('versions')} />}
          <ol className={s.versions}>
            {versions.data?.map(({ version, note, actor, created_at, policy }, at) => (
              <li key={version}>
                <div className={s.versionHead}>
                  <span className="grow">
                    <strong>{t('Version {version}', { version })}</strong>{' '}
                    <span className="t2">
                      {formatDateTime(created_at)}
                      {actor ? ` ${t('by {actor}', { actor })}` : ''}
                    </span>
                  </span>
                  {version === group.current_version ? (
                    <span className="muted">{t('current')}</span>
                  ) : (
                    <Button size="s" onClick={() => setRestoring(version)} aria-label={t('Restore version {version}', { version })}>
                      {t('Restore…')}
                    </Button>
                  )}
                </div>
                {note && <p>{serverText(note)}</p>}
                <PolicyDiff changes={changesBetween(versions.data[at + 1]?.policy ?? {}, policy)} />
              </li>
            ))}
          </ol>
        </>
      )}
    </Modal>
  );
}
