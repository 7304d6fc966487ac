import { byteString, type IgnorePattern, parseIgnorePattern } from './pattern.ts';

/** Where a pattern comes from: a preset by name, or one of the library's own lists. */
export type PatternOrigin = { kind: 'preset'; preset: string } | { kind: 'exclude_globs' } | { kind: 'include_globs' };

export interface PatternList {
  origin: PatternOrigin;
  lines: readonly string[];
}

/** Which line decided. */
export interface IgnoreDecision {
  excluded: boolean;
  origin: PatternOrigin;
  pattern: string;
  /** Line within its preset or list, from 1. */
  line: number;
}

export interface Ignore {
  /** The last line that matches this path decides; null when none does. Parents are not looked at: a walk has asked for them already. */
  decide(path: string, isFolder: boolean): IgnoreDecision | null;
  /** The first excluded part on the way down, as the walk would meet it: `at` is the path that was excluded. */
  decideFromTop(path: string, isFolder: boolean): (IgnoreDecision & { at: string }) | null;
  /** Changes whenever an answer could: part of every folder's fingerprint. */
  readonly stamp: string;
}

interface Rule {
  order: number;
  pattern: IgnorePattern;
  decision: IgnoreDecision;
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** A library's patterns in the order of effect: presets, then exclude_globs, then include_globs as negations. Later lines win. */
export function libraryPatterns(parts: {
  presets: readonly { name: string; patterns: readonly string[] }[];
  excludeGlobs: readonly string[];
  includeGlobs: readonly string[];
}): PatternList[] {
  return [
    ...parts.presets.map(({ name, patterns }): PatternList => ({ origin: { kind: 'preset', preset: name }, lines: patterns })),
    { origin: { kind: 'exclude_globs' }, lines: parts.excludeGlobs },
    { origin: { kind: 'include_globs' }, lines: parts.includeGlobs.map((glob) => (glob.startsWith('!') ? glob : `!${glob}`)) },
  ];
}

/** `bytes` turns a stored path into the bytes on disk; plain UTF-8 unless told otherwise. */
export function compileIgnore(lists: readonly PatternList[], bytes: (text: string) => Buffer = utf8): Ignore {
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
  // Most patterns are plain names or endings: those are looked up, the few others are tried one by one. All lists hold the latest first.
  const byExactName = new Map<string, Rule[]>();
  const byExtension = new Map<string, Rule[]>();
  const others: Rule[] = [];
  const file = (map: Map<string, Rule[]>, key: string, rule: Rule): void => {
    const list = map.get(key);
    if (list) list.unshift(rule);
    else map.set(key, [rule]);
  };
  for (const rule of rules) {
    const { byName, exact, suffix } = rule.pattern;
    if (byName && exact !== null) file(byExactName, exact, rule);
    else if (suffix !== null && suffix.lastIndexOf('.') === 0) file(byExtension, suffix, rule);
    else others.unshift(rule);
  }

  const decide = (path: string, isFolder: boolean): IgnoreDecision | null => {
    const whole = byteString(path, bytes);
    const name = whole.slice(whole.lastIndexOf('/') + 1);
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
      if (rule.pattern.matches(rule.pattern.byName ? name : whole)) {
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
    stamp: JSON.stringify(rules.map(({ pattern }) => pattern.text)),
  };
}
