import { addressOf } from '../api/call.ts';
import { CallFailure } from '../api/failure.ts';
import { currentSession, signOut } from '../session/session.ts';
import { currentLanguage } from '../words/say.ts';

export type StatementFormat = 'pdf' | 'csv';

/** Fetches a statement of the wallet and hands it to the browser as a file. Throws CallFailure. */
export async function saveStatement(query: {
  from?: string | undefined;
  to?: string | undefined;
  format: StatementFormat;
}) {
  const headers = {
    authorization: `Token ${currentSession()?.token}`,
    'accept-language': currentLanguage(),
  };
  const response = await fetch(addressOf('/client/statement', { query }), {
    headers,
    signal: AbortSignal.timeout(60_000),
  }).catch((error: unknown) => {
    throw CallFailure.fromThrown(error);
  });
  if (response.status === 401) signOut('ended');
  if (!response.ok) throw CallFailure.fromAnswer(response.status, await response.json().catch(() => null));
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = nameIn(response.headers.get('content-disposition')) ?? `ushirika-statement.${query.format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The file's name in a Content-Disposition header, or null. */
export function nameIn(disposition: string | null): string | null {
  return /filename="?([\w.-]+)"?/.exec(disposition ?? '')?.[1] ?? null;
}
