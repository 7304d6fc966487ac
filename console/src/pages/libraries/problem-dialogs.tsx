import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RotateCcw, CircleCheck, CircleX, Info, TriangleAlert } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { ExtractError, Library } from '../../api/types.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import s from './dialogs.module.css';

const KINDS: Record<string, { title: string; advice: string }> = {
  guard: {
    title: 'Held back by a limit, or locked',
    advice: 'Unlock them at the source, or raise the limit for this library, then retry.',
  },
  corrupt: { title: 'Damaged', advice: 'The file ends early or contradicts itself. A copy elsewhere may be whole.' },
  dependency: { title: 'A tool is missing', advice: 'The About page names the tool and what is lost without it.' },
  timeout: { title: 'Took too long', advice: 'Raise the time for this library, or leave them without text and preview.' },
};

function byKind(errors: ExtractError[]): [string, ExtractError[]][] {
  const groups = new Map<string, ExtractError[]>();
  for (const error of errors) {
    const kind = error.kind ?? 'corrupt';
    groups.set(kind, [...(groups.get(kind) ?? []), error]);
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length);
}

/** Files whose inside could not be read, by reason, with what helps. */
export function ErrorsDialog({
  library,
  onRetry,
  onClose,
}: {
  library: Library;
  /** Reads them all again; absent without the right to it. */
  onRetry: (() => void) | undefined;
  onClose: () => void;
}) {
  const errors = useQuery({ queryKey: ['library-errors', library.id], queryFn: () => catalog.libraryErrors(library.id) });
  // How many there are of a kind is known only when all of them are here.
  const all = errors.data !== undefined && errors.data.count === errors.data.items.length;
  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      title={`Files of ${library.name} that could not be read`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {errors.error ? (
        <ErrorState error={errors.error} retry={() => void errors.refetch()} />
      ) : !errors.data ? (
        <Loading what="the list" />
      ) : errors.data.items.length === 0 ? (
        <p className="t2">Every file could be read.</p>
      ) : (
        byKind(errors.data.items).map(([kind, list]) => (
          <section key={kind} className={s.group}>
            <h3 className="b">
              {KINDS[kind]?.title ?? kind} {all && <span className="muted">{pluralize(list.length, 'file')}</span>}
            </h3>
            <p className="t2 meta">{KINDS[kind]?.advice}</p>
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
          The first {pluralize(errors.data.items.length, 'file')} of {formatCount(errors.data.count)}.{' '}
          <TextLink href={`#/?library=${library.id}&q=has%3Aerror`}>Search them all</TextLink>
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

/** How a library is doing, finding by finding, each with what helps. */
export function DiagnoseDialog({ library, onClose }: { library: Library; onClose: () => void }) {
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
