import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { pluralize } from '../../format/numbers.ts';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';

const LOOKS = {
  ok: { tone: 'ok', icon: CircleCheck },
  info: { tone: 'idle', icon: Info },
  warning: { tone: 'warn', icon: TriangleAlert },
  error: { tone: 'danger', icon: CircleX },
} as const;

/** How a library is doing, finding by finding, each with what helps. */
export function CheckDialog({ library, onClose }: { library: Library; onClose: () => void }) {
  const found = useQuery({ queryKey: ['diagnose', library.id], queryFn: () => catalog.diagnoseLibrary(library.id), staleTime: 0 });
  return (
    <Modal opened onClose={onClose} size={640} title={`Check of ${library.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      {found.error ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : !found.data ? (
        <Loading what="the check" />
      ) : (
        <div className="col g2">
          {found.data.verdicts.map((verdict) => (
            <Note key={verdict.code} tone={LOOKS[verdict.severity].tone} icon={LOOKS[verdict.severity].icon}>
              <div className="b">{verdict.title}</div>
              <p className="t2 anywhere">{verdict.detail}</p>
              {verdict.actions.length > 0 && (
                <ul className="t2">
                  {verdict.actions.map((action) => (
                    <li key={action}>{action}</li>
                  ))}
                </ul>
              )}
            </Note>
          ))}
          {found.data.extract_errors.total > 0 && (
            <section style={{ marginTop: 8 }}>
              <h3 className="b">{pluralize(found.data.extract_errors.total, 'file')} could not be read</h3>
              <ul className="t2">
                {found.data.extract_errors.top_messages.map((row) => (
                  <li key={row.message} className="row g2" style={{ justifyContent: 'space-between' }}>
                    <span className="anywhere">{row.message}</span>
                    <span className="num muted">{pluralize(row.count, 'file')}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
    </Modal>
  );
}
