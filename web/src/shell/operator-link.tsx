import { NavLink } from 'react-router';
import { useIsOperator } from '../operator/operator.queries.ts';
import { paths } from '../paths.ts';
import { Icon } from '../ui/icon.tsx';
import { say } from '../words/say.ts';

/** The way to the operator's desk, for operators only. Headers load it lazily, once somebody is signed in. */
export function OperatorLink({ className, withIcon = false }: { className: string; withIcon?: boolean }) {
  if (!useIsOperator()) return null;
  return (
    <NavLink to={paths.operator()} className={className}>
      {withIcon && <Icon name="shield" />}
      {say('Operator’s desk')}
    </NavLink>
  );
}
