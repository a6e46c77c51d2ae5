import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { say } from '../words/say.ts';
import { codeInPicture } from './scan-code.ts';

const LOOK_MS = 250;

/** The camera's picture, until a QR code is in it. The picture stays on this device. */
export function Camera({ onCode, onClose }: { onCode: (text: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isRefused, setRefused] = useState(false);
  const found = useRef(onCode);
  found.current = onCode;
  useEffect(() => {
    let stream: MediaStream | null = null;
    let isOver = false;
    const look = async () => {
      if (isOver || !video.current) return;
      const code = video.current.readyState < 2 ? null : await codeInPicture(video.current).catch(() => null);
      if (isOver) return;
      if (code) found.current(code);
      else setTimeout(() => void look(), LOOK_MS);
    };
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      if (isOver || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play();
      await look();
    };
    const stop = () => {
      isOver = true;
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    start().catch(() => isOver || setRefused(true));
    return stop;
  }, []);
  return (
    <div className="grid gap-3">
      {isRefused ? (
        <p role="alert">{say('The camera cannot be used here. Choose a picture of the code instead.')}</p>
      ) : (
        <video ref={video} muted playsInline className="aspect-square w-full rounded-box bg-sunken object-cover" />
      )}
      <Button look="line" onClick={onClose}>
        {isRefused ? say('Close') : say('Close the camera')}
      </Button>
    </div>
  );
}
