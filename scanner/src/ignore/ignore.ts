import { byteString, type IgnorePattern, parseIgnorePattern, utf8Bytes } from './pattern.ts';

/** Where a pattern comes from: a preset by name, or one of the library's own lists. */
export type PatternOrigin = { kind: 'preset'; preset: string } | { kind: 'exclude_globs' } | { kind: 'include_globs' };

export interface PatternList {
  origin: PatternOrigin;
  lines: readonly string[];
}

/** The pattern line that decided about a path. */
export interface IgnoreDecision {
  excluded: boolean;
  origin: PatternOrigin;
  pattern: string;
  /** Line within its preset or list, from 1. */
  line: number;
}

export interface Ignore {
  /** The last matching line decides; null when none matches. Parent folders are not checked, because a walk never enters an excluded one. */
  decide(path: string, isFolder: boolean): IgnoreDecision | null;
  /** Checks every parent folder from the top, as a walk does; `at` is the first excluded path, or the path itself. */
  decideFromTop(path: string, isFolder: boolean): (IgnoreDecision & { at: string }) | null;
  /** False when files of the same name are decided alike in every folder. */
  readonly comparesPathsOfFiles: boolean;
  /** Changes whenever a decision could change; part of every folder's fingerprint. */
  readonly stamp: string;
}

interface Rule {
  order: number;
  pattern: IgnorePattern;
  decision: IgnoreDecision;
}

/** A library's patterns in order of precedence, the last one winning: presets, exclude_globs, then include_globs as negations. */
export function libraryPatterns(lists: {
  presets: readonly { name: string; patterns: readonly string[] }[];
  excludeGlobs: readonly string[];
  includeGlobs: readonly string[];
}): PatternList[] {
  return [
    ...lists.presets.map(({ name, patterns }): PatternList => ({ origin: { kind: 'preset', preset: name }, lines: patterns })),
    { origin: { kind: 'exclude_globs' }, lines: lists.excludeGlobs },
    { origin: { kind: 'include_globs' }, lines: lists.includeGlobs.map((glob) => (glob.startsWith('!') ? glob : `!${glob}`)) },
  ];
}

/** `bytes` converts a stored path into its bytes on disk; UTF-8 by default. */
export function compileIgnore(lists: readonly PatternList[], bytes: (text: string) => Buffer = utf8Bytes): Ignore {
  const rules: Rule[] = [];
  for (const { origin, lines } of lists) {
    lines.forEach((text, index) => {
      const pattern = parseIgnorePattern(text);
      if (!pattern) return;
      rules.push({
        order: rules.length,
        pattern,
        decision: { excluded: !pattern.negated, origin, pattern: origin.kind === 'include_globs' ? text.slice(1) : text, line: index + 1 },
      });
    });
  }
  // Most patterns are literal names or extensions, which are looked up; only the rest are tried in turn. Lists start with the latest rule.
  const byExactName = new Map<string, Rule[]>();
  const byExtension = new Map<string, Rule[]>();
  const others: Rule[] = [];
  const prepend = (map: Map<string, Rule[]>, key: string, rule: Rule): void => {
    const list = map.get(key);
    if (list) list.unshift(rule);
    else map.set(key, [rule]);
  };
  for (const rule of rules) {
    const { byName, exact, suffix } = rule.pattern;
    if (byName && exact !== null) prepend(byExactName, exact, rule);
    else if (suffix !== null && suffix.lastIndexOf('.') === 0) prepend(byExtension, suffix, rule);
    else others.unshift(rule);
  }

  const decide = (path: string, isFolder: boolean): IgnoreDecision | null => {
    const fullPath = byteString(path, bytes);
    const name = fullPath.slice(fullPath.lastIndexOf('/') + 1);
    let best: Rule | undefined;
    const consider = (rule: Rule): boolean => {
      if (rule.pattern.foldersOnly && !isFolder) return false;
      if (!best || rule.order > best.order) best = rule;
      return true;
    };
    byExactName.get(name)?.some(consider);
    const dot = name.lastIndexOf('.');
    if (dot !== -1) byExtension.get(name.slice(dot))?.some(consider);
    for (const rule of others) {
      if (best && rule.order < best.order) break;
      if (rule.pattern.foldersOnly && !isFolder) continue;
      if (rule.pattern.matches(rule.pattern.byName ? name : fullPath)) {
        best = rule;
        break;
      }
    }
    return best?.decision ?? null;
  };

  return {
    decide,
    decideFromTop(path, isFolder) {
      for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
        const at = path.slice(0, slash);
        const decision = decide(at, true);
        if (decision?.excluded) return { ...decision, at };
      }
      const decision = decide(path, isFolder);
      return decision && { ...decision, at: path };
    },
    comparesPathsOfFiles: rules.some(({ pattern }) => !pattern.byName && !pattern.foldersOnly),
    stamp: JSON.stringify(rules.map(({ pattern }) => pattern.text)),
  };
}
