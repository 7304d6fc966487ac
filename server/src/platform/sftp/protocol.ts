/**
 * SFTP version 3, which every server speaks. Requests carry a number and are answered in any order. The caller passes received bytes to
 * `receive`; after `fail`, every request that waits and every later one ends with that error.
 */

const types = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  write: 6,
  remove: 13,
  rename: 18,
  status: 101,
  handle: 102,
  extended: 200,
} as const;
const openForWriting = 0x02 | 0x08 | 0x10;
const hasMode = 0x04;
/** Servers must accept packets of this size. */
const pieceBytes = 32_768;
const maxWaiting = 32;
const maxPacketBytes = 262_144;

export type SftpFailure = 'not_found' | 'denied' | 'failed';
const failures: Record<number, SftpFailure> = { 2: 'not_found', 3: 'denied' };

/** The server refused a request. */
export class SftpError extends Error {
  readonly reason: SftpFailure;
  constructor(reason: SftpFailure, message: string) {
    super(message);
    this.name = 'SftpError';
    this.reason = reason;
  }
}

interface Answer {
  type: number;
  body: Buffer;
}

export interface SftpProtocol {
  receive(data: Buffer): void;
  fail(error: Error): void;
  start(): Promise<void>;
  /** Creates or empties the file, readable by its owner only, and returns the bytes written once the server has stored them. */
  write(file: string, source: AsyncIterable<Buffer>): Promise<number>;
  /** Replaces a file of the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Succeeds when there is no such file. */
  remove(file: string): Promise<void>;
}

export function createProtocol(send: (packet: Buffer) => Promise<void>): SftpProtocol {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(error: Error): void }>();
  let received = Buffer.alloc(0);
  let broken: Error | null = null;
  let number = 0;
  let extensions = new Set<string>();
  const versionId = -1;

  function fail(error: Error): void {
    broken ??= error;
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  }

  async function exchange(id: number, packet: Buffer): Promise<Answer> {
    if (broken) throw broken;
    const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }));
    // Reported by the await below, unless sending fails first.
    answer.catch(() => {});
    await send(Buffer.concat([uint32(packet.length), packet]));
    return answer;
  }

  async function request(type: number, ...parts: Buffer[]): Promise<Answer> {
    number = (number + 1) % 0xffffffff;
    const answer = await exchange(number, Buffer.concat([Buffer.from([type]), uint32(number), ...parts]));
    if (answer.type !== types.status) return answer;
    const code = answer.body.readUInt32BE(0);
    if (code === 0) return answer;
    throw new SftpError(failures[code] ?? 'failed', readText(answer.body, 4).toString('utf8') || `status ${code}`);
  }

  async function writePieces(handle: Buffer, source: AsyncIterable<Buffer>): Promise<number> {
    const pending = new Set<Promise<void>>();
    let failed: Error | null = null;
    let offset = 0;
    for await (const chunk of source)
      for (let at = 0; at < chunk.length; at += pieceBytes) {
        while (pending.size >= maxWaiting) await Promise.race(pending);
        if (failed) throw failed;
        const piece = chunk.subarray(at, at + pieceBytes);
        const one: Promise<void> = request(types.write, text(handle), uint64(offset), text(piece)).then(
          () => void pending.delete(one),
          (error: Error) => {
            failed ??= error;
            pending.delete(one);
          },
        );
        pending.add(one);
        offset += piece.length;
      }
    await Promise.all(pending);
    if (failed) throw failed;
    return offset;
  }

  return {
    fail,
    receive(data) {
      received = Buffer.concat([received, data]);
      while (received.length >= 4) {
        const length = received.readUInt32BE(0);
        if (length < 5 || length > maxPacketBytes) return fail(new Error('The server does not speak SFTP.'));
        if (received.length < 4 + length) return;
        const packet = received.subarray(4, 4 + length);
        received = received.subarray(4 + length);
        const type = packet[0] ?? 0;
        const id = type === types.version ? versionId : packet.readUInt32BE(1);
        waiting.get(id)?.resolve({ type, body: Buffer.from(packet.subarray(type === types.version ? 1 : 5)) });
        waiting.delete(id);
      }
    },
    async start() {
      const { body } = await exchange(versionId, Buffer.concat([Buffer.from([types.init]), uint32(3)]));
      extensions = new Set(readTexts(body.subarray(4)).filter((_text, at) => at % 2 === 0));
    },
    async write(file, source) {
      const attributes = Buffer.concat([uint32(hasMode), uint32(0o600)]);
      const { body } = await request(types.open, text(file), uint32(openForWriting), attributes);
      const handle = readText(body, 0);
      const bytes = await writePieces(handle, source);
      if (extensions.has('fsync@openssh.com')) await request(types.extended, text('fsync@openssh.com'), text(handle));
      await request(types.close, text(handle));
      return bytes;
    },
    async rename(from, to) {
      if (extensions.has('posix-rename@openssh.com'))
        return void (await request(types.extended, text('posix-rename@openssh.com'), text(from), text(to)));
      await this.remove(to);
      await request(types.rename, text(from), text(to));
    },
    async remove(file) {
      await request(types.remove, text(file)).catch((error: unknown) => {
        if (!(error instanceof SftpError && error.reason === 'not_found')) throw error;
      });
    },
  };
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function text(value: string | Buffer): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function readText(from: Buffer, at: number): Buffer {
  return from.length < at + 4 ? Buffer.alloc(0) : from.subarray(at + 4, at + 4 + from.readUInt32BE(at));
}

function readTexts(from: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at + 4 <= from.length; at += 4 + from.readUInt32BE(at)) found.push(readText(from, at).toString('utf8'));
  return found;
}
