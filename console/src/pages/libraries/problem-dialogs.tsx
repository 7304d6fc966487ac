import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Info, RotateCcw, TriangleAlert } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { ExtractError, Library } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { formatCount, pluralize } from '../../format/numbers.ts';
import s from './dialogs.module.css';

const REASONS: Record<string, { title: string; advice: string }> = {
  guard: {
    title: 'Above a limit or password-protected',
    advice: 'Remove the password or raise the limit for this library, then retry.',
  },
  corrupt: { title: 'Damaged', advice: 'The file is incomplete or invalid. Restore it from a backup, then retry.' },
  dependency: { title: 'Missing tool', advice: 'See Admin, About for the tools that are not installed.' },
  timeout: { title: 'Timed out', advice: 'Raise the time limit for this library, then retry.' },
};

function byKind(errors: ExtractError[]): [string, ExtractError[]][] {
  const groups = new Map<string, ExtractError[]>();
  for (const error of errors) {
    const kind = error.kind ?? 'corrupt';
    groups.set(kind, [...(groups.get(kind) ?? []), error]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

/** Files whose contents could not be read, grouped by reason, with advice. */
export function ErrorsDialog({
  library,
  onRetry,
  onClose,
}: {
  library: Library;
  /** Retries all files; undefined without write permission. */
  onRetry: (() => void) | undefined;
  onClose: () => void;
}) {
  const errors = useQuery({ queryKey: ['library-errors', library.id], queryFn: () => catalog.libraryErrors(library.id) });
  // Counts per group are correct only if all errors were loaded.
  const all = errors.data !== undefined && errors.data.count === errors.data.items.length;
  return (
    <Modal opened onClose={onClose} size={720} title={`Unreadable files in ${library.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      {errors.error ? (
        <ErrorState error={errors.error} retry={() => void errors.refetch()} />
      ) : !errors.data ? (
        <Loading what="files" />
      ) : errors.data.items.length === 0 ? (
        <p className="t2">All files could be read.</p>
      ) : (
        byKind(errors.data.items).map(([kind, list]) => (
          <section key={kind} className={s.group}>
            <h3 className="b">
              {REASONS[kind]?.title ?? kind} {all && <span className="muted">{pluralize(list.length, 'file')}</span>}
            </h3>
            <p className="t2 meta">{REASONS[kind]?.advice}</p>
            <ul className={s.files} data-list>
              {list.map((error) => (
                <li key={error.id}>
                  <TextLink href={`#/item/${error.id}`} className="cut mono">
                    {error.rel_path}
                  </TextLink>
                  <span className="muted meta">{error.error}</span>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
      {errors.data && errors.data.count > errors.data.items.length && (
        <p className="muted" style={{ marginTop: 12 }}>
          Showing {formatCount(errors.data.items.length)} of {pluralize(errors.data.count, 'file')}.{' '}
          <TextLink href={`#/?library=${library.id}&q=has%3Aerror`}>Show all in search</TextLink>
        </p>
      )}
      {errors.data && errors.data.items.length > 0 && onRetry && (
        <div className="row" style={{ justifyContent: 'flex-end', marginTop: 16 }}>
          <Button
            size="l"
            onClick={() => {
              onRetry();
              onClose();
            }}
          >
            <RotateCcw size={16} aria-hidden />
            Retry {pluralize(errors.data.count, 'file')}
          </Button>
        </div>
      )}
    </Modal>
  );
}

const SEVERITY = {
  ok: { tone: 'ok', icon: CircleCheck },
  info: { tone: 'idle', icon: Info },
  warning: { tone: 'warn', icon: TriangleAlert },
  error: { tone: 'danger', icon: CircleX },
} as const;

export function DiagnoseDialog({ library, onClose }: { library: Library; onClose: () => void }) {
  const diagnosis = useQuery({ queryKey: ['diagnose', library.id], queryFn: () => catalog.diagnoseLibrary(library.id), staleTime: 0 });
  return (
    <Modal opened onClose={onClose} size={640} title={`Diagnostics for ${library.name}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      {diagnosis.error ? (
        <ErrorState error={diagnosis.error} retry={() => void diagnosis.refetch()} />
      ) : !diagnosis.data ? (
        <Loading what="diagnostics" />
      ) : (
        <div className="col g2">
          {diagnosis.data.verdicts.map((verdict) => (
            <Note key={verdict.code} tone={SEVERITY[verdict.severity].tone} icon={SEVERITY[verdict.severity].icon}>
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
          {diagnosis.data.extract_errors.total > 0 && (
            <section style={{ marginTop: 8 }}>
              <h3 className="b">{pluralize(diagnosis.data.extract_errors.total, 'file')} could not be read</h3>
              <ul className="t2">
                {diagnosis.data.extract_errors.top_messages.map((row) => (
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
