import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

// The house's import rules, as a check that fails. Wings import downwards in this order; a room is entered through its index.ts;
// platform and settings import no wing; engine imports nothing of ours; no circles between rooms.
const wings = ['people', 'catalog', 'content', 'search', 'insight', 'operations', 'fleet'];
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'server/src', 'engine/src'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((name) => /\.ts$/.test(name) && !/\.as\.ts$/.test(name));

function place(file) {
  const parts = file.split('/');
  if (parts[0] !== 'server') return { kind: parts[0] };
  const [, , top, room] = parts;
  if (wings.includes(top)) return { kind: 'wing', wing: top, room: `${top}/${room}` };
  if (top === 'platform') return { kind: 'platform', room: parts.length > 4 ? `platform/${room}` : undefined };
  return { kind: top === 'settings' ? 'settings' : 'top' };
}

const broken = [];
const roomImports = new Map();
for (const file of files) {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    continue;
  }
  const from = place(file);
  const test = /\.test\.ts$/.test(file);
  for (const match of text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)/g)) {
    const target = match[1] ?? match[2];
    const say = (why) => broken.push(`${file} imports ${target}: ${why}`);
    if (target.startsWith('@catalog/') && from.kind === 'engine') say('engine imports nothing of ours');
    if (!target.startsWith('.')) continue;
    const to = path.posix.join(path.posix.dirname(file), target);
    const there = place(to);
    if (to.startsWith('server/test/') && test) continue;
    if (from.kind === 'engine' && there.kind !== from.kind && !test) say('engine imports nothing of ours');
    if (
      ['platform', 'settings'].includes(from.kind) &&
      (there.kind === 'wing' || there.kind === 'top') &&
      !to.endsWith('version.ts') &&
      !test
    )
      say('platform and settings import no wing');
    if (there.kind === 'wing' && there.room !== from.room) {
      if (!to.endsWith('/index.ts') && !test && !(from.kind === 'wing' && from.wing === there.wing && /\/(tables|registry)\.ts$/.test(to)))
        say('a room is entered through its index.ts');
      if (from.kind === 'wing' && !test) {
        if (wings.indexOf(there.wing) > wings.indexOf(from.wing)) say(`${from.wing} lies below ${there.wing}`);
        roomImports.set(from.room, (roomImports.get(from.room) ?? new Set()).add(there.room));
      }
    }
  }
}
const state = new Map();
const walk = (room, trail) => {
  if (state.get(room) === 'done') return;
  if (trail.includes(room)) return void broken.push(`rooms in a circle: ${[...trail.slice(trail.indexOf(room)), room].join(' -> ')}`);
  for (const next of roomImports.get(room) ?? []) walk(next, [...trail, room]);
  state.set(room, 'done');
};
for (const room of roomImports.keys()) walk(room, []);
for (const line of broken) process.stdout.write(`${line}\n`);
process.exit(broken.length > 0 ? 1 : 0);
