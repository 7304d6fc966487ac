import { expect, test } from 'vitest';
import { detailText, eventLabel } from './labels.ts';

test('event details are shown as text without UUIDs', () => {
  const details = {
    action: 'search_metadata',
    effect: 'allow',
    grant_id: '01a1ddb4-a601-7e73-9ba5-bbc715b2f68b',
    rel_path: 'documents',
    tags: ['a', 'b'],
    was: { role: 'user' },
  };
  expect(detailText(details)).toBe('Action: Search file details · Effect: allow · Folder: documents · Tags: a, b · Was: Role: user');
  expect(detailText(null)).toBe('');
  const [user_id, group_id] = ['0190a000-0000-7000-8000-000000000001', '0190a000-0000-7000-8000-000000000002'];
  const names = new Map([[user_id, 'vera']]);
  expect(detailText({ user_id, group_id, member: true }, names)).toBe('Person: vera · Member: yes');
});

test('an audit event has a label, and one of a later version its name', () => {
  expect(eventLabel('API_KEY_MINTED')).toBe('API key created');
  expect(eventLabel('disk_polished')).toBe('Disk polished');
});

test('reasons and methods are words, and a name that looks like one stays as it is', () => {
  expect(detailText({ method: 'ldap', reason: 'directory_unavailable' })).toBe(
    'Method: directory password · Reason: the directory was not reachable',
  );
  expect(detailText({ name: 'unknown', enabled: false })).toBe('Name: unknown · Enabled: no');
});
