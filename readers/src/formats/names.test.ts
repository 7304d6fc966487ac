import { expect, it } from 'vitest';
import { cameraName, codecName, containerName, languageName } from './names.ts';

it('a codec has one name, whichever library reads the file', () => {
  const named = (...written: string[]) => new Set(written.map((each) => codecName(each)));
  expect(named('MPEG 1 Layer 3', 'mp3', 'mp3float')).toEqual(new Set(['mp3']));
  expect(named('AAC', 'MPEG-4/AAC', 'aac_latm')).toEqual(new Set(['aac']));
  expect(named('PCM', 'pcm_s16le', 'pcm_mulaw')).toEqual(new Set(['pcm']));
  expect(named('Vorbis I', 'vorbis')).toEqual(new Set(['vorbis']));
  expect(named('h264', 'avc1', 'avc1.640028', 'H.264 / AVC')).toEqual(new Set(['h264']));
  expect(named('hevc', 'hvc1.1.6.L93.B0', 'H.265')).toEqual(new Set(['hevc']));
  expect(named('av1', 'av01.0.04M.08')).toEqual(new Set(['av1']));
  expect(named('mpeg4', 'mp4v-20-9', 'XVID')).toEqual(new Set(['mpeg4']));
  expect(named('ProRes', 'apch')).toEqual(new Set(['prores']));
  expect(codecName(undefined)).toBeUndefined();
});

it('a container has one name', () => {
  expect(containerName('mov,mp4,m4a,3gp,3g2,mj2', 'mp4')).toBe('mp4');
  expect(containerName('mov,mp4,m4a,3gp,3g2,mj2', 'mov')).toBe('mov');
  expect(containerName('M4A/isom/iso2', 'm4a')).toBe('mp4');
  expect(containerName('matroska,webm', 'mkv')).toBe('matroska');
  expect(containerName('WAVE', 'wav')).toBe('wav');
});

it('a camera has one name, however its maker is written', () => {
  expect(cameraName('NIKON CORPORATION', 'NIKON D70')).toBe('Nikon D70');
  expect(cameraName('Canon', 'Canon EOS R5')).toBe('Canon EOS R5');
  expect(cameraName('OLYMPUS IMAGING CORP.', 'E-M5')).toBe('Olympus E-M5');
  expect(cameraName('SONY', 'ILCE-7M3')).toBe('Sony ILCE-7M3');
  expect(cameraName('Acme Optics Co.', 'Box 1')).toBe('Acme Optics Box 1');
  expect(cameraName('RICOH IMAGING COMPANY, LTD.', 'PENTAX K-3')).toBe('Pentax K-3');
  expect(cameraName(undefined, 'NIKON D70')).toBe('Nikon D70');
  expect(cameraName(undefined, 'X')).toBe('X');
});

it('a language has one name, whatever its region and the length of its code', () => {
  expect(new Set(['en', 'EN', 'en-US', 'en_GB', 'eng'].map(languageName))).toEqual(new Set(['en']));
  expect(['deu', 'pt-BR', 'zh-Hant-TW', 'fil'].map(languageName)).toEqual(['de', 'pt', 'zh', 'fil']);
  expect(languageName('Klingon')).toBe('Klingon');
});
