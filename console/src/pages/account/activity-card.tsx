import { useQuery } from '@tanstack/react-query';
import * as people from '../../api/people.ts';
import { TextLink } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { useSession } from '../../shell/session.tsx';
import s from './account-page.module.css';
import { deviceName, methodName } from './device-name.ts';

type Activity = Awaited<ReturnType<typeof people.activity>>[number];

/** What this person did lately, with a link to everything for administrators. */
export function ActivityCard() {
  const { can } = useSession();
  const activity = useQuery({ queryKey: ['activity'], queryFn: people.activity });
  return (
    <Card title={t('Recent activity')} aside={can('admin') && <TextLink href="#/admin/audit">{t('Audit log')}</TextLink>}>
      <ErrorNote error={activity.error} />
      {!activity.data && !activity.error && <Loading what={t('activity')} />}
      {activity.data?.length === 0 && <p className="muted">{t('Nothing yet.')}</p>}
      <ul className={s.activity} data-list>
        {activity.data?.map((row) => (
          <li key={`${row.at} ${row.event}`}>
            <span className="meta muted">{formatRecent(row.at)}</span>
            <span>{sentenceOf(row)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const SENTENCES: Record<string, string> = {
  bootstrap: t('Set up this catalog'),
  invitation_accepted: t('Accepted the invitation'),
  logout: t('Signed out'),
  password_change: t('Changed the password'),
  profile_updated: t('Changed the profile'),
  session_revoked: t('Signed out other devices'),
  identity_linked: t('Connected an identity'),
  identity_unlinked: t('Disconnected an identity'),
  passkey_added: t('Added a passkey'),
  passkey_removed: t('Removed a passkey'),
  totp_enabled: t('Set up an authenticator app'),
  recovery_code_used: t('Used a recovery code'),
  recovery_codes_replaced: t('Made new recovery codes'),
  grant_created: t('Added a rule'),
  grant_deleted: t('Deleted a rule'),
};

function sentenceOf({ event, method, name, ip_address, user_agent }: Activity): string {
  const values = { method: methodName(method), device: deviceName(user_agent), address: ip_address };
  if (event === 'login_failure') return t('Failed sign-in with {method}, {device}, {address}', values);
  if (event === 'lockout') return t('Sign-in was paused after failed attempts from {address}', values);
  if (event === 'login_success' || event.endsWith('_login')) return t('Signed in with {method}, {device}, {address}', values);
  if (event === 'api_key_minted') return t('Created the API key {name}', { name });
  if (event === 'api_key_revoked') return t('Revoked the API key {name}', { name });
  if (event === 'user_created') return t('Created the account {name}', { name });
  if (event === 'user_deleted') return t('Deleted the account {name}', { name });
  if (event === 'user_invited') return t('Invited a person');
  return SENTENCES[event] ?? event;
}
