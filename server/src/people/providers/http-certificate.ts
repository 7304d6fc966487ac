import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { DirectoryUnavailable, fetchCertificates } from '../../platform/ldap/index.ts';
import { createOutbound, OutboundError } from '../../platform/outbound/index.ts';
import { noExtraFields } from '../../platform/schemas.ts';
import { readConfig } from './config.ts';
import type { LdapConfig } from './fields.ts';

const Certificate = Type.Object({
  subject: Type.String(),
  issuer: Type.String(),
  sha256: Type.String(),
  not_after: Type.String({ format: 'date-time' }),
  is_ca: Type.Boolean(),
  is_self_signed: Type.Boolean(),
});

/** Shows the certificates of a directory server, so that an administrator can compare and then trust them. */
export function ldapCertificateRoute(app: App, deps: Dependencies): void {
  app.post(
    '/auth-config/ldap/fetch-cert',
    {
      config: { scope: 'admin' },
      schema: {
        tags: ['sign-in providers'],
        summary: 'Fetch the certificates of a directory server without saving anything',
        body: Type.Object(
          { server: Type.Optional(Type.String({ maxLength: 1000 })), start_tls: Type.Optional(Type.Boolean()) },
          noExtraFields,
        ),
        response: {
          200: Type.Object({
            ok: Type.Boolean(),
            error: Type.Optional(Type.String()),
            host: Type.Optional(Type.String()),
            port: Type.Optional(Type.Integer()),
            chain: Type.Optional(Type.Array(Certificate)),
            suggested_ca_pem: Type.Optional(Type.String()),
            note: Type.Optional(Type.String()),
          }),
        },
      },
    },
    async (request) => {
      const config = (await readConfig(deps, 'ldap')).values as unknown as LdapConfig;
      const { server = config.server ?? '', start_tls = config.start_tls } = request.body;
      try {
        const { host, port, chain } = await fetchCertificates(server, start_tls, createOutbound(deps));
        const authorities = chain.filter((each, at) => at > 0 || each.is_self_signed);
        return {
          ok: true,
          host,
          port,
          chain: chain.map(({ pem: _, ...each }) => each),
          suggested_ca_pem: authorities.map(({ pem }) => pem).join('\n'),
          note:
            authorities.length > 0
              ? 'Compare the SHA-256 value with the one your directory administrator gives you before you trust it.'
              : 'The server does not send its certificate authority. Ask your directory administrator for it.',
        };
      } catch (error) {
        if (error instanceof DirectoryUnavailable || error instanceof OutboundError) return { ok: false, error: error.message };
        throw error;
      }
    },
  );
}
