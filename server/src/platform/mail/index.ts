import { createTransport } from 'nodemailer';
import { type Outbound, OutboundError } from '../outbound/index.ts';

/** How to reach a mail server. `plain` sends without encryption. */
export interface MailServer {
  host: string;
  port: number;
  security: 'starttls' | 'ssl' | 'plain';
  username?: string | undefined;
  password?: string | undefined;
}

export interface Mail {
  from: string;
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Identifies the message; a repeated delivery has the same id. */
  messageId: string;
  attachments?: readonly { filename: string; path: string }[];
}

/** `permanent` when the same message would be rejected again, which servers say with a 5xx code. */
export class MailError extends Error {
  readonly permanent: boolean;
  readonly code: number | null;
  constructor(message: string, { permanent, code }: { permanent: boolean; code: number | null }) {
    super(message);
    this.name = 'MailError';
    this.permanent = permanent;
    this.code = code;
  }
}

/** Sends one message. The host is resolved and checked once, and certificates are verified against its name. */
export async function sendMail(outbound: Outbound, server: MailServer, mail: Mail, timeoutMs: number): Promise<void> {
  const [address = server.host] = await outbound.vet('mail', server.host);
  const transport = createTransport({
    host: address,
    port: server.port,
    secure: server.security === 'ssl',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'plain',
    tls: { servername: server.host, rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    ...(server.username ? { auth: { user: server.username, pass: server.password ?? '' } } : {}),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: !mail.attachments,
    disableUrlAccess: true,
  });
  const { attachments, to, ...message } = mail;
  try {
    await transport.sendMail({ ...message, to: [...to], ...(attachments ? { attachments: [...attachments] } : {}) });
  } catch (error) {
    throw explainMailError(error as Error & { code?: string; responseCode?: number; command?: string }, server.host);
  } finally {
    transport.close();
  }
}

function explainMailError(error: Error & { code?: string; responseCode?: number; command?: string }, host: string): Error {
  if (error instanceof OutboundError) return error;
  const code = error.responseCode ?? null;
  const permanent = code !== null && code >= 500;
  if (code !== null)
    return new MailError(`${host} answered ${code} to ${error.command ?? 'the message'}: ${firstLine(error.message)}`, { permanent, code });
  return new MailError(`The mail could not be handed to ${host}: ${firstLine(error.message)}`, { permanent: false, code: null });
}

const firstLine = (text: string): string => text.split(/[\r\n]/)[0]?.slice(0, 300) ?? '';
