import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';

export default function NotFoundPage() {
  usePageTitle('Page not found');
  return (
    <EmptyState wholePage title="Page not found" actions={<ButtonLink href="#/">Go to search</ButtonLink>}>
      The link may be outdated or mistyped.
    </EmptyState>
  );
}
