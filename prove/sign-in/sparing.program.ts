import { buildApp } from '../../server/app.ts';
import { createPasswords } from '../../server/domains/identity/passwords.ts';
import { main } from '../../server/start.ts';
import { sparing } from './sparing.ts';

// The real server, in which the password of somebody who is not here costs no hash.
await main(process.env, (parts) => {
  const passwords = createPasswords({ world: parts.world, atOnceMax: 1, waitingMax: 100 });
  return buildApp(parts, { passwords: sparing(passwords) });
});
