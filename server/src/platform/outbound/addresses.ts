import { BlockList, isIP, isIPv4 } from 'node:net';

/** `metadata` is an address at which cloud providers hand out credentials of the machine. */
export type AddressClass = 'public' | 'private' | 'loopback' | 'link-local' | 'metadata' | 'unspecified' | 'reserved';

const blocks: readonly (readonly [AddressClass, readonly string[]])[] = [
  ['unspecified', ['0.0.0.0/32', '::/128']],
  [
    'metadata',
    ['169.254.169.254/32', '169.254.170.0/24', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::/32', 'fd20:ce::/32'],
  ],
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7', 'fec0::/10']],
  [
    'reserved',
    [
      '0.0.0.0/8',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/4',
      '240.0.0.0/4',
      '100::/64',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
      '5f00::/16',
      'ff00::/8',
    ],
  ],
];
const classes = blocks.map(([name, list]) => ({ name, list: blockList(list) }));

/** Matches IP addresses and CIDR blocks. */
export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family);
  }
  return list;
}

export function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** The class of an IP address. An IPv6 address that leads to an IPv4 one has the class of that one. Text that is no address is reserved. */
export function classifyAddress(address: string): AddressClass {
  const plain = unwrap(address);
  if (isIP(plain) === 0) return 'reserved';
  const found = classes.find(({ list }) => isListed(list, plain))?.name;
  if (found !== undefined) return found;
  // Only 2000::/3 is assigned to the public internet.
  return isIPv4(plain) || /^[23]/.test(expand(plain)[0] ?? '') ? 'public' : 'reserved';
}

/** The IPv4 address inside a mapped, compatible, NAT64 or 6to4 address; otherwise the address itself, without a zone. */
export function unwrap(address: string): string {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(plain) !== 6) return plain;
  const words = expand(plain);
  const head = words.slice(0, 6).join(':');
  const zeros = '0000:0000:0000:0000:0000';
  const embedsIpv4 = head === `${zeros}:ffff` || head === `0000:0000:0000:0000:ffff:0000` || head === '0064:ff9b:0000:0000:0000:0000';
  const compatible = head === `${zeros}:0000` && words[6] !== '0000';
  if (embedsIpv4 || compatible) return dotted(words[6], words[7]);
  if (words[0] === '0064' && words[1] === 'ff9b' && words[2] === '0001') return dotted(words[6], words[7]);
  return words[0] === '2002' ? dotted(words[1], words[2]) : plain;
}

function dotted(high = '0', low = '0'): string {
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

/** The eight words of an IPv6 address in four hex digits each. */
function expand(address: string): string[] {
  const withHex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [left = '', right] = withHex.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const middle = right === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(Math.max(0, middle)).fill('0'), ...tail].map((word) => word.padStart(4, '0'));
}
