import { CircleCheck, CircleX } from 'lucide-react';
import type * as people from '../../api/people.ts';
import { formatRecent } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import s from './account-page.module.css';
import { deviceName, methodName } from './device-name.ts';

const RESULTS = { signed_in: t('Signed in'), failed: t('Failed'), locked_out: t('Locked out') } as const;
type SignIn = Awaited<ReturnType<typeof people.userSignIns>>[number];

/** Sign-ins and failed attempts of an account, for administrators. */
export function SignInList({ rows }: { rows: readonly SignIn[] }) {
  return (
    <ul className={s.rows} data-list>
      {rows.map((row) => (
        <li key={`${row.at} ${row.result}`}>
          {row.result === 'signed_in' ? <CircleCheck size={16} aria-hidden /> : <CircleX size={16} aria-hidden />}
          <div className="grow">
            <div className="m5">
              {t('{results} with {methodName}', { results: RESULTS[row.result], methodName: methodName(row.method) })}
            </div>
            <div className="meta muted">
              {formatRecent(row.at)} · {deviceName(row.user_agent)} · {row.ip_address}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
