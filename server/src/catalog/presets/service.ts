import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import '../tables.ts';
import { effectivePresets, shippedPresets } from './shipped.ts';

export interface Preset {
  name: string;
  label: string;
  patterns: string[];
  default_enabled: boolean;
  caveat: string | null;
  builtin: boolean;
}

/** The built-in presets in their order, then custom ones by name. */
export async function allPresets(db: Db): Promise<Preset[]> {
  const custom = await db.selectFrom('presets').select(['name', 'label', 'patterns', 'caveat']).orderBy('name').execute();
  return [
    ...shippedPresets.map(({ name, label, patterns, defaultOn, caveat }) => ({
      name,
      label,
      patterns: [...patterns],
      default_enabled: defaultOn,
      caveat,
      builtin: true,
    })),
    ...custom.map((row) => ({ ...row, default_enabled: false, builtin: false })),
  ];
}

export async function findPreset(db: Db, name: string): Promise<Preset> {
  const found = (await allPresets(db)).find((preset) => preset.name === name);
  if (!found) throw problem('not_found', `There is no preset "${name}".`);
  return found;
}

/** The number of libraries that use each preset. */
export async function presetUsage(db: Db): Promise<Map<string, number>> {
  const libraries = await db.selectFrom('libraries').select('enabled_presets').execute();
  const custom = await db.selectFrom('presets').select(['name', 'patterns']).execute();
  const use = new Map<string, number>();
  for (const { enabled_presets } of libraries)
    for (const { name } of effectivePresets(enabled_presets, custom)) use.set(name, (use.get(name) ?? 0) + 1);
  return use;
}

/** A library may enable any preset by name and disable a default preset by `-name`. */
export async function checkPresetNames(db: Db, names: readonly string[], loc: (string | number)[]): Promise<void> {
  if (names.length === 0) return;
  const presets = await allPresets(db);
  const wrong = names.find((given) => {
    const found = presets.find(({ name }) => name === given.replace(/^-/, ''));
    return !found || (given.startsWith('-') && !found.default_enabled);
  });
  if (wrong === undefined) return;
  throw fieldProblem(
    loc,
    wrong.startsWith('-')
      ? `"${wrong}" does not name a preset that is on by default. These can be switched off: ${presets
          .filter((preset) => preset.default_enabled)
          .map(({ name }) => `-${name}`)
          .join(', ')}.`
      : `There is no preset "${wrong.slice(0, 80)}". Choose from: ${presets.map(({ name }) => name).join(', ')}.`,
    'preset_unknown',
  );
}

export async function createPreset(
  db: Db,
  preset: { name: string; label: string; patterns: string[]; caveat: string | null },
  actor: Actor,
): Promise<void> {
  if (shippedPresets.some(({ name }) => name === preset.name))
    throw problem('name_taken', `There is a built-in preset "${preset.name}". Choose another name.`);
  await db.transaction().execute(async (tx) => {
    const created = await tx
      .insertInto('presets')
      .values(preset)
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst();
    if (!created) throw problem('name_taken', `There is already a preset "${preset.name}". Choose another name.`);
    await recordPresetEvent(tx, 'create', preset.name, actor);
  });
}

export async function updatePreset(
  db: Db,
  name: string,
  fields: { label?: string; patterns?: string[]; caveat?: string | null },
  actor: Actor,
): Promise<void> {
  await requireCustom(db, name);
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('presets')
      .set({ ...fields, updated_at: new Date() })
      .where('name', '=', name)
      .execute();
    await recordPresetEvent(tx, 'change', name, actor);
  });
}

export async function forkPreset(db: Db, source: string, name: string, label: string | null | undefined, actor: Actor): Promise<void> {
  const { label: original, patterns, caveat } = await findPreset(db, source);
  await createPreset(db, { name, label: label ?? `${original} (copy)`, patterns, caveat }, actor);
}

export async function deletePreset(db: Db, name: string, actor: Actor): Promise<void> {
  await requireCustom(db, name);
  await db.transaction().execute(async (tx) => {
    // Locks the row, so that no library can enable the preset at the same moment.
    await tx.selectFrom('presets').select('name').where('name', '=', name).forUpdate().execute();
    const users = await tx.selectFrom('libraries').select(['name', 'enabled_presets']).execute();
    const using = users.filter(({ enabled_presets }) => enabled_presets.includes(name)).map((library) => library.name);
    if (using.length > 0)
      throw problem('preset_in_use', `The preset "${name}" is still enabled in ${using.slice(0, 5).join(', ')}. Disable it there first.`);
    await tx.deleteFrom('presets').where('name', '=', name).execute();
    await recordPresetEvent(tx, 'delete', name, actor);
  });
}

async function requireCustom(db: Db, name: string): Promise<void> {
  if ((await findPreset(db, name)).builtin) throw problem('preset_readonly');
}

async function recordPresetEvent(db: Db, action: string, name: string, actor: Actor): Promise<void> {
  await recordEvent(db, { event_type: 'preset_changed', principal_id: actor.principalId, ip: actor.ip, details: { action, name } });
}
