/** Valid samples of archives, disk images, models, programs, tables and small text formats. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeCpio, makeTar, makeZip } from './archives.ts';
import { sampleCertificate } from './certificates.ts';
import { makeIso } from './disk-images.ts';
import { boxMesh, makeAsciiStl, makeBinaryStl, makeGlb, makeObj, makeOff, makePly, makeThreeMf } from './meshes.ts';
import type { Sample } from './sample.ts';
import { makeDbf, makeElf, makeMidi, makeParquet, makePcap, makePe, makeTrueType, writeSqlite } from './system-files.ts';

const members = [
  { name: 'readme.txt', data: 'hello' },
  { name: 'folder/photo.jpg', data: 'pixels' },
];
const box = boxMesh();
const dxf = '0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1027\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n0\nLINE\n8\nwalls\n0\nENDSEC\n0\nEOF\n';
const calendar =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-CALNAME:Team\r\nBEGIN:VEVENT\r\nSUMMARY:Standup\r\nDTSTART:20240102T090000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
const contacts = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Example\r\nORG:Works\r\nEND:VCARD\r\n';
const torrent = 'd8:announce15:udp://u.example4:infod6:lengthi1000e4:name5:Album12:piece lengthi16384eee';

async function sqlite(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-sqlite-'));
  try {
    const path = join(folder, 'a.sqlite');
    await writeSqlite(path, 'create table notes(id integer primary key, text); insert into notes(text) values (1),(2);');
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// biome-ignore format: one sample per line is easier to scan.
export const machineSamples: readonly Sample[] = [
  { extractor: 'zip', filename: 'pack.zip', build: () => makeZip(members), expected: { archive: { member_count: 2 } } },
  { extractor: 'tar', filename: 'pack.tar', build: () => makeTar(members), expected: { archive: { member_count: 2 } } },
  { extractor: 'tar', filename: 'pack.tar.gz', build: () => gzipSync(makeTar(members), { level: 9 }), expected: { archive: { member_count: 2 } } },
  { extractor: 'packed', filename: 'note.gz', build: () => gzipSync(Buffer.from('hello hello')), expected: { archive: { member_count: 1 } } },
  { extractor: 'sevenzip', filename: 'pack.cpio', build: () => makeCpio([{ name: 'a.txt', data: 'hello' }]), expected: { archive: { member_count: 1 } } },
  { extractor: 'comic', filename: 'comic.cbz', build: () => makeZip([{ name: '001.jpg', data: 'x' }, { name: '002.jpg', data: 'y' }]), expected: { pages: 2 } },
  { extractor: 'disk-image', filename: 'disc.iso', build: () => makeIso('HOLIDAY', [{ name: 'A.TXT', data: 'hello' }]), expected: { disk_image: { label: 'HOLIDAY' } } },
  { extractor: 'model3d', filename: 'box.stl', build: () => makeBinaryStl(box), expected: { triangles: 12 } },
  { extractor: 'model3d', filename: 'text.stl', build: () => Buffer.from(makeAsciiStl(box)), expected: { triangles: 12 } },
  { extractor: 'model3d', filename: 'box.obj', build: () => Buffer.from(makeObj(box)), expected: { triangles: 12, vertices: 8 } },
  { extractor: 'model3d', filename: 'box.off', build: () => Buffer.from(makeOff(box)), expected: { triangles: 12 } },
  { extractor: 'model3d', filename: 'box.ply', build: () => Buffer.from(makePly(box, 'ascii')), expected: { triangles: 12 } },
  { extractor: 'model3d', filename: 'box.glb', build: () => makeGlb(box), expected: { triangles: 12 } },
  { extractor: 'model3d', filename: 'box.3mf', build: () => makeThreeMf(box), expected: { triangles: 12 } },
  { extractor: 'cad', filename: 'plan.dxf', build: () => Buffer.from(dxf), expected: { cad: { format: 'dxf' } } },
  { extractor: 'gcode', filename: 'part.gcode', build: () => Buffer.from(';FLAVOR:Marlin\n;TIME:3661\n;Filament used: 1.5m\nG28\n'), expected: { print: { time_seconds: 3661 } } },
  { extractor: 'font', filename: 'sans.ttf', build: () => makeTrueType(), title: 'Sample Sans Regular' },
  { extractor: 'sqlite', filename: 'notes.sqlite', build: sqlite, expected: { database: {} } },
  { extractor: 'dbf', filename: 'rows.dbf', build: () => makeDbf(), expected: { database: {} } },
  { extractor: 'parquet', filename: 'rows.parquet', build: () => makeParquet(), expected: { database: {} } },
  { extractor: 'certificate', filename: 'host.pem', build: () => Buffer.from(sampleCertificate), title: 'files.example.org' },
  { extractor: 'executable', filename: 'tool.exe', build: () => makePe(), expected: { executable: {} } },
  { extractor: 'executable', filename: 'lib.so', build: () => makeElf(), expected: { executable: {} } },
  { extractor: 'torrent', filename: 'album.torrent', build: () => Buffer.from(torrent), title: 'Album' },
  { extractor: 'calendar', filename: 'team.ics', build: () => Buffer.from(calendar), word: 'Standup' },
  { extractor: 'contacts', filename: 'people.vcf', build: () => Buffer.from(contacts), expected: { contacts: { count: 1 } } },
  { extractor: 'playlist', filename: 'mix.m3u', build: () => Buffer.from('#EXTM3U\n#EXTINF:123,Band - Song\nsong.mp3\n'), expected: { playlist: { entry_count: 1 } } },
  { extractor: 'midi', filename: 'tune.mid', build: makeMidi, expected: { duration: 2 } },
  { extractor: 'subtitles', filename: 'film.en.srt', build: () => Buffer.from('1\n00:00:01,000 --> 00:00:02,500\nHello there\n'), expected: { subtitles: { cues: 1 } }, word: 'Hello' },
  { extractor: 'capture', filename: 'net.pcap', build: makePcap, expected: { capture: {} } },
  { extractor: 'log', filename: 'app.log', build: () => Buffer.from('2024-05-06T07:08:09Z started\n2024-05-06T07:08:10Z stopped\n'), expected: { log: { lines: 2 } }, word: 'stopped' },
];
