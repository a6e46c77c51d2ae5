import { buildApp } from '../../server/app.ts';
import { main } from '../../server/start.ts';
import { breakAsTold } from './broken.ts';

// The real server with one part of it broken, for the negative controls.
await main(process.env, (parts) => {
  breakAsTold(parts);
  return buildApp(parts);
});
