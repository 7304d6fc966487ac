import type { IAudioMetadata, IChapter } from 'music-metadata';
import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { findTool } from '../input/external-tool.ts';
import { openFileBytes } from '../input/file-bytes.ts';
import { type AudioConfiguration, isExtensiblePcm, readMp4Configuration } from './audio-configuration.ts';
import { codecName, containerName } from './names.ts';
import { tagCorrection } from './tag-charset.ts';
import { probe, tagOf } from './video/probe.ts';

const tagged = [
  'mp3 mp2 mp1 mpga m4a m4b m4p m4r aac flac ogg oga opus spx wav wave bwf aif aiff aifc wma wv wvp ape mpc dsf',
  'dff mka weba',
].flatMap((line) => line.split(' '));
const probed = [
  'at3 f4a f4b mpa vqf alac dsd ac3 eac3 ec3 dts dtshd thd truehd mlp caf tta au snd amr awb ra ram voc shn tak',
  'oma aa3 w64 rf64 aa aax gsm ofr la qcp adts loas 3ga mogg',
].flatMap((line) => line.split(' '));
const probedSet = new Set(probed);
const MAX_CHAPTERS = 1000;
const maxBufferedBytes = 1024 * 1024;

/** Audio: tags, technical metadata and chapters. ffprobe fills in what the tag reader cannot read. */
export const audio: Extractor = {
  name: 'audio',
  version: 5,
  text: true,
  extensions: [...tagged, ...probed],
  tools: [{ name: 'ffprobe', lost: 'facts of less usual audio (AC-3, DTS, TrueHD, CAF, TTA, AMR)' }],
  keys: [
    'title',
    'artist',
    'album',
    'album_artist',
    'composer',
    'genre',
    'year',
    'track',
    'disc',
    'duration',
    'bitrate',
    'samplerate',
    'channels',
    'bit_depth',
    'audio_codec',
    'container',
    'lossless',
    'bpm',
    'compilation',
    'has_cover',
    'chapters',
    'chapter_count',
    'isrc',
    'comment',
  ],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const file = openFileBytes(source.path);
  file.close();
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (probedSet.has(source.extension)) return toExtracted(await probeAudio(source), '');
  const { audioFacts, lyrics } = await readTags(source);
  return toExtracted(audioFacts, lyrics, source.limits.bodyTextMaxChars);
}

function toExtracted(facts: AudioFacts, lyrics: string, maxChars = 0): Extracted {
  const body = createBodyText(maxChars);
  body.add(lyrics);
  return {
    metadata: { ...facts },
    ...(facts.title !== undefined && { title: facts.title }),
    ...(facts.year !== undefined && { year: facts.year }),
    ...body.result(),
  };
}

async function readTags(source: Source): Promise<{ audioFacts: AudioFacts; lyrics: string }> {
  const parse = await tagReader(source);
  let parsed: IAudioMetadata;
  try {
    parsed = await parse(false);
    // Some streams reveal their duration only when read to the end.
    if (parsed.format.duration === undefined) parsed = await parse(true);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new ExtractError('corrupt', 'The audio file is damaged or has the wrong file extension.');
  }
  const { format, common } = withCorrectTags(parsed);
  const { configuration, codec } = readConfiguration(source, format);
  // ffprobe reports values the tag reader misses, such as Windows Media sample rates and audiobook chapters.
  const incomplete = !format.sampleRate || configuration === null || (source.extension === 'm4b' && (format.chapters ?? []).length === 0);
  const tagged = [common.title, common.artist, common.album].some((text) => text !== undefined);
  const unlessCorrupt = (error: unknown): undefined => {
    if (!(error instanceof ExtractError) || error.kind !== 'corrupt') throw error;
  };
  // Tags are kept although the recording itself cannot be read.
  const unlessTagged = (error: unknown): undefined => {
    if (!tagged || !(error instanceof ExtractError) || error.kind !== 'corrupt') throw error;
  };
  const probed =
    incomplete && findTool('ffprobe') !== null
      ? await probeAudio(source).catch(format.sampleRate ? unlessCorrupt : unlessTagged)
      : undefined;
  if (format.container === undefined && format.codec === undefined && probed === undefined && !tagged)
    throw new ExtractError('corrupt', 'The file contains no audio.');
  const chapters = (format.chapters ?? [])
    .slice(0, MAX_CHAPTERS)
    .map((chapter) => ({ title: chapter.title, start: chapterStart(chapter, format.sampleRate) }));
  const lyrics = (common.lyrics ?? []).map((lyric) => lyric.text ?? '').join('\n');
  const audioFacts: AudioFacts = {
    title: common.title,
    artist: common.artists !== undefined && common.artists.length > 1 ? common.artists.join(', ') : common.artist,
    album: common.album,
    album_artist: common.albumartist,
    composer: common.composer?.join(', '),
    genre: common.genre?.join(', '),
    year: common.year ?? common.originalyear,
    track: common.track?.no ?? undefined,
    disc: common.disk?.no ?? undefined,
    duration: roundMilliseconds(format.duration),
    bitrate: bitrate(format.bitrate, source.size, format.duration),
    samplerate: configuration?.samplerate ?? (configuration === null ? probed?.samplerate : undefined) ?? (format.sampleRate || undefined),
    channels: configuration?.channels ?? (configuration === null ? probed?.channels : undefined) ?? format.numberOfChannels,
    bit_depth: configuration?.bit_depth ?? (format.lossless === false ? undefined : format.bitsPerSample),
    audio_codec: codecName(codec),
    container: containerName(format.container, source.extension),
    lossless: format.lossless,
    bpm: common.bpm,
    compilation: common.compilation || undefined,
    has_cover: (common.picture?.length ?? 0) > 0,
    isrc: common.isrc?.[0],
    comment: common.comment?.map((comment) => comment.text ?? '').join('\n'),
    ...(chapters.length > 0 && { chapters, chapter_count: format.chapters?.length ?? 0 }),
  };
  for (const key of Object.keys(audioFacts) as (keyof AudioFacts)[]) if (audioFacts[key] === undefined) delete audioFacts[key];
  return { audioFacts: { ...probed, ...audioFacts }, lyrics };
}

/** What the tag reader does not know or takes from the wrong field. */
function readConfiguration(
  { path, extension }: Source,
  { container, codec }: IAudioMetadata['format'],
): { configuration: AudioConfiguration | null; codec: string | undefined } {
  const kind = containerName(container, extension);
  const isExtensible = kind === 'wav' && /65534/.test(codec ?? '');
  if (kind !== 'mp4' && kind !== 'mov' && !isExtensible) return { configuration: {}, codec };
  const file = openFileBytes(path);
  try {
    return isExtensible
      ? { configuration: {}, codec: isExtensiblePcm(file) ? 'pcm' : codec }
      : { configuration: readMp4Configuration(file), codec };
  } finally {
    file.close();
  }
}

/** Tags that may be in any code page. Those of other containers are Unicode. */
const undeclaredTags = /^(ID3v|exif$)/;

function withCorrectTags(parsed: IAudioMetadata): IAudioMetadata {
  if (!parsed.format.tagTypes.some((type) => undeclaredTags.test(type))) return parsed;
  const { common } = parsed;
  const texts = [common.title, common.artist, ...(common.artists ?? []), common.album, common.albumartist, ...(common.composer ?? [])];
  const others = [...(common.genre ?? []), ...[...(common.comment ?? []), ...(common.lyrics ?? [])].map(({ text }) => text)];
  const correct = tagCorrection([...texts, ...others]);
  const one = <T extends string | undefined>(text: T): T => (text === undefined ? text : correct(text)) as T;
  const many = (list: string[] | undefined): string[] | undefined => list?.map(correct);
  const inside = <T extends { text?: string }>(list: T[] | undefined): T[] | undefined =>
    list?.map((each) => (each.text === undefined ? each : { ...each, text: correct(each.text) }));
  return {
    ...parsed,
    common: {
      ...common,
      ...definedOnly({
        title: one(common.title),
        artist: one(common.artist),
        artists: many(common.artists),
        album: one(common.album),
        albumartist: one(common.albumartist),
        composer: many(common.composer),
        genre: many(common.genre),
        comment: inside(common.comment),
        lyrics: inside(common.lyrics),
      }),
    },
  };
}

function definedOnly<T extends object>(facts: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as { [K in keyof T]: NonNullable<T[K]> };
}

const maxTagBytes = 64 * 1024 * 1024;

/** The tag reader rejects an ID3 tag that is cut off, so what is missing is filled with zeros. */
function withWholeTag(bytes: Buffer): Buffer {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return bytes;
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((bytes[at] as number) & 127), 0);
  const missing = size + 10 - bytes.length;
  return missing > 0 && size <= maxTagBytes ? Buffer.concat([bytes, Buffer.alloc(missing)]) : bytes;
}

/** Small files are parsed from memory, which takes a third of the time. For larger files only the parts that hold tags are read. */
async function tagReader({ path, filename, limits }: Source): Promise<(readToEnd: boolean) => Promise<IAudioMetadata>> {
  const { parseBuffer, parseFile } = await import('music-metadata');
  const file = openFileBytes(path);
  const bytes = file.size <= Math.min(maxBufferedBytes, limits.documentMaxBytes) ? withWholeTag(file.read(0, file.size)) : undefined;
  file.close();
  return (readToEnd) =>
    bytes === undefined
      ? parseFile(path, { includeChapters: true, duration: readToEnd })
      : parseBuffer(bytes, { path: filename, size: bytes.length }, { includeChapters: true, duration: readToEnd });
}

/** MP4 chapters count in time-scale units, FLAC in samples, ID3 in seconds. */
function chapterStart(chapter: IChapter, sampleRate: number | undefined): number | undefined {
  if (chapter.timeScale !== undefined && chapter.timeScale > 0) return roundMilliseconds(chapter.start / chapter.timeScale);
  if (chapter.sampleOffset !== undefined && sampleRate !== undefined && sampleRate > 0)
    return roundMilliseconds(chapter.sampleOffset / sampleRate);
  return roundMilliseconds(chapter.start);
}

/** Without a stated bitrate, the average is computed from file size and duration. */
function bitrate(stated: number | undefined, size: number, duration: number | undefined): number | undefined {
  if (stated !== undefined) return Math.round(stated);
  return duration !== undefined && duration > 0 && size > 0 ? Math.round((size * 8) / duration) : undefined;
}

function roundMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000) / 1000;
}

interface AudioFacts {
  title?: string;
  artist?: string;
  album?: string;
  album_artist?: string;
  composer?: string;
  genre?: string;
  year?: number;
  track?: number;
  disc?: number;
  duration?: number;
  bitrate?: number;
  samplerate?: number;
  channels?: number;
  bit_depth?: number;
  audio_codec?: string;
  container?: string;
  lossless?: boolean;
  bpm?: number;
  compilation?: boolean;
  has_cover?: boolean;
  isrc?: string;
  comment?: string;
  chapters?: { title?: string; start?: number }[];
  chapter_count?: number;
}

async function probeAudio(source: Source): Promise<AudioFacts> {
  const { format, streams, chapters } = await probe(source);
  const stream = streams.find((candidate) => candidate.codec_type === 'audio');
  if (stream === undefined) throw new ExtractError('corrupt', 'The file contains no audio.');
  const year = Number.parseInt(tagOf(format, 'date') ?? tagOf(format, 'year') ?? '', 10);
  return {
    title: tagOf(format, 'title'),
    artist: tagOf(format, 'artist'),
    album: tagOf(format, 'album'),
    genre: tagOf(format, 'genre'),
    ...(year > 0 && { year }),
    duration: positiveText(format.duration ?? stream.duration),
    bitrate: positiveText(stream.bit_rate ?? format.bit_rate),
    samplerate: positiveText(stream.sample_rate),
    channels: stream.channels,
    audio_codec: codecName(stream.codec_name),
    container: containerName(format.format_name, source.extension),
    has_cover: streams.some((candidate) => candidate.disposition?.['attached_pic'] === 1),
    ...(chapters.length > 0 && {
      chapters: chapters
        .slice(0, 1000)
        .map((chapter) => ({ title: tagOf(chapter, 'title'), start: positiveText(chapter.start_time) ?? 0 })),
      chapter_count: chapters.length,
    }),
  };
}

function positiveText(value: string | undefined): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isFinite(number) && number > 0 ? number : undefined;
}
