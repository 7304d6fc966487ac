import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { SourceAgentRow } from './store.ts';
import { type DiagnosisVerdict, verdict } from './verdict.ts';

export interface FailedJob {
  id: string;
  task: string;
  finished_at: Date | null;
  error: string | null;
}

const shownJobs = 5;

/** The newest failed jobs of a library. */
export async function failedJobs(db: Db, libraryId: string): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`select id, task, finished_at, left(error, 500) as error from jobs
    where state = 'failed' and place = ${libraryId} order by finished_at desc nulls last, id desc limit ${shownJobs}`.execute(db);
  return rows;
}

export function jobVerdicts(failed: readonly FailedJob[]): DiagnosisVerdict[] {
  const [newest] = failed;
  if (!newest) return [];
  return [
    verdict('warning', 'failed-jobs', 'Background jobs failed', newest.error ?? 'No reason was recorded.', [
      'Open the list of jobs, and retry those that failed.',
    ]),
  ];
}

/** An agent sends a heartbeat every minute or so; one that was silent for this long is switched off or cannot connect. */
const silentMs = 3_600_000;

export function agentVerdicts(agent: SourceAgentRow | undefined, now: Date): DiagnosisVerdict[] {
  const owned = verdict('info', 'agent-owned', 'On another machine', 'An agent scans this library on another machine.', [
    'Check the agent.',
  ]);
  if (!agent) return [owned];
  if (agent.status === 'revoked')
    return [
      verdict('error', 'agent-revoked', 'The agent was revoked', 'Changes on its machine no longer reach the catalog.', [
        'Enrol the machine again, or delete the library.',
      ]),
    ];
  if (agent.last_seen_at === null || now.getTime() - agent.last_seen_at.getTime() > silentMs)
    return [
      verdict('error', 'agent-silent', 'The agent does not report', 'It has not reported for more than an hour.', [
        'Check that the machine is on and the agent is running.',
      ]),
    ];
  return [owned];
}
