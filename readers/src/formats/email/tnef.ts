import type { BodyText } from '../../body-text.ts';
import { ExtractError } from '../../contract.ts';
import { type CharsetDecoder, codePageDecoder } from '../../input/charset.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { htmlToText } from '../text/html-text.ts';

const signature = 0x223e9f78;
const maxAttributes = 10_000;
const maxAttachments = 500;
const valueMax = 8 * 1024 * 1024;
const attributeIds = {
  from: 0x8000,
  subject: 0x8004,
  sent: 0x8005,
  messageId: 0x8009,
  body: 0x800c,
  data: 0x800f,
  title: 0x8010,
  codePage: 0x9007,
  begin: 0x9002,
};
const propertyLists = new Set([0x9003, 0x9005]);

interface Attachment {
  name?: string;
  type?: string;
  size?: number;
}

export function isTnef(head: Buffer): boolean {
  return head.length >= 6 && head.readUInt32LE(0) === signature;
}

/** Reads winmail.dat: a sequence of attributes with lengths. A marker attribute begins each attachment. */
export function readTnef(file: FileBytes, body: BodyText, maxChars: number): Record<string, unknown> {
  if (!isTnef(file.read(0, 6))) throw new ExtractError('corrupt', 'The file is not a TNEF message.');
  const facts: Record<string, unknown> = {};
  const attachments: Attachment[] = [];
  let text: string | undefined;
  let html: string | undefined;
  let decoder = codePageDecoder(1252);
  let at = 6;
  for (let n = 0; n < maxAttributes && at + 9 <= file.size; n++) {
    const head = file.need(at, 9);
    const [level, id, length] = [head.readUInt8(0), head.readUInt16LE(1), head.readUInt32LE(5)];
    if ((level !== 1 && level !== 2) || at + 9 + length > file.size) throw new ExtractError('corrupt', 'The TNEF message ends too early.');
    const value = (): Buffer => file.read(at + 9, Math.min(length, valueMax));
    const attachment = attachments.at(-1);
    if (id === attributeIds.begin) attachments.push({});
    else if (id === attributeIds.codePage && length >= 4) decoder = codePageDecoder(value().readUInt32LE(0));
    else if (level === 2 && attachment && id === attributeIds.title) attachment.name ??= decodeNarrow(value(), decoder);
    else if (level === 2 && attachment && id === attributeIds.data) attachment.size = length;
    else if (propertyLists.has(id)) {
      const properties = readTnefProperties(value(), decoder);
      if (level === 2 && attachment) describeAttachment(attachment, properties);
      else {
        Object.assign(facts, tnefMessageFacts(properties, facts));
        text ??= textProperty(properties, 0x1000);
        html ??= textProperty(properties, 0x1013);
      }
    } else if (id === attributeIds.subject) facts['email_subject'] ??= decodeNarrow(value(), decoder);
    else if (id === attributeIds.messageId) facts['email_message_id'] ??= decodeNarrow(value(), decoder);
    else if (id === attributeIds.body) text = decodeNarrow(value(), decoder);
    else if (id === attributeIds.sent) facts['email_date'] ??= readDate(value());
    at += 9 + length + 2;
  }
  const page = text === undefined && html !== undefined ? htmlToText(html, maxChars) : undefined;
  body.add(text ?? page?.text ?? '');
  body.break();
  for (const { name } of attachments.slice(0, maxAttachments)) {
    body.add(name ?? '');
    body.break();
  }
  return {
    ...facts,
    ...(attachments.length > 0 && { attachments: attachments.slice(0, maxAttachments) }),
    attachment_count: attachments.length,
  };
}

function describeAttachment(attachment: Attachment, properties: TnefProperties): void {
  const name = textProperty(properties, 0x3707) ?? textProperty(properties, 0x3704);
  const type = textProperty(properties, 0x370e);
  if (name !== undefined) attachment.name = name;
  if (type !== undefined) attachment.type = type;
}

function tnefMessageFacts(properties: TnefProperties, known: Record<string, unknown>): Record<string, unknown> {
  const [sender, address] = [textProperty(properties, 0x0c1a) ?? textProperty(properties, 0x0042), textProperty(properties, 0x0c1f)];
  const from = sender !== undefined && address !== undefined && sender !== address ? `${sender} <${address}>` : (sender ?? address);
  const sent = properties.get(0x0039) ?? properties.get(0x0e06);
  return {
    email_subject: known['email_subject'] ?? textProperty(properties, 0x0037),
    email_from: known['email_from'] ?? from,
    email_to: known['email_to'] ?? textProperty(properties, 0x0e04),
    email_cc: known['email_cc'] ?? textProperty(properties, 0x0e03),
    email_message_id: known['email_message_id'] ?? textProperty(properties, 0x1035),
    email_date: known['email_date'] ?? (sent instanceof Date && !Number.isNaN(sent.getTime()) ? sent.toISOString() : undefined),
  };
}

function textProperty(properties: TnefProperties, id: number): string | undefined {
  const value = properties.get(id);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function decodeNarrow(bytes: Buffer, decoder: CharsetDecoder): string | undefined {
  const text = decoder
    .decode(bytes)
    .replace(/\0[\s\S]*$/, '')
    .trim();
  return text === '' ? undefined : text;
}

/** The date is six 16-bit integers: year, month, day, hour, minute, second. */
function readDate(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return undefined;
  const part = (index: number): number => bytes.readUInt16LE(index * 2);
  const date = new Date(Date.UTC(part(0), part(1) - 1, part(2), part(3), part(4), part(5)));
  return Number.isNaN(date.getTime()) || part(0) < 1970 ? undefined : date.toISOString();
}

/** Outlook properties by number. Only texts and times are kept. */
type TnefProperties = ReadonlyMap<number, string | Date>;

const fixedSizes: Record<number, number> = { 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16 };
const firstNamedId = 0x8000;
const multipleFlag = 0x1000;

/** Stops at the first value that is not complete. */
function readTnefProperties(bytes: Buffer, decoder: CharsetDecoder): TnefProperties {
  const found = new Map<number, string | Date>();
  if (bytes.length < 4) return found;
  let at = 4;
  const padded = (length: number): number => Math.ceil(length / 4) * 4;
  const number = (): number => {
    const value = bytes.readUInt32LE(at);
    at += 4;
    return value;
  };
  try {
    for (let left = Math.min(bytes.readUInt32LE(0), 4096); left > 0; left--) {
      const type = bytes.readUInt16LE(at);
      const id = bytes.readUInt16LE(at + 2);
      at += 4;
      if (id >= firstNamedId) {
        at += 16;
        if (number() === 0) at += 4;
        else at += padded(number());
      }
      const kind = type & ~multipleFlag;
      const size = fixedSizes[kind];
      const values = size !== undefined && type === kind ? 1 : Math.min(number(), 10_000);
      for (let n = 0; n < values; n++) {
        const length = size ?? number();
        if (at + length > bytes.length) return found;
        const value = bytes.subarray(at, at + length);
        at += padded(length);
        if (kind === 0x1f) found.set(id, value.toString('utf16le').replace(/\0+$/, ''));
        else if (kind === 0x1e) found.set(id, decoder.decode(value).replace(/\0+$/, ''));
        else if (kind === 0x102 && id === 0x1013) found.set(id, value.toString('utf8'));
        else if (kind === 0x40) found.set(id, new Date(Number(value.readBigUInt64LE(0) / 10_000n) - 11_644_473_600_000));
      }
    }
  } catch {
    // The list ends inside a value. The properties before it are still valid.
  }
  return found;
}
