import { ButtonLink } from '../../parts/button.tsx';
import { usePageTitle } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/states.tsx';

export default function NotFoundPage() {
  usePageTitle('No such page');
  return (
    <EmptyState wholePage title="There is no page at this address" actions={<ButtonLink href="#/">Go to search</ButtonLink>}>
      The link may be old, or have a typing mistake.
    </EmptyState>
  );
}
