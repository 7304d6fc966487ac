/** Reads recordings made by ffmpeg, which cover what only real containers hold. Skipped if ffmpeg is not installed. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { photo } from '../../test/samples/images.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { defaultLimits, type Source } from '../contract.ts';
import { findTool } from '../input/external-tool.ts';
import { audio } from './audio.ts';
import { image } from './image/image.ts';
import { readHdr } from './video/probe.ts';
import { video } from './video/video.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

/** Returns null if ffmpeg is missing or lacks a required encoder. */
function record(filename: string, args: readonly string[]): Source | null {
  const path = join(samples.folder, filename);
  try {
    execFileSync('ffmpeg', ['-v', 'error', '-y', ...args, path], { stdio: 'ignore', cwd: samples.folder });
  } catch {
    return null;
  }
  return { path, filename, extension: filename.slice(filename.lastIndexOf('.') + 1), size: 1000, limits: defaultLimits };
}

const chapters =
  ';FFMETADATA1\ntitle=Book\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=Two\n';
writeFileSync(join(samples.folder, 'chapters.txt'), chapters);
writeFileSync(join(samples.folder, 'words.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHi\n');
const sound = ['-f', 'lavfi', '-i', 'sine=d=2'];
const picture = ['-f', 'lavfi', '-i', 'testsrc2=d=1:s=320x180:r=24'];

describe('recordings', () => {
  it.for(['book.m4b', 'book.mp3'])('reads chapter titles and start times of an audiobook (%s)', async (name, { skip }) => {
    const source = record(name, [...sound, '-i', 'chapters.txt', '-map_metadata', '1', '-map_chapters', '1']);
    if (source === null) return skip('ffmpeg is not installed');
    const { metadata } = await audio.read(source);
    expect(metadata).toMatchObject({
      chapter_count: 2,
      chapters: [
        { title: 'One', start: 0 },
        { title: 'Two', start: 1 },
      ],
    });
  });

  it.for([
    ['mono.m4a', ['-ac', '1', '-ar', '44100', '-c:a', 'aac'], { channels: 1, samplerate: 44_100, audio_codec: 'aac' }],
    ['low.m4b', ['-ac', '1', '-ar', '22050', '-c:a', 'aac'], { channels: 1, samplerate: 22_050 }],
    ['high.m4a', ['-ac', '2', '-ar', '96000', '-c:a', 'aac'], { channels: 2, samplerate: 96_000 }],
    [
      'lossless.m4a',
      ['-ac', '1', '-ar', '96000', '-c:a', 'alac', '-sample_fmt', 's32p'],
      { channels: 1, samplerate: 96_000, bit_depth: 24 },
    ],
    ['high.wav', ['-ac', '2', '-ar', '96000', '-c:a', 'pcm_s24le'], { channels: 2, samplerate: 96_000, bit_depth: 24, audio_codec: 'pcm' }],
  ] as const)('reads channels and sample rate of a recording as they are (%s)', async ([name, args, expected], { skip }) => {
    const source = record(name, [...sound, ...args]);
    if (source === null) return skip('ffmpeg is not installed');
    const { metadata } = await audio.read(source);
    expect(metadata).toMatchObject(expected);
    if ('audio_codec' in expected && expected.audio_codec === 'aac') expect(metadata['bit_depth']).toBeUndefined();
  });

  it('reads audio tracks, languages, subtitles and chapters of a film', async ({ skip }) => {
    const languages = ['-metadata:s:a:0', 'language=deu', '-metadata:s:s:0', 'language=eng', '-disposition:s:0', 'forced'];
    const source = record('Film.2019.1080p.mkv', [
      ...picture,
      ...sound,
      '-i',
      'words.srt',
      '-i',
      'chapters.txt',
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-map_chapters',
      '3',
      '-c:s',
      'srt',
      ...languages,
    ]);
    if (source === null) return skip('ffmpeg is not installed');
    const { metadata, title, year } = await video.read(source);
    expect([title, year]).toEqual(['Film', 2019]);
    expect(metadata).toMatchObject({
      container: 'matroska',
      resolution: '180p',
      frame_rate: 24,
      audio_tracks: [{ language: 'deu', channels: 1 }],
      subtitle_tracks: [{ codec: 'subrip', language: 'eng', forced: true }],
      chapter_count: 2,
      hdr: false,
    });
  });

  it('reads HDR10 light levels only if the deep probe is enabled', async ({ skip }) => {
    const hdr =
      'hdr10=1:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1):max-cll=1000,400:log-level=0';
    const source = record('hdr.mp4', [...picture, '-c:v', 'libx265', '-pix_fmt', 'yuv420p10le', '-x265-params', hdr]);
    if (source === null) return skip('ffmpeg cannot encode HEVC here');
    const deep = await video.read(source);
    expect(deep.metadata).toMatchObject({
      hdr: true,
      hdr_format: 'HDR10',
      hdr10_plus: false,
      hdr_max_cll: 1000,
      hdr_max_fall: 400,
      hdr_master_display: { max_luminance: 1000 },
      bit_depth: 10,
    });
    const shallow = await video.read({ ...source, limits: { ...defaultLimits, ffprobeDeepHdr: false } });
    expect(shallow.metadata).toMatchObject({ hdr: true, hdr_format: 'HDR10' });
  });

  it('detects Dolby Vision and HDR10+ from side data', async () => {
    const source: Source = {
      path: '/nowhere',
      filename: 'x',
      extension: 'mkv',
      size: 1,
      limits: { ...defaultLimits, ffprobeDeepHdr: false },
    };
    const vision = { side_data_type: 'DOVI configuration record', dv_profile: 8, dv_level: 6, dv_bl_signal_compatibility_id: 1 };
    const dynamic = { side_data_type: 'HDR Dynamic Metadata SMPTE2094-40 (HDR10+)' };
    const pq = { codec_type: 'video', color_transfer: 'smpte2084' };
    expect(await readHdr(source, { ...pq, side_data_list: [vision] })).toMatchObject({
      hdr: true,
      hdr_format: 'Dolby Vision',
      dv_profile: 8,
      dv_level: 6,
      dv_compat: 1,
    });
    expect(await readHdr(source, { ...pq, side_data_list: [dynamic] })).toMatchObject({ hdr_format: 'HDR10+', hdr10_plus: true });
    expect(await readHdr(source, { codec_type: 'video', color_transfer: 'bt709' })).toEqual({ hdr: false });
  });

  it('detects HLG from the transfer function', async ({ skip }) => {
    const source = record('hlg.mp4', [
      ...picture,
      '-c:v',
      'libx265',
      '-pix_fmt',
      'yuv420p10le',
      '-x265-params',
      'colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc:log-level=0',
    ]);
    if (source === null) return skip('ffmpeg cannot encode HEVC here');
    expect((await video.read(source)).metadata).toMatchObject({ hdr: true, hdr_format: 'HLG' });
  });

  it('stores the GPS position of a phone video like that of photos', async ({ skip }) => {
    const source = record('VID_20240501_101112.mov', [
      ...picture,
      '-metadata',
      'location=+52.5200-013.4000+034.000/',
      '-metadata',
      'creation_time=2024-05-01T10:11:12Z',
    ]);
    if (source === null) return skip('ffmpeg is not installed');
    const { metadata, year } = await video.read(source);
    expect(year).toBe(2024);
    expect(metadata).toMatchObject({
      taken_at: '2024-05-01T10:11:12.000Z',
      exif: { gps_latitude: 52.52, gps_longitude: -13.4, gps_altitude: 34 },
    });
  });

  it('keeps the time by the clock of the camera, so that a video of New Year is of the new year', async ({ skip }) => {
    const source = record('IMG_0001.mov', [
      ...picture,
      ...['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.creationdate=2024-01-01T00:30:00+0200'],
    ]);
    if (source === null) return skip('ffmpeg is not installed');
    expect(await video.read(source)).toMatchObject({ year: 2024, metadata: { taken_at: '2024-01-01T00:30:00+02:00' } });
  });
});

describe('camera RAW read by exiftool', () => {
  it('reuses the running exiftool and starts a separate process for names with a line break', async ({ skip }) => {
    if (findTool('exiftool') === null) return skip('exiftool is not installed');
    const bytes = await photo().jpeg().toBuffer();
    for (const name of ['a.x3f', '-b.x3f', 'line\nbreak.x3f']) {
      expect((await image.read(samples.source(name, bytes))).metadata, name).toMatchObject({
        camera: 'Canon EOS R5',
        width: 64,
        exif: { iso: 400, gps_longitude: -13.4 },
      });
    }
    await expect(image.read(samples.source('broken.x3f', Buffer.alloc(500, 7)))).rejects.toMatchObject({ kind: 'corrupt' });
    expect((await image.read(samples.source('after.x3f', bytes))).metadata).toMatchObject({ camera: 'Canon EOS R5' });
  });
});
