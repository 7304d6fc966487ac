import { deflateSync } from 'node:zlib';
import { makeCompoundFile } from './compound-files.ts';
import { type Sample, u16le, u32le } from './sample.ts';

/** Valid samples of wrapped mail: winmail.dat, signed messages, Outlook messages and an Outlook Express mailbox. */

const inner = Buffer.from(
  'From: Ann Example <ann@example.org>\r\nTo: bob@example.org\r\nSubject: Signed plan\r\nDate: Tue, 02 Jan 2024 03:04:05 +0000\r\nContent-Type: text/plain\r\n\r\nThe walrus is on the roof.\r\n',
);

/** A TNEF attribute with its checksum. */
function attribute(level: 1 | 2, id: number, data: Buffer): Buffer {
  const sum = data.reduce((total, byte) => (total + byte) & 0xffff, 0);
  return Buffer.concat([Buffer.from([level]), u32le(id), u32le(data.length), data, u16le(sum)]);
}

/** A MAPI property list with UTF-16 texts. */
function propertyList(texts: Record<number, string>): Buffer {
  const rows = Object.entries(texts).map(([id, text]) => {
    const value = Buffer.from(`${text}\0`, 'utf16le');
    const padding = Buffer.alloc((4 - (value.length % 4)) % 4);
    return Buffer.concat([u16le(0x1f), u16le(Number(id)), u32le(1), u32le(value.length), value, padding]);
  });
  return Buffer.concat([u32le(rows.length), ...rows]);
}

export function makeTnef(): Buffer {
  const zero = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1');
  const sent = Buffer.concat([2023, 5, 6, 7, 8, 9, 6].map(u16le));
  return Buffer.concat([
    u32le(0x223e9f78),
    u16le(1),
    attribute(1, 0x00018004, zero('Harbour report')),
    attribute(1, 0x00038005, sent),
    attribute(1, 0x00069003, propertyList({ [0x0c1a]: 'Ann Example', [0x0c1f]: 'ann@example.org', [0x1000]: 'The crane arrived.' })),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, zero('CRANE~1.PDF')),
    attribute(2, 0x0006800f, Buffer.from('%PDF')),
    attribute(2, 0x00069005, propertyList({ [0x3707]: 'crane drawing.pdf', [0x370e]: 'application/pdf' })),
  ]);
}

const bytesOf = (length: number): Buffer =>
  length < 128 ? Buffer.from([length]) : length < 65_536 ? Buffer.from([0x82, length >> 8, length & 255]) : Buffer.alloc(0);
const definite = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), bytesOf(content.length), content]);
};
const indefinite = (tag: number, ...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.from([0, 0])]);

const signedOid = Buffer.from('06092a864886f70d010702', 'hex');
const envelopedOid = Buffer.from('06092a864886f70d010703', 'hex');
const dataOid = Buffer.from('06092a864886f70d010701', 'hex');
const version = Buffer.from([2, 1, 1]);
const digests = Buffer.from([0x31, 0]);

/** A signed message in DER, with definite lengths. */
function makeSigned(): Buffer {
  return makeSignedFile(inner);
}

/** A signed file. */
export function makeSignedFile(file: Buffer): Buffer {
  const content = definite(0x30, dataOid, definite(0xa0, definite(0x04, file)));
  return definite(0x30, signedOid, definite(0xa0, definite(0x30, version, digests, content, definite(0x31))));
}

const compressedOid = Buffer.from('060b2a864886f70d0109100109', 'hex');
const zlibOid = Buffer.from('060b2a864886f70d0109100308', 'hex');

/** A compressed message. */
export function makeCompressedMessage(): Buffer {
  const content = definite(0x30, dataOid, definite(0xa0, definite(0x04, deflateSync(inner))));
  return definite(0x30, compressedOid, definite(0xa0, definite(0x30, version, definite(0x30, zlibOid), content)));
}

/** A signed message in BER with indefinite lengths and chunks, as streaming signers write it, in base64 lines. */
function makeStreamedSigned(): Buffer {
  const pieces = [inner.subarray(0, 100), inner.subarray(100)].map((piece) => definite(0x04, piece));
  const content = indefinite(0x30, dataOid, indefinite(0xa0, indefinite(0x24, ...pieces)));
  const whole = indefinite(0x30, signedOid, indefinite(0xa0, indefinite(0x30, version, digests, content, definite(0x31))));
  return Buffer.from(whole.toString('base64').replace(/.{64}/g, '$&\r\n'));
}

export function makeDbx(messages: readonly string[]): Buffer {
  const head = Buffer.alloc(0x24bc);
  Buffer.from([0xcf, 0xad, 0x12, 0xfe, 0xc5, 0xfd, 0x74, 0x6f]).copy(head);
  head.writeUInt32LE(messages.length, 0xc4);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (const message of messages) {
    const bytes = Buffer.from(message, 'latin1');
    for (let from = 0; from < bytes.length; from += 512) {
      const piece = Buffer.alloc(512);
      const used = bytes.copy(piece, 0, from, from + 512);
      const last = from + 512 >= bytes.length;
      parts.push(Buffer.concat([u32le(at), u32le(512), u32le(used), u32le(last ? 0 : at + 528), piece]));
      at += 528;
    }
  }
  return Buffer.concat(parts);
}

const letter = (n: number): string =>
  `From: ann@example.org\r\nSubject: Letter ${n}\r\nDate: Tue, 0${n} Jan 2002 03:04:05 +0000\r\n\r\n${'An old story about owls. '.repeat(40)}\r\n`;

const signedFacts = { email_signed: true, email_from: 'Ann Example <ann@example.org>', email_date: '2024-01-02T03:04:05.000Z' };

// biome-ignore format: one sample per line is easier to scan.
export const mailSamples: readonly Sample[] = [
  { extractor: 'email', filename: 'winmail.dat', build: makeTnef, title: 'Harbour report', word: 'crane',
    expected: { email_from: 'Ann Example <ann@example.org>', email_date: '2023-05-06T07:08:09.000Z', attachment_count: 1, attachments: [{ name: 'crane drawing.pdf', type: 'application/pdf', size: 4 }] } },
  { extractor: 'email', filename: 'report.tnef', build: makeTnef, title: 'Harbour report', word: 'crane' },
  { extractor: 'email', filename: 'smime.p7m', build: makeSigned, title: 'Signed plan', word: 'walrus', expected: signedFacts },
  { extractor: 'email', filename: 'invoice.xml.p7m', build: () => makeSignedFile(Buffer.from('<?xml version="1.0"?><invoice><item>forty anchors</item></invoice>')), expected: { email_signed: true } },
  { extractor: 'email', filename: 'packed.p7m', build: makeCompressedMessage, title: 'Signed plan', word: 'walrus', expected: { email_from: 'Ann Example <ann@example.org>' } },
  { extractor: 'email', filename: 'streamed.p7m', build: makeStreamedSigned, title: 'Signed plan', word: 'walrus', expected: signedFacts },
  { extractor: 'email', filename: 'locked.p7m', build: () => definite(0x30, envelopedOid, definite(0xa0, definite(0x30, version))), expected: { email_encrypted: true } },
  { extractor: 'mailbox', filename: 'Inbox.dbx', build: () => makeDbx([letter(2), letter(3)]), word: 'owls',
    expected: { mailbox: { message_count: 2, format: 'dbx', first_date: '2002-01-02T03:04:05.000Z', last_date: '2002-01-03T03:04:05.000Z', truncated: false } } },
];

/** An Outlook message with one attachment. */
export function makeMsg(): Buffer {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  const ticks = Buffer.alloc(8);
  ticks.writeBigUInt64LE(BigInt(Date.UTC(2022, 0, 2, 3, 4, 5) + 11_644_473_600_000) * 10_000n);
  const properties = Buffer.concat([Buffer.alloc(32), u32le(0x00390040), u32le(6), ticks]);
  const attachment = '__attach_version1.0_#00000000';
  return makeCompoundFile({
    '__properties_version1.0': properties,
    '__substg1.0_0037001F': wide('Quarterly numbers'),
    '__substg1.0_0C1A001F': wide('Ann Example'),
    '__substg1.0_0C1F001F': wide('ann@example.org'),
    '__substg1.0_0E04001F': wide('Bob'),
    '__substg1.0_1000001F': wide('Please find the numbers attached.'),
    [`${attachment}/__properties_version1.0`]: Buffer.alloc(8),
    [`${attachment}/__substg1.0_3707001F`]: wide('numbers.xlsx'),
    [`${attachment}/__substg1.0_37010102`]: Buffer.from('PK numbers'),
  });
}

export const outlookSamples: readonly Sample[] = [
  {
    extractor: 'email',
    filename: 'mail.msg',
    build: makeMsg,
    expected: {
      email_from: 'Ann Example <ann@example.org>',
      email_to: 'Bob',
      email_date: '2022-01-02T03:04:05.000Z',
      attachment_count: 1,
      attachments: [{ name: 'numbers.xlsx', size: 10 }],
    },
    title: 'Quarterly numbers',
    word: 'attached',
  },
];
