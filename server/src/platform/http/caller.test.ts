import { expect, test } from 'vitest';
import { createCallerReader, normalizeAddress } from './caller.ts';

const reader = createCallerReader({ trustedProxies: ['10.0.0.0/8', 'fd00::/8'], proxySharedSecret: 'sesame', trustForwardedFor: false });

test.each([
  ['203.0.113.9', {}, '203.0.113.9'],
  ['203.0.113.9', { 'x-forwarded-for': '1.2.3.4' }, '203.0.113.9'],
  ['10.0.0.1', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4'],
  ['::ffff:10.0.0.1', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4'],
  // The address sent by the client is to the left of the one added by the proxy.
  ['10.0.0.1', { 'x-forwarded-for': '9.9.9.9, 1.2.3.4, 10.0.0.2' }, '1.2.3.4'],
  ['10.0.0.1', { 'x-forwarded-for': 'nonsense, <script>' }, '10.0.0.1'],
  ['fd00::1', { 'x-forwarded-for': '[2001:db8::1]:443' }, '2001:db8::1'],
  ['203.0.113.9', { 'x-forwarded-for': '1.2.3.4', 'x-svc-proxy-trust': 'sesame' }, '1.2.3.4'],
  ['203.0.113.9', { 'x-forwarded-for': '1.2.3.4', 'x-svc-proxy-trust': 'sesamo' }, '203.0.113.9'],
])('from %s with %o the client is %s', (peer, headers, expected) => {
  expect(reader(peer, headers).address).toBe(expected);
});

test('the deprecated setting trusts the leftmost address from any peer', () => {
  expect(
    createCallerReader({ trustedProxies: [], trustForwardedFor: true })('203.0.113.9', { 'x-forwarded-for': '1.2.3.4, 5.6.7.8' }).address,
  ).toBe('1.2.3.4');
});

test('X-Forwarded-Host is believed only from a trusted proxy', () => {
  const headers = { host: 'inside:8484', 'x-forwarded-host': 'catalog.example' };
  expect(reader('10.0.0.1', headers).host).toBe('catalog.example');
  expect(reader('203.0.113.9', headers).host).toBe('inside:8484');
  expect(reader('203.0.113.9', { ...headers, 'x-svc-proxy-trust': 'sesame' }).host).toBe('catalog.example');
  expect(reader('10.0.0.1', { host: 'inside:8484' }).host).toBe('inside:8484');
});

test('ports, zones and IPv6 mappings are removed', () => {
  expect(['[::1]:80', 'fe80::1%eth0', '::FFFF:1.2.3.4', '1.2.3.4:5000'].map(normalizeAddress)).toEqual([
    '::1',
    'fe80::1',
    '1.2.3.4',
    '1.2.3.4',
  ]);
});
