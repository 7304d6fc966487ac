import { useParams } from 'wouter';
import { ButtonLink } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useSession } from '../../shell/session.tsx';
import { AgentsTab } from '../fleet/agents-tab.tsx';
import { AboutTab } from './about-tab.tsx';
import s from './admin-page.module.css';
import { AuditTab } from './audit-tab.tsx';
import { BackupsTab } from './backups/backups-tab.tsx';
import { GrantsTab } from './grants-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import { ProvidersTab } from './providers-tab.tsx';
import { RolesTab } from './roles-tab.tsx';
import { ServiceAccountsCard } from './service-accounts-card.tsx';
import { SessionCard } from './session-card.tsx';
import { SharesTab } from './shares-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const TABS = ['people', 'roles', 'groups', 'rules', 'sign-in', 'agents', 'shares', 'backups', 'audit', 'about'] as const;
type TabName = (typeof TABS)[number];

export default function AdminPage() {
  const { tab: requested } = useParams<{ tab?: string }>();
  const { can } = useSession();
  const tab = (TABS as readonly string[]).includes(requested ?? '') ? (requested as TabName) : 'people';
  if (!can('admin'))
    return (
      <EmptyState wholePage title={t('Administrators only')} actions={<ButtonLink href="#/">{t('Go to search')}</ButtonLink>}>
        {t('Ask an administrator if you need access to this page.')}
      </EmptyState>
    );
  return (
    <Page
      title={t('Admin')}
      lead={t('People, permissions, backups and the audit log.')}
      actions={
        <>
          <ButtonLink href="#/taxonomy">{t('File types')}</ButtonLink>
          <ButtonLink href="#/presets">{t('Presets')}</ButtonLink>
          <ButtonLink href="#/fields">{t('Fields')}</ButtonLink>
        </>
      }
    >
      <Tabs<TabName>
        label={t('Administration')}
        value={tab}
        onChange={(next) => navigate(`/admin/${next}`, { replace: true })}
        className={s.tabs}
        tabs={[
          { value: 'people', label: t('People') },
          { value: 'roles', label: t('Roles') },
          { value: 'groups', label: t('Groups') },
          { value: 'rules', label: t('Rules') },
          { value: 'sign-in', label: t('Sign-in') },
          { value: 'agents', label: t('Agents') },
          { value: 'shares', label: t('Shares') },
          { value: 'backups', label: t('Backups') },
          { value: 'audit', label: t('Audit log') },
          { value: 'about', label: t('About') },
        ]}
      >
        {tab === 'people' && (
          <div className="col g4">
            <UsersTab />
            <ServiceAccountsCard />
          </div>
        )}
        {tab === 'roles' && (
          <div className="col g4">
            <RolesTab />
            <SessionCard />
          </div>
        )}
        {tab === 'groups' && <GroupsTab />}
        {tab === 'rules' && <GrantsTab />}
        {tab === 'sign-in' && <ProvidersTab />}
        {tab === 'agents' && <AgentsTab />}
        {tab === 'shares' && <SharesTab />}
        {tab === 'backups' && <BackupsTab />}
        {tab === 'audit' && <AuditTab />}
        {tab === 'about' && <AboutTab />}
      </Tabs>
    </Page>
  );
}
