import { connect, type Socket } from 'node:net';
import {
  ChannelRequestMessage,
  NodeStream,
  type SshAuthenticatingEventArgs,
  SshClientSession,
  type SshDataWriter,
  SshSessionConfiguration,
} from '@microsoft/dev-tunnels-ssh';
import { type Outbound, OutboundError, type Purpose } from '../outbound/index.ts';
import { hostKeyFingerprint, keyPairOf } from './keys.ts';
import { createProtocol, type SftpProtocol } from './protocol.ts';

export { authorizedKeysLine, createSshKey, findFingerprints } from './keys.ts';
export { SftpError } from './protocol.ts';

export interface SftpServer {
  host: string;
  port: number;
  username: string;
  /** Fingerprints of the host keys that are accepted. No other server gets the credential. */
  hostKeys: readonly string[];
  /** A password, or a private key made by `createSshKey`. */
  credential: string;
}

export type SftpClient = Pick<SftpProtocol, 'write' | 'rename' | 'remove'>;

const silenceMs = 60_000;

/**
 * Connects, runs `use`, and disconnects. The host is resolved and checked once, and its key is compared before anything secret is sent. A
 * server that is silent for a minute is given up.
 */
export async function withSftp<Result>(
  outbound: Outbound,
  purpose: Purpose,
  server: SftpServer,
  signal: AbortSignal,
  use: (client: SftpClient) => Promise<Result>,
): Promise<Result> {
  const [address = server.host] = await outbound.vet(purpose, server.host, { requested: true });
  signal.throwIfAborted();
  const socket = connect({ host: address, port: server.port });
  const stop = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  const lost = failureOf(socket, server);
  try {
    const connected = new Promise<void>((resolve) => socket.once('connect', resolve));
    return await Promise.race([lost, connected.then(() => exchange(socket, server, use))]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

/** Rejects when the connection is lost; never resolves. */
function failureOf(socket: Socket, { host, port }: SftpServer): Promise<never> {
  const lost = new Promise<never>((_resolve, reject) => {
    socket.setTimeout(silenceMs, () =>
      socket.destroy(new OutboundError('timeout', `${host} did not answer for ${silenceMs / 1000} seconds.`)),
    );
    socket.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error instanceof OutboundError
          ? error
          : new OutboundError('transport', `The connection to ${host}, port ${port}, failed (${error.code ?? error.message}).`),
      ),
    );
    socket.once('close', () => reject(new OutboundError('transport', `${host} closed the connection.`)));
  });
  // The race may be over when the connection closes.
  lost.catch(() => {});
  return lost;
}

async function exchange<Result>(socket: Socket, server: SftpServer, use: (client: SftpClient) => Promise<Result>): Promise<Result> {
  const session = new SshClientSession(new SshSessionConfiguration());
  try {
    await signIn(session, socket, server);
    const channel = await session.openChannel();
    const protocol = createProtocol((packet) => channel.send(packet));
    channel.onDataReceived((data) => {
      protocol.receive(data);
      channel.adjustWindow(data.length);
    });
    channel.onClosed(() => protocol.fail(new OutboundError('transport', `${server.host} closed the connection.`)));
    if (!(await channel.request(new SubsystemRequest()))) throw new Error(`${server.host} does not offer SFTP.`);
    await protocol.start();
    return await use(protocol);
  } finally {
    session.dispose();
  }
}

class SubsystemRequest extends ChannelRequestMessage {
  constructor() {
    super('subsystem', true);
  }
  protected override onWrite(writer: SshDataWriter): void {
    super.onWrite(writer);
    writer.writeString('sftp', 'ascii');
  }
}

async function signIn(session: SshClientSession, socket: Socket, server: SftpServer): Promise<void> {
  const { host, username, hostKeys, credential } = server;
  let presented = '';
  session.onAuthenticating((event: SshAuthenticatingEventArgs) => {
    event.authenticationPromise = (async () => {
      presented = event.publicKey ? await hostKeyFingerprint(event.publicKey) : 'no key';
      return hostKeys.includes(presented) ? {} : null;
    })();
  });
  await session.connect(new NodeStream(socket));
  if (!(await session.authenticateServer()))
    throw new OutboundError(
      'refused',
      `${host} presented the host key ${presented}, which is not the expected one. Nothing was sent. If the server has a new key, compare it there and enter its fingerprint.`,
    );
  const isKey = credential.startsWith('-----BEGIN ');
  const secret = isKey ? { publicKeys: [await keyPairOf(credential)] } : { password: credential };
  if (!(await session.authenticateClient({ username, ...secret })))
    throw new OutboundError(
      'refused',
      isKey
        ? `${host} refused the key of user ${username}. Add the public key of this target to the file authorized_keys there.`
        : `${host} refused user ${username} with this password.`,
    );
}
