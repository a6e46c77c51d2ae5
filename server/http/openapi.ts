import { API_BASE } from '@ushirika/contract/constants';
import { refusalBody } from '@ushirika/contract/refusal-body';
import { refusals } from '@ushirika/contract/refusals';
import { refusalsOf } from '@ushirika/contract/refusals-of';
import type { Route } from '@ushirika/contract/route';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the contract. */
export function openApiDocument(routes: readonly Route[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    // Every path also works without its trailing slash, and the document shows it so.
    const path = `${API_BASE}${route.path}`.replace(/\/$/, '');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ushirika',
      version: '1',
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
      description:
        'Every path answers with and without its trailing slash. Amounts are shillings with at most two decimals; ' +
        'times are ISO 8601 UTC; lists use keyset cursors. A refusal has a `code` from a closed catalogue and a ' +
        '`message` that may be shown to a person.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Token <token>`' },
      },
      schemas: { Refusal: jsonSchema(refusalBody, 'output') },
    },
  };
}

/** Whether a route needs no session: it is open to anyone, or called by M-Pesa, which shows the secret in its path. */
const isPublic = ({ caller }: Route) => caller === 'anyone' || caller === 'provider';

function operation(route: Route): Json {
  const { caller } = route;
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.path.split('/')[1] ?? 'other'],
    description: `Caller: ${caller}${route.offices ? ` (${route.offices.join(', ')})` : ''}. Repetition: ${route.repetition}.`,
    security: isPublic(route) ? [] : [{ token: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query'), ...headers(route)],
    ...(route.bodyType === 'none' ? {} : { requestBody: requestBody(route) }),
    responses: responses(route),
  };
}

function parameters(schema: z.ZodType, where: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

function headers(route: Route): Json[] {
  const found: Json[] = [];
  if (route.caller === 'member' || route.caller === 'official') {
    found.push({ name: 'saccoId', in: 'header', required: false, schema: { type: 'string', format: 'uuid' } });
  }
  if (route.repetition === 'key') {
    found.push({ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 100 } });
  }
  return found;
}

function requestBody(route: Route): Json {
  const schema = jsonSchema(route.body, 'input') as { properties?: Json };
  if (route.bodyType === 'json') return { required: true, content: { 'application/json': { schema } } };
  const file = route.file ? { [route.file.field]: { type: 'string', format: 'binary' } } : {};
  const multipart = { ...schema, properties: { ...schema.properties, ...file } };
  return { required: true, content: { 'multipart/form-data': { schema: multipart } } };
}

function responses(route: Route): Json {
  const contentType = { json: 'application/json', sse: 'text/event-stream', file: 'application/octet-stream' }[
    route.replyType
  ];
  const found: Record<string, Json> = {
    [route.status]: { description: 'Done', content: { [contentType]: { schema: jsonSchema(route.reply, 'output') } } },
  };
  for (const code of refusalsOf(route)) {
    const { status, message } = refusals[code];
    const entry = found[status] ?? {
      description: '',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    };
    entry.description = `${entry.description ? `${entry.description}\n` : ''}\`${code}\`: ${message}`;
    found[status] = entry;
  }
  return found;
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}
