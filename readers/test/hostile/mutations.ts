/** Damaged copies of every valid sample: truncated, flipped, overwritten, repeated, renamed, or damaged inside a zip member. */
import { inflateRawSync } from 'node:zlib';
import { makeZip } from '../samples/archives.ts';
import { samples } from '../samples/index.ts';
import { type HostileCase, seeded } from './hostile-case.ts';

type Random = () => number;
type Damage = (bytes: Buffer, random: Random) => Buffer;

const randomOffset = (bytes: Buffer, random: Random): number => Math.floor(random() * bytes.length);

const damages: Record<string, Damage> = {
  cut: (bytes, random) => bytes.subarray(0, randomOffset(bytes, random)),
  'first bytes gone': (bytes, random) => bytes.subarray(1 + Math.floor(random() * 64)),
  'bits flipped': (bytes, random) => {
    const out = Buffer.from(bytes);
    const count = 1 + Math.floor(random() * 24);
    for (let i = 0; i < count && out.length > 0; i++) {
      const at = randomOffset(out, random);
      out[at] = (out[at] as number) ^ (1 << Math.floor(random() * 8));
    }
    return out;
  },
  'head damaged': (bytes, random) => {
    const out = Buffer.from(bytes);
    for (let i = 0; i < 6; i++) out[Math.floor(random() * Math.min(out.length, 64))] = Math.floor(random() * 256);
    return out;
  },
  'numbers made huge': (bytes, random) => overwriteWords(Buffer.from(bytes), random),
  'zeros inside': (bytes, random) => {
    const out = Buffer.from(bytes);
    const at = randomOffset(out, random);
    out.fill(0, at, Math.min(out.length, at + 1 + Math.floor(random() * 256)));
    return out;
  },
  'part repeated': (bytes, random) => {
    const at = randomOffset(bytes, random);
    const part = bytes.subarray(at, at + 1 + Math.floor(random() * 512));
    return Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: 50 }, () => part), bytes.subarray(at)]);
  },
  'noise behind': (bytes, random) => Buffer.concat([bytes, Buffer.from(Array.from({ length: 512 }, () => Math.floor(random() * 256)))]),
  'damaged inside': (bytes, random) => damageInside(bytes, random),
};

function overwriteWords(out: Buffer, random: Random): Buffer {
  for (let i = 0; i < 4 && out.length >= 4; i++)
    out.writeUInt32LE(random() < 0.5 ? 0xffffffff : 0x7fffffff, Math.floor(random() * (out.length - 3)));
  return out;
}

/** Damages one member of a zip and repacks it, so that the damage reaches the parser of the member instead of the zip reader. */
function damageInside(bytes: Buffer, random: Random): Buffer {
  if (bytes.toString('latin1', 0, 2) !== 'PK') return damages['bits flipped']!(bytes, random);
  const members: { name: string; data: Buffer }[] = [];
  for (let at = 0; at + 30 <= bytes.length && bytes.readUInt32LE(at) === 0x04034b50; ) {
    const packed = bytes.readUInt32LE(at + 18);
    const nameLength = bytes.readUInt16LE(at + 26);
    const start = at + 30 + nameLength + bytes.readUInt16LE(at + 28);
    const body = bytes.subarray(start, start + packed);
    members.push({
      name: bytes.toString('utf8', at + 30, at + 30 + nameLength),
      data: bytes.readUInt16LE(at + 8) === 8 ? inflateRawSync(body) : body,
    });
    at = start + packed;
  }
  const victim = members[Math.floor(random() * members.length)];
  const ways = ['cut', 'bits flipped', 'part repeated', 'zeros inside'] as const;
  if (victim !== undefined && victim.data.length > 0)
    victim.data = damages[ways[Math.floor(random() * ways.length)] as string]!(victim.data, random);
  return makeZip(members);
}

/** `count` damaged files, spread evenly over samples and kinds of damage, and the same in every run. */
export function mutations(count: number): HostileCase[] {
  const kinds = Object.keys(damages);
  const built = new Map<string, Promise<Buffer>>();
  return Array.from({ length: count }, (_, i): HostileCase => {
    const sample = samples[i % samples.length]!;
    const kind = kinds[Math.floor(i / samples.length + i) % kinds.length] as string;
    // Some files get the extension of another format.
    const stranger = i % 13 === 12 ? samples[(i * 7) % samples.length]! : sample;
    return {
      family: stranger === sample ? 'damaged' : 'wrong name',
      name: stranger === sample ? kind : `${stranger.filename}, ${kind}`,
      filename: sample.filename,
      build: async () => {
        if (!built.has(stranger.filename)) built.set(stranger.filename, Promise.resolve(stranger.build()));
        return (damages[kind] as Damage)(await (built.get(stranger.filename) as Promise<Buffer>), seeded(i + 1));
      },
      endings: ['result', 'corrupt', 'guard'],
    };
  });
}
