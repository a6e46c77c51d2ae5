import type { Route } from '@ushirika/contract/route';
import { PNG, type Twist } from './twists.ts';
import { type Fields, type LookUp, textOf } from './values.ts';

const EDGE = 'edge';

interface Part {
  readonly name: string;
  readonly file?: string;
  readonly content: Buffer | string;
}

/** A body as a form with pictures, as it should be or not. */
export function formOf(
  route: Route,
  { body, twist, hasFile }: { readonly body: Fields; readonly twist: Twist; readonly hasFile: boolean },
  lookUp: LookUp,
): { bytes: Buffer; contentType: string } {
  const field = route.file?.field ?? 'file';
  const plain: Part[] = body.entries.map(([name, value]) => ({ name, content: textOf(value, lookUp) }));
  const how = twist.kind === 'an odd form' ? twist.how : hasFile ? 'as it should be' : null;
  const bytes = written([...plain, ...filesFor(how, field, route.file?.bytesMax ?? 0)]);
  const boundary = how === 'no boundary' ? '' : `; boundary=${how === 'another boundary' ? 'other' : EDGE}`;
  return {
    bytes: how === 'cut' ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes,
    contentType: `multipart/form-data${boundary}`,
  };
}

type FormTurn = Extract<Twist, { kind: 'an odd form' }>['how'] | 'as it should be';

function filesFor(how: FormTurn | null, field: string, bytesMax: number): Part[] {
  const picture = { name: field, file: 'logo.png', content: PNG };
  if (how === 'many fields') return Array.from({ length: 60 }, (_, index) => ({ name: `f${index}`, content: 'a' }));
  if (how === 'as it should be') return [picture];
  if (how === 'two files') return [picture, picture];
  if (how === 'a file too large') return [{ ...picture, content: Buffer.alloc(bytesMax + 1, 1) }];
  if (how === 'a text as a file') return [{ ...picture, content: '<svg onload=alert(1)>' }];
  if (how === 'an empty file') return [{ ...picture, content: '' }];
  if (how === 'another file field') return [{ ...picture, name: 'other' }];
  if (how === 'an odd file name') return [{ ...picture, file: '../../etc/pass\u0000wd\u202egnp.exe' }];
  if (how === 'a form within') return [{ name: 'inner', content: written([picture]).toString('latin1') }];
  if (how === 'a field too large') return [{ name: 'description', content: 'x'.repeat(30_000) }];
  if (how === 'a field as a file') return [{ ...picture, name: 'name' }];
  if (how === 'a proto field')
    return [
      { name: '__proto__', content: '{"isOperator":true}' },
      { name: 'constructor', content: 'a' },
    ];
  return [];
}

function written(parts: readonly Part[]): Buffer {
  const pieces = parts.flatMap(({ name, file, content }) => {
    const named = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: image/png`;
    return [
      Buffer.from(`--${EDGE}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from('\r\n'),
    ];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${EDGE}--\r\n`)]);
}
