/** The little of the BarcodeDetector that is used here; TypeScript's own types have none. */
interface Detector {
  detect(source: ImageBitmapSource): Promise<readonly { readonly rawValue: string }[]>;
}
type DetectorClass = (new (options: {
  formats: string[];
}) => Detector) & {
  getSupportedFormats(): Promise<string[]>;
};

let detector: Promise<Detector | null> | undefined;

async function ownDetector(): Promise<Detector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const formats = await BarcodeDetector?.getSupportedFormats().catch((): string[] => []);
  return BarcodeDetector && formats?.includes('qr_code') ? new BarcodeDetector({ formats: ['qr_code'] }) : null;
}

/** Wide enough for the largest code on paper, and small enough for a phone. */
const SIDE_MAX = 1_600;

const decoder = () => import('qr/decode.js');

/** Loads what finds codes while there is a network: a page that is open reads pictures without one. */
export async function prepareScanning(): Promise<void> {
  await decoder().catch(() => {});
}

/** The text of a QR code in a picture or a camera's frame; null where there is none. @throws where what finds codes could not be loaded */
export async function codeInPicture(picture: ImageBitmap | HTMLVideoElement): Promise<string | null> {
  detector ??= ownDetector();
  const own = await (await detector)?.detect(picture).catch(() => []);
  if (own?.[0]) return own[0].rawValue;
  const [width, height] =
    picture instanceof ImageBitmap ? [picture.width, picture.height] : [picture.videoWidth, picture.videoHeight];
  if (width === 0 || height === 0) return null;
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) return null;
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { default: decode } = await decoder();
  try {
    return decode(drawing.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    // It throws where it finds none.
    return null;
  }
}
