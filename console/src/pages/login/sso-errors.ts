import { useEffect } from 'react';
import { toast } from '../../components/toast.tsx';
import { t } from '../../language/text.ts';

const unreachable = t('The provider cannot be reached at the moment. Try again, or sign in with your password.');
const misconfigured = t('The provider is not set up correctly. Ask an administrator to check the server log.');
const again = t('That sign-in did not finish. Start it again.');

/** The sentence for the reason in `?sso_error=`. */
const sentences: Record<string, string> = {
  no_role: t('Your account is not in a group that can use Catalog. Ask an administrator to add you.'),
  no_account: t('You have no account here yet. Ask an administrator to create one.'),
  disabled: t('Your account is disabled. Ask an administrator to enable it.'),
  access_denied: t('The provider did not let you in, or you closed its page. Try again.'),
  already_connected: t('This identity belongs to another account here. Sign in with it to see which.'),
  bad_state: again,
  expired_state: t('The sign-in took longer than 10 minutes. Start it again.'),
  missing_code: again,
  provider_error: t('The provider reported an error. Try again, or sign in with your password.'),
  fetch_failed: unreachable,
  oversized_response: misconfigured,
};

/** The provider answered, and the answer is no. */
const refusals = new Set(['no_role', 'no_account', 'disabled', 'access_denied', 'already_connected']);

/** What happened, and what to do next. The address does not name the provider, so it is named only where there is one. */
export function ssoError(reason: string, providers: readonly { label: string }[]): { title: string; text: string } {
  const label = providers.length === 1 ? providers[0]?.label : undefined;
  const refused = refusals.has(reason);
  const title = label
    ? refused
      ? t('{label} did not let you in.', { label })
      : t('Sign-in with {label} did not finish.', { label })
    : refused
      ? t('Your organisation did not let you in.')
      : t('Sign-in with your organisation did not finish.');
  return { title, text: sentences[reason] ?? misconfigured };
}

/** Reads the reason from the address and removes it, so that a reload does not show it again. */
export function takeSsoError(): string | null {
  const url = new URL(location.href);
  const reason = url.searchParams.get('sso_error');
  if (reason === null) return null;
  url.searchParams.delete('sso_error');
  history.replaceState(history.state, '', url);
  return reason;
}

/** Tells somebody who is signed in why connecting their account with a provider failed. */
export function useSsoError(providers: readonly { label: string }[]): void {
  useEffect(() => {
    const reason = takeSsoError();
    if (reason !== null) toast(ssoError(reason, providers).text);
  }, [providers]);
}
