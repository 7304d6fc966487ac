import { existsSync } from 'node:fs';
import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { extractFrame } from './other-images.ts';
import { decodeToEdge, loadSharp, type RenderedImage } from './pixels.ts';

export type Acceleration = 'auto' | 'off';

const extensions = [
  ...[
    'mp4',
    'm4v',
    'mov',
    'mkv',
    'webm',
    'avi',
    'wmv',
    'flv',
    'f4v',
    'mpg',
    'mpeg',
    'mpe',
    'm2v',
    'm1v',
    'mpv',
    'ts',
    'mts',
    'm2ts',
    'm2t',
    'vob',
  ],
  ...[
    'ogv',
    'ogm',
    '3gp',
    '3g2',
    '3gpp',
    'asf',
    'divx',
    'dv',
    'mxf',
    'rm',
    'rmvb',
    'qt',
    'y4m',
    'nsv',
    'wtv',
    'dvr-ms',
    'mod',
    'tod',
    'amv',
    'gifv',
  ],
  ...['hevc', 'h264', 'h265', '264', '265', 'avc', 'av1', 'fmp4', 'roq', 'gxf', 'swf', 'mng', 'fli', 'flc'],
];

/** Poster frames: a tenth into the film, and further in while the frame is black. */
export function createVideoThumbnails(acceleration: Acceleration): Thumbnailer {
  return {
    name: 'video',
    version: 2,
    extensions,
    tools: [{ name: 'ffmpeg', lost: 'Poster frames of videos.' }],
    async render(source, longestEdge) {
      const { duration, hasPicture } = await lookInto(source);
      if (!hasPicture) return null;
      const moments = duration > 1 ? [0.1, 0.25, 0.5].map((part) => duration * part) : [0];
      let brightest: { rendered: RenderedImage; light: number } | undefined;
      for (const moment of moments) {
        const frame = await frameAt(source, longestEdge, moment, acceleration);
        if (frame === null) continue;
        const rendered = await decodeToEdge(frame, longestEdge);
        const light = await lightOf(rendered);
        if (brightest === undefined || light > brightest.light) brightest = { rendered, light };
        if (light > 12) break;
      }
      if (brightest === undefined) throw new ExtractError('corrupt', 'No frame of the video can be decoded.');
      return brightest.rendered;
    },
  };
}

/** Source code, tracker music and films share these names. */
const sharedNames = new Set(['ts', 'mts', 'mod']);

/** A recording without a picture has nothing to show, and neither has a file that only shares the name; both are no failure. */
async function lookInto(source: Source): Promise<{ duration: number; hasPicture: boolean }> {
  const ffprobe = findTool('ffprobe');
  if (ffprobe === null) return { duration: 0, hasPicture: true };
  const wanted = 'format=duration:stream=codec_type';
  const args = ['-v', 'error', '-protocol_whitelist', 'file', '-show_entries', wanted, '-of', 'json', `file:${source.path}`];
  const result = await runTool(ffprobe, args, { timeoutSeconds: source.limits.ffprobeTimeoutSeconds, maxOutputBytes: 262_144 });
  const { streams = [], format } = readAnswer(result.stdout);
  const seconds = Number.parseFloat(format?.duration ?? '');
  const known = streams.length > 0 || sharedNames.has(source.extension);
  return {
    duration: Number.isFinite(seconds) && seconds > 0 ? seconds : 0,
    hasPicture: !known || streams.some((stream) => stream.codec_type === 'video'),
  };
}

interface Answer {
  streams?: { codec_type?: string }[];
  format?: { duration?: string };
}

function readAnswer(printed: Buffer): Answer {
  try {
    return JSON.parse(printed.toString('utf8')) as Answer;
  } catch {
    return {};
  }
}

/** What ffmpeg is told about hardware: a render device is used when there is one and nobody said no. */
export function accelerationArguments(acceleration: Acceleration, devicePresent: boolean): string[] {
  return acceleration === 'auto' && devicePresent ? ['-hwaccel', 'auto'] : [];
}

/** Seeks to the moment. Hardware that refuses is tried no second time; a file that cannot be sought gives its first frame. */
async function frameAt(source: Source, longestEdge: number, moment: number, acceleration: Acceleration): Promise<Buffer | null> {
  const hardware = accelerationArguments(acceleration, existsSync('/dev/dri'));
  const seek = moment > 0 ? ['-ss', moment.toFixed(3)] : [];
  const attempts = [[...hardware, ...seek], ...(hardware.length > 0 ? [seek] : []), ...(moment > 0 ? [[]] : [])];
  for (const attempt of attempts) {
    const frame = await extractFrame(source, longestEdge, ['-threads', '1', ...attempt]);
    if (frame !== null) return frame;
  }
  return null;
}

/** Mean light, 0 to 255. */
async function lightOf(rendered: RenderedImage): Promise<number> {
  const sharp = await loadSharp();
  const { channels } = await sharp(rendered.data, { raw: rendered.raw! }).stats();
  return (channels[0]!.mean + channels[1]!.mean + channels[2]!.mean) / 3;
}
