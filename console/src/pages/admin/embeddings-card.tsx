import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, LoaderCircle, Pause, TriangleAlert } from 'lucide-react';
import * as operations from '../../api/operations.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatBytes, formatDuration } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';

/** How far the embedding of files has come, and a switch to pause it. */
export function EmbeddingsCard() {
  const client = useQueryClient();
  const state = useQuery({ queryKey: ['embeddings'], queryFn: operations.embeddings, refetchInterval: 5000 });
  const pause = useMutation({
    mutationFn: operations.pauseEmbeddings,
    onSuccess: (result) => client.setQueryData(['embeddings'], result),
  });
  const { data } = state;
  if (!data?.enabled) return state.error ? <ErrorNote error={state.error} /> : null;
  const { embedded, pending, passages, failed, paused, error, download, items_per_second: rate, remaining_seconds: remaining } = data;
  const busy = pending + passages.pending > 0 && !paused;
  const passageCount = passages.embedded + passages.pending;
  return (
    <Card
      title={t('Search by meaning')}
      aside={
        <Button onClick={() => pause.mutate(!paused)} disabled={pause.isPending}>
          {paused ? t('Continue') : t('Pause')}
        </Button>
      }
    >
      <ErrorNote error={pause.error} />
      <p className="row g2 wrap" style={{ minHeight: 32 }}>
        <StatusText
          tone={error ? 'danger' : paused ? 'idle' : busy ? 'active' : 'ok'}
          icon={error ? TriangleAlert : paused ? Pause : busy ? LoaderCircle : CircleCheck}
        >
          {error
            ? t('Not working')
            : paused
              ? t('Paused')
              : busy
                ? pending > 0
                  ? t('Embedding files')
                  : t('Embedding passages')
                : t('Up to date')}
        </StatusText>
        <span className="t2">
          {t('{done} of {total|# file|# files}', { done: embedded, total: embedded + pending })}
          {passageCount > 0 && `, ${t('{done} of {total|# passage|# passages}', { done: passages.embedded, total: passageCount })}`}
          {busy && remaining !== null && ` · ${t('about {remaining} left', { remaining: formatDuration(remaining) })}`}
          {busy && rate !== null && ` · ${t('{rate} a second', { rate })}`}
        </span>
        {failed > 0 && <span className="t2">{t('{failed|# file|# files} could not be embedded', { failed })}</span>}
      </p>
      {download && (
        <p className="t2">
          {t('Downloading the model: {received} of {total}', {
            received: formatBytes(download.received),
            total: formatBytes(download.total),
          })}
        </p>
      )}
      {error && <p className="t2">{error}</p>}
    </Card>
  );
}
