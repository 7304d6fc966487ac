import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Activity, Search } from 'lucide-react';
import { useState } from 'react';
import { logs } from '../../api/operations.ts';
import { errorMessage } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatLogTime } from '../../format/dates.ts';
import { serverText, t } from '../../language/text.ts';
import s from './jobs-page.module.css';

/** A line of the log without details such as " (library_id=…)", which stay as they are. */
export const sentenceOf = (message: string): string => /^(.*?) \(\w+=.*\)$/s.exec(message)?.[1] ?? message;

type Level = 'info' | 'warning' | 'error';

/** The live log, with older lines on demand. */
export function LogCard() {
  const [level, setLevel] = useState<Level>('info');
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed.trim(), 200);
  const log = useInfiniteQuery({
    queryKey: ['logs', level, q],
    queryFn: ({ pageParam }) => logs({ min_level: level, q: q || undefined, limit: 100, ...(pageParam ? { before_id: pageParam } : {}) }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next_before_id ?? undefined,
    refetchInterval: 4_000,
    placeholderData: keepPreviousData,
  });
  const rows = log.data?.pages.flatMap((page) => page.logs) ?? [];
  const off = log.data?.pages[0]?.enabled === false;
  return (
    <Card
      title={
        <>
          <h2 className="h3">{t('Log')}</h2>
          {!off && (
            <StatusText tone="active" icon={Activity} className="meta">
              {t('Live')}
            </StatusText>
          )}
        </>
      }
      aside={
        <Segmented<Level>
          label={t('Log level')}
          value={level}
          onChange={setLevel}
          options={[
            { value: 'info', label: t('All') },
            { value: 'warning', label: t('Warnings') },
            { value: 'error', label: t('Errors') },
          ]}
        />
      }
    >
      <TextInput
        mt={8}
        size="sm"
        aria-label={t('Filter log')}
        placeholder={t('Filter by text, library or file')}
        leftSection={<Search size={14} aria-hidden />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {log.error && <p role="alert">{errorMessage(log.error)}</p>}
      {off && (
        <p className="muted" style={{ marginTop: 8 }}>
          {t('The log is not stored in the database. See the output of the server process.')}
        </p>
      )}
      <div className={s.log} data-list role="log" aria-label={t('Log lines')} tabIndex={0}>
        {rows.map((row) => {
          const line = (
            <>
              <span>{formatLogTime(row.ts)}</span>
              <span className={s.level} data-level={row.level}>
                <bdi>{row.level === 'warning' ? 'warn' : row.level}</bdi>
              </span>
              <span className="cut" title={row.logger}>
                <bdi>{row.logger.replace(/^(?:catalog|worker)\./, '')}</bdi>
              </span>
              <span className={s.message}>
                {serverText(sentenceOf(row.message))}
                <bdi>{row.message.slice(sentenceOf(row.message).length)}</bdi>
              </span>
            </>
          );
          return row.exc ? (
            <details key={row.id} data-row>
              <summary>{line}</summary>
              <pre>{row.exc}</pre>
            </details>
          ) : (
            <div key={row.id} className={s.row} data-row>
              {line}
            </div>
          );
        })}
        {log.data && rows.length === 0 && !off && <p className="muted">{t('No matching log lines.')}</p>}
        {log.hasNextPage && (
          <Button data-row size="s" variant="ghost" onClick={() => void log.fetchNextPage()} disabled={log.isFetchingNextPage}>
            {t('Load older lines')}
          </Button>
        )}
      </div>
    </Card>
  );
}
