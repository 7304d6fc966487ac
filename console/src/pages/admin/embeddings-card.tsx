import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, LoaderCircle, Pause, TriangleAlert } from 'lucide-react';
import * as operations from '../../api/operations.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusText } from '../../components/status.tsx';
import { formatBytes, formatCount, formatDuration, pluralize } from '../../format/numbers.ts';

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
      title="Search by meaning"
      aside={
        <Button onClick={() => pause.mutate(!paused)} disabled={pause.isPending}>
          {paused ? 'Continue' : 'Pause'}
        </Button>
      }
    >
      <ErrorNote error={pause.error} />
      <p className="row g2 wrap" style={{ minHeight: 32 }}>
        <StatusText
          tone={error ? 'danger' : paused ? 'idle' : busy ? 'active' : 'ok'}
          icon={error ? TriangleAlert : paused ? Pause : busy ? LoaderCircle : CircleCheck}
        >
          {error ? 'Not working' : paused ? 'Paused' : busy ? (pending > 0 ? 'Embedding files' : 'Embedding passages') : 'Up to date'}
        </StatusText>
        <span className="t2">
          {formatCount(embedded)} of {pluralize(embedded + pending, 'file')}
          {passageCount > 0 && `, ${formatCount(passages.embedded)} of ${pluralize(passageCount, 'passage')}`}
          {busy && remaining !== null && ` · about ${formatDuration(remaining)} left`}
          {busy && rate !== null && ` · ${formatCount(rate)} a second`}
        </span>
        {failed > 0 && <span className="t2">{pluralize(failed, 'file')} could not be embedded</span>}
      </p>
      {download && (
        <p className="t2">
          Downloading the model: {formatBytes(download.received)} of {formatBytes(download.total)}
        </p>
      )}
      {error && <p className="t2">{error}</p>}
    </Card>
  );
}
