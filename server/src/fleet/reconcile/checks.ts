import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const reconcileChecks: Check[] = [
  {
    name: 'a comparison concerns a library of its own agent, at a change that was applied',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The comparison %s of the agent "%s" %s.', s.id, a.name, case when l.source_agent_id is distinct from s.agent_id
            then 'concerns a library of another agent' else 'began at a change that was never applied' end) as sentence
          from agent_reconcile_sessions s join agents a on a.id = s.agent_id join all_libraries l on l.id = s.library_id
          where l.source_agent_id is distinct from s.agent_id or s.seq_no > a.last_contiguous_seq_no`,
      ),
  },
];
