import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { boundedText, withoutEmpty } from './result.ts';

const maxBytes = 32 * 1024 * 1024;

/** Standard MIDI files: tracks, notes, tempo, duration and lyrics. */
export const midi: Extractor = {
  name: 'midi',
  version: 1,
  text: true,
  extensions: ['mid', 'midi', 'kar', 'rmi'],
  tools: [],
  keys: ['duration', 'midi', 'midi.format', 'midi.tracks', 'midi.notes', 'midi.tempo_bpm', 'midi.track_names', 'midi.channels'],
  read: async (source) => readMidi(source),
};

interface Song {
  notes: number;
  names: string[];
  lyrics: string[];
  channels: Set<number>;
  /** Pairs of a tick and the tempo from there on, in microseconds per quarter note. */
  tempos: [number, number][];
  lastTick: number;
}

function readMidi(source: Source): Extracted {
  let bytes = readWholeFile(source, maxBytes);
  // An .rmi file wraps the same data in RIFF.
  if (bytes.toString('latin1', 0, 4) === 'RIFF') bytes = bytes.subarray(Math.max(0, bytes.indexOf('MThd')));
  if (bytes.length < 14 || bytes.toString('latin1', 0, 4) !== 'MThd')
    throw new ExtractError('corrupt', 'The MIDI file has no valid header.');
  const division = bytes.readUInt16BE(12);
  const song: Song = { notes: 0, names: [], lyrics: [], channels: new Set(), tempos: [], lastTick: 0 };
  let tracks = 0;
  for (let at = 8 + bytes.readUInt32BE(4); at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at + 4);
    if (at + 8 + length > bytes.length) throw new ExtractError('corrupt', 'The file ends too early.');
    if (bytes.toString('latin1', at, at + 4) === 'MTrk') {
      tracks++;
      readTrack(bytes.subarray(at + 8, at + 8 + length), song);
    }
    at += 8 + length;
  }
  if (tracks === 0) throw new ExtractError('corrupt', 'The MIDI file has no tracks.');
  const tempo = song.tempos.find(([tick]) => tick === 0)?.[1] ?? song.tempos[0]?.[1] ?? 500_000;
  const text = song.lyrics.join('').replace(/[\\/]/g, '\n').trim();
  return {
    metadata: {
      duration: Math.round(durationSeconds(song, division) * 100) / 100,
      midi: withoutEmpty({
        format: bytes.readUInt16BE(8),
        tracks,
        notes: song.notes,
        channels: song.channels.size,
        tempo_bpm: Math.round(60_000_000 / Math.max(1, tempo)),
        ...(song.names.length > 0 ? { track_names: song.names.slice(0, 50) } : {}),
      }),
    },
    ...boundedText(text, source.limits.bodyTextMaxChars),
  };
}

function readTrack(track: Buffer, song: Song): void {
  let at = 0;
  let tick = 0;
  let running = 0;
  const variable = (): number => {
    let value = 0;
    for (let i = 0; i < 4; i++) {
      const byte = track[at++];
      if (byte === undefined) throw new ExtractError('corrupt', 'A MIDI track ends inside an event.');
      value = (value << 7) | (byte & 0x7f);
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < track.length) {
    tick += variable();
    let status = track[at] ?? 0;
    if (status >= 0x80) at++;
    else status = running;
    if (status === 0xff) {
      const kind = track[at++] ?? 0;
      const length = variable();
      readMeta(kind, track.subarray(at, at + length), tick, song);
      at += length;
    } else if (status === 0xf0 || status === 0xf7) at += variable();
    else {
      if (status < 0x80) throw new ExtractError('corrupt', 'A MIDI track is damaged.');
      running = status;
      if (status >> 4 === 9 && (track[at + 1] ?? 0) > 0) {
        song.notes++;
        song.channels.add(status & 15);
      }
      at += status >> 4 === 0xc || status >> 4 === 0xd ? 1 : 2;
    }
  }
  if (tick > song.lastTick) song.lastTick = tick;
}

function readMeta(kind: number, data: Buffer, tick: number, song: Song): void {
  if (kind === 0x51 && data.length === 3) song.tempos.push([tick, data.readUIntBE(0, 3)]);
  const text = kind === 3 || kind === 5 ? data.toString('latin1').replace(/[\u0000-\u0009\u000b-\u001f]+/g, ' ') : '';
  if (kind === 3 && text.trim() !== '' && song.names.length < 50) song.names.push(text.trim().slice(0, 100));
  if (kind === 5 && song.lyrics.length < 20_000) song.lyrics.push(text);
}

/** Sums the time between tempo changes. */
function durationSeconds(song: Song, division: number): number {
  if (division & 0x8000) return song.lastTick / Math.max(1, (256 - (division >> 8)) * (division & 0xff));
  let seconds = 0;
  let tick = 0;
  let tempo = 500_000;
  for (const [at, next] of song.tempos.toSorted((a, b) => a[0] - b[0])) {
    seconds += ((at - tick) * tempo) / Math.max(1, division) / 1e6;
    tick = at;
    tempo = next;
  }
  return seconds + ((song.lastTick - tick) * tempo) / Math.max(1, division) / 1e6;
}
