import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';

type Identity = Awaited<ReturnType<typeof people.identities>>[number];

/** How this person can sign in. */
export function IdentitiesCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const { status } = useSession();
  const identities = useQuery({ queryKey: ['identities'], queryFn: people.identities });
  const connect = useMutation({ mutationFn: people.connectProvider, onSuccess: (url) => location.assign(url) });
  const [leaving, setLeaving] = useState<Identity | null>(null);
  return (
    <Card
      title={
        <h2 className="h3">
          {t('Identities')} <span className={s.count}>{t('How you can sign in')}</span>
        </h2>
      }
      aside={status.oidc_providers.map(({ name, label }) => (
        <Button key={name} size="s" onClick={() => connect.mutate(name)} disabled={connect.isPending}>
          <Plus size={16} aria-hidden />
          {t('Connect with {label}', { label })}
        </Button>
      ))}
    >
      <ErrorNote error={identities.error ?? connect.error} />
      <ul className={s.rows} data-list>
        {identities.data?.map((identity) => (
          <li key={identity.id}>
            <Building2 size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{hostOf(identity.issuer)}</div>
              <div className="meta muted">
                {t('{name} · connected {created_at} · last used {last_used_at}', {
                  name: identity.name,
                  created_at: formatRecent(identity.created_at),
                  last_used_at: formatRecent(identity.last_used_at),
                })}
              </div>
            </div>
            <Button
              size="s"
              variant="danger"
              aria-label={t('Disconnect {hostOf}', { hostOf: hostOf(identity.issuer) })}
              onClick={() => setLeaving(identity)}
            >
              {t('Disconnect…')}
            </Button>
          </li>
        ))}
        {me.auth_provider === 'local' && (
          <li>
            <KeyRound size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{t('Password')}</div>
              <div className="meta muted">
                {me.global_role === 'admin'
                  ? t('Administrators keep one in case the organisation cannot be reached.')
                  : t('Works even when a provider cannot be reached.')}
              </div>
            </div>
            <span className="meta muted">{t('Always on')}</span>
          </li>
        )}
      </ul>
      <ConfirmDialog
        opened={leaving !== null}
        title={t('Disconnect {name}?', { name: leaving && hostOf(leaving.issuer) })}
        confirm={t('Disconnect')}
        danger
        onConfirm={async () => {
          if (!leaving) return;
          await people.disconnectIdentity(leaving.id);
          await client.invalidateQueries({ queryKey: ['identities'] });
          toast(t('Identity disconnected'));
        }}
        onClose={() => setLeaving(null)}
      >
        {t('You can no longer sign in with it, and the role and groups that it gave you end. Your account, tags and notes stay.')}
      </ConfirmDialog>
      {me.role_source !== 'local' && (
        <p className="meta muted">
          {me.role_reason
            ? t('Your role comes from your provider: {reason}.', { reason: me.role_reason })
            : t('Your role comes from your provider.')}
        </p>
      )}
    </Card>
  );
}

function hostOf(issuer: string): string {
  return URL.parse(issuer)?.host ?? issuer;
}
