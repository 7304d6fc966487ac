import { CircleX } from 'lucide-react';
import { Problem, ServerAway, sentence } from '../api/problem.ts';
import { Note } from './status.tsx';

/** What the service said no to, beside the thing it is about; nothing while there is nothing to say. */
export function Refusal({ error, kept = false }: { error: unknown; kept?: boolean }) {
  if (!error) return null;
  return (
    <Note tone="danger" icon={CircleX} live>
      {sentence(error)}
      {kept && error instanceof ServerAway && ' What you typed is kept; try again in a moment.'}
    </Note>
  );
}

/** What is left of a refusal when some fields show their part of it themselves. */
export function withoutFields(error: unknown, shown: ReadonlySet<string>): unknown {
  if (!(error instanceof Problem) || error.errors.length === 0) return error;
  const here = new Set([...shown].map((name) => error.field(name)));
  const rest = error.errors.filter((one) => !here.has(one.msg));
  return rest.length === 0 ? null : new Problem(error.status, { ...error.body, errors: rest });
}
