import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX, Info, RotateCcw, TriangleAlert } from 'lucide-react';
import * as catalog from '../../api/catalog.ts';
import type { ExtractError, Library } from '../../api/types.ts';
import { Button, TextLink } from '../../components/button.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { Note } from '../../components/status.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { rich } from '../../language/rich.ts';
import { serverText, t } from '../../language/text.ts';
import s from './dialogs.module.css';

const REASONS: Record<string, { title: string; advice: string }> = {
  guard: {
    title: t('Above a limit or password-protected'),
    advice: t('Remove the password or raise the limit for this library, then retry.'),
  },
  corrupt: { title: t('Damaged'), advice: t('The file is incomplete or invalid. Restore it from a backup, then retry.') },
  dependency: { title: t('Missing tool'), advice: t('See Admin, About for the tools that are not installed.') },
  timeout: { title: t('Timed out'), advice: t('Raise the time limit for this library, then retry.') },
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
  /** Retries all files; undefined without write permission and for libraries of agents. */
  onRetry: (() => void) | undefined;
  onClose: () => void;
}) {
  const errors = useQuery({ queryKey: ['library-errors', library.id], queryFn: () => catalog.libraryErrors(library.id) });
  // Counts per group are correct only if all errors were loaded.
  const all = errors.data !== undefined && errors.data.count === errors.data.items.length;
  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      title={t('Unreadable files in {name}', { name: library.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {errors.error ? (
        <ErrorState error={errors.error} retry={() => void errors.refetch()} />
      ) : !errors.data ? (
        <Loading what={t('files')} />
      ) : errors.data.items.length === 0 ? (
        <p className="t2">{t('All files could be read.')}</p>
      ) : (
        byKind(errors.data.items).map(([kind, list]) => (
          <section key={kind} className={s.group}>
            <h3 className="b">
              {REASONS[kind]?.title ?? kind} {all && <span className="muted">{t('{n|# file|# files}', { n: list.length })}</span>}
            </h3>
            <p className="t2 meta">{REASONS[kind]?.advice}</p>
            <ul className={s.files} data-list>
              {list.map((error) => (
                <li key={error.id}>
                  <TextLink href={`#/item/${error.id}`} className="cut mono">
                    {error.rel_path}
                  </TextLink>
                  <span className="muted meta">{serverText(error.error)}</span>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
      {errors.data && errors.data.count > errors.data.items.length && (
        <p className="muted" style={{ marginTop: 12 }}>
          {rich('Showing {items} of {count|# file|# files}. <link>Show all in search</link>', {
            items: errors.data.items.length,
            count: errors.data.count,
            link: (text) => <TextLink href={`#/?library=${library.id}&q=has%3Aerror`}>{text}</TextLink>,
          })}
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
            {t('Retry {count|# file|# files}', { count: errors.data.count })}
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
    <Modal
      opened
      onClose={onClose}
      size={640}
      title={t('Diagnostics for {name}', { name: library.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {diagnosis.error ? (
        <ErrorState error={diagnosis.error} retry={() => void diagnosis.refetch()} />
      ) : !diagnosis.data ? (
        <Loading what={t('diagnostics')} />
      ) : (
        <div className="col g2">
          {diagnosis.data.verdicts.map((verdict) => (
            <Note key={verdict.code} tone={SEVERITY[verdict.severity].tone} icon={SEVERITY[verdict.severity].icon}>
              <div className="b">{serverText(verdict.title)}</div>
              <p className="t2 anywhere">{serverText(verdict.detail)}</p>
              {verdict.actions.length > 0 && (
                <ul className="t2">
                  {verdict.actions.map((action) => (
                    <li key={action}>{serverText(action)}</li>
                  ))}
                </ul>
              )}
            </Note>
          ))}
          {diagnosis.data.extract_errors.total > 0 && (
            <section style={{ marginTop: 8 }}>
              <h3 className="b">{t('{total|# file|# files} could not be read', { total: diagnosis.data.extract_errors.total })}</h3>
              <ul className="t2">
                {diagnosis.data.extract_errors.top_messages.map((row) => (
                  <li key={row.message} className="row g2" style={{ justifyContent: 'space-between' }}>
                    <span className="anywhere">{serverText(row.message)}</span>
                    <span className="num muted">{t('{n|# file|# files}', { n: row.count })}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {diagnosis.data.logs.length > 0 && (
            <section style={{ marginTop: 8 }}>
              <h3 className="b">{t('Warnings in the log')}</h3>
              <ul className="t2">
                {diagnosis.data.logs.map(({ ts, message }) => (
                  <li key={`${ts} ${message}`}>
                    <span className="num muted">{formatDateTime(ts)}</span> <span className="anywhere">{message}</span>
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
