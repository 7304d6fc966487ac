import { ButtonLink } from '../../components/button.tsx';
import { usePageTitle } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';

export default function NotFoundPage() {
  usePageTitle('No such page');
  return (
    <EmptyState wholePage title="There is no page at this address" actions={<ButtonLink href="#/">Go to search</ButtonLink>}>
      The link may be old, or have a typing mistake.
    </EmptyState>
  );
}
