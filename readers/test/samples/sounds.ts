import { type Sample, u16le, u32be, u32le } from './sample.ts';

/** A second of silence with the tags of a recorder. */
export function makeWav(seconds = 1): Buffer {
  const rate = 8000;
  const data = Buffer.alloc(rate * seconds * 2);
  const text = (id: string, value: string) => {
    const body = Buffer.from(`${value}\0${value.length % 2 === 0 ? '\0' : ''}`);
    return Buffer.concat([Buffer.from(id), u32le(body.length), body]);
  };
  const info = Buffer.concat([Buffer.from('INFO'), text('INAM', 'Field notes'), text('IART', 'Ann Example')]);
  const chunks = Buffer.concat([
    Buffer.from('fmt '),
    u32le(16),
    u16le(1),
    u16le(1),
    u32le(rate),
    u32le(rate * 2),
    u16le(2),
    u16le(16),
    Buffer.from('LIST'),
    u32le(info.length),
    info,
    Buffer.from('data'),
    u32le(data.length),
    data,
  ]);
  return Buffer.concat([Buffer.from('RIFF'), u32le(chunks.length + 4), Buffer.from('WAVE'), chunks]);
}

/** ID3v2.3 tags before silent frames of 128 kbit/s. */
export function makeMp3(
  frames = 60,
  tags: Record<string, string> = { TIT2: 'Rain', TPE1: 'The Example', TALB: 'Weather', TCON: 'Ambient', TYER: '2019', TRCK: '3/9' },
): Buffer {
  const rows = Object.entries(tags).map(([id, value]) => {
    const body = Buffer.concat([Buffer.from([0]), Buffer.from(value, 'latin1')]);
    return Buffer.concat([Buffer.from(id), u32be(body.length), Buffer.alloc(2), body]);
  });
  const size = rows.reduce((sum, row) => sum + row.length, 0);
  const syncsafe = Buffer.from([(size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127]);
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);
  return Buffer.concat([Buffer.from('ID3\x03\0\0'), syncsafe, ...rows, ...Array.from({ length: frames }, () => frame)]);
}

function makeFlac(): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4096, 0);
  info.writeUInt16BE(4096, 2);
  // Sample rate (20 bits), channels (3), bit depth (5), sample count (36).
  info.writeBigUInt64BE((44_100n << 44n) | (1n << 41n) | (15n << 36n) | 88_200n, 10);
  const comment = (text: string) => Buffer.concat([u32le(Buffer.byteLength(text)), Buffer.from(text)]);
  const tags = Buffer.concat([comment('by hand'), u32le(2), comment('TITLE=Wind'), comment('ARTIST=The Example')]);
  return Buffer.concat([
    Buffer.from('fLaC'),
    Buffer.from([0, 0, 0, 34]),
    info,
    Buffer.from([0x84, 0, 0, tags.length]),
    tags,
    Buffer.alloc(64),
  ]);
}

/** Sun audio, which only ffprobe can read. */
function makeAu(): Buffer {
  return Buffer.concat([Buffer.from('.snd'), u32be(24), u32be(8000), u32be(1), u32be(8000), u32be(1), Buffer.alloc(8000, 0xff)]);
}

/** Uncompressed video: a text header and raw frames. */
export function makeY4m(width = 64, height = 48, frames = 5): Buffer {
  const frame = Buffer.concat([Buffer.from('FRAME\n'), Buffer.alloc((width * height * 3) / 2, 128)]);
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C420jpeg\n`),
    ...Array.from({ length: frames }, () => frame),
  ]);
}

export const soundSamples: readonly Sample[] = [
  {
    extractor: 'audio',
    filename: 'notes.wav',
    build: () => makeWav(),
    expected: { duration: 1, samplerate: 8000, channels: 1, bit_depth: 16, lossless: true },
    title: 'Field notes',
  },
  {
    extractor: 'audio',
    filename: 'rain.mp3',
    build: () => makeMp3(),
    expected: {
      artist: 'The Example',
      album: 'Weather',
      genre: 'Ambient',
      year: 2019,
      track: 3,
      bitrate: 128_000,
      samplerate: 44_100,
      has_cover: false,
    },
    title: 'Rain',
  },
  {
    extractor: 'audio',
    filename: 'wind.flac',
    build: makeFlac,
    expected: { duration: 2, samplerate: 44_100, channels: 2, bit_depth: 16, lossless: true },
    title: 'Wind',
  },
  { extractor: 'audio', filename: 'tone.au', build: makeAu, expected: { samplerate: 8000, channels: 1, audio_codec: 'pcm' } },
  {
    extractor: 'video',
    filename: 'Show.S02E05.Title.y4m',
    build: () => makeY4m(),
    expected: { width: 64, height: 48, frame_rate: 25, season: 2, episode: 5, video_codec: 'rawvideo', hdr: false },
    title: 'Show',
  },
  {
    extractor: 'video',
    filename: 'module.ts',
    build: () => Buffer.from('// says hello\nexport const hello = 1;\n'),
    expected: { language: 'TypeScript', lines: 2, comment_lines: 1 },
    word: 'hello',
  },
];
