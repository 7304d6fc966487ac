/** Audio and video files whose chunks declare more data than they have. */
import { u32be, u32le } from '../../samples/sample.ts';
import { makeMp3, makeWav } from '../../samples/sounds.ts';
import type { HostileCase } from '../hostile-case.ts';

const id3 = (claim: number[]) =>
  Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(claim), Buffer.from('TIT2'), u32be(0x7fffffff), Buffer.alloc(64)]);

export const sounds: HostileCase[] = [
  {
    family: 'sounds',
    name: 'tag that claims 256 MB',
    filename: 'claim.mp3',
    build: () => id3([127, 127, 127, 127]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'tag in front of music that claims 200 MB',
    filename: 'claim2.mp3',
    build: () => Buffer.concat([id3([96, 0, 0, 0]), makeMp3()]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'picture that claims 16 MB',
    filename: 'claim.flac',
    build: () =>
      Buffer.concat([
        Buffer.from('fLaC'),
        Buffer.from([0, 0, 0, 34]),
        Buffer.alloc(34, 1),
        Buffer.from([0x86, 255, 255, 255]),
        u32be(3),
        u32be(0xffffffff),
        Buffer.alloc(64),
      ]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'wave whose chunk claims 4 GB',
    filename: 'claim.wav',
    build: () => {
      const bytes = makeWav();
      bytes.writeUInt32LE(0xfffffff0, 16);
      return bytes;
    },
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'wave of chunks without length',
    filename: 'zero.wav',
    build: () => Buffer.concat([Buffer.from('RIFF'), u32le(0xffffffff), Buffer.from('WAVE'), Buffer.alloc(400_000)]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'mp4 of boxes inside boxes',
    filename: 'boxes.m4a',
    build: () =>
      Buffer.concat([
        u32be(16),
        Buffer.from('ftypM4A isom'),
        ...Array.from({ length: 20_000 }, () => Buffer.concat([u32be(0x7fffffff), Buffer.from('moov')])),
      ]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'mp4 of boxes without length',
    filename: 'boxes.mp4',
    build: () =>
      Buffer.concat([
        u32be(16),
        Buffer.from('ftypisomisom'),
        ...Array.from({ length: 5000 }, () => Buffer.concat([u32be(8), Buffer.from('moov')])),
      ]),
    endings: ['corrupt', 'result', 'guard'],
  },
  {
    family: 'sounds',
    name: 'playlist that leads to another file',
    filename: 'lead.mp4',
    build: () => Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'),
    endings: ['corrupt'],
  },
  {
    family: 'sounds',
    name: 'list of files to join',
    filename: 'lead.mkv',
    build: () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
    endings: ['corrupt'],
  },
  {
    family: 'sounds',
    name: 'description that leads to the network',
    filename: 'lead.mov',
    build: () => Buffer.from('<?xml version="1.0"?><MPD><BaseURL>http://127.0.0.1/x</BaseURL></MPD>'),
    endings: ['corrupt'],
  },
];
