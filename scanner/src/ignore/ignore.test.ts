import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileIgnore, libraryPatterns } from './ignore.ts';

/** Patterns and the paths to check; a path that ends in a slash is a folder. */
const cases: [patterns: string[], paths: string[]][] = [
  [['foo'], ['foo', 'a/foo', 'foo/', 'foobar', 'a/b/foo', 'Foo']],
  [['/foo'], ['foo', 'a/foo', 'foo/x']],
  [['foo/'], ['foo', 'foo/', 'a/foo/', 'a/foo', 'foo/x/y']],
  [['/foo/'], ['foo/', 'a/foo/', 'foo/bar']],
  [['*.log'], ['a.log', 'x/b.log', 'log', '.log', 'a.logs', 'a.log/']],
  [
    ['*.log', '!keep.log'],
    ['keep.log', 'x/keep.log', 'other.log'],
  ],
  [
    ['!keep.log', '*.log', '!last.log'],
    ['keep.log', 'last.log', 'x/keep.log'],
  ],
  [
    ['build/', '!build/keep'],
    ['build/keep', 'build/', 'build/x'],
  ],
  [
    ['build/*', '!build/keep'],
    ['build/keep', 'build/x', 'build/'],
  ],
  [['a/b'], ['a/b', 'x/a/b', 'a/b/c', 'a/bc']],
  [['**/foo'], ['foo', 'a/foo', 'a/b/foo', 'foo/x', 'afoo']],
  [['**/foo/bar'], ['foo/bar', 'a/foo/bar', 'foo/x/bar']],
  [['foo/**'], ['foo/', 'foo', 'foo/a', 'foo/a/b', 'x/foo/a']],
  [['a/**/b'], ['a/b', 'a/x/b', 'a/x/y/b', 'ab', 'a/xb', 'z/a/b']],
  [['a/***/b'], ['a/b', 'a/x/b', 'a/x/y/b']],
  [['foo**/bar'], ['foo/bar', 'foox/bar', 'foo/x/bar', 'foox/y/bar', 'bar']],
  [['a/**b'], ['a/b', 'a/xb', 'a/x/b']],
  [['**'], ['a', 'a/b', 'x/']],
  [['**foo'], ['foo', 'xfoo', 'a/xfoo']],
  [['*/foo'], ['foo', 'a/foo', 'a/b/foo']],
  [['?.txt'], ['a.txt', 'ab.txt', '.txt', 'é.txt', 'x/a.txt']],
  [['??.txt'], ['é.txt', 'ab.txt']],
  [['[abc].c'], ['a.c', 'd.c', '].c', 'x/b.c']],
  [['[!abc].c'], ['a.c', 'd.c']],
  [['[^abc].c'], ['a.c', 'd.c', '^.c']],
  [['[a-c]x'], ['ax', 'cx', 'dx', '-x']],
  [['[a-c-e]x'], ['bx', '-x', 'ex', 'dx']],
  [['[]]x'], [']x', 'x', '[x']],
  [['[]-]x'], [']x', '-x']],
  [['[\\]]x'], [']x', '\\x']],
  [['[c-a]x'], ['bx', 'cx', '-x']],
  [['[abc'], ['[abc', 'a']],
  [['[[:digit:]]*'], ['1a', 'a1', 'x/9']],
  [['[[:upper:]_]*'], ['Aa', 'aA', '_x']],
  [['[[:nothing:]]'], ['n', ':']],
  [['[[:space:]]x'], [' x', 'xx']],
  [['[:alpha:]x'], ['ax', ':x', 'bx']],
  [['\\#note'], ['#note', '\\#note', 'note']],
  [['#note'], ['#note', 'note']],
  [['\\!bang'], ['!bang', 'bang']],
  [['!bang'], ['!bang', 'bang']],
  [['trail  '], ['trail', 'trail  ']],
  [['trail\\ '], ['trail ', 'trail']],
  [['tab\t'], ['tab', 'tab\t']],
  [['a\\*b'], ['a*b', 'axb']],
  [['a\\?b'], ['a?b', 'axb']],
  [['a\\b'], ['ab', 'a\\b']],
  [['a\\'], ['a', 'a\\']],
  [['*'], ['a', 'a/b', 'd/']],
  [
    ['*', '!*/', '!*.jpg'],
    ['a.txt', 'a.jpg', 'd/a.jpg', 'd/a.txt', 'd/'],
  ],
  [
    ['/*', '!/keep'],
    ['keep', 'other', 'keep/x', 'other/x'],
  ],
  [['/*.c'], ['a.c', 'x/a.c']],
  [['doc/*.txt'], ['doc/a.txt', 'doc/x/a.txt', 'x/doc/a.txt']],
  [['doc/**/*.pdf'], ['doc/a.pdf', 'doc/x/a.pdf', 'a.pdf']],
  [['.*'], ['.git-x', 'a/.hidden', '.dir/', '.dir/x', 'a.b']],
  [
    ['.*', '!.keep'],
    ['.keep', '.other', 'a/.keep'],
  ],
  [['.Trash-*/'], ['.Trash-1000/', '.Trash-1000', 'x/.Trash-0/y']],
  [['[Tt]humbs.db'], ['Thumbs.db', 'thumbs.db', 'THUMBS.DB', 'x/Thumbs.db']],
  [['*~'], ['a~', '~', 'x/b~', '~a']],
  [['\\#*'], ['#a#', '#', 'a#']],
  [['*.tar.gz'], ['a.tar.gz', 'a.gz', 'tar.gz']],
  [['*.d/'], ['x.d/', 'x.d', 'a/x.d/f']],
  [['node_modules/'], ['node_modules/', 'a/node_modules/b', 'node_modules']],
  [['$RECYCLE.BIN/'], ['$RECYCLE.BIN/', '$RECYCLE.BIN/x', 'RECYCLE.BIN/']],
  [['a.b+c(d)'], ['a.b+c(d)', 'aXb+c(d)']],
  [['x{1,2}'], ['x{1,2}', 'x1']],
  [['^a$'], ['^a$', 'a']],
  [['Ünïcode*'], ['Ünïcode.txt', 'ünïcode.txt']],
  [['日本/'], ['日本/', '日本/語', '日本']],
  [['日?本'], ['日x本', '日語本']],
  [['/'], ['a', 'b/']],
  [['//'], ['a', 'b/']],
  [['a//b'], ['a/b']],
  [
    ['', '   ', 'x'],
    ['x', 'y', ' '],
  ],
  [['a/'], ['a/', 'a/b', 'a/b/', 'b/a/']],
  [['a/*/c'], ['a/b/c', 'a/c', 'a/b/d/c']],
  [['a*b*c'], ['abc', 'aXbYc', 'acb', 'x/aXbc']],
  [['*a*'], ['bab', 'b', 'x/a/y']],
  [
    ['foo', '!foo', 'foo'],
    ['foo', 'a/foo'],
  ],
  [['!foo', 'foo'], ['foo']],
  [
    ['*.txt', '!/a/*.txt'],
    ['a/x.txt', 'b/x.txt', 'a/b/x.txt'],
  ],
  [
    ['a/b/', '!a/b/c'],
    ['a/b/c', 'a/b/'],
  ],
  [['line\nbreak'], ['line']],
  [['te[!-a]t'], ['te-t', 'text']],
  [['[--0]x'], ['-x', '.x', '0x', '1x']],
  [['a[/]b'], ['a/b', 'ab']],
  [['a?b'], ['a/b', 'axb']],
];

const lines = (patterns: string[]): string[] => patterns.flatMap((pattern) => pattern.split('\n'));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ignore-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git itself decides for each path: the line number that excluded it, or null. */
function gitDecisions(patterns: string[], paths: string[], index: number): (number | null)[] {
  const repo = path.join(folder, String(index));
  mkdirSync(repo);
  execFileSync('git', ['init', '-q', '--template=', repo]);
  mkdirSync(path.join(repo, '.git/info'));
  writeFileSync(path.join(repo, '.git/info/exclude'), `${lines(patterns).join('\n')}\n`);
  return paths.map((checkedPath) => {
    const target = path.join(repo, checkedPath);
    rmSync(path.join(repo, checkedPath.split('/')[0]!), { recursive: true, force: true });
    if (checkedPath.endsWith('/')) mkdirSync(target, { recursive: true });
    else {
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, '');
    }
    // git exits with 1 when nothing matched, so the exit code is ignored.
    const out = spawnSync('git', ['-C', repo, 'check-ignore', '--no-index', '-v', '-n', '-z', '--stdin'], {
      input: `./${checkedPath.replace(/\/$/, '')}\0`,
    }).stdout.toString();
    const [, line, pattern] = out.split('\0');
    return line && !pattern!.startsWith('!') ? Number(line) : null;
  });
}

function ownDecision(patterns: string[], checkedPath: string): number | null {
  const ignore = compileIgnore([{ origin: { kind: 'exclude_globs' }, lines: lines(patterns) }]);
  const decision = ignore.decideFromTop(checkedPath.replace(/\/$/, ''), checkedPath.endsWith('/'));
  return decision?.excluded ? decision.line : null;
}

test('the table has at least 150 cases', () => {
  expect(cases.reduce((sum, [, paths]) => sum + paths.length, 0)).toBeGreaterThanOrEqual(150);
});

test('custom presets use ignore-file pattern syntax: same decision and same line as git check-ignore', () => {
  const ours: string[] = [];
  const gits: string[] = [];
  for (const [index, [patterns, paths]] of cases.entries()) {
    const decisions = gitDecisions(patterns, paths, index);
    paths.forEach((checkedPath, at) => {
      gits.push(`${JSON.stringify(patterns)} ${JSON.stringify(checkedPath)} ${decisions[at]}`);
      ours.push(`${JSON.stringify(patterns)} ${JSON.stringify(checkedPath)} ${ownDecision(patterns, checkedPath)}`);
    });
  }
  expect(ours).toEqual(gits);
});

test('presets come first, then exclude_globs, then include_globs as negations', () => {
  const ignore = compileIgnore(
    libraryPatterns({
      presets: [{ name: 'hidden_dotfiles', patterns: ['.*'] }],
      excludeGlobs: ['*.bak'],
      includeGlobs: ['.env', 'important.bak'],
    }),
  );
  expect(ignore.decide('.git', true)).toEqual({
    excluded: true,
    origin: { kind: 'preset', preset: 'hidden_dotfiles' },
    pattern: '.*',
    line: 1,
  });
  expect(ignore.decide('a/old.bak', false)).toMatchObject({ excluded: true, origin: { kind: 'exclude_globs' }, pattern: '*.bak', line: 1 });
  expect(ignore.decide('a/important.bak', false)).toMatchObject({ excluded: false, origin: { kind: 'include_globs' }, line: 2 });
  expect(ignore.decide('.env', false)).toMatchObject({ excluded: false, pattern: '.env' });
  expect(ignore.decide('plain.txt', false)).toBeNull();
});

test('a path inside an excluded folder is explained by the pattern of that folder', () => {
  const ignore = compileIgnore([{ origin: { kind: 'preset', preset: 'mine' }, lines: ['# caches', 'tmp/'] }]);
  expect(ignore.decideFromTop('a/tmp/b/c.txt', false)).toMatchObject({ excluded: true, at: 'a/tmp', line: 2, pattern: 'tmp/' });
});

test('a name that is not UTF-8 is compared by its bytes', () => {
  const ignore = compileIgnore([{ origin: { kind: 'exclude_globs' }, lines: ['caf?'] }], (text) =>
    Buffer.from(text.replace('\u{10feE9}', 'é'), 'latin1'),
  );
  expect(ignore.decide('caf\u{10fee9}', false)?.excluded).toBe(true);
});

test.each([
  [[], false],
  [['*.log', 'Thumbs.db', '[ab]?', '!keep.log'], false],
  [['build/', '/cache/', 'a/b/'], false],
  [['/x'], true],
  [['new/*.log'], true],
  [['*.log', '!keep/a.log'], true],
])('%j compares paths of files: %s', (patterns, expected) => {
  expect(compileIgnore([{ origin: { kind: 'exclude_globs' }, lines: patterns }]).comparesPathsOfFiles).toBe(expected);
});
