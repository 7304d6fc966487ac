import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultLimits } from '../../readers/src/contract.ts';
import { hashPhoto } from '../../readers/src/render/photo-hash.ts';
import { drawPhoto, photoVariants } from '../../readers/src/render/photo-set.fixture.ts';
import { createGroups, createHashSet } from '../../server/src/insight/duplicates/similar/compare.ts';
import type { Row } from '../row.ts';

/**
 * Groups drawn photos with altered copies of each, the way the service does. Recall is the share of copies in the group of their photo;
 * precision is the share of pairs in one group that stem from the same photo, so a group that joins two photos counts against it.
 */
export async function similarRows(folder: string, scale: number): Promise<Row[]> {
  const photos = Math.max(8, Math.round(40 * scale));
  const [known, groups] = [createHashSet(), createGroups()];
  const photoOf = new Map<number, number>();
  const originals: number[] = [];
  const add = async (photo: number, bytes: Buffer, extension: string): Promise<number> => {
    const id = photoOf.size + 1;
    photoOf.set(id, photo);
    const path = join(folder, `photo.${extension}`);
    await writeFile(path, bytes);
    const digits = await hashPhoto({ path, filename: `photo.${extension}`, extension, size: bytes.length, limits: defaultLimits });
    const hash = digits === null ? null : Buffer.from(digits, 'hex');
    if (hash) {
      groups.join(id, known.near(hash));
      known.add(id, hash);
    }
    return id;
  };
  for (let photo = 0; photo < photos; photo += 1) {
    const bytes = await drawPhoto(photo + 1);
    originals.push(await add(photo, bytes, 'jpg'));
    for (const [kind, altered] of Object.entries(await photoVariants(bytes)))
      await add(photo, altered, kind === 'png' || kind === 'webp' ? kind : 'jpg');
  }
  const copies = [...photoOf].filter(([id]) => !originals.includes(id));
  const found = copies.filter(([id, photo]) => groups.groupOf(id) !== null && groups.groupOf(id) === groups.groupOf(originals[photo] ?? 0));
  const { pairs, right } = countPairs(photoOf, groups.groupOf);
  const row = (name: string, value: number, least: number): Row => ({
    name: `similar photos, ${name}`,
    value: Number(value.toFixed(4)),
    unit: '',
    peer: '',
    ratio: null,
    limit: `at least ${least}`,
    ok: value >= least,
    detail: `${photos} photos, ${copies.length} altered copies, ${pairs} pairs in one group`,
  });
  return [row('recall', found.length / copies.length, 0.95), row('precision', pairs === 0 ? 0 : right / pairs, 0.99)];
}

function countPairs(photoOf: ReadonlyMap<number, number>, groupOf: (id: number) => number | null): { pairs: number; right: number } {
  let [pairs, right] = [0, 0];
  const members = Map.groupBy([...photoOf.keys()], groupOf);
  for (const [group, ids] of members) {
    if (group === null) continue;
    for (const [at, id] of ids.entries())
      for (const other of ids.slice(at + 1)) {
        pairs += 1;
        if (photoOf.get(id) === photoOf.get(other)) right += 1;
      }
  }
  return { pairs, right };
}
