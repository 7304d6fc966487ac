import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';
import { say, withProgress } from './say.mjs';

/** Programs that tests use, their Debian packages, and the tests that are skipped without them. Without a package nothing is installed. */
const programs = [
  { program: 'chromium', debian: 'chromium', without: 'the browser tests of the console' },
  { program: 'ffmpeg', debian: 'ffmpeg', without: 'the video extraction and poster tests' },
  { program: 'exiftool', debian: 'libimage-exiftool-perl', without: 'the camera RAW tests' },
  { program: 'pdftotext', debian: 'poppler-utils', without: 'the comparison with poppler' },
  { program: 'tesseract', debian: 'tesseract-ocr', without: 'the OCR tests with the native program' },
  { program: 'pgbouncer', debian: 'pgbouncer', without: 'the tests behind a connection pooler' },
  { program: 'slapd', debian: 'slapd', without: 'the tests with a real LDAP directory' },
  {
    program: 'samba',
    debian: 'samba samba-ad-dc samba-ad-provision samba-dsdb-modules winbind',
    without: 'the tests with a real Active Directory domain controller',
  },
  { program: 'sshd', debian: 'openssh-server', without: 'the tests with a real SFTP server' },
  { program: 'openssl', debian: 'openssl', without: 'the tests of mail over TLS' },
  { program: 'soffice', debian: null, without: 'the test that LibreOffice opens XLSX exports' },
  { program: 'promtool', debian: null, without: 'the checks of the metrics and the Prometheus rules' },
  { program: 'nginx', debian: null, without: 'the test of the nginx example' },
  { program: 'caddy', debian: null, without: 'the test of the Caddy example' },
  { program: 'git', debian: 'git', without: 'the comparison of ignore patterns with git' },
];

function onPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, program)));
}

function isDebian() {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

/** Installs missing programs on Debian when run as root; otherwise prints which tests are skipped. */
export async function ensureSystemPackages() {
  const missing = programs.filter(({ program }) => !onPath(program));
  if (missing.length === 0) return;
  const installable = missing.flatMap(({ debian }) => debian?.split(' ') ?? []);
  if (installable.length > 0 && isDebian() && process.getuid?.() === 0 && process.env.CATALOG_NO_APT === undefined) {
    const names = [...installable, 'fonts-inter'];
    // At run level 1 installed services are not started.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await withProgress(`Installing Debian packages for the tests: ${names.join(' ')}`, async () => {
      await run('apt-get', ['update', '-qq'], { quiet: true, env });
      return run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { quiet: true, env });
    });
  }
  for (const { program, without } of missing.filter((each) => !onPath(each.program)))
    say(`${program} is not installed: ${without} are skipped.`);
}
