import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const agentChecks: Check[] = [
  {
    name: 'every library of an agent belongs to a known agent',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The library "%s" belongs to the agent %s, which does not exist.', name, source_agent_id) as sentence
          from libraries where source_agent_id is not null and not exists (select from agents a where a.id = source_agent_id)`,
      ),
  },
];
