export { decodeGuid, decodeSid, encodeSid } from './binary.ts';
export { countCertificates, fetchCertificates } from './certificates.ts';
export { type DirectoryServer, DirectoryUnavailable, isRefusal, refusalReason } from './connection.ts';
export { createDirectoryPool, type DirectoryPool } from './pool.ts';
export { commonName, comparableDn, escapeDn, escapeFilter } from './text.ts';
export { bytesOf, textsOf } from './values.ts';
