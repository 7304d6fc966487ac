import type { Client, Entry } from 'ldapts';
import { expect, test } from 'vitest';
import { allValues, isRanged } from './ranges.ts';

// Samba never answers in ranges, so the server is simulated: at most 1,500 values an answer, as Active Directory does.
const perRange = 1500;
const values = Array.from({ length: 4200 }, (_, at) => `CN=group${at},DC=ad,DC=test`);
const range = (from: number): Entry => {
  const part = values.slice(from, from + perRange);
  const end = from + perRange >= values.length ? '*' : String(from + perRange - 1);
  return { dn: 'CN=vera,DC=ad,DC=test', memberOf: [], [`memberOf;range=${from}-${end}`]: part };
};
const asked: number[] = [];
const client = {
  search: async (_dn: string, { attributes }: { attributes: string[] }) => {
    const from = Number(/range=(\d+)-\*$/.exec(attributes[0] ?? '')?.[1]);
    asked.push(from);
    return { searchEntries: [range(from)] };
  },
} as unknown as Client;

test('long lists that Active Directory returns in ranges are read to their end', async () => {
  expect(isRanged(range(0), 'memberOf')).toBe(true);
  expect(await allValues(client, range(0), 'memberOf')).toEqual(values);
  expect(asked).toEqual([1500, 3000]);
});

test('a short list is complete without another request', async () => {
  const short = { dn: 'CN=vera', memberOf: ['CN=staff'] };
  expect(isRanged(short, 'memberOf')).toBe(false);
  expect(await allValues(client, short, 'memberOf')).toEqual(['CN=staff']);
  expect(asked).toHaveLength(2);
});
