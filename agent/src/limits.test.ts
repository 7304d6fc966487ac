import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { filesIn } from './config.ts';
import { fitExtraction } from './fit-extraction.ts';
import { localAccessRefusal } from './local-access.ts';
import { createPace } from './pace.ts';
import type { Policy } from './policy.ts';
import { powerSource } from './power.ts';
import { openStore } from './store.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const policy = { cpu_max_percent: null, pause_on_battery: false, pause_on_metered: false } as Policy;

function supplies(given: Record<string, Record<string, string>>): string {
  const own = mkdtempSync(path.join(folder, 'power-'));
  for (const [name, files] of Object.entries(given)) {
    mkdirSync(path.join(own, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(own, name, file), `${text}\n`);
  }
  return own;
}

test('Linux: a discharging battery without mains means battery; a mouse says nothing', async () => {
  const battery = { type: 'Battery', status: 'Discharging' };
  expect(await powerSource('linux', supplies({ BAT0: battery, AC: { type: 'Mains', online: '0' } }))).toBe('battery');
  expect(await powerSource('linux', supplies({ BAT0: battery, AC: { type: 'Mains', online: '1' } }))).toBe('mains');
  expect(await powerSource('linux', supplies({ mouse: { ...battery, scope: 'Device' } }))).toBe('unknown');
  expect(await powerSource('linux', path.join(folder, 'none'))).toBe('unknown');
  expect(await powerSource('win32')).toBe('unknown');
});

test('on battery, work waits until the machine is plugged in', async () => {
  const answers: ('battery' | 'mains')[] = ['battery'];
  const waits: number[] = [];
  const pace = createPace({
    // Every wait lets the known answer expire.
    wait: async (seconds) => {
      waits.push(seconds);
      answers[0] = 'mains';
      throw new Error('waited');
    },
    power: async () => answers[0]!,
    meter: async () => 'metered',
  });
  expect(await pace.held({ ...policy, pause_on_battery: true })).toBe('The machine runs on battery.');
  await expect(pace.turn({ ...policy, pause_on_battery: true })).rejects.toThrow('waited');
  await pace.turn(policy);
  expect(waits).toHaveLength(1);
  expect(await pace.sendingHeld(policy)).toBeNull();
  expect(await pace.sendingHeld({ ...policy, pause_on_metered: true })).toBe('The connection is metered.');
});

test('work of other processes counts towards the share of the processor', async () => {
  const waits: number[] = [];
  const pace = createPace({ wait: async (seconds) => void waits.push(seconds), power: async () => 'mains', meter: async () => 'unknown' });
  pace.add(1000);
  await pace.turn({ ...policy, cpu_max_percent: 10 });
  expect(waits[0]).toBeGreaterThan(8);
  await pace.turn(policy);
  expect(waits).toHaveLength(1);
});

test('what is read from a file is cut to what the service accepts, text first, and never in the middle of a character', () => {
  const given = {
    schema: 1 as const,
    extractor: 'text@1',
    meta: { lines: 3 },
    body_text: '𝄞'.repeat(500),
    archive_members: 'a\n'.repeat(100),
  };
  const cut = fitExtraction(given, 600);
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(600);
  expect(cut).toMatchObject({ meta: { lines: 3 }, body_text_truncated: true });
  expect(cut.body_text?.isWellFormed()).toBe(true);
  expect(cut.body_text?.length).toBeGreaterThan(100);
  expect(fitExtraction(given, 100_000)).toEqual(given);
  expect(fitExtraction({ ...given, meta: { big: 'x'.repeat(1000) } }, 600).meta).toMatchObject({ _extract_error_kind: 'guard' });
});

test('recognised text is cut like the text of a document, and keeps the other facts', () => {
  const given = {
    schema: 1 as const,
    extractor: 'pdf@1',
    meta: { pages: 2, ocr_text: 'é'.repeat(2000), ocr_source_hash: 'h' },
    body_text: 'a stamp',
    body_text_truncated: false,
  };
  const cut = fitExtraction(given, 600);
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(600);
  expect(cut).toMatchObject({ meta: { pages: 2, ocr_source_hash: 'h', ocr_text_truncated: true }, body_text: 'a stamp' });
  expect(cut.body_text_truncated).toBe(false);
  expect(String(cut.meta['ocr_text'])).toMatch(/^é{100,}$/);
  expect(fitExtraction(given, 100_000)).toEqual(given);
  const full = fitExtraction({ ...given, body_text: 'x'.repeat(2000) }, 600);
  expect(full).toMatchObject({ body_text_truncated: true, meta: { pages: 2, ocr_text_truncated: true } });
  expect(full.meta).not.toHaveProperty('ocr_text');
});

test('local search ends after the grace time, when the agent is refused, and when the clock was set back', () => {
  const dataDir = mkdtempSync(path.join(folder, 'data-'));
  const store = openStore(filesIn(dataDir).index);
  const now = Date.now();
  const write = (local_access_enabled: boolean) =>
    writeFileSync(
      filesIn(dataDir).policy,
      JSON.stringify({ etag: '', generation: 1, policy: { local_access_enabled, offline_grace_seconds: 3600 } }),
    );
  expect(localAccessRefusal(store, dataDir, now)).toContain('not been reached');
  write(true);
  expect(localAccessRefusal(store, dataDir, now)).toContain('not been reached');
  store.setMeta('last_contact', String(now));
  expect(localAccessRefusal(store, dataDir, now + 3_500_000)).toBeNull();
  expect(localAccessRefusal(store, dataDir, now + 3_700_000)).toContain('longer ago than its rules allow');
  expect(localAccessRefusal(store, dataDir, now - 86_400_000)).toContain('set back');
  store.setMeta('refused', 'This agent was revoked.');
  expect(localAccessRefusal(store, dataDir, now)).toContain('revoked');
  write(false);
  expect(localAccessRefusal(store, dataDir, now)).toContain('does not allow');
  store.close();
});
