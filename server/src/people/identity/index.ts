import './tables.ts';

export { openPrincipal, setDeviceCookie, setSessionCookie } from './authenticate.ts';
export { type Owner, ownerOf, principalOfOwner } from './owner.ts';
export {
  type ProviderPerson,
  refreshProviderRights,
  SignInRefused,
  signInWithProvider,
} from './provider-accounts.ts';
export { type DirectoryAnswer, deviceCookieFor, type SignInProviders } from './sign-in.ts';
