import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const offsiteChecks: Check[] = [
  {
    name: 'every secret of a backup target belongs to one, and storage that needs a secret has it',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The secret ' || name || ' belongs to no backup target.' as sentence from secrets
            where starts_with(name, 'backup-target/') and split_part(name, '/', 2) not in (select id::text from backup_targets where kind <> 'folder')
          union all
          select 'The backup target ' || name || ' has no secret.' from backup_targets t where kind <> 'folder' and not exists
              (select from secrets s where s.name = 'backup-target/' || t.id || case kind when 's3' then '/secret_access_key' else '/credential' end)`,
      ),
  },
  {
    name: 'copies of backups that are done have a size, and failed ones say why',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The copy of ' || bundle || ' is ' || state || ' without ' || case state when 'done' then 'a size.' else 'a reason.' end as sentence
          from backup_copies where (state = 'done' and (bytes is null or finished_at is null)) or (state in ('retrying', 'failed') and error is null)`,
      ),
  },
];
