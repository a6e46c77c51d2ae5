import { CANARY } from './pictures.ts';

/** One part of a form as it goes over the wire, with whatever its sender wrote into its headers. */
export interface Part {
  readonly disposition: string;
  readonly headers?: readonly string[];
  readonly content: Buffer | string;
}

export interface Form {
  readonly contentType: string | null;
  readonly body: Buffer;
}

const BOUNDARY = '----ushirika';

export const particulars = (name: string, regNo: string, founder: string): Record<string, string> => ({
  name,
  description: 'Savings for whoever sends hostile files.',
  reg_no: regNo,
  reg_fee: '500',
  min_shares: '20',
  share_value: '100',
  created_by: founder,
});

export const fieldPart = (name: string, value: string): Part => ({
  disposition: `form-data; name="${name}"`,
  content: value,
});

export const filePart = (bytes: Buffer, filename = 'logo.png', type = 'image/png', field = 'logo'): Part => ({
  disposition: `form-data; name="${field}"; filename="${filename}"`,
  headers: [`Content-Type: ${type}`],
  content: bytes,
});

/** The bytes of a form; `newline` and `end` for senders who have their own idea of them. */
export function formOf(parts: readonly Part[], { boundary = BOUNDARY, newline = '\r\n', end = true } = {}): Form {
  const chunks: Buffer[] = [];
  for (const { disposition, headers = [], content } of parts) {
    const head = [`--${boundary}`, `Content-Disposition: ${disposition}`, ...headers, '', ''].join(newline);
    chunks.push(Buffer.from(head), Buffer.from(content), Buffer.from(newline));
  }
  if (end) chunks.push(Buffer.from(`--${boundary}--${newline}`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(chunks) };
}

/** Names under which a good picture is sent; none of them is kept anywhere. */
export const fileNames: Readonly<Record<string, string>> = {
  'a name that climbs out': `../../../../etc/${CANARY}.png`,
  'a name that climbs out of Windows': `..\\..\\..\\${CANARY}.png`,
  'an absolute name': `/etc/${CANARY}.png`,
  'a name with a drive': `C:\\${CANARY}.png`,
  'a name with NUL': `${CANARY}.php\0.png`,
  'a name that reads backwards': `${CANARY}\u202egnp.exe`,
  'a name of 255 characters': `${CANARY}${'a'.repeat(240)}.png`,
  'a name of 5,000 characters': `${CANARY}${'b'.repeat(5_000)}.png`,
  'a name in many scripts': `${CANARY}-नमस्ते-🦁-ß.png`,
  'a name with a double extension': `${CANARY}.php.png`,
  'a name with the wrong extension': `${CANARY}.png.exe`,
  'a name that is a device': 'CON.png',
  'a name that is a script': `<script>${CANARY}</script>.png`,
  'a name that is a command': `\`rm ${CANARY}\`;$(ls).png`,
  'a name that is SQL': `${CANARY}'); drop table saccos;--.png`,
  'a name of dots': '....',
  'a name of nothing but spaces': '   ',
  'a name with a quote that is escaped': `${CANARY}\\".png`,
};

/** What a good picture says that it is; nobody believes it. */
export const types = [
  'text/html',
  'image/svg+xml',
  'application/x-php',
  'application/octet-stream',
  'image/png; charset=../../x',
  'multipart/mixed; boundary=inner',
];

export interface OddForm {
  readonly name: string;
  readonly form: (fields: readonly Part[], picture: Buffer) => Form;
  /** `stored`: with the picture redrawn; `ignored`: without it; `refused`; `either`. */
  readonly fate: 'stored' | 'ignored' | 'refused' | 'either';
}

const body = (contentType: string | null, bytes: Buffer | string): Form => ({ contentType, body: Buffer.from(bytes) });

/** Forms that no browser makes. */
export const oddForms: readonly OddForm[] = [
  { name: 'no file at all', fate: 'ignored', form: (fields) => formOf(fields) },
  { name: 'an empty file', fate: 'ignored', form: (fields) => formOf([...fields, filePart(Buffer.alloc(0))]) },
  {
    name: 'the file as a text field',
    fate: 'ignored',
    form: (fields) => formOf([...fields, fieldPart('logo', `<svg>${CANARY}</svg>`)]),
  },
  {
    name: 'two files under one name',
    fate: 'refused',
    form: (fields, picture) => formOf([...fields, filePart(picture), filePart(picture, 'second.png')]),
  },
  {
    name: 'a file under another name',
    fate: 'refused',
    form: (fields, picture) => formOf([...fields, filePart(picture, 'a.png', 'image/png', 'avatar')]),
  },
  {
    name: 'the name of the sacco as a file',
    fate: 'refused',
    form: (fields, picture) => formOf([...fields.slice(1), filePart(picture, 'a.png', 'image/png', 'name')]),
  },
  { name: 'no boundary', fate: 'refused', form: (fields) => body('multipart/form-data', formOf(fields).body) },
  {
    name: 'an empty boundary',
    fate: 'refused',
    form: (fields) => body('multipart/form-data; boundary=', formOf(fields).body),
  },
  {
    name: 'a wrong boundary',
    fate: 'refused',
    form: (fields, picture) => body('multipart/form-data; boundary=other', formOf([...fields, filePart(picture)]).body),
  },
  {
    name: 'a boundary of 5,000 characters',
    fate: 'either',
    form: (fields, picture) => formOf([...fields, filePart(picture)], { boundary: 'b'.repeat(5_000) }),
  },
  {
    name: 'no last boundary',
    fate: 'refused',
    form: (fields, picture) => formOf([...fields, filePart(picture)], { end: false }),
  },
  {
    name: 'an end in the middle of the picture',
    fate: 'refused',
    form: (fields, picture) => {
      const whole = formOf([...fields, filePart(picture)]);
      return { ...whole, body: whole.body.subarray(0, whole.body.length - picture.length / 2) };
    },
  },
  {
    name: 'lines that end as on Unix',
    fate: 'either',
    form: (fields, picture) => formOf([...fields, filePart(picture)], { newline: '\n' }),
  },
  { name: 'an empty body', fate: 'refused', form: () => body(`multipart/form-data; boundary=${BOUNDARY}`, '') },
  { name: 'no content type', fate: 'refused', form: (fields) => body(null, formOf(fields).body) },
  { name: 'JSON', fate: 'refused', form: () => body('application/json', JSON.stringify({ logo: CANARY })) },
  { name: 'a picture as the body', fate: 'refused', form: (_fields, picture) => body('image/png', picture) },
  {
    name: 'a header that is smuggled by the file name',
    fate: 'either',
    form: (fields, picture) =>
      formOf([...fields, filePart(picture, `${CANARY}.png"\r\nX-Evil: 1\r\nContent-Type: text/html\r\n\r\n`)]),
  },
  {
    name: 'a part with 100 kB of headers',
    fate: 'either',
    form: (fields, picture) =>
      formOf([...fields, { ...filePart(picture), headers: [`X-Long: ${CANARY.repeat(10_000)}`] }]),
  },
  {
    name: 'a transfer encoding of its own',
    fate: 'either',
    form: (fields, picture) =>
      formOf([
        ...fields,
        { ...filePart(picture), headers: ['Content-Transfer-Encoding: base64'], content: picture.toString('base64') },
      ]),
  },
  {
    name: 'a hundred fields',
    fate: 'refused',
    form: (fields, picture) =>
      formOf([...fields, ...Array.from({ length: 100 }, (_, index) => fieldPart(`x${index}`, 'y')), filePart(picture)]),
  },
  {
    name: 'fields that are called like an object’s own',
    fate: 'refused',
    form: (fields, picture) =>
      formOf([
        ...fields,
        fieldPart('__proto__', CANARY),
        fieldPart('constructor', CANARY),
        fieldPart('toString', CANARY),
        filePart(picture),
      ]),
  },
  {
    name: 'every field twice',
    fate: 'stored',
    form: (fields, picture) => formOf([...fields, ...fields, filePart(picture)]),
  },
  {
    name: 'a file name in the extended notation',
    fate: 'either',
    form: (fields, picture) =>
      formOf([
        ...fields,
        {
          disposition: `form-data; name="logo"; filename*=UTF-8''..%2f..%2f${CANARY}.png`,
          headers: ['Content-Type: image/png'],
          content: picture,
        },
      ]),
  },
  {
    name: 'words before the first boundary and after the last',
    fate: 'stored',
    form: (fields, picture) => {
      const whole = formOf([...fields, filePart(picture)]);
      return { ...whole, body: Buffer.concat([Buffer.from(`${CANARY}\r\n`), whole.body, Buffer.from(CANARY)]) };
    },
  },
];
