import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSampleFolder, type SampleFolder } from '../../test/samples/source.ts';
import { createSandboxPool, type SandboxPool } from '../sandbox/pool.ts';
import { readProvenance } from './provenance.ts';

let samples: SampleFolder;
let pool: SandboxPool;
beforeAll(() => {
  samples = openSampleFolder();
  pool = createSandboxPool({ size: 1, background: false });
});
afterAll(() => {
  pool.close();
  samples.remove();
});

/** Sets an attribute with Python, because setfattr may be missing. Returns false when the file system has no attributes. */
function setAttribute(path: string, name: string, value: string): boolean {
  try {
    execFileSync('python3', ['-c', 'import os,sys; os.setxattr(sys.argv[1], sys.argv[2], sys.argv[3].encode())', path, name, value], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

it('download-origin extended attributes are read during extraction into origin_url and referrer_url', async ({ skip }) => {
  const source = samples.source('got.txt', 'hello');
  if (!setAttribute(source.path, 'user.xdg.origin.url', 'https://me:secret@files.example/got.txt'))
    skip('this file system keeps no attributes');
  setAttribute(source.path, 'user.xdg.referrer.url', 'https://example.org/page');
  const provenance = { origin_url: 'https://files.example/got.txt', referrer_url: 'https://example.org/page' };
  expect(await pool.extract(source)).toMatchObject({ ok: true, extractor: 'text', provenance });
  expect(await pool.extract({ ...source, extension: 'no-such-kind' })).toEqual({ ok: true, unsupported: true, provenance });
});

it('ignores values that are not web URLs, and files without attributes', ({ skip }) => {
  const plain = samples.source('plain.txt', 'hello');
  expect(readProvenance(plain.path)).toEqual({});
  const odd = samples.source('odd.txt', 'hello');
  if (!setAttribute(odd.path, 'user.xdg.origin.url', 'file:///etc/passwd')) skip('this file system keeps no attributes');
  expect(readProvenance(odd.path)).toEqual({});
});

it('reads the list of macOS, whatever characters its addresses contain', ({ skip }) => {
  const source = samples.source('mac.txt', 'hello');
  const urls = ['https://files.example/my_file_1.zip', 'https://example.org/a_page?q=x_y'];
  const script =
    'import os,plistlib,sys; os.setxattr(sys.argv[1], "user.com.apple.metadata:kMDItemWhereFroms", plistlib.dumps(sys.argv[2:], fmt=plistlib.FMT_BINARY))';
  try {
    execFileSync('python3', ['-c', script, source.path, ...urls], { stdio: 'ignore' });
  } catch {
    skip('this file system keeps no attributes');
  }
  expect(readProvenance(source.path)).toEqual({ origin_url: urls[0], referrer_url: urls[1] });
});

it('nothing is read when the option is off', async ({ skip }) => {
  const source = samples.source('off.txt', 'hello');
  if (!setAttribute(source.path, 'user.xdg.origin.url', 'https://files.example/')) skip('this file system keeps no attributes');
  const quiet = createSandboxPool({ size: 1, background: false, provenance: false });
  expect(await quiet.extract(source)).not.toHaveProperty('provenance');
  quiet.close();
});
