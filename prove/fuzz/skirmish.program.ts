import { writeFileSync } from 'node:fs';
import { type Order, skirmish } from './skirmish.ts';

/** One process of a large run: `skirmish` in it, its result in a file. */
const { order, file } = JSON.parse(process.argv[2] ?? '{}') as { order: Order; file: string };
const result = await skirmish(order, (line) => console.log(`      ${line}`));
writeFileSync(file, JSON.stringify(result));
process.exit(0);
