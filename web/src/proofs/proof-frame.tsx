import type { ProofReceipt } from '@ushirika/contract/proofs';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { later } from '../layouts/later.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { factsOf } from '../receipts/paper.ts';
import { savePaperWithCode } from '../receipts/receipt-files.ts';
import { BackLink } from '../ui/back-link.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Card, FailureState, PageHead } from '../ui/card.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FoldedPart } from '../ui/fold.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeletons } from '../ui/skeleton.tsx';
import { CheckedReceipt } from '../verify/checked-receipt.tsx';
import { factsIn, titleOf } from '../verify/facts-of.ts';
import { codeOf, PDF_MEMBER, receiptIn, shortReceipt } from '../verify/saved-receipt.ts';
import { limitsWords } from '../verify/step-words.ts';
import { say } from '../words/say.ts';
import { proofPaths } from './proof-paths.ts';
import type { FoundProof, OwnReceipt } from './proofs.queries.ts';
import { asReceipt, fileNameOf, saveAsJson, saveAsProof, shareProof } from './save-proof.ts';

const QrCode = later(() => import('../ui/qr-code.tsx'), 'QrCode');

interface FrameProps {
  readonly title?: string;
  readonly back: readonly [to: string, words: string];
  readonly lead: string;
  /** Undefined while it is read. */
  readonly data: FoundProof | undefined;
  readonly failure: { readonly words: string; readonly onAgain: () => void } | null;
}

/** The page of a proof: the way back, and the receipt once it is signed. */
export function ProofFrame({ title = say('Proof'), back: [to, words], lead, data, failure }: FrameProps) {
  return (
    <div className="max-w-[640px]">
      <Title>{title}</Title>
      <BackLink to={to}>{words}</BackLink>
      <PageHead title={title} lead={lead} />
      <Card className="mt-5 p-5 sm:p-6">
        {data?.receipt ? (
          <Proof receipt={data.receipt} />
        ) : data?.state === 'no_total' ? (
          <p role="status">
            {say('There is no sum yet. It is taken once a day, where ten accounts or more have something.')}
          </p>
        ) : data ? (
          <BeingLogged />
        ) : failure ? (
          <FailureState words={failure.words} again={say('Try again')} onAgain={failure.onAgain} />
        ) : (
          <Skeletons count={1} label={say('Loading...')} className="h-72 rounded-card" />
        )}
      </Card>
    </div>
  );
}

function BeingLogged() {
  return (
    <div role="status" className="grid gap-2">
      <p className="flex items-center gap-2 text-title font-semibold">
        <Icon name="clock" className="size-6" />
        {say('Being logged')}
      </p>
      <p>{say('It is in the books. Its entry is signed within a minute, and the proof then stands here.')}</p>
    </div>
  );
}

function Proof({ receipt }: { receipt: OwnReceipt }) {
  const saved = useMemo(() => receiptIn(receipt), [receipt]);
  const { address, code } = useCodes(receipt);
  const [isCodeShown, setCodeShown] = useState(false);
  const whole = code === null ? null : `${location.origin}${proofPaths.verifyReceipt(code)}`;
  const said = useRef<HTMLElement>(null);
  if (!saved) return <p role="alert">{say('This receipt cannot be read.')}</p>;
  const title = titleOf(factsIn(saved.opening));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <CheckedReceipt receipt={saved} says={said} />
      <div className="flex flex-wrap gap-2 print:hidden">
        {'share' in navigator && (
          <Button look="soft" onClick={() => void shareProof(receipt, title, (receipt.own ? whole : address) ?? '')}>
            <Icon name="share" />
            {say('Share')}
          </Button>
        )}
        {/* A code has no room for one's own part of a total. */}
        {receipt.own ? (
          <Button look="soft" onClick={() => saveAsJson(receipt)}>
            <Icon name="download" />
            {say('Save as JSON')}
          </Button>
        ) : (
          <>
            <Button
              look="soft"
              onClick={() =>
                address && code && void savePdf(receipt, said.current, { address, held: `${PDF_MEMBER} (${code})` })
              }
            >
              <Icon name="download" />
              {say('Save as PDF')}
            </Button>
            <Button look="soft" onClick={() => setCodeShown(true)}>
              <Icon name="device" />
              {say('Show QR code')}
            </Button>
          </>
        )}
        <LinkButton look="line" to={code === null ? paths.verify() : proofPaths.verifyReceipt(code)} reloadDocument>
          <Icon name="shield" />
          {say('Check with the chain')}
        </LinkButton>
      </div>
      {!receipt.own && <OtherFiles receipt={receipt} />}
      {isCodeShown && address && (
        <Dialog title={say('QR code of the proof')} onClose={() => setCodeShown(false)}>
          <p className="mb-4 text-ink-2">
            {say('Whoever scans it sees what this receipt says and checks it, without an account.')}
          </p>
          <Suspense fallback={<Skeletons count={1} label={say('Loading...')} className="aspect-square rounded-card" />}>
            <QrCode text={address} label={say('QR code of the proof')} ecc="L" />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}

function OtherFiles({ receipt }: { receipt: ProofReceipt }) {
  return (
    <FoldedPart title={say('Other ways to save')}>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button look="soft" onClick={() => saveAsJson(receipt)}>
          <Icon name="download" />
          {say('Save as JSON')}
        </Button>
        <Button look="soft" onClick={() => saveAsProof(receipt)}>
          <Icon name="download" />
          {say('Save for other programs')}
        </Button>
      </div>
    </FoldedPart>
  );
}

/**
 * The receipt's whole code, and an address of /verify with that alone which nobody else can tell, as a QR code has it. Both are null until they
 * are made.
 */
function useCodes(receipt: ProofReceipt): { address: string | null; code: string | null } {
  const [codes, setCodes] = useState<readonly string[]>([]);
  useEffect(() => {
    let isOver = false;
    void Promise.all([shortReceipt(asReceipt(receipt)), receipt].map(codeOf)).then((made) => {
      if (!isOver) setCodes(made);
    });
    return () => {
      isOver = true;
    };
  }, [receipt]);
  const [short, code = null] = codes;
  return {
    address: short === undefined ? null : `${location.origin}${proofPaths.verifyReceipt(short)}`,
    code,
  };
}

/** The proof on paper: all that the page says, whatever that is, and where it stands in the log. */
async function savePdf(
  receipt: ProofReceipt,
  said: HTMLElement | null,
  codes: Parameters<typeof savePaperWithCode>[1],
): Promise<void> {
  const paper = {
    mark: say('In the log of the books'),
    what: said?.querySelector('h2')?.textContent ?? '',
    amount: null,
    facts: [
      ...factsOf(said?.querySelector('dl') ?? null),
      [say('Log of the books'), receipt.entry.log] as const,
      [say('Position in the log'), String(receipt.entry.i)] as const,
    ],
    note: limitsWords(),
  };
  await savePaperWithCode(paper, codes, fileNameOf(receipt));
}
