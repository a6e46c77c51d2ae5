import { startJobs } from './jobs.ts';

// A program for jobs.test.ts: takes the job `stall`, says so, and never ends it.
await startJobs({
  databaseUrl: process.argv[2] ?? '',
  tasks: {
    stall: async () => {
      console.log('taken');
      await new Promise(() => {});
    },
  },
});
