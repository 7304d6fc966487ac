/** Generates a corpus of valid files of many types, all with different contents. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { makeTar, makeZip } from '../../readers/test/samples/archives.ts';
import { exifTags } from '../../readers/test/samples/images.ts';
import { makeBinaryStl, ringMesh } from '../../readers/test/samples/meshes.ts';
import { makeDocx, makePptx, makeXlsx } from '../../readers/test/samples/office.ts';
import { makeMp3, makeWav } from '../../readers/test/samples/sounds.ts';
import { makePdf } from '../../readers/test/samples/texts.ts';

export interface CorpusFile {
  path: string;
  filename: string;
  extension: string;
  size: number;
  kind: string;
}

export interface Corpus {
  files: CorpusFile[];
  folder(kind: string): string;
}

const syllables = 'ka lo mi ren ta shu del vor ni pa qua es ti mon ar bel cor dan fi gol'.split(' ');

/** Pseudo-words; the same seed gives the same words. */
function words(seed: number, count: number): string {
  let state = seed * 2654435761 + 1;
  const out: string[] = [];
  for (let i = 0; i < count; i++) {
    let word = '';
    for (let k = 0; k < 2 + (state & 1); k++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      word += syllables[(state >>> 8) % syllables.length];
    }
    out.push(word);
  }
  return out.join(' ');
}

/** A JPEG of soft shapes and noise, which costs as much to decode as a photo. */
export async function makePhoto(width: number, height: number, seed: number): Promise<Buffer> {
  const cell = 64;
  const noise = Buffer.alloc(Math.ceil(width / cell) * Math.ceil(height / cell) * 3);
  for (let i = 0; i < noise.length; i++) noise[i] = (Math.imul(i + seed * 7919, 2654435761) >>> 16) & 255;
  const soft = sharp(noise, { raw: { width: Math.ceil(width / cell), height: Math.ceil(height / cell), channels: 3 } });
  return soft.resize(width, height, { fit: 'fill', kernel: 'cubic' }).withExif(exifTags).jpeg({ quality: 85 }).toBuffer();
}

export async function makeCorpus(root: string, scale: number): Promise<Corpus> {
  const files: CorpusFile[] = [];
  const put = (kind: string, filename: string, bytes: Buffer): void => {
    const folder = join(root, kind);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, filename);
    writeFileSync(path, bytes);
    files.push({ path, filename, extension: filename.slice(filename.lastIndexOf('.') + 1), size: bytes.length, kind });
  };
  const repeat = async (count: number, make: (i: number) => void | Promise<void>): Promise<void> => {
    for (let i = 0; i < Math.max(1, Math.round(count * scale)); i++) await make(i);
  };
  const photos = await Promise.all(Array.from({ length: 10 }, (_, i) => makePhoto(2000, 1500, i)));
  await repeat(2000, (i) => put('photo', `IMG_${i}.jpg`, withDate(photos[i % photos.length] as Buffer, i)));
  const papers = await Promise.all(
    Array.from({ length: 25 }, (_, i) =>
      makePdf(
        Array.from({ length: 6 }, (_, p) => page(i * 100 + p)),
        `Paper ${i}`,
      ),
    ),
  );
  await repeat(500, (i) => put('pdf', `paper-${i}.pdf`, Buffer.concat([papers[i % papers.length] as Buffer, Buffer.from(`%${i}\n`)])));
  await repeat(500, (i) => {
    const paragraphs = Array.from({ length: 120 }, (_, p) => words(i * 1000 + p, 40));
    if (i % 3 === 0) put('office', `report-${i}.docx`, makeDocx(paragraphs));
    else if (i % 3 === 1) put('office', `table-${i}.xlsx`, makeXlsx(paragraphs.map((text, row) => [text, row, row * 3])));
    else put('office', `talk-${i}.pptx`, makePptx(paragraphs.slice(0, 20)));
  });
  await repeat(500, (i) => {
    if (i % 4 === 3) put('audio', `note-${i}.wav`, makeWav(2));
    else put('audio', `song-${i}.mp3`, makeMp3(300, { TIT2: words(i, 3), TPE1: words(i % 20, 2), TALB: words(i % 50, 2), TYER: '2019' }));
  });
  const clips = makeClips(root);
  await repeat(100, (i) => {
    const clip = clips[i % clips.length];
    if (clip !== undefined)
      put(
        'video',
        `Show.S01E${String(i + 1).padStart(2, '0')}.mp4`,
        Buffer.concat([clip, Buffer.from([0, 0, 0, 12]), Buffer.from(`free${String(i).padStart(4)}`)]),
      );
  });
  await repeat(200, (i) =>
    put(
      'mail',
      `mail-${i}.eml`,
      Buffer.from(
        `From: Ann <ann@example.org>\r\nTo: bob@example.org\r\nSubject: ${words(i, 6)}\r\nDate: Tue, 2 Mar 2021 10:00:00 +0100\r\nMessage-ID: <${i}@example.org>\r\n\r\n${words(i, 400)}\r\n`,
      ),
    ),
  );
  await repeat(100, (i) => {
    const members = Array.from({ length: 100 }, (_, m) => ({
      name: `folder/${words(i * 100 + m, 2).replace(' ', '-')}-${m}.txt`,
      data: words(m, 50),
    }));
    put('archive', i % 2 === 0 ? `pack-${i}.zip` : `pack-${i}.tar`, i % 2 === 0 ? makeZip(members) : makeTar(members));
  });
  await repeat(100, (i) => put('mesh', `part-${i}.stl`, makeBinaryStl(ringMesh(3 + (i % 7), 1, 96, 48))));
  return { files, folder: (kind) => join(root, kind) };
}

function page(seed: number): string {
  return Array.from({ length: 45 }, (_, line) => words(seed * 50 + line, 11)).join('\n');
}

/** The same photo with another date in its EXIF tags. */
function withDate(photo: Buffer, i: number): Buffer {
  const bytes = Buffer.from(photo);
  const at = bytes.indexOf('2024:05:01', 0, 'latin1');
  if (at !== -1)
    bytes.write(
      `20${String(10 + (i % 15))}:${String(1 + (i % 12)).padStart(2, '0')}:${String(1 + (i % 28)).padStart(2, '0')}`,
      at,
      'latin1',
    );
  return bytes;
}

/** Short video clips; none if ffmpeg is not installed. */
function makeClips(root: string): Buffer[] {
  const path = join(root, 'clip.mp4');
  try {
    return [1, 2, 3].map((seconds) => {
      const sources = ['-f', 'lavfi', '-i', `testsrc2=d=${seconds}:s=640x360`, '-f', 'lavfi', '-i', `sine=d=${seconds}`];
      execFileSync('ffmpeg', ['-v', 'error', '-y', ...sources, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', path], {
        stdio: 'ignore',
      });
      const bytes = readFileSync(path);
      rmSync(path);
      return bytes;
    });
  } catch {
    // Without ffmpeg the corpus has no videos.
    return [];
  }
}
