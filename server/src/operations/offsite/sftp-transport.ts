import type { Outbound } from '../../platform/outbound/index.ts';
import { findFingerprints, SftpError, type SftpServer, withSftp } from '../../platform/sftp/index.ts';
import type { SftpConfig, Transport } from './transport.ts';

/** A folder on a server with SFTP. It is never created, so that a wrong path is noticed. */
export function openSftpFolder(config: SftpConfig, credential: string, outbound: Outbound): Transport {
  const server: SftpServer = {
    host: config.host,
    port: Number(config.port),
    username: config.username,
    hostKeys: findFingerprints(config.host_keys),
    credential,
  };
  const at = (name: string): string => `${config.path.replace(/\/+$/, '')}/${name}`;
  const explained = async <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw explain(error, config);
    });
  return {
    put: (name, source, signal) =>
      explained(
        withSftp(outbound, 'backup_target', server, signal, async (client) => {
          const partial = at(`${name}.partial`);
          try {
            const bytes = await client.write(partial, source);
            await client.rename(partial, at(name));
            return bytes;
          } catch (error) {
            await client.remove(partial).catch(() => {
              // The connection is gone; the next attempt overwrites the file.
            });
            throw error;
          }
        }),
      ).finally(() => source.destroy()),
    remove: (name, signal) => explained(withSftp(outbound, 'backup_target', server, signal, (client) => client.remove(at(name)))),
  };
}

function explain(error: unknown, { host, path, username }: SftpConfig): Error {
  if (!(error instanceof SftpError)) return error as Error;
  if (error.reason === 'not_found') return new Error(`The folder ${path} does not exist on ${host}. Create it, or correct the path.`);
  if (error.reason === 'denied') return new Error(`User ${username} may not write to ${path} on ${host}. Give the user the right to.`);
  return new Error(`${host} could not store the file (${error.message}). Check the free space there.`);
}
