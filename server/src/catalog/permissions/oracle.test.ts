import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Identity, Right } from '@catalog/scanner';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { addLibrary, scan } from '../scan/library.fixture.ts';
import { decideAccess, loadClasses } from './access.ts';
import { askKernel, createRandom, randomTree, testUsers } from './acl-tree.fixture.ts';

const bits: Record<Right, number> = { read: 4, write: 2, execute: 1 };
const isRoot = process.getuid?.() === 0;

test.skipIf(!isRoot)(
  'the effective answer equals what access(2) says when tried as that user: 100,000 pairs, no difference (needs root)',
  async () => {
    const { db } = await databaseForTest();
    const random = createRandom(Number(process.env['ORACLE_SEED'] ?? 7));
    const users = testUsers(50, random);
    const { root, paths } = randomTree(random, users, Number(process.env['ORACLE_FILES'] ?? 700));
    try {
      const kernel = askKernel(users, paths);
      const library = await addLibrary(db, root);
      await scan(db, library);
      const classes = await loadClasses(db);
      const { rows } = await sql<{
        rel_path: string;
        access_class: number;
      }>`select rel_path, access_class from items where library_id = ${library}`.execute(db);
      const classOf = new Map(rows.map((row) => [row.rel_path, classes.get(row.access_class)]));
      let pairs = 0;
      let allowed = 0;
      const differences: string[] = [];
      users.forEach(({ uid, gid, groups }, who) => {
        const identity: Identity = { uid, gids: new Set([gid, ...groups]), sids: new Set(), names: new Set() };
        paths.forEach((file, at) => {
          const access = classOf.get(path.relative(root, file));
          for (const right of ['read', 'write', 'execute'] as const) {
            pairs += 1;
            const expected = (Number(kernel[who]?.[at]) & bits[right]) !== 0;
            const answer = access ? decideAccess(access, identity, right).allowed : null;
            if (expected) allowed += 1;
            if (answer !== expected) differences.push(`uid ${uid} ${right} ${file}: kernel ${expected}, answer ${answer}`);
          }
        });
      });
      expect(differences.slice(0, 5)).toEqual([]);
      expect(pairs).toBeGreaterThanOrEqual(100_000);
      // The tree is a fair question: many answers are yes and many are no.
      expect(allowed / pairs).toBeGreaterThan(0.15);
      expect(allowed / pairs).toBeLessThan(0.85);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
  120_000,
);
