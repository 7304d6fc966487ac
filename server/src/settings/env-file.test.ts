import { describe, expect, test } from 'vitest';
import { parseEnvFile } from './env-file.ts';

const values = (text: string, env = {}) =>
  Object.fromEntries([...parseEnvFile(text, env).values].map(([name, { value }]) => [name, value]));

describe('an environment file', () => {
  test('contains NAME=value lines, comments, blank lines and an export prefix', () => {
    const text = '# first\n\nSVC_PORT=9000\n  export SVC_HOST = ::1 \nA=b=c\n\t# last';
    expect(values(text)).toEqual({ SVC_PORT: '9000', SVC_HOST: '::1', A: 'b=c' });
  });

  test('may begin with a byte order mark and use Windows line endings', () => {
    expect(values('\uFEFFA=1\r\nB="2"\r\n')).toEqual({ A: '1', B: '2' });
  });

  test('removes a comment after an unquoted value, but not a # inside it', () => {
    expect(values('A=one # note\nB=one#two\nC=# nothing\nD="x # y" # z')).toEqual({ A: 'one', B: 'one#two', C: '', D: 'x # y' });
  });

  test('takes single quotes literally', () => {
    expect(values(`A='\${HOME} \\n "x"'`)).toEqual({ A: `\${HOME} \\n "x"` });
  });

  test('reads escapes in double quotes', () => {
    expect(values(String.raw`A="a\nb\t\"c\" \\ \$ \${B}"`)).toEqual({ A: `a\nb\t"c" \\ $ \${B}` });
  });

  test('keeps backslashes of unquoted values', () => {
    expect(values(String.raw`A=\\server\share\new`)).toEqual({ A: String.raw`\\server\share\new` });
  });

  test('lets a quoted value span lines, and counts them', () => {
    const file = parseEnvFile('KEY="-----BEGIN\nabc\n-----END"\nNEXT=1\nbroken');
    expect(file.values.get('KEY')).toEqual({ value: '-----BEGIN\nabc\n-----END', line: 1 });
    expect(file.values.get('NEXT')).toEqual({ value: '1', line: 4 });
    expect(file.problems).toEqual([expect.stringMatching(/^Line 5 /)]);
  });

  test(`replaces \${NAME} from the environment first, then from earlier lines, with a default`, () => {
    const text = `PW=file\nHOST=db\nURL=postgres://u:\${PW}@\${HOST}:\${PORT:-5432}/x\nQ="\${HOST}-\${NONE:-}"\nEMPTY=\nR=x\${EMPTY}\${EMPTY:-y}`;
    expect(parseEnvFile(text).problems).toEqual([]);
    expect(values(text, { PW: 'env' })).toMatchObject({ URL: 'postgres://u:env@db:5432/x', Q: 'db-', R: 'xy' });
  });

  test('reports unset references, unclosed quotes and lines that are not assignments', () => {
    const { problems } = parseEnvFile(`A=\${NOPE}\nnot a line\n1X=2\nB="open\nmore secret`);
    expect(problems).toEqual([
      `Line 1 uses \${NOPE}, which is not set before it.`,
      expect.stringMatching(/^Line 2 is not in the form NAME=value/),
      expect.stringMatching(/^Line 3 is not in the form NAME=value/),
      'Line 4 has an unclosed quote in the value of B.',
    ]);
    expect(problems.join()).not.toContain('secret');
  });

  test('uses the last of several values of one name', () => {
    expect(values('A=1\nA=2')).toEqual({ A: '2' });
  });
});
