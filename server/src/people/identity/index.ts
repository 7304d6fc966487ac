import './tables.ts';

export { accountNamed, actorName } from './accounts.ts';
export { setDeviceCookie, setSessionCookie } from './authenticate.ts';
export { createLimiter, enrolmentSubjects } from './limiter.ts';
export { openPrincipal } from './open-principal.ts';
export { type Owner, type Ownership, ownedBy, ownerOf, owns, principalOfOwner } from './owner.ts';
export {
  connectIdentity,
  type ProviderPerson,
  refreshProviderRights,
  SignInRefused,
  signInWithProvider,
} from './provider-accounts.ts';
export { countPeopleOf, endRemovedIssuers } from './removed-providers.ts';
export { recordEnvironmentLimits } from './session-settings.ts';
export { type DirectoryAnswer, deviceCookieFor, type ProxiedRequest, type SignInProviders } from './sign-in.ts';
export { issueStreamToken, streamTokenSeconds } from './stream-tokens.ts';
