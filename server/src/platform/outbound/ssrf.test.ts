import { expect, test } from 'vitest';
import { settingsForTests } from '../../settings/index.ts';
import { classifyAddress } from './addresses.ts';
import { createOutbound, OutboundError } from './index.ts';

/** Hosts as they can be written in a URL, with the class of the address they lead to. Names are answered by `zone`. */
const targets: [host: string, kind: string][] = [
  ['127.0.0.1', 'loopback'],
  ['127.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['2130706433', 'loopback'],
  ['0x7f000001', 'loopback'],
  ['0x7f.0x0.0x0.0x1', 'loopback'],
  ['0177.0.0.1', 'loopback'],
  ['017700000001', 'loopback'],
  ['127.0.0.1.', 'loopback'],
  ['①②⑦.0.0.1', 'loopback'],
  ['127。0。0。1', 'loopback'],
  ['[::1]', 'loopback'],
  ['[0:0:0:0:0:0:0:1]', 'loopback'],
  ['[::ffff:127.0.0.1]', 'loopback'],
  ['[::ffff:7f00:1]', 'loopback'],
  ['[0:0:0:0:0:ffff:127.0.0.1]', 'loopback'],
  ['[::127.0.0.1]', 'loopback'],
  ['[64:ff9b::127.0.0.1]', 'loopback'],
  ['[64:ff9b:1::7f00:1]', 'loopback'],
  ['[2002:7f00:1::]', 'loopback'],
  ['[::ffff:0:127.0.0.1]', 'loopback'],
  ['localhost', 'loopback'],
  ['LOCALHOST', 'loopback'],
  ['localhost.', 'loopback'],
  ['loop.test', 'loopback'],
  ['loop6.test', 'loopback'],
  ['mapped.test', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['0', 'unspecified'],
  ['0x0', 'unspecified'],
  ['[::]', 'unspecified'],
  ['[::ffff:0.0.0.0]', 'unspecified'],
  ['zero.test', 'unspecified'],
  ['169.254.169.254', 'metadata'],
  ['2852039166', 'metadata'],
  ['0xa9fea9fe', 'metadata'],
  ['0251.0376.0251.0376', 'metadata'],
  ['[::ffff:169.254.169.254]', 'metadata'],
  ['[::ffff:a9fe:a9fe]', 'metadata'],
  ['[64:ff9b::a9fe:a9fe]', 'metadata'],
  ['[fd00:ec2::254]', 'metadata'],
  ['[fd20:ce::254]', 'metadata'],
  ['169.254.170.2', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['168.63.129.16', 'metadata'],
  ['192.0.0.192', 'metadata'],
  ['metadata.test', 'metadata'],
  ['169.254.1.1', 'link-local'],
  ['[fe80::1]', 'link-local'],
  ['[febf::1]', 'link-local'],
  ['10.0.0.1', 'private'],
  ['10.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['192.168.257', 'private'],
  ['0xc0a80101', 'private'],
  ['3232235777', 'private'],
  ['100.64.0.1', 'private'],
  ['[fc00::1]', 'private'],
  ['[fdff::1]', 'private'],
  ['[fec0::1]', 'private'],
  ['[::ffff:192.168.1.1]', 'private'],
  ['[2002:c0a8:101::]', 'private'],
  ['intranet.test', 'private'],
  ['mixed.test', 'private'],
  ['0.1.2.3', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['198.51.100.7', 'reserved'],
  ['203.0.113.7', 'reserved'],
  ['224.0.0.1', 'reserved'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'reserved'],
  ['[ff02::1]', 'reserved'],
  ['[2001:db8::1]', 'reserved'],
  ['[2001::1]', 'reserved'],
  ['[100::1]', 'reserved'],
  ['[4000::1]', 'reserved'],
];

const zone: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'loop.test': ['127.0.0.1'],
  'loop6.test': ['::1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'zero.test': ['0.0.0.0'],
  'metadata.test': ['169.254.169.254'],
  'intranet.test': ['10.2.3.4'],
  'mixed.test': ['93.184.215.14', '10.2.3.4'],
};
const resolve = async (host: string): Promise<string[]> => {
  const known = zone[host];
  if (!known) throw new Error(`unexpected name ${host}`);
  return known;
};

async function sendTo(host: string, env: Record<string, string> = {}, purpose: 'webhook' | 'gateway' = 'webhook'): Promise<string> {
  const outbound = createOutbound({ settings: settingsForTests(env), resolve, env: {} });
  const sent = outbound.send(purpose, { url: `http://${host}:1/hook`, timeoutMs: 2000, maxResponseBytes: 10 });
  const error = await sent.catch((reason: unknown) => reason);
  return error instanceof OutboundError ? `${error.reason}: ${error.message}` : 'not an outbound error';
}

test('webhook targets are default-denied for private, loopback and link-local addresses, in every notation', async () => {
  expect(targets.length).toBeGreaterThanOrEqual(60);
  for (const [host, kind] of targets) expect(await sendTo(host), host).toMatch(new RegExp(`^refused: .* leads to a ${kind} address`));
});

test('SVC_WEBHOOK_ALLOW_PRIVATE_CIDRS permits private targets while loopback and link-local stay denied', async () => {
  const private_ = { SVC_WEBHOOK_ALLOW_PRIVATE_CIDRS: 'true' };
  for (const [host, kind] of targets.filter(([name]) => /^[\d.]+$|^\[/.test(name))) {
    // Connecting to a private address of a test machine could reach something, so only the decision is tested there.
    if (kind !== 'private') expect(await sendTo(host, private_), host).toMatch(/^refused/);
  }
  const outbound = createOutbound({ settings: settingsForTests(private_), resolve, env: {} });
  expect(await outbound.vet('webhook', 'intranet.test')).toEqual(['10.2.3.4']);
  expect(await outbound.vet('webhook', 'mixed.test')).toHaveLength(2);
});

test('SVC_WEBHOOK_ALLOWED_CIDRS permits any class but the unspecified address', async () => {
  const allowed = settingsForTests({ SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8, ::1, 169.254.1.0/24, 10.2.3.4, 0.0.0.0' });
  const outbound = createOutbound({ settings: allowed, resolve, env: {} });
  for (const host of ['127.0.0.1', '::1', '[::ffff:127.0.0.1]', '169.254.1.1', 'localhost', 'intranet.test'])
    expect(await outbound.vet('webhook', host), host).not.toEqual([]);
  await expect(outbound.vet('webhook', '0.0.0.0')).rejects.toThrow('unspecified');
  await expect(outbound.vet('webhook', '10.2.3.5')).rejects.toThrow('private');
});

test('a hostname whose DNS answer mixes allowed and blocked addresses is still refused', async () => {
  const settings = settingsForTests({ SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' });
  const both = createOutbound({ settings, resolve: async () => ['127.0.0.1', '127.0.0.2'], env: {} });
  await expect(both.vet('webhook', 'both.test')).rejects.toThrow('loopback');
});

test('gateway and mail servers may be on the local network, but never at a metadata, link-local or multicast address', async () => {
  const outbound = createOutbound({ settings: settingsForTests({}), resolve, env: {} });
  expect(await outbound.vet('gateway', 'localhost')).toHaveLength(2);
  expect(await outbound.vet('mail', 'intranet.test')).toEqual(['10.2.3.4']);
  for (const host of ['metadata.test', '[fe80::1]', '224.0.0.1', 'zero.test'])
    await expect(outbound.vet('gateway', host), host).rejects.toThrow('leads to');
});

test('public addresses have the class public', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.215.14',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:8.8.8.8',
    '172.32.0.1',
    '11.0.0.1',
  ])
    expect(classifyAddress(address), address).toBe('public');
});
