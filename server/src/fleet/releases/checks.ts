import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const releaseChecks: Check[] = [
  {
    name: 'a release of the agent program has only programs that its manifest names, and none once it is withdrawn',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The release %s has the program %s, %s.', r.version, f.filename, case when r.withdrawn_at is not null
            then 'although it was withdrawn' else 'which its manifest does not name' end) as sentence
          from agent_release_files f join agent_releases r using (version)
          where r.withdrawn_at is not null
            or not r.manifest -> 'artifacts' @> jsonb_build_array(jsonb_build_object('url', f.filename))`,
      ),
  },
  {
    name: 'no rollout of a withdrawn release is under way',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The rollout %s of the release %s is under way although the release was withdrawn.', o.id, o.version) as sentence
          from agent_release_rollouts o join agent_releases r using (version)
          where o.status in ('scheduled', 'running') and r.withdrawn_at is not null`,
      ),
  },
];
