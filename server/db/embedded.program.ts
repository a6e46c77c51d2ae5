import { startEmbedded } from './embedded.ts';

// A program for embedded.test.ts: starts PostgreSQL in the given folder as main.ts does, says where, and waits.
const folder = process.argv[2];
if (!folder) throw new Error('give the folder');
try {
  const server = await startEmbedded({ folder, onTrouble: (message) => console.log(JSON.stringify({ message })) });
  console.log(JSON.stringify({ url: server.url, pid: server.pid, folder: server.folder }));
  const stop = () => server.stop().then(() => process.exit(0));
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  setInterval(() => {}, 60_000);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
