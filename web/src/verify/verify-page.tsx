import { type DragEvent, Suspense, startTransition, useCallback, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { later } from '../layouts/later.tsx';
import { Title } from '../layouts/title.tsx';
import { paths } from '../paths.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Card, PageHead } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { toast } from '../ui/toast.ts';
import { say } from '../words/say.ts';
import { warmUp } from './browser-crypto.ts';
import { Camera } from './camera.tsx';
import { type Reading, readFile, readText } from './read-given.ts';
import { prepareScanning } from './scan-code.ts';
import { troubleWords } from './trouble-words.ts';

const checkedReceipt = () => import('./checked-receipt.tsx');
const CheckedReceipt = later(checkedReceipt, 'CheckedReceipt');

/** /verify: checks a receipt of anybody's, in this browser, with or without our server. */
export function VerifyPage() {
  const session = useSession();
  const { hash } = useLocation();
  const [given, setGiven] = useState<Reading | null>(null);
  // A part that is put under a `Suspense` at once is held back for 300 ms, though its code is here: in a transition it is not.
  const take = useCallback(async (reading: Promise<Reading>) => {
    const read = await reading;
    startTransition(() => setGiven(read));
  }, []);
  useEffect(() => {
    if (hash.startsWith('#r=')) void take(readText(hash));
  }, [hash, take]);
  useEffect(() => {
    warmUp();
    void prepareScanning();
    // A page that is open checks receipts without a network.
    void checkedReceipt().catch(() => {});
  }, []);
  return (
    <div className="mx-auto w-full max-w-xl px-4 py-8 sm:py-12">
      <Title>{say('Check a receipt')}</Title>
      <PageHead title={say('Check a receipt')} lead={say('Your browser checks it. The receipt is sent nowhere.')} />
      <Card className="mt-5 grid gap-5 p-5 sm:p-6">
        <Ways onText={(text) => void take(readText(text))} onFile={(file) => void take(readFile(file))} />
      </Card>
      <Suspense>
        {given && (
          <Card className="mt-4 p-5 sm:p-6">
            {'trouble' in given ? (
              <p role="alert" className="flex gap-3">
                <Icon name="info" className="mt-0.5 size-5" />
                {troubleWords[given.trouble]()}
              </p>
            ) : (
              <CheckedReceipt receipt={given.receipt} />
            )}
          </Card>
        )}
      </Suspense>
      {session && (
        <p className="mt-4">
          <Link className="link inline-flex min-h-11 items-center" to={paths.proofs()}>
            {say('Check my balances')}
          </Link>
        </p>
      )}
    </div>
  );
}

/** The ways to hand a receipt over: a file or a picture, the camera, or pasted text. */
function Ways({ onText, onFile }: { onText: (text: string) => void; onFile: (file: File) => void }) {
  const [isScanning, setScanning] = useState(false);
  const [pasted, setPasted] = useState('');
  const drop = (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
    else onText(event.dataTransfer.getData('text'));
  };
  const check = () => {
    if (pasted.trim()) onText(pasted);
    else toast.error(say('Paste a receipt first.'));
  };
  return (
    <section
      aria-label={say('The receipt')}
      className="grid gap-4"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <div className="relative grid">
          <span aria-hidden="true" className="btn btn-main">
            <Icon name="download" />
            {say('Choose a file or picture')}
          </span>
          {/* It lies over the words, unseen: its own are in the language of the browser. */}
          <input
            type="file"
            aria-label={say('Choose a file or picture')}
            accept=".json,.tlog-proof,.pdf,application/json,application/pdf,text/plain,image/*"
            className="absolute inset-0 w-full cursor-pointer opacity-0"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) onFile(file);
              currentTarget.value = '';
            }}
          />
        </div>
        {!isScanning && (
          <Button look="line" onClick={() => setScanning(true)}>
            <Icon name="search" />
            {say('Scan a QR code')}
          </Button>
        )}
      </div>
      {isScanning && (
        <Camera
          onClose={() => setScanning(false)}
          onCode={(text) => {
            setScanning(false);
            onText(text);
          }}
        />
      )}
      <label className="text-small font-semibold">
        {say('Or paste it here')}
        <textarea
          rows={3}
          className="field-box mt-1.5"
          spellCheck={false}
          value={pasted}
          onChange={({ target }) => setPasted(target.value)}
        />
      </label>
      <Button look="soft" onClick={check} className="justify-self-start">
        {say('Check')}
      </Button>
    </section>
  );
}
