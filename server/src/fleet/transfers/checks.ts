import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const transferChecks: Check[] = [
  {
    name: 'a transfer belongs to the agent of its item, and a staged one is complete',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The transfer %s is %s, but %s.', t.id, t.state,
            case when l.source_agent_id is distinct from t.agent_id then 'its item belongs to another agent' else 'bytes are missing' end) as sentence
          from agent_transfers t join items i on i.id = t.item_id join libraries l on l.id = i.library_id
          where l.source_agent_id is distinct from t.agent_id or (t.state = 'staged' and t.bytes_transferred is distinct from t.total_bytes)`,
      ),
  },
];
