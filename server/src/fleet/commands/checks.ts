import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const commandChecks: Check[] = [
  {
    name: 'a command concerns libraries of its own agent only',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The command %s to one agent concerns the library "%s" of another.', c.id, l.name) as sentence
          from agent_commands c join libraries l on l.id = any(c.library_ids) where l.source_agent_id is distinct from c.agent_id`,
      ),
  },
];
