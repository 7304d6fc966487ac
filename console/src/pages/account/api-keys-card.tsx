import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import * as people from '../../api/people.ts';
import { errorMessage } from '../../api/problem.ts';
import type { ApiKey } from '../../api/types.ts';
import { formatDate, timeAgo } from '../../format/dates.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Card } from '../../components/page.tsx';
import s from './account-page.module.css';
import { NewKeyDialog } from './new-key.tsx';

/** Keys for scripts and other programs. The key itself is shown once. */
export function ApiKeysCard() {
  const client = useQueryClient();
  const keys = useQuery({ queryKey: ['api-keys'], queryFn: people.apiKeys });
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: ['api-keys'] });
  return (
    <Card
      title="API keys"
      aside={
        <Button size="s" onClick={() => setMaking(true)}>
          <Plus size={16} aria-hidden />
          New key
        </Button>
      }
    >
      {keys.error && <p role="alert">{errorMessage(keys.error)}</p>}
      {keys.data?.length === 0 && (
        <p className="muted" style={{ marginTop: 8 }}>
          No key yet. A script signs in with one.
        </p>
      )}
      <ul className={s.rows} data-list>
        {keys.data?.map((key) => (
          <li key={key.id}>
            <KeyRound size={16} aria-hidden />
            <div className="grow">
              <div className="m5">
                {key.name} <code className="mono muted">{key.prefix}…</code>
              </div>
              <div className="meta muted">
                {key.scopes.join(', ')} · {key.last_used_at ? `used ${timeAgo(key.last_used_at)}` : 'never used'} ·{' '}
                {key.expires_at ? `until ${formatDate(key.expires_at)}` : 'no end date'}
              </div>
            </div>
            <Button size="s" variant="danger" onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {making && (
        <NewKeyDialog
          title="New API key"
          onClose={() => {
            setMaking(false);
            void refresh();
          }}
        />
      )}
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revoke key “${revoking?.name}”?`}
        confirm="Revoke key"
        danger
        onConfirm={async () => {
          await people.revokeApiKey(revoking!.id);
          await refresh();
        }}
        onClose={() => setRevoking(null)}
      >
        Programs that use it are turned away at once. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
