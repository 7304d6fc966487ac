import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const configChecks: Check[] = [
  {
    name: 'the policy of a configuration group is the one of its current version',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The configuration group "%s" %s.', g.name, case when v.policy is null
            then 'has no version ' || g.current_version else 'differs from its version ' || g.current_version end) as sentence
          from agent_config_groups g left join agent_config_versions v on v.group_id = g.id and v.version = g.current_version
          where v.policy is distinct from g.policy`,
      ),
  },
];
