import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** The way from a thing to its proof in the log of the books. */
export function ProofLink({ to }: { to: string }) {
  return (
    <LinkButton look="soft" to={to} className="print:hidden">
      <Icon name="shield" />
      {say('Proof')}
    </LinkButton>
  );
}
