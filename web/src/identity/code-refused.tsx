import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { say } from '../words/say.ts';
import { profileOf } from './profile.queries.ts';

const ASKED_EVERY_MS = 4_000;

/**
 * Says that a code by SMS did not go, once the provider has refused it for good. It stands where a page waits for a code,
 * to the reader's own phone or, with `phone`, to another person's.
 */
export function CodeRefused({ phone }: { phone?: string }) {
  const session = useSession();
  const { data } = useQuery({ ...profileOf(session), refetchInterval: ASKED_EVERY_MS });
  if (!data?.code_refused_at) return null;
  return (
    <p role="alert" className="num rounded-box bg-clay-tint px-4 py-3 text-small font-medium text-clay">
      {phone
        ? say('The code did not go: SMS to {phone} are refused. Use another phone.', { phone })
        : say('The code did not go: SMS to {phone} are refused. Ask your phone company why, or use another number.', {
            phone: data.phone_number,
          })}
    </p>
  );
}
