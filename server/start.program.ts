import Fastify from 'fastify';
import { main } from './start.ts';

// A program for start.test.ts: the product's start and stop with an app of one page and one slow one.
await main(process.env, async ({ database }) => {
  const http = Fastify();
  http.get('/', async () => 'hello');
  http.get('/slow', async () => {
    console.log('slow begun');
    await new Promise((resolve) => setTimeout(resolve, 700));
    return database.sql`select 'done' as said`;
  });
  return { http, tasks: { nothing: async () => {} }, schedules: [] };
});
