import type { LogFacts } from '@ushirika/contract/proofs';
import { addressOf } from '../api/call.ts';
import { formatCount } from '../ui/figures.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { say } from '../words/say.ts';

/** All that the programs of an auditor ask for, who has no account here: key, head, chain, and the commands. */
export function ForTools({ facts }: { facts: Pick<LogFacts, 'origin' | 'keys' | 'checkpoints' | 'chain'> }) {
  const { origin, keys, checkpoints, chain } = facts;
  const [key] = keys;
  const withKey = key ? ` --key '${key}'` : '';
  const [newest] = checkpoints;
  const address = `${location.origin}${addressOf('/log/{log}', { params: { log: origin.split('/').at(-1) ?? '' } })}`;
  const onChain = chain ? ` --rpc ${chain.rpc_url ?? 'RPC'} --contract ${chain.contract}` : '';
  const rows: readonly (readonly [string, string])[] = [
    [say('Address of the log'), address],
    ...(key ? [[say('Key that signs'), key] as const] : []),
    ...(newest
      ? ([
          [say('Entries in the last head'), formatCount(newest.size)],
          [say('Root of the last head'), newest.root],
        ] as const)
      : []),
    ...(chain
      ? ([
          [say('Number of the chain'), String(chain.chain_id)],
          [say('Contract on the chain'), chain.contract],
        ] as const)
      : []),
    ...(chain?.rpc_url ? ([[say('The chain’s server'), chain.rpc_url]] as const) : []),
    [say('Follow the log'), `npm run verify -- witness --state ./witness --log ${address}${withKey}`],
    [say('Check a receipt'), `npm run verify -- receipt FILE${withKey}${onChain}`],
  ];
  return (
    <FoldedPart title={say('For tools')}>
      <p className="mb-2 text-small text-ink-2">
        {say('The commands run in a copy of our program, without an account.')}
      </p>
      <dl className="grid gap-2 text-small">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt className="text-ink-2">{name}</dt>
            <dd translate="no" className="num break-all">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </FoldedPart>
  );
}
