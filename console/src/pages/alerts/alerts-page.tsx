import { useQuery } from '@tanstack/react-query';
import { BellOff, Plus } from 'lucide-react';
import { useState } from 'react';
import * as api from '../../api/alerts.ts';
import type { AlertRule } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { t } from '../../language/text.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import s from './alerts-page.module.css';
import { ChannelsCard } from './channels-card.tsx';
import { FiringCard } from './firing-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { RuleDrawer } from './rule-drawer.tsx';
import { RulesCard } from './rules-card.tsx';
import { SilenceDialog, SilencesCard } from './silences-card.tsx';

const REFRESH_MS = 15_000;

/** What fires, what has fired, and, for administrators, the rules, silences and channels behind it. */
export default function AlertsPage() {
  const { can } = useSession();
  const admin = can('admin');
  const firing = useQuery({ queryKey: ['alerts', 'firing'], queryFn: () => api.alerts({ state: 'firing' }), refetchInterval: REFRESH_MS });
  const rules = useQuery({ queryKey: ['alert-rules'], queryFn: api.alertRules, enabled: admin, refetchInterval: REFRESH_MS });
  const [edited, setEdited] = useState<AlertRule | 'new' | null>(null);
  const [silencing, setSilencing] = useState(false);
  useKeys(admin ? { n: () => setEdited('new') } : {});
  const lead = firing.data
    ? t('{firing} firing, {resolved_last_week} resolved in the last 7 days', {
        firing: firing.data.firing,
        resolved_last_week: firing.data.resolved_last_week,
      })
    : t('Loading alerts…');
  return (
    <Page
      title={t('Alerts')}
      lead={lead}
      actions={
        admin && (
          <>
            <Button size="l" onClick={() => setSilencing(true)}>
              <BellOff size={16} aria-hidden />
              {t('Silence all…')}
            </Button>
            <Button size="l" variant="primary" onClick={() => setEdited('new')}>
              <Plus size={16} aria-hidden />
              {t('New rule')}
            </Button>
          </>
        )
      }
    >
      <div className={admin ? s.columns : undefined}>
        <div className="col g4">
          <FiringCard query={firing} admin={admin} rules={rules.data?.filter(({ enabled }) => enabled).length ?? null} />
          <HistoryCard />
        </div>
        {admin && (
          <div className="col g4">
            <RulesCard rules={rules.data} error={rules.error} onEdit={setEdited} />
            <SilencesCard rules={rules.data ?? []} />
            <ChannelsCard />
          </div>
        )}
      </div>
      {edited !== null && <RuleDrawer rule={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {silencing && <SilenceDialog rules={rules.data ?? []} onClose={() => setSilencing(false)} />}
    </Page>
  );
}
