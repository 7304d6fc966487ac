import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { applyToRule } from './intake.ts';
import type { PumpContext } from './pump-context.ts';
import { rulesFor } from './rules-store.ts';

const kind = 'extract_error_spike';

/**
 * Fires while the number of extraction errors of a library has grown by more than the threshold within the window. Samples are in the
 * database, so that a restart or a second worker changes nothing. Without a rule nothing is counted.
 */
export async function checkErrorSpikes(context: PumpContext): Promise<void> {
  const { db, now, settings } = context;
  const rules = await rulesFor(db, [kind]);
  if (rules.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await takeSamples(trx as Db, now);
    for (const rule of rules) {
      const threshold = rule.threshold_count ?? settings.alertErrorSpikeThreshold;
      const window = rule.threshold_window_s ?? settings.alertErrorSpikeWindowS;
      for (const { library_id, name, delta } of await growth(trx as Db, new Date(now.getTime() - window * 1000), rule.library_id)) {
        await applyToRule(trx as Db, context, rule, {
          kind,
          subject: library_id,
          libraryId: library_id,
          status: delta > threshold ? 'firing' : 'recovered',
          message:
            delta > threshold
              ? `${delta} files of ${name} could not be read within ${Math.round(window / 60)} minutes. Open the library to see why.`
              : `The number of unreadable files of ${name} no longer grows.`,
          facts: { library_id, library_name: name, delta, threshold, window_s: window },
        });
      }
    }
  });
}

async function takeSamples(trx: Db, now: Date): Promise<void> {
  await sql`delete from alert_error_samples where at < ${new Date(now.getTime() - 7 * 86_400_000)}`.execute(trx);
  await sql`insert into alert_error_samples (library_id, at, errors)
    select l.id, ${now}, (select count(*) from items i where i.library_id = l.id and i.metadata ? '_extract_error' and i.status = 'active') from libraries l
    on conflict do nothing`.execute(trx);
}

/** The newest number of errors minus the oldest one inside the window, by library. */
async function growth(trx: Db, since: Date, libraryId: string | null): Promise<{ library_id: string; name: string; delta: number }[]> {
  const { rows } = await sql<{ library_id: string; name: string; delta: number }>`
    select s.library_id, l.name, ((array_agg(s.errors order by s.at desc))[1] - (array_agg(s.errors order by s.at))[1])::int as delta
    from alert_error_samples s join libraries l on l.id = s.library_id
    where s.at >= ${since} and (${libraryId}::uuid is null or s.library_id = ${libraryId}::uuid) group by 1, 2`.execute(trx);
  return rows;
}
