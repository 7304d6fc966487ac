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
  {
    name: 'a rollout under way leads to a newer version than the current one',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The rollout %s of the group "%s" leads to version %s, but %s is current.', r.id, g.name, r.target_version, g.current_version) as sentence
          from agent_rollouts r join agent_config_groups g on g.id = r.group_id
          where r.status in ('scheduled', 'running') and r.target_version <= g.current_version`,
      ),
  },
];
