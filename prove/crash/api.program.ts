import { buildApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { openDatabase } from '../../server/db/database.ts';
import { openKeyring } from '../../server/open-keyring.ts';
import { realWorld } from '../../server/world.ts';
import { breakAsTold } from './broken.ts';

// The product's API on a database that is ready, without the jobs. Its health check has a connection of its own: on those of
// its pool there is nothing but what a request brings about, so that every message of it can be counted. For
// `step-by-step.ts`.
const config = readConfig(process.env);
const databaseUrl = config.databaseUrl ?? '';
const database = openDatabase({ url: databaseUrl, poolSize: config.databasePoolSize });
breakAsTold({ database });
const keyring = await openKeyring(config, database, realWorld);
const healthCheckUrl = process.env.HEALTH_CHECK_URL;
if (!healthCheckUrl) throw new Error('HEALTH_CHECK_URL is to lead past the connection whose messages are counted.');
const app = await buildApp({ config, database, databaseUrl: healthCheckUrl, world: realWorld, keyring });
await app.http.listen({ port: config.port, host: '127.0.0.1' });
console.log('First answer after');
