import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import { until } from '../../../test/service.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog, type LogRecord } from '../../platform/log/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { itemsDirectory, openSearchReader, openSearchWriter } from '../engines/index.ts';
import { createDamageReport, createProjector } from './index.ts';
import { readRebuild } from './store.ts';

async function start(items = 0) {
  const database = await cloneDatabase();
  if (items > 0) {
    const library = await addLibrary(database);
    for (let n = 0; n < items; n += 1) await addItem(database, library, `file-${n}.txt`);
  }
  const configDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-damage-'));
  const settings = settingsForTests({ SVC_CONFIG_DIR: configDir });
  const records: LogRecord[] = [];
  const log = createLog({ name: 'catalog.index', level: 'info', sinks: [{ write: (record) => void records.push(record) }] });
  const deps = { db: database.db, database, settings, log, clock: systemClock };
  onTestFinished(async () => {
    await database.close();
    rmSync(configDir, { recursive: true, force: true });
  });
  const said = (level: string) => records.filter((record) => record.level === level).map(({ message }) => message);
  const build = async (rounds: number) => {
    const projector = createProjector(deps, openSearchWriter(settings));
    projector.start();
    await until(() => said('info').filter((message) => /index has \d+ documents/.test(message)).length === rounds, 'the index to be built');
    await projector.stop();
  };
  const damage = () => {
    const directory = itemsDirectory(settings);
    for (const file of readdirSync(directory, { recursive: true, withFileTypes: true }))
      if (file.isFile()) writeFileSync(path.join(file.parentPath, file.name), 'garbage');
  };
  /** Overwrites the segments in place, as a failing disk does: an open reader still has the files. */
  const damageSegments = () => {
    const directory = itemsDirectory(settings);
    for (const file of readdirSync(directory, { recursive: true, withFileTypes: true }).filter(({ name }) => name.endsWith('.seg')))
      writeFileSync(path.join(file.parentPath, file.name), Buffer.alloc(statSync(path.join(file.parentPath, file.name)).size, 0xff), {
        flag: 'r+',
      });
  };
  return { deps, settings, said, build, damage, damageSegments };
}

test('a missing index is built with a note, a damaged one with an error that says what is damaged', async () => {
  const { said, build, damage } = await start();
  await build(1);
  expect(said('error')).toEqual([]);
  expect(said('info')[0]).toMatch(/^Building the search index: /);
  damage();
  await build(2);
  expect(said('error')).toEqual([expect.stringMatching(/^The search index is damaged: .* It is being rebuilt from the database\.$/)]);
});

test('damage that a reader finds while it runs is logged once and requests a rebuild', async () => {
  const { deps, settings, said, build, damage } = await start();
  await build(1);
  damage();
  const reader = openSearchReader(settings, createDamageReport(deps));
  onTestFinished(() => reader.close());
  for (let n = 0; n < 3; n += 1) await expect(reader.search({ limit: 1 })).rejects.toThrow();
  expect(said('error')).toEqual([expect.stringContaining('The search index is damaged')]);
  await until(async () => (await readRebuild(deps.db))?.status === 'requested', 'the rebuild to be requested');
});

test('damage of a segment under an open reader is logged and requests a rebuild instead of answering with wrong hits', async () => {
  const { deps, settings, said, build, damageSegments } = await start(3);
  await build(1);
  const reader = openSearchReader(settings, createDamageReport(deps));
  onTestFinished(() => reader.close());
  // Opened and verified, but the ids of the hits are still on disk only.
  expect((await reader.stats()).documents).toBe(3);
  damageSegments();
  await expect(reader.search({ limit: 10 })).rejects.toMatchObject({ damaged: true });
  expect(said('error')).toEqual([expect.stringContaining('The search index is damaged')]);
  await until(async () => (await readRebuild(deps.db))?.status === 'requested', 'the rebuild to be requested');
});
