import { buildApp } from './app.ts';
import { main } from './start.ts';

await main(process.env, buildApp);
