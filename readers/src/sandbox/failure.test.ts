import { expect, it } from 'vitest';
import { ExtractError } from '../contract.ts';
import { describeFailure, redactMessage } from './failure.ts';

const path = '/srv/media/Anna & Bob/report.pdf';

it('an ExtractError keeps its kind and loses every path', () => {
  expect(describeFailure(new ExtractError('guard', `${path} is too large`), path)).toEqual({
    ok: false,
    kind: 'guard',
    message: 'the file is too large',
  });
});

it.each([
  [new RangeError('Array buffer allocation failed'), 'guard'],
  [Object.assign(new Error('x'), { code: 'ERR_MEMORY_ALLOCATION_FAILED' }), 'guard'],
  [new Error('Out of memory'), 'guard'],
  [Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }), 'dependency'],
  [new Error('Could not load the "sharp" module using the linux-x64 runtime'), 'dependency'],
  [new TypeError('x is not a function'), 'corrupt'],
  ['a bare text', 'corrupt'],
  [undefined, 'corrupt'],
])('%s is reported as %s', (error, kind) => {
  expect(describeFailure(error, path).kind).toBe(kind);
});

it.each(['ENOENT', 'EACCES', 'EIO', 'ESTALE', 'ELOOP', 'ENOTCONN', 'EHOSTDOWN', 'ETIMEDOUT'])(
  '%s is reported as a file that could not be opened',
  (code) => {
    const failure = describeFailure(Object.assign(new Error(`${code}: open '${path}'`), { code }), path);
    expect(failure).toMatchObject({ kind: 'corrupt', unreadable: true });
    expect(failure.message).not.toContain('/');
  },
);

it.each([
  [`open '${path}' failed`, "open 'the file' failed"],
  ['at file:///opt/app/server/x.js:3', 'at …'],
  ['see /etc/passwd, /root/.ssh/id_rsa', 'see …, …'],
  ['postgres://me:pw@db/x refused', '… refused'],
  ['line\nbreak\u0000', 'line break'],
  ['either/or is fine', 'either/or is fine'],
])('%j becomes %j', (message, redacted) => {
  expect(redactMessage(message, path)).toBe(redacted);
});

it('a message is cut to 300 characters', () => {
  expect(redactMessage('x '.repeat(1_000_000), path).length).toBeLessThanOrEqual(300);
});
