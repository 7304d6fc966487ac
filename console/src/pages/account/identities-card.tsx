import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Building2, KeyRound } from 'lucide-react';
import * as people from '../../api/people.ts';
import type { Principal } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { toast } from '../../components/toast.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';

/** How this person can sign in. */
export function IdentitiesCard({ me }: { me: Principal }) {
  const client = useQueryClient();
  const { status } = useSession();
  const identities = useQuery({ queryKey: ['identities'], queryFn: people.identities });
  const connect = useMutation({ mutationFn: people.connectProvider, onSuccess: (url) => location.assign(url) });
  const disconnect = useMutation({
    mutationFn: people.disconnectIdentity,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['identities'] });
      toast(t('Identity disconnected'));
    },
  });
  return (
    <Card title={t('Identities')}>
      <ErrorNote error={identities.error ?? connect.error ?? disconnect.error} />
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
              aria-label={t('Disconnect {hostOf}', { hostOf: hostOf(identity.issuer) })}
              onClick={() => disconnect.mutate(identity.id)}
              disabled={disconnect.isPending}
            >
              {t('Disconnect')}
            </Button>
          </li>
        ))}
        {me.auth_provider === 'local' && (
          <li>
            <KeyRound size={16} aria-hidden />
            <div className="grow">
              <div className="m5">{t('Password')}</div>
              <div className="meta muted">{t('Works even when a provider cannot be reached.')}</div>
            </div>
          </li>
        )}
      </ul>
      {status.oidc_providers.map(({ name, label }) => (
        <Button key={name} size="s" onClick={() => connect.mutate(name)} disabled={connect.isPending}>
          {t('Connect with {label}', { label })}
        </Button>
      ))}
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
