import { appendFileSync, readFileSync } from 'node:fs';
import { readMigrations } from '../server/db/migrate.ts';

// A new migration gets its line in the list of those that have landed. No line that is there is touched (tidy/migrations.test.ts).
const landed = new URL('../server/db/migrations/landed.sha256', import.meta.url);
const known = readFileSync(landed, 'utf8');
for (const { name, checksum } of readMigrations()) {
  if (!known.includes(`  ${name}\n`)) appendFileSync(landed, `${checksum}  ${name}\n`);
}
