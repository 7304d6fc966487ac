/**
 * Keeps one exiftool process running, because starting Perl takes ten times as long as reading a photo. Its protocol is line-based, so a
 * file name that contains a line break is read by a separate process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { ExtractError, type Source } from '../../contract.ts';
import { cleanEnvironment, findTool, runTool, trackProcessGroup } from '../../input/external-tool.ts';
import { exifDate } from './exif.ts';
import type { ImageFacts } from './image-facts.ts';

const requestedTags = [
  '-json',
  '-n',
  '-fast',
  '-ImageWidth',
  '-ImageHeight',
  '-Make',
  '-Model',
  '-LensModel',
  '-LensMake',
  '-LensID',
  '-ISO',
  '-ExposureTime',
  '-FNumber',
  '-FocalLength',
  '-Orientation',
  '-DateTimeOriginal',
  '-CreateDate',
  '-OffsetTimeOriginal',
  '-GPSLatitude',
  '-GPSLongitude',
  '-GPSAltitude',
  '-Software',
  '-Artist',
  '-Copyright',
  '-FileType',
];

/** Returns null if exiftool is not installed. */
export async function readWithExiftool(source: Source): Promise<ImageFacts | null> {
  const path = findTool('exiftool');
  if (path === null) return null;
  const seconds = source.limits.exifTimeoutSeconds;
  const json = /[\r\n]/.test(source.path)
    ? (await runTool(path, [...requestedTags, '--', source.path], { timeoutSeconds: seconds, maxOutputBytes: 1 << 20 })).stdout.toString(
        'utf8',
      )
    : await queryRunning(path, source.path, seconds);
  return parseOutput(json);
}

let running: { process: ChildProcess; query(lines: string[], seconds: number): Promise<string> } | undefined;

function queryRunning(tool: string, file: string, seconds: number): Promise<string> {
  running ??= startExiftool(tool);
  return running.query([...requestedTags, file, '-execute'], seconds);
}

function startExiftool(tool: string): NonNullable<typeof running> {
  // exiftool keeps waiting after its input is closed. With setpriv, the kernel kills it when this process ends, even by SIGKILL.
  const guard = findTool('setpriv');
  const [command, before] = guard === null ? [tool, []] : [guard, ['--pdeathsig', 'KILL', tool]];
  const child = spawn(command, [...before, '-stay_open', 'True', '-@', '-'], {
    detached: true,
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const forget = child.pid === undefined ? () => {} : trackProcessGroup(child.pid);
  let output = '';
  let settle: ((error: ExtractError | null) => void) | undefined;
  const end = (error: ExtractError) => {
    if (running?.process === child) running = undefined;
    forget();
    settle?.(error);
  };
  child.on('error', () => end(new ExtractError('dependency', 'exiftool could not be started.')));
  child.on('exit', () => end(new ExtractError('corrupt', 'exiftool stopped while reading the file.')));
  // A failed write also ends the process, which the exit handler reports.
  child.stdin?.on('error', () => {});
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
    if (/\{ready\}\r?\n$/.test(output)) settle?.(null);
    else if (output.length > 1 << 20) killGroup(child);
  });
  return {
    process: child,
    query: (lines, seconds) =>
      new Promise((resolve, reject) => {
        output = '';
        const timer = setTimeout(() => {
          settle?.(new ExtractError('timeout', `exiftool took longer than ${seconds} s.`));
          killGroup(child);
        }, seconds * 1000);
        settle = (error) => {
          settle = undefined;
          clearTimeout(timer);
          if (error === null) resolve(output.replace(/\{ready\}\r?\n$/, ''));
          else reject(error);
        };
        child.stdin?.write(`${lines.join('\n')}\n`);
      }),
  };
}

function killGroup(child: ChildProcess): void {
  if (running?.process === child) running = undefined;
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

function parseOutput(json: string): ImageFacts {
  let tags: Record<string, unknown> | undefined;
  try {
    tags = (JSON.parse(json) as Record<string, unknown>[])[0];
  } catch {
    throw new ExtractError('corrupt', 'exiftool could not read the file.');
  }
  if (tags === undefined || (tags['Model'] === undefined && tags['ImageWidth'] === undefined))
    throw new ExtractError('corrupt', 'exiftool found no image in the file.');
  const text = (key: string): string | undefined => (tags[key] === undefined ? undefined : String(tags[key]).trim() || undefined);
  const number = (key: string): number | undefined =>
    Number.isFinite(Number(tags[key])) && tags[key] !== undefined ? Number(tags[key]) : undefined;
  const exif = {
    camera_make: text('Make'),
    camera_model: text('Model'),
    lens_make: text('LensMake'),
    lens_model: text('LensModel'),
    lens_id: text('LensID'),
    iso: number('ISO'),
    exposure_time: number('ExposureTime'),
    f_number: number('FNumber'),
    focal_length: number('FocalLength'),
    software: text('Software'),
    artist: text('Artist'),
    copyright: text('Copyright'),
    taken_at: exifDate(text('DateTimeOriginal'), text('OffsetTimeOriginal')) ?? exifDate(text('CreateDate')),
    gps_latitude: number('GPSLatitude'),
    gps_longitude: number('GPSLongitude'),
    gps_altitude: number('GPSAltitude'),
  };
  return {
    format: text('FileType') ?? 'RAW',
    width: number('ImageWidth'),
    height: number('ImageHeight'),
    orientation: number('Orientation'),
    exif,
  };
}
