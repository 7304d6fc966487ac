import { createHash } from 'node:crypto';
import { compileIgnore, type Ignore, type IgnoreDecision, libraryPatterns, type PatternList, pathBytes } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { effectivePresets } from '../presets/index.ts';
import { linkSidecars, parseSidecarName } from '../sidecars/index.ts';
import { type Classification, classify, loadTaxonomy, shippedTaxonomy, type TaxonomyMap } from '../taxonomy/index.ts';

/** The rules of a library, used by scans and by explanations. */
export interface ScanRules {
  patterns: readonly PatternList[];
  ignore: Ignore;
  taxonomy: TaxonomyMap;
  /** Whether the library includes files of this type. An empty selection includes everything. */
  selects(category: string, group: string, extension: string | null): boolean;
  classify(filename: string): ReturnType<typeof classify>;
  /** A hash that changes whenever any decision could change. */
  stamp: string;
}

export interface RuleSource {
  enabled_presets: string[];
  exclude_globs: string[];
  include_globs: string[];
  enabled_categories: string[];
  enabled_groups: string[];
}

function compileRules(
  library: RuleSource,
  custom: readonly { name: string; patterns: readonly string[] }[],
  taxonomy: TaxonomyMap,
): ScanRules {
  const patterns = libraryPatterns({
    presets: effectivePresets(library.enabled_presets, custom),
    excludeGlobs: library.exclude_globs,
    includeGlobs: library.include_globs,
  });
  const ignore = compileIgnore(patterns, pathBytes);
  const categories = new Set(library.enabled_categories);
  const groups = new Set(library.enabled_groups);
  const all = categories.size === 0 && groups.size === 0;
  const hash = createHash('sha256')
    .update(ignore.stamp)
    .update(JSON.stringify([[...categories].sort(), [...groups].sort()]));
  for (const [extension, { category, group }] of [...taxonomy].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${extension} ${category} ${group}\n`);
  return {
    patterns,
    ignore,
    taxonomy,
    selects: (category, group, extension) => all || (extension !== null && (categories.has(category) || groups.has(group))),
    classify: (filename) => classify(filename, taxonomy),
    stamp: hash.digest('hex').slice(0, 32),
  };
}

export async function loadRules(db: Db, library: RuleSource): Promise<ScanRules> {
  const custom = await sql<{ name: string; patterns: string[] }>`select name, patterns from presets`.execute(db);
  const { map } = await loadTaxonomy(db);
  return compileRules(library, custom.rows, map.size > 0 ? map : shippedTaxonomy());
}

/** Why a file is included or not. Folders are decided by the walk. */
export type FileDecision =
  | { admitted: true; classification: Classification; asSidecar: boolean }
  | { admitted: false; by: 'pattern'; decision: IgnoreDecision }
  | { admitted: false; by: 'selection'; classification: Classification };

/** A file of a folder. The size is needed only where a sidecar may describe one of several files. */
export interface DecidedFile {
  name: string;
  isLink: boolean;
  size(): number;
}

/**
 * Decides on all files of a folder at once, because a sidecar outside the selection is included exactly when it describes an included file.
 * Patterns exclude sidecars like any other file.
 */
export function decideFiles(folder: string, files: readonly DecidedFile[], rules: ScanRules): FileDecision[] {
  let hasOpenSidecar = false;
  const decisions = files.map(({ name, isLink }): FileDecision => {
    const decision = rules.ignore.decide(folder === '' ? name : `${folder}/${name}`, false);
    if (decision?.excluded) return { admitted: false, by: 'pattern', decision };
    const classification = rules.classify(name);
    if (rules.selects(classification.category, classification.group, classification.extension))
      return { admitted: true, classification, asSidecar: false };
    if (!isLink && parseSidecarName(name)) hasOpenSidecar = true;
    return { admitted: false, by: 'selection', classification };
  });
  if (!hasOpenSidecar) return decisions;
  const links = linkSidecars(
    files.flatMap(({ name, isLink, size }, index) => {
      const decision = decisions[index];
      if (!decision || (!decision.admitted && (decision.by === 'pattern' || !parseSidecarName(name)))) return [];
      const { category, group } = decision.classification;
      return { id: String(index), filename: name, category, group, size: size(), isLink };
    }),
  );
  return decisions.map((decision, index) =>
    !decision.admitted && decision.by === 'selection' && links.has(String(index))
      ? { admitted: true, classification: decision.classification, asSidecar: true }
      : decision,
  );
}
