import type { IgnoreDecision } from '@catalog/scanner';
import { primaryCategories, parseSidecarName } from '../sidecars/index.ts';
import type { Classification } from '../taxonomy/index.ts';
import type { ScanRules } from './rules.ts';

/** Why a file is in the catalog or not. Folders are judged by the walk; this is about the files in them. */
export type FileDecision =
  | { admitted: true; classification: Classification; asSidecar: boolean }
  | { admitted: false; by: 'pattern'; decision: IgnoreDecision }
  | { admitted: false; by: 'selection'; classification: Classification };

/**
 * Judges the files of one folder together: a sidecar is admitted past the selection when the folder holds a file it could accompany.
 * Patterns exclude sidecars like anything else.
 */
export function decideFiles(folder: string, names: readonly string[], rules: ScanRules): FileDecision[] {
  let hasPrimary = false;
  const verdicts = names.map((name): FileDecision => {
    const decision = rules.ignore.decide(folder === '' ? name : `${folder}/${name}`, false);
    if (decision?.excluded) return { admitted: false, by: 'pattern', decision };
    const classification = rules.classify(name);
    if (!rules.selects(classification.category, classification.group, classification.extension)) {
      return { admitted: false, by: 'selection', classification };
    }
    if (primaryCategories.has(classification.category) && !parseSidecarName(name)) hasPrimary = true;
    return { admitted: true, classification, asSidecar: false };
  });
  if (!hasPrimary) return verdicts;
  return verdicts.map((verdict, index) =>
    !verdict.admitted && verdict.by === 'selection' && parseSidecarName(names[index]!)
      ? { admitted: true, classification: verdict.classification, asSidecar: true }
      : verdict,
  );
}
