import type pg from 'pg';

/** The peer: what a person writes in an afternoon. One row a statement, one connection, one commit each. */
export async function enqueuePlainly(pool: pg.Pool, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await pool.query("insert into jobs (queue, task, payload, max_attempts) values ('maintenance', 'plain', $1, 1)", [{ n }]);
  }
}

export async function workOffPlainly(pool: pg.Pool): Promise<number> {
  for (let done = 0; ; done += 1) {
    const { rows } = await pool.query<{ id: string }>(
      `update jobs set state = 'doing', started_at = now() where id =
         (select id from jobs where state = 'todo' and task = 'plain' order by priority desc, run_at, id limit 1 for update skip locked) returning id`,
    );
    if (!rows[0]) return done;
    await pool.query("update jobs set state = 'succeeded', finished_at = now() where id = $1", [rows[0].id]);
  }
}
