export { fingerprintOf, issueCertificate, issueServerCertificate, readPublicKey } from './certificates.ts';
export { mintOneTimeToken } from './one-time-token.ts';
export { checkAuthority, reportAuthority, requireRoot } from './root.ts';
