import path from 'node:path';
import { isInside } from '../../catalog/libraries/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { findFingerprints } from '../../platform/sftp/index.ts';
import { listLibraryRoots } from './store.ts';
import type { FolderConfig, S3Config, SftpConfig, TargetPlace } from './transport.ts';

type Given = Readonly<Record<string, string>>;

const invalid = (field: string, message: string) => fieldProblem(['body', 'config', field], message);

function text(given: Given, field: string): string {
  const value = given[field]?.trim();
  if (!value) throw invalid(field, `Enter a value for ${field}.`);
  return value;
}

/** Checks the values that describe a place and brings them into one form. */
export async function readPlace(db: Db, kind: TargetPlace['kind'], given: Given): Promise<TargetPlace> {
  if (kind === 'folder') return { kind, config: await readFolder(db, given) };
  return kind === 's3' ? { kind, config: readS3(given) } : { kind, config: readSftp(given) };
}

/** Where the files are. A server can have folders of its own for each user. */
export function locationOf({ kind, config }: TargetPlace): string[] {
  if (kind === 'folder') return [config.path];
  if (kind === 's3') return [config.endpoint, config.bucket, config.prefix];
  return [config.host, config.port, config.username, config.path];
}

async function readFolder(db: Db, given: Given): Promise<FolderConfig> {
  const folder = text(given, 'path');
  if (!path.isAbsolute(folder)) throw invalid('path', 'Enter the whole path of the folder.');
  if ((await listLibraryRoots(db)).some((root) => isInside(path.resolve(folder), root)))
    throw invalid('path', 'The folder is part of a library. Choose one outside, because libraries are never written to.');
  return { path: path.resolve(folder) };
}

function readS3(given: Given): S3Config {
  const endpoint = URL.parse(text(given, 'endpoint'));
  if (!endpoint || !/^https?:$/.test(endpoint.protocol) || endpoint.username || endpoint.search)
    throw invalid('endpoint', 'Enter an address such as https://s3.example.org, without a name or password in it.');
  const bucket = text(given, 'bucket');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw invalid('bucket', 'A bucket has 3 to 63 lower-case letters, digits, dots and hyphens.');
  const prefix = (given['prefix'] ?? '').trim().replace(/^\/+|\/+$/g, '');
  return {
    endpoint: endpoint.href.replace(/\/+$/, ''),
    region: given['region']?.trim() || 'us-east-1',
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    access_key_id: text(given, 'access_key_id'),
  };
}

function readSftp(given: Given): SftpConfig {
  const host = text(given, 'host');
  if (!/^[\w.:[\]-]+$/.test(host) || /^[^[:]+:\d+$/.test(host))
    throw invalid('host', 'Enter the name or address of the server, without a port.');
  const port = given['port']?.trim() || '22';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) throw invalid('port', 'A port is a number from 1 to 65535.');
  const fingerprints = findFingerprints(given['host_keys'] ?? '');
  if (fingerprints.length === 0)
    throw invalid(
      'host_keys',
      'Enter the fingerprints of the host keys, which begin with SHA256:. On the server: for f in /etc/ssh/ssh_host_*.pub; do ssh-keygen -lf $f; done',
    );
  const publicKey = given['public_key'];
  return {
    host,
    port,
    username: text(given, 'username'),
    path: text(given, 'path'),
    host_keys: [...new Set(fingerprints)].join(' '),
    ...(publicKey === undefined ? {} : { public_key: publicKey }),
  };
}
