import { newOperator } from './people.ts';
import { startServer } from './server.ts';

/** Starts one real server for all journeys, on an empty data folder, and tells the workers where it is. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const server = await startServer();
  process.env.E2E_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataFolder;
  try {
    process.env.E2E_OPERATOR = JSON.stringify(await newOperator());
  } catch (error) {
    await server.stop();
    throw error;
  }
  return async () => {
    await server.stop();
    const faults = faultsIn(server.output());
    if (faults.length > 0) throw new Error(`The server logged what must not happen:\n${faults.join('\n')}`);
  };
}

/** A 500 or an unhandled failure is a defect, even where the page hid it: level 50 and above of the server's log. */
function faultsIn(output: string): string[] {
  return output.split('\n').filter((line) => /"level":(50|60)\b/.test(line));
}
