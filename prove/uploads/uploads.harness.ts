import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { copyTemplate } from '../../server/db/test-copy.ts';
import { noteAction } from '../../server/domains/operator/note-action.ts';
import { redrawLogo } from '../../server/domains/saccos/redraw-picture.ts';
import { saccosRoutes } from '../../server/domains/saccos/saccos.routes.ts';
import { testChanges } from '../../server/domains/saccos/test-changes.ts';
import type { Control, Harness, Outcome, Run, Tier } from '../harness.ts';
import { Random } from '../random.ts';
import { dripped } from '../support/dripping.ts';
import { cleared, peak } from '../support/memory.ts';
import { type Person, type Product, startProduct } from '../support/product.ts';
import { type Form, fieldPart, fileNames, filePart, formOf, oddForms, particulars, types } from './forms.ts';
import { clear, judge, type Sent } from './judging.ts';
import { type Picture, pictures } from './pictures.ts';
import { header, png, rows } from './png.ts';

/** Beyond the corpus: good pictures with a few bytes of chance in them. */
const mutantsOf: Record<Tier, number> = { c: 40, n: 4_000, r: 40_000 };
const MEGABYTE = 1024 * 1024;
/** Mutants between two looks at memory: few, so that garbage which is not collected yet is no part of what drawing takes. */
const LOOK_EVERY = 100;
/** What drawing may take for a moment, the worst of the corpus and a crowd at once included. */
const GROWTH_MAX = 300 * MEGABYTE;
/** What thousands of files may leave behind once garbage is collected: the allocator's own holes, not the files. */
const KEPT_MAX = 150 * MEGABYTE;
const UPLOAD_DEADLINE_MS = 6_000;

const controls: readonly Control[] = [
  {
    name: 'magic_only',
    breaks: 'only the first bytes of a file are looked at',
    expected: /was served as received|no WebP/,
  },
  {
    name: 'metadata',
    breaks: 'a picture is drawn anew with all that it carried',
    expected: /carried was served|metadata|chunk/,
  },
];

export const harness: Harness = {
  name: 'uploads',
  title: 'No hostile file is stored or served: a picture is drawn anew, or refused with a clear word',
  promises: ['P14'],
  tiers: ['c', 'n', 'r'],
  controls,
  async run(run: Run): Promise<Outcome> {
    const database = await copyTemplate(run.serverUrl, { poolSize: 6 });
    const weak = weakOf[run.broken ?? ''];
    const env = { REQUEST_DEADLINE_MS: String(UPLOAD_DEADLINE_MS / 6) };
    const product = await startProduct(database, env, {
      bindings: (ours) =>
        ours.map((binding) => {
          if (!weak || binding.route.name !== 'createSacco') return binding;
          const weakened = saccosRoutes({
            database,
            publicUrl: 'http://localhost',
            redraw: weak,
            changes: testChanges(),
            noteOperatorAct: noteAction,
            proposeNaming: async () => {},
          });
          return weakened.find(({ route }) => route.name === 'createSacco') ?? binding;
        }),
    });
    try {
      return await new Suite(run, product, await founderOf(product)).run();
    } finally {
      await product.close();
    }
  },
};

async function founderOf(product: Product): Promise<Person> {
  for (let tries = 0; ; tries += 1) {
    // The short deadline of this product is meant for uploads; on a busy machine a first sign-up may miss it.
    const founder = await product.person().catch(() => null);
    if (founder) return founder;
    if (tries === 20) throw new Error('Nobody could be registered.');
  }
}

/** What stands in for the drawing in a negative control. */
const weakOf: Readonly<Record<string, typeof redrawLogo>> = {
  magic_only: async (bytes) =>
    bytes.length <= 2 * MEGABYTE && /^(89504e47|ffd8ff|52494646)/.test(bytes.subarray(0, 4).toString('hex'))
      ? { webp: bytes, version: '0123456789abcdef' }
      : redrawLogo(bytes),
  metadata: async (bytes) => {
    const { version } = await redrawLogo(bytes);
    return {
      webp: await sharp(bytes).resize({ width: 512, height: 512, fit: 'inside' }).keepMetadata().webp().toBuffer(),
      version,
    };
  },
};

class Suite {
  readonly #run: Run;
  readonly #product: Product;
  readonly #founder: Person;
  readonly #violations: string[] = [];
  readonly #fired: Record<string, number> = { refused: 0, 'drawn anew': 0, 'left out': 0 };
  #sent = 0;
  #slowestMs = 0;

  constructor(run: Run, product: Product, founder: Person) {
    this.#run = run;
    this.#product = product;
    this.#founder = founder;
  }

  async run(): Promise<Outcome> {
    const corpus = await pictures();
    const before = cleared();
    const dripping = this.#run.broken === undefined ? this.#drip() : Promise.resolve();
    await this.#sendPictures(corpus);
    if (this.#run.broken === undefined) {
      await this.#sendForms(corpus[0] as Picture);
      await this.#sendAtOnce();
    }
    const taken = [peak() - before];
    const kept = this.#run.broken === undefined ? await this.#sendMutants(corpus, taken) : null;
    await dripping;
    const grown = this.#within(GROWTH_MAX, Math.max(...taken), 'grew by');
    // Less than two thousand mutants do not tell what is kept.
    const left = kept === null ? '' : ` and ${this.#within(KEPT_MAX, kept, 'kept')} MB for good`;
    const { refused = 0, 'drawn anew': drawn = 0 } = this.#fired;
    const figure = `${this.#sent} files and forms: ${refused} refused, ${drawn} drawn anew, 0 served as received; slowest ${Math.round(this.#slowestMs)} ms, grew ${grown} MB meanwhile${left}`;
    return { violations: this.#violations, fired: this.#fired, figures: { P14: figure } };
  }

  /** In whole megabytes, and whether that is too much. */
  #within(max: number, bytes: number, does: string): number {
    const megabytes = Math.max(0, Math.round(bytes / MEGABYTE));
    if (bytes > max) this.#violations.push(`the process ${does} ${megabytes} MB`);
    return megabytes;
  }

  async #sendPictures(corpus: readonly Picture[]): Promise<void> {
    for (const { name, bytes, fate } of corpus) {
      // A negative control is done once it is seen.
      if (this.#run.broken !== undefined && this.#violations.length > 0) return;
      await this.#send(name, fate === 'redrawn' ? 'stored' : fate, bytes, (fields) =>
        formOf([...fields, filePart(bytes)]),
      );
    }
  }

  async #sendForms({ bytes }: Picture): Promise<void> {
    for (const [name, fileName] of Object.entries(fileNames)) {
      await this.#send(name, 'either', bytes, (fields) => formOf([...fields, filePart(bytes, fileName)]));
    }
    for (const type of types) {
      await this.#send(`a picture that says it is ${type}`, 'either', bytes, (fields) =>
        formOf([...fields, filePart(bytes, 'logo.png', type)]),
      );
    }
    for (const { name, fate, form } of oddForms) {
      await this.#send(name, fate, fate === 'ignored' ? null : bytes, (fields) => form(fields, bytes));
    }
  }

  /**
   * Bytes flipped, taken out and put in at random places of good pictures. To `taken` goes what each hundred took for a
   * moment. Answers how many bytes more the process has at the end than after the first thousand; null where that was all.
   */
  async #sendMutants(corpus: readonly Picture[], taken: number[]): Promise<number | null> {
    const random = new Random(this.#run.seed);
    const kept: number[] = [];
    const good = corpus.filter(({ fate, bytes }) => fate === 'redrawn' && bytes.length < 20_000);
    const count = mutantsOf[this.#run.tier];
    let before = cleared();
    for (let index = 0; index < count; index += 1) {
      const { name, bytes } = random.pick(good);
      const mutant = mutate(bytes, random);
      const label = `mutant ${index} of seed ${this.#run.seed}, from ${name}`;
      await this.#send(label, 'either', mutant, (fields) => formOf([...fields, filePart(mutant)]));
      const sent = index + 1;
      if (sent % LOOK_EVERY !== 0 && sent !== count) continue;
      taken.push(peak() - before);
      before = cleared();
      if (sent % 1_000 !== 0) continue;
      this.#run.tell(`${sent} mutants`);
      kept.push(before);
    }
    const [first, ...later] = kept;
    return first === undefined || later.length === 0 ? null : (later.at(-1) ?? first) - first;
  }

  async #send(
    name: string,
    fate: Sent['fate'],
    bytes: Buffer | null,
    form: (fields: ReturnType<typeof fieldPart>[]) => Form,
  ): Promise<void> {
    this.#sent += 1;
    const regNo = `UP/${this.#sent}`;
    const fields = Object.entries(particulars(`Upload Sacco ${this.#sent}`, regNo, this.#founder.id));
    const { contentType, body } = form(fields.map(([field, value]) => fieldPart(field, value)));
    const began = performance.now();
    const answer = await this.#product.call('POST', '/sacco/create', {
      as: this.#founder,
      raw: body,
      headers: contentType === null ? {} : { 'content-type': contentType },
    });
    const ms = performance.now() - began;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    this.#violations.push(...(await judge(this.#product, { name, regNo, fate, bytes }, answer, ms)));
    if (answer.status !== 201) this.#count('refused');
    else {
      this.#count(answer.body.sacco.logo === null ? 'left out' : 'drawn anew');
      await clear(this.#product, this.#founder);
    }
  }

  /** More large pictures at once than may be drawn: those who find too many waiting are told when to come back. */
  async #sendAtOnce(): Promise<void> {
    const large = png({ header: header({ width: 1_200, height: 1_200 }), data: deflateSync(rows(1_200, 1_200)) });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const fields = Object.entries(particulars(`Crowd Sacco ${index}`, `CR/${index}`, this.#founder.id));
        const { contentType, body } = formOf([
          ...fields.map(([field, value]) => fieldPart(field, value)),
          filePart(large),
        ]);
        return this.#product.call('POST', '/sacco/create', {
          as: this.#founder,
          raw: body,
          headers: { 'content-type': contentType ?? '' },
        });
      }),
    );
    for (const { status, body, headers } of answers) {
      const isTold = status === 503 && body?.code === 'unavailable' && headers['retry-after'] !== undefined;
      if (isTold) this.#count('told to come back');
      // Five of one founder may wait for their activation; the others are refused for that.
      else if (status !== 201 && status !== 409) this.#violations.push(`of 40 at once one was answered ${status}`);
    }
    if (!this.#fired['told to come back']) this.#violations.push('of 40 large pictures at once each was drawn');
    await clear(this.#product, this.#founder);
  }

  /** A form that comes a byte at a time is let go of, and leaves nothing behind. */
  async #drip(): Promise<void> {
    const head = [
      'POST /api/v1/sacco/create HTTP/1.1',
      'host: localhost',
      `authorization: Token ${this.#founder.token}`,
      'content-type: multipart/form-data; boundary=x',
      'content-length: 100000',
      '',
      '--x\r\ncontent-disposition: form-data; name="logo"; filename="a.png"\r\n\r\n',
    ].join('\r\n');
    const { heard, ms } = await dripped(this.#product.port, head);
    this.#count('dripped forms');
    if (!heard.includes('request_too_slow'))
      this.#violations.push(`a form that drips was answered ${heard.slice(0, 80)}`);
    if (ms > UPLOAD_DEADLINE_MS + 3_000) this.#violations.push(`a form that drips was borne for ${Math.round(ms)} ms`);
  }

  #count(what: string): void {
    this.#fired[what] = (this.#fired[what] ?? 0) + 1;
  }
}

function mutate(bytes: Buffer, random: Random): Buffer {
  const mutant = Buffer.from(bytes);
  for (let times = random.whole(1, 6); times > 0; times -= 1) {
    mutant[random.whole(0, mutant.length - 1)] = random.whole(0, 255);
  }
  const at = random.whole(0, mutant.length - 1);
  if (random.chance(0.2)) return mutant.subarray(0, at + 1);
  if (random.chance(0.2))
    return Buffer.concat([mutant.subarray(0, at), Buffer.from('CANARY-7f3a'), mutant.subarray(at)]);
  return mutant;
}
