import { paths } from '../paths.ts';
import { LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** The way from a thing to its proof: a movement by its journal, any other by what it is and its id. */
export function ProofLink({ of }: { of: string | readonly [what: string, id: string] }) {
  const to = typeof of === 'string' ? paths.proofOf(of) : `${paths.proofs()}/${of.join('/')}`;
  return (
    <LinkButton look="soft" to={to} className="print:hidden">
      <Icon name="shield" />
      {say('Proof')}
    </LinkButton>
  );
}
