import { expect, test } from 'vitest';
import { machineAccounts, parseMacAccounts } from './machine-accounts.ts';

test('accounts of macOS are read from the lists of its directory, without those that have no number of their own', () => {
  const accounts = parseMacAccounts({
    userIds: '_spotlight              89\nanna                    501\nnobody                  -2\nroot                    0\n',
    mainGroups: '_spotlight              89\nanna                    20\nnobody                  -2\n',
    fullNames: '_spotlight              Spotlight\nanna                    Anna Berg\n',
    groupIds: 'staff                   20\nnobody                  -2\n',
  });
  expect(accounts).toEqual({
    users: [
      [89, '_spotlight', 89, 'Spotlight'],
      [501, 'anna', 20, 'Anna Berg'],
      [0, 'root', 0, ''],
    ],
    groups: [[20, 'staff', []]],
  });
});

test.runIf(process.platform === 'linux')('root is not among the accounts of a machine', () => {
  const { users, groups } = machineAccounts();
  expect(users.length).toBeGreaterThan(0);
  expect([...users, ...groups].map(([id]) => id)).not.toContain(0);
});
