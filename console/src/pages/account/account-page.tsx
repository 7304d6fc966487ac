import { LogOut } from 'lucide-react';
import { Button, TextLink } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { formatDate } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { signOut, useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';
import { ActivityCard } from './activity-card.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { IdentitiesCard } from './identities-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SecurityCard } from './security-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export default function AccountPage() {
  const { me, can, status } = useSession();
  return (
    <Page
      title={t('Account')}
      lead={
        me
          ? t('{username} · {role} · member since {date}', {
              username: me.username,
              role: me.global_role,
              date: formatDate(me.created_at),
            })
          : t('Sign-in is turned off. Anyone who can reach this address has full access.')
      }
      actions={
        <>
          <TextLink href="/docs/">{t('Manual')}</TextLink>
          <TextLink href="/api/docs">{t('API reference')}</TextLink>
          {me && (
            <Button onClick={() => void signOut()}>
              <LogOut size={16} aria-hidden />
              {t('Sign out')}
            </Button>
          )}
        </>
      }
    >
      <div className={s.cards}>
        <div className={s.column}>
          <ProfileCard me={me} />
          {me && <IdentitiesCard me={me} />}
          {me?.auth_provider === 'local' && <SecurityCard />}
        </div>
        <div className={s.column}>
          {me && <SessionsCard />}
          {(can('admin') || status.mode === 'disabled') && <ApiKeysCard />}
          {me && <ActivityCard />}
        </div>
      </div>
    </Page>
  );
}
