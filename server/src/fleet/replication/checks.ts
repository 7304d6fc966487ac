import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const replicationChecks: Check[] = [
  {
    name: 'what an agent has read is stored for files of agents only',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The file %s in "%s" is not on the machine of an agent, but its facts come from one.', i.id, l.name) as sentence
          from items i join libraries l on l.id = i.library_id where i.extracted_key like 'agent-%' and l.source_agent_id is null`,
      ),
  },
];
