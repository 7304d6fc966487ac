import './tables.ts';

export { openPrincipal, setDeviceCookie, setSessionCookie } from './authenticate.ts';
export { createLimiter, enrolmentSubjects } from './limiter.ts';
export { type Owner, ownerOf, principalOfOwner } from './owner.ts';
export {
  connectIdentity,
  type ProviderPerson,
  refreshProviderRights,
  SignInRefused,
  signInWithProvider,
} from './provider-accounts.ts';
export { type DirectoryAnswer, deviceCookieFor, type ProxiedRequest, type SignInProviders } from './sign-in.ts';
