/** Video files: container and streams from ffprobe, HDR details, and title and episode from the file name. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { findTool } from '../../input/external-tool.ts';
import { openFileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { detectEncoding } from '../../input/text-encoding.ts';
import { cameraName, codecName, containerName } from '../names.ts';
import { readSourceCode } from '../text/source-code.ts';
import { camcorderDate } from './avchd.ts';
import { guessFromName } from './name-guess.ts';
import { fraction, type Probed, type ProbedStream, positiveNumber, probe, readHdr, tagOf } from './probe.ts';

/** TypeScript uses these extensions too. MPEG transport streams are detected as binary. */
const typescriptExtensions = new Set(['ts', 'mts']);
/** Transport streams, the files of camcorders. */
const streamExtensions = new Set(['mts', 'm2ts', 'm2t', 'ts', 'tod']);
const MAX_TRACKS = 100;
const MAX_CHAPTERS = 1000;

export const video: Extractor = {
  name: 'video',
  version: 5,
  text: true,
  usesName: true,
  extensions: [
    '264 265 avc av1 fmp4 m4s moov movie swf rv viv 3g2 3gp 3gpp amv asf avi avs2 bik divx drc dv dvr-ms evo f4p',
    'f4v flc fli flv gxf h264 h265 hevc ivf m1v m2p m2t m2ts m2v m4v mj2 mjpeg mjpg mk3d mkv mod mov mp4 mpe mpeg',
    'mpg mpv mts mxf nsv nut obu ogm ogv ogx qt rm rmvb roq smk tod trp ts tp vob vro webm wm wmv wtv y4m yuv4mpeg',
  ].flatMap((line) => line.split(' ')),
  tools: [{ name: 'ffprobe', lost: 'all facts of video files' }],
  keys: [
    'title',
    'year',
    'season',
    'episode',
    'episode_title',
    'container',
    'duration',
    'bitrate',
    'video_codec',
    'video_profile',
    'width',
    'height',
    'resolution',
    'frame_rate',
    'bit_depth',
    'pixel_format',
    'interlaced',
    'rotation',
    'hdr',
    'hdr_format',
    'dv_profile',
    'dv_level',
    'dv_compat',
    'hdr10_plus',
    'hdr_max_cll',
    'hdr_max_fall',
    'hdr_master_display',
    'color_primaries',
    'color_transfer',
    'color_space',
    'audio_codec',
    'audio_tracks',
    'subtitle_tracks',
    'chapters',
    'chapter_count',
    'taken_at',
    'camera',
    'exif',
    ...['camera_make', 'camera_model', 'gps_latitude', 'gps_longitude', 'gps_altitude'].map((key) => `exif.${key}`),
    'language',
    'lines',
    'code_lines',
    'comment_lines',
    'blank_lines',
    'encoding',
    'shebang',
  ],
  read,
};

async function read(source: Source): Promise<Extracted> {
  if (typescriptExtensions.has(source.extension) && isSourceCode(source)) return readSourceCode(source);
  if (findTool('ffprobe') === null)
    throw new ExtractError('dependency', 'ffprobe is not installed; video files cannot be read without it.');
  const probed = await probe(source);
  const picture = probed.streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.['attached_pic'] !== 1);
  if (picture === undefined && !probed.streams.some((stream) => stream.codec_type === 'audio'))
    throw new ExtractError('corrupt', 'The file contains no audio or video.');
  const guess = guessFromName(source.filename);
  const certain = guess.season !== undefined || guess.episode !== undefined || guess.year !== undefined;
  const title = certain ? guess.title : (tagOf(probed.format, 'title') ?? guess.title);
  const taken = takenAt(probed) ?? (streamExtensions.has(source.extension) ? await withFileBytes(source, camcorderDate) : undefined);
  const year = guess.year ?? yearOf(taken);
  const metadata = {
    title,
    year,
    season: guess.season,
    episode: guess.episode,
    episode_title: guess.episodeTitle,
    container: containerName(probed.format.format_name, source.extension),
    duration: seconds(probed.format.duration ?? picture?.duration),
    bitrate: positiveNumber(probed.format.bit_rate),
    ...(picture !== undefined && { ...pictureFacts(picture), ...(await readHdr(source, picture)) }),
    ...trackFacts(probed.streams),
    ...chapterFacts(probed),
    taken_at: taken,
    ...deviceFacts(probed),
  };
  return { metadata, ...(title !== undefined && { title }), ...(year !== undefined && { year }) };
}

function isSourceCode(source: Source): boolean {
  const file = openFileBytes(source.path);
  const head = file.read(0, 4096);
  file.close();
  return head.length > 0 && detectEncoding(head, head.length === file.size).encoding !== 'binary';
}

function pictureFacts(stream: ProbedStream): Record<string, unknown> {
  const rate = fraction(stream.avg_frame_rate) ?? fraction(stream.r_frame_rate);
  const rotation = finiteNumber(stream.side_data_list?.find((data) => data['rotation'] !== undefined)?.['rotation']);
  return {
    video_codec: codecName(stream.codec_name),
    video_profile: stream.profile,
    width: positiveNumber(stream.width),
    height: positiveNumber(stream.height),
    resolution: resolution(stream.width ?? 0, stream.height ?? 0),
    frame_rate: rate === undefined || rate <= 0 || rate > 10_000 ? undefined : Math.round(rate * 1000) / 1000,
    bit_depth: bitDepth(stream),
    pixel_format: stream.pix_fmt,
    interlaced: stream.field_order === undefined ? undefined : !['progressive', 'unknown'].includes(stream.field_order),
    rotation: rotation === undefined ? undefined : ((rotation % 360) + 360) % 360,
    color_primaries: knownValue(stream.color_primaries),
    color_transfer: knownValue(stream.color_transfer),
    color_space: knownValue(stream.color_space),
  };
}

/** The common name of a resolution. Width and height both count, because wide films have fewer lines. */
function resolution(width: number, height: number): string | undefined {
  if (width <= 0 || height <= 0) return undefined;
  const long = Math.max(width, height);
  const short = Math.min(width, height);
  if (long >= 7000 || short >= 4000) return '4320p';
  if (long >= 3200 || short >= 2000) return '2160p';
  if (long >= 2400 || short >= 1300) return '1440p';
  if (long >= 1800 || short >= 1000) return '1080p';
  if (long >= 1200 || short >= 700) return '720p';
  if (short >= 560) return '576p';
  return short >= 400 ? '480p' : `${short}p`;
}

function bitDepth(stream: ProbedStream): number | undefined {
  const named = /p(\d\d)(?:le|be)$/.exec(stream.pix_fmt ?? '')?.[1];
  return positiveNumber(stream.bits_per_raw_sample) ?? (named === undefined ? undefined : Number(named));
}

function trackFacts(streams: readonly ProbedStream[]): Record<string, unknown> {
  const audioStreams = streams.filter((stream) => stream.codec_type === 'audio');
  const subtitleStreams = streams.filter((stream) => stream.codec_type === 'subtitle');
  return {
    audio_codec: codecName(audioStreams[0]?.codec_name),
    ...(audioStreams.length > 0 && {
      audio_tracks: audioStreams.slice(0, MAX_TRACKS).map((stream) => ({
        codec: codecName(stream.codec_name),
        channels: stream.channels,
        channel_layout: stream.channel_layout,
        language: language(stream),
        title: tagOf(stream, 'title'),
        default: stream.disposition?.['default'] === 1,
      })),
    }),
    ...(subtitleStreams.length > 0 && {
      subtitle_tracks: subtitleStreams.slice(0, MAX_TRACKS).map((stream) => ({
        codec: stream.codec_name,
        language: language(stream),
        title: tagOf(stream, 'title'),
        forced: stream.disposition?.['forced'] === 1,
        default: stream.disposition?.['default'] === 1,
      })),
    }),
  };
}

function chapterFacts({ chapters }: Probed): Record<string, unknown> {
  if (chapters.length === 0) return {};
  return {
    chapters: chapters.slice(0, MAX_CHAPTERS).map((chapter) => ({ title: tagOf(chapter, 'title'), start: Number(chapter.start_time) })),
    chapter_count: chapters.length,
  };
}

/** Camera model and GPS position written by phones and cameras. */
function deviceFacts({ format }: Probed): Record<string, unknown> {
  const make = tagOf(format, 'com.apple.quicktime.make') ?? tagOf(format, 'make');
  const model = tagOf(format, 'com.apple.quicktime.model') ?? tagOf(format, 'model');
  const place = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)([+-]\d+(?:\.\d+)?)?/.exec(
    tagOf(format, 'com.apple.quicktime.location.iso6709') ?? tagOf(format, 'location') ?? '',
  );
  const exif = {
    ...(make !== undefined && { camera_make: make }),
    ...(model !== undefined && { camera_model: model }),
    ...(place !== null && { gps_latitude: Number(place[1]), gps_longitude: Number(place[2]) }),
    ...(place?.[3] !== undefined && { gps_altitude: Number(place[3]) }),
  };
  if (Object.keys(exif).length === 0) return {};
  return { exif, ...(model !== undefined && { camera: cameraName(make, model) }) };
}

/** By the clock of the camera where the container tells its time zone; otherwise containers count in UTC. */
function takenAt({ format }: Pick<Probed, 'format'>): string | undefined {
  const value = tagOf(format, 'com.apple.quicktime.creationdate') ?? tagOf(format, 'creation_time');
  const date = new Date(value ?? '');
  // Containers written without a clock have the epoch as creation time.
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() <= 1970) return undefined;
  const zoned = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?([+-]\d\d):?(\d\d)$/.exec(value ?? '');
  return zoned === null ? date.toISOString() : `${zoned[1]}${zoned[2]}:${zoned[3]}`;
}

function yearOf(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Number(moment.slice(0, 4));
}

function language(stream: ProbedStream): string | undefined {
  const code = tagOf(stream, 'language');
  return code === undefined || code === 'und' ? undefined : code;
}

function knownValue(value: string | undefined): string | undefined {
  return value === undefined || value === 'unknown' || value === 'reserved' ? undefined : value;
}

function seconds(value: string | undefined): number | undefined {
  const number = positiveNumber(value);
  return number === undefined ? undefined : Math.round(number * 1000) / 1000;
}

function finiteNumber(value: unknown): number | undefined {
  const number = Number(value);
  return value !== undefined && Number.isFinite(number) ? number : undefined;
}
