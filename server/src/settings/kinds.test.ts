import { describe, expect, test } from 'vitest';
import { fakeHost } from './fake-host.ts';
import {
  boolean,
  choice,
  cidrList,
  databaseAddress,
  decimal,
  integer,
  json,
  list,
  matching,
  path,
  pathList,
  secret,
  text,
  textList,
  url,
} from './kinds.ts';
import type { Setting } from './setting.ts';

const host = fakeHost(['/data'], { '/tls/cert.pem': 'PEM' });
const description = 'A description.';
const rows = {
  boolean: boolean({ default: true, description }),
  integer: integer({ default: 5, min: 1, max: 10, description }),
  open: integer({ default: 5, description }),
  decimal: decimal({ default: 0.5, min: 0, description }),
  capped: decimal({ default: 0.5, max: 1, description }),
  text: text({ default: 'a', description, check: matching(/^[a-z]+$/, 'small letters') }),
  secret: secret({ unset: 'none', description }),
  choice: choice(['lax', 'strict', 'none'], { default: 'lax', description }),
  list: list({ default: [], description, check: matching(/^[a-z]+$/, 'small letters') }),
  spaced: list({ default: [], orSpaces: true, description }),
  json: json({ default: [] as readonly string[], description, bounds: 'a JSON list of texts', check: textList }),
  cidr: cidrList({ default: [], description }),
  path: path({ unset: 'none', description }),
  file: path({ unset: 'none', mustBeReadable: true, description }),
  paths: pathList({ default: [], description }),
  url: url({ unset: 'none', schemes: ['http', 'https'], description }),
  prefix: url({ unset: 'none', schemes: ['https'], prefix: true, description }),
  database: databaseAddress({ unset: 'embedded', description }),
} satisfies Record<string, Setting<unknown>>;

describe('valid values are parsed', () => {
  test.each([
    ['boolean', 'true', true],
    ['boolean', 'FALSE', false],
    ['boolean', '1', true],
    ['boolean', 'off', false],
    ['integer', '10', 10],
    ['integer', '+1', 1],
    ['open', '-3', -3],
    ['decimal', '.25', 0.25],
    ['decimal', '3', 3],
    ['text', 'abc', 'abc'],
    ['choice', 'Strict', 'strict'],
    ['list', ' a, b ,,c', ['a', 'b', 'c']],
    ['spaced', 'a b, c', ['a', 'b', 'c']],
    ['json', '["a"]', ['a']],
    ['cidr', '10.0.0.0/8, ::1,fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
    ['path', 'sub/x', '/work-dir/sub/x'],
    ['path', '~/x', '/home/ann/x'],
    ['path', '~', '/home/ann'],
    ['path', '/a/../b', '/b'],
    ['file', '/tls/cert.pem', '/tls/cert.pem'],
    ['paths', '/a, ~/b', ['/a', '/home/ann/b']],
    ['url', 'http://x:7700/p?q', 'http://x:7700/p?q'],
    ['prefix', 'https://x/base//', 'https://x/base'],
    ['database', 'postgres://u:p@h/db', 'postgresql://u:p@h/db'],
    ['database', 'postgresql+asyncpg://u@h:5433/db?sslmode=require', 'postgresql://u@h:5433/db?sslmode=require'],
    ['database', 'postgresql:///catalog?host=/run/postgresql', 'postgresql:///catalog?host=/run/postgresql'],
  ] as const)('%s %s', (kind, raw, value) => {
    expect(rows[kind].parse(raw, host)).toEqual({ value });
  });
});

describe('invalid values are rejected with what they must be', () => {
  test.each([
    ['boolean', 'maybe', 'must be true or false'],
    ['integer', '0', 'must be a whole number from 1 to 10'],
    ['integer', '11', 'must be a whole number from 1 to 10'],
    ['integer', '1.5', 'must be a whole number from 1 to 10'],
    ['integer', '0x5', 'must be a whole number from 1 to 10'],
    ['integer', 'five', 'must be a whole number from 1 to 10'],
    ['open', '9007199254740993', 'must be a whole number'],
    ['decimal', '-0.1', 'must be a number of at least 0'],
    ['decimal', '1e3', 'must be a number of at least 0'],
    ['decimal', 'NaN', 'must be a number of at least 0'],
    ['decimal', '0,5', 'must be a number of at least 0'],
    ['capped', '1.1', 'must be a number of at most 1'],
    ['text', 'A1', 'must be small letters'],
    ['choice', 'loose', 'must be lax, strict or none'],
    ['list', 'a,B', 'must be small letters separated by commas'],
    ['json', '[1]', 'must be a JSON list of texts'],
    ['json', '["a"', 'must be a JSON list of texts'],
    ['json', '{}', 'must be a JSON list of texts'],
    ['path', 'a\0b', 'must be a path without NUL'],
    ['file', '/tls/none.pem', 'must name a file that this user can read'],
    ['url', 'ftp://x', 'must be a URL that starts with http:// or https://'],
    ['url', 'x:7700', 'must be a URL that starts with http:// or https://'],
    ['prefix', 'https://x/?a=1', 'must be a URL without ? and #'],
    ['database', 'mysql://u@h/db', 'must be a connection string such as postgresql://user:password@host:5432/catalog'],
    ['database', 'host=db dbname=x', 'must be a connection string such as postgresql://user:password@host:5432/catalog'],
  ] as const)('%s %s', (kind, raw, problem) => {
    expect(rows[kind].parse(raw, host)).toEqual({ problem });
  });

  test.each(['10.0.0.0/33', '::1/129', '300.1.1.1', 'proxy.local', '10.0.0.0/8/8', '10.0.0.0/'])('address list %s', (raw) => {
    expect(rows.cidr.parse(`127.0.0.1, ${raw}`, host)).toEqual({ problem: expect.stringContaining(`"${raw}" is neither`) });
  });
});

test('secrets and connection strings are secret by default', () => {
  expect([rows.secret.secret, rows.database.secret, rows.text.secret]).toEqual([true, true, false]);
});
