import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BadSetting, type Config } from './config.ts';
import type { Database } from './db/tx.ts';
import { createKeyring, type Keyring, parseKeys } from './domains/identity/keyring.ts';
import { missingKeys, sealAllSecrets } from './domains/identity/sealed-secrets.ts';
import type { World } from './world.ts';

const FILE = 'secrets.key';

/**
 * The keys of SECRETS_KEY, or those of `secrets.key` in the data folder, which is made at the first start. Refuses to go
 * on when a row of the database needs a key that is not there; seals what an older key, or none, has sealed.
 * @throws BadSetting
 */
export async function openKeyring(
  config: Pick<Config, 'dataDir' | 'secretKeys'>,
  database: Database,
  world: World,
): Promise<Keyring> {
  const file = join(config.dataDir, FILE);
  const keyring = createKeyring(config.secretKeys ?? readOrMake(file, world));
  const missing = await missingKeys(database, keyring);
  if (missing.length > 0) {
    const where = config.secretKeys ? 'SECRETS_KEY' : file;
    throw new BadSetting(
      `Authenticator apps in the database are sealed with the key ${missing.join(', ')}, which is not in ${where}.\n` +
        `Put that key back (SECRETS_KEY, or ${FILE} from the data folder of the server that sealed them), or take the apps off\n` +
        'their accounts with `npm run operator -- reset-totp <ID number>`.',
    );
  }
  await sealAllSecrets(database, keyring);
  return keyring;
}

/** Two processes that start at once on one folder agree on the file that was there first. */
function readOrMake(file: string, world: World): Buffer[] {
  try {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `${world.randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const keys = parseKeys(readFileSync(file, 'utf8'));
  if (!keys) throw new BadSetting(`${file} does not hold keys of 64 hexadecimal digits, one on a line.`);
  return keys;
}
