import { say } from '../words/say.ts';

/** The hash of the exact terms: whole for who compares, in groups that can be read aloud. */
export function Fingerprint({ hash }: { hash: string }) {
  return (
    <details className="mt-3 text-small">
      <summary className="min-h-6 cursor-pointer text-ink-2">
        {say('Fingerprint of these terms')}{' '}
        <code className="num whitespace-nowrap text-ink">{inGroups(hash.slice(0, 12))}…</code>
      </summary>
      <p className="mt-1.5 text-ink-2">
        {say(
          'SHA-256 of the exact terms. Borrower, guarantors and officials sign the same one; a changed term changes it.',
        )}
      </p>
      <code className="num mt-1 block leading-relaxed">{inGroups(hash)}</code>
    </details>
  );
}

const inGroups = (hash: string) => hash.replace(/(.{4})(?=.)/g, '$1 ');
